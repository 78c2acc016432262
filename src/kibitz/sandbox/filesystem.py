"""The files that a player's process can see, and the root directory that has only these files.

    library           the interpreter's own modules and the installed ones, which a file may import
    shared            folders from which Python needs only the shared libraries, and the files that these read
    system            the machine's own folders of shared libraries, and the few other files that the C library reads
    rootfs            a read-only root directory with the library and the C library at their places, and nothing else
    mirrored rootfs   its directories are in memory, and its files on the disk
    plain rootfs      its directories are on the disk; for kernels that allow too few mounts for a mirrored rootfs

Landlock hides the contents of files, but not their existence, size and time of last reading, and some of that changes
as processes work: the size of /proc/7/fd is the number of process 7's descriptors, a library file that is read gets a
new time, and a failed look-up of a name is remembered. A rootfs hides all of this. Root can always make a rootfs; other
users can if the kernel lets them have namespaces.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple

from kibitz.sandbox import linux
from kibitz.sandbox.linux import NO_DEV, NO_SUID, PRIVATE, RECURSIVE

# Which files may be read, and how the user ``nobody`` reaches them. They include no home directories, no folders of
# players, no /proc and no /tmp. Root's own Python may be in a directory that only root may enter, such as /root. Then
# ``open_closed_directories`` covers that directory, for the fork server alone, with one that holds only the library.


SHARED = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
SYSTEM = (
    *(*SHARED, "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/dev/null", "/dev/zero", "/dev/urandom"),
)
PACKAGES = ("site-packages", "dist-packages")
HIDDEN_FOLDERS = (
    *("test", "ctypes/test", "distutils/tests", "lib2to3/tests", "sqlite3/test", "tkinter/test", "unittest/test"),
    *("idlelib", "turtledemo"),
)
"""Python's editor and its own tests, which players don't need: two fifths of the library's files."""


def library() -> tuple[str, ...]:
    """The directories of modules that a player file may import, shortest first and none inside another.

    If the standard library is a single file, that file is included.
    """
    return outermost(module_folders())


def module_folders() -> set[str]:
    """All directories and archives in which Python looks for modules, including directories inside another one."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if os.path.basename(path) in PACKAGES}
    archives = {path for path in sys.path if path.endswith(".zip") and os.path.isfile(path)}
    return archives | with_real_paths({path for path in folders if os.path.isdir(path)})


def with_real_paths(paths: set[str]) -> set[str]:
    """The paths, and the same paths with links resolved."""
    return paths | {os.path.realpath(path) for path in paths}


def shared_library_folders() -> tuple[str, ...]:
    """The directories of shared libraries, including the interpreter's."""
    interpreters = os.path.join(sys.base_prefix, "lib")
    return (*sorted(with_real_paths({interpreters}) if os.path.isdir(interpreters) else ()), *SHARED)


def hidden_paths() -> set[str]:
    """Paths in the library that players don't see: ``HIDDEN_FOLDERS`` and other environments' packages."""
    bases = with_real_paths({sysconfig.get_paths()["stdlib"]})
    return {os.path.join(base, name) for base in bases for name in (*PACKAGES, *HIDDEN_FOLDERS)} - module_folders()


def outermost(paths: set[str]) -> tuple[str, ...]:
    """The paths that aren't inside another of the paths.

    >>> outermost({"/a/b", "/a", "/ab"})
    ('/a', '/ab')
    """
    return tuple(sorted(path for path in paths if not any(path.startswith(f"{other}/") for other in paths)))


def readable_paths() -> tuple[str, ...]:
    """All paths that a player's process may read."""
    return (*library(), *(path for path in shared_library_folders() if path not in SYSTEM), *SYSTEM)


def readable_without_packages() -> tuple[str, ...]:
    """All paths that a player's process may read, except installed packages."""
    stdlib = [path for path in with_real_paths({sysconfig.get_paths()["stdlib"]}) if os.path.isdir(path)]
    return (*sorted(stdlib), *(path for path in readable_paths() if path not in library()))


def first_closed_directory(path: str) -> str | None:
    """The first directory on the way to ``path`` that other users may not enter."""
    directory = ""
    for name in path.split("/")[1:]:
        directory = f"{directory}/{name}"
        if not stat.S_IMODE(os.stat(directory).st_mode) & 0o001 and os.path.isdir(directory):
            return directory
    return None


