"""Several people at one keyboard: the screen is cleared between their turns, in every game."""

import random
from typing import ClassVar

import pytest

from kibitz.cli.line_mode import decision
from kibitz.cli.line_mode.local_table import LineModeGame
from kibitz.cli.line_mode.prompt import Prompt
from kibitz.cli.screen import CLEAR, SEPARATOR, Screen
from kibitz.engine.registry import all_games, game
from kibitz.engine.scene.text import seat_facts, table_lines
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.engine.words import all_actions
from kibitz.table import Table
from kibitz.table.session import AskPerson, Session
from tests.tui.playing import short_games

GAMES = [pytest.param(played, id=played.name) for played in short_games()]
GAMES += [pytest.param(played, id=f"whole {played.name}", marks=pytest.mark.long) for played in all_games()]
HINTS = ("Type ", "You are ", "Press Enter to ", "There is no choice", "Nothing is chosen")


class Keys(Screen):
    """A screen that keeps its text in parts divided by clearings, and answers at random."""

    def __init__(self, seed=1):
        super().__init__()
        self.random = random.Random(seed)
        self.shown = [[]]

    def line(self, text="", style="", indent=""):
        if text:
            self.shown[-1].append(text)

    def clear(self):
        self.shown.append([])

    def ask(self, prompt="> "):
        last = self.shown[-1][-1]
        if last.startswith("Press Enter") or "it's your turn" in last:
            return ""
        return str(self.random.randrange(1, 8)) if self.random.random() < 0.3 else "1"


class NotingPrompt(Prompt):
    """A prompt that notes each view with the lines shown for it."""

    made: ClassVar[list] = []

    def lines(self, page=0):
        found = super().lines(page)
        self.made.append((self.steps.view, [line.text for line in found]))
        return found


def known_lines(played, record, names, prompts):
    """For each turn at the keyboard: the seat, and every line that it may have seen by the end of the turn.

    These are the sentences for its events, and lines made from its own views.
    """
    state, session = played.deal(record.seed), Session(Table.deal(played, record.seed, names), range(played.seats))
    knowledge = {seat: set() for seat in (SPECTATOR, *range(played.seats))}
    periods = []

    def tell(notices):
        for seat, lines in knowledge.items():
            called = names_for(seat, names)
            lines.update(played.describe(event, seat, called) for event in to_seat(notices, seat))
            scene = played.scene(played.view(state, seat), called)
            lines.update(seat_facts(scene, called) or table_lines(scene, called))

    tell(played.opening(state))
    for action in record.actions:
        seat = state.player
        view = played.view(state, seat)
        lines = knowledge[seat]
        lines.update(text for seen, shown in prompts if seen == view for text in shown)
        asked = isinstance(session.next, AskPerson)
        session.act(seat, action)
        if not asked:
            lines.add("You have no other choice.")
            tell(played.advance(state, action))
            continue
        lines.update(reason.sentence for reason in played.rules.Reason)
        if periods and periods[-1][0] != seat:
            periods[-1] = (periods[-1][0], set(knowledge[periods[-1][0]]))
        if not periods or periods[-1][0] != seat:
            periods.append((seat, lines))
        tell(played.advance(state, action))
    periods[-1] = (periods[-1][0], set(knowledge[periods[-1][0]]))
    return periods, knowledge[SPECTATOR]


