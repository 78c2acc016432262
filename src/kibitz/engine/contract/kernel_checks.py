"""Checks of the kernels: what they may consist of, that they agree with each other, and that games end.

construct   a node of Python's syntax; ``CONSTRUCTS`` are those that compile for both processors and GPUs
name        a parameter, a name assigned to, a constant of integers, another kernel, or one of ``BUILTINS``
reason      a member of the game's ``Reason``, by its name
"""

from __future__ import annotations

import ast
import builtins
import dis
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from types import FunctionType, ModuleType
from typing import Any

from kibitz.engine.contract import lockstep
from kibitz.engine.contract.checking import (
    Place,
    Violation,
    check,
    demand,
    demand_equal,
    illegal_actions,
    random_game,
    seeds,
)
from kibitz.engine.contract.coverage import source_tree
from kibitz.engine.contract.positions import LinePosition, covering_positions, search
from kibitz.engine.game import Game, seed_words
from kibitz.engine.kernels import compilation, loops
from kibitz.engine.kernels.batch import random_games, records
from kibitz.engine.layout import PlainState
from kibitz.engine.reasons import Reasons
from kibitz.errors import RuleError
from kibitz.kernel import kernel_kind

BUILTINS = frozenset({"range", "min", "max", "abs", "int", "bool"})
METHODS = frozenset({"bit_count", "bit_length"})
"""The methods of integers that a kernel may call (see ``kibitz.engine.kernels.numba_compiler``)."""
CONSTRUCTS = (
    *(ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue),
    *(ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant),
    *(ast.Attribute, ast.Subscript, ast.Name, ast.Tuple, ast.Load, ast.Store),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitOr, ast.BitXor, ast.BitAnd),
    *(ast.Not, ast.USub, ast.UAdd, ast.Invert, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)


def kernels_of(module: ModuleType | None) -> list[FunctionType]:
    """Every kernel in the modules that a module of rules or policies reaches; none for None."""
    modules = compilation.kernel_modules(module) if module else []
    functions = (value for reached in modules for value in vars(reached).values())
    return [value for value in functions if kernel_kind(value) == "kernel" and isinstance(value, FunctionType)]


def check_sources(functions: Iterable[FunctionType]) -> None:
    """Raise Violation unless each kernel's source is allowed, and none calls itself, directly or through others.

    Machine code that calls itself can't be loaded from Numba's cache.
    """
    calls = {}
    for function in functions:
        check_source(function)
        names = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
        values = map(function.__globals__.get, names)
        calls[function] = [value for value in values if kernel_kind(value) == "kernel"]
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        circle = " calls ".join(function.__name__ for function in reversed(error.args[1]))
        raise Violation(f"kernel {circle}: kernels can't be recursive, use a loop") from error


def check_source(function: FunctionType) -> None:
    """Raise Violation unless one kernel's source holds only what Numba's CPU and CUDA targets both compile."""
    where = f"kernel {function.__module__}.{function.__name__}"
    tree = source_tree(function)
    demand(tree, f"{where} has no readable source: write it with def")
    assert tree is not None
    arguments = tree.args
    has_plain_parameters = not (
        arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults or arguments.posonlyargs
    )
    demand(has_plain_parameters, f"{where} takes more than plain parameters")
    local_names = {argument.arg for argument in arguments.args}
    local_names |= {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for statement in tree.body[1:] if ast.get_docstring(tree) is not None else tree.body:
        for node in ast.walk(statement):
            location = f"{where}, in its line {node.lineno}" if hasattr(node, "lineno") else where
            demand(isinstance(node, CONSTRUCTS), f"{location} uses {type(node).__name__}")
            error = construct_error(node, local_names, function.__globals__)
            demand(error is None, f"{location} uses {error}")


def construct_error(node: ast.AST, local_names: set[str], module_globals: dict[str, Any]) -> str | None:
    """What is wrong with a construct that is allowed in some forms only, as in "uses ..."; None if nothing is."""
    match node:
        case ast.Constant(value) if type(value) not in (int, bool):
            return "a constant that isn't an integer"
        case ast.Attribute(value=ast.Name(name)) if name in local_names:
            return None
        case ast.Attribute(value=ast.Name(name), attr=reason) if isinstance(module_globals.get(name), type(Reasons)):
            return None if reason in module_globals[name].__members__ else f"{ast.unparse(node)}, which isn't a reason"
        case ast.Attribute():
            return f"{ast.unparse(node)}, which isn't a field of the state"
        case ast.Subscript(value=ast.Name() | ast.Attribute(), slice=ast.Tuple()):
            return "a subscript that isn't an integer"
        case ast.Subscript(value=ast.Name() | ast.Attribute()):
            return None
        case ast.Subscript():
            return f"{ast.unparse(node)}, a subscript of an expression"
        case ast.Call(func=ast.Name(name), keywords=[]) if name not in local_names:
            return (
                None if name in BUILTINS or kernel_kind(module_globals.get(name)) else f"{name}, which isn't a kernel"
            )
        case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=method), args=[], keywords=[]) if (
            name in local_names
        ):
            return None if method in METHODS else f"{method}, which isn't a method for kernels"
        case ast.Call():
            return f"{ast.unparse(node)}, which doesn't call a kernel by its name"
        case ast.Name(name, ast.Load()) if name not in local_names and not isinstance(
            module_globals.get(name), type(Reasons)
        ):
            value = module_globals.get(name, getattr(builtins, name, None))
            is_known = name in BUILTINS or kernel_kind(value) or is_constant(value)
            return None if is_known else f"{name}, which is neither a kernel nor a constant of integers"
        case ast.For(iter=ast.Call(func=ast.Name("range")) | ast.Tuple(), orelse=[]):
            return None
        case ast.For(iter=ast.Name(name), orelse=[]) if name not in local_names:
            return None
        case ast.For():
            return f"a loop over {ast.unparse(node.iter)}"
    return None


