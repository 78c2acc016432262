"""The layout of a scene: a panel for each seat and one for the middle of the table.

    panel       a box with its owner's name and roles in the upper line, and the owner's zones inside
    box, chip   a card drawn as a box of three lines, or as a short text
    viewer      the seat whose view is drawn
    detail      which cards are boxes: ``BOXES`` all of them, ``OWN`` the viewer's, ``HAND`` only the viewer's hand,
                ``CHIPS`` none; with ``LINES`` none, and panels have no frame

``TablePainter`` draws with the most detail that fits a height. The other seats' panels come first, in turn order, then
the table's, then the viewer's, so that the viewer's hand is at the bottom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from rich.cells import cell_len

from kibitz.cards import parse, symbol
from kibitz.cards.card import JOKER, face
from kibitz.engine.scene import Scene, Spot, Zone
from kibitz.engine.scene.text import fact_text
from kibitz.tui.canvas import Canvas, boxed, flowed, shortened, stacked, text_line, wrapped


class Detail(IntEnum):
    """How cards are drawn, from the smallest form to the largest."""

    LINES = 0
    CHIPS = 1
    HAND = 2
    OWN = 3
    BOXES = 4

    @property
    def for_others(self) -> Detail:
        """The detail of the other seats' cards and the table's."""
        return self if self in (Detail.BOXES, Detail.LINES) else Detail.CHIPS


@dataclass(frozen=True)
class Panel:
    """A seat's zones: in a frame of ``width`` columns and of a ``style``, or without a frame if ``style`` is ""."""

    content: Canvas
    width: int
    title: str = ""
    foot: str = ""
    style: str = ""

    @property
    def height(self) -> int:
        """The number of lines of the panel, with its frame."""
        return self.content.height + 2 * bool(self.style)

    def draw(self, height: int = 0) -> Canvas:
        """Draw the panel, at least ``height`` lines high if it has a frame."""
        if not self.style:
            return self.content
        self.content.extend(height - 2)
        return boxed(self.content, self.width, self.title, self.foot, style=self.style)


class TablePainter:
    """Draws a scene as the seat ``viewer`` sees it (-1 for a spectator), in ``width`` columns."""

    def __init__(self, scene: Scene, names: Sequence[str], viewer: int, width: int, marks: Marks) -> None:
        self.scene, self.names, self.viewer, self.width, self.marks = scene, names, viewer, width, marks
        self.owners = {zone.seat for zone in scene.zones} | {fact.seat for fact in scene.facts if fact.seat >= 0}
        """The seats that have a panel, and -1 if there are zones without an owner."""

    def draw(self, height: int) -> Canvas:
        """All zones with the most detail that fits; with the least detail they may be taller than ``height``."""
        canvas, others = Canvas(), dict[Detail, Canvas]()
        for detail in reversed(Detail):
            if detail.for_others not in others:
                others[detail.for_others] = self.others_canvas(detail.for_others)
            has_panel = self.viewer >= 0 and self.viewer in self.owners
            own = [self.panel(self.viewer, self.width, detail).draw()] if has_panel else []
            canvas = stacked([others[detail.for_others], *own])
            if canvas.height <= height and canvas.width <= self.width:
                break
        return canvas

    def others_canvas(self, detail: Detail) -> Canvas:
        """The panels of all other seats in turn order, and below them the panel of the table."""
        seats = len(self.names)
        first = self.viewer + 1  # 0 for a spectator, for whom all seats are others
        in_turn = [(first + turn) % seats for turn in range(seats - (self.viewer >= 0))]
        table = [self.panel(-1, self.width, detail).draw()] if -1 in self.owners else []
        return stacked([self.side_by_side([seat for seat in in_turn if seat in self.owners], detail), *table])

    def side_by_side(self, seats: Sequence[int], detail: Detail) -> Canvas:
        """Panels side by side, in the number of columns that takes the fewest lines."""
        best_rows: list[list[Panel]] = []
        for columns in range(1, 2 if detail is Detail.LINES else len(seats) + 1):
            panel_width = (self.width - (columns - 1)) // columns
            if panel_width < 18 and columns > 1:
                break
            panels = [self.panel(seat, panel_width, detail) for seat in seats]
            rows = [panels[start : start + columns] for start in range(0, len(panels), columns)]
            if not best_rows or sum(map(row_height, rows)) < sum(map(row_height, best_rows)):
                best_rows = rows
        return stacked(map(panel_row, best_rows))

    def panel(self, owner: int, width: int, detail: Detail) -> Panel:
        """The panel of a seat, or of the zones without an owner (-1)."""
        scene, marks, is_viewer = self.scene, self.marks, owner == self.viewer >= 0
        name = self.names[owner] if owner >= 0 else "Table"
        zones = [zone for zone in scene.zones if zone.seat == owner and (is_viewer or is_drawn(zone, marks))]
        roles = " · ".join(fact_text(fact) for fact in scene.facts if fact.seat == owner and owner >= 0)
        inner_width = width - 2 * (detail > Detail.LINES)
        # The roles are beside the name in the upper line, else in the lower line, else in lines of their own.
        title, foot, roles_inside = name, "", roles
        if cell_len(name + roles) + 7 <= inner_width:
            title, roles_inside = f"{name} · {roles}" if roles else name, ""
        elif cell_len(roles) + 4 <= inner_width and detail > Detail.LINES:
            foot, roles_inside = roles, ""
        allows_boxes = detail is Detail.BOXES or (is_viewer and detail in (Detail.OWN, Detail.HAND))
        blocks, previous_title = [], ""
        for zone in zones:
            full_title = short_title(zone, name)
            as_boxes = allows_boxes and bool(zone.spots) and (detail is not Detail.HAND or zone.form == "hand")
            zone_title = full_title if as_boxes else abbreviated(previous_title, full_title)
            blocks.append(zone_block(zone, zone_title, inner_width, marks, as_boxes=as_boxes))
            previous_title = "" if as_boxes else full_title
        role_lines = [text_line(role, "dim") for role in roles_inside.split(" · ")] if roles_inside else []
        role_blocks = [flowed(role_lines, inner_width, 2)] if role_lines else []
        content = stacked([*role_blocks, flowed(blocks, inner_width, 2)])
        if detail is Detail.LINES:
            lines = [text_line(line, "title") for line in wrapped(title, width)] if owner >= 0 else []
            return Panel(stacked([*lines, content]), width)
        return Panel(content, width, title, foot, "viewer" if is_viewer else "dim")


