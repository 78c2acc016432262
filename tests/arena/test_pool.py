"""A runner's workers: what they are sent, and what their reports mean for a lease."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Block, Lease
from kibitz.arena.running import blocks
from kibitz.arena.running.blocks import PlayerFile
from kibitz.arena.running.pool import Finished, LeaseChanged, Voided, WorkerDied, WorkerPool
from kibitz.errors import MachineError
from kibitz.executors.worker import Done, Failed, Heartbeat, Lost, Note, SentError
from kibitz.players.limits import STANDARD
from kibitz.players.rated_game import EMPTY_MEMORY, Memory
from kibitz.table import Table
from tests.arena.trials import Clock

FILES = {1: PlayerFile(1, "Ann", "x.py", b"x = 1"), 2: PlayerFile(2, "planner", "planner", b"")}


class RecordingExecutor:
    """An executor that records what it is sent."""

    size = 3

    def __init__(self, *, here=True):
        self.is_local, self.shared, self.sent, self.reports = here, [], [], []

    def add_blob(self, content):
        self.shared.append(content)
        return f"blob {len(self.shared)}"

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


def test_remote_workers_need_the_rules_and_a_sandbox_for_files():
    team, place = pool(here=False)
    team.send(lease(), FILES, SimpleNamespace())
    order = blocks.read_order(place.sent[0][1].block)
    assert order.tier is None
    words = [name for name, _ in place.sent[0][1].needs]
    assert words == ["kibitz.arena.chunks:why_other_rules", "kibitz.arena.chunks:why_unconfined"]
    team.send(lease(2), {1: PlayerFile(1, "random", "random", b""), 2: FILES[2]}, None)
    assert [name for name, _ in place.sent[1][1].needs] == words[:1]


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
    assert reports_after(team, Note("A machine is gone.")) == [Note("A machine is gone.")]


def test_worker_failures_are_raised_and_ending_clears_the_pool():
    team, place = pool()
    for number in (1, 2):
        team.send(lease(number), FILES, None)
    with pytest.raises(MachineError, match="no process"):
        reports_after(team, Failed(0, SentError.of(MachineError("no process"))))
    assert [one.id for one in team.leases()] == [2]
    team.end()
    assert (team.leases(), place.sent) == ([], [])


def test_a_match_is_reported_every_second():
    clock, sent = Clock(50.0), []
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
