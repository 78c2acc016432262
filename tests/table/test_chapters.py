"""Hands and rounds: where one ends, counted by what the options ask for, and what is told of its end."""

from random import Random
from types import SimpleNamespace

import pytest

from kibitz.engine.events import Event, NewDeal, RoundOver, to_seat
from kibitz.table import Table
from kibitz.table.chapters import chapters, closing, ends_chapter, telling


def played(name, seed=1):
    table, random = Table.deal(name, seed), Random(seed)
    while not table.over:
        seat = random.choice(table.waiting)
        table.act(seat, random.choice(table.legal(seat)))
    return table


@pytest.mark.parametrize(
    ("name", "ends"),
    [("president:players=3,rounds=1", 0), ("president:players=3,rounds=4", 3), ("kuhn", 0), ("go-mini", 0)],
)
def test_of_so_many_rounds_all_but_the_last_end_with_a_new_deal(name, ends):
    table = played(name)
    found = list(chapters(table))
    assert len(found) == ends
    assert found == sorted(set(found))
    assert all(0 < step < table.step for step in found)
    assert [step for step in range(1, table.step + 1) if ends_chapter(table.notices(step))] == found
    assert not list(chapters(table.at(found[0] - 1 if found else table.step)))
    if found:
        assert list(chapters(table.at(found[0]))) == found[:1]


def test_what_closes_a_round_is_told_up_to_the_new_deal_and_no_further():
    table = played("president:players=3,rounds=3")
    for step in chapters(table):
        for seat in range(3):
            events = to_seat(table.notices(step), seat)
            closes = closing(events)
            assert any(isinstance(event, RoundOver) for event in closes)
            assert events[: len(closes)] == closes
            assert isinstance(events[len(closes)], NewDeal)
    assert closing([]) == []


class Says(Event, frozen=True):
    """An event with its sentence."""

    sentence: str


class Ends(RoundOver, frozen=True):
    """The end of a round with its sentence."""

    sentence: str


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([], []),
        ([Says("A: 1")], ["A: 1"]),
        ([Says("Ann plays: 1"), Says("Ben plays: 1")], ["Ann plays: 1", "Ben plays: 1"]),
        ([Ends("The round is over: Ann 3")], ["The round is over: Ann 3"]),
        ([Ends("The round is over: Ann 3"), Says("The game is over: Ann 3")], ["The game is over: Ann 3"]),
        ([Ends("The round is over: 3"), Says("The game is over: 4")], ["The round is over: 3", "The game is over: 4"]),
        (
            [Ends("Round 1: 3"), Says("Ann is dealt: KS"), Ends("Round 2: 4"), Says("The game is over: 4")],
            ["Round 1: 3", "Ann is dealt: KS", "The game is over: 4"],
        ),
    ],
)
def test_a_score_that_the_end_of_the_game_tells_is_not_told_by_the_last_round(events, told):
    teller = SimpleNamespace(describe=lambda event, seat, names: f"{event.sentence}")
    found = list(telling(teller, events, 0, ["Ann", "Ben"]))
    assert [sentence for _, sentence in found] == told
    assert [event.sentence for event, _ in found] == told
