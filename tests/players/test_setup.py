"""Setting up a game: every option of every game in words, and the questions as data."""

import pytest

from kibitz.engine.game import NO_LIMIT
from kibitz.engine.registry import all_games, game
from kibitz.errors import NotationError
from kibitz.players.setup import SeatPlayer, setting_up
from tests.tiers import tiered

GAMES = tiered(all_games())


def settings_of(played):
    return {setting.name: setting for setting in played.words.OPTIONS}


@pytest.mark.parametrize("played", GAMES)
def test_every_option_of_every_game_is_explained_and_so_is_every_value(played):
    settings = settings_of(played)
    for name, (low, high) in played.adjustable.items():
        assert name in settings, f"the option {name} of {played.name} has no words: add them to OPTIONS in its rules.py"
        assert settings[name].ask.endswith("?")
        for value in {*range(low, min(high, low + 300) + 1), high, played.options[name]}:
            sentence = settings[name].sentence(value)
            assert sentence.endswith("."), sentence
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert "{" not in sentence


@pytest.mark.parametrize("played", GAMES)
def test_no_two_values_of_an_option_are_told_in_the_same_words(played):
    for name, (low, high) in played.adjustable.items():
        values = range(low, min(high, low + 40) + 1)
        assert len({settings_of(played)[name].sentence(value) for value in values}) == len(values)


@pytest.mark.parametrize("played", GAMES)
def test_no_words_are_left_of_options_that_nobody_can_choose(played):
    package = played.rules.__name__.split(".")[-2]
    family = [found for found in all_games() if found.rules.__name__.split(".")[-2] == package]
    assert {setting.name for setting in played.words.OPTIONS} == {name for found in family for name in found.adjustable}


def answered(played, answers=None, spoken=None):
    """What comes out of the questions with some typed answers by key, and Enter to all others."""
    questions = setting_up(played)
    question = next(questions)
    try:
        while True:
            if spoken is not None:
                spoken.append(question)
            typed = (answers or {}).get(question.key, "")
            typed = typed.pop(0) if isinstance(typed, list) and typed else typed or ""
            question = questions.send(question.read(typed))
    except StopIteration as stop:
        return stop.value


def test_only_what_programs_need_is_not_asked_about():
    """In poker the cards of an imported hand, what its seats paid and had, and the money that it was played for."""
    left_out = {(played.name, name) for played in all_games() for name in played.adjustable if is_seldom(played, name)}
    cards, seats = [f"pack{n}" for n in range(6)], [f"{what}{n}" for what in ("ante", "stack") for n in range(10)]
    names = [*cards, *seats, "dead_antes", "mucks", "scale"]
    assert left_out == {(name, option) for name in ("holdem", "draw") for option in names}


def is_seldom(played, name):
    return settings_of(played)[name].seldom


@pytest.mark.parametrize("played", GAMES)
def test_enter_to_every_question_is_the_game_as_it_is_with_one_person(played):
    done = answered(played)
    assert done.game == played
    assert len(done.players) == played.seats
    assert [player.words is None for player in done.players] == [True] + [False] * (played.seats - 1)
    assert len({player.name for player in done.players}) == played.seats


@pytest.mark.parametrize("played", GAMES)
def test_every_question_says_what_enter_means_and_what_may_be_typed(played):
    spoken = []
    answered(played, spoken=spoken)
    assert {question.key for question in spoken} >= {"player 1", f"player {played.seats}", "name 1"}
    asked = {question.key for question in spoken if question.key in played.adjustable}
    assert asked == {name for name in played.adjustable if not settings_of(played)[name].seldom}
    for question in spoken:
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
    assert answered(game("president"), answers).game.name == game("president").with_options(**options).name


def test_each_seat_is_a_person_or_a_computer_player_with_a_name():
    done = answered(
        game("president"),
        {"players": "3", "name 1": "Ann", "player 2": "1", "name 2": "Ben", "player 3": "report", "name 3": "Robo"},
    )
    assert done.players == (SeatPlayer("Ann"), SeatPlayer("Ben"), SeatPlayer("Robo", "report"))
    assert done.game.seats == 3


def test_a_player_file_may_take_a_seat(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def comp10001go_play(*a): pass\n")
    done = answered(game("go"), {"player 4": str(path)})
    assert done.players[3] == SeatPlayer("mine", str(path))


def test_names_are_told_apart():
    spoken = []
    answered(game("president"), spoken=spoken)
    name = next(question for question in spoken if question.key == "name 3")
    assert name.default == "greedy-2"
    with pytest.raises(NotationError, match="is taken"):
        name.read("greedy")


def test_who_lets_no_person_play_is_asked_again():
    spoken = []
    done = answered(game("go-mini"), {"player 1": ["2", "1"], "player 2": "2"}, spoken)
    assert "No seat has a person" in next(question.error for question in spoken if question.error)
    assert done.players[0].words is None


def test_options_that_do_not_go_together_are_asked_again_with_the_reason():
    spoken = []
    done = answered(game("holdem"), {"small": ["20", "5"]}, spoken)
    assert (
        next(q.error for q in spoken if q.error) == "The small blind (20) must not be larger than the big blind (10)."
    )
    assert done.game == game("holdem")


def test_what_is_no_player_is_refused_with_a_sentence():
    spoken = []
    answered(game("go"), spoken=spoken)
    who = next(question for question in spoken if question.key == "player 2")
    with pytest.raises(NotationError, match="has no player called 'gredy'; did you mean 'greedy'"):
        who.read("gredy")
    with pytest.raises(NotationError, match="no such file"):
        who.read("nowhere/x.py")
