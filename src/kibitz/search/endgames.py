"""Solves the rest of a game exactly if little is hidden, without sampling; advice and reviews prefer such a solution.

    endgame tree            everything that can follow from the relevant states (``relevant_states``), with every seat's
                            information sets; it ends where simulated games end
    perfect information     if every seat always knows the position, the endgame is solved by backward induction: each
                            seat maximises its own result, and equally good choices come equally often.  Between two
                            seats that is the exact solution
    imperfect information   otherwise, for example when seats choose simultaneously, CFR+ looks for an equilibrium; it
                            is used if nobody could gain more than ``MAX_GAP`` by deviating, which is computed exactly.
                            Between two seats it is the solution, exact up to that gap; between more, one of possibly
                            several equilibria

If more than ``MAX_STATES`` states are relevant, or the tree is too large, a search is needed instead: always in
cribbage, where the crib is hidden to the end, and in poker with a whole pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from threading import RLock
from typing import Any

from kibitz.engine.chance_tree import EnumeratedGame
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import Notice, View, encoded
from kibitz.search import cfr_kernels
from kibitz.search.game_tree import CHANCE, END, Outcomes, TooLarge, TreeBuilder
from kibitz.search.tree_search import RankedAction, final_reward, search_config, view_before_choices

NODES_FOR_PLAY, NODES_FOR_REVIEWS, NODES_FOR_ADVICE = 250, 1000, 3000
"""The maximum number of nodes that are built for a player's move, for a review, and for advice."""
BRANCH_FACTOR = 16
"""A tree is too large if the product of the branches in one random game exceeds this many times the allowed nodes."""
MAX_ITERATIONS, ITERATIONS_BETWEEN_CHECKS = 400, 50
"""The maximum number of iterations of CFR+, and how many run between two checks."""
MAX_GAP = 0.01
"""The chance of winning that a seat may still gain by deviating from an equilibrium."""
TIE_TOLERANCE = 1e-9
"""Values that differ by less are equal."""

KERNELS: Any = cfr_kernels
_lock = RLock()


@dataclass(frozen=True)
class EndgameSolution:
    """The choices of a seat, best first, and their probabilities; no seat can gain more than ``gap`` by deviating."""

    choices: tuple[RankedAction, ...]
    odds: tuple[float, ...]
    gap: float
    nodes: int
    seats: int

    def draw(self, random: Random) -> int:
        """An action drawn with these probabilities."""
        (ranked,) = random.choices(self.choices, self.odds)
        return ranked.action

    @property
    def judge(self) -> str:
        """The solution as the judge of an advice, in words."""
        judge = f"the exact solution of the rest of the game ({self.nodes:,} nodes)"
        if self.gap:
            return f"{judge}; it is an equilibrium to within {100 * self.gap:.1f} percentage points of winning chance"
        return judge if self.seats == 2 else f"{judge}, with every seat playing its best"


def solve_endgame(game: Game, view: View, max_nodes: int = NODES_FOR_ADVICE) -> EndgameSolution | None:
    """The solution for the seat to move in ``view``; None if the tree has more than ``max_nodes`` nodes."""
    with _lock:
        try:
            tree = build_endgame_tree(game, view, max_nodes)
        except TooLarge:
            return None
        if tree is None:
            return None
        return tree.solve_backwards() if tree.has_perfect_information else tree.find_equilibrium()


def build_endgame_tree(game: Game, view: View, max_nodes: int) -> EndgameTree | None:
    """The endgame tree, with the states that a seat with a choice considers possible; None or TooLarge if too large."""
    enumerated, before = enumerated_game(game), view_before_choices(game, view)
    seats_choosing, seats_included = {view.seat}, set[int]()
    while seats_choosing != seats_included:
        seats_included = set(seats_choosing)
        states = relevant_states(enumerated, before, view.seat, seats_included)
        if states is None or is_too_large(game, states, max_nodes):
            return None
        tree = EndgameTree(game, max_nodes, states, view.seat)
        tree.grow_all()
        seats_choosing |= {infoset.seat for infoset in tree.sets if len(infoset.legal) > 1}
    return tree


def is_too_large(game: Game, states: list[WeightedState], max_nodes: int) -> bool:
    """Whether the tree is probably too large, by the product of the branches in one random game (Knuth 1975)."""
    state, random, branches = rollout_start(game, states[0][1]), Random(0), len(states)
    while not state.over and branches <= BRANCH_FACTOR * max_nodes:
        legal = game.legal(state)
        branches *= len(legal)
        game.rules.apply(state, random.choice(legal))
    return branches > BRANCH_FACTOR * max_nodes


