"""Players from paths: a file, a folder or an archive that is one player, or a folder or an archive of players.

    entry           one named player, with its files or the reason why it has none
    function_names  the functions that a player's main file defines: those that games call, or those to be marked
    left out        files that are neither a player nor part of one

A folder is one player if one file at its top defines the functions, with only its helpers and documents beside it.
Otherwise it is a class: every file and folder in it becomes an entry, except helpers that players import, tables and
notes. A player is named after the topmost folder that holds only this player; in a platform's export, the platform
names it.
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
    MAX_FILE_BYTES,
    METADATA,
    SourceTree,
    content_of,
    is_archive,
    is_code,
    is_document,
    is_metadata,
    quoted_path,
    read_tree,
    size_limit,
    stem,
)
from kibitz.players.files.notebooks import is_notebook, python_name, python_of, with_notebook_name
from kibitz.players.files.sources import (
    ChosenFiles,
    LeftOut,
    Sources,
    defining_files,
    functions_in_words,
    module_files,
    module_files_beside,
    one_player,
    outline,
    with_helpers,
)

# How learning platforms export submissions: the owner of a file or a folder, by its name.
#
# participant     a student's number on the platform, the student's name, and the name of the student's folder
# moodle          folders ``Surname Firstname_1234567_assignsubmission_file``
# gradescope      folders ``submission_1234567`` with ``submission_metadata.yml`` beside them
# canvas          files ``surnamefirstname_LATE_12345_67890_player.py``, all in one folder
# folders         no platform: one folder for each student or team, with their name
#
# The formats follow the platforms' documentation; none was tested with the platform itself.


Layout = Literal["moodle", "gradescope", "canvas", "folders", "player"]

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)")
CANVAS = re.compile(r"(?P<name>[^_/]+)_(?:LATE_)?(?P<id>\d+)_(?P<file>\d+)_(?P<rest>.+)")
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)(?P<rest>)")
RESUBMISSION = re.compile(r"-\d+(?=\.(?:py|ipynb)$)")
"""The suffix by which Canvas marks a resubmitted file."""
MAX_NAMED = 3
"""The maximum number of students that the name of a team's submission lists."""
PLATFORMS: dict[Layout, str] = {"moodle": "Moodle", "gradescope": "Gradescope", "canvas": "Canvas"}
"""The names of the platforms whose exports ``platform_of`` recognises."""


class Participant(NamedTuple):
    """The owner of some files: the platform's ``id`` and ``name`` of the student, and the ``folder`` in the export."""

    id: str
    name: str
    folder: str


class OwnedPath(NamedTuple):
    """The owner of a path in an export; ``within`` is the path inside that participant's submission."""

    owner: Participant
    within: str


def platform_of(paths: Sequence[str]) -> Layout | None:
    """The platform whose export has these paths, relative to the export's folder; None if no platform fits."""
    tops = {path.split("/")[0] for path in paths}
    if METADATA in tops or (tops and all(GRADESCOPE.fullmatch(top) for top in tops)):
        return "gradescope"
    if any(MOODLE.fullmatch(top) for top in tops):
        return "moodle"
    files = {path for path in tops if is_code(path) or is_archive(path)}
    if files and all(CANVAS.fullmatch(top) for top in tops):
        return "canvas"
    return None


def owner_of(layout: Layout, path: str, names: Mapping[str, str]) -> OwnedPath | None:
    """The owner of a path; None if it has none. ``names`` are students' names by number, if the platform lists them."""
    top, _, path_below = path.partition("/")
    pattern = {"moodle": MOODLE, "canvas": CANVAS, "gradescope": GRADESCOPE}[layout]
    match = pattern.fullmatch(top)
    if match is None:
        return None
    name = names.get(match["id"]) or (match["name"] if layout != "gradescope" else top)
    own_name = match["rest"]
    if layout == "moodle":
        folder = top.removesuffix(own_name).removesuffix("_") if own_name else top
    else:
        folder = top.removesuffix(f"_{own_name}") if own_name else top
    return OwnedPath(Participant(match["id"], name, folder), "/".join(filter(None, (own_name, path_below))))


