"""A search of one turn of Bo in plain Python: finds the first play on the way to the best place to stop.

    kind        value and colour of a card as one number, 2 * value + colour: the index of ``accepts`` in the rules
    node        a position reached by plays that do not end the turn: piles, own hand, plays left, the first play
    leaf        a play after which the look-ahead stops, with its worth in points: a stockpile card (the next one is
                unknown), a card that ends the turn, or the last play of the turn

Nodes are visited breadth first, so the first path to a position is a shortest one. Plays are carried out with the
kernels of the rules, on one state into which the piles of each node are copied. The search stops where a card is drawn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from kibitz.cards import Card, face
from kibitz.engine.layout import PlainState
from kibitz.games.bo import rules
from kibitz.games.bo.piles import FROM_PILE, NONE, SOURCE, STOCK, completes, open_discards, set_top, value
from kibitz.games.bo.view import BoView

OPTIONS = ("players", "top_value", "stock_size", "hand_size", "plays_a_turn", "rounds")


def state_of_view(view: BoView) -> PlainState:
    """The piles, the stockpile tops and the seat's own hand, with the turn as far as it has gone."""
    s = rules.LAYOUT.plain()
    for option in OPTIONS:
        setattr(s, option, getattr(view, option))
    rules.clear(s)
    s.player, s.over, s.round, s.plays = view.player, int(view.over), view.round, view.plays
    for pile, cards in enumerate(view.builds + view.discards):
        for below, card in zip((NONE, *cards), cards, strict=False):
            s.under[card] = below
        if cards:
            set_top(s, pile, cards[-1])
    for place, held in enumerate(view.hand):
        s.hand[5 * view.seat + place] = NONE if held is None else held
    for p, (top, count) in enumerate(zip(view.stock_tops, view.stock_counts, strict=True)):
        s.stock_counts[p] = count
        if top is not None:
            s.stock[8 * p + count - 1] = top
    return s


STOCK_CARD = 100.0
"""The worth of playing a stockpile card: more than everything else together."""
MORE_THIS_TURN = 60.0
"""The worth of another stockpile card played in this turn."""
NEXT_TURN = 0.3
"""The worth of a stockpile card played in the next turn, as a share of MORE_THIS_TURN."""
SETUP_CHANCE = 0.35
"""The chance that an unknown stockpile card that fits nowhere fits after one other play."""
RIVAL_SHARE = 0.6
"""How much the rivals count if the seat has played its stockpile card, and the next one is unknown."""
OWN_TOP, OWN_MISS = 30.0, 0.45
"""``OWN_TOP * (1 - OWN_MISS ** m)`` is the worth of the seat's own stockpile card if it fits m piles."""
RIVAL_TOP, RIVAL_MISS = 14.0, 0.5
"""The same numbers for a rival's stockpile card, whose worth is subtracted."""
RIVAL_DECAY = 0.8
"""The weight of each rival relative to the one who moves before it: the table may change until its turn."""
BRIDGE = 13.0
"""The worth of a hand card on which, once it lies on a discard pile, the seat's own stockpile card could be played.

It is half of this if the hand card fits no pile.
"""
CARD_LEFT = 2.0
"""The cost of a card left in hand: it takes the place of a new one."""
ACE_LEFT = 1.0
"""The extra cost of an Ace: no discard pile takes it."""
NEW_PILE = 3.0
"""The extra worth of starting one of the seat's own discard piles, which covers nothing."""
WIDTH = 2.0
"""The worth of each kind that fits some pile: the next cards are unknown, and with few kinds the game gets stuck."""
MAX_TRIES = 150
"""After this many plays, the search adds no more nodes, and only visits those in the queue."""


class TurnNode(NamedTuple):
    """A position within the turn: the piles as in the state, and the seat's own hand.

    ``left`` plays are left; ``first`` is the turn's first play, None at the start.
    """

    accepts: list[int]
    top: list[int]
    under: list[int]
    empty: int
    hand: tuple[Card, ...]
    left: int
    first: int | None