def rollout_start(game: Game, state: PlainState) -> PlainState:
    """A copy of a position, truncated as at the start of a simulated game."""
    copy = state.copy()
    if truncate_rollout := getattr(game.policies, "truncate_rollout", None):
        truncate_rollout(copy)
    return copy


class EndgameTree(TreeBuilder):
    """The tree that follows from some states; ``payoff`` has chances of winning, ``earned`` the seats' returns.

    ``solving_seat`` is the seat whose choice is to be solved.
    """

    def __init__(self, game: Game, max_nodes: int, states: list[WeightedState], solving_seat: int) -> None:
        super().__init__(game, max_nodes)
        self.enumerated = enumerated_game(game)
        self.enumerated.script.path.clear()
        self.solving_seat, self.config, self.chance_outcomes = solving_seat, search_config(game), 0
        self.earned: dict[int, list[float]] = {}
        total = sum(weight for weight, _ in states)
        outcomes = []
        for weight, state in states:
            memories = [self.memories.after(0, encoded(game.view(state, p)), None) for p in range(game.seats)]
            outcomes.append((float(weight / total), rollout_start(game, state), tuple(memories)))
        self.add(1.0, outcomes)

    def merged(
        self, outcomes: Iterable[tuple[Fraction, PlainState, list[Notice]]], before: tuple[int, ...], mover: int | None,
        action: int,
    ) -> Outcomes:  # fmt: skip
        """As in ``TreeBuilder``. Raises TooLarge if chance has too many outcomes in the whole tree."""
        return super().merged(self.limit_outcomes(outcomes), before, mover, action)

    def limit_outcomes(
        self, outcomes: Iterable[tuple[Fraction, PlainState, list[Notice]]]
    ) -> Iterator[tuple[Fraction, PlainState, list[Notice]]]:
        """The outcomes, unchanged. Raises TooLarge if there are too many in the whole tree."""
        for outcome in outcomes:
            self.chance_outcomes += 1
            if self.chance_outcomes > 2 * self.max_nodes:
                raise self.too_large(f"chance has more than {2 * self.max_nodes:,} outcomes")
            yield outcome

    def write_payoffs(self, node: int, state: PlainState) -> None:
        """Write the value of an END to each seat: as a chance of winning, and in the game's own units."""
        seats, earned = self.game.seats, [0] * self.game.max_legal
        getattr(self.game.policies, "evaluate", self.game.rules.returns)(state, earned)
        self.earned[node] = [float(x) for x in earned[:seats]]
        self.payoff[node * seats : (node + 1) * seats] = [
            final_reward(self.game, self.config, earned[:seats], p) for p in range(seats)
        ]

    @property
    def has_perfect_information(self) -> bool:
        """Whether every seat always knows the position."""
        chosen = [number for number in self.infoset if number >= 0]
        return len(chosen) == len(set(chosen))

    def children(self, node: int) -> range:
        """The children of a node."""
        return range(self.first[node], self.first[node] + self.count[node])

    def decision_node(self) -> int:
        """The node at which the solving seat makes its first choice in the first state."""
        node = 0 if self.seat[0] != CHANCE or self.count[0] == 0 else self.first[0]
        while self.seat[node] != self.solving_seat:
            node = self.first[node]
        return node

    def solve_backwards(self) -> EndgameSolution:
        """The solution of a tree with perfect information, by backward induction."""
        seats, value = self.game.seats, [[0.0]] * len(self.seat)
        for node in range(len(self.seat) - 1, -1, -1):
            mover, child_values = self.seat[node], [value[child] for child in self.children(node)]
            if mover == END:
                value[node] = [*self.payoff[node * seats : (node + 1) * seats], *self.earned[node]]
                continue
            weights = [self.probability[child] for child in self.children(node)]
            if mover != CHANCE:
                best = max(values[mover] for values in child_values)
                weights = [float(values[mover] > best - TIE_TOLERANCE) for values in child_values]
            value[node] = mean(child_values, weights)
        decision = self.decision_node()
        worth = [
            (value[child][self.solving_seat], value[child][seats + self.solving_seat])
            for child in self.children(decision)
        ]
        best = max(winning_chance for winning_chance, _ in worth)
        return self.solution(worth, [float(winning_chance > best - TIE_TOLERANCE) for winning_chance, _ in worth], 0.0)

    def find_equilibrium(self) -> EndgameSolution | None:
        """The equilibrium found by CFR+; None if a seat could still gain more than MAX_GAP by deviating."""
        sets, choices = len(self.sets), self.set_starts()[-1]
        regret, total, policy = ([0.0] * choices for _ in range(3))
        work = [[0.0] * len(self.seat) for _ in range(3)]
        size = len(self.seat), sets, self.game.seats
        cfr_kernels.match_regrets(self.set_starts(), sets, regret, policy)
        for iteration in range(1, MAX_ITERATIONS + 1, ITERATIONS_BETWEEN_CHECKS):
            KERNELS.run_cfr(
                *self.arrays(),
                *size,
                self.levels,
                iteration,
                iteration + ITERATIONS_BETWEEN_CHECKS,
                0,
                regret,
                total,
                policy,
                *work,
                [0.0] * choices,
            )
            average = [0.0] * choices
            cfr_kernels.match_regrets(self.set_starts(), sets, total, average)
            gap = max(self.best_response_gains(average))
            if gap <= MAX_GAP:
                return self.solution_of_policy(average, gap)
        return None

    def best_response_gains(self, policy: list[float]) -> Iterator[float]:
        """For each seat, how much more its best response wins than a policy."""
        size = len(self.seat), len(self.sets), self.game.seats
        for seat in range(self.game.seats):
            work = [[0.0] * len(self.seat) for _ in range(3)]
            KERNELS.compute_values(*self.arrays(), len(self.seat), self.game.seats, seat, policy, work[0])
            policy_value, deepest = work[0][0], max(self.levels, default=0)
            best, gain = policy[:], [0.0] * len(policy)
            yield (
                KERNELS.best_response(*self.arrays(), *size, seat, self.levels, deepest, policy, best, *work, gain)
                - policy_value
            )

    def solution_of_policy(self, policy: list[float], gap: float) -> EndgameSolution:
        """The solving seat's choices under a policy, weighted over the nodes that it cannot tell apart."""
        infoset, start, seats = self.infoset[self.decision_node()], self.set_starts(), self.game.seats
        n = len(self.seat)
        own, others = [0.0] * n, [0.0] * n
        KERNELS.compute_reach(*self.arrays()[:5], start, n, self.solving_seat, policy, own, others)
        values_by_unit = []
        for pay in (self.payoff, self.payments()):
            value = [0.0] * n
            KERNELS.compute_values(*self.arrays()[:5], pay, start, n, seats, self.solving_seat, policy, value)
            values_by_unit.append(value)
        nodes = [node for node in range(n) if self.infoset[node] == infoset]
        reach = sum(others[node] for node in nodes)
        worth = []
        for j in range(self.count[nodes[0]]):
            winning_chance, earned = (
                sum(others[node] * value[self.first[node] + j] for node in nodes) / reach for value in values_by_unit
            )
            worth.append((winning_chance, earned))
        return self.solution(worth, policy[start[infoset] : start[infoset + 1]], gap)

    def payments(self) -> list[float]:
        """What each seat earns at the ends in the game's own units, as a list like ``payoff``."""
        seats = self.game.seats
        result = [0.0] * len(self.payoff)
        for node, earned in self.earned.items():
            result[node * seats : (node + 1) * seats] = earned
        return result

    def solution(self, worth: list[tuple[float, float]], odds: Sequence[float], gap: float) -> EndgameSolution:
        """The choices of the solving seat, the most probable and then the most promising first."""
        legal = self.sets[self.infoset[self.decision_node()]].legal
        weighted_choices = [
            (probability, RankedAction(action, 1, earned, 0.0, winning_chance))
            for action, (winning_chance, earned), probability in zip(legal, worth, odds, strict=True)
        ]
        weighted_choices.sort(key=lambda pair: (-round(pair[0], 3) if gap else 0.0, -pair[1].winning_chance))
        choices = tuple(ranked for _, ranked in weighted_choices)
        probabilities = tuple(probability / sum(odds) for probability, _ in weighted_choices)
        return EndgameSolution(choices, probabilities, gap, len(self.seat), self.game.seats)

    def set_starts(self) -> list[int]:
        """For each set, the index of its first choice; then the number of all choices."""
        result = [0]
        for infoset in self.sets:
            result.append(result[-1] + len(infoset.legal))
        return result

    def arrays(self) -> tuple[Any, ...]:
        """The lists in the order in which kernels take them."""
        return self.seat, self.first, self.count, self.infoset, self.probability, self.payoff, self.set_starts()


