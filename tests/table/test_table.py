"""The table: a game as a value, independent of who drives it, for every game."""

import inspect
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from kibitz.engine import record
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import SEED_LIMIT, choosing_seats, with_mover
from kibitz.engine.record import HeldChoice
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR, encoded
from kibitz.errors import KibitzError, NotationError, RecordError, RuleError, SeatError
from kibitz.table import Table, play_match
from kibitz.table.session import Session
from tests.table.test_match import Lowest
from tests.tiers import first_fast, tiered

NAMES = [each.name for each in all_games()]
AT_ONCE = [name for name in NAMES if hasattr(game(name).rules, "simultaneous")]
FAILURES = ("time", "illegal", "exit", "idle")
SHORT = ["go-mini", "bo-mini", "huxxy-mini", "president-mini", "cribbage-mini", "leduc", "draw-mini"]


def play_random(table, random, most=10**9, failing=0.0):
    """Play at random: any waiting seat may be next, and may fail instead."""
    for _ in range(most):
        if table.over:
            break
        seat = random.choice(table.waiting)
        if random.random() < failing:
            table.forfeit(seat, random.choice(FAILURES), "It failed.")
        else:
            table.act(seat, random.choice(table.legal(seat)))
    return table


def all_views(table):
    """Everything that can be read from a table."""
    seats = range(SPECTATOR, table.game.seats)
    return (
        [encoded(table.view(seat)) for seat in seats],
        [[encoded(event) for event in table.events(seat)] for seat in seats],
        table.waiting,
        [table.legal(seat) for seat in table.waiting],
        table.record,
        table.state(),
    )


@pytest.mark.parametrize("name", tiered(NAMES))
def test_a_table_and_a_match_give_the_same_record(name):
    played = play_match(game(name), [Lowest() for _ in range(game(name).seats)], 3).record
    table = Table.deal(name, 3, played.seats)
    while not table.over:
        (seat, *_) = table.waiting
        table.act(seat, table.legal(seat)[0])
    assert table.record == played
    assert table.outcome == played.outcome
    assert record.text(table.record) == record.text(played)


@pytest.mark.parametrize("name", tiered(NAMES))
def test_a_game_resumes_from_any_step(name):
    """Only the record as text is kept at some steps, including the first and the last."""
    whole, random = play_random(Table.deal(name, 8), Random(1)), Random(2)
    for step in sorted({0, 1, whole.step, *(random.randrange(whole.step) for _ in range(4))}):
        kept = record.text(whole.at(step).record)
        again = Table.resume(record.parse_any(kept))
        assert all_views(again) == all_views(whole.at(step))
        for action in whole.actions[step:]:
            again.act(again.player, action)
        assert all_views(again) == all_views(whole)


@given(some.sampled_from(SHORT), some.integers(0, SEED_LIMIT - 1), some.randoms(use_true_random=False))
def test_the_record_is_valid_and_resumable_at_every_step(name, seed, random):
    table = Table.deal(name, seed)
    while not table.over:
        play_random(table, random, most=1, failing=0.1)
        text = record.text(table.record)
        found = record.parse_any(text)
        assert found == table.record
        assert all_views(Table.resume(found)) == all_views(table)
    assert record.parse(text) == table.record
    assert set(table.outcome.winners).isdisjoint(table.forfeited)


@pytest.mark.parametrize("name", tiered(NAMES))
def test_seats_get_their_own_events_and_spectators_public_ones(name):
    table = play_random(Table.deal(name, 5), Random(5), most=30)
    for seat in range(SPECTATOR, table.game.seats):
        told = [event for step in range(table.step + 1) for event in events_for(table.notices(step), seat)]
        assert table.events(seat) == told
        assert table.events(seat, since=3) == told[3:]


def events_for(notices, seat):
    return [notice.event for notice in notices if notice.reaches(seat)]


@pytest.mark.parametrize("name", tiered(NAMES))
def test_undo_restores_the_same_game(name):
    table = play_random(Table.deal(name, 4), Random(4), most=12)
    before, step = all_views(table), table.step
    play_random(table, Random(6), most=8)
    table.undo(step)
    assert all_views(table) == before
    table.undo(0)
    assert all_views(table) == all_views(Table.deal(name, 4))