def canvas_number(layout: Layout, path: str) -> int:
    """Canvas's number of a file, which is larger for later submissions; 0 on other platforms."""
    match = CANVAS.fullmatch(path.split("/")[0]) if layout == "canvas" else None
    return int(match["file"]) if match is not None and len(match["file"]) < 20 else 0


def with_original_names(files: dict[str, Any]) -> dict[str, Any]:
    """Files from Canvas under the names that the student gave them, so that they can import one another."""
    original = {path: RESUBMISSION.sub("", path) for path in files}
    return {
        original[path] if list(original.values()).count(original[path]) == 1 else path: content
        for path, content in files.items()
    }


class GradescopeSubmission(NamedTuple):
    """A submission in ``submission_metadata.yml``: its students' names, their numbers, and the time of submission."""

    name: str
    numbers: tuple[str, ...]
    single: bool
    """Whether it is the work of one student, not of a team."""
    at: str


def gradescope_submissions(metadata: bytes) -> dict[str, GradescopeSubmission]:
    """Every submission by its number, from ``submission_metadata.yml``; empty if that file is damaged.

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
    """The YAML nodes of every submission's key and value; none if the document is damaged."""
    import yaml

    class Loader(yaml.SafeLoader):
        """A loader that drops the positions of nodes, which take more memory than everything else."""

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
    """The entries of a sequence; empty if the node isn't one."""
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
    """One player; if there is none, ``sources`` is None and ``why`` is the reason.

    ``path`` leads to the player from the path that was given. ``id`` and ``folder`` are the student's number on the
    platform and the folder's name in the export, empty without a platform. ``main_folder`` is the main file's folder.
    """

    name: str
    path: str
    sources: Sources | None
    why: str = ""
    id: str = ""
    folder: str = ""
    main_folder: str = ""
    left_out: tuple[LeftOut, ...] = ()
    others: tuple[str, ...] = ()
    """Other numbers and names by which the platform knows the submission or its students."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every number and name by which a lecturer may refer to it."""
        return tuple(key for key in (self.id, *self.others, self.name) if key)


class Entries(msgspec.Struct, frozen=True):
    """All players in a folder, in order of their paths, and the other files there."""

    layout: Layout
    entries: tuple[FolderEntry, ...]
    left_out: tuple[LeftOut, ...] = ()
    note: str = ""
    """For a folder that might be one player or a class: how it was read, and how to have it read as the other."""


def is_player_path(path_text: str) -> bool:
    """Whether a text is the path of a file or folder, not the name of a built-in player."""
    return (
        path_text.endswith((*CODE, ".npz")) or is_archive(path_text) or os.sep in path_text or os.path.isdir(path_text)
    )


def player_at(path: str | Path, function_names: Sequence[str]) -> FolderEntry:
    """The one player that a file, a folder or an archive is. Raises NotationError with one sentence if it isn't one."""
    path_text = str(path)
    if os.path.isdir(path_text) or is_archive(path_text):
        contents = read_tree(path_text, alone=True)
        try:
            files = one_player(contents.files, function_names)
        except NotationError as error:
            why = next(iter(contents.broken.values()), f"{quoted_path(path_text)} is not a player: {error}.")
            raise NotationError(why) from error
        return entry_of(folder_name(path_text), path_text, path_text, files)
    check_file(path_text)
    folder, name = os.path.split(path_text)
    return entry_of(
        stem(name),
        path_text,
        folder,
        with_helpers(name, with_imports(Path(folder or "."), name, function_names), function_names),
    )


def check_file(path_text: str) -> None:
    """Raise NotationError for a path that cannot be a player file's."""
    if not can_be_file(path_text):
        raise NotationError(f"{quoted_path(path_text)} isn't a path.")
    if not os.path.lexists(path_text):
        raise NotationError(f"{quoted_path(path_text)} cannot be read: no such file or folder.")
    if not is_code(path_text):
        raise NotationError(f"{quoted_path(path_text)} is not a player file: its name should end in .py or .ipynb.")
    if not Path(path_text).name.isprintable():
        raise NotationError(
            f"{quoted_path(path_text)} isn't a valid name for a player file: it has an unprintable character."
        )


