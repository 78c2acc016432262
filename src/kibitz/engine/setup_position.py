"""Sets up a position from what a person types: ``kibitz best eights '5H 8C' --top 5S``.

    fact        something that the seat to move knows, typed after its name: the pile to beat, whose crib it is; only
                the ``hand`` needs no name
    FACTS       in a game's words: each fact with its meaning
    EXAMPLE     the arguments of an example command, or several if none fits all variants of the game
    position    ``position(s, facts)``: turns the blank state ``s`` into a position that fits the facts

The facts of an impossible position are refused in a sentence: a card that appears twice, a move that wasn't allowed.
Hidden cards can be anywhere that fits, since only the view of the seat to move is used.  What that seat knows but
didn't type is drawn by ``facts.random``.  In a game without FACTS, positions come from records only.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType

from kibitz.cards import Card, code, parse_hand, short_repr, symbol
from kibitz.engine import registry
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.views.assignment_interface import package_of
from kibitz.engine.views.events import View, encoded
from kibitz.errors import NotationError, RuleError

HAND = "hand"
DRAWS = 8
"""How many positions are drawn; in each, what the seat has seen but didn't type is random."""
MAX_NUMBER = 10**9
"""The largest number that a fact may have."""


def module_of(game: Game) -> ModuleType | None:
    """The module of a game that has FACTS; None if the game can't set up positions."""
    words, view = (f"{package_of(game.rules)}.{part}" for part in ("words", "view"))
    module = import_module(words if find_spec(words) else view)
    return module if hasattr(module, "FACTS") else None


def views_from_facts(game: Game, texts: Mapping[str, str], seed: int = 0) -> list[View]:
    """Possible views of the seat to move, given its facts: one, or several if the facts leave something open.

    Raises NotationError or RuleError if no game can reach the position.
    """
    views: dict[bytes, View] = {}
    for number in range(DRAWS):
        state = position_from_facts(game, texts, Random(seed * DRAWS + number))
        view = game.view(state, state.player)
        views.setdefault(encoded(view), view)
    return list(views.values())


def position_from_facts(game: Game, texts: Mapping[str, str], random: Random) -> PlainState:
    """A position that fits some facts about what the seat to move knows."""
    module = module_of(game)
    if module is None:
        raise no_facts_error(game)
    check_facts(game, module, texts)
    state = game.blank()
    module.position(state, Facts(game, texts, random))
    return state


def example_command(game: Game) -> str:
    """A command that asks about a position of this game, or of another variant if no example fits this one."""
    module = module_of(game)
    if module is None:
        raise no_facts_error(game)
    examples = [module.EXAMPLE] if isinstance(module.EXAMPLE, str) else module.EXAMPLE
    variants = registry.variants(registry.package_of(game.name.partition(":")[0]))
    candidates = [game, *sorted(variants, key=lambda variant: variant.title != game.title)]
    return next(
        f"kibitz best {registry.command_name(variant.name)} {example}"
        for variant in candidates
        for example in examples
        if is_position_of(variant, example)
    )


def facts_of_example(example: str) -> dict[str, str]:
    """The facts in the text of an example, by name."""
    hand, *words = shlex.split(example)
    return {HAND: hand, **{name.removeprefix("--"): text for name, text in zip(words[::2], words[1::2], strict=True)}}


def is_position_of(game: Game, example: str) -> bool:
    """Whether an example is a possible position of a game."""
    try:
        position_from_facts(game, facts_of_example(example), Random(0))
    except (NotationError, RuleError):
        return False
    return True


def no_facts_error(game: Game) -> NotationError:
    """The error for a game that cannot set up positions."""
    return NotationError(
        f"positions of {game.name} can't be typed in: use a record, as in 'kibitz best game.game --step 12'."
    )


def check_facts(game: Game, module: ModuleType, names: Iterable[str]) -> None:
    """Raise NotationError for facts that the game doesn't know, listing those that it does."""
    for name in names:
        if name not in module.FACTS:
            close_matches = difflib.get_close_matches(name, module.FACTS, 1)
            known_facts = ", ".join(f"--{fact}" for fact in module.FACTS if fact != HAND)
            hint = f"did you mean '--{close_matches[0]}'?" if close_matches else f"known facts: {known_facts}."
            raise NotationError(f"{game.name} has no fact --{name}; {hint}")


