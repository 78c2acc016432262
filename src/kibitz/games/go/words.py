"""Go in words: actions as text, events as sentences, positions that people type in, and the table.

An action is written as its cards: ``KS`` chooses the king of spades, ``KS KH`` groups the two kings.
"""

from kibitz.cards import Card, as_set, code, parse_hand, symbol, symbols
from kibitz.engine.layout import PlainState
from kibitz.engine.scene import Fact, Part, Scene, Zone
from kibitz.engine.scene import card as card_part
from kibitz.engine.scene.elements import by_seat, face_up, hand, owner
from kibitz.engine.sentences import Names, counted, listed, verb
from kibitz.engine.setup_position import Facts
from kibitz.engine.views import common_events
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError
from kibitz.games.go import rules
from kibitz.games.go.groups import best_partitions, score
from kibitz.games.go.rules import GROUP, Reason
from kibitz.games.go.view import Chose, GoView, Grouped, Revealed, Started

# Actions and events


def text(view: GoView, action: int) -> str:
    """An action as text: the cards it chooses or groups."""
    return " ".join(code(card) for card in action_cards(view, action))


def label(view: GoView, action: int) -> str:
    """An action as a choice in a list."""
    cards = symbols(action_cards(view, action))
    if action < GROUP:
        return cards
    points = int(score(sum(1 << card for card in action_cards(view, action))))
    return f"{cards}  ({points:+d})"


def action_verb(view: GoView, action: int) -> str:
    """The verb for the cards of an action."""
    return "group" if action >= GROUP else "keep"


def explain(view: GoView, action: int) -> str:
    """What an action does, in one sentence: what its group is worth, or which group its card makes."""
    if action >= GROUP:
        points = int(score(as_set(action_cards(view, action))))
        return f"The group is worth {points}." if points > 0 else f"A card alone costs {counted(-points, 'point')}."
    laid = sorted([*view.discards[view.player], action])
    _, partitions = best_partitions(laid)
    part = next(part for part in partitions[0] if part >> laid.index(action) & 1)
    group = [card for position, card in enumerate(laid) if part >> position & 1]
    if len(group) > 1:
        return f"It makes {symbols(group)}, a group worth {int(score(as_set(group)))}."
    cost = counted(-int(score(1 << action)), "point")
    others = [card for card in view.hand if card != action]
    if all(score(1 << card) < score(1 << action) for card in others):
        return f"It costs {cost} alone, and no other card in hand costs less."
    kept = {card for cards in view.discards for card in cards} | {action}
    fitting = sum(
        any(score(as_set({action, card, other})) > 0 for other in (action, *view.discards[view.player]))
        for card in view.pack
        if card not in kept
    )
    fitting_cards = counted(fitting, "card")
    return f"{fitting_cards} that nobody has kept would make a group with it; alone it costs {cost}."


def action_cards(view: GoView, action: int) -> list[int]:
    """The cards of an action."""
    if action < GROUP:
        return [action]
    laid = sorted(view.discards[view.player])
    return [card for position, card in enumerate(laid) if (action - GROUP) >> position & 1]


def parse_action(view: GoView, words: str) -> int:
    """The action that a text means. Raises NotationError if it means none."""
    cards = parse_hand(words)
    if not view.grouping:
        if len(cards) != 1:
            raise NotationError(Reason.NOT_GROUPING.sentence)
        return cards[0]
    laid = sorted(view.discards[view.player])
    if not cards:
        raise NotationError("Name the cards of one group, such as 'KS KH'.")
    for card in cards:
        if card not in laid:
            raise NotationError(f"{symbol(card)} is not among your discards.")
    return GROUP + sum(1 << laid.index(card) for card in cards)


def prompt(view: GoView) -> str:
    """The question to the seat to move."""
    if view.grouping:
        return f"Select the cards of a group with {symbol(view.ungrouped[0])}."
    return f"Turn {view.turn + 1} of {view.hand_size}: which card do you keep?"


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case Started(players, hand_size, _, _, _, hand):
            dealt = f"{players} players get {hand_size} cards each."
            return dealt + (f" You hold {symbols(hand)}." if hand is not None else "")
        case Chose(who, None):
            return f"{names[who]} {verb(who, seat, 'lay', 'lays')} a card face down."
        case Chose(who, int(card)):
            return f"{names[who]} {verb(who, seat, 'lay', 'lays')} {symbol(card)} face down."
        case Revealed(turn, cards, hand):
            laid = listed([f"{names[p]} {symbol(card)}" for p, card in enumerate(cards)])
            passed = f" You now hold {symbols(hand)}." if hand else ""
            return f"Turn {turn + 1}: {laid}.{passed}"
        case Grouped(who, cards, score, _):
            return f"{names[who]} {verb(who, seat, 'group', 'groups')} {symbols(cards)} for {score:+d}."
    return common_events.describe(event, seat, names)


# Positions that people type in


