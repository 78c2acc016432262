"""The end of a game at 121 points, skunks, and the points of a match."""

from random import Random

import pytest

from kibitz.cards import as_set, parse_cards
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.games.cribbage.view import GameEnded, TurnedUp
from tests.games.cribbage_table import CRIBBAGE, act, in_play, last_event, sentences


def test_his_heels_can_win_the_game():
    s = CRIBBAGE.deal(3)
    s.pack = s.hand[0] | s.hand[1] | as_set(parse_cards("JD JC JH JS"))
    s.pegs[s.dealer], dealer = 119, s.dealer
    CRIBBAGE.play(s, CRIBBAGE.legal(s)[0])
    told = to_seat(CRIBBAGE.play(s, CRIBBAGE.legal(s)[0]), -1)
    assert [type(event).__name__ for event in told] == ["Laid", "TurnedUp", "GameEnded", "Finished"]
    assert last_event(told, TurnedUp).points == 2
    assert s.over
    assert s.pegs[dealer] == 121
    assert s.points[dealer] == 3


@pytest.mark.parametrize(
    ("place", "pegs", "ended"),
    [
        ("a card played", (100, 119), ["Played", "GameEnded"]),
        ("the last card", (100, 118), ["Played", "CountEnded", "GameEnded"]),
        ("the other hand", (113, 100), ["Played", "CountEnded", "Shown", "GameEnded"]),
        ("the dealer's hand", (100, 116), ["Played", "CountEnded", *["Shown"] * 2, "GameEnded"]),
        ("the crib", (100, 108), ["Played", "CountEnded", *["Shown"] * 3, "GameEnded"]),
    ],
)
def test_the_game_ends_as_soon_as_a_seat_has_121(place, pegs, ended):
    """Ben deals.  In the play he scores 2 and 1, in the show Ann 8, he 2 and his crib 8."""
    played, s = in_play("5D 5C", "0D 9C", starter="5H", dealer=1, pegs=pegs, crib="2D 2C 2H 5S")
    told = []
    for text in ("5D", "0D", "5C", "9C"):
        told = told if s.over else act(played, s, text)
    assert [type(event).__name__ for event in told] == [*ended, "Finished"], place
    assert s.over
    assert max(s.pegs) == 121


def test_non_dealers_hand_is_shown_first():
    """Both have enough in their hands; Ann, who did not deal, counts first and wins."""
    played, s = in_play("5D 5C", "0D 9C", starter="5H", dealer=1, pegs=(113, 116), crib="2D 2C 2H 5S")
    for text in ("5D", "0D", "5C", "9C"):
        act(played, s, text)
    assert s.pegs == [121, 119]
    assert played.result(s, frozenset()).winners == (0,)


@pytest.mark.parametrize(
    ("loser", "skunks", "worth", "reason"),
    [
        (120, 1, 1, "The game ended 121 to 120."),
        (91, 1, 1, "The game ended 121 to 91."),
        (90, 1, 2, "The game ended 121 to 90, a skunk."),
        (61, 1, 2, "The game ended 121 to 61, a skunk."),
        (60, 1, 3, "The game ended 121 to 60, a double skunk."),
        (0, 1, 3, "The game ended 121 to 0, a double skunk."),
        (0, 0, 1, "The game ended 121 to 0."),
    ],
)
def test_a_skunk_counts_double_and_a_double_skunk_three_times(loser, skunks, worth, reason):
    played, s = in_play("5D", "KC", pegs=(loser, 119), name=f"cribbage:skunks={skunks}")
    act(played, s, "5D")
    told = act(played, s, "KC")
    assert s.over
    assert played.returns(s) == (0.0, float(worth))
    assert last_event(told, GameEnded).worth == worth
    counts = {1: "", 2: ", a skunk, which counts double", 3: ", a double skunk, which counts three times"}[worth]
    said = CRIBBAGE.describe(last_event(told, GameEnded), -1, ["Ann", "Ben"])
    assert said == f"Game 1 is over: Ann {loser} and Ben 121{counts}."
    outcome = played.result(s, frozenset())
    assert (outcome.reason, outcome.winners) == (reason, (1,))
    assert ("skunk" in sentences(played, told)[-2]) == (worth > 1)
    assert played.result(s, frozenset({1})).winners == (0,), "a seat that forfeits cannot win"


def test_match_points_add_up_and_a_match_can_be_tied():
    match = game("cribbage:games=2,target=30")
    seen = set()
    for seed in range(60):
        state, random = match.deal(seed), Random(seed)
        while not state.over:
            match.play(state, random.choice(match.legal(state)))
        outcome = match.result(state, frozenset())
        assert sum(outcome.scores) == 2
        seen.add(outcome.winners)
    assert seen == {(0,), (1,), (0, 1)}
