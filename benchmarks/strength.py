"""How strong the strong players are: one ``best`` among ``greedy``, every deal from each seat, 95 % intervals.

wins        first places; a first place shared by n seats counts 1/n; ``last`` means last places
time        CPU time of one decision with at least two legal actions
ceiling     the same search when it knows where all cards lie: not a fair player, but an upper bound on what better
            play could win (for Bo see docs/research/bo.md)

``python -m benchmarks strength GAME DEALS [SIMULATIONS]`` plays, and also the ceiling if ``ceiling`` is added;
``--first SEED`` plays other deals.  SIMULATIONS may be replaced by another player, such as ``veteran``, or by the file
of a network (``.npz``).  ``--pool`` plays against each of the styles in ``benchmarks.styles``, with the same style in
all other seats, and against tables of different styles.
``--on local`` plays on all cores, ``--on dask://HOST:PORT`` on a cluster: the games are the same, and the CPU time is
that of the process that plays them.

``python -m benchmarks ladders [GAMES [GAME]]`` measures the strength of the players that come with the games, or with
one of them, and writes the ladders that Kibitz shows (players/ladders.json).  Players that think only with machine code
are left out, since their strength depends on the machine, and so are players whose rating is too uncertain, such as one
that has never won.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import NamedTuple

import msgspec

import kibitz
from benchmarks.harness import MAX_NUMBER, MIN_SAMPLE, a_game, progress, whole
from kibitz.arena.ladder import ladder
from kibitz.arena.rating.standings import finite_or_none, share_margin
from kibitz.engine.game import SEED_LIMIT, Game, Strategy
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import families
from kibitz.engine.sentences import share_text
from kibitz.errors import KibitzError
from kibitz.executors import Executor, map_unordered, open_executor
from kibitz.players.built_in import BEST, LADDERS_FILE, Ladder, built_in_name, ladders, reproducible_players, strategies
from kibitz.players.specs import find_player
from kibitz.search.rollout_planner import has_plans
from kibitz.search.search_players import compile_search, search_players
from kibitz.search.tree_search import Search, search_config
from kibitz.search.veterans import veteran

MIXED = "mixed"
"""The name for a table of different styles."""
FIRST_SEED = 1000

Choose = Callable[[PlainState, list[int], list[int]], int]


@dataclass
class Tally:
    """The results of some deals, each played from every seat."""

    wins: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def sentence(self, what: str) -> str:
        """All figures as a sentence."""
        return (
            f"{what}: first {share(self.wins)}, last {share(self.last)}, {len(self.wins)} deals from every seat;"
            f" {1000 * mean(self.times):.0f} ms of CPU time a decision, {1000 * max(self.times):.0f} ms at most."
        )


def share(values: list[float]) -> str:
    """The mean share of the deals, with its interval."""
    average, deals = mean(values), len(values)
    margin = share_margin(average, sum((value - average) ** 2 for value in values), deals, deals)
    return share_text(average, finite_or_none(margin))


def pool(game: Game) -> dict[str, Strategy]:
    """The simple players of ``benchmarks.styles`` for a game; empty if it has none."""
    name = f"benchmarks.styles.{game.rules.__name__.split('.')[-2]}"
    if find_spec(name) is None:
        return {}
    styles: dict[str, Strategy] = import_module(name).STYLES
    return styles


def rival(game: Game, plan: Plan, deal: int, seat: int) -> Strategy:
    """The strategy of another seat: the player named by the plan, or the next style at a mixed table."""
    styles = pool(game)
    if plan.other == MIXED and styles:
        return list(styles.values())[(deal + seat) % len(styles)]
    return {**strategies(game), **styles}[plan.other]


def error(values: list[float]) -> float:
    """The standard error of a mean."""
    return stdev(values) / len(values) ** 0.5


class Plan(NamedTuple):
    """What to play: the game, the measured player (``who``), and the ``other`` players.

    If ``who`` is a number, the player is a search that simulates so many games: ``told`` means that it knows all cards,
    ``keeps`` that it keeps its tree between moves, ``matching`` that it matches regrets where seats choose at once.
    ``first`` is the seed of the first deal.
    """

    game: str
    who: int | str
    other: str
    told: bool = False
    keeps: bool = False
    matching: bool = False
    first: int = FIRST_SEED

    def sentence(self) -> str:
        """The plan as a sentence."""
        if isinstance(self.who, int):
            notes = (", told all cards" * self.told, ", tree kept" * self.keeps, ", matching" * self.matching)
            player = f"{self.who} simulated games{''.join(notes)}"
        else:
            player = self.who
        return f"{self.game}, {player}, among {self.other}"


def search_choices(game: Game, games: int, plan: Plan, seed: int) -> Choose:
    """A function that chooses by search; ``played`` are the actions since its previous choice."""
    config, random, previous = replace(search_config(game), matching=plan.matching), Random(seed), None

    def choose(state: PlainState, legal: list[int], played: list[int]) -> int:
        nonlocal previous
        view, number = game.view(state, state.player), random.getrandbits(64)
        if previous and plan.keeps:
            previous = previous.after(played, view, legal, number)
        else:
            previous = Search(game, view, legal, number, config, truth=state if plan.told else None)
        previous.simulate(games)
        return previous.choice(random)

    return choose


class GameResult(NamedTuple):
    """The result of one game: the seat's share of the first place and of the last, and the times of its decisions."""

    won: float
    last: float
    times: list[float]


