"""Replays with notes and with the calls of a player file; the ladder; unknown keys."""

from kibitz.engine.record import Record, parse, text
from kibitz.players.player_replay import replay_player
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.table.match import play_match
from kibitz.tui.application import KibitzApp, Menu, menu_route, replay_route
from kibitz.tui.dialogs import ChoiceWindow, InputWindow, LadderWindow, TextWindow
from kibitz.tui.replay import Replay, ReplayScreen
from tests.tui.playing import application, key_event, local_game, run, shortened, wait_for, wait_for_choice

SPEAKS = "def play(view, legal):\n    print('I hold', len(view.hand))\n    return legal[0]\n"
BREAKS = SPEAKS.replace("return legal[0]", "return legal[0] if len(view.hand) > 3 else 1 / 0")


def record_game(game, file, tmp_path, source=SPEAKS):
    """A game between a player file and a built-in player."""
    path = tmp_path / file
    path.write_text(source)
    specs = [find_player(game, str(path), own_file=True)] + [find_player(game, "first")] * (game.seats - 1)
    return play_match(game, [spec.make() for spec in specs], 5).record, path


def go_mini():
    from kibitz.engine.registry import game

    return game("go-mini")


def test_a_replayed_file_shows_its_calls_results_and_output(tmp_path):
    record, path = record_game(go_mini(), "mine.py", tmp_path, "print('hello')\n" + SPEAKS)
    said = list(replay_player(record, 0, find_player(go_mini(), str(path), own_file=True)))
    first, *calls = said
    assert (first.step, first.call, first.printed) == (0, "", "hello\n")
    table = Table.resume(record)
    asked_at = [past.step for past in table.replay() if past.step < table.step and past.player == 0]
    assert [one.step for one in calls] == asked_at
    assert all(one.call.startswith("play(View(seat=0") and one.returned for one in calls)
    assert calls[0].printed == "I hold 3\n" or calls[0].printed.startswith("I hold ")
    assert not any(one.chosen or one.failure for one in said)


def test_a_file_that_plays_differently_from_the_record_is_reported(tmp_path):
    record, path = record_game(go_mini(), "mine.py", tmp_path)
    path.write_text(SPEAKS.replace("legal[0]", "legal[-1]"))
    changed = list(replay_player(record, 0, find_player(go_mini(), str(path), own_file=True)))
    assert any(one.chosen for one in changed)
    path.write_text("def play(view, legal):\n    print('then')\n    1 / 0\n")
    (failed,) = replay_player(record, 0, find_player(go_mini(), str(path), own_file=True))
    assert "ZeroDivisionError" in failed.failure
    assert failed.printed == "then\n"
    path.write_text("1 / 0\n")
    (unloaded,) = replay_player(record, 0, find_player(go_mini(), str(path), own_file=True))
    assert "ZeroDivisionError" in unloaded.failure


def test_the_failing_call_of_a_file_is_shown_last(tmp_path):
    record, path = record_game(go_mini(), "mine.py", tmp_path, BREAKS)
    (forfeit,) = record.forfeits
    said = list(replay_player(record, 0, find_player(go_mini(), str(path), own_file=True)))
    assert (said[-1].step, "ZeroDivisionError" in said[-1].failure) == (forfeit.moves, True)
    assert said[-1].call.startswith("play(View(seat=0")
    assert said[-1].printed.startswith("I hold ")
    assert not any(one.failure for one in said[:-1])
    path.write_text(SPEAKS)
    again = list(replay_player(record, 0, find_player(go_mini(), str(path), own_file=True)))
    assert (again[-1].step, again[-1].failure) == (forfeit.moves, "")


def feedback(screen):
    return screen.frame().feedback


def test_a_replay_shows_a_files_output_at_its_steps(tmp_path):
    record, path = record_game(go_mini(), "mine.py", tmp_path)

    async def steps(pilot):
        screen = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen)
        screen.on_key(key_event("f"))
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceWindow))
        pilot.app.screen.dismiss(0)
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, InputWindow))
        pilot.app.screen.dismiss(str(tmp_path / "nowhere.py"))
        await wait_for(pilot, lambda: "nowhere.py" in feedback(screen))
        screen.status = ""
        screen.on_key(key_event("f"))
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceWindow))
        pilot.app.screen.dismiss(0)
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, InputWindow))
        pilot.app.screen.dismiss(str(path))
        await wait_for(pilot, lambda: screen.printed_by_step)
        there = feedback(screen)
        screen.on_key(key_event("f"))
        window = await wait_for(pilot, lambda: isinstance(pilot.app.screen, TextWindow) and pilot.app.screen)
        return there, list(window.lines)

    there, whole = run(KibitzApp(replay_route(record, None)), steps)
    assert "It was called as play(View(seat=0" in there
    assert any(line.strip().startswith("I hold ") for line in whole)


def test_notes_are_in_the_history_at_their_step_and_are_moments(tmp_path):
    record, _ = record_game(go_mini(), "mine.py", tmp_path)
    import msgspec

    noted = msgspec.structs.replace(record, notes=("after move 3: Ann has asked for a hint: the game is unrated.",))
    replay = Replay(parse(text(noted)))
    assert isinstance(replay.record, Record)
    assert 3 in replay.moments
    told = "Ann has asked for a hint: the game is unrated."
    assert told not in replay.history(2, -1)
    assert replay.history(3, -1)[-1] == told


def test_the_menu_shows_the_ladder(monkeypatch):
    monkeypatch.setattr("kibitz.tui.dialogs.LADDER_DEALS", 1)

    async def steps(pilot):
        menu = await wait_for(pilot, lambda: isinstance(pilot.app.screen, Menu) and pilot.app.screen)
        menu.dismiss("ladder")
        choosing = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceWindow) and pilot.app.screen)
        choosing.dismiss(next(i for i, title in enumerate(choosing.choices) if "Eights" in title))
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, LadderWindow | TextWindow))
        window = await wait_for(pilot, lambda: isinstance(pilot.app.screen, TextWindow) and pilot.app.screen)
        return list(window.lines)

    lines = run(KibitzApp(menu_route), steps)
    assert any("greedy" in line and "±" in line and "won" in line for line in lines)
    assert any("The average is 1500 points" in line for line in lines)


def test_an_unknown_key_lists_the_keys():
    game = shortened(go_mini())

    async def steps(pilot):
        screen = await wait_for_choice(pilot)
        for key in ("z", "x", ";"):
            screen.on_key(key_event(key))
            assert screen.feedback.startswith(f"{key!r} isn't a key here: h hint, u undo")
        screen.on_key(key_event("right"))
        assert screen.feedback == ""
        return True

    assert run(application(local_game(game)), steps)
