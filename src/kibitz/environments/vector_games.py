"""Many games at once as plain arrays: choices in; tensors, legal actions and results out.

    lane        plays one game after another; lane ``i`` of ``n`` plays the games ``i``, ``i + n``, ``i + 2n`` ... of
                the batch
    learner     the caller of ``step``: for one seat or for several, which then choose one after the other
    opponent    any other seat: a policy of the game (``kibitz.engine.kernels.policies``) or ``random``

Game ``g`` of seed ``s`` is dealt as ``game.deal(s + (g << 64))``, independently of other lanes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import BATCH_SEEDS, records
from kibitz.engine.kernels.policies import policies, scratch_size
from kibitz.engine.registry import game_of
from kibitz.engine.validation import check_number
from kibitz.environments import lanes
from kibitz.environments.compiled.codegen_values import Unsupported
from kibitz.environments.compiled.observe_kernel import observer_module
from kibitz.environments.conventions import Choices
from kibitz.errors import MachineError, NotationError, RuleError
from kibitz.tensors.features import Features

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np

    Array = np.ndarray[Any, Any]

MAX_LANES = 1 << 20
MAX_SKIPPED_GAMES = 10_000
"""The maximum number of games in a row that may end before the learner can choose."""
SNAPSHOT_ARRAYS = ("states", "player_rngs", "numbers", "seat", "over", "rewards", "lengths", "skipped")
"""The arrays of a snapshot; ``player_rngs`` are the random generators of the seats' players."""


