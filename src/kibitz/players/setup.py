"""Setting up a game as questions (how many players, who they are, every option), or resuming a saved one.

    question    the text, the choices, the default for Enter, and how an answer is read
    player      who has a seat: a name at the table, and a computer player or the path of a file; None for a person
    set-up      the result: a game with its options, and its players

Questions are data: line mode and the full screen drive the generator ``setup_questions`` by sending back the result of
``Question.read``.  This module neither prints nor reads input.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.cards import short_repr
from kibitz.engine.game import NO_LIMIT, Game, fresh_seed
from kibitz.engine.options import Option, capital
from kibitz.engine.player_names import clean_name, distinct_names, typed_name
from kibitz.engine.record import AnyRecord, UnfinishedRecord, read_any
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError, NotationError
from kibitz.players.built_in import default_player, levels, strategies
from kibitz.players.compiling import weaker_notice
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.table.saved import SavedGame, saved_games_folder
from kibitz.table.session import GUIDED_NOTE

PERSON = "a person"
NAME_OF_A_PERSON = "Guest"


@dataclass(frozen=True)
class Question:
    """One question of the dialogue.

    ``choices`` are the values that may be picked by number, each with its words. If ``multiple``, any number of choices
    may be picked, and the value is a set of bits. ``span`` is the range of a number. ``read_other`` reads an answer
    that isn't one of the choices. If the question is asked again, ``error`` says what was wrong with the last answer.
    """

    key: str
    text: str
    default: Any
    default_text: str
    choices: tuple[tuple[Any, str], ...] = ()
    multiple: bool = False
    span: tuple[int, int] | None = None
    read_other: Callable[[str], Any] | None = None
    error: str = ""

    def read(self, typed: str) -> Any:
        """The value of an answer, or the default if it is empty. Raises NotationError if the answer isn't valid."""
        if not typed:
            return self.default
        if self.multiple:
            return self.read_several(typed)
        number = number_typed(typed)
        if 1 <= number <= len(self.choices):
            return self.choices[number - 1][0]
        if self.read_other is not None and not (self.choices and typed.isdigit()):
            return self.read_other(typed)
        if self.span is not None and self.span[0] <= number <= self.span[1]:
            return number
        raise NotationError(f"{short_repr(typed)} isn't a valid answer: type {self.valid_answers()}.")

    def valid_answers(self) -> str:
        """The valid answers, as the end of a sentence."""
        or_enter = "or press Enter"
        if self.multiple:
            return f"numbers separated by spaces, 'all' or 'none', {or_enter}"
        if self.choices:
            return f"a number from 1 to {len(self.choices)}, {or_enter}"
        if self.span is not None:
            low, high = self.span
            return f"a number from {low} {'on' if high == NO_LIMIT else f'to {high}'}, {or_enter}"
        return f"a name, {or_enter}"

    def read_several(self, typed: str) -> int:
        """A set of choices as bits."""
        if typed.lower() in ("all", "none"):
            return (1 << len(self.choices)) - 1 if typed.lower() == "all" else 0
        result = 0
        for word in typed.replace(",", " ").split():
            if not 1 <= (number := number_typed(word)) <= len(self.choices):
                raise NotationError(f"{short_repr(word)} isn't one of the choices: type {self.valid_answers()}.")
            result |= 1 << (number - 1)
        return result


def number_typed(typed: str) -> int:
    """The number in a text; -1 if it isn't a number or is too large for any option.

    >>> number_typed("12"), number_typed("-3"), number_typed("9" * 5000)
    (12, -1, -1)
    """
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= len(str(NO_LIMIT)) else -1


@dataclass(frozen=True)
class SeatPlayer:
    """One seat's player: the name at the table, and a computer player's name or path (None for a person)."""

    name: str
    name_or_path: str | None = None


@dataclass(frozen=True)
class SetUp:
    """The game to play, and who sits where; if ``guided``, the deal is that of the game's guided first hand."""

    game: Game
    players: tuple[SeatPlayer, ...]
    guided: bool = False

    def deal(self, seed: int | None = None) -> Table:
        """A new table; without a seed a secret one is drawn."""
        lesson = self.game.lesson if self.guided else None
        names = [player.name for player in self.players]
        if lesson is None:
            return Table.deal(self.game, fresh_seed() if seed is None else seed, names)
        table = Table.deal(self.game, lesson.seed, names)
        table.note(GUIDED_NOTE)
        return table


def start_choices(game: Game) -> list[tuple[SetUp | None, str]]:
    """The ways to begin, the easiest first, each with its words: a ready set-up, or None to be asked every question."""
    set_ups: list[tuple[SetUp | None, str]] = [
        (set_up_against(game, level), f"{level}: {player.line} {weaker_notice(game, [player.name])}".rstrip())
        for level, player in levels(game).items()
    ]
    if game.lesson:
        guided = replace(set_up_against(find_game(game.lesson.game), "Easy"), guided=True)
        set_ups.append((guided, "Learn by playing: a guided first hand"))
    return [*set_ups, (None, "Choose each player and the options first")]


