"""Pairs of files that try to pass cards to each other, checked against the figures in docs/sandbox.md."""

import math
import re
from pathlib import Path

import pytest

from kibitz.players import attacks
from kibitz.players.attacks import BAD_SEATS, MIN_CARDS_FOR_BREACH, attack_suite, prints_in_games, received_cards
from kibitz.players.isolation import fork_server_client
from kibitz.players.limits import Limits
from kibitz.sandbox import request_tier, tiers
from kibitz.sandbox.attacks import all_attacks
from tests.sandbox.conftest import require_tier
from tests.tiers import first_fast

CHANNELS = {one.name: one for one in all_attacks() if one.is_channel}
CLOSED = [name for name, one in CHANNELS.items() if not one.is_open]
OPEN = [name for name, one in CHANNELS.items() if one.is_open]
PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
ROW = re.compile(r"^\| `(channel_\w+)` \|[^|]*\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
STATED = {name: (held, bare) for name, held, bare in ROW.findall(PAGE)}
MOST = math.log2(52)
KEPT = ", and kept for later games"
UNHURRIED = Limits(load=4, call=4, bank=60, memory=256 << 20)
GAMES, TOO_MANY_OF_ALL = 6, 9
"""A guesser gets 1.2 of 60 cards right on average, and this many once in 200 000 times."""
WITHOUT_A_VIEW = """
import sys; sys.path.insert(0, sys.argv[1])
from kibitz.sandbox import confinement
confinement.enter_rootfs = lambda *given: False
from kibitz.{module} import {name}
{name}()
"""
WITH_PLAIN_DIRECTORIES = """
import sys; sys.path.insert(0, sys.argv[1])
from kibitz.sandbox import filesystem
def full(*given): raise OSError(28, "no room")
filesystem.Mirror.add = full
from kibitz.{module} import {name}
{name}()
"""
NAMES = ["channel_missing_names", "channel_missing_names_anywhere"]


def measure(name, *games):
    """How many cards a channel passes, and how many were sent; ``games`` lists its seats in each game."""
    with attacks.ExitStack() as stack:
        target = attacks.Surroundings(stack).target()
        return received_cards(prints_in_games(CHANNELS[name].source(target), *games))


def best_heard(name, *games):
    """The most of ten cards that a channel passes in 40 tries: on a busy machine most games are disturbed."""
    best = 0
    for _ in range(40):
        heard, sent = measure(name, *(games or (BAD_SEATS,)))
        assert sent == 10
        best = max(best, heard)
        if best >= MIN_CARDS_FOR_BREACH:
            break
    return best


@pytest.fixture
def unhurried(monkeypatch):
    monkeypatch.setattr(attacks, "SHORT_LIMITS", UNHURRIED)


@pytest.fixture
def without_a_rootfs(monkeypatch, unhurried):
    """A kernel that refuses namespaces."""
    require_tier("default")
    boot = WITHOUT_A_VIEW.format(module="players.isolation.fork_server", name="serve")
    monkeypatch.setattr(fork_server_client, "START_CODE", boot)
    fork_server_client.close()
    yield
    fork_server_client.close()


def test_docs_state_every_channel():
    assert set(STATED) == set(CHANNELS)
    for name, (held, bare) in STATED.items():
        assert (held == "0") != CHANNELS[name].is_open, name
        assert bare == "0" or bare.startswith(("up to ", "1 ")), name


@pytest.mark.parametrize("tier", first_fast(["default", "outer"]))
def test_closed_channels_pass_nothing_within_a_game_or_to_the_next(tier):
    require_tier(tier)
    assert [(one.name, one.breaches, one.surprise) for one in attack_suite(only=CLOSED) if one.breaches] == []


@pytest.mark.long
def test_time_channel_passes_cards_as_documented(unhurried):
    """This shows that the measurement works: two files that share a clock do pass cards."""
    heard = best_heard("channel_time")
    assert heard >= MIN_CARDS_FOR_BREACH
    assert {STATED[name][0].removesuffix(KEPT) for name in OPEN} == {f"up to {MOST:.1f}"}


@pytest.mark.long
@pytest.mark.parametrize("tier", ["default", "outer"])
@pytest.mark.parametrize("games", [(BAD_SEATS,), (BAD_SEATS[:1], BAD_SEATS[1:])])
def test_missing_names_channel_is_no_better_than_chance(tier, games, unhurried):
    """Such a channel would need no accomplice: the second game may be played by the same file."""
    require_tier(tier)
    found = [measure("channel_missing_names", *games) for _ in range(GAMES)]
    assert sum(sent for _, sent in found) == 10 * GAMES
    assert sum(heard for heard, _ in found) < TOO_MANY_OF_ALL
    assert STATED["channel_missing_names"] == ("0", f"up to {MOST:.1f}{KEPT}")


@pytest.mark.long
@pytest.mark.parametrize("name", first_fast(["channel_warm_names", "channel_mappings"]))
def test_in_game_channels_pass_cards_in_a_game_but_not_to_the_next(name, unhurried):
    """Processor caches and the kernel's data on a process; if they outlived a game, a file could talk to itself."""
    require_tier("default")
    assert best_heard(name) >= MIN_CARDS_FOR_BREACH
    next_game = BAD_SEATS[:1], BAD_SEATS[1:]
    assert sum(measure(name, *next_game)[0] for _ in range(GAMES)) < TOO_MANY_OF_ALL
    assert STATED[name] == (f"up to {MOST:.1f}",) * 2


@pytest.mark.parametrize("name", first_fast(["channel_descriptors", "channel_file_times", *NAMES]))
def test_channels_are_open_without_the_rootfs(name, without_a_rootfs):
    """This shows that the harness reports a difference between closed and open channels."""
    heard = best_heard(name)
    if name == "channel_file_times" and not heard:
        pytest.skip("the disk keeps no times of reading here")
    assert heard >= MIN_CARDS_FOR_BREACH
    assert STATED[name][1].startswith("up to 5.7")


@pytest.mark.long
@pytest.mark.parametrize("tier", ["default", "outer"])
@pytest.mark.parametrize("games", [(BAD_SEATS,), (BAD_SEATS[:1], BAD_SEATS[1:])])
def test_missing_names_channel_is_open_without_directories_in_memory(tier, games, monkeypatch, unhurried):
    """A rootfs of the disk's own directories is not enough; it is used if the kernel can't mount all files."""
    require_tier(tier)
    code = WITH_PLAIN_DIRECTORIES.format(module="players.isolation.fork_server", name="serve")
    monkeypatch.setattr(fork_server_client, "START_CODE", code)
    fork_server_client.close()
    assert [name for name in NAMES if best_heard(name, *games) < MIN_CARDS_FOR_BREACH] == []
    fork_server_client.close()


@pytest.mark.parametrize("tier", first_fast(["default", "outer"]))
def test_doctor_reports_that_failed_lookups_are_remembered(tier, monkeypatch, capsys):
    from kibitz.cli import main

    require_tier(tier)
    monkeypatch.setattr(tiers, "TRIAL_CODE", WITH_PLAIN_DIRECTORIES.format(module="sandbox.trial", name="main"))
    request_tier(tier)
    found = tiers.tier()
    assert (found.name, found.confines, found.private, found.hides_lookups) == (tier, True, True, False)
    assert main(["arena", "doctor", "--tier", tier]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "hidden, but the machine remembers failed file look-ups" in output
    monkeypatch.undo()
    request_tier(tier)
    assert tiers.tier().hides_lookups


def test_processes_are_visible_without_a_rootfs(without_a_rootfs):
    (found,) = attack_suite(only=["channel_processes"])
    assert any(breach.startswith("BREACH: /proc/") for breach in found.breaches)


def test_doctor_reports_a_missing_rootfs(monkeypatch, capsys):
    from kibitz.cli import main

    require_tier("default")
    monkeypatch.setattr(tiers, "TRIAL_CODE", WITHOUT_A_VIEW.format(module="sandbox.trial", name="main"))
    request_tier("default")
    assert (tiers.tier().name, tiers.tier().private) == ("default", False)
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    output = capsys.readouterr().out
    assert "Other processes: visible, so two colluding players could tell each other their cards" in output
    monkeypatch.undo()
    request_tier("default")
    assert tiers.tier().private
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    assert "Other processes: hidden" in capsys.readouterr().out
