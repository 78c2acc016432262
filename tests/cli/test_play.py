"""Line mode with scripted input."""

import random

import pytest

from kibitz.cli.line_mode.local_table import LineModeGame
from kibitz.cli.screen import Screen
from kibitz.engine.record import commitment, read_file
from kibitz.engine.registry import game
from kibitz.players.built_in import default_player
from kibitz.table import Table

GO = ["play", "go", "--seed", "5", "--opponents", "first"]
BO = ["play", "bo", "--seed", "5", "--opponents", "first"]


def typed(*lines):
    return "\n".join(map(str, lines)) + "\n"


def test_a_whole_game_is_played_and_saved(kibitz, tmp_path):
    path = tmp_path / "mine.game"
    answer = kibitz(*GO, "--name", "Ann", typed=typed(*[1] * 20, path))
    assert answer.status == 0
    assert commitment(5) in answer.lines
    assert (
        "The seed was 5. Its SHA-256 is the one shown at the deal; a saved record lets anyone check it." in answer.lines
    )
    assert f"Record saved. 'kibitz verify {path}' checks it; 'kibitz show {path}' replays it." in answer.lines
    record = read_file(path)
    assert record.seats == ("Ann", "first-1", "first-2", "first-3")
    assert record.seed == 5
    assert record.forfeits == ()


def test_requested_record_is_written_without_asking(kibitz, tmp_path):
    path = tmp_path / "mine.game"
    answer = kibitz(*GO, "-o", path, typed=typed(*[1] * 20))
    assert "Save the record?" not in answer.out
    assert read_file(path).game == "go"


