"""Pairs players for the next round, with more games for players whose strength is least certain.

    lineup      the submissions of one block by seat; the block plays one deal in every rotation of it
    quota       how many blocks of a round a submission gets: ``least`` or more, up to ``most`` for submissions with the
                widest 95 % intervals, and ``average`` on average; a new submission's interval is infinite
    token       a submission's claim to one block, due at some point of the round; the tokens of a submission are spread
                evenly over the round
    filler      a built-in player that takes seats while there are fewer players than seats (decision 38)

A round is a pure function of the seed, the round's number, the entrants and the results of earlier rounds.
Every player sits in every seat once per block, and each block has its own deal.  Opponents and neighbours are drawn at
random, with a preference for players who have met least in the round.

Players are not matched by strength. With random opponents, shares of wins can be compared too, and a common rating
scale needs games between strong and weak players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import ceil, inf, sqrt
from random import Random

import msgspec

from kibitz.arena.model import Entrant, Lineup, MatchResult
from kibitz.arena.rating.ratings import Rating, Ratings, fit
from kibitz.errors import NotationError, RuleError

SEATS = range(2, 11)


class Precision(msgspec.Struct, frozen=True):
    """How precisely a submission is rated: its blocks so far, and its margin in points, infinite if unknown."""

    blocks: int = 0
    margin: float = inf


class RoundPlan(msgspec.Struct, frozen=True):
    """How many blocks a round gives to one submission."""

    least: int = 2
    average: int = 4
    most: int = 8


PLAN = RoundPlan()


def next_round(
    seed: int,
    number: int,
    seats: int,
    entrants: Sequence[Entrant],
    results: Sequence[MatchResult],
    plan: RoundPlan = PLAN,
) -> list[Lineup]:
    """The lineups of round ``number`` in the order in which to play them.

    ``results`` are from the stage's earlier rounds. A rated block has different players in all seats. If there are too
    few players, a filler takes the other seats. Raises RuleError if there is no filler.
    """
    if seats not in SEATS:
        raise NotationError(f"only games with {SEATS[0]} to {SEATS[-1]} seats can be paired, not with {seats}.")
    submissions = sorted(entrant.submission for entrant in entrants)
    if len(set(submissions)) < len(submissions):
        raise NotationError("a round can't have a submission twice.")
    fillers = [entrant.submission for entrant in entrants if entrant.fills]
    if len(submissions) < seats and not fillers:
        raise RuleError(f"a rated game needs {seats} different players, and {len(submissions)} can play.")
    random = Random(f"kibitz round {seed:032x} {number}")
    if fillers:
        return filled_lineups([s for s in submissions if s not in fillers], fillers, seats, plan, random)
    ratings = fit(results) if results else None
    return lineups(quotas(precisions(ratings, submissions), seats, plan, random), seats, random)


def filled_lineups(
    players: Sequence[int], fillers: Sequence[int], seats: int, plan: RoundPlan, random: Random
) -> list[Lineup]:
    """The lineups if there are too few players: ``plan.average`` blocks, each with all players and a filler."""
    result = []
    for block in range(plan.average):
        filler = fillers[block % len(fillers)]
        lineup = [*players, *[filler] * (seats - len(players))]
        random.shuffle(lineup)
        result.append(tuple(lineup))
    return result


def all_precise(ratings: Ratings, submissions: Sequence[int], max_margin: float) -> bool:
    """Whether every submission is rated precisely: a margin of at most ``max_margin`` points, or a certain rank."""
    rating_of = {rating.submission: rating for rating in ratings.current}
    return all(s in rating_of and is_precise(rating_of[s], max_margin) for s in submissions)


def is_precise(rating: Rating, max_margin: float) -> bool:
    """Whether a rating is precise; without a margin (fewer than two blocks), it never is."""
    return rating.margin is not None and (rating.margin <= max_margin or rating.best == rating.worst)


def precisions(ratings: Ratings | None, submissions: Sequence[int]) -> dict[int, Precision]:
    """How precisely each submission is rated."""
    rating_of = {rating.submission: rating for rating in ratings.current + ratings.former} if ratings else {}
    result = {}
    for submission in submissions:
        rating = rating_of.get(submission)
        margin = inf if rating is None or rating.margin is None else rating.margin
        result[submission] = Precision(rating.blocks if rating else 0, margin)
    return result


def expected_precision(precision: Precision, blocks: int) -> Precision:
    """The precision to expect after ``blocks`` more blocks: margins shrink with the square root of the number."""
    total = precision.blocks + blocks
    return Precision(total, precision.margin * sqrt(precision.blocks / total))


def quotas(precision_of: Mapping[int, Precision], seats: int, plan: RoundPlan, random: Random) -> dict[int, int]:
    """Each submission's number of blocks: ``plan.least`` for everybody, and more for the widest intervals.

    The quotas add up to a multiple of ``seats``, and no quota exceeds the number of blocks.
    """
    blocks = ceil(len(precision_of) * plan.average / seats)
    most = min(max(plan.most, ceil(blocks * seats / len(precision_of))), blocks)
    quota = dict.fromkeys(precision_of, min(plan.least, most))
    waiting = [(-expected_margin(precision_of[s], quota[s]), random.random(), s) for s in precision_of]
    heapify(waiting)  # the widest expected interval first; among equal ones, the fewest blocks, then at random
    for _ in range(blocks * seats - sum(quota.values())):
        _, tie_break, s = heappop(waiting)
        quota[s] += 1
        if quota[s] < most:
            heappush(waiting, (-expected_margin(precision_of[s], quota[s]), tie_break + quota[s], s))
    return quota


def expected_margin(precision: Precision, blocks: int) -> float:
    """The expected margin after more blocks; infinite if it is unknown now."""
    return inf if precision.margin == inf else expected_precision(precision, blocks).margin


def lineups(quota: Mapping[int, int], seats: int, random: Random) -> list[Lineup]:
    """Lineups that use up all quotas, with different submissions in each; a submission's blocks are spread out.

    A lineup begins with the submissions that must be in every remaining block. Its other seats go to submissions with
    early tokens; of these, it prefers submissions that have met the lineup's players least. The sum of the quotas must
    be a multiple of ``seats``, and no quota may exceed the number of blocks.
    """
    tokens = sorted(
        ((index + random.random()) / total, random.random(), s) for s, total in quota.items() for index in range(total)
    )
    queue = [s for _, _, s in tokens]
    remaining = dict(quota)
    met: Counter[tuple[int, int]] = Counter()
    result = []
    for blocks in range(len(queue) // seats, 0, -1):
        lineup = [s for s in remaining if remaining[s] == blocks]
        early = earliest(queue, lineup, 2 * seats)
        while len(lineup) < seats:
            chosen = min(early, key=lambda s: sum(met[pair(s, other)] for other in lineup))
            early.remove(chosen)
            lineup.append(chosen)
        for s in lineup:
            queue.remove(s)
            remaining[s] -= 1
        met.update(pair(a, b) for i, a in enumerate(lineup) for b in lineup[:i])
        random.shuffle(lineup)
        result.append(tuple(lineup))
    return result


def earliest(queue: Sequence[int], lineup: Sequence[int], count: int) -> list[int]:
    """The first ``count`` submissions in the queue that are not in the lineup, without repeats."""
    first: dict[int, None] = {}
    for submission in queue:
        if len(first) == count:
            break
        if submission not in lineup:
            first[submission] = None
    return list(first)


def pair(a: int, b: int) -> tuple[int, int]:
    """Two submissions as a pair in a fixed order."""
    return (a, b) if a < b else (b, a)
