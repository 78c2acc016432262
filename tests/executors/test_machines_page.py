"""``docs/machines.md``: local commands print what the page shows, and all commands that take ``--on`` are named."""

import re

import pytest

from kibitz.cli import main
from tests.cli.registry import commands, parameters
from tests.executors.dask import HERE

PAGE = (HERE / "docs" / "machines.md").read_text(encoding="utf-8")
RUN = re.findall(r"```\n\$ kibitz ([^\n]*--on local[^\n]*)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("words", "printed"), RUN)
def test_the_page_shows_what_commands_print(words, printed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(words.split())
    assert capsys.readouterr().out == printed


def test_every_command_with_an_executor_is_on_the_page():
    """From the commands themselves, so that a new one must be documented."""
    found = {
        f"kibitz {name}" for name, each in commands().items() if any("--on" in one.words for one in parameters(each))
    }
    assert RUN
    assert {"kibitz tournament", "kibitz arena run", "kibitz ladder", "kibitz solve"} <= found
    assert [words for words in sorted(found) if f"`{words}" not in PAGE] == []