def mean(rows: Sequence[list[float]], weights: Sequence[float]) -> list[float]:
    """The weighted mean of some rows, column by column."""
    total = sum(weights)
    return [sum(w * row[i] for w, row in zip(weights, rows, strict=True)) / total for i in range(len(rows[0]))]


# The states that are relevant to a decision, with their probabilities
#
#   infoset_states_of   all states of a seat's information set: every path of ``resample``
#   relevant_states     those that the seat to move considers possible, those that other seats with a choice consider
#                       possible in one of these, and so on
#
# A seat's earlier choices reveal nothing about its cards here, as in all simulated games (decision 6).


MAX_STATES = 64
"""The maximum number of states that are enumerated."""
MAX_DRAWS = 4 * MAX_STATES
"""The maximum number of paths of ``resample`` for one view (several may lead to one state); all views of a decision
together may have four times as many."""

WeightedState = tuple[Fraction, PlainState]
_enumerated_games: dict[object, EnumeratedGame] = {}


def enumerated_game(game: Game) -> EnumeratedGame:
    """The game with its chance scripted, cached; one thread at a time may use it."""
    name = game.name, id(game.rules), tuple(sorted(game.options.items()))
    if name not in _enumerated_games:
        if len(_enumerated_games) > 32:
            _enumerated_games.clear()
        _enumerated_games[name] = EnumeratedGame(game)
    return _enumerated_games[name]


