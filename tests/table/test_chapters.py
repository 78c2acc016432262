"""Hands and rounds: where they end, and what is said about their end."""

from random import Random
from types import SimpleNamespace

import pytest

from kibitz.cards import parse, symbol
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.engine.scene import Row, Scenes
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import Event, NewDeal, RoundOver, to_seat
from kibitz.table import Table
from kibitz.table.outcomes import closing_events, deals_again, event_sentences, new_deal_steps, summary


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
def test_every_round_but_the_last_ends_at_a_new_deal(name, ends):
    table = played(name)
    found = list(new_deal_steps(table))
    assert len(found) == ends
    assert found == sorted(set(found))
    assert all(0 < step < table.step for step in found)
    assert [step for step in range(1, table.step + 1) if deals_again(table.notices(step))] == found
    assert not list(new_deal_steps(table.at(found[0] - 1 if found else table.step)))
    if found:
        assert list(new_deal_steps(table.at(found[0]))) == found[:1]
        assert list(new_deal_steps(table, found[0])) == found[1:]


def test_the_events_of_a_round_end_before_the_new_deal():
    table = played("president:players=3,rounds=3")
    for step in new_deal_steps(table):
        for seat in range(3):
            events = to_seat(table.notices(step), seat)
            closes = closing_events(events)
            assert any(isinstance(event, RoundOver) for event in closes)
            assert events[: len(closes)] == closes
            assert isinstance(events[len(closes)], NewDeal)
    assert closing_events([]) == []


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
def test_a_final_score_is_not_repeated_by_the_last_round(events, told):
    teller = SimpleNamespace(describe=lambda event, seat, names: f"{event.sentence}")
    found = list(event_sentences(teller, events, 0, ["Ann", "Ben"]))
    assert [sentence for _, sentence in found] == told
    assert [event.sentence for event, _ in found] == told


def summaries(table, seat):
    """The summaries of a game's hands and rounds, with the events of that step, and all sentences until then."""
    names, reported = names_for(seat, table.names), []
    for step in range(1, table.step + 1):
        events = to_seat(table.notices(step), seat)
        reported += [table.game.describe(event, seat, names) for event in closing_events(events)]
        if found := summary(table.game, events, seat, names):
            yield found, closing_events(events), reported


@pytest.mark.parametrize("name", [game.name for game in all_games()])
def test_a_summary_says_only_what_its_seat_was_told(name):
    for seed in range(3):
        table = played(name, seed)
        ends = [step for step in range(1, table.step + 1) if any_ends(table.notices(step))]
        for seat in range(-1, table.game.seats):
            found = list(summaries(table, seat))
            assert len(found) == len(ends)
            for made, _, told in found:
                shown = [spot for row in made.rows for spot in row.spots]
                for spot in [*shown, *(spot for zone in made.table for spot in zone.spots)]:
                    assert any(symbol(parse(spot.card)) in sentence for sentence in told)


def any_ends(notices):
    return any(isinstance(notice.event, NewDeal | RoundOver) for notice in notices)


def test_a_show_is_itemised_up_to_the_points_pegged():
    counted = 0
    for seed in range(20):
        for made, events, _ in summaries(played("cribbage", seed), 0):
            shows = [event for event in events if type(event).__name__ == "Shown"]
            if not shows:
                continue
            assert [row.total for row in made.rows] == [f"total {show.total}" for show in shows]
            for row, show in zip(made.rows, shows, strict=True):
                assert sum(item.points for item in row.items) == show.points
                counted += len(row.items)
    assert counted > 500


@pytest.mark.parametrize("name", ["holdem:hands=30", "draw:hands=30", "leduc:hands=30", "kuhn:hands=30,stack=20"])
def test_a_poker_summary_has_the_pots_and_chips(name):
    for seed in range(5):
        table = played(name, seed)
        for made, events, _ in summaries(table, 0):
            won = {}
            for event in events:
                for p, share in zip(getattr(event, "winners", ()), getattr(event, "shares", ()), strict=True):
                    won[p] = won.get(p, 0) + share
            by_name = {row.title: row for row in made.rows}
            for p, title in enumerate(names_for(0, table.names)):
                row = by_name.get(title, Row(title))
                assert sum(int(word) for word in row.result.split() if word.isdigit()) == won.get(p, 0)
                chips = next(event.chips[p] for event in events if isinstance(event, RoundOver))
                assert row.total.split()[:1] == ([str(chips)] if title in by_name else [])
                assert title in by_name or not chips


def test_a_game_without_summary_words_is_summed_up_by_its_events():
    table = played("kuhn:hands=3,stack=20")
    game = find_game("kuhn:hands=3,stack=20")
    bare = SimpleNamespace(scenes=Scenes(), describe=game.describe)
    events = to_seat(table.notices(table.step), 0)
    made = summary(bare, events, 0, names_for(0, table.names))
    assert [row.title for row in made.rows] == [game.describe(event, 0, ["You", *table.names[1:]]) for event in events]


def test_an_unshown_cribbage_deal_says_what_ended_the_game():
    ends = [list(summaries(played("cribbage", seed), 0))[-1] for seed in range(60)]
    unshown = [(made, told) for made, events, told in ends if not any(type(e).__name__ == "Shown" for e in events)]
    assert unshown
    for made, told in unshown:
        assert made.title.startswith("Game 1 is over: ")
        assert told[told.index(made.title) - 1] == made.rows[0].title
