"""Long work in a process of its own: an order in, news out (``kibitz.web.processes``).

order       one line of JSON on standard input: the work, and where its files go
news        lines of JSON on standard output: how much is done, and at last what came of it
"""

from __future__ import annotations

import os
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from kibitz.errors import KibitzError
from kibitz.executors.worker import die_with, stay_within
from kibitz.players.player_replay import Said
from kibitz.web import marking
from kibitz.web.marking import ShownSheet

GAMES = 100
"""So many games are imagined for each decision of a review; fewer where there is no machine code."""
OFTEN = 0.2
"""Seconds between two lines of news at least."""
MEMORY, OF_ONE, OF_A_CLASS = 4 << 30, (10 * 60, 30 * 60), (4 * 3600, 12 * 3600)
"""Bytes of a process that marks, and seconds of its CPU time and on the wall; players have limits of their own."""
NICE = 10
"""Tables come first."""
Tell = Callable[[int, int], object]


class Work(msgspec.Struct, frozen=True, tag=True):
    """Base of all work."""


class ReviewWork(Work, frozen=True):
    """Judge every decision of a game."""

    record: str


class HearWork(Work, frozen=True):
    """Let the files of some seats of a match play again, and hear what they say."""

    store: str
    tournament: str
    match: int
    seats: tuple[int, ...]


class RunWork(Work, frozen=True):
    """Play rounds: so many more, or those of a final or of custom games, which are then closed."""

    store: str
    tournament: str
    rounds: int = 0
    width: float | None = None
    final: bool = False


class ProveWork(Work, frozen=True):
    """Derive a tournament again, and play some of its matches again."""

    store: str
    tournament: str
    replay: int


class FeedbackWork(Work, frozen=True):
    """Write what every owner of a tournament should know: a text for each player, in an archive."""

    store: str
    tournament: str


class MarkWork(Work, marking.Marking, frozen=True):
    """Mark what was handed in: a class, or one student's."""


AnyWork = ReviewWork | HearWork | RunWork | ProveWork | FeedbackWork | MarkWork


class Order(msgspec.Struct, frozen=True):
    """Work, whose child the process is, and the folder for its files."""

    work: AnyWork
    parent: int
    folder: str


class ShownVerdict(msgspec.Struct, frozen=True):
    """One decision: what it promised its seat, the best one, and how much less the choice promised.

    ``promise`` and ``loss`` are chances, 0 to 1; ``cost`` is in the game's own units; errors are half a 95 % interval.
    """

    step: int
    seat: int
    chosen: str
    best: str
    promise: float
    loss: float
    loss_error: float
    cost: float
    cost_error: float
    mistake: bool
    turning: bool


class ShownAccount(msgspec.Struct, frozen=True):
    """What a seat's decisions cost together, and its luck, as chances."""

    seat: int
    name: str
    decisions: int
    mistakes: int
    loss: float
    luck: float


class ShownReview(msgspec.Struct, frozen=True):
    """A game's decisions in order, and who judges."""

    judge: str
    verdicts: tuple[ShownVerdict, ...]
    accounts: tuple[ShownAccount, ...]


