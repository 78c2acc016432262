"""What is found about a player file, and the commands that show it again.

finding     one thing that was looked at: what, why it is not as it should be, and how to see it happen
position    what a seat saw when it failed
"""

from __future__ import annotations

import msgspec

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import Record
from kibitz.engine.scene.text import drawn
from kibitz.engine.sentences import names_for
from kibitz.table import Table


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    ``kind`` is a forfeit's, "example", or "prints"; ``why`` the rule that was broken; ``position`` what the seat saw,
    line by line; ``detail`` the call, what it returned and the traceback; ``reproduce`` a command that shows it again,
    and ``alone`` one that makes the call alone.  A ``warning`` is something wrong that keeps nobody from playing,
    because no game asks for it; it is ``ok``.
    """

    ok: bool
    what: str
    why: str = ""
    kind: str = ""
    reproduce: str = ""
    detail: str = ""
    position: str = ""
    alone: str = ""
    warning: bool = False

    @property
    def sentence(self) -> str:
        """What and why in one."""
        return f"{self.what}: {self.why}" if self.why else f"{self.what}."


def position(game: Game, record: Record, forfeit: Forfeit) -> list[str]:
    """What the seat that forfeits saw when it was asked, line by line."""
    view = Table.resume(record).at(forfeit.moves).view(forfeit.seat)
    names = names_for(forfeit.seat, [f"seat {seat}" for seat in range(game.seats)])
    return drawn(game.scene(view, names), names)
