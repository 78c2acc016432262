"""Attempts that were refused before there was a version: what could not be read, or might not come then.

    refusal     the name under which somebody tried, whose it was, the file or folder, and the sentence that said why

A file that was tried and is unfit is no refusal here but a version of its player, with its report.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from kibitz.arena.model import Refusal
from kibitz.arena.store import entering, entries, log, sums
from kibitz.arena.store.playing import plain
from kibitz.arena.store.schema import refusals


def refuse(connection: Connection, name: str, player: str, owner: str, file: str, reason: str, now: float) -> None:
    """Keep a refusal, unless it is the player's last one once more; a closed tournament keeps none."""
    for what, word in (("player", player), ("owner", owner)):
        entering.check_word(what, word)
    number = entering.tournament_id(connection, name, lock=True)
    tournament = entering.tournament(connection, name)
    before = all_refusals(connection, name)
    mine = [one for one in before if one.player == player]
    file, reason = plain(file)[: entering.LONGEST["file"]], plain(reason)
    if tournament.kind == "custom" or tournament.phase == "closed":
        return
    if mine and (mine[-1].file, mine[-1].reason) == (file, reason):
        return
    row = {"player": player, "owner": owner, "file": file, "reason": reason, "at": now}
    connection.execute(insert(refusals).values(tournament_id=number, number=len(before) + 1, **row))
    this = select(refusals).where(refusals.c.tournament_id == number, refusals.c.number == len(before) + 1)
    log.note(connection, number, entries.refused(connection.execute(this).one()), now)


def all_refusals(connection: Connection, name: str) -> tuple[Refusal, ...]:
    """The refusals of a tournament, oldest first."""
    number = entering.tournament_id(connection, name)
    wanted = select(refusals).where(refusals.c.tournament_id == number).order_by(refusals.c.number)
    rows = [sums.whole(refusals, row) for row in connection.execute(wanted)]
    log.check_count(connection, number, "refusals", len(rows), "refused")
    return tuple(Refusal(name, row.number, row.player, row.owner, row.file, row.reason, row.at) for row in rows)
