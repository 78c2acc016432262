"""What the kernel lets a player's process have, as it sees it from within."""

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
from kibitz.sandbox import confinement, linux, request_tier, tier
from kibitz.sandbox.confinement import LIMIT_NUMBERS, OPEN_FILES, ZERO_LIMITS
from kibitz.sandbox.linux import SET_CHILD_SUBREAPER, prctl
from tests.players.conftest import ROOMY, go_with, match_with
from tests.sandbox.conftest import told_by_a_child


def test_the_numbers_of_limits_are_those_that_python_gives_where_it_names_them():
    assert set(ZERO_LIMITS) == set(LIMIT_NUMBERS)
    named = {name: getattr(resource, f"RLIMIT_{name}", number) for name, number in LIMIT_NUMBERS.items()}
    assert named == LIMIT_NUMBERS


@pytest.mark.parametrize("name", ["default", "outer"])
def test_a_players_process_has_no_more_than_its_limits(name):
    request_tier(name)
    if not tier().confines:
        pytest.skip(tier().reason)
    fork_server_client.close()
    numbers = [*LIMIT_NUMBERS.values(), resource.RLIMIT_NOFILE, resource.RLIMIT_AS]
    match = match_with(go_with(f"import resource\nprint([resource.getrlimit(n) for n in {numbers}])\nreturn hand[0]"))
    assert match.record.forfeits == (), match.details
    *none, files, memory = ast.literal_eval(match.prints[1].splitlines()[0])
    assert none == [(0, 0)] * len(ZERO_LIMITS)
    assert files == (OPEN_FILES, OPEN_FILES) == (64, 64)
    assert ROOMY.memory <= memory[0] == memory[1] < 2 * ROOMY.memory


def test_whatever_a_player_has_started_ends_with_it_wherever_it_has_gone():
    """Its filter lets it start nothing; without one a child may leave its group, and then have children of its own."""

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
        said = ""
        while not said.endswith("."):
            said += os.read(read, 100).decode()
        server = ForkServer(None, SimpleNamespace(processes=None))
        server.players.add(player)
        status = server.kill(player)
        pids = said[:-1].split()
        return status, len(pids), [pid for pid in pids if Path(f"/proc/{pid}").exists()]

    assert told_by_a_child(killed) == (signal.SIGKILL, 4, [])


def test_every_folder_above_what_is_seen_is_made_for_all_before_anything_is_put_into_it():
    home = str(Path(confinement.__file__).parents[2])
    words = confinement.confined_command(["python"], {}, home)
    shown = confinement.visible_paths(home)
    first = min(at for at, word in enumerate(words) if word in ("--ro-bind", "--dev-bind"))
    made = {words[at + 3] for at in range(first) if words[at : at + 3] == ["--perms", "0755", "--dir"]}
    assert made == set(confinement.parents(shown)) != set()
    assert {words[at + 1] for at in range(first, len(words)) if words[at] in ("--ro-bind", "--dev-bind")} == set(shown)


def test_whoever_the_player_is_no_right_of_root_is_left():
    """In a user namespace of its own a process may be nobody in name and yet hold every capability."""

    def rights():
        bound = object.__new__(confinement.Confinement)
        bound.root = bound.single_user = False
        bound.become_nobody()
        status = Path("/proc/self/status").read_text().splitlines()
        return [int(line.split()[1], 16) for line in status if line.startswith(("CapPrm", "CapEff"))]

    assert told_by_a_child(rights) == [0, 0]


@pytest.mark.parametrize("name", ["default", "outer"])
def test_a_fork_server_keeps_no_right_to_mount(name):
    """It needs it for its view; whoever took the server over could otherwise undo that."""
    request_tier(name)
    if not tier().confines:
        pytest.skip(tier().reason)
    fork_server_client.close()
    status = Path(f"/proc/{fork_server_client.client().pid}/status").read_text().splitlines()
    rights = {line.split(":")[0]: int(line.split()[1], 16) for line in status if line.startswith("Cap")}
    held = {kind for kind, mask in rights.items() if mask & 1 << linux.MAY_MOUNT}
    assert held <= ({"CapBnd"} if os.geteuid() else set())
