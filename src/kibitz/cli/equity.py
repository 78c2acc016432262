"""``kibitz equity``: what known hands of Texas hold'em win against one another, over all boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cards import JOKER, CardSet, as_set, cards_of, parse_cards, poker_code, symbol
from kibitz.cli.options import Ascii
from kibitz.cli.screen import BOLD, DIM, Screen
from kibitz.errors import KibitzError, NotationError

if TYPE_CHECKING:
    from kibitz.games.poker.equity import Equity

CARDS = re.compile(r"10.|..?")
"""The cards of a text without gaps: two characters each, or three where ten is written 10."""


def equity(
    *hands: Annotated[str, Parameter(help="Two cards each, such as AsKs or 'A♠ K♠'.")],
    board: Annotated[str, Parameter(help="The three to five cards that lie on the table, such as 'QsJs2d'.")] = "",
    dead: Annotated[str, Parameter(help="Cards that are known to be gone, such as folded ones.")] = "",
    ascii: Ascii = False,
) -> None:
    """Count every way to complete the board: how often each of 2 to 10 hands wins, and its share of the pots."""
    held, table, gone = [read(hand) for hand in hands], read(board), read(dead)
    screen = Screen(ascii)
    from kibitz.games.poker.equity import exact

    try:
        with screen.waiting("Making machine code, once a machine; the next time this is done at once ..."):
            found = exact(held, table, gone)
    except ImportError as error:
        raise KibitzError(str(error)) from error
    if table:
        screen.line(f"Board: {shown(table)}", BOLD)
    for line in lines(held, table, found):
        screen.line(line)
    screen.line(f"{found.boards:,} {'boards' if found.boards > 1 else 'board'}, each as likely as any other.", DIM)


def lines(hands: list[CardSet], board: CardSet, found: Equity) -> list[str]:
    """One line a hand: its cards, its share of the pots, boards won and tied, and what it is now."""
    from kibitz.games.poker.hands import in_words

    told = []
    for k, hand in enumerate(hands):
        won, tied = found.wins[k], found.ties[k]
        line = f"{shown(hand)}  {found.equities[k]:8.4%}  won {won:,}, tied {tied:,}, lost {found.losses[k]:,}"
        now = hand | board
        told.append(f"{line}  ({in_words(now)})" if now.bit_count() > 4 else line)
    return told


def read(text: str) -> CardSet:
    """A set from cards with or without gaps between them."""
    plain = text.translate(dict.fromkeys(map(ord, "\ufe0e\ufe0f"))).replace(",", " ")
    cards = parse_cards([card for part in plain.split() for card in CARDS.findall(part)])
    for card in cards:
        if card >= JOKER:
            raise NotationError(f"{poker_code(card)} is a joker, and jokers have no equity: name cards of the pack.")
        if cards.count(card) > 1:
            raise NotationError(f"{poker_code(card)} is there twice, and one pack has it once.")
    return as_set(cards)


def shown(cards: CardSet) -> str:
    """Cards for people, the highest first."""
    return " ".join(
        symbol(card) for card in sorted(cards_of(cards), key=lambda card: (-(((card >> 2) + 12) % 13), card))
    )
