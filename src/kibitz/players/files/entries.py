"""Players from paths: a file, a folder or an archive that is one player, or a folder or an archive of players.

    entry       one named player, with its files or the reason why it has none
    wanted      the functions that a player's main file defines: the tournament's, or those to be marked
    left out    files that are neither a player nor a part of one

A folder is one player if one file at its top defines the functions, with only its helpers and documents beside it.
Otherwise it is a class: every file and folder there belongs to somebody, with a player or the reason why there is none,
except helpers that players import, tables and notes. A player is named after the topmost folder that holds only this
player; in a platform's export, the platform names it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from kibitz.engine.file_io import can_be_file
from kibitz.engine.sentences import listed
from kibitz.errors import NotationError
from kibitz.players.files.archives import (
    CODE,
    LARGEST_FILE,
    METADATA,
    Tree,
    content_of,
    is_archive,
    is_code,
    is_document,
    is_table,
    quoted_path,
    size_limit,
    stem,
    tree,
)
from kibitz.players.files.notebooks import is_notebook, python_name, python_of, renamed
from kibitz.players.files.sources import (
    ChosenFiles,
    LeftOut,
    Sources,
    definers,
    either,
    needed,
    neighbours,
    one_player,
    outline,
    with_helpers,
)

# How learning platforms export submissions: the owner of a file or a folder, by its name.
#
# participant     the number that the platform knows a student by, the student's name, and the folder's own name
# moodle          folders ``Surname Firstname_1234567_assignsubmission_file``
# gradescope      folders ``submission_1234567`` with ``submission_metadata.yml`` beside them
# canvas          files ``surnamefirstname_LATE_12345_67890_player.py``, all in one folder
#     folders         one folder for each student or team, with their name
#
# The formats follow the platforms' documentation; no service was tested.


Layout = Literal["moodle", "gradescope", "canvas", "folders", "player"]

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)")
CANVAS = re.compile(r"(?P<name>[^_/]+)_(?:LATE_)?(?P<id>\d+)_(?P<file>\d+)_(?P<rest>.+)")
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)(?P<rest>)")
RESUBMISSION = re.compile(r"-\d+(?=\.(?:py|ipynb)$)")
"""The suffix by which Canvas marks a resubmitted file."""
MAX_NAMED = 3
PLATFORMS: dict[Layout, str] = {"moodle": "Moodle", "gradescope": "Gradescope", "canvas": "Canvas"}
"""The names of the platforms whose exports are recognised."""


class Participant(NamedTuple):
    """The owner of some files: ``id`` and ``name`` as the platform has them, ``folder`` as it is called there."""

    id: str
    name: str
    folder: str


class Owned(NamedTuple):
    """A path of an export with its participant; ``within`` is the path inside what the participant submitted."""

    owner: Participant
    within: str


def recognised(paths: Sequence[str]) -> Layout | None:
    """The platform whose export these paths are, relative to the export's folder; None if unknown."""
    tops = {path.split("/")[0] for path in paths}
    if METADATA in tops or (tops and all(GRADESCOPE.fullmatch(top) for top in tops)):
        return "gradescope"
    if any(MOODLE.fullmatch(top) for top in tops):
        return "moodle"
    files = {path for path in tops if is_code(path) or is_archive(path)}
    if files and all(CANVAS.fullmatch(top) for top in tops):
        return "canvas"
    return None


def owned(layout: Layout, path: str, names: Mapping[str, str]) -> Owned | None:
    """The owner of a path; None if it has none. ``names`` are those that the platform lists separately."""
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


def canvas_number(layout: Layout, path: str) -> int:
    """Canvas's number of a file, which grows with the time of submission; 0 if the platform has none."""
    found = CANVAS.fullmatch(path.split("/")[0]) if layout == "canvas" else None
    return int(found["file"]) if found is not None and len(found["file"]) < 20 else 0


