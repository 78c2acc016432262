"""Positions that people type in: facts that a seat knows, turned into a position of the game.

    fact        something about the position, given by name as text: the pile to beat, whose crib it is; ``hand`` needs
                no name
    module      a game's words: ``FACTS``, each fact with its meaning; ``EXAMPLE``, the text of a question;
                ``position(game, facts, random)``, a position that fits the facts, and the seat that asks
    facts       the facts by name, as typed; facts that weren't given are missing

A position is refused as the rules would refuse it, in a sentence: a card that is there twice, a move that wasn't
allowed.  Hidden cards lie anywhere that fits, since only the view of the seat to move is used.  What that seat knows
but didn't type is drawn by ``random``.  A game without FACTS can only be asked about by its records.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType

from kibitz.cards import Card, code, parse_hand, shown, symbol
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import View, encoded
from kibitz.engine.views.form import package_of
from kibitz.errors import NotationError

Facts = Mapping[str, str]
HAND = "hand"
DRAWS = 8
"""How many times the part of what a seat has seen that isn't stated is drawn."""
NUMBER = 10**9
"""The largest number that a fact may have."""


def module_of(game: Game) -> ModuleType | None:
    """The module of a game that sets up positions; None if it has none."""
    words, view = (f"{package_of(game.rules)}.{part}" for part in ("words", "view"))
    module = import_module(words if find_spec(words) else view)
    return module if hasattr(module, "FACTS") else None


def views_from_facts(game: Game, facts: Facts, seed: int = 0) -> list[View]:
    """The possible views of the seat that asks, given its facts: one, or several if the facts leave something open.

    NotationError or RuleError if no game can reach the position.
    """
    module = module_of(game)
    if module is None:
        raise no_module(game)
    check_facts(game, module, facts)
    views: dict[bytes, View] = {}
    for number in range(DRAWS):
        state: PlainState = module.position(game, facts, Random(seed * DRAWS + number))
        view = game.view(state, state.player)
        views.setdefault(encoded(view), view)
    return list(views.values())


def no_module(game: Game) -> NotationError:
    """The error for a game that cannot set up positions."""
    return NotationError(
        f"positions of {game.name} can't be typed in: use a record, as in 'kibitz best game.game --step 12'."
    )


def check_facts(game: Game, module: ModuleType, facts: Facts) -> None:
    """Raise NotationError for facts that the game doesn't know, listing those that it does."""
    for name in facts:
        if name not in module.FACTS:
            near = difflib.get_close_matches(name, module.FACTS, 1)
            there_are = ", ".join(f"--{fact}" for fact in module.FACTS if fact != HAND)
            meant = f"did you mean '--{near[0]}'?" if near else f"there are: {there_are}."
            raise NotationError(f"{game.name} has no fact --{name}; {meant}")


def fact_name(name: str) -> str:
    """The name of a fact in an error message."""
    return "the hand" if name == HAND else f"--{name}"


def read_cards(game: Game, facts: Facts, name: str, packs: int = 1) -> list[Card]:
    """The cards of a fact; none if it is missing."""
    return cards_in(game, facts.get(name, ""), name, packs)


def cards_in(game: Game, text: str, name: str, packs: int = 1) -> list[Card]:
    """The cards of a text; NotationError, with the name of its fact, unless they are of the game's pack."""
    try:
        cards = parse_hand(text, packs=packs)
    except NotationError as error:
        raise NotationError(f"{fact_name(name)}: {error}") from None
    pack = game.options.get("pack", -1)
    for card in cards:
        if not pack >> card & 1:
            raise NotationError(f"{fact_name(name)}: {code(card)} is not among the cards of {game.name}.")
    return cards


def read_parts(facts: Facts, name: str, separators: str = ",;") -> list[str]:
    """The comma-separated parts of a fact, stripped; none if it is missing."""
    text = facts.get(name, "").strip()
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    return [part.strip() for part in text.split(separators[0])] if text else []


def number_in(text: str, name: str, low: int, high: int = NUMBER) -> int:
    """A whole number of a fact; NotationError unless it is from ``low`` to ``high``."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and low <= int(text) <= high):
        raise NotationError(f"{fact_name(name)} needs a whole number from {low} to {high}, not {shown(text)}.")
    return int(text)


def read_number(facts: Facts, name: str, low: int, high: int, usual: int) -> int:
    """The number of a fact, or its default if it is missing."""
    return number_in(facts[name].strip(), name, low, high) if name in facts else usual


def read_choice(facts: Facts, name: str, words: Mapping[str, int], usual: str = "") -> int:
    """The value for one of some words; NotationError for any other, and for a missing fact without a default."""
    word = facts.get(name, usual).strip().lower()
    if word not in words:
        but = f"not {shown(facts[name])}" if name in facts else "and nothing says so"
        raise NotationError(f"--{name} must be {' or '.join(words)}, {but}.")
    return words[word]


def read_counts(facts: Facts, others: int, most: int, usual: int) -> list[int]:
    """How many cards the others hold, beginning with the seat after the one that asks."""
    parts = facts.get("counts", "").replace(",", " ").split()
    if not parts:
        return [usual] * others
    if len(parts) != others:
        raise NotationError(f"--counts needs a number for each of the {others} other players, not {len(parts)}.")
    return [number_in(part, "counts", 0, most) for part in parts]


def check_no_duplicates(game: Game, named: Iterable[tuple[str, Iterable[Card]]], packs: int = 1) -> None:
    """Raise NotationError for a card that different facts name more often than it exists."""
    places: dict[Card, list[str]] = {}
    for name, cards in named:
        for card in cards:
            places.setdefault(card, []).append(fact_name(name))
    for card, where in places.items():
        if len(where) > packs:
            times = "once" if packs == 1 else f"{packs} times"
            raise NotationError(
                f"{symbol(card)} appears {len(where)} times, in {' and '.join(where)}, but {game.name} has it {times}."
            )


def dealt(rest: list[Card], number: int) -> Iterator[Card]:
    """Take the next cards from those that are left; NotationError if there are too few."""
    if number > len(rest):
        raise NotationError(f"there are only {len(rest)} cards left for {number} hidden ones: you gave too many.")
    for _ in range(number):
        yield rest.pop()


def shuffled(pack: int, known: Iterable[Card], random: Random) -> list[Card]:
    """The unknown cards of a pack, in random order."""
    known_cards = set(known)
    rest = [card for card in range(pack.bit_length()) if pack >> card & 1 and card not in known_cards]
    random.shuffle(rest)
    return rest
