"""ZIP archives and folders from strangers, read in memory: nothing is ever unpacked onto a disk.

    member      a file in an archive; ``/`` separates the folders of its path
    refused     a member that points outside the archive (an absolute path, a path with ``..``, a link), has no name, or
                is compressed in an unusual way; a player's archive with such a member raises NotationError
    class       an archive of several submissions, in which an error in a member affects only that member

Only Python files, inner archives and the metadata of a platform's export are read; other files are only listed.
Bytes are counted as they are decompressed: the sizes that an archive declares can lead to an earlier refusal, but are
never trusted. Archives on a disk are read in chunks, so no class takes more than about 100 MiB of memory.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from kibitz.errors import NotationError, cause
from kibitz.players.files.notebooks import MAX_NOTEBOOK_BYTES, NOTEBOOK, is_notebook, python_of

ARCHIVE = ".zip"
METADATA = "submission_metadata.yml"
CODE = (".py", NOTEBOOK)
"""The endings of files with code."""
MAX_FILE_BYTES = 1 << 20
"""The maximum number of bytes of a Python file."""
MAX_ARCHIVE_BYTES = 256 << 20
"""The maximum number of bytes of an archive on a disk."""
MAX_MEMBERS = 5000
"""The maximum number of files of one player, not counting those that tools leave behind."""
MAX_CLASS_BYTES, MAX_SUBMISSION_BYTES = 48 << 20, 32 << 20
"""The maximum number of bytes that are kept of a class, and of one submission: an archive and its contents."""
MAX_DEPTH, MAX_FOLDERS = 3, 50
"""How deeply archives may be nested (a platform's, a student's, and one inside that), and folders in each of them."""
TABLES = (".csv", ".tsv", ".toml", ".json", ".yml", ".yaml", ".xlsx", ".ods", ".md", ".rst", ".log", ".ini", ".cfg")
"""The endings of a lecturer's rosters, settings and notes, which are never submissions."""
DOCUMENTS = (".txt", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".html", ".png", ".jpg", ".jpeg", ".gif", ".svg")
"""The endings of reports, and of formats in which students submit a player by mistake."""
LEFTOVERS = ("__MACOSX", "__pycache__", "node_modules", "site-packages", "venv")
MAX_PATH_SHOWN = 100
SUPPORTED_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
METHOD_NAMES = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz"}
CHUNK = 1 << 16
SPAN_MARK = 4
"""The number of bytes that some programs write before the first member, at most."""


@dataclass
class ByteBudget:
    """How many more bytes may be unpacked."""

    left: int


@dataclass
class SourceTree:
    """The Python files of a folder or archive by path; ``broken`` says, by path, why a file cannot be read.

    ``others`` are the paths of other files, which are not read, and of empty folders, which end in ``/``.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    """The bytes kept for each file and archive that was added, including the names in it."""
    kept: int = 0

    @property
    def paths(self) -> list[str]:
        """All paths, readable or not."""
        return sorted({*self.files, *self.broken})

    def add(self, path: str, content: bytes | io.FileIO, depth: int = 0, budget: ByteBudget | None = None) -> None:
        """Add a file, or the contents of an archive; if it is damaged, only it is marked broken."""
        try:
            if isinstance(content, bytes) and not is_archive(path):
                self.files[path] = python_of(content, path)
                self.count_bytes(path, len(self.files[path]))
                return
            contents = read_player_archive(content, path, depth, budget or ByteBudget(MAX_SUBMISSION_BYTES))
        except NotationError as error:
            self.broken[path] = str(error)
            return
        self.files.update({f"{path}/{name}": inner_content for name, inner_content in contents.files.items()})
        self.broken.update({f"{path}/{name}": why for name, why in contents.broken.items()})
        self.others += [f"{path}/{name}" for name in contents.others]
        self.count_bytes(
            path, sum(map(len, [*contents.files.values(), *contents.files, *contents.broken, *contents.others]))
        )

    def count_bytes(self, path: str, size: int) -> None:
        """Count the bytes kept for a file or an archive."""
        self.sizes[path] = size
        self.kept += size

    def shrink(self, max_bytes: int) -> None:
        """Drop the largest files and archives until at most ``max_bytes`` are kept."""
        while self.kept > max_bytes:
            path = max(self.sizes, key=lambda path: self.sizes[path])
            self.drop(
                path, f"{quoted_path(path)} is left out: the class has more than {max_bytes >> 20} MiB of Python."
            )

    def drop(self, path: str, why: str) -> None:
        """Drop a file or an archive and mark it broken."""
        self.kept -= self.sizes.pop(path, 0)
        self.files.pop(path, None)
        if is_archive(path):
            for contents in (self.files, self.broken):
                for name in [name for name in contents if name.startswith(f"{path}/")]:
                    del contents[name]
            self.others[:] = [name for name in self.others if not name.startswith(f"{path}/")]
        self.broken[path] = why


def quoted_path(path: str) -> str:
    """A path for a sentence, in quotes and without unprintable characters."""
    return repr(path if len(path) <= MAX_PATH_SHOWN else f"...{path[-MAX_PATH_SHOWN:]}")


def is_archive(path: str) -> bool:
    """Whether a path is an archive's, by its name."""
    return path.lower().endswith(ARCHIVE)


