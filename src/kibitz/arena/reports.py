"""What the owner of a player needs to know about a game that it lost by its own failure.

    finding     what went wrong, as in ``kibitz.players.findings``: the position, the call, what it returned, the rule
                that forbids it, the traceback, and a command that shows it again
    alone       the call alone, confined, which needs nothing but the file
    called      ``go/17``: match 17 of the tournament ``go``

A match is a function of its files, its deal and its seating, so ``kibitz arena replay go/17`` is that very game.
"""

from __future__ import annotations

import shlex

from kibitz.arena.model import Failure, Tournament
from kibitz.arena.store import Store
from kibitz.cards import shown
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError, RecordError
from kibitz.players.calls import command, parse_call
from kibitz.players.findings import Finding, position

Called = tuple[str, int]


def called(tournament: str, match: int) -> str:
    """What people call a match.

    >>> called("bo:players=3", 17)
    'bo:players=3/17'
    """
    return f"{tournament}/{match}"


def parse_called(words: str) -> Called:
    """A match by what people call it; NotationError if this is no such name.

    >>> parse_called("bo:players=3/17")
    ('bo:players=3', 17)
    """
    tournament, _, number = words.strip().rpartition("/")
    if not tournament or not number.isascii() or not number.isdigit() or len(number) > 12 or int(number) < 1:
        raise NotationError(f"{shown(words)} is no match: write its tournament and number, such as 'go/17'.")
    return tournament, int(number)


def failure_report(store: Store, failure: Failure) -> Finding:
    """Everything about a game that was lost by a failure."""
    match = called(failure.tournament, failure.match)
    where = f"seat {failure.seat}, after {failure.moves} moves"
    return Finding(
        ok=False,
        what=f"Match {match}, version {failure.version} of {failure.player} ({failure.kind}) in {where}",
        why=failure.rule,
        kind=failure.kind,
        reproduce=shlex.join(["kibitz", "arena", "replay", match]),
        detail="\n".join(filter(None, (failure.detail, printed(failure.prints)))),
        position="\n".join(seen(store, failure)),
        alone=call_alone(
            store.tournament(failure.tournament), store.submission(failure.submission).file, failure.detail
        ),
    )


def printed(prints: str) -> str:
    """What a player printed before it failed."""
    return f"It printed last:\n{prints.rstrip()}" if prints.strip() else ""


def seen(store: Store, failure: Failure) -> list[str]:
    """What the seat saw when it failed, line by line; nothing where the record is not this Kibitz's to read."""
    try:
        played = record.parse(store.record(failure.tournament, failure.match))
    except RecordError:
        return []
    (forfeit,) = (forfeit for forfeit in played.forfeits if forfeit.seat == failure.seat)
    return position(find_game(played.game), played, forfeit)


def call_alone(rules: Tournament, file: str, detail: str) -> str:
    """A command line that makes the call with which a detail begins, for whoever is where the player is.

    Empty where the detail begins with no call.
    """
    first = detail.partition("\n")[0]
    try:
        parse_call(first)
    except NotationError:
        return ""
    return command(rules.game, file, first, rules.limits)
