"""Search: ranks the legal actions, with the worth of each and its error.

    worth           the seat's mean return after this action, in the game's own units, with its standard error, which is
                    infinite if it was tried at most once
    winning chance  the mean reward, from 0 to 1: the chance of coming first, with some credit for places below it; in
                    games played for chips it depends on the chips won
    memory          what a seat has seen happen since the root, as one number (see ``ismcts``)
    share           the probability of an action without exploration, with regret matching (see ``ismcts``)

Only the view is used: the rest is drawn at random.  The same view, seed and number of simulated games give the
same ranking, in plain Python and in machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from random import Random
from time import perf_counter
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import hook_modules, observe_action_of, policies, scratch_size
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game_of
from kibitz.engine.views.events import View
from kibitz.search import ismcts
from kibitz.search.ismcts import ONE

# One tree and everything that its kernels write: lists for plain Python, or arrays for machine code
#
# tally       by action four numbers: how often it was taken, and the sums of returns, of their squares and of rewards


TREE_SIZE = 1 << 16
"""The number of entries of a search tree; once it is full, rollouts begin where a path leaves it."""
PLAIN: Any = ismcts


class SearchTree:
    """A growing tree from the position ``state``; ``keys`` determine all draws, ``settings`` are as in ``ismcts``."""

    def __init__(
        self,
        game: Game,
        state: Any,
        actions: Sequence[int],
        keys: Sequence[int],
        settings: Sequence[int],
        *,
        plain: bool,
    ) -> None:
        self.actions, self.seats, self.done = list(actions), game.seats, 0
        self.zeros: Callable[[int], Any] = zero_list if plain else zero_array
        self.numbers: Callable[[Sequence[int]], Any] = list if plain else int_array
        self.tree = self.zeros(ismcts.FIRST_ENTRY + ismcts.FIELDS * TREE_SIZE)
        self.path = self.zeros(ismcts.STEP * ismcts.MAX_DEPTH + 1)
        self.root_memories, self.memories = self.zeros(game.seats), self.zeros(2 * game.seats)
        self.scratch = self.zeros(3 * max(scratch_size(game), game.seats))
        self.tally = self.zeros(4 * len(actions))
        self.chosen, self.keys, self.settings = self.numbers(actions), self.numbers(keys), self.numbers(settings)
        self.visits_before = [0] * len(actions)
        self.states, *self.raw = (plain_states if plain else fast_states)(game, state)
        self.kernels = plain_kernels(game) if plain else compilation.compiled(ismcts, *hook_modules(game))

    def simulate(self, games: int) -> None:
        """Simulate this many more games."""
        last = self.done + games
        self.run(ismcts.FOR_SEARCH, self.tally, self.chosen, self.done, last)
        self.done = last

    def run(self, purpose: int, results: Any, actions: Any, first: int, last: int) -> None:
        """Run the kernel that simulates games."""
        self.kernels.simulate(
            *(purpose, self.states, *self.raw, self.tree, TREE_SIZE, self.path, self.root_memories, self.memories),
            *(self.scratch, results, actions, len(actions), self.keys, self.settings, first, last),
        )

    def reuse(self, other: SearchTree, actions: Sequence[int], *, simultaneous: bool) -> None:
        """Use the tree of an earlier position, if it is at most half full; ``actions`` were played since then.

        Simultaneous actions are added to the memories as one observation.
        """
        if 2 * int(other.tree[ismcts.USED]) > TREE_SIZE:
            return
        for p in range(self.seats):
            memory = int(other.root_memories[p])
            memory_after = 0 if simultaneous else memory
            for action in actions:
                memory_after = PLAIN.mix(memory_after, action + 1)
            self.root_memories[p] = PLAIN.mix(memory, memory_after) if simultaneous else memory_after
        self.tree = other.tree
        self.visits_before = self.visits()

    def rollout_values(self, action: int, games: int) -> Any:
        """The results of an action in a number of determinizations, two numbers each: return and reward."""
        results = self.zeros(2 * games)
        self.run(ismcts.FOR_COMPARISON, results, self.numbers([action]), 0, games)
        return results

    def visits(self) -> list[int]:
        """How many times each action was taken at the root; with regret matching, the sum of its shares."""
        seat = int(self.settings[ismcts.SEAT])
        root = PLAIN.mix(int(self.root_memories[seat]), seat + 1)
        entries = [PLAIN.find_entry(self.tree, PLAIN.mix(root, action + 1), TREE_SIZE) for action in self.actions]
        return [int(self.tree[at + ismcts.VISITS]) if at >= 0 else 0 for at in entries]


def zero_list(size: int) -> list[int]:
    """A list of zeros, for plain Python."""
    return [0] * size


def zero_array(size: int) -> Any:
    """An array of zeros, for machine code."""
    import numpy as np

    return np.zeros(size, np.int64)


def int_array(numbers: Sequence[int]) -> Any:
    """An array of integers for machine code."""
    import numpy as np

    return np.array(numbers, np.int64)


def plain_kernels(game: Game) -> Any:
    """The kernels of a search in plain Python."""

    def copy_state(states: list[Any], raw: object, words: int, part: int) -> None:
        states[1] = states[0].copy()

    return compilation.plain(ismcts, *hook_modules(game), copy_state=copy_state)


def plain_states(game: Game, state: Any) -> tuple[Any, Any, int, int]:
    """The position, space for a determinization, and a generator, as a list; then values for unused parameters."""
    return [state, state, state.copy()], None, 0, 0


def fast_states(game: Game, state: Any) -> tuple[Any, Any, int, int]:
    """The position, space for a determinization, and a generator, as an array; then their memory as integers (``raw``).

    Then come the number of integers in one state, and how many of them hold the position; the rest is scratch.
    """
    import numpy as np

    states = np.zeros(3, game.rules.LAYOUT.dtype)
    game.rules.LAYOUT.store(state, states, 0)
    raw = states.view(np.int64)
    return states, raw, len(raw) // 3, game.rules.LAYOUT.position_words


# The search of a position


Z = 1.96
"""Half the width of a 95 % interval, in standard errors."""


class RankedAction(msgspec.Struct, frozen=True):
    """A legal action: how often it was tried, its worth with the standard error, and its winning chance."""

    action: int
    tried: int
    worth: float
    error: float
    winning_chance: float
    """From 0 to 1; see ``advice.chance_note``."""

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the worth."""
        return Z * self.error


