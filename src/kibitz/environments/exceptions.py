"""The exceptions of environments: subclasses of Gymnasium's, with Kibitz's sentences.

    UnknownGame     no such game, variant or option (``gymnasium.error.NameNotFound``)
    WrongAction     not an action, or an illegal one (``gymnasium.error.InvalidAction``)
    ResetNeeded     used before ``reset`` or after the end (``gymnasium.error.ResetNeeded``)

Each is a subclass of one of Kibitz's own errors as well, and so of ValueError.
"""

from gymnasium import error

from kibitz.engine.game import Game
from kibitz.engine.registry import game_of
from kibitz.errors import NotationError, RuleError


class UnknownGame(error.NameNotFound, NotationError):
    """There is no such game, variant or option."""


class WrongAction(error.InvalidAction, RuleError):
    """The action is invalid, or the rules forbid it now."""


class ResetNeeded(error.ResetNeeded, RuleError):
    """No game has begun, or the game is over; ``reset`` begins one."""


def find_game(game: Game | str) -> Game:
    """The game of this name. Raises UnknownGame, which lists the names of all games, if there is none."""
    try:
        return game_of(game)
    except NotationError as error:
        raise UnknownGame(str(error)) from None
