"""``kibitz arena doctor``: which confinement player files get on this machine, proved on request by attack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.options import whole
from kibitz.cli.screen import BOLD, Screen
from kibitz.sandbox import Tier, wish
from kibitz.sandbox import tier as tier_in_force

if TYPE_CHECKING:
    from kibitz.players.attacks import Attacked

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
