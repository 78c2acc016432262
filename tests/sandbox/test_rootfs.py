"""What the root directory of a fork server holds, and what an honest file finds in it."""

import ast
import errno
import os
import stat
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

import pytest

from kibitz.players.limits import STANDARD
from kibitz.sandbox import filesystem, linux
from kibitz.sandbox.filesystem import hidden_paths, library, readable_paths, readable_without_packages
from tests.players.conftest import go_with, match_with
from tests.sandbox.conftest import require_tier, run_in_child
from tests.tiers import first_fast

NOBODY = 65534
MOUNT_RESTRICTIONS = os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC
"""What a mount may forbid other than writing."""


def enter_rootfs(paths=None):
    """Enter a rootfs. Only a child process does this, since it can't be undone."""
    if not filesystem.enter_rootfs(paths or readable_paths(), NOBODY):
        pytest.skip("this kernel allows no rootfs")


def all_entries(paths):
    """All entries below these paths: type, and the size of a file or the permissions of a directory.

    Only directories, links and files are mirrored; pipes and other special files are left out.
    """
    found = {}
    for top in paths:
        for place, folders, names in os.walk(top):
            folders[:] = [name for name in folders if f"{place}/{name}" not in hidden_paths()]
            for name in (*folders, *names):
                about = os.lstat(path := f"{place}/{name}")
                kind = stat.S_IFMT(about.st_mode)
                others = kind != stat.S_IFDIR and name.endswith(filesystem.HIDDEN_ENDINGS)
                if kind in (stat.S_IFDIR, stat.S_IFREG, stat.S_IFLNK) and not others:
                    size = about.st_size if kind == stat.S_IFREG else 0
                    found[path] = kind, stat.S_IMODE(about.st_mode) & 0o055 if kind == stat.S_IFDIR else size
    return found


def directories_on_disk():
    """The directories of a rootfs that are not in memory."""
    memory = os.stat("/").st_dev
    return [
        path
        for place, folders, _ in os.walk("/")
        for name in folders
        for path in (f"{place}/{name}", f"{place}/{name}/..")
        if os.stat(path).st_dev != memory
    ]


@pytest.mark.long
def test_all_directories_of_a_rootfs_are_in_memory_and_all_modules_are_in_it():
    """For all packages installed here; nothing can be changed or added."""
    before = all_entries(library())

    def look_inside():
        enter_rootfs()
        after = all_entries(library())
        changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
        return (
            changed[:9],
            len(after),
            directories_on_disk()[:9],
            [path for path in readable_paths() if writes(f"{path}/kibitz-attack")],
        )

    assert run_in_child(look_inside) == ([], len(before), [], [])
    assert len(before) > 1000


def test_rootfs_holds_only_what_players_may_read():
    wanted = sorted({path.split("/")[1] for path in readable_paths() if os.path.exists(path)})

    def look_inside():
        enter_rootfs()
        gone = not any(os.path.lexists(path) for path in ("/proc/self", "/var/lib", "/sys/kernel", "/etc/passwd"))
        return sorted(os.listdir("/")), gone, writes("/kibitz-attack"), os.uname().nodename

    assert run_in_child(look_inside) == (wanted, True, False, "kibitz")


def writes(path):
    try:
        Path(path).write_text("x")
    except OSError:
        return False
    return True


def test_refused_rootfs_leaves_the_process_unchanged(monkeypatch):
    def refuse(paths, user):
        raise PermissionError

    monkeypatch.setattr(filesystem, "change_root", refuse)
    before = os.listdir("/")
    assert filesystem.enter_rootfs(readable_paths(), NOBODY) is False
    assert os.listdir("/") == before


@pytest.mark.long
def test_rootfs_uses_the_disks_directories_if_not_all_files_can_be_mounted(monkeypatch):
    """The kernel limits the number of mounts, and other programs use some of them."""
    done = iter(range(300))

    def full(source, target, flags=linux.BOUND):
        if flags is linux.BOUND and next(done, None) is None:
            raise OSError(errno.ENOSPC, "no room")
        linux.check_result("bind", linux.libc.mount(source, target, None, flags, None))

    monkeypatch.setattr(linux, "bind", full)
    wanted = sorted({path.split("/")[1] for path in readable_paths() if os.path.exists(path)})

    def look_inside():
        enter_rootfs()
        return (
            sorted(os.listdir("/")),
            os.path.isfile(os.__file__),
            bool(directories_on_disk()),
            writes(f"{library()[0]}/x"),
        )

    assert run_in_child(look_inside) == (wanted, True, True, False)