def with_imports(folder: Path, file: str, function_names: Sequence[str]) -> dict[str, bytes]:
    """A file and the files that it imports from its folder, directly or indirectly; no other file is read."""
    files = {file: python_of(content_of(folder / file, size_limit(file)), file)}
    to_follow = [file]
    while to_follow:
        modules = outline(files[to_follow.pop()]).modules
        for name in module_files(modules, FolderFiles(folder)):
            if name not in files:
                files[name] = content_of(folder / name, MAX_FILE_BYTES)
                to_follow += [] if defining_files({name: files[name]}, function_names) else [name]
    return files


class FolderFiles(dict[str, bytes]):
    """The files of a folder, looked up one by one."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def __contains__(self, name: object) -> bool:
        return (self.folder / str(name)).is_file()


def submission_in(folder: str | Path, function_names: Sequence[str]) -> FolderEntry:
    """One student's submission for marking, in a folder of its own."""
    return PlayerCollector(function_names).player_in(folder_name(str(folder)), str(folder), read_tree(folder))


def players_in(
    path: str | Path, function_names: Sequence[str], choices: Choices = NO_CHOICES, names: Names = NO_NAMES
) -> Entries:
    """All players in a folder or an archive. Raises NotationError if there are none.  A file is one player.

    ``choices`` say which file is a student's player, by the student's number or name. ``names`` are the students' names
    in a platform's own table, by number.
    """
    path_text = str(path)
    if not (os.path.isdir(path_text) or is_archive(path_text)):
        return Entries("player", (player_at(path_text, function_names),))
    contents, folder_path = read_tree(path_text), path_text
    if is_archive(path_text) and not contents.files:
        contents = read_tree(path_text, alone=True)  # raises the error of the archive as a whole, if it has one
        if [is_code(path) and "/" not in path for path in contents.broken] == [True]:
            raise NotationError(*contents.broken.values())
    while True:
        if layout := platform_of(contents.paths):
            return on_platform(layout, folder_path, contents, PlayerCollector(function_names, choices), names)
        only_top, *other_tops = [top for top in top_paths(contents) if not is_metadata(top)] or [""]
        if other_tops or not defining_files(subtree(contents, only_top).files, function_names):
            break
        contents, folder_path = subtree(contents, only_top), f"{folder_path}/{only_top}"
    collector = PlayerCollector(function_names, choices)
    if collector.is_one_player(contents):
        has_documents = any(is_document(path) and not is_metadata(path) for path in contents.others)
        note = (
            f"{path_text} is read as one player. For a class, put each student's files into a folder." * has_documents
        )
        return Entries("player", (collector.player_in(folder_name(path_text), folder_path, contents),), (), note)
    if not contents.paths:
        kind = "the archive" if is_archive(path_text) else "the folder"
        raise NotationError(f"{kind} {path_text} holds no player file: no .py file or notebook is in it.")
    collector.add_all(folder_path, contents)
    player_files = top_files(contents, function_names)
    note = ""
    if (
        os.path.isdir(path_text)
        and len(player_files) == 1
        and sum(player.sources is not None for player in collector.entries) == 1
    ):
        note = f"{path_text} is read as a class. To use only the player in it, give {folder_path}/{player_files[0]}."
    entries = sorted(collector.entries, key=lambda entry: entry.path)
    return Entries("folders", tuple(entries), tuple(collector.left_out), note)


