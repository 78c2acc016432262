"""A process that does one piece of long work for the server, such as a review, a final or the check of a player.

order       one line of JSON on its standard input: the work, and the folder for its files
status      lines of JSON on its standard output: the progress, and in the last line the result
"""

from __future__ import annotations

import io
import os
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec

from kibitz.errors import KibitzError, StoreError
from kibitz.executors.worker import die_with_parent, limit_resources
from kibitz.players.findings import Finding
from kibitz.players.player_replay import Reply
from kibitz.web import marking
from kibitz.web.live_tables.connection import Person
from kibitz.web.marking import ShownSheet
from kibitz.web.season import INVITED_ONLY, may_submit

if TYPE_CHECKING:
    from kibitz.arena.reviews import Review

REPORT_SECONDS = 0.2
"""The shortest time between two status lines, in seconds."""
MAX_MEMORY, STUDENT_LIMITS, CLASS_LIMITS = 4 << 30, (10 * 60, 30 * 60), (4 * 3600, 12 * 3600)
"""Limits of a process that checks or marks: bytes of memory; then seconds of CPU time and of wall-clock time for one
student, and the same for a class. The players' own processes have limits of their own."""
NICE = 10
"""Lowers the priority of the process, because tables come first."""
PRELIMINARY_SECONDS = 4.0
"""The maximum CPU time for a preliminary review; compiling takes 8 to 18 seconds."""
COMPILING = "Compiling the search for this game first; this happens once on each server."
PRELIMINARY = "Preliminary: {} simulated games per decision. A more precise review follows in a moment."
Progress = Callable[[int, int], object]


class ShownVerdict(msgspec.Struct, frozen=True):
    """One decision: the seat's winning chance with its choice, and the chance that a mistake lost.

    ``winning_chance`` and ``loss`` are from 0 to 1; ``cost`` is in the game's own units; errors are half the width of
    95 % intervals. ``cost_text`` says what a mistake cost, and ``why`` what the best choice does.
    """

    step: int
    seat: int
    chosen: str
    best: str
    winning_chance: float
    loss: float
    loss_error: float
    cost: float
    cost_error: float
    mistake: bool
    turning: bool
    cost_text: str = ""
    why: str = ""


class ShownSeatSummary(msgspec.Struct, frozen=True):
    """A seat's decisions as a whole: how many were mistakes, the winning chance that they lost, and the seat's luck."""

    seat: int
    name: str
    decisions: int
    mistakes: int
    loss: float
    luck: float


class ShownReview(msgspec.Struct, frozen=True):
    """A game's decisions in order, a total for each seat, and the method that judged them (``judge``).

    ``chance_note`` says what winning chances measure besides the chance to win, such as second places; "" if nothing.
    """

    judge: str
    chance_note: str
    verdicts: tuple[ShownVerdict, ...]
    seat_summaries: tuple[ShownSeatSummary, ...]


class VerificationResult(msgspec.Struct, frozen=True):
    """A statement that was checked, and whether it holds."""

    ok: bool
    sentence: str


class JobStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """The progress of a job: ``done`` of ``of``. Once ``ended``, whether it succeeded (``good``), and its result.

    ``file`` is the path of an archive, and ``tables`` are the names of files in it that can be downloaded singly.
    """

    done: int = 0
    of: int = 0
    ended: bool = False
    good: bool = False
    sentence: str = ""
    review: ShownReview | None = None
    replies: tuple[Reply, ...] = ()
    proofs: tuple[VerificationResult, ...] = ()
    sheets: tuple[ShownSheet, ...] = ()
    findings: tuple[Finding, ...] = ()
    file: str = ""
    tables: tuple[str, ...] = ()


def finite(value: float) -> float:
    """A number that JSON can express: infinite and huge numbers become 1e9."""
    return value if value < 1e9 else 1e9


def without_folders(sentence: str, work: ClassWork) -> str:
    """A sentence without the paths of the server's folders."""
    for path in filter(None, (work.files, work.overrides)):
        sentence = sentence.replace(f"{path}/", "").replace(path, Path(path).name)
    return sentence


def plain_name(text: str) -> str:
    """A text as part of a file's name.

    >>> plain_name("bo:players=3")
    'bo-players-3'
    """
    return "".join(c if c.isalnum() else "-" for c in text)


class TimeIsUp(Exception):
    """The time for a preliminary review is over."""


