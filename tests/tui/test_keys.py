"""Keys and clicks at a table."""

from random import Random

import pytest
from textual.driver import Driver

from kibitz.engine.record import commitment, read_any
from kibitz.engine.registry import game
from kibitz.table.saved import saved_games
from kibitz.tui.dialogs import ChoiceWindow, InputWindow, TextWindow
from kibitz.tui.replay import ReplayScreen
from kibitz.tui.selection import Selection
from tests.tui.playing import (
    application,
    key_event,
    local_game,
    play_out,
    record_full_redraws,
    run,
    screen_text,
    wait_for,
    wait_for_choice,
)

QUEENLESS, WITH_QUEEN = 3, 1
"""Seeds of Go: without and with a queen in the first seat's hand."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The data folder, separate for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def at_table(name, steps, people=(0,), seed=1, size=(80, 24), **more):
    """Run ``steps`` with the pilot and the table's screen, once a choice is asked for."""

    async def whole(pilot):
        return await steps(pilot, await wait_for_choice(pilot))

    return run(application(local_game(game(name), people, seed), **more), whole, size)


def table(*where, **options):
    """A decorator: the test's coroutine runs at a table (see ``at_table``)."""

    def as_test(steps):
        def test():
            at_table(*where, steps, **options)

        test.__name__, test.__doc__ = steps.__name__, steps.__doc__
        return test

    return as_test


def press(screen, *keys):
    for key in keys:
        screen.on_key(key_event(key))


async def answered(pilot, screen, step):
    await wait_for(pilot, lambda: screen.table.step > step and (screen.selection or screen.record))


@table("go")
async def test_the_cursor_moves_among_what_can_be_selected_and_enter_plays_it(pilot, screen):
    first = screen.selection.cursor
    await pilot.press("right")
    second = screen.selection.cursor
    assert second != first
    assert f"▸{2}" in screen.board.canvas.text
    await pilot.press("left")
    assert screen.selection.cursor == first
    await pilot.press("right", "enter")
    await answered(pilot, screen, 0)
    assert screen.table.game.text(screen.table.view(0), screen.table.actions[0]) == second.partition(":")[2]


def test_a_table_says_which_players_lack_machine_code(monkeypatch):
    monkeypatch.setattr("kibitz.players.built_in.is_ready", lambda game: False)
    monkeypatch.setattr("kibitz.search.search_players.is_ready", lambda game: False)
    monkeypatch.setattr("kibitz.players.compiling.compile_later", lambda name: None)

    async def steps(pilot):
        screen = await wait_for_choice(pilot)
        assert screen.history[0].startswith("The strongest computer player is a little weaker until")

    run(application(local_game(game("president-mini"), opponent="best")), steps)


def test_a_card_is_selected_by_its_letters_and_ten_in_every_spelling():
    async def steps(pilot, screen):
        for letters in (("1", "0", "h"), ("0", "h"), ("t", "h"), ("1", "0", "♥")):
            step, card = screen.table.step, screen.selection.scene.spots
            ten = next((key for key in card if key.startswith("hand0:0H")), None)
            press(screen, *letters)
            if ten is None:
                assert screen.selection.refusal == "There is no {} on the table that you can see.".format(
                    "".join(letters).upper().replace("♥", "H")
                )
            else:
                await answered(pilot, screen, step)

    for seed in range(1, 4):
        at_table("go", steps, seed=seed)


@table("go")
async def test_a_digit_is_the_number_of_a_choice_unless_a_suit_follows(pilot, screen):
    third = list(screen.selection.offered)[2]
    press(screen, "3")
    await answered(pilot, screen, 0)
    assert screen.table.game.text(screen.table.view(0), screen.table.actions[0]) == third.partition(":")[2]


@table("go")
async def test_a_digit_that_another_key_follows_is_the_number_of_a_choice(pilot, screen):
    press(screen, "2", "right")
    await answered(pilot, screen, 0)


