"""For the contract: positions of Bo that a seat can't tell apart, and branches that are excluded from coverage.

Written from the rules' list of what seats see, independently of ``resample``: the leak tests compare the two. Each
position differs from the last by one swap of cards, so a leak of a single card shows.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.bo.piles import NONE

Place = tuple[str, int]
"""A field of the state and an index in it: where a card is."""


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions: each swaps two hidden cards that could each have been drawn to the other's place.

    If 20 random pairs of places allow no swap, the position stays as it is.
    """
    position = s.copy()
    places = hidden_places(s, seat)
    while True:
        position = position.copy()
        for _ in range(20):
            if len(places) < 2:
                break
            a, b = random.sample(places, 2)
            card_a, card_b = card_in(position, a), card_in(position, b)
            if may_hold(position, a, card_b) and may_hold(position, b, card_a):
                getattr(position, a[0])[a[1]] = card_b
                getattr(position, b[0])[b[1]] = card_a
                break
        yield position


def hidden_places(s: PlainState, seat: int) -> list[Place]:
    """The places of cards that the seat does not see: in other hands, in stockpiles below the top, in the draw pile."""
    places: list[Place] = [("hand", i) for i in range(20) if i // 5 != seat and s.hand[i] != NONE]
    places += [("stock", 8 * p + i) for p in range(s.players) for i in range(s.stock_counts[p] - 1)]
    return places + [("draw", i) for i in range(s.draw_count)]


def card_in(s: PlainState, place: Place) -> int:
    """The card at a place."""
    card: int = getattr(s, place[0])[place[1]]
    return card


def may_hold(s: PlainState, place: Place, card: int) -> bool:
    """Whether a card can be at a place: it could be drawn at the time, and agrees with what is known of Aces."""
    field, i = place
    if field == "draw":
        return True
    if field == "stock":
        return bool(s.entry_epoch[card] == 0)
    fits = not s.ace_colours[i] or (card & 63 < 4 and s.ace_colours[i] >> (card & 1) & 1)
    return bool(fits and s.entry_epoch[card] <= s.drawn_epoch[i])


def key(s: PlainState) -> tuple[object, ...]:
    """A value that is equal for equal positions: all cards with their places, and what is known of hidden ones."""
    drawable = tuple(sorted(s.draw[: s.draw_count]))
    hidden = {card_in(s, place) for place in hidden_places(s, -1)}
    entries = tuple(sorted((card, s.entry_epoch[card]) for card in hidden))
    turn = (s.player, s.over, s.round, s.plays, s.passes, s.winner, s.epoch)
    hands = (*s.hand, *s.drawn_epoch, *s.ace_colours)
    return (turn, drawable, entries, *s.top, *s.under, *hands, *s.stock, *s.stock_counts)


LATE = "rare: cards come back late in a game; the mini variant's exact probabilities are tested"
ACES = "rare: an Ace is drawn whose colour its slot can't have; the mini variant's exact probabilities are tested"
END = "rare: all seats pass and the draw pile is empty; tests of the rules set this up"

EXCLUSIONS = {
    "hands.resample: accept_aces(s, seat, n), false": LATE,
    "hands.accept_aces: s.drawn_epoch[place] <= epoch, true": LATE,
    "hands.accept_aces: s.drawn_epoch[place] <= epoch (2), true": LATE,
    "hands.accept_aces: s.entry_epoch[s.slot_ace[place]] <= epoch, false": LATE,
    "hands.accept_aces: randbelow(s, choices - k) >= choices - k - later, true": LATE,
    "hands.draw_slot_aces: not s.ace_colours[place] >> (card & 1) & 1, true": ACES,
    "piles.source_card: s.stock_counts[s.player] == 0, true": "the game is over once a stockpile is empty",
    "rules.next_turn: s.passes >= s.players, true": END,
    "rules.next_turn: s.draw_count == 0, true": END,
    "rules.next_turn: s.draw_count == 0, false": END,
    "view.outcome: s.round == s.rounds, false": END,
    "words.card_at: pile, false": "no legal action takes a card from an empty place",
    "words.card_at: card is None, true": "no legal action takes a card from an empty place",
}
