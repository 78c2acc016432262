"""The prompt for one decision: its choices, step by step, in at most twenty lines.

choice      an action, or a part to select next, with its number from 1
phrase      parts as people read them: ``K♠ K♥``, ``9♦ from your discard pile 2 to build pile 1``
max_lines   the number of lines that are left for the choices
page        the choices that fit into these lines; ``m`` shows more
tip         a line for a newcomer on what else can be typed
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from kibitz.cards import code, parse, parse_hand, symbol
from kibitz.cli.screen import BOLD, DIM, folded
from kibitz.engine.columns import cell_len, padded
from kibitz.engine.game import Game
from kibitz.engine.scene.elements import NOTE, Part, title_in_sentence
from kibitz.engine.scene.picking import Picking
from kibitz.engine.scene.text import contents, table_lines
from kibitz.engine.views.events import View
from kibitz.errors import NotationError

MAX_LISTED = 9
"""If there are at most this many actions, all of them are listed."""


class Choice(NamedTuple):
    """A numbered choice: an ``action``, or else the part with this ``key``."""

    label: str
    action: int | None
    key: str = ""


def action_in_words(game: Game, view: View, action: int, names: Sequence[str]) -> str:
    """An action in words."""
    return DecisionSteps(game, view, [action], [action], names).phrase_of(action)


class DecisionSteps:
    """The steps of one decision, in which a person selects the parts of an action one by one.

    selected        the keys of the parts that the person has selected
    lists_actions   whether all actions are listed, even if there are many
    offered         the legal actions that get numbers
    """

    def __init__(
        self, game: Game, view: View, legal: Sequence[int], offered: Sequence[int], names: Sequence[str]
    ) -> None:
        self.game, self.view, self.legal, self.names = game, view, legal, names
        self.picking = Picking(game, view, offered, names)
        self.selected: list[str] = []
        self.lists_actions = False
        self.zones = {zone.key: zone for zone in self.picking.scene.zones}
        self.reselect()
        self.zone_of_spot = {spot.key: zone for zone in self.picking.scene.zones for spot in zone.spots}

    def list_all(self) -> None:
        """From now on, list every legal action, including those that make no progress."""
        self.picking = Picking(self.game, self.view, self.legal, self.names)
        self.selected.clear()
        self.reselect()
        self.lists_actions = True

    def reselect(self) -> None:
        """Select the parts in ``selected`` again, and after each of them all parts that follow from it."""
        self.picking.chosen = ()
        for key in (None, *self.selected):
            if key is not None:
                self.picking.take(key)
            if len(self.picking.candidates) > 1:
                for part in self.picking.forced:
                    self.picking.take(part.key)

    @property
    def choices(self) -> list[Choice]:
        """The current choices, in the order of their numbers.

        If there are too many actions for a list, the choices are the possible next parts. The cards of an action can be
        selected in any order.
        """
        candidates = self.picking.candidates
        if self.lists_actions or len(candidates) <= MAX_LISTED:
            return [self.action_choice(action) for action in candidates]
        complete_action = self.picking.complete
        choices = [] if complete_action is None else [self.action_choice(complete_action)]
        next_parts = [next(iter(self.remaining(action)), None) for action in candidates]
        next_keys = {part.key for part in next_parts if part is not None}
        cards = any(part.kind == "card" for part in next_parts if part is not None)
        parts = [part for part in self.picking.choices if part.key in next_keys or (cards and part.kind == "card")]
        return choices + [self.part_choice(part) for part in parts]

    def remaining(self, action: int) -> list[Part]:
        """The parts of an action that are not selected yet, in the order of its notation."""
        return [part for part in self.picking.parts[action] if part.key not in self.picking.chosen]

    def action_choice(self, action: int) -> Choice:
        """An action as a choice, labelled with its remaining parts or, if none remain, "that is all: ..."."""
        parts = self.picking.parts[action]
        remaining = self.remaining(action) if self.selected else parts
        words = self.phrase(remaining, alone=len(remaining) == 1) if remaining else f"that is all: {self.phrase(parts)}"
        note = NOTE.search(self.game.words.label(self.view, action))
        return Choice(f"{words}  ({note[1]})" if note else words, action)

    def part_choice(self, part: Part) -> Choice:
        """A part as a choice."""
        words = self.phrase([part], alone=True)
        return Choice(f"{words}  ({part.note})" if part.note else words, None, part.key)

    def phrase(self, parts: Sequence[Part], *, alone: bool = False) -> str:
        """Parts in words; if a single part is ``alone`` and is a place, its content is described too."""
        words = []
        moves = any(part.kind == "place" for part in parts)
        for part in parts:
            zone_of_card = self.zone_of_spot.get(part.key)
            if part.kind == "card" and zone_of_card is not None:
                is_own_hand = zone_of_card.seat == self.view.seat and zone_of_card.form != "pile"
                label = re.sub(" (?:on|in) ", " from ", part.label, count=1) if moves else part.label
                words.append(symbol(parse(self.picking.scene.spots[part.key].card)) if is_own_hand else label)
            elif part.kind == "place":
                target = self.zones[part.key]
                with_content = f"{part.label}: {contents(target)}" if target.spots else part.label
                words.append(with_content if alone else f"to {title_in_sentence(part.label)}")
            else:
                words.append(part.label)
        return " ".join(words)

    def phrase_of(self, action: int) -> str:
        """A whole action in words."""
        return self.phrase(self.picking.parts[action])

    @property
    def question(self) -> str:
        """The question at this step."""
        if not self.selected:
            return str(self.game.words.prompt(self.view))
        part_of = {part.key: part for action in self.picking.candidates for part in self.picking.parts[action]}
        kinds = {part.kind for part in self.picking.choices}
        question = "where to?" if kinds == {"place"} else "how much?" if kinds == {"amount"} else "and what else?"
        return f"{self.phrase([part_of[key] for key in self.picking.chosen if key in part_of])}: {question}"

    @property
    def span(self) -> tuple[int, int] | None:
        """The smallest and the largest amount that can be selected now; None if no amount can."""
        spans = [(part.least, part.most) for part in self.picking.choices if part.kind == "amount" and part.most]
        return spans[0] if spans else None

    @property
    def amount(self) -> str:
        """The smallest amount that can be selected now, as people type it; "" if no amount can."""
        return self.game.text(self.view, self.game.first_amount + self.span[0]) if self.span else ""

    def select(self, key: str) -> int | None:
        """Select a part, and all parts that follow from it; returns the action if only one is left."""
        self.selected.append(key)
        self.reselect()
        candidates = self.picking.candidates
        return candidates[0] if len(candidates) == 1 else None

    def deselect_last(self) -> bool:
        """Deselect the last part; returns whether there was one."""
        if not self.selected:
            return False
        self.selected.pop()
        self.reselect()
        return True

    def key_of_typed_card(self, typed: str) -> str | None:
        """The key of the choice that is the typed card; None if no choice is."""
        try:
            codes = [code(card) for card in parse_hand(typed)]
        except NotationError:
            return None
        spots = self.picking.scene.spots
        keys = [part.key for part in self.picking.choices if part.kind == "card" and [spots[part.key].card] == codes]
        return keys[0] if keys else None

    @property
    def selected_text(self) -> str:
        """The cards selected so far, as people type them."""
        spots = self.picking.scene.spots
        return " ".join(spots[key].card for key in self.picking.chosen if key in spots)


# ---------------------------------------------------------------- layout of the choices

#     cell        a choice with its number: ``7) K♠ K♥``
#     span        the number of columns of a cell; a long cell takes several, so that it doesn't widen all columns


def choice_lines(labels: Mapping[int, str], width: int, max_lines: int, *, plain: bool = False) -> list[str]:
    """Choices by number, as lines: one per line if ``plain``, or if they are long and few enough; else side by side."""
    digits = len(str(max(labels)))
    cells = [f"{number:>{digits}}) {label}" for number, label in labels.items()]
    if plain or (len(cells) <= max_lines and max(map(cell_len, cells)) > width // 3):
        return cells
    return columns(cells, width)


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Cells side by side in columns of equal width, in reading order."""
    lengths = sorted(map(cell_len, cells))
    # Three quarters of the cells are no longer than this. If the longest cell is less than twice as long, all cells fit
    # into one column each; otherwise long cells take several columns.
    usual_length = lengths[3 * len(cells) // 4]
    column_width = min((lengths[-1] if lengths[-1] < 2 * usual_length else usual_length) + 3, width + 3)
    column_count = max(1, (width + 3) // column_width)
    lines, columns_used = [""], 0
    for cell in cells:
        span = min(column_count, ceil((cell_len(cell) + 3) / column_width))
        if columns_used + span > column_count:
            lines.append("")
            columns_used = 0
        lines[-1] += padded(cell, span * column_width)
        columns_used += span
    return [line.rstrip() for line in lines]


# ---------------------------------------------------------------- the prompt

LINES = 20
"""The maximum number of lines of a prompt, including the input line."""
MIN_CHOICE_LINES = 4
"""The minimum number of lines for the choices; a table that leaves fewer is shortened."""
COUNTED_PILE = re.compile(r"\S+\+\d+")
"""A pile in a table, with the number of cards below its top."""
INDENT = "    "
"""The indentation of the rest of a folded line."""
CHOICES_LEFT_OUT = "Choices that make no progress are left out: 'a' shows all."


class StyledLine(NamedTuple):
    """A line and its style."""

    text: str
    style: str = ""


class Prompt:
    """One prompt, with explanations if ``is_newcomer``. Pages of choices are numbered from 0."""

    def __init__(
        self, steps: DecisionSteps, names: Sequence[str], width: int, *, plain: bool = False, is_newcomer: bool = False
    ) -> None:
        self.steps, self.names, self.width, self.plain, self.is_newcomer = steps, names, width, plain, is_newcomer
        self.table = [] if steps.selected or steps.lists_actions else table_lines(steps.picking.scene, names, width)

    def lines(self, page: int = 0) -> list[StyledLine]:
        """All lines except the input line; long lines are not folded yet."""
        free_lines = LINES - 1 - self.height([self.question, *self.tips]) - (2 if self.table else 1)
        table = shortened(self.table, free_lines - min(MIN_CHOICE_LINES, len(self.steps.choices)))
        choices = self.choices(free_lines - len(table), page)
        above = ["", *table, ""] if table else [""]
        tips = [StyledLine(tip, DIM) for tip in self.tips]
        return [*map(StyledLine, above), StyledLine(self.question, BOLD), *map(StyledLine, choices), *tips]

    def height(self, lines: Sequence[str]) -> int:
        """The number of lines on the screen after folding."""
        return sum(len(folded(line, self.width, INDENT)) for line in lines)

    @property
    def question(self) -> str:
        """The question at this step, and how to deselect the last part."""
        return self.steps.question + (" ('b' deselects it)" if self.steps.selected else "")

    @property
    def tips(self) -> list[str]:
        """Sentences on what else can be typed, and on what a newcomer may not know."""
        tips = []
        if self.is_newcomer and (pile := next(filter(None, map(COUNTED_PILE.search, self.table)), None)):
            card, _, more = pile[0].partition("+")
            more_cards = "one more card lies" if more == "1" else f"{more} more cards lie"
            tips.append(f"{pile[0]} in the table: {more_cards} below the {card}.")
        if (span := self.steps.span) and (self.is_newcomer or self.steps.selected):
            tips.append(f"Any amount from {span[0]} to {span[1]} can be typed, such as {self.steps.amount!r}.")
        if len(self.steps.picking.parts) < len(self.steps.legal):
            tips.append(CHOICES_LEFT_OUT)
        return [*tips, "Type a number, or ? for help."] if self.is_newcomer else tips

    def choices(self, max_lines: int, page: int) -> list[str]:
        """The lines of choices that fit on a page; all of them if the person asked for all."""
        labels = {n: choice.label for n, choice in enumerate(self.steps.choices, 1)}
        lines = choice_lines(labels, self.width, max_lines, plain=self.plain)
        if self.height(lines) > max_lines and not self.plain:
            lines = choice_lines(labels, self.width, 0)
        if self.height(lines) <= max_lines or self.steps.lists_actions:
            return lines
        lines = [text for line in lines for text in folded(line, self.width, INDENT)]
        pages = [lines[i : i + max_lines - 1] for i in range(0, len(lines), max_lines - 1)]
        current = page % len(pages)
        return [*pages[current], f"m) more choices (page {current + 1} of {len(pages)})"]


def shortened(table: Sequence[str], limit: int) -> list[str]:
    """A table in at most ``limit`` lines; the last line, which is the viewer's own, stays."""
    if len(table) <= limit:
        return list(table)
    return [*table[: limit - 2], "... ('s' shows the whole table)", table[-1]]