def test_undo_keeps_earlier_forfeits():
    table = Table.deal("bo", 1)
    table.forfeit(0, "time", "It was slow.")
    play_random(table, Random(1), most=5)
    step = table.step
    play_random(table, Random(1), most=2)
    table.forfeit(table.waiting[0], "exit", "It left.")
    table.undo(step)
    assert table.forfeited == {0}
    assert [forfeit.kind for forfeit in table.forfeits] == ["time"]


def test_notes_are_recorded_and_survive_resuming():
    table = Table.deal("kuhn", seed=1, names=["Ann", "Ben"])
    table.act(0, table.legal()[0])
    for seat in (1, 0):  # the second time the game is already unrated
        Session(table).note_hint(seat)
    assert table.notes == ["after move 1: Ben has asked for a hint."]
    table.act(1, table.legal()[0])
    table.note("Ann is back.")
    table.undo(1)
    assert table.notes[1:] == ["after move 1: Ann is back."]
    table = Table.resume(record.parse_any(record.text(table.record)))
    Session(table).note_hint(0)
    while not table.over:
        table.act(table.player, table.legal()[0])
    assert table.record.notes == tuple(table.notes)
    assert len(table.notes) == 2
    assert Table.resume(record.parse(record.text(table.record))).record == table.record


@pytest.mark.parametrize("sentence", ["two\nlines", "bell\a", "x" * 300, " x ", None, 7])
def test_an_invalid_note_is_refused_and_nothing_is_noted(sentence):
    table = Table.deal("kuhn", seed=1)
    with pytest.raises(NotationError, match="sentence must be one line of text"):
        table.note(sentence)
    assert table.notes == []