@table("go-mini")
async def test_an_illegal_choice_is_refused_with_the_reason(pilot, screen):
    press(screen, "k", "h")
    assert screen.board.canvas.text.count("There is no KH on the table that you can see.") == 1
    press(screen, "9", "x")
    assert screen.selection.refusal
    press(screen, ":")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, InputWindow))
    await pilot.press(*"rubbish", "enter")
    await wait_for(pilot, lambda: pilot.app.screen is screen)
    assert "rubbish" in screen.selection.refusal
    assert screen.table.step == 0


@table("bo")
async def test_a_selected_card_highlights_its_places_and_escape_puts_it_back(pilot, screen):
    before = set(screen.selection.offered)
    press(screen, "enter")
    assert len(screen.selection.picking.chosen) == 1
    assert {screen.selection.offered[key].kind for key in screen.selection.offered} == {"place"}
    assert not any(key.startswith("discard") for key in before)
    assert "┏━━━┓" in screen.board.canvas.text
    press(screen, "escape")
    assert not screen.selection.picking.chosen
    assert set(screen.selection.offered) == before
    press(screen, "enter", "enter")
    await answered(pilot, screen, 0)


@table("bo", size=(120, 40))
async def test_one_click_takes_a_card_and_another_places_it(pilot, screen):
    await pilot.pause()
    for _ in range(2):
        region = next(r for r in screen.board.canvas.regions if r.key == screen.selection.cursor)
        await pilot.click(screen.board, offset=(region.x + 1, region.y))
        await pilot.pause()
    await answered(pilot, screen, 0)


@table("cribbage")
async def test_several_cards_are_selected_with_space_and_played_with_enter(pilot, screen):
    cards = [key for key, part in screen.selection.offered.items() if part.kind == "card"][:2]
    for card in cards:
        screen.selection.cursor = card
        press(screen, "space")
    assert set(screen.selection.picking.chosen) == set(cards)
    assert "Enter: " in screen.board.canvas.text
    press(screen, "enter")
    await answered(pilot, screen, screen.table.step)


@table("holdem:players=2")
async def test_a_raise_asks_for_an_amount_within_its_range(pilot, screen):
    selection = screen.selection
    raising = next(key for key, part in selection.offered.items() if part.label.startswith(("raise", "bet")))
    assert all(part.kind != "amount" for part in selection.offered.values())
    selection.cursor = raising
    press(screen, "space")
    low, high = selection.amount.least, selection.amount.most
    for typed, refused in ((str(high + 1), True), ("x", True), (str(low + 1), False)):
        press(screen, "7")
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, InputWindow))
        pilot.app.screen.dismiss(typed)
        await wait_for(pilot, lambda: pilot.app.screen is screen)
        await pilot.pause(0.05)
        assert (f"from {low} to {high}" in selection.refusal) is refused
    await answered(pilot, screen, screen.table.step - 1)


@table("bo")
async def test_a_decision_can_be_undone_until_it_shows_something_new(pilot, screen):
    press(screen, "u")
    assert screen.feedback == "There is nothing to undo yet."
    view = screen.table.view(0)
    press(screen, "enter", "enter")
    await answered(pilot, screen, 0)
    if screen.table.player == 0:
        press(screen, "u")
        await wait_for(pilot, lambda: screen.selection and (screen.table.step == 0 or screen.feedback))
        assert screen.table.step == 0 or "seen something new" in screen.feedback
        if screen.table.step == 0:
            assert screen.table.view(0) == view


@table("go")
async def test_a_decision_that_drew_a_card_cannot_be_undone(pilot, screen):
    press(screen, "enter")
    await answered(pilot, screen, 0)
    press(screen, "u")
    assert screen.feedback == "You can't undo: you have seen something new since."


@table("go")
async def test_a_hint_gives_its_reason_and_marks_its_cards(pilot, screen):
    press(screen, "h")
    await wait_for(pilot, lambda: screen.feedback.startswith("Hint: "))
    assert screen.selection.hinted
    assert screen.selection.cursor in screen.selection.hinted


