"""Rosters, owners' submissions and withdrawals, on both databases."""

import pytest
from sqlalchemy import delete, update

from kibitz.arena.entry.qualification import Report
from kibitz.arena.model import RosterEntry
from kibitz.arena.proof import proving
from kibitz.database import schema
from kibitz.errors import StoreError
from tests.arena.store.field import Clock, entered, scheduled
from tests.arena.store.season import pair

ROSTER = (RosterEntry("Ann", "lee", "11"), RosterEntry("Ann2", "lee"), RosterEntry("Bob", "bob"))


def enter(store, player, content=b"1", owner=None, tournament="go", **more):
    return store.submit(tournament, player, owner or player, "a.py", content, **more)


def settle(store, made):
    report = Report("go", made.file, made.sha256, 0, ())
    return store.record_check(made.id, passed=True, reason="", report=report.to_json())


def accept(store, *words, **more):
    return settle(store, enter(store, *words, **more))


def kinds(store, name="go"):
    return [one.kind for one in store.log(name)]


def check_refused(words, act):
    with pytest.raises(StoreError, match=words):
        act()


def test_a_new_roster_replaces_the_old_one_and_is_logged(store):
    store.replace_roster(ROSTER)
    store.add_tournament("go", "go")
    store.add_tournament("custom-1", "go", "custom")
    store.add_tournament("bo", "bo")
    store.enter_phase("bo", "closed")
    assert store.roster() == ROSTER
    store.replace_roster(ROSTER[:1])
    assert store.roster() == ROSTER[:1]
    assert kinds(store) == ["begun", "roster", "roster"]
    assert kinds(store, "custom-1") == ["begun"]
    assert kinds(store, "bo") == ["begun", "roster", "moved"]
    store.replace_roster(())
    assert store.roster() == ()
    assert all(proof.ok for name in ("go", "bo") for proof in proving.proofs(store, store.tournament(name), pair))


@pytest.mark.parametrize(
    "change",
    [
        lambda: delete(schema.roster).where(schema.roster.c.player == "Bob"),
        lambda: delete(schema.roster),
        lambda: update(schema.roster).where(schema.roster.c.player == "Ann").values(owner="bob"),
    ],
    ids=["a row gone", "all gone", "another owner"],
)
def test_a_changed_roster_is_reported(store, change):
    store.add_tournament("go", "go")
    store.replace_roster(ROSTER)
    store.database.writing(lambda connection: connection.execute(change()))
    check_refused("damaged in table roster", store.roster)
    wrong = [proof for proof in proving.proofs(store, store.tournament("go"), pair) if not proof.ok]
    assert {proof.check for proof in wrong} == {"check_roster"}


def visible(store, player, owner=None):
    """The submissions of an owner as an admission check sees them."""
    found = []

    def check(versions, theirs, now):
        found.extend((one.player, one.version) for one in theirs)
        raise StoreError("refused", "Only looked.")

    check_refused("Only looked", lambda: enter(store, player, b"x", owner, check=check))
    return found


def test_owner_submissions_cover_all_their_players(store):
    store.add_tournament("go", "go")
    enter(store, "Ann")
    enter(store, "Ann2")
    enter(store, "Cem", owner="oz")
    enter(store, "Dan", owner="oz")
    assert visible(store, "Ann") == [], "without owners every player is by itself"
    assert visible(store, "Cem", "oz") == visible(store, "Eve", "oz") == [("Cem", 1), ("Dan", 1)]
    enter(store, "oz")
    assert visible(store, "oz") == [("Cem", 1), ("Dan", 1), ("oz", 1)], "an owner's own name is no way out"
    store.replace_roster(ROSTER)
    assert visible(store, "Ann") == visible(store, "Ann2") == [("Ann", 1), ("Ann2", 1)], "the roster decides"
    assert visible(store, "Bob", "bob") == []


def test_attempts_are_counted_per_tournament(store):
    store.add_tournament("go", "go")
    store.add_tournament("bonus", "go", "bonus")
    enter(store, "Ann", owner="lee", tournament="bonus")
    assert visible(store, "Ann", "lee") == []


def test_a_withdrawn_player_returns_with_a_new_version(where, opened):
    clock = Clock()
    store = opened(where, clock=clock)
    entered(store, "go", players=3, game="go")
    accept(store, "Ann")
    clock.time += 5
    waiting = enter(store, "Ann", b"2")
    gone = store.withdraw("go", "Ann")
    assert (gone.submission, gone.version, gone.at) == (waiting.id, 2, 1005.0)
    assert "Ann" not in [one.player for one in store.entrants("go")]
    settle(store, waiting)
    assert "Ann" not in [one.player for one in store.entrants("go")], "what came in before it left does not play"
    check_refused("has already left go; a new submission brings it back", lambda: store.withdraw("go", "Ann"))
    back = accept(store, "Ann", b"3")
    assert back.id in [one.submission for one in store.entrants("go")]
    store.withdraw("go", "Ann")
    assert [one.version for one in store.withdrawals("go")] == [2, 3]
    assert kinds(store).count("withdrawn") == 2
    assert all(proof.ok for proof in proving.proofs(store, store.tournament("go"), pair))


def test_a_scheduled_round_keeps_its_entrants(store):
    scheduled(store, blocks=1)
    before = store.rounds("go")[0].entrants
    store.withdraw("go", before[0].player)
    assert store.rounds("go")[0].entrants == before
    assert store.claim("go", "me"), "its games are still to be played"


def test_only_current_players_can_be_withdrawn(store):
    store.add_tournament("go", "go")
    accept(store, "Ann")
    check_refused("no player called 'Bob'", lambda: store.withdraw("go", "Bob"))
    check_refused("no tournament 'bo'", lambda: store.withdraw("bo", "Ann"))
    store.enter_phase("go", "frozen")
    store.withdraw("go", "Ann")
    store.enter_phase("go", "closed")
    check_refused("is finished, so nobody can be withdrawn", lambda: store.withdraw("go", "Ann"))
    store.add_tournament("custom-1", "go", "custom")
    accept(store, "Ann", tournament="custom-1")
    check_refused("from which nobody can be withdrawn", lambda: store.withdraw("custom-1", "Ann"))


def test_removed_and_forged_withdrawals_are_reported(store):
    store.add_tournament("go", "go")
    accept(store, "Ann")
    accept(store, "Bob")
    store.withdraw("go", "Ann")
    store.database.writing(lambda c: c.execute(delete(schema.withdrawals)))
    check_refused("damaged in table withdrawals", lambda: store.entrants("go"))
    with pytest.raises(StoreError, match="damaged"):
        store.withdrawals("go")