def test_rootfs_is_read_only_and_grants_no_rights():
    """This holds for its root and every file; each file also keeps the restrictions of its own mount."""
    paths = [path for path in (*readable_without_packages(), "/dev/shm") if os.path.exists(path)]
    files = {first for path in paths if (first := some_file(path))}
    before = {path: os.statvfs(path).f_flag for path in files}

    def flags():
        enter_rootfs(paths)
        return os.statvfs("/").f_flag, {path: os.statvfs(path).f_flag for path in files}

    root, after = run_in_child(flags)
    nothing_special = os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV
    assert root & nothing_special == nothing_special
    assert len(after) > 4
    for path, found in after.items():
        assert found & (os.ST_RDONLY | os.ST_NOSUID) == os.ST_RDONLY | os.ST_NOSUID, path
        assert before[path] & MOUNT_RESTRICTIONS & ~found == 0, path


def some_file(path):
    """A shown file at a path, or at most two levels below it; or an empty string."""
    if not os.path.isdir(path):
        return path
    found = (one for pattern in ("*.so*", "*/*.so*") for one in sorted(Path(path).glob(pattern)))
    return next((str(one) for one in found if one.is_file() and not one.is_symlink()), "")


def test_links_lead_to_files_in_memory(tmp_path):
    """A package may hold relative links with ``..`` and absolute links to its own directories."""
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "file.py").write_text("x = 1\n")
    (package / "around").symlink_to("inner/../inner")
    (package / "whole").symlink_to(package / "inner")
    (package / "file.py").symlink_to("inner/file.py")
    (package / "out").symlink_to("/etc")
    os.mkfifo(package / "wire")
    twin = tmp_path / "twin"
    twin.symlink_to(package)

    def look_inside():
        enter_rootfs([str(package), str(twin)])
        reached = [Path(f"{place}/file.py").read_text() for place in (package, package / "around", package / "whole")]
        reached.append((twin / "inner" / "file.py").read_text())
        return reached, sorted(os.listdir(package)), os.path.exists(package / "out" / "passwd"), directories_on_disk()

    names = ["around", "file.py", "inner", "out", "whole"]
    assert run_in_child(look_inside) == (["x = 1\n"] * 4, names, False, [])


def seen_in_rootfs(package, look):
    """The result of ``look`` in a rootfs that also holds this package."""

    def look_inside():
        enter_rootfs([str(package)])
        return look(), directories_on_disk()

    seen, on_disks = run_in_child(look_inside)
    assert on_disks == []
    return seen


def files_below(top):
    """The paths of all files and links to files below a directory."""
    return sorted(f"{place}/{name}"[len(str(top)) + 1 :] for place, _, found in os.walk(top) for name in found)


@pytest.mark.parametrize("shared", [False, True], ids=["package", "shared libraries"])
def test_rootfs_keeps_directory_permissions(tmp_path, monkeypatch, shared):
    """Files in a closed directory may themselves be readable by everybody."""
    package = tmp_path / "package"
    (package / "ssl" / "private" / "inner").mkdir(parents=True)
    (package / "ssl" / "private" / "inner" / "key.pem").write_text("secret")
    (package / "ssl" / "private").chmod(0o700)
    (package / "ssl" / "open.pem").write_text("x")
    if shared:
        monkeypatch.setattr(filesystem, "shared_library_folders", lambda: (str(package), *filesystem.SHARED))

    def modes():
        return [stat.S_IMODE(os.stat(place).st_mode) for place in (package / "ssl", package / "ssl" / "private")]

    before = modes()
    assert seen_in_rootfs(package, modes) == before
    assert before[1] == 0o700


