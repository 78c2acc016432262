"""What is written of a tournament, who fills its seats and where it is played, by hand."""

from math import inf
from types import SimpleNamespace

import pytest

import kibitz
from kibitz.arena.model import EndCondition, Threshold
from kibitz.arena.rating.standings import Result, SeatForfeit, standings
from kibitz.arena.running import tournament
from kibitz.arena.running.tournament import (
    PlayedTournament,
    check_numbers,
    disqualification_sentence,
    executor_for,
    names_of,
    with_filler,
)
from kibitz.errors import NotationError

RESULTS = (
    Result(0, 0, 70, (0, 1), (3.0, 1.0), (0,), ()),
    Result(0, 1, 70, (1, 0), (2.0, 2.0), (0, 1), (SeatForfeit(1, "time", "Too slow."),)),
)


def played(results=RESULTS, names=("Ann", "=Ben", "Cem")):
    table = standings(names, results)
    return PlayedTournament("kuhn", 1, 7, EndCondition(1), Threshold(), names, "", True, table, results)


def test_the_games_are_written_seat_by_seat():
    assert played().to_csv().splitlines()[1:] == [
        "0,0,70,0,Ann,3.0,1.0,,",
        "0,0,70,1,'=Ben,1.0,0.0,,",
        "0,1,70,0,'=Ben,2.0,0.5,,",
        "0,1,70,1,Ann,2.0,0.5,time,Too slow.",
    ]
    assert played().to_csv().splitlines()[0] == "deal,rotation,seed,seat,player,score,win_share,forfeit,reason"


def test_the_table_is_written_with_every_reason_and_nothing_where_there_is_none():
    ann, ben, cem = played().ranking_csv().splitlines()[1:]
    few = "has too few games for an interval: that needs 3 deals."
    assert ann == f"1,Ann,2,1.5,0.75,,2.5,,1,1 x time: Too slow.,,Ann {few}"
    assert ben == f"2,'=Ben,2,0.5,0.25,,1.5,,0,,,'=Ben {few}"
    assert cem == (",Cem,0,0.0,0.0,,0.0,,0,,Cem has no games: it had no seat in the deals that were played.,")


def test_why_somebody_is_out_counts_its_own_games_and_failures():
    told = disqualification_sentence("Ann", 0, RESULTS, Threshold(1, 0.4))
    assert told == (
        "Ann is out of the tournament: it forfeited 1 of 2 games (allowed: 0, or 40 % of the games if that is more)."
    )
    assert "forfeited 0 of 2 games" in disqualification_sentence("Ben", 1, RESULTS, Threshold())


def spec(name, built_in=""):
    return SimpleNamespace(name=name, built_in=built_in)


def test_a_player_that_fills_seats_is_added_unless_it_plays_anyway():
    game = kibitz.game("go")
    everybody, filler = with_filler(game, [spec("mine"), spec("other")])
    assert (len(everybody), filler) == (3, 2)
    name = everybody[-1].built_in
    again, filler = with_filler(game, [spec("mine"), spec(name, name)])
    assert (len(again), filler) == (2, 1)


def test_names_are_told_apart_those_who_cannot_be_played_last():
    assert names_of([spec("a"), spec("b")], [("a", "It is broken."), ("c", "It is broken.")]) == (
        "a-1",
        "b",
        "a-2",
        "c",
    )


def test_on_this_machine_there_are_no_more_workers_than_deals(monkeypatch):
    asked = []
    monkeypatch.setattr(tournament, "executor_of", lambda on, workers: asked.append((on, workers)))
    monkeypatch.setattr(tournament, "cores", lambda: 8)
    for on, workers, most in ((None, None, 3), (None, 5, 9), ("local", 5, inf), (None, None, inf), ("dask:x", 5, 1)):
        executor_for(on, workers, most)
    assert asked == [("local", 3), ("local", 5), ("local", 5), ("local", 8), ("dask:x", 5)]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (([], 1, None, None), "at least one player"),
        ((["x"], 0, None, None), "at least one deal, not 0"),
        ((["x"], None, 0.0, None), "the margin to reach must be more than 0, not 0"),
        ((["x"], None, float("nan"), None), "the margin to reach must be more than 0, not nan"),
        ((["x"], 1, None, 0), "at least one worker, not 0"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(given, why):
    with pytest.raises(NotationError, match=why):
        check_numbers(*given)


def test_the_least_that_can_be_played_is_not_refused():
    check_numbers(["x"], 1, 1e-9, 1)
    check_numbers(["x"], None, None, None)
