"""The games as one chooses among them: by the rule book that they share, such as poker's.

family      the games of one package, the standard game first
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.engine.game import Game
from kibitz.engine.registry import all_games, package_of, variants
from kibitz.engine.sentences import listed


class Family(NamedTuple):
    """Games with one rule book; ``name`` is that of their package."""

    name: str
    games: tuple[Game, ...]

    @property
    def titles(self) -> list[str]:
        """What its games are called, each title once."""
        return list(dict.fromkeys(game.title for game in self.games))

    @property
    def title(self) -> str:
        """What its games are called together.

        >>> [family.title for family in families() if family.name in ("go", "poker")]
        ['COMP10001-Go', 'Poker']
        """
        return self.titles[0] if len(self.titles) == 1 else self.name.capitalize()

    @property
    def summary(self) -> str:
        """What the standard game is about, or which games there are."""
        return self.games[0].summary if len(self.titles) == 1 else f"{listed(self.titles)}."


def family_of(game: Game) -> str:
    """The name of the family that a game belongs to.

    >>> from kibitz.engine.registry import game
    >>> family_of(game("go-mini")), family_of(game("holdem:hands=5"))
    ('go', 'poker')
    """
    return package_of(game.name.partition(":")[0])


def families() -> tuple[Family, ...]:
    """All games by family; what cannot be had is left out."""
    found: dict[str, list[Game]] = {}
    for game in all_games():
        found.setdefault(family_of(game), []).append(game)
    return tuple(Family(name, tuple(games)) for name, games in found.items())


def called(game: Game, family: Family) -> str:
    """What a game is called among those of its family.

    >>> poker = next(family for family in families() if family.name == "poker")
    >>> [called(game, poker) for game in poker.games]
    ["Texas hold'em", 'Five-card draw', 'Five-card draw, mini', 'Kuhn poker', 'Leduc poker']
    """
    if len(family.titles) == 1:
        return game.variant.capitalize()
    return titled(game)


def titled(game: Game) -> str:
    """What a game is called, whatever its options: its title, and its variant where others have that title too.

    >>> from kibitz.engine.registry import game
    >>> titled(game("huxxy:players=2")), titled(game("huxxy-bonus")), titled(game("kuhn"))
    ('COMP10001-Huxxy', 'COMP10001-Huxxy, bonus', 'Kuhn poker')
    """
    alone = sum(other.title == game.title for other in variants(family_of(game))) == 1
    return game.title if alone or game.variant == "standard" else f"{game.title}, {game.variant}"