class VectorGames:
    """``n`` games of ``game`` side by side; all arrays are the object's own, and the next step changes them.

    players     who plays, by seat: ``"learner"``, ``"random"`` or the name of one of the game's policies; by default
                all are learners, which is self-play
    rotate      whether all players move on by one seat from game to game
    autoreset   whether a lane deals its next game at once when one ends; otherwise ``begin`` deals it
    finals      whether to keep observations of the ends of games (``finals``, below)

    observations    (n, features.size) int8: the tensor of the seat that is to choose
    seat            (n,) int64: that seat
    legal_actions   the legal actions of all lanes end to end: those of lane ``i`` are
                    ``legal_actions[starts[i]:starts[i + 1]]``; none where a game is over
    over            (n,) bool: whether the game ended in this step
    rewards         (n, seats) int64: the returns of each seat, where the game ended in this step, else 0
    numbers         (n,) int64: the number in the batch of the lane's game, which may have been dealt in this step
    lengths         (n,) int64: how many choices the learner has made in that game
    skipped         (n,) int64: how many games were skipped, because they were over before the learner could choose
    finals          (n, features.size) int8, if requested: where the game ended in this step, its end as the seat that
                    chose last sees it

    >>> games = VectorGames("kuhn", 4, seed=7)
    >>> games.observations.shape == (4, games.features.size)
    True
    >>> games.step(games.legal_actions[games.starts[:-1]])
    >>> games.seat
    array([1, 1, 1, 1])
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        players: Sequence[str] | None = None,
        seed: int = 0,
        *,
        rotate: bool = False,
        autoreset: bool = True,
        finals: bool = False,
    ) -> None:
        import numpy as np

        self.game = game_of(game)
        self.n = check_lanes(n)
        self.players, self.rotate, self.autoreset = check_players(self.game, players), rotate, autoreset
        self.features, self.choices = Features(self.game), Choices(self.game)
        has_policies = any(name in policies(self.game) for name in self.players)
        self.kernels, self.in_machine_code = kernels_of(self.features, has_policies)
        seats, scratch = self.game.seats, max(scratch_size(self.game), self.game.seats)
        self.states, self.player_rngs = records(self.game, self.n), records(self.game, self.n * seats)
        self.player_numbers = np.array([policy_number(self.game, name) for name in self.players], np.int64)
        self.scratch = np.zeros(scratch, np.int64)
        self.numbers, self.seat = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        self.over, self.rewards = np.zeros(self.n, np.bool_), np.zeros((self.n, seats), np.int64)
        self.lengths, self.skipped = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        self.observations = np.zeros((self.n, self.features.size), np.int8)
        self.finals = np.zeros((self.n, self.features.size) if finals else (0, 0), np.int8)
        self.keeps_finals = bool(finals)
        self.starts, self.legal_buffer = np.zeros(self.n + 1, np.int64), np.zeros(8 * self.n, np.int64)
        self.seed = check_seed(seed)
        self.reset()

    def __repr__(self) -> str:
        return f"VectorGames({self.game.name!r}, {self.n}, {list(self.players)}, {self.seed})"

    @property
    def legal_actions(self) -> Array:
        """The legal actions of all lanes, end to end."""
        return self.legal_buffer[: self.starts[-1]]

    @property
    def counts(self) -> Array:
        """How many legal actions every lane has, shape (n,)."""
        counts: Array = self.starts[1:] - self.starts[:-1]
        return counts

    def reset(self, seed: int | None = None) -> None:
        """Begin with the first games of the batch that ``seed`` determines (default: the same seed again)."""
        self.seed = check_seed(seed) if seed is not None else self.seed
        self.numbers[:] = range(-self.n, 0)
        self.skipped[:] = 0
        self.begin()

    def begin(self, which: Array | None = None) -> None:
        """Deal the next game in all lanes, or in those where ``which`` is true."""
        import numpy as np

        chosen = np.ones(self.n, np.bool_) if which is None else which
        self.over[chosen] = False
        self.rewards[chosen] = 0
        self.show(chosen)

    @property
    def keys(self) -> tuple[int, int]:
        """The batch seed as two 32-bit words."""
        return self.seed & 0xFFFFFFFF, self.seed >> 32

    @property
    def uses_rng(self) -> int:
        """1 if any player may use random numbers, else 0."""
        return int(any(name != "learner" for name in self.players))

    def step(self, choices: Any) -> None:
        """Carry out a choice in every lane, shape (n,); choices where a game is over are ignored.

        RuleError, a ValueError, names the first lane with an illegal choice and the reason; then nothing has changed.
        Raises NotationError for an invalid array of choices.
        """
        import numpy as np

        chosen = check_choice_array(choices, self.n)
        actions, amounts, capacity = chosen.astype(np.int64), self.choices.first_slot, len(self.legal_buffer)
        first_refused = self.kernels.first_refused(actions, self.legal_buffer, self.starts, amounts, self.n)
        if first_refused >= 0:
            raise RuleError(self.why_not(int(first_refused), int(chosen[first_refused])))
        self.finals.fill(0)
        needed, ended = self.run_lanes(actions)
        if not self.in_machine_code:
            for lane in np.flatnonzero(self.over) if self.keeps_finals else ():
                self.finals[lane] = self.observation(int(lane))
            self.show(self.over if self.autoreset else None)
        elif needed > capacity:
            self.show()
        elif self.autoreset and ended:
            self.raise_endless()

    def show(self, deal: Array | None = None) -> None:
        """Deal the next game where ``deal`` is true; update ``seat``, ``observations`` and the legal actions."""
        import numpy as np

        nowhere = np.zeros(self.n, np.bool_)
        needed, ended = self.run_lanes(which=nowhere if deal is None else deal)
        while needed > len(self.legal_buffer):
            self.legal_buffer = np.zeros(2 * needed, np.int64)
            needed, ended = self.run_lanes(which=nowhere)
        if not self.in_machine_code:
            for i in range(self.n):
                self.observations[i] = self.observation(i)
        if self.autoreset and ended:
            self.raise_endless()

    def run_lanes(self, actions: Array | None = None, which: Array | None = None) -> tuple[int, int]:
        """Run the kernel that carries out ``actions`` or deals where ``which`` is true, and observes every lane."""
        needed, ended = self.kernels.step(
            *(int(actions is None), self.over if which is None else which, self.states, self.player_rngs),
            *(self.numbers if actions is None else actions, self.numbers, self.player_numbers, int(self.rotate)),
            *(self.seat, self.finals, self.observations, self.legal_buffer, self.starts, self.over),
            *(self.rewards.reshape(-1), self.lengths, self.skipped, self.scratch, *self.keys, self.n, self.game.seats),
            *(self.features.size, len(self.legal_buffer), self.uses_rng, MAX_SKIPPED_GAMES),
            *(int(self.autoreset and self.in_machine_code), int(self.keeps_finals)),
        )
        return int(needed), int(ended)

    def raise_endless(self) -> None:
        """Raise MachineError because too many games in a row ended before the learner could choose."""
        raise MachineError(endless_sentence(self.game))

    def observation(self, lane: int) -> Array:
        """What the seat to choose sees in one lane, from its view."""
        return self.features.observe(self.view(lane))

    def view(self, lane: int) -> Any:
        """The view of the seat to choose in one lane."""
        return self.game.view(self.state(lane), int(self.seat[lane]))

    def state(self, lane: int) -> Any:
        """The position of one lane, with everything hidden: not for players."""
        return self.game.rules.LAYOUT.load(self.states, lane)

    def legal(self, lane: int) -> list[int]:
        """The legal actions of one lane."""
        return [int(action) for action in self.legal_buffer[self.starts[lane] : self.starts[lane + 1]]]

    def masks(self) -> Array:
        """A mask of the legal choices: (n, choices.n) int8."""
        import numpy as np

        result = np.empty((self.n, self.choices.n), np.int8)
        self.kernels.fill_masks(
            self.legal_buffer, self.starts, self.choices.first_slot, self.n, self.choices.n, result.reshape(-1)
        )
        return result

    def random_choices(self, random: np.random.Generator) -> Array:
        """A random legal choice for every lane, all equally likely: shape (n,), int64."""
        import numpy as np

        result = np.empty(self.n, np.int64)
        draws = random.random(self.n)
        self.kernels.draw_choices(self.legal_buffer, self.starts, self.choices.first_slot, self.n, draws, result)
        return result

    def padded(self, most: int) -> Array:
        """The first ``most`` legal actions of every lane, followed by -1: (n, most) int64."""
        import numpy as np

        indices = self.starts[:-1, None] + np.arange(most)
        is_listed = np.arange(most) < self.counts[:, None]
        return np.where(is_listed, self.legal_buffer[np.minimum(indices, len(self.legal_buffer) - 1)], -1)

    def why_not(self, lane: int, choice: int) -> str:
        """A sentence on why a choice is refused in a lane."""
        return why_refused(self.choices, lane, choice, self.state(lane), self.legal(lane))

    def snapshot(self) -> dict[str, Array]:
        """Everything needed to continue from here, as arrays that ``numpy.savez`` writes and ``restore`` takes."""
        import numpy as np

        games = np.array([self.game.name, str(self.n), ",".join(self.players), str(self.rotate), str(self.seed)])
        return {"games": games, **{name: getattr(self, name).copy() for name in SNAPSHOT_ARRAYS}}

    def restore(self, snapshot: Mapping[str, Array]) -> None:
        """Continue from a snapshot. Raises NotationError, with nothing changed, unless it is of the same games."""
        try:
            name, n, players, rotate, seed = map(str, snapshot["games"])
            arrays = {name: snapshot[name] for name in SNAPSHOT_ARRAYS}
        except (KeyError, TypeError, ValueError):
            raise NotationError("snapshot must be a return value of snapshot().") from None
        expected = self.game.name, str(self.n), ",".join(self.players), str(self.rotate)
        if (name, n, players, rotate) != expected:
            raise NotationError(f"The snapshot is of {n} games of {name} with {players}, not of {self!r}.")
        for each, array in arrays.items():
            current = getattr(self, each)
            if array.shape != current.shape or array.dtype != current.dtype:
                raise NotationError(f"The snapshot's {each} are of another version: {array.dtype}, {array.shape}.")
        self.seed = check_seed(int(seed))
        for each, array in arrays.items():
            getattr(self, each)[:] = array
        self.show()


def compile_lanes(game: Game) -> None:
    """Compile the machine code of a game's lanes for learners only."""
    games = VectorGames(game, 1)
    games.step(games.choices.for_actions(games.legal(0))[:1])


