"""The runner plays, stops, waits and refuses as it should, and reports it."""

import signal
import sqlite3
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy

from kibitz.arena.model import Block, MatchResult
from kibitz.arena.pairing import all_precise
from kibitz.arena.rating.ratings import fit
from kibitz.arena.running.blocks import PlayerFile, play
from kibitz.arena.running.pool import WorkerPool
from kibitz.arena.running.runner import StopCondition, run
from kibitz.arena.schedule import deal_seed
from kibitz.arena.store import open_store
from kibitz.database import schema
from kibitz.engine.record import parse
from kibitz.engine.registry import game
from kibitz.errors import MachineError, NotationError, RuleError, StoreError
from kibitz.executors import local
from kibitz.players.limits import STANDARD
from kibitz.sandbox import tier
from tests.arena.store.field import entered
from tests.arena.store.test_faults import exit_status, start_runner
from tests.tiers import first_fast

GO = Path(__file__).parents[3] / "examples" / "players" / "go"
BOOT = "import kibitz.arena.running.blocks as blocks; {} ; " + local.START_CODE


@pytest.fixture
def store(tmp_path, opened):
    """A store in a file, with a tournament of four players."""
    made = opened(tmp_path / "arena.db")
    entered(made)
    return made


def comparable(results: tuple[MatchResult, ...]):
    return [(one.match, one.deal_seed, one.status, one.seats) for one in results]


@pytest.fixture(scope="module")
def two_rounds(tmp_path_factory):
    """Two rounds, played by one run: its store, result and news, and the environment that its workers saw."""
    folder, news = tmp_path_factory.mktemp("rounds"), []
    watching = f"import os; open({str(folder / 'seen')!r}, 'w').write(str(os.environ)); {local.START_CODE}"
    with open_store(folder / "arena.db") as store, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGPASSWORD", "secret")
        patch.setattr(local, "START_CODE", watching)
        entered(store)
        ended = run(store, "go", 2, until=StopCondition(rounds=2), progress=news.append)
        yield SimpleNamespace(store=store, ended=ended, news=news, seen=(folder / "seen").read_text())


def test_a_runner_plays_rounds_until_its_limit(two_rounds):
    store, ended, news = two_rounds.store, two_rounds.ended, two_rounds.news
    assert (ended.why, ended.rounds, ended.games) == ("done", 2, len(store.results("go")))
    assert f"{ended.games} matches played and saved in this run" in ended.sentence
    assert [one.closed_at is None for one in store.rounds("go")] == [False, False]
    assert {one.round for one in news} == {1, 2}
    assert (news[-1].games, news[-1].unplayed) == (ended.games, 0)
    assert run(store, "go", 1, until=StopCondition(rounds=2)).games == 0


def test_workers_do_not_see_the_server_or_its_password(two_rounds):
    assert "PATH" in two_rounds.seen
    assert "secret" not in two_rounds.seen


def test_every_match_has_a_valid_record(two_rounds):
    for result in two_rounds.store.results("go"):
        record = parse(two_rounds.store.record("go", result.match))
        assert record.seed == result.deal_seed
        assert record.outcome.scores == tuple(seat.score for seat in result.seats)
        assert record.seats == tuple(seat.player for seat in result.seats)


def test_a_match_is_the_same_in_a_worker_and_in_process(two_rounds):
    results = two_rounds.store.results("go")[:2]
    files = {
        seat.submission: PlayerFile(seat.submission, seat.player, "first", b"").spec(game("go-mini"), STANDARD)
        for seat in results[0].seats
    }
    block = Block("go", 1, 1, results[0].deal_seed, tuple(seat.submission for seat in results[0].seats))
    again = list(play(game("go-mini"), block, files))
    assert [match.record for match in again] == [two_rounds.store.record("go", one.match) for one in results]


def test_a_limit_can_be_games_or_interval_width(store):
    run(store, "go", 1, until=StopCondition(games=20))
    assert 20 <= len(store.results("go")) < 60
    run(store, "go", 1, until=StopCondition(max_margin=2000.0))
    submissions = [one.submission for one in store.entrants("go")]
    assert all_precise(fit(store.results("go")), submissions, 2000.0)


