"""The kernel's constants, checked against its headers where they are installed, and how they are used.

They are written here a second time, under their names in the headers.
"""

import os
import re
import struct
from pathlib import Path

import pytest

from kibitz.sandbox import linux, seccomp, trial
from kibitz.sandbox.seccomp import FATAL_CALLS, REFUSED, call_numbers
from tests.sandbox.test_confinement import run_in_child

HEADERS = ("prctl", "seccomp", "filter", "bpf_common", "landlock", "mount", "capability", "sched", "audit")
NAMED = {
    "PR_SET_PDEATHSIG": (linux.SET_PDEATHSIG, 1),
    "PR_SET_DUMPABLE": (linux.SET_DUMPABLE, 4),
    "PR_SET_SECCOMP": (linux.SET_SECCOMP, 22),
    "PR_CAPBSET_DROP": (linux.CAPBSET_DROP, 24),
    "PR_SET_CHILD_SUBREAPER": (linux.SET_CHILD_SUBREAPER, 36),
    "PR_SET_NO_NEW_PRIVS": (linux.SET_NO_NEW_PRIVS, 38),
    "PR_CAP_AMBIENT": (linux.CAP_AMBIENT, 47),
    "PR_CAP_AMBIENT_CLEAR_ALL": (linux.CLEAR_ALL_AMBIENT, 4),
    "_LINUX_CAPABILITY_VERSION_3": (linux.CAPABILITY_VERSION, 0x20080522),
    "CLONE_NEWNS": (linux.NEW_MOUNTS, 0x00020000),
    "CLONE_NEWUTS": (linux.NEW_HOST_NAME, 0x04000000),
    "CLONE_NEWIPC": (linux.NEW_IPC, 0x08000000),
    "CLONE_NEWUSER": (linux.NEW_USERS, 0x10000000),
    "MS_RDONLY": (linux.READ_ONLY, 1),
    "MS_NOSUID": (linux.NO_SUID, 2),
    "MS_NODEV": (linux.NO_DEV, 4),
    "MS_REMOUNT": (linux.REMOUNT, 32),
    "MS_BIND": (linux.BIND, 4096),
    "MS_REC": (linux.RECURSIVE, 16384),
    "MS_PRIVATE": (linux.PRIVATE, 262144),
    "MNT_DETACH": (linux.DETACH, 2),
    "SECCOMP_MODE_FILTER": (seccomp.MODE_FILTER, 2),
    "SECCOMP_RET_KILL_PROCESS": (seccomp.KILL, 0x80000000),
    "SECCOMP_RET_ERRNO": (seccomp.ERROR, 0x00050000),
    "SECCOMP_RET_ALLOW": (seccomp.ALLOW, 0x7FFF0000),
    "LANDLOCK_CREATE_RULESET_VERSION": (linux.GET_VERSION, 1),
    "LANDLOCK_RULE_PATH_BENEATH": (linux.PATH_BENEATH, 1),
    "LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF": (linux.NO_LOG, 1),
    "LANDLOCK_ACCESS_FS_READ_FILE": (linux.READ_FILE, 4),
    "LANDLOCK_ACCESS_FS_READ_DIR": (linux.READ_DIR, 8),
}
NUMBER = re.compile(
    r"^#\s*define\s+(\w+)\s+\(?(0x[0-9a-fA-F]+|\d+)(?:U|UL|ULL)?(?:\s*<<\s*(\d+))?\)?\s*(?:/\*.*)?$", re.M
)


def headers():
    """The plain numbers that this machine's kernel headers define."""
    files = [Path(f"/usr/include/linux/{name}.h") for name in HEADERS]
    text = "\n".join(path.read_text() for path in files if path.exists())
    return {name: int(value, 0) << int(shift or 0) for name, value, shift in NUMBER.findall(text)}


