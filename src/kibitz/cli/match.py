"""``kibitz match``: one game between players, told as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Ascii, Force, GameName, LimitWords, Output, Seed, Trusted
from kibitz.cli.screen import BOLD, DIM, Screen, put
from kibitz.cli.seating import find_players, names_of
from kibitz.engine.events import SPECTATOR, Notice, to_seat
from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import fresh_seed
from kibitz.engine.record import commitment, text
from kibitz.engine.registry import game as find_game
from kibitz.errors import KibitzError
from kibitz.table import Match, play_match
from kibitz.table.chapters import telling
from kibitz.table.outcomes import out, result


def match(
    game: GameName,
    /,
    *players: Annotated[
        str,
        Parameter(help="One for each seat: the names of players, files (.py or .npz), folders or ZIP archives."),
    ],
    seed: Seed = None,
    output: Output = None,
    force: Force = False,
    trusted: Trusted = False,
    limits: LimitWords = None,
    quiet: Annotated[bool, Parameter(name=["--quiet", "-q"], help="Tell the result only.")] = False,
    ascii: Ascii = False,
) -> int:
    """Let players play one game: tell what happens, who won, who forfeited and what the players printed.

    The status is 1 if a player forfeits.
    """
    found = find_game(game)
    if len(players) != found.seats:
        raise KibitzError(
            f"{found.title} ({found.name}) has {found.seats} seats, so name {found.seats} players, not {len(players)}."
        )
    ready(output, force)
    specs = find_players(found, players, trusted, limits)
    names = names_of(specs)
    seated = [spec.make() for spec in specs]
    for player, name in zip(seated, names, strict=True):
        player.name = name
    screen = Screen(ascii)
    seed = fresh_seed() if seed is None else seed

    heard = ""

    def tell(notices: list[Notice]) -> None:
        nonlocal heard
        for _, heard in telling(found, to_seat(notices, SPECTATOR), SPECTATOR, names):
            screen.line(heard)

    def tell_forfeit(forfeit: Forfeit) -> None:
        screen.line(out(forfeit, names), BOLD)

    if not quiet:
        screen.line(f"SHA-256 of the seed: {commitment(seed)}", DIM, hang="")
    with screen.waiting("The game is being played ...") if quiet else nullcontext():
        ended = play_match(found, seated, seed, *(() if quiet else (tell, tell_forfeit)))
    report(screen, ended, heard)
    if output is not None:
        write(output, text(ended.record), force)
        screen.line(f"The record is saved in {output}.")
    return int(bool(ended.record.forfeits))


def report(screen: Screen, ended: Match, heard: str = "") -> None:
    """The result, after the sentence that was ``heard`` last; the forfeits and what the players printed."""
    record = ended.record
    screen.line(f"Seed: {record.seed}", DIM, hang="")
    screen.line(result(record, heard=heard), BOLD)
    for forfeit in record.forfeits:
        screen.line(f"Forfeit: {record.seats[forfeit.seat]}, {forfeit.kind}: {forfeit.sentence}")
    tell_players_words(screen, record.seats, ended.prints, ended.details)


def tell_players_words(screen: Screen, names: Sequence[str], all_prints: Sequence[str], details: Sequence[str]) -> None:
    """What the players printed, and what those that failed have left for their owners."""
    for name, prints, detail in zip(names, all_prints, details, strict=True):
        for what, output in (("printed", prints), ("failed with", detail)):
            if output.strip():
                screen.line()
                screen.line(f"{name} {what}:", BOLD)
                put(output.rstrip())
