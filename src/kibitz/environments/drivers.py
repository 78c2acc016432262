"""Drivers step the game inside an environment: in plain Python, or in equivalent machine code.

    step            carry out a choice (see ``Choices``); if it is illegal, change nothing and raise WrongAction
    observe         the tensor of a seat and the mask of its choices, which is all zeros if it is not to move
    legal_choices   the same choices as a list, which is faster than the mask if there are thousands
    state           the position as a plain state, for views, words and results; it is slow in machine code

Every call returns new arrays. This module is separate from ``stepping`` because WrongAction needs Gymnasium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from kibitz.cards import short_repr
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.layout import PlainState
from kibitz.engine.validation import check_state
from kibitz.environments import driver_kernels
from kibitz.environments.compiled import observe_kernel
from kibitz.environments.compiled.codegen_values import Unsupported
from kibitz.environments.conventions import Choices, payoffs_of
from kibitz.environments.exceptions import WrongAction
from kibitz.environments.stepping import Stepping
from kibitz.errors import KibitzError
from kibitz.tensors.features import Features

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]


def space_of(features: Features, choices: Choices) -> spaces.Dict:
    """The space of observations: the tensor and the mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 127, (features.size,), np.int8),
            "action_mask": spaces.Box(0, 1, (choices.n,), np.int8),
        }
    )


def check_choice(choices: Choices, choice: object) -> int:
    """Check a number of ``Choices``. Raises WrongAction if it is invalid."""
    if isinstance(choice, int | np.integer) and not isinstance(choice, bool) and 0 <= choice < choices.n:
        return int(choice)
    raise WrongAction(f"action must be a number from 0 to {choices.n - 1}, not {short_repr(choice)}.")


class PlainDriver(Stepping):
    """Steps in plain Python; ``has_begun`` is true once a game has been dealt."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.features, self.choices, self.has_begun = Features(game), Choices(game), False

    def reset(self, seed: int | None = None) -> None:
        """Deal."""
        super().reset(seed)
        self.has_begun = True

    def set_position(self, state: PlainState) -> None:
        """Continue from a position."""
        super().set_position(state)
        self.has_begun = True

    def step(self, choice: Any) -> None:
        """Carry out a choice of the seat to move."""
        number = check_choice(self.choices, choice)
        try:
            super().step(self.choices.action(number, self.legal))
        except KibitzError as error:
            raise WrongAction(str(error)) from None

    def observe(self, seat: int) -> tuple[Array, Array]:
        """What a seat sees and may choose."""
        return self.features.observe(self.view(seat)), self.choices.mask(self.legal if seat == self.player else [])

    def legal_choices(self, seat: int) -> list[int]:
        """What a seat may choose."""
        return self.choices.for_actions(self.legal) if seat == self.player else []


class CompiledDriver:
    """Steps in machine code, which is compiled on first use, in seconds, and cached on disk."""

    def __init__(self, game: Game, features: Features, kernels: Any) -> None:
        self.game, self.features, self.choices = game, features, Choices(game)
        self.kernels, self.layout = kernels, game.rules.LAYOUT
        self.states = records(game, 1)
        self.legal_actions = np.zeros(game.max_legal, np.int64)
        self.first_slot, self.n, self.size = self.choices.first_slot, self.choices.n, features.size
        self.legal, self.has_begun, self.player, self.over = 0, False, 0, True

    def reset(self, seed: int) -> None:
        """Deal."""
        legal, player, over = self.kernels.begin_game(self.states, self.legal_actions, *seed_words(seed))
        self.has_begun, self.legal, self.player, self.over = True, legal, player, bool(over)

    def set_position(self, state: PlainState) -> None:
        """Continue from a position."""
        check_state(self.game, state)
        self.layout.store(state, self.states, 0)
        legal = self.game.legal(state)
        self.legal_actions[: len(legal)] = legal
        self.has_begun, self.legal, self.player, self.over = True, len(legal), int(state.player), bool(state.over)

    def step(self, choice: Any) -> None:
        """Carry out a choice of the seat to move."""
        if type(choice) is not int or not 0 <= choice < self.n:
            choice = check_choice(self.choices, choice)
        legal, player, over = self.kernels.apply_choice(
            self.states, self.legal_actions, self.legal, choice, self.first_slot
        )
        if legal < 0:
            self.refuse(choice)
        self.legal, self.player, self.over = legal, player, bool(over)

    def refuse(self, choice: int) -> None:
        """Raise WrongAction with the sentence for an illegal choice."""
        driver = PlainDriver(self.game)
        driver.set_position(self.state)
        driver.step(choice)

    def observe(self, seat: int) -> tuple[Array, Array]:
        """What a seat sees and may choose."""
        cells, mask = np.zeros(self.size, np.int8), np.zeros(self.n, np.int8)
        if seat == self.player:
            self.kernels.observe_and_mask(
                self.states, seat, cells, mask, self.legal_actions, self.legal, self.first_slot
            )
        else:
            self.kernels.observe_seat(self.states, seat, cells)
        return cells, mask

    def legal_choices(self, seat: int) -> list[int]:
        """What a seat may choose."""
        return self.choices.for_actions(self.legal_actions[: self.legal].tolist()) if seat == self.player else []

    def payoffs(self, kind: str) -> tuple[float, ...]:
        """The payoffs once the game is over."""
        if not self.game.by_score:
            return payoffs_of(self.game, self.state, kind)
        out = np.zeros(self.game.seats, np.int64)
        self.kernels.write_returns(self.states, out)
        return tuple(map(float, out.tolist()))

    @property
    def state(self) -> PlainState:
        """The position."""
        state: PlainState = self.layout.load(self.states, 0)
        return state


Driver = PlainDriver | CompiledDriver


def driver_of(game: Game, compiled: bool | None) -> Driver:
    """The driver of a game: in machine code if ``compiled`` is True, or if it is None and that code is cached."""
    if compiled is False:
        return PlainDriver(game)
    features = Features(game)
    try:
        modules = driver_kernels, game.rules, observe_kernel.observer_module(features)
    except Unsupported:
        return PlainDriver(game)
    if compiled is None and not compilation.is_compiled("observe_and_mask", *modules):
        return PlainDriver(game)
    return CompiledDriver(game, features, compilation.compiled(*modules))
