"""The inputs of a network for President: cells (0 or 1) that describe what a seat sees, and each legal action.

    view cells      the planes of ``kibitz.features`` named in PLANES, one after the other
    action cells    the cards of an action by height, its kind, ``left`` and ``above``

    kind        SINGLE ... STRAIGHT_FLUSH (``games.president.moves``), then a pass, then a card that is returned
    left        the hand without the cards of the action: for each value whether it has one, two, three, four cards of
                it; for each five successive values whether it has all; for each suit whether it has five; its size
    above       whether at least one, two ... HIGHER unseen cards are higher than the highest card of the action; all
                zeros for a pass, which has no card

All of it follows from the tensor of a view. Games with the same rules have the same planes, whatever their number of
rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from kibitz.engine.game import Game
from kibitz.engine.registry import game
from kibitz.engine.views.events import View
from kibitz.errors import NotationError
from kibitz.games.president.moves import FIVES, FOUR, PAIR, SINGLE, TRIPLE, cards_in, kind_of
from kibitz.games.president.rules import ANY_OF_VALUE, PASS, TRADE
from kibitz.games.president.view import PresidentView, to_card
from kibitz.search.networks import GAME
from kibitz.tensors.features import Features

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

PLANES = ("phase", "order", "hand", "counts", "gone", "pile", "last", "passed")
KINDS = (SINGLE, PAIR, TRIPLE, FOUR, *FIVES, PASS, TRADE)
VALUES, SUITS, CARDS = 13, 4, 52
RUN = 5
MAX_CARDS = 14
"""The maximum number of cards of a hand in the inputs: one more than are dealt."""
HIGHER = 8
UNSUPPORTED = "this player knows only four-player President with the standard rules, in any number of rounds."
ACTION_CELLS = CARDS + len(KINDS) + CARDS + (VALUES - RUN + 1) + SUITS + MAX_CARDS + HIGHER
"""The number of cells of an action."""


def is_supported(candidate: Game) -> bool:
    """Whether a game is four-player President with the standard rules, in any number of rounds.

    >>> is_supported(game("president:rounds=1")), is_supported(game("president:players=5")), is_supported(game("go"))
    (True, False, False)
    """
    standard = game(GAME)
    return candidate.rules is standard.rules and {**candidate.options, "rounds": 0} == {**standard.options, "rounds": 0}


def rules_of(view: View) -> tuple[object, ...]:
    """The rules of a view's game, whatever its number of rounds."""
    return tuple([getattr(view, name) for name in game(GAME).options if name != "rounds"])


