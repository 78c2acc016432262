"""How often somebody may ask for something, so many at once and then so many a second; and how much they may have."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from kibitz.web.problems import Problem

MOST_KNOWN = 10_000


class Rate(NamedTuple):
    """``burst`` at once, then ``a_second``."""

    burst: float
    a_second: float


RATES = {
    "request": Rate(1000, 200),
    "message": Rate(80, 30),
    "table": Rate(150, 2),
    "password": Rate(100, 1),
    "guess": Rate(10, 0.1),
    "name": Rate(200, 1),
    "say": Rate(10, 0.5),
    "upload": Rate(60, 1),
}
"""By kind.  A class of a hundred may come from one address; guesses at one name's password are few.

What one address guesses at a name (``guess``) runs out long before what all may (``name``), so nobody alone can keep
somebody from signing in.
"""
MOST_LINES = 400
"""Connections to tables from one address: three for each of a class, and not all that a server can have."""
NETWORK = 64
"""So many bits of an IPv6 address name a network; whoever has one has every address in it."""


def network(address: str) -> str:
    """What whoever asks cannot change at will of an address: all of IPv4, and the network of IPv6.

    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("2001:db8::1234")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address or "nowhere"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, NETWORK), strict=False).network_address)


class Held:
    """How much of something everybody has at once: ``most`` each."""

    def __init__(self, most: int) -> None:
        self.most, self.count = most, Counter[str]()

    def refuse(self, who: str) -> None:
        """Problem 429 if somebody has as much as they may have."""
        if self.count[who] >= self.most:
            raise Problem(429, f"There are {self.most} connections from your address already: close some of them.")

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Somebody has one more in the meantime; Problem 429 if that is too many."""
        self.refuse(who)
        self.count[who] += 1
        try:
            yield
        finally:
            self.count[who] -= 1
            if not self.count[who]:
                del self.count[who]


class Rates:
    """Counts what was asked for, by kind and by whoever asks; of each kind, those who asked last are known."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.left: dict[str, OrderedDict[str, tuple[float, float]]] = {kind: OrderedDict() for kind in RATES}

    def admits(self, kind: str, who: str) -> bool:
        """Whether one more is not too many; if so, it is counted."""
        rate, now, known = RATES[kind], self.clock(), self.left[kind]
        left, since = known.pop(who, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.a_second)
        known[who] = (left - 1 if left >= 1 else left), now
        while len(known) > MOST_KNOWN:
            known.popitem(last=False)
        return left >= 1

    def refuse(self, kind: str, who: str) -> None:
        """Problem 429 if it is too often."""
        if not self.admits(kind, who):
            wait = max(1, round(1 / RATES[kind].a_second))
            raise Problem(429, f"That is too often: wait {wait} second{'s' * (wait > 1)} and try again.")
