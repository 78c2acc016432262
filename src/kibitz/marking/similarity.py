"""Which submissions of a class share code: identical files, and near copies by winnowing.

    token         a word of Python; every name counts as the same, and so does every text and every number, while
                  comments and layout don't count
    fingerprint   a hash of ``LENGTH`` tokens in a row; winnowing keeps the smallest of every ``WINDOW`` in a row, so
                  that two files with ``LENGTH + WINDOW - 1`` equal tokens in a row share at least one
    ordinary      a fingerprint of the starter file, or of more submissions than a few: it shows nothing
    passage       a run of equal tokens in two submissions

Winnowing: S. Schleimer, D. Wilkerson and A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD
2003.  Files are neither compiled nor run.  A match is shown for a person to judge; it proves nothing.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from kibitz.engine.sentences import counted
from kibitz.errors import NotationError
from kibitz.players.files import entries
from kibitz.players.files.archives import (
    LARGEST_FILE,
    METADATA,
    Tree,
    content_of,
    is_archive,
    is_code,
    quoted_path,
    size_limit,
    stem,
    tree,
)
from kibitz.players.files.notebooks import python_of

LENGTH, WINDOW = 17, 8
LEAST_SHARE = 0.4
"""Pairs are listed if they share at least this part of the fingerprints of the smaller submission."""
LEAST_SHARED = 5
ORDINARY, ORDINARY_SHARE = 10, 0.1
"""A fingerprint is ordinary if more submissions than this have it, and more than this share of all."""
MAX_PAIRS = 200
TOKEN = re.compile(
    r"""(?s)(?P<text>[rbfuRBFU]{0,2}(?:'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)"""
    r"""|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?))|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)"""
    r"""|(?P<sign>[-+*/%&|^<>=!]=|\*\*|//|->|[^\s\#])|\#[^\n]*|\s+"""
)
KEYWORDS = frozenset(keyword.kwlist)


class Place(NamedTuple):
    """The position of a token: the number of its file, and its line, counted from 1."""

    file: int
    line: int


class Work(NamedTuple):
    """One student's submission: files by name with their text, and their tokens with positions."""

    name: str
    files: tuple[tuple[str, str], ...]
    hashes: tuple[str, ...]
    tokens: list[str]
    places: list[Place]
    prints: dict[int, int]
    """Fingerprints, each with the number of the first token at which it is found."""


class Passage(NamedTuple):
    """A run of ``length`` equal tokens, with the number of its first token in each submission."""

    first: int
    second: int
    length: int


class Pair(NamedTuple):
    """Two submissions that share code; ``shares`` says which part of each one's fingerprints the other has, too."""

    first: Work
    second: Work
    shared: int
    shares: tuple[float, float]
    passages: tuple[Passage, ...]

    @property
    def share(self) -> float:
        """The larger of both shares."""
        return max(self.shares)


class Identical(NamedTuple):
    """A file that several students have submitted, byte for byte: their names, each with that student's file name."""

    found: tuple[tuple[str, str], ...]


class Similarity(NamedTuple):
    """The shared code of a class; ``more`` counts unlisted pairs; ``left_out`` says what was left out and why."""

    works: tuple[Work, ...]
    identical: tuple[Identical, ...]
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]
    more: int = 0
    left_out: tuple[str, ...] = ()


