"""The functions of APS106 lab 6, a cribbage game of one hand (the assignment's statement, "The lab game").

    card        a list of suit name and value, ``['hearts', 10]``; a tuple is accepted too
    deck        a list of cards; the first is the top card
    hand        the cards that a player has been dealt, in order

Decks are made and dealt as in the lab, so that ``random.seed(3)`` gives the lab's decks. Invalid arguments raise
NotationError, with one sentence, before anything is changed.

A flush is any four or five cards of one suit; Jacks score nothing.
"""

from __future__ import annotations

import random
from typing import Any

from kibitz.cards import Card, as_set, pair, parse_pair, short_repr
from kibitz.coursework.arguments import read_list
from kibitz.errors import NotationError
from kibitz.games.cribbage.scoring import FLUSH, rank_points

__all__ = ["deal_card", "generate_deck", "play", "score_hand", "shuffle"]

SUITS = ("spades", "clubs", "diamonds", "hearts")
VALUES = 13
HAND_SIZE = 5
CARDS_DEALT = 2 * HAND_SIZE

LabCard = list[Any]


def generate_deck() -> list[LabCard]:
    """The 52 cards, suit by suit, each from 1 (Ace) to 13 (King).

    >>> generate_deck()[:2]
    [['spades', 1], ['spades', 2]]
    """
    return [[suit, value] for suit in SUITS for value in range(1, VALUES + 1)]


def shuffle(deck: list[LabCard]) -> list[LabCard]:
    """A new list of the deck's cards in random order, by Python's own generator; the deck is unchanged."""
    return random.sample(read_deck(deck), len(deck))


def deal_card(deck: list[LabCard], hand: list[LabCard]) -> None:
    """Move the top card of the deck to the end of the hand, in place."""
    if not read_deck(deck):
        raise NotationError("the deck is empty, so no card can be dealt.")
    if type(hand) is not list:
        raise NotationError(f"the hand must be a list, not {short_repr(hand)}.")
    hand.append(deck.pop(0))


def score_hand(hand: list[LabCard]) -> int:
    """The score of five cards: pairs, a flush, the longest runs and fifteens.

    >>> score_hand([["hearts", 1], ["spades", 1], ["diamonds", 2], ["hearts", 3], ["spades", 3]])
    16
    """
    cards = read_cards(hand)
    if len(cards) != HAND_SIZE:
        raise NotationError(f"a hand has five cards, not {len(cards)}.")
    return points(cards)


def play(shuffled_deck: list[LabCard]) -> list[Any]:
    """Deal ten cards from the top, alternately from the dealer on, and compare the hands; the dealer wins ties.

    The cards dealt are removed from the deck. Returns the winner, the player's score and the dealer's score.

    >>> random.seed(3)
    >>> play(shuffle(generate_deck()))
    ['dealer wins', 4, 4]
    """
    if len(read_deck(shuffled_deck)) < CARDS_DEALT:
        raise NotationError(f"two hands need a deck of at least ten cards, not {len(shuffled_deck)}.")
    read_cards(shuffled_deck[:CARDS_DEALT])
    dealer: list[LabCard] = []
    player: list[LabCard] = []
    for _ in range(HAND_SIZE):
        deal_card(shuffled_deck, dealer)
        deal_card(shuffled_deck, player)
    player_score, dealer_score = score_hand(player), score_hand(dealer)
    return ["player wins" if player_score > dealer_score else "dealer wins", player_score, dealer_score]


def points(cards: list[Card]) -> int:
    """The score of five different cards: the lab's flush, and points for ranks as in the full game."""
    most = max([card & 3 for card in cards].count(suit) for suit in range(4))
    return int(rank_points(as_set(cards))) + (most if most >= FLUSH else 0)


def read_deck(deck: object) -> list[LabCard]:
    """Return the deck, if it is a list, since cards are removed from it."""
    if type(deck) is not list:
        raise NotationError(f"the deck must be a list of cards, not {short_repr(deck)}.")
    return deck


def read_cards(cards: object) -> list[Card]:
    """The cards of a hand, which must be different."""
    hand = [parse_pair(card) for card in read_list(cards, "a hand")]
    for card in hand:
        if hand.count(card) > 1:
            raise NotationError(f"{pair(card)} appears twice, but a pack has only one.")
    return hand