def is_metadata(path: str) -> bool:
    """Whether a file is a table or notes rather than a submission, by its name."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(TABLES) or name.startswith(("readme", "license", "notes"))


def is_document(path: str) -> bool:
    """Whether a file, by its name, is a document that may lie beside a player's files."""
    name = path.lower()
    return is_metadata(path) or (name.endswith(DOCUMENTS) and not name.endswith(".py.txt"))


def with_lowercase_suffix(path: str) -> str:
    """A path with the ending of a code file in lower case, as systems that ignore case may write ``.PY``."""
    ending = next((ending for ending in CODE if path.lower().endswith(ending)), "")
    return path[: len(path) - len(ending)] + ending


def is_code(path: str) -> bool:
    """Whether a file is Python or a notebook, by its name."""
    return path.endswith(CODE)


def is_read(path: str) -> bool:
    """Whether the content of a file is read."""
    name = path.rpartition("/")[2]
    return is_code(name) or is_archive(name) or name == METADATA


def is_hidden(path: str) -> bool:
    """Whether a path is hidden, or is in a folder that systems and tools create."""
    parts = path.split("/")
    return any(part in LEFTOVERS or (part.startswith(".") and part.strip(".")) for part in parts)


def size_limit(path: str) -> int:
    """The maximum number of bytes of a file of this kind."""
    return MAX_ARCHIVE_BYTES if is_archive(path) else MAX_NOTEBOOK_BYTES if is_notebook(path) else MAX_FILE_BYTES


def too_large(path: str, limit: int = 0, verb: str = "is") -> str:
    """The error for a file that is (``verb``) larger than ``limit`` bytes; default: the limit for its kind."""
    kind = "an archive" if is_archive(path) else "a notebook" if is_notebook(path) else "a player file"
    kind = "a table" if path.lower().endswith(TABLES) else kind
    return f"{quoted_path(path)} {verb} larger than {(limit or size_limit(path)) >> 20} MiB, the limit for {kind}."


def why_bad_path(path: str) -> str:
    """Why a file with this path is not read, as the end of a sentence; empty if it may be read."""
    if not path.isprintable():
        return "has an unprintable character in its name"
    if path.count("/") > MAX_FOLDERS:
        return f"is more than {MAX_FOLDERS} folders deep"
    return ""