def kernels_of(features: Features, with_policies: bool) -> tuple[Any, bool]:
    """The kernels of a game's lanes in machine code, and whether these write observations."""
    modules = modules_for(features, with_policies=with_policies)
    return compilation.compiled(lanes, *modules), modules[-1].__name__.startswith("kibitz_observing")


def modules_for(features: Features, *, with_policies: bool) -> tuple[ModuleType, ...]:
    """The modules that implement the hooks of the lanes, for a game."""
    game = features.game
    modules = (game.rules, game.policies) if with_policies and game.policies else (game.rules,)
    try:
        return (*modules, observer_module(features))
    except Unsupported:
        return modules


def check_players(game: Game, players: Sequence[str] | None) -> tuple[str, ...]:
    """The players by seat. Raises NotationError if one of them can't play the game here, or none is a learner."""
    if players is None:
        return ("learner",) * game.seats
    names = ("learner", "random", *policies(game))
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != game.seats:
        raise NotationError(f"players must be a list of {game.seats} players, not {short_repr(players)}.")
    for name in players:
        if name not in names:
            raise NotationError(f"{short_repr(name)} doesn't play {game.name} here; known players: {', '.join(names)}.")
    if "learner" not in players:
        raise NotationError("players has no 'learner': give it at least one seat.")
    return tuple(players)


