"""OpenSpiel's games (C++), if ``open_spiel`` is installed: their speed, and where they differ from the rules.

Kibitz does not need it: ``pip install open_spiel`` into the environment adds these figures.  ``python -m benchmarks
open_spiel [NAME]`` shows where OpenSpiel differs from the rules, or shows what is hidden; docs/comparison.md and
docs/cribbage.md have the results:

    fold        limit hold'em with all bets: random legal play ends in an error, since a fold is offered without a bet
    layoff      gin rummy: while cards are laid off, the knocker's observation as data contains the other hand, but not
                the observation as text
    search      its searches in C++ end the process if the game is written in Python
    cribbage    whether games are given to the right winner

Random games of its cribbage are counted a second time, with our kernels and in the order of the rules: heels, the play
card by card, then the hand of the player who did not deal, the dealer's hand, the crib.  After every step our score
must be the one that OpenSpiel shows.

    right       the player who is the first to have 121 by the rules
    given       the player to whom OpenSpiel's returns give the bonus for winning
    short flush a crib of one suit with a starter of another: worth 4 to OpenSpiel, nothing by the rules

Short flushes are counted as OpenSpiel counts them, so that the figure for wrong winners is that of the order alone.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple

from benchmarks.harness import Probe, cpu_rate, progress, whole
from kibitz.cards import as_set, parse
from kibitz.games.cribbage.scoring import JACK, MAX_COUNT, play_points, show_points, value_of

MISSING = "Without a peer, since open_spiel is not installed."


def random_games(name: str) -> Probe | None:
    """A probe: games a second of OpenSpiel's game ``name``, or None where it is not installed."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in range(game.num_players())]
    seed = 0

    def play() -> int:
        nonlocal seed
        seed += 1
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 1

    return cpu_rate(play)


def searches(name: str, simulations: int = 500) -> Probe | None:
    """A probe: simulations a second of OpenSpiel's ISMCTS at the first decision of ``name``, random rollouts."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 7), 1.0, simulations)

    def think() -> int:
        bot.step(state)
        return simulations

    return cpu_rate(think)


GAMES = 400
SEED = 1


def chance(state: Any, random: Random) -> int:
    """An outcome of chance by its odds."""
    outcomes = state.chance_outcomes()
    return int(random.choices([action for action, _ in outcomes], [odds for _, odds in outcomes])[0])


def fold() -> None:
    """Play limit hold'em at random, and print how far that came."""
    import pyspiel

    game = pyspiel.load_game(pyspiel.hulh_game_string("fullgame"))
    random = Random(SEED)
    for number in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = [] if state.is_chance_node() else state.legal_actions()
            action = random.choice(legal) if legal else chance(state, random)
            action_text = "" if state.is_chance_node() else state.action_to_string(action)
            print(f"fold: game {number + 1}, {action_text}", file=sys.stderr, flush=True)
            state.apply_action(action)
    print(f"fold: all of {GAMES} random games of limit hold'em came to their end")


def layoff() -> None:
    """Count the positions of laying off in which the knocker is shown the other hand."""
    import pyspiel

    game, random = pyspiel.load_game("gin_rummy"), Random(SEED)
    n_positions = n_shown = 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            action = chance(state, random) if state.is_chance_node() else random.choice(state.legal_actions())
            state.apply_action(action)
            if not state.is_terminal() and not state.is_chance_node() and "Phase: Layoff" in str(state):
                n_positions += 1
                n_shown += other_hand_is_shown(state)
    print(f"layoff: in {n_shown} of {n_positions} positions the knocker's observation has the other hand in it")


def other_hand_is_shown(state: Any) -> bool:
    """Whether the knocker's data has the hand of the seat that lays off, which the observation as text hides."""
    player = state.current_player()
    shown_hand = state.to_observation_struct(1 - player).to_dict()["hands"][player]
    text = state.observation_string(1 - player)
    return bool(shown_hand) and f"Player{player}: Deadwood" not in text


def search() -> None:
    """Let a search in C++ make one move of a game that is written in Python."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker  # noqa: F401 - registers it

    game = pyspiel.load_game("python_kuhn_poker")
    random = Random(SEED)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance(state, random))
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 10, 1, True, SEED, False)
    print(f"search: it chose {bot.step(state)}")


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


def report(counts: Counter[JudgedGame], games: int) -> None:
    """Print the shares, and who was given the win where both players had enough."""
    wrong = sum(times for game, times in counts.items() if game.right != game.given)
    margin = 1.96 * (wrong * (games - wrong) / games) ** 0.5
    print(
        f"{games} games; {100 * wrong / games:.2f} % ± {100 * margin / games:.2f} given to the wrong winner ({wrong})."
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


def cribbage(games: int, seed: int) -> None:
    """Judge random games of cribbage, and print how many went to the wrong winner."""
    import pyspiel

    game, random = pyspiel.load_game("cribbage"), Random(seed)
    counts: Counter[JudgedGame] = Counter()
    for n in range(games):
        counts[judge(game, random)] += 1
        progress(f"{n + 1} of {games} games")
    progress("")
    report(counts, games)


TRIED: dict[str, Callable[[], None]] = {"fold": fold, "layoff": layoff, "search": search}


def main(words: list[str]) -> None:
    """Try fold, layoff and search, each in a process of its own; or the one that is named, in this one; or cribbage."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks open_spiel", description=main.__doc__)
    parser.add_argument("name", choices=[*TRIED, "cribbage"], nargs="?")
    parser.add_argument("--games", type=whole(1), default=2000, help="games of cribbage")
    parser.add_argument("--seed", type=whole(0), default=1, help="the seed of the games of cribbage")
    options = parser.parse_args(words)
    if find_spec("pyspiel") is None:
        print("open_spiel is not installed: pip install open_spiel")
    elif options.name == "cribbage":
        cribbage(options.games, options.seed)
    elif options.name:
        TRIED[options.name]()
    else:
        for name in TRIED:
            tried(name)


def tried(name: str) -> None:
    """Try one in its own process, and print its result or how the process ended."""
    command = [sys.executable, "-m", "benchmarks", "open_spiel", name]
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode == 0:
        print(finished.stdout.strip(), flush=True)
        return
    progress = [line for line in finished.stderr.splitlines() if line.startswith(f"{name}: ")]
    ending = f"by signal {-finished.returncode}" if finished.returncode < 0 else f"with status {finished.returncode}"
    print(f"{progress[-1] if progress else name}: the process ended {ending}", flush=True)
