"""Columns on a terminal are aligned, whatever they contain."""

import pytest
from rich.cells import cell_len

import kibitz
from kibitz.arena.ladder import Ladder, Rung, rows
from kibitz.arena.rating.ratings import RankingRow, ratings_text
from kibitz.arena.rating.standings import Standing
from kibitz.cli.line_mode.prompt import columns
from kibitz.cli.matches import standing_cells
from kibitz.cli.screen import Screen
from kibitz.engine.scene.text import table_lines
from kibitz.engine.sentences import names_for

WIDE = ["李小龍", "Ame\u0301lie", "🎴 Ann", "ｱﾝ"]
"""Wide characters, a combining accent, an emoji, and half-width letters."""
NARROW = ["lixiao", "Amelie", "AA Ann", "ab"]
"""Names with the same number of cells."""


def tournament(names):
    screen, lines = Screen(), []
    screen.line = lambda text="", *_, **__: lines.append(text)
    found = [Standing(1, name, 8, 4, 0.5, 0.25, 1.0, 0.5, {}, ()) for name in names]
    screen.table([("#", "player", *"abcde"), *map(standing_cells, found)])
    return lines


def arena(names):
    found = [RankingRow(n, n, n, name, 1, 1500.0, 20.0, 8, 0.5, 0, (), "") for n, name in enumerate(names, 1)]
    return ratings_text(found).splitlines()


def ladder(names):
    return rows(Ladder("go", 8, 1, tuple(Rung(name, "line", 1500.0, 20.0, 1, 2, 8, 0.5) for name in names)))


def table(names):
    game = kibitz.game("go")
    return table_lines(game.scene(game.view(game.deal(1), 0), names_for(0, names)), names_for(0, names))


def choices(names):
    return columns([f"{number}) {name}" for number, name in enumerate(names * 4, 1)], 80)


@pytest.mark.parametrize("shown", [tournament, arena, ladder, table, choices])
def test_wide_names_keep_columns_aligned(shown):
    wide, narrow = shown(WIDE), shown(NARROW)
    assert wide != narrow
    assert [cell_len(line) for line in wide] == [len(line) for line in narrow]
    for name, other in zip(WIDE, NARROW, strict=True):
        wide = [line.replace(name, other) for line in wide]
    assert wide == narrow
