"""``kibitz arena seeds``: what was sealed, and what is published by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.arena.options import StoreName, TournamentName, opened
from kibitz.cli.screen import BOLD, DIM, Screen

if TYPE_CHECKING:
    from kibitz.arena.finals import Seal


def seeds(tournament: TournamentName, /, *, store: StoreName = None) -> None:
    """Show the SHA-256 of each stage's secret seed, and the seed itself once no more deal can come from it."""
    with opened(store) as arena:
        found = arena.seals(tournament)
    tell_seals(Screen(), found)


def tell_seals(screen: Screen, found: tuple[Seal, ...]) -> None:
    """Sealed seeds, and the published ones with a command that checks them without Kibitz."""
    for seal in found:
        screen.line(f"{seal.stage}: sealed as SHA-256 {seal.commitment}", BOLD, hang="")
        if seal.seed is None:
            screen.line("  Its seed is secret until no more deal can come from it.")
            continue
        screen.line(f"  Its seed was {seal.seed:032x}. Check it with:")
        screen.line(f"  printf 'kibitz seed {seal.seed:032x}' | sha256sum", DIM, hang="")