def test_every_number_matches_the_headers():
    assert {name: ours for name, (ours, _) in NAMED.items()} == {name: number for name, (_, number) in NAMED.items()}
    known = headers()
    if "PR_SET_PDEATHSIG" not in known:
        pytest.skip("the kernel's headers are not installed")
    found = {name: known[name] for name in NAMED if name in known}
    assert found == {name: NAMED[name][1] for name in found}
    assert len(found) > 20


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_landlock_and_mount_calls_match_the_filter_lists(machine):
    deadly, refused = call_numbers(FATAL_CALLS, machine), call_numbers(REFUSED, machine)
    assert linux.PIVOT_ROOT[machine] == deadly["pivot_root"]
    assert linux.UNSHARE[machine] == refused["unshare"]
    names = ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
    assert [deadly[name] for name in names] == [linux.CREATE, linux.ADD_RULE, linux.RESTRICT]
    assert seccomp.MACHINES[machine][0] == {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    assert seccomp.X32 == 1 << 30


def test_bpf_opcodes_match_the_kernel():
    """linux/bpf_common.h: load a word absolutely, jump always, if equal, greater or a bit is set, return a constant."""
    load, jump, leave, always, equal, greater, any_bit = 0x00, 0x05, 0x06, 0x00, 0x10, 0x20, 0x40
    absolutely = 0x20
    assert load | absolutely == seccomp.LOAD
    assert (jump | equal, jump | greater, jump | any_bit) == (seccomp.EQUAL, seccomp.GREATER, seccomp.ANY_BIT)
    assert (jump | always, leave) == (seccomp.SKIP, seccomp.VERDICT)


def test_seccomp_data_offsets_match_the_kernel_struct():
    """struct seccomp_data: int nr, __u32 arch, __u64 instruction_pointer, __u64 args[6]."""
    data = struct.pack("<iI8Q", 17, 0xC000003E, 0, *(((10 + n) << 32) | n for n in range(6)), 0)

    def at(place):
        return struct.unpack_from("<I", data, place)[0]

    assert (at(seccomp.NUMBER), at(seccomp.ARCHITECTURE)) == (17, 0xC000003E)
    assert [at(seccomp.argument_offset(n)) for n in range(6)] == list(range(6))
    assert [at(seccomp.argument_offset(n, high=True)) for n in range(6)] == list(range(10, 16))
    assert seccomp.OWN == 0
    assert seccomp.OWN_PID == 0xFFFFFFFF


class Calls:
    """Records Landlock's calls instead of making them."""

    def __init__(self):
        self.made = []

    def __call__(self, what, number, *values):
        self.made.append((number, *(getattr(value, "value", value) for value in values)))
        return 77


@pytest.mark.parametrize("abi", range(1, 9))
def test_rule_set_removes_all_rights_and_disables_the_log_if_possible(abi, monkeypatch):
    calls = Calls()
    monkeypatch.setattr(linux, "system_call", calls)
    monkeypatch.setattr(linux, "prctl", lambda what, *values: calls.made.append((what, *values)))
    rules = linux.RuleSet([], abi)
    assert rules.fd == 77
    ((number, _, size, flags),) = calls.made
    assert (number, size, flags) == (444, len(linux.attributes(abi)), 0)
    rules.restrict()
    assert calls.made[1:] == [("no_new_privs", 38, 1), (446, 77, int(abi >= 7))]


@pytest.mark.parametrize("abi", range(1, 9))
def test_each_abi_handles_every_right_its_kernel_knows(abi):
    """By hand: 13 file rights, then refer, truncate and device ioctl; TCP; signals and sockets."""
    words = struct.unpack(f"={len(linux.attributes(abi)) // 8}Q", linux.attributes(abi))
    files = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}.get(abi, 0xFFFF)
    assert words == (files, 3, 3)[: 1 + (abi >= 4) + (abi >= 6)]


def test_rule_set_grants_reading_below_existing_paths_only(monkeypatch, tmp_path):
    given = []

    def call(what, number, *values):
        if number == 445:
            rights, place = struct.unpack("=Qi", values[2]._obj if hasattr(values[2], "_obj") else rule(values[2]))
            given.append((rights, os.readlink(f"/proc/self/fd/{place}"), values[1], values[3]))
        return 77

    def rule(pointer):
        return linux.ctypes.string_at(pointer, 12)

    monkeypatch.setattr(linux, "system_call", call)
    file = tmp_path / "file"
    file.write_text("")
    before = len(os.listdir("/proc/self/fd"))
    linux.RuleSet([str(tmp_path), str(file), str(tmp_path / "none"), f"{file}/below"], 1)
    assert given == [(4 | 8, str(tmp_path), 1, 0), (4, str(file), 1, 0)]
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(OSError, match="File name too long"):
        linux.RuleSet(["/" + "x" * 5000], 1)


def test_forbidden_actions_of_the_trial_succeed_without_confinement():
    """Otherwise the trial would pass any confinement."""

    def done():
        found = [what for what, attempt in trial.MUST_FAIL.items() if trial.succeeds(attempt)]
        Path("/tmp/kibitz-trial").unlink(missing_ok=True)
        return found

    possible = [what for what in trial.MUST_FAIL if what != "become root" or os.geteuid() == 0]
    assert run_in_child(done) == possible
    assert len(possible) >= 9


def test_failed_system_call_raises_os_error_naming_the_call():
    with pytest.raises(OSError, match="landlock: ") as caught:
        linux.system_call("landlock", linux.ADD_RULE, -1, 1, None, 0)
    assert caught.value.errno
    assert linux.check_result("anything", 0) == 0
    assert linux.system_call("getpid", {"x86_64": 39, "aarch64": 172}.get(os.uname().machine, 39)) == os.getpid()
