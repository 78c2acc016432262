"""The files of a tournament, its filler and its executor, by hand."""

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


def test_the_games_csv_has_one_row_per_seat():
    assert played().to_csv().splitlines()[1:] == [
        "0,0,70,0,Ann,3.0,1.0,,",
        "0,0,70,1,'=Ben,1.0,0.0,,",
        "0,1,70,0,'=Ben,2.0,0.5,,",
        "0,1,70,1,Ann,2.0,0.5,time,Too slow.",
    ]
    assert played().to_csv().splitlines()[0] == "deal,rotation,seed,seat,player,score,win_share,forfeit,reason"


def test_the_ranking_csv_has_reasons_where_there_are_any():
    ann, ben, cem = played().ranking_csv().splitlines()[1:]
    few = "has too few games for an interval: that needs 3 deals."
    assert ann == f"1,Ann,2,1.5,0.75,,2.5,,1,1 game: Too slow.,,Ann {few}"
    assert ben == f"2,'=Ben,2,0.5,0.25,,1.5,,0,,,'=Ben {few}"
    assert cem == (",Cem,0,0.0,0.0,,0.0,,0,,Cem has no games: it had no seat in the deals that were played.,")


def test_the_disqualification_sentence_counts_own_games_and_failures():
    told = disqualification_sentence("Ann", 0, RESULTS, Threshold(1, 0.4))
    assert told == (
        "Ann is out of the tournament: it forfeited 1 of 2 games (allowed: 0, or 40 % of the games if that is more)."
    )
    assert "forfeited 0 of 2 games" in disqualification_sentence("Ben", 1, RESULTS, Threshold())


def spec(name, built_in=""):
    return SimpleNamespace(name=name, built_in=built_in)


def test_a_filler_is_added_unless_it_entered():
    game = kibitz.game("go")
    everybody, filler = with_filler(game, [spec("mine"), spec("other")])
    assert (len(everybody), filler) == (3, 2)
    name = everybody[-1].built_in
    again, filler = with_filler(game, [spec("mine"), spec(name, name)])
    assert (len(again), filler) == (2, 1)


def test_equal_names_are_numbered_with_unplayable_entries_last():
    assert names_of([spec("a"), spec("b")], [("a", "It is broken."), ("c", "It is broken.")]) == (
        "a-1",
        "b",
        "a-2",
        "c",
    )


def test_local_workers_are_at_most_the_number_of_deals(monkeypatch):
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
def test_invalid_numbers_are_refused(given, why):
    with pytest.raises(NotationError, match=why):
        check_numbers(*given)


def test_the_smallest_tournament_is_accepted():
    check_numbers(["x"], 1, 1e-9, 1)
    check_numbers(["x"], None, None, None)
