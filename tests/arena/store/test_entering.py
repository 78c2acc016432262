"""Tournaments, phases, seeds and submissions: who may enter, and when."""

import hashlib

import pytest

from kibitz.arena.model import Threshold
from kibitz.engine.record import commitment
from kibitz.errors import NotationError, StoreError
from tests.arena.store.field import Clock, entered


@pytest.fixture
def tournament(store):
    """An open tournament."""
    return store.add_tournament("go", "go", seed=7)


def assert_refused(words, action, kind="refused"):
    with pytest.raises(StoreError, match=words) as raised:
        action()
    assert raised.value.kind == kind


def test_a_tournament_publishes_only_its_seed_commitment(store):
    made = store.add_tournament("bonus", "huxxy-bonus", "bonus", seed=5, threshold=Threshold(3, 0.5))
    assert (made.game, made.kind, made.phase, made.seats) == ("huxxy-bonus", "bonus", "open", made.seats)
    assert made.threshold == Threshold(3, 0.5)
    assert made.commitments == {"season": commitment(5)}
    assert store.seed("bonus", "season") == 5
    assert store.tournament("bonus") == made == store.tournaments()[0]


def test_default_seeds_are_secret_and_differ(store):
    for name in ("a", "b"):
        store.add_tournament(name, "go")
    assert store.seed("a", "season") != store.seed("b", "season")
    assert store.seed("a", "season") > 2**64 or store.seed("b", "season") > 2**64


def test_duplicate_invalid_and_unknown_names_are_refused(store, tournament):
    assert_refused("already is a tournament 'go'", lambda: store.add_tournament("go", "bo"))
    for name in ("", " go", "a\nb", "x" * 81):
        assert_refused("isn't a valid name for a tournament", lambda name=name: store.add_tournament(name, "go"))
    assert_refused("known tournaments: go", lambda: store.tournament("goo"), "missing")
    assert_refused("known tournaments: go", lambda: store.submit("goo", "a", "b", "c.py", b"x"), "missing")
    with pytest.raises(NotationError, match="Unknown game"):
        store.add_tournament("x", "chess")


def test_phases_only_move_forward(store, tournament):
    for phase in ("frozen", "open", "frozen", "final", "closed"):
        assert store.enter_phase("go", phase).phase == phase
    for phase in ("open", "frozen", "final"):
        assert_refused("cannot go back", lambda phase=phase: store.enter_phase("go", phase))
    assert_refused("'later' isn't a phase", lambda: store.enter_phase("go", "later"))


def test_the_final_has_its_own_fixed_seed(store, tournament):
    assert_refused("no seed for its final", lambda: store.seed("go", "final"), "missing")
    made = store.enter_phase("go", "final")
    fresh = store.seed("go", "final")
    assert fresh != store.seed("go", "season") == 7
    assert made.commitments == {"season": commitment(7), "final": commitment(fresh)}
    assert store.enter_phase("go", "final") == made
    assert store.seed("go", "final") == fresh


def test_a_submission_keeps_its_bytes_and_their_hash(store, tournament):
    content = bytes(range(256))
    made = store.submit("go", "ann", "Ann", "mine.py", content)
    assert store.content(made.id) == content
    assert made.sha256 == hashlib.sha256(content).hexdigest()
    assert (made.player, made.version, made.owner, made.file, made.state) == ("ann", 1, "Ann", "mine.py", "waiting")
    assert made.is_file
    assert not store.submit("go", "reference", "us", "first", b"").is_file
    assert store.submission(made.id) == made


def test_latest_accepted_version_takes_part(store, tournament):
    first, second, third = (store.submit("go", "ann", "Ann", "a.py", text) for text in (b"1", b"2", b"3"))
    assert [one.version for one in (first, second, third)] == [1, 2, 3]
    assert store.entrants("go") == ()
    store.record_check(first.id, passed=True, reason="", report="{}")
    store.record_check(second.id, passed=True, reason="", report="{}")
    store.record_check(third.id, passed=False, reason="It does not load.", report="{}")
    assert [one.submission for one in store.entrants("go")] == [second.id]
    assert store.submission(third.id).reason == "It does not load."
    assert [one.state for one in store.submissions("go", player="ann")] == ["accepted", "accepted", "refused"]
    assert [one.id for one in store.submissions("go", state="refused")] == [third.id]


def test_a_settled_submission_is_final_and_all_reports_are_kept(store, tournament):
    made = store.submit("go", "ann", "Ann", "a.py", b"1")
    settled = store.record_check(made.id, passed=False, reason="No.", report="first")
    assert store.record_check(made.id, passed=True, reason="", report="second") == settled
    assert [(one.passed, one.report) for one in store.qualifications(made.id)] == [(False, "first"), (True, "second")]


def test_a_player_name_belongs_to_its_owner(store, tournament):
    store.submit("go", "ann", "Ann", "a.py", b"1")
    assert_refused("belongs to somebody else", lambda: store.submit("go", "ann", "Bob", "a.py", b"1"))
    assert store.submit("go", "bob", "Ann", "a.py", b"1").version == 1


def test_submissions_are_refused_after_the_season(store, tournament):
    store.enter_phase("go", "frozen")
    assert_refused("takes no more", lambda: store.submit("go", "ann", "Ann", "a.py", b"1"))
    store.enter_phase("go", "open")
    store.submit("go", "ann", "Ann", "a.py", b"1")


def test_admission_check_sees_versions_and_store_time(where, opened):
    clock = Clock()
    store = opened(where, clock=clock)
    store.add_tournament("go", "go")
    store.submit("go", "ann", "Ann", "a.py", b"1")
    clock.time += 5
    seen = []

    def check(versions, theirs, now):
        seen.append(([one.version for one in versions], now))
        raise StoreError("refused", "Wait a little.")

    assert_refused("Wait", lambda: store.submit("go", "ann", "Ann", "a.py", b"2", check=check))
    assert seen == [([1], 1005.0)]
    assert len(store.submissions("go")) == 1


def test_repeating_a_key_returns_the_same_submission(store, tournament):
    one = store.submit("go", "ann", "Ann", "a.py", b"1", key="k")
    assert store.submit("go", "ann", "Ann", "a.py", b"1", key="k") == one
    assert len(store.submissions("go")) == 1


def test_tournaments_are_separate(store):
    entered(store, "a", players=2)
    entered(store, "b", players=1, game="bo")
    assert [one.player for one in store.entrants("a")] == ["p0", "p1"]
    assert [one.player for one in store.entrants("b")] == ["p0"]
    assert store.submissions("b", owner="owner 1") == ()


def test_concurrent_submissions_get_different_versions(where, opened):
    """Four threads submit versions of one player."""
    from concurrent.futures import ThreadPoolExecutor

    store = opened(where)
    store.add_tournament("go", "go")
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda k: store.submit("go", "ann", "Ann", "a.py", b"%d" % k), range(12)))
    assert sorted(one.version for one in made) == list(range(1, 13))
