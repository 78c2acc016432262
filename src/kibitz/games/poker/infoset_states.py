"""Other worlds at a poker table: positions that one seat cannot tell from a given one.

Written from what is seen at a table, and without ``resample``: the leak tests hold the two against each other.  Each
world differs from the last in two cards that have changed places, so a leak of a single card shows.
"""

from collections.abc import Iterator, Sequence
from random import Random

from kibitz.engine.events import Event
from kibitz.engine.layout import PlainState
from kibitz.games.poker.view import HandEnded


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """Endless worlds: two unseen cards change places in everything that has happened, or among what came back."""
    world = s.copy()
    while True:
        world = world.copy()
        if not s.over:
            if s.back and random.random() < 0.4:
                swap_returned(world, seat, random)
            else:
                change_past(world, seat, random)
                swap(world, unseen_from_the_start(world, seat), random, (world.held, world.late, world.aside))
        yield world


def unseen_from_the_start(s: PlainState, seat: int) -> list[int]:
    """The cards that were never seen by a seat."""
    seen = sum(1 << card for card in s.board[: s.shown_cards])
    if seat >= 0:
        seen |= s.held[seat] | s.aside[seat]
    return [card for card in range(52) if s.pack & ~seen & 1 << card]


def swap(s: PlainState, found: list[int], random: Random, rows: tuple[list[int], ...]) -> None:
    """Two of some cards take each other's places in some rows of sets and in the pack."""
    if len(found) < 2:
        return
    a, b = random.sample(found, 2)
    both = 1 << a | 1 << b
    for row in rows:
        row[:] = [cards ^ both if (cards >> a ^ cards >> b) & 1 else cards for cards in row]
    if (s.left >> a ^ s.left >> b) & 1:
        s.left ^= both


def swap_returned(s: PlainState, seat: int, random: Random) -> None:
    """Of the cards that came back, two that other seats have drawn, or nobody yet, change places."""
    places = s.left
    for p in range(s.players):
        places |= s.late[p] if p != seat else 0
    late = {p: s.late[p] for p in range(s.players)}
    swap(s, [card for card in range(52) if places >> card & 1], random, (s.late,))
    for p, before in late.items():
        s.held[p] = s.held[p] & ~before | s.late[p]


def change_past(s: PlainState, seat: int, random: Random) -> None:
    """Another seat may have held and discarded other cards in the last hand, unless it showed them."""
    p = random.randrange(s.players)
    if p != seat:
        rows = (s.past_aside, s.past_late) if s.past_shown >> p & 1 else (s.past_held, s.past_aside, s.past_late)
        for row in rows:
            row[p] = sum(1 << card for card in random.sample(range(52), row[p].bit_count()))


def forgotten(events: Sequence[Event]) -> bool:
    """Whether views hold less than was told: two hands ended in one action, and only the later one is the last hand.

    A hand needs no decision where antes or blinds put everybody all-in; what it showed was shown to all.
    """
    return sum(isinstance(event, HandEnded) for event in events) > 1


def key(s: PlainState) -> tuple[object, ...]:
    """The position: who holds what, what is in the pack, and where the betting stands."""
    turn = (s.player, s.over, s.number, s.button, s.stage, s.street, s.dealt, s.live, s.waiting, s.free)
    betting = (s.high, s.step, s.raises, s.dead, s.aggressor, s.initiative, s.left, s.drawn, s.back, s.shown, *s.board)
    return (*turn, *betting, *(tuple(row) for row in (s.chips, s.bet, s.paid, s.held, s.late, s.aside)))