class ShownProof(msgspec.Struct, frozen=True):
    """One thing that was looked at again, and whether it holds."""

    ok: bool
    sentence: str


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far it is: so much of so much; in the end whether it went well, a sentence, and what came of it.

    ``file`` is an archive, ``tables`` the files beside it that can be had by themselves, by name.
    """

    done: int = 0
    of: int = 0
    ended: bool = False
    good: bool = False
    sentence: str = ""
    review: ShownReview | None = None
    said: tuple[Said, ...] = ()
    proofs: tuple[ShownProof, ...] = ()
    sheets: tuple[ShownSheet, ...] = ()
    file: str = ""
    tables: tuple[str, ...] = ()


def reviewed(work: ReviewWork, tell: Tell) -> News:
    """Judge every decision of a game."""
    from kibitz.arena.reviewing import review
    from kibitz.engine.record import parse

    record = parse(work.record)
    found = review(record, GAMES, told=lambda step: tell(step + 1, len(record.actions)))
    verdicts = tuple(
        ShownVerdict(
            step=one.step,
            seat=one.seat,
            chosen=one.chosen,
            best=one.best,
            promise=made.promise - made.chance,
            loss=made.chance if made.is_mistake else 0.0,
            loss_error=finite(made.chance_error),
            cost=made.cost if made.is_mistake else 0.0,
            cost_error=finite(made.error),
            mistake=made.is_mistake,
            turning=one.step in found.turning,
        )
        for one in found.verdicts
        for made in (one.judgement,)
    )
    accounts = tuple(
        ShownAccount(one.seat, one.name, one.decisions, one.mistakes, one.chance, one.luck) for one in found.accounts
    )
    mistakes = sum(one.mistake for one in verdicts)
    said = f"{len(verdicts)} decisions, {mistakes} of them worse than another beyond the judge's error."
    return News(ended=True, good=True, sentence=said, review=ShownReview(found.judge, verdicts, accounts))


def finite(value: float) -> float:
    """A number that JSON has."""
    return value if value < 1e9 else 1e9


def heard(work: HearWork, tell: Tell) -> News:
    """Let files play a match again."""
    from kibitz.arena.api import open as open_arena
    from kibitz.arena.running.files import file_of
    from kibitz.engine.record import parse
    from kibitz.engine.registry import game as find_game
    from kibitz.players.player_replay import overheard

    with open_arena(work.store or None) as arena:
        result = next(one for one in arena.store.results(work.tournament) if one.match == work.match)
        rules = arena.store.tournament(work.tournament)
        record = parse(arena.store.record(work.tournament, work.match))
        files = {seat: file_of(arena.store, result.seats[seat].submission) for seat in work.seats}
    game, found = find_game(rules.game), list[Said]()
    for seat, file in files.items():
        if file.content:
            spec = file.spec(game, rules.limits)
            found += overheard(record, seat, spec, lambda step: tell(step + 1, len(record.actions)))
    said = "" if found else "Nothing is to be heard: no file had one of these seats."
    return News(ended=True, good=True, sentence=said, said=tuple(sorted(found, key=lambda one: (one.step, one.seat))))


def run(work: RunWork, tell: Tell) -> News:
    """Play rounds."""
    from kibitz.arena.api import open as open_arena
    from kibitz.engine.sentences import counted

    with open_arena(work.store or None) as arena:
        tournament = arena.final(work.tournament) if work.final else arena.tournament(work.tournament)
        custom = tournament.kind == "custom"
        rounds = None if custom else work.rounds + (0 if work.final else arena.rounds(tournament.name))
        ended = arena.run(
            tournament.name,
            rounds=rounds or None,
            width=work.width,
            workers=1,
            progress=lambda news: tell(news.blocks - news.left, news.blocks),
        )
        if ended.why == "enough" and (custom or work.final):
            arena.end(tournament.name)
    said = f"{counted(ended.games, 'game')} played. {ended.sentence}"
    return News(ended=True, good=ended.why == "enough", sentence=said)


def proved(work: ProveWork, tell: Tell) -> News:
    """Derive a tournament again."""
    from kibitz.arena.api import open as open_arena

    with open_arena(work.store or None, create=False) as arena:
        found = list(arena.proofs(work.tournament, tell))
        if work.replay:
            found += arena.replays(work.tournament, work.replay, tell)
    ok = all(proof.ok for proof in found)
    said = f"{work.tournament} is {'true' if ok else 'not true'}."
    return News(ended=True, good=True, sentence=said, proofs=tuple(ShownProof(one.ok, one.sentence) for one in found))


def fed_back(work: FeedbackWork, tell: Tell, folder: Path) -> News:
    """Write a text for each player."""
    from kibitz.arena.api import open as open_arena
    from kibitz.arena.feedback import NEWEST, names, page
    from kibitz.engine.sentences import counted

    archive = folder / f"{plain_name(work.tournament)}-feedback.zip"
    with open_arena(work.store or None, create=False) as arena, zipped(archive) as out:
        players = names(arena, work.tournament)
        for number, player in enumerate(players, 1):
            out.writestr(f"{player}.txt", page(arena, player, work.tournament, NEWEST))
            tell(number, len(players))
    said = f"{counted(len(players), 'text')}, one for each player: for its owner alone."
    return News(ended=True, good=True, sentence=said, file=str(archive))


def marked(work: MarkWork, tell: Tell, folder: Path) -> News:
    """Mark a class, or one student's files."""
    found = marking.marked(work, tell)
    archive = folder / f"{work.assignment}-marks.zip"
    with zipped(archive) as out:
        for name, content in found.files.items():
            out.writestr(name, content)
    tables = tuple(name for name in found.files if "/" not in name)
    for name in tables:
        content = found.files[name]
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return News(ended=True, good=True, sentence=found.sentence, sheets=found.sheets, file=str(archive), tables=tables)


def zipped(archive: Path) -> zipfile.ZipFile:
    """A new archive."""
    return zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED)


def plain_name(words: str) -> str:
    """Words as the name of a file.

    >>> plain_name("bo:players=3")
    'bo-players-3'
    """
    return "".join(c if c.isalnum() else "-" for c in words)


def done(order: Order, tell: Tell) -> News:
    """Do the work of an order."""
    match order.work:
        case ReviewWork():
            return reviewed(order.work, tell)
        case HearWork():
            return heard(order.work, tell)
        case RunWork():
            return run(order.work, tell)
        case ProveWork():
            return proved(order.work, tell)
        case MarkWork():
            return marked(order.work, tell, Path(order.folder))
        case FeedbackWork():
            return fed_back(order.work, tell, Path(order.folder))


class Telling:
    """Tells how far work is, not too often."""

    def __init__(self) -> None:
        self.latest = 0.0

    def __call__(self, done: int, of: int) -> None:
        """So much of so much is done."""
        if time.monotonic() - self.latest > OFTEN:
            self.latest = time.monotonic()
            tell(News(done, of))


def tell(news: News) -> None:
    """Write a line."""
    sys.stdout.buffer.write(msgspec.json.encode(news) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """One order."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    die_with(order.parent)
    if hasattr(os, "nice"):
        os.nice(NICE)
    os.environ.pop("KIBITZ_DEBUG", None)
    if isinstance(order.work, MarkWork):
        stay_within(MEMORY, *(OF_ONE if order.work.alone else OF_A_CLASS))
    try:
        news = done(order, Telling())
    except KibitzError as error:
        news = News(ended=True, sentence=str(error))
    tell(news)
