"""Whole games in a real terminal, under tmux: tests type keys and read the screen as a person does."""

import re
import time
from itertools import pairwise
from random import Random

import pytest

from kibitz.engine.record import UnfinishedRecord, read_any
from kibitz.engine.registry import all_games
from kibitz.table import Table
from tests.cli.test_join import Ann, invited
from tests.terminals import COMMAND, needs_tmux, terminals
from tests.tiers import first_fast
from tests.tui.playing import short_games
from tests.web.program import Guest, running

pytestmark = needs_tmux
TURN = "it's your turn. Press Enter"
SHORT = [pytest.param(game, id=game.name) for game in short_games()]


@pytest.fixture
def terminal(tmp_path):
    """Starts commands in a terminal that ends with the test."""
    with terminals(tmp_path) as start:
        yield start


def words_on(screen):
    """The words on a screen, without its line breaks."""
    return " ".join(screen.split())


class Person:
    """Draws keys as lot does, but looks first: what a key has done is drawn before the next one is pressed.

    Keys that come faster than they are drawn are lost on screens that nobody has seen: a game takes a hundred times
    as many of them.  Where what is taken is a play, it is mostly played.
    """

    PAUSE = 0.1

    def __init__(self, terminal, dice):
        self.terminal, self.dice = terminal, dice

    def choice(self, keys):
        """A random key, once the screen has settled."""
        seen = ""
        while (now := self.terminal.screen()) != seen:
            seen = now
            time.sleep(self.PAUSE)
        return "Enter" if "Enter: " in seen and self.dice.random() < 0.8 else self.dice.choice(keys)


def play_whole_game(start, name, folder, *size, opponents="random", words="", **variables):
    """Play a whole game by random keys and verify its record; returns its screens."""
    record, seen = folder / "played.game", []
    it = start(f"play {name} --opponents {opponents} --seed 3 -o {record} {words}", *size, **variables)
    over = it.play(Person(it, Random(1)), look=seen.append)
    assert "Winner" in over
    it.keys("q")
    assert "status 0" in it.wait_for("status")
    assert Table.resume(read_any(record)).over
    return seen


@pytest.mark.parametrize("game", first_fast(sorted(SHORT, key=lambda one: one.id != "eights-mini")))
def test_a_whole_game_of_every_kind_is_played_by_keys(terminal, tmp_path, game):
    seen = play_whole_game(terminal, game.name, tmp_path)
    assert any(edge in screen for edge in ("╭───╮", "┏━━━┓", "‹") for screen in seen)


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (40, 24)], ids=str)
@pytest.mark.parametrize("name", [game.name for game in all_games()])
def test_a_whole_game_by_keys_at_its_full_length(terminal, tmp_path, name, size):
    """Also on a narrow terminal with ASCII only."""
    narrow = size[0] < 80
    seen = play_whole_game(terminal, name, tmp_path, *size, words="--ascii" * narrow, LC_ALL="C.UTF-8")
    assert not narrow or all(screen.isascii() for screen in seen)


def play_and_kill(start, name, folder, deaths, dice):
    """Play a game that is killed at random moments and resumed; returns all saves."""
    record, kept = folder / "played.game", []
    words = f"play {name} --opponents random --seed 3"
    for _ in range(deaths):
        it = start(f"{words} -o {record}")
        it.play(dice, most=dice.randrange(1, 12))
        time.sleep(dice.random() / 4)
        it.kill()
        it.wait_for("status 137")
        it.close()
        if record.exists():
            return kept, read_any(record)
        for saved in (folder / "data" / "kibitz" / "games").glob("*.game"):  # there is none before the first choice
            kept.append(read_any(saved))
            words = "resume"
    it = start(f"{words} -o {record}")
    it.play(dice)
    it.keys("q")
    it.wait_for("status", "Enter chooses")
    return kept, read_any(record)


def check_nothing_was_lost(kept, record):
    """Every save is a prefix of the final game."""
    for before, after in pairwise([*kept, record]):
        assert after.actions[: len(before.actions)] == before.actions
    assert Table.resume(record).over


