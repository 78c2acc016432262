"""Go in words: actions as text, refusals and events as sentences.

An action is written as its cards: ``KS`` chooses the king of spades, ``KS KH`` groups the two kings.
"""

from kibitz.cards import code, parse_hand, symbol, symbols
from kibitz.engine.events import Event, View
from kibitz.engine.sentences import Names, listed, verb
from kibitz.errors import NotationError
from kibitz.games.go.rules import GROUP, Reason
from kibitz.games.go.settings import OPTIONS as OPTIONS
from kibitz.games.go.view import Chose, Finished, GoView, Grouped, Revealed, Started


def text(view: View, action: int) -> str:
    """An action as text: the cards it chooses or groups."""
    return " ".join(code(card) for card in action_cards(view, action))


def label(view: View, action: int) -> str:
    """An action as a choice in a list."""
    cards = symbols(action_cards(view, action))
    if action < GROUP:
        return cards
    from kibitz.games.go.groups import score

    worth = int(score(sum(1 << card for card in action_cards(view, action))))
    return f"{cards}  ({worth:+d})"


def action_cards(view: View, action: int) -> list[int]:
    """The cards that an action is about."""
    if action < GROUP:
        return [action]
    assert isinstance(view, GoView)
    laid = sorted(view.discards[view.player])
    return [card for position, card in enumerate(laid) if (action - GROUP) >> position & 1]


def parse_action(view: View, words: str) -> int:
    """The action that a text means; NotationError if it cannot be one."""
    assert isinstance(view, GoView)
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


def prompt(view: View) -> str:
    """What the seat to move is asked."""
    assert isinstance(view, GoView)
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
        case Finished(scores):
            return f"The game is over: {listed([f'{names[p]} {score:+d}' for p, score in enumerate(scores)])}."
    raise TypeError(f"{event!r} is no event of Go")
