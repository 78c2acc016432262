"""Cribbage: deals, illegal actions, the end of a game at 121 points, skunks, and the points of a match."""

from collections import Counter
from random import Random

import pytest

from kibitz.cards import as_set, cards_of, parse_cards
from kibitz.engine.contract.checking import random_game
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.errors import NotationError, RuleError
from kibitz.games.cribbage import rules
from kibitz.games.cribbage.rules import DISCARD, GO
from kibitz.games.cribbage.view import GameEnded, TurnedUp
from kibitz.table.match import play_match
from tests.games.cribbage_table import CRIBBAGE, act, in_play, last_event, sentences
from tests.strategies.seats import Strategist
from tests.table.test_match import Answering


def test_the_lower_card_of_the_cut_deals_and_ranks_differ():
    dealers = Counter()
    for seed in range(300):
        s = CRIBBAGE.deal(seed)
        ranks = [card >> 2 for card in s.cut]
        assert ranks[0] != ranks[1]
        assert s.dealer == (0 if ranks[0] < ranks[1] else 1)
        assert s.player == 1 - s.dealer
        dealers[s.dealer] += 1
    assert min(dealers.values()) > 110


def test_six_cards_each_are_dealt_and_the_non_dealer_discards_first():
    for seed in range(50):
        s = CRIBBAGE.deal(seed)
        assert [hand.bit_count() for hand in s.hand] == [6, 6]
        assert s.hand[0] & s.hand[1] == 0
        assert len(CRIBBAGE.legal(s)) == 15


def test_every_hand_is_dealt_equally_often():
    counts = Counter()
    mini = game("cribbage-mini")
    for seed in range(7000):
        counts[mini.deal(seed << 64).hand[1]] += 1
    assert len(counts) == 35
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 65, "chi squared, 34 degrees of freedom"


def test_the_deal_alternates():
    for seed in range(20):
        dealers = {}
        for state, _, _ in random_game(CRIBBAGE, seed):
            dealers[state.deals] = state.dealer
        assert all(dealers[n] != dealers[n + 1] for n in range(1, max(dealers)))


def test_the_loser_of_a_game_deals_first_in_the_next():
    match = game("cribbage:games=4,target=40")
    for seed in range(10):
        state, random = match.deal(seed), Random(seed)
        played = 0
        while not state.over:
            events = to_seat(match.play(state, random.choice(match.legal(state))), -1)
            for event in events:
                if isinstance(event, GameEnded):
                    played += 1
                    if not state.over:
                        assert state.dealer == event.pegs.index(min(event.pegs))
                        assert (state.deals, state.pegs) == (1, [0, 0])
        assert played == 4
        assert match.result(state, frozenset()).reason == "All 4 games have been played."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2D", "Discard exactly 2 cards, not 1"),
        ("2D 3D 4D", "Discard exactly 2 cards, not 3"),
        ("", "Discard exactly 2 cards, not 0"),
        ("2D 2D", "2D appears 2 times"),
        ("2D KS", "You don't hold K♠"),
        ("2D XX", "without jokers"),
        ("2D 1S", "'1S' is not a card"),
        ("go", "Go is for the play"),
    ],
)
def test_an_illegal_discard_is_refused_and_changes_nothing(text, why):
    s = CRIBBAGE.deal(1)
    s.hand[s.player] = as_set(parse_cards("2D 3D 4D 5D 6D 7D"))
    before = s.copy()
    with pytest.raises((RuleError, NotationError), match=why) as caught:
        act(CRIBBAGE, s, text)
    assert "\n" not in str(caught.value)
    assert s == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("KD", "can't go above 31"),
        ("go", "say go only if none of your cards fits"),
        ("9D", "from your own hand"),
        ("3D 4D", "exactly one card"),
        ("", "exactly one card"),
        ("XX", "without jokers"),
        ("KD KD", "KD appears 2 times"),
    ],
)
def test_an_illegal_play_is_refused_and_changes_nothing(text, why):
    played, s = in_play("KD 3D 4D", "2C", trail="9S QD 8S")
    before = s.copy()
    assert s.count == 27
    with pytest.raises((RuleError, NotationError), match=why):
        act(played, s, text)
    assert s == before


def test_actions_of_the_other_phase_are_refused():
    s = CRIBBAGE.deal(1)
    low = min(cards_of(s.hand[s.player]))
    assert "first discard to the crib" in CRIBBAGE.why_not(s, low)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, DISCARD + 0b111)
    assert "as many cards as the crib needs" in CRIBBAGE.why_not(s, DISCARD)
    played, s = in_play("KD 3D 4D", "2C")
    assert "already discarded" in played.why_not(s, DISCARD + 0b11)
    s.over = 1
    assert played.why_not(s, 0) == "The game is over."


def test_invalid_move_forfeits_and_the_game_is_played_out():
    good = Strategist(CRIBBAGE.strategies["greedy"])
    record = play_match(CRIBBAGE, [Answering(GO), good], 3).record
    assert [forfeit.seat for forfeit in record.forfeits] == [0]
    assert "Go is for the play" in record.forfeits[0].sentence
    assert record.outcome.winners == (1,)


@pytest.mark.parametrize("option", ["games=0", "games=101", "target=0", "target=122", "skunks=2", "hand_size=5"])
def test_options_out_of_range_are_refused(option):
    with pytest.raises(NotationError):
        game(f"cribbage:{option}")


def test_every_state_satisfies_the_rules():
    for seed in range(15):
        for state, legal, _ in random_game(CRIBBAGE, seed):
            assert 0 <= state.count <= 31
            assert max(state.pegs) < 121
            if GO in legal:
                assert legal == [GO]
                assert rules.playable(state, state.player) == 0
            known = state.hand[0].bit_count() + state.hand[1].bit_count() + state.plays
            assert known + state.away[0].bit_count() + state.away[1].bit_count() == 12


def test_his_heels_can_win_the_game():
    s = CRIBBAGE.deal(3)
    s.pack = s.hand[0] | s.hand[1] | as_set(parse_cards("JD JC JH JS"))
    s.pegs[s.dealer], dealer = 119, s.dealer
    CRIBBAGE.play(s, CRIBBAGE.legal(s)[0])
    told = to_seat(CRIBBAGE.play(s, CRIBBAGE.legal(s)[0]), -1)
    assert [type(event).__name__ for event in told] == ["Discarded", "TurnedUp", "GameEnded", "Finished"]
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
