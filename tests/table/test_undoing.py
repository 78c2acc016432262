"""What may be taken back: only what has shown nothing new; and which last choice waits for that."""

from random import Random

import pytest

from kibitz.engine.events import to_seat
from kibitz.engine.registry import game
from kibitz.table import Table
from kibitz.table.undo import STANDS, Decision, is_last_word, why_no_undo

NO_GROUP = ("AD>new", "2S>1", "4D>1", "5D>1", "5S>1", "6D>1")
"""Six plays of the first seat of Huxxy at seed 1: what they make is no group, and only conceding is left."""
SHORT = ["go-mini", "bo-mini", "huxxy-mini", "president-mini", "cribbage-mini", "leduc", "draw-mini", "eights-mini"]


def decided(table, seat, action):
    """Carry out a choice; the decision that it was."""
    decision = Decision(table.step, table.view(seat), action, len(table.events(seat)))
    table.act(seat, action)
    return decision


def conceding(plays=NO_GROUP):
    """A table at which the first seat has made some plays, and its decisions."""
    table, made = Table.deal("huxxy:players=2", 1), []
    for text in plays:
        made.append(decided(table, 0, table.game.parse(table.view(0), text)))
    return table, made


def test_who_has_decided_nothing_has_nothing_to_take_back():
    assert why_no_undo(Table.deal("bo", 1), []) == "There is nothing to undo yet."


def worlds_tell_the_same(table, made, seeds):
    """Whether a person hears the very same, and goes on, in many worlds that they could not tell apart."""
    heard = table.events(made.view.seat, made.told)
    for seed in seeds:
        state = table.game.imagine(made.view, seed)
        told = to_seat(table.game.play(state, made.action), made.view.seat)
        if told != heard or state.player != made.view.seat:
            return False
    return True


@pytest.mark.parametrize("name", SHORT)
def test_a_choice_is_taken_back_where_no_world_would_have_answered_otherwise(name):
    """The worlds are others than those that decide."""
    random, told = Random(2), set()
    for seed in range(6):
        table, made = Table.deal(name, seed), []
        for _ in range(25):
            if table.over:
                break
            seat = random.choice(table.waiting)
            made.append(decided(table, seat, random.choice(table.legal(seat))))
            if table.over:
                break
            why = why_no_undo(table, made)
            told.add(why)
            assert why in (None, STANDS)
            assert (why is None) == worlds_tell_the_same(table, made[-1], range(1000, 1100))
    assert STANDS in told
    assert None in told or name not in ("huxxy-mini", "bo-mini")


def test_what_had_to_follow_is_taken_back_with_the_choice():
    """The rules left nothing else to do after it, so it has shown nothing new."""
    table, made = conceding(NO_GROUP[:-1])
    before = made[-1]
    decided(table, 0, table.game.parse(table.view(0), NO_GROUP[-1]))
    assert why_no_undo(table, made) == STANDS, "another choice was made since"
    table, made = conceding()
    decided(table, 0, table.legal(0)[0])
    assert table.over
    assert before.step == len(NO_GROUP) - 2


def test_an_only_choice_that_ends_the_game_unwon_waits_where_the_one_before_can_be_taken_back():
    table, made = conceding()
    view, legal = table.view(0), table.legal(0)
    assert [table.game.text(view, action) for action in legal] == ["concede"]
    assert is_last_word(table, made, view, legal)
    assert not is_last_word(table, [], view, legal)
    assert not is_last_word(table, made[:-1], view, legal)
    assert not is_last_word(table, made, view, legal * 2)
    assert not is_last_word(table, made, view, [])
    assert table.step == len(NO_GROUP), "nothing is carried out by asking"


def test_an_only_choice_that_wins_or_goes_on_does_not_wait():
    """In every short game, at every point at which there is one choice."""
    met = set()
    for name in SHORT:
        for seed in range(12):
            table, last, random = Table.deal(name, seed), {}, Random(seed)
            while not table.over:
                seat = table.waiting[0]
                view, legal = table.view(seat), table.legal(seat)
                made = [last[seat]] if seat in last else []
                after = table.at(table.step)
                if len(legal) == 1 and made and made[0].step == table.step - 1:
                    after.act(seat, legal[0])
                    wins = after.over and seat in after.outcome.winners
                    waits = after.over and not wins and why_no_undo(table, made) is None
                    met.add((after.over, wins, waits))
                    assert is_last_word(table, made, view, legal) == waits
                last = {seat: decided(table, seat, random.choice(legal))}
    assert (False, False, False) in met


def test_a_table_gone_back_to_has_forgotten_the_choice():
    table, made = conceding()
    table.undo(made[-1].step)
    assert table.legal(0) == game("huxxy:players=2").legal(table.position())
    assert made[-1].action in table.legal(0)
