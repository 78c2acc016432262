"""What a seat of Bo may know, and its events.

A card is shown as its id, so the two packs can be told apart, and a play shows the hand place it comes from:
decision 3 says why.
"""

from typing import Annotated

from kibitz.cards import Card
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import EVERYONE, Event, Notice, Outcome, View, notices_for
from kibitz.engine.views.field_types import ANY_ORDER, Doc, Flags, Most, PerSeat, Seat
from kibitz.engine.views.observation import Computed, Own, Rows, view_functions
from kibitz.games.bo import rules
from kibitz.games.bo.piles import NO_PLAY, NONE, SOURCE, STOCK, set_top, source_card

Cards = tuple[Card, ...]
Epoch = Annotated[int, Most(1023)]
Colours = Annotated[int, Flags("red", "black")]


def backs(s: PlainState) -> tuple[tuple[int | None, ...], ...]:
    """By seat and place, the epoch in which the hand card there was drawn; None for an empty place."""
    since = [None if card == NONE else s.drawn_epoch[place] for place, card in enumerate(s.hand)]
    return tuple([tuple(since[5 * p : 5 * p + 5]) for p in range(s.players)])


def stock_tops(s: PlainState) -> tuple[Card | None, ...]:
    """By seat, the face-up card of its stockpile."""
    return tuple([stock_top(s, p) for p in range(s.players)])


def stock_top(s: PlainState, seat: int) -> int | None:
    """The face-up card of a seat's stockpile, None if it is empty."""
    return s.stock[8 * seat + s.stock_counts[seat] - 1] if s.stock_counts[seat] else None


def pile_cards(s: PlainState, pile: int) -> Cards:
    """The cards of a build or discard pile, the top card last."""
    cards = []
    card = s.top[pile]
    while card != NONE:
        cards.append(card)
        card = s.under[card]
    return tuple(cards[::-1])


def builds(s: PlainState) -> tuple[Cards, ...]:
    """The cards of the build piles."""
    return tuple([pile_cards(s, pile) for pile in range(4)])


def discards(s: PlainState) -> tuple[Cards, ...]:
    """The cards of the discard piles."""
    return tuple([pile_cards(s, pile) for pile in range(4, 4 + 4 * s.players)])


def returned(s: PlainState) -> tuple[tuple[int, int], ...]:
    """The cards that went back to the draw pile and are still there or in a hand, each with the epoch of its return."""
    if not s.epoch:
        return ()
    hidden = s.draw[: s.draw_count] + s.hand
    return tuple(sorted([(card, s.entry_epoch[card]) for card in hidden if card != NONE and s.entry_epoch[card]]))


class BoView(View, frozen=True):
    """What one seat may know of a position in Bo."""

    players: Annotated[int, Doc("how many seats take part")]
    top_value: Annotated[int, Doc("the highest value of the cards, 13 for kings")]
    stock_size: Annotated[int, Doc("how many cards a stockpile begins with")]
    hand_size: Annotated[int, Doc("how many cards a hand is filled up to at the start of a turn")]
    plays_a_turn: Annotated[int, Doc("how many plays a turn can have")]
    rounds: Annotated[int, Doc("how many turns everybody has at most")]
    round: Annotated[int, Most(50), Doc("how many turns everybody has had")]
    plays: Annotated[int, Most(5), Doc("how many plays this turn has had")]
    passes: Annotated[int, Most(4), Doc("how many seats in a row could play nothing")]
    winner: Annotated[Seat | None, Doc("the seat that has emptied its stockpile")]
    epoch: Annotated[Epoch, Doc("how many build piles have been completed and shuffled into the draw pile")]
    hand: Annotated[tuple[Card | None, ...], Own("hand", 5), Doc("your five places, each a card or None")]
    backs: Annotated[
        tuple[Annotated[tuple[Epoch | None, ...], Most(5)], ...],
        Computed(backs),
        Doc("by seat and place, the epoch in which the card there was drawn, None if there is none"),
    ]
    known_aces: Annotated[
        tuple[tuple[Colours, ...], ...],
        Rows("ace_colours", 5),
        Doc("by seat and place, the possible colours of a card that everybody knows to be an Ace; none for others"),
    ]
    stock_tops: Annotated[
        tuple[Card | None, ...],
        Computed(stock_tops),
        Doc("by seat, the card turned up on the stockpile, None once it is empty"),
    ]
    stock_counts: Annotated[tuple[Annotated[int, Most(8)], ...], Doc("by seat, how many cards the stockpile still has")]
    builds: Annotated[
        tuple[Cards, ...], Most(4), Computed(builds), Doc("the four build piles, the last card of each on top")
    ]
    discards: Annotated[
        tuple[Cards, ...],
        PerSeat(4),
        Computed(discards),
        Doc("the discard piles, the last card of each on top; pile k of seat p is number 4 * p + k"),
    ]
    draw_count: Annotated[int, Most(104), Doc("how many cards the draw pile has")]
    returned: Annotated[
        tuple[tuple[Card, Epoch], ...],
        ANY_ORDER,
        Computed(returned),
        Doc("cards that went back to the draw pile and have not been seen since, each with the epoch of its return"),
    ]


class Started(Event, frozen=True):
    """The stockpiles are laid out; hands are still empty."""

    players: int
    packs: int
    suits: int
    top_value: int
    stock_size: int
    hand_size: int
    plays_a_turn: int
    rounds: int
    stock_tops: Cards


