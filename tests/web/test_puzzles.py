"""Puzzles are positions of real games, one a day, and reveal the answer only to those who have given one."""

import json
from datetime import date, timedelta

import pytest

import kibitz
from kibitz.arena.puzzles import number_on, puzzles
from tests.web.serving import Somebody, serving
from tools.puzzles import is_better_reason

CLEAR = 0.03
EVERY = [
    pytest.param(game, number, id=f"{game}-{number}") for game, some in puzzles().items() for number in range(len(some))
]
GAMES = list(puzzles())


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield Somebody(server)


def path(game: str, number: int) -> str:
    return f"/api/puzzles/{game}/{number}"


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_a_puzzle_has_one_clearly_best_choice_with_a_reason(game, number):
    puzzle = puzzles()[game][number]
    table = puzzle.table()
    assert puzzle.rules == kibitz.game(game).rules.VERSION
    assert sorted([puzzle.best, *(cost.action for cost in puzzle.costs)]) == sorted(table.legal())
    assert all(cost.chance - cost.error >= CLEAR - 0.001 for cost in puzzle.costs)
    why, *others = (
        table.game.words.explain(table.view(table.player), each)
        for each in (puzzle.best, *(cost.action for cost in puzzle.costs))
    )
    assert why
    assert all(is_better_reason(game, why, other) for other in others), (why, others)


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_shows_the_view_of_its_seat_without_the_answer(game, ann):
    found = ann.get(f"/api/puzzles/{game}").json()
    puzzle = puzzles()[game][found["number"]]
    table = puzzle.table()
    me = table.player
    cards = {spot["card"] for zone in found["state"]["scene"]["zones"] for spot in zone["spots"]}
    seen = {spot.card for zone in table.game.scene(table.view(me), table.names).zones for spot in zone.spots}
    assert cards == seen
    assert [each["action"] for each in found["state"]["legal"]] == list(
        table.game.words.ordered(table.view(me), table.legal())
    )
    assert found["hello"]["commitment"] == ""  # a small seed could be guessed
    assert {*found} == {"number", "hello", "state", "lines"}
    assert found["state"]["view"] is found["state"]["exact"] is found["state"]["outcome"] is None


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_is_judged_with_the_reason(game, ann):
    puzzle = puzzles()[game][0]
    table = puzzle.table()
    view, explain = table.view(table.player), table.game.words.explain
    right = ann.get(path(game, 0), params={"action": puzzle.best}).json()
    assert (right["right"], right["action"]) == (True, puzzle.best)
    assert right["best"]["why"] == explain(view, puzzle.best)
    assert right["other"]["cost"] == puzzle.costs[0].chance
    worst = puzzle.costs[-1]
    wrong = ann.get(path(game, 0), params={"action": worst.action}).json()
    assert (wrong["right"], wrong["action"]) == (False, puzzle.best)
    assert (wrong["other"]["cost"], wrong["other"]["error"]) == (worst.chance, worst.error)
    assert wrong["best"] == right["best"]


@pytest.mark.parametrize(
    ("where", "asked", "status"),
    [
        (path("go", 0), {"action": 10**18}, 409),
        (path("go", 0), {"action": -1}, 400),
        (path("go", 0), {}, 400),
        (path("go", 10**6), {"action": 1}, 404),
        (path("go", -1), {"action": 1}, 404),
        ("/api/puzzles/go/" + "9" * 5000, {"action": 1}, 404),
        ("/api/puzzles/go/²", {"action": 1}, 404),
        (path("chess", 0), {"action": 1}, 404),
    ],
)
def test_an_invalid_answer_is_refused(where, asked, status, ann):
    answer = ann.get(where, params=asked)
    assert answer.status_code == status
    assert answer.json()["error"]["sentence"].endswith(".")


def test_a_game_without_puzzles_has_no_page(ann):
    assert ann.get("/puzzles/chess").status_code == 404
    assert ann.get("/api/puzzles/chess").status_code == 404


def test_the_puzzle_changes_every_day():
    day = date(2026, 1, 1)
    for game, some in puzzles().items():
        assert {number_on(day + timedelta(n), game) for n in range(len(some))} == set(range(len(some)))


def test_the_list_has_one_puzzle_for_each_game(ann):
    listed = ann.get("/api/puzzles").json()["puzzles"]
    assert [each["game"] for each in listed] == GAMES
    assert json.dumps(listed).count("action") == 0
