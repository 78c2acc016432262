"""What players may be called: one rule for submitted names, file names, owners and the headers of records.

    name        1 to 40 letters, digits, spaces, emoji or any of ``_ - . ' @ ! ; & ( ) + # ~``, in Unicode's form NFC;
                it begins with a letter, digit or emoji, has no invisible characters except inside an emoji, at most two
                marks on a letter (all of the letter's script), and one writing direction
    skeleton    a name with look-alike characters replaced by one of them (Unicode TS 39, section 4)
    alike       two names that people confuse: equal skeletons, as they are or without regard to case

Such a name is safe in a record, a table, a terminal, a spreadsheet and the name of a file. Of punctuation, it has
nothing that separates names, such as a comma, nothing of markup, and nothing that file systems reserve.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from kibitz.cards import short_repr
from kibitz.errors import NotationError

MAX_LENGTH = 40
PUNCTUATION = " _-.'@!;&()+#~"
EMOJI_STYLE, JOINER = "\ufe0f", "\u200d"
"""Invisible characters of emoji: the first asks for a picture in colour, the second joins two emoji to one."""
_SYMBOL = f"[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]{EMOJI_STYLE}?[\U0001f3fb-\U0001f3ff]?"
EMOJI = re.compile(f"{_SYMBOL}(?:{JOINER}{_SYMBOL})*")
REDUNDANT_DOT = re.compile("(?<=[ij])\u0307")
"""A combining dot above i or j, which already have a dot."""
REPEATED_MARK = re.compile("([\u0300-\u036f])\\1+")
"""The same mark several times in a row: they overlap, and look like one."""
MAX_MARKS = 2
"""The maximum number of accents and other marks on one letter."""
UNNAMED = "player"
"""The name that ``clean_name`` gives if it can keep nothing of a text."""
INVISIBLE = re.compile(r"\b(BLANK|FILLER|SELECTOR|JOINER|INHERENT|INVISIBLE|SEPARATOR|EMPTY)\b")
"""Words in the Unicode names of invisible letters and marks; every default-ignorable character has such a name."""
RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))


def why_invalid_name(name: str) -> str | None:
    """Why a text isn't a valid player's name, as a sentence; None if it is one."""
    plain = "".join(plain_part(part) for part in parts(name))
    if why := next((why for why in map(why_invalid_character, plain) if why), None):
        return f"{why}; use {RULE}"
    if len(name) > MAX_LENGTH:
        return f"it has {len(name)} characters; use at most {MAX_LENGTH}."
    if not name or name != " ".join(name.split()) or not plain[0].isalnum():
        return f"it should be {RULE}"
    if unicodedata.normalize("NFC", name) != name:
        return "its letters and marks should be in Unicode's form NFC."
    if any(length > MAX_MARKS for length in mark_runs(plain)):
        return f"a letter may have at most {MAX_MARKS} marks, and only those of its own script."
    if len(directions(plain)) > 1:
        return "it should not mix letters that are written from left to right with others from right to left."
    return None


RULE = (
    f"1 to {MAX_LENGTH} letters, digits, single spaces, emoji or any of {' '.join(PUNCTUATION.strip())}, with a letter,"
    " digit or emoji first."
)


def parts(name: str) -> Iterator[str]:
    """The parts of a name: its characters, where all characters of an emoji are one part."""
    start = 0
    for found in EMOJI.finditer(name):
        if all(c in EMOJI_STYLE + JOINER or unicodedata.category(c) in ("So", "Sk") for c in found[0]):
            yield from name[start : found.start()]
            yield found[0]
            start = found.end()
    yield from name[start:]


def plain_part(part: str) -> str:
    """A part of a name as the checks see it: "0" instead of an emoji, since an emoji may stand where a digit may."""
    return "0" if EMOJI.fullmatch(part) and unicodedata.category(part[0]) in ("So", "Sk") else part


def why_invalid_character(character: str) -> str | None:
    """Why one character of a name isn't allowed; None if it is."""
    category = unicodedata.category(character)
    if character in PUNCTUATION:
        return None
    if category[0] not in "LMN" or category == "Me":
        return f"{short_repr(character)} isn't allowed"
    return "it holds an invisible character" if INVISIBLE.search(unicodedata.name(character, "")) else None


def mark_runs(name: str) -> list[int]:
    """How many marks stand on each letter that has any.

    A mark without a letter, or on a letter of another script, counts as too many, because it may be invisible.
    """
    runs, scripts = [0], set[str]()
    for character in name:
        if unicodedata.category(character)[0] == "M":
            runs[-1] += 1 if script(character) in scripts else MAX_MARKS + 1
        else:
            scripts = {script(character), "COMBINING"} if character.isalnum() else set()
            runs.append(0)
    return runs


