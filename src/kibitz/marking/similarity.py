"""Which submissions of a class share code: identical files, and near copies by winnowing.

    token         a keyword, sign, name, string or number of Python. All names are equal, and so are all strings and all
                  numbers; comments and layout are left out
    fingerprint   a hash of ``RUN_LENGTH`` tokens in a row. Winnowing keeps the smallest of every ``WINDOW_SIZE`` hashes
                  in a row, so two files with ``RUN_LENGTH + WINDOW_SIZE - 1`` equal tokens in a row share at least one
    common        a fingerprint that many submissions have, which proves nothing
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
    MAX_FILE_BYTES,
    METADATA,
    SourceTree,
    content_of,
    is_archive,
    is_code,
    quoted_path,
    read_tree,
    size_limit,
    stem,
)
from kibitz.players.files.notebooks import python_of

RUN_LENGTH, WINDOW_SIZE = 17, 8
LEAST_SHARE = 0.4
"""Pairs are listed only if they share at least this part of one submission's fingerprints."""
LEAST_SHARED = 5
"""Pairs are listed only if they share at least this many fingerprints."""
MAX_OWNERS, MAX_OWNERS_SHARE = 10, 0.1
"""A fingerprint is common if more submissions than this have it, and more than this share of all submissions."""
MAX_PAIRS = 200
TOKEN = re.compile(
    r"""(?s)(?P<text>[rbfuRBFU]{0,2}(?:'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)"""
    r"""|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?))|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)"""
    r"""|(?P<sign>[-+*/%&|^<>=!]=|\*\*|//|->|[^\s\#])|\#[^\n]*|\s+"""
)
KEYWORDS = frozenset(keyword.kwlist)


class TokenPosition(NamedTuple):
    """The position of a token: the number of its file, and its line, counted from 1."""

    file: int
    line: int


class StudentCode(NamedTuple):
    """One student's submission.

    ``files`` are names with their texts, ``hashes`` their SHA-256 ("" for a file without code), and ``positions`` the
    positions of the tokens.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    hashes: tuple[str, ...]
    tokens: list[str]
    positions: list[TokenPosition]
    fingerprints: dict[int, int]
    """Each fingerprint, with the index of the first token at which it begins."""


class Passage(NamedTuple):
    """A run of ``length`` equal tokens, with the index of its first token in the first and second submission."""

    first: int
    second: int
    length: int


class Pair(NamedTuple):
    """Two submissions that share ``shared`` fingerprints; ``shares`` is that number as a share of each one's."""

    first: StudentCode
    second: StudentCode
    shared: int
    shares: tuple[float, float]
    passages: tuple[Passage, ...]

    @property
    def share(self) -> float:
        """The larger of both shares."""
        return max(self.shares)


class IdenticalFile(NamedTuple):
    """A file that several students have submitted, byte for byte: the students, each with the name of their copy."""

    copies: tuple[tuple[str, str], ...]


class Similarity(NamedTuple):
    """The shared code of a class.

    ``more`` is the number of pairs that aren't in ``pairs``; ``left_out`` are sentences on what wasn't compared.
    """

    submissions: tuple[StudentCode, ...]
    identical: tuple[IdenticalFile, ...]
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]
    more: int = 0
    left_out: tuple[str, ...] = ()


def similarity(path: Path, starter: Path | None = None) -> Similarity:
    """The code that the submissions of a folder or an archive share. Raises NotationError if there are fewer than two.

    ``starter`` is the file that everybody was given, or a folder of such files.
    """
    starter_fingerprints = set[int]()
    starter_hashes = set[str]()
    if starter is not None:
        if starter.is_dir():
            starter_files = read_tree(starter).files
        else:
            starter_files = {"": python_of(content_of(starter, size_limit(str(starter))), str(starter))}
        starter_fingerprints = {
            fingerprint
            for content in starter_files.values()
            for fingerprint in token_hashes(tokens_of(text_of(content))[0])
        }
        if not starter_fingerprints:
            raise NotationError(
                f"{quoted_path(str(starter))} contains too little Python: give the file that students started from."
            )
        starter_hashes = {hashlib.sha256(content).hexdigest() for content in starter_files.values()}
    if path.is_file() and not is_archive(path.name):
        raise NotationError(f"{quoted_path(str(path))} is one file: give a class's folder or ZIP archive.")
    students, left_out = by_student(path)
    submissions = [read_code(name, files) for name, files in students]
    if len(submissions) < 2:
        why = f" {left_out[0]}" if left_out else ""
        count = counted(len(submissions), "submission")
        raise NotationError(f"{path} holds {count} with Python: there is nothing to compare.{why}")
    for submission, (_, files) in zip(submissions, students, strict=True):
        missing = sorted(set(files) - {name for name, _ in submission.files})
        limit = f"{MAX_FILE_BYTES >> 20} MiB, the limit for a comparison"
        paths = [quoted_path(f"{submission.name}/{name}") for name in missing]
        left_out += [f"{path} takes its submission over {limit}." for path in paths]
    owners = Counter(fingerprint for submission in submissions for fingerprint in submission.fingerprints)
    most_submissions = int(max(MAX_OWNERS, MAX_OWNERS_SHARE * len(submissions)))
    common = {fingerprint for fingerprint, count in owners.items() if count > most_submissions}
    submissions = [
        submission._replace(
            fingerprints={
                fingerprint: index
                for fingerprint, index in submission.fingerprints.items()
                if fingerprint not in starter_fingerprints
            }
        )
        for submission in submissions
    ]
    mostly_common = sum(
        2 * len(common & submission.fingerprints.keys()) > len(submission.fingerprints) for submission in submissions
    )
    if mostly_common:
        left_out.append(
            f"code that more than {most_submissions} submissions share, as if it had been handed out; it is most of"
            f" what {counted(mostly_common, 'submission')} {'has' if mostly_common == 1 else 'have'}."
        )
    found_pairs = similar_pairs(submissions, common)
    listed = tuple(
        pair._replace(passages=shared_passages(pair.first, pair.second, common)) for pair in found_pairs[:MAX_PAIRS]
    )
    more = len(found_pairs) - len(listed)
    return Similarity(
        tuple(submissions),
        identical_files(submissions, starter_hashes),
        listed,
        connected_groups(found_pairs),
        more,
        tuple(left_out),
    )


