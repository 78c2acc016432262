"""A game that counts: one that a failure of the machine has spoilt is void and played again.

void        nobody forfeits it, and it leaves no trace in any table
idle        a player gave no answer within the limit on the wall, though it used next to no CPU time: it slept, or
            the machine stood still, which nobody can tell apart

The surprising rule: idleness is forgiven ``IDLE_VOIDS`` times for each seat of a game, and is a forfeit of the kind
"idle" from then on.  A machine that stands still by accident does not do so thrice in one player's calls; a
player that sleeps on purpose cannot hold a tournament up for more than that.  Nor does it gain by it: every answer
that was given in a void attempt stands, so a file that takes its luck from elsewhere has it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.engine.game import Game
from kibitz.errors import IdleError, MachineError
from kibitz.players.form_player import FormPlayer
from kibitz.players.specs import PlayerSpec
from kibitz.table import Match, play_match

IDLE_VOIDS = 2
TRIES = 3
"""How often a game is begun when the machine, and certainly no player, fails."""


def play_counted(game: Game, specs: Sequence[PlayerSpec], seed: int) -> Match:
    """Play a game, again where it is void; MachineError if the machine keeps failing.

    The result is the same however often it was void: players are made afresh, with the same seeds.
    """
    idle = [0] * len(specs)
    failures = 0
    answers: list[list[Any]] = [[] for _ in specs]
    while True:
        players = [spec.make(patient=idle[seat] < IDLE_VOIDS) for seat, spec in enumerate(specs)]
        for seat, player in enumerate(players):
            if isinstance(player, FormPlayer):
                player.before = answers[seat]
        try:
            return play_match(game, players, seed)
        except IdleError as error:
            idle[error.seat] += 1
        except MachineError:
            failures += 1
            if failures == TRIES:
                raise