def script(character: str) -> str:
    """The first word of a character's Unicode name: its script, or COMBINING for marks of all scripts."""
    return unicodedata.name(character, "").partition(" ")[0]


def direction(character: str) -> bool | None:
    """Whether a character is written from right to left; None if it goes with its neighbours."""
    bidi_class = unicodedata.bidirectional(character)
    return True if bidi_class in RIGHT_TO_LEFT else False if bidi_class == "L" else None


def directions(name: str) -> set[bool]:
    """The directions in which the letters of a name are written."""
    return {found for found in map(direction, name) if found is not None}


def typed_name(typed: str) -> str:
    """The name that somebody has typed, without superfluous spaces. Raises NotationError if it isn't valid."""
    name = unicodedata.normalize("NFC", " ".join(typed.split()))
    if why := why_invalid_name(name):
        raise NotationError(f"Not a valid name: {why}")
    return name


@lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """A valid name made from a text, such as a file's name: invalid characters are removed or replaced.

    >>> clean_name("=my|bot.v2"), clean_name("Zoë"), clean_name("...")
    ('my_bot.v2', 'Zoë', 'player')
    """
    text = [
        " " if part.isspace() else "_" if why_invalid_character(plain_part(part)) else part
        for part in parts(unicodedata.normalize("NFC", name))
    ]
    first_direction = next((found for part in text if (found := direction(plain_part(part))) is not None), None)
    cleaned = plain = ""
    for part in text:
        if len(cleaned) >= 4 * MAX_LENGTH:
            break
        if direction(plain_part(part)) not in (None, first_direction):
            part = "_"
        if max(mark_runs(plain + plain_part(part))) <= MAX_MARKS and (cleaned or plain_part(part).isalnum()):
            cleaned, plain = cleaned + part, plain + plain_part(part)
    cleaned = shortened(unicodedata.normalize("NFC", " ".join(cleaned.split())), MAX_LENGTH).rstrip()
    return cleaned if why_invalid_name(cleaned) is None else UNNAMED


def shortened(name: str, length: int) -> str:
    """The first characters of a name, without a joiner at the end."""
    return name[:length].rstrip(JOINER)


@cache
def prototypes() -> dict[str, str]:
    """By character, the character or characters that represent all look-alikes."""
    from confusable_homoglyphs.confusables import confusables_data

    lookalikes: dict[str, set[str]] = {}
    for character, others in confusables_data.items():
        plain = normalized(character)
        for other in others:
            lookalikes.setdefault(plain, set()).add(normalized(other["c"]))
    result: dict[str, str] = {}
    for character in lookalikes:
        if character not in result:
            group, frontier = {character}, {character}
            while frontier:
                frontier = {other for c in frontier for other in lookalikes.get(c, ())} - group
                group |= frontier
            prototype = min(group, key=lambda other: (-len(other), other))
            result |= dict.fromkeys(group, prototype)
    return result


def normalized(character: str) -> str:
    """A character of the confusables table in Unicode's form NFD, without the direction marks around it."""
    return unicodedata.normalize("NFD", character.replace("\u200e", ""))


def skeleton(name: str) -> str:
    """The skeleton of a name: equal for names that differ only in characters that look the same (Unicode TS 39).

    >>> skeleton("Αnn") == skeleton("Ann"), skeleton("modern") == skeleton("rnodern")
    (True, True)
    """
    prototype_of = prototypes()
    result = unicodedata.normalize("NFD", name.replace(EMOJI_STYLE, "").replace(JOINER, ""))
    for _ in range(MAX_LENGTH):
        mapped = unicodedata.normalize("NFD", "".join(prototype_of.get(c, c) for c in result))
        mapped = REDUNDANT_DOT.sub("", REPEATED_MARK.sub(r"\1", mapped))
        if mapped == result:
            break
        result = mapped
    return result


@cache
def lookalike_keys(name: str) -> frozenset[str]:
    """The skeletons of a name: as it stands, and ignoring case and forms of the same letter."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return frozenset(map(skeleton, (name, folded)))


def look_alike(name: str, other: str) -> bool:
    """Whether people would confuse two names."""
    return bool(lookalike_keys(name) & lookalike_keys(other))


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that people can tell apart: names that look alike are numbered.

    >>> distinct_names(["rook", "Ann", "rook"])
    ('rook-1', 'Ann', 'rook-2')
    """
    result: list[str] = []
    for name in names:
        is_unique = sum(look_alike(name, other) for other in names) == 1
        number, distinct = 1, name if is_unique else numbered_name(name, 1)
        while any(look_alike(distinct, other) for other in result):
            number += 1
            distinct = numbered_name(name, number)
        result.append(distinct)
    return tuple(result)


def numbered_name(name: str, number: int) -> str:
    """A name with a number after it, within the length limit of names."""
    return f"{shortened(name, MAX_LENGTH - len(str(number)) - 1)}-{number}"
