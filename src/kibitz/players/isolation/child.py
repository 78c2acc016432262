"""The code in a player's process: it loads the files once, then answers one call after the other.

    channel     two private descriptors, one for requests and one for replies
    prints      what the file writes to descriptors 1 and 2, which are a pipe to the referee
    report      a failure: its kind, a sentence for everybody, and details for the owner

Nothing here is a defence: the file can change all of it, which spoils only its own answers. The referee checks every
answer, and the kernel has already confined the process. Only the standard library is needed.
"""

from __future__ import annotations

import builtins
import inspect
import marshal
import os
import sys
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from kibitz.players.isolation import imports
from kibitz.players.isolation.imports import Importer, LoadError
from kibitz.players.isolation.wire import (
    HISTORY,
    MAX_CODE,
    NO_FUNCTION,
    Event,
    UnsendableArgumentError,
    View,
    WireError,
    as_json,
    as_object,
    read_request,
    strict_json,
    unpacked,
)

if TYPE_CHECKING:
    from kibitz.errors import FailureKind

REQUESTS, REPLIES = 20, 21
"""Descriptors of the channel; a file's own ``open`` gets lower ones."""
MAX_FRAMES = 40
MAX_TRACEBACK = 4000
"""The maximum number of characters of a traceback; they fit in a reply even if all are written as JSON escapes."""
CONFINED = (
    "A player file can compute and import modules. It can't start threads or processes, open connections, send signals"
    " or write files, and it can read only Python's own files and those of installed modules.\n"
)
"""A note after the traceback of an error that the confinement probably caused."""
MODULE = "player_file"

Report = tuple["FailureKind", str, str]
RequiredFunction = tuple[str, int, str] | tuple[str, int]
"""A function that a file must define, with its number of arguments and, if they are known, their names."""
PLAY = "play"
"""The function that a file with the play interface must define."""
PLAY_FUNCTIONS: tuple[tuple[str, int, str], ...] = (
    (PLAY, 2, "view, legal"),
    ("start", 3, "game, seat, players"),
    ("observe", 1, "event"),
    ("end", 1, "result"),
)
PLAY_CALL = f"{PLAY}({PLAY_FUNCTIONS[0][2]})"
BLANK = b" \t\r\n\f\v\xef\xbb\xbf"
"""The bytes of white space and of a byte order mark: a file with no others is empty."""
EMPTY = "The file is empty"


def serve_referee() -> None:
    """Answer requests until the channel is closed."""
    import random  # imported here, because the fork server imports it in its own way (``preload_modules``)

    module = ModuleType(MODULE)
    history = History()
    max_reply = 0
    for line in request_lines():
        seq, function, arguments, items, *flags = read_request(line)
        current_function = function
        try:
            if items:
                current_function = "observe"
                pass_on_items(module, history, list(map(unpacked, items)))
                current_function = function
            if function == NO_FUNCTION:
                files, code, required, allow_play, seed, max_reply = arguments
                codes = marshal.loads(b64decode(code)) if code else {}
                importer = Importer([(name, content.encode("latin-1")) for name, content in files], codes)
                if not code:
                    compile_first(seq, importer)
                random.seed(seed)
                importer.install(MODULE, module)
                reply = as_json(load_main(module, importer, required, allow_play=allow_play))
            else:
                reply = call(module, function, unpacked(arguments), history, with_arguments=bool(flags))
                if len(reply) > max_reply - 100:
                    raise WireError(f"more than {max_reply >> 10} kB")
        except BaseException as error:
            answer("error", seq, as_json(list(failure(error, current_function)))[1:-1])
        else:
            answer("ok", seq, reply)


def open_streams() -> None:
    """Open new streams on descriptors 0, 1 and 2; the fork server does this once, for all its players."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115


def request_lines() -> Iterator[str]:
    """The referee's lines, one by one, until it closes the channel."""
    received = b""
    while chunk := os.read(REQUESTS, 1 << 16):
        received += chunk
        if chunk.endswith(b"\n"):
            line, received = received.decode(), b""
            yield line


def answer(status: str, seq: int, body: str) -> None:
    """Flush what the file has printed, then send a reply; ``body`` is JSON."""
    flush()
    line = f'["{status}",{seq},{body}]\n'.encode()
    while line:
        line = line[os.write(REPLIES, line) :]


