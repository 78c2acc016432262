"""How far from the truth an average may be: quantiles of Student's t and the correction for few clusters.

    cluster     results that hang together, here the games of one deal; only clusters are independent
    margin      half the width of a two-sided interval; of a share, whose interval ends at 0 and 1, the longer half

Tables and ratings take their 95 % intervals from here.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, inf, pi, sin, sqrt
from statistics import NormalDist

FEWEST = 3
"""Clusters that an interval of a mean needs: two say next to nothing of how far apart clusters lie."""
NO_SPREAD = 1e-12
"""What arithmetic leaves of a spread of 0 is below."""
EXACT = 200
"""Degrees of freedom up to which quantiles are exact; beyond them an expansion is right to eight digits."""


def clustered_margin(spread: float, clusters: int, results: int) -> float:
    """The margin of a mean of so many results; infinite for fewer clusters than ``FEWEST``.

    ``spread`` is the sum of squares, over the clusters, of what each adds up to beyond the mean of all.
    """
    if clusters < FEWEST:
        return inf
    return t_quantile(clusters - 1) * (sqrt(spread) * few(clusters) / results)


def share_margin(share: float, spread: float, clusters: int, results: int) -> float:
    """The margin of a mean of shares from 0 to 1; infinite for too few clusters.

    Clusters that are all alike show no spread, and are not certain either.  Nearly all are like them then: at least
    ``0.025 ** (1 / clusters)`` with a confidence of 97.5 %, and those that are not lie anywhere between 0 and 1.
    """
    margin = clustered_margin(spread, clusters, results)
    if margin < inf and spread < NO_SPREAD:
        margin = max(share, 1 - share) * (1 - float(0.025 ** (1 / clusters)))
    return margin if margin == inf else min(margin, 1.0)


@lru_cache(maxsize=4096)
def t_quantile(freedom: int, level: float = 0.975) -> float:
    """The quantile of Student's t at ``level`` (above one half); infinite without a degree of freedom.

    >>> round(t_quantile(10), 3)
    2.228
    """
    if freedom < 1:
        return inf
    if freedom > EXACT:
        return expanded(freedom, level)
    low, high = 0.0, 1.0
    while central(high, freedom) < 2 * level - 1:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        if central(middle, freedom) < 2 * level - 1:
            low = middle
        else:
            high = middle
    return high


def central(t: float, freedom: int) -> float:
    """The probability of -t to t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    square = cos(angle) ** 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= square * k / (k + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def expanded(freedom: int, level: float) -> float:
    """The quantile for many degrees of freedom, from the normal one (Abramowitz and Stegun, 26.7.5)."""
    z = NormalDist().inv_cdf(level)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )


def few(clusters: int) -> float:
    """What a standard error from so many clusters is multiplied by, as for a mean; infinite for a single one."""
    return sqrt(clusters / (clusters - 1)) if clusters > 1 else inf