def without_tries(files: dict[str, Any]) -> dict[str, Any]:
    """Canvas's files under their students' own names for them, so that they can import one another."""
    plain = {path: RESUBMISSION.sub("", path) for path in files}
    return {
        plain[path] if list(plain.values()).count(plain[path]) == 1 else path: found for path, found in files.items()
    }


class GradescopeSubmission(NamedTuple):
    """A submission in ``submission_metadata.yml``: its students in words, their own numbers, and when it was made."""

    name: str
    numbers: tuple[str, ...]
    single: bool
    """Whether one student made it."""
    at: str


def gradescope_submissions(metadata: bytes) -> dict[str, GradescopeSubmission]:
    """Every submission by its number, from ``submission_metadata.yml``; none where it is damaged.

    Only the document's nodes are read: no objects are built from its tags.
    """
    result = {}
    for key, submission in submissions_of(metadata):
        if number := GRADESCOPE.fullmatch(str(key.value)):
            students = entries_of(value_of(submission, "submitters"))
            names = [str(name.value) for student in students if (name := value_of(student, "name")) is not None]
            numbers = [str(sid.value).strip() for student in students if (sid := value_of(student, "sid")) is not None]
            more = f" and {len(names) - MAX_NAMED} more" * (len(names) > MAX_NAMED)
            at = value_of(submission, "created_at")
            result[number["id"]] = GradescopeSubmission(
                ", ".join(names[:MAX_NAMED]) + more,
                tuple(filter(None, numbers)),
                len(students) == 1,
                str(at.value) if at is not None else "",
            )
    return result


def submissions_of(metadata: bytes) -> list[tuple[Any, Any]]:
    """The nodes of every submission with its key; none where the document is damaged."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Without the positions of nodes, which take more memory than everything else."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            node: Any = super().compose_node(parent, index)
            node.start_mark = node.end_mark = None
            return node

    try:
        document = yaml.compose(metadata, Loader=Loader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError):
        return []
    return document.value if isinstance(document, yaml.MappingNode) else []


def value_of(node: Any, name: str) -> Any:
    """The value of a key of a mapping, with or without Ruby's colon; None if there is none."""
    pairs = node.value if node is not None and isinstance(node.value, list) and node.id == "mapping" else ()
    return next((value for key, value in pairs if str(key.value).removeprefix(":") == name), None)


def entries_of(node: Any) -> list[Any]:
    """The entries of a sequence, or nothing."""
    return list(node.value) if node is not None and node.id == "sequence" else []


# Players.


NO_PARTICIPANT = Participant("", "", "")
Choices = Mapping[str, str]
NO_CHOICES: Choices = {}
Names = Mapping[str, str]
NO_NAMES: Names = {}
NO_ORDER: Mapping[str, int] = {}
IMPORTED = " imports it"
NO_PYTHON = "No Python file found."


class FolderEntry(msgspec.Struct, frozen=True):
    """One player; ``sources`` is None if there is no player, and ``why`` says so.

    ``path`` is where it lies in the folder; ``id`` and ``folder`` are the participant's number and the folder's name as
    the platform has them, empty if there is no platform; ``place`` is where the main file lies on this disk.
    """

    name: str
    path: str
    sources: Sources | None
    why: str = ""
    id: str = ""
    folder: str = ""
    place: str = ""
    left_out: tuple[LeftOut, ...] = ()
    others: tuple[str, ...] = ()
    """Other numbers and names by which the platform knows the submission or its students."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every number and name by which a lecturer may call it."""
        return tuple(key for key in (self.id, *self.others, self.name) if key)


class Entries(msgspec.Struct, frozen=True):
    """All players in a folder, in order of their paths, and the other files there."""

    layout: Layout
    entries: tuple[FolderEntry, ...]
    left_out: tuple[LeftOut, ...] = ()
    note: str = ""
    """Where a folder might be one player or a class: how it was read, and how to choose the other."""


def is_player_path(words: str) -> bool:
    """Whether words name a file or a folder, not a built-in player."""
    return words.endswith((*CODE, ".npz")) or is_archive(words) or os.sep in words or os.path.isdir(words)


