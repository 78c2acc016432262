"""The odds by which ``mimic`` of Go plays: their features, drawing by them, and their fit to ``greedy``."""

from collections import Counter
from math import exp, log

import numpy as np
import pytest

import kibitz
from kibitz.cards import parse_cards
from kibitz.engine.kernels.policies import seeded_rng
from kibitz.games.go import policies
from kibitz.search.tree_search import search_config
from tests.contract.groups import sharing
from tools import go_habits

pytestmark = sharing("go")
GO = kibitz.game("go")
SCRATCH = [0] * 1024


def positions(seed, games=3):
    """Positions of games between mimics that have a choice."""
    for number in range(games):
        state, rng = GO.deal(seed + number), seeded_rng(GO, seed + number)
        while not state.grouping:
            if len(GO.legal(state)) > 1:
                yield state.copy()
            GO.advance(state, policies.choose(state, policies.MIMIC, rng, SCRATCH))


def features_of(state):
    """The three features of each card of the hand."""
    n = policies.list_features(state, SCRATCH)
    return {SCRATCH[4 * i]: tuple(SCRATCH[4 * i + 1 : 4 * i + 4]) for i in range(n)}


def weights():
    """The table as logarithms: the weight of each feature, and its slope by card value."""
    words = [word.split("/") for word in policies.TABLE.split()]
    table = np.array([*words, ("0", "0")], float).T / policies.ONE
    return table * [[1], [go_habits.POINTS]]


def laid(state, text):
    """Cards as a set, after removing them from all hands and piles."""
    cards = sum(1 << card for card in parse_cards(text))
    for p in range(4):
        state.stack[p] &= ~cards
        state.laid[p] &= ~cards
    return cards


def test_features_of_a_card_match_counting_by_hand():
    """In the second turn seat 1 has played the 8 of spades and the 10 of hearts, and holds two nines and an Ace."""
    state = GO.blank()
    state.turn, state.player, state.hand_size = 1, 1, 10
    state.laid[0], state.laid[1] = laid(state, "9S"), laid(state, "8S 0H")
    state.laid[2], state.laid[3] = laid(state, "KD"), laid(state, "KS")
    state.stack[0] = laid(state, "9D 9C KH AC")
    nines, left = 1 << 2 | 1, 8
    kind = policies.KIND + left * policies.KIND_VALUES + policies.KIND_CODES.index(nines)
    found = features_of(state)
    red, black, king, ace = (parse_cards(card)[0] for card in ("9D", "9C", "KH", "AC"))
    assert found[red] == (kind, policies.RUN + left * 16 + 0b0001, policies.RIVAL + left * 16 + 1)
    assert found[black] == (kind, policies.RUN + left * 16 + 0b0010, policies.RIVAL + left * 16 + 1)
    alone = policies.KIND + left * policies.KIND_VALUES + policies.KIND_CODES.index(1)
    assert found[king] == (alone, policies.RUN + left * 16, policies.RIVAL + left * 16 + (1 << 2 | 1))
    assert found[ace] == (policies.ACE + left * 4, policies.NO_FEATURE, policies.NO_FEATURE)


def test_set_aside_cards_are_known_once_all_hands_have_been_seen():
    state = GO.blank()
    state.turn, state.player = 3, 0
    state.stack[1], state.stack[2] = laid(state, "9D 2C"), laid(state, "9C 3C")
    nine = parse_cards("9D")[0]
    assert features_of(state)[nine][0] == policies.KIND + 6 * policies.KIND_VALUES + policies.KIND_CODES.index(1)
    state.turn, state.stack[2] = 2, state.stack[1]
    assert features_of(state)[nine][0] == policies.KIND + 7 * policies.KIND_VALUES + policies.KIND_CODES.index(3)


def test_suits_of_one_colour_are_interchangeable():
    """Diamonds are swapped with hearts, and clubs with spades."""

    def swapped(cards):
        return (cards & 0x3333333333333) << 2 | (cards & 0xCCCCCCCCCCCCC) >> 2

    for state in positions(50):
        other = state.copy()
        other.stack, other.laid = [swapped(cards) for cards in state.stack], [swapped(cards) for cards in state.laid]
        assert {card ^ 2: places for card, places in features_of(state).items()} == features_of(other)


def test_mimic_draws_cards_by_their_odds():
    table, rng = weights(), seeded_rng(GO, 3)
    for state in list(positions(60, 1))[::7]:
        count = Counter(policies.choose(state, policies.MIMIC, rng, SCRATCH) for _ in range(1000))
        numbers = {
            card: sum(table[0][list(places)]) + sum(table[1][list(places)]) * (card // 4 + 1) / go_habits.POINTS
            for card, places in features_of(state).items()
        }
        assert len(numbers) > 1
        total = sum(map(exp, numbers.values()))
        for card, number in numbers.items():
            assert count[card] / 1000 == pytest.approx(exp(number) / total, abs=0.06)


def test_odds_predict_greedys_choices():
    """Its choices get over 1.5 times the likelihood of uniform choices, in games not used for fitting."""
    choices = go_habits.recorded(3, 17)
    found = go_habits.odds(choices, weights())
    likely = found[np.arange(len(found)), choices.chosen]
    assert np.log(likely).mean() > np.log(1 / choices.open.sum(1)).mean() + log(1.5)
    assert (found.argmax(1) == choices.chosen).mean() > 0.5


def test_fitted_odds_favour_the_choices_made():
    choices = go_habits.recorded(2, 30)
    found = go_habits.fitted(choices)
    held = np.log(go_habits.odds(choices, found)[np.arange(len(choices.turns)), choices.chosen]).mean()
    assert held > np.log(1 / choices.open.sum(1)).mean() + 0.3
    assert len(go_habits.written(found).split()) == policies.NO_FEATURE
    assert policies.read_weights(go_habits.written(found))[-1] == 0


def test_imagined_rivals_of_go_play_by_the_fitted_odds():
    how = search_config(GO)
    assert (how.policy, how.rollout_randomness, how.others_randomness, how.single_learner) == ("mimic", 0.0, 0.0, True)
