"""A scene as lines of text, in as few as the width allows.

    heading     what a line begins with: the name of a seat, "your hand"
    cell        a zone or a fact in a few words: ``stockpile 7♠+6``, ``score 12 of 121``
    7♠+6        a card with six more below it
    1: 2: 3:    zones of one kind, by number; groups that somebody owns need none

First come facts and zones that belong to no seat, without facts that the prompt gives; then a line for each seat, then
the reader's own hand.
Cells that do not fit continue on the next line, below the first one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from kibitz.cards import parse, symbol
from kibitz.engine.columns import cell_len, padded
from kibitz.engine.scene.elements import Fact, Scene, Zone, owner, title_in_sentence
from kibitz.engine.sentences import YOU, Names

CELL_GAP = 2
"""Spaces between two cells."""
MAX_HEADING_WIDTH = 20
"""The widest heading that is aligned with others; a wider one moves its own cells to the right."""
NUMBERED = re.compile(r"(.+) (\d+)")
SELF_EVIDENT = re.compile(r"(?!yes$|no$)[^\d+-][^\d]*")
"""Values that are clear without their label."""


def table_lines(scene: Scene, names: Names, width: int = 80) -> list[str]:
    """The table as lines; ``names`` must be the names that the scene was made with, "You" for the reader's seat."""
    common = [f"{fact.label} {fact.value}" for fact in scene.facts if fact.seat < 0]
    common = [text for text in common if text not in scene.prompt]
    lines = [*wrapped("", common, width), *wrapped("", cells([z for z in scene.zones if z.seat < 0], ""), width)]
    own_hands = [zone for zone in scene.zones if zone.form == "hand" and zone.seat >= 0 and names[zone.seat] == YOU]
    rows = [(names[seat], seat_cells(scene, seat, names, own_hands)) for seat in seats_in(scene)]
    rows += [(title_in_sentence(zone.title), [contents(zone)]) for zone in own_hands if zone.spots]
    rows = [(heading, row) for heading, row in rows if row]
    heading_width = min(MAX_HEADING_WIDTH, max((cell_len(heading) for heading, _ in rows), default=0)) + 2
    for heading, row in rows:
        lines += wrapped(padded(heading, heading_width - 2) + "  ", row, width)
    return lines


def seats_in(scene: Scene) -> list[int]:
    """The seats that have cells, in the order of their hands in the scene."""
    seats = [zone.seat for zone in scene.zones if zone.key == f"hand{zone.seat}"]
    seats += [zone.seat for zone in scene.zones] + [fact.seat for fact in scene.facts]
    return [seat for seat in dict.fromkeys(seats) if seat >= 0]


def seat_cells(scene: Scene, seat: int, names: Names, zones_apart: Sequence[Zone]) -> list[str]:
    """The cells of one seat, except the zones in ``zones_apart``, which have lines of their own."""
    facts = [fact_text(fact) for fact in scene.facts if fact.seat == seat]
    zones = [zone for zone in scene.zones if zone.seat == seat and zone not in zones_apart]
    return facts + cells(zones, owner(seat, names))


def fact_text(fact: Fact) -> str:
    """A fact of a seat: its value, with its label where needed."""
    return fact.value if SELF_EVIDENT.fullmatch(fact.value) else f"{fact.label.lower()} {fact.value}"


def seat_facts(scene: Scene, names: Names) -> list[str]:
    """The facts of each seat besides its cards, one sentence per seat; empty for games without such facts."""
    by_seat = {seat: [fact_text(fact) for fact in scene.facts if fact.seat == seat] for seat in seats_in(scene)}
    return [f"{names[seat]}: {', '.join(facts)}." for seat, facts in by_seat.items() if facts]


def cells(zones: Sequence[Zone], owner: str) -> list[str]:
    """Zones as cells; of zones whose titles differ only in a number, just the first has the title, in the plural."""
    result: list[str] = []
    for (stem, numbered), group in groupby(zones, lambda zone: kind_of(zone, owner)):
        same_kind = list(group)
        if numbered and len(same_kind) > 1:
            shows_numbers = owner == "" or same_kind[0].form != "group"
            number = [f"{zone.title.rpartition(' ')[2]}: " if shows_numbers else "" for zone in same_kind]
            first, *other_texts = [f"{n}{contents(zone)}" for n, zone in zip(number, same_kind, strict=True)]
            result += [f"{stem}s {first}", *other_texts]
        else:
            result += [cell for zone in same_kind if (cell := cell_of(zone, owner))]
    return result


def kind_of(zone: Zone, owner: str) -> tuple[str, bool]:
    """The title of a zone without its owner and number, and whether it has a number; zones of one kind share both."""
    title = title_in_sentence(zone.title.removeprefix(f"{owner} "))
    number = NUMBERED.fullmatch(title)
    return (number[1], True) if number else (title, False)


def cell_of(zone: Zone, owner: str) -> str:
    """One zone in a few words; empty for an empty zone that never shows cards."""
    title, _ = kind_of(zone, owner) if owner else (title_in_sentence(zone.title), False)
    if zone.form == "backs":
        return cards_text(zone.hidden) if title == "hand" else f"{title} {cards_text(zone.hidden)}"
    if not zone.spots and zone.form != "pile":
        return ""
    return f"{title} {contents(zone)}"


def contents(zone: Zone) -> str:
    """The contents of a zone."""
    cards = " ".join((symbol(parse(spot.card)) if spot.card else "?") + bracketed(spot.note) for spot in zone.spots)
    below = f"+{zone.hidden}" if zone.hidden else ""
    return f"{cards or '-'}{below}{bracketed(zone.note)}"


def bracketed(note: str) -> str:
    """A note in brackets, if there is one."""
    return f" ({note})" if note else ""


def cards_text(number: int) -> str:
    """A number of cards: "1 card", "no cards"."""
    return "1 card" if number == 1 else f"{number or 'no'} cards"


def wrapped(heading: str, row: Sequence[str], width: int) -> list[str]:
    """Cells after their heading, in as many lines as they need; a cell that is too long breaks between cards."""
    indent = " " * min(cell_len(heading), width // 3)
    lines, cells_on_line = [heading], 0
    for cell in row:
        if cells_on_line and cell_len(lines[-1]) + CELL_GAP + cell_len(cell) > width:
            lines.append(indent)
            cells_on_line = 0
        lines[-1] += " " * (CELL_GAP if cells_on_line else 0) + cell
        cells_on_line += 1
        while len(lines[-1]) > width and (cut := lines[-1].rfind(" ", len(indent) + 1, width + 1)) > 0:
            lines[-1:] = [lines[-1][:cut].rstrip(), indent + lines[-1][cut + 1 :].lstrip()]
    return [line.rstrip() for line in lines if line.strip()]
