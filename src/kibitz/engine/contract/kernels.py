"""Checks of the kernels: they obey the kernel rules, agree with one another and in both faces, and end."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import FunctionType
from typing import Any

from kibitz.engine import lockstep, loops, twins
from kibitz.engine.batch import random_games, records
from kibitz.engine.contract.walks import demand, illegal, walk
from kibitz.engine.game import Game, seed_words
from kibitz.errors import RuleError
from kibitz.kernel import mark

FORBIDDEN = (
    *(ast.Try, ast.Raise, ast.Assert, ast.With, ast.Lambda, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.List, ast.Dict, ast.Set, ast.JoinedStr),
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.Starred, ast.NamedExpr, ast.Delete, ast.Nonlocal),
)

MANY_ACTIONS = 2000
"""More actions than this are sampled where every one would be looked at in plain Python."""


def kernels_obey_their_rules(game: Game, thorough: int = 1) -> None:
    """No allocation, exceptions, strings or objects in any kernel that the game reaches."""
    for module in twins.kernel_modules(game.rules):
        for function in vars(module).values():
            if mark(function) == "kernel" and isinstance(function, FunctionType):
                check_source(function)


def check_source(function: FunctionType) -> None:
    """One kernel's source holds nothing that Numba's CPU and CUDA targets do not both compile."""
    where = f"kernel {function.__module__}.{function.__name__}"
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    for statement in tree.body[1:] if ast.get_docstring(tree) is not None else tree.body:
        for node in ast.walk(statement):
            demand(not isinstance(node, FORBIDDEN), f"{where} uses {type(node).__name__}")
            text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes | float)
            demand(not text, f"{where} uses a constant that is no integer")


def legal_and_refusal_agree(game: Game, thorough: int = 1) -> None:
    """An action is listed exactly once if ``refusal`` gives 0, else not at all; every refusal has a sentence.

    In plain Python a sample of the actions is looked at where there are very many; machine code looks at all.
    Amounts are legal exactly from ``least`` to ``most``; these two are listed, and any others between them, ascending.
    """
    out = [0] * game.choices
    spare = [0] * game.amounts
    step = game.amounts // MANY_ACTIONS + 1
    check = twins.plain(lockstep, game.rules).disagreement
    for seed in range(4 * thorough):
        for number, (state, _, _) in enumerate(walk(game, seed)):
            a = check(state, out, spare, game.amounts, game.actions, number % step, step)
            demand(a == lockstep.AGREED, f"{game.name}: legal and refusal disagree on action {a} (seed {seed})")
    check = twins.compiled(lockstep, game.rules).first_disagreement
    import numpy as np

    states, room, spares = records(game, 1), np.zeros(game.choices, np.int64), np.zeros(game.amounts, np.int64)
    games = max(20, min(300, 600_000 // game.amounts))
    a = check(states, room, spares, game.amounts, game.actions, 0, games * thorough)
    demand(a == lockstep.AGREED, f"{game.name}: compiled legal and refusal disagree on action {a}")
    for reason in game.rules.Reason:
        demand(reason == 0 or game.words.WHY.get(reason), f"{game.name}: {reason!r} has no sentence")


def illegal_actions_change_nothing(game: Game, thorough: int = 1) -> None:
    """An illegal action raises RuleError with the sentence and leaves the position as it was."""
    for seed in range(2 * thorough):
        for state, legal, _ in walk(game, seed):
            before = state.copy()
            for action in illegal(game, state, legal, seed % 7, 41):
                sentence = game.why_not(state, action)
                try:
                    game.play(state, action)
                except RuleError as error:
                    demand(str(error) == sentence, f"{game.name}: the error is not the reason of why_not")
                else:
                    demand(False, f"{game.name}: the illegal action {action} was carried out (seed {seed})")
            demand(state == before, f"{game.name}: a refused action changed the position (seed {seed})")


def plain_and_compiled_agree(game: Game, thorough: int = 1) -> None:
    """Thousands of random games take the same course in both faces, to the last field of the last position."""
    import numpy as np

    plain, fast = twins.plain(lockstep, game.rules), twins.compiled(lockstep, game.rules)
    states, room = records(game, 1), np.zeros(game.choices, np.int64)
    trace, fast_trace = [0] * lockstep.TRACE, np.zeros(lockstep.TRACE, np.int64)
    for seed in range(1000 * thorough):
        words = seed_words(seed * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128))
        state = game.blank()
        n = plain.traced(state, room.tolist(), trace, *words)
        m = fast.traced_record(states, room, fast_trace, *words)
        same = n == m and trace[:n] == fast_trace[:m].tolist() and game.rules.LAYOUT.load(states, 0) == state
        demand(same, f"{game.name}: plain and compiled part ways (seed {seed})")


def seeds_decide(game: Game, thorough: int = 1) -> None:
    """The same seed gives the same deal and game, another seed another deal, and threads change nothing."""
    demand(game.deal(5) == game.deal(5), f"{game.name}: a seed does not fix the deal")
    deals = {game.worlds.key(game.deal(seed << 90 | seed)) for seed in range(64)}
    demand(len(deals) > (4 if game.variant == "mini" else 16), f"{game.name}: 64 seeds give only {len(deals)} deals")
    one, two = random_games(game, 500, 9, 1), random_games(game, 500, 9, 2)
    same = (one.scores == two.scores).all() and (one.steps == two.steps).all()
    demand(same, f"{game.name}: the number of threads changes the games")
    state = game.deal(9 + (3 << 64))
    twins.plain(loops, game.rules).playout(state, [0] * game.choices, game.longest)
    demand(game.returns(state) == tuple(one.scores[3]), f"{game.name}: game 3 of a batch is not the game of its seed")


def every_game_ends(game: Game, thorough: int = 1) -> None:
    """No random game reaches the limit of actions."""
    batch = random_games(game, 5000 * thorough, 1)
    demand((batch.steps > 0).all(), f"{game.name}: a random game does not end")


def substitutes_are_legal(game: Game, thorough: int = 1) -> None:
    """What the referee does for a forfeited seat is always legal, and ends the game too."""
    for seed in range(4 * thorough):
        for state, legal, _ in walk(game, seed):
            demand(game.rules.substitute(state) in legal, f"{game.name}: the substitute is illegal (seed {seed})")
        state = game.deal(seed)
        for _ in range(loops.MOVES_LIMIT):
            if state.over:
                break
            game.rules.apply(state, game.rules.substitute(state))
        demand(state.over, f"{game.name}: substitutes alone do not end the game")


def records_hold_the_state(game: Game, thorough: int = 1) -> None:
    """Every position fits into its NumPy record and comes back whole."""
    states: Any = records(game, 1)
    layout = game.rules.LAYOUT
    for seed in range(2 * thorough):
        for state, _, _ in walk(game, seed):
            layout.store(state, states, 0)
            demand(layout.load(states, 0) == state, f"{game.name}: a position does not fit its record (seed {seed})")


CHECKS = (
    kernels_obey_their_rules,
    legal_and_refusal_agree,
    illegal_actions_change_nothing,
    plain_and_compiled_agree,
    seeds_decide,
    every_game_ends,
    substitutes_are_legal,
    records_hold_the_state,
)
