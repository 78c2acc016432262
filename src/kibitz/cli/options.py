"""Options that several commands share, including those of ``kibitz arena``, and their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, Token

from kibitz.cards import short_repr
from kibitz.engine.game import SEED_LIMIT

if TYPE_CHECKING:
    from kibitz.arena.api import Arena
    from kibitz.engine.game import Game


WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+|0x[0-9a-f]+", re.IGNORECASE)
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
MAX_COUNT = 1_000_000
"""The largest number of deals, games or rounds that can be requested."""
MAX_DIGITS = 60
"""The longest number that is read, in characters; every seed fits."""

Converter = Callable[[object, Sequence[Token]], Any]


def whole_number(low: int, high: int, range_text: str = "") -> Converter:
    """A converter that reads a whole number from ``low`` to ``high``, decimal or as 0x...; else ValueError.

    ``range_text`` is the range as the error message gives it; by default, the message gives only the limit exceeded.
    """

    def read(hint: object, tokens: Sequence[Token]) -> int:
        (text,) = (token.value for token in tokens)
        if not WHOLE_NUMBER.fullmatch(text) or len(text) > MAX_DIGITS:
            raise ValueError(f"needs a whole number, not {short_repr(text)}")
        value = int(text, 16 if text[1:2] in ("x", "X") else 10)
        if not low <= value <= high:
            raise ValueError(
                f"must be {range_text or (f'{low} or more' if value < low else f'{high} or less')}, not {text}"
            )
        return value

    return read


def real_number(is_valid: Callable[[float], bool], range_text: str) -> Converter:
    """A converter that reads a finite number for which ``is_valid`` is true. Raises ValueError for anything else.

    ``range_text`` are the valid numbers in words, for the error message.
    """

    def read(hint: object, tokens: Sequence[Token]) -> float:
        (text,) = (token.value for token in tokens)
        readable = DECIMAL.fullmatch(text) and len(text) <= MAX_DIGITS
        value = float(text) if readable else inf
        if not isfinite(value) or not is_valid(value):
            raise ValueError(f"must be {range_text}, not {text if readable else short_repr(text)}")
        return value

    return read


read_seed = whole_number(0, SEED_LIMIT - 1, "from 0 to 2**128 - 1")
read_seat = whole_number(-99, 99)
"""Reads a seat number; whether the game has that seat is checked later."""
read_count = whole_number(1, MAX_COUNT)
read_share = real_number(lambda value: 0 <= value < 1, "from 0 to less than 1")
read_margin = real_number(lambda value: 0 < value < 10_000, "more than 0 and less than 10000 points")


def read_game_name(hint: object, tokens: Sequence[Token]) -> str:
    """Reads a game's name or path; the code of a game at a path is run (see ``resolve_game_name``)."""
    (text,) = (token.value for token in tokens)
    return resolve_game_name(text)


def resolve_game_name(text: str) -> str:
    """The name of a game, with any options; a path of the user's own package is loaded and replaced by its name."""
    from kibitz.engine.registry import game_at_path, is_path

    path, colon, options = text.partition(":")
    if not is_path(path):
        return text
    return game_at_path(path).name + colon + options


def read_executor(hint: object, tokens: Sequence[Token]) -> str:
    """Reads the name of an executor."""
    from kibitz.executors import address_of

    (text,) = (token.value for token in tokens)
    address_of(text)
    return text