def check_lanes(n: object) -> int:
    """A number of games side by side. Raises NotationError if it isn't one."""
    number = check_number("n", n)
    if not 0 < number <= MAX_LANES:
        raise NotationError(f"n must be from 1 to {MAX_LANES:,} games, not {short_repr(n)}.")
    return number


def endless_sentence(game: Game) -> str:
    """The error for a lane in which no learner could choose."""
    return f"{MAX_SKIPPED_GAMES:,} games of {game.name} in a row ended before the learner could choose."


def why_refused(choices: Choices, lane: int, choice: int, state: Any, legal: list[int]) -> str:
    """A sentence on why a choice is refused in a lane, whose position has these legal actions."""
    if not 0 <= choice < choices.n:
        return f"Game {lane}: choices are 0 to {choices.n - 1}, not {choice}."
    try:
        action = choices.action(choice, legal)
    except RuleError as error:
        return f"Game {lane}: {error}"
    return f"Game {lane}: choice {choice} is not legal. {choices.game.why_not(state, action)}"


def check_choice_array(choices: Any, n: int) -> Array:
    """The choices as an array of ``n`` whole numbers. Raises NotationError if they are invalid."""
    import numpy as np

    try:
        chosen = np.asarray(choices)
    except ValueError:
        chosen = np.zeros(0)
    if chosen.shape != (n,) or chosen.dtype.kind not in "iu":
        actual = f"an array of {chosen.dtype} of shape {chosen.shape}"
        raise NotationError(f"choices must be {n} whole numbers, one for every game, not {actual}.")
    return chosen


def policy_number(game: Game, name: str) -> int:
    """A player's number in the kernels."""
    if name == "learner":
        return int(lanes.LEARNER)
    return int(lanes.RANDOM) if name == "random" else list(policies(game)).index(name)


def check_seed(seed: object) -> int:
    """A batch seed. Raises NotationError if it isn't one."""
    number = check_number("seed", seed)
    if not 0 <= number < BATCH_SEEDS:
        raise NotationError(f"a batch seed is a whole number from 0 to 2**64 - 1, not {short_repr(number)}")
    return number
