"""Every game can be played to its end by keys, and every choice and replay step fits the screen."""

from random import Random

import pytest

from kibitz.engine.record import Record
from kibitz.engine.registry import all_games, game
from kibitz.table import Table
from kibitz.tui.replay import ALL_HANDS, KEYS, Replay, ReplayScreen
from kibitz.tui.selection import Selection
from kibitz.tui.table_screen import TableScreen
from tests.cli.test_prompts import NAMES, widest
from tests.parts import share
from tests.tiers import first_fast, tiered
from tests.tui.playing import application, local_game, play_out, random_game, run, short_games

SIZES = ((80, 24), (120, 40), (40, 24))


@pytest.mark.parametrize("game", first_fast(short_games(), 2), ids=lambda game: game.name)
def test_a_game_can_be_played_by_keys_alone(game):
    async def steps(pilot):
        screen = await play_out(pilot)
        return screen.record, screen.board.canvas.text

    record, seen = run(application(local_game(game)), steps)
    assert isinstance(record, Record)
    assert Table.resume(record).outcome == record.outcome
    assert " ".join(record.outcome.reason.split()[:2]) in " ".join(seen.split())


@pytest.mark.parametrize("game", first_fast(short_games(), 2), ids=lambda game: game.name)
def test_people_sharing_a_keyboard_cannot_see_each_others_cards(game):
    """Between two people's turns, the screen shows nobody's cards."""
    people = tuple(range(min(3, game.seats)))
    covered = []

    async def steps(pilot):
        def look(screen):
            assert (("Enter", "continue") in screen.frame().keys) is (screen.enter_pressed is not None)
            if screen.at_keyboard is None and screen.record is None:
                covered.append(screen.frame())

        return (await play_out(pilot, look=look)).record

    assert isinstance(run(application(local_game(game, people, seed=3)), steps), Record)
    assert covered
    assert all(not frame.scene.zones and not frame.history and not frame.scene.facts for frame in covered)


@pytest.mark.parametrize("game", tiered(all_games()))
def test_every_step_of_a_replay_fits_every_screen_size(game):
    """Some steps of a random game, for all viewers: no line is too long, and all keys are shown."""
    replay = Replay(random_game(game).record)
    for step in (replay.last // 2, replay.last):
        for look in (0, ALL_HANDS):
            for width, height in SIZES:
                canvas = ReplayScreen(replay, viewpoint=look, step=step).draw(width, height)
                assert canvas.width <= width
                assert canvas.height == height
                assert all(region.y < height for region in canvas.regions)
                assert all(f"{key} {meaning}" in canvas.text for key, meaning in KEYS)


class ViewerScreen(TableScreen):
    """The screen of a table as one seat sees it while choosing."""

    viewer = 0

    def __init__(self, table, seat):
        super().__init__(table.game, table.names)
        self.viewer = seat
        self.selection = Selection(table.game, table.view(seat), table.legal(seat), self.names)
        self.history = [table.game.describe(event, seat, table.names) for event in table.events(seat)]


def check_everything_is_shown(screen, width, height, where):
    """The prompt, the cursor, every button and every key are visible, and everything else fits."""
    canvas, frame = screen.draw(width, height), screen.frame()
    text = " ".join(canvas.text.split())
    assert (canvas.height, canvas.width <= width) == (height, True), where
    ready = f"Enter: {frame.ready_text}" if frame.ready_text else ""
    for said in (
        frame.scene.prompt,
        ready,
        frame.feedback or frame.cursor_text,
        *(f"{key} {meaning}" for key, meaning in frame.keys),
    ):
        assert " ".join(said.split()) in text, f"{where}: {said!r} is not on the screen\n{canvas.text}"
    there = {region.key for region in canvas.regions}
    wanted = screen.selection.targets if width >= 80 else [part.key for part in frame.buttons]
    assert {*wanted, screen.selection.cursor} - {None} <= there, f"{where}\n{canvas.text}"
    assert reach_by_arrows(screen.selection, canvas) == set(screen.selection.targets), f"{where}\n{canvas.text}"


def reach_by_arrows(selection, canvas):
    """The targets that the cursor reaches by moving right until it is back at its start."""
    start, met = selection.cursor, set()
    while selection.cursor not in met:
        met.add(selection.cursor)
        selection.move(canvas, 1, 0)
    assert selection.cursor == start
    return met


def watch_random_game(game, seed, most):
    """Build every choice of a random game part by part, and check the screen after each part."""
    dice, names = Random(seed), [f"{NAMES[seat % len(NAMES)]}{seat // len(NAMES) or ''}" for seat in range(game.seats)]
    table = Table.deal(game, seed, names)
    for _ in range(most):
        if table.over:
            return
        seat = dice.choice(table.waiting)
        if len(table.legal(seat)) > 1:
            screen = ViewerScreen(table, seat)
            for taken in range(1 + dice.randrange(3)):
                for size in SIZES[::2]:
                    check_everything_is_shown(screen, *size, f"{game.name} {seed} {table.step} {taken}")
                screen.selection.select(dice.choice(screen.selection.targets))
        table.act(seat, dice.choice(table.legal(seat)))


@pytest.mark.parametrize("game", tiered(all_games()))
def test_every_choice_is_on_the_screen(game):
    watch_random_game(widest(game), 1, 3)


@pytest.mark.long
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_choice_of_two_hundred_games_is_on_the_screen(game):
    for seed in share(range(200), 40, game.name):
        watch_random_game(game if seed % 2 else widest(game), seed, 10_000)


def test_arrows_reach_targets_scrolled_off_the_screen():
    """Bo in the middle of a game on a narrow screen: a card of the hand goes to distant piles."""
    table = random_game(game("bo"), most=60)
    screen, beyond = ViewerScreen(table, table.waiting[0]), set()
    for key in screen.selection.targets:
        screen.selection.deselect()
        screen.selection.select(key)
        canvas = screen.draw(40, 24)
        hidden = set(screen.selection.targets) - {region.key for region in canvas.regions}
        assert reach_by_arrows(screen.selection, canvas) == set(screen.selection.targets)
        for far in hidden:
            screen.selection.cursor = far
            assert far in {region.key for region in screen.draw(40, 24).regions}
        beyond |= hidden
    assert beyond
