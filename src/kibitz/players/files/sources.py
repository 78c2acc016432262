"""A player's files, as bytes, and how they are found among the files of a folder.

    main        the file that defines the game's functions
    helpers     the other files, which it can import: ``common.py``, or ``tools/search.py`` as ``tools.search``
    packed      all of them as one file: the main file itself, or an archive that begins with it
    outline     the names that a file defines at the left margin, and the modules it imports anywhere, found without
                running it
    suggestion  for a missing function, a similar name that the file does define

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
from kibitz.games.published import ASSIGNMENTS
from kibitz.players.files.archives import ARCHIVE, is_code, members, quoted_path
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
    """The files of a player from its packed form; NotationError for a damaged archive."""
    if not file.endswith(ARCHIVE):
        return Sources(((file, content),))
    contents = members(content, file)
    return Sources(tuple(contents.files.items()))


def module_name(file: str) -> str:
    """The module name of a file.

    >>> module_name("tools/search.py"), module_name("tools/__init__.py")
    ('tools.search', 'tools')
    """
    parts = PurePosixPath(file.removesuffix(".py")).parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# Outlines. This version of Python need not be able to compile the file: a player written for Python 2 must be found
# too, so that its author gets an error. Strings and comments are skipped, and every step is linear in the file's
# length.


TEXTS = re.compile(
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
    return TEXTS.sub(lambda match: "''", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\\\n", " ")


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
    """The outline of a file in any encoding; that works because the names of assigned functions are ASCII."""
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
# definer     a file that defines at least one of the wanted functions; only the definers nearest to the top count
# main        the definer; of several, the one that defines all wanted functions, or that imports the others
# helpers     the other files in the main file's folder and below it


OWN_MODULES = {"kibitz", "player_file"}
KEEP_ONE = ": keep only one"
"""The end of the sentence on several files that could each be the player."""
MAX_IMPORT_DEPTH = 8
"""The longest chain of imports through which a file may get the functions."""

Files = Mapping[str, bytes]


class LeftOut(msgspec.Struct, frozen=True):
    """A file or folder that isn't a player or part of one, and why."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class ChosenFiles(NamedTuple):
    """A player's files, the folder of its main file ("" for the top), and the files that are left out."""

    sources: Sources
    place: str
    left_out: tuple[LeftOut, ...]


def definers(files: Files, wanted: Iterable[str]) -> list[str]:
    """The files that define any of the functions, in order of their paths.

    A file with only ``play`` doesn't count if another imports it, since a helper may have a function of that name.
    """
    names = set(wanted)
    outlines = {path: outline(content) for path, content in files.items() if is_code(path)}
    defining = {path for path, file_outline in outlines.items() if file_outline.defined & (names - {PLAY})}
    if PLAY in names:
        with_play = {path for path, file_outline in outlines.items() if PLAY in file_outline.defined} - defining
        if with_play:
            with_play -= imported(outlines, files)
        defining |= with_play
    return sorted(defining)


def functions_asked(files: Files, paths: Iterable[str], wanted: Sequence[str]) -> set[str]:
    """The functions by which these files would be called: the assignment's if they define any, otherwise ``play``."""
    assigned = set(wanted) - {PLAY}
    defined = {name for path in paths for name in outline(files[path]).defined}
    return assigned if assigned and (PLAY not in wanted or defined & assigned) else {PLAY} & set(wanted) or assigned


def one_player(files: Files, wanted: Sequence[str]) -> ChosenFiles:
    """The player that these files are; NotationError if they aren't a player, or are more than one.

    If no file defines the functions, but only one isn't imported by another, that one is taken, so that loading it
    shows what is wrong.
    """
    python = {path: content for path, content in files.items() if is_code(path)}
    unimported = [] if definers(python, wanted) else [*{*python} - imported(python, python)]
    main = unimported[0] if len(unimported) == 1 else main_file(python, wanted)
    place = main.rpartition("/")[0]
    below = f"{place}/" if place else ""
    files_below = {path.removeprefix(below): content for path, content in python.items() if path.startswith(below)}
    helpers = [name for name in sorted(files_below) if name != main.removeprefix(below) and not is_notebook(name)]
    importable_helpers = importable(main.removeprefix(below), helpers, files_below)
    notebooks = [path for path in python if is_notebook(path) and path != main]
    left_out = [LeftOut(path, f"{main} was used instead") for path in notebooks]
    left_out += [
        LeftOut(path, f"it is outside the folder of {main}")
        for path in python
        if not path.startswith(below) and path not in notebooks
    ]
    left_out += [
        LeftOut(below + name, "no module can have this name here") for name in helpers if name not in importable_helpers
    ]
    return ChosenFiles(packed(main.removeprefix(below), importable_helpers, files_below), place, tuple(left_out))