def test_a_closed_tournament_is_not_played(store):
    store.enter_phase("go", "closed")
    assert run(store, "go", 1).why == "closed"


def test_a_runner_stops_without_players(store):
    entered(store, "lonely", players=0)
    ended = run(store, "lonely", 1)
    assert ended.why == "waiting"
    assert "There are too few players" in ended.sentence
    assert store.submissions("lonely") == ()


def test_a_runner_can_wait_for_players(store):
    entered(store, "lonely", players=0)
    timer = threading.Timer(0.5, lambda: enter_another(store))
    timer.start()
    ended = run(store, "lonely", 1, wait=True, until=StopCondition(rounds=1))
    timer.join()
    assert (ended.why, ended.rounds) == ("done", 1)


def enter_another(store):
    made = store.submit("lonely", "late", "me", "first", b"")
    store.record_check(made.id, passed=True, reason="", report="{}")


@pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
def test_player_files_play_sandboxed_and_failures_are_kept(store):
    store.add_tournament("files", "go", seed=3)
    for name in ("first", "pairs", "runs", "broken_type"):
        made = store.submit("files", name, "me", f"{name}.py", (GO / f"{name}.py").read_bytes())
        store.record_check(made.id, passed=True, reason="", report="{}")
    run(store, "files", 2, until=StopCondition(rounds=1))
    results = store.results("files")
    assert {one.tier for one in results} == {tier().name}
    assert {one.status for one in results} == {"forfeited"}
    failures = store.failures("files")
    assert {one.player for one in failures} == {"broken_type"}
    assert all(one.rule and one.detail for one in failures)
    for one in results:
        (bad,) = [seat for seat in one.seats if seat.forfeit]
        assert bad.place == 4
        assert bad.win_share == 0
    assert [one.player for one in store.disqualifications("files")] == ["broken_type"]


def test_player_files_are_not_rated_without_a_sandbox(store, monkeypatch):
    def refuse():
        raise MachineError("Rated games need the sandbox.")

    monkeypatch.setattr("kibitz.arena.running.runner.require_confinement", refuse)
    for name, kind in (("rated", "standard"), ("free", "custom")):
        entered(store, name, players=2, kind=kind, words="first.py", content=(GO / "first.py").read_bytes())
    with pytest.raises(MachineError, match="sandbox"):
        run(store, "rated", 1)
    assert run(store, "go", 1, until=StopCondition(rounds=1)).games
    assert run(store, "free", 1, until=StopCondition(rounds=1)).games


def test_a_tournament_with_other_rules_is_refused(store):
    store.database.writing(lambda c: c.execute(sqlalchemy.update(schema.tournaments).values(rules=99)))
    with pytest.raises(RuleError, match="version 99 of the rules of go-mini"):
        run(store, "go", 1)


def test_a_runner_without_workers_is_refused(store):
    with pytest.raises(NotationError, match="at least one worker"):
        run(store, "go", 0)


@pytest.mark.parametrize("number", first_fast([signal.SIGINT, signal.SIGTERM]))
def test_a_signal_stops_a_runner_without_losing_results(store, tmp_path, number):
    process = start_runner(str(tmp_path / "arena.db"), rounds=1000)
    wait_until(lambda: len(store.results("go")) > 4)
    process.send_signal(number)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert told == f"Stopped: {len(store.results('go'))} matches played and saved in this run.\n"
    assert set(states(store)) <= {"queued", "played"}
    assert store.register_runner("go", "next") == 0


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def states(store):
    return store.database.reading(lambda c: c.exec_driver_sql("SELECT DISTINCT state FROM blocks").scalars().all())


