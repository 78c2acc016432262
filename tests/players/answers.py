"""Strategies for hostile replies: plain values, values like those of a game, and lines like the protocol's."""

import json

from hypothesis import strategies as some

from kibitz.players.isolation.wire import MAX_NUMBER, strict_json

LIMITS = (0, 1, 2, 3, 4, 7, 40, 41, 52, 53, 63, 64, 127, 255, 1 << 15, (1 << 31) - 1, 1 << 31, 1 << 53, MAX_NUMBER - 1)
NUMBERS = some.integers(-3, 60) | some.sampled_from([*LIMITS, *(-number for number in LIMITS)])
TEXTS = some.text(some.characters(exclude_categories=["Cs"]), max_size=6)
TEXTS |= some.sampled_from(
    ["", "AS", "as", "0H", "10H", "XX", "9Z", "A\u0660", "\0", "\ufeffAS", "\u202eAS", "AS " * 9]
)
ATOMS = some.none() | NUMBERS | TEXTS


def values(atoms=ATOMS, leaves=12):
    """Any value that the wire accepts, built of these atoms."""
    return some.recursive(
        atoms, lambda parts: some.lists(parts, max_size=5) | some.lists(parts, max_size=4).map(tuple), max_leaves=leaves
    )


def parts_of(value):
    """A value and, recursively, its parts."""
    yield value
    if isinstance(value, list | tuple):
        for part in value:
            yield from parts_of(part)


@some.composite
def changed(draw, right, known):
    """A right value with up to two parts changed, mostly to known values: nearly right, and so most dangerous."""
    value = draw(some.sampled_from(right))
    for _ in range(draw(some.integers(0, 2))):
        value = with_change(draw, value, known)
    return value


def with_change(draw, value, known):
    """The value after one change at a random position."""
    if not isinstance(value, list | tuple) or not value or draw(some.integers(0, 9)) == 0:
        return draw(some.sampled_from(known) | values() | some.builds(lambda kind: kind((value,)), KINDS))
    parts, at = list(value), draw(some.integers(0, len(value) - 1))
    match draw(some.integers(0, 9)):
        case 0:
            del parts[at]
        case 1:
            parts.insert(at, parts[at])
        case 2:
            parts[at : at + 1] = parts[at : at + 1] * draw(some.sampled_from([9, 300]))
        case 3:
            return list(parts) if isinstance(value, tuple) else tuple(parts)
        case _:
            parts[at] = with_change(draw, parts[at], known)
    return type(value)(parts)


KINDS = some.sampled_from([list, tuple])
HOSTILE_BYTES = (
    *(b"", b"{", b"[", b"]", b",", b'"', b"\\", b"\\ud800", b"\\u0000", b"\xff", b"\xc0\x80", b"\xed\xa0\x80"),
    *(b"NaN", b"-Infinity", b"1e999", b"-0", b"0x1", b"01", b"1.5", b"9" * 19, b"9" * 5000, b"true", b"null"),
    *(
        b'{"t":[]}',
        b'{"t":{}}',
        b'{"t":[],"t":[]}',
        b'{"h":0}',
        b"[" * 40,
        b"[" * 20_000,
        b'{"t":[' * 400,
        b"\0",
        b"\r",
    ),
    *(b'["ok",2,1]', b'["error",2,"exit","",""]', b'["code",1,"AAAA"]', "\ufeff".encode(), b"/**/", b"\x1b[2J"),
)


@some.composite
def lines(draw, seq=2):
    """Replies, right or forged, with up to three insertions of hostile bytes; no newline."""
    word = draw(some.sampled_from(["ok"] * 4 + ["error", "code", "", "OK"]))
    rest = draw(some.lists(values(), max_size=4)) if word != "ok" else [draw(values())]
    if word == "error" and draw(some.booleans()):
        rest = [draw(some.sampled_from(["load", "exit", "void", "time", "memory", "idle"])), draw(TEXTS), draw(TEXTS)]
    number = draw(some.sampled_from([seq] * 6 + [seq + 1, -seq, 0, MAX_NUMBER - 1, None, str(seq)]))
    line = strict_json([word, number, *rest]).encode()
    for _ in range(draw(some.integers(0, 3))):
        at, gone = draw(some.integers(0, len(line))), draw(some.sampled_from([0, 0, 1, 4]))
        line = line[:at] + draw(some.sampled_from(HOSTILE_BYTES) | some.binary(max_size=3)) + line[at + gone :]
    return line.replace(b"\n", b" ")


DOCUMENTS = some.recursive(
    some.none() | some.booleans() | some.floats() | NUMBERS | some.integers() | some.text(max_size=4),
    lambda parts: some.lists(parts, max_size=4) | some.dictionaries(some.sampled_from("tha"), parts, max_size=3),
    max_leaves=20,
)
"""JSON of all kinds."""


def document(value):
    """A line of JSON as other programs write it."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
