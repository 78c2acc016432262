"""Poker in words: actions as text and positions as lines; ``describing`` has those for events.

fold, check, call       as they are
bet 40, raise 240       so that the own bet of this round is that many chips
all in, pot, half pot   the amounts that these are
discard 2D 5C, pat      to draw; the cards alone mean the same
"""

from kibitz.cards import code, parse_hand, symbol, symbols
from kibitz.engine.events import View
from kibitz.engine.sentences import counted
from kibitz.errors import NotationError
from kibitz.games.poker.describing import describe as describe
from kibitz.games.poker.observation import PokerView
from kibitz.games.poker.options import objection as objection
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, MOST, RAISE
from kibitz.games.poker.settings import OPTIONS as OPTIONS

HELP = (
    ("raise 240", "bet or raise to any amount; 'bet 40', 'all in', 'pot' and 'half pot' are understood too"),
    ("2D 5C", "where cards are drawn: those that you discard, all at once; 'pat' keeps all"),
)
"""What else can be typed."""

GIVES_UP = ("fold",)

SCORES = "Chips won or lost"

WORDS = {"fold": FOLD, "f": FOLD, "check": CALL, "call": CALL, "c": CALL, "k": CALL}
SPECIAL = ("all in", "all-in", "allin", "pot", "half pot", "half", "min")
PAT = ("pat", "stand pat", "none", "keep all")
STREETS = ("before the flop", "flop", "turn", "river")


def text(view: View, action: int) -> str:
    """An action as text."""
    assert isinstance(view, PokerView)
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if view.turn.price else "check"
    if action >= RAISE:
        return f"{'raise' if view.turn.high else 'bet'} {action - RAISE}"
    return " ".join(["discard", *map(code, thrown(view, action))]) if action > DISCARD else "pat"


def thrown(view: PokerView, action: int) -> tuple[int, ...]:
    """The cards that an action discards."""
    return tuple(card for place, card in enumerate(view.hand) if (action - DISCARD) >> place & 1)


def label(view: View, action: int) -> str:
    """An action as a choice in a list."""
    assert isinstance(view, PokerView)
    if action == FOLD:
        return "fold"
    if action == CALL:
        return price_text(view)
    if action < RAISE:
        return symbols(thrown(view, action)) if action > DISCARD else "stand pat"
    amount = action - RAISE
    what = f"raise to {amount}" if view.turn.high else f"bet {amount}"
    notes = []
    if amount == everything(view):
        notes.append("all in")
    elif amount in (sized(view, 1), sized(view, 2)):
        notes.append("the pot" if amount == sized(view, 1) else "half the pot")
    elif amount == view.turn.least < view.turn.most:
        notes.append("the least")
    return f"{what}  ({notes[0]})" if notes else what


def price_text(view: PokerView) -> str:
    """To check or call, with what it costs."""
    price = view.turn.price
    if not price:
        return "check"
    chips = view.chips[view.player]
    return f"call {price}" if price < chips else f"call {chips}  (all in)"


def everything(view: PokerView) -> int:
    """What the seat to act has bet in this round once it is all in."""
    return view.bets[view.player] + view.chips[view.player]


def sized(view: PokerView, part: int) -> int:
    """A raise by the pot as it is after a call, divided by ``part``."""
    return view.turn.high + (view.pot + view.turn.price) // part


def parse_action(view: View, words: str) -> int:
    """The action that a text means; NotationError if it cannot be one."""
    assert isinstance(view, PokerView)
    said = " ".join(words.lower().split())
    if said in WORDS:
        return WORDS[said]
    if said in PAT:
        return DISCARD
    amount = said
    for start in ("raise to ", "raise ", "bet ", "r ", "b "):
        amount = amount.removeprefix(start)
    if amount in SPECIAL:
        return special(view, amount)
    if amount != said and amount.isascii() and amount.isdigit():
        if len(amount) > 10 or int(amount) > MOST:
            raise NotationError(f"no amount is more than {MOST} chips.")
        return RAISE + int(amount)
    if not view.turn.drawing:
        raise NotationError("Say 'fold', 'check', 'call', 'raise 240', 'bet 40' or 'all in'.")
    return parse_discards(view, words)


def parse_discards(view: PokerView, words: str) -> int:
    """Cards to discard as an action."""
    said = words.strip()
    cards = parse_hand(said[7:] if said[:7].lower() == "discard" else said)
    if not cards:
        raise NotationError("Name the cards that you discard, such as '2D 5C', or say 'pat'.")
    for card in cards:
        if card not in view.hand:
            raise NotationError(f"{symbol(card)} is not in your hand.")
    return DISCARD + sum(1 << view.hand.index(card) for card in cards)


def special(view: PokerView, said: str) -> int:
    """An amount that has a name."""
    if said == "min":
        return RAISE + (view.turn.least or view.turn.high + view.turn.step)
    if said in ("pot", "half pot", "half"):
        return RAISE + min(sized(view, 1 if said == "pot" else 2), everything(view))
    return RAISE + everything(view) if everything(view) > view.turn.high else CALL


def prompt(view: View) -> str:
    """What the seat to move is asked."""
    assert isinstance(view, PokerView)
    if view.turn.drawing:
        return "Your draw: which cards do you discard? Stand pat to keep all."
    price, least, most = view.turn.price, view.turn.least, view.turn.most
    asked = f"Your turn, with {counted(view.chips[view.player], 'chip')}: {price_text(view)}".replace("  ", " ")
    asked += f" into a pot of {view.pot}" if price else ""
    if not least:
        return asked + (", or fold." if price else ".")
    does = "raise to" if view.turn.high else "bet"
    amount = f"{least}" if least == most else f"any amount from {least} to {most}"
    return f"{asked}, {does} {amount}, or fold." if price else f"{asked}, or {does} {amount}."


def street_name(view: PokerView) -> str:
    """What the present round is called."""
    street, setup = view.turn.street, view.setup
    if setup.draw:
        return "the draw" if view.turn.drawing else "after the draw" if street else "before the draw"
    if setup.streets < 4:
        return f"round {street + 1} of {setup.streets}"
    return STREETS[street]