def open_closed_directories(paths: Sequence[str]) -> None:
    """Let other users reach these directories in this process and its children.

    Raises OSError if root may not do that.
    """
    paths_in: dict[str, list[str]] = {}
    for path in paths:
        if closed := first_closed_directory(path):
            paths_in.setdefault(closed, []).append(path)
    if not paths_in:
        return
    linux.system_call("unshare", linux.UNSHARE[os.uname().machine], linux.NEW_MOUNTS)
    linux.mount("mount", "", "/", "", linux.PRIVATE | linux.RECURSIVE)
    for closed, inner_paths in paths_in.items():
        descriptors = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in inner_paths]
        linux.mount("mount", "kibitz", closed, "tmpfs", linux.NO_SUID | linux.NO_DEV, "mode=755,size=64k")
        for path, descriptor in zip(inner_paths, descriptors, strict=True):
            os.makedirs(path, 0o755, exist_ok=True)
            linux.mount("mount", f"/proc/self/fd/{descriptor}", path, "", linux.BIND)
            os.close(descriptor)
        flags = linux.REMOUNT | linux.READ_ONLY | linux.NO_SUID | linux.NO_DEV
        linux.mount("mount", "", closed, "", flags)


# Mirrored directories and their links are created in memory; each file is mounted from the disk at its place. The mount
# points are links to one empty file, which takes the least memory.
#
# Linux remembers failed look-ups of names in a directory of a disk, and then answers every process faster. It doesn't
# do so for a directory in a tmpfs. No directory of the disk can be reached from a mounted file.


EntryFilter = Callable[[str, "os.DirEntry[str]"], bool]
"""Whether to show an entry of a directory; the first argument is the directory's path below the mirrored one."""
EMPTY_FILE = "/.blank"
MAX_DEPTH = 2
"""Directories of shared libraries are no deeper than this below /usr/lib, as in /usr/lib/x86_64-linux-gnu/blas."""
DATA = ("gconv", "locale", "ssl")
"""Other files that the C library and OpenSSL read, at any depth."""
HIDDEN_ENDINGS = (
    *(".opt-1.pyc", ".opt-2.pyc", ".pyx", ".pxd", ".pxi", ".exe"),
    *(".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cu", ".f", ".f90", ".a", ".o"),
    *(".svg", ".woff", ".woff2", ".map"),
)
"""Endings of files that players can't use: files for optimised Python, for compilers and for browsers.

Pages, style sheets, scripts and type stubs are shown, because some packages read theirs when they are imported.
"""
SKIPPED_ERRORS = frozenset(
    (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EINVAL, errno.ELOOP, errno.ENAMETOOLONG, errno.EEXIST)
)
"""After one of these errors, an entry is left out: it has just changed, can't be read, or has too long a path."""
RESERVED_MOUNTS = 10_000
"""The number of mounts reserved for the shared libraries and for the mounts that the machine already has."""


def any_entry(_below: str, entry: os.DirEntry[str]) -> bool:
    """Everything except ``HIDDEN_ENDINGS``: packages have many such files, and each would need a mount."""
    return not entry.name.endswith(HIDDEN_ENDINGS) or entry.is_dir(follow_symlinks=False)


def library_entry(below: str, entry: os.DirEntry[str]) -> bool:
    """Shared libraries, the files that they read, and links; not the rest of /usr/lib, such as other languages."""
    names = below.split("/")[1:]
    if any(name in DATA for name in names):
        return True
    if entry.is_dir(follow_symlinks=False):
        return len(names) < MAX_DEPTH or entry.name in DATA
    return ".so" in entry.name or entry.is_symlink()


