"""``kibitz solve`` solves a small game; ``kibitz exploit`` measures how much a player loses to a best response."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.files import check_writable, write
from kibitz.cli.player_lookup import find_players
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, progress_bar
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.executors import open_executor

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.players.specs import PlayerSpec
    from kibitz.search.exploitability import ExploitabilityResult, LocalResponse
    from kibitz.search.game_tree import Tree
    from kibitz.search.solving import Solution


Nodes = Annotated[
    int,
    Parameter(converter=options.whole_number(1, 10_000_000), help="The maximum number of nodes in the game tree."),
]


def solve(
    game: options.GameName,
    /,
    *,
    method: Annotated[
        str,
        Parameter(
            help="The algorithm: cfr+ (a variant of counterfactual regret minimization, CFR), dcfr (discounted CFR) or"
            " mccfr (Monte Carlo CFR with external sampling)."
        ),
    ] = "cfr+",
    iterations: Annotated[options.Count, Parameter(help="Number of iterations.")] = 1000,
    nodes: Nodes = 250_000,
    seed: Annotated[int, Parameter(converter=options.read_seed, help="Random seed of mccfr's samples.")] = 0,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write the whole policy to this file, as JSON lines.")
    ] = None,
    force: options.Force = False,
    on: Annotated[
        str | None,
        Parameter(
            converter=options.read_executor,
            help="With --method mccfr, where to run: local (all cores) or a Dask cluster's scheduler, dask://HOST:PORT."
            " Default: one core.",
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve a small game: its value for each seat, and how far the policy found is from an equilibrium.

    In two-player zero-sum games, exploitability measures that distance.
    """
    from kibitz.search.solving import check_method, policy_text
    from kibitz.search.solving import solve as solve_tree

    found_game = find_game(game)
    check_method(method)
    if output:
        check_writable(output, force)
    if on is not None and method != "mccfr":
        raise NotationError(f"--on works with mccfr only; {method} needs the whole tree in one place.")
    tree = tree_for(found_game, nodes)
    with open_executor(on) as executor:
        solve_tree(tree, method, 1, seed)  # compiles
        began = perf_counter()
        with progress_bar("made {} of {} iterations", "solving", quiet=quiet) as progress:
            solution = solve_tree(tree, method, iterations, seed, lambda done: progress(done, iterations), executor)
        seconds = perf_counter() - began
    report_solution(solution, method, iterations, seconds, json=json)
    if output:
        write(output, policy_text(solution), force)
        if not json:
            Screen().line(f"The policy is saved in {output}.")


def tree_for(game: Game, nodes: int) -> Tree:
    """The tree of a game, with a progress bar: how many of at most ``nodes`` nodes it has so far."""
    from kibitz.search.game_tree import tree_of

    with progress_bar("", "building the tree") as progress:
        return tree_of(game, nodes, lambda found: progress(found, nodes))


def unit_text(tree: Tree, value: float) -> str:
    """A value in the game's unit: chips or wins per game."""
    return f"{value:.4f} chips per game" if tree.game.by_score else f"{value:.4f} wins per game"


