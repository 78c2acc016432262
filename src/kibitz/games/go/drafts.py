"""Simulated drafts in Go: how the rest of a game may go after each choice of a card.

    laid        how many cards of each value a seat has already laid
    worth       the expected points of one more card of a value, in ``worth_table``

Rivals aren't assumed to be good.  Each has one of three styles:

    keen        always lays the card that is worth most to it
    random      lays any card; in a simulated draft it gets random preferences
    lowest      always lays its lowest card, as the assignment's sample does

When a seat has seen the hand from which a rival chose, it knows how likely each style would have made that choice, and
changes the odds of the rival's styles.  Simulated drafts draw the styles with these odds.
"""

from __future__ import annotations

from functools import cache
from math import comb
from random import Random
from typing import NamedTuple

from kibitz.cards import Card
from kibitz.games.go.groups import ACE_PENALTY, FACTORIAL, best_partitions
from kibitz.games.go.view import GoView

Preferences = list[float]
"""A rival's preference for every card: it lays the one with the highest number."""
KEEN, RANDOM, LOWEST = range(3)
PRIOR = (2.0, 1.0, 1.0)
"""The odds of the three styles before any choice is known."""
CONSISTENCY = 0.85
"""The share of turns in which a keen rival lays the card of ``keen_choice``, and a rival of style "lowest" its lowest
card; in the others, it lays any card."""
ACE_WORTH = -10
"""The worth of an Ace: alone it costs 20, but now and then it completes a run."""
RIVAL_WEIGHT = 0.8
"""The weight of the best rival's points against one's own: with full weight, hurting the rival would cost too much."""


class Draft(NamedTuple):
    """The state of a simulated draft.

    hands       by seat, the cards that it holds now
    laid        by seat and value, how many cards it has laid
    all_laid    by value, how many cards all seats have laid
    preferences by seat, its preferences, or None if it is keen
    turns       how many turns are left
    """

    hands: list[list[Card]]
    laid: list[list[int]]
    all_laid: list[int]
    preferences: list[Preferences | None]
    turns: int

    def copy(self) -> Draft:
        """A copy of a draft."""
        hands, laid = [hand[:] for hand in self.hands], [counts[:] for counts in self.laid]
        return Draft(hands, laid, self.all_laid[:], self.preferences, self.turns)


@cache
def worth_table() -> list[list[list[list[float]]]]:
    """``worth_table()[turns][laid][others][value - 1]``: the worth of a card to a seat that has ``laid`` of its value.

    ``turns`` turns follow this one, and ``others`` more cards of the value are in play. The seat gets each of them with
    a probability that grows with the turns left. N of a kind score N! times the value.
    """
    return [[[worths_by_value(turns, laid, others) for others in range(4)] for laid in range(4)] for turns in range(11)]


def worths_by_value(turns: int, laid: int, others: int) -> list[float]:
    """One row of ``worth_table``, by value."""
    if laid + others > 3:
        return [0.0] * 13
    more = expected_kind_score(turns, laid + 1, others) - expected_kind_score(turns, laid, others + 1)
    return [float(ACE_WORTH), *(value * more for value in range(2, 14))]


def expected_kind_score(turns: int, laid: int, others: int) -> float:
    """The expected score of a seat's cards of one value, divided by the value, at the end of the draft.

    The seat has laid ``laid`` of them and may get ``others`` more.
    """
    chance = min(0.5, 0.05 + 0.05 * turns) if turns else 0.0
    probabilities = [comb(others, k) * chance**k * (1 - chance) ** (others - k) for k in range(others + 1)]
    return sum(probability * kind_score(laid + k) for k, probability in enumerate(probabilities))


def kind_score(laid: int) -> int:
    """The score of N of a kind divided by their value; one card alone costs its value."""
    return FACTORIAL[laid] if laid > 1 else -laid


def keen_choice(hand: list[Card], laid: list[int], all_laid: list[int], worths: list[list[list[float]]]) -> Card:
    """The card of a hand that is worth most to a seat.

    ``laid`` and ``all_laid`` count, by value, the cards that the seat and all seats have laid; ``worths`` is
    ``worth_table()[turns]``.
    """
    best = -1e9
    choice = hand[0]
    for card in hand:
        value = card >> 2
        card_worth = worths[laid[value]][3 - all_laid[value]][value]
        if card_worth > best:
            best, choice = card_worth, card
    return choice


def chosen_cards(draft: Draft) -> list[Card]:
    """The card that each seat chooses in this turn of a simulated draft."""
    hands, laid, all_laid, preferences, turns = draft
    worths = worth_table()[turns - 1]
    return [
        keen_choice(hand, counts, all_laid, worths) if wishes is None else max(hand, key=wishes.__getitem__)
        for hand, counts, wishes in zip(hands, laid, preferences, strict=True)
    ]


