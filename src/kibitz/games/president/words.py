"""President in words: actions as text, events as sentences, positions that people type in, and the table.

A move is written as its cards in any order, ``5H 5S``; to pass is ``pass``. While cards are traded, the text of a card
asks for it or returns it, and ``any K`` asks for any king. A typed position has only one round, without trades.
"""

import re
from collections.abc import Sequence
from itertools import chain, combinations

from kibitz.cards import SUIT_NAMES, VALUE_NAMES, as_set, code, parse_hand, suit, symbol, symbols, value
from kibitz.engine.layout import PlainState
from kibitz.engine.scene import Fact, Part, Row, Scene, Summary, button
from kibitz.engine.scene import card as card_part
from kibitz.engine.scene.elements import by_seat, face_up, hand
from kibitz.engine.sentences import Names, counted, listed, verb, whom
from kibitz.engine.setup_position import Facts
from kibitz.engine.views import common_events
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError, RuleError
from kibitz.games.president import moves, rules
from kibitz.games.president import view as events
from kibitz.games.president.moves import NONE, is_allowed, move_of
from kibitz.games.president.planning import fewest_moves
from kibitz.games.president.rounds import ASK, PLAY, REPEATED_REQUEST, role_points
from kibitz.games.president.rules import ANY_OF_VALUE, PASS, TRADE, Reason
from kibitz.games.president.view import Cards, PresidentView, role, to_card, to_cards, to_height, to_heights

# Actions and events


KIND_NAMES = (
    *("single card", "pair", "three of a kind", "four of a kind"),
    *("straight", "flush", "full house", "four and one", "straight flush"),
)

ANY_CARD_OF = re.compile(r"(?:any|an?) +(\w+)|([a-z]{3,})", re.IGNORECASE)
"""How to ask for any card of a value: ``any K``, ``any kings``, ``kings``."""


def text(view: PresidentView, action: int) -> str:
    """An action as text: its cards, or ``pass``."""
    if action >= ANY_OF_VALUE:
        return f"any {value_symbol(action - ANY_OF_VALUE)}"
    return "pass" if action == PASS else " ".join(code(card) for card in action_cards(action))


def value_symbol(rank: int) -> str:
    """The value with this place in the order of President (0 for threes, 12 for twos), as people write it.

    >>> value_symbol(0), value_symbol(7), value_symbol(12)
    ('3', '10', '2')
    """
    return symbol(to_card(4 * rank))[:-1]


def value_asked_for(words: str) -> int | None:
    """The value in a text such as ``any K``, as its place in the order of President; None for other texts."""
    match = ANY_CARD_OF.fullmatch(words.strip())
    word = (match[1] or match[2]).lower() if match else ""
    for rank in range(13):
        name = VALUE_NAMES[value(to_card(4 * rank)) - 1]
        names = (value_symbol(rank).lower(), code(to_card(4 * rank))[0].lower(), name)
        if word in {each + plural for each in names for plural in ("", "s", "es")}:
            return rank
    return None


def action_cards(action: int) -> Cards:
    """The cards of an action, in the order of President."""
    return (to_card(action - TRADE),) if action >= TRADE else to_cards(moves.cards_in(action))


def kind_name(action: int) -> str:
    """The hand type of a move.

    >>> kind_name(0), kind_name(moves.STRAIGHT + 1)
    ('single card', 'straight')
    """
    return KIND_NAMES[moves.KINDS.index(moves.kind_of(action))]


def label(view: PresidentView, action: int) -> str:
    """An action as a choice in a list."""
    if action == PASS or action >= ANY_OF_VALUE:
        return text(view, action)
    cards = symbols(action_cards(action))
    return cards if action < moves.STRAIGHT or action >= TRADE else f"{cards}  ({kind_name(action)})"


def action_verb(view: PresidentView, action: int) -> str:
    """The verb that a hint puts before an action; "" for the default."""
    return "ask for" if view.phase == ASK else "return" if action >= TRADE else ""


