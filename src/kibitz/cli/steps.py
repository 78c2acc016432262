"""One decision in line mode, in steps: which card, then where to; few actions are listed whole.

choice      what one number means: an action, or parts to be taken next; they are numbered from 1
phrase      parts as one reads them: ``K♠ K♥``, ``9♦ on your discard pile 2 to build pile 1``
whole       all actions are listed at once, because there are few or the person wants to see all
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kibitz.cards import code, parse, parse_hand, symbol
from kibitz.engine.events import View
from kibitz.engine.game import Game
from kibitz.engine.scene.picking import Picking
from kibitz.engine.scene.text import contents
from kibitz.engine.scene.things import NOTE, Part, within
from kibitz.errors import NotationError

FEW = 9
"""So many actions are listed whole."""


class Choice(NamedTuple):
    """What a number means: an ``action``, or else the part with this ``key``."""

    label: str
    action: int | None
    key: str = ""


def phrased(game: Game, view: View, action: int, names: Sequence[str]) -> str:
    """An action as one reads it."""
    return Steps(game, view, [action], [action], names).phrase_of(action)


class Steps:
    """The steps of one decision; ``offered`` are those of the legal actions that are worth numbering."""

    def __init__(
        self, game: Game, view: View, legal: Sequence[int], offered: Sequence[int], names: Sequence[str]
    ) -> None:
        self.game, self.view, self.legal, self.names = game, view, legal, names
        self.picking = Picking(game, view, offered, names)
        self.taken: list[str] = []
        self.whole = False
        self.zones = {zone.key: zone for zone in self.picking.scene.zones}
        self.settle()
        self.homes = {spot.key: zone for zone in self.picking.scene.zones for spot in zone.spots}

    def see_all(self) -> None:
        """List every legal action from now on, those that lead nowhere too."""
        self.picking = Picking(self.game, self.view, self.legal, self.names)
        self.taken.clear()
        self.settle()
        self.whole = True

    def settle(self) -> None:
        """Take again what the person has taken, and all that goes without saying with it."""
        self.picking.chosen = ()
        for key in (None, *self.taken):
            if key is not None:
                self.picking.take(key)
            if len(self.picking.candidates) > 1:
                for part in self.picking.forced:
                    self.picking.take(part.key)

    @property
    def choices(self) -> list[Choice]:
        """What can be chosen now, in the order of their numbers.

        Where there are too many actions for a list it is what comes next in any of them; of cards that go together any
        can be the first.
        """
        candidates = self.picking.candidates
        if self.whole or len(candidates) <= FEW:
            return [self.action_choice(action) for action in candidates]
        done = self.picking.complete
        found = [] if done is None else [self.action_choice(done)]
        after = [next(iter(self.left(action)), None) for action in candidates]
        wanted = {part.key for part in after if part is not None}
        cards = any(part.kind == "card" for part in after if part is not None)
        parts = [part for part in self.picking.choices if part.key in wanted or (cards and part.kind == "card")]
        return found + [self.part_choice(part) for part in parts]

    def left(self, action: int) -> list[Part]:
        """The parts of an action that are still to be taken, in the natural order."""
        return [part for part in self.picking.parts[action] if part.key not in self.picking.chosen]

    def action_choice(self, action: int) -> Choice:
        """An action as a choice: what is left of it, or that this is all."""
        parts = self.picking.parts[action]
        left = self.left(action) if self.taken else parts
        said = self.phrase(left, alone=len(left) == 1) if left else f"that is all: {self.phrase(parts)}"
        note = NOTE.search(self.game.words.label(self.view, action))
        return Choice(f"{said}  ({note[1]})" if note else said, action)

    def part_choice(self, part: Part) -> Choice:
        """A part as a choice."""
        said = self.phrase([part], alone=True)
        return Choice(f"{said}  ({part.note})" if part.note else said, None, part.key)

    def phrase(self, parts: Iterable[Part], *, alone: bool = False) -> str:
        """Parts as one reads them; a place that stands ``alone`` is told with what lies there."""
        said = []
        for part in parts:
            home = self.homes.get(part.key)
            if part.kind == "card" and home is not None:
                own = home.seat == self.view.seat and home.form != "pile"
                said.append(symbol(parse(self.picking.scene.spots[part.key].card)) if own else part.label)
            elif part.kind == "place":
                zone = self.zones[part.key]
                full = f"{part.label}: {contents(zone)}" if zone.spots else part.label
                said.append(full if alone else f"to {within(part.label)}")
            else:
                said.append(part.label)
        return " ".join(said)

    def phrase_of(self, action: int) -> str:
        """A whole action as one reads it."""
        return self.phrase(self.picking.parts[action])

    @property
    def question(self) -> str:
        """What is asked at this step."""
        if not self.taken:
            return str(self.game.words.prompt(self.view))
        held = {part.key: part for action in self.picking.candidates for part in self.picking.parts[action]}
        kinds = {part.kind for part in self.picking.choices}
        ask = "where to?" if kinds == {"place"} else "how much?" if kinds == {"amount"} else "and what else?"
        return f"{self.phrase([held[key] for key in self.picking.chosen if key in held])}: {ask}"

    @property
    def span(self) -> tuple[int, int] | None:
        """The least and the most of the amounts that can be taken now; None where none can."""
        spans = [(part.least, part.most) for part in self.picking.choices if part.kind == "amount" and part.most]
        return spans[0] if spans else None

    @property
    def amount(self) -> str:
        """The least of the amounts that can be taken now, as it is typed."""
        return self.game.text(self.view, self.game.amounts + self.span[0]) if self.span else ""

    def take(self, key: str) -> int | None:
        """Take a part, and what goes without saying with it; the action, if that makes one and nothing can follow."""
        self.taken.append(key)
        self.settle()
        candidates = self.picking.candidates
        return candidates[0] if len(candidates) == 1 else None

    def back(self) -> bool:
        """Put back what was taken last; whether there was anything."""
        if not self.taken:
            return False
        self.taken.pop()
        self.settle()
        return True

    def card_meant(self, typed: str) -> str | None:
        """The key of the part that typed cards are, if one of the choices is a card that looks so; else None."""
        try:
            codes = [code(card) for card in parse_hand(typed)]
        except NotationError:
            return None
        spots = self.picking.scene.spots
        keys = [part.key for part in self.picking.choices if part.kind == "card" and [spots[part.key].card] == codes]
        return keys[0] if keys else None

    @property
    def so_far(self) -> str:
        """The cards that have been taken, as they are typed."""
        spots = self.picking.scene.spots
        return " ".join(spots[key].card for key in self.picking.chosen if key in spots)