@pytest.mark.parametrize("name", tiered(NAMES))
def test_at_returns_an_independent_table(name):
    table = play_random(Table.deal(name, 4), Random(4), most=10)
    before = all_views(table)
    play_random(table.at(table.step // 2), Random(9))
    table.state().player = 77
    assert all_views(table) == before
    steps = [past.step for past in table.replay()]
    assert steps == list(range(table.step + 1))


# ---------------------------------------------------------------- simultaneous choices


@pytest.mark.parametrize("name", first_fast(AT_ONCE))
@given(seed=some.integers(0, SEED_LIMIT - 1), random=some.randoms(use_true_random=False))
def test_the_order_of_simultaneous_choices_does_not_matter(name, seed, random):
    """Each seat makes the same choices; only the order differs."""
    games = []
    for pick in (lambda waiting: waiting[0], random.choice, lambda waiting: waiting[-1]):
        table, mind = Table.deal(name, seed), [Random(f"{seed} {seat}") for seat in range(game(name).seats)]
        while not table.over:
            seat = pick(table.waiting)
            table.act(seat, mind[seat].choice(table.legal(seat)))
        games.append(all_views(table))
    assert games[0] == games[1] == games[2]


@pytest.mark.parametrize("name", AT_ONCE)
def test_simultaneous_choices_are_hidden_and_independent(name):
    """A seat has the same view and the same legal actions whether it is asked first or last."""
    met = 0
    for seed in range(3):
        table, random = Table.deal(name, seed), Random(seed)
        while not table.over:
            state = table.state()
            for seat in choosing_seats(table.game, state)[1:]:
                early = with_mover(state, seat)
                late = state.copy()
                while late.player != seat:
                    table.game.advance(late, random.choice(table.game.legal(late)))
                assert table.game.legal(early) == table.game.legal(late)
                assert encoded(table.game.view(early, seat)) == encoded(table.game.view(late, seat))
                met += 1
            table.act(table.player, random.choice(table.legal()))
    assert met > 5


def test_a_waiting_choice_is_hidden_and_recorded():
    table = Table.deal("go", 7, ["Ann", "Ben", "Cem", "Dot"])
    views = [encoded(table.view(seat)) for seat in (SPECTATOR, 0, 1, 3)]
    table.act(2, table.legal(2)[-1])
    assert [encoded(table.view(seat)) for seat in (SPECTATOR, 0, 1, 3)] == views
    assert table.waiting == (0, 1, 3)
    assert table.step == 0
    assert table.held_action(2) is not None
    assert table.held_action(2) == Table.resume(record.parse_any(record.text(table.record))).held_action(2)
    with pytest.raises(SeatError, match=r"Cem \(seat 2\) has already chosen"):
        table.act(2, table.legal(0)[0])
    table.act(0, table.legal(0)[0])
    assert table.step == 1
    table.act(1, table.legal(1)[0])
    assert (table.step, table.waiting) == (3, (3,))


def test_a_failure_during_simultaneous_choices_takes_effect_in_turn():
    table = Table.deal("go", 7)
    table.forfeit(2, "time", "It was\n slow.")
    assert table.waiting == (0, 1, 3)
    assert table.forfeited == frozenset()
    table = Table.resume(record.parse_any(record.text(table.record)))
    table.act(0, table.legal(0)[0])
    table.act(1, table.legal(1)[0])
    assert table.forfeited == {2}
    assert table.step == 3
    assert (table.forfeits[0].moves, table.forfeits[0].sentence) == (2, "It was slow.")


# ---------------------------------------------------------------- refusals

WRONG = {
    "no game": (lambda: Table.deal("chess"), NotationError, "Unknown game 'chess'"),
    "no game at all": (lambda: Table.deal(7), NotationError, "game must be a Game or the name of one"),
    "no seed": (lambda: Table.deal("bo", -1), NotationError, "a seed is a whole number from 0"),
    "too few names": (lambda: Table.deal("bo", 1, ["Ann"]), SeatError, "has 4 seats, not 1"),
    "no names": (lambda: Table.deal("bo", 1, "Anna"), NotationError, "names must be a list of strings"),
    "a seed that is no number": (lambda: Table.deal("bo", "1"), NotationError, "seed must be a whole number"),
    "a name that is no text": (
        lambda: Table.deal("kuhn", 1, ["Ann", 2]),
        NotationError,
        "names must be a list of strings",
    ),
    "no record": (lambda: Table.resume("bo"), NotationError, "record must be a Record"),
    "no seat": (lambda: Table.deal("bo", 1).view(9), SeatError, "seat must be from 0 to 3"),
    "not their turn": (lambda: Table.deal("bo", 1).act(2, 1), SeatError, r"It is P0's turn \(seat 0\), not P2's"),
    "nobody": (lambda: Table.deal("bo", 1).act(4, 1), SeatError, "seat must be from 0 to 3"),
    "a spectator": (lambda: Table.deal("bo", 1).act(-1, 1), SeatError, "Spectators can't act"),
    "no action": (lambda: Table.deal("bo", 1).act(0, "pass"), NotationError, "action must be a whole number"),
    "an unknown action": (lambda: Table.deal("bo", 1).act(0, 10**9), RuleError, "."),
    "an illegal action": (lambda: Table.deal("go", 1).act(0, 52 + 1), RuleError, "."),
    "a finished game": (lambda: finished_table().act(0, 1), RuleError, "The game is over."),
    "a finished game's choices": (lambda: finished_table().legal(), RuleError, "The game is over."),
    "no failure": (lambda: Table.deal("bo", 1).forfeit(0, "fake", "x"), NotationError, "kind must be one of load, "),
    "a late load": (lambda: started_table().forfeit(1, "load", "x"), RuleError, "cannot forfeit here by load"),
    "out twice": (lambda: forfeited_table().forfeit(0, "time", "x"), SeatError, "has already forfeited"),
    "who is out": (lambda: forfeited_table().act(0, 1), SeatError, "has forfeited, and the computer plays for it"),
    "a step to come": (lambda: Table.deal("bo", 1).undo(1), NotationError, "step must be from 0 to 0"),
    "no number": (lambda: Table.deal("bo", 1).events(0, "all"), NotationError, "since must be a whole number"),
    "a number below none": (lambda: Table.deal("bo", 1).events(0, -1), NotationError, "since must be 0 or more"),
}


def finished_table():
    return play_random(Table.deal("bo-mini", 1), Random(1))


def forfeited_table():
    table = Table.deal("bo", 1)
    table.forfeit(0, "time", "It was slow.")
    return table


def started_table():
    table = Table.deal("bo", 1)
    table.act(0, table.legal()[0])
    return table


@pytest.mark.parametrize("what", WRONG)
def test_invalid_arguments_are_refused_and_change_nothing(what):
    action, kind, sentence = WRONG[what]
    with pytest.raises(kind, match=sentence) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith((".", "1"))


OTHERS = {"action": 0, "since": 0, "kind": "time", "sentence": "It was slow."}
"""The arguments of the table's methods after the seat."""
OF_PLAYERS = ("forfeit", "forfeit_only")
"""Methods for players only; the others also accept a spectator, if only to refuse it."""
OF_A_SEAT = [
    (name, [OTHERS[word] for word in list(known)[2:]])
    for name, method in inspect.getmembers(Table, inspect.isfunction)
    if not name.startswith("_") and "seat" in (known := inspect.signature(method).parameters)
]


@pytest.mark.parametrize(("name", "others"), OF_A_SEAT)
@pytest.mark.parametrize("seat", [4, 9, -2, 1.5, "0"])
def test_an_invalid_seat_is_refused_and_changes_nothing(name, others, seat):
    table = Table.deal("bo", 1)
    before = all_views(table)
    with pytest.raises((SeatError, NotationError), match="seat") as caught:
        getattr(table, name)(seat, *others)
    if isinstance(caught.value, SeatError):
        or_spectator = "" if name in OF_PLAYERS else " or -1 for a spectator,"
        assert str(caught.value) == f"seat must be from 0 to 3 in bo,{or_spectator} not {seat!r}."
    assert all_views(table) == before


@pytest.mark.parametrize("name", SHORT)
@given(some.data())
def test_any_refused_action_leaves_the_table_unchanged(name, data):
    """Any seat and any action is carried out, or refused without side effects."""
    table = play_random(
        Table.deal(name, 2), Random(data.draw(some.integers(0, 9))), most=data.draw(some.integers(0, 9))
    )
    before = all_views(table)
    seat = data.draw(some.integers(-2, 4) | some.none() | some.text(max_size=2))
    action = data.draw(some.integers(-3, 2**70) | some.floats() | some.none() | some.text(max_size=2) | some.booleans())
    try:
        table.act(seat, action)
    except KibitzError:
        assert all_views(table) == before
    else:
        assert table.step > 0 or table.held_action(seat) is not None


def test_waiting_choices_survive_resuming():
    """Each seat alone, and all except the mover, who need not wait."""
    for many in (*((seat,) for seat in range(1, 4)), (1, 2, 3)):
        table = Table.deal("go", 7)
        for seat in many:
            table.act(seat, table.legal(seat)[-1])
        again = Table.resume(table.record)
        assert [again.held_action(seat) for seat in range(4)] == [table.held_action(seat) for seat in range(4)]
        assert [seat for seat in range(4) if again.held_action(seat)] == [*many]


def test_an_invalid_record_is_not_resumed():
    true = play_random(Table.deal("bo-mini", 3), Random(3)).record
    wrong = msgspec.structs.replace(true.outcome, winners=(0, 1))
    replace = msgspec.structs.replace
    left, go = forfeited_table().record, Table.deal("go", 1).record
    changed = {
        "the moves give a different result": replace(true, outcome=wrong),
        "move 2 is illegal": replace(true, actions=(true.actions[0], 10**6)),
        "the record follows version 9 of the rules": replace(true, rules=9),
        "has 2 seats, and the record names 1": replace(true, seats=("Ann",)),
        "isn't a valid player name": replace(true, seats=("Ann", " ")),
        "the computer plays": replace(left, actions=(Table.deal("bo", 1).legal()[1],)),
        "has no seat 9": replace(left, forfeits=(*left.forfeits, Forfeit(0, 9, "time", "x"))),
        "seat 0 has no choice to make": replace(go, held=(HeldChoice(0, 1),)),
        "the choice that seat 2 holds is illegal": replace(go, held=(HeldChoice(2, 10**6),)),
    }
    for sentence, record_ in changed.items():
        with pytest.raises(RecordError, match=sentence):
            Table.resume(record_)