class JobWork(msgspec.Struct, frozen=True, tag=True):
    """Base of all work."""

    interrupted: ClassVar[str] = "Interrupted. Everything saved so far is kept; start it again to continue."
    """What people read if the work was interrupted."""

    @property
    def limits(self) -> tuple[int, int] | None:
        """The limits on its CPU time and its wall-clock time, in seconds; None if it has none."""
        return None

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work, and return its last status; ``folder`` is for its files."""
        raise NotImplementedError


class ReviewWork(JobWork, frozen=True):
    """Judge every decision of a game."""

    record: str

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work; until the search is compiled, show a preliminary review if that takes only a few seconds."""
        from kibitz.arena.reviews import GAMES, MAX_PLAIN_GAMES, review, reviewed_positions
        from kibitz.engine.record import parse
        from kibitz.engine.registry import game as find_game
        from kibitz.search.search_players import compile_search, is_ready

        record = parse(self.record)
        game = find_game(record.game)
        decisions = [position.step for position in reviewed_positions(record)]
        deadline = time.process_time() + PRELIMINARY_SECONDS

        def show_progress(step: int) -> None:
            progress(decisions.index(step) + 1, len(decisions))

        def show_in_time(step: int) -> None:
            if time.process_time() > deadline:
                raise TimeIsUp
            show_progress(step)

        progress(0, len(decisions))
        if is_ready(game):
            return review_status(review(record, GAMES, progress=show_progress))
        status = JobStatus(of=len(decisions), sentence=COMPILING)
        with suppress(TimeIsUp):
            preliminary = review_status(review(record, MAX_PLAIN_GAMES, progress=show_in_time))
            status = msgspec.structs.replace(preliminary, ended=False, sentence=PRELIMINARY.format(MAX_PLAIN_GAMES))
        write_status(status)
        with suppress(ImportError):  # without Numba, fewer games are simulated
            compile_search(game)
        return review_status(review(record, GAMES, progress=None if status.review else show_progress))


def review_status(result: Review) -> JobStatus:
    """The last status of a review."""
    from kibitz.arena.reviews import cost_text
    from kibitz.engine.registry import game as find_game
    from kibitz.search.advice import chance_note

    verdicts = tuple(
        ShownVerdict(
            step=reviewed.step,
            seat=reviewed.seat,
            chosen=reviewed.chosen,
            best=reviewed.best,
            winning_chance=judgement.chosen_chance,
            loss=judgement.chance if judgement.is_mistake else 0.0,
            loss_error=finite(judgement.chance_error),
            cost=judgement.cost if judgement.is_mistake else 0.0,
            cost_error=finite(judgement.error),
            mistake=judgement.is_mistake,
            turning=reviewed.step in result.turning_points,
            cost_text=cost_text(result.game, judgement) if judgement.is_mistake else "",
            why=reviewed.why,
        )
        for reviewed in result.decisions
        for judgement in (reviewed.judgement,)
    )
    seat_summaries = tuple(
        ShownSeatSummary(
            reviewed.seat, reviewed.name, reviewed.decisions, reviewed.mistakes, reviewed.chance, reviewed.luck
        )
        for reviewed in result.seat_summaries
    )
    shown = ShownReview(result.judge, chance_note(find_game(result.game)), verdicts, seat_summaries)
    return JobStatus(ended=True, good=True, sentence=result.summary, review=shown)


class ReplayPlayersWork(JobWork, frozen=True):
    """Replay the files of some seats in a match, with their output."""

    store: str
    tournament: str
    match: int
    seats: tuple[int, ...]

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena
        from kibitz.arena.running.runner import file_of
        from kibitz.engine.record import parse
        from kibitz.engine.registry import game as find_game
        from kibitz.players.player_replay import replay_player

        with open_arena(self.store or None) as arena:
            result = next(result for result in arena.store.results(self.tournament) if result.match == self.match)
            tournament = arena.store.tournament(self.tournament)
            record = parse(arena.store.record(self.tournament, self.match))
            files = {seat: file_of(arena.store, result.seats[seat].submission) for seat in self.seats}
        game, replies = find_game(tournament.game), list[Reply]()
        for seat, file in files.items():
            if file.content:
                spec = file.spec(game, tournament.limits)
                replies += replay_player(record, seat, spec, lambda step: progress(step + 1, len(record.actions)))
        sentence = "" if replies else "No output: no player file played in these seats."
        replies.sort(key=lambda reply: (reply.step, reply.seat))
        return JobStatus(ended=True, good=True, sentence=sentence, replies=tuple(replies))