def player_at(path: str | Path, wanted: Sequence[str]) -> FolderEntry:
    """The one player that a file, a folder or an archive is; NotationError with one sentence if it isn't one."""
    words = str(path)
    if os.path.isdir(words) or is_archive(words):
        found = tree(words, alone=True)
        try:
            chosen = one_player(found.files, wanted)
        except NotationError as error:
            why = next(iter(found.broken.values()), f"{quoted_path(words)} is not a player: {error}.")
            raise NotationError(why) from error
        return entry_of(folder_name(words), words, words, chosen)
    check_file(words)
    folder, name = os.path.split(words)
    return entry_of(
        stem(name), words, folder, with_helpers(name, with_imports(Path(folder or "."), name, wanted), wanted)
    )


def check_file(words: str) -> None:
    """Raise NotationError for a path that cannot be a player file's."""
    if not can_be_file(words):
        raise NotationError(f"{quoted_path(words)} isn't a path.")
    if not os.path.lexists(words):
        raise NotationError(f"{quoted_path(words)} cannot be read: there is no such file or folder.")
    if not is_code(words):
        raise NotationError(f"{quoted_path(words)} is not a player file: its name should end in .py or .ipynb.")
    if not Path(words).name.isprintable():
        raise NotationError(
            f"{quoted_path(words)} isn't a valid name for a player file: it has an unprintable character."
        )


def with_imports(folder: Path, file: str, wanted: Sequence[str]) -> dict[str, bytes]:
    """A file and what it imports from its own folder, and what that imports; no other file there is read."""
    result = {file: python_of(content_of(folder / file, size_limit(file)), file)}
    more = [file]
    while more:
        asked = outline(result[more.pop()]).modules
        for name in needed(asked, FolderFiles(folder)):
            if name not in result:
                result[name] = content_of(folder / name, LARGEST_FILE)
                more += [] if definers({name: result[name]}, wanted) else [name]
    return result


