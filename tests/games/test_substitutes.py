"""Plays made for a seat that has forfeited, against the words of the rules in random games."""

from random import Random

import pytest

import kibitz
from kibitz.games.bo import piles as bo_plays
from kibitz.games.bo import rules as bo
from kibitz.games.cribbage import rules as cribbage
from kibitz.games.go import rules as go
from kibitz.games.huxxy import actions as huxxy_actions
from kibitz.games.huxxy import rules as huxxy
from kibitz.games.poker import rules as poker
from kibitz.games.president import rules as president
from kibitz.games.president.moves import cards_in
from kibitz.games.president.rounds import ASK, RETURN


def in_bo(game, state, legal):
    """The first hand card that ends the turn, on the first pile where it does; else the first play there is."""
    return min(legal, key=lambda action: (not bo_plays.ends_turn(state, action), action))


def in_cribbage(game, state, legal):
    """The lowest cards are discarded, the lowest that fits is played, or go is said."""
    if legal[0] >= cribbage.DISCARD:
        return cribbage.DISCARD + (1 << state.discards) - 1
    return min(legal)


def in_go(game, state, legal):
    """The first card of the hand; every card of the discards alone, the lowest first."""
    if not state.grouping:
        return min(legal)
    view = game.view(state, state.player)
    return game.parse(view, kibitz.cards.code(view.ungrouped[0]))


def in_huxxy(game, state, legal):
    """A card is picked up; a turn that was begun ends as soon as it can."""
    for action in (huxxy_actions.PICK_UP, huxxy_actions.END):
        if action in legal:
            return action
    return min((a for a in legal if a >= huxxy_actions.PLAY), default=huxxy_actions.CONCEDE)


def in_poker(game, state, legal):
    """No card is drawn; it checks for free and folds otherwise."""
    return next(a for a in (poker.DISCARD, poker.FOLD, poker.CALL) if a in legal)


def in_president(game, state, legal):
    """A pass, or the lowest card to lead or to return; the highest card is asked for."""
    if state.phase == ASK:
        return max(a for a in legal if a < president.ANY_OF_VALUE)
    if state.phase == RETURN:
        return min(legal)
    if president.PASS in legal:
        return president.PASS
    lowest = state.hand[state.player] & -state.hand[state.player]
    return next(a for a in legal if cards_in(a) == lowest)


GAMES = [
    ("bo", bo, in_bo, 2), ("bo-mini", bo, in_bo, 40), ("cribbage", cribbage, in_cribbage, 2),
    ("cribbage-mini", cribbage, in_cribbage, 10), ("go", go, in_go, 2), ("go-mini", go, in_go, 10),
    ("huxxy", huxxy, in_huxxy, 12), ("huxxy-bonus", huxxy, in_huxxy, 12), ("huxxy-mini", huxxy, in_huxxy, 30),
    ("holdem", poker, in_poker, 20), ("draw", poker, in_poker, 20), ("kuhn", poker, in_poker, 10),
    ("president", president, in_president, 2), ("president-asking", president, in_president, 2),
    ("president-open", president, in_president, 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rules", "expected", "games"), GAMES)
def test_substitute_plays_as_the_rule_sheet_says(name, rules, expected, games):
    game, seen = kibitz.game(name), 0
    for seed in range(games):
        state, random = game.deal(seed), Random(seed)
        while not state.over and seen < 300 * games:
            legal = sorted(game.legal(state))
            action = rules.substitute(state)
            assert action in legal
            assert action == expected(game, state, legal), (name, seed, seen)
            game.rules.apply(state, action if random.random() < 0.3 else random.choice(legal))
            seen += 1
    assert seen > 20
