"""An action that a person composes on the screen, with a cursor, clicks and typed cards.

    offered         the parts that can be selected now
    targets         where the cursor can go: everything offered, and what has been selected
    ready_action    the action that the next Enter plays

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
    """An action while a person composes it; ``refusal`` says why the last step failed ("" if it succeeded)."""

    def __init__(self, game: Game, view: View, legal: Sequence[int], names: Sequence[str]) -> None:
        self.game, self.view, self.legal = game, view, list(legal)
        self.picking = Picking(game, view, legal, names)
        self.refusal = ""
        self.hinted: frozenset[str] = frozenset()
        self.cursor: str | None = None
        self.offered: dict[str, Part] = {}
        """What can be selected, by key, in the order of its numbers: see ``keys_in_order``; then the buttons."""
        self.update_offered()

    @property
    def scene(self) -> Scene:
        """What the person sees."""
        return self.picking.scene

    def keys_in_order(self) -> list[str]:
        """The keys of everything on the table: first the hand, then the seat's other zones, then the others."""

        def order(zone: Zone) -> tuple[bool, bool]:
            is_own = zone.seat == self.view.seat
            return not (is_own and zone.form == "hand"), not is_own

        zones = sorted(self.scene.zones, key=order)
        return [key for zone in zones for key in (*(spot.key for spot in zone.spots), zone.key)]

    @property
    def targets(self) -> list[str]:
        """The keys of everything that the cursor can be on."""
        return [*self.offered, *self.picking.chosen]

    @property
    def buttons(self) -> list[Part]:
        """The parts that aren't on the table: words and amounts, including those already selected."""
        on_table = self.scene.labels
        selected = [self.part(key) for key in self.picking.chosen if key not in on_table]
        return [*selected, *(part for key, part in self.offered.items() if key not in on_table)]

    def part(self, key: str) -> Part:
        """The part with a key, from any candidate action."""
        parts = (part for action in self.picking.candidates for part in self.picking.parts[action])
        return next(part for part in parts if part.key == key)

    @property
    def amount(self) -> Part | None:
        """The requested amount, with its minimum and maximum; None if no amount is requested."""
        return next((part for part in self.offered.values() if part.kind == "amount"), None)

    @property
    def marks(self) -> Marks:
        """The marks on everything that can be selected, for drawing."""
        numbers = {key: number for number, key in enumerate(self.offered, 1)}
        numbers |= {key: NO_NUMBER for key, part in self.offered.items() if part.kind == "amount"}
        return Marks(numbers, frozenset(self.picking.chosen), self.cursor, self.hinted)

    @property
    def ready_action(self) -> int | None:
        """The complete action, which Enter plays; None while it is incomplete."""
        return self.picking.complete if self.picking.chosen else None

    @property
    def cursor_text(self) -> str:
        """A description of the thing at the cursor, for the person."""
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
        """A thing's text for the person, by its key."""
        return self.scene.labels.get(key) or self.part(key).label

    # ---------------------------------------------------------------- moving

    def update_offered(self) -> None:
        """Update what is offered after a change, and put the cursor on something offered.

        The cursor prefers a part of the hint, then anything except giving up (in poker, folding).
        """
        parts = {part.key: part for part in self.picking.offered}
        if not self.picking.chosen:
            # A card or a button can come first, and a place or an amount if it is a whole action.
            whole_actions = self.picking.action_by_keys
            parts = {
                key: part
                for key, part in parts.items()
                if part.kind in ("card", "button") or frozenset({key}) in whole_actions
            } or parts
        on_table = [key for key in self.keys_in_order() if key in parts]
        buttons = [key for key in parts if key not in on_table]
        offered = self.offered = {key: parts[key] for key in (*on_table, *buttons)}
        if self.cursor not in offered:
            last = self.picking.chosen[-1] if self.picking.chosen else None
            hinted = (key for key in offered if key in self.hinted)
            not_giving_up = (key for key in offered if key not in self.game.words.GIVE_UP_BUTTONS)
            self.cursor = next(hinted, next(not_giving_up, next(iter(offered), last)))

    def move(self, canvas: Canvas, x: int, y: int) -> None:
        """Move the cursor to another target, even one scrolled off the screen.

        ``x`` is 1 for the next target in reading order and -1 for the previous one; if it is 0, ``y`` is 1 for down and
        -1 for up.
        """
        targets = set(self.targets)
        target_regions = {region.key: region for region in canvas.all_regions if region.key in targets}
        if not target_regions:
            return
        current = target_regions.get(self.cursor or "")
        in_order = sorted(target_regions.values(), key=lambda region: (region.y, region.x))
        if current is None:
            self.cursor = in_order[0].key
        elif x:
            self.cursor = in_order[(in_order.index(current) + x) % len(in_order)].key
        else:
            self.cursor = nearest(current, in_order, y).key
        self.refusal = ""

    # ---------------------------------------------------------------- selecting

    def select(self, key: str) -> bool:
        """Select something, or deselect it if it is selected; False, with a ``refusal``, if it can't be selected."""
        self.refusal = ""
        if key in self.picking.chosen:
            self.picking.drop(key)
            self.cursor = key
            self.update_offered()
            return True
        try:
            self.picking.take(key)
        except (RuleError, NotationError) as error:
            self.refusal = str(error)
            return False
        self.update_offered()
        return True

    def deselect(self) -> bool:
        """Deselect everything; returns whether anything was selected."""
        selected = self.picking.chosen
        for key in selected:
            self.picking.drop(key)
        self.refusal, self.cursor = "", selected[0] if selected else self.cursor
        self.update_offered()
        return bool(selected)

    def enter(self) -> int | None:
        """If the action is incomplete, select the thing at the cursor. Returns the action if it is complete now."""
        if self.ready_action is not None:
            return self.ready_action
        if self.cursor is None or self.cursor in self.picking.chosen:
            self.refusal = "Not complete yet: choose something highlighted."
            return None
        self.select(self.cursor)
        return self.ready_action if not self.refusal else None

    def click(self, key: str) -> int | None:
        """Select what was clicked; returns the action if it is complete and nothing could be added."""
        self.cursor = key if key in self.targets else self.cursor
        return self.ready_action if self.select(key) and not self.offered else None

    def select_number(self, number: int) -> int | None:
        """Select the part with a number, as a click does; 0 means the tenth."""
        index = (number or 10) - 1
        if index >= len(self.offered):
            self.refusal = f"There is no choice {index + 1}: the highest number is {len(self.offered)}."
            return None
        return self.click(list(self.offered)[index])

    def shows_rank(self, rank: str) -> bool:
        """Whether the table shows a card of this rank, so that the rank's letter may begin a typed card."""
        return any(spot.card.lower().startswith(rank) for zone in self.scene.zones for spot in zone.spots)

    def select_card(self, letters: str) -> int | None:
        """Select a typed card, such as "kh"; if the table shows several of them, one that can be selected."""
        try:
            card = parse(letters)
        except NotationError as error:
            self.refusal = str(error)
            return None
        keys = [spot.key for zone in self.scene.zones for spot in zone.spots if spot.card and parse(spot.card) == card]
        selectable = [key for key in keys if key in self.offered] or [key for key in keys if key in self.picking.chosen]
        if not keys:
            self.refusal = f"There is no {letters.upper()} on the table that you can see."
            return None
        return self.click((selectable or keys)[0])

    def read_action(self, text: str) -> int | None:
        """The action in a text in the game's notation; None, with a ``refusal``, if it is invalid or illegal."""
        try:
            action = self.game.parse(self.view, text)
            if action not in self.legal and (why := self.game.why_not(self.game.imagine(self.view, 0), action)):
                raise RuleError(why)
        except KibitzError as error:
            self.refusal = str(error)
            return None
        return action

    def mark_hint(self, action: int) -> None:
        """Mark the parts of a hint's action, and put the cursor on the first of them."""
        self.deselect()
        keys = [part.key for part in self.picking.parts.get(action, ())]
        self.hinted = frozenset(keys)
        self.cursor = next((key for key in keys if key in self.offered), self.cursor)


def nearest(current: Region, regions: Sequence[Region], down: int) -> Region:
    """The nearest region above (``down`` = -1) or below (1) ``current``; ``current`` itself if there is none.

    A distance of one row counts as much as four columns.
    """

    def middle(region: Region) -> tuple[float, float]:
        return region.x + region.width / 2, region.y + region.height / 2

    x, y = middle(current)
    on_that_side = [region for region in regions if (middle(region)[1] - y) * down > 0]

    def distance(region: Region) -> tuple[float, float]:
        region_x, region_y = middle(region)
        return abs(region_y - y) * 4 + abs(region_x - x), region_x

    return min(on_that_side, key=distance, default=current)