def explain(view: PresidentView, action: int) -> str:
    """One sentence on what a move does, or "" if there is nothing to say."""
    if view.phase != PLAY:
        return explain_trade(view, action)
    hand, pile = [to_height(card) for card in view.hand], move_of(to_heights(view.pile))
    if action == PASS:
        kept = moves_of_one_value(hand, len(view.pile), above=pile)
        if not kept and len(view.pile) < 5:
            return f"Nothing in hand beats {symbols(view.pile)}."
        return (
            f"It keeps {symbols(action_cards(kept[0]))} for later."
            if kept
            else f"It keeps {number_of_cards(len(hand))}."
        )
    size = moves.size_of(action)
    it = "It" if size < 5 else f"The {kind_name(action)}"
    if size == len(hand):
        return "It plays the last card." if size == 1 else f"{it} plays the last {size} cards at once."
    seen = {*view.hand, *chain.from_iterable(view.gone)}
    unseen = [to_height(card) for card in view.pack if card not in seen]
    if size < 5 and not moves_of_one_value(unseen, size, above=action):
        return "No other player can beat it, so it wins the next lead."
    if view.pile and moves_of_one_value(hand, size, above=pile)[:1] == [action]:
        name = "card" if size == 1 else kind_name(action)
        return f"It is the lowest {name} in hand that beats {symbols(view.pile)}."
    if size > 1:
        if view.pile:
            return f"{it} leaves {number_of_cards(len(hand) - size)} in hand."
        lowest = moves.cards_in(action) == as_set(hand[:size])
        return f"{it} gets rid of {f'the {size} lowest' if lowest else size} cards at once."
    if action == hand[0]:
        return "It gets rid of the lowest card in hand."
    if action == lowest_unpaired(hand, above=pile):
        beating = f" beats {symbols(view.pile)} and" if view.pile else ""
        return f"It is the lowest card in hand that{beating} breaks up no pair."
    higher = sum(height > action for height in unseen)
    if higher == len(unseen):
        return "Every card not seen yet is higher."
    return f"{higher} of the {len(unseen)} cards not seen yet {'is' if higher == 1 else 'are'} higher."


def explain_trade(view: PresidentView, action: int) -> str:
    """One sentence on a card that is asked for or returned, or "" if there is nothing to say."""
    hand = [to_height(card) for card in view.hand]
    if view.phase == ASK:
        excluded = {*hand, *map(to_height, view.named[view.pair])}
        highest = max((to_height(card) for card in view.pack if to_height(card) not in excluded), default=NONE)
        lower = role(view.players, view.players - 1 - view.pair)
        if action == TRADE + highest:
            return f"It is the highest card that the {lower} can have."
        if action == ANY_OF_VALUE + (highest >> 2):
            return f"It is the highest value that the {lower} can have."
        rank = action - ANY_OF_VALUE if action >= ANY_OF_VALUE else action - TRADE >> 2
        equals = [to_card(height) for height in hand if height >> 2 == rank]
        return f"It would go with {symbols(equals)} in hand." if equals else ""
    if action == TRADE + hand[0]:
        return "It is the lowest card in hand."
    if action == TRADE + lowest_unpaired(hand):
        return "It is the lowest card in hand that breaks up no pair."
    fewest, _ = fewest_moves(as_set(hand) & ~(1 << action - TRADE), None, view.fives)
    return f"The other cards in hand can be played in {counted(fewest, 'move')}."


def moves_of_one_value(heights: list[int], size: int, above: int = NONE) -> list[int]:
    """The moves of ``size`` cards of one value that these cards make, above a move, the lowest first."""
    values = ([height for height in heights if height >> 2 == value] for value in range(13))
    made = (int(move_of(as_set(cards))) for equal in values for cards in combinations(equal, size))
    return sorted(move for move in made if move > above)


def lowest_unpaired(heights: list[int], above: int = NONE) -> int:
    """The lowest card above a height that is the only one of its value, or NONE."""
    values = [height >> 2 for height in heights]
    return min((height for height in heights if height > above and values.count(height >> 2) == 1), default=NONE)


