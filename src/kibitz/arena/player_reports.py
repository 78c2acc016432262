"""Text reports for the owners of players.

A report covers one player: its versions, refused files, and the games it forfeited. It says nothing about other
players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from kibitz.arena.api import Arena
from kibitz.arena.entry.qualification import DEFAULT_GAMES
from kibitz.arena.model import Refusal, Submission
from kibitz.arena.schedule import is_filler
from kibitz.arena.season_reports import Version
from kibitz.engine.registry import command_name
from kibitz.engine.sentences import counted
from kibitz.players.findings import ReportLine, as_text, finding_lines
from kibitz.players.limits import limits_text

INDENT = " " * 5
DEFAULT_FAILURES = 3
"""Default number of latest failures in a report."""


def utc_text(moment: float | None) -> str:
    """A time in UTC, for people."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S") if moment is not None else "-"


def tournament_names(arena: Arena, tournament: str | None) -> list[str]:
    """The name of the given tournament, or the names of all except custom ones, which are unrated."""
    if tournament is not None:
        return [arena.tournament(tournament).name]
    return [each.name for each in arena.tournaments_by_kind() if each.kind != "custom"]


def entered_in(arena: Arena, player: str, tournament: str | None) -> list[str]:
    """The names of the tournaments in which a player has a version, or of ``tournament`` alone if it has one there."""
    return [name for name in tournament_names(arena, tournament) if arena.store.submissions(name, player=player)]


def player_names(arena: Arena, tournament: str | None) -> list[str]:
    """Everybody who gets a report: players that were submitted or refused, and the whole roster."""
    tournaments = tournament_names(arena, tournament)
    entered = [submission for name in tournaments for submission in arena.store.submissions(name)]
    names = {submission.player for submission in entered if not is_filler(submission.owner, submission.sha256)}
    names |= {refusal.player for name in tournaments for refusal in arena.store.refusals(name)}
    return sorted(names | {person.player for person in arena.roster()})


def report(arena: Arena, player: str, tournament: str | None, newest: int) -> str:
    """The report for a player's owner, with the latest ``newest`` failures and refusals of each tournament."""
    return as_text(report_lines(arena, player, tournament, newest))


def report_lines(arena: Arena, player: str, tournament: str | None, newest: int) -> Iterator[ReportLine]:
    """The report, line by line."""
    tournaments, entered = tournament_names(arena, tournament), entered_in(arena, player, tournament)
    if not entered:
        yield ReportLine(
            f"No file has been submitted for {player}{f' in {tournaments[0]}' if len(tournaments) == 1 else ''} yet."
        )
    yield from refusal_lines([refusal for name in tournaments for refusal in arena.refusals(player, name)[-newest:]])
    for number, name in enumerate(entered):
        if number:
            yield ReportLine()
        yield from version_lines(player, arena.history(player, name))
        latest = arena.store.submissions(name, player=player)[-1]
        yield from check_lines(arena, latest)
        all_failures, shown = arena.failures(player, name), arena.failures(player, name, newest=newest)
        if all_failures:
            yield ReportLine()
            yield ReportLine(forfeits_line(player, len(all_failures), len(shown)))
            reports = map(arena.failure_report, shown)
            yield from finding_lines([msgspec.structs.replace(finding, reproduce="") for finding in reports])
        yield from home_check_lines(arena, latest)


def refusal_lines(refused: Sequence[Refusal]) -> Iterator[ReportLine]:
    """Refused files, and why."""
    for refusal in refused:
        yield ReportLine(f"Refused by {refusal.tournament}: {refusal.file}, {utc_text(refusal.at)} UTC", "heading")
        yield ReportLine(INDENT + refusal.reason, hanging_indent=INDENT)


def forfeits_line(player: str, total: int, shown: int) -> str:
    """How many games a player has forfeited, and how many of them are shown."""
    if not total:
        return f"{player} has forfeited no games."
    newest = "; the newest" if shown == 1 else f"; the newest {shown}"
    return f"{player} has forfeited {counted(total, 'game')}{newest if shown < total else ''}:"


def version_lines(player: str, versions: Sequence[Version]) -> Iterator[ReportLine]:
    """Every version of a player, by tournament: its state, file, rating, and why it was refused or excluded."""
    previous_tournament = ""
    for version in versions:
        submission = version.submission
        if submission.tournament != previous_tournament:
            owner = "" if submission.owner == player else f", owner {submission.owner}"
            yield ReportLine(f"{player} in {submission.tournament}{owner}", "heading")
        previous_tournament = submission.tournament
        digest = f"  SHA-256 {submission.sha256[:12]}" if submission.is_file else "  built in"
        submitted_at = utc_text(submission.submitted_at)
        yield ReportLine(f"{submission.version:>3}  {submitted_at} UTC  {submission.state}  {submission.file}{digest}")
        for sentence in version_sentences(version):
            yield ReportLine(INDENT + sentence, hanging_indent=INDENT)


def version_sentences(version: Version) -> list[str]:
    """Sentences on a version: why it was refused, its rating, and why it was excluded, if these apply."""
    sentences = [version.submission.reason] if version.submission.reason else []
    if version.rating is not None:
        rating = version.rating
        margin = "?" if rating.margin is None else f"{rating.margin:.0f}"
        forfeits = f", {counted(rating.failures, 'forfeit')}" if rating.failures else ""
        rank = f", rank {rating.rank}" if rating.rank else ""
        sentences.append(f"{rating.points:.0f} ± {margin} points in {counted(rating.games, 'game')}{rank}{forfeits}.")
    if version.disqualification is not None:
        sentences.append(version.disqualification.reason)
    return sentences


def check_lines(arena: Arena, latest: Submission) -> Iterator[ReportLine]:
    """What the check of the newest version found: failures, warnings and the file's output."""
    report = arena.qualification(latest.id)
    findings = [] if report is None else [f for f in report.findings if not f.ok or f.warning or f.kind == "prints"]
    if findings:
        yield ReportLine()
        yield ReportLine(f"Check of version {latest.version}:")
        yield from finding_lines(findings)


def home_check_lines(arena: Arena, latest: Submission) -> Iterator[ReportLine]:
    """The command with which an owner runs the same check at home."""
    tournament = arena.tournament(latest.tournament)
    report = arena.qualification(latest.id)
    games = DEFAULT_GAMES if report is None else report.games
    limits = f" --limits {limits_text(tournament.limits)}" if limits_text(tournament.limits) else ""
    yield ReportLine()
    yield ReportLine("To run the same check at home (on Linux, in the sandbox):")
    yield ReportLine(
        f"kibitz check-player {command_name(tournament.game)} FILE --games {games}{limits}", "preformatted"
    )