class PlayerCollector:
    """Collects the players found in folders."""

    def __init__(self, function_names: Sequence[str], choices: Choices = NO_CHOICES) -> None:
        self.function_names, self.choices = function_names, choices
        self.entries: list[FolderEntry] = []
        self.left_out: list[LeftOut] = []

    def is_one_player(self, contents: SourceTree) -> bool:
        """Whether a folder is one player: it has one player file, with only its helpers and documents beside it."""
        player_files = top_files(contents, self.function_names)
        if len(player_files) != 1 or player_files[0] not in contents.files:
            return False
        parts, paths = {*player_files, *self.related_files(player_files, contents)}, [*contents.paths, *contents.others]
        # Archives list not only empty folders but also those that have files.
        non_empty_folders = {f"{path.rstrip('/').rpartition('/')[0]}/" for path in paths}
        return all(
            path in parts or path in non_empty_folders or is_document(path) or has_python_export(path, player_files)
            for path in paths
        )

    def related_files(self, player_files: Sequence[str], contents: SourceTree) -> dict[str, str]:
        """Files that belong to players but aren't one, each with the reason: it imports a player, or one imports it."""
        python = {path: content for path, content in contents.files.items() if is_code(path)}
        linked = {
            path: {*module_files_beside(path, modules, python), *module_files(modules, python)}
            for path, content in python.items()
            for modules in [outline(content).modules]
        }
        reasons = {path: f"it imports {stem(name)}" for path in linked for name in player_files if name in linked[path]}
        to_follow = [(name, helper) for name in player_files for helper in linked.get(name, ())]
        while to_follow:
            name, helper = to_follow.pop()
            if helper not in player_files and not reasons.get(helper, "").endswith(IMPORTED):
                reasons[helper] = f"{stem(name)}{IMPORTED}"
                to_follow += [(name, next_helper) for next_helper in linked[helper]]
        return {path: reasons[path] for path in reasons if path not in player_files}

    def player_in(
        self,
        name: str,
        folder_path: str,
        contents: SourceTree,
        owner: Participant = NO_PARTICIPANT,
        order: Mapping[str, int] = NO_ORDER,
        others: tuple[str, ...] = (),
    ) -> FolderEntry:
        """The entry of one player that consists of all these files, or of none, with the reason.

        ``order`` has larger numbers for files that were submitted later, if the platform says so: of several players
        the latest counts. ``others`` are other numbers and names of the owner.
        """
        no_player = FolderEntry(name, folder_path, None, "", owner.id, owner.folder, folder_path, (), others)
        if not contents.paths:
            return msgspec.structs.replace(no_player, why=no_python(contents))
        try:
            file = next((self.choices[key] for key in no_player.keys if key in self.choices), "")
            files = self.choose(contents.files, file, order)
            broken = tuple(LeftOut(path, why) for path, why in contents.broken.items())
            entry = entry_of(name, folder_path, folder_path, files._replace(left_out=files.left_out + broken), owner)
            return msgspec.structs.replace(entry, others=others)
        except NotationError as error:
            return msgspec.structs.replace(no_player, why=next(iter(contents.broken.values()), f"{error}."))

    def choose(self, files: Mapping[str, bytes], file: str, order: Mapping[str, int]) -> ChosenFiles:
        """The player among files: ``file`` if a lecturer chose one, else the only one, else the last submitted."""
        player_files = defining_files(files, self.function_names)
        why = "another file was chosen"
        if file and file not in files:
            raise NotationError(
                f"{quoted_path(file)} was chosen, but isn't in the submission, which has {listed(sorted(files)[:5])}"
            )
        if not file:
            try:
                return one_player(files, self.function_names)
            except NotationError:
                if len(player_files) < 2 or not order:
                    raise
            file = max(player_files, key=lambda path: order.get(path, 0))
            why = f"{file} was submitted later"
        others = [path for path in player_files if path != file]
        chosen_files = one_player(
            {path: content for path, content in files.items() if path not in others}, self.function_names
        )
        return chosen_files._replace(left_out=(*chosen_files.left_out, *(LeftOut(path, why) for path in others)))

    def add_all(self, folder_path: str, contents: SourceTree) -> None:
        """Add everything at the top of a class's folder to ``entries`` or ``left_out``."""
        player_files = top_files(contents, self.function_names)
        parts = self.related_files(player_files, contents)
        for top in top_paths(contents):
            path_text, parts_inside = f"{folder_path}/{top}", {path for path in parts if path.startswith(f"{top}/")}
            if top in player_files:
                self.entries.append(self.file_entry(folder_path, top, contents))
            elif is_metadata(top) and (top in contents.files or top in contents.others):
                self.left_out.append(LeftOut(path_text, "it isn't a player file"))
            elif has_python_export(top, player_files):
                self.left_out.append(LeftOut(path_text, f"{python_name(top)} was used instead"))
            elif top in parts or parts_inside:
                why = parts.get(top) or parts[min(parts_inside)]
                self.left_out.append(
                    LeftOut(path_text, f"it defines no {functions_in_words(self.function_names)}, but {why}")
                )
            elif top in contents.files:
                self.entries.append(self.file_entry(folder_path, top, contents))
            elif top in contents.others:
                why = f"{quoted_path(top)} isn't a Python file: its name should end in .py, or .zip for an archive."
                self.entries.append(FolderEntry(student_name(top), path_text, None, why))
            else:
                self.add_folder(stem(top), path_text, subtree(contents, top))

    def file_entry(self, folder_path: str, name: str, contents: SourceTree) -> FolderEntry:
        """The entry for a file and the helpers beside it."""
        path_text = f"{folder_path}/{name}"
        if name in contents.broken:
            return FolderEntry(stem(name), path_text, None, contents.broken[name])
        try:
            if (choice := self.choices.get(stem(name), name)) != name:
                raise NotationError(f"{quoted_path(choice)} was chosen, but the submission has only {name}")
            code_files = {path: content for path, content in contents.files.items() if is_code(path)}
            return entry_of(stem(name), path_text, folder_path, with_helpers(name, code_files, self.function_names))
        except NotationError as error:
            return FolderEntry(stem(name), path_text, None, f"{error}.")

    def add_folder(self, name: str, folder_path: str, contents: SourceTree) -> None:
        """Add the entries for a folder that is a player, holds several, or holds none."""
        player_folders = [
            top for top in folders(contents) if defining_files(subtree(contents, top).files, self.function_names)
        ]
        if defining_files(
            {path: contents.files[path] for path in contents.files if "/" not in path}, self.function_names
        ):
            self.entries.append(self.player_in(name, folder_path, contents))
        elif len(player_folders) == 1:
            self.add_folder(name, f"{folder_path}/{player_folders[0]}", subtree(contents, player_folders[0]))
        elif player_folders:
            for top in player_folders:
                self.add_folder(stem(top), f"{folder_path}/{top}", subtree(contents, top))
        else:
            self.entries.append(self.player_in(name, folder_path, contents))