class Inputs:
    """The inputs for one game. Raises NotationError if the game has others.

    view_cells, action_cells    how many cells there are of the view, and of an action
    about           the description that a network's file must have to fit these inputs
    """

    def __init__(self, candidate: Game) -> None:
        if not is_supported(candidate):
            raise NotationError(f"{candidate.name}: {UNSUPPORTED}")
        self.features, self.action_cells = Features(candidate), ACTION_CELLS
        self.rules = rules_of(candidate.view(candidate.deal(0), 0))
        self.about = f"{GAME} {candidate.rules.VERSION}: {' '.join(PLANES)}, and {ACTION_CELLS} cells of an action"

    @cached_property
    def columns(self) -> Array:
        """The columns of a tensor that are inputs."""
        import numpy as np

        planes = [self.features[name] for name in PLANES]
        return np.concatenate([np.arange(plane.offset, plane.offset + plane.size) for plane in planes])

    @property
    def view_cells(self) -> int:
        """How many cells of the view are inputs."""
        return len(self.columns)

    @cached_property
    def heights(self) -> Array:
        """By a card's height, from 0 to 51: its index in a plane of cards."""
        import numpy as np

        place = self.features.builder.deck.place
        return np.array([place[to_card(height)] for height in range(CARDS)])

    @cached_property
    def action_matrix(self) -> Array:
        """Cards and kind of every action, (ANY_OF_VALUE, CARDS + len(KINDS)) int8."""
        import numpy as np

        return np.array([action_features(action) for action in range(ANY_OF_VALUE)], np.int8)

    def of_tensors(self, tensors: Array) -> Array:
        """The view cells of tensors: (rows, ``view_cells``) int8, from (rows, features.size)."""
        return tensors[:, self.columns]

    def of_actions(self, tensors: Array, rows: Array, actions: Array) -> Array:
        """The cells of actions: (actions, ``action_cells``) int8; ``rows`` gives the row of ``tensors`` for each."""
        return self.cells(tensors, rows, self.action_matrix[actions])

    def of_view(self, view: View, legal: Sequence[int]) -> Array:
        """The input of one view for each action: (actions, ``view_cells`` + ``action_cells``) int8.

        Raises NotationError if the view is of another game, or of other rules.
        """
        import numpy as np

        if not isinstance(view, PresidentView) or rules_of(view) != self.rules:
            raise NotationError(UNSUPPORTED)
        tensor, rows = self.features.observe(view)[None], np.zeros(len(legal), np.int64)
        action_parts = np.array([action_features(action) for action in legal], np.int8)
        return np.concatenate((self.of_tensors(tensor)[rows], self.cells(tensor, rows, action_parts)), axis=1)

    def cells(self, tensors: Array, rows: Array, action_parts: Array) -> Array:
        """The cells of actions, from the cells of ``action_matrix``."""
        import numpy as np

        hand, gone = self.features["hand"], self.features["gone"]
        hands = tensors[:, hand.offset + self.heights]
        played = tensors[:, gone.offset : gone.offset + gone.size].reshape(-1, *gone.shape).max(1)
        unseen = (hands == 0) & (played[:, self.heights] == 0)
        higher_counts = unseen.cumsum(1, dtype=np.int8)
        top = CARDS - 1 - action_parts[:, CARDS - 1 :: -1].argmax(1)
        return cells_of_actions(action_parts, hands[rows], higher_counts[rows, -1] - higher_counts[rows, top])


@cache
def action_features(action: int) -> list[int]:
    """The cards of an action, by height, and its kind: a cell for each.

    >>> [place for place, cell in enumerate(action_features(PASS)) if cell]
    [61]
    """
    cards, kind = cards_in(action), kind_of(action)
    if action >= PASS:
        cards, kind = (1 << action - TRADE, TRADE) if action >= TRADE else (0, PASS)
    return [cards >> k & 1 for k in range(CARDS)] + [int(kind == each) for each in KINDS]


@cache
def counting_matrix() -> Array:
    """The matrix that counts cards by value, by suit, and in all; (CARDS, VALUES + SUITS + 1) float32."""
    import numpy as np

    card = np.arange(CARDS)[:, None]
    value, suit = card // SUITS == np.arange(VALUES), card % SUITS == np.arange(SUITS)
    return np.concatenate((value, suit, card >= 0), axis=1).astype(np.float32)


def cells_of_actions(action_parts: Array, hand: Array, higher: Array) -> Array:
    """The cells of actions, (actions, ACTION_CELLS) int8, from the cards and kinds in ``action_parts``.

    ``hand`` are the cards held, (actions, CARDS); ``higher`` how many unseen cards are higher than the action's.
    """
    import numpy as np

    out = np.empty((len(action_parts), ACTION_CELLS), np.int8)
    counts_of_cards = (hand - action_parts[:, :CARDS]).astype(np.float32) @ counting_matrix()
    counts, suits, number = counts_of_cards[:, :VALUES], counts_of_cards[:, VALUES:-1], counts_of_cards[:, -1:]
    present, runs = counts > 0, VALUES - RUN + 1
    parts = (
        action_parts,
        *(counts > k for k in range(SUITS)),
        np.logical_and.reduce([present[:, k : k + runs] for k in range(RUN)]),
        suits >= RUN,
        number == np.arange(MAX_CARDS),
        higher[:, None] > np.arange(HIGHER),
    )
    start = 0
    for part in parts:
        out[:, start : start + part.shape[1]] = part
        start += part.shape[1]
    return out