def digits_of(ranked: Iterable[RankedAction]) -> int:
    """How many decimals of the worths to show, two to four, so that a margin above zero isn't shown as zero.

    >>> digits_of([RankedAction(0, 9, 0.5, 0.01, 0.5)]), digits_of([RankedAction(0, 9, 0.5, 0.002, 0.5)])
    (2, 3)
    """
    smallest_margin = min((entry.margin for entry in ranked if entry.margin), default=1.0)
    return next((digits for digits in (2, 3) if round(smallest_margin, digits)), 4)


@dataclass(frozen=True)
class SearchConfig:
    """How to search a game; an empty ``policy`` stands for random actions.

    policy      the policy of rollouts
    explore     the weight of exploration in UCB1
    widen_from  with more actions than this, progressive widening is used: only some are tried at first, more later
    rollout_randomness  the share of choices in rollouts that are random
    limit       the maximum number of actions of a rollout
    chips       the chips that each seat begins with, in games for chips; 0 in games for places
    matching    whether seats that choose simultaneously use regret matching, which approaches an equilibrium; otherwise
                each takes the action with the highest UCB1 value
    single_learner  whether only the searching seat learns: the others follow the policy in the tree, too, and it plans
                for all that they may do; otherwise every seat learns for itself
    others_randomness   the share of the others' choices in the tree that are random, if there is a single learner
    """

    policy: str = ""
    explore: float = 0.5
    widen_from: int = 8
    rollout_randomness: float = 0.1
    limit: int = 400
    chips: int = 0
    matching: bool = False
    single_learner: bool = False
    others_randomness: float = 0.0


