"""Messages between the referee and a player's process: lines of JSON, and the objects that a player file gets.

    request     ``[seq, function, arguments, items]``: ``items`` are what was added to the play history since the last
                request; arguments and items are packed. A fifth element asks for the arguments as the function left
                them: the reply's value is then a list of the value and the arguments
    reply       ``["ok", seq, value]`` or ``["error", seq, kind, sentence, detail]``
    code        ``["code", seq, text]``, the compiled files, sent before any of them runs and before the load's reply
    tuple       ``{"t": [...]}``
    packed      a value from the referee, as base64 of Python's marshal format. Tuples stay tuples, and interned cards
                stay interned, so that equal cards are one object in the player's process, in all its calls
    HISTORY     an argument that stands for the list of the history
    bytes       an argument that stands for a built-in function, by its name

The referee packs and never unpacks.  It trusts nothing that it reads: a reply is checked, type by type, before
anything else uses it.  Only the standard library is needed here, because the player's process loads it.
"""

import json
import marshal
import sys
from binascii import a2b_base64, b2a_base64
from json.encoder import encode_basestring_ascii as quoted
from json.scanner import make_scanner
from types import SimpleNamespace
from typing import Any

MAX_DEPTH = 20
MAX_NUMBER = 10**18
MAX_LENGTH = 10_000
LOST_CHANNEL = 117
"""Exit status of a player's process after the file has closed or broken the channel."""
STACK = "(most recent call first):\n"
"""The text before each stack that ``faulthandler`` prints."""
MAX_CODE = 4 << 20
"""The maximum number of characters of compiled code that is kept for a file's next game."""
HISTORY = ...
NO_FUNCTION = ""
"""The function of the first request, which loads the file."""


class WireError(ValueError):
    """A value can't be sent or received; the message is a noun phrase, such as "a float"."""


class UnsendableArgumentError(WireError):
    """A function has put a value that can't be sent into its arguments."""


class GarbageError(WireError):
    """A line doesn't follow the protocol."""


def packed(value: Any) -> str:
    """A value from the referee, packed, as a JSON string; no list may occur in it twice, and cards must be interned."""
    return f'"{b2a_base64(marshal.dumps(value), newline=False).decode()}"'


def packed_by_value(value: Any) -> str:
    """Like ``packed``, but equal values give equal texts; for values whose strings aren't compared by identity.

    ``packed`` also marks objects that are referenced elsewhere, which would reveal more of a view than its content.
    """
    return f'"{b2a_base64(marshal.dumps(value, 2), newline=False).decode()}"'


def unpacked(text: str) -> Any:
    """The value of a packed text, on the player's side."""
    return marshal.loads(a2b_base64(text))


INTERNED_CARDS = tuple([sys.intern(value + suit) for value in "A234567890TJQK" for suit in "CDHS"])
"""The texts of cards, kept by every player's process from its start.

Unpacking looks strings up in Python's table of interned strings. If these weren't kept, each request would add them to
the table and remove them again, and a new fork would have to copy the table's memory pages.
"""


def interned(value: Any) -> Any:
    """A copy of a value with interned strings; the cards of games are interned already."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(map(interned, value))
    return sys.intern(value) if kind is str else value


def as_json(value: Any) -> str:
    """A value from the referee as JSON; most are short lists of cards."""
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
    raise WireError(type_in_words(value))


def all_plain(values: list[Any]) -> bool:
    """Whether these are strings of letters and digits, which need no escapes."""
    try:
        joined: str = "".join(values)
    except TypeError:
        return False
    return joined.isalnum() and joined.isascii()


def strict_json(value: Any, depth: int = MAX_DEPTH) -> str:
    """A value from the player as JSON. Raises WireError unless all its types, exactly, can be sent."""
    kind = type(value)
    if kind is str:
        return quoted(checked_string(value))
    if kind is int:
        return str(checked_number(value))
    if kind is list or kind is tuple:
        if not depth:
            raise WireError(f"lists nested more than {MAX_DEPTH} deep")
        if len(value) > MAX_LENGTH:
            raise WireError(f"a list of more than {MAX_LENGTH} things")
        parts = ",".join([strict_json(part, depth - 1) for part in value])
        return f"[{parts}]" if kind is list else f'{{"t":[{parts}]}}'
    if value is None or kind is bool:
        return json.dumps(value)
    raise WireError(type_in_words(value))


def checked_string(value: str) -> str:
    """Return a string. Raises WireError for lone surrogates, which some logs can't hold."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise WireError("a string with half a character (a lone surrogate)") from None
    return value


