"""Twelve styles of playing Bo, from the written rules: each rates plays by their effects, and makes the best.

play        where a card comes from (HAND, STOCK or PILE), the card, and the pile that it goes to
builds      piles 0..3; the discard piles follow, four for each seat
rating      a tuple; the greatest is preferred, and ties are broken at random
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from kibitz.games.bo.view import BoView

HAND, STOCK, PILE = range(3)
BUILDS = 4


class Table:
    """The piles as one seat sees them, with plays carried out on copies."""

    def __init__(self, view: BoView) -> None:
        self.view, self.seat, self.kings = view, view.seat, view.top_value
        self.piles = [list(pile) for pile in (*view.builds, *view.discards)]
        self.hand = [card for card in view.hand if card is not None]
        self.stock = view.stock_tops[view.seat]
        self.rivals = [view.stock_tops[(view.seat + k) % view.players] for k in range(1, view.players)]

    def takes(self, pile: int, card: int | None) -> bool:
        """Whether a card can be put on a pile without ending the turn."""
        if card is None:
            return False
        cards = self.piles[pile]
        if pile < BUILDS:
            if not cards:
                return value(card) in (2, self.kings)
            step = abs(value(card) - value(cards[-1]))
            return colour(card) == colour(cards[-1]) and (step == 1 or value(card) == 1)
        if not cards or value(card) == 1 or colour(card) == colour(cards[-1]):
            return False
        return abs(value(card) - value(cards[-1])) in (1, self.kings - 2)

    def places(self, card: int | None) -> int:
        """The number of piles on which a card can be put without ending the turn."""
        return sum(self.takes(pile, card) for pile in range(len(self.piles)))

    def after(self, play: Play) -> Table:
        """The table after a play."""
        new = object.__new__(Table)
        new.__dict__.update(self.__dict__)
        new.piles = [pile[:] for pile in self.piles]
        if play.origin == HAND:
            new.hand = [card for card in self.hand if card != play.card]
        elif play.origin == PILE:
            new.piles[play.source].pop()
        else:
            new.stock = None
        full = play.pile < BUILDS and new.piles[play.pile] and value(play.card) in (1, 2, self.kings)
        new.piles[play.pile] = [] if full else [*new.piles[play.pile], play.card]
        return new

    def plays(self) -> list[Play]:
        """Every play that doesn't end the turn."""
        sources = [(HAND, 0, card) for card in self.hand]
        sources += [(STOCK, 0, self.stock)] if self.stock is not None else []
        sources += [(PILE, k, pile[-1]) for k, pile in enumerate(self.piles) if k >= BUILDS and pile]
        piles = range(len(self.piles))
        return [Play(*source, pile, False) for source in sources for pile in piles if self.takes(pile, source[2])]


class Play(NamedTuple):
    """A card from the hand, the stockpile or a discard pile (``source``) to a pile; ``ends`` if that ends the turn."""

    origin: int
    source: int
    card: int
    pile: int
    ends: bool


def value(card: int) -> int:
    """Ace 1 to king 13."""
    return (card >> 2 & 15) + 1


def colour(card: int) -> int:
    """Red 0, black 1."""
    return card & 1


Rating = tuple[float, ...]


def style(rate: Callable[[Table, Play], Rating]) -> Callable[[BoView, list[int], Random], int]:
    """The strategy that makes the play with the highest rating."""

    def choose(view: BoView, legal: list[int], random: Random) -> int:
        if len(legal) == 1:
            return legal[0]
        table = Table(view)

        def rated(action: int) -> tuple[Rating, float]:
            source, pile = divmod(action, 32)
            if source == 5:
                play = Play(STOCK, 0, table.stock or 0, pile, False)
            elif source < 5:
                card = view.hand[source]
                assert card is not None
                play = Play(HAND, 0, card, pile, not table.takes(pile, card))
            else:
                play = Play(PILE, source - 2, table.piles[source - 2][-1], pile, False)
            return rate(table, play), random.random()

        return max(legal, key=rated)

    return choose


def covers(table: Table, play: Play) -> int:
    """How many fewer of the rivals' stockpile cards the pile would take after the play."""
    after = table.after(play)
    return sum(table.takes(play.pile, card) - after.takes(play.pile, card) for card in table.rivals)


def opens(table: Table, play: Play) -> bool:
    """Whether the seat's own stockpile card could be played only after the play."""
    return not table.places(table.stock) and table.after(play).places(table.stock) > 0