@dataclass
class Search:
    """A search of one position, which can be extended at any time; ``view`` is that of the seat to move.

    With several ``threads``, each grows a tree of its own, and the results are added: in machine code the speed grows
    with the cores, and with few choices the result is as good as that of one tree with as many games. The same view,
    seed, number of simulated games and number of threads give the same ranking, on any number of cores. ``truth``, the
    true position, which no player may use, replaces all determinizations: it shows what a player who knew all cards
    could win.
    """

    game: Game
    view: View
    legal: Sequence[int]
    seed: int = 0
    config: SearchConfig = field(default_factory=SearchConfig)
    plain: bool = False
    truth: PlainState | None = field(default=None, repr=False)
    threads: int = 1
    done: int = 0

    def __post_init__(self) -> None:
        self.game = game_of(self.game)
        settings = config_words(self.game, self.config, self.view.seat, true_state=self.truth is not None)
        state = self.truth
        if state is None:
            state = self.game.blank()
            self.game.restore(state, view_before_choices(self.game, self.view))
        self.state = state
        self.trees = [
            SearchTree(self.game, state.copy(), self.legal, seed_words(seed)[:2], settings, plain=self.plain)
            for seed in seeds_of(self.seed, self.threads)
        ]

    def after(self, actions: Sequence[int], view: View, legal: Sequence[int], seed: int) -> Search:
        """The search of a later position of the same game, which reuses this one's tree.

        ``actions`` are all actions since then, this seat's first.  Nothing is reused if one of them is hidden from
        a seat (``is_seen_by_all``), if more than one round of simultaneous choices was played, if the tree is half
        full, or with a single learner.  Don't use this search afterwards: the two share a tree.
        """
        later = Search(self.game, view, legal, seed, self.config, self.plain, threads=self.threads)
        simultaneous = is_simultaneous(self.game, self.state)
        own_choice_first = self.state.player == self.view.seat and len(actions) == self.game.seats - self.view.seat
        is_one_round = own_choice_first if simultaneous else not is_simultaneous(self.game, later.state)
        positions = self.state, later.state
        all_seen = all(is_seen_by_all(self.game, state, action) for state in positions for action in actions)
        if is_one_round and all_seen and not self.config.single_learner:
            for tree, other in zip(later.trees, self.trees, strict=True):
                tree.reuse(other, actions, simultaneous=simultaneous)
        return later

    def simulate(self, games: int) -> None:
        """Simulate this many more games."""
        self.done += games
        missing = [share_of_games(self.done, self.threads, k) - tree.done for k, tree in enumerate(self.trees)]
        if self.threads == 1:
            self.trees[0].simulate(games)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(SearchTree.simulate, self.trees, missing))

    def simulate_for(self, seconds: float) -> None:
        """Simulate games for a time: at least one, and none that would not finish in time."""
        search_for_seconds(self, seconds)

    def rollout_values(self, action: int, games: int) -> list[tuple[int, float]]:
        """The return and reward of an action in a number of determinizations, if every seat then follows the policy.

        The determinizations are the same for every action, so that two can be compared.
        """
        results = self.trees[0].rollout_values(action, games)
        return [(int(results[2 * i]), int(results[2 * i + 1]) / ONE) for i in range(games)]

    def ranking(self) -> list[RankedAction]:
        """The legal actions, the best first: by how often they were tried, including visits of a reused tree."""
        ranked, times_tried = [], {}
        for i, action in enumerate(self.legal):
            tallies = [tree.tally[4 * i : 4 * i + 4] for tree in self.trees]
            n, total, squares, rewards = (
                sum(int(number) for number in column) for column in zip(*tallies, strict=True)
            )
            times_tried[action] = n + (0 if self.is_matched else sum(tree.visits_before[i] for tree in self.trees))
            mean = total / n if n else 0.0
            error = sqrt(max(0.0, squares / n - mean * mean) / (n - 1)) if n > 1 else float("inf")
            ranked.append(RankedAction(action, n, mean, error, rewards / n / ONE if n else 0.0))
        return sorted(ranked, key=lambda entry: (-times_tried[entry.action], -entry.winning_chance))

    def odds(self) -> list[float]:
        """The probability of each legal action: 1 for the best, or with regret matching the average strategy."""
        shares = [sum(column) for column in zip(*(tree.visits() for tree in self.trees), strict=True)]
        if not self.is_matched or not any(shares):
            best = self.ranking()[0].action
            return [float(action == best) for action in self.legal]
        return [share / sum(shares) for share in shares]

    @property
    def is_matched(self) -> bool:
        """Whether seats choose simultaneously here, with regret matching."""
        return self.config.matching and is_simultaneous(self.game, self.state)

    def choice(self, random: Random) -> int:
        """The choice: the best action, or with regret matching one drawn with its odds."""
        if not self.is_matched:
            return self.ranking()[0].action
        (action,) = random.choices(self.legal, self.odds())
        return action


