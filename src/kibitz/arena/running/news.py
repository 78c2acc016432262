"""What a run tells while it lasts and when it is over.

news        told whenever something has been saved, and where there is trouble
ended       why a run is over, in a word and in a sentence
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

Why = Literal["stopped", "enough", "waiting", "closed"]


class News(msgspec.Struct, frozen=True):
    """What a runner is at: the round, its blocks and how many are left; games of this run; a sentence or nothing."""

    round: int
    blocks: int
    left: int
    games: int
    note: str = ""


class Ended(msgspec.Struct, frozen=True):
    """Why a run is over, and what it has brought: ``games`` and ``rounds`` of this run, all saved."""

    why: Why
    sentence: str
    games: int
    rounds: int


Progress = Callable[[News], object]
