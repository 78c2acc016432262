"""The menu: every entry, and the way back."""

import pytest
from textual.widgets import Input, OptionList

from kibitz.engine.registry import all_games, families
from kibitz.tui.application import KibitzApp, Menu, menu_lines, menu_route
from kibitz.tui.dialogs import ChoiceWindow, InputWindow, QuestionWindow, TextWindow
from kibitz.tui.puzzle import PuzzleScreen
from kibitz.tui.replay import ReplayScreen
from tests.tui.playing import notification, random_game, run, screen_text, wait_for, wait_for_choice


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The data folder, separate for each test, and its working directory."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("KIBITZ_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def from_menu(key, steps, size=(80, 24)):
    """Choose a line of the menu, then run ``steps``."""
    app = KibitzApp(menu_route)
    app.pace = 0.0

    async def whole(pilot):
        menu = await wait_for_screen(pilot, Menu)
        menu.dismiss(key)
        return await steps(pilot)

    return run(app, whole, size)


async def wait_for_screen(pilot, kind):
    """The window or screen of a type, once it is ready."""
    found = await wait_for(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen)
    await pilot.pause()
    return found


def test_every_game_is_in_the_menu_under_its_family():
    assert sorted(game.name for family in families() for game in family.games) == sorted(g.name for g in all_games())
    keys = [line.key for line in menu_lines() if line.key.startswith("play:")]
    assert keys == [f"play:{family.name}" for family in families()]


def test_a_family_has_one_line_and_its_variants_a_second_menu():
    async def steps(pilot):
        which = await wait_for_screen(pilot, ChoiceWindow)
        words = [str(option.prompt) for option in which.query_one(OptionList).options]
        await pilot.press("down", "enter")
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        return words, (await wait_for_choice(pilot)).table.game.name

    words, played = from_menu("play:poker", steps)
    assert [line.text.split()[0] for line in menu_lines() if "poker" in line.text.lower()] == ["Poker"]
    assert len({word.partition(":")[0] for word in words}) == len(words)
    assert played == "draw"


def test_a_game_starts_with_two_keys():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        table = (await wait_for_choice(pilot)).table
        return table.game.name, table.names

    assert from_menu("play:eights", steps) == ("eights", ("Guest", "Easy-1", "Easy-2", "Easy-3"))


def test_a_guided_first_hand_shows_what_to_do_and_where():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("end", "up", "up", "enter")
        screen = await wait_for_choice(pilot)
        assert screen.selection.hinted
        first = screen.board.canvas.text
        await pilot.press("enter")
        await wait_for(pilot, lambda: screen.table.step > 0 and screen.selection)
        await pilot.pause()
        return first, screen.board.canvas.text

    first, second = from_menu("play:eights", steps)
    assert "Tip: Be first to get rid of your cards." in first
    assert "Tip: " in second
    assert "get rid of your cards" not in second


def test_players_and_options_are_asked_for_one_after_the_other():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("end", "up", "enter")
        players = await wait_for_screen(pilot, QuestionWindow)
        await pilot.press("9", "enter")
        await pilot.pause()
        assert pilot.app.screen is players
        players.query_one(Input).value = ""
        await pilot.press("3", "enter")
        who = await wait_for(pilot, lambda: question(pilot, "player 1"))
        assert any("random" in str(option.prompt) for option in who.query_one(OptionList).options)
        await pilot.press("enter")
        await wait_for(pilot, lambda: question(pilot, "name 1"))
        await pilot.press(*"Zoe", "enter")
        await wait_for(pilot, lambda: question(pilot, "player 2"))
        await pilot.press("ctrl+s")
        return (await wait_for_choice(pilot)).table

    table = from_menu("play:bo", steps)
    assert table.game.seats == 3
    assert table.names[0] == "Zoe"


def question(pilot, key):
    screen = pilot.app.screen
    return screen if isinstance(screen, QuestionWindow) and screen.question.key == key and screen.query(Input) else None


