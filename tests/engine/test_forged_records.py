"""A valid record is one that the referee could have written: any mutated record is refused or also true.

An oracle without ``verify`` decides that: players replay the moves and failures of the forged record,
and the referee must write the same text.
"""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kibitz.engine import record
from kibitz.engine.forfeits import KINDS, POSSIBLE
from kibitz.engine.registry import all_games, game
from kibitz.errors import PlayerError, RecordError
from kibitz.table import play_match
from tests.parts import share
from tests.table.test_match import Lowest, match
from tests.tiers import first_fast, quick_first

MOMENTS = tuple(POSSIBLE)
SMALL = ("eights", *(each.name for each in all_games() if each.variant == "mini"))


class Scripted:
    """Plays scripted moves and fails at a scripted moment; the watching referee counts its steps."""

    def __init__(self, name, moves, failure=None):
        self.name, self.moves, self.failure = name, moves, failure
        self.steps = 0

    def fail(self, moment):
        if self.failure and self.failure[:2] == (self.steps, moment):
            raise PlayerError(*self.failure[2:])

    def start(self, game, seat, seed):
        self.fail("start")

    def observe(self, event):
        self.fail("observe")

    def act(self, view, legal):
        self.fail("turn")
        return self.moves[self.steps]

    def end(self, outcome):
        return ""


class Highest(Lowest):
    """Plays its highest card, unlike the substitute."""

    def act(self, view, legal):
        return legal[-1]


def replayed(found, moments):
    """The record of a game in which the seats make these moves and fail at these moments."""
    failures = {
        forfeit.seat: (forfeit.moves, moment, forfeit.kind, forfeit.sentence)
        for forfeit, moment in zip(found.forfeits, moments, strict=True)
    }
    players = [Scripted(name, found.actions, failures.get(seat)) for seat, name in enumerate(found.seats)]

    def count(notices):
        """Called before players observe the events of a step."""
        for player in players:
            player.steps = count.steps
        count.steps += 1

    count.steps = 0
    return play_match(game(found.game), players, found.seed, watch=count).record


def could_be_written(text):
    """Whether the referee writes this text for some game."""
    found = record.parse(text)
    if len({forfeit.seat for forfeit in found.forfeits}) < len(found.forfeits):
        return False
    for moments in product(MOMENTS, repeat=len(found.forfeits)):
        try:
            again = replayed(found, moments)
        except (IndexError, AssertionError):
            continue
        if again == found and record.text(again) == text:
            return True
    return False


def accepted(text):
    try:
        record.parse(text)
    except RecordError:
        return False
    return True


def true_records(name, seed):
    """Records of a game without failures, and of one in which seats fail at random moments in any possible way."""
    yield record.text(match(name=name, seed=seed).record)
    plain, random = match(name=name, seed=seed).record, Random(seed)
    players = [Scripted(f"P{seat}", plain.actions) for seat in range(game(name).seats)]
    for player in players[1:]:
        moment = random.choice(MOMENTS)
        step = 0 if moment == "start" else random.randrange(len(plain.actions))
        player.failure = step, moment, random.choice(sorted(POSSIBLE[moment])), "It failed."
        player.act = lambda view, legal, player=player: (player.fail("turn"), legal[0])[1]
    players[0].act = lambda view, legal: legal[0]

    def count(notices):
        for player in players:
            player.steps = count.steps
        count.steps += 1

    count.steps = 0
    yield record.text(play_match(game(name), players, seed, watch=count).record)


def mutants(text, seed):
    """Copies with a line deleted, duplicated or swapped, with each word changed, or with forfeits inserted."""
    lines = text.split("\n")[:-1]
    random = Random(seed)
    seats = len(lines[3].split(" | "))
    for n, line in enumerate(lines):
        yield [*lines[:n], *lines[n + 1 :]]
        yield [*lines[:n], line, *lines[n:]]
        for other in {min(n + 1, len(lines) - 1), random.randrange(len(lines))}:
            swapped = list(lines)
            swapped[n], swapped[other] = lines[other], lines[n]
            yield swapped
        for changed in changes(line, random, seats):
            yield [*lines[:n], changed, *lines[n + 1 :]]
        if line == "" or line[0].isdigit() or line.startswith("!"):
            for kind in (*KINDS, "fake"):
                yield [*lines[:n], f"! {random.randrange(seats)} {kind}: It failed.", *lines[n:]]