def parse_action(view: PresidentView, words: str) -> int:
    """The action that a text means. Raises NotationError if it means none."""
    if words.strip().lower() in ("pass", "p"):
        return PASS
    if view.phase == ASK and (rank := value_asked_for(words)) is not None:
        return ANY_OF_VALUE + rank
    cards = parse_hand(words)
    if any(card >= 52 for card in cards):
        raise NotationError("President is played without jokers.")
    if view.phase != PLAY:
        if len(cards) != 1:
            raise NotationError(Reason.ONE_CARD.sentence)
        return TRADE + to_height(cards[0])
    if not cards:
        raise NotationError("Name the cards of a move, such as '5H 5S', or 'pass'.")
    result = int(moves.move_of(to_heights(tuple(cards))))
    if result < 0:
        raise NotationError(Reason.SCATTERED.sentence)
    return result


def main_actions(view: PresidentView, legal: list[int]) -> list[int]:
    """The actions worth offering: asking for a card in one's own hand is legal but useless."""
    hand = to_heights(view.hand)
    return [a for a in legal if view.phase != ASK or a >= ANY_OF_VALUE or not hand >> (a - TRADE) & 1]


def ordered(view: PresidentView, legal: list[int]) -> list[int]:
    """The actions as people see them: by type, each from low to high; a pass comes last."""
    return sorted(legal, key=lambda action: (action == PASS, action))


def prompt(view: PresidentView) -> str:
    """The question to the seat to move."""
    start = f"Round {view.round + 1} of {view.rounds}"
    if view.phase != PLAY:
        other = role(view.players, view.players - 1 - view.pair)
        to_go = "" if view.todo == 1 else f" ({view.todo} to go)"
        if view.phase == ASK:
            any_value = view.upper_names == REPEATED_REQUEST
            wish = "card, such as 2S, or which value, such as 'any K'," if any_value else "card"
            return f"{start}: which {wish} do you ask the {other} for{to_go}?"
        given = view.given[view.pair] or ()
        return f"{start}: the {other} gave {symbols(given)}. Which card do you return{to_go}?"
    if not view.pile:
        first = view.lowest is not None and not any(view.gone)
        condition = f" Your move must contain {symbol(view.lowest)}." if first and view.lowest is not None else ""
        return f"{start}: you lead. What do you play?{condition}"
    higher = "a higher card" if len(view.pile) == 1 else f"{len(view.pile)} cards that are higher"
    return f"{start}: play {higher} than {symbols(view.pile)}, or pass."


def describe(event: Event, seat: int, names: Names) -> str:
    """One sentence that tells ``seat`` what happened."""
    match event:
        case events.Started(players, rounds):
            return f"{players} players play {'one round' if rounds == 1 else f'{rounds} rounds'} of President."
        case events.Dealt():
            return dealt_text(event, seat, names)
        case events.Gave(_, lower, upper, number, cards):
            what = number_of_cards(number) if cards is None else symbols(cards)
            return f"{names[lower]} {verb(lower, seat, 'give', 'gives')} {what} to {whom(upper, seat, names)}."
        case events.Trading(who, _, phase, _):
            you_do = "lead" if phase == PLAY else "ask for a card" if phase == ASK else "choose what to return"
            they_do = "leads" if phase == PLAY else "asks for a card" if phase == ASK else "chooses what to return"
            return f"{names[who]} {verb(who, seat, you_do, they_do)}."
        case events.Named(upper, lower, card, held):
            asks = f"{names[upper]} {verb(upper, seat, 'ask', 'asks')} {whom(lower, seat, names)} for {symbol(card)}"
            return f"{asks} and {verb(upper, seat, 'get', 'gets')} it." if held else f"{asks}, in vain."
        case events.Requested():
            return requested_text(event, seat, names)
        case events.Returned(upper, lower, card):
            what = "a card" if card is None else symbol(card)
            return f"{names[upper]} {verb(upper, seat, 'return', 'returns')} {what} to {whom(lower, seat, names)}."
        case events.Played(who, cards, _):
            return f"{names[who]} {verb(who, seat, 'play', 'plays')} {symbols(cards)}."
        case events.Passed(who, _):
            return f"{names[who]} {verb(who, seat, 'pass', 'passes')}."
        case events.TrickEnded(leader):
            return f"The pile is cleared; {whom(leader, seat, names)} {verb(leader, seat, 'lead', 'leads')}."
        case events.WentOut(who, _, role_name):
            return f"{names[who]} {verb(who, seat, 'are', 'is')} {role_name}."
        case events.RoundEnded(round, _, scores):
            return f"Round {round + 1} is over: {listed([f'{names[p]} {score:+d}' for p, score in enumerate(scores)])}."
    return common_events.describe(event, seat, names)


