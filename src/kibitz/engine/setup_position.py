"""Positions that people type in: facts that a seat knows, turned into a position of the game.

    fact        something about the position, given by name as text: the pile to beat, whose crib it is; ``hand`` needs
                no name
    module      a game's words: ``FACTS``, each fact with its meaning; ``EXAMPLE``, the text of a question;
                ``position(game, told, random)``, a position that fits the facts, and the seat that asks
    told        the facts by name, as typed; facts that weren't given are missing

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
"""So often is drawn what a seat has seen and does not tell."""
NUMBER = 10**9
"""No number that is told is greater."""


def module_of(game: Game) -> ModuleType | None:
    """The module of a game that makes positions of what is told; None where it has none."""
    words, view = (f"{package_of(game.rules)}.{part}" for part in ("words", "view"))
    module = import_module(words if find_spec(words) else view)
    return module if hasattr(module, "FACTS") else None


def views_told(game: Game, told: Facts, seed: int = 0) -> list[View]:
    """What the seat that asks can know, by what it tells: one view, or some where it does not tell all it has seen.

    NotationError or RuleError where no game can come to what is told.
    """
    module = module_of(game)
    if module is None:
        raise no_module(game)
    check_facts(game, module, told)
    found: dict[bytes, View] = {}
    for number in range(DRAWS):
        state: PlainState = module.position(game, told, Random(seed * DRAWS + number))
        view = game.view(state, state.player)
        found.setdefault(encoded(view), view)
    return list(found.values())


def no_module(game: Game) -> NotationError:
    """The refusal where a game makes no positions of what is told."""
    return NotationError(
        f"positions of {game.name} can't be typed in: use a record, as in 'kibitz best game.game --step 12'."
    )


def check_facts(game: Game, module: ModuleType, told: Facts) -> None:
    """NotationError for a fact that a game does not know, with those that it does."""
    for name in told:
        if name not in module.FACTS:
            near = difflib.get_close_matches(name, module.FACTS, 1)
            there_are = ", ".join(f"--{fact}" for fact in module.FACTS if fact != HAND)
            meant = f"did you mean '--{near[0]}'?" if near else f"there are: {there_are}."
            raise NotationError(f"{game.name} has no fact --{name}; {meant}")


def fact_name(name: str) -> str:
    """A fact as it is called in a refusal."""
    return "the hand" if name == HAND else f"--{name}"


def cards_told(game: Game, told: Facts, name: str, packs: int = 1) -> list[Card]:
    """The cards of a fact, none where it is not told."""
    return cards_in(game, told.get(name, ""), name, packs)


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


def parts_told(told: Facts, name: str, separators: str = ",;") -> list[str]:
    """The parts of a fact between commas, without blanks; none where it is not told."""
    text = told.get(name, "").strip()
    for separator in separators[1:]:
        text = text.replace(separator, separators[0])
    return [part.strip() for part in text.split(separators[0])] if text else []


def number_in(text: str, name: str, low: int, high: int = NUMBER) -> int:
    """A whole number of a fact; NotationError unless it is from ``low`` to ``high``."""
    if not (text.isascii() and text.isdigit() and len(text) < 12 and low <= int(text) <= high):
        raise NotationError(f"{fact_name(name)} needs a whole number from {low} to {high}, not {shown(text)}.")
    return int(text)


def number_told(told: Facts, name: str, low: int, high: int, usual: int) -> int:
    """The number that a fact tells, the usual one where it is not told."""
    return number_in(told[name].strip(), name, low, high) if name in told else usual


def choice_told(told: Facts, name: str, words: Mapping[str, int], usual: str = "") -> int:
    """What one of some words means; NotationError for any other, and where nothing is told and nothing is usual."""
    said = told.get(name, usual).strip().lower()
    if said not in words:
        there = f"not {shown(told[name])}" if name in told else "and nothing says so"
        raise NotationError(f"--{name} must be {' or '.join(words)}, {there}.")
    return words[said]


def counts_told(told: Facts, others: int, most: int, usual: int) -> list[int]:
    """How many cards the others hold, the one after the seat that asks first."""
    parts = told.get("counts", "").replace(",", " ").split()
    if not parts:
        return [usual] * others
    if len(parts) != others:
        raise NotationError(f"--counts needs a number for each of the {others} other players, not {len(parts)}.")
    return [number_in(part, "counts", 0, most) for part in parts]


def check_no_duplicates(game: Game, named: Iterable[tuple[str, Iterable[Card]]], packs: int = 1) -> None:
    """NotationError for a card that different facts tell more often than it is there."""
    places: dict[Card, list[str]] = {}
    for name, cards in named:
        for card in cards:
            places.setdefault(card, []).append(fact_name(name))
    for card, where in places.items():
        if len(where) > packs:
            there = "once" if packs == 1 else f"{packs} times"
            raise NotationError(
                f"{symbol(card)} is told {len(where)} times, {' and '.join(where)}, and {game.name} has it {there}."
            )


def dealt(rest: list[Card], number: int) -> Iterator[Card]:
    """The next cards of those that are left, which are taken away; NotationError where there are too few."""
    if number > len(rest):
        raise NotationError(f"there are only {len(rest)} cards left for {number} hidden ones: you gave too many.")
    for _ in range(number):
        yield rest.pop()


def shuffled(pack: int, known: Iterable[Card], random: Random) -> list[Card]:
    """The cards of a pack that are not known, in random order."""
    there = set(known)
    rest = [card for card in range(pack.bit_length()) if pack >> card & 1 and card not in there]
    random.shuffle(rest)
    return rest