class Archive(io.BufferedReader):
    """A player's archive; ``zipfile`` reads the list of its members at once, and the rest in chunks.

    In memory, the list takes about fifteen times as many bytes as in the file, so its size is limited.
    """

    max_list_bytes, why = 2 << 20, "it has too many files: submit only your own"

    def __init__(self, content: bytes | io.FileIO) -> None:
        super().__init__(io.BytesIO(content) if isinstance(content, bytes) else content)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes. Raises NotationError for a list of members that would take too much memory."""
        if size is not None and size > self.max_list_bytes:
            raise NotationError(self.why)
        return super().read(size)


class ClassArchive(Archive):
    """An archive of submissions."""

    max_list_bytes, why = 6 << 20, "it has too many files: unpack it, and name the folder"


def read_player_archive(
    content: bytes | io.FileIO, shown_name: str, depth: int = 0, budget: ByteBudget | None = None
) -> SourceTree:
    """The Python files of a player's archive and of the archives in it.

    Raises NotationError if the archive is refused or damaged.
    """
    try:
        if depth >= MAX_DEPTH:
            raise NotationError(f"archives are nested more than {MAX_DEPTH} deep")
        with Archive(content) as file, zipfile.ZipFile(file) as archive:
            return files_in_player_archive(archive, shown_name, depth, budget or ByteBudget(MAX_SUBMISSION_BYTES))
    except NotationError as error:
        raise NotationError(f"{quoted_path(shown_name)} is refused: {error}.") from error
    except Exception as error:  # no list of what damaged bytes can raise would be complete
        raise NotationError(f"{quoted_path(shown_name)} can't be read as a ZIP archive: pack it again.") from error


def files_in_player_archive(archive: zipfile.ZipFile, shown_name: str, depth: int, budget: ByteBudget) -> SourceTree:
    """The files of a player's archive. Raises NotationError if anything in it is refused."""
    infos = visible_members(archive)
    if len(infos) > MAX_MEMBERS:
        raise NotationError(f"it holds {len(infos)} files, more than {MAX_MEMBERS}")
    for path, info in infos:
        if why := objection(info, path):
            raise NotationError(f"{quoted_path(path) if path else 'a file'} in it {why}")
    if len(names := [path for path, _ in infos if not path.endswith("/")]) > len(set(names)):
        duplicate = next(path for path in names if names.count(path) > 1)
        raise NotationError(f"{quoted_path(duplicate)} is in it twice")
    result = SourceTree()
    for path, info in infos:
        limit = min(MAX_SUBMISSION_BYTES, size_limit(path))
        if path.endswith("/") or not is_read(path):
            result.others.append(path)
        elif info.file_size > limit:
            result.broken[path] = too_large(path, limit, "is listed in its archive as")
        elif info.file_size > budget.left:
            result.broken[path] = f"{quoted_path(shown_name)} holds more than can be read from one archive."
        else:
            content = content_of_member(archive, info, min(limit, budget.left))
            budget.left -= len(content)
            result.add(path, content, depth + 1, budget)
    return result


def read_class_archive(content: bytes | io.FileIO, shown_name: str) -> SourceTree:
    """The Python files of an archive of submissions; only a refused or damaged member itself is marked broken.

    Raises NotationError if the archive's list of members cannot be read.
    """
    result = SourceTree()
    try:
        with ClassArchive(content) as file, zipfile.ZipFile(file) as archive:
            for path, info in visible_members(archive):
                add_class_member(result, archive, info, path)
    except NotationError as error:
        raise NotationError(f"{quoted_path(shown_name)} is refused: {error}.") from error
    except Exception as error:
        raise NotationError(f"{quoted_path(shown_name)} can't be read as a ZIP archive: pack it again.") from error
    return result


