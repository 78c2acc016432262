"""Setting up a game: descriptions of every option, and the questions as data."""

import pytest

from kibitz.engine.game import NO_LIMIT
from kibitz.engine.registry import all_games, game
from kibitz.errors import NotationError
from kibitz.players.setup import SeatPlayer, setup_questions
from tests.tiers import tiered

GAMES = tiered(all_games())


def settings_of(played):
    return {setting.name: setting for setting in played.words.OPTIONS}


@pytest.mark.parametrize("played", GAMES)
def test_every_option_and_value_has_a_description(played):
    settings = settings_of(played)
    for name, (low, high) in played.option_ranges.items():
        assert name in settings, f"the option {name} of {played.name} has no words: add them to OPTIONS in its rules.py"
        assert settings[name].ask.endswith("?")
        for value in {*range(low, min(high, low + 300) + 1), high, played.options[name]}:
            sentence = settings[name].sentence(value)
            assert sentence.endswith("."), sentence
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert "{" not in sentence


@pytest.mark.parametrize("played", GAMES)
def test_option_values_have_distinct_descriptions(played):
    for name, (low, high) in played.option_ranges.items():
        values = range(low, min(high, low + 40) + 1)
        assert len({settings_of(played)[name].sentence(value) for value in values}) == len(values)


@pytest.mark.parametrize("played", GAMES)
def test_no_description_is_left_of_a_removed_option(played):
    package = played.rules.__name__.split(".")[-2]
    family = [found for found in all_games() if found.rules.__name__.split(".")[-2] == package]
    assert {setting.name for setting in played.words.OPTIONS} == {
        name for found in family for name in found.option_ranges
    }


def set_up(played, answers=None, asked_questions=None):
    """The set-up that results from these answers by key, and Enter for all other questions."""
    questions = setup_questions(played)
    question = next(questions)
    try:
        while True:
            if asked_questions is not None:
                asked_questions.append(question)
            typed = (answers or {}).get(question.key, "")
            typed = typed.pop(0) if isinstance(typed, list) and typed else typed or ""
            question = questions.send(question.read(typed))
    except StopIteration as stop:
        return stop.value


def test_only_options_for_programs_are_not_asked_about():
    """In poker: the cards, antes, stacks and money scale of an imported hand."""
    left_out = {
        (played.name, name) for played in all_games() for name in played.option_ranges if is_advanced(played, name)
    }
    cards, seats = [f"pack{n}" for n in range(6)], [f"{what}{n}" for what in ("ante", "stack") for n in range(10)]
    names = [*cards, *seats, "dead_antes", "mucks", "scale"]
    assert left_out == {(name, option) for name in ("holdem", "draw") for option in names}


def is_advanced(played, name):
    return settings_of(played)[name].advanced


@pytest.mark.parametrize("played", GAMES)
def test_defaults_give_the_standard_game_with_one_person(played):
    done = set_up(played)
    assert done.game == played
    assert len(done.players) == played.seats
    assert [player.name_or_path is None for player in done.players] == [True] + [False] * (played.seats - 1)
    assert len({player.name for player in done.players}) == played.seats


@pytest.mark.parametrize("played", GAMES)
def test_every_question_states_its_default_and_valid_answers(played):
    asked_questions = []
    set_up(played, asked_questions=asked_questions)
    assert {question.key for question in asked_questions} >= {"player 1", f"player {played.seats}", "name 1"}
    asked = {question.key for question in asked_questions if question.key in played.option_ranges}
    assert asked == {name for name in played.option_ranges if not settings_of(played)[name].advanced}
    for question in asked_questions:
        assert question.text.endswith("?")
        assert question.default_text.endswith(".")
        assert question.read("") == question.default
        assert question.valid_answers().endswith("press Enter")
        for number, (value, words) in enumerate(question.choices, 1):
            assert words
            assert question.read(str(number)) == (1 << (number - 1) if question.multiple else value)
        for wrong in ("-1", "9" * 5000, "0") if question.choices or question.span == (1, NO_LIMIT) else ():
            with pytest.raises(NotationError, match=r"type a number|type numbers|has no player called"):
                question.read(wrong)


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        ({"players": 2}, {"players": "2"}),
        ({"rounds": 1000}, {"rounds": "1000"}),
        ({"fives": 0}, {"fives": "none"}),
        ({}, {"fives": "all"}),
        ({"fives": 21}, {"fives": "5, 1 3"}),
        ({"pass_locks": 1}, {"pass_locks": "2"}),
        ({"upper_names": 2}, {"upper_names": "3"}),
        ({"upper_names": 1}, {"upper_names": "2"}),
        ({"traded": 1, "points": 0, "leftovers": 1}, {"traded": "1", "points": "1", "leftovers": "2"}),
    ],
)
def test_answers_become_the_options_of_president(options, answers):
    assert set_up(game("president"), answers).game.name == game("president").with_options(**options).name


def test_each_seat_is_a_person_or_a_computer_player_with_a_name():
    done = set_up(
        game("president"),
        {"players": "3", "name 1": "Ann", "player 2": "1", "name 2": "Ben", "player 3": "report", "name 3": "Robo"},
    )
    assert done.players == (SeatPlayer("Ann"), SeatPlayer("Ben"), SeatPlayer("Robo", "report"))
    assert done.game.seats == 3


def test_a_player_file_may_take_a_seat(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def comp10001go_play(*a): pass\n")
    done = set_up(game("go"), {"player 4": str(path)})
    assert done.players[3] == SeatPlayer("mine", str(path))


def test_default_names_are_distinct_and_taken_ones_are_rejected():
    asked_questions = []
    set_up(game("president"), asked_questions=asked_questions)
    name = next(question for question in asked_questions if question.key == "name 3")
    assert name.default == "greedy-2"
    with pytest.raises(NotationError, match="is taken"):
        name.read("greedy")


def test_setup_without_a_person_is_asked_again():
    asked_questions = []
    done = set_up(game("go-mini"), {"player 1": ["2", "1"], "player 2": "2"}, asked_questions)
    assert "No seat has a person" in next(question.error for question in asked_questions if question.error)
    assert done.players[0].name_or_path is None


def test_conflicting_options_are_asked_again_with_the_reason():
    asked_questions = []
    done = set_up(game("holdem"), {"small": ["20", "5"]}, asked_questions)
    assert (
        next(q.error for q in asked_questions if q.error)
        == "The small blind (20) must not be larger than the big blind (10)."
    )
    assert done.game == game("holdem")


def test_unknown_player_is_rejected_with_a_suggestion():
    asked_questions = []
    set_up(game("go"), asked_questions=asked_questions)
    who = next(question for question in asked_questions if question.key == "player 2")
    with pytest.raises(NotationError, match="has no player called 'gredy'; did you mean 'greedy'"):
        who.read("gredy")
    with pytest.raises(NotationError, match="no such file"):
        who.read("nowhere/x.py")
