"""For the contract: positions of Bo that a seat cannot tell apart, and branches that no position shows.

Written from the rules' list of what is seen, independently of ``resample``: the leak tests compare the two. Each
world differs from the last in one swap, so a leak of a single card shows.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.bo.piles import NONE

Place = tuple[str, int]


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of worlds: in each, two hidden cards have changed places that both could have been drawn to."""
    world = s.copy()
    places = hidden_places(s, seat)
    while True:
        world = world.copy()
        for _ in range(20):
            if len(places) < 2:
                break
            a, b = random.sample(places, 2)
            if may_hold(world, a, card_in(world, b)) and may_hold(world, b, card_in(world, a)):
                one, other = card_in(world, a), card_in(world, b)
                getattr(world, a[0])[a[1]] = other
                getattr(world, b[0])[b[1]] = one
                break
        yield world


def hidden_places(s: PlainState, seat: int) -> list[Place]:
    """The places of cards that the seat does not see: other hands, stockpiles under their top, the draw pile."""
    places: list[Place] = [("hand", i) for i in range(20) if i // 5 != seat and s.hand[i] != NONE]
    places += [("stock", 8 * p + i) for p in range(s.players) for i in range(s.stocked[p] - 1)]
    return places + [("draw", i) for i in range(s.drawable)]


def card_in(s: PlainState, place: Place) -> int:
    """The card at a place."""
    card: int = getattr(s, place[0])[place[1]]
    return card


def may_hold(s: PlainState, place: Place, card: int) -> bool:
    """Whether a card can be at a place: it had entered the draw pile before the place was filled from there."""
    field, i = place
    if field == "draw":
        return True
    if field == "stock":
        return bool(s.entered[card] == 0)
    fits = not s.aces[i] or (card & 63 < 4 and s.aces[i] >> (card & 1) & 1)
    return bool(fits and s.entered[card] <= s.since[i])


def key(s: PlainState) -> tuple[object, ...]:
    """The position: every card's place, the draw pile without order, and what is known of hidden cards."""
    drawable = tuple(sorted(s.draw[: s.drawable]))
    hidden = {card for field, i in hidden_places(s, -1) for card in [getattr(s, field)[i]]}
    entered = tuple(sorted((card, s.entered[card]) for card in hidden))
    turn = (s.player, s.over, s.round, s.plays, s.passes, s.winner, s.epoch)
    return (turn, drawable, entered, *s.top, *s.under, *s.hand, *s.since, *s.aces, *s.stock, *s.stocked)


LATE = "rare: cards come back late in a game; the odds of the mini variant are exact"
ACES = "rare: a card is drawn anew that an Ace seen forbids; the odds of the mini variant are exact"
END = "rare: all seats pass and the draw pile is empty; tests of the rules set this up"

EXCLUSIONS = {
    "hands.resample: fair(s, seat, n), false": LATE,
    "hands.fair: s.since[place] <= epoch, true": LATE,
    "hands.fair: s.since[place] <= epoch (2), true": LATE,
    "hands.fair: s.entered[s.gift[place]] <= epoch, false": LATE,
    "hands.fair: below(s, most - k) >= most - k - spare, true": LATE,
    "hands.choose_gifts: not s.aces[place] >> (card & 1) & 1, true": ACES,
    "piles.source_card: s.stocked[s.player] == 0, true": "who has emptied the stockpile has won, and is not to move",
    "rules.next_turn: s.passes >= s.players, true": END,
    "rules.next_turn: s.drawable == 0, true": END,
    "rules.next_turn: s.drawable == 0, false": END,
    "view.outcome: s.round == s.rounds, false": END,
    "words.card_at: pile, false": "no legal action takes a card from where none is",
    "words.card_at: card is None, true": "no legal action takes a card from where none is",
}
