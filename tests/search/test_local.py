"""Local best response in heads-up hold'em: its winnings are a lower bound of exploitability."""

import pytest

from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.games.poker.rules import CALL, FOLD, RAISE
from kibitz.search.exploitability import local_response

HOLDEM = game("holdem").with_options(players=2, hands=1, stack=100)


def folder(view, legal):
    return FOLD if FOLD in legal else CALL


def caller(view, legal):
    return CALL


def test_always_folding_loses_the_blinds():
    """The small blind folds at once, and the big blind to any raise: three quarters of a big blind a hand."""
    found = local_response(HOLDEM, folder, 20)
    assert found.won == pytest.approx(750, abs=1)
    assert found.error == pytest.approx(0, abs=1)


def test_always_calling_loses_heavily():
    """With stacks of ten big blinds, at least 0.5 per hand."""
    assert local_response(HOLDEM, caller, 20, seed=2).won > 500


def test_responder_does_not_depend_on_hidden_cards():
    """Worlds in which the player holds other cards but would act alike lead to the same choice."""
    from random import Random

    from kibitz.search.exploitability import LocalBestResponder

    for seed in range(20):
        state = HOLDEM.deal(seed)
        seat = state.player
        world = next(world for world in HOLDEM.infoset_states.determinizations(state, seat, Random(seed)))
        choices = [LocalBestResponder(HOLDEM, seat, caller, Random(1)).choose(s) for s in (state, world)]
        assert choices[0] == choices[1]


def test_local_response_is_deterministic_for_a_seed():
    def pusher(view, legal):
        return legal[-1] if legal[-1] >= RAISE else CALL

    assert local_response(HOLDEM, pusher, 10, 5) == local_response(HOLDEM, pusher, 10, 5)


@pytest.mark.parametrize("name", ["holdem", "holdem:players=2", "draw:players=2,hands=1", "leduc", "go-mini"])
def test_other_games_are_refused(name):
    with pytest.raises(NotationError, match="holdem:players=2,hands=1"):
        local_response(game(name), caller, 10)


def test_odd_numbers_of_hands_are_refused():
    for hands in (2, 5):
        with pytest.raises(NotationError, match="must be even"):
            local_response(HOLDEM, caller, hands)