class FolderFiles(dict[str, bytes]):
    """The files of a folder, looked up one by one."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def __contains__(self, name: object) -> bool:
        return (self.folder / str(name)).is_file()


def submission_in(folder: str | Path, wanted: Sequence[str]) -> FolderEntry:
    """The submission of one student, which is to be marked, in a folder of its own."""
    return PlayerCollector(wanted).one(folder_name(str(folder)), str(folder), tree(folder))


def players_in(
    path: str | Path, wanted: Sequence[str], choices: Choices = NO_CHOICES, names: Names = NO_NAMES
) -> Entries:
    """All players in a folder or an archive; NotationError if there are none.  A file is one player.

    ``choices`` say which file is a student's player, by the student's number or name. ``names`` are the students' names
    in a platform's own table, by number.
    """
    words = str(path)
    if not (os.path.isdir(words) or is_archive(words)):
        return Entries("player", (player_at(words, wanted),))
    found, place = tree(words), words
    if is_archive(words) and not found.files:
        found = tree(words, alone=True)  # this names what is wrong with the archive as a whole
        if [is_code(path) and "/" not in path for path in found.broken] == [True]:
            raise NotationError(*found.broken.values())
    while True:
        if layout := recognised(found.paths):
            return on_platform(layout, place, found, PlayerCollector(wanted, choices), names)
        inner, *more = [top for top in top_paths(found) if not is_table(top)] or [""]
        if more or not definers(subtree(found, inner).files, wanted):
            break
        found, place = subtree(found, inner), f"{place}/{inner}"
    gathered = PlayerCollector(wanted, choices)
    if gathered.is_one(found):
        beside = any(is_document(path) and not is_table(path) for path in found.others)
        note = f"{words} is taken for one player. For a class, put each student's files into a folder." * beside
        return Entries("player", (gathered.one(folder_name(words), place, found),), (), note)
    if not found.paths:
        kind = "the archive" if is_archive(words) else "the folder"
        raise NotationError(f"{kind} {words} holds no player file: no .py file or notebook is in it.")
    gathered.take(place, found)
    own = top_files(found, wanted)
    note = ""
    if os.path.isdir(words) and len(own) == 1 and sum(each.sources is not None for each in gathered.entries) == 1:
        note = f"{words} is taken for a class. For the one player in it, name {place}/{own[0]}."
    entries = sorted(gathered.entries, key=lambda entry: entry.path)
    return Entries("folders", tuple(entries), tuple(gathered.left_out), note)


class PlayerCollector:
    """Collects the players found in folders."""

    def __init__(self, wanted: Sequence[str], choices: Choices = NO_CHOICES) -> None:
        self.wanted, self.choices = wanted, choices
        self.entries: list[FolderEntry] = []
        self.left_out: list[LeftOut] = []

    def is_one(self, found: Tree) -> bool:
        """Whether a folder is one player: nothing lies beside its one player file but its helpers and documents."""
        own = top_files(found, self.wanted)
        if len(own) != 1 or own[0] not in found.files:
            return False
        parts, paths = {*own, *self.parts(own, found)}, [*found.paths, *found.others]
        full = {
            f"{path.rstrip('/').rpartition('/')[0]}/" for path in paths
        }  # archives also list folders that have files
        return all(path in parts or path in full or is_document(path) or is_exported(path, own) for path in paths)

    def parts(self, own: Sequence[str], found: Tree) -> dict[str, str]:
        """The files that belong to players, with the reason: players import them, or they import players."""
        python = {path: content for path, content in found.files.items() if is_code(path)}
        near = {
            path: {*neighbours(path, modules, python), *needed(modules, python)}
            for path, content in python.items()
            for modules in [outline(content).modules]
        }
        why = {path: f"it imports {stem(name)}" for path in near for name in own if name in near[path]}
        more = [(name, helper) for name in own for helper in near.get(name, ())]
        while more:
            name, helper = more.pop()
            if helper not in own and not why.get(helper, "").endswith(IMPORTED):
                why[helper] = f"{stem(name)}{IMPORTED}"
                more += [(name, further) for further in near[helper]]
        return {path: why[path] for path in why if path not in own}

    def one(
        self,
        name: str,
        place: str,
        found: Tree,
        owner: Participant = NO_PARTICIPANT,
        order: Mapping[str, int] = NO_ORDER,
        others: tuple[str, ...] = (),
    ) -> FolderEntry:
        """The player that all these files make, or the reason why they don't.

        ``order`` numbers the files by submission, if the platform tells; of several players the last one counts.
        ``others`` are further numbers and names of the owner.
        """
        absent = FolderEntry(name, place, None, "", owner.id, owner.folder, place, (), others)
        if not found.paths:
            return msgspec.structs.replace(absent, why=no_python(found))
        try:
            file = next((self.choices[key] for key in absent.keys if key in self.choices), "")
            chosen = self.chosen(found.files, file, order)
            broken = tuple(LeftOut(path, why) for path, why in found.broken.items())
            entry = entry_of(name, place, place, chosen._replace(left_out=chosen.left_out + broken), owner)
            return msgspec.structs.replace(entry, others=others)
        except NotationError as error:
            return msgspec.structs.replace(absent, why=next(iter(found.broken.values()), f"{error}."))

    def chosen(self, files: Mapping[str, bytes], file: str, order: Mapping[str, int]) -> ChosenFiles:
        """The player among files: the chosen one, else the only one, else the last submitted."""
        own = definers(files, self.wanted)
        why = "another file was chosen"
        if file and file not in files:
            raise NotationError(
                f"{quoted_path(file)} was chosen, but isn't among its files: {listed(sorted(files)[:5])}"
            )
        if not file:
            try:
                return one_player(files, self.wanted)
            except NotationError:
                if len(own) < 2 or not order:
                    raise
            file = max(own, key=lambda path: order.get(path, 0))
            why = f"{file} was submitted later"
        others = [path for path in own if path != file]
        found = one_player({path: content for path, content in files.items() if path not in others}, self.wanted)
        return found._replace(left_out=(*found.left_out, *(LeftOut(path, why) for path in others)))

    def take(self, place: str, found: Tree) -> None:
        """Every file and folder of a folder of players."""
        own = top_files(found, self.wanted)
        parts = self.parts(own, found)
        for top in top_paths(found):
            words, inside = f"{place}/{top}", {path for path in parts if path.startswith(f"{top}/")}
            if top in own:
                self.entries.append(self.file(place, top, found))
            elif is_table(top) and (top in found.files or top in found.others):
                self.left_out.append(LeftOut(words, "it isn't a player file"))
            elif is_exported(top, own):
                self.left_out.append(LeftOut(words, f"{python_name(top)} was taken instead"))
            elif top in parts or inside:
                why = parts.get(top) or parts[min(inside)]
                self.left_out.append(LeftOut(words, f"it defines no {either(self.wanted)}, but {why}"))
            elif top in found.files:
                self.entries.append(self.file(place, top, found))
            elif top in found.others:
                why = f"{quoted_path(top)} isn't a Python file: its name should end in .py, or .zip for an archive."
                self.entries.append(FolderEntry(student(top), words, None, why))
            else:
                self.folder(stem(top), words, subtree(found, top))

    def file(self, place: str, name: str, found: Tree) -> FolderEntry:
        """The player that a file is, with the helpers beside it."""
        words = f"{place}/{name}"
        if name in found.broken:
            return FolderEntry(stem(name), words, None, found.broken[name])
        try:
            if (choice := self.choices.get(stem(name), name)) != name:
                raise NotationError(f"{quoted_path(choice)} was chosen, but isn't among its files: {name}")
            near = {path: content for path, content in found.files.items() if is_code(path)}
            return entry_of(stem(name), words, place, with_helpers(name, near, self.wanted))
        except NotationError as error:
            return FolderEntry(stem(name), words, None, f"{error}.")

    def folder(self, name: str, place: str, found: Tree) -> None:
        """A folder that is a player, or holds some, or none."""
        inner = [top for top in folders(found) if definers(subtree(found, top).files, self.wanted)]
        if definers({path: found.files[path] for path in found.files if "/" not in path}, self.wanted):
            self.entries.append(self.one(name, place, found))
        elif len(inner) == 1:
            self.folder(name, f"{place}/{inner[0]}", subtree(found, inner[0]))
        elif inner:
            for top in inner:
                self.folder(stem(top), f"{place}/{top}", subtree(found, top))
        else:
            self.entries.append(self.one(name, place, found))


def on_platform(layout: Layout, place: str, found: Tree, gathered: PlayerCollector, names: Names) -> Entries:
    """The players of an export, one for each participant."""
    submissions: Mapping[str, GradescopeSubmission] = {}
    if layout == "gradescope":
        submissions = gradescope_submissions(found.files.get(METADATA, b""))
        names = {number: submission.name for number, submission in submissions.items()}
    theirs: dict[tuple[str, str], tuple[Participant, Tree]] = {}
    left_out = []
    order: dict[tuple[str, str], dict[str, int]] = {}
    for path in sorted([*found.paths, *found.others]):
        mine = owned(layout, path, NO_NAMES)
        if mine is None:
            if path != METADATA and path not in found.others:
                left_out.append(LeftOut(f"{place}/{path}", "its name doesn't say whose it is"))
            continue
        key = mine.owner.id, mine.owner.name
        _, part = theirs.setdefault(key, (mine.owner, Tree()))
        if path in found.files:
            content = found.files[path]
            if "/" not in path:  # Canvas puts its own words before the student's name for the file
                content = renamed(content, RESUBMISSION.sub("", mine.within))
            part.files[mine.within] = content
            order.setdefault(key, {})[mine.within] = canvas_number(layout, path)
        elif path in found.broken:
            part.broken[mine.within] = found.broken[path].replace(repr(path), repr(mine.within))
        elif mine.within:
            part.others.append(mine.within)
    numbers = Counter(number for submission in submissions.values() for number in submission.numbers)
    for key, (owner, part) in theirs.items():
        came: dict[str, int] = {}
        if layout == "canvas":
            part.files = without_tries(part.files)
            came = without_tries(order.get(key, {}))
        student = owner._replace(name=names.get(owner.id) or owner.name)
        own = {owner.id, owner.name}
        if submission := submissions.get(owner.id):
            own |= {number for number in submission.numbers if numbers[number] == 1}
            if submission.single and len(own) > 2:  # a student's own number, where there is one
                student = student._replace(id=submission.numbers[0])
        others = tuple(sorted(own - {student.id, student.name}))
        gathered.entries.append(gathered.one(student.name, f"{place}/{owner.folder}", part, student, came, others))
    return Entries(layout, tuple(gathered.entries), tuple(left_out))


def no_python(found: Tree) -> str:
    """Why files without any Python are not a player: the names of some, if there are any."""
    names = [quoted_path(path) for path in found.others if not path.endswith("/")]
    if not names:
        return NO_PYTHON
    more = [f"{len(names) - 3} more"] if len(names) > 3 else []
    are = "isn't a Python file" if len(names) == 1 else "aren't Python files"
    return f"{listed([*names[:3], *more])} {are}: submit a .py file."


def entry_of(
    name: str, words: str, place: str, chosen: ChosenFiles, owner: Participant = NO_PARTICIPANT
) -> FolderEntry:
    """The entry of a player whose files are found."""
    left_out = tuple(msgspec.structs.replace(one, path=os.path.join(place, one.path)) for one in chosen.left_out)
    return FolderEntry(
        name, words, chosen.sources, "", owner.id, owner.folder, os.path.join(place, chosen.place), left_out
    )


def folder_name(words: str) -> str:
    """The name of a folder or an archive, without its path."""
    return stem(os.path.abspath(words))


def student(name: str) -> str:
    """Who submitted a file that isn't a player, judging by its name.

    >>> student("Ida Word.docx"), student("Dee.py.txt"), student("Kim.tar.gz"), student("Cat")
    ('Ida Word', 'Dee', 'Kim', 'Cat')
    """
    return os.path.splitext(name)[0].removesuffix(".tar").removesuffix(".py")


def top_paths(found: Tree) -> list[str]:
    """The paths at the top: files, folders and archives."""
    return sorted({path.split("/")[0] for path in (*found.paths, *found.others)})


def folders(found: Tree) -> list[str]:
    """The folders and archives at the top, readable or not."""
    paths = {path.split("/")[0] for path in found.paths if "/" in path}
    return sorted(paths | {path for path in found.broken if "/" not in path and is_archive(path)})


def top_files(found: Tree, wanted: Sequence[str]) -> list[str]:
    """The files at the top that are players: they define the functions, or cannot be read."""
    own = definers({path: content for path, content in found.files.items() if "/" not in path}, wanted)
    own = [path for path in own if not is_exported(path, own)]
    return sorted({*own, *(path for path in found.broken if "/" not in path and is_code(path))})


def is_exported(path: str, files: Container[str]) -> bool:
    """Whether a file is a notebook that lies beside its own export as Python."""
    return is_notebook(path) and python_name(path) in files


def subtree(found: Tree, top: str) -> Tree:
    """What is in a folder or archive at the top."""
    start = f"{top}/"
    files = {path.removeprefix(start): content for path, content in found.files.items() if path.startswith(start)}
    broken = {path.removeprefix(start): why for path, why in found.broken.items() if path.startswith(start)}
    others = [path.removeprefix(start) for path in found.others if path.startswith(start) and path != start]
    return Tree(files, broken | ({top: found.broken[top]} if top in found.broken else {}), others)
