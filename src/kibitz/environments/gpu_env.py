"""Many games at once on an NVIDIA GPU, as a Gymnasium vector environment whose arrays stay there.

It takes and returns the same as ``vector_env``, with the same games from the same seeds, but its arrays are in the
GPU's memory: they have ``__cuda_array_interface__`` (for CuPy, PyTorch, Numba) and ``copy_to_host()``.  They belong to
the environment, and the next step changes them.  Arrays with two axes are stored column by column, so that neighbouring
lanes write neighbouring bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.kernels.batch import BATCH_SEEDS, records
from kibitz.engine.kernels.gpu import LEAVE_ON_OUT, Gpu, is_on_gpu
from kibitz.engine.kernels.policies import policies, scratch_size
from kibitz.engine.registry import game_of
from kibitz.environments import gpu_lanes
from kibitz.environments.conventions import Choices
from kibitz.environments.vector_games import (
    MAX_SKIPPED_GAMES,
    check_choice_array,
    check_lanes,
    check_players,
    check_seed,
    endless_sentence,
    modules_for,
    policy_number,
    why_refused,
)
from kibitz.errors import MachineError, NotationError, RuleError
from kibitz.tensors.features import Features

SAME = AutoresetMode.SAME_STEP
WORD = 0xFFFFFFFF


class GpuVectorEnv(VectorEnv[Any, Any, Any]):
    """``n`` games stepped on a GPU, made by ``vector(..., on="cuda")``.

    ``final_obs`` and ``returns`` are valid only in lanes whose game ended in this step.
    """

    def __init__(
        self, device: Gpu, game: Game | str, n: int, players: Sequence[str] | None, seed: int, *, rotate: bool
    ) -> None:
        self.device, self.game = device, game_of(game)
        self.num_envs = n = check_lanes(n)
        self.players, self.rotate = check_players(self.game, players), rotate
        self.features, self.choices = Features(self.game), Choices(self.game)
        self.metadata = {"autoreset_mode": SAME, "render_modes": []}
        self.single_observation_space = gymnasium.spaces.Box(0, 127, (self.features.size,), np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(self.choices.n)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

        seats, cells, choices = self.game.seats, self.features.size, self.choices.n
        policy_names = policies(self.game)
        modules = modules_for(self.features, with_policies=any(name in policy_names for name in self.players))
        if not modules[-1].__name__.startswith("kibitz_observing"):
            raise MachineError(f"{self.game.name} makes its views with Python that a GPU can't run: {LEAVE_ON_OUT}")
        self.uses_rng = any(name != "learner" for name in self.players)
        state_bytes, words = self.game.rules.LAYOUT.dtype.itemsize, max(scratch_size(self.game), seats)
        lane_bytes = state_bytes * (1 + seats * self.uses_rng) + 2 * cells + choices + 8 * (words + seats + 8)
        device.lanes(n, lane_bytes, 0, n)
        self.kernels = device.kernels(gpu_lanes, *modules, words=words)

        self.states = device.put(records(self.game, n))
        self.player_rngs = device.put(records(self.game, n * seats if self.uses_rng else 1))
        self.player_numbers = device.put(np.array([policy_number(self.game, name) for name in self.players], np.int64))
        self.scratch = device.columns(words, n)
        self.numbers, self.seat, self.actions = device.empty(n), device.empty(n), device.empty(n)
        self.lengths, self.skipped = device.empty(n), device.empty(n)
        self.over, self.rewards = device.put(np.zeros(n, np.bool_)), device.put(np.zeros(n))
        self.returns = device.empty(n, seats, order="F")
        self.observations = device.empty(n, cells, dtype="int8", order="F")
        self.finals = device.empty(n, cells, dtype="int8", order="F")
        self.masks = device.empty(n, choices, dtype="int8", order="F")
        self.no_lane, self.all_lanes = device.put(np.zeros(n, np.bool_)), device.put(np.ones(n, np.bool_))
        self.problems = device.put(np.array([n, 0]))
        self.reset(seed=seed)

    def __repr__(self) -> str:
        return f"GpuVectorEnv({self.game.name!r}, {self.num_envs}, {list(self.players)})"

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin with the first games of the batch that ``seed`` determines (default: a fresh seed)."""
        if options:
            raise NotationError("on='cuda' takes no options: as soon as a game ends, the next one is dealt.")
        self.seed = fresh_seed() % BATCH_SEEDS if seed is None else check_seed(seed)
        n = self.num_envs
        self.numbers = self.device.put(np.arange(-n, 0))
        self.skipped = self.device.put(np.zeros(n, np.int64))
        self.begin(self.all_lanes)
        return self.observations, self.infos()

    def begin(self, which: Any) -> None:
        """Deal the next game in the lanes ``which``, and update the observations of all lanes."""
        n, kernels = self.num_envs, self.kernels
        self.run(
            *(kernels.begin, self.states, self.player_rngs, which, self.numbers, self.player_numbers, int(self.rotate)),
            *(self.lengths, self.skipped, self.scratch, self.seed & WORD, self.seed >> 32),
            *(n, self.game.seats, int(self.uses_rng), MAX_SKIPPED_GAMES),
        )
        self.run(
            *(kernels.show_choices, self.states, self.seat, self.masks, self.scratch, self.problems),
            *(n, self.choices.n, self.choices.first_slot),
        )
        self.show_cells(self.all_lanes, self.observations)
        self.raise_problems()

    def show_cells(self, which: Any, cells: Any) -> None:
        """Write what the seat to choose sees into ``cells``, in the lanes ``which``."""
        self.run(self.kernels.show_cells, self.states, which, self.seat, cells, self.num_envs, self.features.size)

    def run(self, kernel: Any, *arguments: Any) -> None:
        """Run a kernel on all lanes."""
        self.device.run(kernel, self.num_envs, *arguments)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out a choice in every game: a NumPy array, or one in the GPU's memory.

        RuleError, a ValueError, names the first game with an illegal choice and the reason; then nothing has changed.
        """
        n = self.num_envs
        on_gpu = is_on_gpu(actions)
        chosen = self.device.on_device(
            actions if on_gpu else check_choice_array(actions, n).astype(np.int64), "choices"
        )
        if chosen.shape != (n,):
            raise NotationError(f"choices must have the shape ({n},), not {chosen.shape}.")
        self.run(self.kernels.check_choices, chosen, self.masks, self.actions, self.problems, n, self.choices.n)
        self.raise_problems()
        self.run(
            *(
                self.kernels.act,
                self.states,
                self.player_rngs,
                self.actions,
                self.numbers,
                self.player_numbers,
                int(self.rotate),
            ),
            *(self.over, self.rewards, self.returns, self.lengths, self.scratch),
            *(n, self.game.seats, self.choices.first_slot, int(self.uses_rng)),
        )
        self.show_cells(self.over, self.finals)
        self.begin(self.over)
        ended = {"returns": self.returns, "_returns": self.over, "final_obs": self.finals, "_final_obs": self.over}
        return self.observations, self.rewards, self.over, self.no_lane, self.infos() | ended

    def raise_problems(self) -> None:
        """Raise the error for the problem that a lane has reported, if any."""
        lane, stuck_lanes = map(int, self.problems.copy_to_host())
        if lane == self.num_envs and not stuck_lanes:
            return
        self.problems = self.device.put(np.array([self.num_envs, 0]))
        if stuck_lanes:
            raise MachineError(endless_sentence(self.game))
        choice = int(self.actions[lane : lane + 1].copy_to_host()[0])
        state = self.game.rules.LAYOUT.load(self.states[lane : lane + 1].copy_to_host(), 0)
        raise RuleError(why_refused(self.choices, lane, choice, state, self.game.legal(state)))

    def infos(self) -> dict[str, Any]:
        """By lane, the seat that is to choose, and the mask of its choices."""
        all_lanes = self.all_lanes
        return {"seat": self.seat, "_seat": all_lanes, "action_mask": self.masks, "_action_mask": all_lanes}

    def random_choices(self, random: np.random.Generator) -> Any:
        """A random legal choice for every game, all equally likely: shape (n,), in the GPU's memory."""
        result, n = self.device.empty(self.num_envs), self.num_envs
        key = (int(word) for word in random.integers(0, 1 << 32, 2))
        self.run(self.kernels.draw_choices, self.masks, *key, n, self.choices.n, result)
        return result
