"""A player's files, as bytes, and how they are found among the files of a folder.

    main        the file that defines the game's functions
    helpers     the other files, which it can import: ``common.py``, or ``tools/search.py`` as ``tools.search``
    packed      all of them as one file: the main file itself, or an archive that begins with it
    outline     the names that a file defines at the left margin and the modules that it imports anywhere, found
                without running it
    suggestion  for a missing function, a similar name that the file defines

Nothing here runs the files, and only the player's process decodes them.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import re
import sys
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from kibitz.engine.sentences import listed
from kibitz.errors import NotationError
from kibitz.games.signatures import ASSIGNMENTS
from kibitz.players.files.archives import ARCHIVE, is_code, quoted_path, read_player_archive
from kibitz.players.files.notebooks import is_notebook, python_name
from kibitz.players.isolation.child import PLAY, PLAY_FUNCTIONS

LARGEST_PLAYER = 1 << 20
MAX_FILES = 100
"""The maximum number of bytes of a player's files together, and of files."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time in every packed file: the earliest that ZIP archives can hold."""


@dataclass(frozen=True)
class Sources:
    """A player's files; ``files`` are pairs of name and content, first the main file, then the helpers by name."""

    files: tuple[tuple[str, bytes], ...]

    @property
    def main(self) -> str:
        """The name of the file that defines the game's functions."""
        return self.files[0][0]

    @property
    def helpers(self) -> tuple[str, ...]:
        """The names of the other files."""
        return tuple(name for name, _ in self.files[1:])

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(len(content) for _, content in self.files)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of ``packed``."""
        return hashlib.sha256(self.packed).hexdigest()

    @cached_property
    def packed(self) -> bytes:
        """All files as one; the same files always give the same bytes."""
        if len(self.files) == 1:
            return self.files[0][1]
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            for name, content in self.files:
                member = zipfile.ZipInfo(name, EPOCH)
                member.create_system = 3
                archive.writestr(member, content)
        return out.getvalue()

    def packed_name(self, name: str) -> str:
        """The name of the packed file of the player ``name``."""
        return self.main if len(self.files) == 1 else f"{name}{ARCHIVE}"


Source = str | bytes | Sources
"""A player's content: all its files, or its only one as text or as bytes."""


def sources_of(file: str, source: Source) -> Sources:
    """All files of a player; ``file`` is the name of its only file, if ``source`` is text or bytes."""
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    return Sources(((file, source),)) if isinstance(source, bytes) else source


def unpacked(file: str, content: bytes) -> Sources:
    """The files of a player from its packed form. Raises NotationError for a damaged archive."""
    if not file.endswith(ARCHIVE):
        return Sources(((file, content),))
    contents = read_player_archive(content, file)
    return Sources(tuple(contents.files.items()))


def module_name(file: str) -> str:
    """The module name of a file.

    >>> module_name("tools/search.py"), module_name("tools/__init__.py")
    ('tools.search', 'tools')
    """
    parts = PurePosixPath(file.removesuffix(".py")).parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# Outlines. They don't need a file that this Python can compile: a player written for Python 2 must be found too, so
# that its author gets an error. Strings and comments are skipped, and every step is linear in the file's length.


STRING_OR_COMMENT = re.compile(
    r"""(?s)'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)"""
    r"""|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|\#[^\n]*"""
)
DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=(?!=))", re.MULTILINE)
FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^()]*)\)|([^\n;]*))", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n;]+)", re.MULTILINE)
UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


INDENTED = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)


class Outline(NamedTuple):
    """The names that a file defines, the names that it imports from modules (``*`` for all), and those modules."""

    defined: frozenset[str]
    indented: frozenset[str]
    """Functions that are not defined at the left margin."""
    imported_names: frozenset[tuple[str, str]]
    """Pairs of a module and a name."""
    modules: frozenset[str]


def code_of(content: bytes) -> str:
    """A file's text without strings and comments, with continued lines joined."""
    encoding = "utf-16" if content.startswith(UTF_16) else "latin-1"
    text = content.decode(encoding, "replace").removeprefix("\xef\xbb\xbf")
    return STRING_OR_COMMENT.sub(lambda match: "''", text.replace("\r\n", "\n").replace("\r", "\n")).replace(
        "\\\n", " "
    )


