"""Deals of cribbage: the cut, the dealer, hands, and discards to the crib."""

from collections import Counter
from random import Random

from kibitz.engine.contract.checking import random_game
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.games.cribbage.view import GameEnded
from tests.games.cribbage_table import CRIBBAGE


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