class ExtendableSearch(Protocol):
    """A search that can be extended, and counts its simulated games."""

    done: int

    def simulate(self, games: int) -> None:
        """Simulate this many more games."""


def search_for_seconds(search: ExtendableSearch, seconds: float) -> None:
    """Simulate games for a time: at least one, and none that would not finish in time."""
    start, rate, games = perf_counter(), 0.0, 1
    while (seconds_left := seconds - (perf_counter() - start)) > 0 and (not rate or seconds_left * rate > 1):
        games = max(1, min(games, int(seconds_left * rate / 2))) if rate else games
        done_before, started = search.done, perf_counter()
        search.simulate(games)
        if search.done == done_before:
            return
        rate = (search.done - done_before) / max(1e-9, perf_counter() - started)
        games *= 2


def search_config(game: Game) -> SearchConfig:
    """The search settings of a game: ``SEARCH`` in its ``policies.py``; by default rollouts by its first policy."""
    chips = max((value for name, value in game.options.items() if name == "stack"), default=0) if game.by_score else 0
    defaults = {"chips": chips, "policy": next(iter(policies(game)), "")}
    return SearchConfig(**{**defaults, **getattr(game.policies, "SEARCH", {})})


def final_reward(game: Game, config: SearchConfig, scores: Sequence[float], seat: int) -> float:
    """The reward of a game's end for a seat, 0 to 1."""
    words = [0] * ismcts.TRUE_STATE + [0]
    words[ismcts.CHIPS], words[ismcts.SEATS] = config.chips, game.seats
    return int(ismcts.reward([int(score) for score in scores], seat, words)) / ONE


def is_simultaneous(game: Game, state: PlainState) -> bool:
    """Whether the seat to move chooses simultaneously with others."""
    kernel = getattr(game.rules, "simultaneous", None)
    return kernel is not None and bool(kernel(state))


def view_before_choices(game: Game, view: View) -> View:
    """The view before the current simultaneous choices began; the view itself if there are none."""
    simultaneous = getattr(game.rules, "simultaneous", None)
    if simultaneous is None or not view.player:
        return view
    state = game.blank()
    game.restore(state, view)
    return replace(view, player=0) if simultaneous(state) else view


def is_seen_by_all(game: Game, state: PlainState, action: int) -> bool:
    """Whether every seat sees exactly this action, by the game's ``observe_action`` in a position.

    ``Search.after`` asks this of the positions before and after the actions: a hidden one is hidden in at least one.
    """
    observe_action = observe_action_of(game)
    return all(observe_action(state, seat, action) == action for seat in range(game.seats))


def config_words(game: Game, config: SearchConfig, seat: int, *, true_state: bool) -> list[int]:
    """The search settings as an array for the kernels."""
    names = list(policies(game))
    policy = names.index(config.policy) if config.policy else ismcts.NOBODY
    explore = round(config.explore * 256)
    rollout_randomness = round(config.rollout_randomness * 256) if config.policy else 0
    words = [seat, policy, explore, config.widen_from, config.chips, config.limit, rollout_randomness, game.seats]
    others_randomness = round(config.others_randomness * 256) if config.policy else 0
    return [*words, int(true_state), int(config.matching), int(config.single_learner), others_randomness]


def seeds_of(seed: int, threads: int) -> list[int]:
    """The seeds of some threads; the first one is the search's own."""
    return [seed, *(int.from_bytes(sha256(f"thread {k} of {seed}".encode()).digest()[:16]) for k in range(1, threads))]


def share_of_games(games: int, threads: int, thread: int) -> int:
    """How many of the games a thread simulates.

    >>> [share_of_games(10, 4, thread) for thread in range(4)]
    [3, 3, 2, 2]
    """
    return (games + threads - 1 - thread) // threads


def is_ready(game: Game) -> bool:
    """Whether the machine code of a search is ready."""
    return compilation.is_compiled("simulate", ismcts, *hook_modules(game))
