"""Many games at once as a Gymnasium vector environment.

    observation     the tensor of the seat that is to choose (``features``), shape (n, size), int8
    action          a choice for every game (``choices``); ``infos`` say what may be chosen
    reward          the return of the seat that just chose, if that ended its game, else 0
    infos           ``seat``: who is to choose; ``action_mask``, or ``legal`` and ``starts`` in games with many choices;
                    ``returns`` with the mask ``_returns``: by seat, the returns of games that ended

Its autoreset modes are Gymnasium's. ``SameStep``, the default here and the fastest, deals the next game in the same
step, and ``final_obs`` has the end of the last one. ``NextStep`` deals in the next step, whose action is ignored.
``Disabled`` leaves it to ``reset``, with a ``reset_mask``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.kernels.batch import BATCH_SEEDS
from kibitz.engine.kernels.gpu import gpu_of
from kibitz.environments.vector_games import VectorGames
from kibitz.errors import NotationError

try:
    import gymnasium
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("vector environments need Gymnasium: pip install 'kibitz[environments]'") from error

MAX_MASKED_CHOICES = 2048
"""In games with more choices, infos have lists of legal actions, not masks, by default."""
Array = np.ndarray[Any, Any]


class KibitzVectorEnv(VectorEnv[Array, Array, Array]):
    """``n`` games stepped in machine code, made by ``vector``."""

    def __init__(self, games: VectorGames, mode: AutoresetMode, *, masks: bool, copy: bool) -> None:
        self.games, self.mode, self.copy = games, mode, copy
        self.num_envs = games.n
        self.with_masks = masks
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space = gymnasium.spaces.Box(0, 127, (games.features.size,), np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(games.choices.n)
        self.observation_space = batch_space(self.single_observation_space, games.n)
        self.action_space = batch_space(self.single_action_space, games.n)
        self.ended = np.zeros(games.n, np.bool_)

    def __repr__(self) -> str:
        return f"KibitzVectorEnv({self.games!r}, {self.mode})"

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin with the first games of the batch that ``seed`` determines (default: a fresh seed).

        ``options={"reset_mask": mask}`` deals the next game where the mask is true, and leaves the others unchanged.
        """
        if options and "reset_mask" in options:
            self.deal_again(options["reset_mask"])
        else:
            if seed is not None and not isinstance(seed, int | np.integer):
                raise NotationError("seed must be one whole number: game g is dealt from the seed and g.")
            self.games.reset(fresh_seed() % BATCH_SEEDS if seed is None else int(seed))
            self.ended[:] = False
        return self.current_observations(), self.infos()

    def deal_again(self, mask: Any) -> None:
        """Deal the next game in some lanes."""
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise NotationError(f"reset_mask must be an array of {self.num_envs} booleans.")
        self.games.begin(mask)
        self.ended[mask] = False

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Carry out a choice in every game.

        RuleError, a ValueError, names the first game with an illegal choice and the reason; then nothing has changed.
        ``gymnasium.error.ResetNeeded`` in the mode ``Disabled`` if a game is over.
        """
        games = self.games
        if self.mode is AutoresetMode.DISABLED and self.ended.any():
            lane = int(np.flatnonzero(self.ended)[0])
            raise gymnasium.error.ResetNeeded(f"Game {lane} is over: reset it with options={{'reset_mask': mask}}.")
        mover = games.seat.copy()
        games.step(actions)
        if self.ended.any():
            games.begin(self.ended)
        over = games.over.copy()
        rewards = games.rewards[np.arange(self.num_envs), mover].astype(np.float64)
        self.ended = over if self.mode is not AutoresetMode.SAME_STEP else self.ended
        infos = self.infos()
        if over.any():
            infos |= {"returns": games.rewards.copy(), "_returns": over.copy()}
            if self.mode is AutoresetMode.SAME_STEP:
                infos |= {"final_obs": games.finals.copy(), "_final_obs": over.copy()}
        return self.current_observations(), rewards, over.copy(), np.zeros(self.num_envs, np.bool_), infos

    def current_observations(self) -> Array:
        """The observations, copied unless ``copy`` is false."""
        return self.games.observations.copy() if self.copy else self.games.observations

    def infos(self) -> dict[str, Any]:
        """For each game, the seat that is to choose, and its choices."""
        everywhere = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {"seat": self.games.seat.copy(), "_seat": everywhere}
        if self.with_masks:
            return infos | {"action_mask": self.games.masks(), "_action_mask": everywhere}
        return infos | {"legal": self.games.legal_actions.copy(), "starts": self.games.starts.copy()}

    def snapshot(self) -> dict[str, Array]:
        """Everything needed to continue from here, for ``restore`` of an identical environment."""
        return {**self.games.snapshot(), "ended": self.ended.copy()}

    def restore(self, snapshot: dict[str, Array]) -> tuple[Array, dict[str, Any]]:
        """Continue from a snapshot; returns what ``reset`` would return."""
        self.games.restore(snapshot)
        self.ended = np.asarray(snapshot["ended"], np.bool_).copy()
        return self.current_observations(), self.infos()


def vector(
    game: Game | str,
    n: int,
    players: Sequence[str] | None = None,
    seed: int = 0,
    *,
    rotate: bool = False,
    autoreset: str | AutoresetMode = AutoresetMode.SAME_STEP,
    masks: bool | None = None,
    copy: bool = True,
    on: str | None = None,
) -> KibitzVectorEnv | Any:
    """``n`` games at once as a ``gymnasium.vector.VectorEnv``.

    ``players`` says by seat who plays: ``"learner"``, ``"random"`` or the name of a policy of the game; by default all
    are learners.  With ``rotate`` they move on by one seat from game to game.  ``autoreset`` is one of Gymnasium's
    modes (``"SameStep"``, ``"NextStep"``, ``"Disabled"``), ``masks`` whether infos have masks: by default if there
    are no more than 2048 choices.  Without ``copy`` the next step changes the observations that were returned.

    ``on="cuda"`` plays on an NVIDIA GPU and leaves all arrays in its memory (``kibitz.environments.gpu_env``).  There
    ``autoreset`` is ``"SameStep"``, infos have masks, and the next step changes all arrays that were returned.

    Raises NotationError for an invalid argument.  With ``on="cuda"``, raises ImportError without numba-cuda, and
    MachineError without a GPU or with too little memory.

    >>> env = vector("kuhn", 3, ["learner", "random"], seed=5)
    >>> observations, infos = env.reset(seed=5)
    >>> observations.shape == (3, env.games.features.size), infos["action_mask"].shape == (3, env.games.choices.n)
    (True, True)
    >>> _, rewards, over, _, infos = env.step(infos["action_mask"].argmax(axis=1))
    >>> rewards.shape, over.dtype.name
    ((3,), 'bool')
    """
    try:
        mode = AutoresetMode(autoreset)
    except ValueError:
        modes = ", ".join(repr(each.value) for each in AutoresetMode)
        raise NotationError(f"autoreset must be one of {modes}, not {autoreset!r}.") from None
    same_step = mode is AutoresetMode.SAME_STEP
    if (device := gpu_of(on)) is not None:
        from kibitz.environments.gpu_env import GpuVectorEnv

        if not same_step:
            raise NotationError(f"on='cuda' needs autoreset='SameStep', not {mode.value!r}.")
        if masks is not None and not masks:
            raise NotationError("on='cuda' always gives masks: leave masks=False out.")
        return GpuVectorEnv(device, game, n, players, seed, rotate=rotate)
    games = VectorGames(game, n, players, seed, rotate=rotate, autoreset=same_step, finals=same_step)
    with_masks = games.choices.n <= MAX_MASKED_CHOICES if masks is None else masks
    return KibitzVectorEnv(games, mode, masks=with_masks, copy=copy)


def indexed(num_envs: int = 1, **arguments: Any) -> KibitzVectorEnv:
    """``vector`` in the form that ``gymnasium.make_vec`` calls."""
    return vector(n=num_envs, **arguments)
