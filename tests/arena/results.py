"""Short ways to write match results in tests."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.arena.model import MatchResult, SeatResult


def seat(submission, place, share=0.0, forfeit=None, player=None, version=1, rule=None, score=0.0) -> SeatResult:
    """The result of a seat; players are named after their submissions."""
    return SeatResult(submission, player or f"p{submission}", version, score, place, share, forfeit, rule)


def match(number: int, seats: Sequence[SeatResult], block: int | None = None, **changes) -> MatchResult:
    """A match, in its own block by default."""
    status = "forfeited" if any(s.forfeit for s in seats) else "finished"
    known = {"tournament": "go", "phase": "open", "round": 1, "rotation": 0, "deal_seed": 7, "tier": "1", "engine": "0"}
    return MatchResult(
        **{**known, "block": block or number, "match": number, "status": status, "seats": tuple(seats), **changes}
    )


def placed(number: int, submissions: Sequence[int], places: Sequence[int], block: int | None = None) -> MatchResult:
    """A match without forfeits, by the places of its players."""
    winners = places.count(1)
    seats = [seat(s, p, (p == 1) / winners) for s, p in zip(submissions, places, strict=True)]
    return match(number, seats, block)


def won(number: int, submissions: Sequence[int], winner: int, block: int | None = None) -> MatchResult:
    """A match with one winner and equal losers."""
    return placed(number, submissions, [1 if s == winner else 2 for s in submissions], block)


def blocks(lineups: Sequence[Sequence[int]], random, seats: int = 4) -> list[MatchResult]:
    """Complete blocks of the lineups, with random winners."""
    found = []
    for block, lineup in enumerate(lineups):
        for r in range(seats):
            order = [*lineup[r:], *lineup[:r]]
            result = won(block * seats + r + 1, order, random.choice(order), block + 1)
            found.append(match(result.match, result.seats, result.block, rotation=r))
    return found