def changes(line, random, seats):
    """A line with each of its words changed: numbers by one or by sign, words by a letter, or left out."""
    words = line.split(" ")
    for n, word in enumerate(words):
        others = {"", word + "x", word.upper(), word.lower(), "0" + word, random.choice(KINDS) + ":", f"{word} {word}"}
        if word.lstrip("-").isdigit():
            others |= {str(int(word) + 1), str(int(word) - 1), str(seats), f"-{word}", f"+{word}", f"{word}.0"}
        for other in sorted(others - {word}):
            yield " ".join([*words[:n], other, *words[n + 1 :]])
    yield line + " "
    yield line + "\u202e"


def untrue(name, seed, some=list):
    """The accepted mutants that no referee could have written, and the number of mutants tried."""
    found, count = [], 0
    for text in true_records(name, seed):
        assert could_be_written(text), text
        for lines in some(mutants(text, seed)):
            count += 1
            changed = "\n".join(lines) + "\n"
            if changed != text and accepted(changed) and not could_be_written(changed):
                found.append(changed)
    return found, count


@pytest.mark.parametrize("name", first_fast(quick_first(SMALL)))
def test_mutated_records_are_refused_or_true(name):
    found, count = untrue(name, 5)
    assert count > 300
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("name", [each.name for each in all_games()])
def test_mutated_records_of_every_game_are_refused_or_true(name):
    for seed in (2**127 + 1, 7):
        assert untrue(name, seed, lambda mutants: share(mutants, 50, name))[0] == []


@given(some.sampled_from(SMALL), some.integers(0, 2**128 - 1))
def test_records_with_any_failures_round_trip(name, seed):
    for text in true_records(name, seed):
        assert record.text(record.parse(text)) == text


FORGED = {
    "an invented kind": ("! 1 fake: It failed.", "unknown failure 'fake'"),
    "no seat": ("! 9 time: It failed.", "a forfeit should read"),
    "another seat's turn": ("! 1 time: It failed.", "seat 1 cannot forfeit here by time: it is the turn of seat 0"),
    "a late load": ("! 0 load: It failed.", "before the first move"),
    "a sentence with a bell": ("! 0 time: It \a failed.", "a printable sentence"),
    "a seat twice": ("! 0 time: It failed.\n! 0 time: It failed.", "has already forfeited"),
}


@pytest.mark.parametrize("what", FORGED)
def test_an_invented_forfeit_is_refused_with_its_reason(what):
    lines, sentence = FORGED[what]
    text = record.text(match(name="bo-mini", seed=4).record)
    fifth = next(line for line in text.split("\n") if line.startswith("5. 0"))
    with pytest.raises(RecordError, match=sentence):
        record.parse(text.replace(fifth, f"{lines}\n{fifth}"))


def test_moves_of_a_forfeited_seat_must_be_the_substitutes():
    text = record.text(match(Highest(), name="go", seed=3).record)
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines) if line.startswith("1. 0"))
    forged = "\n".join([*lines[:number], "! 0 time: It failed.", *lines[number:]])
    with pytest.raises(RecordError, match="seat 0 is out of the game, and the computer plays"):
        record.parse(forged)


def test_an_impossible_record_object_is_not_written():
    import msgspec

    from kibitz.engine.forfeits import Forfeit

    true = match(name="go-mini").record
    for forfeit in (Forfeit(0, 0, "fake", "x"), Forfeit(0, 7, "time", "x"), Forfeit(10**6, 0, "time", "x")):
        with pytest.raises(RecordError):
            record.text(msgspec.structs.replace(true, forfeits=(forfeit,)))
    with pytest.raises(RecordError, match="isn't a valid player name"):
        record.text(msgspec.structs.replace(true, seats=("a\u202eb", *true.seats[1:])))