@pytest.mark.parametrize("code", sorted(filesystem.SKIPPED_ERRORS))
def test_changed_or_unreachable_entry_is_skipped_alone(tmp_path, monkeypatch, code):
    """An installation may change meanwhile, and its directories may belong to another user."""
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    for name in ("a.py", "bad.py", "inner/c.py", "z.py"):
        (package / name).write_text("x")
    (package / "bad").symlink_to("a.py")
    (package / "kept out").mkdir()
    (package / "kept out" / "b.py").write_text("x")
    kept_out, bind, read, go = os.stat(package / "kept out").st_ino, linux.bind, os.readlink, os.fchdir

    def bad_file(source, target, *flags):
        if source == b"bad.py":
            raise OSError(code, "gone")
        bind(source, target, *flags)

    def bad_link(path, **how):
        if path == "bad":
            raise OSError(code, "gone")
        return read(path, **how)

    def bad_folder(found):
        if os.fstat(found).st_ino == kept_out:
            raise OSError(code, "gone")
        go(found)

    monkeypatch.setattr(linux, "bind", bad_file)
    monkeypatch.setattr(os, "readlink", bad_link)
    monkeypatch.setattr(os, "fchdir", bad_folder)

    assert seen_in_rootfs(package, lambda: files_below(package)) == ["a.py", "inner/c.py", "z.py"]


@pytest.mark.parametrize("put", ["symlink_to", "write_text", "mkfifo"])
def test_entry_that_is_no_longer_a_directory_is_not_entered(put, tmp_path):
    """A link would lead elsewhere, and opening a pipe would block until something writes to it."""
    (tmp_path / "elsewhere").mkdir()
    name = tmp_path / "inner"
    if put == "mkfifo":
        os.mkfifo(name)
    else:
        getattr(name, put)("elsewhere")
    here, source = os.getcwd(), os.open(tmp_path, os.O_RDONLY)
    timeout = threading.Timer(20, lambda: os.close(os.open(name, os.O_WRONLY | os.O_NONBLOCK)))
    timeout.start()
    try:
        began = time.monotonic()
        with pytest.raises(OSError, match=r"directory|symbolic links") as refused:  # noqa: SIM117
            with filesystem.inside_directory("inner", source):
                pass
        assert refused.value.errno in filesystem.SKIPPED_ERRORS
        assert time.monotonic() - began < 20
    finally:
        timeout.cancel()
        os.chdir(here)
        os.close(source)


