"""Measures the strength of the players that come with the games, and writes the ladders that Kibitz shows.

    python -m benchmarks.ladders [GAMES]      GAMES games of each standard game; writes players/ladders.json
    python -m benchmarks.ladders GAMES GAME   one game alone

Players that think only with machine code are left out, since their strength depends on the machine.  Players whose
rating is too uncertain, such as one that has never won, are left out too.
"""

from __future__ import annotations

import argparse

import msgspec

from benchmarks.harness import a_game, whole
from kibitz.arena.ladder import ladder
from kibitz.engine.game import Game
from kibitz.engine.registry import families
from kibitz.players.built_in import LADDERS_FILE, Ladder, ladders, reproducible_players

GAMES, SEED, WIDEST = 240, 1, 150


def measured(game: Game, games: int) -> Ladder:
    """The ladder of a game."""
    deals = -(-games // game.seats)
    rungs = ladder(game, deals, SEED, 1, players=list(reproducible_players(game))).rungs
    certain = [rung for rung in rungs if rung.margin is not None and rung.margin <= WIDEST]
    players = {rung.name: (round(rung.points), round(rung.margin or 0)) for rung in certain}
    return Ladder(game.rules.VERSION, deals, SEED, players)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladders", description=main.__doc__)
    parser.add_argument("games", type=whole(1), nargs="?", default=GAMES)
    parser.add_argument("game", type=a_game, nargs="?", help="one game alone")
    options = parser.parse_args()
    all_ladders = dict(ladders()) if LADDERS_FILE.exists() else {}
    for family in families():
        game = family.games[0]
        if options.game is None or options.game.name == game.name:
            all_ladders[game.name] = measured(game, options.games)
            print(game.name, all_ladders[game.name].players, flush=True)
            LADDERS_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(all_ladders), indent=1) + b"\n")


if __name__ == "__main__":
    main()
