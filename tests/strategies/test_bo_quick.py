"""Choices of quick in Bo, against an oracle that values every legal play separately."""

from random import Random

import kibitz
from kibitz.engine.kernels.policies import choose_action, seeded_rng
from kibitz.games.bo.piles import (
    FROM_PILE,
    NO_PLAY,
    NONE,
    SOURCE,
    STOCK,
    completes,
    ends_turn,
    matches,
    set_top,
    source_card,
    value,
)
from kibitz.games.bo.policies import QUICK

BUILD = range(4)
EQUAL = {"bo:players=3,stock_size=3": [164, 459]}
"""Deals in which building an Ace and putting a card on a pile are worth exactly the same."""


def fits_on(state, card, pile, wanted):
    """Whether a card on an otherwise empty table, on a build pile (0) or a discard pile (4), takes a card there."""
    table = state.copy()
    for other in range(4 + 4 * table.players):
        set_top(table, other, NONE)
    set_top(table, pile, card)
    return (card >> 2 or pile in BUILD) and matches(table, wanted) >> pile & 1


def worth(state, action):
    """The value of a play when the seat's own stockpile card fits nowhere."""
    source, pile = divmod(action, SOURCE)
    card, own = source_card(state, source), state.stock[8 * state.player + state.stock_counts[state.player] - 1]
    places = [(state.player + p) % state.players for p in range(1, state.players)]
    rivals = [state.stock[8 * p + state.stock_counts[p] - 1] for p in places]
    on = 0 if pile in BUILD else 4
    opened = fits_on(state, card, on, own)
    helped = sum(fits_on(state, card, on, rival) for rival in rivals if not matches(state, rival))
    covered = sum(matches(state, rival) == 1 << pile for rival in rivals)
    found = 120 * opened - 60 * helped + 50 * covered
    if source >= FROM_PILE:
        return found - 30
    if not ends_turn(state, action):
        last = state.plays == state.plays_a_turn - 1
        return found + (25 if value(card) > 1 else -20) - 40 * last
    busy = any(matches(state, held) for held in state.hand[5 * state.player : 5 * state.player + 5] if held != NONE)
    return found - (10 if state.top[pile] == NONE else 20) - 15 * (busy and not opened)


def expected(game, state):
    """A stockpile card if it fits, preferably on a build pile; else the first of the best plays."""
    legal = game.legal(state)
    stock = [action for action in legal if action // SOURCE == STOCK]
    if stock:
        return min(stock, key=lambda action: (action % SOURCE not in BUILD, action))
    return legal[0] if legal == [NO_PLAY] else min(legal, key=lambda action: (-worth(state, action), action))


def test_quick_chooses_the_play_that_the_oracle_values_highest():
    met = dict.fromkeys(("stock", "hand", "pile", "completes", "nothing"), 0)
    for name in ("bo", "bo-mini", "bo:players=2", "bo:players=3,stock_size=3"):
        game = kibitz.game(name)
        for seed in [*range(60 if "mini" in name else 3), *EQUAL.get(name, ())]:
            state, random, rng = game.deal(seed), Random(seed), seeded_rng(game, 0)
            while not state.over:
                action = choose_action(game, state, QUICK, rng)
                assert action == expected(game, state), (name, seed, state.round)
                source, pile = divmod(action, SOURCE)
                met["stock" if source == STOCK else "hand" if source < STOCK else "pile"] += action != NO_PLAY
                met["nothing"] += action == NO_PLAY
                met["completes"] += action != NO_PLAY and bool(completes(state, source_card(state, source), pile))
                game.rules.apply(state, action if seed % 3 else random.choice(game.legal(state)))
    assert min(met.values()) > 3, met
