"""A random generator for kernels that belong to no game, such as those of a solver."""

from __future__ import annotations

from random import Random
from typing import Any

from kibitz.cards.chance import rekey
from kibitz.engine.layout import CHANCE, Layout

SAMPLER = Layout("Sampler", *CHANCE)


def sampler(seed: int) -> Any:
    """A generator as a record, for machine code; ``seed`` determines all its draws."""
    import numpy as np

    plain, random = SAMPLER.plain(), Random(seed)
    rekey(plain, *(random.getrandbits(32) for _ in range(4)))
    record = np.zeros(1, SAMPLER.dtype)
    SAMPLER.store(plain, record, 0)
    return record[0]