GameName = Annotated[
    str,
    Parameter(
        converter=read_game_name,
        help="A game, such as go or bo:players=3 ('kibitz games' lists all), or the path of your own game, such as"
        " ./mine, whose code runs outside the sandbox.",
    ),
]
Seed = Annotated[
    int | None,
    Parameter(
        converter=read_seed, help="Random seed: the same seed gives the same result. Default: a new secret seed."
    ),
]
SeedWithDefault = Annotated[
    int, Parameter(converter=read_seed, help="Random seed: the same seed gives the same result.")
]
Trusted = Annotated[
    bool,
    Parameter(help="Run player files inside Kibitz, without the sandbox. Only for files you wrote yourself."),
]
LimitsText = Annotated[
    str | None,
    Parameter(
        name="--limits",
        help="Limits for player files, such as call=1,bank=20. CPU seconds: load (importing the file), call (one call),"
        " bank (all calls in one game). Sizes: memory in MiB, output in KiB. Default:"
        " load=2,call=4,bank=60,memory=512,output=1024.",
    ),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write the record of the game to this file.")]
Force = Annotated[bool, Parameter(help="Overwrite existing files.")]
Script = Annotated[
    Path | None,
    Parameter(help="Read the input from this file: one line per prompt, or a record, whose moves are replayed."),
]
Plain = Annotated[bool, Parameter(help="Use line mode, for screen readers and pipes: no colour, one choice per line.")]
Overrides = Annotated[
    Path | None,
    Parameter(
        help="A CSV file with a tutor's decisions, in the columns student, file, mark and comment; see docs/marking.md."
    ),
]
PlayerChoices = Annotated[
    Path | None,
    Parameter(
        name="--overrides",
        help="A CSV file with the columns student and file, which names the file to use for each student; as for"
        " 'kibitz mark'.",
    ),
]
Quiet = Annotated[bool, Parameter(name=["--quiet", "-q"], help="Print only the result, without progress.")]
Json = Annotated[bool, Parameter(help="Print the result as JSON.")]
Ascii = Annotated[bool, Parameter(help="Write suits as letters: AS KH 10D 2C.")]
Count = Annotated[int, Parameter(converter=read_count)]
"""A number from 1 to ``MAX_COUNT``."""
Workers = Annotated[
    int | None, Parameter(converter=whole_number(1, 1000), help="Number of processes. Default: one per core.")
]
ExecutorName = Annotated[
    str | None,
    Parameter(
        converter=read_executor,
        help="Where the games run: local, or a Dask cluster's scheduler, dask://HOST:PORT. Default: local.",
    ),
]
ForfeitLimit = Annotated[
    Count,
    Parameter(
        help="Exclude a player that has forfeited at least this many games and more than --forfeit-share of its games."
    ),
]
ForfeitShare = Annotated[
    float,
    Parameter(
        converter=read_share,
        help="Exclude a player only if it has forfeited more than this share of its games; see --forfeits.",
    ),
]
OnlyGame = Annotated[str | None, Parameter(help="Only this game, such as go or bo:players=3.")]
OnlyPlayers = Annotated[list[str] | None, Parameter(help="Only games of this player; can be repeated.")]
OnlySeat = Annotated[
    int | None,
    Parameter(converter=read_seat, help="Only games in which --player sat in this seat; seats are numbered from 0."),
]
OnlyOutcome = Annotated[
    str | None, Parameter(help="Only games in which --player had this outcome: won, lost or forfeit.")
]
Since = Annotated[str | None, Parameter(help="Only files changed on or after this day, such as 2026-03-01.")]
Until = Annotated[str | None, Parameter(help="Only files changed on or before this day.")]


# ---------------------------------------------------------------- options of ``kibitz arena``

STORE_HELP = (
    "A file, or postgresql://user:password@host/database. Default: $KIBITZ_STORE, or else a file in your user data"
    " folder."
)
StoreName = Annotated[str | None, Parameter(name="--store", help=STORE_HELP)]
GameOrTournament = Annotated[str, Parameter(help="A game, such as go or bo:players=3, or a tournament.")]
TournamentName = Annotated[
    str, Parameter(help="A tournament, by its name, such as go (by default, the name of its game), bonus or custom-1.")
]
TournamentOrAll = Annotated[str | None, Parameter(help="A tournament, such as go or custom-1. Default: all.")]
OnlyTournament = Annotated[str | None, Parameter(help="Only this tournament.")]
PlayerName = Annotated[str, Parameter(help="A player, by the name it was submitted under.")]


def find_game_or_tournament(name: str, store: str | None) -> Game:
    """The game of the tournament with this name, or else the game with this name; a missing store isn't created."""
    from kibitz.engine.registry import game
    from kibitz.errors import StoreError

    try:
        with open_arena(store) as arena:
            return arena.game_of(name)
    except StoreError as error:
        if error.kind != "missing":
            raise
        return game(name)


@contextmanager
def open_arena(store: str | None, *, create: bool = False) -> Iterator[Arena]:
    """A context with the arena in a store; if ``create``, a missing store is created."""
    from kibitz.arena.api import open

    with open(store, create=create) as arena:
        yield arena
