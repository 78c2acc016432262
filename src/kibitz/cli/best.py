"""``kibitz best``: every choice in a position, with its value and how certain that is.

In cribbage, discards to the crib are ranked with precomputed results of simulated games (``games.cribbage.discards``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from kibitz.cards import code, parse_hand, short_repr, symbols
from kibitz.cli import options
from kibitz.cli.records import choices_data, show_choices
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, print_text, progress_bar
from kibitz.engine import setup_position
from kibitz.engine.columns import tabulated
from kibitz.engine.record import read_any
from kibitz.engine.registry import command_name, is_path
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import share_text
from kibitz.errors import KibitzError, NotationError
from kibitz.table import Table

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.engine.views.events import View
    from kibitz.games.cribbage.discards import Choice
    from kibitz.search.advice import Advice


MAX_SECONDS = 3600
MAX_THREADS = 64

Rollouts = Annotated[
    int | None,
    Parameter(
        converter=options.whole_number(0, options.MAX_COUNT),
        help="Number of simulated games. Default: 2000 (Bo and Huxxy: 5000); fewer without compiled code. With 0,"
        " nothing is simulated: one of the game's strategies chooses, and the output names it.",
    ),
]
Seconds = Annotated[
    float | None,
    Parameter(
        converter=options.real_number(lambda value: 0 <= value <= MAX_SECONDS, f"from 0 to {MAX_SECONDS} seconds"),
        help="Instead of --rollouts: simulate games for this many seconds.",
    ),
]
Threads = Annotated[
    int,
    Parameter(
        converter=options.whole_number(1, MAX_THREADS),
        help="Cores to use. Each builds a search tree of its own, so results change with the number of cores.",
    ),
]
Step = Annotated[
    int | None,
    Parameter(
        converter=options.whole_number(0, 10**9),
        help="With a record: the position after this many actions. Default: the last.",
    ),
]
Facts = Annotated[
    str,
    Parameter(
        name="--FACT",
        help="A fact about the position: options of the game, such as --counts, which 'kibitz best GAME' lists.",
    ),
]


class SearchOptions(NamedTuple):
    """How many games or seconds to search, on how many cores, and whether to hide progress."""

    games: int | None
    seconds: float | None
    threads: int
    quiet: bool


def best(
    game: Annotated[str, Parameter(help="A game, such as go or bo:players=3, or the record of a game.")],
    /,
    *hand: Annotated[str, Parameter(help="Your cards, such as '5H 6S 7D JC QD KS'.")],
    step: Step = None,
    rollouts: Rollouts = None,
    seconds: Seconds = None,
    threads: Threads = 1,
    seed: options.SeedWithDefault = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
    **facts: Facts,
) -> None:
    """Rank the moves that you could make, best first, with estimated values and margins of error.

    Give a game, your hand and what you know of the table: 'kibitz best GAME' lists the facts that the game accepts.
    With a record, the advice is for the seat to move, and uses only what that seat knows.
    """
    if rollouts is not None and seconds is not None:
        raise NotationError("--rollouts and --seconds are both budgets: give one of them.")
    screen, search = Screen(ascii), SearchOptions(rollouts, seconds, threads, quiet)
    if os.path.isfile(game):
        if hand or facts:
            raise NotationError(f"{game} is a record, which already has the cards: leave the hand and facts out.")
        advise_record(Path(game), step, search, seed, screen, in_json=json)
        return
    if step is not None:
        raise NotationError(f"--step needs a record, and {game} is not a file.")
    path = game.partition(":")[0]
    if (is_path(path) or Path(path).suffix) and not os.path.exists(path):
        raise NotationError(f"{path} doesn't exist: name a game or a record.")
    advise_hand(game, " ".join(hand), facts, search, seed, screen, in_json=json)


def advise_hand(
    name: str, hand: str, facts: dict[str, str], search: SearchOptions, seed: int, screen: Screen, *, in_json: bool
) -> None:
    """Advise on a position given by facts; without any, list the facts that the game accepts."""
    game = find_game(options.resolve_game_name(name))
    facts = {**({setup_position.HAND: hand} if hand else {}), **facts}
    if not facts:
        print_facts(game, screen)
        return
    if is_crib_question(game, facts):
        print_discards(game, facts, screen, in_json=in_json)
        return
    views = setup_position.views_from_facts(game, facts, seed)
    advice = compute_advice(game, views, search, seed)
    if in_json:
        print_json({"game": game.name, "facts": facts, **choices_data(game, views[0], advice)})
        return
    show_choices(game, views[0], advice, game.words.prompt(views[0]), screen)
    if len(views) > 1:
        screen.line(f"Unknown cards were drawn at random {len(views)} times; the margins of error allow for this.", DIM)


def advise_record(
    path: Path, step: int | None, search: SearchOptions, seed: int, screen: Screen, *, in_json: bool
) -> None:
    """Advise the seat to move in a record, at a step or at its end."""
    record = read_any(path)
    table = Table.resume(record)
    if step is None and table.over:
        raise KibitzError(f"the game in {path} is over: choose a position with --step 0 to {table.step - 1}.")
    table_at_step = table if step is None else table.at(step)
    if not table_at_step.waiting:
        raise KibitzError(f"nobody has a choice after {table_at_step.step} actions.")
    seat, game = table_at_step.waiting[0], table.game
    view = table_at_step.view(seat)
    advice = compute_advice(game, [view], search, seed)
    if in_json:
        print_json({"game": game.name, "step": table_at_step.step, "seat": seat, **choices_data(game, view, advice)})
        return
    action = record.actions[table_at_step.step] if table_at_step.step < len(record.actions) else None
    title = f"{record.seats[seat]}, after {table_at_step.step} actions: {game.words.prompt(view)}"
    show_choices(game, view, advice, title, screen, action)


def compute_advice(game: Game, views: list[View], search: SearchOptions, seed: int) -> Advice:
    """The advice within the budget, with a progress bar."""
    from kibitz.arena.reviews import affordable_games
    from kibitz.search.advice import Budget, advise, legal_of
    from kibitz.search.search_players import default_games

    games = search.games
    if games is None:  # as many as take a moment
        games = affordable_games(game, default_games(game), len(legal_of(game, views[0])))
    with progress_bar("simulated {} of {} games", "thinking", quiet=search.quiet) as progress:
        budget = Budget(games, search.seconds, search.threads)
        return advise(game, views, budget, seed, lambda done: progress(done, games))


def print_facts(game: Game, screen: Screen) -> None:
    """List the facts that describe a position of a game, with an example."""
    module = setup_position.module_of(game)
    if module is None:
        raise setup_position.no_facts_error(game)
    screen.line(f"What 'kibitz best {command_name(game.name)}' accepts:")
    for fact, meaning in module.FACTS.items():
        name = "HAND" if fact == setup_position.HAND else f"--{fact}"
        screen.line(f"  {name:<11} {meaning}", indent=" " * 14)
    screen.line("For example:")
    print_text(setup_position.example_command(game))


# ---------------------------------------------------------------- cribbage's crib

HAND_SIZE = 6
"""The cards of a hand before the discard."""
SCORE = re.compile(r"(\d{1,4})[-–:](\d{1,4})")
CRIBS = {"mine": "your crib", "theirs": "your opponent's crib"}


def is_crib_question(game: Game, facts: Mapping[str, str]) -> bool:
    """Whether a question is about six cards in cribbage, or about the score before they are dealt."""
    is_six_card_cribbage = {"discards", "target"} <= {*game.options} and game.options.get("hand_size") == HAND_SIZE
    return is_six_card_cribbage and game.variant == "standard" and not {*facts} - {"hand", "crib", "score"}


def print_discards(game: Game, facts: Mapping[str, str], screen: Screen, *, in_json: bool) -> None:
    """Print all discards to the crib, ranked by the chance to win; without a hand, the chance before the deal."""
    crib = facts.get("crib", "")
    scores = read_scores(facts.get("score", "0-0"), game.options["target"])
    if crib not in CRIBS:
        if crib:
            raise NotationError(f"--crib must be mine or theirs, not {short_repr(crib)}.")
        raise NotationError("Say whose crib it is: --crib mine or --crib theirs.")
    if not facts.get("hand"):
        print_chance_before_deal(game, scores, crib, screen, in_json=in_json)
        return
    from kibitz.games.cribbage.discards import choices

    cards = sorted(read_six_cards(facts["hand"]))
    ranked = choices(cards, scores, dealer=crib == "mine", target=game.options["target"])
    if in_json:
        question = {"game": game.name, "hand": [code(card) for card in cards], "crib": crib, "score": scores}
        print_json({**question, "choices": [choice_data(choice) for choice in ranked]})
        return
    screen.line(f"{symbols(cards)}, {CRIBS[crib]}, {scores[0]} to {scores[1]}", BOLD)
    for line in choice_rows(ranked):
        screen.line(line)
    screen.line("chance: of winning the game; points: your hand, crib and pegging minus your opponent's.", DIM)
    screen.line("± is a 95 % interval from simulated play; hands and starters are counted exactly.", DIM)


def read_scores(text: str, target: int) -> tuple[int, int]:
    """Both players' scores from text such as 110-115. Raises NotationError unless both are below the target."""
    match = SCORE.fullmatch(text.replace(" ", ""))
    if not match:
        raise NotationError(f"--score must be your score and your opponent's, such as 110-115, not {short_repr(text)}.")
    scores = int(match[1]), int(match[2])
    for points in scores:
        if points >= target:
            raise NotationError(f"--score must have scores from 0 to {target - 1}: with {points} the game is over.")
    return scores


