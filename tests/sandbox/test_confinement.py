"""What the kernel lets a player's process have, as it sees it from within."""

import ast
import resource

import pytest

from kibitz.players import zygote
from kibitz.sandbox import tier, wish
from kibitz.sandbox.confinement import NO_SUCH_LIMIT, NOTHING, OPEN_FILES
from tests.players.conftest import ROOMY, go_with, match_with


def test_the_numbers_of_limits_are_those_that_python_gives_where_it_names_them():
    assert set(NOTHING) == set(NO_SUCH_LIMIT)
    named = {name: getattr(resource, f"RLIMIT_{name}", number) for name, number in NO_SUCH_LIMIT.items()}
    assert named == NO_SUCH_LIMIT


@pytest.mark.parametrize("name", ["default", "outer"])
def test_a_players_process_has_no_more_than_its_limits(name):
    wish(name)
    if not tier().rated:
        pytest.skip(tier().reason)
    zygote.close()
    numbers = [*NO_SUCH_LIMIT.values(), resource.RLIMIT_NOFILE, resource.RLIMIT_AS]
    match = match_with(go_with(f"import resource\nprint([resource.getrlimit(n) for n in {numbers}])\nreturn hand[0]"))
    assert match.record.forfeits == (), match.details
    *none, files, memory = ast.literal_eval(match.prints[1].splitlines()[0])
    assert none == [(0, 0)] * len(NOTHING)
    assert files == (OPEN_FILES, OPEN_FILES)
    assert ROOMY.memory <= memory[0] == memory[1] < 2 * ROOMY.memory
