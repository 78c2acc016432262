"""The errors that Kibitz raises, and their meanings.

    KibitzError
    ├── NotationError   a text or value cannot be read: a card, an action, a player's name
    ├── RuleError       the rules forbid an action now
    ├── SeatError       the seat doesn't exist, or may not do this
    ├── RecordError     a record is damaged or doesn't replay to its result; carries file and line
    ├── PlayerError     a player file failed: carries the kind of failure and what its owner should see
    ├── MachineError    this machine failed, for example to start a process: the game is void, and nobody forfeits
    │   └── ConfinementError    this machine cannot confine players, as rated games require
    └── StoreError      the store of an arena or server refused or failed; carries the kind of error

Every message is one sentence that says what is wrong and what would be right.
"""

from typing import Literal

FailureKind = Literal["load", "exception", "invalid", "memory", "exit", "protocol", "time", "idle", "illegal"]
"""The kinds of failure that make a player forfeit; ``kibitz.engine.forfeits`` says when each can happen."""


class KibitzError(Exception):
    """Base of every error that Kibitz raises on purpose."""


class NotationError(KibitzError, ValueError):
    """The text or value cannot be read."""


class RuleError(KibitzError, ValueError):
    """The rules forbid the action now."""


class SeatError(KibitzError, ValueError):
    """The seat doesn't exist or may not do this."""


class RecordError(KibitzError, ValueError):
    """A record is damaged or doesn't replay to its result; ``line`` counts from 1, and is 0 if no line is to blame."""

    def __init__(self, sentence: str, file: str = "", line: int = 0) -> None:
        where = f"{file}:{line}: " if file and line else f"{file}: " if file else f"line {line}: " if line else ""
        super().__init__(where + sentence)
        self.sentence, self.file, self.line = sentence, file, line

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.sentence, self.file, self.line), self.__dict__


class PlayerError(KibitzError):
    """A player could not answer: ``kind`` names the failure, ``detail`` is for the player's owner alone."""

    def __init__(self, kind: FailureKind, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.kind, self.sentence, self.detail = kind, sentence, detail

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, self.sentence, self.detail), self.__dict__


class MachineError(KibitzError):
    """This machine failed: the game is void, and nobody forfeits."""


class ConfinementError(MachineError):
    """This machine cannot confine players, as rated games require."""


class StoreError(KibitzError):
    """The store refused or failed; callers decide by ``kind`` what to do next.

    missing     the store, tournament, submission or match doesn't exist
    refused     the operation isn't allowed, or not now
    running     another runner is using this store
    version     another version of Kibitz has written the store
    damaged     the store is damaged, or isn't a store
    driver      a package for the database is missing
    locked      another process has locked the database; ``transient``
    full        the disk is full; ``transient``
    lost        the connection is lost; ``transient``
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, str(self)), self.__dict__

    @property
    def transient(self) -> bool:
        """Whether a retry may succeed."""
        return self.kind in ("locked", "full", "lost")


def cause(error: Exception) -> str:
    """Why a system call failed, in words that can end a sentence.

    >>> cause(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    message = str(getattr(error, "strerror", None) or error)
    return message[:1].lower() + message[1:]
