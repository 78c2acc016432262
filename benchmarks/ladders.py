"""Measures how strong the players that come with the games are, and writes it where people see it.

    python -m benchmarks.ladders [GAMES]      all standard games, so many games of each; writes players/ladders.json
    python -m benchmarks.ladders GAMES GAME   one game alone

Players that think with machine code alone are left out: what they are depends on the machine.  So is whoever has
a rating so uncertain that the figure says little, such as a player that has never won.
"""

from __future__ import annotations

import argparse

import msgspec

from benchmarks.harness import a_game, whole
from kibitz.arena.ladder import ladder
from kibitz.engine.game import Game
from kibitz.engine.registry import families
from kibitz.players.built_in import FILE, Ladder, everywhere_alike, ladders

GAMES, SEED, WIDEST = 240, 1, 150


def measured(game: Game, games: int) -> Ladder:
    """The ladder of a game."""
    deals = -(-games // game.seats)
    rungs = ladder(game, deals, SEED, 1, players=list(everywhere_alike(game))).rungs
    known = [rung for rung in rungs if rung.margin is not None and rung.margin <= WIDEST]
    players = {rung.name: (round(rung.points), round(rung.margin or 0)) for rung in known}
    return Ladder(game.rules.VERSION, deals, SEED, players)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladders", description=main.__doc__)
    parser.add_argument("games", type=whole(1), nargs="?", default=GAMES)
    parser.add_argument("game", type=a_game, nargs="?", help="one game alone")
    asked = parser.parse_args()
    found = dict(ladders()) if FILE.exists() else {}
    for family in families():
        game = family.games[0]
        if asked.game is None or asked.game.name == game.name:
            found[game.name] = measured(game, asked.games)
            print(game.name, found[game.name].players, flush=True)
            FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


if __name__ == "__main__":
    main()
