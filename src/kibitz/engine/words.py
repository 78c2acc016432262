"""What a game says to people: the functions of its ``words.py``, with defaults for some.

    text            ``text(view, action)``: an action as people type it
    parse_action    ``parse_action(view, words)``: the action that a text means; NotationError if it means none
    label           ``label(view, action)``: an action as a choice in a list
    action_verb     ``action_verb(view, action)``: ``discard``, where the label of an action names cards alone;
                    default: ``play``
    explain         ``explain(view, action)``: a sentence on what an action is good for, ``It keeps a pair of
                    5s.``, true for every reader; default: empty
    prompt          ``prompt(view)``: the question to the seat to move
    describe        ``describe(event, seat, names)``: one sentence that tells a seat what happened; default:
                    ``kibitz.engine.views.common_events.describe``, which knows only that module's events
    HELP            what else can be typed: pairs of input and meaning
    leading         ``leading(view, legal)``: the actions worth numbering; default: all
    ordered         ``ordered(view, legal)``: the actions in the order in which people see them; default: as given
    GIVES_UP        the buttons that give something up, such as ``fold``: the cursor never starts on them
    SCORES          what the scores of a result count, as a label: ``Chips won or lost``; default: ``Points``
    LOSSES          whether scores are losses, 0 or below, which people read without their sign; default: False
    objection       ``objection(options)``: why options don't go together; default: they do

``OPTIONS`` are the options of the rules that have words; ``Names`` is here as well, for games whose words are few.
``Acts`` are the text, label and parse_action of games whose actions are a card, or one of a few words: a game that
has such ``ACTS`` needs none of the three.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from types import ModuleType
from typing import Any

from kibitz.cards import code, parse_hand, short_repr, symbol
from kibitz.engine.options import Option
from kibitz.engine.sentences import Names, listed
from kibitz.engine.views import common_events
from kibitz.engine.views.events import Event, View
from kibitz.errors import NotationError

__all__ = ["CARDS", "COMMANDS", "Acts", "Names", "Words"]

CARDS = "a card"
"""In ``Acts``, marks the number of the first action that is a card."""
TEN_AS_ZERO = re.compile(r"\b0(?=[DCHS]\b)")
BEGINS_WITH_A_CARD = re.compile(r"(\d+|[AJQKX])[♠♣♥♦X]")


COMMANDS = frozenset(
    [
        "?",
        "help",
        "u",
        "undo",
        "b",
        "back",
        "h",
        "hint",
        "s",
        "state",
        "a",
        "all",
        "m",
        "more",
        "score",
        "l",
        "log",
        "history",
        "r",
        "rules",
        "q",
        "quit",
        "exit",
    ]
)
"""Inputs that are commands, so no action may be written like them."""


def all_actions(view: View, legal: list[int]) -> list[int]:
    """All actions, unchanged."""
    return legal


def no_explanation(view: View, action: int) -> str:
    """No explanation."""
    return ""


def no_verb(view: View, action: int) -> str:
    """No verb other than ``play``."""
    return ""


def no_objection(options: Mapping[str, int]) -> str | None:
    """All options go together."""
    return None


@dataclass(frozen=True)
class Words:
    """The words of one game."""

    text: Callable[[Any, int], str]
    parse_action: Callable[[Any, str], int]
    label: Callable[[Any, int], str]
    prompt: Callable[[Any], str]
    describe: Callable[[Event, int, Names], str] = common_events.describe
    action_verb: Callable[[Any, int], str] = no_verb
    explain: Callable[[Any, int], str] = no_explanation
    OPTIONS: Sequence[Option] = ()
    HELP: Sequence[tuple[str, str]] = ()
    GIVES_UP: Sequence[str] = ()
    SCORES: str = "Points"
    LOSSES: bool = False
    leading: Callable[[Any, list[int]], list[int]] = all_actions
    ordered: Callable[[Any, list[int]], list[int]] = all_actions
    objection: Callable[[Mapping[str, int]], str | None] = no_objection

    @classmethod
    def of(cls, module: ModuleType, rules: ModuleType) -> Words:
        """The words of a module, and the options of rules that people can read about.

        TypeError, with its file, if it lacks required words, or its ``ACTS`` lack an action of the rules.
        """
        acts = getattr(module, "ACTS", None)
        if isinstance(acts, Acts):
            acts.check_complete(int(rules.ACTIONS))
        for each in fields(cls):
            if each.default is MISSING and not hasattr(module, each.name) and not hasattr(acts, each.name):
                raise TypeError(f"{module.__file__} has no {each.name}: see kibitz.engine.words.")
        functions = {each.name: getattr(module, each.name, getattr(acts, each.name, None)) for each in fields(cls)}
        functions["OPTIONS"] = [option for option in rules.OPTIONS if option.ask]
        return cls(**{name: value for name, value in functions.items() if value is not None})

    @property
    def unit(self) -> str:
        """The unit of scores: ``chips``, ``games`` or ``points``."""
        first = self.SCORES.split()[0].lower()
        return first if first in ("chips", "games") else "points"

    def short_label(self, view: View, action: int) -> str:
        """The label of an action on one line, without its note in brackets, which has a column of its own."""
        return " ".join(self.label(view, action).partition("  (")[0].split())

    def typed(self, view: View, action: int) -> str:
        """An action's text as shown to a person who types it: tens are 10, as on the table, not 0."""
        return TEN_AS_ZERO.sub("10", self.text(view, action))

    def advice(self, view: View, action: int) -> str:
        """The short label of an action as advice: ``discard 2♣ 10♣``, ``fold``."""
        return f"{self.verb(view, action)} {self.short_label(view, action)}".lstrip()

    def verb(self, view: View, action: int) -> str:
        """The verb of an action whose label names cards alone: ``discard``, ``play``; else an empty text."""
        return self.action_verb(view, action) or ("play" if BEGINS_WITH_A_CARD.match(self.label(view, action)) else "")