def with_helpers(file: str, files: Files, wanted: Sequence[str]) -> ChosenFiles:
    """A file with the helpers that it imports from ``files``, those in its folder; other players are left out."""
    others = set(definers(files, wanted)) - {file}
    possible_helpers = {path: content for path, content in files.items() if path not in others and not hides(path)}
    possible_helpers[file] = files[file]
    needed_files, to_follow = {file}, [file]
    while to_follow:
        for name in needed(outline(files[to_follow.pop()]).modules, possible_helpers):
            if name not in needed_files:
                needed_files.add(name)
                to_follow.append(name)
    helpers = importable(file, sorted(needed_files - {file}), possible_helpers)
    blocked = needed(outline(files[file]).modules, {path: b"" for path in files if path not in possible_helpers})
    reason_by_hiding = {
        True: "it would hide Python's own module",
        False: f"{file} imports it, but it is a player itself",
    }
    left_out = tuple(LeftOut(path, reason_by_hiding[hides(path)]) for path in sorted(set(blocked)))
    return ChosenFiles(packed(file, helpers, possible_helpers), "", left_out)


def needed(modules: Iterable[str], files: Files, below: str = "") -> list[str]:
    """The names of these modules' files, and of the packages that hold them, relative to the folder ``below``."""
    names = []
    for module in modules:
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            base = "/".join(parts[:length])
            names += [name for name in (f"{base}.py", f"{base}/__init__.py") if below + name in files]
    return names


def main_file(files: Files, wanted: Sequence[str]) -> str:
    """The path of the file that defines the functions; NotationError if there is none, or more than one."""
    candidates = definers(files, wanted)
    if not candidates:
        defined = {name for content in files.values() for name in outline(content).defined}
        indented = {name for content in files.values() for name in outline(content).indented}
        advice = suggestion(wanted, defined, indented)
        contents = f": it holds {listed([quoted_path(path) for path in sorted(files)[:3]])}" if files else ""
        raise NotationError(
            f"no file in it defines {either(wanted)}{contents}{'. ' * bool(advice)}{advice.rstrip('.')}"
        )
    names = functions_asked(files, candidates, wanted)
    candidates = [path for path in candidates if outline(files[path]).defined & names]
    depth = min(path.count("/") for path in candidates)
    candidates = [path for path in candidates if path.count("/") == depth]
    names_by_file = {path: outline(files[path]).defined & names for path in candidates}
    complete = [path for path in candidates if names_by_file[path] == names]
    if not complete and len(candidates) > 1:
        complete = [path for path, names_there in provided(files, names).items() if names_there == names]
    complete = complete or candidates
    complete = [path for path in complete if not is_notebook(path)] or complete
    if len(complete) > 1:
        imported_files = imported(complete, files)
        not_imported = [path for path in complete if path not in imported_files]
        complete = not_imported if len(not_imported) == 1 else complete
    if len(complete) > 1:
        common_names = sorted(set.intersection(*({*outline(files[path]).defined} for path in complete)) & names)
        definitions = (
            f" both define {common_names[0]}" if common_names and len(complete) == 2 else f" define {either(wanted)}"
        )
        raise NotationError(f"{listed(complete[:4])}{definitions}{KEEP_ONE}")
    return complete[0]


def provided(files: Files, names: set[str]) -> dict[str, set[str]]:
    """By file, which of ``names`` it defines or imports from its neighbours, directly or over a few steps."""
    result = {path: set(outline(content).defined & names) for path, content in files.items()}
    import_links = [
        (path, neighbour, name)
        for path, content in files.items()
        for module, name in outline(content).imported_names
        for neighbour in neighbours(path, [module], files)
    ]
    for _ in range(MAX_IMPORT_DEPTH):
        for path, neighbour, name in import_links:
            result[path] |= result[neighbour] if name == "*" else {name} & result[neighbour]
    return result


