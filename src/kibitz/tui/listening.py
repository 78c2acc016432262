"""Hearing a player file in a replay: which seat it had, where it is, and what it says when it plays again."""

from __future__ import annotations

from typing import Any

from textual.app import App

from kibitz.engine.record import Record
from kibitz.engine.registry import game as find_game
from kibitz.players.player_replay import lines_of, overheard
from kibitz.players.specs import find_player
from kibitz.tui.dialogs import Asking, Choosing


async def ask_file(app: App[Any], record: Record) -> tuple[int, str] | None:
    """A seat, and the path of the file that had it; None where the person leaves."""
    seat = await app.push_screen_wait(Choosing("Whose file shall be heard?", list(record.seats)))
    if not isinstance(seat, int):
        return None
    below = "The path of the player file; it plays the seat again, and what was played stands. Esc leaves."
    path = await app.push_screen_wait(Asking(f"Which file was {record.seats[seat]}?", below))
    return (seat, path) if isinstance(path, str) and path else None


def heard_of(record: Record, seat: int, words: str) -> dict[int, list[str]]:
    """By step, what the file says in a game, in lines; KibitzError where there is no such file."""
    spec = find_player(find_game(record.game), words, own=True)
    found: dict[int, list[str]] = {}
    for said in overheard(record, seat, spec):
        found.setdefault(said.step, []).extend(lines_of(said))
    return found
