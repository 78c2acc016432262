"""Saved games are resumed in the application; a save that can't be resumed is reported and kept."""

import pytest

from kibitz.engine.record import read_any
from kibitz.engine.registry import game
from kibitz.table.saved import saved_games
from kibitz.tui.application import KibitzApp, Menu, menu_route, player_finder, resume_route
from kibitz.tui.local_table import store_nowhere
from kibitz.tui.replay import ReplayScreen
from tests.tiers import first_fast
from tests.tui.playing import application, key_event, local_game, notification, play_out, run, wait_for, wait_for_choice


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The data folder, separate for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def start_and_close(name="eights", keys=2):
    """Play some keys and close the terminal; returns the save, the actions and the names."""

    async def steps(pilot):
        for _ in range(keys):
            screen = await wait_for_choice(pilot)
            screen.on_key(key_event("enter"))
            await pilot.pause(0.02)
        await wait_for_choice(pilot)
        screen.saver.close()  # as the system does when a process is killed
        return list(screen.table.actions), screen.table.names

    played = run(application(local_game(game(name))), steps)
    (path,) = saved_games()
    return path, *played


def resumed_app(path):
    app = KibitzApp(lambda app: resume_route([path], player_finder(app), store_nowhere)(app))
    app.pace = 0.0
    return app


def test_every_action_is_in_the_file_when_the_terminal_is_closed():
    path, actions, names = start_and_close()
    record = read_any(path)
    assert list(record.actions) == actions
    assert record.seats == names
    assert record.chairs == (None, "random", "random", "random")


def test_a_resumed_game_continues_and_its_save_is_deleted_at_the_end():
    path, actions, _ = start_and_close()

    async def steps(pilot):
        screen = await wait_for_choice(pilot)
        assert list(screen.table.actions) == actions
        assert screen.session.decisions[0]
        done = await play_out(pilot)
        await pilot.pause(0.05)
        return done.record

    record = run(resumed_app(path), steps)
    assert list(record.actions[: len(actions)]) == actions
    assert not path.exists()


def broken(path, how):
    text = path.read_text()
    match how:
        case "newer":
            return text.replace("\nrules: 1\n", "\nrules: 99\n").replace("\nrules: 2\n", "\nrules: 99\n")
        case "gone":
            return text.replace("game: eights", "game: whist")
        case "damaged":
            return text[: len(text) // 2]
        case _:
            return "what is this"


@pytest.mark.parametrize("how", first_fast(["newer", "gone", "damaged", "other"]))
def test_a_game_that_cannot_be_resumed_gets_one_sentence_and_keeps_its_file(how):
    path, *_ = start_and_close()
    path.write_text(broken(path, how))
    kept = path.read_bytes()

    async def steps(pilot):
        menu = await wait_for(pilot, lambda: isinstance(pilot.app.screen, Menu) and pilot.app.screen)
        menu.dismiss(f"resume:{path}")
        note = await notification(pilot)
        assert "Traceback" not in note
        assert note.endswith(".")
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, Menu) and pilot.app.screen is not menu)
        return note

    said = run(KibitzApp(menu_route), steps)
    assert len(said) < 400
    assert path.read_bytes() == kept


def test_a_saved_finished_game_is_shown_and_deleted():
    path, *_ = start_and_close()
    from kibitz.engine.record import text
    from kibitz.table import Table

    table = Table.resume(read_any(path))
    while not table.over:
        seat = table.waiting[0]
        table.act(seat, table.legal(seat)[0])
    path.write_text(text(table.record))

    async def steps(pilot):
        shown = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen)
        assert shown.step == shown.replay.last
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, Menu))

    run(resumed_app(path), steps)
    assert not path.exists()