class Mirror:
    """Mirrors directories, except the paths ``without``, in this process's root directory, which must be a tmpfs."""

    def __init__(self, without: Collection[str]) -> None:
        self.without = without
        self.modes: dict[str, int] = {}
        """The modes of directories that are not made until something in them is shown."""
        os.close(os.open(EMPTY_FILE, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444))

    def close(self) -> None:
        """Remove the empty file, which was needed only for mirroring."""
        os.unlink(EMPTY_FILE)

    def add(self, path: str, source: int, is_shown: EntryFilter) -> None:
        """Mirror at ``path`` the directory that is open as ``source``, with the entries that ``is_shown`` selects."""
        waiting = [""]
        while waiting:
            waiting += self.add_directory(path, source, waiting.pop(), is_shown)

    def add_directory(self, path: str, source: int, below: str, is_shown: EntryFilter) -> list[str]:
        """Mirror the directory ``below`` the one that is open as ``source``; returns the directories inside it."""
        directory, inner = path + below, []
        try:
            with inside_directory(f".{below}", source) as (descriptor, mode), os.scandir(descriptor) as entries:
                self.modes[directory] = mode
                if is_shown is any_entry:
                    self.make_directory(directory)
                for entry in entries:
                    target = f"{directory}/{entry.name}"
                    if target in self.without or not is_shown(below, entry):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        inner.append(f"{below}/{entry.name}")
                    else:
                        self.add_entry(entry, directory, target)
        except OSError as error:
            raise_unless_skippable(error)
        return inner

    def add_entry(self, entry: os.DirEntry[str], directory: str, target: str) -> None:
        """Mirror an entry that isn't a directory; anything but a file or a link is left out."""
        try:
            if entry.is_file(follow_symlinks=False):
                self.make_directory(directory)
                self.add_file(entry.name, target)
            elif entry.is_symlink():
                self.make_directory(directory)
                os.symlink(os.readlink(entry.name), target)  # this name may already exist
        except OSError as error:
            raise_unless_skippable(error)

    def make_directory(self, directory: str) -> None:
        """Make a directory and its parents, with the modes that they have on the disk, which keep out the same users.

        Only this process, which owns them, can always enter.
        """
        missing = []
        while directory in self.modes:
            missing.append(directory)
            directory = os.path.dirname(directory)
        if missing:
            os.makedirs(directory, 0o755, exist_ok=True)
        for path in reversed(missing):
            mode = self.modes.pop(path)
            if not os.path.isdir(path):
                os.mkdir(path, mode | 0o700)

    def add_file(self, source: str, target: str) -> None:
        """Mount a file at ``target``; nothing remains there if it cannot be mounted."""
        os.link(EMPTY_FILE, target)
        try:
            linux.bind(os.fsencode(source), os.fsencode(target))
        except OSError:
            os.unlink(target)
            raise


def raise_unless_skippable(error: OSError) -> None:
    """Raise the error again, unless it only means that an entry is left out (``SKIPPED_ERRORS``)."""
    if error.errno not in SKIPPED_ERRORS:
        raise error


@contextmanager
def inside_directory(path: str, source: int) -> Iterator[tuple[int, int]]:
    """Make a directory below an open one the current directory; yield its descriptor and its mode."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    try:
        os.fchdir(descriptor)
        yield descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def has_too_many_entries(paths: Iterable[str], without: Collection[str], proc_fd: int) -> bool:
    """Whether directories have more entries than the kernel lets us mount; ``proc_fd`` is a descriptor of /proc.

    All entries count, not only files, since links are limited too (``TMPFS_OPTIONS``).
    """
    entries, waiting = 0, [*paths]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as directory:
                for entry in directory:
                    if entry.path not in without and any_entry("", entry):
                        entries += 1
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
        except OSError:  # an unlistable directory is shown empty
            continue
    try:
        with open("sys/fs/mount-max", opener=partial(os.open, dir_fd=proc_fd)) as file:
            return entries > int(file.read()) - RESERVED_MOUNTS
    except OSError:
        return False


# The rootfs, which the fork server enters for all its players.
#
# BWRAP_DIR   the directory with bubblewrap's /proc; once the fork server has opened that, nobody can enter
# proc_fd     a descriptor of /proc, which the fork server keeps and no player gets


BWRAP_DIR = "/closed"
NAMESPACES = linux.NEW_MOUNTS | linux.NEW_HOST_NAME | linux.NEW_IPC
TMPFS_OPTIONS = "mode=755,size=512m,nr_inodes=0"
"""The options of the rootfs's tmpfs; 512 MiB is enough: only links of more than 127 letters use it, a page each."""


class MountSource(NamedTuple):
    """Something to show: an open directory, and the name of a file in it, or a dot for the directory itself."""

    folder: int
    name: str

    @property
    def is_directory(self) -> bool:
        """Whether to show the directory, not a file in it."""
        return self.name == "."


Sources = Mapping[str, MountSource]


def inside_bubblewrap() -> bool:
    """Whether bubblewrap has already made a rootfs for this process."""
    return os.path.isdir(BWRAP_DIR)