def row_height(panels: Sequence[Panel]) -> int:
    """The number of lines of the highest panel in a row."""
    return max(panel.height for panel in panels)


def panel_row(panels: Sequence[Panel]) -> Canvas:
    """Panels in one row, all as high as the highest."""
    canvas, height = Canvas(), row_height(panels)
    for column, panel in enumerate(panels):
        canvas.paste(panel.draw(height), column * (panel.width + 1), 0)
    return canvas


def is_drawn(zone: Zone, marks: Marks) -> bool:
    """Whether a zone has anything to show or can be selected. Another seat's empty hand is not drawn."""
    has_content = zone.spots or zone.hidden or zone.form in ("pile", "row")
    return bool(has_content or zone.seat < 0 or marks.style(zone.key))


def short_title(zone: Zone, name: str) -> str:
    """A zone's title without its owner's name: "Ann's discard pile 1" becomes "Discard pile 1"."""
    title = zone.title
    for start in (f"{name}'s ", "Your "):
        if zone.seat >= 0 and title.startswith(start):
            title = title[len(start) :]
    return title[:1].upper() + title[1:]


def abbreviated(previous_title: str, title: str) -> str:
    """A title, reduced to its number if the title before it differs only in the number.

    >>> abbreviated("Discard pile 1", "Discard pile 2"), abbreviated("Hand", "Crib")
    ('2', 'Crib')
    """
    stem, _, number = title.rpartition(" ")
    return number if number.isdigit() and stem and previous_title.rpartition(" ")[0] == stem else title


def zone_block(zone: Zone, title: str, width: int, marks: Marks, *, as_boxes: bool) -> Canvas:
    """A zone: its title, with its cards as boxes below it or as chips beside it."""
    head = zone_head(zone, title, marks, width)
    if as_boxes and zone.spots:
        cards = flowed([card_box(spot, marks) for spot in zone.spots], width, 0)
        if hidden := hidden_text(zone):
            cards.write(cards.width + (zone.form != "pile"), 1, hidden, "dim")
        return stacked([head, cards])
    chips = [card_chip(spot, marks) for spot in zone.spots]
    if hidden := hidden_text(zone):
        chips.append(text_line(f"{hidden} ", "dim"))
    return title_and_cards(head, chips or [text_line("– ", "dim")], width)


def zone_head(zone: Zone, title: str, marks: Marks, width: int) -> Canvas:
    """The title of a zone, which can be clicked; between marks such as ``‹ ›`` if the zone can be selected."""
    canvas = Canvas()
    canvas.extend(1)
    if marks.style(zone.key):
        canvas.paste(labelled(zone.key, title, "", marks), 0, 0)
    else:
        canvas.write(0, 0, title, "dim")
        canvas.add_region(zone.key, 0, 0, canvas.width)
    if zone.note and canvas.width + cell_len(zone.note) + 3 <= width:
        canvas.write(canvas.width, 0, f" ({zone.note})", "dim")
    elif zone.note:
        canvas = stacked([canvas, *(text_line(line, "dim") for line in wrapped(f"({zone.note})", width))])
    return canvas.crop_width(width)


