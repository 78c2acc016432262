"""Who is playing a tournament, so that a second runner is told and a dead one's blocks come back at once.

    runner      one process that claims blocks and hands in results
    born        what tells a process from a later one with the same number: boot, name space, start
    beside      to play together with the runners that are there already

A runner shows that it is alive by prolonging its row.  On its own machine a dead one is known at once.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update

from kibitz.arena.model import Showing
from kibitz.arena.store import entering, playing
from kibitz.arena.store.schema import runners
from kibitz.errors import StoreError


def enter(connection: Connection, name: str, holder: str, expires: float, now: float, *, beside: bool) -> int:
    """Register a runner; how many blocks of dead ones came back.  StoreError (running) if another is at it."""
    number = entering.tournament_id(connection, name, lock=True)
    back = 0
    for row in connection.execute(select(runners).where(runners.c.tournament_id == number)).all():
        if row.holder == holder:
            leave(connection, holder)
        elif not alive(row, now):
            back += playing.release(connection, row.holder, None)
            leave(connection, row.holder)
        elif not beside:
            raise StoreError(
                "running",
                f"process {row.process} on {row.host} is playing {name} already; let it, or stop it first, or start "
                "this one beside it (--beside).",
            )
    values = {
        "tournament_id": number,
        "holder": holder,
        "host": socket.gethostname()[:255],
        "process": os.getpid(),
        "born": born(os.getpid()) or "",
        "started_at": now,
        "expires": expires,
    }
    connection.execute(insert(runners).values(values))
    return back


def stay(connection: Connection, holder: str, expires: float) -> bool:
    """Show that a runner is alive; False if it is no longer registered."""
    prolonged = update(runners).where(runners.c.holder == holder).values(expires=expires)
    return connection.execute(prolonged).rowcount > 0


def show(connection: Connection, holder: str, shown: Sequence[Showing]) -> None:
    """Keep how the matches go that a runner is playing, in place of what was kept before."""
    told = msgspec.json.encode(shown).decode()
    connection.execute(update(runners).where(runners.c.holder == holder).values(shown=told))


def showing(connection: Connection, name: str, now: float) -> tuple[Showing, ...]:
    """The matches of a tournament that runners are playing, as far as they have told; in order of their numbers."""
    mine = runners.c.tournament_id == entering.tournament_id(connection, name)
    wanted = select(runners.c.shown).where(mine, runners.c.expires > now)
    found = [one for (told,) in connection.execute(wanted) for one in understood(told)]
    return tuple(sorted(found, key=lambda one: one.match))


def understood(told: str) -> tuple[Showing, ...]:
    """What a runner has told; nothing where that cannot be read, since nothing depends on it."""
    try:
        return msgspec.json.decode(told, type=tuple[Showing, ...])
    except msgspec.MsgspecError:
        return ()


def leave(connection: Connection, holder: str) -> None:
    """Take a runner off the list."""
    connection.execute(delete(runners).where(runners.c.holder == holder))


def alive(row: Row[*tuple[Any, ...]], now: float) -> bool:
    """Whether a registered runner may still be at work."""
    if row.expires <= now:
        return False
    mine = born(os.getpid())
    if not mine or not row.born or place(mine) != place(row.born):
        return True
    return bool(born(row.process) == row.born)


def place(name: str) -> str:
    """Of what ``born`` tells, the part that processes share if they can see each other."""
    return name.rpartition("/")[0]


def born(process: int) -> str | None:
    """Boot, process name space and start of a process; None where it is gone or the system does not tell."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else f"{boot}/{space}/{fields[19]}"