@cache
def proc_fd() -> int:
    """A descriptor of /proc; where bubblewrap has hidden it, it can be opened only once."""
    hidden = inside_bubblewrap()
    result = os.open(f"{BWRAP_DIR}/proc" if hidden else "/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if hidden:
        os.chmod(BWRAP_DIR, 0)
    return result


def enter_rootfs(paths: Sequence[str], user: int) -> bool:
    """Let this process and its children see only these paths; False if the kernel doesn't allow that.

    Unless it is root, the process has the user id ``user`` from then on.  It must have a single thread.  A child
    process tries it first, with only the files among the paths: if the kernel refused half-way, this process would be
    left with half a rootfs.
    """
    pid = os.fork()
    if not pid:
        status = 1
        try:
            change_root([path for path in paths if not os.path.isdir(path)], user)
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(pid, 0)[1]:
        return False
    change_root(paths, user)
    return True


def change_root(paths: Sequence[str], user: int) -> None:
    """Build the rootfs and make it the root. Raises OSError if the kernel refuses."""
    os.umask(0o022)
    enter_namespaces(user)
    linux.mount("mount", "", "/", "", PRIVATE | RECURSIVE)
    sources = {path: open_source(path) for path in paths if os.path.exists(path)}
    old_root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        build_rootfs(mirror_directories, sources)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        restore_root(old_root)
        build_rootfs(mount_directories, sources)
    for folder in {opened.folder for opened in sources.values()}:
        os.close(folder)
    os.fchdir(old_root)
    os.close(old_root)
    linux.unmount("umount", ".")
    os.chdir("/")
    linux.make_read_only("/")
    socket.sethostname("kibitz")
    if user == os.geteuid():
        linux.drop_capabilities()


def enter_namespaces(user: int) -> None:
    """Enter new namespaces; without root or bubblewrap, they include a user namespace with the user id ``user``."""
    uid, gid = os.geteuid(), os.getegid()
    call = linux.UNSHARE[os.uname().machine]
    needs_user_namespace = uid and not inside_bubblewrap()
    linux.system_call("unshare", call, NAMESPACES | (linux.NEW_USERS if needs_user_namespace else 0))
    if needs_user_namespace:
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {uid} 1"), ("gid_map", f"{user} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)


def open_source(path: str) -> MountSource:
    """An open source for a path, which stays usable after the root directory has changed."""
    real = os.path.realpath(path)
    folder, name = (real, ".") if os.path.isdir(real) else os.path.split(real)
    return MountSource(os.open(folder, os.O_PATH | os.O_CLOEXEC), name)


def build_rootfs(fill: Callable[[Sources], None], sources: Sources) -> None:
    """Enter an empty root directory, with the old one mounted over it, and fill it; ``fill`` adds the directories."""
    new_root = BWRAP_DIR if inside_bubblewrap() else "/tmp"
    linux.mount("mount", "kibitz", new_root, "tmpfs", NO_SUID | NO_DEV, TMPFS_OPTIONS)
    os.chdir(new_root)
    pivot_root()
    for path, opened in sources.items():
        if not opened.is_directory:
            mount_source(path, opened)
    fill(sources)


def pivot_root() -> None:
    """Make the current mount the root directory, with the old one over it."""
    linux.system_call("pivot_root", linux.PIVOT_ROOT[os.uname().machine], b".", b".")


def restore_root(old_root: int) -> None:
    """Return to the old root directory, and remove the unfinished rootfs."""
    unfinished = os.open("/", os.O_PATH | os.O_CLOEXEC)
    os.fchdir(old_root)
    pivot_root()
    os.fchdir(unfinished)
    os.close(unfinished)
    linux.unmount("umount", ".")
    os.chdir("/")


def mirror_directories(sources: Sources) -> None:
    """Mirror the directories in the rootfs; a directory that is already there under another name becomes a link.

    Links come last, and inner ones first, so that nothing is ever put where a link leads.
    """
    first_paths: dict[tuple[int, int], str] = {}
    folders = {path: opened.folder for path, opened in sources.items() if opened.is_directory}
    libraries_only, mirror = shared_library_folders(), Mirror({*folders, *hidden_paths()})
    duplicates = []
    for path, folder in folders.items():
        status = os.fstat(folder)
        first = first_paths.setdefault((status.st_dev, status.st_ino), path)
        if first == path:
            mirror.add(path, folder, library_entry if path in libraries_only else any_entry)
        else:
            duplicates.append((path, first))
    for path, first in sorted(duplicates, reverse=True):
        if os.path.isdir(path):
            mirror.add(path, folders[path], library_entry if path in libraries_only else any_entry)
        else:
            os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
            os.symlink(first, path)
    mirror.close()


def mount_directories(sources: Sources) -> None:
    """Mount the directories in the rootfs as they are on the disk."""
    for path in outermost({path for path, opened in sources.items() if opened.is_directory}):
        mount_source(path, sources[path])


def mount_source(path: str, opened: MountSource) -> None:
    """Mount a file or a directory at its path in the rootfs."""
    os.makedirs(path if opened.is_directory else os.path.dirname(path), 0o755, exist_ok=True)
    if not opened.is_directory:
        os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
    os.fchdir(opened.folder)
    linux.bind(os.fsencode(opened.name), os.fsencode(path), linux.BOUND_WITH_ALL_BELOW)