def hidden_text(zone: Zone) -> str:
    """The number of a zone's cards that the viewer can't see, as "░×5", or "+5" beside visible cards; "" if none."""
    if not zone.hidden:
        return ""
    return f"░×{zone.hidden}" if not zone.spots else f"+{zone.hidden}"


def title_and_cards(head: Canvas, chips: Sequence[Canvas], width: int) -> Canvas:
    """A title followed by chips, wrapped at ``width``."""
    canvas = Canvas()
    canvas.paste(head, 0, 0)
    x, y = len(canvas.rows[-1]) + 1, canvas.height - 1
    for chip in chips:
        if x + chip.width > width and x > 1:
            x, y = 1, y + 1
        canvas.paste(chip.crop_width(width), x, y)
        x += chip.width
    return canvas


# ---------------------------------------------------------------- cards

# How each state looks as a box, and as a chip:
#
#     plain       cannot be selected  thin lines                        `` K♠ ``
#     offered     can be selected     its number in the lower line      ``‹K♠›``
#     chosen      is selected         thick lines                       ``[K♠]``
#     cursor      what Enter selects  reversed, with ▸ in the line      ``▸K♠›``
#
# No state is shown by a colour alone, and red cards are bold as well.

BACK = "░░░"
STYLE_BY_SUIT = ("diamond", "club", "heart", "spade")
BOX_WIDTH = 5
NO_NUMBER = 99
"""Stands for the number of a part that can't be selected with a digit."""


@dataclass(frozen=True)
class Marks:
    """The states of cards and zones in a scene, by their keys.

    offered     what can be selected, each with its number
    chosen      what has been selected
    cursor      where the cursor is
    hinted      the parts of the hint's action
    """

    offered: Mapping[str, int] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    cursor: str | None = None
    hinted: frozenset[str] = frozenset()

    def style(self, key: str) -> str:
        """The style for the state of a thing, as words."""
        words = ["cursor"] if key == self.cursor else []
        words += ["chosen"] if key in self.chosen else ["offered"] if key in self.offered else []
        words += ["hinted"] if key in self.hinted else []
        return " ".join(words)

    def number(self, key: str) -> str:
        """The digit that selects a thing: "0" for the tenth, "" if no digit does."""
        number = self.offered.get(key, NO_NUMBER)
        return str(number % 10) if number <= 10 else ""


def card_text(spot: Spot) -> str:
    """The text on a card: ``K♠``, ``10♥``; face-down cards are shaded."""
    return symbol(parse(spot.card)) if spot.card else BACK


def suit_style(spot: Spot) -> str:
    """The style of a card's suit."""
    if not spot.card:
        return "dim"
    card = face(parse(spot.card))
    if card >= JOKER:
        return "joker"
    return STYLE_BY_SUIT[card & 3]  # a card's suit is in its two lowest bits


def card_box(spot: Spot, marks: Marks) -> Canvas:
    """A card as a box."""
    canvas = Canvas()
    style, colour = marks.style(spot.key), suit_style(spot)
    is_chosen = spot.key in marks.chosen
    corners, line, side = ("┏┓┗┛", "━", "┃") if is_chosen else ("╭╮╰╯", "─", "│")
    number = marks.number(spot.key)
    foot = number.center(3, line) if number else line * 3
    if spot.key == marks.cursor:
        foot = f"▸{number or line}{line}"
    canvas.write(0, 0, corners[0] + line * 3 + corners[1], style)
    canvas.write(0, 1, side, style)
    canvas.write(1, 1, card_text(spot).ljust(3), f"{colour} {'cursor' if spot.key == marks.cursor else ''}".strip())
    canvas.write(4, 1, side, style)
    canvas.write(0, 2, corners[2] + foot + corners[3], style)
    canvas.add_region(spot.key, 0, 0, BOX_WIDTH, 3)
    if spot.note:
        canvas.write(0, 3, shortened(spot.note, max(BOX_WIDTH, 12)), "dim")
    return canvas


def card_chip(spot: Spot, marks: Marks) -> Canvas:
    """A card as a short text."""
    return labelled(spot.key, card_text(spot), suit_style(spot), marks, spot.note)


def labelled(key: str, text: str, colour: str, marks: Marks, note: str = "") -> Canvas:
    """A thing as a text between the marks of its state, followed by its note."""
    left, right = " ", " "
    if key in marks.offered:
        left, right = "‹", "›"
    if key in marks.chosen:
        left, right = "[", "]"
    if key == marks.cursor:
        left = "▸"
    canvas, style = Canvas(), marks.style(key)
    canvas.write(0, 0, left, style)
    end = canvas.write(1, 0, text, f"{colour} {style}".strip())
    end = canvas.write(end, 0, right, style)
    canvas.add_region(key, 0, 0, cell_len(text) + 2)
    if note:
        canvas.write(end, 0, f"({note})", "dim")
    return canvas