def play_to_the_end(draft: Draft, chosen: list[Card], seat: int) -> list[Card]:
    """Lay the ``chosen`` cards and play on to the end, in place; return the cards that ``seat`` lays."""
    hands, laid, all_laid, preferences, turns = draft
    own_cards = []
    while True:
        own_cards.append(chosen[seat])
        for hand, counts, card in zip(hands, laid, chosen, strict=True):
            hand.remove(card)
            counts[card >> 2] += 1
            all_laid[card >> 2] += 1
        hands.insert(0, hands.pop())
        turns -= 1
        if not turns:
            return own_cards
        chosen = chosen_cards(Draft(hands, laid, all_laid, preferences, turns))


def final_score(draft: Draft, chosen: list[Card], seat: int, before: tuple[Card, ...]) -> float:
    """The score of ``seat`` at the end of a simulated draft, minus RIVAL_WEIGHT times the best rival's kind score.

    ``chosen`` are the cards laid in this turn, ``before`` the cards that the seat laid earlier.
    """
    own_cards = play_to_the_end(draft, chosen, seat)
    rival_score = max(total_kind_score(counts) for p, counts in enumerate(draft.laid) if p != seat)
    return float(best_partitions([*before, *own_cards])[0] - RIVAL_WEIGHT * rival_score)


def total_kind_score(laid: list[int]) -> int:
    """The score of a seat's cards without runs: a quick estimate."""
    return sum(kind_score(n) * (value + 1) for value, n in enumerate(laid) if n and value) - ACE_PENALTY * laid[0]


class DraftSampler:
    """Draws simulated drafts that fit a view: ``draw`` returns one."""

    def __init__(self, view: GoView) -> None:
        self.view = view
        self.turns = view.hand_size - view.turn
        self.laid = [[0] * 13 for _ in range(view.players)]
        self.all_laid = [0] * 13
        self.style_odds = [list(PRIOR) for _ in range(view.players)]
        self.read_history()
        seen = {card for chosen in view.discards for card in chosen}
        seen.update(card for hand in view.hands for card in hand or ())
        self.unseen = [card for card in view.pack if card not in seen]

    def read_history(self) -> None:
        """Count what has been laid, and update the odds of the styles by each choice from a hand that is now known."""
        view, n = self.view, self.view.players
        stacks = self.known_stacks()
        for turn in range(view.turn):
            for p in range(n):
                stack = stacks.get((p - turn) % n)
                if stack and p != view.seat:
                    self.update_styles(p, sorted(stack), view.discards[p][turn], view.hand_size - turn - 1)
            for p in range(n):
                card = view.discards[p][turn]
                self.laid[p][card >> 2] += 1
                stacks.get((p - turn) % n, set()).discard(card)
            for p in range(n):
                self.all_laid[view.discards[p][turn] >> 2] += 1

    def known_stacks(self) -> dict[int, set[Card]]:
        """The hands that this seat has seen, as they were dealt, by the seat that each was dealt to."""
        view, n = self.view, self.view.players
        return {
            (p - view.turn) % n: {*hand, *(view.discards[(p - view.turn + t) % n][t] for t in range(view.turn))}
            for p, hand in enumerate(view.hands)
            if hand is not None
        }

    def update_styles(self, seat: int, hand: list[Card], card: Card, turns: int) -> None:
        """Multiply the odds of each style of a seat by the probability that it would have chosen ``card``."""
        slip = (1 - CONSISTENCY) / len(hand)
        keen = keen_choice(hand, self.laid[seat], self.all_laid, worth_table()[turns])
        odds = self.style_odds[seat]
        odds[KEEN] *= slip + CONSISTENCY * (card == keen)
        odds[RANDOM] /= len(hand)
        odds[LOWEST] *= slip + CONSISTENCY * (card == hand[0])

    def draw(self, random: Random) -> Draft:
        """A draft with the unseen cards dealt at random and a random style for every rival."""
        random.shuffle(self.unseen)
        cards = iter(self.unseen)
        hands = [[next(cards) for _ in range(self.turns)] if hand is None else list(hand) for hand in self.view.hands]
        seats = range(self.view.players)
        preferences = [None if p == self.view.seat else self.draw_preferences(p, random) for p in seats]
        return Draft(hands, self.laid, self.all_laid, preferences, self.turns)

    def draw_preferences(self, seat: int, random: Random) -> Preferences | None:
        """The preferences of a rival, whose style is drawn; None if it is keen."""
        style = random.choices((KEEN, RANDOM, LOWEST), self.style_odds[seat])[0]
        if style == KEEN:
            return None
        return [random.random() for _ in range(52)] if style == RANDOM else [float(-card) for card in range(52)]

    def card_worth(self, card: Card) -> float:
        """The worth of a card to this seat, from the table of worths."""
        value = card >> 2
        return worth_table()[self.turns - 1][self.laid[self.view.seat][value]][3 - self.all_laid[value]][value]
