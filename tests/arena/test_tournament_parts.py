"""The files of a tournament, its filler, its executor, its numbered players and their failures, by hand."""

from math import inf
from types import SimpleNamespace

import pytest

import kibitz
from kibitz.arena.model import EndCondition, GameCounts, Submission, Threshold
from kibitz.arena.rating.standings import Result, SeatForfeit, standings
from kibitz.arena.running import tournament
from kibitz.arena.running.next_round import MAX_DETAIL, TournamentPlayers
from kibitz.arena.running.tournament import (
    PlayedTournament,
    check_numbers,
    disqualification_sentence,
    executor_for,
    names_of,
    with_filler,
)
from kibitz.errors import NotationError
from tests.arena.results import match, seat

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


def submission(id, player, owner="", file="x.py", digest="00", state="accepted"):
    return Submission(id, "kuhn", player, 1, owner or player, file, digest, state, "", 0.0, 1.0)


FIELD = [
    submission(5, "zoe"),
    submission(6, "ann"),
    submission(7, "gone", state="refused"),
    submission(8, "random", file="random", digest=""),
    submission(9, "filler", "Kibitz", "random", ""),
]


def test_players_are_numbered_by_entry_with_the_filler_last():
    field = TournamentPlayers("kuhn", FIELD)
    assert (field.count, field.filler, field.submissions) == (3, 3, (5, 6, 8, 9))
    assert field.names == ("zoe", "ann", "random", "filler")
    assert field.numbers == {5: 0, 6: 1, 8: 2, 9: 3}
    assert [(one.player, one.fills) for one in field.entrants] == [
        *(("ann", False), ("filler", True), ("random", False), ("zoe", False)),
    ]
    assert field.counts({6: GameCounts(1), 9: GameCounts(2)}) == {1: GameCounts(1), 3: GameCounts(2)}


def test_the_strongest_built_in_entrant_is_the_default_filler():
    field = TournamentPlayers("kuhn", FIELD[:-1])
    assert (field.count, field.filler) == (3, 2)
    twice = TournamentPlayers("kuhn", [*FIELD[:-1], submission(10, "again", file="random", digest="")])
    assert (twice.count, twice.filler) == (4, 2)


@pytest.mark.parametrize("kinds", [("time", "load", "time"), ("load", "time", "time")])
def test_failures_are_listed_in_the_order_they_happened(kinds):
    """Load failures come before any move; the others are ordered by their moves."""
    field = TournamentPlayers("kuhn", FIELD)
    seats = [seat(one, 2, 0.0, kind, rule=f"rule {one}") for one, kind in zip((5, 6, 8), kinds, strict=True)]
    played = match(11, [*seats, seat(9, 1, 1.0, score=4.0)], block=3, rotation=2)
    known = {
        (11, 0): SimpleNamespace(moves=0 if kinds[0] == "load" else 4, detail="a" + "b" * MAX_DETAIL),
        (11, 2): SimpleNamespace(moves=2, detail="call(1)"),
    }
    found = field.result(played, known)
    assert (found.deal, found.rotation, found.seed, found.players) == (2, 2, 7, (0, 1, 2, 3))
    assert (found.scores, found.winners) == ((0.0, 0.0, 0.0, 4.0), (3,))
    order = [forfeit.seat for forfeit in found.forfeits]
    assert order == {"time": [1, 2, 0], "load": [0, 1, 2]}[kinds[0]]
    by_seat = {forfeit.seat: forfeit for forfeit in found.forfeits}
    assert by_seat[0].detail == "b" * 4000
    assert (by_seat[1].detail, by_seat[2].detail) == ("", "call(1)")
    assert by_seat[1].sentence == "rule 6"


def test_load_failures_precede_failures_at_the_first_move():
    field = TournamentPlayers("kuhn", FIELD)
    seats = [seat(5, 2, 0.0, "exception"), seat(6, 2, 0.0, "load"), seat(8, 1, 0.5), seat(9, 1, 0.5)]
    assert [forfeit.seat for forfeit in field.result(match(1, seats), {}).forfeits] == [1, 0]
