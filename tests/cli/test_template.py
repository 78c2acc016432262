"""``kibitz template``: every function of every assignment with a correct example, and starter files that work."""

import ast
import importlib
import inspect
import re

import pytest

from kibitz.cli.template import starter_file
from kibitz.engine.registry import all_games, packages, variants
from kibitz.engine.views.assignment_interface import assignment_of_package
from kibitz.marking.assignments import assignment as assignment_to_mark
from kibitz.marking.assignments import assignment_for
from kibitz.players.calls import types_in_words
from kibitz.players.check import CheckPlan, check_player
from kibitz.players.function_player import required_functions
from tests.tiers import first_fast

ASSIGNMENTS = [name for name in packages() if assignment_of_package(f"kibitz.games.{name}")]
WITH_FILES = [game for game in all_games() if game.assignment is not None]
PLAYED = [game for game in WITH_FILES if game.variant in ("standard", "bonus")]


def described(name):
    return assignment_of_package(f"kibitz.games.{name}")


def test_assignments_are_found_in_the_game_packages():
    assert ASSIGNMENTS == ["bo", "cribbage", "go", "huxxy", "poker"]
    for game in WITH_FILES:
        assert assignment_for(game.name).module.PUBLISHED


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_published_parameters_match_our_functions(name):
    module = importlib.import_module(f"kibitz.coursework.{described(name).COURSE}")
    known = {function.name: function for function in described(name).PUBLISHED}
    for function in known.values():
        signature = inspect.signature(getattr(module, function.name))
        assert [parameter for parameter, _ in function.parameters] == list(signature.parameters)
        optional = {p.name for p in signature.parameters.values() if p.default is not p.empty}
        assert {parameter for parameter, _ in function.optional} == optional
    prefix = {"go": "comp10001go_", "bo": "comp10001bo_", "huxxy": "comp10001huxxy_"}.get(name, "")
    public = [one for one, made in vars(module).items() if inspect.isfunction(made) and one.startswith(prefix)]
    if prefix:
        assert set(public) == set(known)


@pytest.mark.parametrize("game", WITH_FILES, ids=lambda game: game.name)
def test_required_functions_have_the_published_number_of_arguments(game):
    for name, arity, names in required_functions(game):
        assert len(names.split(", ")) == arity
        assert name in {function.name for function in assignment_for(game.name).module.PUBLISHED}


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_printed_examples_are_true(kibitz, name):
    answer = kibitz("template", name)
    assert answer.status == 0
    module = importlib.import_module(f"kibitz.coursework.{described(name).COURSE}")
    shown = answer.out.split("\n\n")
    for function in described(name).PUBLISHED:
        (part,) = (text for text in shown if text.startswith(f"{function.name}("))
        assert f"returns {function.returns}" in part
        given = dict(re.findall(r"^ {8}(\w+) = (.*)$", part, re.MULTILINE))
        for parameter, what in function.parameters:
            assert re.search(rf"^    {parameter} +.+: {re.escape(what)}$", part, re.MULTILINE)
        found = re.search(rf"^ {{8}}{function.name}\((.*)\) returns (.*)$", part, re.MULTILINE)
        if found and "..." not in part and "len" not in given.values():
            values = [ast.literal_eval(given[word]) for word in found[1].split(", ")]
            assert repr(getattr(module, function.name)(*values)) == found[2]
        assert found or function.name in getattr(described(name), "RANDOM_RESULTS", ())
    assert f"kibitz template {name} -o" in answer.out


@pytest.mark.parametrize("game", first_fast(PLAYED, 2), ids=lambda game: game.name)
def test_starter_file_passes_the_check(kibitz, tmp_path, game):
    path = tmp_path / "my_player.py"
    base = game.name.partition("-")[0]
    answer = kibitz("template", base, "-o", path)
    assert answer.status == 0
    assert f"kibitz check-player {base} {path}" in answer.out
    report = check_player(game, path, CheckPlan(games=4))
    assert [finding.sentence for finding in report.findings if not finding.ok or finding.warning] == []
    assert any("are not written yet; no game calls them." in finding.sentence for finding in report.findings)


@pytest.mark.parametrize("name", ["cribbage", "poker"])
def test_starter_file_of_an_assignment_without_a_game_has_empty_functions(name):
    found = assignment_to_mark(name)
    space = {}
    exec(compile(starter_file(found), "mine.py", "exec"), space)
    for signature in found.signatures:
        names = [parameter.name for parameter in signature.parameters]
        assert list(inspect.signature(space[signature.name]).parameters) == names
        assert space[signature.name].__doc__.strip()
        with pytest.raises(NotImplementedError):
            space[signature.name](*[None] * len(names))


def test_existing_file_is_kept_and_unknown_game_is_rejected(refused, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("mine")
    assert "already exists" in refused("template", "go", "-o", path)
    assert path.read_text() == "mine"
    assert "Unknown game 'chess'" in refused("template", "chess")


def test_rules_point_to_the_form_of_games_with_an_assignment(kibitz):
    for game in all_games():
        mentions_template = "kibitz template" in kibitz("rules", game.name).err
        package = next(package for package in packages() if game in variants(package))
        assert mentions_template == (package in ASSIGNMENTS)


def test_types_are_described_in_words():
    assert types_in_words([[], [["AH"]]]) == "list of lists of str"
    assert types_in_words([(["a"], [1])]) == "tuple of 2 lists of str or int"
    assert types_in_words([None, 1, "x"]) == "int or str or None"


def test_own_form_is_shown_for_games_without_an_assignment(kibitz, tmp_path):
    for name in ("president", "holdem", "kuhn"):
        assert "play(view, legal)" in kibitz("template", name).out
    assert "comp10001go_play" not in kibitz("template", "go", "--play").out
    assert "score_hand" in kibitz("template", "cribbage").out


def test_lab_is_found_by_its_own_name_and_by_the_game_that_describes_it(kibitz, tmp_path):
    for number, name in enumerate(("cribbage", "cribbage-lab")):
        path = tmp_path / f"lab_{number}.py"
        assert f"'kibitz mark cribbage-lab {path}' tests it." in kibitz("template", name, "-o", path).lines
        assert "'kibitz rules cribbage-lab' prints the rules" in path.read_text()
    assert "Example:\n\n" not in kibitz("template", "cribbage-lab").out + "\n"
    assert (tmp_path / "lab_0.py").read_text() == (tmp_path / "lab_1.py").read_text()
    assert assignment_to_mark("cribbage") == assignment_to_mark("cribbage-lab")


@pytest.mark.parametrize(("name", "rule"), [("cribbage-lab", "exactly four cards"), ("poker", "full house")])
def test_rules_of_assignments_that_no_game_plays(kibitz, refused, tmp_path, name, rule):
    answer = kibitz("rules", name)
    assert rule in answer.out
    assert f"kibitz template {name}" in answer.err
    for command in ("check-player", "call"):
        assert f"'kibitz mark {name} FILE' tests its functions" in refused(command, name, tmp_path / "mine.py")
    for command in ("template", "rules"):
        assert name in refused(command, "chess")
