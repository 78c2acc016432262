"""Local best response: how much a player of heads-up hold'em loses at least to somebody who knows how it plays.

    responder   knows the player's strategy, not its cards: it asks the strategy what it would do with other hands
    beliefs     some hands that the player can hold, weighted by how often it would have played with them as it did
    local       the responder looks one answer ahead: it folds, calls or raises as wins most if both then only check
    won         big blinds that the responder wins a hand; the player can lose at least so much

Whatever the beliefs are worth, what is won is won: the mean is a lower bound of the exploitability, with its interval
by chance.  Source: Lisy and Bowling, "Equilibrium approximation quality of current no-limit poker bots", 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Any

from kibitz.cards import FULL_PACK, CardSet, as_set, cards_of
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.errors import NotationError
from kibitz.games.poker.quick import evaluator
from kibitz.games.poker.rules import FOLD, RAISE

Chooser = Callable[[Any, list[int]], int]
HANDS = 40
"""Hands that the player is believed to hold, at a time."""
RUNOUTS = 8
"""Boards that are completed for each of them."""
DOUBT = 0.05
"""The weight left to a hand with which the player would have played otherwise."""
CERTAIN = 1.96


@dataclass(frozen=True)
class Local:
    """What the responder won in ``hands`` hands: thousandths of a big blind a hand, with half the 95 % interval."""

    hands: int
    won: float
    error: float


class Responder:
    """One hand against the player in seat ``other``."""

    def __init__(self, game: Game, seat: int, chooser: Chooser, random: Random) -> None:
        self.game, self.seat, self.other = game, seat, 1 - seat
        self.chooser, self.random = chooser, random
        self.beliefs: dict[CardSet, float] = {}

    def asked(self, s: PlainState, hand: CardSet) -> int:
        """What the player would do here with some hand."""
        world = s.copy()
        world.held[self.other] = hand
        return self.chooser(self.game.view(world, self.other), self.game.legal(world))

    def believe(self, s: PlainState) -> None:
        """Drop hands that can no longer be, and fill up with hands drawn at random."""
        taken = s.held[self.seat] | as_set(s.board[: s.shown_cards])
        self.beliefs = {hand: weight for hand, weight in self.beliefs.items() if not hand & taken and weight > DOUBT**2}
        free, least = cards_of(FULL_PACK & ~taken), min(self.beliefs.values(), default=1.0)
        while len(self.beliefs) < HANDS:
            self.beliefs.setdefault(as_set(self.random.sample(free, 2)), least)

    def learn(self, s: PlainState, action: int) -> None:
        """The player has just done this: hands with which it would not have are less likely."""
        self.believe(s)
        for hand in self.beliefs:
            self.beliefs[hand] *= 1.0 if self.asked(s, hand) == action else DOUBT
        most = max(self.beliefs.values())
        self.beliefs = {hand: weight / most for hand, weight in self.beliefs.items()}

    def choose(self, s: PlainState) -> int:
        """The action that wins most if both then only check."""
        self.believe(s)
        shares = self.shares(s)
        return max(self.game.legal(s), key=lambda action: self.worth(s, action, shares))

    def shares(self, s: PlainState) -> dict[CardSet, float]:
        """By hand of the player, the responder's share of the pot at a showdown."""
        strength, board = evaluator().strength, as_set(s.board[: s.shown_cards])
        mine, missing, found = s.held[self.seat], 5 - s.shown_cards, {}
        for hand in self.beliefs:
            free = cards_of(FULL_PACK & ~(mine | hand | board))
            total = 0.0
            for _ in range(RUNOUTS if missing else 1):
                full = board | as_set(self.random.sample(free, missing))
                own, others = strength(mine | full), strength(hand | full)
                total += 1.0 if own > others else 0.5 if own == others else 0.0
            found[hand] = total / (RUNOUTS if missing else 1)
        return found

    def worth(self, s: PlainState, action: int, shares: dict[CardSet, float]) -> float:
        """Chips that an action wins on average, compared with folding."""
        if action == FOLD:
            return 0.0
        before = s.chips[self.seat]
        after = s.copy()
        self.game.rules.act(after, action)
        cost = before - after.chips[self.seat]
        pot = sum(s.paid[: s.players]) + s.dead
        total = won = 0.0
        for hand, weight in self.beliefs.items():
            total += weight
            asked = 0
            if action >= RAISE and after.player == self.other:
                answer = self.asked(after, hand)
                if answer == FOLD:
                    won += weight * pot
                    continue
                asked = min(after.high - after.bet[self.other], after.chips[self.other])
            won += weight * (shares[hand] * (pot + cost + asked) - cost)
        return won / total


def local_response(
    game: Game, chooser: Chooser, hands: int, seed: int = 0, told: Callable[[int], object] | None = None
) -> Local:
    """Play ``hands`` hands against a player, an even number: each deal from both seats; and tell what was won.

    A deal is the unit of the interval, since luck is the same for both in it.
    NotationError unless ``game`` is hold'em between two with a big blind.  ``told`` is called with the hands played.
    """
    check_heads_up_holdem(game)
    if hands < 4 or hands % 2:
        raise NotationError(f"each deal is played from both seats: ask for 4 hands, 6 or more by twos, not {hands}.")
    random, won = Random(seed), []
    for number in range(hands):
        state = game.deal(seed + number // 2)
        responder = Responder(game, number % 2, chooser, random)
        while not state.over:
            if state.player == responder.seat:
                action = responder.choose(state)
            else:
                action = chooser(game.view(state, state.player), game.legal(state))
                if action != FOLD and game.why_not(state, action) is None:
                    responder.learn(state, action)
            game.play(state, action)
        won.append(1000 * game.returns(state)[responder.seat] / game.options["big"])
        if told:
            told(number + 1)
    deals = [(one + other) / 2 for one, other in zip(won[::2], won[1::2], strict=True)]
    return Local(hands, fmean(won), CERTAIN * stdev(deals) / len(deals) ** 0.5)


def check_heads_up_holdem(game: Game) -> None:
    """NotationError unless this is hold'em between two, hand by hand, with a big blind."""
    wanted = {"players": 2, "hands": 1, "hole": 2, "flop": 3, "turn": 1, "river": 1, "pack": FULL_PACK}
    if any(game.options.get(name) != value for name, value in wanted.items()) or not game.options.get("big"):
        raise NotationError(
            "a local best response is told of one hand of hold'em between two, with blinds: write"
            " holdem:players=2,hands=1, and stack=100 for ten big blinds."
        )