class Facts:
    """The facts about a position, as texts by name.

    The methods read them. They raise NotationError, with the name of the fact, for a text of the wrong form, and for a
    card that the facts name more often than the game has it.
    """

    def __init__(self, game: Game, texts: Mapping[str, str], random: Random) -> None:
        self.game, self.texts, self.random = game, texts, random
        self.places: dict[Card, list[str]] = {}
        """The cards that have been read, each with the names of its facts."""

    def __contains__(self, name: str) -> bool:
        return name in self.texts

    def text(self, name: str, default: str = "") -> str:
        """The text of a fact as it was typed."""
        return self.texts.get(name, default)

    def hand(self, packs: int = 1) -> list[Card]:
        """The cards of the hand: at least one."""
        if not (cards := self.cards(HAND, packs)):
            raise NotationError(f"give the cards of your hand, as in '{example_command(self.game)}'.")
        return cards

    def card(self, name: str) -> Card:
        """The card of a fact that must be one card."""
        cards = self.cards(name)
        if len(cards) != 1:
            raise NotationError(f"--{name} must be one card.")
        return cards[0]

    def cards(self, name: str, packs: int = 1) -> list[Card]:
        """The cards of a fact; none if it is missing."""
        return self.add(name, self.parse(name, self.text(name), packs), packs)

    def rows(self, name: str, packs: int = 1) -> list[list[Card]]:
        """The comma-separated rows of cards of a fact."""
        return [self.add(name, self.parse(name, part, packs), packs) for part in self.parts(name)]

    def parse(self, name: str, text: str, packs: int = 1) -> list[Card]:
        """The cards of a text, without checking whether other facts name them too."""
        try:
            cards = parse_hand(text, packs=packs)
        except NotationError as error:
            raise NotationError(f"{fact_name(name)}: {error}") from None
        pack = self.game.options.get("pack", -1)
        for card in cards:
            if not pack >> card & 1:
                raise NotationError(f"{fact_name(name)}: {code(card)} is not among the cards of {self.game.name}.")
        return cards

    def add(self, name: str, cards: list[Card], packs: int = 1) -> list[Card]:
        """Note that a fact names these cards, and return them.

        Raises NotationError for more copies than there are packs.
        """
        for card in cards:
            fact_names = self.places.setdefault(card, [])
            fact_names.append(fact_name(name))
            if len(fact_names) > packs:
                times = "once" if packs == 1 else f"{packs} times"
                raise NotationError(
                    f"{symbol(card)} appears {len(fact_names)} times, in {' and '.join(fact_names)},"
                    f" but {self.game.name} has it {times}."
                )
        return cards

    def parts(self, name: str, separators: str = ",;") -> list[str]:
        """The comma-separated parts of a fact, stripped; none if it is missing."""
        text = self.text(name).strip()
        for separator in separators[1:]:
            text = text.replace(separator, separators[0])
        return [part.strip() for part in text.split(separators[0])] if text else []

    def number(self, name: str, low: int, high: int = MAX_NUMBER, default: int | None = None) -> int:
        """The number of a fact; if it is missing, ``default``, or ``low`` by default."""
        if name in self:
            return number_in(self.text(name).strip(), name, low, high)
        return low if default is None else default

    def choice(self, name: str, words: Sequence[str], default: int | None = None) -> int:
        """The index of a fact's text in ``words``, by default ``default``. Raises NotationError if there is neither."""
        if name not in self and default is not None:
            return default
        word = self.text(name).strip().lower()
        if word not in words:
            instead = f"not {short_repr(self.text(name))}" if name in self else "and it is missing"
            raise NotationError(f"--{name} must be {' or '.join(words)}, {instead}.")
        return words.index(word)

    def counts(self, default: int, low: int = 1, high: int | None = None) -> list[int]:
        """How many cards each other seat holds, in order after the seat to move; ``default`` each if not typed."""
        other_seats, parts = self.game.seats - 1, self.text("counts").replace(",", " ").split()
        if not parts:
            return [default] * other_seats
        if len(parts) != other_seats:
            raise NotationError(
                f"--counts needs a number for each of the {other_seats} other players, not {len(parts)}."
            )
        return [number_in(part, "counts", low, len(self.rest) if high is None else high) for part in parts]

    @cached_property
    def rest(self) -> list[Card]:
        """The cards of the pack that no fact has named so far, in random order."""
        pack = self.game.options["pack"]
        cards = [card for card in range(pack.bit_length()) if pack >> card & 1 and card not in self.places]
        self.random.shuffle(cards)
        return cards

    def deal(self, number: int) -> list[Card]:
        """Take ``number`` of the cards that no fact has named. Raises NotationError if there are too few."""
        if number > len(self.rest):
            raise NotationError(
                f"there are only {len(self.rest)} cards left for {number} hidden ones: you gave too many."
            )
        return [self.rest.pop() for _ in range(number)]


def fact_name(name: str) -> str:
    """The name of a fact in an error message."""
    return "the hand" if name == HAND else f"--{name}"


def number_in(text: str, name: str, low: int, high: int = MAX_NUMBER) -> int:
    """A whole number of a fact. Raises NotationError unless it is from ``low`` to ``high``."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and low <= int(text) <= high):
        raise NotationError(f"{fact_name(name)} needs a whole number from {low} to {high}, not {short_repr(text)}.")
    return int(text)
