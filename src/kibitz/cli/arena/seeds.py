"""``kibitz arena seeds``: what was sealed, what is published by now, and the head of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.screen import BOLD, DIM, Screen

if TYPE_CHECKING:
    from kibitz.arena.proof.proving import Seal
    from kibitz.arena.store.log import Head


def seeds(tournament: TournamentName, /, *, store: StoreName = None) -> None:
    """Show the SHA-256 of each stage's seed, the seed itself once it is no secret any more, and the head of the log."""
    with opened(store) as arena:
        found = arena.seals(tournament)
        log = arena.log(tournament)
    screen = Screen()
    tell_seals(screen, found)
    tell_head(screen, tournament, log)


def tell_head(screen: Screen, tournament: str, log: tuple[Head, ...]) -> None:
    """The head of a tournament's log, and what it is good for."""
    if log:
        counted = f"{len(log)} entries" if len(log) > 1 else "1 entry"
        screen.line(f"The log of {tournament} has {counted}, and its head is {log[-1].head}", hang="")
        screen.line("Publish it: 'kibitz arena verify' with --published HEAD shows what was changed.", DIM, hang="")


def tell_seals(screen: Screen, found: tuple[Seal, ...]) -> None:
    """Sealed seeds, and the published ones with a command that checks them without Kibitz."""
    for seal in found:
        screen.line(f"{seal.stage}: sealed as SHA-256 {seal.commitment}", BOLD, hang="")
        if seal.seed is None:
            screen.line("  Its seed is secret until no more deal can come from it.")
            continue
        screen.line(f"  Its seed was {seal.seed:032x}. Check it with:")
        screen.line(f"  printf 'kibitz seed {seal.seed:032x}' | sha256sum", DIM, hang="")
