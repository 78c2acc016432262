"""Computes the tables of cribbage by playing deals: ``python -m tools.cribbage_study``.

The first three steps run twice, so that discards, cribs and the play fit one another:

    cribs       discards and crib values in turn until both stay the same, over the same hands each time
    practice    deals from which the play is learned: by self-play first, later in part against ``greedy``
    pegs        how many points each group of four cards pegs
    real        what cribs score if both hands are dealt as well
    deals       whole deals in batches; each batch gives the chance to win from every score, and the spread of the
                batches gives the error

Every finished step is saved with its settings, so a study that was stopped resumes.  ``pegs`` and ``deals`` consist of
blocks that can run elsewhere (``--on``); every other step needs the result of the one before.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.engine.kernels import compilation
from kibitz.errors import KibitzError
from kibitz.executors import Executor, map_unordered, open_executor
from kibitz.games.cribbage import evaluation, rules
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    FEATURES,
    HANDS_OF_FOUR,
    PEG_BINS,
    SCALE,
    SHOW_SCORES,
    TYPE_CODES,
    WEIGHTS,
)
from kibitz.games.cribbage.greedy_play import SCORES
from kibitz.games.cribbage.scoring import rank_points
from tools import cribbage_practice as practice
from tools.cribbage_practice import PLAYS

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

FAR = 10**6
"""A target that no deal reaches."""
SURE = 1.96
"""How many standard errors are half a 95 % interval."""
PACE = (
    ((0.02, 20, 15), (0.005, 10, 35), (0.002, 8, 30), (0.0007, 5, 20)),
    ((0.005, 8, 25), (0.002, 6, 40), (0.0006, 4, 35)),
)
"""The stages of each practice: the lowest learning rate, the percentage of random cards, the share of the deals in
per cent."""
PARTS = 10
"""How many blocks ``pegs`` has."""
SPARRING = (0, 60)
"""The percentage of deals of each practice in which one seat plays as ``greedy`` does."""


class Settings(NamedTuple):
    """How many to play: hands, deals of practice, deals of each group, cribs of each class, whole deals."""

    hands: int = 200_000
    practice: tuple[int, int] = (6_000_000, 6_000_000)
    times: tuple[int, int] = (300, 1000)
    cribs: int = 20_000
    deals: int = 400_000
    batches: int = 16


class Study:
    """A study and its working folder; ``log`` gets lines of progress, and ``place`` runs the blocks."""

    def __init__(
        self, work: Path, settings: Settings, log: Callable[[str], None], place: Executor | None = None
    ) -> None:
        import numpy as np

        self.np, self.work, self.settings, self.tell, self.place = np, work, settings, log, place
        self.kernels = compilation.compiled(practice)
        self.scores = np.zeros(evaluation.CODE_SUMS, np.uint8)
        self.kernels.fill_scores(self.scores)
        state = np.zeros(1, rules.LAYOUT.dtype)
        for name, value in {"players": 2, "pack": (1 << 52) - 1, "target": FAR, "hand_size": 6, "discards": 2}.items():
            state[name] = value
        self.state = state[0]
        self.named = np.zeros((PLAYS + 1, FEATURES + 1), np.int64)
        self.crib, self.pegs = np.zeros(2 * CLASSES), np.zeros(2 * HANDS_OF_FOUR)

    def load_or_make(
        self, name: str, sizes: Sequence[int], make: Callable[[], dict[str, Numbers]]
    ) -> dict[str, Numbers]:
        """The result of a step, loaded if it was saved with the same settings."""
        path = self.path(name, sizes)
        if not path.exists():
            start = monotonic()
            self.save(path, make())
            self.tell(f"{name}: done in {monotonic() - start:.0f} s")
        with self.np.load(path) as arrays:
            return dict(arrays)

    def path(self, name: str, sizes: Sequence[int]) -> Path:
        """The file for the result of a step."""
        return self.work / f"{name}-{'-'.join(str(size) for size in sizes)}.npz"

    def save(self, path: Path, arrays: dict[str, Numbers]) -> None:
        """Save the result of a step, completely or not at all."""
        self.work.mkdir(parents=True, exist_ok=True)
        partial_file = path.with_suffix(".part.npz")
        self.np.savez(partial_file, allow_pickle=False, **arrays)
        partial_file.replace(path)

    def block_input(self, weights: Numbers) -> BlockInput:
        """The results so far that blocks need."""
        return BlockInput(self.settings, self.crib, self.pegs, weights)

    def run(self) -> dict[str, Numbers]:
        """Run all steps; return their results by name."""
        cribs = self.load_or_make("cribs0", [self.settings.hands], self.cribs)
        before: dict[str, Numbers] | None = None
        for turn in range(2):
            sizes = [self.settings.hands, *self.settings.practice[: turn + 1]]
            self.use_cribs(cribs["spread"])
            before = self.load_or_make(f"practice{turn}", sizes, partial(self.practise, turn, before))
            weights = self.np.round(before["weights"]).astype(self.np.int64)
            sizes += self.settings.times[: turn + 1]
            pegged = self.load_or_make(f"pegs{turn}", sizes, partial(self.peg, turn, weights))
            self.pegs = net_pegs(pegged["pegged"])
            cribs = self.load_or_make(f"cribs{turn + 1}", sizes, self.cribs)
        self.use_cribs(cribs["spread"])
        cribs = self.load_or_make("real", [*sizes, self.settings.cribs], self.real_cribs)
        self.use_cribs(cribs["spread"])
        assert before is not None
        return {**self.winning_chances(sizes, weights), **pegged, **cribs, "weights": frequent(before)}

    def use_cribs(self, spread: Numbers) -> None:
        """Compute the values of cribs from the distributions of their scores."""
        self.crib = spread @ self.np.arange(SHOW_SCORES)

    def cribs(self) -> dict[str, Numbers]:
        """Compute discards and then crib scores, in turn, until the values of cribs hardly change."""
        np = self.np
        for turn in range(14):
            chosen, kept = self.discarded()
            spread = np.zeros((2 * CLASSES, SHOW_SCORES))
            self.kernels.spread_cribs(chosen, spread)
            change = np.abs(spread @ np.arange(SHOW_SCORES) - self.crib) @ chosen / chosen.sum()
            self.use_cribs(spread)
            self.tell(f"cribs: turn {turn + 1}, mean change of a crib's value: {change:.4f}")
            if change < 0.002:
                break
        return {"chosen": chosen, "kept": kept, "spread": spread}

    def discarded(self) -> tuple[Numbers, Numbers]:
        """How often each class is discarded, and each group kept."""
        chosen, kept = self.np.zeros(2 * CLASSES, self.np.int64), self.np.zeros(2 * HANDS_OF_FOUR, self.np.int64)
        self.kernels.count_discards(
            self.state, self.scores, self.crib, self.pegs, chosen, kept, 7, 0, self.settings.hands
        )
        return chosen, kept

    def real_cribs(self) -> dict[str, Numbers]:
        """The scores of dealt cribs: neither hand nor the starter shares a card with the crib."""
        spread = self.np.zeros((2 * CLASSES, SHOW_SCORES))
        self.kernels.deal_cribs(self.state, self.scores, self.crib, self.pegs, spread, 41, self.settings.cribs)
        self.use_cribs(spread)
        chosen, kept = self.discarded()
        return {"chosen": chosen, "kept": kept, "spread": spread}

    def practise(self, turn: int, before: dict[str, Numbers] | None) -> dict[str, Numbers]:
        """Play deals and learn from them, starting from the weights of the previous practice."""
        np, deals = self.np, self.settings.practice[turn]
        weights = before["weights"] if before else np.zeros(WEIGHTS)
        visits = before["visits"] if before else np.zeros(WEIGHTS, np.int64)
        at, last_log = turn * 10**9, monotonic()
        tally = np.zeros(SCORES, np.int64)
        for rate, explore, part in PACE[turn]:
            first, last = at, at + deals * part // 100
            pegged = 0
            while at < last:
                upto = min(at + 50_000, last)
                pegged += self.kernels.learn(
                    *(self.state, self.scores, self.crib, self.pegs, weights, visits, self.named, tally),
                    *(11, at, upto, explore, SPARRING[turn], rate),
                )
                at = upto
                if monotonic() - last_log > 20:
                    last_log = monotonic()
                    a_seat = pegged / (at - first) / 2
                    self.tell(
                        f"practice: {at - turn * 10**9:,} of {deals:,} deals, {a_seat:.3f} points pegged per seat"
                    )
        return {"weights": weights, "visits": visits}

    def peg(self, turn: int, weights: Numbers) -> dict[str, Numbers]:
        """Count the points that each group of four cards pegs."""
        pegged = self.np.zeros((2 * HANDS_OF_FOUR, 2, PEG_BINS), self.np.int64)
        parts = [(part, self.settings.times[turn] // PARTS) for part in range(PARTS)]
        for done, (_, counts) in enumerate(
            map_unordered(self.place, peg_part, self.block_input(weights), parts, log=self.tell)
        ):
            pegged += counts
            self.tell(f"pegs: {done + 1} of {PARTS} parts")
        return {"pegged": pegged}

    def peg_part(self, part: int, times: int, weights: Numbers) -> Numbers:
        """Count the points that each group pegs, for one part of the deals."""
        pegged = self.np.zeros((2 * HANDS_OF_FOUR, 2, PEG_BINS), self.np.int64)
        self.kernels.peg_groups(
            *(self.state, self.scores, self.crib, self.pegs, weights, self.named[PLAYS]),
            *(pegged, 1000 + part, times),
        )
        return pegged

    def winning_chances(self, sizes: Sequence[int], weights: Numbers) -> dict[str, Numbers]:
        """The chance to win from every score, with its error, and the distribution of shows."""
        np, batches = self.np, self.settings.batches
        size = self.settings.deals // batches
        paths = [self.path(f"deals{number:02}", [*sizes, size]) for number in range(batches)]
        missing = [(number, size) for number, path in enumerate(paths) if not path.exists()]
        for index, arrays in map_unordered(self.place, play_batch, self.block_input(weights), missing, log=self.tell):
            number = missing[index][0]
            self.save(paths[number], arrays)
            self.tell(f"deals{number:02}: done")
        parts = []
        for path in paths:
            with np.load(path) as file:
                parts.append(dict(file))
        chances = np.array([part["chances"] for part in parts])
        margin = SURE * chances.std(0, ddof=1) / batches**0.5
        return {"chances": chances.mean(0), "errors": margin, "shows": np.sum([part["shows"] for part in parts], 0)}

    def batch(self, number: int, size: int, weights: Numbers) -> dict[str, Numbers]:
        """One batch of deals: the shows, and the chances to win if all deals are like these."""
        np = self.np
        rows, shows = np.zeros((size, practice.ROW), np.int8), np.zeros((3, SHOW_SCORES), np.int64)
        self.kernels.play_rows(
            *(self.state, self.scores, self.crib, self.pegs, weights, self.named[PLAYS], rows, shows),
            *(23, number * size, (number + 1) * size),
        )
        chances = np.zeros(practice.TARGET**2)
        self.kernels.go_back(rows, 0, size, chances)
        return {"shows": shows, "chances": chances}


class BlockInput(NamedTuple):
    """The results that a block of the study starts from."""

    settings: Settings
    crib: Numbers
    pegs: Numbers
    weights: Numbers

    def study(self) -> Study:
        """A study with these results."""
        study = Study(Path(), self.settings, lambda line: None)
        study.crib, study.pegs = self.crib, self.pegs
        return study


def peg_part(block_input: BlockInput, item: tuple[int, int]) -> Numbers:
    """One block of ``pegs``, as 32-bit integers; the ``item`` is its number and how often each group is played."""
    pegged = block_input.study().peg_part(*item, block_input.weights)
    return pegged.astype("int32")


def play_batch(block_input: BlockInput, item: tuple[int, int]) -> dict[str, Numbers]:
    """One block of whole deals; the ``item`` is its number and size."""
    return block_input.study().batch(*item, block_input.weights)


def net_pegs(pegged: Numbers) -> Numbers:
    """How many points more each group pegs than the other seat, on average."""
    import numpy as np

    means = pegged @ np.arange(PEG_BINS) / pegged.sum(2)
    return np.asarray(means[:, 0] - means[:, 1])


def frequent(practised: dict[str, Numbers]) -> Numbers:
    """The weights as integers; zero for those that occurred fewer than five times."""
    import numpy as np

    return np.where(practised["visits"] >= 5, np.round(practised["weights"]), 0)


def score_table() -> list[int]:
    """The scores of five ranks, in the order of ``combinations_with_replacement``; 0 for five of one rank."""
    scores = []
    for ranks in combinations_with_replacement(range(evaluation.RANKS), 5):
        scores.append(int(rank_points(practice.set_of_ranks(*ranks))) if ranks[0] != ranks[4] else 0)
    return scores


def save_table(folder: Path, name: str, numbers: array[int]) -> None:
    """Write a table into a folder, compressed."""
    packed_numbers = array(TYPE_CODES[name], numbers)
    if sys.byteorder == "big":
        packed_numbers.byteswap()
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath(f"{name}.z").write_bytes(zlib.compress(packed_numbers.tobytes(), 9))


def save_tables(tables: dict[str, Numbers], folder: Path) -> None:
    """Write the results of a study as the tables of the package."""
    import numpy as np

    save_table(folder, "scores", array("q", score_table()))
    for name in ("weights", "chosen", "kept", "pegged", "shows"):
        save_table(folder, name, array("q", tables[name].astype(np.int64).ravel().tolist()))
    for name, numbers in (("cribs", tables["spread"]), ("chances", tables["chances"]), ("errors", tables["errors"])):
        save_table(folder, name, array("q", np.round(numbers * SCALE).astype(np.int64).ravel().tolist()))


def main(arguments: Sequence[str]) -> None:
    """Compute and store the tables."""
    home = Path(evaluation.__file__).parent / "study"
    parser = argparse.ArgumentParser(prog="python -m tools.cribbage_study", description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=Path("build/cribbage"), help="folder for finished steps")
    parser.add_argument("--folder", type=Path, default=home, help="folder for the tables")
    parser.add_argument("--on", help="'local' for all cores, or a Dask cluster: dask://HOST:PORT; one core otherwise")
    parser.add_argument("--hundredth", action="store_true", help="play a hundredth of all deals, as a test")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.hundredth:
        settings = Settings(5_000, (60_000, 60_000), (10, 20), 200, 8_000, 4)
    try:
        with open_executor(options.on) as place:
            save_tables(Study(options.work, settings, show_progress, place).run(), options.folder)
    except KibitzError as error:
        parser.exit(2, f"{error}\n")


def show_progress(line: str) -> None:
    """Show a line of progress."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
