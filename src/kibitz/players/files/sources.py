"""The files that one player consists of, as bytes, and how they are found among the files of a folder.

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
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Sources:
    """A player's files; ``files`` are pairs of name and content, the main one first and the helpers by name."""

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
        """All files as one, the same bytes whenever and wherever they are packed."""
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
    """All files of a player; ``file`` is the name of its only one, if that is given as text or bytes."""
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    return Sources(((file, source),)) if isinstance(source, bytes) else source


def unpacked(file: str, content: bytes) -> Sources:
    """The files of a player from its packed form; NotationError for a damaged archive."""
    if not file.endswith(ARCHIVE):
        return Sources(((file, content),))
    found = members(content, file)
    return Sources(tuple(found.files.items()))


def module_name(file: str) -> str:
    """The module name of a file.

    >>> module_name("tools/search.py"), module_name("tools/__init__.py")
    ('tools.search', 'tools')
    """
    parts = PurePosixPath(file.removesuffix(".py")).parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# Outlines. A file need not be Python that this version can compile: a player written for Python 2 is found and told so.
# Strings and comments are skipped, and every step is linear in the file's length.


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
    """Names that a file defines, that it takes from modules (``*`` for all), and the modules that it imports."""

    defined: frozenset[str]
    indented: frozenset[str]
    """Functions that are not defined at the left margin."""
    taken: frozenset[tuple[str, str]]
    modules: frozenset[str]