def on_platform(
    layout: Layout, folder_path: str, contents: SourceTree, collector: PlayerCollector, names: Names
) -> Entries:
    """The players of an export, one for each participant."""
    submissions: Mapping[str, GradescopeSubmission] = {}
    if layout == "gradescope":
        submissions = gradescope_submissions(contents.files.get(METADATA, b""))
        names = {number: submission.name for number, submission in submissions.items()}
    by_owner: dict[tuple[str, str], tuple[Participant, SourceTree]] = {}
    left_out = []
    order: dict[tuple[str, str], dict[str, int]] = {}
    for path in sorted([*contents.paths, *contents.others]):
        owned = owner_of(layout, path, NO_NAMES)
        if owned is None:
            if path != METADATA and path not in contents.others:
                left_out.append(LeftOut(f"{folder_path}/{path}", "its name doesn't say whose it is"))
            continue
        key = owned.owner.id, owned.owner.name
        _, student_files = by_owner.setdefault(key, (owned.owner, SourceTree()))
        if path in contents.files:
            content = contents.files[path]
            if "/" not in path:  # Canvas puts a prefix before the file name that the student chose
                content = with_notebook_name(content, RESUBMISSION.sub("", owned.within))
            student_files.files[owned.within] = content
            order.setdefault(key, {})[owned.within] = canvas_number(layout, path)
        elif path in contents.broken:
            student_files.broken[owned.within] = contents.broken[path].replace(repr(path), repr(owned.within))
        elif owned.within:
            student_files.others.append(owned.within)
    numbers = Counter(number for submission in submissions.values() for number in submission.numbers)
    for key, (owner, student_files) in by_owner.items():
        file_order: dict[str, int] = {}
        if layout == "canvas":
            student_files.files = with_original_names(student_files.files)
            file_order = with_original_names(order.get(key, {}))
        student = owner._replace(name=names.get(owner.id) or owner.name)
        owner_keys = {owner.id, owner.name}
        if submission := submissions.get(owner.id):
            owner_keys |= {number for number in submission.numbers if numbers[number] == 1}
            # The student's own number, if it is known, instead of the submission's.
            if submission.single and len(owner_keys) > 2:
                student = student._replace(id=submission.numbers[0])
        others = tuple(sorted(owner_keys - {student.id, student.name}))
        collector.entries.append(
            collector.player_in(
                student.name, f"{folder_path}/{owner.folder}", student_files, student, file_order, others
            )
        )
    return Entries(layout, tuple(collector.entries), tuple(left_out))