def read_six_cards(text: str) -> list[int]:
    """Six different cards from text. Raises NotationError for anything else."""
    cards = parse_hand(text.replace(",", " "))
    if any(card >= 52 for card in cards):
        raise NotationError("Cribbage is played without jokers.")
    if len(cards) != HAND_SIZE:
        raise NotationError(f"a cribbage hand has {HAND_SIZE} cards before the discard, not {len(cards)}.")
    return cards


def print_chance_before_deal(game: Game, scores: tuple[int, int], crib: str, screen: Screen, *, in_json: bool) -> None:
    """Print the chance to win before the cards are dealt."""
    from kibitz.games.cribbage.evaluation import win_chance

    chance, margin = win_chance(*scores, dealer=crib == "mine", target=game.options["target"])
    if in_json:
        answer = {"game": game.name, "crib": crib, "score": scores, "chance": chance, "chance_margin": margin}
        print_json(answer)
        return
    screen.line(f"{scores[0]} to {scores[1]} before a deal with {CRIBS[crib]}: you win {chance_text(chance, margin)}.")


def choice_data(choice: Choice) -> dict[str, object]:
    """A choice as JSON data."""
    return {
        "discard": [code(card) for card in choice.discarded],
        "keep": [code(card) for card in choice.kept],
        **{name: round(getattr(choice, name), 5) for name in choice.__struct_fields__[2:]},
    }


def choice_rows(ranked: list[Choice]) -> list[str]:
    """The choices as a table."""
    headings = ["#", "discard", "keep", "chance", "points", "hand", "crib", "you peg", "they peg"]
    rows = [headings]
    for number, choice in enumerate(ranked, 1):
        points = f"{choice.points:+.2f} ± {choice.points_margin:.2f}"
        parts = (f"{part:.2f}" for part in (choice.hand, choice.crib, choice.pegs, choice.against))
        chance = chance_text(choice.chance, choice.chance_margin)
        rows.append([str(number), symbols(choice.discarded), symbols(choice.kept), chance, points, *parts])
    return tabulated(rows, range(len(headings)))


def chance_text(chance: float, margin: float) -> str:
    """A chance with its error, which is rounded up.

    >>> chance_text(0.5, 0.0004), chance_text(0.002, 0.0061)
    ('50.0 % ± 0.1', '0.2 % (0–0.9 %)')
    """
    return share_text(chance, ceil(1000 * margin) / 1000)