FACTS = {
    "hand": "the cards you choose from; none once all cards are played",
    "history": "the cards played in each turn, in order of seats: '2D 5C KS 9H, 3D 6C KH 8H'",
    "seat": "your seat, from 0; default: 0",
    "held": "the hands you held before, in order, as they were then",
}
EXAMPLE = '"4D 9S KC KD QH 7H 6C 2S" --history "2D 5C KS 9H, 3D 6D KH 8H"'
Turns = list[list[Card]]
"""For each turn, the cards laid in it, by seat."""


def position(s: PlainState, facts: Facts) -> None:
    """Set up the position in which a seat holds the hand of the facts after their history."""
    n = s.players
    rules.clear(s)
    seat = facts.number("seat", 0, n - 1)
    hand, turns = facts.cards("hand"), facts.rows("history")
    for number, turn in enumerate(turns, 1):
        if len(turn) != n:
            raise NotationError(f"--history: turn {number} needs a card of each of the {n} seats, not {symbols(turn)}.")
    if len(turns) + len(hand) != s.hand_size:
        raise NotationError(
            f"after {len(turns)} of {s.hand_size} turns the hand has {counted(s.hand_size - len(turns), 'card')},"
            f" not {len(hand)}."
        )
    s.turn, s.player = len(turns), seat
    for p in range(n):
        s.laid[p] = as_set(turn[p] for turn in turns)
        s.discard[10 * p : 10 * p + len(turns)] = [turn[p] for turn in turns]
    if not hand:
        s.grouping, s.ungrouped[:n] = 1, s.laid[:n]
        return
    left = remaining_of_hands(facts, seat, hand, turns)
    for stack in range(n):
        s.stack[stack] = as_set(left[stack] if stack in left else facts.deal(len(hand)))
    for p in range(seat):
        s.chosen[p] = min(card for card in range(52) if s.stack[rules.stack_of(s, p)] >> card & 1)


def remaining_of_hands(facts: Facts, seat: int, hand: list[Card], turns: Turns) -> dict[int, list[Card]]:
    """The cards left of the present hand and of the hands in ``--held``, by the seat that each was dealt to."""
    n, now, hand_size = facts.game.seats, len(turns), facts.game.options["hand_size"]
    result = {(seat - now) % n: sorted(hand)}
    held = [facts.parse("held", part) for part in facts.parts("held")]
    if held and len(held) != now:
        raise NotationError(f"--held needs the hands of all {now} turns before this one, not of {len(held)}.")
    for turn, cards in enumerate(held):
        if len(cards) != hand_size - turn:
            raise NotationError(f"--held: in turn {turn + 1} the hand had {hand_size - turn} cards, not {len(cards)}.")
        stack = (seat - turn) % n
        left = remaining_cards(cards, stack, turn, turns, n)
        if stack not in result:
            result[stack] = facts.add("held", left)
        elif result[stack] != left:
            raise NotationError(
                f"--held: of the hand of turn {turn + 1} {symbols(left)} are left, which contradicts the next hand."
            )
    return result


def remaining_cards(cards: list[Card], stack: int, turn: int, turns: Turns, n: int) -> list[Card]:
    """The cards left of a hand that was held in a turn.

    Raises NotationError if a card laid from it since wasn't in it.
    """
    left = sorted(cards)
    for later in range(turn, len(turns)):
        laid = turns[later][(stack + later) % n]
        if laid not in left:
            raise NotationError(
                f"--held: the hand of turn {turn + 1} was passed on, and {symbol(laid)}, laid from it in turn"
                f" {later + 1}, was not in it."
            )
        left.remove(laid)
    return left


# The table


def scene(view: GoView, names: Names) -> Scene:
    """The position; the hands that the seat has held are shown."""
    zones: list[Zone] = []
    own = [card for card in view.hand if card != view.chosen]
    for p in range(view.players):
        cards, count = view.hands[p], view.hand_size - view.turn
        if count and p == view.seat:
            zones.append(hand(p, own, count, names))
        elif count:
            zones.append(hand(p, cards, count, names, "you passed it on" if cards is not None else ""))
        if p == view.seat and view.chosen is not None:
            zones.append(face_up(f"chosen{p}", "Your choice", [view.chosen], p, note="face down", where="as"))
        grouped = {card for group in view.groups[p] for card in group}
        kept = sorted(card for card in view.discards[p] if card not in grouped)
        zones.append(face_up(f"discards{p}", f"{owner(p, names)} discards", kept, p, where="among"))
        for i, group in enumerate(view.groups[p], 1):
            points = int(score(sum(1 << card for card in group)))
            zones.append(
                face_up(f"group{p}.{i}", f"{owner(p, names)} group {i}", group, p, "group", note=f"{points:+d}")
            )
    facts = [Fact("Turn", f"{view.turn + 1} of {view.hand_size}")]
    if view.grouping or view.over:
        facts = by_seat("Score", [f"{points:+d}" for points in view.scores])
    return Scene(tuple(zones), tuple(facts))


def parts(view: GoView, action: int) -> tuple[Part, ...]:
    """The card of the hand that is kept, or the discards that make a group."""
    zone = "hand" if action < GROUP else "discards"
    return tuple([card_part(f"{zone}{view.player}:{code(card)}") for card in action_cards(view, action)])
