"""Actions composed part by part.

    chosen      the keys of the parts selected so far, in that order
    candidates  the legal actions that contain all the chosen parts
    offered     the parts that can be added: all other parts of the candidates
    complete    the candidate that has exactly the chosen parts; other candidates may have more
    identical   cards with the same face in one zone: selecting either gives the same action

Parts can be selected in any order, and nothing is decided before the caller carries out ``complete``.

>>> from kibitz.engine.registry import game
>>> go = game("go-mini")
>>> view = go.view(go.deal(1), 0)
>>> picking = Picking(go, view, [card for card in range(52) if go.why_not(go.deal(1), card) is None])
>>> [part.label for part in picking.offered]
['2♣ in your hand', '4♦ in your hand', '4♣ in your hand']
>>> picking.take("hand0:4D")
>>> go.text(view, picking.complete)
'4D'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kibitz.cards import short_repr
from kibitz.engine.scene.default_scene import action_naming_cards, default_parts
from kibitz.engine.scene.elements import NOTE, Part, Scene, title_in_sentence
from kibitz.engine.sentences import names_for
from kibitz.errors import NotationError, RuleError

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.engine.views.events import View

AMOUNT = re.compile(r"amount:(\d{1,12})")
NO_CHOICE = "{} doesn't go with your selection."
NO_GOAL = "That cannot go to {}."
NO_CHOICE_YET = "You can't do anything with {} now."
BUTTON = "Choose '{}' for that."


def parts_of(game: Game, view: View, action: int, scene: Scene) -> tuple[Part, ...]:
    """The parts of an action, with cards and places called as in the scene."""
    game_parts = game.scenes.parts
    parts = game_parts(view, action) if game_parts is not None else default_parts(game, view, action, scene)
    labels = scene.labels
    return tuple([part if part.label else replace(part, label=labels.get(part.key, part.key)) for part in parts])


class Picking:
    """An action that the seat to move is composing; ``legal`` are the actions that it can become."""

    def __init__(self, game: Game, view: View, legal: Sequence[int], names: Sequence[str] = ()) -> None:
        self.game, self.view = game, view
        self.names = names_for(view.seat, names or [f"Seat {p}" for p in range(game.seats)])
        self.scene = game.scene(view, self.names)
        self.parts: dict[int, tuple[Part, ...]] = {}
        self.keys: dict[int, frozenset[str]] = {}
        self.action_by_keys: dict[frozenset[str], int] = {}
        self.chosen: tuple[str, ...] = ()
        for action in legal:
            self.add(action)
        self.identical_cards = self.find_identical_cards()

    def add(self, action: int) -> None:
        """Add an action that this one can become, such as an amount that ``legal`` did not list."""
        if action not in self.parts:
            self.parts[action] = parts_of(self.game, self.view, action, self.scene)
            self.keys[action] = frozenset(part.key for part in self.parts[action])
            self.action_by_keys[self.keys[action]] = action

    def find_identical_cards(self) -> dict[str, str]:
        """By the key of a card that no action names, the key of an identical card in its zone that an action names."""
        named_keys = {key for keys in self.keys.values() for key in keys}
        result = {}
        for zone in self.scene.zones:
            key_by_card = {spot.card: spot.key for spot in reversed(zone.spots) if spot.key in named_keys}
            for spot in zone.spots:
                if spot.key not in named_keys and spot.card in key_by_card:
                    result[spot.key] = key_by_card[spot.card]
        return result

    @property
    def candidates(self) -> list[int]:
        """The actions that contain all that is chosen."""
        chosen = frozenset(self.chosen)
        return [action for action, keys in self.keys.items() if chosen <= keys]

    @property
    def complete(self) -> int | None:
        """The action whose parts are exactly the chosen ones; None if there is none."""
        return self.action_by_keys.get(frozenset(self.chosen))

    @property
    def forced(self) -> tuple[Part, ...]:
        """The missing parts that all candidates share."""
        candidates = self.candidates
        if not candidates:
            return ()
        shared = frozenset.intersection(*(self.keys[action] for action in candidates)) - {*self.chosen}
        return tuple(part for part in self.parts[candidates[0]] if part.key in shared)

    @property
    def choices(self) -> tuple[Part, ...]:
        """The parts that can be added, without identical cards, in the order of the actions.

        A part that completes an action has a note on that action's effect.
        """
        chosen = frozenset(self.chosen)
        parts: dict[str, Part] = {}
        for action in self.candidates:
            for part in self.parts[action]:
                if part.key not in chosen and part.key not in parts:
                    parts[part.key] = self.with_note(part, self.action_by_keys.get(chosen | {part.key}))
        return tuple(parts.values())

    def with_note(self, part: Part, action: int | None) -> Part:
        """A part with the note on the action that it completes, if it completes one."""
        note = NOTE.search(self.game.words.label(self.view, action)) if action is not None else None
        return replace(part, note=note[1]) if note else part

    @property
    def offered(self) -> tuple[Part, ...]:
        """The parts that can be added, including identical cards."""
        parts = {part.key: part for part in self.choices}
        spots = self.scene.spots
        duplicates = [
            replace(parts[first], key=key, label=spots[key].label)
            for key, first in self.identical_cards.items()
            if first in parts
        ]
        return (*parts.values(), *duplicates)

    def take(self, key: str) -> None:
        """Add a part. Raises RuleError with the reason if it is not offered."""
        key = self.identical_cards.get(key, key)
        if key in self.chosen:
            raise RuleError("You have already selected that.")
        self.admit_amount(key)
        if not any({key, *self.chosen} <= keys for keys in self.keys.values()):
            raise RuleError(self.why_not(key) or NO_CHOICE.format(key))
        self.chosen += (key,)

    def drop(self, key: str) -> None:
        """Remove a part; nothing happens if it is not chosen."""
        key = self.identical_cards.get(key, key)
        self.chosen = tuple(chosen for chosen in self.chosen if chosen != key)

    def admit_amount(self, key: str) -> None:
        """Add the action of an amount if it is legal, since ``legal`` lists only some amounts."""
        match = AMOUNT.fullmatch(key)
        action = self.game.first_amount + int(match[1]) if match else self.game.actions
        if action < self.game.actions and self.refusal_of(action) is None:
            self.add(action)

    def why_not(self, key: str) -> str | None:
        """The sentence that says why something on the table cannot be selected now; None if it can."""
        key = self.identical_cards.get(key, key)
        keys = frozenset((*self.chosen, key))
        if any(keys <= action_keys for action_keys in self.keys.values()):
            return None
        if AMOUNT.fullmatch(key):
            action: int | None = self.game.first_amount + int(key.partition(":")[2])
        elif key not in self.scene.labels:
            raise NotationError(f"There is nothing called {short_repr(key)} on the table.")
        else:
            find = self.game.scenes.action_from_keys
            action = find(self.view, keys) if find else action_naming_cards(self.game, self.view, keys, self.scene)
        if action is not None and (reason := self.refusal_of(action)):
            return reason
        if action is not None and not self.chosen and action in self.parts:
            label = self.parts[action][0].label
            return BUTTON.format(label[0].upper() + label[1:])
        label = self.scene.labels.get(key, key)
        if self.chosen and any(zone.key == key for zone in self.scene.zones):
            return NO_GOAL.format(title_in_sentence(label))
        return NO_CHOICE.format(label[0].upper() + label[1:]) if self.chosen else NO_CHOICE_YET.format(label)

    def refusal_of(self, action: int) -> str | None:
        """Why an action is illegal; None if it is legal. The answer reveals nothing that this seat can't know."""
        return self.game.why_not(self.game.imagine(self.view, 0), action)
