"""States that one seat can't tell apart, for the checks of a game's views.

A game defines them by hand, from the rules, independently of its view declarations and of ``resample``.  If a view
shows a hidden card by mistake, it differs between these states, and the check fails.

    hidden              ``hidden(s, seat)`` in ``rules.py``: the places whose cards the seat doesn't see, where each of
                        these cards can lie in each of these places
    determinizations    ``determinizations(s, seat, random)`` in ``contract.py``, for a game where play has revealed
                        more: an endless series of states
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from types import ModuleType

from kibitz.cards import cards_of
from kibitz.engine.layout import CHANCE, Layout, PlainState
from kibitz.engine.views.events import Event

Place = tuple[str, int | None]
"""A place for cards: a field that is a set, or an entry of an array of sets."""
MAX_TRIES = 20
"""How many exchanges are tried until one gives a possible position."""


def position_key(s: PlainState) -> tuple[object, ...]:
    """All fields except scratch and the generator's: the default ``key``, for games without meaningless details."""
    values = (getattr(s, name) for name in key_fields(s.layout))
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def key_fields(layout: Layout) -> list[str]:
    """The names of the fields except scratch and the generator's."""
    generator = {field.name for field in CHANCE}
    return [name for name in layout.position_fields if name not in generator]


def views_forget_nothing(events: Sequence[Event]) -> bool:
    """False: by default, views contain everything that events revealed."""
    return False


def always_possible(s: PlainState) -> bool:
    """True: by default, every position is possible."""
    return True


@dataclass(frozen=True)
class InfosetStates:
    """The functions that find states in one information set.

    determinizations    ``determinizations(state, seat, random)``: an endless series of states that the seat can't tell
                        apart from ``state``
    key                 ``key(state)``: the position without meaningless details, such as the order of the draw pile
    views_forget        ``views_forget(events)``: whether a view shows less than these events revealed to the seat
    """

    determinizations: Callable[[PlainState, int, Random], Iterator[PlainState]]
    key: Callable[[PlainState], tuple[object, ...]] = position_key
    views_forget: Callable[[Sequence[Event]], bool] = views_forget_nothing

    @classmethod
    def of(cls, contract: ModuleType | None, rules: ModuleType) -> InfosetStates:
        """The functions of ``contract``, or defaults.

        Raises TypeError, with the file, if a game has no ``hidden`` either.
        """
        functions = {name: getattr(contract, name) for name in cls.__annotations__ if hasattr(contract, name)}
        if "determinizations" not in functions:
            if not hasattr(rules, "hidden"):
                raise TypeError(f"{rules.__file__} has no hidden(s, seat): see kibitz.engine.infoset_states.")
            functions["determinizations"] = partial(hidden_card_exchanges, rules.hidden)
        return cls(**functions)


def hidden_card_exchanges(
    hidden: Callable[[PlainState, int], Sequence[Place]], s: PlainState, seat: int, random: Random
) -> Iterator[PlainState]:
    """An endless series of positions in which hidden cards change places, two at a time."""
    return card_exchanges(s, random, hidden(s, seat))


def card_exchanges(
    s: PlainState, random: Random, places: Sequence[Place], fits: Callable[[PlainState], bool] = always_possible
) -> Iterator[PlainState]:
    """An endless series of positions, each made from the last by exchanging two cards, if the result ``fits``."""
    state = s.copy()
    while True:
        cards = [(card, place) for place in places for card in cards_of(cards_at(state, place))]
        for _ in range(MAX_TRIES if len({place for _, place in cards}) > 1 else 0):
            (first_card, first_place), (second_card, second_place) = random.sample(cards, 2)
            candidate = state.copy()
            for place, removed, added in (
                (first_place, first_card, second_card),
                (second_place, second_card, first_card),
            ):
                if first_place != second_place:
                    set_cards_at(candidate, place, cards_at(candidate, place) & ~(1 << removed) | 1 << added)
            if first_place != second_place and fits(candidate):
                state = candidate
                break
        yield state.copy()


def cards_at(s: PlainState, place: Place) -> int:
    """The cards at a place, as a set."""
    name, i = place
    result: int = getattr(s, name) if i is None else getattr(s, name)[i]
    return result


def set_cards_at(s: PlainState, place: Place, cards: int) -> None:
    """Put a set of cards at a place."""
    name, i = place
    if i is None:
        setattr(s, name, cards)
    else:
        getattr(s, name)[i] = cards