class Drew(Event, frozen=True):
    """A seat has drawn cards to some hand places; only that seat sees the cards."""

    seat: int
    places: tuple[int, ...]
    cards: Cards | None


class Played(Event, frozen=True):
    """A seat has played a card; ``source`` and ``pile`` are numbered as in actions."""

    seat: int
    source: int
    card: Card
    pile: int


class Completed(Event, frozen=True):
    """A build pile is complete and has been shuffled into the draw pile."""

    pile: int
    cards: Cards


class Turned(Event, frozen=True):
    """The next card of a stockpile is turned up; ``card`` is None if the stockpile is empty."""

    seat: int
    card: Card | None


class Passed(Event, frozen=True):
    """A seat has passed: it can't play anything."""

    seat: int


class TurnEnded(Event, frozen=True):
    """A turn has ended, and the next player's begins."""

    next_player: int
    round: int


class Finished(Event, frozen=True):
    """The game is over."""

    winner: Seat | None
    round: int


def opening(s: PlainState) -> list[Notice]:
    """The events of the deal."""
    tops = tuple([s.stock[8 * p + s.stock_counts[p] - 1] for p in range(s.players)])
    options = {option.name: getattr(s, option.name) for option in rules.OPTIONS}
    return [Notice(EVERYONE, Started(**options, stock_tops=tops)), *draw_notices(s, 0, [NONE] * 5)]


def advance(s: PlainState, a: int) -> list[Notice]:
    """Carry out a legal action; return the notices."""
    p, epoch, plays = s.player, s.epoch, s.plays
    notices: list[Notice] = []
    pile_before: Cards = ()
    if a == NO_PLAY:
        notices.append(Notice(EVERYONE, Passed(p)))
    else:
        source, pile = divmod(a, SOURCE)
        card = source_card(s, source)
        pile_before = (*pile_cards(s, pile), card) if pile < 4 else ()
        notices.append(Notice(EVERYONE, Played(p, source, card, pile)))
    hands_before = s.hand[:]
    if a < STOCK * SOURCE:
        hands_before[5 * p + a // SOURCE] = NONE
    rules.apply(s, a)
    if s.epoch > epoch:
        notices.append(Notice(EVERYONE, Completed(pile, pile_before)))
    if a != NO_PLAY and source == STOCK:
        notices.append(Notice(EVERYONE, Turned(p, stock_top(s, p))))
    if s.over:
        return [*notices, Notice(EVERYONE, Finished(s.winner if s.winner != NONE else None, s.round))]
    if s.plays != plays + 1:
        notices.append(Notice(EVERYONE, TurnEnded(s.player, s.round)))
    return [*notices, *draw_notices(s, s.player, hands_before[5 * s.player : 5 * s.player + 5])]


def draw_notices(s: PlainState, seat: int, before: list[int]) -> list[Notice]:
    """The notices of the cards drawn to a hand that held the cards ``before``; none if no card was drawn."""
    after = s.hand[5 * seat : 5 * seat + 5]
    places = tuple([i for i in range(5) if before[i] == NONE and after[i] != NONE])
    if not places:
        return []
    cards = tuple([after[i] for i in places])
    return notices_for((seat,), Drew(seat, places, cards), others=Drew(seat, places, None))


def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
    """The result: the seat that has emptied its stockpile wins; all others are equal losers."""
    scores = tuple(float(p == s.winner) for p in range(s.players))
    if s.winner != NONE:
        winners = tuple(p for p in (s.winner,) if p not in forfeited)
        return Outcome("A stockpile is empty.", scores, winners)
    if s.round == s.rounds:
        return Outcome(f"Every player has had {s.rounds} turns.", scores, ())
    return Outcome("The draw pile is empty and nobody can play.", scores, ())


def complete(s: PlainState, view: BoView) -> None:
    """Complete a state from a view, with the hidden cards in arbitrary places; ``resample`` then redraws them."""
    for pile, cards in enumerate(view.builds + view.discards):
        for card in cards:
            s.under[card] = s.top[pile]
            set_top(s, pile, card)
    for card, epoch in view.returned:
        s.entry_epoch[card] = epoch
    visible = {card for cards in view.builds + view.discards for card in cards}
    rules.fill_draw_pile(s)
    hidden = sorted({*s.draw[: s.draw_count]} - visible - {*view.hand, *view.stock_tops})
    for p in range(view.players):
        restore_hand(s, view, p, hidden)
        restore_stock(s, view, p, hidden)
    s.draw_count = len(hidden)
    s.draw[:] = hidden + [NONE] * (len(s.draw) - len(hidden))


def restore_hand(s: PlainState, view: BoView, seat: int, hidden: list[int]) -> None:
    """Write a hand into the state; a card that the view doesn't show is taken from the list ``hidden``."""
    for i, back in enumerate(view.backs[seat]):
        place = 5 * seat + i
        own = view.hand[i] if seat == view.seat else None
        s.hand[place] = NONE if back is None else own if own is not None else hidden.pop()
        s.drawn_epoch[place] = back or 0


def restore_stock(s: PlainState, view: BoView, seat: int, hidden: list[int]) -> None:
    """Write a stockpile into the state; the cards below the top are taken from the list ``hidden``."""
    count, top = view.stock_counts[seat], view.stock_tops[seat]
    under = [hidden.pop() for _ in range(count - 1)]
    cards = [*under, top] if top is not None else []
    s.stock[8 * seat : 8 * seat + 8] = cards + [NONE] * (8 - count)


view, views, restore = view_functions(BoView, rules.LAYOUT, rules.clear, complete)
