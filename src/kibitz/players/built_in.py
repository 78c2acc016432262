"""The players that come with Kibitz: ``random``, the game's strategies, trained players and search players.

    character   a built-in player's name, a line on its style, and how it plays
    points      its measured strength on the Elo scale: the average is 1500, and a lead of 400 points means odds of ten
                to one; ``margin`` is half the width of the 95 % interval
    level       the name, such as "Easy", of one of up to four players that people can choose from

Where all machines must agree, as in seasons, only ``reproducible_players`` take part. They exclude search players,
whose choices depend on whether machine code is ready, and trained players, which are retrained now and then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from inspect import getdoc
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from kibitz.engine.game import Game, Strategy
from kibitz.engine.kernels.policies import Policy
from kibitz.engine.registry import family_of
from kibitz.engine.sentences import listed
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.search.search_players import is_ready, search_players
from kibitz.search.veterans import veterans

BEST = "best"
"""The name by which every game's strongest player can be called."""


def uniform(view: View, legal: list[int], random: Random) -> int:
    """Plays any legal move, at random."""
    return legal[random.randrange(len(legal))]


def strategies(game: Game) -> dict[str, Strategy]:
    """The built-in strategies of a game by name, the strongest last."""
    return {**reproducible_players(game), **veterans(game), **search_players(game)}


def built_in_name(game: Game, name: str) -> str | None:
    """The name of a built-in player, with ``best`` for the strongest; None if there is none of that name.

    >>> import kibitz
    >>> built_in_name(kibitz.game("bo"), "best"), built_in_name(kibitz.game("go"), "best")
    ('best', 'best')
    """
    by_name = strategies(game)
    if name == BEST:
        return list(by_name)[-1]
    return name if name in by_name else None


def reproducible_players(game: Game) -> dict[str, Strategy]:
    """The strategies, by name, that always make the same choice: on every machine, and without retraining."""
    return {"random": uniform, **game.strategies}


def default_player(game: Game) -> str:
    """The default built-in player: the strongest one that chooses the same on every machine."""
    return list(reproducible_players(game))[-1]


def weaker_players_notice(game: Game, words: Iterable[str]) -> str:
    """A sentence that names the players that are weaker because machine code is missing; empty if there are none."""
    why_weaker = weaker_players_clause(game, words)
    return f"{why_weaker}: run 'kibitz compile {game.name}'." if why_weaker else ""


def weaker_players_clause(game: Game, words: Iterable[str]) -> str:
    """The first half of ``weaker_players_notice``: which players play as which one until machine code is compiled."""
    named = {built_in_name(game, word) for word in words}
    weaker = [name for name in search_players(game) if name in named]
    if not weaker or is_ready(game):
        return ""
    verb = "play" if len(weaker) > 1 else "plays"
    return f"{listed(weaker)} {verb} as {list(game.strategies)[-1]} until machine code is compiled"


class StrategyPlayer:
    """Plays a strategy, which sees the view and the legal actions and has a random generator of its own."""

    def __init__(self, name: str, strategy: Strategy) -> None:
        self.name, self.strategy, self.random = name, strategy, Random(0)

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Begin a game with a new random generator."""
        self.random = Random(seed)
        if isinstance(self.strategy, Policy):
            self.strategy = self.strategy.with_seed(seed)

    def observe(self, event: Event) -> None:
        """Do nothing: a view holds everything that a strategy may know."""

    def act(self, view: View, legal: list[int]) -> int:
        """The strategy's choice."""
        return self.strategy(view, legal, self.random)

    def end(self, outcome: Outcome | None) -> str:
        """A strategy prints nothing."""
        return ""


class Character(NamedTuple):
    """One built-in player; ``line`` describes its style in one line."""

    name: str
    line: str
    strategy: Strategy


def characters(game: Game) -> tuple[Character, ...]:
    """The built-in players of a game, the strongest last; search players in order of how much they search.

    >>> import kibitz
    >>> [character.name for character in characters(kibitz.game("bo"))]
    ['random', 'first', 'quick', 'greedy', 'marshal', 'best']
    >>> characters(kibitz.game("bo"))[0].line
    'Plays any legal move, at random.'
    """
    return tuple(Character(name, style_of(strategy), strategy) for name, strategy in strategies(game).items())


