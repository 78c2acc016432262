"""What luck leaves to be had in Bo: one who tries whole turns in the true position, among three ``greedy``.

    turns       the ``KEPT`` turns that ``marshal`` finds best; each is played on to the end of the game in every world,
                and the one that wins most is played, if it is better than the first by ``--doubt`` standard errors
    fate        told all cards, and what will be drawn: one world, the true one
    dealt       told all cards that are dealt; what is drawn is drawn by lot in every world
    imagined    told nothing: what is hidden is drawn anew in every world (``resample``)
    model       what the others are taken for: ``greedy``, which they are, or ``marshal``
    best        the player, in so many ``--games`` imagined at most for a play; it is told nothing

``python -m benchmarks.bo_ceiling DEALS [dealt|fate|imagined|best|marshal|greedy] [--worlds N] [--model marshal]
[--beside marshal]``: every deal from every seat, 95 % intervals with the deal as the unit; ``best --beside best
--beside-games N`` holds it against itself with fewer or more imagined games.  All is machine code: the others are the
look-ahead of ``marshal`` with the worths of ``greedy`` in whole numbers, and ``agreement`` says how often they play
what ``greedy`` does.  Nobody who is told anything is a player.
"""

from __future__ import annotations

import argparse
import copy
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any

import kibitz
from benchmarks import bo_turns
from benchmarks.bo_turns import DEALT, FATE, IMAGINED, MODEL_GREEDY, MODEL_MARSHAL
from benchmarks.harness import progress
from benchmarks.strength import FIRST_SEED, error, share
from benchmarks.words import MOST, SPREAD, fraction, whole
from kibitz.engine import compilation
from kibitz.engine.batch import records
from kibitz.engine.game import SEED_LIMIT, Game, seed_words
from kibitz.games.bo import leaf_values, lookahead, policies, turn_search
from kibitz.search import rollout_kernels

if TYPE_CHECKING:
    import numpy as np

KEPT = 8
"""So many turns are tried."""
LOOKED = 100
"""So far looks who plays a game on in a world."""
IN_A_ROW = 40
"""Games between two words of progress."""
KNOWN = {"imagined": IMAGINED, "dealt": DEALT, "fate": FATE}
PLAYERS = {"greedy": bo_turns.GREEDY, "marshal": bo_turns.MARSHAL, "best": bo_turns.BEST}
MODELS = {"greedy": MODEL_GREEDY, "marshal": MODEL_MARSHAL}


def scratch_rows(kept: int) -> np.ndarray[Any, Any]:
    """The rows of ``bo_turns``: worths, how many turns are kept, and how far is looked."""
    import numpy as np

    found = np.zeros((5, turn_search.SCRATCH), np.int64)
    for row, worths, keep, tries in (
        (bo_turns.GREEDY, leaf_values.GREEDY, 1, lookahead.NODES),
        (bo_turns.MARSHAL, leaf_values.MARSHAL, 1, turn_search.TRIED),
        (bo_turns.THINKER, leaf_values.MARSHAL, kept, turn_search.TRIED),
        (MODEL_GREEDY, leaf_values.GREEDY, 1, LOOKED),
        (MODEL_MARSHAL, leaf_values.MARSHAL, 1, LOOKED),
    ):
        found[row, : leaf_values.WORTHS] = worths
        found[row, leaf_values.KEPT], found[row, turn_search.TRIES] = keep, tries
    return found


