"""What a PHH file states of the end of a hand, compared with the hand as it was played again: nothing changes silently.

gained      by seat, the chips won from pots; ``returned`` the uncalled ones that came back
winnings    what a file says that players have won: from the pots, with or without what came back, or in all
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.engine.events import Event
from kibitz.errors import RecordError
from kibitz.games.poker.phh.amounts import chips_of, money
from kibitz.games.poker.view import HandEnded, NextStreet, TookBack, Won


class Told:
    """What is told while a hand is played again."""

    def __init__(self, stacks: Sequence[int], scale: int) -> None:
        n = len(stacks)
        self.stacks, self.scale = list(stacks), scale
        self.board: list[int] = []
        self.gained, self.returned = [0] * n, [0] * n
        self.last = list(stacks)

    def hear(self, event: Event) -> None:
        """Take notice of an event."""
        match event:
            case NextStreet(cards):
                self.board += cards
            case TookBack(who, amount):
                self.returned[who] += amount
            case Won(_, winners, shares):
                for who, share in zip(winners, shares, strict=True):
                    self.gained[who] += share
            case HandEnded(_, chips):
                self.last = list(chips)

    def check_board(self, board: Sequence[int | None], where: str) -> None:
        """The board so far is the file's so far."""
        if list(board) == self.board:
            return
        if len(board) > len(self.board):
            raise RecordError(f"{where}by the rules the next cards of the board are not dealt yet.")
        raise RecordError(
            f"{where}by the rules {len(self.board)} cards lie on the board by now, and the file has dealt {len(board)}."
        )

    def check_end(self, fields: dict[str, Any]) -> None:
        """The hand ends as the file says, where it says so."""
        if "finishing_stacks" in fields:
            self.compare(fields["finishing_stacks"], [self.last], "ends with the stacks", self.last)
        if "winnings" in fields:
            seats = range(len(self.last))
            gross = [self.gained[p] + self.returned[p] for p in seats]
            net = [max(0, self.last[p] - self.stacks[p]) for p in seats]
            self.compare(fields["winnings"], [self.gained, gross, net], "says that the players win", self.gained)

    def compare(self, stated: list[Any], allowed: Sequence[list[int]], what: str, ours: list[int]) -> None:
        """What is stated is one of the things that it may mean."""
        if [chips_of(value, self.scale) for value in stated] not in allowed:
            said = ", ".join(str(value) for value in stated)
            right = ", ".join(str(money(chips, self.scale)) for chips in ours)
            raise RecordError(f"the file {what} [{said}], and by the rules they are [{right}].")
