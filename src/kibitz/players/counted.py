"""A game that counts: one that a failure of the machine has spoilt is void and played again.

void        nobody forfeits it, and it leaves no trace in any table
attempt     players are made afresh with the same seeds, so whoever answers the same plays the same game again
ledger      what holds through all attempts: failures, and how long each seat has idled
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine.game import Game
from kibitz.errors import MachineError
from kibitz.players.ledger import NOTHING, Account, Ledger, Memory, Sign
from kibitz.players.specs import PlayerSpec
from kibitz.table import Match, play_match

TRIES = 3
"""How often a game is begun when the machine, and certainly no player, fails."""


def play_counted(
    game: Game,
    specs: Sequence[PlayerSpec],
    seed: int,
    memory: Memory = NOTHING,
    sign: Sign = lambda memory: None,
) -> Match:
    """Play a game, again where it is void; MachineError if the machine keeps failing.

    ``memory`` is what other workers have told of their attempts at it; ``sign`` is told what this one adds, and that
    it is still at work.
    """
    ledger = Ledger(len(specs), [spec.limits for spec in specs if spec.is_file], memory, sign)
    failures = 0
    while True:
        ledger.begin()
        players = [spec.make(Account(ledger, seat)) for seat, spec in enumerate(specs)]
        try:
            return play_match(game, players, seed, lapses=ledger)
        except MachineError:
            failures += 1
            if failures == TRIES:
                ledger.tell()
                raise