@cache
def kinds_by_face(top_value: int) -> tuple[int, ...]:
    """By face, the kinds, as bits, that a discard pile takes while a card of that face is on top."""
    s = rules.LAYOUT.plain()
    s.players, s.top_value = 1, top_value
    rules.clear(s)
    kinds = []
    for card in range(4 * top_value):
        set_top(s, 4, card)
        kinds.append(sum(1 << kind for kind, piles in enumerate(s.accepts) if piles >> 4 & 1))
    return tuple(kinds)


def kind(card: Card) -> int:
    """The kind of a card id."""
    return 2 * int(value(card)) + (card & 1)


def piles_in(piles: int) -> Iterator[int]:
    """The piles in a set of piles."""
    while piles:
        bit = piles & -piles
        yield bit.bit_length() - 1
        piles ^= bit


class RestOfTurn:
    """The rest of a turn, from the view of the seat to move."""

    def __init__(self, view: BoView) -> None:
        me, n = view.seat, view.players
        self.s: PlainState = state_of_view(view)
        self.all_kinds = range(2, 2 * view.top_value + 2)
        self.kinds_by_face = kinds_by_face(view.top_value)
        self.places = {card: place for place, card in enumerate(view.hand) if card is not None}
        self.stock_card = view.stock_tops[me]
        self.last_card = view.stock_counts[me] == 1
        self.own_kind = kind(self.stock_card) if self.stock_card is not None else 0
        self.rivals: list[tuple[int, float]] = []
        for k in range(1, n):
            top, count = view.stock_tops[(me + k) % n], view.stock_counts[(me + k) % n]
            if top is not None:
                urgency = 1 + (view.stock_size - count) / 4
                self.rivals.append((kind(top), RIVAL_TOP * urgency * RIVAL_DECAY ** (k - 1)))
        s = self.s
        hand = tuple(sorted(self.places, key=lambda card: (face(card), card)))
        self.start = TurnNode(s.accepts, s.top, s.under, s.empty, hand, view.plays_a_turn - view.plays, None)

    def best_play(self) -> int | None:
        """The first action on the way to the best leaf; None if there is none."""
        best, choice = -1e9, None
        for worth, action in self.leaves():
            if worth > best:
                best, choice = worth, action
        return choice

    def leaves(self) -> Iterator[tuple[float, int]]:
        """Every leaf, as its worth and the first play on the way to it."""
        queue = deque([self.start])
        visited = set()
        tried = 0
        while queue:
            node = queue.popleft()
            yield from self.stock_plays(node)
            yield from self.endings(node)
            for child in self.plays(node) if tried < MAX_TRIES else ():
                tried += 1
                position = tuple(child.top), child.hand
                if position not in visited:
                    visited.add(position)
                    if child.left:
                        queue.append(child)
                    elif child.first is not None:
                        yield self.worth_at_end(child), child.first

    def load(self, node: TurnNode) -> None:
        """Copy a node's piles into the state."""
        self.s.accepts, self.s.top, self.s.empty = node.accepts[:], node.top[:], node.empty

    def put_card(self, card: Card, pile: int) -> bool:
        """Put a card on a pile of the state; False if that completes a build pile, which is then empty."""
        completed = bool(completes(self.s, card, pile))
        set_top(self.s, pile, NONE if completed else card)
        return not completed

    # Where a node leads

    def plays(self, node: TurnNode) -> Iterator[TurnNode]:
        """The nodes one play further, after a hand card or the top of a discard pile was put where it matches."""
        sources = [(card, self.places[card], NONE) for card in distinct_faces(node.hand)]
        sources += [(card, FROM_PILE + j, 4 + j) for j, card in enumerate(node.top[4:]) if card != NONE]
        for card, source, origin in sources:
            for pile in piles_in(node.accepts[kind(card)]):
                self.load(node)
                hand, under = node.hand, node.under
                if origin == NONE:
                    hand = tuple(held for held in hand if held != card)
                else:
                    set_top(self.s, origin, under[card])
                if self.put_card(card, pile):
                    under = under[:]
                    under[card] = node.top[pile]
                first = SOURCE * source + pile if node.first is None else node.first
                yield TurnNode(self.s.accepts, self.s.top, under, self.s.empty, hand, node.left - 1, first)

    def stock_plays(self, node: TurnNode) -> Iterator[tuple[float, int]]:
        """The leaves that put the stockpile card where it matches: the more kinds fit afterwards, the better."""
        if self.stock_card is None:
            return
        for pile in piles_in(node.accepts[self.own_kind]):
            self.load(node)
            self.put_card(self.stock_card, pile)
            accepts = self.s.accepts
            width = sum(1 for k in self.all_kinds if accepts[k]) / len(self.all_kinds)
            worth = STOCK_CARD * (10 if self.last_card else 1) - CARD_LEFT * len(node.hand)
            worth += MORE_THIS_TURN * (
                expected_stock_cards(node.left - 1, width) if node.left > 1 else NEXT_TURN * width
            )
            worth -= RIVAL_SHARE * sum(weight * (1 - RIVAL_MISS ** accepts[k].bit_count()) for k, weight in self.rivals)
            yield worth, SOURCE * STOCK + pile if node.first is None else node.first

    def endings(self, node: TurnNode) -> Iterator[tuple[float, int]]:
        """The leaves that put a hand card where it ends the turn."""
        self.s.empty = node.empty
        open_piles = open_discards(self.s)
        accepts = node.accepts
        single_takers = [accepts[k] for k in self.all_kinds if accepts[k].bit_count() == 1]
        kinds = sum(1 for k in self.all_kinds if accepts[k])
        for card in distinct_faces(node.hand):
            piles = 0 if value(card) == 1 else open_piles & ~accepts[kind(card)]
            kinds_on_card = self.kinds_by_face[face(card)]
            takers_of_new_kinds = [accepts[k] for k in self.all_kinds if kinds_on_card >> k & 1]
            rival_cards = [(accepts[k], weight, kinds_on_card >> k & 1) for k, weight in self.rivals]
            worth_of_hand = self.hand_worth(tuple(held for held in node.hand if held != card), accepts)
            for pile in piles_in(piles):
                other_piles = ~(1 << pile)
                kinds_lost = single_takers.count(1 << pile)
                worth = worth_of_hand + own_worth(
                    (accepts[self.own_kind] & other_piles).bit_count() + (kinds_on_card >> self.own_kind & 1)
                )
                for takers, weight, fits_card in rival_cards:
                    worth -= weight * (1 - RIVAL_MISS ** ((takers & other_piles).bit_count() + fits_card))
                worth += WIDTH * (
                    kinds - kinds_lost + sum(1 for takers in takers_of_new_kinds if not takers & other_piles)
                )
                worth += NEW_PILE * (node.empty >> pile & 1)
                yield worth, SOURCE * self.places[card] + pile if node.first is None else node.first

    def worth_at_end(self, node: TurnNode) -> float:
        """The worth of a node after the last play of the turn."""
        accepts = node.accepts
        rivals = sum(weight * (1 - RIVAL_MISS ** accepts[k].bit_count()) for k, weight in self.rivals)
        width = sum(1 for k in self.all_kinds if accepts[k])
        own = own_worth(accepts[self.own_kind].bit_count())
        return own - rivals + WIDTH * width + self.hand_worth(node.hand, accepts)

    def hand_worth(self, hand: tuple[Card, ...], accepts: list[int]) -> float:
        """The worth of the remaining hand for the next turn."""
        worth = -CARD_LEFT * len(hand)
        for card in hand:
            if value(card) == 1:
                worth -= ACE_LEFT
            elif self.kinds_by_face[face(card)] >> self.own_kind & 1:
                worth += BRIDGE if accepts[kind(card)] else BRIDGE / 2
        return worth


def distinct_faces(hand: tuple[Card, ...]) -> list[Card]:
    """The cards of a sorted hand, one of each face."""
    return [card for i, card in enumerate(hand) if not i or face(hand[i - 1]) != face(card)]


def own_worth(piles: int) -> float:
    """The worth of the seat's own stockpile card, if it fits that many piles."""
    return float(OWN_TOP * (1 - OWN_MISS**piles))


def expected_stock_cards(left: int, width: float) -> float:
    """The expected number of stockpile cards played in ``left`` plays, if each fits with a chance of ``width``."""
    if left <= 0:
        return 0.0
    after_setup = SETUP_CHANCE * (1 + expected_stock_cards(left - 2, width)) if left > 1 else 0.0
    return width * (1 + expected_stock_cards(left - 1, width)) + (1 - width) * after_setup