def no_python(contents: SourceTree) -> str:
    """Why a folder without Python files is not a player: the names of some of its files, if there are any."""
    names = [quoted_path(path) for path in contents.others if not path.endswith("/")]
    if not names:
        return NO_PYTHON
    and_more = [f"{len(names) - 3} more"] if len(names) > 3 else []
    verb_phrase = "isn't a Python file" if len(names) == 1 else "aren't Python files"
    return f"{listed([*names[:3], *and_more])} {verb_phrase}: submit a .py file."


def entry_of(
    name: str, path_text: str, folder_path: str, chosen: ChosenFiles, owner: Participant = NO_PARTICIPANT
) -> FolderEntry:
    """The entry of a player whose files are known."""
    left_out = tuple(
        msgspec.structs.replace(file, path=os.path.join(folder_path, file.path)) for file in chosen.left_out
    )
    return FolderEntry(
        name,
        path_text,
        chosen.sources,
        "",
        owner.id,
        owner.folder,
        os.path.join(folder_path, chosen.main_folder),
        left_out,
    )


def folder_name(path_text: str) -> str:
    """The name of a folder or an archive, without its path."""
    return stem(os.path.abspath(path_text))


def student_name(name: str) -> str:
    """The student who submitted a file that isn't a player, judging by the file's name.

    >>> student_name("Ida Word.docx"), student_name("Dee.py.txt"), student_name("Kim.tar.gz"), student_name("Cat")
    ('Ida Word', 'Dee', 'Kim', 'Cat')
    """
    return os.path.splitext(name)[0].removesuffix(".tar").removesuffix(".py")


def top_paths(contents: SourceTree) -> list[str]:
    """The paths at the top: files, folders and archives."""
    return sorted({path.split("/")[0] for path in (*contents.paths, *contents.others)})


def folders(contents: SourceTree) -> list[str]:
    """The folders and archives at the top, readable or not."""
    paths = {path.split("/")[0] for path in contents.paths if "/" in path}
    return sorted(paths | {path for path in contents.broken if "/" not in path and is_archive(path)})


def top_files(contents: SourceTree, function_names: Sequence[str]) -> list[str]:
    """The files at the top that are players: they define the functions, or cannot be read."""
    player_files = defining_files(
        {path: content for path, content in contents.files.items() if "/" not in path}, function_names
    )
    player_files = [path for path in player_files if not has_python_export(path, player_files)]
    return sorted({*player_files, *(path for path in contents.broken if "/" not in path and is_code(path))})


def has_python_export(path: str, files: Container[str]) -> bool:
    """Whether a file is a notebook that was also exported as Python, into one of ``files``."""
    return is_notebook(path) and python_name(path) in files


def subtree(contents: SourceTree, top: str) -> SourceTree:
    """The contents of a folder or archive at the top, with paths relative to it."""
    prefix = f"{top}/"
    files = {path.removeprefix(prefix): content for path, content in contents.files.items() if path.startswith(prefix)}
    broken = {path.removeprefix(prefix): why for path, why in contents.broken.items() if path.startswith(prefix)}
    others = [path.removeprefix(prefix) for path in contents.others if path.startswith(prefix) and path != prefix]
    return SourceTree(files, broken | ({top: contents.broken[top]} if top in contents.broken else {}), others)
