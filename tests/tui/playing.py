"""Playing games on the screen by keys, and reading the screen."""

import asyncio
import random
import time

from textual._compositor import LayoutUpdate

from kibitz.engine.registry import all_games
from kibitz.players.opponents import seat_players
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.tui.application import KibitzApp, table_route
from kibitz.tui.dialogs import TextWindow
from kibitz.tui.local_table import LocalGame, LocalTable

KEYS = ("right", "right", "left", "down", "up", "space", "enter", "enter", "enter")


def short_games():
    """The smallest variant of each family, with one round if rounds can be chosen."""
    found = {}
    for game in all_games():
        found.setdefault(game.name.partition("-")[0], []).append(game)
    return [shortened(min(games, key=lambda game: ("mini" not in game.name, game.seats))) for games in found.values()]


def shortened(game):
    """The game with the fewest rounds, hands and players that its options allow."""
    repeated = getattr(game.rules, "ROUNDS_OPTION", "")
    few = {
        name: low
        for name, (low, _) in game.option_ranges.items()
        if name == repeated or (name == "players" and "mini" not in game.name)
    }
    return game.with_options(**few)


def local_game(game, people=(0,), seed=1, opponent="random", **more):
    names = [f"Person {seat}" if seat in people else f"Robot {seat}" for seat in range(game.seats)]
    words = [None if seat in people else opponent for seat in range(game.seats)]
    where = seat_players(words, lambda words: [find_player(game, word) for word in words])
    return LocalGame(Table.deal(game, seed, names), where, **more)


def application(local_game, **more):
    return KibitzApp(table_route(local_game), pace=0.0, **more)


TIMEOUT = 300
"""The maximum seconds to wait for something."""


async def wait_for(pilot, condition):
    """Wait until ``condition()`` is true, and return its value."""
    end = time.monotonic() + TIMEOUT
    while not (found := condition()):
        if time.monotonic() > end or not pilot.app.is_running:
            raise AssertionError(f"nothing comes on {pilot.app.screen}")
        await pilot.pause(0.01)
    return found


def find_table(pilot):
    """The table's screen, even below a window; None if there is none."""
    return next((screen for screen in pilot.app.screen_stack if isinstance(screen, LocalTable)), None)


async def wait_for_choice(pilot):
    """The table's screen, once somebody must choose or press Enter, or the game is over; closes summaries."""

    def find_screen():
        screen = find_table(pilot)
        if isinstance(pilot.app.screen, TextWindow):
            pilot.app.screen.dismiss(None)
            return None
        return screen if screen and (screen.selection or screen.enter_pressed or screen.record) else None

    return await wait_for(pilot, find_screen)


def random_game(game, seed=1, most=120):
    """A game of at most ``most`` random actions."""
    table, dice = Table.deal(game, seed), random.Random(seed)
    while not table.over and table.step < most:
        seat = dice.choice(table.waiting)
        table.act(seat, dice.choice(table.legal(seat)))
    return table


async def play_out(pilot, seed=0, most=20_000, look=lambda screen: None):
    """Press keys until the game is over; returns the table's screen. Calls ``look`` with it before every key."""
    dice = random.Random(seed)
    for _ in range(most):
        screen = await wait_for_choice(pilot)
        look(screen)
        if screen.record is not None and screen.enter_pressed is None:
            return screen
        key = "enter" if screen.enter_pressed is not None else dice.choice(KEYS)
        screen.on_key(key_event(key))
        await asyncio.sleep(0)
    raise AssertionError(f"the game is not over after {most} keys")


def screen_text(pilot):
    """The text on the screen now, including windows."""
    return "\n".join("".join(part.text for part in strip) for strip in pilot.app.screen._compositor.render_strips())


def record_full_redraws(pilot, monkeypatch):
    """A list that collects every full redraw of the screen from now on."""
    found = []
    monkeypatch.setattr(
        pilot.app, "_display", lambda _, update: found.append(update) if isinstance(update, LayoutUpdate) else None
    )
    return found


async def notification(pilot):
    """The text of the first notification, once there is one."""
    return (await wait_for(pilot, lambda: next(iter(pilot.app._notifications), None))).message


def key_event(key):
    from textual.events import Key

    return Key(key, key if len(key) == 1 else None)


def run(app, steps, size=(80, 24)):
    """Run the application without a terminal and go through ``steps`` with its pilot."""

    async def whole():
        async with app.run_test(size=size) as pilot:
            return await steps(pilot)

    return asyncio.run(whole())
