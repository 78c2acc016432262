"""A session: who is asked, which forced action is played automatically, and what can be undone."""

from random import Random

import pytest

from kibitz.engine.views.events import to_seat
from kibitz.errors import RuleError, SeatError
from kibitz.table import Table
from kibitz.table.session import NOT_YOUR_TURN, NOTHING_TO_UNDO, TOO_LATE, AskPerson, AskPlayer, ForcedAction, Session

NO_GROUP = ("AD>new", "2S>1", "4D>1", "5D>1", "5S>1", "6D>1")
"""Six plays of the first seat of Huxxy at seed 1: they form no group, so only conceding is legal."""
SHORT = ["go-mini", "bo-mini", "huxxy-mini", "president-mini", "cribbage-mini", "leduc", "draw-mini", "eights-mini"]


def new_session(name, seed=1, people=(0,)):
    return Session(Table.deal(name, seed), people)


def conceding_session(plays=NO_GROUP):
    """A game in which the first seat can only concede."""
    session = new_session("huxxy:players=2")
    for text in plays:
        session.act(0, session.table.game.parse(session.table.view(0), text))
    return session


def play_steps(session, steps, seed=1):
    """Play some random steps."""
    random, table = Random(seed), session.table
    while not table.over and table.step < steps:
        match session.next:
            case ForcedAction(seat, action):
                session.act(seat, action)
            case AskPerson(seat) | AskPlayer(seat):
                session.act(seat, random.choice(table.legal(seat)))
    return session


# ---------------------------------------------------------------- who is asked


def test_people_and_computer_players_are_asked_in_seat_order():
    session = new_session("go:players=3", people=(0, 2))
    assert session.pending == [AskPerson(0), AskPlayer(1), AskPerson(2)]
    assert session.next == AskPerson(0)
    session.people.discard(0)
    assert session.next == AskPlayer(0), "a computer player plays for a person who left"


def test_nothing_is_pending_once_the_game_is_over():
    session = play_steps(new_session("bo-mini"), 1000)
    assert (session.table.over, session.pending) == (True, [])


def test_a_refused_choice_changes_nothing():
    session = new_session("go:players=3", people=(0, 1, 2))
    for seat, action, error in ((0, -1, RuleError), (5, 1, SeatError), (-1, 1, SeatError)):
        with pytest.raises(error):
            session.act(seat, action)
    assert (session.table.step, session.decisions) == (0, [[], [], []])


def test_a_forced_action_is_played_unless_undo_is_possible():
    session = conceding_session()
    (action,) = session.table.legal(0)
    assert session.next == AskPerson(0)
    session.decisions[0].pop()
    assert session.next == ForcedAction(0, action)
    session.people.clear()
    assert session.next == AskPlayer(0)


@pytest.mark.parametrize("name", [*SHORT, "hearts-mini"])
def test_only_forced_actions_are_played_and_undo_stays_possible(name):
    for seed in (*range(8), 31):  # in the last, a forced action of Bo follows an action that revealed something
        session, random, last = new_session(name, seed), Random(seed), None
        table = session.table
        while not table.over:
            one = session.next
            assert session.has_just_decided(0) == (last == AskPerson(0) and one.seat == 0)
            alone, undo = len(table.legal(one.seat)) == 1, last == AskPerson(0) and not session.why_no_undo(0)
            assert isinstance(one, ForcedAction) == (one.seat == 0 and alone and not undo)
            session.act(one.seat, random.choice(table.legal(one.seat)))
            last = one


# ---------------------------------------------------------------- undo


def test_undo_is_refused_out_of_turn_and_before_any_decision():
    session = new_session("bo")
    assert session.why_no_undo(0) == NOTHING_TO_UNDO
    assert session.why_no_undo(1) == NOT_YOUR_TURN


def infoset_tells_the_same(table, made, seeds):
    """Whether a person gets the same information, and is asked again, in many states of the information set."""
    heard = table.events(made.view.seat, made.events_seen)
    for seed in seeds:
        state = table.game.imagine(made.view, seed)
        told = to_seat(table.game.play(state, made.action), made.view.seat)
        if told != heard or state.player != made.view.seat:
            return False
    return True


@pytest.mark.parametrize("name", SHORT)
def test_a_choice_can_be_undone_if_no_alternative_changes_what_was_seen(name):
    """Checked on other states than those that decide."""
    random, told = Random(2), set()
    for seed in range(6):
        table = Table.deal(name, seed)
        session = Session(table, range(table.game.seats))
        for _ in range(40):
            if table.over:
                break
            seat = random.choice(table.waiting)
            session.act(seat, random.choice(table.legal(seat)))
            if seat in table.waiting and session.has_just_decided(seat):
                why = session.why_no_undo(seat)
                told.add(why)
                assert why in (None, TOO_LATE)
                assert (why is None) == infoset_tells_the_same(table, session.decisions[seat][-1], range(1000, 1100))
                if why is None and random.random() < 0.5:
                    session.undo(session.decisions[seat][-1].step)
    assert None in told or name not in ("huxxy-mini", "bo-mini")


def test_undo_forgets_the_choice_and_offers_the_one_before():
    session = conceding_session()
    for left in (5, 4):
        taken = session.decisions[0][-1]
        assert session.why_no_undo(0) is None
        session.undo(taken.step)
        assert (session.table.step, len(session.decisions[0])) == (left, left)
        assert taken.action in session.table.legal(0)
        assert session.next == AskPerson(0)


def test_a_choice_that_others_have_answered_cannot_be_undone():
    session = new_session("bo-mini")
    play_steps(session, 1000)
    assert session.why_no_undo(0) == NOT_YOUR_TURN
    answered = 0
    for seed in range(20):
        session = new_session("leduc", seed)
        while not session.table.over:
            one = session.next
            if one.seat == 0 and session.decisions[0]:
                assert session.why_no_undo(0) == TOO_LATE
                answered += 1
            session.act(one.seat, session.table.legal(one.seat)[0])
    assert answered


# ---------------------------------------------------------------- resuming


@pytest.mark.parametrize("name", SHORT)
def test_a_resumed_session_knows_the_decisions_of_people(name):
    """Except forced actions, which were the person's only because the one before could be undone."""
    session = play_steps(new_session(name, people=(0, 1)), 12)
    again = Session(Table.resume(session.table.record), (0, 1))
    for before, after in zip(session.decisions, again.decisions, strict=True):
        several = [one for one in before if len(session.table.at(one.step).legal(one.view.seat)) > 1]
        if "go" not in name:
            assert after == several
        assert [one.action for one in after] == [session.table.actions[one.step] for one in after]


def test_actions_played_for_a_forfeited_seat_are_not_decisions():
    session = new_session("bo-mini", 0, people=(0, 1))
    session.table.forfeit(0, "exception", "It left.")
    play_steps(session, 12)
    assert [bool(made) for made in Session(session.table, (0, 1)).decisions] == [False, True]


def test_a_waiting_choice_is_not_asked_again_after_resuming():
    table = Table.deal("go:players=3", 1)
    table.act(1, table.legal(1)[0])
    again = Session(Table.resume(table.record), (0, 1, 2))
    assert again.pending == [AskPerson(0), AskPerson(2)]
    again.act(0, again.table.legal(0)[0])
    assert (again.next, again.table.step) == (AskPerson(2), 2)