def times_defined(content: bytes, name: str) -> int:
    """How many functions of this name a file defines at the left margin."""
    return sum(defined == name for defined, _ in DEFINED.findall(code_of(content)))


@lru_cache(maxsize=256)
def function_bodies(content: bytes) -> dict[str, str]:
    """The code of each function that a file defines at the left margin; the last definition of a name counts."""
    parts = re.split(r"(?m)^(?:async[ \t]+)?def[ \t]+(\w+)", code_of(content))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@lru_cache(maxsize=256)
def outline(content: bytes) -> Outline:
    """The outline of a file in any encoding: the names of an assignment's functions are ASCII."""
    text = code_of(content)
    defined = {a or b for a, b in DEFINED.findall(text)}
    imported_names, modules = set(), set()
    for module, in_parentheses, without_parentheses in FROM.findall(text):
        modules.add(module)
        for part in (in_parentheses or without_parentheses).split(","):
            words = part.split()
            if words:
                imported_names.add((module, words[-1]))
                modules.add(f"{module}.{words[0]}")
    for line in IMPORT.findall(text):
        modules |= {part.split()[0] for part in line.split(",") if part.split()}
    return Outline(frozenset(defined), frozenset(INDENTED.findall(text)), frozenset(imported_names), frozenset(modules))


# Which file defines the functions, and which others it can import.
#
# candidates  the files that define at least one of the functions; only those nearest to the top count
# main        the only candidate; of several, the one that defines all functions, or that imports the others
# helpers     the other files in the main file's folder and below it


OWN_MODULES = {"kibitz", "player_file"}
KEEP_ONE = ": keep only one"
"""The end of the error for several files that could each be the player."""
MAX_IMPORT_DEPTH = 8
"""The longest chain of imports through which a file may get the functions."""

Files = Mapping[str, bytes]


class LeftOut(msgspec.Struct, frozen=True):
    """A file or folder that isn't used in any player, and why."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class ChosenFiles(NamedTuple):
    """A player's files, the folder of its main file ("" for the top), and the files that are left out."""

    sources: Sources
    main_folder: str
    left_out: tuple[LeftOut, ...]


def defining_files(files: Files, function_names: Iterable[str]) -> list[str]:
    """The files that define any of the functions, in order of their paths.

    A file with only ``play`` doesn't count if another imports it, since a helper may have a function of that name.
    """
    names = set(function_names)
    outlines = {path: outline(content) for path, content in files.items() if is_code(path)}
    defining = {path for path, file_outline in outlines.items() if file_outline.defined & (names - {PLAY})}
    if PLAY in names:
        with_play = {path for path, file_outline in outlines.items() if PLAY in file_outline.defined} - defining
        if with_play:
            with_play -= imported_files(outlines, files)
        defining |= with_play
    return sorted(defining)


def called_functions(files: Files, paths: Iterable[str], function_names: Sequence[str]) -> set[str]:
    """The functions that would be called in these files: the assignment's if they define any, otherwise ``play``."""
    assigned = set(function_names) - {PLAY}
    defined = {name for path in paths for name in outline(files[path]).defined}
    if assigned and (PLAY not in function_names or defined & assigned):
        return assigned
    return {PLAY} & set(function_names) or assigned


def one_player(files: Files, function_names: Sequence[str]) -> ChosenFiles:
    """The player that these files are. Raises NotationError if they aren't a player, or are more than one.

    If no file defines the functions, the player is the only file that no other imports, so that loading it shows what
    is wrong.
    """
    python = {path: content for path, content in files.items() if is_code(path)}
    unimported = [] if defining_files(python, function_names) else [*{*python} - imported_files(python, python)]
    main = unimported[0] if len(unimported) == 1 else main_file(python, function_names)
    main_folder = main.rpartition("/")[0]
    below = f"{main_folder}/" if main_folder else ""
    files_below = {path.removeprefix(below): content for path, content in python.items() if path.startswith(below)}
    helpers = [name for name in sorted(files_below) if name != main.removeprefix(below) and not is_notebook(name)]
    kept = importable_helpers(main.removeprefix(below), helpers, files_below)
    notebooks = [path for path in python if is_notebook(path) and path != main]
    left_out = [LeftOut(path, f"{main} was used instead") for path in notebooks]
    left_out += [
        LeftOut(path, f"it is outside the folder of {main}")
        for path in python
        if not path.startswith(below) and path not in notebooks
    ]
    left_out += [LeftOut(below + name, "a module can't have this name") for name in helpers if name not in kept]
    return ChosenFiles(player_sources(main.removeprefix(below), kept, files_below), main_folder, tuple(left_out))


