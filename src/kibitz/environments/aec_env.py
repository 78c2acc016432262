"""PettingZoo: every game as an environment in which the seats act in turn (AEC).

    agents          ``seat_0``, ``seat_1``, ...; all stay until the game is over
    observation     ``{"observation": tensor, "action_mask": mask}``: the planes of ``kibitz.features``, and 1 for every
                    number of ``Choices`` that the agent may choose now
    rewards         0 until the end, then the payoffs (``kibitz.environments.conventions``)
    infos           empty; ``outcome()`` says why a game has ended, the scores and the winners

No wrapper is needed: the environment itself reports misuse. ``state()`` is for training only, since it shows all hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import SPECTATOR, Outcome, View, encoded
from kibitz.environments import rendering
from kibitz.environments.conventions import check_payoff
from kibitz.environments.drivers import Driver, driver_of, space_of
from kibitz.environments.exceptions import ResetNeeded, find_game
from kibitz.environments.registration import name_of
from kibitz.environments.stepping import NOT_STARTED, Seeds

Observation = dict[str, "np.ndarray[Any, Any]"]
GAME_OVER = "The game is over: step(None) removes its agents, and reset() deals a new one."


class PettingZooGame:
    """What both kinds of PettingZoo environments have in common: agents, spaces, seeds and observations."""

    metadata: dict[str, Any]

    def __init__(
        self, game: Game | str, render_mode: str | None = None, reward: str = "zero_sum", compiled: bool | None = None
    ) -> None:
        self.game = find_game(game)
        self.render_mode, self.reward = rendering.check_render_mode(render_mode), check_payoff(reward)
        self.driver: Driver = driver_of(self.game, compiled)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        driver = self.driver
        self.observation_spaces = {agent: space_of(driver.features, driver.choices) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(driver.choices.n) for agent in self.possible_agents}
        self.seeds = Seeds()

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of ``Choices``; ``sample(mask)`` draws a legal one."""
        return self.action_spaces[agent]

    def begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Deal, or continue from the position in ``options``."""
        position = (options or {}).get("position")
        self.driver.reset(self.seeds.next(seed))
        if isinstance(position, PlainState):
            self.driver.set_position(position)
        self.agents = self.possible_agents[:]

    def seat(self, agent: str) -> int:
        """The seat of an agent. Raises ValueError for an unknown agent, ResetNeeded before the deal."""
        if agent not in self.seats:
            raise ValueError(f"agent must be one of {', '.join(self.possible_agents)}, not {short_repr(agent)}.")
        if not self.driver.has_begun:
            raise ResetNeeded(NOT_STARTED)
        return self.seats[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees and may choose; the mask is all zeros if it isn't the agent's turn."""
        seat = self.seat(agent)
        observation, mask = self.driver.observe(seat)
        return {"observation": observation, "action_mask": mask}

    def legal(self, agent: str) -> list[int]:
        """The choices that the mask marks; empty if it isn't the agent's turn.

        With thousands of choices, as in President, searching the mask takes longer than a whole step.
        """
        return sorted(self.driver.legal_choices(self.seat(agent)))

    def view(self, agent: str) -> View:
        """What an agent may know, as the struct behind its tensor."""
        return self.game.view(self.driver.state, self.seat(agent))

    def json(self, agent: str) -> str:
        """An agent's view as JSON."""
        return encoded(self.view(agent)).decode()

    def text(self, agent: str) -> str:
        """An agent's view as lines of text, with the prompt."""
        return rendering.text_of(self.game, self.view(agent))

    def state(self) -> np.ndarray[Any, Any]:
        """The tensors of all agents, a row each: all hands together, for critics in training."""
        return np.stack([self.driver.observe(self.seat(agent))[0] for agent in self.possible_agents])

    def outcome(self) -> Outcome | None:
        """Why a game has ended, with the scores and the winners; None before the end."""
        return self.game.result(self.driver.state, frozenset()) if self.driver.has_begun and self.driver.over else None

    def viewer(self) -> int:
        """The seat whose view is rendered: the one to move, or a spectator once the game is over."""
        return SPECTATOR if self.driver.over else self.driver.player

    def render(self) -> np.ndarray[Any, Any] | str | None:
        """The table as the seat to move sees it: printed, as text or as pixels; None without a render mode."""
        if self.render_mode is None:
            return None
        if not self.driver.has_begun:
            raise ResetNeeded(NOT_STARTED)
        return rendering.rendered(self.game, self.game.view(self.driver.state, self.viewer()), self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


class AEC(PettingZooGame, AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]
    """One game after another, whose seats act in turn.

    game            a game or its name, with options after a colon: ``"bo:players=3"``
    render_mode     None, ``"human"``, ``"ansi"`` or ``"rgb_array"``
    reward          ``"zero_sum"`` or ``"scores"`` (``kibitz.environments.conventions``)
    compiled        whether to step machine code, which takes seconds to compile; None: only if it is cached

    Raises UnknownGame, a ValueError, if no game has that name.

    >>> env = aec("go-mini")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(None if terminated else int(observation["action_mask"].argmax()))
    >>> reward, env.outcome().winners
    (0.0, (0, 1))
    """

    def __init__(
        self,
        game: Game | str,
        render_mode: str | None = None,
        *,
        reward: str = "zero_sum",
        compiled: bool | None = None,
    ) -> None:
        PettingZooGame.__init__(self, game, render_mode, reward, compiled)
        self.metadata = {
            "name": name_of(self.game),
            "render_modes": list(rendering.MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self.agent_selection = self.possible_agents[0]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal.

        ``seed`` deals the same game as everywhere in Kibitz, and determines all later games. ``options`` may have a
        ``position`` to continue from.
        """
        self.begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        if self.driver.over:
            self.finish()
        else:
            self.agent_selection = self.possible_agents[self.driver.player]

    def step(self, action: int | None) -> None:
        """The selected agent acts; once the game is over, each agent steps with None and is removed.

        Raises WrongAction, with nothing changed, if the action is invalid or illegal, and ResetNeeded if nobody can
        act.
        """
        agent = self.agent_selection
        if not self.agents:
            raise ResetNeeded(NOT_STARTED if not self.driver.has_begun else GAME_OVER)
        if self.terminations[agent]:
            if action is not None:
                raise ResetNeeded(GAME_OVER)
            self._was_dead_step(action)
            return
        driver = self.driver
        driver.step(action)
        self._cumulative_rewards[agent] = 0.0
        if driver.over:
            self.finish()
        else:
            self.agent_selection = self.possible_agents[driver.player]
        if self.render_mode == "human":
            self.render()

    def finish(self) -> None:
        """Give all agents their payoffs at the end of the game, and terminate them."""
        for agent, payoff in zip(self.agents, self.driver.payoffs(self.reward), strict=True):
            self.rewards[agent] = payoff
            self.terminations[agent] = True
        self._accumulate_rewards()
        self._deads_step_first()


aec = AEC


def raw(game: Game | str, render_mode: str | None = None, *, reward: str = "zero_sum", compiled: bool = True) -> AEC:
    """The same as ``aec``, but always in machine code, which is compiled on first use, in seconds, and cached on disk.

    ``aec``, too, uses machine code once it is cached.
    """
    return AEC(game, render_mode, reward=reward, compiled=compiled)
