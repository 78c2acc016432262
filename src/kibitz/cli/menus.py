"""Menus of line mode: which game, and against whom."""

from __future__ import annotations

from kibitz.cli.refusals import finished
from kibitz.cli.screen import BOLD, Screen, picked
from kibitz.cli.seating import find_opponents
from kibitz.engine.game import Game
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.players.built_in import best_known, strategies
from kibitz.players.specs import PlayerSpec


def pick_game(screen: Screen) -> Game:
    """The game that the person picks from a menu."""
    found = all_games()
    screen.line("Which game?", BOLD)
    for number, game in enumerate(found, 1):
        screen.line(f"{number:>2}) {game.name}: {game.summary}", hang="    ")
    while True:
        typed = screen.ask() or "1"
        if number := picked(typed, len(found)):
            return found[number - 1]
        try:
            return find_game(typed)
        except KibitzError as error:
            screen.line(finished(str(error)))


def pick_opponents(screen: Screen, game: Game, seat: int, people: int, trusted: bool) -> list[PlayerSpec]:
    """The opponents that the person picks: numbers, names, or files where the game takes them."""
    known = list(strategies(game))
    screen.line(
        "Against whom? One for all seats, or one for each with commas between them. A player file will do, too.", BOLD
    )
    for number, strategy in enumerate(known, 1):
        screen.line(f"{number:>2}) {strategy}")
    numbers = {str(number): strategy for number, strategy in enumerate(known, 1)}
    while True:
        typed = screen.ask() or best_known(game)
        words = ",".join(numbers.get(word.strip(), word) for word in typed.split(","))
        try:
            return find_opponents(game, seat, words, trusted, people)
        except KibitzError as error:
            screen.line(finished(str(error)))
