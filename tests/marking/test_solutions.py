"""Solutions written as a student would, from the statements alone, get full marks."""

from pathlib import Path

import pytest

from kibitz.marking.assignments import NAMES, assignment, plan_from
from kibitz.marking.case_runner import mark_submission
from kibitz.marking.cases.case import Answer
from kibitz.marking.results import total
from kibitz.players.files.sources import Sources
from tests.contract.groups import fast_huxxy, sharing

SOLUTIONS = Path(__file__).parent / "solutions"
PARTITIONS = "comp10001go_best_partitions"


def solution(name):
    file = SOLUTIONS / f"{name.replace('-', '_')}.py"
    return Sources(((file.name, file.read_bytes()),))


def mark_solution(name, hidden, **functions):
    found = assignment(name)
    plan = plan_from(found, {"functions": functions}, hidden)
    return plan, mark_submission(found, solution(name), plan, 11)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[sharing("huxxy")] * (one == "huxxy")) for one in NAMES.values()]
)
def test_solution_gets_full_marks(name):
    if name == "huxxy":
        fast_huxxy()
    slow = {PARTITIONS: {"weight": 0}} if name == "go" else {}
    plan, result = mark_solution(name, 60, **slow)
    assert not result.why
    notes = [one.why for one in result.outcomes if one.why]
    assert [(one.name, one.failing_cases) for one in result.outcomes if one.failing_cases] == []
    assert notes == [note for note in notes if note.startswith("comp10001go_play changes hand: ")]
    assert total(plan, result) == 100


def test_solutions_do_not_import_kibitz():
    assert not [file for file in SOLUTIONS.glob("*.py") if "kibitz" in file.read_text()]
    assert {file.stem.replace("_", "-") for file in SOLUTIONS.glob("*.py")} == set(NAMES.values())


@pytest.mark.parametrize(
    ("name", "function", "edge_case", "check", "mistake"),
    [
        pytest.param(*case, marks=[sharing("huxxy")] * (case[0] == "huxxy"), id=case[2])
        for case in [
            ("bo", "is_valid_play", "a card below the top", "pile[-1] != card", "card not in pile"),
            ("bo", "is_valid_play", "a card that is not where the play says", "card not in hand", "not card"),
            ("huxxy", "valid_play", "an opening of exactly 24", ">= 24", "> 24"),
            (
                "huxxy",
                "valid_play",
                "a card that begins a new group",
                "in hand and 0 <= goal <= len(table)",
                "in hand and 0 <= goal < len(table)",
            ),
        ]
    ],
)
def test_edge_case_is_wrong_without_the_check_that_it_names(name, function, edge_case, check, mistake):
    if name == "huxxy":
        fast_huxxy()
    source = solution(name).files[0][1].decode()
    assert source.count(check) == 1
    function, module = f"comp10001{name}_{function}", {}
    exec(source.replace(check, mistake), module)
    found = assignment(name)
    two_rounds = found.hidden(function, 2 * len(found.edge_cases[function]), 11)
    cases = [case for case in two_rounds if case.edge_case == edge_case]
    assert len(cases) == 2
    assert any(case.judge(Answer(module[function](*case.arguments), case.arguments)) for case in cases)


@pytest.mark.long
def test_brute_force_gets_marks_for_the_cases_it_finishes():
    """The course's own solution tries all partitions, which takes too long for ten cards."""
    seconds = {PARTITIONS: {"seconds": 0.3}}
    found = assignment("go")
    plan = plan_from(found, {"functions": seconds}, 20, [PARTITIONS])
    (outcome,) = mark_submission(found, solution("go"), plan, 11).outcomes
    assert {one.kind for one in outcome.failing_cases} == {"time"}
    few = [case for case in found.hidden(PARTITIONS, 20, 11) if len(case.arguments[0]) <= 8]
    assert len(few) <= outcome.right < 20
    assert outcome.why == ""
