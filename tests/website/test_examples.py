"""A test runs every example of every page: Python by doctest, commands by a page's script or by these tests."""

import re
from pathlib import Path

import pytest

from tests.tiers import first_fast
from website import consoles, markdown

HOME = consoles.HOME
OUTSIDE = [HOME / name for name in ("README.md", "CONTRIBUTING.md", "examples/players/README.md")]
PAGES = sorted(path.relative_to(HOME).as_posix() for path in [*OUTSIDE, *(HOME / "docs").rglob("*.md")])


def text(name):
    return (HOME / name).read_text(encoding="utf-8")


OURS = [name for name in PAGES if any(example.commands for example in consoles.ours(name, text(name)))]
SHORT = [
    name for name in OURS if any(each.commands and each.note != "long" for each in consoles.ours(name, text(name)))
]


@pytest.mark.parametrize("name", first_fast(sorted(SHORT, key=lambda name: name != "docs/play.md"), 2))
def test_commands_print_what_their_page_shows(name):
    assert list(consoles.problems(name, text(name), long=False)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", OURS)
def test_all_commands_print_what_their_page_shows(name):
    assert list(consoles.problems(name, text(name), long=True)) == []


def scripted():
    """The pages whose examples are written by a script."""
    for name in PAGES:
        script, page = consoles.script_of(name), text(name)
        if script and any(consoles.is_written_by(script, page, each) for each in consoles.examples(name, page)):
            yield name, script


@pytest.mark.parametrize(("name", "script"), list(scripted()))
def test_every_page_script_has_a_test(name, script):
    tests = [path.read_text(encoding="utf-8") for path in (HOME / "tests").rglob("*.py")]
    names = (script.name, f'"{script.stem}"')
    assert any('"docs"' in part and any(name in part for name in names) for part in tests), (
        f"{name} has examples that docs/{script.name} writes, and no test runs it"
    )


@pytest.mark.parametrize(("name", "test"), sorted(consoles.ELSEWHERE.items()))
def test_examples_run_elsewhere_are_named_there(name, test):
    assert Path(name).name in text(test)


@pytest.mark.parametrize("name", PAGES)
def test_python_examples_are_doctests_or_files_that_commands_run(name):
    page = text(name)
    files = {example.start for example in consoles.examples(name, page) if example.file}
    for fence in markdown.FENCE.finditer(page):
        if fence["language"].strip().startswith("py"):
            assert fence["language"].strip() == "python", f"{name}: doctest reads no fence of {fence['language']!r}"
            assert ">>> " in fence["body"] or fence.start() in files, f"{name}: nobody runs this:\n{fence['body']}"


@pytest.mark.parametrize("name", PAGES)
def test_commands_mentioned_in_text_exist(name):
    """In code blocks without ``$`` and in the text, whatever the command's arguments."""
    from kibitz.cli import COMMANDS, arena

    for found in re.finditer(r"`(?:\.venv/bin/)?kibitz ([a-z][a-z-]*)(?: ([a-z-]+))?", text(name)):
        assert found[1] in COMMANDS, f"{name}: there is no command {found[0]!r}"
        if found[1] == "arena" and found[2]:
            assert found[2] in arena.COMMANDS, f"{name}: there is no command {found[0]!r}"


def test_differing_output_on_a_new_page_is_found():
    page = "# New\n\n```\n$ kibitz rules eights\n# Crazy Nines\n```\n"
    (found,) = consoles.problems("docs/new.md", page, long=False)
    assert "# Crazy Nines" in found


def test_a_failing_command_without_output_is_found():
    (found,) = consoles.problems("docs/new.md", "```console\n$ kibitz rules nonsense\n```\n", long=False)
    assert "ends with status 2" in found


def test_commands_for_other_machines_must_exist():
    page = "```\n$ kibitz {} http://kibitz.example\n$ kibitz tournament go --on dask://10.0.0.7:8786\n```\n"
    assert list(consoles.problems("docs/new.md", page.format("play"), long=False)) == []
    (found,) = consoles.problems("docs/new.md", page.format("fly"), long=False)
    assert "there is no command 'kibitz fly'" in found


@pytest.mark.parametrize(
    ("shown", "said"),
    [("one\n...\nfour", "one\ntwo\nthree\nfour"), ("in 0.78 s", "in 12.1 s"), ("x" * 156 + " ...", "x" * 500)],
)
def test_dots_times_and_long_lines_may_differ(shown, said):
    assert consoles.fits(shown, said)
    assert not consoles.fits(shown, said + "\nfive")
