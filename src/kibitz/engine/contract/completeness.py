"""Checks that nothing is left out: every reason, event and branch occurs, or is excused by name.

    exclusions  in the game's ``contract.py``: ``EXCLUSIONS``, from a branch or a reason, written as the check writes
                it, to a sentence on why no position shows it

Games of one package are checked together, since one may show what another can't; the check runs with the first, the
standard game.  A name in ``EXCLUSIONS`` that does occur, or doesn't exist, fails as well; one whose reason begins with
``rare:`` may occur by chance, and the reason says which tests set it up.
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
        """Add what one game has and what its positions show."""
        search_result = search(game, thorough)
        functions = [*coverage.rules_of(game), *coverage.event_functions_of(game), *coverage.words_of(game)]
        for each in filter(has_unrecordable_branches, functions):
            where = f"{each.__qualname__}, line {each.__code__.co_firstlineno} of {each.__code__.co_filename}"
            demand(False, "code has a branch where coverage can't see it: write it with def", Place(game), where)
        self.expected |= set(branches_of(functions))
        self.expected |= {f"Reason.{reason.name}" for reason in game.rules.Reason}
        self.expected |= {f"event {kind.__name__}" for kind in all_events(game)}
        self.covered |= search_result.branches
        self.covered |= {f"Reason.{game.rules.Reason(reason).name}" for reason in search_result.reasons}
        self.covered |= {f"event {kind.__name__}" for kind in search_result.events}


def package_games(game: Game) -> list[Game]:
    """The game and the others of its package; it replaces the registered game of its name."""
    package = coverage.package(game).rpartition(".")[2]
    registered = variants(package)
    return [game if other.name == game.name else other for other in registered] or [game]


def exclusions_of(game: Game) -> Mapping[str, str]:
    """The branches and reasons that the game's package excludes, with why."""
    excluded: Mapping[str, str] = getattr(module_in(coverage.package(game), "contract"), "EXCLUSIONS", {})
    return excluded


@check
def everything_occurs(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every reason, event and branch of a package's games occurs or is excluded with a reason; no excluded one occurs.

    All this is checked with the package's first game; for the others, only that nothing excluded occurs.
    """
    family, excluded, place = package_games(game), exclusions_of(game), Place(game)
    coverage = Coverage()
    is_first = family[0] is game
    for each in family if is_first else [game]:
        coverage.add(each, thorough)
    wrong = sorted(name for name in excluded.keys() & coverage.covered if not excluded[name].startswith(RARE))
    demand(not wrong, "contract.py says that this can't happen, but it does", place, "", tuple(wrong[:3]))
    empty = sorted(name for name, why in excluded.items() if len(why.split()) < 3)
    demand(not empty, "contract.py gives no reason", place, "", tuple(empty[:3]))
    if not is_first:
        return
    unknown = sorted(excluded.keys() - coverage.expected)
    demand(
        not unknown,
        "contract.py names something that isn't a reason, event or branch of the game",
        place,
        "",
        tuple(unknown[:3]),
    )
    missing = sorted(coverage.expected - coverage.covered - excluded.keys())
    sentence = (
        f"{len(missing)} branches, reasons or events never occur: try --thorough 3, or give the reason in "
        "contract.py's EXCLUSIONS"
    )
    demand(not missing, sentence, place, "", (short_text("; ".join(missing)),))


CHECKS = (everything_occurs,)
