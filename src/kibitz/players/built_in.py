"""Players that come with Kibitz: ``random``, every strategy of the game, those that were trained or think ahead.

What search players do depends on whether machine code is ready, so where all machines must agree, as in seasons, they
are left out: ``everywhere_alike`` are the others.  A trained player chooses alike everywhere too, but is trained anew
now and then, and who fills seats should stay who it is: so it is none of these either.
"""

from __future__ import annotations

from random import Random

from kibitz.engine.events import Event, Outcome, View
from kibitz.engine.game import Game, Strategy
from kibitz.engine.policies import Policy
from kibitz.learned.veterans import veterans
from kibitz.search.search_players import search_players

BEST = "best"
"""What the strongest player of every game goes by, whatever else it is called."""


def uniform(view: View, legal: list[int], random: Random) -> int:
    """Any legal action, each as likely as the others."""
    return legal[random.randrange(len(legal))]


def strategies(game: Game) -> dict[str, Strategy]:
    """The built-in strategies of a game by name, the strongest last."""
    return {**everywhere_alike(game), **veterans(game), **search_players(game)}


def meant(game: Game, words: str) -> str | None:
    """The name of the built-in player that is meant, None if there is none; ``best`` is the strongest in every game.

    >>> import kibitz
    >>> meant(kibitz.game("bo"), "best"), meant(kibitz.game("go"), "best")
    ('best', 'best')
    """
    known = strategies(game)
    if words == BEST:
        return list(known)[-1]
    return words if words in known else None


def everywhere_alike(game: Game) -> dict[str, Strategy]:
    """Those of them that choose alike on every machine."""
    return {"random": uniform, **game.strategies}


def best_known(game: Game) -> str:
    """The built-in player that is taken where none is named: the strongest of those that play alike everywhere."""
    return list(everywhere_alike(game))[-1]


class StrategyPlayer:
    """Plays a strategy, which sees the view and the legal actions and has a random generator of its own."""

    def __init__(self, name: str, strategy: Strategy) -> None:
        self.name, self.strategy, self.random = name, strategy, Random(0)

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Begin a game."""
        self.random = Random(seed)
        if isinstance(self.strategy, Policy):
            self.strategy = self.strategy.drawing(seed)

    def observe(self, event: Event) -> None:
        """A view holds all that a strategy may know."""

    def act(self, view: View, legal: list[int]) -> int:
        """The strategy's choice."""
        return self.strategy(view, legal, self.random)

    def end(self, outcome: Outcome | None) -> str:
        """A strategy prints nothing."""
        return ""
