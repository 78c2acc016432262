"""Who takes part, and by which rules: the tournament, its seeds, its submissions and their verdicts."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.arena.entry.qualification import Report
from kibitz.arena.model import stage
from kibitz.arena.pairing.schedule import seed_from
from kibitz.arena.proof.book import AnyRow, Book
from kibitz.arena.proof.checks import Words, Wrong, check
from kibitz.engine import record
from kibitz.engine.registry import game as find_game
from kibitz.errors import NotationError
from kibitz.players.built_in import strategies


@check("entry")
def the_games_rules(book: Book) -> Iterator[Wrong]:
    """The tournament has its game's seats and rules."""
    game = find_game(book.row.game)
    for column, wanted in (("seats", game.seats), ("rules", game.rules.VERSION)):
        if getattr(book.row, column) != wanted:
            yield Wrong("tournaments", f"{book.row.name}", column, getattr(book.row, column), wanted)


@check("entry")
def sealed_seeds(book: Book) -> Iterator[Wrong]:
    """Every seed is the one that was sealed; a secret one is not told."""
    for part, row in book.seeds.items():
        wanted = record.commitment(seed_from(row.seed))
        if row.commitment != wanted:
            yield Wrong("seeds", f"{book.row.name}, {part}", "commitment", row.commitment, wanted)


@check("entry")
def seeds_of_stages(book: Book) -> Iterator[Wrong]:
    """There is a seed for each stage that has begun, and no other."""
    begun = {"season", *(stage(row.phase) for row in book.rounds)}
    begun |= {"final"} if book.row.phase == "final" else set()
    allowed = begun | ({"final"} if book.row.phase == "closed" else set())
    for part in sorted(begun - set(book.seeds)) + sorted(set(book.seeds) - allowed):
        there = ("there", "missing") if part in book.seeds else ("missing", "there")
        yield Wrong("seeds", f"{book.row.name}, {part}", "the row", Words(there[0]), Words(there[1]))


@check("entry")
def versions(book: Book) -> Iterator[Wrong]:
    """The versions of a player are numbered from 1 in the order in which they came."""
    seen: dict[str, int] = {}
    for row in book.submissions.values():
        wanted = seen.get(row.player, 0) + 1
        if row.version != wanted:
            yield Wrong("submissions", called(row), "version", row.version, wanted)
        seen[row.player] = wanted


@check("entry")
def owners(book: Book) -> Iterator[Wrong]:
    """All versions of a player are the same owner's."""
    first: dict[str, str] = {}
    for row in book.submissions.values():
        if first.setdefault(row.player, row.owner) != row.owner:
            yield Wrong("submissions", called(row), "owner", row.owner, first[row.player])


@check("entry")
def fillers(book: Book) -> Iterator[Wrong]:
    """Whoever fills seats is a built-in player of the game under its own name, in its one version."""
    known = strategies(find_game(book.row.game))
    for row in book.submissions.values():
        if not book.fills(row.id):
            continue
        for column, stands, wanted in (("file", row.file, row.player), ("version", row.version, 1)):
            if stands != wanted:
                yield Wrong("submissions", called(row), column, stands, wanted)
        if row.file not in known:
            yield Wrong("submissions", called(row), "file", row.file, Words("a built-in player of the game"))


@check("entry")
def settled(book: Book) -> Iterator[Wrong]:
    """A submission that waits is not settled, and every other one is."""
    for row in book.submissions.values():
        if (row.settled_at is None) != (row.state == "waiting"):
            wanted = Words("no moment" if row.state == "waiting" else "a moment")
            yield Wrong("submissions", called(row), "settled_at", row.settled_at, wanted)


@check("entry")
def verdicts(book: Book) -> Iterator[Wrong]:
    """A submission is accepted or refused as its first try says."""
    tries = first_tries(book)
    for row in book.submissions.values():
        verdict = tries.get(row.id)
        wanted = "waiting" if verdict is None else "accepted" if verdict.passed else "refused"
        if row.state != wanted:
            yield Wrong("submissions", called(row), "state", row.state, wanted)


@check("entry")
def reports(book: Book) -> Iterator[Wrong]:
    """The report on a player file of a rated tournament is about that file, and says what was decided by it."""
    for row in book.qualifications:
        one = book.submissions[row.submission_id]
        if book.row.kind == "custom" or not one.sha256 or (one.state == "refused" and not row.report):
            continue
        where = f"of {called(one)}"
        try:
            found = Report.from_json(row.report)
        except NotationError:
            yield Wrong("qualifications", where, "report", row.report, Words("a report on the file"))
            continue
        for column, stands, wanted in (
            ("report (game)", found.game, book.row.game),
            ("report (sha256)", found.sha256, one.sha256),
            ("passed", bool(row.passed), found.passed),
        ):
            if stands != wanted:
                yield Wrong("qualifications", where, column, stands, wanted)


@check("entry")
def reasons(book: Book) -> Iterator[Wrong]:
    """A refused submission's reason is the one in its report; no other has a reason."""
    tries = first_tries(book)
    for row in book.submissions.values():
        verdict = tries.get(row.id)
        wanted = ""
        if row.state == "refused" and verdict is not None:
            try:
                wanted = Report.from_json(verdict.report).reason
            except NotationError:
                wanted = row.reason
        if row.reason != wanted:
            yield Wrong("submissions", called(row), "reason", row.reason, wanted)


def first_tries(book: Book) -> dict[int, AnyRow]:
    """The try that each submission was settled by."""
    found: dict[int, AnyRow] = {}
    for row in book.qualifications:
        found.setdefault(row.submission_id, row)
    return found


def called(row: AnyRow) -> str:
    """What people call a submission."""
    return f"version {row.version} of {row.player} (id {row.id})"