@pytest.mark.parametrize("folder", first_fast(["d" * 200, "d"]))
def test_very_deep_directories_do_not_break_the_rootfs(tmp_path, folder):
    """Neither a path longer than the system allows, nor more levels than Python's recursion limit."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("x")

    def look_inside():
        enter_rootfs([str(package)])
        return os.path.isfile(package / "a.py"), os.stat(package).st_dev == os.stat("/").st_dev

    here = os.getcwd()
    try:
        os.chdir(package)
        for _ in range(60 if folder != "d" else 3000):
            os.mkdir(folder)
            os.chdir(folder)
    finally:
        os.chdir(here)
    processes = os.open("/proc", os.O_RDONLY)
    try:
        assert not filesystem.has_too_many_entries([str(package)], (), processes)
        assert run_in_child(look_inside) == (True, True)
    finally:
        os.close(processes)
        subprocess.run(["rm", "-rf", str(package)], check=True)  # shutil.rmtree would exceed the recursion limit


@pytest.mark.long
def test_long_links_fit_up_to_the_counted_maximum(tmp_path):
    """A link of more than 127 characters takes a page of memory, and an installation may hold many."""
    package = tmp_path / "package"
    package.mkdir()
    for number in range(20_000):
        (package / f"{number}.py").symlink_to(f"/{'far' * 50}/{number}.py")
    assert seen_in_rootfs(package, lambda: len(os.listdir(package))) == 20_000
    most = 100_000 - filesystem.RESERVED_MOUNTS
    assert most * os.sysconf("SC_PAGESIZE") < 512 << 20
    assert "size=512m" in filesystem.TMPFS_OPTIONS


def test_data_files_that_packages_read_on_import_are_shown(tmp_path):
    names = [f"data.{one}" for one in ["css", "html", "js", "pyi", "json", "txt", "pem", "dat", "npy", "csv", "xml"]]
    package = tmp_path / "package"
    package.mkdir()
    for name in names:
        (package / name).write_text("x")
    assert seen_in_rootfs(package, lambda: sorted(os.listdir(package))) == sorted(names)


def test_library_behind_a_link_in_a_shared_library_directory_is_shown(tmp_path, monkeypatch):
    """A Python installed in the system directories may be reached so; the rootfs must still be made."""
    own, elsewhere = tmp_path / "lib", tmp_path / "elsewhere"
    (elsewhere / "python").mkdir(parents=True)
    (elsewhere / "python" / "os.py").write_text("x = 1\n")
    own.mkdir()
    (own / "libc.so").write_text("x")
    (own / "local").symlink_to(elsewhere)
    files = [str(own / "local" / "python"), str(own)]
    monkeypatch.setattr(filesystem, "shared_library_folders", lambda: (str(own), *filesystem.SHARED))

    def look_inside():
        enter_rootfs(files)
        return (own / "local" / "python" / "os.py").read_text(), sorted(os.listdir(own)), directories_on_disk()

    assert run_in_child(look_inside) == ("x = 1\n", ["libc.so", "local"], [])


def test_shared_library_directory_is_filtered_under_each_of_its_names(tmp_path, monkeypatch):
    """Also if a name can't be a link, since another path lies below it; other directories are shown in full."""
    names = {name: (tmp_path / name, tmp_path / f"{name} too") for name in ("thin", "whole")}
    for own, alias in names.values():
        (own / "inner").mkdir(parents=True)
        for path in ("libc.so", "notes.txt", "inner/file.py"):
            (own / path).write_text("x")
        alias.symlink_to(own)
    paths = [str(path) for pair in names.values() for path in pair]
    below = [f"{alias}/inner" for _, alias in names.values()]
    monkeypatch.setattr(filesystem, "shared_library_folders", lambda: (*map(str, names["thin"]), *filesystem.SHARED))

    def look_inside():
        enter_rootfs([*below, *paths])
        seen = {path[len(str(tmp_path)) + 1 :]: sorted(os.listdir(path)) for path in paths}
        return (
            seen,
            [os.path.islink(path) for path in paths],
            [os.listdir(path) for path in below],
            directories_on_disk(),
        )

    thin, whole = ["inner", "libc.so"], ["inner", "libc.so", "notes.txt"]
    seen = {"thin": ["libc.so"], "thin too": thin, "whole": whole, "whole too": whole}
    assert run_in_child(look_inside) == (seen, [False] * 4, [["file.py"]] * 2, [])


def test_system_directories_show_only_shared_libraries_and_their_data(tmp_path, monkeypatch):
    own = tmp_path / "lib"
    shown = ["libc.so.6", "x86/libm.so", "x86/blas/libblas.so.3", "x86/gconv/gconv-modules", "locale/C.utf8/LC_CTYPE"]
    for path in (*shown, "node/package.json", "node/a/b/c/libdeep.so", "x86/notes.txt"):
        (own / path).parent.mkdir(parents=True, exist_ok=True)
        (own / path).write_text("x")
    (own / "libz.so").symlink_to("libc.so.6")
    monkeypatch.setattr(filesystem, "shared_library_folders", lambda: (str(own), *filesystem.SHARED))
    assert seen_in_rootfs(own, lambda: files_below(own)) == sorted([*shown, "libz.so"])


def test_library_holds_the_import_path_but_not_the_parents_packages():
    """A virtual environment ignores its parent's packages, so no time is spent on showing them."""
    mine = [path for path in sys.path if Path(path).name in filesystem.PACKAGES]
    assert mine
    assert [path for path in mine if not f"{path}/".startswith(tuple(f"{one}/" for one in library()))] == []
    assert not hidden_paths() & {os.path.realpath(path) for path in sys.path}
    if sys.prefix != sys.base_prefix:
        assert [path for path in hidden_paths() if Path(path).name in filesystem.PACKAGES]


