"""``kibitz check-game``: the contract of a game, check by check, or one check at one seed."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Count, GameName, a_seed
from kibitz.cli.screen import BOLD, Screen, put
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError

INDENT = " " * 8


def check_game(
    game: GameName,
    /,
    *,
    check: Annotated[str, Parameter(help="Run this one of the checks alone.")] = "",
    seed: Annotated[int | None, Parameter(converter=a_seed, help="Look at games of this seed alone.")] = None,
    thorough: Annotated[Count, Parameter(help="How many times as much to look at.")] = 1,
    ascii: Ascii = False,
) -> int:
    """Find out whether a game keeps the promises that every game makes; the status is 2 if it does not.

    What a seat imagines is held against exact odds on the game's mini variant.
    """
    from kibitz.engine.contract import CHECKS, Broken, Stuck, promises

    found = find_game(game)
    there_are = [each.__name__ for each in CHECKS]
    if check and check not in there_are:
        raise NotationError(f"There is no check called {check!r}; there are: {', '.join(there_are)}.")
    screen, broken = Screen(ascii), 0
    for each, of in promises(found):
        if check not in ("", each.__name__):
            continue
        called = each.__name__ + (f" of {of.name}" if of is not found else "")
        if sys.stdout.isatty():
            put(f"        {called} ...", end="\r")
            sys.stdout.flush()
        began = perf_counter()
        try:
            each(of, thorough, seed)
        except Broken as error:
            broken += 1
            first, *more = str(error).splitlines()
            screen.line(f"BROKEN  {called}: {first}", hang=INDENT)
            for line in more:
                screen.line(INDENT + line, hang=INDENT)
            if isinstance(error, Stuck):
                screen.line("        No more checks are made: they would wait for it as well.")
                break
        except ImportError as error:
            raise KibitzError(str(error)) from error
        else:
            screen.line(f"ok      {called} ({perf_counter() - began:.1f} s)")
    kept = "keeps the contract" if not broken else f"breaks the contract in {broken} of its checks"
    screen.line(f"{found.name} {kept if not check else kept.replace('the contract', 'what was checked')}.", BOLD)
    return 2 if broken else 0
