"""The questions of line mode before and after a game: the game, its players and options, and what to do next."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from kibitz.cli.line_mode.local_table import CommandExit, GameFiles, play_game
from kibitz.cli.line_mode.person import Quit, print_numbered
from kibitz.cli.player_lookup import find_opponents
from kibitz.cli.records import print_events
from kibitz.cli.screen import BOLD, DIM, Screen, read_number
from kibitz.engine.game import SEED_LIMIT, Game
from kibitz.engine.record import Record
from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import as_sentence
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import KibitzError
from kibitz.players.built_in import default_player, strategies
from kibitz.players.setup import Question, Questions, SetUp, setup_questions, start_choices
from kibitz.players.specs import PlayerSpec
from kibitz.table.session import rotated_by_one


def pick_game(screen: Screen) -> Game:
    """The game that the person picks from a menu."""
    games = all_games()
    print_numbered(screen, "Which game?", (f"{game.name}: {game.summary}" for game in games))
    screen.line(" p) a puzzle of the day: find the best choice", indent="    ")
    while True:
        typed = screen.ask() or "1"
        if number := read_number(typed, len(games)):
            return games[number - 1]
        if typed.lower() == "p":
            solve_a_puzzle(screen)
            return pick_game(screen)
        try:
            return find_game(typed)
        except KibitzError as error:
            screen.line(as_sentence(str(error)))


def solve_a_puzzle(screen: Screen) -> None:
    """Have the person pick and solve a puzzle of the day."""
    from kibitz.cli.puzzle import solve_puzzle

    with suppress(Quit):
        solve_puzzle(screen)
    screen.line()


def pick_opponents(screen: Screen, game: Game, seat: int, people: int, trusted: bool) -> list[PlayerSpec]:
    """The opponents that the person picks, by number, by name, or as player files."""
    built_in = list(strategies(game))
    print_numbered(
        screen,
        "Who are your opponents? One for all seats, or one for each, separated by commas. Player files work too.",
        built_in,
    )
    numbers = {str(number): strategy for number, strategy in enumerate(built_in, 1)}
    while True:
        typed = screen.ask() or default_player(game)
        words = ",".join(numbers.get(word.strip(), word) for word in typed.split(","))
        try:
            return find_opponents(game, seat, words, trusted, people)
        except KibitzError as error:
            screen.line(as_sentence(str(error)))


def pick_start(screen: Screen, game: Game) -> SetUp:
    """The set-up that the person chooses: opponents of one level, a guided first hand, or answers to all questions."""
    options = tuple(start_choices(game))
    default, words = options[0]
    default_text = words.partition(":")[0] + "."
    setup, _ = ask_question(
        Question("start", f"How do you want to play {game.title}?", default, default_text, options), screen
    )
    return setup or ask_setup(setup_questions(game), screen)


# ---------------------------------------------------------------- questions before a game

QUESTION_HELP = (
    ("Enter", "the default, shown below the question"),
    (".", "the default for this and all following questions"),
    ("q", "leave without starting a game"),
)


def ask_setup(questions: Questions, screen: Screen) -> SetUp:
    """Ask all questions and return the set-up. Raises Quit or EOFError if the person leaves."""
    screen.line("Press Enter for the default, '.' for all remaining defaults, ? for help.", DIM)
    defaults_from_here = False
    question = next(questions)
    try:
        while True:
            if defaults_from_here and not question.error:
                answer = question.default
            else:
                answer, defaults_from_here = ask_question(question, screen)
            question = questions.send(answer)
    except StopIteration as stop:
        setup: SetUp = stop.value
        return setup


def ask_question(question: Question, screen: Screen) -> tuple[Any, bool]:
    """The answer to one question, and whether to take the defaults for the rest."""
    show_question(question, screen)
    while True:
        typed = screen.ask()
        match typed.lower():
            case "?" | "help":
                print_help(question, screen)
            case "q" | "quit" | "exit":
                raise Quit
            case ".":
                return question.default, True
            case _:
                try:
                    return question.read(typed), False
                except KibitzError as error:
                    screen.line(as_sentence(str(error)))


def show_question(question: Question, screen: Screen) -> None:
    """Print the question, its choices and the default."""
    screen.line()
    if question.error:
        screen.line(as_sentence(question.error))
    print_numbered(screen, question.text, (words for _, words in question.choices))
    screen.line(f"Enter: {question.default_text}", DIM)


def print_help(question: Question, screen: Screen) -> None:
    """Print what can be typed."""
    screen.line(as_sentence(f"Type {question.valid_answers()}"))
    for key, meaning in QUESTION_HELP:
        screen.line(f"{key:<5}  {meaning}", indent="       ")


# ---------------------------------------------------------------- after a game

NEXT_CHOICES = {
    "r": "rematch; everybody moves to the next seat",
    "l": "show everything that happened, as a spectator saw it",
    "m": "choose another game",
    "q": "leave (or press Enter)",
}
"""The choices after a game: letters, so that a number typed too late for the game doesn't choose anything."""


def play_games(
    screen: Screen, setup: SetUp | None, command_exit: CommandExit, files: GameFiles, seed: int | None = None
) -> None:
    """Play the game that was set up, and then the games that the people at the keyboard choose.

    Only the first game's record is written to the file that the command names. If the first game has a ``seed``, each
    next game has the next number as its seed.
    """
    while setup is not None:
        words = [player.name_or_path for player in setup.players]
        record = play_game(screen, setup.deal(seed), words, command_exit, files)
        seed, files = None if seed is None else (seed + 1) % SEED_LIMIT, files._replace(output=None)
        setup = next_setup(screen, setup, record)


def next_setup(screen: Screen, setup: SetUp, record: Record) -> SetUp | None:
    """The next game; None if everybody leaves."""
    try:
        while True:
            screen.line()
            screen.line("What next?", BOLD)
            for letter, words in NEXT_CHOICES.items():
                screen.line(f"{letter}  {words}")
            match ask_what_next(screen):
                case "r":  # every player moves on by one seat
                    return replace(setup, players=rotated_by_one(setup.players), guided=False)
                case "l":
                    print_events(screen, record, SPECTATOR)
                case "m":
                    return pick_start(screen, pick_game(screen))
                case _:
                    return None
    except (EOFError, KeyboardInterrupt, Quit):
        return None


def ask_what_next(screen: Screen) -> str:
    """Ask what comes next; returns a key of ``NEXT_CHOICES``."""
    while True:
        typed = screen.ask().lower()
        if typed in ("", "n", "no", "quit", "exit"):
            return "q"
        if typed in NEXT_CHOICES:
            return typed
        screen.line("The game is over: type r, l, m or q, or press Enter to leave.")