@pytest.mark.long
def test_left_out_standard_modules_are_not_imported_by_others():
    """Python's own tests and editor are left out; no other module imports them at its top level."""
    base = Path(sysconfig.get_paths()["stdlib"])
    names = {name.split("/")[0] for name in filesystem.HIDDEN_FOLDERS if "/" not in name}
    left_out = [f"{base / name}/" for name in (*filesystem.HIDDEN_FOLDERS, *filesystem.PACKAGES)]
    importers = []
    for path in base.rglob("*.py"):
        if str(path).startswith(tuple(left_out)):
            continue
        tree = ast.parse(path.read_bytes())
        top = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
        found = {alias.name for one in top if isinstance(one, ast.Import) for alias in one.names}
        found |= {one.module or "" for one in top if isinstance(one, ast.ImportFrom) and not one.level}
        importers += [str(path) for name in found if name.split(".")[0] in names]
    assert importers == []


def test_packages_and_zip_files_elsewhere_on_the_path_are_in_the_library(tmp_path, monkeypatch):
    """For example Debian's packages, if a virtual environment also uses the system's; a listed file may not exist."""
    packages = [tmp_path / name for name in filesystem.PACKAGES]
    for folder in packages:
        folder.mkdir()
    library, module = tmp_path / "python311.zip", tmp_path / "module.py"
    library.touch()
    module.touch()
    missing = [tmp_path / "none.zip", *(tmp_path / "none" / name for name in filesystem.PACKAGES)]
    before = filesystem.module_folders()
    monkeypatch.setattr(sys, "path", [*sys.path, *map(str, [tmp_path, *packages, library, module, *missing])])
    assert filesystem.module_folders() - before == {*map(str, [*packages, library])}


def test_trial_detects_beforehand_that_not_all_files_can_be_mounted(tmp_path):
    """It counts the shown files, directories and links, with some to spare."""
    (tmp_path / "sys" / "fs").mkdir(parents=True)
    packages = tmp_path / "packages"
    for name in ("mine", "theirs"):
        (packages / name).mkdir(parents=True)
        for number in range(3):
            (packages / name / f"{number}.py").write_text("")
    processes = os.open(tmp_path, os.O_RDONLY)
    try:
        for room, without, found in ((7, (), True), (8, (), False), (3, ("theirs",), True), (4, ("theirs",), False)):
            (tmp_path / "sys" / "fs" / "mount-max").write_text(f"{filesystem.RESERVED_MOUNTS + room}\n")
            left_out = {str(packages / name) for name in without}
            assert filesystem.has_too_many_entries([str(packages)], left_out, processes) is found
        (tmp_path / "sys" / "fs" / "mount-max").unlink()
        assert not filesystem.has_too_many_entries([str(packages)], (), processes)
    finally:
        os.close(processes)


HONEST = """
import collections, ctypes, encodings, importlib.metadata, importlib.resources, inspect, json, linecache, os, pathlib
import traceback, zoneinfo
import numpy
print(int(numpy.linalg.det(numpy.eye(3))), importlib.metadata.version("numpy") == numpy.__version__)
print(importlib.resources.files("numpy").joinpath("__init__.py").is_file())
print(ctypes.CDLL("libc.so.6").abs(-3), ctypes.CDLL("libm.so.6") is not None)
print(zoneinfo.ZoneInfo("Europe/Vienna").key, "ä".encode("cp1252"), "\\u4e2d".encode("gb18030"))
print(os.path.realpath(json.__file__) == json.__file__, pathlib.Path(json.__file__).resolve().name)
print("def dumps" in inspect.getsource(json.dumps), sorted(os.listdir(os.path.dirname(json.__file__)))[-1])
try:
    json.loads("[")
except ValueError:
    print("raise JSONDecodeError" in traceback.format_exc())
print(open(os.__file__).readline()[:3], os.path.isfile(linecache.__file__), os.path.islink(os.__file__))
return hand[0]
"""
FOUND = [
    *("1 True", "True", "3 True", "Europe/Vienna b'\\xe4' b'\\xd6\\xd0'", "True __init__.py", "True tool.py", "True"),
    'r"" True False',
]


@pytest.mark.parametrize("name", ["default", "outer"])
def test_honest_file_can_import_and_read_what_it_needs(name):
    require_tier(name)
    match = match_with(go_with(HONEST), STANDARD)
    assert match.record.forfeits == (), match.details
    assert match.prints[1].splitlines()[: len(FOUND)] == FOUND