def similarity(path: Path, starter: Path | None = None) -> Similarity:
    """The code that the submissions of a folder or an archive share; NotationError if there are fewer than two.

    ``starter`` is the file that everybody was given, or a folder of such files.
    """
    in_starter = set[int]()
    blank = set[str]()
    if starter is not None:
        if starter.is_dir():
            starter_files = tree(starter).files
        else:
            starter_files = {"": python_of(content_of(starter, size_limit(str(starter))), str(starter))}
        in_starter = {one for content in starter_files.values() for one in grams(tokens_of(text_of(content))[0])}
        if not in_starter:
            raise NotationError(f"{quoted_path(str(starter))} has too little Python in it: name the starter file.")
        blank = {hashlib.sha256(content).hexdigest() for content in starter_files.values()}
    if path.is_file() and not is_archive(path.name):
        raise NotationError(f"{quoted_path(str(path))} is one file: give a class's folder or ZIP archive.")
    students, left_out = by_student(path)
    works = [work(name, files) for name, files in students]
    if len(works) < 2:
        why = f" {left_out[0]}" if left_out else ""
        count = counted(len(works), "submission")
        raise NotationError(f"{path} holds {count} with Python: there is nothing to compare.{why}")
    for each, (_, files) in zip(works, students, strict=True):
        missing = sorted(set(files) - {name for name, _ in each.files})
        most = f"{LARGEST_FILE >> 20} MiB, the most that is compared"
        left_out += [f"{quoted_path(f'{each.name}/{name}')} takes its submission over {most}." for name in missing]
    owners = Counter(one for each in works for one in each.prints)
    many = int(max(ORDINARY, ORDINARY_SHARE * len(works)))
    ordinary = {one for one, count in owners.items() if count > many}
    works = [
        each._replace(prints={one: at for one, at in each.prints.items() if one not in in_starter}) for each in works
    ]
    mostly = sum(2 * len(ordinary & each.prints.keys()) > len(each.prints) for each in works)
    if mostly:
        left_out.append(
            f"code that more than {many} submissions share, as if it had been handed out; it is most of what "
            f"{counted(mostly, 'submission')} {'has' if mostly == 1 else 'have'}."
        )
    found = pairs(works, ordinary)
    listed = tuple(one._replace(passages=passages(one.first, one.second, ordinary)) for one in found[:MAX_PAIRS])
    more = len(found) - len(listed)
    return Similarity(tuple(works), identical(works, blank), listed, groups(found), more, tuple(left_out))


def by_student(path: Path) -> tuple[list[tuple[str, dict[str, bytes]]], list[str]]:
    """Every student of a class or an export with that student's Python files, and why other files can't be read."""
    found, inner = tree(path), ""
    while (layout := entries.recognised(found.paths)) is None and (inner := only_folder(found)):
        files = {path.removeprefix(inner): content for path, content in found.files.items()}
        found = Tree(files, found.broken, [path.removeprefix(inner) for path in found.others])
    names: dict[str, str] = {}
    if layout == "gradescope":
        submissions = entries.gradescope_submissions(found.files.get(METADATA, b""))
        names = {number: submission.name for number, submission in submissions.items()}
    files_by_owner: dict[tuple[str, str], dict[str, bytes]] = {}
    for name, content in found.files.items():
        if not is_code(name):
            continue
        if layout is None:
            top, _, within = name.partition("/")
            files_by_owner.setdefault((stem(top), ""), {})[within or top] = content
        elif (owned := entries.owned(layout, name, names)) is not None:
            files_by_owner.setdefault((owned.owner.name, owned.owner.id), {})[owned.within] = content
    name_counts = Counter(name for name, _ in files_by_owner)
    shown_names = {(name, id): f"{name} ({id})" if name_counts[name] > 1 else name for name, id in files_by_owner}
    students = sorted((shown_names[key], files) for key, files in files_by_owner.items())
    owners = {owned.owner for name in found.others if layout and (owned := entries.owned(layout, name, names))}
    owners -= {owned.owner for name in found.broken if layout and (owned := entries.owned(layout, name, names))}
    absent = sorted(owner.name for owner in owners if (owner.name, owner.id) not in files_by_owner)
    broken = [why if path in why else f"{path}: {why}" for path, why in sorted(found.broken.items())]
    return students, [*broken, *(f"{name}: no Python file." for name in absent)]


def only_folder(found: Tree) -> str:
    """The single folder that holds everything, with a ``/``; empty if there is none."""
    tops = {path.split("/")[0] for path in found.files}
    inside = all("/" in path for path in found.files)
    below = {path.split("/")[1] for path in found.files if "/" in path}
    return f"{tops.pop()}/" if len(tops) == 1 and inside and len(below) > 1 else ""


def work(name: str, files: dict[str, bytes]) -> Work:
    """A student's submission: the files, smallest first, up to 1 MiB in total."""
    texts, hashes = list[tuple[str, str]](), list[str]()
    tokens, places, prints, size = list[str](), list[Place](), dict[int, int](), 0
    for file, content in sorted(files.items(), key=lambda item: len(item[1])):
        size += len(content)
        if size > LARGEST_FILE:
            break
        text = text_of(content)
        own, lines = tokens_of(text)
        for one, at in winnowed(grams(own)):
            prints.setdefault(one, at + len(tokens))
        places += [Place(len(texts), line) for line in lines]
        tokens += own
        texts.append((file, text))
        hashes.append(hashlib.sha256(content).hexdigest() if own else "")
    return Work(name, tuple(texts), tuple(hashes), tokens, places, prints)