@table("go-mini")
async def test_a_hint_is_noted_once_in_the_save_and_the_record(pilot, screen):
    press(screen, "enter")
    await answered(pilot, screen, 0)
    noted = f"after move {screen.table.step}: Person 0 has asked for a hint."
    for _ in range(2):
        press(screen, "h")
        await wait_for(pilot, lambda: screen.feedback.startswith("Hint: "))
        assert read_any(saved_games()[0]).notes == (noted,)
        screen.feedback = ""
    while screen.record is None:
        press(screen, "enter")
        await pilot.pause(0.01)
    assert screen.record.notes == (noted,)


@table("go")
async def test_help_history_and_words_are_windows_that_escape_closes(pilot, screen):
    for key, words in (("?", "undo your last choice"), ("l", "You hold"), ("s", "Turn 1 of")):
        await pilot.press(key)
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, TextWindow))
        assert words in "\n".join(pilot.app.screen.lines)
        await pilot.press("escape")
        assert pilot.app.screen is screen


@table("go")
async def test_the_pace_can_be_changed_and_space_skips_to_the_next_turn(pilot, screen):
    screen.pace = 3.0
    press(screen, "enter")
    await wait_for(pilot, lambda: screen.selection is None)
    press(screen, "+")
    assert screen.pace == 1.5
    press(screen, "-", "-", "-")
    assert screen.pace == 3.0
    press(screen, "space")
    await answered(pilot, screen, 0)


def test_leaving_saves_the_game_and_says_so():
    async def steps(pilot, screen):
        press(screen, "enter")
        await answered(pilot, screen, 0)
        press(screen, "escape")
        await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceWindow))
        await pilot.press("down", "enter")
        await pilot.pause(0.2)
        return pilot.app.return_value

    assert at_table("go", steps) == "Goodbye: the game is saved; 'kibitz resume' continues it."
    assert len(saved_games()) == 1


def press_and_quit(*keys):
    async def steps(pilot, screen):
        press(screen, *keys)
        await wait_for(pilot, lambda: pilot.app.return_value is not None)
        return pilot.app.return_value

    return steps


@pytest.mark.parametrize(
    ("seed", "keys"), [(QUEENLESS, "q"), (WITH_QUEEN, "qq")], ids=["no queen to take", "a queen to take"]
)
def test_q_leaves_and_an_unstarted_game_is_not_saved(seed, keys):
    assert at_table("go", press_and_quit(*keys), seed=seed) == "Goodbye."
    assert not saved_games()


def test_q_leaves_while_others_play_and_while_the_keyboard_is_handed_over():
    assert "is saved" in at_table("go", press_and_quit("enter", "q"), seed=QUEENLESS)
    assert at_table("go", press_and_quit("q"), people=(0, 1)) == "Goodbye."


@table("go", seed=WITH_QUEEN)
async def test_the_first_q_says_what_may_follow_where_a_queen_can_be_selected(pilot, screen):
    press(screen, "q")
    assert "d c h s selects that queen; q again leaves" in screen.board.canvas.text
    press(screen, "x")
    assert screen.record is None
    assert pilot.app.screen is screen


@table("go", seed=QUEENLESS)
async def test_q_asks_first_where_the_game_cannot_be_saved(pilot, screen):
    screen.saver.has_failed = True
    press(screen, "q")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceWindow))
    assert any("it is not saved" in line for line in pilot.app.screen.choices)


def test_the_whole_screen_is_redrawn_after_a_suspension(monkeypatch):
    async def steps(pilot, screen):
        await pilot.pause(0.1)
        pictures = record_full_redraws(pilot, monkeypatch)
        pilot.app.post_message(Driver.SignalResume())
        await wait_for(pilot, lambda: pictures)

    at_table("go", steps)


@table("go-mini")
async def test_the_end_offers_a_rematch_a_replay_and_the_seed(pilot, screen):
    while screen.record is None:
        press(screen, "enter")
        await pilot.pause(0.01)
    await pilot.pause(0.05)
    assert str(screen.record.seed) in screen.board.canvas.text
    assert not saved_games()
    await pilot.press("v")
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
    await pilot.press("escape")
    names = screen.table.names
    await pilot.press("r")
    again = await wait_for(pilot, lambda: rematch_screen(pilot, screen))
    assert again.table.names == (names[-1], *names[:-1])


