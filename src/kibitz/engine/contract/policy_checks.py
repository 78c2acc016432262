"""Checks of policies: legal, blind to hidden cards, without side effects, and the same in machine code.

Non-interference: a policy gets the position itself, hidden cards and all. It must choose the same action there, in
every determinization that its seat can't tell apart, and in a position made from the seat's view alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

from kibitz.cards.chance import rekey
from kibitz.engine.contract.checking import Place, Violation, check, demand, demand_equal, raising_nothing, seeds
from kibitz.engine.contract.kernel_checks import check_sources, kernels_of
from kibitz.engine.contract.knowledge import ACTIONS, determinizations, observers_of
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.contract.positions import LinePosition, covering_positions
from kibitz.engine.game import Game, choosing_seats, seed_words
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.kernels.batch import records
from kibitz.engine.kernels.policies import (
    Policy,
    choose_action,
    hook_modules,
    observe_action_of,
    policies,
    scratch_size,
    seeded_rng,
)
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import SPECTATOR, Event, encoded, to_seat

POSITIONS_CHECKED = 24
"""About how many positions a policy is checked in."""
GAMES_PLAYED = 12
"""How many whole games are played both in plain Python and compiled."""


@check
def policies_are_legal_and_blind(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every policy chooses a legal action, changes nothing, and chooses alike where its seat sees the same.

    A policy doesn't depend on old contents of its scratch, and agrees with the strategy of the same name, if there is
    one. In policies and ``observe_action``, numbers fit in a machine word and indices stay within their arrays.
    """
    random = Random(6)
    with numbers_checked(kernels_of(game.policies)):
        decisions = [position for position in covering_positions(game, thorough, seed) if not position.state.over]
        chosen_decisions = decisions[:: max(1, len(decisions) // (POSITIONS_CHECKED * thorough))]
        for position in chosen_decisions:
            with raising_nothing("observe_action", position.place):
                for seat in range(position.game.seats):
                    observe_action_of(position.game)(position.state, seat, position.legal[-1])
        for name in policies(game):
            for position in chosen_decisions:
                check_policy(position, name, random)


def check_policy(position: LinePosition, name: str, random: Random) -> None:
    """Demand that a policy's action is legal, and the same in all determinizations and from its seat's view."""
    game, state, place = position.game, position.state, position.place.at(action=None)
    seat, policy = state.player, Policy(name).bind(game)
    answers, scratch = [], [0] * scratch_size(game)
    for candidate in (state, *determinizations(position, seat, random)):
        before = candidate.copy()
        with raising_nothing(f"the policy {name}", place):
            answers.append(choose_action(game, candidate, policy.number, seeded_rng(game, 7), [*scratch]))
        scratch = stale_scratch(len(scratch))
        demand(candidate == before, f"the policy {name} changes the position", place.at(seat=seat))
    with raising_nothing(f"the policy {name}", place):
        answers.append(policy.choose(game.view(state, seat), seeded_rng(game, 7)))
    reason = game.why_not(state, answers[0])
    here = place.at(seat=seat, action=answers[0])
    demand(reason is None, f"the policy {name} chooses an illegal action", here, "", (reason,))
    strategy = game.strategies[name]
    if not isinstance(strategy, Policy):
        strategy_action = strategy(game.view(state, seat), position.legal, random)
        demand_equal(
            strategy_action, answers[0], f"the policy {name} doesn't choose as the strategy of the same name does", here
        )
    for answer in answers[1:]:
        sentence = f"the policy {name} chooses differently from equal views: it knows something hidden"
        demand_equal(answers[0], answer, sentence, place.at(seat=seat))


@cache
def stale_scratch(size: int) -> list[int]:
    """``size`` arbitrary numbers such as another policy may have left in scratch: sets of cards."""
    random = Random(size)
    return [random.getrandbits(52) for _ in range(size)]


@check
def policies_agree_in_machine_code(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Policies obey the kernel rules, and games between them are the same in plain Python and in machine code.

    Machine code is only compiled if ``thorough`` is above 1.
    """
    import numpy as np

    policy_count, seats, modules = len(policies(game)), game.seats, hook_modules(game)
    check_sources(kernels_of(game.policies))
    if not policy_count or (thorough == 1 and not compilation.is_compiled("policy_playouts", loops, *modules)):
        return
    plain, fast = compilation.plain(loops, *modules), compilation.compiled(loops, *modules)
    scratch, rng = max(scratch_size(game), seats), [seeded_rng(game, 0) for _ in range(seats)]
    for number in seeds(GAMES_PLAYED * thorough, seed):
        policy_by_seat = [(number + p) % policy_count for p in range(seats)]
        words, keys = list(seed_words(number)), [number + p for p in range(2 * seats)]
        scores, steps = [0] * seats, [0]
        batch_arguments = 0, 1, seats, game.max_length
        plain.policy_playouts(
            [game.blank()], policy_by_seat, rng, [0] * scratch, words, keys, scores, steps, *batch_arguments
        )
        arrays = [np.array(each, np.int64) for each in ([0] * scratch, words, keys, [0] * seats, [0])]
        fast.policy_playouts(
            records(game, 1), np.array(policy_by_seat, np.int64), records(game, seats), *arrays, *batch_arguments
        )
        place = Place(game, number)
        demand(steps[0] > 0, "a game between policies does not end", place)
        demand_equal(scores, arrays[3].tolist(), "policies get different scores in machine code", place)
        demand_equal(steps, arrays[4].tolist(), "games between policies have a different length in machine code", place)


# The check of ``observe_action``: in a search, simulated seats remember exactly what events reveal of each action.
#
#     step        an action; if seats choose simultaneously, one action of each of them, from the seat to move on
#     knowledge   the events of a step that a seat sees, and its own action
#     memory      what ``observe_action`` shows the seat of the step's actions, on which a simulated seat acts
#
# A game without ``observe_action`` shows every action to all seats. That is right only where every action is public.


TOO_MUCH = "observe_action reveals too much: in a search, a seat can tell apart two actions that give it equal events"
TOO_LITTLE = (
    "observe_action reveals too little: in a search, a seat can't tell apart two actions that give it different events"
)
OWN_NUMBER = (
    "observe_action shows an action's own number to a seat that can't tell it from another: return one number for both"
)
OTHER_GENERATORS = 3
"""How many other generators are tried to see whether chance affects the events."""


class Continuation:
    """Actions from a position, with the events that one seat sees, its own actions, and what ``observe_action`` shows.

    ``choosers`` are the seats that still choose, and ``after`` is the position after the actions so far.
    """

    def __init__(self, game: Game, start: PlainState, seat: int) -> None:
        self.game, self.start, self.seat = game, start, seat
        self.after, self.choosers = start.copy(), list(choosing_seats(game, start))
        self.actions: list[int] = []
        self.own_actions: list[int] = []
        self.events: list[Event] = []
        self.memory: list[int] = []

    @property
    def has_more_choosers(self) -> bool:
        """Whether another seat still has to choose in this step."""
        return bool(self.choosers) and not self.after.over and self.after.player == self.choosers[0]

    @property
    def knowledge(self) -> bytes:
        """Everything that the seat knows of the step."""
        return encoded((self.own_actions, self.events))

    def take(self, action: int) -> None:
        """Let the next seat act."""
        with raising_nothing("observe_action", Place(self.game, seat=self.seat, action=action)):
            self.memory.append(int(observe_action_of(self.game)(self.after, self.seat, action)))
        self.own_actions += [action] if self.choosers.pop(0) == self.seat else []
        self.actions.append(action)
        self.events += to_seat(self.game.advance(self.after, action), self.seat)


@check
def observe_action_matches_events(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """What ``observe_action`` shows a seat of an action reveals no more than the events do, and no less.

    No more: in any two positions that the seat can't tell apart, steps with the same events are shown alike, and two
    different actions are never shown under their own numbers.  No less: two actions in one position are shown
    differently if their events differ whatever chance does.  What else an action reveals, such as the card that is
    drawn or a hand that is shown, isn't part of it: a search may leave that out.
    """
    for position in covering_positions(game, thorough, seed):
        if position.action is None:
            continue
        position_game, state, number = position.game, position.state, len(position.actions)
        random = Random(f"{position.seed} {number}")
        for seat in observers_of(position, number):
            if seat == SPECTATOR:
                continue
            near_state, *_, far_state = determinizations(position, seat, random)
            own_steps = list(steps(position_game, state, seat, position.action, random))
            steps_elsewhere = [
                repetition
                for candidate in (near_state, far_state)
                for step in own_steps
                if (repetition := repetition_of(position_game, candidate, seat, step))
            ]
            check_not_too_much(
                position,
                seat,
                [
                    *own_steps,
                    *steps_elsewhere,
                    *steps(position_game, far_state, seat, position_game.legal(far_state)[0], random),
                ],
            )
            check_not_too_little(position, seat, own_steps)


def steps(game: Game, state: PlainState, seat: int, action: int, random: Random) -> Iterator[Continuation]:
    """Some steps from a position, as a seat sees them: ``action`` and others; simultaneous choices in two ways."""
    legal = game.legal(state)
    for first_action in {action, *random.sample(legal, min(ACTIONS, len(legal)))}:
        for number in range(min(2, len(choosing_seats(game, state)))):
            rng = Random(number)
            step = Continuation(game, state, seat)
            step.take(first_action)
            while step.has_more_choosers:
                step.take(rng.choice(game.legal(step.after)))
            yield step


def repetition_of(game: Game, state: PlainState, seat: int, other: Continuation) -> Continuation | None:
    """The step with the actions of ``other`` from another position; None if they aren't legal there."""
    step = Continuation(game, state, seat)
    for action in other.actions:
        if action not in game.legal(step.after):
            return None
        step.take(action)
    return step


def check_not_too_much(position: LinePosition, seat: int, all_steps: list[Continuation]) -> None:
    """Raise Violation unless steps with equal events for ``seat`` are shown alike."""
    by_events: dict[bytes, Continuation] = {}
    for step in all_steps:
        earlier = by_events.setdefault(step.knowledge, step)
        if earlier.memory != step.memory:
            raise Violation(
                TOO_MUCH, step_place(position, seat, step), "observe_action", steps_text(position, earlier, step)
            )
        first_actions = step.actions[0], earlier.actions[0]
        if first_actions[0] != first_actions[1] and step.memory[0] in first_actions:
            raise Violation(
                OWN_NUMBER, step_place(position, seat, step), "observe_action", steps_text(position, earlier, step)
            )


def check_not_too_little(position: LinePosition, seat: int, own_steps: list[Continuation]) -> None:
    """Raise Violation unless steps with different first actions and events for ``seat`` are shown differently."""
    for first, second in combinations(own_steps, 2):
        same_rest = first.actions[0] != second.actions[0] and first.actions[1:] == second.actions[1:]
        if same_rest and first.knowledge != second.knowledge and first.memory == second.memory:
            if not any(depends_on_chance(seat, each) for each in (first, second)):
                raise Violation(
                    TOO_LITTLE,
                    step_place(position, seat, second),
                    "observe_action",
                    steps_text(position, first, second),
                )


def depends_on_chance(seat: int, step: Continuation) -> bool:
    """Whether another generator gives the seat other events for the same step."""
    for key in range(OTHER_GENERATORS):
        state = step.start.copy()
        rekey(state, key, key, key, key)
        repetition = repetition_of(step.game, state, seat, step)
        if repetition is None or repetition.knowledge != step.knowledge:
            return True
    return False


def step_place(position: LinePosition, seat: int, step: Continuation) -> Place:
    """The place of a step, for a message."""
    return position.place.at(seat=seat, action=step.actions[0])


def steps_text(position: LinePosition, *steps_compared: Continuation) -> tuple[str, ...]:
    """Two steps for a message: the number shown of each, and its first action in words."""
    game = position.game
    views = [game.view(step.start, step.start.player) for step in steps_compared]
    return tuple(
        f"{', '.join(map(str, step.memory))} for action {step.actions[0]} ({game.text(view, step.actions[0])})"
        for view, step in zip(views, steps_compared, strict=True)
    )


CHECKS = (
    policies_are_legal_and_blind,
    policies_agree_in_machine_code,
    observe_action_matches_events,
)
