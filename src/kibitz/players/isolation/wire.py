"""Messages between the referee and a player's process: lines of JSON, and the objects that a player file gets.

    request     ``[seq, function, arguments, history]``: the history's new items only; arguments and items are packed;
                with one thing more at its end, the reply's value is a list of the function's and its arguments
    reply       ``["ok", seq, value]`` or ``["error", seq, kind, sentence, detail]``
    code        ``["code", seq, text]``: the file compiled, before its first line has run; comes before the reply
    tuple       ``{"t": [...]}``
    packed      a value of the referee's own, as base64 of Python's own marshal: tuples stay tuples, and cards that are
                interned stay so, which makes equal cards one object in the player's process, in all its calls
    HISTORY     among the arguments: where the list of the history goes
    bytes       among the arguments: the name of a function of Python's own, which goes there

The referee packs and never unpacks.  It believes nothing that it reads: a reply is checked, type by type, before
anything else sees it.  Only the standard library is needed here, because the player's process loads it.
"""

import json
import marshal
import sys
from binascii import a2b_base64, b2a_base64
from json.encoder import encode_basestring_ascii as quoted
from json.scanner import make_scanner
from types import SimpleNamespace
from typing import Any

DEPTH = 20
MAX_NUMBER = 10**18
MAX_LENGTH = 10_000
LOST_CHANNEL = 117
"""Exit status of a player's process after the file has closed or broken the channel."""
STACK = "(most recent call first):\n"
"""Precedes the stack that a stopped process prints."""
LARGEST_CODE = 4 << 20
"""Characters of compiled code worth keeping for a file's next game."""
HISTORY = ...
NO_FUNCTION = ""
"""The sequence number of the load, which is the first request."""


class WireError(ValueError):
    """A value can't be sent or received; the message is a noun phrase, such as "a float"."""


class UnsendableArgumentError(WireError):
    """A function has left a value in its arguments that cannot be sent."""


class GarbageError(WireError):
    """A line doesn't follow the protocol."""


def packed(value: Any) -> str:
    """A value of the referee's own, as a JSON string; no list may be in it twice, and cards must be interned."""
    return f'"{b2a_base64(marshal.dumps(value), newline=False).decode()}"'


def packed_alike(value: Any) -> str:
    """The same, for values whose strings are not compared by identity: equal values give equal texts.

    ``packed`` also marks objects that are referenced elsewhere, which would reveal more of a view than its content.
    """
    return f'"{b2a_base64(marshal.dumps(value, 2), newline=False).decode()}"'


def unpacked(written: str) -> Any:
    """The player's side: a packed value."""
    return marshal.loads(a2b_base64(written))


INTERNED_CARDS = tuple([sys.intern(value + suit) for value in "A234567890TJQK" for suit in "CDHS"])
"""The texts of cards, which every player's process keeps from its start.

Unpacking looks strings up in Python's table of interned strings. If nobody kept these, each request would add them and
remove them again, and a fresh fork would have to copy the pages of the table.
"""


def interned(value: Any) -> Any:
    """A copy of a value with its strings interned; the games' own cards already are."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(map(interned, value))
    return sys.intern(value) if kind is str else value


def as_json(value: Any) -> str:
    """A value of the referee's own as JSON; most of them are short lists of cards."""
    kind = type(value)
    if kind is list:
        if not value:
            return "[]"
        if type(value[0]) is str and all_plain(value):
            return '["' + '","'.join(value) + '"]'
        return "[" + ",".join([as_json(part) for part in value]) + "]"
    if kind is str:
        return quoted(value)
    if kind is int:
        return str(value)
    if kind is tuple:
        return '{"t":[' + ",".join([as_json(part) for part in value]) + "]}"
    if value is None or kind is bool:
        return json.dumps(value)
    raise WireError(named(value))


def all_plain(values: list[Any]) -> bool:
    """Whether these are strings of letters and digits, which need no escapes."""
    try:
        joined: str = "".join(values)
    except TypeError:
        return False
    return joined.isalnum() and joined.isascii()


