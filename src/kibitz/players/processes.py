"""Which kind of process a player file runs in: a confined one where the kernel can do that, else a plain one.

A plain process is separate and has limits of time, but nothing keeps the file from doing whatever its user can do.
So it is for one's own files only, and only who says so (``own``) gets one.
"""

from __future__ import annotations

import os

from kibitz.errors import ConfinementError
from kibitz.players.attempts import Account
from kibitz.players.conversation import Conversation
from kibitz.players.limits import Limits

STRANGERS = (
    "Player files of others run only where the kernel confines them, which needs Linux; here you can try files of your"
    " own with 'kibitz check-player', 'kibitz match' and 'kibitz play'."
)
UNCONFINED = (
    "only Linux can confine player files: here they run in plain processes and can do whatever you can do, so run"
    " only what you have written yourself."
)


def confines() -> bool:
    """Whether this system has what confined processes are made with, which only Linux has."""
    return hasattr(os, "fork") and hasattr(os, "pidfd_open")


def unconfined() -> str:
    """Why player files are not confined here, as a warning to whoever runs their own; empty where they are."""
    if not confines():
        return UNCONFINED
    from kibitz.sandbox import tier

    found = tier()
    if found.rated:
        return ""
    return f"player files are not confined here: {found.reason} Play only with files of your own."


def process_for(limits: Limits, account: Account | None, *, own: bool) -> Conversation:
    """A new process for a player file; ConfinementError where it would not be confined and is not one's ``own``."""
    if confines():
        from kibitz.players.process import PlayerProcess

        return PlayerProcess(limits, account)
    if not own:
        raise ConfinementError(STRANGERS)
    from kibitz.players.plain_process import PlainProcess

    return PlainProcess(limits, account)