def set_up_against(game: Game, level: str) -> SetUp:
    """A person, and a computer player of one level in every other seat."""
    opponents = game.seats - 1
    names = distinct_names([NAME_OF_A_PERSON, *[level] * opponents])
    return SetUp(game, tuple(map(SeatPlayer, names, (None, *[levels(game)[level].name] * opponents))))


Questions = Generator[Question, Any, SetUp]


def setup_questions(game: Game) -> Questions:
    """Yield the questions for one game, in order; send back what each question's ``read`` returned."""
    declared: Mapping[str, Option] = {option.name: option for option in game.words.OPTIONS}
    answers: dict[str, int] = {}
    if "players" in game.option_ranges:
        answers["players"] = yield question_about(declared["players"], game)
    players = yield from seating_questions(game, answers.get("players", game.seats))
    error_text = ""
    while True:
        for name, option in declared.items():
            if name in game.option_ranges and name != "players" and not option.advanced:
                answers[name] = yield replace(question_about(option, game), error=error_text)
                error_text = ""
        try:
            changes = {name: value for name, value in answers.items() if value != game.options[name]}
            return SetUp(game.with_options(**changes), players)
        except KibitzError as error:
            error_text = str(error)


def question_about(option: Option, game: Game) -> Question:
    """The question about an option."""
    low, high = game.option_ranges[option.name]
    value = game.options[option.name]
    default_text = option.sentence(value)
    if option.parts:
        parts = tuple((1 << i, capital(part)) for i, part in enumerate(option.parts))
        return Question(option.name, option.ask, value, default_text, parts, multiple=True)
    if option.is_choice(low, high):
        choices = tuple((value, option.fixed_sentences[value]) for value in range(low, high + 1))
        return Question(option.name, option.ask, value, default_text, choices)
    upper = " or more" if high == NO_LIMIT else f" to {high}"
    text = option.ask.removesuffix("?") + f" ({low}{upper})?"
    return Question(option.name, text, value, default_text, span=(low, high))


def seating_questions(game: Game, count: int) -> Generator[Question, Any, tuple[SeatPlayer, ...]]:
    """Yield two questions for every seat, who plays it and the name; returns the players."""
    error_text = ""
    while True:
        players: list[SeatPlayer] = []
        for seat in range(count):
            name_or_path = yield replace(seat_question(game, seat), error=error_text)
            name = yield name_question(seat, name_or_path, [player.name for player in players])
            players.append(SeatPlayer(name, name_or_path))
            error_text = ""
        if any(player.name_or_path is None for player in players):
            return tuple(players)
        error_text = "No seat has a person: give one to a person, or use 'kibitz match'."


def seat_question(game: Game, seat: int) -> Question:
    """The question of who plays a seat; the default for the first seat is a person."""
    built_in = list(strategies(game))
    level_notes = {player.name: f" ({level})" for level, player in levels(game).items()}
    choices = ((None, PERSON), *((name, f"the computer, as {name}{level_notes.get(name, '')}") for name in built_in))

    def read_other(typed: str) -> str | None:
        if typed.lower() in ("person", PERSON):
            return None
        find_player(game, typed)
        return typed

    default = None if seat == 0 else default_player(game)
    default_text = f"It is {dict(choices)[default]}."
    return Question(
        f"player {seat + 1}", f"Who is player {seat + 1}?", default, default_text, choices, read_other=read_other
    )


def name_question(seat: int, name_or_path: str | None, used_names: Sequence[str]) -> Question:
    """The question for a player's name; names must differ."""
    default_name = (
        NAME_OF_A_PERSON if name_or_path is None else clean_name(name_or_path.rpartition("/")[2].removesuffix(".py"))
    )
    name, number = default_name, 2
    while name in used_names:
        name, number = f"{default_name}-{number}", number + 1

    def read_other(typed: str) -> str:
        if (own_name := typed_name(typed)) in used_names:
            raise NotationError(f"The name {own_name} is taken: choose another.")
        return own_name

    return Question(f"name {seat + 1}", f"What is player {seat + 1} called?", name, f"{name}.", read_other=read_other)


# Resuming a game.


@dataclass(frozen=True)
class ResumedGame:
    """A saved game that is being resumed.

    record      the game so far; a finished one is resumed to show its result
    saved       its file, locked until ``close`` is called
    own_files   whether the file is in the user's own folder of saved games, so no stranger chose the players it names
    """

    record: AnyRecord
    saved: SavedGame
    own_files: bool

    @property
    def chairs(self) -> tuple[str | None, ...]:
        """By seat: None for a person, otherwise the name or path of a player.

        If the record doesn't say, a person has the first seat and the default player the others.
        """
        saved_chairs = self.record.chairs if isinstance(self.record, UnfinishedRecord) else ()
        opponents = len(self.record.seats) - 1
        return saved_chairs or (None, *[default_player(find_game(self.record.game))] * opponents)


def resume_saved(path: Path) -> ResumedGame:
    """Resume a game from its file. Raises KibitzError, with the file unchanged, if it cannot be resumed."""
    read_any(path)
    saved = SavedGame(path)
    try:
        record = read_any(path)  # with what another program may have written before it released the file
    except BaseException:
        saved.close()
        raise
    return ResumedGame(record, saved, path.resolve().parent == saved_games_folder().resolve())
