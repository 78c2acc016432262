"""The options that several commands share, and what their values must be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.engine.game import SEED_LIMIT


def at_least_one(hint: object, value: int | None) -> None:
    """Refuse numbers below 1."""
    if value is not None and value < 1:
        raise ValueError(f"must be 1 or more, not {value}")


def a_seed(hint: object, value: int | None) -> None:
    """Refuse what is no seed."""
    if value is not None and not 0 <= value < SEED_LIMIT:
        raise ValueError(f"must be from 0 to 2**128 - 1, not {value}")


GameName = Annotated[str, Parameter(help="A game, such as go or bo:players=3; 'kibitz games' lists them.")]
Seed = Annotated[int | None, Parameter(validator=a_seed, help="Fixes every card; a secret one is drawn otherwise.")]
Trusted = Annotated[
    bool,
    Parameter(help="For your own files alone: they run as part of Kibitz, unconfined."),
]
LimitWords = Annotated[
    str | None,
    Parameter(
        name="--limits",
        help="Limits of player files, such as call=1,bank=20: seconds of CPU time to load, for a call and in the bank"
        " for a game; MiB of memory; kiB of output.",
    ),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write the record of the game here.")]
Force = Annotated[bool, Parameter(help="Overwrite a file that exists.")]
Ascii = Annotated[bool, Parameter(help="Write suits as letters: AS KH 10D 2C.")]
Count = Annotated[int, Parameter(validator=at_least_one)]
"""A number that must be 1 or more."""