class RunWork(JobWork, frozen=True):
    """Play ``rounds`` more rounds, or all rounds of a final or of custom games, and then end the tournament."""

    store: str
    tournament: str
    rounds: int = 0
    max_margin: float | None = None
    final: bool = False

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena

        with open_arena(self.store or None) as arena:
            tournament = arena.final(self.tournament) if self.final else arena.tournament(self.tournament)
            custom = tournament.kind == "custom"
            rounds = None if custom else self.rounds + (0 if self.final else arena.rounds(tournament.name))
            run_result = arena.run(
                tournament.name,
                rounds=rounds or None,
                max_margin=self.max_margin,
                workers=1,
                progress=lambda news: progress(news.blocks - news.unplayed, news.blocks),
            )
            if run_result.why == "done" and (custom or self.final):
                arena.end(tournament.name)
        return JobStatus(ended=True, good=run_result.why == "done", sentence=run_result.sentence)


class VerifyWork(JobWork, frozen=True):
    """Verify a tournament, and replay some of its matches."""

    store: str
    tournament: str
    replay: int

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena

        with open_arena(self.store or None, create=False) as arena:
            proofs = list(arena.proofs(self.tournament, progress))
            if self.replay:
                proofs += arena.replays(self.tournament, self.replay, progress)
        ok = all(proof.ok for proof in proofs)
        sentence = f"{self.tournament} {'is verified' if ok else 'failed verification'}."
        return JobStatus(
            ended=True,
            good=True,
            sentence=sentence,
            proofs=tuple(VerificationResult(proof.ok, proof.sentence) for proof in proofs),
        )


class FeedbackWork(JobWork, frozen=True):
    """Write a report for every owner in a tournament: a text for each player, in an archive."""

    store: str
    tournament: str

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena
        from kibitz.arena.player_reports import DEFAULT_FAILURES, player_names, report
        from kibitz.engine.sentences import counted

        archive = folder / f"{plain_name(self.tournament)}-feedback.zip"
        with (
            open_arena(self.store or None, create=False) as arena,
            zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out,
        ):
            players = player_names(arena, self.tournament)
            for number, player in enumerate(players, 1):
                out.writestr(f"{player}.txt", report(arena, player, self.tournament, DEFAULT_FAILURES))
                progress(number, len(players))
        sentence = f"{counted(len(players), 'text')}, one for each player: give each only to the player's owner."
        return JobStatus(ended=True, good=True, sentence=sentence, file=str(archive))


class ClassWork(JobWork, frozen=True):
    """Enter a class in a tournament; ``overrides`` is the path of a table of a lecturer's choices, or ""."""

    store: str
    tournament: str
    files: str
    overrides: str

    @property
    def limits(self) -> tuple[int, int]:
        """Those of a class."""
        return CLASS_LIMITS

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena
        from kibitz.engine.sentences import counted
        from kibitz.marking.adjustments import check_students, choices_of, read_overrides
        from kibitz.players.files.entries import players_in
        from kibitz.players.function_player import main_functions

        try:
            rows = read_overrides(Path(self.overrides) if self.overrides else None)
            with open_arena(self.store or None) as arena:
                functions = main_functions(arena.game_of(self.tournament))
                submitted = players_in(self.files, functions, choices_of(rows))
                check_students(rows, submitted.entries)
                if submitted.layout == "player":
                    raise KibitzError("this is one player, not a class: use 'Submit a player'.")
                result = arena.submit_all(self.tournament, submitted.entries, workers=1, progress=progress)
        except KibitzError as error:
            raise KibitzError(without_folders(str(error), self)) from error
        playing = [outcome for outcome in result.outcomes if outcome.plays]
        new = sum(outcome.state == "accepted" for outcome in playing)
        submissions = counted(len(submitted.entries), "submission")
        sentences = [f"{len(playing)} of {submissions} play in {result.tournament.name}, {new} of them new."]
        if not result.complete:
            sentences.append("Stopped; enter the same files again to check the rest.")
        sentences += [submitted.note, *(f"Left out: {file}." for file in submitted.left_out)]
        proofs = [
            VerificationResult(outcome.plays, without_folders(outcome.sentence, self)) for outcome in result.outcomes
        ]
        proofs += [
            VerificationResult(False, f"{entry.player}: on the roster, but submitted no file.")
            for entry in result.absent
        ]
        sentence = without_folders(" ".join(filter(None, sentences)), self)
        return JobStatus(ended=True, good=True, sentence=sentence, proofs=tuple(proofs))