def by_student(path: Path) -> tuple[list[tuple[str, dict[str, bytes]]], list[str]]:
    """The students of a class or an export, with their Python files by path; and sentences on what can't be read."""
    class_files, folder = read_tree(path), ""
    while (layout := entries.platform_of(class_files.paths)) is None and (folder := only_folder(class_files)):
        files = {path.removeprefix(folder): content for path, content in class_files.files.items()}
        class_files = SourceTree(files, class_files.broken, [path.removeprefix(folder) for path in class_files.others])
    names: dict[str, str] = {}
    if layout == "gradescope":
        submissions = entries.gradescope_submissions(class_files.files.get(METADATA, b""))
        names = {number: submission.name for number, submission in submissions.items()}
    files_by_owner: dict[tuple[str, str], dict[str, bytes]] = {}
    for name, content in class_files.files.items():
        if not is_code(name):
            continue
        if layout is None:
            student_folder, _, within = name.partition("/")
            files_by_owner.setdefault((stem(student_folder), ""), {})[within or student_folder] = content
        elif (member := entries.owner_of(layout, name, names)) is not None:
            files_by_owner.setdefault((member.owner.name, member.owner.id), {})[member.within] = content
    name_counts = Counter(name for name, _ in files_by_owner)
    shown_names = {(name, id): f"{name} ({id})" if name_counts[name] > 1 else name for name, id in files_by_owner}
    students = sorted((shown_names[key], files) for key, files in files_by_owner.items())
    owners = {
        member.owner for name in class_files.others if layout and (member := entries.owner_of(layout, name, names))
    }
    owners -= {
        member.owner for name in class_files.broken if layout and (member := entries.owner_of(layout, name, names))
    }
    absent = sorted(owner.name for owner in owners if (owner.name, owner.id) not in files_by_owner)
    broken = [why if path in why else f"{path}: {why}" for path, why in sorted(class_files.broken.items())]
    return students, [*broken, *(f"{name}: no Python file." for name in absent)]


def only_folder(class_files: SourceTree) -> str:
    """The single folder that holds everything, with a ``/``; empty if there is none."""
    top_folders = {path.split("/")[0] for path in class_files.files}
    all_in_folders = all("/" in path for path in class_files.files)
    second_parts = {path.split("/")[1] for path in class_files.files if "/" in path}
    return f"{top_folders.pop()}/" if len(top_folders) == 1 and all_in_folders and len(second_parts) > 1 else ""


def read_code(name: str, files: dict[str, bytes]) -> StudentCode:
    """A student's submission: the files, smallest first, up to 1 MiB in total."""
    texts, hashes = list[tuple[str, str]](), list[str]()
    tokens, positions, fingerprints, size = list[str](), list[TokenPosition](), dict[int, int](), 0
    for file, content in sorted(files.items(), key=lambda item: len(item[1])):
        size += len(content)
        if size > MAX_FILE_BYTES:
            break
        text = text_of(content)
        file_tokens, lines = tokens_of(text)
        for fingerprint, index in winnowed(token_hashes(file_tokens)):
            fingerprints.setdefault(fingerprint, index + len(tokens))
        positions += [TokenPosition(len(texts), line) for line in lines]
        tokens += file_tokens
        texts.append((file, text))
        hashes.append(hashlib.sha256(content).hexdigest() if file_tokens else "")
    return StudentCode(name, tuple(texts), tuple(hashes), tokens, positions, fingerprints)


