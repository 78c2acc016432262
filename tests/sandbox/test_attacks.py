"""Hostile files run in the real sandbox, and in weakened ones, from which they must break out."""

import ast
import os
import signal
import time
from itertools import product

import pytest

from kibitz.engine.forfeits import KINDS
from kibitz.players import attacks
from kibitz.players.attacks import attack_suite
from kibitz.sandbox import Tier
from kibitz.sandbox.attacks import attacks as all_attacks
from tests.parts import share
from tests.sandbox.conftest import forced_tier, require_tier
from tests.tiers import first_fast

ABIS = range(1, 8)
ENDS = {"plays", *KINDS}


def assert_harmless(found):
    assert [(one.name, one.breaches) for one in found if one.breaches] == []
    assert [(one.name, one.ended, one.surprise) for one in found if one.surprise] == []


def test_attacks_are_many_and_each_states_its_aim():
    found = all_attacks()
    assert len(found) >= 155
    for attack in found:
        ast.parse(attack.source({}))
        assert attack.what.endswith("."), attack.name
        assert attack.ends, attack.name
        assert set(attack.ends) <= ENDS, attack.name


def test_quarter_of_all_attacks_causes_no_breach():
    """The quarter includes the attacks that break out in the tests below."""
    require_tier("default")
    names = sorted({one.name for one in all_attacks()[::4]} | {*WITHOUT_SECCOMP, *WITHOUT_LANDLOCK})
    found = attack_suite(only=names)
    assert sorted(one.name for one in found) == names
    assert_harmless(found)


@pytest.mark.long
@pytest.mark.parametrize("name", ["default", "outer"])
def test_no_attack_causes_a_breach(name):
    require_tier(name)
    found = attack_suite()
    assert len(found) == len(all_attacks())
    assert_harmless(found)


@pytest.mark.long
def test_no_file_attack_causes_a_breach_with_the_oldest_landlock():
    """Landlock with rules for files only; the long tests try every attack with every Landlock version."""
    require_tier("default", 1)
    places = [f'TARGET["{place}"]' for place in ("folder", "open file", "secret file", "player file")]
    on_files = [one.name for one in all_attacks() if any(place in one.text for place in places)]
    found = attack_suite(only=sorted({*on_files, *WITHOUT_LANDLOCK}))
    assert {one.name for one in found} == {*on_files, *WITHOUT_LANDLOCK}
    assert all(any(place in one.text for one in all_attacks()) for place in places)
    assert_harmless(found)


@pytest.mark.long
@pytest.mark.parametrize(("name", "landlock"), share(product(["default", "outer"], ABIS), 4))
def test_no_attack_causes_a_breach_with_any_landlock_version(name, landlock):
    if require_tier(name, landlock).landlock < landlock:
        pytest.skip("this kernel is older")
    assert_harmless(attack_suite())


WITHOUT_SECCOMP = (
    "fork",
    "thread",
    "udp",
    "socketpair",
    "shared_futex",
    "clocks_of_others",
    "new_filter",
    "kill_by_descriptor",
)
WITHOUT_LANDLOCK = ("read_secret", "read_passwords", "read_other_player", "list_players", "read_through_descriptor")


@pytest.mark.parametrize("name", first_fast(WITHOUT_SECCOMP))
def test_attacks_break_out_without_the_seccomp_filter(name, monkeypatch):
    require_tier("default")
    with forced_tier(monkeypatch, Tier("none", "", 1, False)):
        (found,) = attack_suite(only=[name])
    assert found.breaches


@pytest.mark.parametrize("name", first_fast(WITHOUT_LANDLOCK))
def test_attacks_break_out_without_landlock_rules(name, monkeypatch):
    require_tier("default")
    with forced_tier(monkeypatch, Tier("none", "", 0, True)):
        (found,) = attack_suite(only=[name])
    assert found.breaches


def test_write_to_an_open_folder_is_detected_without_confinement(monkeypatch):
    with forced_tier(monkeypatch, Tier("none", "", 0, False)):
        (found,) = attack_suite(only=["write_open_folder"])
    assert any(breach.startswith("the folder changed") for breach in found.breaches)


HARM = {
    "a new file": (lambda world: (world.folder / "new").write_text("x"), "the folder changed"),
    "a new mode": (lambda world: (world.folder / "file").chmod(0o600), "the folder changed"),
    "a dead victim": (lambda world: world.victim.kill() or world.victim.wait(), "the victim changed"),
    "a stopped victim": (lambda world: stop(world.victim.pid), "the victim changed"),
    "a call": (lambda world: send_packet(world), "the connections changed"),
}


@pytest.mark.parametrize("name", first_fast(HARM, 3))
def test_each_detector_reports_its_kind_of_harm(name):
    cause_harm, expected = HARM[name]
    with attacks.ExitStack() as stack:
        world = attacks.Surroundings(stack)
        assert world.changes() == []
        cause_harm(world)
        (change,) = world.changes()
        assert change.startswith(expected)


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    while attacks.state_of(pid) != "T":
        time.sleep(0.01)


def send_packet(world):
    with attacks.socket.socket(attacks.socket.AF_INET, attacks.socket.SOCK_DGRAM) as caller:
        caller.sendto(b"x", ("127.0.0.1", world.port))


def test_leaked_secret_is_detected(monkeypatch):
    attack = attacks.Attack("tells", '"""Tells.\n\nEnds: plays\n"""\nprint(TARGET["the secret"])\n')
    with attacks.ExitStack() as stack:
        world = attacks.Surroundings(stack)
        monkeypatch.setattr(world, "target", lambda: {"the secret": world.secret, "calls": {}})
        found = attacks.run_attack(world, attack)
    assert "it has leaked a secret" in found.breaches