def checked_number(value: int) -> int:
    """Return a number. Raises WireError if it has more than 18 digits."""
    if not -MAX_NUMBER < value < MAX_NUMBER:
        raise WireError("a number of more than 18 digits")
    return value


def type_in_words(value: Any) -> str:
    """The type of an unsendable value, for an error."""
    kind = type(value)
    base = next((base for base in (bool, int, str, tuple, list) if issubclass(kind, base)), None)
    derivation = f", a class derived from {base.__name__}" if base and base is not kind else ""
    return f"something of type {str(kind.__name__)[:40]}{derivation}"


def as_tuple(decoded: dict[str, Any]) -> Any:
    """The tuple that a decoded JSON object stands for."""
    return tuple(decoded["t"])


MAKE_SCANNER: Any = make_scanner
"""The scanner of Python's JSON decoder; unlike ``json.loads`` it doesn't skip white space around a value."""
scan_request = MAKE_SCANNER(json.JSONDecoder(object_hook=as_tuple))


def read_request(line: str) -> Any:
    """A request as a list, on the player's side."""
    return scan_request(line, 0)[0]


def strict_tuple(pairs: list[tuple[str, Any]]) -> tuple[Any, ...]:
    """Convert the only JSON object that a reply may hold."""
    if len(pairs) != 1 or pairs[0][0] != "t" or type(pairs[0][1]) is not list:
        raise WireError("a dict")
    return tuple(pairs[0][1])


def reject_float(number: str) -> None:
    """Refuse JSON numbers with a point, and NaN."""
    raise WireError("a float")


scan_strictly = MAKE_SCANNER(
    json.JSONDecoder(object_pairs_hook=strict_tuple, parse_float=reject_float, parse_constant=reject_float)
)


def decode_strictly(line: str) -> Any:
    """The JSON value of a line. Raises ValueError if the line isn't JSON, or has anything before or after it."""
    try:
        value, end = scan_strictly(line, 0)
    except StopIteration:
        end = -1
    if end != len(line):
        raise ValueError("not JSON")
    return value


def read_reply(line: bytes, *, bools: bool) -> Any:
    """A reply as plain values, on the referee's side.

    Raises WireError if it isn't one. ``bools`` allows True and False.
    """
    try:
        return check_bounds(decode_strictly(line.decode()), bools=bools)
    except WireError:
        raise
    except UnicodeDecodeError:
        raise GarbageError("bytes that are not UTF-8") from None
    except RecursionError:
        raise WireError(f"lists nested more than {MAX_DEPTH} deep") from None
    except ValueError:
        raise GarbageError("something that is not JSON") from None


def check_bounds(value: Any, *, bools: bool, depth: int = MAX_DEPTH + 1) -> Any:
    """Return a decoded value. Raises WireError unless all types, sizes and depths in it are allowed."""
    kind = type(value)
    if kind is str:
        return checked_string(value)
    if kind is int:
        return checked_number(value)
    if kind is list or kind is tuple:
        if not depth:
            raise WireError(f"lists nested more than {MAX_DEPTH} deep")
        for part in value:
            check_bounds(part, bools=bools, depth=depth - 1)
        return value
    if value is None or (bools and kind is bool):
        return value
    raise WireError(f"{value}, a bool" if kind is bool else type_in_words(value))


# What a player file with the play interface gets: objects with attributes, whose repr can be pasted into a call.
#
# View        what a seat sees, perhaps with inner objects for parts of it; a game's result is such an object too
# Event       something that the seat has seen happen; ``kind`` is its name


class View(SimpleNamespace):
    """What a seat sees of a position."""


class Event(SimpleNamespace):
    """Something that a seat has seen happen."""


def as_object(object_type: type[SimpleNamespace], value: Any) -> Any:
    """A plain value with dictionaries replaced by objects: the outermost of ``object_type``, inner ones of ``View``."""
    kind = type(value)
    if kind is dict:
        return object_type(**{name: as_object(View, part) for name, part in value.items()})
    if (kind is list or kind is tuple) and dict in map(type, value):
        return kind([as_object(View, part) for part in value])
    return value
