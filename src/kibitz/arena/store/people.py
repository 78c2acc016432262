"""Whose players there are, who has left and who plays: the roster, the attempts of an owner, withdrawals, entrants.

    roster      names of players with their owners, the same for all tournaments; it is replaced as a whole
    owner       of a player: the roster's, or else the one under whom its first version came
    attempts    the submissions of all players of an owner, where owners are given

The digest of the roster stands in the log of every tournament that is played by it, so a row that is lost or changed
is told when the roster is read.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from kibitz.arena.filling import HOUSE, filler_of, is_filler, is_short, seated
from kibitz.arena.model import Entrant, Listed, Qualification, Submission, Tournament, Withdrawal
from kibitz.arena.store import entering, entries, log, sums
from kibitz.arena.store.schema import log as logs
from kibitz.arena.store.schema import roster, submissions, tournaments, withdrawals
from kibitz.engine.registry import game as find_game
from kibitz.errors import StoreError


def all_listed(connection: Connection) -> tuple[Listed, ...]:
    """The roster, by name."""
    rows = [sums.whole(roster, row) for row in connection.execute(select(roster))]
    for tournament in connection.execute(select(tournaments)).all():
        if entries.is_listed(tournament):
            check_listed(connection, tournament.id, entries.listed(rows))
    return tuple(sorted((Listed(row.player, row.owner, row.number) for row in rows), key=lambda one: one.player))


def check_listed(connection: Connection, tournament: int, found: entries.Roster) -> None:
    """Damage unless the roster is the one that a tournament's log tells of last."""
    wanted = select(logs.c.entry).where(logs.c.tournament_id == tournament, logs.c.kind == entries.kind(found))
    told = connection.scalar(wanted.order_by(logs.c.number.desc()).limit(1))
    if told != entries.text(found) and (told is not None or found.names):
        raise sums.Damage("in table roster: its rows are not those that the logs tell of")


def replace_roster(connection: Connection, people: Sequence[Listed], now: float) -> None:
    """Put a roster in place of the one that is there, and into the logs of all tournaments that go on."""
    for one in people:
        for what, word in (("player", one.player), ("owner", one.owner)):
            entering.check_word(what, word)
    wanted = select(tournaments).order_by(tournaments.c.id).with_for_update()
    open_ones = [row for row in connection.execute(wanted).all() if entries.is_listed(row)]
    connection.execute(roster.delete())
    if people:
        connection.execute(insert(roster), [{"player": p.player, "owner": p.owner, "number": p.number} for p in people])
    entry = entries.listed(connection.execute(select(roster)).all())
    for row in open_ones:
        log.note(connection, row.id, entry, now)


def attempts(connection: Connection, tournament: Tournament, player: str, owner: str) -> tuple[Submission, ...]:
    """What an owner has submitted under all names, oldest first; nothing where no owners are given.

    They are given for a player whom the roster names, and for one whose owner has another name or another player.
    """
    if tournament.kind == "custom":
        return ()
    owners = {one.player: one.owner for one in all_listed(connection)}
    mine = owners.get(player, owner)
    every = entering.all_submissions(connection, tournament.name, player=None, owner=None, state=None)
    theirs = tuple(one for one in every if owners.get(one.player, one.owner) == mine)
    given = player in owners or mine != player or any(one.player != player for one in theirs)
    return theirs if given else ()


def entrants(connection: Connection, name: str) -> tuple[Entrant, ...]:
    """The latest accepted versions that are not disqualified, of players who have not left.

    Built-in players that fill seats are among them only while seats are left over.
    """
    tournament = entering.tournament(connection, name)
    return seated(who_is_in(connection, name), tournament.seats, tournament.goal)


def who_is_in(connection: Connection, name: str) -> list[Entrant]:
    """The same, and all built-in players that fill seats."""
    number = entering.tournament_id(connection, name)
    out = entering.disqualified(connection, number)
    gone = {one.player: one.submission for one in all_withdrawals(connection, name)}
    return [
        Entrant(one.id, one.player, is_filler(one.owner, one.sha256))
        for one in entering.latest_accepted(connection, name)
        if one.id not in out and one.id > gone.get(one.player, 0)
    ]


def fill_seats(connection: Connection, name: str, now: float) -> tuple[Entrant, ...]:
    """Enter a built-in player where players are too few for the seats, in any phase; the entrants then."""
    number = entering.tournament_id(connection, name, lock=True)
    tournament = entering.tournament(connection, name)
    before = entrants(connection, name)
    if tournament.kind == "custom" or tournament.phase == "closed" or not before:
        return before
    taken = {one.player for one in entering.all_submissions(connection, name, player=None, owner=None, state=None)}
    filler = filler_of(find_game(tournament.game), taken)
    if filler is None or not is_short(before, tournament.seats):
        return before
    row = {"player": filler, "version": 1, "owner": HOUSE, "file": filler, "content": b""}
    made = entering.enter(connection, number, uuid.uuid4().hex, row, now)
    entering.settle(connection, made.id, Qualification(made.id, True, "", now), "")
    return entrants(connection, name)


def withdraw(connection: Connection, name: str, player: str, now: float) -> Withdrawal:
    """Take a player out of all rounds to come; StoreError (refused) if it has left, or nothing comes any more."""
    number = entering.tournament_id(connection, name, lock=True)
    tournament = entering.tournament(connection, name)
    versions = entering.all_submissions(connection, name, player=player, owner=None, state=None)
    if tournament.kind == "custom" or tournament.phase == "closed":
        why = "is closed; nothing more is played in it" if tournament.kind != "custom" else "holds custom games"
        raise StoreError("refused", f"{name} {why}.")
    if not versions:
        raise StoreError("missing", f"{name} has no player called {player[:80]!a}.")
    newest = versions[-1]
    if is_filler(newest.owner, newest.sha256):
        raise StoreError("refused", f"{player} is built in, and leaves by itself as soon as there are enough players.")
    if any(one.submission == newest.id for one in all_withdrawals(connection, name)):
        raise StoreError("refused", f"{player} has left {name} already; a new submission brings it back.")
    connection.execute(insert(withdrawals).values(submission_id=newest.id, at=now))
    log.note(connection, number, entries.Withdrawn(newest.id, now), now)
    return Withdrawal(name, newest.id, player, newest.version, now)


def all_withdrawals(connection: Connection, name: str) -> tuple[Withdrawal, ...]:
    """Who has left a tournament, in the order of the versions that they left with."""
    number = entering.tournament_id(connection, name)
    mine = select(*sums.readable(withdrawals)).join(submissions).where(submissions.c.tournament_id == number)
    rows = [sums.whole(withdrawals, row) for row in connection.execute(mine.order_by(withdrawals.c.submission_id))]
    log.check_count(connection, number, "withdrawals", len(rows), "withdrawn")
    versions = (entering.row_of(connection, row.submission_id) for row in rows)
    return tuple(
        Withdrawal(name, row.submission_id, one.player, one.version, row.at)
        for row, one in zip(rows, versions, strict=True)
    )