def infoset_states_of(enumerated: EnumeratedGame, view: View) -> list[WeightedState] | None:
    """All states that a seat cannot tell apart, given its view; None if there are too many."""
    game, states = enumerated.original, []
    enumerated.script.path.clear()
    base = game.blank()
    game.restore(base, view)
    for number, _ in enumerate(enumerated.script.paths()):
        state = base.copy()
        accepted = enumerated.kernels.resample(state, view.seat)
        if number >= MAX_DRAWS or (number == 0 and enumerated.script.weight * MAX_DRAWS < 1):
            return None
        if accepted:
            states.append((enumerated.script.weight, state))
    return merged_states(game, states)


def merged_states(game: Game, weighted: list[WeightedState]) -> list[WeightedState] | None:
    """The positions with equal ones merged, and with probabilities that add up to 1; None if there are too many."""
    weights: dict[object, Fraction] = {}
    states: dict[object, PlainState] = {}
    for weight, state in weighted:
        key = game.infoset_states.key(state)
        weights[key] = weights.get(key, Fraction(0)) + weight
        states.setdefault(key, state)
    total = sum(weights.values())
    return [(weight / total, states[key]) for key, weight in weights.items()] if len(weights) <= MAX_STATES else None


def relevant_states(
    enumerated: EnumeratedGame, view: View, seat: int, others: Iterable[int]
) -> list[WeightedState] | None:
    """The states that are relevant to a seat and others, its own first; None if there are too many.

    All seats agree on how much likelier one state is than another, so a known state fixes the weights of all states
    that an observer can't tell apart from it.
    """
    game = enumerated.original
    own_states = infoset_states_of(enumerated, view)
    if own_states is None:
        return None
    by_key = {game.infoset_states.key(state): (weight, state) for weight, state in own_states}
    paths_left = 4 * MAX_DRAWS
    views_asked = {(seat, encoded(view))}
    queue = [state for _, state in own_states]
    while queue:
        state = queue.pop()
        weight = by_key[game.infoset_states.key(state)][0]
        for observer in others:
            observer_view = game.view(state, observer)
            if (observer, encoded(observer_view)) in views_asked:
                continue
            views_asked.add((observer, encoded(observer_view)))
            observer_states = infoset_states_of(enumerated, observer_view)
            paths_left -= len(observer_states or ())
            if observer_states is None or paths_left < 0:
                return None
            scale = weight / next(
                part
                for part, state in observer_states
                if game.infoset_states.key(state) == game.infoset_states.key(state)
            )
            for part, state in observer_states:
                if game.infoset_states.key(state) not in by_key:
                    by_key[game.infoset_states.key(state)] = part * scale, state
                    queue.append(state)
            if len(by_key) > MAX_STATES:
                return None
    return list(by_key.values())
