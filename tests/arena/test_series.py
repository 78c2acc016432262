"""A stored tournament's matches, with numbered players and failures in the order they happened."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import GameCounts, Submission
from kibitz.arena.running.next_round import MAX_DETAIL, TournamentPlayers
from tests.arena.results import match, seat


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
