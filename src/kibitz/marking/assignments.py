"""The assignments that can be marked, and plans for marking them: functions, weights, numbers of cases and limits.

>>> assignment("cribbage-lab").functions
('generate_deck', 'shuffle', 'deal_card', 'score_hand', 'play')
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from kibitz.cards import short_repr
from kibitz.engine import file_io
from kibitz.engine.game import Game
from kibitz.engine.registry import game, package_modules, package_of, packages, variants
from kibitz.engine.views.assignment_interface import assignment_of_package
from kibitz.engine.views.value_types import Signature
from kibitz.errors import NotationError, cause
from kibitz.games.signatures import ASSIGNMENTS, CALL_SECONDS
from kibitz.marking.cases.case import Case, EdgeCases, hidden
from kibitz.players.limits import STANDARD, Limits

T = TypeVar("T")

NAMES = {"go": "go", "bo": "bo", "huxxy": "huxxy", "aps106": "cribbage-lab", "cs212": "poker"}
"""The assignments' names on the command line, by course: the keys of the table of published functions."""
TITLES = {
    "go": "COMP10001-Go",
    "bo": "COMP10001-Bo",
    "huxxy": "COMP10001-Huxxy",
    "cribbage-lab": "APS106, the cribbage lab",
    "poker": "CS212, poker",
}
"""The assignments' titles, by name."""

WITHOUT_GAME = ("cribbage-lab", "poker")
"""The assignments that aren't games; the folder ``statements`` has their rules."""
PACKAGES = {"cribbage-lab": "cribbage"}
"""By assignment, the package of games that describes its functions, if that has another name."""


class Assignment(msgspec.Struct, frozen=True):
    """An assignment; ``course`` is its key in the table of published functions, ``ASSIGNMENTS``.

    ``bonus`` has the edge cases of the bonus rules, by function; some functions are only in the bonus rules.
    """

    name: str
    course: str
    published: tuple[Case, ...]
    edge_cases: EdgeCases
    bonus: EdgeCases

    @property
    def title(self) -> str:
        """The assignment's title in a heading."""
        return TITLES[self.name]

    @property
    def package(self) -> str:
        """The package of games that describes the functions."""
        return PACKAGES.get(self.name, self.name)

    @property
    def module(self) -> ModuleType:
        """The module of that package with COURSE, the functions' descriptions and the published calls."""
        module = assignment_of_package(package_modules()[self.package])
        assert module is not None
        return module

    @property
    def solutions(self) -> ModuleType:
        """The module with Kibitz's own functions."""
        return import_module(f"kibitz.coursework.{self.module.COURSE}")

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that call any of the functions."""
        return tuple(game for game in variants(self.package) if game.assignment is not None)

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The functions with their published types."""
        return ASSIGNMENTS[self.course]

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions, in the assignment's order."""
        return tuple(function.name for function in self.signatures)

    def hidden(self, function: str, cases: int, seed: int, *, bonus: bool = False) -> tuple[Case, ...]:
        """``cases`` hidden cases of a function, from its edge cases in turn; ``seed`` determines them."""
        edge_cases = self.edge_cases.get(function, ())
        if bonus or not edge_cases:
            edge_cases += self.bonus.get(function, ())
        return tuple(hidden(function, edge_cases, cases, seed))


@cache
def assignment(name: str) -> Assignment:
    """The assignment called ``name``, or that of the game ``name``.

    Raises NotationError, with all names, for another name.
    """
    for course, assignment_name in NAMES.items():
        if name in (assignment_name, PACKAGES.get(assignment_name)):
            cases = import_module(f"kibitz.marking.cases.{assignment_name.replace('-', '_')}")
            return Assignment(assignment_name, course, cases.PUBLISHED, cases.HIDDEN, getattr(cases, "BONUS", {}))
    if name in packages():
        raise NotationError(f"{name} has no assignment; 'kibitz template {name}' explains what a player file defines.")
    matches = difflib.get_close_matches(name, NAMES.values(), 1)
    hint = f"did you mean {matches[0]!r}? " if matches else ""
    raise NotationError(f"unknown assignment {short_repr(name)}; {hint}known assignments: {', '.join(NAMES.values())}.")


def assignment_for(name: str) -> Assignment | None:
    """The assignment with this name, or the one whose functions the game with this name calls; None if there is none.

    Raises NotationError if neither an assignment nor a game has this name.
    """
    base = name.strip().lower().removeprefix("comp10001-").partition(":")[0]
    if base in (*NAMES.values(), *PACKAGES.values()):
        return assignment(base)
    return assignment(package_of(base)) if find_game(name).assignment is not None else None


def find_game(name: str) -> Game:
    """The game called ``name``; the error for an unknown name also lists the assignments that aren't games."""
    try:
        return game(name)
    except NotationError as error:
        if not str(error).startswith("Unknown game"):
            raise
        raise NotationError(f"{error} Assignments that aren't games: {', '.join(WITHOUT_GAME)}.") from error