def chooser(game: Game, plan: Plan, seed: int) -> Choose:
    """A function that chooses for the measured player."""
    if isinstance(plan.who, int):
        return search_choices(game, plan.who, plan, seed)
    random = Random(seed)
    name = built_in_name(game, plan.who) or plan.who
    strategy: Strategy = veteran(name) if name.endswith(".npz") else strategies(game)[name]
    return lambda state, legal, played: strategy(game.view(state, state.player), legal, random)


COMPILED: dict[str, Game] = {}
"""Games whose players have their machine code, by name.  A function with a cache could not be sent to workers."""


def compiled(name: str) -> Game:
    """A game whose players have their machine code; some players play differently without it."""
    if name not in COMPILED:
        game = kibitz.game(name)
        compile_search(game)
        for make in game.compile_more:
            make()
        COMPILED[name] = game
    return COMPILED[name]


def against(plan: Plan, deals: int, place: Executor | None = None) -> Tally:
    """Play the plan: the measured player takes every seat of every deal in turn."""
    seats = kibitz.game(plan.game).seats
    items = [(deal, seat) for deal in range(deals) for seat in range(seats)]
    results_by_number: dict[int, GameResult] = {}
    for number, result in map_unordered(place, play, plan, items):
        results_by_number[number] = result
        progress(f"{plan.game}: {len(results_by_number)} of {len(items)} games")
    progress("")
    tally = Tally()
    for deal in range(deals):
        games = [results_by_number[deal * seats + seat] for seat in range(seats)]
        tally.wins.append(mean(game.won for game in games))
        tally.last.append(mean(game.last for game in games))
        tally.times += [time for game in games for time in game.times]
    return tally


def play(plan: Plan, item: tuple[int, int]) -> GameResult:
    """Play one game; the ``item`` is the deal, and the seat of the measured player."""
    deal, seat = item
    game = compiled(plan.game)
    seed, times, played = plan.first + deal, list[float](), list[int]()
    choose, others = chooser(game, plan, seed), [rival(game, plan, deal, p) for p in range(game.seats)]
    state, random = game.deal(seed), Random(seed * game.seats + seat)
    while not state.over:
        legal = game.legal(state)
        if len(legal) == 1:
            action = legal[0]
        elif state.player == seat:
            start = process_time()
            action = choose(state, legal, played)
            times.append(process_time() - start)
            played = []
        else:
            action = others[state.player](game.view(state, state.player), legal, random)
        played.append(action)
        game.rules.apply(state, action)
    outcome = game.result(state, frozenset())
    scores, winners = outcome.scores, outcome.winners
    won = (seat in winners) / max(1, len(winners))
    return GameResult(won, float(scores[seat] == min(scores) < max(scores)), times)


