"""PettingZoo: games in which seats choose simultaneously, as environments in which all agents act at once.

    waiting     the agents that are to choose: all of them when choices are simultaneous
    actions     by agent; actions of agents that aren't waiting are ignored, since PettingZoo's loops ask all agents

A game declares where choices are simultaneous, as Go does while cards are drafted. Where seats act in turn, as with
Go's groups, one agent is waiting at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from kibitz.cards import short_repr
from kibitz.engine.game import Game, choosing_seats, with_mover
from kibitz.engine.views.events import View
from kibitz.environments import rendering
from kibitz.environments.aec_env import GAME_OVER, Observation, PettingZooGame
from kibitz.environments.drivers import PlainDriver, check_choice
from kibitz.environments.exceptions import ResetNeeded, WrongAction
from kibitz.environments.registration import name_of
from kibitz.environments.stepping import NOT_STARTED
from kibitz.errors import NotationError

ResetResult = tuple[dict[str, Observation], dict[str, dict[str, Any]]]
StepResult = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]  # fmt: skip


class Parallel(PettingZooGame, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """One game after another, all of whose agents act at once; the arguments are those of ``AEC``.

    Raises UnknownGame for an unknown game, NotationError if its seats always act in turn; both are ValueErrors.

    >>> env = parallel("go-mini")
    >>> observations, infos = env.reset(seed=1)
    >>> while env.agents:
    ...     actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> rewards
    {'seat_0': 0.0, 'seat_1': 0.0}
    """

    driver: PlainDriver

    def __init__(self, game: Game | str, render_mode: str | None = None, *, reward: str = "zero_sum") -> None:
        super().__init__(game, render_mode, reward, compiled=False)
        if not hasattr(self.game.rules, "simultaneous"):
            raise NotationError(f"seats never choose simultaneously in {self.game.name}: use kibitz.environments.aec.")
        self.metadata = {
            "name": name_of(self.game),
            "render_modes": list(rendering.MODES),
            "render_fps": 1,
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> ResetResult:
        """Deal as ``AEC`` does; returns what every agent sees, and an empty info for each."""
        self.begin(seed, options)
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    @property
    def waiting(self) -> list[str]:
        """The agents that are to choose."""
        return [self.possible_agents[seat] for seat in choosing_seats(self.game, self.driver.state)]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, as on its own turn if it is to choose, and a mask of its choices."""
        observation = self.driver.features.observe(self.view(agent))
        mask = np.zeros(self.driver.choices.n, np.int8)
        mask[self.legal(agent)] = 1
        return {"observation": observation, "action_mask": mask}

    def legal(self, agent: str) -> list[int]:
        """The choices that the mask marks; empty if the agent isn't to choose."""
        seat = self.seat(agent)
        if agent not in self.waiting:
            return []
        return sorted(self.driver.choices.for_actions(self.game.legal(with_mover(self.driver.state, seat))))

    def view(self, agent: str) -> View:
        """What an agent may know, as on its own turn if it is to choose."""
        seat, state = self.seat(agent), self.driver.state
        return self.game.view(with_mover(state, seat) if agent in self.waiting else state, seat)

    def step(self, actions: dict[str, int]) -> StepResult:
        """All waiting agents act.

        Raises WrongAction, with nothing changed, if one of them has no action or an illegal one, and ResetNeeded after
        the end.
        """
        if not self.agents:
            raise ResetNeeded(NOT_STARTED if not self.driver.has_begun else GAME_OVER)
        for number in [self.checked_choice(agent, actions) for agent in self.waiting]:
            self.driver.step(number)
        agents, over = self.agents, self.driver.over
        payoffs = self.driver.payoffs(self.reward)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self.observe(agent) for agent in agents},
            dict(zip(agents, payoffs, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def checked_choice(self, agent: str, actions: dict[str, int]) -> int:
        """The choice of an agent. Raises WrongAction if it is missing or illegal."""
        if not isinstance(actions, dict) or agent not in actions:
            raise WrongAction(f"actions has no entry for {agent}, which must choose: {short_repr(actions)}.")
        number = check_choice(self.driver.choices, actions[agent])
        state = with_mover(self.driver.state, self.seats[agent])
        try:
            sentence = self.game.why_not(state, self.driver.choices.action(number, self.game.legal(state)))
        except NotationError as error:
            sentence = str(error)
        if sentence:
            raise WrongAction(f"{agent}: {sentence}")
        return number


parallel = Parallel