def is_constant(value: object) -> bool:
    """Whether a module's value is an integer, or bytes, an array or a tuple of integers."""
    if isinstance(value, tuple):
        return all(map(is_constant, value))
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return isinstance(value, int | bytes) or kind in ("i", "u")


# Checks that kernels obey these rules, agree with one another in plain Python and machine code, and end every game.


MANY_ACTIONS = 2000
"""Above this many actions, plain Python looks at a sample only."""
PLACES = 200
"""About how many places in a longer list of legal actions are checked in plain Python."""
FEW_ACTIONS = 60
"""How many actions are checked in each position that covers the game, in rotation, so that each comes up somewhere."""


@check
def kernels_obey_their_rules(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """No allocation, exceptions, strings, objects or recursion in any kernel that the game reaches."""
    check_sources(kernels_of(game.rules))


@check
def legal_and_refusal_agree(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """An action is listed exactly once if ``refusal`` gives 0, else not at all.

    Plain Python looks at a sample of the actions where there are very many; machine code looks at all. Amounts are
    legal exactly from ``min_amount`` to ``max_amount``; these two are listed, and any others between them, ascending.
    """
    out = [0] * game.max_legal
    times_listed = [0] * game.first_amount
    step = game.first_amount // MANY_ACTIONS + 1
    disagreement = compilation.plain(lockstep, game.rules).disagreement
    sentence = "legal and refusal disagree on an action"
    for number in seeds(4 * thorough, seed):
        for at, (state, _, _) in enumerate(random_game(game, number)):
            a = disagreement(state, out, times_listed, game.first_amount, game.actions, at % step, step)
            demand(a == lockstep.AGREED, sentence, Place(game, number, at, action=a))
    for at, position in enumerate(covering_positions(game, thorough, seed)):
        stride = game.first_amount // FEW_ACTIONS + 1
        a = disagreement(position.state, out, times_listed, game.first_amount, game.actions, at % stride, stride)
        demand(a == lockstep.AGREED, sentence, position.place.at(action=a))
    if seed is not None:
        return
    first_disagreement = compilation.compiled(lockstep, game.rules).first_disagreement
    import numpy as np

    states, scratch = records(game, 1), np.zeros(game.max_legal, np.int64)
    times_listed_array = np.zeros(game.first_amount, np.int64)
    games = max(20, min(300, 600_000 // game.first_amount))
    a = first_disagreement(states, scratch, times_listed_array, game.first_amount, game.actions, 0, games * thorough)
    demand(a == lockstep.AGREED, f"{sentence}, compiled", Place(game, action=int(a)))


@check
def legal_count_and_legal_at_agree(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """``legal_count`` says how long ``legal``'s list is, ``legal_at`` which action is at each place; nothing changes.

    So a random game is the same whichever way its actions are drawn.
    """
    misplaced = compilation.plain(lockstep, game.rules).misplaced
    sentence = "legal_count or legal_at disagrees with the list of legal actions"
    walked = [
        (Place(game, number, at), state.copy())
        for number in seeds(2 * thorough, seed)
        for at, (state, _, _) in enumerate(random_game(game, number))
    ]
    walked += [(position.place, position.state) for position in covering_positions(game, thorough, seed)]
    for place, state in walked:
        before, listed, scratch_list = state.copy(), [0] * game.max_legal, [0] * game.max_legal
        step = int(place.game.rules.legal(state, listed)) // PLACES + 1
        at = misplaced(state, listed, scratch_list, step)
        demand(at == lockstep.AGREED, sentence, place, f"place {at} of the list")
        demand_equal(state.position(), before.position(), "counting legal actions changes the position", place)
    if seed is not None:
        return
    import numpy as np

    out, scratch = np.zeros(game.max_legal, np.int64), np.zeros(game.max_legal, np.int64)
    at = compilation.compiled(lockstep, game.rules).first_misplaced(records(game, 1), out, scratch, 0, 200 * thorough)
    demand(at == lockstep.AGREED, f"{sentence}, compiled, at place {at} of the list", Place(game))


@check
def finished_games_and_unknown_actions_are_refused(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A finished game lists nothing and refuses everything as over; numbers outside the range are refused as no action.

    Every game's ``Reason`` calls these two OVER and NO_ACTION.
    """
    over, nothing = int(game.rules.Reason.OVER), int(game.rules.Reason.NO_ACTION)
    ended = 0
    for position in [*covering_positions(game, thorough, seed), *search(game, thorough).lines]:
        position_game, state, place = position.game, position.state, position.place
        end = position_game.actions
        out_of_range = (-(10**9), -2, -1, end, end + 1, end + 10**9)
        for action in (*out_of_range, 0, end // 2, end - 1) if state.over else out_of_range:
            expected = over if state.over else nothing
            refusal = int(position_game.rules.refusal(state, action))
            here = place.at(action=action)
            demand(refusal == expected, "an action is refused for the wrong reason", here, "", (refusal, expected))
            sentence = position_game.rules.Reason(expected).sentence
            demand_equal(position_game.why_not(state, action), sentence, "the sentence differs", here)
        if state.over:
            ended += 1
            demand_equal(position_game.legal(state), [], "a finished game lists actions", place)
    demand(ended or seed is not None, "no game was finished", Place(game))


@check
def illegal_actions_change_nothing(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """An illegal action raises RuleError with the sentence and leaves the position as it was."""
    walked = [
        (Place(game, number, at), state.copy(), legal)
        for number in seeds(2 * thorough, seed)
        for at, (state, legal, _) in enumerate(random_game(game, number))
    ]
    walked += [(p.place, p.state.copy(), p.legal) for p in covering_positions(game, thorough, seed)]
    for at, (place, state, legal) in enumerate(walked):
        before = state.copy()
        for action in illegal_actions(place.game, state, legal, at % 41, max(41, game.first_amount // 20)):
            sentence = place.game.why_not(state, action)
            here = place.at(action=action)
            try:
                place.game.play(state, action)
            except RuleError as error:
                demand_equal(str(error), sentence, "the error is not the reason of why_not", here)
            else:
                demand(False, "an illegal action was carried out", here)
        demand_equal(state.position(), before.position(), "a refused action changed the position", place)


@check
def plain_and_compiled_agree(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Hundreds of random games, and every line of the search, are the same in plain Python and in machine code.

    Their positions are equal to the last field; the lines cover every branch of the rules.
    """
    import numpy as np

    plain, fast = compilation.plain(lockstep, game.rules), compilation.compiled(lockstep, game.rules)
    states, scratch = records(game, 1), np.zeros(game.max_legal, np.int64)
    trace, fast_trace = [0] * lockstep.TRACE, np.zeros(lockstep.TRACE, np.int64)
    for number in seeds(400 * thorough, seed):
        words = seed_words(number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128))
        state = game.blank()
        n = plain.play_traced([state], scratch.tolist(), trace, *words)
        m = fast.play_traced(states, scratch, fast_trace, *words)
        place = Place(game, number)
        demand_equal(trace[:n], fast_trace[:m].tolist(), "plain and compiled code differ (the trace of a game)", place)
        demand_same_fields(game, state, game.rules.LAYOUT.load(states, 0), place)
    for line in search(game, thorough).lines:
        if seed in (None, line.seed):
            check_replay(line, plain, fast)


def check_replay(line: LinePosition, plain: Any, fast: Any) -> None:
    """Replay a line of the search in plain Python and machine code. Raises Violation if the two differ."""
    import numpy as np

    game, words = line.game, seed_words(line.seed)
    states, scratch, state = records(game, 1), np.zeros(game.max_legal, np.int64), game.blank()
    actions = np.array([*line.actions, 0], np.int64)
    trace, fast_trace = [0] * lockstep.TRACE, np.zeros(lockstep.TRACE, np.int64)
    n = plain.replay_traced([state], scratch.tolist(), trace, actions.tolist(), len(line.actions), *words)
    m = fast.replay_traced(states, scratch, fast_trace, actions, len(line.actions), *words)
    place = line.place
    demand_equal(trace[:n], fast_trace[:m].tolist(), "plain and compiled code differ (the trace of a line)", place)
    demand_same_fields(game, state, game.rules.LAYOUT.load(states, 0), place)


def demand_same_fields(game: Game, plain: PlainState, compiled: PlainState, place: Place) -> None:
    """Demand that two states are equal; Violation names the first field that differs."""
    for name in game.rules.LAYOUT.position_fields:
        plain_value, compiled_value = getattr(plain, name), getattr(compiled, name)
        demand(
            plain_value == compiled_value, "plain and compiled code differ", place, name, (plain_value, compiled_value)
        )


@check
def seeds_determine_games(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Equal seeds give the same deal and game, and different seeds different deals; threads change nothing."""
    place = Place(game)
    demand(game.deal(5) == game.deal(5), "a seed does not fix the deal", place.at(seed=5))
    deals = {game.infoset_states.key(game.deal(number << 90 | number)) for number in range(64)}
    demand(len(deals) > (4 if game.variant == "mini" else 16), f"64 seeds give only {len(deals)} deals", place)
    for word in range(4):
        deals = {game.infoset_states.key(game.deal(number << 32 * word)) for number in range(64)}
        sentence = f"word {word} of a seed has no effect: there are far fewer than 2**128 deals"
        demand(len(deals) > 1, sentence, place)
    one_thread, two_threads = random_games(game, 500, 9, 1), random_games(game, 500, 9, 2)
    same = (one_thread.scores == two_threads.scores).all() and (one_thread.steps == two_threads.steps).all()
    demand(same, "the number of threads changes the games", place)
    state = game.deal(9 + (3 << 64))
    compilation.plain(loops, game.rules).playout(state, [0] * game.max_legal, game.max_length)
    sentence = "game 3 of a batch is not the game of its seed"
    demand_equal(game.returns(state), tuple(one_thread.scores[3].tolist()), sentence, place.at(seed=9 + (3 << 64)))


@check
def every_game_ends(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """No random game reaches the limit of actions."""
    batch = random_games(game, 5000 * thorough, 1)
    demand((batch.steps > 0).all(), "a random game does not end", Place(game))


@check
def substitutes_are_legal(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """What the referee plays for a seat that has forfeited is always legal; if it plays all seats, the game ends."""
    for position in covering_positions(game, thorough, seed):
        if not position.state.over:
            action = int(position.game.rules.substitute(position.state))
            reason = position.game.why_not(position.state, action)
            demand(reason is None, "the substitute is illegal", position.place.at(action=action), "", (reason,))
    for number in seeds(4 * thorough, seed):
        for at, (state, legal, _) in enumerate(random_game(game, number)):
            action = game.rules.substitute(state)
            demand(action in legal, "the substitute is illegal", Place(game, number, at, action=action))
        state = game.deal(number)
        for _ in range(loops.MAX_STEPS):
            if state.over:
                break
            game.rules.apply(state, game.rules.substitute(state))
        demand(state.over, "substitutes alone do not end the game", Place(game, number))


@check
def advance_agrees_with_apply(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Applying an action through the view module leads to the same position as ``rules.apply``."""
    for position in covering_positions(game, thorough, seed):
        if position.action is not None:
            advanced, applied = position.state.copy(), position.state.copy()
            position.game.advance(advanced, position.action)
            position.game.rules.apply(applied, position.action)
            for name in game.rules.LAYOUT.position_fields:
                advanced_value, applied_value = getattr(advanced, name), getattr(applied, name)
                demand(
                    advanced_value == applied_value,
                    "advance and apply lead to different positions",
                    position.place,
                    name,
                    (advanced_value, applied_value),
                )


@check
def records_hold_the_state(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every position fits into a NumPy record, and reads back from it unchanged."""
    states: Any = records(game, 1)
    layout = game.rules.LAYOUT
    for position in covering_positions(game, thorough, seed):
        layout.store(position.state, states, 0)
        demand_same_fields(game, position.state, layout.load(states, 0), position.place)


CHECKS = (
    kernels_obey_their_rules,
    legal_and_refusal_agree,
    legal_count_and_legal_at_agree,
    finished_games_and_unknown_actions_are_refused,
    illegal_actions_change_nothing,
    plain_and_compiled_agree,
    seeds_determine_games,
    every_game_ends,
    substitutes_are_legal,
    advance_agrees_with_apply,
    records_hold_the_state,
)
