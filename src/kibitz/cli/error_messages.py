"""Errors as the one sentence that the command line prints.

Errors that Kibitz raises on purpose are already sentences; errors from cyclopts are rewritten here in the same style.
"""

from __future__ import annotations

import difflib
import errno
from typing import Literal, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from kibitz.engine.registry import game_error_sentence
from kibitz.engine.sentences import as_sentence
from kibitz.errors import KibitzError, cause

SYSTEM_ERRORS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM, errno.EBADF),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENXIO, errno.ENODEV),
        *(errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR),
    }
)
"""System errors that Kibitz can't prevent: a full disk, a closed stream, too many open files, an invalid path."""

SERVER_MODULES = frozenset({"argon2", "jinja2", "python_multipart", "sqlalchemy", "starlette", "uvicorn"})
"""The modules that the extra ``server`` installs."""

STORE_SYNONYMS = ("--data", "--database", "--db")
"""Names that other programs have for the option ``--store``."""


def error_sentence(error: BaseException) -> str | None:
    """The sentence for an error, on one line; None if it is a bug."""
    if isinstance(error, KibitzError):
        return as_sentence(str(error))
    if isinstance(error, CycloptsError):
        return as_sentence(usage_error(error))
    if isinstance(error, OSError) and error.errno in SYSTEM_ERRORS:
        path = error.filename if isinstance(error.filename, str) else "output"
        return as_sentence(f"{path} can't be written or read: {cause(error)}")
    if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] in SERVER_MODULES:
        return "the server, arenas and tournaments need more packages: pip install 'kibitz[server]'."
    if isinstance(error, MemoryError):
        return as_sentence("not enough memory: ask for less at once")
    return game_error_sentence(error)


def usage_error(error: CycloptsError) -> str:
    """What is wrong with the arguments of a command."""
    command = " ".join(("kibitz", *(error.command_chain or ())))
    see_help = f"see '{command} --help'"
    match error:
        case UnknownCommandError(unused_tokens=[word, *_], app=App() as group):
            full_command = " ".join((*(error.command_chain or ()), word))
            return f"unknown command {full_command!r}: {did_you_mean(word, list(group)) or see_help}"
        case UnknownOptionError(token=token):
            word = token.keyword or token.value
            known = [name for argument in error.argument_collection for name in argument.names]
            likely_option = "--store" if word in STORE_SYNONYMS and "--store" in known else word
            return f"{command} has no option {word}: {did_you_mean(likely_option, known) or see_help}"
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            return f"{command} doesn't take {word!r}: {see_help}"
        case MissingArgumentError() if error.argument is not None:
            needs = f"{error.keyword} needs a value" if error.keyword else f"{error.argument.name} is missing"
            return f"{needs}: {see_help}"
        case CoercionError(__cause__=KibitzError() as message):
            return str(message)
        case CoercionError(msg=None, token=token) if token is not None and error.argument is not None:
            name = token.keyword or error.argument.name
            if get_origin(error.argument.hint) is Literal:
                *choices, last = map(str, get_args(error.argument.hint))
                return f"{name} must be {', '.join(choices)} or {last}, not {token.value!r}"
            expected = "a whole number" if "int" in str(error.argument.hint) else "another value"
            return f"{name} needs {expected}, not {token.value!r}"
        case CoercionError(msg=str(message)) if error.argument is not None:
            return f"{error.argument.name} {message}"
        case ValidationError() if error.argument is not None:
            return f"{error.argument.name} {error.exception_message}"
    error.verbose = False
    return str(error)


def did_you_mean(word: str, known: list[str]) -> str:
    """The known word that was probably meant, as the end of a sentence; empty if no known word is similar."""
    matches = difflib.get_close_matches(word, known, 1)
    return f"did you mean {matches[0]!r}?" if matches else ""
