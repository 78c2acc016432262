"""docs/machines.md: its commands on this machine print what stands there, and it names all that takes ``--on``."""

import re
import subprocess
import sys

import pytest

from tests.cli.registry import commands, taken
from tests.executors.dask import HERE

PAGE = (HERE / "docs" / "machines.md").read_text(encoding="utf-8")
RUN = re.findall(r"```\n\$ kibitz ([^\n]*--on local[^\n]*)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("words", "printed"), RUN)
def test_what_a_command_prints_is_on_the_page(words, printed, tmp_path):
    command = [sys.executable, "-m", "kibitz", *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.stdout == printed


def test_some_command_is_run():
    assert RUN


def test_every_command_that_takes_a_place_is_on_the_page():
    """Found in the commands themselves: a new one must be told of."""
    found = {f"kibitz {name}" for name, each in commands().items() if any("--on" in one.words for one in taken(each))}
    assert {"kibitz tournament", "kibitz arena run", "kibitz ladder", "kibitz solve"} <= found
    assert [words for words in sorted(found) if f"`{words}" not in PAGE] == []
