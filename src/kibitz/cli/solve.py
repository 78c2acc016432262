"""``kibitz solve`` and ``kibitz exploit``: a small game solved, and how much a player can lose to a best response."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import MOST, Count, Force, GameName, LimitWords, On, a_seed, whole
from kibitz.cli.screen import BOLD, DIM, Screen, progress_bar, put
from kibitz.cli.seating import find_players
from kibitz.engine.game import Game
from kibitz.engine.plain import plain
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.executors import opened

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.executors import Executor
    from kibitz.players.specs import PlayerSpec
    from kibitz.search.exploitability import Exploited, Local
    from kibitz.search.game_tree import Tree
    from kibitz.search.solving import Solution


Json = Annotated[bool, Parameter(help="Print the figures as JSON.")]
Nodes = Annotated[
    int,
    Parameter(converter=whole(1, 10_000_000), help="How many nodes the game's tree may have (default: 250000)."),
]


def solve(
    game: GameName,
    /,
    *,
    method: Annotated[str, Parameter(help="cfr+, dcfr (discounted) or mccfr (external sampling).")] = "cfr+",
    iterations: Count = 1000,
    nodes: Nodes = 250_000,
    seed: Annotated[int, Parameter(converter=a_seed, help="Fixes what mccfr samples.")] = 0,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write the whole policy as JSON.")] = None,
    force: Force = False,
    on: On = None,
    json: Json = False,
) -> None:
    """Solve a small game: what it is worth to each seat, and how far the policy found is from an equilibrium.

    With two seats and what one wins lost by the other, the policy is as good as its exploitability is small.
    """
    from kibitz.search.solving import check_method

    found = find_game(game)
    check_method(method)
    if output:
        ready(output, force)
    if on is not None and method != "mccfr":
        raise NotationError(
            f"{method} goes through the whole tree again and again: only mccfr can be played elsewhere."
        )
    tree = laid_out(found, nodes)
    with machine_code(), opened(on) as place:
        solution, seconds = solved(tree, method, iterations, seed, place)
    report_solution(solution, method, iterations, seconds, json=json)
    if output:
        write(output, policy_text(solution), force)
        if not json:
            Screen().line(f"The policy is saved in {output}.")


def solved(tree: Tree, method: str, iterations: int, seed: int, place: Executor | None) -> tuple[Solution, float]:
    """The solution, and the seconds that it took; machine code is made beforehand."""
    from kibitz.search.solving import solve as solve_tree

    with Screen().waiting("Making machine code, once a machine; the next time this is done at once ..."):
        solve_tree(tree, method, 1, seed)
    began = perf_counter()
    with progress_bar("made {} of {} iterations", "solving") as progress:
        solution = solve_tree(tree, method, iterations, seed, lambda done: progress(done, iterations), place)
    return solution, perf_counter() - began


def laid_out(game: Game, nodes: int) -> Tree:
    """The tree of a game, with a word on the way where that takes long."""
    from kibitz.search.game_tree import tree_of

    if not sys.stderr.isatty():
        return tree_of(game, nodes, None)
    from rich.console import Console

    with Console(stderr=True).status("laying out the tree") as status:
        return tree_of(game, nodes, lambda found: status.update(f"laying out the tree: {found:,} nodes"))


@contextmanager
def machine_code() -> Iterator[None]:
    """What needs Numba; KibitzError with its sentence where that is not installed."""
    try:
        yield
    except ImportError as error:
        raise KibitzError(str(error)) from error


def amount(tree: Tree, worth: float) -> str:
    """A worth in the game's unit."""
    return f"{worth:.4f} chips a game" if tree.game.by_score else f"{worth:.4f} of a win a game"


def report_solution(solution: Solution, method: str, iterations: int, seconds: float, *, json: bool) -> None:
    """The figures, for people or as JSON."""
    tree = solution.tree
    if json:
        import msgspec

        told: dict[str, Any] = {
            "game": tree.game.name,
            "method": method,
            "iterations": iterations,
            "seconds": seconds,
            "values": solution.values,
            "responses": solution.responses,
            "exploitability": solution.exploitability,
            "nodes": tree.nodes,
            "information_sets": len(tree.sets),
        }
        put(msgspec.json.encode(told).decode())
        return
    screen = Screen()
    screen.line(f"{tree.game.title} ({tree.game.name}): {iterations:,} iterations of {method} in {seconds:.2f} s", BOLD)
    for seat, value in enumerate(solution.values):
        screen.line(f"worth to seat {seat}: {value:+.6f}")
    screen.line(f"A best response wins {amount(tree, solution.exploitability)} more, on average over the seats.")
    screen.line(f"{len(tree.sets):,} information sets, {tree.nodes:,} nodes.", DIM)


