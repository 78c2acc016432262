"""Setting up a season: ``kibitz arena begin``, ``freeze``, ``roster`` and ``doctor``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.arena.results import tell_head
from kibitz.cli.options import GameName, LimitWords, Lost, Seed, Share, StoreName, TournamentName, open_arena, whole
from kibitz.cli.screen import BOLD, Screen, warn
from kibitz.engine.registry import game as find_game
from kibitz.engine.registry import said
from kibitz.engine.sentences import counted
from kibitz.sandbox import Tier, wish
from kibitz.sandbox import tier as tier_in_force

if TYPE_CHECKING:
    from kibitz.players.attacks import Attacked


AS = "What this tournament is called, such as bonus, where the game has one already; every command knows it by that."


def begin(
    game: GameName,
    /,
    *,
    called: Annotated[str | None, Parameter(name="--as", help=AS)] = None,
    seed: Seed = None,
    lost: Lost = 5,
    share: Share = 0.02,
    limits: LimitWords = None,
    store: StoreName = None,
) -> None:
    """Begin the tournament of a game; the first submission does so otherwise, with a secret seed.

    With --as it is one more tournament, such as a bonus one: ranked by itself, with options and rules of its own.
    """
    from kibitz.arena.model import Threshold
    from kibitz.players.limits import STANDARD, limits_from, limits_text

    find_game(game)
    within = limits_from(limits) if limits is not None else STANDARD
    with open_arena(store, create=True) as arena:
        begun = arena.begin(game, name=called, seed=seed, threshold=Threshold(lost, share), limits=within)
    screen = Screen()
    of = f" of {begun.game}" if begun.game != begun.name else ""
    screen.line(f"{begun.name} has begun, a {begun.kind} tournament{of} of {begun.seats} seats.")
    if within != STANDARD:
        words = limits_text(within)
        tried = f"kibitz check-player {said(begun.game)} FILE --limits {words}"
        screen.line(f"Limits of player files: {words}; try yours with '{tried}'.", hang="")
    screen.line(f"Sealed seed of the season (SHA-256): {begun.commitments['season']}", hang="")


# ---------------------------------------------------------------- arena freeze


def freeze(
    tournament: TournamentName,
    /,
    *,
    undo: Annotated[bool, Parameter(help="Take submissions again, as long as the final has not begun.")] = False,
    store: StoreName = None,
) -> None:
    """Take no more submissions; the latest accepted version of every player is the one that counts."""
    with open_arena(store) as arena:
        found = arena.thaw(tournament) if undo else arena.freeze(tournament)
        players = arena.store.entrants(found.name)
        log = arena.log(tournament)
    screen = Screen()
    if undo:
        screen.line(f"{found.name} takes submissions again.")
    else:
        names = ", ".join(one.player for one in players)
        screen.line(f"{found.name} is frozen with {counted(len(players), 'player')}: {names or 'none'}.")
    tell_head(screen, found.name, log)


# ---------------------------------------------------------------- arena roster

FILE = "A CSV file with columns such as name and owner, or those of a learning platform; without it, what is known."
MOST = 20
"""So many rows that are wrong are told."""


def roster(file: Annotated[Path | None, Parameter(help=FILE)] = None, /, *, store: StoreName = None) -> int:
    """Take over whose players there are, in all tournaments; the whole file or, if a row is wrong, nothing of it.

    It takes the place of the roster before.  Players that come later belong to the owners that it names, and the
    cool-down counts by owner.
    """
    screen = Screen()
    if file is None:
        with open_arena(store) as arena:
            for one in arena.roster():
                screen.line(f"{one.player}  {one.owner}")
        return 0
    from kibitz.arena.entry.roster import read_roster

    found = read_roster(file)
    for sentence in found.wrong[:MOST]:
        warn(f"kibitz: {sentence}")
    if found.wrong:
        more = f" ({len(found.wrong) - MOST} more rows are wrong)" if len(found.wrong) > MOST else ""
        warn(f"kibitz: nothing of {file} is taken over until that is put right{more}.")
        return 2
    with open_arena(store, create=True) as arena:
        arena.replace_roster(found.people)
    owners = len({one.owner for one in found.people})
    names = counted(len(found.people), "name")
    screen.line(f"{names} of {counted(owners, 'owner')} are known now, for all tournaments that go on or begin.")
    return 0


# ---------------------------------------------------------------- arena doctor

Told = Callable[[int, int, str], object]
MEANINGS = {
    "outer": "players' processes see nothing outside bubblewrap's namespaces, and are confined by Landlock and seccomp",
    "default": "players' processes are confined by Landlock and seccomp",
    "none": "players' processes are not confined: run only files of people you trust",
}

IN_SIGHT = "in sight, so that two players who conspire can pass cards; bubblewrap or root would hide it"
REMEMBERED = (
    "out of sight, but the machine remembers which names they have looked for in vain, so that two players who "
    "conspire can pass cards; it may not mount files here, or not as many as are installed beside Kibitz"
)


def doctor(
    *,
    attack: Annotated[bool, Parameter(help="Let hostile player files try to break out.")] = False,
    tier: Annotated[str, Parameter(help="Look at this tier, outer or default, instead of the best one.")] = "",
    landlock: Annotated[
        int, Parameter(converter=whole(1, 99), help="Use no ABI of Landlock above this, as an older kernel would.")
    ] = 99,
) -> int:
    """Find out how player files are confined on this machine; the status is 2 if they are not, or break out."""
    wish(tier, landlock)
    screen = Screen()
    with screen.waiting("The confinement is being tried ..."):
        found = tier_in_force()
    tell(screen, found)
    if not found.rated:
        if attack:
            screen.line("No attack is let loose here: it would do real harm.", BOLD)
        return 2
    return 2 if attack and attacked(screen) else 0


def tell(screen: Screen, found: Tier) -> None:
    """The tier, what it means and why it is this one."""
    screen.line(f"Tier: {found.name} ({MEANINGS[found.name]}).", BOLD)
    screen.line(f"Why: {found.reason}")
    if found.landlock:
        screen.line(f"Landlock ABI: {found.landlock}")
    if found.rated:
        unseen = "out of sight" if found.forgetful else REMEMBERED
        screen.line(f"What other processes do: {unseen if found.private else IN_SIGHT}")
    screen.line(f"Rated games: {'yes' if found.rated else 'no'}")


def attacked(screen: Screen) -> bool:
    """Let all attacks loose, and tell of each that has got something; whether one has."""
    from kibitz.players.attacks import attack_suite

    with progress() as told:
        found = attack_suite(told)
    return report(screen, found)


def report(screen: Screen, found: Sequence[Attacked]) -> bool:
    """Tell of breaches and surprises; whether there was a breach."""
    broken = [one for one in found if one.breaches]
    for one in broken:
        screen.line(f"BREACH  {one.name}: {one.what}", BOLD)
        for breach in one.breaches:
            screen.line(f"        {breach[:500]}", hang=" " * 8)
    for one in found:
        if one.surprise:
            screen.line(
                f"note    {one.name} ended in another way than usual ({one.ended}): {one.surprise}", hang=" " * 8
            )
    screen.line(f"{len(found)} attacks, {len(broken)} with a breach.", BOLD)
    return bool(broken)


@contextmanager
def progress() -> Iterator[Told]:
    """A bar with the name of the attack, on a terminal; elsewhere a line when all is done."""
    if not sys.stderr.isatty():
        yield lambda done, total, name: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, name: bar.update(task, completed=done, total=total, description=name)