class Acts:
    """The texts of actions, declared by number: from a number on, 52 cards (``CARDS``), one word, or several words.

    >>> acts = Acts({0: CARDS, 52: "pass", 53: ("diamonds", "clubs")})
    >>> acts.text(None, 7), acts.text(None, 52), acts.parse_action(None, "Clubs"), acts.parse_action(None, "2S")
    ('2S', 'pass', 54, 7)
    """

    def __init__(self, meanings: Mapping[int, str | tuple[str, ...]]) -> None:
        self.words: dict[int, str] = {}
        caller = sys._getframe(1)
        self.place = f"{caller.f_code.co_filename}, line {caller.f_lineno}"
        self.cards = next((first for first, meaning in meanings.items() if meaning == CARDS), None)
        for first, meaning in meanings.items():
            if meaning != CARDS:
                words = (meaning,) if isinstance(meaning, str) else meaning
                self.words.update({first + i: word for i, word in enumerate(words)})
        self.numbers = {word: number for number, word in self.words.items()}

    def check_complete(self, actions: int) -> None:
        """TypeError, with file and line, unless every action from 0 to ``actions - 1`` has its text."""
        cards = range(self.cards, self.cards + 52) if self.cards is not None else range(0)
        without_text = [action for action in range(actions) if action not in self.words and action not in cards]
        if without_text:
            raise TypeError(f"action {without_text[0]} has no text in the Acts of {self.place}")

    def text(self, view: View | None, action: int) -> str:
        """An action as people type it."""
        return self.words[action] if action in self.words else code(action - (self.cards or 0))

    def label(self, view: View | None, action: int) -> str:
        """An action as a choice in a list: cards with their symbols."""
        return self.words[action] if action in self.words else symbol(action - (self.cards or 0))

    def parse_action(self, view: View | None, words: str) -> int:
        """The action that a text means; NotationError if it means none."""
        word = " ".join(words.lower().split())
        if word in self.numbers:
            return self.numbers[word]
        if self.cards is None:
            raise NotationError(f"{short_repr(words)} isn't an action here: say {listed(list(self.numbers))}.")
        cards = parse_hand(words)
        if len(cards) != 1 or cards[0] >= 52:
            word_hint = f", or say {' or '.join(map(repr, self.numbers))}" if self.numbers else ""
            raise NotationError(f"Name one card, such as '7H'{word_hint}.")
        return self.cards + cards[0]
