"""Finds puzzles in games between the computer players of the middle level: ``python -m tools.puzzles [GAME ...]``.

A puzzle is a mistake that a review finds and that a second, longer search with other simulated games confirms: every
other choice costs at least ``CLEAR`` of the chances, by the lower end of its 95 % interval.  The game must also explain
why the best choice is good: not only what it costs, and with a reason that holds for no other choice
(``is_better_reason``).  The file of puzzles is written again, with those of the given games replaced.
"""

from __future__ import annotations

import argparse
import re
from itertools import count
from time import process_time
from typing import Any

import msgspec

import kibitz
from kibitz.arena.games import Decision
from kibitz.arena.puzzles import FILE, Cost, Puzzle, puzzles
from kibitz.arena.reviews import real_decisions, review
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.players.built_in import StrategyPlayer, levels
from kibitz.search import endgames
from kibitz.search.advice import mean_and_margin
from kibitz.search.search_players import advice_search, compile_search
from kibitz.table.match import play_match

REASONS = {
    "go": "",
    "president": "",
    "cribbage": "",
    "hearts": "",
    "eights": "ends the game|not seen yet",
    "bo": "no pile for|can go there next|closer to",
}
"""The games that have puzzles, with what the explanation of the best choice must contain: other explanations of these
games say little.

Games without puzzles: in Huxxy, a choice is one step of a turn, and only the whole turn shows why it is best. In
five-card draw there was no puzzle in 723 games, and in hold'em one in 100, whose answer was all in, as in most of the
next. In Kuhn and Leduc poker, the clear choices are obvious, and the others are mixed.
"""
AMOUNTS = {
    "go": (r"worth (\d+)", 1),
    "hearts": (r"rid of (\d+)", 1),
    "eights": (r"(\d+) of the \d+ cards not seen", -1),
}
"""What the explanations of a game count, and whether more of it is better (1) or less (-1)."""
CARD_OR_NUMBER = re.compile(r"(?:(?:10|[2-9AJQK])[♣♦♥♠]|\d+)(?: (?:10|[2-9AJQK])[♣♦♥♠])*")
WANTED, SECONDS = 30, 150
REVIEWED, SEARCHED, COMPARED = 60, 2000, 1000
"""Simulated games for a decision of a review, for the longer search, and for each choice that it compares."""
CLEAR = 0.03
FEWEST, MOST = 3, 32
"""How many choices a puzzle has."""


def compared(game: Game, position: Decision, seed: int) -> tuple[int, list[Cost]]:
    """The best choice, and what each other choice costs, in ascending order."""
    if solution := endgames.solve_endgame(game, position.view):
        best = max(solution.choices, key=lambda choice: choice.winning_chance)
        costs = [
            Cost(choice.action, best.winning_chance - choice.winning_chance, solution.gap)
            for choice in solution.choices
            if choice is not best
        ]
        return best.action, sorted(costs, key=lambda cost: cost.chance)
    search = advice_search(game, [position.view], position.legal, seed, plain=False)
    search.simulate(SEARCHED)
    best = search.ranking()[0].action
    best_values, costs = search.rollout_values(best, COMPARED), []
    for action in position.legal:
        if action != best:
            values = search.rollout_values(action, COMPARED)
            costs.append(
                Cost(action, *mean_and_margin([a[1] - b[1] for a, b in zip(best_values, values, strict=True)]))
            )
    return best, sorted(costs, key=lambda cost: cost.chance)


def is_better_reason(game: str, why: str, other: str) -> bool:
    """Whether ``why`` shows that a choice is better than one explained by ``other``: not just other cards or numbers.

    >>> is_better_reason("go", "It makes K♦ K♣, a group worth 26.", "It makes 8♦ 8♣ 8♥, a group worth 48.")
    False
    """
    if CARD_OR_NUMBER.sub("#", why) != CARD_OR_NUMBER.sub("#", other):
        return True
    pattern, sign = AMOUNTS.get(game, ("$^", 1))
    amounts = [sign * int(found[1]) for text in (why, other) if (found := re.search(pattern, text))]
    return len(amounts) == 2 and amounts[0] > amounts[1]


def clearest_puzzle(game: Game, record: Record, seed: int) -> Puzzle | None:
    """The clearest puzzle in a game, if there is one."""
    candidates: list[tuple[float, Puzzle]] = []
    positions = {position.step: position for position in real_decisions(record)}
    for mistake in review(record, REVIEWED, seed).mistakes:
        position = positions[mistake.step]
        explanation = game.words.explain(position.view, mistake.judgement.best)
        if "costs" in explanation or not re.search(REASONS[game.name] or ".", explanation):
            continue
        if not FEWEST <= len(position.legal) <= MOST:
            continue
        best, costs = compared(game, position, seed + 1)
        least = min(cost.chance - cost.error for cost in costs)
        reasons = [game.words.explain(position.view, cost.action) for cost in costs]
        explained = all(is_better_reason(game.name, explanation, reason) for reason in reasons)
        if best == mistake.judgement.best and least >= CLEAR and explained:
            costs = [Cost(cost.action, round(cost.chance, 3), round(cost.error, 3)) for cost in costs]
            actions = record.actions[: mistake.step]
            candidates.append((least, Puzzle(record.game, record.rules, record.seed, actions, best, tuple(costs))))
    return max(candidates, key=lambda each: each[0])[1] if candidates else None


def puzzles_of(name: str, seconds: float) -> list[Puzzle]:
    """Puzzles of one game: ``WANTED`` of them, or as many as are found in ``seconds`` of CPU time."""
    game = kibitz.game(name)
    compile_search(game)
    middle = list(levels(game).values())[1]
    start, puzzles = process_time(), []
    for seed in count(1):
        players: Any = [StrategyPlayer(middle.name, middle.strategy) for _ in range(game.seats)]
        if puzzle := clearest_puzzle(game, play_match(game, players, seed).record, seed):
            puzzles.append(puzzle)
        if len(puzzles) == WANTED or process_time() - start > seconds:
            print(f"{name}: {len(puzzles)} puzzles in {seed} games, {process_time() - start:.0f} s")
            return puzzles
    raise AssertionError


def written(puzzles: dict[str, tuple[Puzzle, ...]]) -> str:
    """The file, with a line for each puzzle."""
    games = (
        f'"{game}": [\n' + ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in game_puzzles) + "\n]"
        for game, game_puzzles in puzzles.items()
    )
    return "{" + ",\n".join(games) + "}\n"


def main() -> None:
    """Find puzzles and write them."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=main.__doc__)
    parser.add_argument("games", nargs="*", default=REASONS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time for each game (default: %(default)s)")
    options = parser.parse_args()
    all_puzzles = puzzles() if FILE.exists() else {}
    for name in options.games:
        all_puzzles = {**all_puzzles, name: tuple(puzzles_of(name, options.seconds))}
        FILE.write_text(written(all_puzzles), encoding="utf-8")


if __name__ == "__main__":
    main()