@table("go-mini", seed=2)
async def test_a_review_starts_at_the_turning_point(pilot, screen):
    while screen.record is None:
        press(screen, "enter")
        await pilot.pause(0.01)
    await pilot.press("e")
    shown = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen)
    review = await wait_for(pilot, lambda: shown.review)
    assert review.turning_points
    assert shown.step == review.turning_points[0]
    text = " ".join(shown.board.canvas.text.split())
    assert review.summary.rstrip(".") in text
    assert "Turning point: " in text


def rematch_screen(pilot, before):
    found = next((s for s in pilot.app.screen_stack if getattr(s, "table", None) and s is not before), None)
    return found if found is not None and found.selection else None


@table("go-mini", people=(0, 1))
async def test_the_screen_is_covered_when_the_keyboard_passes_on(pilot, screen):
    assert screen.at_keyboard is None
    assert "Person 0, it's your turn" in " ".join(screen.board.canvas.text.split())
    assert "SHA-256 of the seed" in screen.board.canvas.text
    press(screen, "x")
    assert "'x' isn't a key here: Enter continue, Esc menu" in screen.board.canvas.text
    press(screen, "enter")
    await wait_for(pilot, lambda: screen.selection)
    mine = {key for key in screen.selection.scene.spots if key.startswith("hand0:")}
    assert mine
    press(screen, "enter")
    await wait_for(pilot, lambda: screen.enter_pressed)
    press(screen, "enter")
    await wait_for(pilot, lambda: screen.at_keyboard is None and screen.enter_pressed)
    assert not screen.frame().scene.zones
    assert "♠" not in screen.board.canvas.text


@table("go-mini")
async def test_the_seeds_hash_is_shown_from_the_first_decision_to_the_end(pilot, screen):
    promise = screen.history[0]
    assert promise.endswith(commitment(screen.table.seed))
    assert "SHA-256 of the seed" in screen.board.canvas.text
    over = await play_out(pilot)
    assert over.history[0] == promise
    assert f"The seed was {over.record.seed}. Its SHA-256" in " ".join(over.board.canvas.text.split())


def test_every_screen_is_drawn_without_colours(monkeypatch):
    """With NO_COLOR set: the table, its windows, the end and the replay."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(pilot, screen):
        for key in ("", "h", "?", "escape", "l", "escape", ":", "escape", "escape", "escape"):
            if key:
                await pilot.press(key)
            await pilot.pause()
            assert "╭" in screen_text(pilot), key
        over = await play_out(pilot)
        assert "Winner" in screen_text(pilot)
        press(over, "v")
        replay = await wait_for(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen) and pilot.app.screen)
        await pilot.press("r")
        await wait_for(pilot, lambda: replay.review)
        assert "above: chances" in screen_text(pilot)

    at_table("go-mini", steps)


@table("go", ascii=True)
async def test_ascii_mode_draws_no_other_characters(pilot, screen):
    for key in ("", "?", "escape", "l", "escape", ":", "escape", "escape"):
        if key:
            await pilot.press(key)
        await pilot.pause()
        shown = screen_text(pilot)
        assert shown.isascii(), key
        assert "+---+" in shown


@pytest.mark.parametrize("name", ["holdem", "draw", "kuhn", "leduc"])
def test_the_cursor_never_starts_on_fold(name):
    """So that pressing Enter once too often does not fold."""
    played, random, folds = game(name), Random(1), 0
    for seed in range(10):
        state = played.deal(seed)
        while not state.over:
            legal = played.legal(state)
            selection = Selection(played, played.view(state, state.player), legal, ["You"] * played.seats)
            folds += "fold" in selection.offered
            assert selection.cursor != "fold"
            played.play(state, random.choice(legal))
    assert folds