def code_of(content: bytes) -> str:
    """A file's text without strings and comments, with continued lines joined."""
    encoding = "utf-16" if content.startswith(UTF_16) else "latin-1"
    text = content.decode(encoding, "replace").removeprefix("\xef\xbb\xbf")
    return TEXTS.sub(lambda found: "''", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\\\n", " ")


def times_defined(content: bytes, name: str) -> int:
    """How many functions of this name a file defines at the left margin."""
    return sum(found == name for found, _ in DEFINED.findall(code_of(content)))


@lru_cache(maxsize=256)
def function_bodies(content: bytes) -> dict[str, str]:
    """The code of each function that a file defines at the left margin; the last definition of a name counts."""
    parts = re.split(r"(?m)^(?:async[ \t]+)?def[ \t]+(\w+)", code_of(content))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@lru_cache(maxsize=256)
def outline(content: bytes) -> Outline:
    """The outline of a file's bytes in any encoding: function names are ASCII in all that matter."""
    text = code_of(content)
    defined = {a or b for a, b in DEFINED.findall(text)}
    taken, modules = set(), set()
    for module, within, alone in FROM.findall(text):
        modules.add(module)
        for part in (within or alone).split(","):
            words = part.split()
            if words:
                taken.add((module, words[-1]))
                modules.add(f"{module}.{words[0]}")
    for line in IMPORT.findall(text):
        modules |= {part.split()[0] for part in line.split(",") if part.split()}
    return Outline(frozenset(defined), frozenset(INDENTED.findall(text)), frozenset(taken), frozenset(modules))


# Which file defines the functions, and which others it can import.
#
# definer     a file that defines at least one of the functions wanted; only those nearest to the top count
# main        the one definer; of several, the one that defines all of them, or that imports the others
# helpers     the other files in the main file's folder and below it


OWN_MODULES = {"kibitz", "player_file"}
KEEP_ONE = ": keep only one"
"""The end of the sentence on several files that could each be the player."""
MAX_IMPORT_DEPTH = 8
"""Through how many files the functions may be imported."""

Files = Mapping[str, bytes]


class LeftOut(msgspec.Struct, frozen=True):
    """A file or folder that isn't a player or part of one, and why."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class ChosenFiles(NamedTuple):
    """A player's files, the folder of its main file (empty for the top), and what is left out."""

    sources: Sources
    place: str
    left_out: tuple[LeftOut, ...]


def definers(files: Files, wanted: Iterable[str]) -> list[str]:
    """The files that define any of the functions, in order of their paths.

    A file with only ``play`` doesn't count if another imports it, since a helper may have a function of that name.
    """
    names = set(wanted)
    found = {path: outline(content) for path, content in files.items() if is_code(path)}
    some = {path for path, looked in found.items() if looked.defined & (names - {PLAY})}
    if PLAY in names:
        more = {path for path, looked in found.items() if PLAY in looked.defined} - some
        if more:
            more -= imported(found, files)
        some |= more
    return sorted(some)


def functions_asked(files: Files, paths: Iterable[str], wanted: Sequence[str]) -> set[str]:
    """The functions by which these files are called: the assignment's if there are any, else those of Kibitz's form."""
    assigned = set(wanted) - {PLAY}
    defined = {name for path in paths for name in outline(files[path]).defined}
    return assigned if assigned and (PLAY not in wanted or defined & assigned) else {PLAY} & set(wanted) or assigned


def one_player(files: Files, wanted: Sequence[str]) -> ChosenFiles:
    """The player that these files make; NotationError if they make none, or more than one.

    The only file that no other imports counts whatever it defines: loading it shows what is wrong with it.
    """
    python = {path: content for path, content in files.items() if is_code(path)}
    top = [] if definers(python, wanted) else [*{*python} - imported(python, python)]
    main = top[0] if len(top) == 1 else main_file(python, wanted)
    place = main.rpartition("/")[0]
    below = f"{place}/" if place else ""
    near = {path.removeprefix(below): content for path, content in python.items() if path.startswith(below)}
    helpers = [name for name in sorted(near) if name != main.removeprefix(below) and not is_notebook(name)]
    kept = importable(main.removeprefix(below), helpers, near)
    notebooks = [path for path in python if is_notebook(path) and path != main]
    gone = [LeftOut(path, f"{main} was taken instead") for path in notebooks]
    gone += [
        LeftOut(path, f"it is outside the folder of {main}")
        for path in python
        if not path.startswith(below) and path not in notebooks
    ]
    gone += [LeftOut(below + name, "no module can have this name here") for name in helpers if name not in kept]
    return ChosenFiles(packed(main.removeprefix(below), kept, near), place, tuple(gone))


def with_helpers(file: str, files: Files, wanted: Sequence[str]) -> ChosenFiles:
    """A file with the helpers that it imports from its own folder (``files``), leaving out other players."""
    others = set(definers(files, wanted)) - {file}
    around = {path: content for path, content in files.items() if path not in others and not hides(path)}
    around[file] = files[file]
    reached, more = {file}, [file]
    while more:
        for name in needed(outline(files[more.pop()]).modules, around):
            if name not in reached:
                reached.add(name)
                more.append(name)
    helpers = importable(file, sorted(reached - {file}), around)
    asked = needed(outline(files[file]).modules, {path: b"" for path in files if path not in around})
    why = {True: "it would hide Python's own module", False: f"{file} imports it, but it is a player itself"}
    gone = tuple(LeftOut(path, why[hides(path)]) for path in sorted(set(asked)))
    return ChosenFiles(packed(file, helpers, around), "", gone)


def needed(modules: Iterable[str], files: Files, below: str = "") -> list[str]:
    """The files of these modules, with the packages around them, as seen from the folder ``below``."""
    result = []
    for module in modules:
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            base = "/".join(parts[:length])
            result += [name for name in (f"{base}.py", f"{base}/__init__.py") if below + name in files]
    return result


def main_file(files: Files, wanted: Sequence[str]) -> str:
    """The path of the file that defines the functions; NotationError if there is none, or more than one."""
    found = definers(files, wanted)
    if not found:
        defined = {name for content in files.values() for name in outline(content).defined}
        indented = {name for content in files.values() for name in outline(content).indented}
        more = suggestion(wanted, defined, indented)
        there = f": it holds {listed([quoted_path(path) for path in sorted(files)[:3]])}" if files else ""
        raise NotationError(f"no file in it defines {either(wanted)}{there}{'. ' * bool(more)}{more.rstrip('.')}")
    names = functions_asked(files, found, wanted)
    found = [path for path in found if outline(files[path]).defined & names]
    top = min(path.count("/") for path in found)
    found = [path for path in found if path.count("/") == top]
    own = {path: outline(files[path]).defined & names for path in found}
    whole = [path for path in found if own[path] == names]
    if not whole and len(found) > 1:
        whole = [path for path, names_there in provided(files, names).items() if names_there == names]
    whole = whole or found
    whole = [path for path in whole if not is_notebook(path)] or whole
    if len(whole) > 1:
        below = imported(whole, files)
        above = [path for path in whole if path not in below]
        whole = above if len(above) == 1 else whole
    if len(whole) > 1:
        doubled = sorted(set.intersection(*({*outline(files[path]).defined} for path in whole)) & names)
        which = f" both define {doubled[0]}" if doubled and len(whole) == 2 else f" define {either(wanted)}"
        raise NotationError(f"{listed(whole[:4])}{which}{KEEP_ONE}")
    return whole[0]


def provided(files: Files, names: set[str]) -> dict[str, set[str]]:
    """The names that each file defines or imports from its neighbours, over a few steps."""
    result = {path: set(outline(content).defined & names) for path, content in files.items()}
    links = [
        (path, other, name)
        for path, content in files.items()
        for module, name in outline(content).taken
        for other in neighbours(path, [module], files)
    ]
    for _ in range(MAX_IMPORT_DEPTH):
        for path, other, name in links:
            result[path] |= result[other] if name == "*" else {name} & result[other]
    return result


def neighbours(path: str, modules: Iterable[str], files: Files) -> list[str]:
    """The files of modules, as seen from the folder of ``path``."""
    place = path.rpartition("/")[0]
    below = f"{place}/" if place else ""
    return [below + name for name in needed([module.lstrip(".") for module in modules], files, below)]


def imported(paths: Iterable[str], files: Files) -> set[str]:
    """The files that these import."""
    return {it for path in paths for it in neighbours(path, outline(files[path]).modules, files) if it != path}


def hides(file: str) -> bool:
    """Whether a helper of this name would hide a module of Python's own, or of ours."""
    return module_name(file).partition(".")[0] in sys.stdlib_module_names | OWN_MODULES


def importable(main: str, helpers: Sequence[str], files: Files) -> list[str]:
    """The helpers that can be imported; NotationError for one that hides a module of Python's own."""
    asked = {module.partition(".")[0] for name in (main, *helpers) for module in outline(files[name]).modules}
    kept = []
    for name in helpers:
        top, *_ = module_name(name).split(".")
        if hides(name) and top in asked:
            whose = "Kibitz's" if top in OWN_MODULES else "Python's"
            raise NotationError(f"{quoted_path(name)} would hide {whose} own module {top}: give it another name")
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
    named = assigned(wanted)
    words = named if len(named) < 2 else [f"{', '.join(named[:-1])} or {named[-1]}"]
    if PLAY in wanted and PLAY not in named:
        words = [*words, f"{PLAY}({PLAY_FUNCTIONS[0][2]})"]
    return ", or ".join(words)


# Suggestions for a missing function: a similar name that the file does define.


COURSES = [{function.name for function in those} for those in ASSIGNMENTS.values()]
CLOSE = 0.9
"""How similar two names must be, from 0 to 1, ignoring case."""


def assigned(wanted: Sequence[str]) -> list[str]:
    """The functions of an assignment, without ``play`` unless the assignment has it."""
    own = any(PLAY in course and course <= set(wanted) for course in COURSES)
    return [name for name in wanted if name != PLAY or own]


def suggestion(wanted: Sequence[str], defined: Collection[str], indented: Collection[str] = ()) -> str:
    """The advice to rename or move functions so that they are found; empty if no name resembles a missing one.

    ``indented`` are functions that are defined inside a class, a function or another statement.
    """
    free = {name.lower(): name for name in sorted(set(defined).difference(*COURSES))}
    missing = [name for name in assigned(wanted) if name not in defined]
    close = [f"{free[found]} to {name}" for name in missing for found in get_close_matches(name, free, 1, CLOSE)]
    advice = [f"Rename {' and '.join(close)}."] if close else []
    inside = [name for name in missing if name in indented]
    if inside:
        each = "Each" if 1 < len(inside) == len(missing) else listed(inside)
        advice.append(f"{each} must begin at the left margin, not inside a class, a function or an if.")
    return " ".join(advice)
