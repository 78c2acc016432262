"""An action that a person puts together on the screen, with a cursor, clicks and typed cards.

    targets     the places for the cursor: everything that can be taken now, and what has been taken
    typed       the letters of a card so far: ``k``, then ``h``; a digit alone takes the target of that number
    ready       the action that the next Enter plays

This module is independent of widgets: a screen calls it and shows the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.cards import parse
from kibitz.engine.game import Game
from kibitz.engine.scene import Part, Picking, Scene, Zone
from kibitz.engine.views.events import View
from kibitz.errors import KibitzError, NotationError, RuleError
from kibitz.tui.canvas import Canvas, Region
from kibitz.tui.panels import NO_NUMBER, Marks

RANKS = "a23456789tjq0k"
SUITS = "dchs"


class Selection:
    """An action being put together; ``said`` is the last refusal, in a sentence."""

    def __init__(self, game: Game, view: View, legal: Sequence[int], names: Sequence[str]) -> None:
        self.game, self.view, self.legal = game, view, list(legal)
        self.picking = Picking(game, view, legal, names)
        self.said = ""
        self.advised: frozenset[str] = frozenset()
        self.cursor: str | None = None
        self.offered: dict[str, Part] = {}
        """What can be taken, in the order of its numbers: the seat's own cards, the others' things, words."""
        self.settle()

    @property
    def scene(self) -> Scene:
        """What the person sees."""
        return self.picking.scene

    def comes_first(self, part: Part) -> bool:
        """Whether a thing is highlighted before anything is taken: places to put a card and amounts are not."""
        return part.kind in ("card", "button") or frozenset({part.key}) in self.picking.action_by_keys

    def laid_out(self) -> list[str]:
        """Everything on the table by key: the hand first, then the seat's other things, then the rest."""

        def place(zone: Zone) -> tuple[bool, bool]:
            mine = zone.seat == self.view.seat
            return not (mine and zone.form == "hand"), not mine

        zones = sorted(self.scene.zones, key=place)
        return [key for zone in zones for key in (*(spot.key for spot in zone.spots), zone.key)]

    @property
    def targets(self) -> list[str]:
        """The places for the cursor."""
        return [*self.offered, *self.picking.chosen]

    @property
    def buttons(self) -> list[Part]:
        """The parts that aren't on the table: words and amounts, including those already taken."""
        there = self.scene.labels
        taken = [self.part(key) for key in self.picking.chosen if key not in there]
        return [*taken, *(part for key, part in self.offered.items() if key not in there)]

    def part(self, key: str) -> Part:
        """A part of some candidate."""
        found = (part for action in self.picking.candidates for part in self.picking.parts[action])
        return next(part for part in found if part.key == key)

    @property
    def amount(self) -> Part | None:
        """The requested amount, with its least and most; None if there is none."""
        return next((part for part in self.offered.values() if part.kind == "amount"), None)

    @property
    def marks(self) -> Marks:
        """The states of all things, for drawing."""
        numbers = {key: number for number, key in enumerate(self.offered, 1)}
        numbers |= {key: NO_NUMBER for key, part in self.offered.items() if part.kind == "amount"}
        return Marks(numbers, frozenset(self.picking.chosen), self.cursor, self.advised)

    @property
    def ready(self) -> int | None:
        """The complete action, which Enter plays."""
        return self.picking.complete if self.picking.chosen else None

    @property
    def cue(self) -> str:
        """The thing at the cursor, in words."""
        key = self.cursor
        if key in self.picking.chosen:
            return f"{self.label(str(key))}: selected; Space or Esc deselects it"
        part = self.offered.get(str(key))
        if part is None:
            return ""
        if part.kind == "amount":
            return f"{part.label}, or type an amount from {part.least} to {part.most}"
        return f"{part.label}: {part.note}" if part.note else part.label

    def label(self, key: str) -> str:
        """A thing in words."""
        return self.scene.labels.get(key) or self.part(key).label

    # ---------------------------------------------------------------- moving

    def settle(self) -> None:
        """Update what can be taken, after what is taken has changed, and keep the cursor on some of it."""
        found = {part.key: part for part in self.picking.offered}
        if not self.picking.chosen:
            first = {key: part for key, part in found.items() if self.comes_first(part)}
            found = first or found
        ordered = [key for key in self.laid_out() if key in found]
        offered = self.offered = {key: found[key] for key in (*ordered, *(key for key in found if key not in ordered))}
        if self.cursor not in offered:
            last = self.picking.chosen[-1] if self.picking.chosen else None
            advised = (key for key in offered if key in self.advised)
            harmless = (key for key in offered if key not in self.game.words.GIVES_UP)
            self.cursor = next(advised, next(harmless, next(iter(offered), last)))

    def move(self, canvas: Canvas, x: int, y: int) -> None:
        """Move the cursor to the next target in a direction, on the screen or not: ``x`` along, ``y`` up or down."""
        targets = set(self.targets)
        places = {region.key: region for region in canvas.places if region.key in targets}
        if not places:
            return
        here = places.get(self.cursor or "")
        order = sorted(places.values(), key=lambda region: (region.y, region.x))
        if here is None:
            self.cursor = order[0].key
        elif x:
            self.cursor = order[(order.index(here) + x) % len(order)].key
        else:
            self.cursor = nearest(here, order, y).key
        self.said = ""

    # ---------------------------------------------------------------- taking

    def take(self, key: str) -> bool:
        """Take something, or put it back if it is taken; False, with a sentence, if it cannot be taken."""
        self.said = ""
        if key in self.picking.chosen:
            self.picking.drop(key)
            self.cursor = key
            self.settle()
            return True
        try:
            self.picking.take(key)
        except (RuleError, NotationError) as error:
            self.said = str(error)
            return False
        self.settle()
        return True

    def put_back(self) -> bool:
        """Put everything back; returns whether anything was taken."""
        taken = self.picking.chosen
        for key in taken:
            self.picking.drop(key)
        self.said, self.cursor = "", taken[0] if taken else self.cursor
        self.settle()
        return bool(taken)

    def enter(self) -> int | None:
        """Play the action if it is complete, else take the thing at the cursor; returns the action if there is one."""
        if self.ready is not None:
            return self.ready
        if self.cursor is None or self.cursor in self.picking.chosen:
            self.said = "Not complete yet: choose something marked."
            return None
        self.take(self.cursor)
        return self.ready if not self.said else None

    def point(self, key: str) -> int | None:
        """Take what was clicked; returns the action if it is complete and nothing could be added."""
        self.cursor = key if key in self.targets else self.cursor
        return self.ready if self.take(key) and not self.offered else None

    def number(self, number: int) -> int | None:
        """Take the target with a number, like a click; 0 is the tenth."""
        place = (number or 10) - 1
        if place >= len(self.offered):
            self.said = f"There are {len(self.offered)} to choose from, not {number}."
            return None
        return self.point(list(self.offered)[place])

    def shows_rank(self, rank: str) -> bool:
        """Whether the table shows a card of that rank, so that its letter may begin one."""
        return any(spot.card.lower().startswith(rank) for zone in self.scene.zones for spot in zone.spots)

    def card(self, letters: str) -> int | None:
        """Take a typed card: of several, one that can be taken."""
        try:
            card = parse(letters)
        except NotationError as error:
            self.said = str(error)
            return None
        keys = [spot.key for zone in self.scene.zones for spot in zone.spots if spot.card and parse(spot.card) == card]
        free = [key for key in keys if key in self.offered] or [key for key in keys if key in self.picking.chosen]
        if not keys:
            self.said = f"There is no {letters.upper()} on the table that you can see."
            return None
        return self.point((free or keys)[0])

    def written(self, words: str) -> int | None:
        """The action written in the game's notation; None, with the reason, if it is invalid or illegal."""
        try:
            action = self.game.parse(self.view, words)
            if action not in self.legal and (why := self.game.why_not(self.game.imagine(self.view, 0), action)):
                raise RuleError(why)
        except KibitzError as error:
            self.said = str(error)
            return None
        return action

    def advise(self, action: int) -> None:
        """Mark the parts of a hint, and put the cursor on the first of them."""
        self.put_back()
        keys = [part.key for part in self.picking.parts.get(action, ())]
        self.advised = frozenset(keys)
        self.cursor = next((key for key in keys if key in self.offered), self.cursor)


def nearest(here: Region, places: Sequence[Region], down: int) -> Region:
    """The nearest place above or below another one, or else that one."""

    def middle(region: Region) -> tuple[float, float]:
        return region.x + region.width / 2, region.y + region.height / 2

    x, y = middle(here)
    beyond = [place for place in places if (middle(place)[1] - y) * down > 0]

    def far(place: Region) -> tuple[float, float]:
        right, below = middle(place)
        return abs(below - y) * 4 + abs(right - x), right

    return min(beyond, key=far, default=here)
