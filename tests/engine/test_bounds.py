"""Machine code does not check array bounds; this test compiles it with checks, once for every package of games.

The contract checks every index and number in plain Python; this shows that the compiler agrees.
"""

import subprocess
import sys
import textwrap

import pytest

from kibitz.engine.registry import all_games, package_of, packages, variants

PROGRAM = textwrap.dedent(
    """
    import sys
    import numpy as np
    import kibitz
    from kibitz.engine.contract import lockstep
    from kibitz.engine.kernels import compilation
    from kibitz.engine.kernels.batch import records
    from kibitz.engine.game import seed_words

    first = kibitz.game(sys.argv[1])
    trace = compilation.compiled(lockstep, first.rules).play_traced
    for name in sys.argv[1:]:
        played = kibitz.game(name)
        states, out = records(played, 1), np.zeros(played.max_legal, np.int64)
        for seed in range(300):
            trace(states, out, np.zeros(lockstep.TRACE, np.int64), *seed_words(seed))
    """
)


@pytest.mark.long
@pytest.mark.parametrize("package", packages())
def test_no_kernel_reads_or_writes_outside_an_array(package, tmp_path):
    names = [game.name for game in variants(package)]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names],
        env={"NUMBA_BOUNDSCHECK": "1", "KIBITZ_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


def test_every_game_belongs_to_a_package():
    assert {package_of(game.name) for game in all_games()} == set(packages())