@pytest.mark.long
def test_a_second_runner_is_refused_or_plays_beside_the_first(store, tmp_path):
    path = tmp_path / "arena.db"
    process = start_runner(str(path), rounds=6)
    wait_until(lambda: store.results("go"))
    with pytest.raises(StoreError, match=f"process {process.pid} on .* is already playing go"):
        run(store, "go", 1, until=StopCondition(rounds=6))
    ended = run(store, "go", 1, until=StopCondition(rounds=6), join=True)
    assert exit_status(process) == 0
    alone = open_store(tmp_path / "alone.db")
    entered(alone)
    run(alone, "go", 2, until=StopCondition(rounds=6))
    assert comparable(store.results("go")) == comparable(alone.results("go"))
    assert ended.games <= len(store.results("go"))
    alone.close()


def test_a_match_is_voided_and_replayed_after_a_machine_failure(store, monkeypatch):
    """The first match whose deal seed is divisible by 3 fails once."""
    patch = (
        "import os, pathlib; real = blocks.rated_match; "
        "flag = pathlib.Path(os.environ['FLAG']); "
        "blocks.rated_match = lambda game, seed, files, *more: "
        "(_ for _ in ()).throw(blocks.Unplayable('No process.')) if seed % 3 == 0 and not flag.exists() "
        "and not flag.touch() else real(game, seed, files, *more)"
    )
    path = Path(store.where).with_suffix(".flag")
    monkeypatch.setenv("FLAG", str(path))
    monkeypatch.setattr(local, "START_CODE", BOOT.format(patch))
    news = []
    run(store, "go", 1, until=StopCondition(rounds=2), progress=news.append)
    (void,) = store.voids("go")
    assert (void.cause, void.attempt, void.given_up) == ("No process.", 1, False)
    assert any("will be played again: No process." in one.note for one in news)
    assert void.block in {one.block for one in store.results("go")}


@pytest.mark.long
def test_a_block_that_kills_every_worker_is_given_up(store, monkeypatch):
    monkeypatch.setattr("kibitz.arena.store.playing.FIRST_DELAY", 0.001)
    seed = store.seed("go", "season")
    bad = deal_seed(seed, 2)
    patch = (
        "import os; real = blocks.rated_match; "
        "blocks.rated_match = lambda game, seed, files, *more: "
        f"os._exit(7) if seed == {bad} else real(game, seed, files, *more)"
    )
    monkeypatch.setattr(local, "START_CODE", BOOT.format(patch))
    ended = run(store, "go", 1, until=StopCondition(rounds=1))
    assert [one.attempt for one in store.voids("go")] == [1, 2, 3, 4, 5]
    assert "ended with status 7" in store.voids("go")[0].cause
    assert {one.block for one in store.results("go")} == set(range(1, store.rounds("go")[0].blocks + 1)) - {2}
    assert ended.why == "done"


@pytest.mark.long
def test_a_runner_stops_on_a_machine_that_always_fails(store, monkeypatch):
    monkeypatch.setattr("kibitz.arena.store.playing.FIRST_DELAY", 0.001)
    patch = "blocks.play_rated = lambda *_: (_ for _ in ()).throw(blocks.MachineError('No process.'))"
    monkeypatch.setattr(local, "START_CODE", BOOT.format(patch))
    with pytest.raises(MachineError, match=r"has failed 10 times .* 0 games are saved.*No process"):
        run(store, "go", 1, until=StopCondition(rounds=1))
    assert store.register_runner("go", "next") == 0


def test_workers_that_die_at_once_stop_the_runner(store, monkeypatch):
    monkeypatch.setattr(local, "START_CODE", "import sys; sys.exit('no such module')")
    with pytest.raises(MachineError, match=r"cannot run workers: .* status 1: no such module"):
        run(store, "go", 1)


@pytest.mark.long
def test_an_unresponsive_worker_is_killed(store, monkeypatch):
    real = WorkerPool.__init__

    def impatient(self, game, place, limits, timeout, **more):
        real(self, game, place, limits, 2.0, **more)

    monkeypatch.setattr(WorkerPool, "__init__", impatient)
    path = Path(store.where).with_suffix(".flag")
    monkeypatch.setenv("FLAG", str(path))
    patch = (
        "import os, pathlib, time; real = blocks.rated_match; flag = pathlib.Path(os.environ['FLAG']); "
        "blocks.rated_match = lambda *given: real(*given) if flag.exists() else time.sleep(flag.touch() or 60)"
    )
    monkeypatch.setattr(local, "START_CODE", BOOT.format(patch))
    assert run(store, "go", 1, until=StopCondition(rounds=1)).why == "done"
    assert store.voids("go") == ()