# A plan, read from a small TOML file.
#
#     out_of = 20                             # marks for everything; default: 100
#     hidden = 150                            # the number of hidden cases of each function; default: 100
#     partial = false                         # a function with any wrong case earns nothing
#     bonus = true                            # also mark Huxxy's rules for Jokers; default: false
#
#     [rubric]                                # criteria, each with the most extra points that a person can give
#     comments = 2
#
#     [functions.comp10001go_best_partitions]
#     weight = 3                              # default: 1; 0: the function is not called at all
#     seconds = 0.5                           # CPU time for one case
#     hidden = 50
#     partial = true
#
# All settings are optional.  An unknown key is refused with a list of the known keys.


OUT_OF, HIDDEN = 100.0, 100
"""The defaults of ``out_of`` and ``hidden``."""
MAX_HIDDEN_CASES = 10_000
FUNCTION_SECONDS = 60.0
"""Seconds for all cases of one function together, or one second per case if that is more."""
RETRY_SECONDS = 60.0
"""Seconds for repeating a function's cases that ran out of time."""
LARGEST_REPLY = 256 << 10
"""The maximum number of bytes of a function's reply."""
LARGEST_FILE = 64 << 10
"""The maximum number of bytes of a plan's TOML file."""


class FunctionPlan(msgspec.Struct, frozen=True):
    """How one function is marked.

    ``hidden`` is the number of hidden cases, and ``seconds`` the CPU time for one case. Unless ``partial``, a function
    with any wrong case earns nothing.
    """

    name: str
    hidden: int
    seconds: float
    weight: float = 1.0
    partial: bool = True

    @property
    def limits(self) -> Limits:
        """A submission's limits for one case; unlike in a game, a sleeping function is stopped after the same time."""
        return replace(STANDARD, call=self.seconds, bank=inf, wall_factor=1.0, reply=LARGEST_REPLY)

    @property
    def total_seconds(self) -> float:
        """Seconds for all cases together, including time spent waiting."""
        return max(FUNCTION_SECONDS, float(self.hidden))


class Plan(msgspec.Struct, frozen=True):
    """How an assignment is marked."""

    assignment: str
    functions: tuple[FunctionPlan, ...]
    out_of: float = OUT_OF
    bonus: bool = False
    """Whether cases of the bonus rules are marked too."""
    rubric: Mapping[str, float] = {}
    """The maximum number of extra points that a person can give, by criterion."""

    def worth(self, name: str) -> float:
        """The marks that a function is worth, to two decimals; all functions together are worth ``out_of``."""
        total = sum(function.weight for function in self.functions)
        index = next(index for index, function in enumerate(self.functions) if function.name == name)
        before = sum(function.weight for function in self.functions[:index])
        # The difference of two rounded sums: if shares were rounded one by one, 13 equal shares of 100 would add up to
        # 99.97.
        hundredths = [
            round(100 * self.out_of * weight / total) for weight in (before, before + self.functions[index].weight)
        ]
        return (hundredths[1] - hundredths[0]) / 100


