"""What runs in a player's process: loads the file once, then answers one call after the other.

    channel     two private descriptors, one for requests and one for replies
    prints      what the file writes to descriptors 1 and 2, which are a pipe to the referee
    report      a failure as kind, sentence for everybody and detail for the owner

Nothing here is a defence: the file can change all of it, and then only spoils its own answers.  The referee
checks them again, and the kernel has confined the process before.  Only the standard library is needed.
"""

from __future__ import annotations

import builtins
import inspect
import linecache
import marshal
import os
import random
import sys
import traceback
import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from types import CodeType, FunctionType, ModuleType
from typing import Any

from kibitz.players.wire import HISTORY, LARGEST_CODE, NO_FUNCTION, WireError, exact_text, read_request, text, unpacked

REQUESTS, REPLIES = 20, 21
"""Where the channel is, out of the way of the numbers that a file's own ``open`` gets."""
DETAIL = 4000
"""Characters of a traceback; a reply has room for them even if all are written as JSON escapes."""
CONFINED = (
    "A player file can compute and import modules. It is refused to start threads or processes, to open connections,"
    " to send signals, to write files, and to read any but Python's own and those of installed modules.\n"
)
"""Follows the traceback of what looks like a refusal of the kernel's."""
MODULE = "player_file"

Report = tuple[str, str, str]


class LoadError(Exception):
    """The file does not provide what the game asks for."""


def serve_referee() -> None:
    """Answer requests until the channel is closed."""
    module = ModuleType(MODULE)
    history = History()
    cap = 0
    for line in lines():
        seq, function, arguments, items = read_request(line)
        if items:
            history.grow(list(map(unpacked, items)))
        try:
            if function == NO_FUNCTION:
                file, source, code, wanted, seed, cap = arguments
                linecache.cache[file] = (lambda source=source: source,)
                compiled = marshal.loads(b64decode(code)) if code else compile_first(seq, source, file)
                load(module, compiled, wanted, seed)
                reply = "null"
            else:
                reply = call(module, function, unpacked(arguments), history)
                if len(reply) > cap - 100:
                    raise WireError(f"more than {cap >> 10} kB")
        except BaseException as error:
            answer("error", seq, text(list(failure(error, function)))[1:-1])
        else:
            answer("ok", seq, reply)


def lines() -> Iterator[str]:
    """The referee's lines, one by one, until it hangs up."""
    got = b""
    while chunk := os.read(REQUESTS, 1 << 16):
        got += chunk
        if chunk.endswith(b"\n"):
            line, got = got.decode(), b""
            yield line


def answer(word: str, seq: int, rest: str) -> None:
    """Send a reply, after everything that the file has printed."""
    flush()
    line = f'["{word}",{seq},{rest}]\n'.encode()
    while line:
        line = line[os.write(REPLIES, line) :]


def flush() -> None:
    """Let go of what is printed so far, whatever the file has done to its streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue


def compile_first(seq: int, source: str, file: str) -> CodeType:
    """Compile the file and tell the referee the code, before any of it has run, for later games with this file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they would be printed in a file's first game only
        compiled = compile(source, file, "exec", dont_inherit=True)
    code = b64encode(marshal.dumps(compiled)).decode()
    answer("code", seq, text(code if len(code) <= LARGEST_CODE else ""))
    return compiled


def load(module: ModuleType, compiled: CodeType, wanted: list[tuple[str, int]], seed: int) -> None:
    """Run the file as a fresh module and make sure that it has the functions ``wanted``."""
    random.seed(seed)
    sys.modules[MODULE] = module
    run_module(module, compiled)
    for name, arity in wanted:
        check_function(module, name, arity)


def run_module(module: ModuleType, compiled: CodeType) -> None:
    """Run a file's code as ``module``."""
    module.__dict__.update(__file__=compiled.co_filename, __builtins__=builtins)
    exec(compiled, module.__dict__)


