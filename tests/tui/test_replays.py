"""Replays: every step, every view, and the moments worth jumping to."""

import pytest

from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR
from kibitz.table import Table
from kibitz.table.outcomes import new_deal_steps
from kibitz.tui.application import KibitzApp, replay_route
from kibitz.tui.replay import ALL_HANDS, BARS, Replay, ReplayScreen
from tests.tui.playing import random_game, run, wait_for


def finished(name, seed=1):
    """A random game to its end."""
    return random_game(game(name), seed, most=100_000)


def replayed(record, steps, viewpoint=None, size=(80, 24)):
    async def whole(pilot):
        screen = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen)
        await pilot.pause()
        return await steps(pilot, screen)

    return run(KibitzApp(replay_route(record, viewpoint)), whole, size)


@pytest.mark.parametrize("name", ["president-mini", "holdem:players=2,hands=3", "cribbage-mini"])
def test_moments_are_the_ends_of_hands_and_rounds_and_the_end(name):
    table = finished(name)
    replay = Replay(table.record)
    assert replay.moments[-1] == replay.last
    assert replay.moments[:-1] == [step for step in new_deal_steps(table) if step != replay.last]


def test_every_game_that_deals_again_has_chapters():
    for played in all_games():
        if repeated := getattr(played.rules, "ROUNDS_OPTION", ""):
            low, high = played.option_ranges.get(repeated, (0, 0))
            if low <= 2 <= high:
                assert list(new_deal_steps(random_game(played.with_options(**{repeated: 2}), most=3000))), played.name


def test_a_forfeit_is_a_moment_and_is_in_the_history():
    table = Table.deal("go", seed=1)
    table.act(0, table.legal(0)[0])
    table.forfeit(1, "illegal", "It played a card that it does not hold.")
    while not table.over:
        seat = table.waiting[0]
        table.act(seat, table.legal(seat)[0])
    replay = Replay(table.record)
    assert table.forfeits[0].moves in replay.moments
    assert any("It played a card" in line for line in replay.history(replay.last, SPECTATOR))
    assert not any("It played a card" in line for line in replay.history(table.forfeits[0].moves - 1, SPECTATOR))


def test_keys_step_jump_and_change_the_view():
    record = finished("president-mini").record

    async def steps(pilot, screen):
        assert (screen.step, screen.viewpoint) == (0, ALL_HANDS)
        await pilot.press("right", "right", "d", "left")
        assert screen.step == 2
        await pilot.press("end")
        assert screen.step == screen.replay.last
        await pilot.press("home", "n")
        assert screen.step == screen.replay.moments[0]
        await pilot.press("v")
        assert screen.viewpoint == 0
        assert f"as {record.seats[0]}" in screen.board.canvas.text
        await pilot.press("p")
        assert screen.step in (0, *screen.replay.moments)

    replayed(record, steps)


def test_automatic_replay_stops_at_the_end():
    record = finished("kuhn").record

    async def steps(pilot, screen):
        screen.speed = 0.1
        await pilot.press("space")
        await wait_for(pilot, lambda: screen.step == screen.replay.last)
        await wait_for(pilot, lambda: screen.timer is None)

    replayed(record, steps)


def test_a_click_on_the_timeline_jumps_there():
    record = finished("go-mini").record

    async def steps(pilot, screen):
        await pilot.click(screen.board, offset=(79, 0))
        await pilot.pause()
        assert screen.step == screen.replay.last
        await pilot.click(screen.board, offset=(0, 0))
        await pilot.pause()
        assert screen.step == 0

    replayed(record, steps)


def test_a_replay_shows_a_seats_own_view_or_all_hands():
    record = finished("go-mini").record
    replay = Replay(record)
    hidden = replay.scene(0, 0)
    openly = replay.scene(0, ALL_HANDS)
    assert sum(len(zone.spots) for zone in hidden.zones) < sum(len(zone.spots) for zone in openly.zones)
    table = Table.resume(record).at(0)
    assert hidden == table.game.scene(table.view(0), ["You", *record.seats[1:]])


def test_a_replay_of_an_unfinished_game_shows_no_cards():
    table = random_game(game("go"), most=5)
    replay = Replay(table.record)
    assert replay.viewpoints() == [SPECTATOR]


def test_a_review_shows_a_seats_chances_and_better_choices():
    record = finished("go-mini").record

    async def steps(pilot, screen):
        await pilot.press("r")
        review = await wait_for(pilot, lambda: screen.review)
        assert {one.step for one in review.decisions} <= set(range(screen.replay.last))
        first = review.decisions[0]
        screen.go(first.step)
        text = " ".join(screen.board.canvas.text.split())
        assert f"{record.seats[first.seat]} now chooses {first.chosen}" in text
        assert set(screen.board.canvas.text.splitlines()[1]) <= set(BARS + " ")
        assert set(review.turning_points) <= set(screen.replay.moments)

    replayed(record, steps)


@pytest.mark.long
def test_leaving_stops_the_review():
    record = finished("bo").record

    async def steps(pilot, screen):
        await pilot.press("r")
        await wait_for(pilot, lambda: screen.status.startswith("Reviewed "))
        await pilot.press("escape")
        await pilot.pause(0.3)
        assert screen.review is None

    replayed(record, steps)