def read_plan(
    assignment: Assignment,
    path: Path | None,
    hidden: int | None = None,
    only: Collection[str] = (),
    seconds: float | None = None,
) -> Plan:
    """The plan in a TOML file, or the standard plan without one; the other arguments override the file.

    Raises NotationError for an invalid setting.
    """
    settings = read_toml(path) if path is not None else {}
    where = f"{path}: " if path is not None else ""
    try:
        return plan_from(assignment, settings, hidden, only, seconds)
    except NotationError as error:
        raise NotationError(f"{where}{error}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file."""
    try:
        with file_io.open_binary(path) as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise NotationError(f"{path} cannot be read: {cause(error)}.") from error
    if len(content) > LARGEST_FILE:
        raise NotationError(f"{path} is larger than {LARGEST_FILE >> 10} kB, the limit for a plan.")
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:  # a number may have too many digits
        raise NotationError(f"{path} isn't valid TOML: {str(error).rstrip('.')}.") from error


def read_table_of(path: Path | None, name: str, read: Callable[[dict[str, Any]], T]) -> T | None:
    """The table ``name`` of a TOML file as ``read`` returns it; None without a file or in a file without this table."""
    settings = read_toml(path).get(name) if path is not None else None
    if settings is None:
        return None
    try:
        return read(as_table(settings, name))
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from error


def plan_from(
    assignment: Assignment,
    settings: Mapping[str, Any],
    hidden: int | None = None,
    only: Collection[str] = (),
    seconds: float | None = None,
) -> Plan:
    """A plan from the settings in a file; the other arguments override the settings."""
    check_known(
        settings, ("out_of", "hidden", "partial", "bonus", "functions", "rubric", "deadline", "tournament"), "setting"
    )
    functions = as_table(settings.get("functions", {}), "functions")
    for course, signatures in ASSIGNMENTS.items():
        known = {function.name for function in signatures}
        if misplaced := [name for name in functions if name in known and name not in assignment.functions]:
            raise NotationError(f"{misplaced[0]} is a function of {NAMES[course]}, not of {assignment.name}.")
    check_known([*functions, *only], assignment.functions, "function")
    out_of = as_number(settings, "out_of", OUT_OF, least=0.01)
    if hidden is not None:
        as_count({"hidden": hidden}, "hidden", HIDDEN)
    hidden_default = hidden or as_count(settings, "hidden", HIDDEN)
    partial = as_bool(settings, "partial", default=True)
    bonus = as_bool(settings, "bonus", default=False)
    if bonus and not assignment.bonus:
        raise NotationError(f"{assignment.name} has no bonus rules: leave out bonus.")
    plans = []
    for name in assignment.functions:
        function_settings = as_table(functions.get(name, {}), f"functions.{name}")
        check_known(function_settings, ("weight", "seconds", "hidden", "partial"), f"setting of {name}")
        if name not in assignment.edge_cases and not bonus and name not in only:
            if function_settings:
                raise NotationError(f"{name} is marked only with bonus = true.")
            continue
        plan = FunctionPlan(
            name,
            hidden or as_count(function_settings, "hidden", hidden_default),
            as_number(
                function_settings if seconds is None else {"seconds": seconds},
                "seconds",
                usual_seconds(name),
                least=0.01,
                most=FUNCTION_SECONDS,
            ),
            as_number(function_settings, "weight", 1.0, least=0.0),
            as_bool(function_settings, "partial", default=partial),
        )
        if plan.weight and (not only or name in only):
            plans.append(plan)
    if not plans:
        raise NotationError("all functions have weight 0: give one a weight.")
    return Plan(assignment.name, tuple(plans), out_of, bonus, rubric_of(as_table(settings.get("rubric", {}), "rubric")))


OTHER_COLUMNS = ("student", "id", "comment")
COUNT_COLUMNS = ("file", "number of functions", "docstrings", "longest function", "comment lines", "unusual names")
"""Columns of the rubric's sheet that aren't criteria; ``COUNT_COLUMNS`` hold counts from the submission's files."""


def rubric_of(settings: Mapping[str, Any]) -> dict[str, float]:
    """The maximum points by criterion of a rubric.

    Raises NotationError if a name can't be a column of the rubric's sheet.
    """
    for name in settings:
        if not re.fullmatch(r"[a-z][a-z0-9_ -]{0,30}", name) or name in (*OTHER_COLUMNS, *COUNT_COLUMNS):
            raise NotationError(
                f"{short_repr(name)} can't be the name of a rubric criterion; use a name such as comments."
            )
    return {name: as_number(settings, name, 0.0, least=0.0) for name in settings}


def usual_seconds(name: str) -> float:
    """Seconds of CPU time for one case of a function, unless a plan says otherwise."""
    return CALL_SECONDS.get(name, STANDARD.call)


def check_known(names: Collection[str], known: Collection[str], what: str) -> None:
    """Raise NotationError for an unknown name, with the most similar known name or all known names."""
    for name in names:
        if name not in known:
            matches = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {matches[0]!r}?" if matches else f"known names: {', '.join(known)}."
            raise NotationError(f"unknown {what}: {short_repr(name)}; {hint}")


def as_table(value: Any, name: str) -> dict[str, Any]:
    """A setting that is a table. Raises NotationError if it isn't."""
    if not isinstance(value, dict):
        raise NotationError(f"{name} must be a table with a line [{name}] of its own, not {short_repr(str(value))}.")
    return value


def as_number(settings: Mapping[str, Any], name: str, default: float, *, least: float, most: float = 1e6) -> float:
    """A setting that is a number from ``least`` to ``most``, or the default. Raises NotationError for anything else."""
    value = settings.get(name, default)
    if type(value) not in (int, float) or not math.isfinite(value) or not least <= value <= most:
        raise NotationError(f"{name} must be a number from {least:g} to {most:,.9g}, not {short_repr(str(value))}.")
    return float(value)


def as_count(settings: Mapping[str, Any], name: str, default: int) -> int:
    """A setting that is a number of cases, or the default. Raises NotationError for anything else."""
    value = settings.get(name, default)
    if type(value) is not int or not 1 <= value <= MAX_HIDDEN_CASES:
        raise NotationError(
            f"{name} must be a whole number from 1 to {MAX_HIDDEN_CASES}, not {short_repr(str(value))}."
        )
    return value


def as_bool(settings: Mapping[str, Any], name: str, *, default: bool) -> bool:
    """A setting that is true or false, or the default. Raises NotationError for anything else."""
    value = settings.get(name, default)
    if type(value) is not bool:
        raise NotationError(f"{name} must be true or false, not {short_repr(str(value))}.")
    return value