def test_a_file_that_is_not_a_player_is_refused_in_the_window():
    async def steps(pilot):
        which = await wait_for_screen(pilot, ChoiceWindow)
        which.dismiss(
            [game.name for family in families() if family.name == "poker" for game in family.games].index("kuhn")
        )
        await wait_for(pilot, lambda: pilot.app.screen is not which and isinstance(pilot.app.screen, ChoiceWindow))
        await pilot.pause()
        await pilot.press("end", "up", "enter")
        await wait_for(pilot, lambda: question(pilot, "player 1"))
        await pilot.press("enter")
        await wait_for(pilot, lambda: question(pilot, "name 1"))
        await pilot.press("enter")
        window = await wait_for(pilot, lambda: question(pilot, "player 2"))
        window.query_one(Input).focus()
        await pilot.press(*"nobody.py", "enter")
        await pilot.pause()
        assert pilot.app.screen is window
        return str(window.query_one(".wrong").render())

    assert "nobody.py" in from_menu("play:poker", steps)


def test_leaving_the_questions_leads_back_to_the_menu():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("escape")
        await wait_for_screen(pilot, Menu)
        await pilot.press("escape")
        await pilot.pause()
        return pilot.app.return_value

    assert from_menu("play:go", steps) == "Goodbye."


def test_a_record_is_found_in_the_folder_and_shown(folder):
    from kibitz.engine.record import text
    from kibitz.engine.registry import game

    (folder / "one.game").write_text(text(random_game(game("kuhn")).record))

    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        await wait_for_screen(pilot, ReplayScreen)
        await pilot.press("escape")
        await wait_for_screen(pilot, Menu)

    from_menu("replay", steps)


def test_a_puzzle_is_solved_with_two_keys_and_judged():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("enter")
        puzzle = await wait_for_screen(pilot, PuzzleScreen)
        await pilot.press("h")
        await pilot.pause()
        shown = screen_text(pilot)
        puzzle.finish_choice(puzzle.puzzle.best)
        answer = await wait_for_screen(pilot, TextWindow)
        await pilot.press("enter")
        await wait_for_screen(pilot, Menu)
        return shown, answer

    shown, answer = from_menu("puzzle", steps)
    assert "Puzzle of the day: " in shown
    assert "A puzzle has no hints." in shown
    assert answer.heading == "Correct."
    assert answer.lines[0].startswith("Best: ")


@pytest.mark.parametrize("typed", ["nothing.game", "."])
def test_a_file_that_is_not_a_record_gets_one_sentence(typed):
    async def steps(pilot):
        await wait_for_screen(pilot, InputWindow)
        await pilot.press(*typed, "enter")
        note = await notification(pilot)
        await wait_for_screen(pilot, Menu)
        return note

    assert from_menu("replay", steps).endswith(".")


def test_without_a_season_the_menu_says_so_and_stays():
    async def steps(pilot):
        note = await notification(pilot)
        await wait_for_screen(pilot, Menu)
        return note

    assert "season" in from_menu("arena", steps) or "store" in from_menu("arena", steps)


def marked_lines(screen):
    """The lines of a list that have the cursor's mark."""
    found = screen.query_one(OptionList)
    return [number for number, option in enumerate(found.options) if str(option.prompt).startswith("▸ ")]


def test_the_current_line_of_a_list_is_marked_by_more_than_a_colour():
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.press("escape")
        menu = await wait_for_screen(pilot, Menu)
        for _ in range(3):
            await pilot.press("down")
            await pilot.pause()
            assert marked_lines(menu) == [menu.query_one(OptionList).highlighted]
        await pilot.press("enter")
        window = await wait_for_screen(pilot, ChoiceWindow)
        await pilot.pause()
        assert marked_lines(window) == [0]

    from_menu("play:go", steps)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_a_long_text_leaves_room_for_the_closing_key(size):
    async def steps(pilot):
        await wait_for_screen(pilot, ChoiceWindow)
        await pilot.app.push_screen(TextWindow("Long", [f"line {number}" for number in range(100)]))
        await pilot.pause()
        return screen_text(pilot)

    assert "Esc closes" in from_menu("play:go", steps, size)
