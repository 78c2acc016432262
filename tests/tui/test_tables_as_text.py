"""Tables drawn as text of at most 24 lines."""

import pytest

from kibitz.engine.registry import game
from kibitz.engine.scene import Fact, Scene, Spot, Zone
from kibitz.tui.board import ASCII, Frame, picture
from kibitz.tui.canvas import shortened, text_line, wrapped
from kibitz.tui.panels import (
    Detail,
    Marks,
    TablePainter,
    card_box,
    card_chip,
    stacked,
)
from kibitz.tui.selection import Selection

PLAIN = Spot("hand0:0H", "0H", "10♥ in your hand")


@pytest.mark.parametrize(
    ("marks", "looks"),
    [
        (Marks(), ["╭───╮", "│10♥│", "╰───╯"]),
        (Marks({PLAIN.key: 3}), ["╭───╮", "│10♥│", "╰─3─╯"]),
        (Marks({PLAIN.key: 3}, cursor=PLAIN.key), ["╭───╮", "│10♥│", "╰▸3─╯"]),
        (Marks({}, frozenset({PLAIN.key})), ["┏━━━┓", "┃10♥┃", "┗━━━┛"]),
    ],
)
def test_a_cards_state_is_visible_without_colour(marks, looks):
    assert card_box(PLAIN, marks).text.splitlines() == looks


@pytest.mark.parametrize(
    ("marks", "looks"),
    [
        (Marks(), " 10♥"),
        (Marks({PLAIN.key: 3}), "‹10♥›"),
        (Marks({PLAIN.key: 3}, cursor=PLAIN.key), "▸10♥›"),
        (Marks({}, frozenset({PLAIN.key})), "[10♥]"),
    ],
)
def test_a_chips_state_is_visible_without_colour(marks, looks):
    assert card_chip(PLAIN, marks).text == looks


def test_red_cards_are_bold_and_black_ones_are_not():
    from kibitz.tui.board import style_of

    for code, bold in (("KD", True), ("KH", True), ("KC", False), ("KS", False)):
        spot = Spot(f"hand0:{code}", code, code)
        style = next(style for text, style in card_chip(spot, Marks()).runs(0) if "K" in text)
        assert bool(style_of(style).bold) is bold


SCENE = Scene(
    (
        Zone("hand0", "Your hand", 0, "hand", (PLAIN, Spot("hand0:KS", "KS", "K♠ in your hand"))),
        Zone("hand1", "Ann's hand", 1, "backs", (), 5),
        Zone("pile", "Pile", -1, "pile", (Spot("pile:top", "3C", "3♣ on the pile"),), 7, "clubs to follow"),
    ),
    (Fact("Round", "2 of 3"), Fact("Score", "7", 1)),
    "Which card do you play?",
)


def test_every_seat_has_a_panel_and_the_viewers_is_last():
    assert TablePainter(SCENE, ["You", "Ann"], 0, 40, Marks({PLAIN.key: 1})).draw(30).text.splitlines() == [
        "╭ Ann · score 7 ───────────────────────╮",
        "│Hand ░×5                              │",
        "╰──────────────────────────────────────╯",
        "╭ Table ───────────────────────────────╮",
        "│Pile (clubs to follow)                │",
        "│╭───╮                                 │",
        "││3♣ │+7                               │",
        "│╰───╯                                 │",
        "╰──────────────────────────────────────╯",
        "╭ You ─────────────────────────────────╮",
        "│Hand                                  │",
        "│╭───╮╭───╮                            │",
        "││10♥││K♠ │                            │",
        "│╰─1─╯╰───╯                            │",
        "╰──────────────────────────────────────╯",
    ]


def test_small_screens_show_every_card_as_a_chip():
    assert TablePainter(SCENE, ["You", "Ann"], 0, 40, Marks()).draw(5).text.splitlines() == [
        "Ann · score 7",
        "Hand ░×5",
        "Pile (clubs to follow)  3♣ +7",
        "You",
        "Hand  10♥  K♠",
    ]


def test_a_frame_draws_the_whole_screen():
    log = ["Ann plays 3♣.", "You draw K♠."]
    frame = Frame(
        "Crazy Eights", SCENE, ["You", "Ann"], 0, cursor_text="10♥ in your hand", history=log, keys=(("?", "help"),)
    )
    assert picture(frame, 40, 24).text.splitlines() == [
        "Crazy Eights · Round 2 of 3",
        *TablePainter(SCENE, ["You", "Ann"], 0, 40, Marks()).draw(30).text.splitlines(),
        *[""] * 3,
        "Ann plays 3♣.",
        "You draw K♠.",
        "Which card do you play?",
        "10♥ in your hand",
        "? help",
    ]


def test_the_history_is_beside_the_table_on_a_wide_screen():
    frame = Frame("Crazy Eights", SCENE, ["You", "Ann"], 0, history=["Ann plays 3♣."])
    assert "│ Ann plays 3♣." in picture(frame, 120, 30).text


def test_the_cursor_stays_on_a_low_screen():
    bo = game("bo")
    state = bo.deal(1)
    selection = Selection(bo, bo.view(state, 0), bo.legal(state), ["Guest", "Ann", "Ben", "Cem"])
    names = ["You", "Ann", "Ben", "Cem"]
    for key in list(selection.offered):
        selection.cursor = key
        canvas = picture(Frame("Bo", selection.scene, names, 0, selection.marks, selection.buttons), 40, 16)
        assert any(region.key == key for region in canvas.regions)


@pytest.mark.parametrize("detail", Detail)
def test_no_detail_loses_a_card(detail):
    painter = TablePainter(SCENE, ["You", "Ann"], 0, 60, Marks())
    text = stacked([painter.others_canvas(detail), painter.panel(0, 60, detail).draw()]).text
    assert all(shown in text for shown in ("10♥", "K♠", "3♣", "+7", "░×5", "score 7", "clubs to follow"))


def test_wide_characters_in_names_keep_frames_aligned():
    names = ["You", "安娜 e\u0301"]
    lines = TablePainter(SCENE, names, 0, 40, Marks()).draw(30).rows
    assert {sum(1 for _ in row) for row in lines} == {40}


def test_every_drawn_symbol_has_an_ascii_character():
    text = TablePainter(SCENE, ["You", "Ann"], 0, 40, Marks({PLAIN.key: 1}, cursor=PLAIN.key)).draw(30).text
    assert text.translate(ASCII).isascii()


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_wrapped_lines_fit_their_width(width):
    for text in ("", "a word", "averylongwordthatdoesnotfit anywhere", "安娜 plays 10♥"):
        assert all(text_line(line).width <= max(width, 2) for line in wrapped(text, width, "  "[: width // 4]))
        assert text_line(shortened(text, width)).width <= width
