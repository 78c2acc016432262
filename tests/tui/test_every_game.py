"""Every game there is can be played to its end on the screen, by keys alone, and every moment of it can be seen."""

import pytest

from kibitz.engine.record import Record
from kibitz.engine.registry import all_games
from kibitz.table import Table
from kibitz.tui.replaying import OPEN, Film, Replaying
from tests.tui.playing import application, plan, play_out, random_game, run, short_games

SIZES = ((80, 24), (120, 40), (40, 24))


@pytest.mark.parametrize("game", short_games(), ids=lambda game: game.name)
def test_a_whole_game_by_keys(game):
    async def steps(pilot):
        screen = await play_out(pilot)
        return screen.record, screen.board.canvas.text

    record, seen = run(application(plan(game)), steps)
    assert isinstance(record, Record)
    assert Table.resume(record).outcome == record.outcome
    assert " ".join(record.outcome.reason.split()[:2]) in " ".join(seen.split())


@pytest.mark.parametrize("game", short_games(), ids=lambda game: game.name)
def test_three_people_at_one_keyboard_see_nothing_of_one_another(game):
    """Between the turns of two people nothing of anybody's is on the screen."""
    people = tuple(range(min(3, game.seats)))
    covered = []

    async def steps(pilot):
        def look(screen):
            if screen.viewer is None and screen.record is None:
                covered.append(screen.frame())

        return (await play_out(pilot, look=look)).record

    assert isinstance(run(application(plan(game, people, seed=3)), steps), Record)
    assert covered
    assert all(not frame.scene.zones and not frame.log and not frame.scene.facts for frame in covered)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_moment_of_a_game_fits_every_screen(game):
    """A random game, of which some steps are drawn for everybody: no line is too long, and the foot is always there."""
    film = Film(random_game(game).record)
    for step in {0, film.last // 2, film.last}:
        for look in (0, OPEN):
            for width, height in SIZES:
                canvas = Replaying(film, look=look, step=step).draw(width, height)
                assert canvas.width <= width
                assert canvas.height == height
                assert all(region.y < height for region in canvas.regions)
                assert "← →" in canvas.text.splitlines()[-1]