def test_command_typed_after_the_game_is_not_a_file_name(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = kibitz(*GO, typed=typed(*[1] * 20, "undo", "quit?", "-1", ""))
    assert answer.out.count("type y, a name that ends in .game") >= 3
    assert not list(tmp_path.iterdir())


def test_unwritable_file_name_is_asked_for_again(kibitz, tmp_path):
    good = tmp_path / "good.game"
    answer = kibitz(*GO, typed=typed(*[1] * 20, tmp_path / "no" / "x.game", good))
    assert "cannot be written" in answer.out
    assert read_file(good).seed == 5


@pytest.mark.parametrize("seat", range(4))
def test_person_can_take_any_seat(kibitz, tmp_path, seat):
    path = tmp_path / "mine.game"
    answer = kibitz(*GO, "--seat", seat, "-o", path, typed=typed(*[1] * 20))
    assert answer.status == 0
    assert read_file(path).seats.index("Guest") == seat


def test_a_game_is_played_with_its_options(kibitz, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = kibitz("play", "bo:players=2,rounds=1", "--seed", 5, typed=typed(*[1] * 5, "y"))
    assert "Bo (bo:players=2,rounds=1)" in answer.lines
    assert f"Seats: 0 you, 1 {default_player(game('bo'))}." in answer.lines
    assert [read_file(path).game for path in tmp_path.glob("bo-*.game")] == ["bo:players=2,rounds=1"]


def test_actions_can_be_typed_in_any_notation(kibitz):
    answer = kibitz(*BO, typed=typed("2c b1", "4h h1>d0.1", "q", "y"))
    assert "You play 2♣ from hand to build pile 1." in answer.lines
    assert "You play 4♥ from hand to your discard pile 1." in answer.lines
    answer = kibitz(*GO, typed=typed("♠10", "q", "y"))
    assert "You lay 10♠ face down." in answer.lines


def test_illegal_action_is_refused_with_the_rule(kibitz):
    answer = kibitz(*BO, typed=typed("10s b1", "nonsense", 99, "9" * 5000, "", "pass", "q", "y"))
    assert "An empty build pile takes only a 2 or a king." in answer.lines
    assert any("'nonsense' isn't a play" in line for line in answer.lines)
    assert "There is no choice 99." in answer.lines
    assert "Nothing is chosen yet." in answer.lines
    help_line = "Type a number from 1 to 5, an action such as '2C h2>b1', or ? for help."
    assert answer.lines.count(help_line) == 6, "every invalid answer is followed by what can be typed"
    assert "You may only pass when nothing at all can be played." in answer.lines
    assert "You play" not in answer.out


def test_help_lists_what_can_be_typed(kibitz):
    lines = kibitz(*GO, typed=typed("?", "q", "y")).lines
    for key in ("?", "u ", "s ", "l ", "r ", "q "):
        assert key == "?" or any(line.startswith(key) for line in lines)
    assert any(line.startswith("AS ") for line in lines)


def test_table_history_and_rules_can_be_shown_again(kibitz):
    lines = kibitz(*GO, typed=typed("s", 1, "l", "r", "q", "y")).lines
    assert sum(line.startswith("Turn 1 of 10: ") for line in lines) == 2
    assert sum(line == "You lay A♠ face down." for line in lines) == 2
    assert "# COMP10001-Go, rules version 1" in lines


def test_leaving_is_confirmed_once_and_writes_no_record(kibitz, tmp_path):
    path = tmp_path / "mine.game"
    answer = kibitz(*GO, "-o", path, typed=typed("q", "n", 1, "q", "yes"))
    assert answer.status == 0
    assert "You lay A♠ face down." in answer.lines
    assert answer.lines[-1] == "Goodbye: the game is saved; 'kibitz resume' continues it."
    assert not path.exists()


@pytest.mark.parametrize("lines", [(1,), (1, "q")])
def test_end_of_input_leaves_the_game_with_a_message(kibitz, lines):
    answer = kibitz(*GO, typed=typed(*lines))
    assert answer.status == 0
    assert answer.lines[-1] == "Goodbye: the game is saved; 'kibitz resume' continues it."


def test_play_that_reveals_nothing_can_be_undone(kibitz):
    answer = kibitz(*BO, typed=typed("u", "2c b1", "u", "2c b2", "u", "u", "q", "y"))
    assert "There is nothing to undo yet." in answer.lines
    assert "You take back: 2♣ to build pile 1." in answer.lines
    assert "You play 2♣ from hand to build pile 2." in answer.lines
    assert answer.lines.count("You draw 4♥ 2♣ 4♠ 10♠ 7♣.") == 1


def test_play_that_reveals_something_cannot_be_undone(kibitz):
    stands = "You can't undo: you have seen something new since."
    assert stands in kibitz(*BO, typed=typed("4h d0.1", "u", "q", "y")).lines
    assert stands in kibitz(*BO, typed=typed("2c b1", "3s b1", "u", "q", "y")).lines
    assert stands in kibitz(*GO, typed=typed(1, "u", "q", "y")).lines


def test_groups_can_be_undone_one_by_one(kibitz, tmp_path):
    straight, wandering = tmp_path / "a.game", tmp_path / "b.game"
    kibitz(*GO, "-o", straight, typed=typed(*[1] * 20))
    answer = kibitz(*GO, "-o", wandering, typed=typed(*[1] * 11, "u", "u", "u", "u", *[1] * 10))
    assert sum(line.startswith("You take back: ") for line in answer.lines) == 2
    assert straight.read_text() == wandering.read_text()


class Fickle:
    """An opponent with unseeded random choices that sometimes fails."""

    name = "fickle"

    def start(self, game, seat, seed):
        self.random = random.Random()

    def observe(self, event):
        pass

    def act(self, view, legal):
        if self.random.random() < 0.01:
            raise RuntimeError("by chance")
        return self.random.choice(legal)

    def end(self, outcome):
        return ""


class Script(Screen):
    """A screen without output that answers at random and counts undos."""

    def __init__(self):
        super().__init__()
        self.random = random.Random(1)
        self.undone = 0

    def ask(self, prompt=""):
        return "u" if self.random.random() < 0.4 else str(self.random.randrange(1, 6))

    def line(self, text="", style="", indent=""):
        self.undone += text.startswith("You take back")


def test_undo_works_with_random_opponents():
    screen = Script()
    for seed in range(3):
        record = LineModeGame(Table.deal("bo", seed), dict.fromkeys((0, 1, 3), Fickle), [2], screen).play()
        assert record.outcome.reason
        assert all(forfeit.seat != 2 for forfeit in record.forfeits)
    assert screen.undone > 3


class Breaking(Fickle):
    """An opponent that fails in its second turn."""

    name = "breaking"

    def start(self, game, seat, seed):
        self.turns = 0

    def act(self, view, legal):
        self.turns += 1
        if self.turns == 2:
            raise RuntimeError("broken")
        return legal[0]


def test_a_forfeit_is_reported_once_despite_undo():
    screen = Script()
    screen.printed = []
    screen.line = lambda text="", style="", indent="": screen.printed.append(text)
    table = Table.deal("bo", 1, list("abcd"))
    record = LineModeGame(table, {0: Fickle, 1: Breaking, 3: Fickle}, [2], screen).play()
    assert [forfeit.seat for forfeit in record.forfeits if forfeit.sentence.endswith("broken")] == [1]
    assert sum(text.startswith("b is out of the game (exception): ") for text in screen.printed) == 1
    assert any(text.startswith("You take back") for text in screen.printed)


def test_bug_is_not_a_forfeit_of_the_person(kibitz, monkeypatch):
    monkeypatch.setitem(vars(game("go").words), "prompt", lambda view: 1 // 0)
    answer = kibitz(*GO, typed=typed(1))
    assert answer.status == 1
    assert "ZeroDivisionError" in answer.err


def test_menus_repeat_the_question_after_an_invalid_answer(kibitz):
    answer = kibitz("play", typed=typed("gp", 0, "go", "nobody", "1,2", "random,first,1", 1, "q", "y"))
    assert answer.status == 0
    assert any("Unknown game 'gp'" in line for line in answer.lines)
    assert any("no player called 'nobody'" in line for line in answer.lines)
    assert any("needs 1 opponent" in line for line in answer.lines)
    assert "Seats: 0 you, 1 random-1, 2 first, 3 random-2." in answer.lines


@pytest.mark.parametrize("name", ["go", "bo"])
@pytest.mark.parametrize("width", [40, 80])
def test_nothing_is_wider_than_the_screen(kibitz, monkeypatch, name, width):
    monkeypatch.setenv("COLUMNS", str(width))
    answer = kibitz("play", name, "--seed", 5, typed=typed("?", *[1] * 12, "q", "y"))
    assert answer.status == 0
    assert max(len(line) for line in answer.lines) <= width


def test_plain_mode_lists_one_choice_a_line(kibitz):
    lines = kibitz(*BO, "--plain", typed=typed(1, "q", "y")).lines
    assert "2) 2♣" in lines
    assert "2) Your discard pile 2  (ends the turn)" in lines


def test_ascii_mode_is_ascii(kibitz):
    answer = kibitz(*GO, "--ascii", typed=typed("?", "r", "10s", "q", "y"))
    assert answer.out.isascii()
    assert "You lay 10S face down." in answer.lines


def test_letters_replace_suits_on_a_terminal_without_unicode(kibitz, monkeypatch):
    monkeypatch.setattr("kibitz.cli.screen.encodable", lambda text: False)
    assert kibitz(*GO, typed=typed(1, "q", "y")).out.isascii()


def test_forced_losing_action_waits_while_undo_is_possible(kibitz):
    """After six ungrouped cards only conceding is legal; it must not be played automatically."""
    cards = ("AD>new", "2S>1", "4D>1", "5D>1", "5S>1", "6D>1")
    huxxy = ("play", "huxxy:players=2", "--seed", "1", "--opponents", "first")
    answer = kibitz(*huxxy, typed=typed(*cards, "u", "q", "y"))
    assert "1) concede: you lose, the others win" in answer.lines
    assert "You take back: 6♦ to group 1." in answer.lines
    answer = kibitz(*huxxy, typed=typed(*cards, 1))
    assert "You cannot end the turn and concede." in answer.lines
