"""Train a player of President by self-play: deep Monte Carlo, as in DouZero (Zha et al., 2021).

    python examples/learning/train.py FOLDER                begin, or go on after a stop
    python examples/learning/train.py FOLDER --rounds 500   a short one

A network says what each legal action is worth, all four seats take the best or now and then any other, and the network
is fitted to what came of the choices: the mean of that is their worth, and so the choices become better.

In FOLDER lie then ``president.npz``, the player; ``curve.svg`` and ``curve.csv``, how often it came first among three
``quick`` as it learned; and ``training.pt``, from which it goes on: what comes then is what would have come.
"""

import argparse
import os
import pickle
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
try:
    import torch
except ModuleNotFoundError:
    sys.exit("Training needs PyTorch: pip install 'kibitz[learn]'.")
from nets import Net, floats
from selfplay import SelfPlay, share_of_wins

from kibitz.arena.csv_files import as_text
from kibitz.engine.file_io import atomic_file, write_atomically
from kibitz.plots import Line, Point, charts

GAME = "president:rounds=2"
"""The first of the two rounds is dealt, in the second the cards are traded as in every later one."""
LANES, HIDDEN = 1024, (128, 64)
BATCH, TURNS = 512, 2
"""Rows of one step of learning, and such steps for each step of the games."""
RATE, CURIOUS, TRIED = 0.0015, (0.06, 0.01), 6000
"""The learning rate at first; how often any action is tried, at first and in the end; games of a point of the curve."""
POINTS = 20


class Training:
    """A network, its games against itself, and how far they have come; ``curve`` has its points so far."""

    def __init__(self, rounds, seed, lanes=LANES):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.told = (GAME, rounds, seed, lanes)
        self.rounds, self.play, self.curve, self.seconds = rounds, SelfPlay(GAME, lanes, seed), [], 0.0
        self.net = Net(self.play.inputs.view_cells, self.play.inputs.action_cells, HIDDEN)
        self.adam = torch.optim.Adam(self.net.parameters(), RATE)

    @property
    def left(self):
        """How much of it is left, from 1 to 0."""
        return max(0.0, 1 - self.play.finished / self.rounds)

    def step(self):
        """One step in all games, and what is learned meanwhile."""
        first, last = CURIOUS
        self.play.step(self.net.values, last + (first - last) * self.left)
        for group in self.adam.param_groups:
            group["lr"] = RATE * max(self.left, 0.02)
        for _ in range(TURNS):
            seen, taken, worth = self.play.drawn(BATCH)
            if 4 * len(worth) > BATCH:
                loss = torch.nn.functional.mse_loss(self.net(floats(seen), floats(taken)), torch.from_numpy(worth))
                self.adam.zero_grad()
                loss.backward()
                self.adam.step()

    def measure(self):
        """The next point of the curve."""
        share, margin = share_of_wins(self.net.values, TRIED, seed=1)
        self.curve.append((self.play.finished, share, margin))

    def save(self, folder):
        """Write all down, each file whole or not at all."""
        parts = {"net": self.net.state_dict(), "adam": self.adam.state_dict(), "play": self.play.snapshot()}
        with atomic_file(folder / "training.pt", force=True) as draft:
            torch.save({"told": self.told, "curve": self.curve, "seconds": self.seconds, **parts}, draft)
        with atomic_file(folder / "president.npz", force=True) as draft, draft.open("wb") as file:
            self.net.shipped(self.play.inputs.about).write(file)
        plot = drawn(self.curve)
        write_atomically(folder / "curve.svg", plot.svg, force=True)
        write_atomically(folder / "curve.csv", as_text([plot.columns, *plot.rows]), force=True)

    def restore(self, path):
        """Go on from what was saved; ends with a sentence where that is none, or another training."""
        try:
            saved = torch.load(path, weights_only=True)
            told = tuple(saved["told"])
        except (pickle.UnpicklingError, EOFError, KeyError, RuntimeError, TypeError):
            sys.exit(f"{path} is no training that can be gone on with: take another folder.")
        if told != self.told:
            names = ("game", "rounds", "seed", "lanes")
            was, now = (
                ", ".join(f"{name} {one}" for name, one in zip(names, t, strict=True)) for t in (told, self.told)
            )
            sys.exit(f"{path} is of {was}; asked for is {now}. Ask for the same, or take another folder.")
        self.net.load_state_dict(saved["net"])
        self.adam.load_state_dict(saved["adam"])
        self.play.restore(saved["play"])
        self.curve, self.seconds = saved["curve"], saved["seconds"]


def drawn(curve):
    """The learning curve as a picture with its table."""
    points = tuple(Point(rounds, share, margin) for rounds, share, margin in curve)
    return charts(
        "curve",
        "First places among three quick",
        "How often the network comes first among three players quick, by the rounds that it has played against itself.",
        [Line("the network", points)],
        percent=True,
        label="rounds played",
        reference=0.25,
        columns=("player", "rounds", "share", "margin", "remark"),
    )


def train(folder, rounds, seed=1, lanes=LANES, stop=None):
    """Train to the end, or until so many rounds are played (``stop``), from where the folder's training stands."""
    folder.mkdir(parents=True, exist_ok=True)
    training = Training(rounds, seed, lanes)
    if (folder / "training.pt").exists():
        training.restore(folder / "training.pt")
        print(f"Going on after {training.play.finished:,} rounds.", flush=True)
    play, last, begun = training.play, time.monotonic(), time.process_time() - training.seconds
    while play.finished < (stop or rounds):
        training.step()
        if play.finished >= min(rounds, (len(training.curve) + 1) * rounds / POINTS):
            training.measure()
            training.seconds = time.process_time() - begun
            training.save(folder)
            _, share, margin = training.curve[-1]
            print(
                f"\r{play.finished:9,} of {rounds:,} rounds, {training.seconds:.0f} s of CPU time:"
                f" first in {share:.1%} ± {margin:.1%} among three quick",
                flush=True,
            )
        elif sys.stdout.isatty() and time.monotonic() - last > 1:
            last = time.monotonic()
            print(f"\r{play.finished:9,} of {rounds:,} rounds ", end="", flush=True)
    return training


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the player, its curve and its training are written")
    parser.add_argument("--rounds", type=int, default=60_000, help="rounds that it plays against itself (60000)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.rounds < 1 or not 0 <= asked.seed < 1 << 64:
        parser.error("--rounds is at least 1, and --seed from 0 to 2**64 - 1.")
    try:
        train(asked.folder, asked.rounds, asked.seed)
    except OSError as error:
        sys.exit(f"{error.filename or asked.folder} cannot be used: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on from the last point of the curve.")
    print(f"{asked.folder / 'president.npz'} is the player.")


if __name__ == "__main__":
    main()
