"""Pairs of files that try to pass cards to each other; docs/sandbox.md says how well, and is held to it."""

import math
import re
from pathlib import Path

import pytest

from kibitz.players import attacks
from kibitz.players.attacks import BAD_SEATS, TOO_MANY, attack_suite, prints_in_games, received_cards
from kibitz.players.isolation import fork_server_client
from kibitz.players.limits import Limits
from kibitz.sandbox import request_tier, tiers
from kibitz.sandbox.attacks import everything
from tests.sandbox.test_attacks import available
from tests.tiers import first_fast

CHANNELS = {one.name: one for one in everything() if one.channel}
CLOSED = [name for name, one in CHANNELS.items() if not one.open]
OPEN = [name for name, one in CHANNELS.items() if one.open]
PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
ROW = re.compile(r"^\| `(channel_\w+)` \|[^|]*\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
STATED = {name: (held, bare) for name, held, bare in ROW.findall(PAGE)}
MOST = math.log2(52)
KEPT = ", and kept for later games"
UNHURRIED = Limits(load=4, call=4, bank=60, memory=256 << 20)
GAMES, TOO_MANY_OF_ALL = 6, 9
"""Luck hears 1.2 of 60 cards, and so many once in 200 000 times."""
WITHOUT_A_VIEW = """
import sys; sys.path.insert(0, sys.argv[1])
from kibitz.sandbox import confinement
confinement.enter_view = lambda *given: False
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


def bits(heard, sent):
    """What a hearer who is right so often learns of a card, all wrong cards being equally likely."""
    right = heard / sent
    if right <= 1 / 52:
        return 0.0
    wrong = (1 - right) * math.log2((1 - right) / 51) if right < 1 else 0.0
    return MOST + right * math.log2(right) + wrong


def measured(name, *games):
    """How many cards a channel passes, and how many were sent; games are the seats that it has in each."""
    with attacks.ExitStack() as stack:
        target = attacks.World(stack).target()
        return received_cards(prints_in_games(CHANNELS[name].source(target), *games))


def most_heard(name, *games):
    """How many of ten cards a channel passes at its best: on a busy machine others disturb most games."""
    best = 0
    for _ in range(40):
        heard, sent = measured(name, *(games or (BAD_SEATS,)))
        assert sent == 10
        best = max(best, heard)
        if best >= TOO_MANY:
            break
    return best


@pytest.fixture
def unhurried(monkeypatch):
    monkeypatch.setattr(attacks, "SHORT_LIMITS", UNHURRIED)


@pytest.fixture
def without_a_view(monkeypatch, unhurried):
    """A kernel that gives nobody any namespaces."""
    available("default")
    boot = WITHOUT_A_VIEW.format(module="players.isolation.fork_server", name="serve")
    monkeypatch.setattr(fork_server_client, "START_CODE", boot)
    fork_server_client.close()
    yield
    fork_server_client.close()


def test_the_page_states_every_channel_that_is_tried():
    assert set(STATED) == set(CHANNELS)
    for name, (held, bare) in STATED.items():
        assert (held == "0") != CHANNELS[name].open, name
        assert bare == "0" or bare.startswith(("up to ", "1 ")), name


@pytest.mark.parametrize("tier", first_fast(["default", "outer"]))
def test_what_is_closed_passes_nothing_within_a_game_or_to_the_next(tier):
    available(tier)
    assert [(one.name, one.breaches, one.surprise) for one in attack_suite(only=CLOSED) if one.breaches] == []


@pytest.mark.long
def test_time_passes_cards_as_the_page_says(unhurried):
    """The measure works: a pair that agrees on a clock is heard, though other processes may disturb it."""
    heard = most_heard("channel_time")
    assert heard >= TOO_MANY
    assert bits(heard, 10) > bits(TOO_MANY - 1, 10)
    assert {STATED[name][0].removesuffix(KEPT) for name in OPEN} == {f"up to {MOST:.1f}"}


@pytest.mark.long
@pytest.mark.parametrize("tier", ["default", "outer"])
@pytest.mark.parametrize("games", [(BAD_SEATS,), (BAD_SEATS[:1], BAD_SEATS[1:])])
def test_missing_names_are_not_heard_more_often_than_by_luck(tier, games, unhurried):
    """Nobody would need an accomplice for that: the second game may be the same file's."""
    available(tier)
    found = [measured("channel_missing_names", *games) for _ in range(GAMES)]
    assert sum(sent for _, sent in found) == 10 * GAMES
    assert sum(heard for heard, _ in found) < TOO_MANY_OF_ALL
    assert STATED["channel_missing_names"] == ("0", f"up to {MOST:.1f}{KEPT}")


@pytest.mark.long
@pytest.mark.parametrize("name", first_fast(["channel_warm_names", "channel_mappings"]))
def test_what_ends_with_a_game_passes_cards_in_it_and_not_to_the_next_as_the_page_says(name, unhurried):
    """What the processor has at hand, and what the kernel keeps of a process: else a file could talk to itself."""
    available("default")
    assert most_heard(name) >= TOO_MANY
    next_game = BAD_SEATS[:1], BAD_SEATS[1:]
    assert sum(measured(name, *next_game)[0] for _ in range(GAMES)) < TOO_MANY_OF_ALL
    assert STATED[name] == (f"up to {MOST:.1f}",) * 2


@pytest.mark.parametrize(("heard", "told"), [(10, 5.70), (5, 1.84), (1, 0.12), (0, 0.0)])
def test_bits_are_those_of_a_channel_that_is_right_so_often(heard, told):
    """At 5 of 10: log2(52) - 1 - log2(51) / 2, by hand."""
    assert bits(heard, 10) == pytest.approx(told, abs=0.05)


@pytest.mark.parametrize("name", first_fast(["channel_descriptors", "channel_file_times", *NAMES]))
def test_the_view_is_what_closes_these(name, without_a_view):
    """What the harness says of a closed channel it would not say of an open one."""
    heard = most_heard(name)
    if name == "channel_file_times" and not heard:
        pytest.skip("the disk keeps no times of reading here")
    assert heard >= TOO_MANY
    assert STATED[name][1].startswith("up to 5.7")


@pytest.mark.long
@pytest.mark.parametrize("tier", ["default", "outer"])
@pytest.mark.parametrize("games", [(BAD_SEATS,), (BAD_SEATS[:1], BAD_SEATS[1:])])
def test_directories_in_memory_are_what_closes_missing_names(tier, games, monkeypatch, unhurried):
    """A view of the disk's own directories is not enough: so it is where the kernel has no room for all files."""
    available(tier)
    code = WITH_PLAIN_DIRECTORIES.format(module="players.isolation.fork_server", name="serve")
    monkeypatch.setattr(fork_server_client, "START_CODE", code)
    fork_server_client.close()
    assert [name for name in NAMES if most_heard(name, *games) < TOO_MANY] == []


@pytest.mark.parametrize("tier", first_fast(["default", "outer"]))
def test_the_machine_says_that_it_remembers_names(tier, monkeypatch, capsys):
    from kibitz.cli import main

    available(tier)
    monkeypatch.setattr(tiers, "TRIAL_CODE", WITH_PLAIN_DIRECTORIES.format(module="sandbox.trial", name="main"))
    request_tier(tier)
    found = tiers.tier()
    assert (found.name, found.confines, found.private, found.hides_lookups) == (tier, True, True, False)
    assert main(["arena", "doctor", "--tier", tier]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "hidden, but the machine remembers failed file look-ups" in told
    monkeypatch.undo()
    request_tier(tier)
    assert tiers.tier().hides_lookups


def test_without_a_view_processes_are_found(without_a_view):
    (found,) = attack_suite(only=["channel_processes"])
    assert any(breach.startswith("BREACH: /proc/") for breach in found.breaches)


def test_the_machine_says_that_it_has_no_view(monkeypatch, capsys):
    from kibitz.cli import main

    available("default")
    monkeypatch.setattr(tiers, "TRIAL_CODE", WITHOUT_A_VIEW.format(module="sandbox.trial", name="main"))
    request_tier("default")
    assert (tiers.tier().name, tiers.tier().private) == ("default", False)
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    told = capsys.readouterr().out
    assert "Other processes: visible, so two colluding players could tell each other their cards" in told
    monkeypatch.undo()
    request_tier("default")
    assert tiers.tier().private
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    assert "Other processes: hidden" in capsys.readouterr().out
