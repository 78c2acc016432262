"""What an environment needs besides Kibitz itself, said in one sentence where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

OURS = "kibitz"


@contextmanager
def needing(what: str, extra: str = "environments") -> Iterator[None]:
    """A block that imports; ImportError that says what to install where a package is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == OURS:
            raise
        sentence = f"kibitz.environments.{what} needs {missing}: pip install 'kibitz[{extra}]'."
        raise ImportError(sentence, name=error.name) from None
