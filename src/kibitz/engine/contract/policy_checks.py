"""Checks of strategies that are kernels: legal, blind, without a trace, and the same in machine code.

Non-interference: a policy is asked in the position itself, hidden cards and all, and must choose there as it does in
every world that its seat cannot tell from it, and in what the seat's view alone makes a position.
"""

from __future__ import annotations

from functools import cache
from random import Random
from types import FunctionType

from kibitz.engine import compilation, contests
from kibitz.engine.batch import records
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.numbers import watched
from kibitz.engine.contract.positions import Position, chosen
from kibitz.engine.contract.source import check_source
from kibitz.engine.contract.walks import Place, check, demand, demand_equal, raising_nothing, seeds
from kibitz.engine.game import Game, seed_words
from kibitz.engine.policies import Policy, modules_of, observe_action_of, policies, scratch_size, seeded_rng
from kibitz.engine.policies import chosen as chosen_by
from kibitz.kernel import mark

ASKED = 24
"""In about so many positions a policy is asked."""
GAMES = 12
"""So many whole games are played in both faces."""


@check
def policies_are_legal_and_blind(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every policy chooses a legal action, changes nothing, and chooses alike where its seat sees the same.

    What is in its scratch does not matter, and where a strategy has its name it does what that does.  No number of it
    or of ``observe_action`` leaves its machine word, and no index its array.
    """
    random = Random(6)
    with watched(kernels_of(game)):
        decisions = [position for position in chosen(game, thorough, seed) if not position.state.over]
        some = decisions[:: max(1, len(decisions) // (ASKED * thorough))]
        for position in some:
            with raising_nothing("observe_action", position.place):
                for seat in range(position.game.seats):
                    observe_action_of(position.game)(position.state, seat, position.legal[-1])
        for name in policies(game):
            for position in some:
                ask(position, name, random)


def kernels_of(game: Game) -> list[FunctionType]:
    """Every kernel in the modules that the policies of a game reach."""
    modules = compilation.kernel_modules(game.policies) if game.policies else []
    functions = (value for module in modules for value in vars(module).values())
    return [value for value in functions if mark(value) == "kernel" and isinstance(value, FunctionType)]


def ask(position: Position, name: str, random: Random) -> None:
    """Ask a policy in a position, in worlds that its seat cannot tell from it, and with the seat's view."""
    game, state, place = position.game, position.state, position.place.at(action=None)
    seat, policy = state.player, Policy(name).bound(game)
    answers, scratch = [], [0] * scratch_size(game)
    for world in (state, *determinizations(position, seat, random)):
        before = world.copy()
        with raising_nothing(f"the policy {name}", place):
            answers.append(chosen_by(game, world, policy.number, seeded_rng(game, 7), [*scratch]))
        scratch = rubbish(len(scratch))
        demand(world == before, f"the policy {name} changes the position", place.at(seat=seat))
    with raising_nothing(f"the policy {name}", place):
        answers.append(policy.chosen(game.view(state, seat), seeded_rng(game, 7)))
    reason = game.why_not(state, answers[0])
    here = place.at(seat=seat, action=answers[0])
    demand(reason is None, f"the policy {name} chooses an illegal action", here, "", (reason,))
    strategy = game.strategies[name]
    if not isinstance(strategy, Policy):
        meant = strategy(game.view(state, seat), position.legal, random)
        demand_equal(meant, answers[0], f"the policy {name} does not do what the strategy of its name does", here)
    for answer in answers[1:]:
        sentence = f"the policy {name} chooses otherwise where its seat sees the same: it knows something hidden"
        demand_equal(answers[0], answer, sentence, place.at(seat=seat))


@cache
def rubbish(size: int) -> list[int]:
    """So many numbers such as another policy may have left: sets of cards."""
    random = Random(size)
    return [random.getrandbits(52) for _ in range(size)]


@check
def policies_agree_in_both_faces(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Kernels keep their rules, and games between policies come out the same in plain Python and in machine code.

    Machine code is made for it only where the check is to be thorough.
    """
    import numpy as np

    known, seats, modules = len(policies(game)), game.seats, modules_of(game)
    for function in kernels_of(game):
        check_source(function)
    if not known or (thorough == 1 and not compilation.is_ready("contests", contests, *modules)):
        return
    plain, fast = compilation.plain(contests, *modules), compilation.compiled(contests, *modules)
    scratch, rng = max(scratch_size(game), seats), [seeded_rng(game, 0) for _ in range(seats)]
    for number in seeds(GAMES * thorough, seed):
        seated = [(number + p) % known for p in range(seats)]
        words, keys = list(seed_words(number)), [number + p for p in range(2 * seats)]
        scores, steps = [0] * seats, [0]
        rest = 0, 1, seats, game.longest
        plain.contests([game.blank()], seated, rng, [0] * scratch, words, keys, scores, steps, *rest)
        arrays = [np.array(each, np.int64) for each in ([0] * scratch, words, keys, [0] * seats, [0])]
        fast.contests(records(game, 1), np.array(seated, np.int64), records(game, seats), *arrays, *rest)
        place = Place(game, number)
        demand(steps[0] > 0, "a game between policies does not end", place)
        demand_equal(scores, arrays[3].tolist(), "policies earn other scores in machine code", place)
        demand_equal(steps, arrays[4].tolist(), "games between policies have another length in machine code", place)


CHECKS = (policies_are_legal_and_blind, policies_agree_in_both_faces)
