"""For the contract: positions of poker that a seat can't tell apart, and branches of the rules that few games reach.

The positions are made from what is seen at a table, independently of ``resample``: the leak tests compare the two. Each
differs from the one before in two cards that have changed places, so a leak of a single card shows.
"""

from collections.abc import Iterator, Sequence
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import Event
from kibitz.games.poker.view import HandEnded


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions that ``seat`` can't tell apart, each with two unseen cards swapped.

    They are swapped everywhere in this hand, or only among the discards that went back into the pack.
    """
    state = s.copy()
    while True:
        state = state.copy()
        if not s.over:
            if s.reshuffled and random.random() < 0.4:
                swap_returned(state, seat, random)
            else:
                change_past(state, seat, random)
                swap(state, never_seen(state, seat), random, (state.held, state.late, state.discarded))
        yield state


def never_seen(s: PlainState, seat: int) -> list[int]:
    """The cards that a seat has never seen in this hand."""
    seen = sum(1 << card for card in s.board[: s.shown_cards])
    if seat >= 0:
        seen |= s.held[seat] | s.discarded[seat]
    return [card for card in range(52) if s.pack & ~seen & 1 << card]


def swap(s: PlainState, candidates: list[int], random: Random, rows: tuple[list[int], ...]) -> None:
    """Swap two of the candidates, at random, in ``rows`` of sets and in the pack."""
    if len(candidates) < 2:
        return
    a, b = random.sample(candidates, 2)
    both = 1 << a | 1 << b
    for row in rows:  # only a set that holds exactly one of the two changes
        row[:] = [cards ^ both if (cards >> a ^ cards >> b) & 1 else cards for cards in row]
    if (s.stock >> a ^ s.stock >> b) & 1:
        s.stock ^= both


def swap_returned(s: PlainState, seat: int, random: Random) -> None:
    """Swap two of the discards that went back and are now in the pack or in other seats' hands."""
    returned = s.stock
    for p in range(s.players):
        returned |= s.late[p] if p != seat else 0
    late_before = s.late[: s.players]
    swap(s, [card for card in range(52) if returned >> card & 1], random, (s.late,))
    for p, late in enumerate(late_before):
        s.held[p] = s.held[p] & ~late | s.late[p]


def change_past(s: PlainState, seat: int, random: Random) -> None:
    """Change what another seat held and discarded in the last hand, unless it showed the cards."""
    p = random.randrange(s.players)
    if p != seat:
        rows = (
            (s.past_discarded, s.past_late) if s.past_shown >> p & 1 else (s.past_held, s.past_discarded, s.past_late)
        )
        for row in rows:
            row[p] = sum(1 << card for card in random.sample(range(52), row[p].bit_count()))


def views_forget(events: Sequence[Event]) -> bool:
    """Whether views show less than the events did: if an action ended two hands, views show only the later one.

    A hand without a decision follows at once if antes or blinds put everybody all-in.
    """
    return sum(isinstance(event, HandEnded) for event in events) > 1


def key(s: PlainState) -> tuple[object, ...]:
    """Equal for equal positions: the cards held and discarded, the pack and the betting."""
    turn = (s.player, s.over, s.hands_played, s.button, s.stage, s.street, s.dealt, s.live, s.waiting, s.may_raise)
    betting = (
        s.high,
        s.min_raise,
        s.raises,
        s.dead,
        s.aggressor,
        s.initiative,
        s.stock,
        s.drawn,
        s.reshuffled,
        s.shown,
        *s.board,
    )
    return (*turn, *betting, *(tuple(row) for row in (s.chips, s.bet, s.paid, s.held, s.late, s.discarded)))


LATER = "rare: only a stacked pack deals that many cards; tests of phh exchange deal from such packs"
SHORT = "rare: with the option reopen, short all-ins that together are a full raise; tests of the betting set this up"
REOPENED = "rare: short all-ins before a seat that has acted; tests of the betting set this up"
HAND = "rare: a very good hand; tests of the ranking go through all hands"
BLINDS = "rare: a straddle with fixed limits or among two; tests of the rules set this up"
RETURNED = "rare: the pack runs out for several players of draw; tests of the rules set this up"

EXCLUSIONS = {
    "Reason.NOT_REOPENED": REOPENED,
    "rules.raise_refusal: not s.may_raise >> p & 1, true": REOPENED,
    "betting.post_forced_bets: s.limit != FIXED_LIMIT, false": BLINDS,
    **{f"dealing.stacked_card: {which}": LATER for which in ("i < 36, false", "i < 45, true", "i < 45, false")},
    "dealing.draw_card: i < STACKED, false": "a hand has fewer cards than the options have room for",
    "dealing.draw_card: s.stock >> card & 1, false": LATER,
    "dealing.return_discards: s.drawn >> q & 1, false": RETURNED,
    "dealing.return_discards: not s.reshuffled >> q & 1, false": RETURNED,
    "betting.raise_to: amount - s.bet[q] >= s.min_raise, false": SHORT,
    "betting.raise_to: amount - s.bet[q] >= s.min_raise, true": SHORT,
    "stages.show_next: not gives_up(s, p), false": "rare: a seat gives up a hand that may win; tests of phh set it up",
    "hands.in_order: sorted(ranks) == [0, 1, 2, 3, 12], true": HAND,
    "hands.in_order: wheel, true": HAND,
    "hands.phrase: case ranking.FOUR, entered": HAND,
    **{f"ranking.strength: size({suit}) > 4, true": HAND for suit in ("clubs", "diamonds", "hearts", "spades")},
    "ranking.strength_of_ranks: fours, true": HAND,
    "ranking.strength_of_flush: straight, true": HAND,
    "stages.start_showdown: s.live >> first & 1, false": "who bet last has not folded since",
    "stages.next_street: s.street == 1 (2), false": "the only draw is on the first street after the deal",
    "view.opening: s.hands_played, true": "rare: blinds leave nobody a decision; tests of phh exchange deal such hands",
    "view.action_notices: amount > 0, false": "a call that pays nothing is described as a check before this",
    "words.street_text: not cards, true": "a street of draw poker has an event of its own",
    "hands.phrase: first == RANKS[12], true": HAND,
    "hands.phrase: first == RANKS[12], false": HAND,
    "words.short_text: len(cards) > 1, true": HAND,
    "words.prompt: price (2), false": "a seat with nothing to pay that may not raise isn't asked",
}
