"""What a game says to people: the functions of its ``words.py``, with defaults for some.

    text                ``text(view, action)``: an action as people type it
    parse_action        ``parse_action(view, words)``: the action that a text means, else NotationError
    label               ``label(view, action)``: an action as a choice in a list
    action_verb         ``action_verb(view, action)``: the verb for an action whose label has only cards, such as
                        ``discard``; default: ``play``
    explain             ``explain(view, action)``: a sentence on what an action is good for, ``It keeps a pair of 5s.``,
                        true for every reader; default: empty
    prompt              ``prompt(view)``: the question to the seat to move
    describe            ``describe(event, seat, names)``: one sentence that tells a seat what happened; default:
                        ``kibitz.engine.views.common_events.describe``, which knows only that module's events.
                        Records contain these sentences: if one changes, older records no longer verify, so raise
                        ``VERSION``
    HELP                what else can be typed: pairs of input and meaning
    main_actions        ``main_actions(view, legal)``: the actions worth numbering in a list; default: all
    ordered             ``ordered(view, legal)``: the actions in the order in which people see them; default: as given
    GIVE_UP_BUTTONS     buttons that give something up, such as ``fold``: the cursor never starts on them
    SCORE_LABEL         what scores count: ``Chips won or lost``; default: ``Points``
    SCORES_ARE_LOSSES   whether scores are 0 or below, and people see them without the minus sign; default: False
    objection           ``objection(options)``: why options can't be combined; None, the default, if they can

A game whose actions are single cards or fixed words declares them as ``ACTION_TEXTS`` (``ActionTexts``) instead of
defining text, label and parse_action.  ``Words.OPTIONS`` are the options of the rules that have a question.
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

__all__ = ["CARDS", "COMMANDS", "ActionTexts", "Names", "Words"]

CARDS = "a card"
"""In ``ActionTexts``, stands for the 52 cards, which are the actions from this number on."""
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
    """An empty text: ``Words.verb`` decides."""
    return ""


def no_objection(options: Mapping[str, int]) -> str | None:
    """None: all options can be combined."""
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
    GIVE_UP_BUTTONS: Sequence[str] = ()
    SCORE_LABEL: str = "Points"
    SCORES_ARE_LOSSES: bool = False
    main_actions: Callable[[Any, list[int]], list[int]] = all_actions
    ordered: Callable[[Any, list[int]], list[int]] = all_actions
    objection: Callable[[Mapping[str, int]], str | None] = no_objection

    @classmethod
    def of(cls, module: ModuleType, rules: ModuleType) -> Words:
        """The words that a module declares, and those options of the rules that have a question.

        Raises TypeError, with the file, if required words are missing, or ``ACTION_TEXTS`` leaves out an action of the
        rules.
        """
        texts = getattr(module, "ACTION_TEXTS", None)
        if isinstance(texts, ActionTexts):
            texts.check_complete(int(rules.ACTIONS))
        for field in fields(cls):
            if field.default is MISSING and not hasattr(module, field.name) and not hasattr(texts, field.name):
                raise TypeError(f"{module.__file__} has no {field.name}: see kibitz.engine.words.")
        values = {field.name: getattr(module, field.name, getattr(texts, field.name, None)) for field in fields(cls)}
        values["OPTIONS"] = [option for option in rules.OPTIONS if option.ask]
        return cls(**{name: value for name, value in values.items() if value is not None})

    @property
    def unit(self) -> str:
        """The unit of scores: ``chips``, ``games`` or ``points``."""
        first = self.SCORE_LABEL.split()[0].lower()
        return first if first in ("chips", "games") else "points"

    def short_label(self, view: View, action: int) -> str:
        """The label of an action on one line, without the note in brackets that may follow two spaces."""
        return " ".join(self.label(view, action).partition("  (")[0].split())

    def typed_text(self, view: View, action: int) -> str:
        """An action's text with tens written as they look on the table: ``10S``, where ``text`` has ``0S``."""
        return TEN_AS_ZERO.sub("10", self.text(view, action))

    def advice(self, view: View, action: int) -> str:
        """An action as advice, on one line: ``discard 2♣ 10♣``, ``fold``."""
        return f"{self.verb(view, action)} {self.short_label(view, action)}".lstrip()

    def verb(self, view: View, action: int) -> str:
        """The verb for an action whose label has only cards: ``discard``, ``play``; otherwise an empty text."""
        return self.action_verb(view, action) or ("play" if BEGINS_WITH_A_CARD.match(self.label(view, action)) else "")


class ActionTexts:
    """The texts of actions, declared by the number of the first: 52 cards (``CARDS``), one word, or several words.

    >>> texts = ActionTexts({0: CARDS, 52: "pass", 53: ("diamonds", "clubs")})
    >>> texts.text(None, 7), texts.text(None, 52), texts.parse_action(None, "Clubs"), texts.parse_action(None, "2S")
    ('2S', 'pass', 54, 7)
    """

    def __init__(self, declared: Mapping[int, str | tuple[str, ...]]) -> None:
        self.words: dict[int, str] = {}
        caller = sys._getframe(1)
        self.location = f"{caller.f_code.co_filename}, line {caller.f_lineno}"
        self.first_card = next((first for first, texts in declared.items() if texts == CARDS), None)
        for first, texts in declared.items():
            if texts != CARDS:
                words = (texts,) if isinstance(texts, str) else texts
                self.words.update({first + i: word for i, word in enumerate(words)})
        self.actions = {word: action for action, word in self.words.items()}

    def check_complete(self, actions: int) -> None:
        """Raise TypeError, with file and line, unless every action from 0 to ``actions - 1`` has its text."""
        cards = range(self.first_card, self.first_card + 52) if self.first_card is not None else range(0)
        without_text = [action for action in range(actions) if action not in self.words and action not in cards]
        if without_text:
            raise TypeError(f"action {without_text[0]} has no text in the ActionTexts of {self.location}")

    def text(self, view: View | None, action: int) -> str:
        """An action as people type it."""
        return self.words[action] if action in self.words else code(action - (self.first_card or 0))

    def label(self, view: View | None, action: int) -> str:
        """An action as a choice in a list: cards with their symbols."""
        return self.words[action] if action in self.words else symbol(action - (self.first_card or 0))

    def parse_action(self, view: View | None, words: str) -> int:
        """The action that a text means. Raises NotationError if it means none."""
        word = " ".join(words.lower().split())
        if word in self.actions:
            return self.actions[word]
        if self.first_card is None:
            raise NotationError(f"{short_repr(words)} isn't an action here: say {listed(list(self.actions))}.")
        cards = parse_hand(words)
        if len(cards) != 1 or cards[0] >= 52:
            word_hint = f", or say {' or '.join(map(repr, self.actions))}" if self.actions else ""
            raise NotationError(f"Name one card, such as '7H'{word_hint}.")
        return self.first_card + cards[0]