def builder(table: Table, play: Play) -> Rating:
    """Builds with every card that it can, the stockpile first."""
    return (play.pile < BUILDS, play.origin == STOCK, not play.ends, play.origin == HAND)


def hoarder(table: Table, play: Play) -> Rating:
    """Plays from the stockpile, or else ends the turn; it keeps twos, kings and aces in the hand longest."""
    return (play.origin == STOCK, play.ends, value(play.card) not in (1, 2, table.kings))


def emptier(table: Table, play: Play) -> Rating:
    """Plays from the hand first, to be dealt five new cards, and plays that don't end the turn before others."""
    return (play.origin == HAND and not play.ends, play.origin == STOCK, not play.ends)


def blocker(table: Table, play: Play) -> Rating:
    """Plays from its stockpile, or else blocks the rivals' stockpile cards."""
    return (play.origin == STOCK, covers(table, play), not play.ends)


def trusting(table: Table, play: Play) -> Rating:
    """Makes way for its own stockpile card, never looks at the rivals, and ends the turn on an empty pile."""
    return (play.origin == STOCK, opens(table, play), not play.ends, play.origin == HAND, not table.piles[play.pile])


def by_value(table: Table, play: Play) -> Rating:
    """Ends its turns with the card nearest in value to the one that it covers."""
    cards = table.piles[play.pile]
    difference = abs(value(cards[-1]) - value(play.card)) if cards else 0
    return (play.origin == STOCK, play.pile < BUILDS, not play.ends, -difference)


def by_colour(table: Table, play: Play) -> Rating:
    """Keeps red and black discards apart, and builds before it discards."""
    cards = table.piles[play.pile]
    alike = not cards or colour(cards[-1]) == colour(play.card)
    return (play.origin == STOCK, play.pile < BUILDS, not play.ends, alike, -len(cards))


def stockpile_only(table: Table, play: Play) -> Rating:
    """Plays from the stockpile, makes way for it by one play, or else plays at random."""
    return (play.origin == STOCK, opens(table, play))


def slow(table: Table, play: Play) -> Rating:
    """Makes way for nobody: ends its turn so that the fewest cards can be played afterwards."""
    after = table.after(play)
    return (play.origin == STOCK, play.ends, -sum(after.places(card) for card in table.rivals), -len(after.plays()))


def searcher(table: Table, play: Play) -> Rating:
    """Looks three plays ahead for a way to play from its stockpile; or else keeps the table good for its next turn."""
    if play.origin == STOCK:
        return (9, play.pile < BUILDS, 0)
    after = table.after(play)
    if not play.ends and (steps := way(after, 2)):
        return (steps, 0, 0)
    rivals = sum(after.places(card) for card in table.rivals)
    return (0, not play.ends and play.origin == HAND, min(3, after.places(table.stock)) * 2 - rivals)


def guard(table: Table, play: Play) -> Rating:
    """Looks three plays ahead for its stockpile card, or else ends its turn so that rivals can play the least."""
    if play.origin == STOCK:
        return (9, 0, 0)
    after = table.after(play)
    if not play.ends and (steps := way(after, 2)):
        return (steps, 0, 0)
    return (0, play.ends, -sum(after.places(card) > 0 for card in table.rivals), -len(after.plays()))


def jammer(table: Table, play: Play) -> Rating:
    """Looks three plays ahead for its stockpile card, or else prevents that rivals play theirs within two plays."""
    if play.origin == STOCK:
        return (9, 0, 0)
    after = table.after(play)
    if not play.ends and (steps := way(after, 2)):
        return (steps, 0, 0)
    return (0, -sum(way(turned_to(after, card), 1) for card in table.rivals), play.ends)


def turned_to(table: Table, card: int | None) -> Table:
    """The table as a rival with that stockpile card sees it, whose hand nobody knows."""
    new = object.__new__(Table)
    new.__dict__.update(table.__dict__)
    new.stock, new.hand = card, []
    return new


def way(table: Table, depth: int) -> int:
    """0 if the stockpile card can't be played after at most ``depth`` plays; otherwise more the sooner it can."""
    if table.places(table.stock):
        return depth + 1
    return max((way(table.after(play), depth - 1) for play in table.plays()), default=0) if depth else 0


STYLES = {
    rate.__name__: style(rate)
    for rate in (
        *(builder, hoarder, emptier, blocker, trusting),
        *(by_value, by_colour, stockpile_only, slow, searcher, guard, jammer),
    )
}