class MarkWork(JobWork, frozen=True):
    """Mark submissions: a class's, or one student's."""

    marking: marking.Marking

    interrupted: ClassVar[str] = "Interrupted. Everything marked so far is kept; mark again to finish."

    @property
    def limits(self) -> tuple[int, int]:
        """Those of one student or of a class."""
        return STUDENT_LIMITS if self.marking.single else CLASS_LIMITS

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        result = marking.mark_submissions(self.marking, progress)
        status = JobStatus(
            ended=True,
            good=True,
            sentence=result.sentence,
            sheets=result.sheets,
            file=str(result.archive),
            tables=result.tables,
        )
        marking.store_result(self.marking, result, msgspec.json.encode(status))
        return status


class SimilarWork(JobWork, frozen=True):
    """Compare the submissions of a marking; ``starter`` is the path of the starter code, or ""."""

    marking: marking.Marking
    starter: str

    @property
    def limits(self) -> tuple[int, int]:
        """Those of a class."""
        return CLASS_LIMITS

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        return JobStatus(ended=True, good=True, sentence=marking.compare_submissions(self.marking, self.starter))


class CheckWork(JobWork, frozen=True):
    """Submit files, which arrived at a time, as the next version of a player, which the arena checks."""

    store: str
    tournament: str
    player: str
    person: Person
    files: tuple[tuple[str, bytes], ...]
    arrived_at: float

    interrupted: ClassVar[str] = "The check was interrupted, through no fault of the file: submit it again."

    @property
    def limits(self) -> tuple[int, int]:
        """Those of one student."""
        return STUDENT_LIMITS

    def carry_out(self, progress: Progress, folder: Path) -> JobStatus:
        """Do the work."""
        from kibitz.arena.api import open as open_arena

        (name, content), *more = self.files
        if more:
            with io.BytesIO() as buffer:
                with zipfile.ZipFile(buffer, "w") as archive:
                    for file_name, file_content in self.files:
                        archive.writestr(file_name, file_content)
                name, content = f"{self.player}.zip", buffer.getvalue()
        with open_arena(self.store or None) as arena:
            if not may_submit(arena, self.person):  # checked again, because it may have changed while the job waited
                raise StoreError("refused", INVITED_ONLY)
            result = arena.submit(
                self.tournament,
                name,
                self.player,
                owner=self.person.name,
                account=self.person.id,
                content=content,
                arrived_at=self.arrived_at,
                progress=progress,
            )
        plays = f"{self.player} will play from the next round on, as version {result.submission.version}."
        sentence = " ".join(filter(None, (plays if result.accepted else result.report.reason, result.note)))
        return JobStatus(ended=True, good=result.accepted, sentence=sentence, findings=result.report.findings)


AnyWork = (
    ReviewWork
    | ReplayPlayersWork
    | RunWork
    | VerifyWork
    | FeedbackWork
    | ClassWork
    | MarkWork
    | SimilarWork
    | CheckWork
)


class Order(msgspec.Struct, frozen=True):
    """The work for a child process, the id of its parent process, and the folder for its files."""

    work: AnyWork
    parent: int
    folder: str


class ProgressReporter:
    """Reports progress at intervals."""

    def __init__(self) -> None:
        self.latest = 0.0

    def __call__(self, done: int, of: int) -> None:
        """Report how much of the work is done."""
        if time.monotonic() - self.latest > REPORT_SECONDS:
            self.latest = time.monotonic()
            write_status(JobStatus(done, of))


def write_status(status: JobStatus) -> None:
    """Write a status as a line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(status) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Read one order and carry it out."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    die_with_parent(order.parent)
    if hasattr(os, "nice"):
        os.nice(NICE)
    os.environ.pop("KIBITZ_DEBUG", None)
    if order.work.limits:
        limit_resources(MAX_MEMORY, *order.work.limits)
    try:
        status = order.work.carry_out(ProgressReporter(), Path(order.folder))
    except KibitzError as error:
        status = JobStatus(ended=True, sentence=str(error))
    write_status(status)
