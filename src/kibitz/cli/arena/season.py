"""Setting up a season: ``kibitz arena begin``, ``freeze``, ``roster`` and ``doctor``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.arena.results import print_latest_hash
from kibitz.cli.screen import BOLD, Screen, progress_bar, warn
from kibitz.engine.registry import command_name
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import counted
from kibitz.sandbox import Tier, request_tier
from kibitz.sandbox import tier as tier_in_force

if TYPE_CHECKING:
    from kibitz.players.attacks import AttackResult


NAME_HELP = "The tournament's name in all commands, such as bonus. Default: the game's name."


def begin(
    game: options.GameName,
    /,
    *,
    name: Annotated[str | None, Parameter(name="--as", help=NAME_HELP)] = None,
    seed: options.Seed = None,
    forfeits: options.ForfeitLimit = 5,
    forfeit_share: options.ForfeitShare = 0.02,
    limits: options.LimitsText = None,
    store: options.StoreName = None,
) -> None:
    """Begin a game's tournament. Without this command, the first submission begins it, with a secret seed.

    With --as, begin another tournament of the game, with its own ranking and settings.
    """
    from kibitz.arena.model import REGULAR, Threshold
    from kibitz.players.limits import STANDARD, limits_from, limits_text

    find_game(game)
    file_limits = limits_from(limits) if limits is not None else STANDARD
    with options.open_arena(store, create=True) as arena:
        info = arena.begin(game, name=name, seed=seed, threshold=Threshold(forfeits, forfeit_share), limits=file_limits)
    screen = Screen()
    of_game = f" of {info.game}" if info.game != info.name else ""
    description = f", an additional tournament{of_game} with" if info.kind == "bonus" else ":"
    screen.line(f"Tournament {info.name} has begun{description} {info.seats} seats.")
    if file_limits != STANDARD:
        limits_in_words = limits_text(file_limits)
        command = f"kibitz check-player {command_name(info.game)} FILE --limits {limits_in_words}"
        screen.line(f"Limits of player files: {limits_in_words}; try yours with '{command}'.", indent="")
    screen.line(f"SHA-256 of the seed of the regular rounds: {info.commitments[REGULAR]}", indent="")


# ---------------------------------------------------------------- arena freeze


def freeze(
    tournament: options.TournamentName,
    /,
    *,
    undo: Annotated[bool, Parameter(help="Reopen submissions, if the final has not begun.")] = False,
    store: options.StoreName = None,
) -> None:
    """Close submissions, or reopen them with --undo. The latest accepted version of every player counts."""
    with options.open_arena(store) as arena:
        info = arena.thaw(tournament) if undo else arena.freeze(tournament)
        players = arena.store.entrants(info.name)
        log = arena.log(tournament)
    screen = Screen()
    if undo:
        screen.line(f"{info.name} takes submissions again.")
    else:
        names = ", ".join(entrant.player for entrant in players) or "none"
        screen.line(f"{info.name} takes no more submissions. {counted(len(players), 'player')}: {names}.")
    print_latest_hash(screen, info.name, log)


# ---------------------------------------------------------------- arena roster

FILE_HELP = "A CSV file with columns such as name and owner, or a learning platform's CSV. Default: show the roster."
MAX_ERRORS = 20
"""The maximum number of wrong rows that are reported."""


def roster(
    file: Annotated[Path | None, Parameter(help=FILE_HELP)] = None, /, *, store: options.StoreName = None
) -> int:
    """Read the names and owners of players, for all tournaments. If any row is wrong, nothing changes.

    The new roster replaces the old one. It sets the owners of players submitted from now on, and an owner must wait ten
    minutes between two files, even for different players.
    """
    screen = Screen()
    if file is None:
        with options.open_arena(store) as arena:
            for entry in arena.roster():
                screen.line(f"{entry.player}  {entry.owner}")
        return 0
    from kibitz.arena.entry.roster import read_roster

    new_roster = read_roster(file)
    for sentence in new_roster.errors[:MAX_ERRORS]:
        warn(f"kibitz: {sentence}")
    if new_roster.errors:
        more = (
            f" ({len(new_roster.errors) - MAX_ERRORS} more rows are wrong)"
            if len(new_roster.errors) > MAX_ERRORS
            else ""
        )
        warn(f"kibitz: correct {file} and try again; nothing was changed{more}.")
        return 2
    with options.open_arena(store, create=True) as arena:
        arena.replace_roster(new_roster.people)
    owners = len({entry.owner for entry in new_roster.people})
    names = counted(len(new_roster.people), "name")
    screen.line(f"The roster of all tournaments now has {names} and {counted(owners, 'owner')}.")
    return 0


# ---------------------------------------------------------------- arena doctor

TIER_MEANINGS = {
    "outer": "player files see nothing outside bubblewrap's namespaces, and are restricted by Landlock and seccomp",
    "default": "player files are restricted by Landlock and seccomp",
    "none": "no sandbox: run only files of people you trust",
}
# How well the processes of other players are hidden.
PROCESSES_VISIBLE = (
    "visible, so two colluding players could tell each other their cards; bubblewrap or root would hide it"
)
LOOKUPS_VISIBLE = (
    "hidden, but the machine remembers failed file look-ups, so two colluding players could tell each other their"
    " cards; hiding the look-ups takes more mounts than the kernel allows here"
)
TIER_HELP = (
    "Test this sandbox tier instead of the strongest one that works here: outer (with bubblewrap)"
    " or default (without it)."
)


def doctor(
    *,
    attack: Annotated[bool, Parameter(help="Run hostile player files that try to break out.")] = False,
    tier: Annotated[str, Parameter(help=TIER_HELP)] = "",
    landlock: Annotated[
        int,
        Parameter(
            converter=options.whole_number(1, 99), help="Act like an older kernel, with at most this Landlock version."
        ),
    ] = 99,
    quiet: options.Quiet = False,
) -> int:
    """Test the sandbox for player files on this machine. The exit status is 2 if it fails or a file breaks out."""
    request_tier(tier, landlock)
    screen = Screen()
    with screen.waiting("Testing the sandbox ..."):
        sandbox_tier = tier_in_force()
    print_tier(screen, sandbox_tier)
    if not sandbox_tier.confines:
        if attack:
            screen.line("No attacks are run here: they would do real harm.", BOLD)
        return 2
    if not attack:
        return 0
    from kibitz.players.attacks import attack_suite

    with progress_bar("ran {} of {} attacks", "attacking", quiet=quiet) as progress:
        results = attack_suite(lambda done, total, name: progress(done, total))
    return 2 if report_attacks(screen, results) else 0


def print_tier(screen: Screen, sandbox_tier: Tier) -> None:
    """Print the sandbox tier, what it means, and why this one is in force."""
    screen.line(f"Tier: {sandbox_tier.name} ({TIER_MEANINGS[sandbox_tier.name]}).", BOLD)
    screen.line(f"Why: {sandbox_tier.reason}")
    if sandbox_tier.landlock:
        screen.line(f"Landlock ABI: {sandbox_tier.landlock}")
    if sandbox_tier.confines:
        visibility = "hidden" if sandbox_tier.hides_lookups else LOOKUPS_VISIBLE
        screen.line(f"Other processes: {visibility if sandbox_tier.private else PROCESSES_VISIBLE}")
    screen.line(f"Rated games: {'yes' if sandbox_tier.confines else 'no'}")


def report_attacks(screen: Screen, results: Sequence[AttackResult]) -> bool:
    """Report breaches and unusual endings; returns whether there was a breach."""
    breached = [result for result in results if result.breaches]
    for result in breached:
        screen.line(f"BREACH  {result.name}: {result.what}", BOLD)
        for breach in result.breaches:
            screen.line(f"        {breach[:500]}", indent=" " * 8)
    for result in results:
        if result.surprise:
            screen.line(f"note    {result.name} ended unusually ({result.ended}): {result.surprise}", indent=" " * 8)
    screen.line(f"{len(results)} attacks, {len(breached)} with a breach.", BOLD)
    return bool(breached)