def played(game: Game, who: str, asked: argparse.Namespace) -> tuple[list[float], list[int], float]:
    """By deal the share of games that ``who`` won, what was counted, and the seconds of CPU time."""
    import numpy as np

    deals = [(deal, seat) for deal in range(asked.deals) for seat in range(game.seats)]
    seeds = np.array([word for deal, _ in deals for word in seed_words(asked.first + deal)], np.int64)
    states, won, counts = records(game, 3), np.zeros(len(deals), np.int64), np.zeros(4, np.int64)
    raw, scratch = states.view(np.int64), [np.zeros(1024, np.int64) for _ in range(3)]
    worlds = {"fate": 1, "best": asked.games}.get(who, asked.worlds)
    how = [KNOWN.get(who, IMAGINED), worlds, round(100 * asked.doubt), 1, MODEL_MARSHAL, MODELS[asked.model]]
    others = [PLAYERS.get(who, bo_turns.THINKER), bo_turns.GREEDY]
    play = compilation.compiled(bo_turns, game.rules, policies).games
    arrays = (
        *(states, raw, len(raw) // 3, game.rules.LAYOUT.kept_words, scratch_rows(asked.kept), *scratch),
        *(np.array(how, np.int64), np.zeros(game.seats, np.int64), seeds),
        *(np.array([seat for _, seat in deals], np.int64), np.array(others, np.int64), won, counts),
        *(
            np.zeros(size, np.int64)
            for size in (turn_search.SCRATCH, rollout_kernels.PLANS * rollout_kernels.WORLDS, 4, 2)
        ),
    )
    play(*arrays, 0, 0)
    start = process_time()
    for first in range(0, len(deals), IN_A_ROW):
        progress(f"{who}: {won[:first].sum()} of {first} games won, of {len(deals)}")
        play(*arrays, first, min(first + IN_A_ROW, len(deals)))
    progress("")
    taken = process_time() - start
    return won.reshape(-1, game.seats).mean(axis=1).tolist(), counts.tolist(), taken


def agreement(game: Game, deals: int) -> tuple[int, int]:
    """In how many decisions the worths of ``greedy`` play what ``greedy`` does, and in how many there is a choice."""
    from random import Random

    same = met = 0
    for deal in range(deals):
        state = game.deal(deal)
        while not state.over:
            legal = game.legal(state)
            action = legal[0]
            if len(legal) > 1:
                action = game.strategies["greedy"](game.view(state, state.player), legal, Random(0))
                scratch = scratch_rows(1)[bo_turns.GREEDY].tolist()
                turn_search.look_ahead(state, scratch)
                same += turn_search.first_play(scratch, 0) == action
                met += 1
            game.rules.apply(state, action)
    return same, met


def main() -> None:
    """Play, and print a line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bo_ceiling", description=__doc__.partition("\n")[0])
    parser.add_argument("deals", type=whole(SPREAD))
    parser.add_argument("who", nargs="?", default="dealt", choices=[*KNOWN, *PLAYERS, "agreement"])
    parser.add_argument("--worlds", type=whole(1), default=16)
    parser.add_argument("--kept", type=whole(1, 32), default=KEPT, help="how many turns are tried, 32 at most")
    parser.add_argument("--doubt", type=fraction(0, 100), default=0.0)
    parser.add_argument("--games", type=whole(1), default=policies.SEARCH_PLAYERS["best"][0], help="that best imagines")
    parser.add_argument("--model", default="greedy", choices=MODELS)
    parser.add_argument("--beside", choices=[*KNOWN, *PLAYERS], help="the same deals with another in its place")
    parser.add_argument("--beside-games", type=whole(1), help="that best imagines in its place, where not so many")
    parser.add_argument(
        "--first", type=whole(0, SEED_LIMIT - 1 - MOST), default=FIRST_SEED, help="the seed of the first deal"
    )
    asked = parser.parse_args()
    game = kibitz.game("bo")
    if asked.who == "agreement":
        same, met = agreement(game, asked.deals)
        print(f"bo, the others play what greedy does in {same} of {met} decisions.")
        return
    won = told(game, asked.who, asked)
    if asked.beside:
        other = copy.copy(asked)
        other.games = asked.beside_games or asked.games
        more = [ours - theirs for ours, theirs in zip(won, told(game, asked.beside, other), strict=True)]
        print(f"{asked.who} wins {mean(more):+.2%} ± {1.96 * error(more):.2%} more of the same deals.")


def told(game: Game, who: str, asked: argparse.Namespace) -> list[float]:
    """Play, and print what came of it; by deal the share of games won."""
    won, (games, decisions, overruled, tried), taken = played(game, who, asked)
    found = f"bo, {who}, among greedy: first {share(won)}, {asked.deals} deals"
    found += f" from every seat; {1000 * taken / games:.1f} ms of CPU time a game"
    if who == "best":
        found += f"; {asked.games} imagined games at most: {1000 * taken / decisions:.0f} ms a decision, "
        found += f"{tried / decisions:.0%} thought over, {overruled / decisions:.0%} not the first turn"
    elif decisions:
        found += f"; {asked.kept} turns in {1 if who == 'fate' else asked.worlds} worlds, others {asked.model}: "
        found += f"{1000 * taken / decisions:.0f} ms a decision, {overruled / decisions:.0%} not the first turn"
    print(f"{found}.", flush=True)
    return won


if __name__ == "__main__":
    main()