@pytest.mark.long
@pytest.mark.parametrize("game", SHORT)
def test_every_kind_of_game_survives_being_killed_at_any_moment(terminal, tmp_path, game):
    check_nothing_was_lost(*play_and_kill(terminal, game.name, tmp_path, 6, Random(game.name)))


@pytest.mark.long
def test_closing_the_terminal_loses_nothing(terminal, tmp_path):
    it = terminal("play eights --opponents random --seed 3")
    it.wait_for("Play ")
    it.keys("Enter")
    it.wait_for("You play")
    it.close()
    (saved,) = (tmp_path / "data" / "kibitz" / "games").glob("*.game")
    assert isinstance(read_any(saved), UnfinishedRecord)
    again = terminal("resume", 40)
    again.wait_for("Crazy Eights")
    again.keys("C-c")
    assert "status 0" in again.wait_for("status")
    assert "the game is saved" in again.screen()


def test_kibitz_without_arguments_opens_the_menu(terminal):
    it = terminal("")
    assert "Cribbage" in it.wait_for("Enter chooses")
    it.keys("Escape")
    assert "status 0" in it.wait_for("status")


def test_play_asks_for_a_level_unless_opponents_are_given(terminal):
    it = terminal("play eights --seed 3")
    assert "Easy:" in it.wait_for("Learn by playing")
    it.keys("Enter")
    assert "╭ Easy" in it.wait_for("Play ")
    it.keys("C-c")
    it.wait_for("status")
    straight = terminal("play eights:players=2 --seed 3")
    assert "Learn by playing" not in straight.wait_for("Play ")


def test_plain_keeps_line_mode(terminal):
    it = terminal("play kuhn --plain --opponents random")
    it.wait_for("1) ", "2) ")
    it.keys("q", "Enter", "y", "Enter")
    it.wait_for("status")


def test_a_wrong_argument_is_reported_before_the_screen_opens(terminal):
    it = terminal("play whist")
    assert "Unknown game 'whist'" in " ".join(it.wait_for("status 2").split())


@pytest.mark.long
def test_a_game_on_a_server_is_played_to_the_end(terminal, tmp_path):
    with running(tmp_path / "server.sqlite") as program:
        ann = Guest(program.address)
        table, link = invited(ann, "go-mini")
        other = Ann(ann, table)
        it = terminal(f"join {link} --name Ben")
        assert "╭ Guest" in it.wait_for("which card do you keep?")
        assert "Winner" in it.play()
        it.keys("q")
        it.wait_for("Goodbye.")
        other.join(20)


@pytest.mark.long
def test_president_is_set_up_by_questions_and_played_from_three_seats(terminal, tmp_path):
    """Three people at one keyboard and two computer players; between turns the screen shows nobody's cards."""
    record, covered = tmp_path / "played.game", []
    it = terminal(f"play president --setup --seed 11 -o {record}")

    def look(seen):
        if TURN in words_on(seen) and TURN in (settled := words_on(it.settled())):
            covered.append(settled)

    it.wait_for("How many players")
    it.type("5")
    for number, name in enumerate(("Ann", "Ben", "Cem"), 1):
        it.wait_for(f"Who is player {number}?")
        it.keys("Home", "Enter")
        it.wait_for(f"What is player {number} called?")
        it.type(name)
    it.wait_for("Who is player 4?")
    it.keys("C-s")
    assert "Winner" in it.play(look=look)
    it.keys("q")
    it.wait_for("status 0")
    assert {screen.split(f", {TURN}")[0].split()[-1] for screen in covered} == {"Ann", "Ben", "Cem"}
    assert not [screen for screen in covered if re.search("[╭│╰♣♦♥♠░]|Hand|Pile|points", screen)]
    assert read_any(record).seats[:3] == ("Ann", "Ben", "Cem")


def test_ctrl_z_suspends_and_fg_continues(terminal):
    it = terminal("--version; bash --norc --noprofile -i")
    it.wait_for("bash-")
    it.type(f"{COMMAND} play go --opponents random --seed 3")
    it.wait_for("Press Enter", "h hint")
    it.keys("C-z")
    it.wait_for("Stopped")
    it.type("fg")
    it.wait_for("Press Enter", "h hint")
    it.keys("C-c")
    it.wait_for("Goodbye")