def requested_text(event: events.Requested, seat: int, names: Names) -> str:
    """The sentence for a request and its answer."""
    upper = event.upper
    one_card = len(event.cards) == 1
    wish = symbol(event.cards[0]) if one_card else f"any {value_symbol(to_height(event.cards[0]) // 4)}"
    asks = f"{names[upper]} {verb(upper, seat, 'ask', 'asks')} {whom(event.lower, seat, names)} for {wish}"
    if event.got is None:
        return f"{asks}, in vain, and {verb(upper, seat, 'ask', 'asks')} again."
    return f"{asks} and {verb(upper, seat, 'get', 'gets')} {'it' if one_card else symbol(event.got)}."


def dealt_text(event: events.Dealt, seat: int, names: Names) -> str:
    """The sentence for a deal."""
    counts = " or ".join(str(count) for count in sorted(set(event.counts)))
    sentence = f"Round {event.round + 1}: everyone gets {counts} cards."
    if event.lowest is not None:
        who = event.next_player
        leads = f"{verb(who, seat, 'hold', 'holds')} the lowest card, {symbol(event.lowest)}, and"
        sentence += f" {names[who]} {leads} {verb(who, seat, 'lead', 'leads')}."
    return sentence + (f" You hold {symbols(event.hand)}." if event.hand else "")


def number_of_cards(number: int) -> str:
    """A number of cards: "a card", "3 cards"."""
    return "a card" if number == 1 else f"{number} cards"


# Positions that people type in


FACTS = {
    "hand": "your cards",
    "pile": "the cards to beat; none if you lead",
    "by": "who played them: 1 is the player before you, 2 the one before that, and so on; default: 1",
    "counts": "how many cards the others hold, starting with the next player; default: evenly shared",
    "gone": "all cards played this round, except the pile; default: at random",
}
EXAMPLE = '"5H 5S 9C KD KS 2C" --pile "4D 4H" --counts "5 7 3"'


def position(s: PlainState, facts: Facts) -> None:
    """Set up a position from the facts that were typed in; seat 0 is to move."""
    n = s.players
    rules.clear(s)
    hand, pile, gone = facts.hand(), facts.cards("pile"), facts.cards("gone")
    s.player, s.order[:n], s.place[:n] = 0, list(range(n)), list(range(n))
    counts, unnamed = card_counts(facts, len(hand), len(pile), len(gone))
    if sum(counts) == 0:
        raise NotationError("--counts: the round is over once nobody else holds a card.")
    played = [*pile, *gone, *facts.deal(unnamed)]
    s.hand[0] = to_heights(tuple(hand))
    for p, size in enumerate(counts, 1):
        s.hand[p] = to_heights(tuple(facts.deal(size)))
    out = [p for p in range(1, n) if not s.hand[p]]
    s.finish[: len(out)], s.out_count = out, len(out)
    s.gone[1] = to_heights(tuple(played))
    if pile:
        put_on_pile(s, facts, pile)


