"""The study of cribbage: ``python -m tools.cribbage_study`` plays deals and keeps what it finds.

It goes through its steps twice, so that discards, cribs and the play fit one another, and then over the board:

    cribs       what is discarded and what cribs are worth then, in turns until they fit; over the same hands each time
    practice    deals from which the play learns: among themselves first, later in part against ``greedy``
    pegs        what each group of four cards pegs
    real        what cribs score that are dealt with both hands
    deals       whole deals, in batches; from each batch the chance to win from every score, and their spread its error

Every step is kept when it is done, with the settings that it was done by, so a study that was stopped goes on.  What
groups peg and whole deals are blocks, which workers of another place can do (``--on``); all else goes on from what was
done just before.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.engine.kernels import compilation
from kibitz.errors import KibitzError
from kibitz.executors import Executor, open_executor, results
from kibitz.games.cribbage import evaluation, rules
from kibitz.games.cribbage.evaluation import BINS, CLASSES, HANDS_OF_FOUR, SHOWS, TUPLES, WEIGHTS, WHOLE, save_table
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
"""How each practice goes: the least share by which weights move, hundredths of random cards, hundredths of deals."""
PARTS = 10
"""How many blocks there are of what each group pegs."""
SPARRING = (0, 60)
"""In how many deals of a hundred of each practice one seat plays as ``greedy`` does."""


class Settings(NamedTuple):
    """How much is played: hands discarded, deals of practice, deals of each group, cribs of each class, whole deals."""

    hands: int = 200_000
    practice: tuple[int, int] = (6_000_000, 6_000_000)
    times: tuple[int, int] = (300, 1000)
    cribs: int = 20_000
    deals: int = 400_000
    batches: int = 16


class Study:
    """A study with its folder for what is done; ``log`` is given a line of progress, and ``place`` does its blocks."""

    def __init__(
        self, work: Path, settings: Settings, log: Callable[[str], None], place: Executor | None = None
    ) -> None:
        import numpy as np

        self.np, self.work, self.settings, self.tell, self.place = np, work, settings, log, place
        self.kernels = compilation.compiled(practice)
        self.scores = np.zeros(evaluation.CODE_SUMS, np.uint8)
        compilation.compiled(evaluation).fill(self.scores)
        state = np.zeros(1, rules.LAYOUT.dtype)
        for name, value in {"players": 2, "pack": (1 << 52) - 1, "target": FAR, "hand_size": 6, "discards": 2}.items():
            state[name] = value
        self.state = state[0]
        self.named = np.zeros((PLAYS + 1, TUPLES + 1), np.int64)
        self.crib, self.pegs = np.zeros(2 * CLASSES), np.zeros(2 * HANDS_OF_FOUR)

    def done(self, name: str, asked: Sequence[int], make: Callable[[], dict[str, Numbers]]) -> dict[str, Numbers]:
        """What a step has made; it is made now unless it was, with the same settings."""
        path = self.path(name, asked)
        if not path.exists():
            began = monotonic()
            self.save(path, make())
            self.tell(f"{name}: done in {monotonic() - began:.0f} s")
        with self.np.load(path) as found:
            return dict(found)

    def path(self, name: str, asked: Sequence[int]) -> Path:
        """Where a step is kept."""
        return self.work / f"{name}-{'-'.join(str(part) for part in asked)}.npz"

    def save(self, path: Path, made: dict[str, Numbers]) -> None:
        """Keep what a step has made, whole or not at all."""
        self.work.mkdir(parents=True, exist_ok=True)
        whole = path.with_suffix(".part.npz")
        self.np.savez(whole, allow_pickle=False, **made)
        whole.replace(path)

    def known(self, weights: Numbers) -> Known:
        """What blocks need of all that was found so far."""
        return Known(self.settings, self.crib, self.pegs, weights)

    def run(self) -> dict[str, Numbers]:
        """All steps; what they have found, by name."""
        found = self.done("cribs0", [self.settings.hands], self.cribs)
        before: dict[str, Numbers] | None = None
        for turn in range(2):
            asked = [self.settings.hands, *self.settings.practice[: turn + 1]]
            self.lay_by(found["spread"])
            before = self.done(f"practice{turn}", asked, partial(self.practise, turn, before))
            weights = self.np.round(before["weights"]).astype(self.np.int64)
            asked += self.settings.times[: turn + 1]
            pegged = self.done(f"pegs{turn}", asked, partial(self.peg, turn, weights))
            self.pegs = nets(pegged["pegged"])
            found = self.done(f"cribs{turn + 1}", asked, self.cribs)
        self.lay_by(found["spread"])
        found = self.done("real", [*asked, self.settings.cribs], self.real_cribs)
        self.lay_by(found["spread"])
        assert before is not None
        return {**self.over_the_board(asked, weights), **pegged, **found, "weights": seldom(before)}

    def lay_by(self, spread: Numbers) -> None:
        """From now on cribs are worth what a spread says."""
        self.crib = spread @ self.np.arange(SHOWS)

    def cribs(self) -> dict[str, Numbers]:
        """What is discarded against players who discard so, and what cribs score then."""
        np = self.np
        for turn in range(14):
            chosen, kept = self.discarded()
            spread = np.zeros((2 * CLASSES, SHOWS))
            self.kernels.spread_cribs(chosen, spread)
            change = np.abs(spread @ np.arange(SHOWS) - self.crib) @ chosen / chosen.sum()
            self.lay_by(spread)
            self.tell(f"cribs: turn {turn + 1}, a crib is worth {change:.4f} more or less than the turn before")
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
        """What cribs score that are dealt: then both seats' other cards and the starter are none of those in them."""
        spread = self.np.zeros((2 * CLASSES, SHOWS))
        self.kernels.deal_cribs(self.state, self.scores, self.crib, self.pegs, spread, 41, self.settings.cribs)
        self.lay_by(spread)
        chosen, kept = self.discarded()
        return {"chosen": chosen, "kept": kept, "spread": spread}

    def practise(self, turn: int, before: dict[str, Numbers] | None) -> dict[str, Numbers]:
        """Play deals and learn from them, going on from the practice before."""
        np, deals = self.np, self.settings.practice[turn]
        weights = before["weights"] if before else np.zeros(WEIGHTS)
        visits = before["visits"] if before else np.zeros(WEIGHTS, np.int64)
        at, told = turn * 10**9, monotonic()
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
                if monotonic() - told > 20:
                    told = monotonic()
                    a_seat = pegged / (at - first) / 2
                    self.tell(f"practice: {at - turn * 10**9:,} of {deals:,} deals, {a_seat:.3f} pegged a seat")
        return {"weights": weights, "visits": visits}

    def peg(self, turn: int, weights: Numbers) -> dict[str, Numbers]:
        """What each group of four cards pegs."""
        pegged = self.np.zeros((2 * HANDS_OF_FOUR, 2, BINS), self.np.int64)
        parts = [(part, self.settings.times[turn] // PARTS) for part in range(PARTS)]
        for done, (_, found) in enumerate(results(self.place, peg_part, self.known(weights), parts, log=self.tell)):
            pegged += found
            self.tell(f"pegs: {done + 1} of {PARTS} parts")
        return {"pegged": pegged}

    def peg_part(self, part: int, times: int, weights: Numbers) -> Numbers:
        """A part of what each group pegs."""
        pegged = self.np.zeros((2 * HANDS_OF_FOUR, 2, BINS), self.np.int64)
        self.kernels.peg_groups(
            *(self.state, self.scores, self.crib, self.pegs, weights, self.named[PLAYS]),
            *(pegged, 1000 + part, times),
        )
        return pegged

    def over_the_board(self, asked: Sequence[int], weights: Numbers) -> dict[str, Numbers]:
        """The chance to win from every score, with its error, and what is shown in a deal."""
        np, batches = self.np, self.settings.batches
        size = self.settings.deals // batches
        paths = [self.path(f"deals{number:02}", [*asked, size]) for number in range(batches)]
        missing = [(number, size) for number, path in enumerate(paths) if not path.exists()]
        for which, made in results(self.place, play_batch, self.known(weights), missing, log=self.tell):
            number = missing[which][0]
            self.save(paths[number], made)
            self.tell(f"deals{number:02}: done")
        parts = []
        for path in paths:
            with np.load(path) as found:
                parts.append(dict(found))
        chances = np.array([part["chances"] for part in parts])
        margin = SURE * chances.std(0, ddof=1) / batches**0.5
        return {"chances": chances.mean(0), "errors": margin, "shows": np.sum([part["shows"] for part in parts], 0)}

    def batch(self, number: int, size: int, weights: Numbers) -> dict[str, Numbers]:
        """One batch of deals: what was shown in them, and the chances to win if all deals are such."""
        np = self.np
        rows, shows = np.zeros((size, practice.ROW), np.int8), np.zeros((3, SHOWS), np.int64)
        self.kernels.play_rows(
            *(self.state, self.scores, self.crib, self.pegs, weights, self.named[PLAYS], rows, shows),
            *(23, number * size, (number + 1) * size),
        )
        chances = np.zeros(practice.TARGET**2)
        self.kernels.go_back(rows, 0, size, chances)
        return {"shows": shows, "chances": chances}


class Known(NamedTuple):
    """What a block of the study begins with."""

    settings: Settings
    crib: Numbers
    pegs: Numbers
    weights: Numbers

    def study(self) -> Study:
        """A study that knows so much."""
        made = Study(Path(), self.settings, lambda line: None)
        made.crib, made.pegs = self.crib, self.pegs
        return made


def peg_part(known: Known, item: tuple[int, int]) -> Numbers:
    """One block of what groups peg: its number, and how often each is played; in few bytes."""
    pegged = known.study().peg_part(*item, known.weights)
    return pegged.astype("int32")


def play_batch(known: Known, item: tuple[int, int]) -> dict[str, Numbers]:
    """One block of whole deals: its number and size."""
    return known.study().batch(*item, known.weights)


def nets(pegged: Numbers) -> Numbers:
    """What each group pegs on average above the other seat."""
    import numpy as np

    means = pegged @ np.arange(BINS) / pegged.sum(2)
    return np.asarray(means[:, 0] - means[:, 1])


def seldom(practised: dict[str, Numbers]) -> Numbers:
    """The weights in whole numbers, without those that were met too seldom to say anything."""
    import numpy as np

    return np.where(practised["visits"] >= 5, np.round(practised["weights"]), 0)


def score_table() -> list[int]:
    """What five ranks score, in the order in which ``itertools`` combines them; 0 for five of one rank."""
    found = []
    for ranks in combinations_with_replacement(range(evaluation.RANKS), 5):
        found.append(int(rank_points(evaluation.set_of_ranks(*ranks))) if ranks[0] != ranks[4] else 0)
    return found


def keep(found: dict[str, Numbers], folder: Path) -> None:
    """Store what was found."""
    import numpy as np

    save_table(folder, "scores", array("q", score_table()))
    for name in ("weights", "chosen", "kept", "pegged", "shows"):
        save_table(folder, name, array("q", found[name].astype(np.int64).ravel().tolist()))
    for name, numbers in (("cribs", found["spread"]), ("chances", found["chances"]), ("errors", found["errors"])):
        save_table(folder, name, array("q", np.round(numbers * WHOLE).astype(np.int64).ravel().tolist()))


def main(arguments: Sequence[str]) -> None:
    """Study, and store what is found."""
    home = Path(evaluation.__file__).parent / "study"
    parser = argparse.ArgumentParser(prog="python -m tools.cribbage_study", description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=Path("build/cribbage"), help="where what is done is kept")
    parser.add_argument("--folder", type=Path, default=home, help="where what is found is stored")
    parser.add_argument("--on", help="'local' for all cores, or a Dask cluster: dask://HOST:PORT; one core otherwise")
    parser.add_argument("--hundredth", action="store_true", help="a hundredth of all deals, to see that it runs")
    asked = parser.parse_args(arguments)
    settings = Settings()
    if asked.hundredth:
        settings = Settings(5_000, (60_000, 60_000), (10, 20), 200, 8_000, 4)
    try:
        with open_executor(asked.on) as place:
            keep(Study(asked.work, settings, show_progress, place).run(), asked.folder)
    except KibitzError as error:
        parser.exit(2, f"{error}\n")


def show_progress(line: str) -> None:
    """Show a line of progress."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
