"""The rights and limits of a player's process, seen from within."""

import ast
import os
import resource
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from kibitz.players.isolation import fork_server_client
from kibitz.players.isolation.fork_server import ForkServer
from kibitz.sandbox import confinement, linux
from kibitz.sandbox.confinement import LIMIT_NUMBERS, MAX_OPEN_FILES, ZERO_LIMITS
from kibitz.sandbox.linux import SET_CHILD_SUBREAPER, prctl
from tests.players.conftest import ROOMY, go_with, match_with
from tests.sandbox.conftest import require_tier, run_in_child


def test_limit_numbers_match_the_resource_module():
    assert set(ZERO_LIMITS) == set(LIMIT_NUMBERS)
    named = {name: getattr(resource, f"RLIMIT_{name}", number) for name, number in LIMIT_NUMBERS.items()}
    assert named == LIMIT_NUMBERS


@pytest.mark.parametrize("name", ["default", "outer"])
def test_player_process_has_only_its_limits(name):
    require_tier(name)
    numbers = [*LIMIT_NUMBERS.values(), resource.RLIMIT_NOFILE, resource.RLIMIT_AS]
    match = match_with(go_with(f"import resource\nprint([resource.getrlimit(n) for n in {numbers}])\nreturn hand[0]"))
    assert match.record.forfeits == (), match.details
    *none, files, memory = ast.literal_eval(match.prints[1].splitlines()[0])
    assert none == [(0, 0)] * len(ZERO_LIMITS)
    assert files == (MAX_OPEN_FILES, MAX_OPEN_FILES) == (64, 64)
    assert ROOMY.memory <= memory[0] == memory[1] < 2 * ROOMY.memory


def test_killing_a_player_kills_all_its_descendants():
    """The filter prevents child processes; without it, a child may leave its process group and have children."""

    def killed():
        signal.alarm(10)
        prctl("subreaper", SET_CHILD_SUBREAPER, 1)
        read, write = os.pipe()
        player = os.fork()
        if player == 0:
            for leaves in (True, False, True, False):
                if leaves:
                    os.setsid()
                os.write(write, f"{os.getpid()} ".encode())
                if os.fork():
                    time.sleep(30)
                    os._exit(0)
            os.write(write, b".")
            time.sleep(30)
            os._exit(0)
        output = ""
        while not output.endswith("."):
            output += os.read(read, 100).decode()
        server = ForkServer(None, SimpleNamespace(proc_fd=None))
        server.players.add(player)
        status = server.kill(player)
        pids = output[:-1].split()
        return status, len(pids), [pid for pid in pids if Path(f"/proc/{pid}").exists()]

    assert run_in_child(killed) == (signal.SIGKILL, 4, [])


def test_parent_folders_are_created_readable_before_any_bind():
    home = str(Path(confinement.__file__).parents[2])
    words = confinement.confined_command(["python"], {}, home)
    shown = confinement.visible_paths(home)
    first = min(at for at, word in enumerate(words) if word in ("--ro-bind", "--dev-bind"))
    made = {words[at + 3] for at in range(first) if words[at : at + 3] == ["--perms", "0755", "--dir"]}
    assert made == set(confinement.parents(shown)) != set()
    assert {words[at + 1] for at in range(first, len(words)) if words[at] in ("--ro-bind", "--dev-bind")} == set(shown)


def test_becoming_nobody_leaves_no_capabilities():
    """In its own user namespace a process may be nobody by name and still hold every capability."""

    def rights():
        bound = object.__new__(confinement.Confinement)
        bound.root = bound.single_user = False
        bound.become_nobody()
        status = Path("/proc/self/status").read_text().splitlines()
        return [int(line.split()[1], 16) for line in status if line.startswith(("CapPrm", "CapEff"))]

    assert run_in_child(rights) == [0, 0]


@pytest.mark.parametrize("name", ["default", "outer"])
def test_fork_server_keeps_no_mount_capability(name):
    """It needs the right to set up its view; code that took over the server could otherwise undo the view."""
    require_tier(name)
    status = Path(f"/proc/{fork_server_client.client().pid}/status").read_text().splitlines()
    rights = {line.split(":")[0]: int(line.split()[1], 16) for line in status if line.startswith("Cap")}
    held = {kind for kind, mask in rights.items() if mask & 1 << linux.MAY_MOUNT}
    assert held <= ({"CapBnd"} if os.geteuid() else set())
