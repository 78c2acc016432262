"""How learning platforms hand submissions out: whose a file or a folder in an export is, by its name.

    participant     the number that the platform knows a student by, the student's name, and the folder's own name
    moodle          folders ``Surname Firstname_1234567_assignsubmission_file``
    gradescope      folders ``submission_1234567`` with ``submission_metadata.yml`` beside them
    canvas          files ``surnamefirstname_LATE_12345_67890_player.py``, all in one folder
    folders         one folder for each student or team, called like them

The formats are those that the platforms document; no service was asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from kibitz.players.archives import METADATA, is_archive

Layout = Literal["moodle", "gradescope", "canvas", "folders", "player"]

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)")
CANVAS = re.compile(r"(?P<name>[^_/]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)")
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)(?P<rest>)")
AGAIN = re.compile(r"-\d+(?=\.py$)")
"""What Canvas puts behind the name of a file that is handed in again."""
MOST_NAMED = 3
PLATFORMS: dict[Layout, str] = {"moodle": "Moodle", "gradescope": "Gradescope", "canvas": "Canvas"}
"""The platforms whose exports are recognised, as people call them."""


class Participant(NamedTuple):
    """Whose files these are: ``id`` and ``name`` as the platform has them, ``folder`` as it is called there."""

    id: str
    name: str
    folder: str


class Owned(NamedTuple):
    """A path of an export as its participant's: ``within`` is the path in what the participant handed in."""

    owner: Participant
    within: str


def recognised(paths: Sequence[str]) -> Layout | None:
    """The platform whose export these paths are, relative to the export's own folder; None if of none known."""
    tops = {path.split("/")[0] for path in paths}
    if METADATA in tops or (tops and all(GRADESCOPE.fullmatch(top) for top in tops)):
        return "gradescope"
    if any(MOODLE.fullmatch(top) for top in tops):
        return "moodle"
    files = {path for path in tops if path.endswith(".py") or is_archive(path)}
    if files and all(CANVAS.fullmatch(top) for top in tops):
        return "canvas"
    return None


def owned(layout: Layout, path: str, names: dict[str, str]) -> Owned | None:
    """Whose a path is; None where it is nobody's.  ``names`` are those that the platform tells beside."""
    top, _, below = path.partition("/")
    pattern = {"moodle": MOODLE, "canvas": CANVAS, "gradescope": GRADESCOPE}[layout]
    found = pattern.fullmatch(top)
    if found is None:
        return None
    name = names.get(found["id"]) or (found["name"] if layout != "gradescope" else top)
    rest = found["rest"]
    if layout == "moodle":
        folder = top.removesuffix(rest).removesuffix("_") if rest else top
    else:
        folder = top.removesuffix(f"_{rest}") if rest else top
    return Owned(Participant(found["id"], name, folder), "/".join(filter(None, (rest, below))))


def without_tries(files: dict[str, bytes]) -> dict[str, bytes]:
    """Canvas's files under the names that their students gave them, so that they find one another."""
    plain = {path: AGAIN.sub("", path) for path in files}
    return {
        plain[path] if list(plain.values()).count(plain[path]) == 1 else path: found for path, found in files.items()
    }


def gradescope_names(metadata: bytes) -> dict[str, str]:
    """The students of each submission by its number, from ``submission_metadata.yml``; none where it is damaged.

    Only the document's nodes are looked at: whatever classes its tags name, nothing is made of them.
    """
    import yaml

    try:
        document = yaml.compose(metadata, Loader=yaml.SafeLoader)
        return dict(submitters(document)) if isinstance(document, yaml.MappingNode) else {}
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        return {}


def submitters(document: Any) -> list[tuple[str, str]]:
    """The number of every submission and the names of its students."""
    found = []
    for key, submission in document.value:
        number = GRADESCOPE.fullmatch(str(key.value))
        students = entries_of(value_of(submission, "submitters"))
        names = [str(name.value) for student in students if (name := value_of(student, "name")) is not None]
        if number and names:
            more = f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
            found.append((number["id"], ", ".join(names[:MOST_NAMED]) + more))
    return found


def value_of(node: Any, name: str) -> Any:
    """The value of a key of a mapping, with or without Ruby's colon; None if there is none."""
    pairs = node.value if node is not None and isinstance(node.value, list) and node.id == "mapping" else ()
    return next((value for key, value in pairs if str(key.value).removeprefix(":") == name), None)


def entries_of(node: Any) -> list[Any]:
    """The entries of a sequence, or nothing."""
    return list(node.value) if node is not None and node.id == "sequence" else []