def check_function(module: ModuleType, name: str, arity: int) -> None:
    """LoadError unless the module has a function of that name that takes ``arity`` arguments."""
    function = module.__dict__.get(name)
    if function is None:
        raise LoadError(missing(name))
    if not callable(function):
        raise LoadError(f"{name} is not a function.")
    if type(function) is FunctionType and takes(function.__code__, arity):
        return
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*[None] * arity)
    except TypeError:
        raise LoadError(f"{name} must take {arity} arguments, and is defined as {name}{signature}.") from None


def missing(name: str) -> str:
    """What is said of a file without a function that it should have."""
    return f"The file does not define {name}."


def takes(code: CodeType, arity: int) -> bool:
    """Whether plain code certainly takes this many arguments."""
    return code.co_argcount == arity and not code.co_kwonlyargcount


def call(module: ModuleType, function: str, arguments: list[Any], history: History) -> str:
    """Call a function with lists that are its own to change, and give its answer as JSON."""
    given = [history.copy() if part is HISTORY else part for part in arguments]
    play: Callable[..., Any] = module.__dict__[function]
    return exact_text(play(*given))


class History:
    """The history so far; every call gets a copy that shares no list with it."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.deep = False

    def grow(self, items: list[Any]) -> None:
        """Add new items."""
        self.items += items
        self.deep = self.deep or has_list(items)

    def copy(self) -> list[Any]:
        """A list to change at will; tuples of plain values need no copies."""
        return deepcopy(self.items) if self.deep else self.items[:]


def has_list(values: Iterable[Any]) -> bool:
    """Whether there is a list anywhere in these values."""
    return any(type(value) is list or (type(value) is tuple and has_list(value)) for value in values)


def failure(error: BaseException, function: str) -> Report:
    """What to report of anything that was raised; never raises itself."""
    try:
        if isinstance(error, MemoryError):
            traceback.clear_frames(error.__traceback__)
        kind, sentence = classified(error, function)
        return kind, plain(sentence)[:300], plain(tail(error))
    except BaseException:
        kind = "memory" if isinstance(error, MemoryError) else "exception"
        return kind, f"{function or 'The file'} failed in a way that could not be described.", ""


def classified(error: BaseException, function: str) -> tuple[str, str]:
    """The kind of a failure, and the sentence for everybody."""
    who = function or "The file"
    if isinstance(error, WireError):
        return "invalid", (
            f"{who} returned {error}; only whole numbers, strings, None, tuples and lists can be returned."
        )
    if isinstance(error, MemoryError):
        return "memory", f"{who} ran out of memory."
    if isinstance(error, SystemExit):
        return "exit", f"{who} called exit instead of returning."
    if isinstance(error, LoadError):
        return "load", str(error)
    if function:
        return "exception", f"{who} raised {last_line(error)}."
    if isinstance(error, SyntaxError):
        return "load", f"The file is no Python: {error.msg} in line {error.lineno}."
    return "load", f"The file raised {last_line(error)} while it was loaded."


def last_line(error: BaseException) -> str:
    """An error's type and message, as the last line of a traceback shows it."""
    shown = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
    return shown[-1].rstrip(".")[:200] if shown else type(error).__name__


def tail(error: BaseException) -> str:
    """The traceback of a failure from the file's first line on; nothing where there is none of the file's."""
    if isinstance(error, (WireError, LoadError)):
        return ""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    shown = "".join(traceback.format_exception(type(error), error, trace, limit=-12, chain=False))
    return shown[-DETAIL:] + (CONFINED if is_refusal(error) else "")


def is_refusal(error: BaseException) -> bool:
    """Whether it is probably the confinement that has made a file's call fail."""
    return isinstance(error, (PermissionError, FileNotFoundError)) or error.args == ("can't start new thread",)


def plain(shown: str) -> str:
    """A text that every log can hold."""
    return str(shown).encode("utf-8", "backslashreplace").decode()