def flush() -> None:
    """Flush the output so far; ignore errors, because the file may have changed or closed its streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue


def compile_first(seq: int, importer: Importer) -> None:
    """Compile the files and, before any of them runs, send the code to the referee for later games."""
    importer.compile_all()
    code = b64encode(marshal.dumps(importer.codes)).decode()
    answer("code", seq, as_json(code if len(code) <= MAX_CODE else ""))


def load_main(
    module: ModuleType, importer: Importer, required: Sequence[RequiredFunction], *, allow_play: bool
) -> list[str]:
    """Run the main file as ``module``; return the functions of the play interface that games will call.

    The list is empty if they will call the functions ``required``. Raises LoadError if the file lacks one of these;
    with ``allow_play``, it may have none of them and define ``play`` instead.
    """
    names, source = [name for name, *_ in required], importer.files[importer.main]
    if (names or allow_play) and not source.strip(BLANK):
        raise LoadError(f"{EMPTY}: it should define {' and '.join(names) or PLAY_CALL}.")
    code = importer.code(importer.main)
    module.__dict__.update(__file__=code.co_filename, __builtins__=builtins)
    exec(code, module.__dict__)
    if not allow_play or any(name in module.__dict__ for name in names):
        for name, *expected in required:
            check_function(module, name, *expected, source=source)
        return []
    if PLAY not in module.__dict__:
        raise LoadError(no_function_error(names) + name_hint(module, names, source))
    defined = [name for name, _, _ in PLAY_FUNCTIONS if name == PLAY or callable(module.__dict__.get(name))]
    for name, arity, parameters in PLAY_FUNCTIONS:
        if name in defined:
            check_function(module, name, arity, parameters, source=source)
    return defined


def no_function_error(names: Sequence[str]) -> str:
    """The error for a file that defines no function that a game could call."""
    return f"The file does not define {' and '.join(names)}, or {PLAY_CALL}." if names else missing(PLAY_CALL)


PREFIXES = ("comp10001go", "comp10001bo", "comp10001huxxy")
"""How the names of an assignment's functions begin, if they have a prefix."""


def name_hint(module: ModuleType, names: Sequence[str], source: bytes) -> str:
    """A hint if a missing function has a similar name in the file, or is indented there; empty otherwise."""
    import re
    from difflib import get_close_matches

    defined = [
        name
        for name, value in module.__dict__.items()
        if type(value) is FunctionType and name not in names and not is_other_assignments(name, names)
    ]
    by_lower_name = {name.lower(): name for name in defined}
    renames = [
        (by_lower_name[similar], name)
        for name in names
        for similar in get_close_matches(name.lower(), by_lower_name, 1, 0.9)
    ]
    advice = f" Rename {' and '.join(f'{similar} to {name}' for similar, name in renames)}." if renames else ""
    indented = any(re.search(rf"(?m)^[ \t]+def[ \t]+{name}\(".encode(), source) for name in names)
    return advice + " A def that is indented isn't found: move it to the left margin." * indented


def is_other_assignments(name: str, names: Sequence[str]) -> bool:
    """Whether a name has the prefix of an assignment that these names don't belong to; then renaming it is no help."""
    prefix = name.lower().partition("_")[0]
    return prefix in PREFIXES and not any(other.startswith(prefix) for other in names)


def check_function(module: ModuleType, name: str, arity: int, parameters: str = "", *, source: bytes = b"") -> None:
    """Raise LoadError unless the module has a function of that name that takes ``arity`` arguments.

    ``parameters``, the arguments' names, is for the error; ``source`` is searched for an indented function.
    """
    function = module.__dict__.get(name)
    if function is None:
        raise LoadError(missing(name) + name_hint(module, [name], source))
    if not callable(function):
        raise LoadError(f"{name} is not a function.")
    if type(function) is FunctionType and has_arity(function.__code__, arity):
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*[None] * arity)
    except TypeError:
        expected = f": {name}({parameters})" if parameters else ""
        raise LoadError(
            f"{name} must take {arity} argument{'s' * (arity != 1)}{expected}, and is defined as {name}{signature}."
        ) from None


def missing(name: str) -> str:
    """The error for a file that lacks a function."""
    return f"The file does not define {name}."


def has_arity(code: CodeType, arity: int) -> bool:
    """Whether a function's code has exactly this many parameters and no keyword-only ones."""
    return code.co_argcount == arity and not code.co_kwonlyargcount


def call(
    module: ModuleType, function: str, arguments: list[Any], history: History, *, with_arguments: bool = False
) -> str:
    """Call a function with lists that it may change, and return its answer as JSON.

    With ``with_arguments``, the answer is a list: the value, and the arguments after the call.
    """
    given_arguments = [as_argument(part, history) for part in arguments]
    callee: Callable[..., Any] = module.__dict__[function]
    value = strict_json(callee(*given_arguments))
    if not with_arguments:
        return value
    try:
        return f"[{value},{strict_json([None if callable(part) else part for part in given_arguments])}]"
    except WireError as error:
        raise UnsendableArgumentError(str(error)) from None


def as_argument(part: Any, history: History) -> Any:
    """An argument as the function gets it: bytes are the name of a built-in function, ``HISTORY`` is the history."""
    if part is HISTORY:
        return history.copy()
    return getattr(builtins, part.decode()) if type(part) is bytes else as_object(View, part)


def pass_on_items(module: ModuleType, history: History, items: list[Any]) -> None:
    """Add items to the history; pass events, which only the play interface gets, to the file's ``observe``."""
    events = [item for item in items if type(item) is dict]
    if not events:
        history.grow(items)
    for event in events:
        module.__dict__["observe"](as_object(Event, event))


