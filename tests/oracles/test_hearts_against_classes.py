"""The kernels of Hearts in lock-step with the class version, which was written from the rules alone."""

from random import Random

import pytest

import kibitz
from benchmarks.peers.hearts_classes import Hearts
from kibitz.cards.notation import code
from kibitz.cards.packs import cards_of
from kibitz.games.hearts.rules import receiver


def codes(cards):
    return sorted(code(card) for card in cards_of(cards))


@pytest.mark.parametrize(
    "name", ["hearts:target=60", "hearts:target=30,passed=4", "hearts:passed=0,target=30", "hearts-mini"]
)
def test_kernels_and_classes_agree_action_by_action(name):
    game = kibitz.game(name)
    for seed in range(15):
        state, random, totals = game.deal(seed), Random(seed), [0] * game.seats
        other = None
        while not state.over:
            if other is None:
                hands = [codes(state.hand[p]) for p in range(game.seats)]
                other = Hearts(hands, (receiver(state, 0) if state.passing else 0), state.passed)
            legal = game.legal(state)
            assert sorted(map(code, legal)) == sorted(other.legal())
            assert (state.player, bool(state.passing)) == (other.player, other.passing)
            action = random.choice(legal)
            other.play(code(action))
            game.play(state, action)
            if other.over:
                totals = [had + more for had, more in zip(totals, other.scores, strict=True)]
                other = None
            else:
                assert state.points[: game.seats] == other.points
            assert state.score[: game.seats] == totals