def text_of(content: bytes) -> str:
    """A file as text, whatever its encoding."""
    text = content.decode("utf-8", "replace") if b"\0" not in content else content.decode("utf-16", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def tokens_of(text: str) -> tuple[list[str], list[int]]:
    """The tokens of a file, with all names and all values alike, and their lines; it needn't be valid Python."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    tokens, lines = [], []
    for found in TOKEN.finditer(text):
        kind = found.lastgroup
        if kind is None:
            continue
        word = found[0]
        tokens.append("v" if kind == "name" and word not in KEYWORDS else {"text": "''", "number": "0"}.get(kind, word))
        lines.append(bisect_right(starts, found.start()))
    return tokens, lines


def grams(tokens: Sequence[str]) -> list[int]:
    """The hash of every ``LENGTH`` tokens in a row."""
    words = [word.encode() for word in tokens]
    runs = (b" ".join(words[at : at + LENGTH]) for at in range(len(words) - LENGTH + 1))
    return [int.from_bytes(hashlib.blake2b(run, digest_size=8).digest()) for run in runs]


def winnowed(hashes: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The smallest of every ``WINDOW`` hashes in a row, each once, with its place; the last of equal ones counts."""
    last = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = hashes[start : start + WINDOW]
        at = start + len(window) - 1 - window[::-1].index(min(window))
        if at != last:
            yield hashes[at], at
            last = at


def pairs(works: Sequence[Work], ordinary: set[int]) -> list[Pair]:
    """The pairs that share enough, largest share first."""
    owners: dict[int, list[int]] = {}
    for number, work in enumerate(works):
        for one in work.prints:
            if one not in ordinary:
                owners.setdefault(one, []).append(number)
    shared = Counter(pair for sharing in owners.values() for pair in combinations(sharing, 2))
    sizes = [sum(one not in ordinary for one in work.prints) for work in works]
    found = []
    for (first, second), count in shared.items():
        shares = count / sizes[first], count / sizes[second]
        if count >= LEAST_SHARED and max(shares) >= LEAST_SHARE:
            found.append(Pair(works[first], works[second], count, shares, ()))
    return sorted(found, key=lambda pair: (-pair.share, -pair.shared, pair.first.name, pair.second.name))


def passages(first: Work, second: Work, ordinary: set[int]) -> tuple[Passage, ...]:
    """The longest runs of equal tokens around shared fingerprints, in order of the first one's files."""
    found: list[Passage] = []
    end = 0
    for one, at in sorted(first.prints.items(), key=lambda item: item[1]):
        if at < end or one in ordinary or one not in second.prints:
            continue
        here, there = at, second.prints[one]
        while here > end and there and equal(first, second, here - 1, there - 1, at, second.prints[one]):
            here, there = here - 1, there - 1
        length = at - here + LENGTH
        while (
            here + length < len(first.tokens)
            and there + length < len(second.tokens)
            and equal(first, second, here + length, there + length, here, there)
        ):
            length += 1
        found.append(Passage(here, there, length))
        end = here + length
    return tuple(found)


def equal(first: Work, second: Work, here: int, there: int, from_here: int, from_there: int) -> bool:
    """Whether two tokens are equal and lie in the same files as those from which a passage grows."""
    return (
        first.tokens[here] == second.tokens[there]
        and first.places[here].file == first.places[from_here].file
        and second.places[there].file == second.places[from_there].file
    )


def identical(works: Sequence[Work], blank: set[str]) -> tuple[Identical, ...]:
    """Files that several students have submitted byte for byte, except the starter file and empty ones."""
    found: dict[str, dict[str, str]] = {}
    for work in works:
        for (name, _), digest in zip(work.files, work.hashes, strict=True):
            if digest and digest not in blank:
                found.setdefault(digest, {})[work.name] = name
    return tuple(Identical(tuple(names.items())) for names in found.values() if len(names) > 1)


def groups(found: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """Students connected by pairs, directly or through others: groups of more than two, the largest first."""
    group: dict[str, set[str]] = {}
    for pair in found:
        merged = group.get(pair.first.name, {pair.first.name}) | group.get(pair.second.name, {pair.second.name})
        group |= dict.fromkeys(merged, merged)
    distinct = {tuple(sorted(names)) for names in group.values() if len(names) > 2}
    return tuple(sorted(distinct, key=lambda names: (-len(names), names)))