def policy_text(solution: Solution) -> str:
    """A policy as JSON lines: seat, view and the probability of every choice by its text."""
    import msgspec

    tree, lines = solution.tree, []
    for number, known in enumerate(tree.sets):
        odds = solution.policy[tree.start[number] : tree.start[number + 1]]
        choices = {
            tree.game.text(known.view, action): round(float(p), 6) for action, p in zip(known.legal, odds, strict=True)
        }
        lines.append(msgspec.json.encode({"seat": known.seat, "view": plain(known.view), "choices": choices}).decode())
    return "\n".join([*lines, ""])


# ---------------------------------------------------------------- exploit

Passes = Annotated[
    int,
    Parameter(
        converter=whole(2, MOST),
        help="How often a player that does not tell its odds is asked in each information set.",
    ),
]


def exploit(
    game: GameName,
    player: Annotated[str, Parameter(help="The name of a player, or a file that defines play(view, legal).")],
    /,
    *,
    passes: Passes = 20,
    nodes: Nodes = 250_000,
    hands: Annotated[int, Parameter(converter=whole(2, MOST), help="Of hold'em: how many hands are played.")] = 200,
    seed: Annotated[int, Parameter(converter=a_seed, help="Fixes what the player draws.")] = 0,
    limits: LimitWords = None,
    json: Json = False,
) -> None:
    """Tell how much a player can lose on average to a best response, exactly, in a game small enough for that.

    The player sits in every seat in turn, and the others answer best to what it does there.  Files are confined.
    Of hold'em between two (holdem:players=2,hands=1) a lower bound is told, with its interval: what a local best
    response wins, which knows how the player plays but not its cards.
    """
    found = find_game(game)
    (spec,) = find_players(found, [player], False, limits)
    if is_large(found):
        report_local(found, spec, beaten(found, spec, hands, seed), json=json)
        return
    tree = laid_out(found, nodes)
    with machine_code():
        report_exploitability(tree, spec, ask_everywhere(tree, spec, passes, seed), json=json)


def is_large(game: Game) -> bool:
    """Whether this is hold'em, of which no tree is ever laid out."""
    return game.options.get("hole") == 2 and game.options.get("flop") == 3


def beaten(game: Game, spec: PlayerSpec, hands: int, seed: int) -> Local:
    """Hands against a local best response, with a bar on the way."""
    from kibitz.players.exploiting import beaten_player

    with progress_bar("played {} of {} hands") as progress:
        return beaten_player(game, spec, hands, seed, lambda done: progress(done, hands))


def report_local(game: Game, spec: PlayerSpec, found: Local, *, json: bool) -> None:
    """What a local best response has won, for people or as JSON."""
    if json:
        import msgspec

        told = {
            "game": game.name,
            "player": spec.name,
            "exploitability": found.won / 1000 * game.options["big"],
            "mbb_per_hand": found.won,
            "error": found.error,
            "exact": False,
            "hands": found.hands,
        }
        put(msgspec.json.encode(told).decode())
        return
    screen = Screen()
    screen.line(f"{spec.name} in {game.title} ({game.name})", BOLD)
    screen.line(f"A local best response wins {found.won:+,.0f} ± {found.error:,.0f} mbb/hand from it.", BOLD)
    screen.line(
        f"That is a lower bound of what it can lose: thousandths of a big blind a hand, 95 % interval, {found.hands:,}"
        " hands.",
        DIM,
    )


def ask_everywhere(tree: Tree, spec: PlayerSpec, passes: int, seed: int) -> Exploited:
    """The player asked everywhere, with a bar on the way."""
    from kibitz.players.exploiting import exploited_player

    with progress_bar("asked everywhere {} of {} times", "asking") as progress:
        return exploited_player(tree, spec, passes, seed, lambda done: progress(done, passes))


def report_exploitability(tree: Tree, spec: PlayerSpec, found: Exploited, *, json: bool) -> None:
    """The figures, for people or as JSON."""
    solution = found.solution
    if json:
        import msgspec

        told = {
            "game": tree.game.name,
            "player": spec.name,
            "exploitability": found.exploitability,
            "at_least": found.at_least,
            "exact": found.exact,
            "passes": found.passes,
            "responses": solution.responses,
            "values": solution.values,
            "nodes": tree.nodes,
            "information_sets": len(tree.sets),
        }
        put(msgspec.json.encode(told).decode())
        return
    screen = Screen()
    screen.line(f"{spec.name} in {tree.game.title} ({tree.game.name})", BOLD)
    for seat, (value, best) in enumerate(zip(solution.values, solution.responses, strict=True)):
        screen.line(f"seat {seat}: {value:+.4f} against itself, {best:+.4f} for who answers best to it")
    screen.line(f"It can lose {amount(tree, found.exploitability)}, on average over the seats.", BOLD)
    if found.exact:
        told_how = "How it plays is known exactly, and so is this."
    else:
        told_how = (
            f"How it plays was seen in {found.passes} passes through all information sets, which rather overstates it;"
            f" at least about {found.at_least:.4f} (what answers to one half of the passes win against the other)."
        )
    screen.line(f"{told_how} {len(tree.sets):,} information sets, {tree.nodes:,} nodes.", DIM)
