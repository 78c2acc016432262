"""Small tournaments and invented matches for tests."""

from kibitz.arena.model import PlayedMatch, PlayedSeat
from kibitz.arena.running.next_round import SeasonScheduler, StopCondition
from kibitz.arena.running.pool import InProcessPool
from kibitz.arena.running.runner import Runner, file_of
from kibitz.engine.registry import game


def entered(store, name="go", players=4, game="go-mini", words="first", content=b"", **options):
    """Add a tournament with accepted players ``p0``, ``p1``, ...; returns its entrants."""
    store.add_tournament(name, game, **{"seed": 7, **options})
    for number in range(players):
        made = store.submit(name, f"p{number}", f"owner {number}", words, content)
        store.record_check(made.id, passed=True, reason="", report="{}")
    return store.entrants(name)


def scheduled(store, name="go", blocks=3, **options):
    """Add a tournament of two seats and schedule a round of some blocks."""
    ids = [entrant.submission for entrant in entered(store, name, **options)]
    pairs = [(ids[k % len(ids)], ids[(k + 1) % len(ids)]) for k in range(blocks)]
    return store.schedule_round(name, 1, store.entrants(name), pairs)


class StoredPlayers(dict):
    """The players of a tournament's submissions, by id, read when they are needed."""

    def __init__(self, store, tournament):
        super().__init__()
        self.store, self.tournament = store, tournament

    def __missing__(self, submission):
        spec = file_of(self.store, submission).spec(game(self.tournament.game), self.tournament.limits)
        return self.setdefault(submission, spec)


def run_here(store, name, rounds=None, next_round=None):
    """Play a season's rounds as ``run`` does, but without a process for the worker."""
    tournament = store.tournament(name)
    season = SeasonScheduler(store, name, StopCondition(rounds=rounds), next_round)
    pool = InProcessPool(game(tournament.game), StoredPlayers(store, tournament))
    return Runner(store, tournament, season, pool).run(lambda: False)


def played(lease, failing=()):
    """The matches of a block: seat 0 wins each, unless its submission is in ``failing``."""
    return [match(lease, rotation, lineup, failing) for rotation, lineup in enumerate(lease.block.rotations())]


def match(lease, rotation, lineup, failing):
    """One match of a block."""
    seats = tuple(
        PlayedSeat(one, 0.0, len(lineup), 0.0, "illegal", "It is not your card.", 3, "detail\0", "prints")
        if one in failing
        else PlayedSeat(one, 1.5, 1, 1.0)
        if seat == 0
        else PlayedSeat(one, 0.5, 2, 0.0)
        for seat, one in enumerate(lineup)
    )
    record = f"record of {lease.block.number}/{rotation} ♥"
    return PlayedMatch(rotation, seats, "It is over.", record, "built-in", "1", 0.01)


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.time = 1000.0

    def __call__(self):
        return self.time