def report_solution(solution: Solution, method: str, iterations: int, seconds: float, *, json: bool) -> None:
    """Print the figures, for people or as JSON."""
    tree = solution.tree
    if json:
        figures: dict[str, Any] = {
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
        print_json(figures, indent=0)
        return
    screen = Screen()
    screen.line(f"{tree.game.title} ({tree.game.name}): {iterations:,} iterations of {method} in {seconds:.2f} s", BOLD)
    for seat, value in enumerate(solution.values):
        screen.line(f"value for seat {seat}: {value:+.6f}")
    screen.line(f"Exploitability: {unit_text(tree, solution.exploitability)}, averaged over the seats.")
    screen.line(f"{len(tree.sets):,} information sets, {tree.nodes:,} nodes.", DIM)


# ---------------------------------------------------------------- exploit

Passes = Annotated[
    int,
    Parameter(
        converter=options.whole_number(2, options.MAX_COUNT),
        help="Number of times to ask the player for its action in each information set, if it doesn't report its"
        " probabilities.",
    ),
]


def exploit(
    game: options.GameName,
    player: Annotated[str, Parameter(help="A player's name, or a file that defines play(view, legal).")],
    /,
    *,
    passes: Passes = 20,
    nodes: Nodes = 250_000,
    hands: Annotated[
        int,
        Parameter(
            converter=options.whole_number(2, options.MAX_COUNT), help="In hold'em, the number of hands to play."
        ),
    ] = 200,
    seed: Annotated[int, Parameter(converter=options.read_seed, help="Random seed of the player and the hands.")] = 0,
    limits: options.LimitsText = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure a player's exploitability in a small game: what it loses to a best response.

    The result is exact if the player reports its probabilities, and otherwise an estimate. The player takes each seat
    in turn, against best responses in the other seats. Files run in the sandbox. For heads-up hold'em
    (holdem:players=2,hands=1), the result is a lower bound with a confidence interval: what a local best response wins.
    """
    from kibitz.players.exploiting import exploitability_of, local_response_to

    found_game = find_game(game)
    (spec,) = find_players(found_game, [player], False, limits)
    if found_game.options.get("hole") == 2 and found_game.options.get("flop") == 3:  # hold'em: its tree is too large
        with progress_bar("played {} of {} hands", quiet=quiet) as progress:
            response = local_response_to(found_game, spec, hands, seed, lambda done: progress(done, hands))
        report_local_response(found_game, spec, response, json=json)
        return
    tree = tree_for(found_game, nodes)
    with progress_bar("finished {} of {} passes", "asking", quiet=quiet) as progress:
        result = exploitability_of(tree, spec, passes, seed, lambda done: progress(done, passes))
    report_exploitability(tree, spec, result, json=json)


def report_local_response(game: Game, spec: PlayerSpec, response: LocalResponse, *, json: bool) -> None:
    """Print how much a local best response won, for people or as JSON."""
    if json:
        figures = {
            "game": game.name,
            "player": spec.name,
            "exploitability": response.won / 1000 * game.options["big"],
            "mbb_per_hand": response.won,
            "error": response.error,
            "exact": False,
            "hands": response.hands,
        }
        print_json(figures, indent=0)
        return
    screen = Screen()
    screen.line(f"{spec.name} in {game.title} ({game.name})", BOLD)
    screen.line(f"A local best response wins {response.won:+,.0f} ± {response.error:,.0f} mbb/hand from it.", BOLD)
    screen.line(
        f"That is a lower bound on its exploitability, in thousandths of a big blind per hand, with a 95 % interval"
        f" from {response.hands:,} hands.",
        DIM,
    )


def report_exploitability(tree: Tree, spec: PlayerSpec, result: ExploitabilityResult, *, json: bool) -> None:
    """Print the figures, for people or as JSON."""
    solution = result.solution
    if json:
        figures = {
            "game": tree.game.name,
            "player": spec.name,
            "exploitability": result.exploitability,
            "at_least": result.at_least,
            "exact": result.exact,
            "passes": result.passes,
            "responses": solution.responses,
            "values": solution.values,
            "nodes": tree.nodes,
            "information_sets": len(tree.sets),
        }
        print_json(figures, indent=0)
        return
    screen = Screen()
    screen.line(f"{spec.name} in {tree.game.title} ({tree.game.name})", BOLD)
    for seat, (value, best_response) in enumerate(zip(solution.values, solution.responses, strict=True)):
        screen.line(f"seat {seat}: {value:+.4f} against itself, {best_response:+.4f} for a best response to it")
    screen.line(f"Exploitability: {unit_text(tree, result.exploitability)}, averaged over the seats.", BOLD)
    if result.exact:
        explanation = "It reports its probabilities, so this is exact."
    else:
        explanation = (
            f"Its policy was estimated in {result.passes} passes through all information sets, so this is too high."
            f" It is at least about {result.at_least:.4f}: what a best response to half of the passes gains against the"
            " other half."
        )
    screen.line(f"{explanation} {len(tree.sets):,} information sets, {tree.nodes:,} nodes.", DIM)
