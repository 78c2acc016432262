"""The games with their options and computer players, and the score of a cribbage hand."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from kibitz.cards import code
from kibitz.engine import options
from kibitz.engine.game import NO_LIMIT, Game
from kibitz.engine.registry import Family as GameFamily
from kibitz.engine.registry import families, name_in_family
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.players.built_in import characters, levels, strength
from kibitz.players.compiling import weaker_notice
from kibitz.web.api.operation import Call, Router
from kibitz.web.live_tables.live_session import display_name
from kibitz.web.problems import missing

router = Router()

MAX_CHOICES = 64


class OptionValue(msgspec.Struct, frozen=True):
    """A value of an option, and its meaning."""

    value: int
    sentence: str


class Option(msgspec.Struct, frozen=True):
    """An option of a game.

    asks        the question that people are asked
    value       the default value, with its meaning in ``sentence``
    no_limit    whether ``high`` means that there is no maximum
    choices     all values with their meanings; if empty, the value is any number from ``low`` to ``high``
    parts       for an option that is a set: its possible members; the value is the sum of 1 for the first member, 2 for
                the second, 4 for the third and so on
    seldom      whether people seldom need the option, so that it is shown last
    """

    name: str
    asks: str
    value: int
    sentence: str
    low: int
    high: int
    no_limit: bool
    choices: tuple[OptionValue, ...]
    parts: tuple[str, ...]
    seldom: bool


class Computer(msgspec.Struct, frozen=True):
    """A computer player: its name in requests, its display name (``title``) and its style in a sentence (``line``).

    ``strength`` is its place among the game's computer players, from 0 (the weakest) to 1 (the strongest). ``level`` is
    the name under which it is offered to people, such as Easy; None if it isn't offered. ``points`` is its measured
    rating (1500 is average, 400 more mean ten times the odds) and ``margin`` half the width of the rating's 95 %
    interval; both are None if it was not measured.
    """

    name: str
    title: str
    line: str
    strength: float
    level: str | None
    points: float | None = None
    margin: float | None = None


class ShownLesson(msgspec.Struct, frozen=True):
    """A guided first hand: the game with its options, and the number of seats."""

    game: str
    seats: int


class ShownGame(msgspec.Struct, frozen=True):
    """A game that can be played; ``called`` is its name within its family.

    ``notice`` says that a computer player is weaker now, while its machine code is compiled; "" if none is.
    """

    name: str
    title: str
    summary: str
    variant: str
    called: str
    seats: int
    least_seats: int
    most_seats: int
    options: tuple[Option, ...]
    computers: tuple[Computer, ...]
    lesson: ShownLesson | None
    notice: str = ""


class Family(msgspec.Struct, frozen=True):
    """The games that share a rule book, such as a game and its variants; the standard one first."""

    family: str
    title: str
    summary: str
    games: tuple[ShownGame, ...]


class Catalogue(msgspec.Struct, frozen=True):
    """All games."""

    families: tuple[Family, ...]


class Rules(msgspec.Struct, frozen=True):
    """The rules of a game for people, as Markdown."""

    title: str
    rules: str


@cache
def catalogue() -> Catalogue:
    """All games."""
    return Catalogue(tuple(map(shown_family, families())))


def catalogue_with_notices() -> Catalogue:
    """All games, each with its notice; games with the same rules share their machine code, and so the notice."""
    notices: dict[str, str] = {}

    def with_notice(shown: ShownGame) -> ShownGame:
        game = find_game(shown.name)
        if game.rules.__name__ not in notices:
            players = [player.name for player in levels(game).values()]
            notices[game.rules.__name__] = weaker_notice(game, players)
        return replace(shown, notice=notices[game.rules.__name__])

    return Catalogue(
        tuple(replace(family, games=tuple(map(with_notice, family.games))) for family in catalogue().families)
    )


def shown_family(family: GameFamily) -> Family:
    """A family with its games."""
    games = tuple(shown_game(game, name_in_family(game, family)) for game in family.games)
    return Family(family.name, family.title, family.summary, games)


def shown_game(game: Game, called: str) -> ShownGame:
    """A game with its options and players."""
    low, high = game.option_ranges.get("players", (game.seats, game.seats))
    return ShownGame(
        name=game.name,
        title=game.title,
        summary=game.summary,
        variant=game.variant,
        called=called,
        seats=game.seats,
        least_seats=low,
        most_seats=high,
        options=tuple(option(game, each) for each in game.words.OPTIONS if each.name in game.option_ranges),
        computers=computers(game),
        lesson=ShownLesson(game.lesson.game, find_game(game.lesson.game).seats) if game.lesson else None,
    )


def option(game: Game, declared: options.Option) -> Option:
    """A declared option of a game, as the server describes it."""
    low, high = game.option_ranges[declared.name]
    value = game.options[declared.name]
    has_choices = declared.is_choice(low, high) and high - low < MAX_CHOICES
    return Option(
        name=declared.name,
        asks=declared.ask,
        value=value,
        sentence=declared.sentence(value),
        low=low,
        high=high,
        no_limit=high == NO_LIMIT,
        choices=tuple(OptionValue(v, declared.sentence(v)) for v in range(low, high + 1)) if has_choices else (),
        parts=declared.parts,
        seldom=declared.advanced,
    )


def computers(game: Game) -> tuple[Computer, ...]:
    """The computer players of a game, the weakest first."""
    weakest_first = characters(game)
    last = max(1, len(weakest_first) - 1)
    level_of = {player.name: level for level, player in levels(game).items()}
    return tuple(
        Computer(
            player.name,
            display_name(player.name),
            player.line,
            round(number / last, 3),
            level_of.get(player.name),
            *(strength(game, player.name) or (None, None)),
        )
        for number, player in enumerate(weakest_first)
    )


@router.operation("GET", "/api/games")
async def list_games(call: Call) -> Catalogue:
    """All games that can be played, with options and players."""
    return await asyncio.to_thread(catalogue_with_notices)


@router.operation("GET", "/api/games/{name}/rules")
async def get_rules(call: Call) -> Rules:
    """The rules of a game, as Markdown."""
    try:
        game = find_game(call.path["name"])
    except NotationError as error:
        raise missing("game") from error
    return Rules(game.title, game.rules_text)


# ---------------------------------------------------------------- counting a cribbage hand


class CountQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Four cards, such as ``5H 5D 5C JS``, and the starter; a ``crib`` scores a flush only with the starter."""

    hand: Annotated[str, Meta(max_length=40)] = ""
    starter: Annotated[str, Meta(max_length=8)] = ""
    crib: bool = False


class CountedItem(msgspec.Struct, frozen=True):
    """A combination that scores, with its name as it is spoken and its cards."""

    name: str
    cards: tuple[str, ...]
    points: int


class CountedHand(msgspec.Struct, frozen=True):
    """The score of a hand; ``counting`` is what a player says aloud."""

    points: int
    counting: str
    items: tuple[CountedItem, ...]


@router.operation("GET", "/api/cribbage/count", query=CountQuery)
async def count_hand(call: Call) -> CountedHand:
    """What a cribbage hand scores, item by item."""
    from kibitz.games.cribbage.hands.show import show

    query: CountQuery = call.query
    if not query.hand and not query.starter:
        return CountedHand(0, "", ())
    score = show(query.hand, query.starter, crib=query.crib)
    items = tuple(CountedItem(item.name, tuple(map(code, item.cards)), item.points) for item in score.items)
    return CountedHand(score.points, score.counting, items)