def card_counts(facts: Facts, hand: int, pile: int, gone: int) -> tuple[list[int], int]:
    """How many cards each of the others holds, and how many cards were played that the facts don't name.

    The parameters are numbers of cards, too.
    """
    n, cards = facts.game.seats, facts.game.options["pack"].bit_count()
    dealt = cards if facts.game.options["leftovers"] else cards // n * n
    most = -(-cards // n)
    left = dealt - hand - pile - gone
    if hand > most or left < 0:
        raise NotationError(f"each of {n} players is dealt {most} cards at most, {dealt} in all: you gave more.")
    if "counts" not in facts:
        total = min(left, (n - 1) * hand) if not gone else left
        counts = [min(most, total // (n - 1) + (k < total % (n - 1))) for k in range(n - 1)]
    else:
        counts = facts.counts(0, low=0, high=most)
    unnamed = left - sum(counts)
    if unnamed < 0 or ("gone" in facts and unnamed and "counts" in facts):
        raise NotationError(
            f"{dealt} cards were dealt: with {hand} in the hand, {pile} on the pile and {gone} gone the others hold"
            f" {left}, not {sum(counts)}."
        )
    return counts, unnamed


def put_on_pile(s: PlainState, facts: Facts, pile: list[int]) -> None:
    """Put a move on the pile, made by the seat ``by`` places before; the seats between have passed."""
    move = int(move_of(to_heights(tuple(pile))))
    if move == NONE or not is_allowed(move, s.fives):
        raise RuleError(f"--pile: {symbols(pile)}: {rules.Reason.SCATTERED.sentence}")
    by = facts.number("by", 1, s.players - 1)
    s.pile, s.last = move, s.players - by
    s.passed = as_set(p for p in range(s.last + 1, s.players) if s.hand[p])


# The table


def scene(view: PresidentView, names: Names) -> Scene:
    """The position, the seats in the order in which they sit."""
    by = "" if view.last is None else f", by {names[view.last]}"
    note = f"{kind_name(int(move_of(to_heights(view.pile))))}{by}" if view.pile else ""
    zones = [face_up("pile", "Pile", view.pile, form="group", note=note, where="on")]
    zones += [hand(p, view.hand if p == view.seat else None, view.counts[p], names) for p in view.order]
    roles = {p: role(view.players, k) for k, p in enumerate(view.order)} if view.round and not view.over else {}
    facts = [Fact("Round", f"{min(view.round + 1, view.rounds)} of {view.rounds}")]
    facts += by_seat("Role", [roles.get(p, "") for p in range(view.players)], "")
    facts += by_seat("Points", [f"{score:+d}" for score in view.scores])
    facts += by_seat("In this trick", ["passed" if p in view.passed else "" for p in range(view.players)], "")
    return Scene(tuple(zones), tuple(facts))


def parts(view: PresidentView, action: int) -> tuple[Part, ...]:
    """What people pick for an action: the cards of a move or to return, or the value and suit to ask for."""
    if action == PASS:
        return (button("pass"),)
    if view.phase == ASK:
        wish = to_card(4 * (action - ANY_OF_VALUE)) if action >= ANY_OF_VALUE else to_card(action - TRADE)
        suit_name = SUIT_NAMES[suit(wish)]
        suit_button = button(f"suit:{suit_name}", f"of {suit_name}")
        any_suit = button("suit:any", "any suit")
        value_button = button(f"value:{code(wish)[0]}", VALUE_NAMES[value(wish) - 1])
        return value_button, any_suit if action >= ANY_OF_VALUE else suit_button
    return tuple([card_part(f"hand{view.player}:{code(each)}") for each in action_cards(action)])


def summary(seen: Sequence[Event], seat: int, names: Names) -> Summary:
    """The result of a round: who went out first, the resulting roles, and the points."""
    (ended,) = [event for event in seen if isinstance(event, events.RoundEnded)]
    n = len(ended.finish)
    rows = [
        Row(
            names[p],
            note=role(n, place),
            result=f"{int(role_points(n, place)):+d}",
            total=f"total {ended.scores[p]:+d}",
        )
        for place, p in enumerate(ended.finish)
    ]
    return Summary(f"Round {ended.round + 1}", tuple(rows))
