"""``kibitz arena failures``: what a player's owner needs to put it right, for one of them or in a file for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from kibitz.cli.arena.history import tell_versions
from kibitz.cli.arena.options import InTournament, StoreName, at, opened
from kibitz.cli.check_player import tell_findings
from kibitz.cli.files import folder_ready, write
from kibitz.cli.options import Ascii, Count, Force
from kibitz.cli.screen import BOLD, Paper, Screen
from kibitz.cli.tournament import progress_bar
from kibitz.engine.registry import said
from kibitz.engine.sentences import counted
from kibitz.errors import KibitzError, StoreError

if TYPE_CHECKING:
    from kibitz.arena.api import Arena
    from kibitz.arena.model import Refusal, Submission

PLAYER = "A player, by the name under which it was submitted."
ALL = "Of all players, with the roster's: a text file for each in the folder of -o."
FOLDER = "With --all: the folder for the files."


def failures(
    player: Annotated[str | None, Parameter(help=PLAYER)] = None,
    /,
    *,
    all: Annotated[bool, Parameter(help=ALL)] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help=FOLDER)] = None,
    force: Force = False,
    game: InTournament = None,
    newest: Annotated[Count, Parameter(help="So many of the newest, of every tournament.")] = 3,
    store: StoreName = None,
    ascii: Ascii = False,
) -> None:
    """Show the games that a player lost by failures of its own: position, call, answer, rule, and how to see it."""
    if all:
        if player is not None or output is None:
            raise KibitzError("--all writes a file for every player: name the folder with -o, and no player.")
        write_all(output, force, game, newest, store)
        return
    if player is None or output is not None:
        raise KibitzError("name one player, or write a file for each with --all and -o FOLDER.")
    with opened(store) as arena:
        tell_failures(Screen(ascii), arena, player, game, newest)


def tell_failures(screen: Screen, arena: Arena, player: str, game: str | None, newest: int) -> None:
    """Why a player's newest version was refused, and the games that its versions have lost."""
    refused = arena.refusals(player, game)[-newest:]
    if refused and not entered_in(arena, player, game):
        tell_refusals(screen, refused)
        return
    every = arena.failures(player, game)
    shown = arena.failures(player, game, newest=newest)
    findings = [arena.failure_report(failure) for failure in shown]
    latest = arena.history(player, game)[-1].submission
    report = arena.qualification(latest.id) if latest.state == "refused" else None
    if report is not None:
        screen.line(f"Version {latest.version} of {player} was refused by {latest.tournament}:", BOLD)
        tell_findings(screen, tuple(finding for finding in report.findings if not finding.ok))
    tell_refusals(screen, refused)
    if report is not None and not every:
        return
    screen.line(lost(player, len(every), len(shown)), BOLD)
    tell_findings(screen, tuple(findings))


def entered_in(arena: Arena, player: str, game: str | None) -> list[str]:
    """The tournaments in which a player has a version, in one or in all that are no custom ones."""
    asked = [arena.tournament(game).name] if game is not None else rated(arena)
    return [name for name in asked if arena.store.submissions(name, player=player)]


def rated(arena: Arena) -> list[str]:
    """The tournaments that are no custom ones."""
    return [one.name for one in arena.by_kind() if one.kind != "custom"]


def tell_refusals(paper: Paper | Screen, refused: Sequence[Refusal]) -> None:
    """What was not taken, and why."""
    for one in refused:
        paper.line(f"Not taken by {one.tournament}: {one.file}, {at(one.at)} UTC", BOLD)
        paper.line(f"     {one.reason}", hang=" " * 5)


def lost(player: str, every: int, shown: int) -> str:
    """How many games a player has lost, and how many of them are shown."""
    newest_ones = "the newest:" if shown == 1 else f"the newest {shown}:"
    some = f"; {newest_ones}" if shown < every else ":" if every else "."
    return f"{player} has lost {counted(every, 'game')} by failures of its own{some}"


# a file for each


def write_all(folder: Path, force: bool, game: str | None, newest: int, store: str | None) -> None:
    """Write a file for every player, in one tournament or in all that are no custom ones."""
    folder_ready(folder, force)
    with opened(store) as arena, progress_bar("looked at {} of {} players", "looking") as progress:
        players = names(arena, game)
        if not players:
            raise StoreError("missing", "there is no player yet, nor a roster, so there is nothing to write.")
        pages = {}
        for done, player in enumerate(players, 1):
            pages[player] = page(arena, player, game, newest)
            progress(done, len(players))
    folder.mkdir(parents=True, exist_ok=True)
    for player, text in pages.items():
        write(folder / f"{player}.txt", text, force, rescue=False)
    Screen().line(f"{counted(len(pages), 'file')}, one for each player, are in {folder}.")


def names(arena: Arena, game: str | None) -> list[str]:
    """All players but those who only fill seats, and those of the roster who have none yet."""
    from kibitz.arena.filling import is_filler

    tournaments = [arena.tournament(name) for name in ([game] if game is not None else rated(arena))]
    entered = [one for tournament in tournaments for one in arena.store.submissions(tournament.name)]
    found = {one.player for one in entered if not is_filler(one.owner, one.sha256)}
    found |= {one.player for tournament in tournaments for one in arena.store.refusals(tournament.name)}
    return sorted(found | {one.player for one in arena.roster()})


def page(arena: Arena, player: str, game: str | None, newest: int) -> str:
    """All that a player's owner should know, as text."""
    paper = Paper()
    asked = [arena.tournament(game).name] if game is not None else rated(arena)
    entered = entered_in(arena, player, game)
    if not entered:
        paper.line(f"No file of {player} has been entered{f' in {asked[0]}' if len(asked) == 1 else ''} so far.")
    tell_refusals(paper, [one for name in asked for one in arena.refusals(player, name)[-newest:]])
    for number, name in enumerate(entered):
        if number:
            paper.line()
        tell_versions(paper, player, arena.history(player, name))
        latest = arena.store.submissions(name, player=player)[-1]
        tell_trial(paper, arena, latest)
        every, shown = arena.failures(player, name), arena.failures(player, name, newest=newest)
        if every:
            paper.line()
            paper.line(lost(player, len(every), len(shown)))
            reports = map(arena.failure_report, shown)
            tell_findings(paper, tuple(msgspec.structs.replace(one, reproduce="") for one in reports))
        tell_at_home(paper, arena, latest)
    return paper.text


def tell_trial(paper: Paper, arena: Arena, latest: Submission) -> None:
    """What the trial of the newest version has found: failures, warnings and what it printed."""
    report = arena.qualification(latest.id)
    told = [] if report is None else [f for f in report.findings if not f.ok or f.warning or f.kind == "prints"]
    if told:
        paper.line()
        paper.line(f"When version {latest.version} was tried:")
        tell_findings(paper, tuple(told))


def tell_at_home(paper: Paper, arena: Arena, latest: Submission) -> None:
    """How a file is tried at home, as it is tried here."""
    from kibitz.players.limits import limits_text

    rules = arena.tournament(latest.tournament)
    limits = limits_text(rules.limits)
    paper.line()
    paper.line("Try a file at home as it is tried here, in a process of its own that Linux confines:")
    paper.as_it_is(f"kibitz check-player {said(rules.game)} FILE --games 100{f' --limits {limits}' if limits else ''}")