@pytest.mark.parametrize("played", GAMES)
def test_only_one_seats_view_is_shown_between_clearings(played, monkeypatch):
    """All seats are people; the screen between two clearings shows one seat's lines or only public ones."""
    if played.name.startswith("huxxy"):
        # Finding dead ends takes long, and doesn't matter here.
        monkeypatch.setitem(vars(played.words), "main_actions", all_actions)
    names = [f"Person{p}" for p in range(played.seats)]
    monkeypatch.setattr(decision, "Prompt", NotingPrompt)
    monkeypatch.setattr(NotingPrompt, "made", [])
    screen = Keys()
    record = LineModeGame(Table.deal(played, 6, names), {}, range(played.seats), screen).play()
    periods, public = known_lines(played, record, names, NotingPrompt.made)
    *shown, last = screen.shown
    curtains, turns = shown[::2], shown[1::2]
    assert len(curtains) == len(turns) == len(periods)
    for (seat, known), curtain, turn in zip(periods, curtains, turns, strict=True):
        assert curtain == [f"Person{seat}, it's your turn. Press Enter when nobody else can see the screen."]
        assert turn[0] == f"You are Person{seat}."
        foreign = [
            line for line in turn if line not in known and not line.startswith(HINTS) and " could be " not in line
        ]
        assert not foreign, f"{played.name} shows seat {seat} what it was never told: {foreign}"
    assert set(last) <= public


@pytest.mark.parametrize("name", ["president:rounds=1", "bo:rounds=1", "go-mini"])
def test_line_separates_two_peoples_views_without_a_terminal(kibitz, name):
    answer = kibitz("play", name, "--people", "Ann,Ben", "--seed", 3, typed="\n" + "1\n" * 400)
    assert "\n\n\n" not in answer.out
    screens = answer.out.split(SEPARATOR)
    assert len(screens) > 4
    first, *asked = [text for text in screens if "it's your turn" in text]
    assert "your hand" not in first
    assert "Ann, it's your turn." in first
    assert all("your hand" not in text and text.strip().count("\n") == 1 for text in asked)


def test_terminal_is_cleared_with_its_scrollback(capsys):
    screen = Screen()
    screen.has_cursor = True
    screen.clear()
    assert capsys.readouterr().out == CLEAR == "\033[H\033[2J\033[3J"


def test_terminal_without_cursor_control_is_scrolled_by_its_height(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setenv("LINES", "30")
    screen = Screen()
    screen.has_cursor = False
    screen.clear()
    assert capsys.readouterr().out == "\n" * 30


def test_single_person_is_never_asked_to_hide_cards(kibitz):
    answer = kibitz("play", "go-mini", "--seed", 3, typed="1\n" * 40)
    assert SEPARATOR not in answer.out
    assert "it's your turn" not in answer.out


class Undoing(Keys):
    """People who often undo."""

    def ask(self, prompt="> "):
        return "u" if self.random.random() < 0.3 and "Press" not in self.shown[-1][-1] else super().ask(prompt)


def test_people_can_undo_only_their_own_choices():
    played, names = game("bo-mini"), ["Ann", "Ben"]
    screen = Undoing(2)
    taken = 0
    for seed in range(24):
        record = LineModeGame(Table.deal(played, seed, names), {}, (0, 1), screen).play()
        taken = sum(line.startswith("You take back") for turn in screen.shown for line in turn)
        assert record.forfeits == ()
    assert taken > 3


class Failing:
    """A player that fails at its first action."""

    name = "failing"

    def start(self, game, seat, seed):
        pass

    def observe(self, event):
        pass

    def act(self, view, legal):
        raise RuntimeError("no idea")

    def end(self, outcome):
        return ""


def test_everyone_sees_a_forfeit():
    screen = Keys()
    played = game("go:players=3,hand_size=3")
    LineModeGame(Table.deal(played, 3, ["Ann", "Robo", "Ben"]), {1: Failing}, (0, 2), screen).play()
    turns = [i for i, turn in enumerate(screen.shown) if any(line.startswith("Robo is out") for line in turn)]
    assert len(turns) == 2


def test_leaving_between_turns_is_confirmed(kibitz):
    answer = kibitz("play", "go-mini", "--people", "Ann,Ben", "--seed", 3, typed="q\nn\n1\nq\nyes\n")
    assert answer.status == 0
    assert answer.lines[-1] == "Goodbye: the game is saved; 'kibitz resume' continues it."