def style_of(strategy: Strategy) -> str:
    """A strategy's style in one line: its ``line``, or the first line of its documentation."""
    description = getattr(strategy, "line", "") or getdoc(strategy) or "No description"
    line = str(description).partition("\n")[0].strip()
    return line if line.endswith((".", "!")) else f"{line}."


# The levels under which people see the players. Records, commands and programs use the players' own names.

LEVELS = ((), ("Easy",), ("Easy", "Hard"), ("Easy", "Medium", "Hard"), ("Easy", "Medium", "Hard", "Expert"))
"""The names of the levels, by how many there are."""
LEVEL_PLAYERS: Mapping[str, tuple[str, ...]] = {
    "bo": ("first", "quick", "greedy", "best"),
    "cribbage": ("random", "quick", "best"),
    "draw": ("caller", "greedy"),
    "eights": ("random", "greedy"),
    "go": ("first", "quick", "greedy", "best"),
    "hearts": ("random", "quick", "greedy", "best"),
    "holdem": ("caller", "best"),
    "huxxy": ("quick", "best"),
    "kuhn": ("random", "solved"),
    "leduc": ("caller", "solved"),
    "poker": ("caller", "quick"),
    "president": ("lowest", "quick", "best"),
}
"""By game or family, the players at its levels, the weakest first.

Each wins at least 60 % of its games against the one before, or in Kuhn and Leduc poker chips, since wins say little.
"""


def levels(game: Game) -> dict[str, Character]:
    """The players offered to people, by level, the weakest first; evenly spread if ``LEVEL_PLAYERS`` lacks the game.

    >>> import kibitz
    >>> {level: player.name for level, player in levels(kibitz.game("go")).items()}
    {'Easy': 'first', 'Medium': 'quick', 'Hard': 'greedy', 'Expert': 'best'}
    """
    all_players = characters(game)
    name = game.name.partition(":")[0]
    names = LEVEL_PLAYERS.get(name) or LEVEL_PLAYERS.get(family_of(game))
    if names is not None:
        chosen = [player for player in all_players if player.name in names][-4:]
    else:
        chosen = (
            list(all_players)
            if len(all_players) <= 4
            else [all_players[round(i * (len(all_players) - 1) / 3)] for i in range(4)]
        )
    return dict(zip(LEVELS[len(chosen)], chosen, strict=True))


# Measured strengths: the ladders that ``python -m benchmarks ladders`` has written.
#
# Strengths hold for a game with its default options and the rules version that was played. Players that depend on
# machine code have none.


LADDERS_FILE = Path(__file__).with_name("ladders.json")


class Ladder(msgspec.Struct, frozen=True):
    """One game's players by name, each with its points and margin; ``rules`` is the version of the game's rules."""

    rules: int
    deals: int
    seed: int
    players: dict[str, tuple[int, int]]


class Strength(NamedTuple):
    """A measured strength."""

    points: int
    margin: int

    def __str__(self) -> str:
        return f"{self.points} ± {self.margin}"


@cache
def ladders() -> dict[str, Ladder]:
    """All ladders, by game."""
    return msgspec.json.decode(LADDERS_FILE.read_bytes(), type=dict[str, Ladder])


def strength(game: Game, player: str) -> Strength | None:
    """How strong a player of a game is; None if it was not measured.

    >>> from kibitz.engine.registry import game
    >>> strength(game("go"), "greedy").points > strength(game("go"), "random").points
    True
    """
    ladder = ladders().get(game.name)
    if ladder is None or ladder.rules != game.rules.VERSION or player not in ladder.players:
        return None
    return Strength(*ladder.players[player])


def character_line(game: Game, character: Character) -> str:
    """A computer player's style and, if it was measured, its strength."""
    points = strength(game, character.name)
    return f"{character.line} {points} points on the ladder." if points else character.line