class History:
    """The history so far; every call gets a copy that shares no list with it."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.has_lists = False

    def grow(self, items: list[Any]) -> None:
        """Add new items."""
        self.items += items
        self.has_lists = self.has_lists or has_list(items)

    def copy(self) -> list[Any]:
        """A list that a function may change; only tuples of plain values are shared."""
        return deepcopy(self.items) if self.has_lists else self.items[:]


def has_list(values: Iterable[Any]) -> bool:
    """Whether there is a list anywhere in these values."""
    for value in values:
        kind = type(value)
        if kind is list or (kind is tuple and has_list(value)):
            return True
    return False


def failure(error: BaseException, function: str) -> Report:
    """The report on an exception; never raises one itself."""
    try:
        if isinstance(error, MemoryError):
            traceback.clear_frames(error.__traceback__)
        error_kind, sentence = kind_and_sentence(error, function)
        return error_kind, loggable(sentence)[:300], loggable(own_traceback(error))
    except BaseException:
        kind: FailureKind = "memory" if isinstance(error, MemoryError) else "exception"
        return kind, f"{function or 'The file'} failed, and its error can't be described.", ""


def kind_and_sentence(error: BaseException, function: str) -> tuple[FailureKind, str]:
    """The kind of a failure, and the sentence for everybody."""
    subject = function or "The file"
    if isinstance(error, UnsendableArgumentError):
        return "invalid", f"{subject} put {error} into its arguments."
    if isinstance(error, WireError):
        return "invalid", (
            f"{subject} returned {error}; only whole numbers, strings, None, tuples and lists can be returned."
        )
    if isinstance(error, MemoryError):
        return "memory", f"{subject} ran out of memory."
    if isinstance(error, SystemExit):
        return (
            "exit",
            f"{subject} called exit {'instead of returning' if function else 'while it was loaded: take it out'}.",
        )
    if isinstance(error, LoadError):
        return "load", str(error)
    if function:
        return "exception", f"{subject} raised {last_line(error)}.{advice(error)}"
    if isinstance(error, SyntaxError):
        message = error.msg.removesuffix(f" (detected at line {error.lineno})")
        return "load", f"{invalid_file(error)} isn't valid Python: {message} in line {error.lineno}."
    tests_advice = (
        " Put tests of your own below a line if __name__ == '__main__':" if isinstance(error, AssertionError) else ""
    )
    return "load", f"The file raised {last_line(error)} while it was loaded.{tests_advice or advice(error)}"


def advice(error: BaseException) -> str:
    """Advice on an error that the author's machine wouldn't show, or on a misspelt name; empty for other errors."""
    if isinstance(error, EOFError):
        return " Nobody can answer input() here: put a value in its place."
    if isinstance(error, ImportError) and "relative import" in str(error):
        return " Leave out the dot, as in 'from common import ...'."
    if isinstance(error, (NameError, AttributeError)):
        return did_you_mean(error)
    if isinstance(error, ModuleNotFoundError):
        return " If it is a file of yours, submit it too; a package that isn't installed here can't be used."
    if isinstance(error, (FileNotFoundError, PermissionError)) and error.filename is not None:
        return " A player can't open files: put its data into a .py file."
    return ""


def did_you_mean(error: NameError | AttributeError) -> str:
    """A question such as Python 3.12 adds, "Did you mean ...?", for older versions; empty if no name is similar."""
    from difflib import get_close_matches

    if "Did you" in last_line(error) or isinstance(error, UnboundLocalError):
        return ""
    if isinstance(error, NameError):
        if error.name in sys.stdlib_module_names:
            return f" Did you forget to import {error.name}?"
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        names = [*frame.f_locals, *frame.f_globals, *dir(builtins)]
    else:
        names = dir(error.obj)
    matches = get_close_matches(error.name or "", names, 1, 0.7)
    return f" Did you mean {matches[0]}?" if matches else ""


def invalid_file(error: SyntaxError) -> str:
    """The file that isn't valid Python: "The file" for the main one, or the name of one that it imports."""
    main = getattr(sys.modules.get(MODULE), "__file__", error.filename)
    return "The file" if error.filename == main else str(error.filename)


def last_line(error: BaseException) -> str:
    """An error's type and message, as the last line of a traceback shows it."""
    shown = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
    return shown[-1].rstrip(".")[:200] if shown else type(error).__name__


def own_traceback(error: BaseException) -> str:
    """The part of a traceback that is in the player's own files; empty for errors of Kibitz's checks."""
    if isinstance(error, (WireError, LoadError)):
        return ""
    report = traceback.TracebackException(type(error), error, error.__traceback__, limit=-MAX_FRAMES)
    own_files = [file for file in (__file__, imports.__file__) if file]
    report.stack = traceback.StackSummary.from_list(
        [
            frame
            for frame in report.stack
            if frame.filename not in own_files and not frame.filename.startswith("<frozen importlib")
        ]
    )
    shown = "".join(report.format(chain=False))
    is_refusal = isinstance(error, (PermissionError, FileNotFoundError)) or error.args == ("can't start new thread",)
    return shown[-MAX_TRACEBACK:] + CONFINED * is_refusal


def loggable(shown: str) -> str:
    """A text without lone surrogates, which some logs can't hold."""
    return str(shown).encode("utf-8", "backslashreplace").decode()