def check_players(game: Game, who: str, other: str) -> None:
    """Raise NotationError if a player does not exist."""
    if who.endswith(".npz"):
        veteran(who)
    elif not who.isdecimal():
        find_player(game, who)
    if other not in {*pool(game), MIXED}:
        find_player(game, other)


def main(arguments: list[str]) -> None:
    """The shares of one game: GAME DEALS [SIMULATIONS] [ceiling] [--on PLACE]."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__.partition("\n")[0])
    parser.add_argument("game", type=a_game)
    parser.add_argument("deals", type=whole(MIN_SAMPLE))
    parser.add_argument("words", nargs="*", metavar="SIMULATIONS | PLAYER | FILE.npz | ceiling")
    parser.add_argument("--among", default="greedy", help="who has the other seats: greedy")
    parser.add_argument("--pool", action="store_true", help="against every style, and mixed tables")
    parser.add_argument("--on", help="'local' for all cores, or a Dask cluster: dask://HOST:PORT; one core otherwise")
    parser.add_argument("--keep", action="store_true", help="keep the tree between moves")
    parser.add_argument("--matching", action="store_true", help="match regrets where seats choose at once")
    parser.add_argument(
        "--first", type=whole(0, SEED_LIMIT - 1 - MAX_NUMBER), default=FIRST_SEED, help="the seed of the first deal"
    )
    options = parser.parse_args(arguments)
    players = [word for word in options.words if word != "ceiling"]
    try:
        game = options.game
        best = search_players(game).get(BEST)
        who = players[0] if players else str(best.games) if best and not has_plans(game) else BEST
        check_players(game, who, options.among)
        if "ceiling" in options.words and not who.isdecimal():
            parser.error(f"{who} does not search, so it has no ceiling here.")
        if options.pool and not pool(game):
            parser.error(f"There are no styles for {game.name} in benchmarks/styles.")
        rivals = [*pool(game), MIXED] if options.pool else [options.among]
        with open_executor(options.on) as place:
            for knows_all in (False, True) if "ceiling" in options.words else (False,):
                number = int(who) if who.isdecimal() else who
                for other in rivals:
                    plan = Plan(game.name, number, other, knows_all, options.keep, options.matching, options.first)
                    print(against(plan, options.deals, place).sentence(plan.sentence()), flush=True)
    except (KibitzError, OSError) as error:
        parser.exit(2, f"{error}\n")


LADDER_GAMES, LADDER_SEED, WIDEST = 240, 1, 150


def measured_ladder(game: Game, games: int) -> Ladder:
    """The ladder of a game."""
    deals = -(-games // game.seats)
    rungs = ladder(game, deals, LADDER_SEED, 1, players=list(reproducible_players(game))).rungs
    certain = [rung for rung in rungs if rung.margin is not None and rung.margin <= WIDEST]
    players = {rung.name: (round(rung.points), round(rung.margin or 0)) for rung in certain}
    return Ladder(game.rules.VERSION, deals, LADDER_SEED, players)


def ladders_main(arguments: list[str]) -> None:
    """Measure the ladders of all games, or of one, and write players/ladders.json."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks ladders", description=ladders_main.__doc__)
    parser.add_argument("games", type=whole(1), nargs="?", default=LADDER_GAMES)
    parser.add_argument("game", type=a_game, nargs="?", help="one game alone")
    options = parser.parse_args(arguments)
    all_ladders = dict(ladders()) if LADDERS_FILE.exists() else {}
    for family in families():
        game = family.games[0]
        if options.game is None or options.game.name == game.name:
            all_ladders[game.name] = measured_ladder(game, options.games)
            print(game.name, all_ladders[game.name].players, flush=True)
            LADDERS_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(all_ladders), indent=1) + b"\n")