def text_of(content: bytes) -> str:
    """A file as text, whatever its encoding."""
    text = content.decode("utf-8", "replace") if b"\0" not in content else content.decode("utf-16", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def tokens_of(text: str) -> tuple[list[str], list[int]]:
    """The tokens of a file, and the line of each, counted from 1; the file needn't be valid Python.

    All names become ``v``, all strings ``''`` and all numbers ``0``.
    """
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    tokens, lines = [], []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        word = match[0]
        tokens.append("v" if kind == "name" and word not in KEYWORDS else {"text": "''", "number": "0"}.get(kind, word))
        lines.append(bisect_right(line_starts, match.start()))
    return tokens, lines


def token_hashes(tokens: Sequence[str]) -> list[int]:
    """The hash of every ``RUN_LENGTH`` tokens in a row."""
    words = [word.encode() for word in tokens]
    runs = (b" ".join(words[start : start + RUN_LENGTH]) for start in range(len(words) - RUN_LENGTH + 1))
    return [int.from_bytes(hashlib.blake2b(run, digest_size=8).digest()) for run in runs]


def winnowed(hashes: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The smallest of every ``WINDOW_SIZE`` hashes in a row, each once, with its index; of equal hashes, the last."""
    last = -1
    for start in range(max(1, len(hashes) - WINDOW_SIZE + 1) if hashes else 0):
        window = hashes[start : start + WINDOW_SIZE]
        smallest = start + len(window) - 1 - window[::-1].index(min(window))
        if smallest != last:
            yield hashes[smallest], smallest
            last = smallest


def similar_pairs(submissions: Sequence[StudentCode], common: set[int]) -> list[Pair]:
    """The pairs that share enough, largest share first."""
    owners: dict[int, list[int]] = {}
    for number, submission in enumerate(submissions):
        for fingerprint in submission.fingerprints:
            if fingerprint not in common:
                owners.setdefault(fingerprint, []).append(number)
    shared = Counter(pair for sharing in owners.values() for pair in combinations(sharing, 2))
    sizes = [sum(fingerprint not in common for fingerprint in submission.fingerprints) for submission in submissions]
    listed_pairs = []
    for (first, second), count in shared.items():
        shares = count / sizes[first], count / sizes[second]
        if count >= LEAST_SHARED and max(shares) >= LEAST_SHARE:
            listed_pairs.append(Pair(submissions[first], submissions[second], count, shares, ()))
    return sorted(listed_pairs, key=lambda pair: (-pair.share, -pair.shared, pair.first.name, pair.second.name))


def shared_passages(first: StudentCode, second: StudentCode, common: set[int]) -> tuple[Passage, ...]:
    """The longest runs of equal tokens around shared fingerprints, in the order of the first submission's tokens."""
    result: list[Passage] = []
    end_of_last = 0
    for fingerprint, index in sorted(first.fingerprints.items(), key=lambda item: item[1]):
        if index < end_of_last or fingerprint in common or fingerprint not in second.fingerprints:
            continue
        first_start, second_start = index, second.fingerprints[fingerprint]
        while (
            first_start > end_of_last
            and second_start
            and equal_tokens(first, second, first_start - 1, second_start - 1, index, second.fingerprints[fingerprint])
        ):
            first_start, second_start = first_start - 1, second_start - 1
        length = index - first_start + RUN_LENGTH
        while (
            first_start + length < len(first.tokens)
            and second_start + length < len(second.tokens)
            and equal_tokens(first, second, first_start + length, second_start + length, first_start, second_start)
        ):
            length += 1
        result.append(Passage(first_start, second_start, length))
        end_of_last = first_start + length
    return tuple(result)


def equal_tokens(
    first: StudentCode, second: StudentCode, first_index: int, second_index: int, first_origin: int, second_origin: int
) -> bool:
    """Whether two tokens are equal, and each is in the same file as the token from which the passage grows."""
    return (
        first.tokens[first_index] == second.tokens[second_index]
        and first.positions[first_index].file == first.positions[first_origin].file
        and second.positions[second_index].file == second.positions[second_origin].file
    )


def identical_files(submissions: Sequence[StudentCode], ignored_hashes: set[str]) -> tuple[IdenticalFile, ...]:
    """Files that several students have submitted byte for byte, except files without code and the starter files."""
    copies_by_hash: dict[str, dict[str, str]] = {}
    for submission in submissions:
        for (name, _), digest in zip(submission.files, submission.hashes, strict=True):
            if digest and digest not in ignored_hashes:
                copies_by_hash.setdefault(digest, {})[submission.name] = name
    return tuple(IdenticalFile(tuple(names.items())) for names in copies_by_hash.values() if len(names) > 1)


def connected_groups(listed_pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """Groups of more than two students who are connected by pairs, directly or not; the largest group first."""
    group_of: dict[str, set[str]] = {}
    for pair in listed_pairs:
        merged = group_of.get(pair.first.name, {pair.first.name}) | group_of.get(pair.second.name, {pair.second.name})
        group_of |= dict.fromkeys(merged, merged)
    distinct = {tuple(sorted(names)) for names in group_of.values() if len(names) > 2}
    return tuple(sorted(distinct, key=lambda names: (-len(names), names)))
