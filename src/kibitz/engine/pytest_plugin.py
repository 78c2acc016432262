"""A pytest plugin: ``pytest --kibitz-game NAME_OR_PATH`` runs the contract of a game, with a test for each check.

The option can be repeated.  A path (it has a slash in it, or is ``.``) leads to a package of games or to the project
that offers one; its code is run.  Without the option, nothing of Kibitz is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kibitz.engine.contract.checking import Check
    from kibitz.engine.game import Game

OPTION = "--kibitz-game"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--kibitz-game`` to pytest."""
    group = parser.getgroup("kibitz", "card games")
    group.addoption(
        OPTION, action="append", default=[], metavar="NAME_OR_PATH", help="run the contract of a game of Kibitz"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the checks after the collected tests."""
    for name_or_path in session.config.getoption(OPTION):
        items += contract_of(session, name_or_path)


def contract_of(session: pytest.Session, name_or_path: str) -> Iterator[pytest.Item]:
    """A test for each check of each game. Raises UsageError, in one sentence, if there is no such game."""
    from kibitz.engine.contract import checks_of
    from kibitz.errors import KibitzError

    try:
        games = games_of(name_or_path)
    except KibitzError as error:
        raise pytest.UsageError(f"{OPTION}: {error}") from None
    collector = Contract.from_parent(session, name=f"contract of {name_or_path}", nodeid=f"contract[{name_or_path}]")
    checks_by_name = {
        f"{checked_game.name}::{check.__name__}": (check, checked_game)
        for game in games
        for check, checked_game in checks_of(game)
    }
    for name, (check, game) in checks_by_name.items():
        yield CheckItem.from_parent(collector, name=name, game=game, check=check)


def games_of(name_or_path: str) -> tuple[Game, ...]:
    """All variants of the games at a path, or the game with a name."""
    from kibitz.engine.registry import add_package, game, is_path

    return add_package(name_or_path) if is_path(name_or_path) else (game(name_or_path),)


class Contract(pytest.Collector):
    """The checks of a package; it collects nothing by itself."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Nothing: ``pytest_collection_modifyitems`` adds the checks."""
        return []


class CheckItem(pytest.Item):
    """One check of one game."""

    def __init__(self, *, game: Game, check: Check, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.game, self.check = game, check

    def runtest(self) -> None:
        """Run the check."""
        self.check(self.game)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure in the contract's words; a traceback only for unforeseen errors."""
        from kibitz.engine.contract import Violation

        return str(excinfo.value) if isinstance(excinfo.value, Violation) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, int | None, str]:
        """Its location, in words."""
        return str(self.path), None, self.name
