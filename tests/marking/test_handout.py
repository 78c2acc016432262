"""The handout: public tests that our own functions pass, starter files that can be marked, true statements."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kibitz.cli.assignments import MORE_INFO
from kibitz.cli.assignments import assignment as hand_out
from kibitz.cli.template import starter_file
from kibitz.marking.assignments import NAMES, assignment, plan_from, read_plan
from kibitz.marking.case_runner import mark_submission
from kibitz.marking.handout import public_tests, statement
from kibitz.players.files.sources import Sources
from tests.players.test_notebooks import notebook
from tests.tiers import first_fast, long

TESTS = "test_public.py"


def handout(tmp_path, name):
    """Write an assignment's public tests, and a file with our own functions beside them."""
    found = assignment(name)
    (tmp_path / "ours.py").write_text(f"from {found.solutions.__name__} import *\n")
    (tmp_path / TESTS).write_text(public_tests(found, read_plan(found, None), "ours.py", TESTS), encoding="utf-8")
    return found


def run(tmp_path, *words):
    return subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)


@pytest.mark.parametrize("name", first_fast(tuple(NAMES.values())))
def test_our_own_functions_pass_the_public_tests_in_plain_python(tmp_path, name):
    found = handout(tmp_path, name)
    done = run(tmp_path, TESTS)
    assert done.returncode == 0, done.stdout + done.stderr
    called = [line.split()[1] for line in done.stdout.splitlines()]
    assert called == [one for one in found.functions if any(case.function == one for case in found.published)]


def test_the_public_tests_run_a_notebook(tmp_path):
    handout(tmp_path, "cribbage-lab")
    cells = (
        "%%bash\nexit 1",
        "!ls",
        "%cd ..\nfrom kibitz.coursework.aps106 import *",
        "files = !ls\nf = 1\nx = %time 5\nlist?\nif f:\n  %pwd",
    )
    (tmp_path / "ours.ipynb").write_bytes(notebook(*cells))
    done = run(tmp_path, TESTS, "ours.ipynb")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_the_public_tests_run_under_pytest(tmp_path):
    handout(tmp_path, "cribbage-lab")
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS)
    assert "2 passed" in done.stdout, done.stdout


@pytest.mark.parametrize("name", first_fast(tuple(NAMES.values())))
def test_starter_file_defines_every_function_and_fails_the_public_tests(tmp_path, name):
    found = assignment(name)
    source = starter_file(found)
    plan = read_plan(found, None, 2)
    defined = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert {node.name for node in defined if not ast.get_docstring(node)}.isdisjoint(found.functions)
    result = mark_submission(found, Sources((("mine.py", source.encode()),)), plan, 1)
    assert not result.why
    assert all(outcome.why in ("", f"{outcome.name} is not written yet.") for outcome in result.outcomes)
    assert not [one for outcome in result.outcomes for one in outcome.failing_cases if one.kind == "exception"]
    handout(tmp_path, name)
    (tmp_path / "ours.py").write_text(source, encoding="utf-8")
    done = run(tmp_path, TESTS, "ours.py")
    assert done.returncode == 1
    assert "NotImplementedError" in done.stdout


def test_wrong_answer_is_shown_with_the_call_and_a_right_answer(tmp_path):
    handout(tmp_path, "cribbage-lab")
    (tmp_path / "ours.py").write_text("def score_hand(hand):\n    return 4\n")
    done = run(tmp_path, TESTS)
    assert "wrong    generate_deck - AttributeError" in done.stdout
    assert "AssertionError: score_hand([['hearts', 9]" in done.stdout
    assert "returned 4; right would be 12" in done.stdout


ENDLESS = "def generate_deck():\n    while True:\n        pass\n"


@pytest.mark.parametrize(
    ("source", "status", "shown"),
    [
        ("from kibitz.coursework.aps106 import *\n", 0, ["ok       generate_deck", "ok       score_hand"]),
        ("def generate_deck():\n    return []\n", 1, ["wrong    generate_deck", "wrong    score_hand"]),
        long((ENDLESS, 124, ["Stopped after", "doesn't end"])),
    ],
)
def test_github_workflow_runs_the_public_tests_and_shows_a_summary(tmp_path, source, status, shown):
    hand_out("cribbage-lab", output=tmp_path, github=True)
    workflow = yaml.safe_load((tmp_path / ".github/workflows/public-tests.yml").read_text())
    assert workflow[True] == ["push", "workflow_dispatch"]  # YAML 1.1 reads the key "on" as true
    (job,) = workflow["jobs"].values()
    assert job["runs-on"]
    assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    (run,) = (step["run"] for step in job["steps"] if "run" in step)
    (tmp_path / "my_cribbage_lab.py").write_text(source)
    summary = tmp_path / "summary.md"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"GITHUB_STEP_SUMMARY": str(summary), "PATH": path}
    quick = run.replace("timeout 120", "timeout 5")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", quick], cwd=tmp_path, env=os.environ | environment
    )
    assert done.returncode == status
    text = summary.read_text()
    assert all(words in text for words in shown)
    assert text.startswith("~~~~\n")
    assert text.endswith("~~~~\n")


@pytest.mark.parametrize("name", NAMES.values())
def test_statement_describes_every_function_with_marks_and_rules(name):
    found = assignment(name)
    plan = read_plan(found, None, only=found.functions)
    text = statement(found, plan, "my.py", TESTS)
    for signature in found.signatures:
        assert f"### `{signature.name}(" in text
        assert f"| `{signature.name}` | " in text
        for parameter in signature.parameters:
            assert f"{parameter.name}: " in text or f"`{parameter.name}`" in text
    assert text.startswith(f"# {found.title}\n")
    assert len(text.partition("## Rules")[2]) > 800
    assert "kibitz.games" not in text


def test_statement_says_whether_the_bonus_game_is_marked():
    found = assignment("huxxy")
    for settings, unmarked in (({}, True), ({"bonus": True}, False)):
        text = statement(found, plan_from(found, settings), "my.py", TESTS)
        assert ("The bonus game is not marked." in text) is unmarked
        assert ("### `comp10001huxxy_bonus_play(" in text) is not unmarked


@pytest.mark.parametrize("name", first_fast(tuple(NAMES.values())))
def test_starter_file_refers_to_the_rules_beside_it(name):
    """The rules of the games 'cribbage' and 'poker' differ from those of the lab and of CS212."""
    source = starter_file(assignment(name), MORE_INFO)
    assert "statement.md has the rules, and test_public.py the published calls." in source
    assert "kibitz rules" not in source
