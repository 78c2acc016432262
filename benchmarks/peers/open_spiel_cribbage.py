"""Whether OpenSpiel's cribbage gives games to the right winner: ``python -m benchmarks.peers.open_spiel_cribbage``.

Random games of OpenSpiel are counted a second time, with our kernels and in the order of the rules: heels, the play
card by card, then the hand of the player who did not deal, the dealer's hand, the crib.  After every step our score
must be the one that OpenSpiel shows.

    right       the player who is the first to have 121 by the rules
    given       the player to whom OpenSpiel's returns give the bonus for winning
    short flush a crib of one suit with a starter of another: worth 4 to OpenSpiel, nothing by the rules

Short flushes are counted as OpenSpiel counts them, so that the figure for wrong winners is that of the order alone.

Needs ``open_spiel``; see docs/cribbage.md for what was found.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple

from benchmarks.harness import whole
from kibitz.cards import as_set, parse
from kibitz.games.cribbage.scoring import JACK, MAX_COUNT, play_points, show_points, value_of

TARGET = 121
SCORES = re.compile(r"Scores: (\d+) (\d+)")
DEALER = re.compile(r"Dealer: (\d)")


class JudgedGame(NamedTuple):
    """One game: who should have won, who was given the win, and whether both had enough in the end."""

    right: int
    given: int
    both: bool
    dealer: int
    short_flushes: int


class Count:
    """One game counted by the rules; ``first`` is the first to have 121, None while nobody has."""

    def __init__(self) -> None:
        self.pegs = [0, 0]
        self.first: int | None = None
        self.short_flushes = 0

    def peg(self, player: int, points: int) -> None:
        """Score, and note who is the first to have enough; later points are counted for the comparison only."""
        self.pegs[player] += points
        if self.first is None and self.pegs[player] >= TARGET:
            self.first = player

    def deal(self, dealer: int) -> None:
        """A new deal."""
        self.dealer = dealer
        self.hands: list[list[int]] = [[], []]
        self.played: list[list[int]] = [[], []]
        self.crib: list[int] = []
        self.trail: list[int] = []
        self.left = 8

    def turn_up(self, starter: int) -> None:
        """The starter: two for his heels."""
        self.starter = starter
        self.peg(self.dealer, 2 if starter >> 2 == JACK else 0)

    def play(self, player: int, card: int) -> None:
        """A card played, and its points; the last of all cards at 31 is followed by the show at once."""
        self.trail.append(card)
        self.played[player].append(card)
        self.left -= 1
        self.last = player
        count = sum(value_of(c) for c in self.trail)
        self.peg(player, int(play_points(self.trail, 0, len(self.trail), count)))
        if count == MAX_COUNT:
            self.trail = []
            self.end_count()

    def end_count(self) -> None:
        """One for the last card unless it made 31; after the last of all cards, the show."""
        if self.trail:
            self.peg(self.last, 1)
        self.trail = []
        if self.left == 0:
            self.show()

    def show(self) -> None:
        """Both hands and the crib, in the order of the rules."""
        for player, crib in ((1 - self.dealer, 0), (self.dealer, 0), (self.dealer, 1)):
            cards = as_set(self.crib if crib else self.played[player])
            points = int(show_points(cards, self.starter, 0))
            self.short_flushes += points - int(show_points(cards, self.starter, crib)) > 0
            self.peg(player, points)


def judge(game: Any, random: Random) -> JudgedGame:
    """One random game of OpenSpiel, counted by the rules beside it; SystemExit if the two do not score the same."""
    state, count = game.new_initial_state(), Count()
    passes = 0
    dealt = 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        action = random.choice([a for a, _ in state.chance_outcomes()] if chance else state.legal_actions())
        words = state.action_to_string(state.current_player(), action).split()
        player = state.current_player()
        if chance and dealt % 13 == 0:
            count.deal(int(DEALER.search(str(state))[1]))
        state.apply_action(action)
        cards = [parse(word) for word in words[1:]]
        if chance:
            dealt += 1
            if dealt % 13 == 0:
                count.turn_up(cards[0])
        elif len(cards) == 2:
            count.crib += cards
        elif cards:
            passes = 0
            count.play(player, cards[0])
        else:
            passes += 1
            if passes == 2:
                passes = 0
                count.end_count()
        shown_scores = [int(n) for n in SCORES.search(str(state)).groups()]
        if shown_scores != count.pegs:
            sys.exit(f"OpenSpiel has {shown_scores} where the rules give {count.pegs}:\n{state}")
    assert count.first is not None
    returns = state.returns()
    return JudgedGame(
        count.first, int(returns[1] > returns[0]), min(count.pegs) >= TARGET, count.dealer, count.short_flushes
    )


def main() -> None:
    """Judge many games and print how many went to the wrong winner."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.open_spiel_cribbage")
    parser.add_argument("--games", type=whole(1), default=2000)
    parser.add_argument("--seed", type=whole(0), default=1)
    options = parser.parse_args()
    if find_spec("pyspiel") is None:
        sys.exit("There is nothing to judge: open_spiel is not installed.")
    import pyspiel

    game, random = pyspiel.load_game("cribbage"), Random(options.seed)
    counts: Counter[JudgedGame] = Counter()
    for n in range(options.games):
        counts[judge(game, random)] += 1
        if sys.stderr.isatty():
            print(f"\r{n + 1} of {options.games} games", end="", file=sys.stderr, flush=True)
    report(counts, options.games)


def report(counts: Counter[JudgedGame], games: int) -> None:
    """Print the shares, and who was given the win where both players had enough."""
    wrong = sum(times for game, times in counts.items() if game.right != game.given)
    margin = 1.96 * (wrong * (games - wrong) / games) ** 0.5
    print(
        f"\r{games} games; {100 * wrong / games:.2f} % ± {100 * margin / games:.2f}"
        f" given to the wrong winner ({wrong})."
    )
    print(f"{sum(times for game, times in counts.items() if game.both)} ended with 121 or more for both players:")
    ends = Counter({game[:4]: 0 for game in counts if game.both})
    for game, times in counts.items():
        if game.both:
            ends[game[:4]] += times
    for (right, given, _, dealer), times in sorted(ends.items()):
        print(f"  dealer {dealer}: {times:5} won by player {right} were given to player {given}")
    others_wrong = sum(times for game, times in counts.items() if game.right != game.given and not game.both)
    print(f"Of the others {others_wrong} went wrong.")
    print(f"Cribs with a short flush: {sum(game.short_flushes * times for game, times in counts.items())}.")


if __name__ == "__main__":
    main()