@pytest.mark.long
def test_a_runner_waits_for_a_full_disk(store):
    """The disk is full after some blocks, and has room again once that is reported."""
    engine, told = store.database.engine, []

    def limit(connection, _):
        connection.execute(f"PRAGMA max_page_count={connection.execute('PRAGMA page_count').fetchone()[0] + 1}")

    def progress(news):
        if "disk is full" in news.note:
            told.append(news.note)
            if len(told) == 2:
                sqlalchemy.event.remove(engine, "connect", limit)
                engine.dispose()

    sqlalchemy.event.listen(engine, "connect", limit)
    engine.dispose()
    ended = run(store, "go", 2, until=StopCondition(rounds=3), progress=progress)
    assert len(told) == 2
    assert ended.why == "done"
    assert ended.games == len(store.results("go"))


@pytest.mark.long
def test_a_runner_stops_on_a_permanently_full_disk_and_the_next_resumes(store):
    engine = store.database.engine

    def limit(connection, _):
        connection.execute(f"PRAGMA max_page_count={connection.execute('PRAGMA page_count').fetchone()[0] + 3}")

    sqlalchemy.event.listen(engine, "connect", limit)
    engine.dispose()
    with pytest.raises(StoreError, match="the disk is full"):
        run(store, "go", 1, until=StopCondition(rounds=30), give_up_s=0.5)
    sqlalchemy.event.remove(engine, "connect", limit)
    engine.dispose()
    before = len(store.results("go"))
    assert run(store, "go", 1, until=StopCondition(games=before + 1)).games > 0


def test_a_runner_waits_for_a_locked_store(store, tmp_path, opened, monkeypatch):
    monkeypatch.setattr("kibitz.database.transactions.BUSY_SECONDS", 0.05)
    store = opened(tmp_path / "arena.db")
    real = store.retrying_for
    monkeypatch.setattr(store, "retrying_for", lambda seconds: real(0.1))
    lock = sqlite3.connect(tmp_path / "arena.db", isolation_level=None, check_same_thread=False)
    told = []

    def progress(news):
        if news.games >= 4 and not told:
            lock.execute("BEGIN IMMEDIATE")
            told.append("")
        if "is locked" in news.note:
            told.append(news.note)
            if len(told) == 3:
                lock.execute("ROLLBACK")

    ended = run(store, "go", 1, until=StopCondition(rounds=2), progress=progress)
    lock.close()
    assert len(told) >= 3
    assert ended.games == len(store.results("go"))


@pytest.mark.long
def test_stopping_at_a_locked_store_reports_unsaved_games(store, tmp_path, opened, monkeypatch):
    monkeypatch.setattr("kibitz.database.transactions.BUSY_SECONDS", 0.05)
    store = opened(tmp_path / "arena.db")
    real = store.retrying_for
    monkeypatch.setattr(store, "retrying_for", lambda seconds: real(0.1))
    lock, told = sqlite3.connect(tmp_path / "arena.db", isolation_level=None), []

    def progress(news):
        if news.games >= 4 and not lock.in_transaction:
            lock.execute("BEGIN IMMEDIATE")
        if "is locked" in news.note and "not saved yet" in news.note:
            told.append(news.note)

    ended = run(store, "go", 1, until=StopCondition(rounds=20), progress=progress, stop=lambda: bool(told), lease_s=1.0)
    lock.close()
    assert ended.why == "stopped"
    assert f"{ended.games} matches played and saved in this run; " in ended.sentence
    assert " unsaved block" in ended.sentence
    assert ended.games == len(store.results("go"))
    run(store, "go", 1, until=StopCondition(rounds=2), join=True)
    assert comparable(store.results("go"))