def exact_text(value: Any, depth: int = DEPTH) -> str:
    """A value of the player's as JSON; WireError unless its types are exactly the ones that can be sent."""
    kind = type(value)
    if kind is str:
        return quoted(checked_string(value))
    if kind is int:
        return str(checked_number(value))
    if kind is list or kind is tuple:
        if not depth:
            raise WireError(f"lists nested more than {DEPTH} deep")
        if len(value) > MAX_LENGTH:
            raise WireError(f"a list of more than {MAX_LENGTH} things")
        parts = ",".join([exact_text(part, depth - 1) for part in value])
        return f"[{parts}]" if kind is list else f'{{"t":[{parts}]}}'
    if value is None or kind is bool:
        return json.dumps(value)
    raise WireError(named(value))


def checked_string(value: str) -> str:
    """Check that every log can hold a string."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise WireError("a string with half a character (a lone surrogate)") from None
    return value


def checked_number(value: int) -> int:
    """Check that a number is of readable length."""
    if not -MAX_NUMBER < value < MAX_NUMBER:
        raise WireError("a number of more than 18 digits")
    return value


def named(value: Any) -> str:
    """The name of an unsendable value in an error."""
    kind = type(value)
    base = next((base for base in (bool, int, str, tuple, list) if issubclass(kind, base)), None)
    kin = f", a class derived from {base.__name__}" if base and base is not kind else ""
    return f"something of type {str(kind.__name__)[:40]}{kin}"


def tuples(found: dict[str, Any]) -> Any:
    """The tuple that a decoded JSON object stands for."""
    return tuple(found["t"])


SCAN: Any = make_scanner
"""The scanner of Python's decoder, which doesn't skip blanks around a value."""
scan_request = SCAN(json.JSONDecoder(object_hook=tuples))


def read_request(line: str) -> Any:
    """The player's side: a request as a list."""
    return scan_request(line, 0)[0]


def strict_tuple(pairs: list[tuple[str, Any]]) -> tuple[Any, ...]:
    """Convert the only JSON object that a reply may hold."""
    if len(pairs) != 1 or pairs[0][0] != "t" or type(pairs[0][1]) is not list:
        raise WireError("a dict")
    return tuple(pairs[0][1])


def reject_float(written: str) -> None:
    """Refuse JSON numbers with a point, and NaN."""
    raise WireError("a float")


scan_strictly = SCAN(
    json.JSONDecoder(object_pairs_hook=strict_tuple, parse_float=reject_float, parse_constant=reject_float)
)


def decode_strictly(line: str) -> Any:
    """The value of a line, with nothing before or after it; ValueError if the line isn't one."""
    try:
        value, end = scan_strictly(line, 0)
    except StopIteration:
        end = -1
    if end != len(line):
        raise ValueError("no JSON")
    return value


def read_reply(line: bytes, *, bools: bool) -> Any:
    """The referee's side: a reply as plain values, or WireError. ``bools``: whether True and False are allowed."""
    try:
        return check_bounds(decode_strictly(line.decode()), bools=bools)
    except WireError:
        raise
    except UnicodeDecodeError:
        raise GarbageError("bytes that are not UTF-8") from None
    except RecursionError:
        raise WireError(f"lists nested more than {DEPTH} deep") from None
    except ValueError:
        raise GarbageError("something that is not JSON") from None


def check_bounds(value: Any, *, bools: bool, depth: int = DEPTH + 1) -> Any:
    """Check that nothing in a decoded value is out of bounds."""
    kind = type(value)
    if kind is str:
        return checked_string(value)
    if kind is int:
        return checked_number(value)
    if kind is list or kind is tuple:
        if not depth:
            raise WireError(f"lists nested more than {DEPTH} deep")
        for part in value:
            check_bounds(part, bools=bools, depth=depth - 1)
        return value
    if value is None or (bools and kind is bool):
        return value
    raise WireError(f"{value}, a bool" if kind is bool else named(value))


# What a player file in Kibitz's own form is given: objects with attributes, whose text can be read and pasted back.
#
# View        what a seat sees, with a view inside it where the game keeps a part together; how the game ended
# Event       something that the seat has seen happen; ``kind`` is its name


class View(SimpleNamespace):
    """What a seat sees of a position."""


class Event(SimpleNamespace):
    """Something that a seat has seen happen."""


def as_object(object_type: type[SimpleNamespace], value: Any) -> Any:
    """A plain value with its dictionaries as objects, those inside as views."""
    kind = type(value)
    if kind is dict:
        return object_type(**{name: as_object(View, part) for name, part in value.items()})
    if (kind is list or kind is tuple) and dict in map(type, value):
        return kind([as_object(View, part) for part in value])
    return value