def with_helpers(file: str, files: Files, function_names: Sequence[str]) -> ChosenFiles:
    """A file with the helpers that it imports from ``files``, those in its folder; other players are left out."""
    others = set(defining_files(files, function_names)) - {file}
    possible_helpers = {
        path: content for path, content in files.items() if path not in others and not hides_module(path)
    }
    possible_helpers[file] = files[file]
    needed_files, to_follow = {file}, [file]
    while to_follow:
        for name in module_files(outline(files[to_follow.pop()]).modules, possible_helpers):
            if name not in needed_files:
                needed_files.add(name)
                to_follow.append(name)
    helpers = importable_helpers(file, sorted(needed_files - {file}), possible_helpers)
    blocked = module_files(outline(files[file]).modules, {path: b"" for path in files if path not in possible_helpers})
    reason_by_hiding = {
        True: "it would hide Python's own module",
        False: f"{file} imports it, but it is a player itself",
    }
    left_out = tuple(LeftOut(path, reason_by_hiding[hides_module(path)]) for path in sorted(set(blocked)))
    return ChosenFiles(player_sources(file, helpers, possible_helpers), "", left_out)


def module_files(modules: Iterable[str], files: Files, below: str = "") -> list[str]:
    """The names of these modules' files, and of the packages that hold them; ``below`` is their folder in ``files``."""
    names = []
    for module in modules:
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            base = "/".join(parts[:length])
            names += [name for name in (f"{base}.py", f"{base}/__init__.py") if below + name in files]
    return names


def main_file(files: Files, function_names: Sequence[str]) -> str:
    """The path of the file that defines the functions. Raises NotationError if there is none, or more than one."""
    candidates = defining_files(files, function_names)
    if not candidates:
        defined = {name for content in files.values() for name in outline(content).defined}
        indented = {name for content in files.values() for name in outline(content).indented}
        advice = suggestion(function_names, defined, indented)
        contents = f": it holds {listed([quoted_path(path) for path in sorted(files)[:3]])}" if files else ""
        raise NotationError(
            f"no file in it defines {functions_in_words(function_names)}{contents}"
            f"{'. ' * bool(advice)}{advice.rstrip('.')}"
        )
    names = called_functions(files, candidates, function_names)
    candidates = [path for path in candidates if outline(files[path]).defined & names]
    depth = min(path.count("/") for path in candidates)
    candidates = [path for path in candidates if path.count("/") == depth]
    names_by_file = {path: outline(files[path]).defined & names for path in candidates}
    complete = [path for path in candidates if names_by_file[path] == names]
    if not complete and len(candidates) > 1:
        complete = [path for path, names_there in available_names(files, names).items() if names_there == names]
    complete = complete or candidates
    complete = [path for path in complete if not is_notebook(path)] or complete
    if len(complete) > 1:
        not_imported = sorted(set(complete) - imported_files(complete, files))
        complete = not_imported if len(not_imported) == 1 else complete
    if len(complete) > 1:
        common_names = sorted(set.intersection(*({*outline(files[path]).defined} for path in complete)) & names)
        definitions = (
            f" both define {common_names[0]}"
            if common_names and len(complete) == 2
            else f" define {functions_in_words(function_names)}"
        )
        raise NotationError(f"{listed(complete[:4])}{definitions}{KEEP_ONE}")
    return complete[0]


def available_names(files: Files, names: set[str]) -> dict[str, set[str]]:
    """By file, which of ``names`` it defines, or imports from another of the files, directly or over a few steps."""
    result = {path: set(outline(content).defined & names) for path, content in files.items()}
    import_links = [
        (path, neighbour, name)
        for path, content in files.items()
        for module, name in outline(content).imported_names
        for neighbour in module_files_beside(path, [module], files)
    ]
    for _ in range(MAX_IMPORT_DEPTH):
        for path, neighbour, name in import_links:
            result[path] |= result[neighbour] if name == "*" else {name} & result[neighbour]
    return result


