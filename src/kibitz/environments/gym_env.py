"""Gymnasium: one seat of any game, against chosen opponents.

    observation     ``{"observation": tensor, "action_mask": mask}``, as in PettingZoo's environments
    reward          0 until the game is over for this seat, then its payoff: ``"zero_sum"`` or ``"scores"``
                    (``kibitz.environments.conventions``)
    info            empty until the end; then the reason, the scores and the winners
    illegal         what an illegal action does: ``"forfeit"`` ends the game for this seat with a loser's payoff, and
                    ``info["refused"]`` says why; ``"raise"`` raises WrongAction and changes nothing

A game can be over before the seat has had a choice, as when all others fold. Then the mask is all zeros and any step
ends the game, so that no deal is skipped.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.validation import check_seat
from kibitz.engine.views.events import View, encoded
from kibitz.environments import rendering
from kibitz.environments.aec_env import Observation
from kibitz.environments.conventions import Choices, check_payoff, payoffs_of
from kibitz.environments.drivers import check_choice, space_of
from kibitz.environments.exceptions import ResetNeeded, WrongAction, find_game
from kibitz.environments.other_seats import Opponents, opponents_of
from kibitz.environments.stepping import NOT_STARTED
from kibitz.errors import KibitzError, NotationError
from kibitz.table import Table
from kibitz.tensors.features import Features

ILLEGAL = ("forfeit", "raise")
GAME_OVER = "The game is over: reset() deals a new one."


class SeatEnv(gymnasium.Env[Observation, int]):
    """One game after another, as one seat plays it.

    game            a game or its name, with options after a colon: ``"bo:players=3"``
    seat            the learner's seat; None: a random seat in every game
    players         who plays the other seats: one player for all, a list in order, or a dictionary by seat; a player
                    is a built-in one's name, a function of view and legal actions, or the path of a player file
    render_mode     None, ``"human"``, ``"ansi"`` or ``"rgb_array"``

    Raises UnknownGame for an unknown game, NotationError for an invalid player; both are ValueErrors.

    >>> env = single("go-mini", seat=1, players="greedy")
    >>> seen, info = env.reset(seed=1)
    >>> ended = False
    >>> while not ended:
    ...     seen, reward, ended, truncated, info = env.step(int(seen["action_mask"].argmax()))
    >>> reward, info["winners"]
    (-0.5, (0,))
    """

    metadata: dict[str, Any] = {"render_modes": list(rendering.MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        seat: int | None = 0,
        players: Any = None,
        render_mode: str | None = None,
        *,
        reward: str = "zero_sum",
        illegal: str = "forfeit",
    ) -> None:
        self.game = find_game(game)
        self.render_mode, self.payoff_kind = rendering.check_render_mode(render_mode), check_payoff(reward)
        if illegal not in ILLEGAL:
            raise NotationError(f"illegal must be one of {', '.join(ILLEGAL)}, not {short_repr(illegal)}.")
        if seat is not None:
            check_seat(self.game, seat)
        self.chosen_seat, self.illegal = seat, illegal
        learner_seats = range(self.game.seats) if seat is None else (seat,)
        self.opponents = {each: opponents_of(self.game, [each], players) for each in learner_seats}
        self.features, self.choices = Features(self.game), Choices(self.game)
        self.observation_space: Any = space_of(self.features, self.choices)
        self.action_space: Any = spaces.Discrete(self.choices.n)
        self.seat = seat or 0
        self.table: Table | None = None
        self.others: Opponents
        self.ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and have the others play until the seat is to choose.

        ``seed`` gives the same deal as everywhere else in Kibitz, and determines all later games.
        """
        super().reset(seed=seed)
        drawn = int.from_bytes(self.np_random.bytes(16), "little")
        if self.chosen_seat is None:
            self.seat = int(self.np_random.integers(self.game.seats))
        self.table = Table.deal(self.game, drawn if seed is None else seed)
        self.others = Opponents(self.table, self.opponents[self.seat])
        self.others.play_on()
        self.ended = False
        self.render_if_human()
        return self.observe(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The seat chooses, and the others play until it is to choose again.

        Raises WrongAction for an invalid action, and ResetNeeded before ``reset`` and after the end.
        """
        table = self.running_table()
        number = check_choice(self.choices, action)
        if table.over:
            return self.finish({})
        try:
            table.act(self.seat, self.choices.action(number, table.legal(self.seat)))
        except KibitzError as error:
            if self.illegal == "raise":
                raise WrongAction(str(error)) from None
            return self.forfeit(str(error))
        self.others.play_on()
        self.render_if_human()
        if table.over:
            return self.finish({})
        return self.observe(), 0.0, False, False, {}

    def running_table(self) -> Table:
        """The table of a game in progress; otherwise ResetNeeded."""
        if self.table is None:
            raise ResetNeeded(NOT_STARTED)
        if self.ended:
            raise ResetNeeded(GAME_OVER)
        return self.table

    def forfeit(self, sentence: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Forfeit the seat, play the game to its end without it, and return what ``step`` returns."""
        table = self.running_table()
        table.forfeit(self.seat, "illegal", sentence)
        self.others.play_on()
        return self.finish({"refused": sentence})

    def finish(self, info: dict[str, Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the game for the seat, and return what ``step`` returns."""
        table, self.ended = self.running_table(), True
        outcome = table.outcome
        assert outcome is not None
        info |= {"reason": outcome.reason, "scores": outcome.scores, "winners": outcome.winners}
        payoff = payoffs_of(self.game, table.state(), self.payoff_kind, table.forfeited)[self.seat]
        return self.observe(), float(payoff), True, False, info

    def observe(self) -> Observation:
        """What the seat sees and may choose."""
        return {"observation": self.features.observe(self.view()), "action_mask": self.action_masks()}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """The mask of the choices, under the name that sb3-contrib's MaskablePPO calls."""
        table = self.table
        if table is None or self.seat not in table.waiting:
            return np.zeros(self.choices.n, np.int8)
        return self.choices.mask(table.legal(self.seat))

    def view(self) -> View:
        """What the seat may know, as the struct behind its tensor."""
        if self.table is None:
            raise ResetNeeded(NOT_STARTED)
        return self.table.view(self.seat)

    def json(self) -> str:
        """The view as JSON."""
        return encoded(self.view()).decode()

    def text(self) -> str:
        """The view as lines of text, with the prompt."""
        return rendering.text_of(self.game, self.view())

    def render_if_human(self) -> None:
        """Print the table if the render mode is ``human``."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as the seat sees it: printed, as text or as pixels; None without a render mode."""
        if self.render_mode is None:
            return None
        return rendering.rendered(self.game, self.view(), self.render_mode)


single = SeatEnv
