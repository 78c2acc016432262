"""Every game there is can be played to its end on the screen, by keys alone."""

import pytest

from kibitz.engine.record import Record
from kibitz.table import Table
from tests.tui.playing import application, plan, play_out, run, short_games


@pytest.mark.parametrize("game", short_games(), ids=lambda game: game.name)
def test_a_whole_game_by_keys(game):
    async def steps(pilot):
        screen = await play_out(pilot)
        await pilot.press("l")
        await pilot.press("escape")
        return screen.record, screen.board.canvas.text

    record, seen = run(application(plan(game)), steps)
    assert isinstance(record, Record)
    assert Table.resume(record).outcome == record.outcome
    assert record.outcome.reason.split()[0] in seen