def module_files_beside(path: str, modules: Iterable[str], files: Files) -> list[str]:
    """The files of modules that ``path`` can import from its own folder."""
    folder = path.rpartition("/")[0]
    below = f"{folder}/" if folder else ""
    return [below + name for name in module_files([module.lstrip(".") for module in modules], files, below)]


def imported_files(paths: Iterable[str], files: Files) -> set[str]:
    """The files that those at ``paths`` import."""
    return {
        neighbour
        for path in paths
        for neighbour in module_files_beside(path, outline(files[path]).modules, files)
        if neighbour != path
    }


def hides_module(file: str) -> bool:
    """Whether a helper of this name would hide a module of the standard library or of Kibitz."""
    return module_name(file).partition(".")[0] in sys.stdlib_module_names | OWN_MODULES


def importable_helpers(main: str, helpers: Sequence[str], files: Files) -> list[str]:
    """The helpers that can be imported. Raises NotationError for one that would hide a module that the files import."""
    imported_modules = {
        module.partition(".")[0] for name in (main, *helpers) for module in outline(files[name]).modules
    }
    kept = []
    for name in helpers:
        top, *_ = module_name(name).split(".")
        if hides_module(name) and top in imported_modules:
            owner = "Kibitz's" if top in OWN_MODULES else "Python's"
            raise NotationError(f"{quoted_path(name)} would hide {owner} own module {top}: give it another name")
        if all(part.isidentifier() for part in module_name(name).split(".")) and not hides_module(name):
            kept.append(name)
    return kept


def player_sources(main: str, helpers: Sequence[str], files: Files) -> Sources:
    """A player's files. Raises NotationError if there are too many or they are too large."""
    result = Sources(((python_name(main, helpers), files[main]), *((name, files[name]) for name in helpers)))
    if len(result.files) > MAX_FILES or result.size > LARGEST_PLAYER:
        raise NotationError(
            f"a player has up to {MAX_FILES} Python files, at most {LARGEST_PLAYER >> 20} MiB in total, "
            f"and these are {len(result.files)} of {result.size / (1 << 20):.1f} MiB"
        )
    return result


def functions_in_words(function_names: Sequence[str]) -> str:
    """The functions that a file may define, as in "a, b or c, or play(view, legal)"."""
    assigned_names = assignment_names(function_names)
    words = assigned_names if len(assigned_names) < 2 else [f"{', '.join(assigned_names[:-1])} or {assigned_names[-1]}"]
    if PLAY in function_names and PLAY not in assigned_names:
        words = [*words, f"{PLAY}({PLAY_FUNCTIONS[0][2]})"]
    return ", or ".join(words)


# Suggestions for a missing function: a similar name that the file does define.


ASSIGNMENT_FUNCTIONS = [{function.name for function in functions} for functions in ASSIGNMENTS.values()]
MIN_SIMILARITY = 0.9
"""How similar a suggested name must be, ignoring case: ``difflib``'s ratio, from 0 to 1."""


def assignment_names(function_names: Sequence[str]) -> list[str]:
    """The functions of an assignment; ``play`` is one of them only if the assignment has it."""
    play_is_assigned = any(PLAY in course and course <= set(function_names) for course in ASSIGNMENT_FUNCTIONS)
    return [name for name in function_names if name != PLAY or play_is_assigned]


def suggestion(function_names: Sequence[str], defined: Collection[str], indented: Collection[str] = ()) -> str:
    """Advice to rename or move functions so that they are found; empty if no name resembles a missing one.

    ``indented`` are functions that are defined inside a class, a function or another statement.
    """
    other_names = {name.lower(): name for name in sorted(set(defined).difference(*ASSIGNMENT_FUNCTIONS))}
    missing = [name for name in assignment_names(function_names) if name not in defined]
    renames = [
        f"{other_names[similar]} to {name}"
        for name in missing
        for similar in get_close_matches(name, other_names, 1, MIN_SIMILARITY)
    ]
    advice = [f"Rename {' and '.join(renames)}."] if renames else []
    misplaced = [name for name in missing if name in indented]
    if misplaced:
        subject = "Each" if 1 < len(misplaced) == len(missing) else listed(misplaced)
        advice.append(f"{subject} must begin at the left margin, not inside a class, a function or an if.")
    return " ".join(advice)
