"""Checks that nothing is left out: every reason, event and branch occurs, or is excluded by name.

    exclusions  the mapping ``EXCLUSIONS`` in the game's ``contract.py``: a key is a branch, reason or event, spelled as
                the check reports it; its value is a sentence on why no position shows it

The games of a package are checked together, since one may show what another can't.  An excluded
name that does occur, or doesn't exist, fails the check as well.  A sentence that begins with ``rare:`` marks what may
occur by chance, and says which tests set it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kibitz.engine.assembly import module_in
from kibitz.engine.contract import coverage
from kibitz.engine.contract.checking import Place, check, demand, short_text
from kibitz.engine.contract.coverage import branches_of, has_unrecordable_branches
from kibitz.engine.contract.knowledge import all_events
from kibitz.engine.contract.positions import search
from kibitz.engine.game import Game
from kibitz.engine.registry import variants

RARE = "rare:"


@dataclass
class Coverage:
    """Which branches, reasons and events there are, and which have occurred."""

    expected: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)

    def add(self, game: Game, thorough: int) -> None:
        """Add the branches, reasons and events of one game, and those that its positions show."""
        search_result = search(game, thorough)
        functions = [*coverage.rules_of(game), *coverage.event_functions_of(game), *coverage.text_functions_of(game)]
        for function in filter(has_unrecordable_branches, functions):
            code = function.__code__
            where = f"{function.__qualname__}, line {code.co_firstlineno} of {code.co_filename}"
            demand(False, "coverage can't record the branch of a lambda or comprehension: use def", Place(game), where)
        self.expected |= set(branches_of(functions))
        self.expected |= {f"Reason.{reason.name}" for reason in game.rules.Reason}
        self.expected |= {f"event {kind.__name__}" for kind in all_events(game)}
        self.covered |= search_result.branches
        self.covered |= {f"Reason.{game.rules.Reason(reason).name}" for reason in search_result.reasons}
        self.covered |= {f"event {kind.__name__}" for kind in search_result.events}


def package_games(game: Game) -> list[Game]:
    """The games of the package that ``game`` belongs to; ``game`` replaces the registered game of the same name."""
    package = coverage.package(game).rpartition(".")[2]
    registered = variants(package)
    return [game if other.name == game.name else other for other in registered] or [game]


def exclusions_of(game: Game) -> Mapping[str, str]:
    """What the game's package excludes: a branch, reason or event, and a sentence that says why."""
    excluded: Mapping[str, str] = getattr(module_in(coverage.package(game), "contract"), "EXCLUSIONS", {})
    return excluded


@check
def everything_occurs(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every reason, event and branch of a package's games occurs, or is excluded with a sentence and never occurs.

    All this is checked with the package's first game; for the others, only that nothing excluded occurs.
    """
    games, excluded, place = package_games(game), exclusions_of(game), Place(game)
    package_coverage = Coverage()
    is_first = games[0] is game
    for each in games if is_first else [game]:
        package_coverage.add(each, thorough)
    occurring = sorted(
        name for name in excluded.keys() & package_coverage.covered if not excluded[name].startswith(RARE)
    )
    demand(not occurring, "contract.py says that this can't happen, but it does", place, "", tuple(occurring[:3]))
    unexplained = sorted(name for name, why in excluded.items() if len(why.split()) < 3)
    demand(not unexplained, "contract.py gives no reason", place, "", tuple(unexplained[:3]))
    if not is_first:
        return
    unknown = sorted(excluded.keys() - package_coverage.expected)
    demand(
        not unknown,
        "contract.py names something that isn't a reason, event or branch of the game",
        place,
        "",
        tuple(unknown[:3]),
    )
    never_occurring = sorted(package_coverage.expected - package_coverage.covered - excluded.keys())
    sentence = (
        f"{len(never_occurring)} branches, reasons or events never occur; some may only be rare: try --thorough 3. "
        "Otherwise, give the reason in contract.py's EXCLUSIONS"
    )
    demand(not never_occurring, sentence, place, "", (short_text("; ".join(never_occurring)),))


CHECKS = (everything_occurs,)