def add_class_member(class_files: SourceTree, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> None:
    """Add a member of a class archive, or the reason why it is refused, under a path that stays inside the class."""
    parts = [part for part in path.split("/") if part.strip(".") and not part.endswith(":")]
    safe_path = "/".join([*parts[:MAX_FOLDERS], *parts[MAX_FOLDERS:][-1:]])
    limit = min(MAX_SUBMISSION_BYTES, size_limit(path))
    if path.endswith("/") or (path and not is_read(path)):
        class_files.others.append(f"{safe_path}/" if path.endswith("/") else safe_path)
    elif safe_path in class_files.sizes or safe_path in class_files.broken:
        class_files.drop(safe_path, f"{quoted_path(path)} is in it twice.")
    elif why := objection(info, path):
        class_files.broken[safe_path or "unnamed.py"] = f"{quoted_path(path) if path else 'A file'} {why}."
    elif info.file_size > limit:
        class_files.broken[safe_path] = too_large(path, limit, "is listed in its archive as")
    else:
        try:
            content = content_of_member(archive, info, limit)
        except Exception:
            class_files.broken[safe_path] = f"{quoted_path(path)} is damaged: pack it again."
        else:
            class_files.add(safe_path, content, budget=ByteBudget(MAX_SUBMISSION_BYTES - len(content)))
            class_files.shrink(MAX_CLASS_BYTES)


def visible_members(archive: zipfile.ZipFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """The members of an archive with their paths, without hidden ones.

    Raises BadZipFile for an archive that was truncated after an inner archive: ``zipfile`` would open the inner one.
    """
    if min((info.header_offset for info in archive.infolist()), default=0) > SPAN_MARK:
        raise zipfile.BadZipFile("its first member isn't at its start")
    return [
        (path, info) for info in archive.infolist() if not is_hidden(path := with_lowercase_suffix(inner_path(info)))
    ]


def content_of_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_bytes: int) -> bytes:
    """The bytes of a member. Raises NotationError if there are more than ``max_bytes``, or for any damage."""
    if why := why_not_unpackable(info):
        raise NotationError(f"{quoted_path(inner_path(info))} in it {why}")
    content = io.BytesIO()
    with archive.open(info) as member:
        while chunk := member.read(CHUNK):
            if content.tell() + len(chunk) > max_bytes:
                raise NotationError(f"{quoted_path(inner_path(info))} in it is larger than it says")
            content.write(chunk)
    return content.getvalue()


def why_not_unpackable(info: zipfile.ZipInfo) -> str:
    """Why a member cannot be unpacked, as the end of a sentence; empty if it can."""
    if info.flag_bits & 1:
        return "is encrypted; pack it without a password"
    if info.compress_type not in SUPPORTED_METHODS:
        method = METHOD_NAMES.get(info.compress_type, f"method {info.compress_type}")
        return f"is compressed by {method}; pack it as an ordinary ZIP archive (deflate)"
    return ""


def objection(info: zipfile.ZipInfo, path: str) -> str:
    """Why a member is refused, as the end of a sentence; empty if it isn't."""
    parts = path.split("/")
    if not path:
        return "has no name"
    if path.startswith("/") or ".." in parts or parts[0].endswith(":"):
        return "points outside the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "is a link"
    return why_bad_path(path) or why_not_unpackable(info)


def inner_path(info: zipfile.ZipInfo) -> str:
    """A member's path with ``/`` as the separator; some Windows programs write backslashes."""
    path = info.orig_filename.replace("\\", "/").partition("\0")[0]
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/" * path.startswith("/") + "/".join(parts) + "/" * (path.endswith("/") and bool(parts))


def stem(path: str) -> str:
    """The name of a file, an archive or a folder without its ending.

    >>> stem("class/ann.zip"), stem("ann.py"), stem("ann")
    ('ann', 'ann', 'ann')
    """
    name = PurePosixPath(path).name
    return name[: -len(ARCHIVE)] if is_archive(name) else name.removesuffix(NOTEBOOK).removesuffix(".py")


# Folders and archives on this disk; an inner archive counts as a folder. Links in a folder are not followed, so that
# nothing outside the submissions is read.


MAX_FILES = 100_000
"""The maximum number of files below a folder; with more, it is probably a whole disk."""


def read_tree(path: str | Path, *, alone: bool = False) -> SourceTree:
    """Everything in a folder or an archive. Raises NotationError if it cannot be read at all.

    A bad file in an archive is left out of a class, but the whole archive is refused if it is one player (``alone``).
    """
    if os.path.isdir(path):
        return read_folder(Path(path))
    with open_archive(path) as file:
        return (read_player_archive if alone else read_class_archive)(file, Path(path).name)


def read_folder(path: Path) -> SourceTree:
    """Everything in a folder; an unreadable file only marks itself broken."""
    result = SourceTree()

    def mark_unreadable(error: OSError) -> None:
        inner = os.path.relpath(error.filename, path)
        why = f"the folder {quoted_path(str(error.filename))} cannot be read: {reason(error)}."
        if inner == ".":
            raise NotationError(why) from error
        result.broken[f"{inner}/"] = why

    for number, (name, inner) in enumerate(walk_folder(path, mark_unreadable)):
        if number == MAX_FILES:
            raise NotationError(
                f"{quoted_path(str(path))} holds more than {MAX_FILES} files: name the folder of players."
            )
        inner = with_lowercase_suffix(inner)
        if name.is_symlink():
            result.broken[inner] = f"{quoted_path(inner)} is a link, which is not followed."
        elif not is_read(inner):
            result.others.append(inner)
        elif why := why_bad_path(inner):
            result.broken[inner] = f"{quoted_path(inner)} {why}."
        elif inner in result.files:
            result.drop(inner, f"{quoted_path(inner)} appears twice, apart from capital letters: keep only one.")
        else:
            try:
                if is_archive(inner):
                    with open_archive(name, inner) as file:
                        result.add(inner, file)
                else:
                    result.add(inner, content_of(name, size_limit(inner), inner))
            except NotationError as error:
                result.broken[inner] = str(error)
            result.shrink(MAX_CLASS_BYTES)
    return result


def walk_folder(path: Path, on_error: Callable[[OSError], object] | None = None) -> Iterator[tuple[Path, str]]:
    """Every file, link and empty folder below a folder, with its path relative to that folder, sorted by name.

    ``on_error`` is called for folders that cannot be read. Folders that are too deep are skipped.
    """
    for directory, folders, files in os.walk(path, onerror=on_error):
        relative = Path(directory).relative_to(path)
        folders[:] = (
            sorted(name for name in folders if not is_hidden(name)) if len(relative.parts) <= MAX_FOLDERS else []
        )
        links = [name for name in folders if Path(directory, name).is_symlink()]
        names = [name for name in sorted([*files, *links]) if not is_hidden(name)]
        for name in names:
            yield Path(directory, name), (relative / name).as_posix()
        if not names and not folders and relative.name:
            yield Path(directory), f"{relative.as_posix()}/"


def content_of(path: str | Path, max_bytes: int, shown_name: str = "") -> bytes:
    """The bytes of a regular file. Raises NotationError with one sentence if it cannot be read or has more bytes.

    ``shown_name`` is the file's name in that sentence; default: the path.
    """
    shown_name = shown_name or str(path)
    try:
        content = regular_content(path, max_bytes)
    except (OSError, ValueError) as error:
        raise unreadable(shown_name, error) from error
    if len(content) > max_bytes:
        raise NotationError(too_large(shown_name, max_bytes))
    return content


def open_archive(path: str | Path, shown_name: str = "") -> io.FileIO:
    """An archive on this disk, open for reading in chunks.

    Raises NotationError with one sentence if it can't be read.
    """
    shown_name = shown_name or str(path)
    try:
        file = regular_file(path)
    except (OSError, ValueError) as error:
        raise unreadable(shown_name, error) from error
    if os.fstat(file.fileno()).st_size > MAX_ARCHIVE_BYTES:
        file.close()
        raise NotationError(too_large(shown_name))
    return file


def unreadable(shown_name: str, error: OSError | ValueError) -> NotationError:
    """The error for a file that cannot be read."""
    why = f"cannot be read: {reason(error)}" if isinstance(error, OSError) else f"isn't a path: {error}"
    return NotationError(f"{quoted_path(shown_name)} {why}.")


def reason(error: OSError) -> str:
    """Why a file cannot be read."""
    missing = isinstance(error, FileNotFoundError)
    return "no such file" if missing else cause(error)


def regular_content(path: str | Path, max_bytes: int) -> bytes:
    """The content of a regular file, cut after ``max_bytes + 1`` bytes. Raises OSError for anything else."""
    parts = []
    with regular_file(path) as file:
        while max_bytes >= 0 and (chunk := file.read(min(max_bytes + 1, 1 << 20))):
            parts.append(chunk)
            max_bytes -= len(chunk)
    return b"".join(parts)


def regular_file(path: str | Path) -> io.FileIO:
    """A regular file, open for reading. Raises OSError for anything else."""
    fd = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError("it isn't a regular file")
    return io.FileIO(fd)