def neighbours(path: str, modules: Iterable[str], files: Files) -> list[str]:
    """The files of modules, as seen from the folder of ``path``."""
    place = path.rpartition("/")[0]
    below = f"{place}/" if place else ""
    return [below + name for name in needed([module.lstrip(".") for module in modules], files, below)]


def imported(paths: Iterable[str], files: Files) -> set[str]:
    """The files that these import."""
    return {
        neighbour
        for path in paths
        for neighbour in neighbours(path, outline(files[path]).modules, files)
        if neighbour != path
    }


def hides(file: str) -> bool:
    """Whether a helper of this name would hide a module of the standard library or of Kibitz."""
    return module_name(file).partition(".")[0] in sys.stdlib_module_names | OWN_MODULES


def importable(main: str, helpers: Sequence[str], files: Files) -> list[str]:
    """The helpers that can be imported; NotationError for a helper that hides another module that the files import."""
    imported_modules = {
        module.partition(".")[0] for name in (main, *helpers) for module in outline(files[name]).modules
    }
    kept = []
    for name in helpers:
        top, *_ = module_name(name).split(".")
        if hides(name) and top in imported_modules:
            owner = "Kibitz's" if top in OWN_MODULES else "Python's"
            raise NotationError(f"{quoted_path(name)} would hide {owner} own module {top}: give it another name")
        if all(part.isidentifier() for part in module_name(name).split(".")) and not hides(name):
            kept.append(name)
    return kept


def packed(main: str, helpers: Sequence[str], files: Files) -> Sources:
    """A player's files together; NotationError if they are too many or too large."""
    result = Sources(((python_name(main, helpers), files[main]), *((name, files[name]) for name in helpers)))
    if len(result.files) > MAX_FILES or result.size > LARGEST_PLAYER:
        raise NotationError(
            f"a player has up to {MAX_FILES} Python files, at most {LARGEST_PLAYER >> 20} MiB in total, "
            f"and these are {len(result.files)} of {result.size / (1 << 20):.1f} MiB"
        )
    return result


def either(wanted: Sequence[str]) -> str:
    """The functions that a file may define, for a sentence."""
    assigned_names = assigned(wanted)
    words = assigned_names if len(assigned_names) < 2 else [f"{', '.join(assigned_names[:-1])} or {assigned_names[-1]}"]
    if PLAY in wanted and PLAY not in assigned_names:
        words = [*words, f"{PLAY}({PLAY_FUNCTIONS[0][2]})"]
    return ", or ".join(words)


# Suggestions for a missing function: a similar name that the file does define.


COURSES = [{function.name for function in functions} for functions in ASSIGNMENTS.values()]
CLOSE = 0.9
"""How similar a suggested name must be, from 0 to 1, ignoring case."""


def assigned(wanted: Sequence[str]) -> list[str]:
    """The functions of an assignment, without ``play`` unless the assignment has it."""
    play_is_assigned = any(PLAY in course and course <= set(wanted) for course in COURSES)
    return [name for name in wanted if name != PLAY or play_is_assigned]


def suggestion(wanted: Sequence[str], defined: Collection[str], indented: Collection[str] = ()) -> str:
    """The advice to rename or move functions so that they are found; empty if no name resembles a missing one.

    ``indented`` are functions that are defined inside a class, a function or another statement.
    """
    other_names = {name.lower(): name for name in sorted(set(defined).difference(*COURSES))}
    missing = [name for name in assigned(wanted) if name not in defined]
    renames = [
        f"{other_names[similar]} to {name}"
        for name in missing
        for similar in get_close_matches(name, other_names, 1, CLOSE)
    ]
    advice = [f"Rename {' and '.join(renames)}."] if renames else []
    misplaced = [name for name in missing if name in indented]
    if misplaced:
        subject = "Each" if 1 < len(misplaced) == len(missing) else listed(misplaced)
        advice.append(f"{subject} must begin at the left margin, not inside a class, a function or an if.")
    return " ".join(advice)
