"""A runner's workers: what they are sent, and what their reports mean for a lease."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Block, Lease
from kibitz.arena.running import blocks
from kibitz.arena.running import pool as module
from kibitz.arena.running.blocks import PlayerFile
from kibitz.arena.running.pool import Finished, LeaseChanged, Message, Voided, WorkerDied, WorkerPool
from kibitz.errors import MachineError
from kibitz.executors.worker import Done, Failed, Heartbeat, Lost, Note, SentError
from kibitz.players.limits import STANDARD
from kibitz.players.rated_game import EMPTY_MEMORY, Memory
from kibitz.table import Table

FILES = {1: PlayerFile(1, "Ann", "x.py", b"x = 1"), 2: PlayerFile(2, "planner", "planner", b"")}


class RecordingExecutor:
    """An executor that records what it is sent."""

    size = 3

    def __init__(self, *, here=True):
        self.is_local, self.shared, self.sent, self.reports = here, [], [], []

    def add_part(self, content):
        self.shared.append(content)
        return f"part {len(self.shared)}"

    def send(self, ticket, work):
        self.sent.append((ticket, work))

    def listen(self, seconds):
        yield from self.reports

    def end(self):
        self.sent.clear()


def pool(**more):
    place = RecordingExecutor(**more)
    return WorkerPool("kuhn", place, STANDARD, 9.0), place


def lease(number=1, memory=None):
    return Lease(number, "me", 0.0, 1, Block("kuhn", 1, number, 7, (1, 2)), memory or {})


def match_progress(rotation, record="", memory=None):
    return blocks.encode(blocks.MatchProgress(rotation, record, memory))


def test_players_are_shared_once_and_sent_in_lineup_order():
    team, place = pool()
    for number in (1, 2):
        team.send(lease(number), FILES, None)
    assert len(place.shared) == 3
    assert [(ticket, work.parts) for ticket, work in place.sent] == [
        (0, ("part 1", "part 2", "part 3")),
        (1, ("part 1", "part 2", "part 3")),
    ]
    assert {work.needs for _, work in place.sent} == {()}
    assert [one.id for one in team.leases()] == [1, 2]


def test_remote_workers_need_the_rules_and_a_sandbox_for_files():
    team, place = pool(here=False)
    team.send(lease(), FILES, SimpleNamespace())
    order = blocks.read_order(place.sent[0][1].block)
    assert order.tier is None
    words = [name for name, _ in place.sent[0][1].needs]
    assert words == ["kibitz.arena.chunks:why_other_rules", "kibitz.arena.chunks:why_unconfined"]
    team.send(lease(2), {1: PlayerFile(1, "random", "random", b""), 2: FILES[2]}, None)
    assert [name for name, _ in place.sent[1][1].needs] == words[:1]


def test_the_job_is_shared_first_and_asks_only_for_built_in_players(monkeypatch):
    team, place = pool(here=False)
    assert blocks.read_settings(place.shared[0]) == blocks.RunSettings("kuhn", STANDARD, True)
    WorkerPool("kuhn", place, STANDARD, 9.0, recorded=False)
    assert blocks.read_settings(place.shared[1]) == blocks.RunSettings("kuhn", STANDARD, False)
    asked = []
    monkeypatch.setattr(module, "needs_of", lambda game, players, *, files: asked.append((list(players), files)) or ())
    team.send(lease(), FILES, None)
    assert asked == [(["planner"], True)]
    assert place.sent[0][1].silence_limit == 9.0


def reports_after(team, heard):
    team.executor.reports = [heard]
    return list(team.listen(1.0))


def test_match_progress_is_shown_and_remembered_when_large_enough():
    team, _ = pool()
    team.send(lease(), FILES, None)
    assert reports_after(team, Heartbeat(0, match_progress(1, "a record"))) == []
    assert [(one.match, one.record) for one in team.matches_in_play()] == [(lease().block.match(1), "a record")]
    little, much = Memory((0.5, 0.0)), Memory((6.0, 0.0))
    assert reports_after(team, Heartbeat(0, match_progress(1, "", little))) == []
    assert team.leases()[0].memory == {1: little}
    assert team.matches_in_play() == ()
    (learnt,) = reports_after(team, Heartbeat(0, match_progress(1, "", much)))
    assert isinstance(learnt, LeaseChanged)
    assert learnt.lease.memory == {1: much} == team.leases()[0].memory
    assert reports_after(team, Heartbeat(0, match_progress(1, "", much))) == []
    assert reports_after(team, Heartbeat(0, match_progress(0, "", EMPTY_MEMORY))) == []


@pytest.mark.parametrize("alone", [True, False])
def test_a_lost_worker_reports_its_current_match(alone):
    team, _ = pool()
    team.send(lease(), FILES, None)
    reports_after(team, Heartbeat(0, match_progress(1)))
    assert reports_after(team, Lost(0, "It was killed.", alone)) == [WorkerDied(lease(), 1, "It was killed.", alone)]
    assert team.leases() == []
    team.send(lease(2), FILES, None)
    assert reports_after(team, Lost(1, "It was killed.")) == [WorkerDied(lease(2), 0, "It was killed.", True)]


def test_a_block_is_finished_or_void_at_its_first_unplayed_match():
    team, _ = pool()
    for number in (1, 2):
        team.send(lease(number), FILES, None)
    assert reports_after(team, Done(1, blocks.encode(blocks.BlockOutcome((), "No memory.")))) == [
        Voided(lease(2), 0, "No memory.")
    ]
    assert reports_after(team, Done(0, blocks.encode(blocks.BlockOutcome(())))) == [Finished(lease(1), ())]
    assert reports_after(team, Note("A machine is gone.")) == [Message("A machine is gone.")]


def test_worker_failures_are_raised_and_ending_clears_the_pool():
    team, place = pool()
    for number in (1, 2):
        team.send(lease(number), FILES, None)
    with pytest.raises(MachineError, match="no process"):
        reports_after(team, Failed(0, SentError.of(MachineError("no process"))))
    assert [one.id for one in team.leases()] == [2]
    team.end()
    assert (team.leases(), place.sent) == ([], [])


def test_at_most_eight_matches_are_shown():
    team, _ = pool()
    for number in range(12):
        team.send(lease(number), FILES, None)
        reports_after(team, Heartbeat(number, match_progress(0, "a record" if number % 4 else "")))
    assert [one.match for one in team.matches_in_play()] == [
        lease(number).block.match(0) for number in (1, 2, 3, 5, 6, 7, 9, 10)
    ]


class Clock:
    now = 50.0

    def __call__(self):
        return self.now


def test_a_match_is_reported_every_second():
    clock, sent = Clock(), []
    telling = blocks.MatchReporter(sent.append, clock)
    table = Table.deal("kuhn", 1)
    for seconds in (0.0, 0.5, 0.4):
        clock.now += seconds
        telling.on_step(1, table)
    assert sent == []
    clock.now += 0.1 + 1e-9
    telling.on_step(1, table)
    assert [(one.rotation, bool(one.record), one.memory) for one in map(blocks.read_progress, sent)] == [
        (1, True, None)
    ]
    clock.now += 0.9
    telling.on_step(1, table)
    assert len(sent) == 1
    telling.remember(1, Memory((1.0,)))
    assert blocks.read_progress(sent[-1]).memory == Memory((1.0,))
    clock.now += 0.9
    telling.on_step(1, table)
    assert len(sent) == 2, "the next report comes after a second"
    while not table.over:
        table.act(table.player, table.legal()[0])
    clock.now += 5.0
    telling.on_step(1, table)
    assert len(sent) == 2
    telling.remember(2, EMPTY_MEMORY)
    assert sent[-1] == b""
    telling.remember(2, Memory((1.0,)))
    assert (blocks.read_progress(sent[-1]).rotation, blocks.read_progress(sent[-1]).record) == (2, "")
