"""A runner's loop, step by step, with a fake store, workers and clock."""

from types import SimpleNamespace

import pytest

from kibitz.arena.model import Block, Lease, MatchInPlay
from kibitz.arena.running.blocks import REPORT_SECONDS
from kibitz.arena.running.pool import Finished, LeaseChanged, Message, Voided
from kibitz.arena.running.runner import (
    BLOCKS_PER_WORKER,
    FIRST_PAUSE,
    LEASE_RENEWALS,
    LONGEST_PAUSE,
    SAVE_SECONDS,
    Runner,
)
from kibitz.players.limits import STANDARD


class Clock:
    now = 50.0

    def __call__(self):
        return self.now


def lease(number, round=1):
    return Lease(number, "me", 0.0, 1, Block("kuhn", round, number, 7, (1, 2)))


class FakeStore:
    """A store with some blocks; ``temporary`` if nobody else uses it."""

    def __init__(self, blocks=0, *, temporary=False):
        self.blocks, self.temporary = list(range(1, blocks + 1)), temporary
        self.known, self.done = True, []

    def claim(self, name, holder, wanted, seconds):
        self.done.append(("claim", wanted, seconds))
        some, self.blocks = self.blocks[:wanted], self.blocks[wanted:]
        return [lease(number) for number in some]

    def keep_runner(self, holder, seconds):
        self.done.append(("keep", seconds))
        return self.known

    def enter_runner(self, name, holder, seconds, *, beside):
        self.done.append(("enter", beside))

    def heartbeat(self, leases, seconds):
        self.done.append(("beat", [one.id for one in leases], seconds))

    def rounds(self, name, newest):
        return [SimpleNamespace(number=1, blocks=9, unplayed=len(self.blocks) + 5)]

    def remember(self, one):
        self.done.append(("remember", one.id))

    def void(self, one, rotation, cause):
        self.done.append(("void", one.id))

    def complete_all(self, some):
        self.done.append(("complete", len(some)))
        return [True] * len(some)

    def show(self, holder, shown):
        self.done.append(("show", shown))


class FakeWorkers:
    """Workers with some free slots."""

    here = True

    def __init__(self, size=2):
        self.size, self.busy, self.in_play = size, [], ()

    def free_slots(self):
        return self.size - len(self.busy)

    def leases(self):
        return list(self.busy)

    def send(self, one, files, tier):
        self.busy.append(one)

    def matches_in_play(self):
        return self.in_play


class FakeSeason:
    """A season that returns given answers."""

    eager, blocks_needed = False, 0

    def __init__(self, *steps):
        self.steps = list(steps)

    def advance(self):
        return self.steps.pop(0)


def runner(blocks=0, *steps, temporary=False, size=2, goal=None):
    clock, told = Clock(), []
    shop, hands, season = FakeStore(blocks, temporary=temporary), FakeWorkers(size), FakeSeason(*steps)
    tournament = SimpleNamespace(name="kuhn", kind="season", game="kuhn", goal=goal, limits=STANDARD, seats=2)
    made = Runner(shop, tournament, season, hands, 60.0, told.append, clock=clock)
    return made, shop, hands, season, clock, told


@pytest.mark.parametrize(("temporary", "wanted"), [(False, 2), (True, 2 * BLOCKS_PER_WORKER)])
def test_a_private_store_claims_eight_times_as_many_blocks(temporary, wanted):
    made, shop, hands, *_ = runner(30, temporary=temporary)
    assert made.feed() == "playing"
    assert shop.done == [("claim", wanted, 60.0)]
    assert [one.id for one in hands.busy] == [1, 2]
    assert [one.id for one in made.queue.waiting] == list(range(3, wanted + 1))
    assert made.round == 1
    assert made.unplayed == 30 - wanted + 5


def test_nothing_is_claimed_while_enough_blocks_wait():
    made, shop, hands, *_ = runner(30, temporary=True)
    made.feed()
    hands.busy.clear()
    made.feed()
    assert len(shop.done) == 1
    assert [one.id for one in hands.busy] == [3, 4], "what waits is sent all the same"
    while len(made.queue.waiting) >= 2:
        made.queue.waiting.pop()
    made.feed()
    assert len(shop.done) == 2


def test_an_empty_store_is_polled_less_and_less_often():
    made, shop, _, _, clock, _ = runner(0, *["playing"] * 20)
    pauses = []
    for _ in range(8):
        made.feed()
        asked = len(shop.done)
        pauses.append(round(made.next_claim - clock.now, 9))
        clock.now = made.next_claim - 0.001
        assert (made.feed(), len(shop.done)) == ("playing", asked)
        clock.now = made.next_claim
    assert pauses == [min(LONGEST_PAUSE, FIRST_PAUSE * 2**n) for n in range(8)]
    made.queue.take(Finished(lease(1), ("a match",)))
    made.save()
    assert made.next_claim == 0.0
    shop.blocks = [5]
    made.feed()
    assert made.pause == FIRST_PAUSE


def test_the_season_advances_only_when_no_block_is_in_hand():
    made, _, hands, season, clock, _ = runner(2, "scheduled", "done")
    made.feed()
    clock.now += 10
    assert made.feed() == "playing", "two blocks are being played"
    hands.busy.clear()
    made.queue.take(Finished(lease(1), ("a match",)))
    clock.now += 10
    assert made.feed() == "playing", "one is not saved yet"
    made.save()
    assert made.feed() == "done"
    assert (made.rounds, season.steps) == (1, [])


def test_nothing_is_claimed_with_one_waiting_block_per_worker():
    made, shop, hands, *_ = runner(30)
    hands.busy[:] = [lease(8), lease(9)]
    made.queue.waiting.extend([lease(6), lease(7)])
    assert (made.feed(), shop.done) == ("playing", [])
    made.queue.waiting.pop()
    made.feed()
    assert shop.done[0][0] == "claim"


@pytest.mark.parametrize("temporary", [False, True])
def test_a_private_empty_store_is_not_polled_before_a_new_round(temporary):
    made, shop, hands, season, clock, _ = runner(0, "scheduled", "playing", temporary=temporary)
    hands.busy.append(lease(1))
    for _ in range(3):
        made.feed()
        clock.now = made.next_claim
    assert len(shop.done) == (1 if temporary else 3)
    hands.busy.clear()
    made.feed()
    assert season.steps == [], "a round began, and had no block either"
    hands.busy.append(lease(1))
    before, clock.now = len(shop.done), made.next_claim
    made.feed()
    assert len(shop.done) - before == (0 if temporary else 1)


@pytest.mark.parametrize(("temporary", "asked"), [(False, 3), (True, 1)])
def test_a_tournament_with_a_goal_advances_once_enough_is_saved(temporary, asked):
    """Two more blocks must be saved before the next round can be computed."""
    made, _, hands, season, clock, _ = runner(0, *["playing"] * 9, temporary=temporary)
    season.eager, season.blocks_needed = True, 2
    hands.busy.append(lease(1))
    for saved in (0, 1, 2):
        made.saved = saved
        made.feed()
        clock.now = made.next_claim
    assert 9 - len(season.steps) == asked
    assert made.saved == 0


@pytest.mark.parametrize("temporary", [False, True])
def test_finished_blocks_are_saved_at_once_or_twice_a_second_if_private(temporary):
    made, shop, _, _, clock, _ = runner(0, temporary=temporary)
    made.save()
    made.queue.waiting.append(lease(9))
    made.queue.take(Finished(lease(1), ("a match",)))
    clock.now += SAVE_SECONDS - 0.01
    made.save_if_due()
    assert shop.done == ([] if temporary else [("complete", 1)])
    clock.now += 0.01
    made.save_if_due()
    assert shop.done == [("complete", 1)]
    made.queue.waiting.clear()
    made.queue.take(Finished(lease(2), ("a match",)))
    made.save_if_due()
    assert shop.done == [("complete", 1)] * 2, "there is nothing else to do"


def test_lease_memory_and_voids_are_saved_with_finished_blocks():
    made, shop, _, _, _, told = runner(0)
    made.queue.take(LeaseChanged(lease(3)))
    made.queue.take(Voided(lease(4), 0, "No memory."))
    made.save()
    assert shop.done == [("remember", 3), ("void", 4)]
    assert [news.note for news in told] == ["Block 4 will be played again: No memory."]


def test_remaining_blocks_of_a_round_are_counted_and_reported():
    made, _, _, _, _, told = runner(0)
    made.unplayed = 1
    for number in (1, 2):
        made.queue.take(Finished(lease(number), ("a match",) * 2))
    made.save()
    assert (made.unplayed, made.saved) == (0, 2)
    assert [(news.unplayed, news.games, news.note) for news in told] == [(0, 4, "")]
    made.handle_report(Message("A machine is gone."))
    assert told[-1].note == "A machine is gone."
    assert len(told) == 2, "of a store that others use nothing is told but what is saved"


@pytest.mark.parametrize("temporary", [False, True])
def test_a_reporting_worker_gets_its_next_block_at_once(temporary):
    """A private store reports every block; a shared one reports what is saved."""
    made, _, hands, _, _, told = runner(0, temporary=temporary)
    made.queue.waiting.extend([lease(5), lease(6), lease(7)])
    made.handle_report(Finished(lease(1), ("a match",) * 2))
    assert [one.lease.id for one in made.queue.finished] == [1]
    assert [one.id for one in hands.busy] == [5, 6]
    assert [one.id for one in made.queue.waiting] == [7]
    assert [news.games for news in told] == ([2] if temporary else [])


def test_leases_are_extended_four_times_in_their_life():
    made, shop, hands, _, clock, _ = runner(0)
    made.queue.waiting.append(lease(3))
    hands.busy.append(lease(4))
    made.keep_alive()
    beat = [("keep", 60.0), ("beat", [3, 4], 60.0)]
    assert shop.done == beat
    assert (made.round, made.blocks, made.unplayed) == (1, 9, 5)
    clock.now += 60.0 / LEASE_RENEWALS - 0.001
    made.keep_alive()
    assert shop.done == beat
    clock.now += 0.001
    shop.known = False
    made.keep_alive()
    assert shop.done[2:] == [("keep", 60.0), ("enter", True), ("beat", [3, 4], 60.0)]
    assert LEASE_RENEWALS == 4


def test_matches_in_play_are_shown_every_second_if_changed():
    made, shop, hands, _, clock, _ = runner(0)
    hands.in_play = (MatchInPlay(1, "a record"),)
    made.show()
    assert shop.done == [("show", hands.in_play)]
    clock.now += REPORT_SECONDS
    made.show()
    assert len(shop.done) == 1
    hands.in_play = ()
    clock.now += REPORT_SECONDS - 0.001
    made.show()
    assert len(shop.done) == 1
    clock.now += 0.001
    made.show()
    assert shop.done[1:] == [("show", ())]
    alone, shop, hands, *_ = runner(0, temporary=True)
    hands.in_play = (MatchInPlay(1, "a record"),)
    alone.show()
    assert shop.done == []


def test_seasons_wait_for_the_machine_but_tournaments_with_a_goal_do_not():
    assert runner(0)[0].queue.patient
    assert not runner(0, goal=object())[0].queue.patient
    assert [runner(0, temporary=temporary)[0].grace for temporary in (False, True)] == [10.0, 0.0]


@pytest.mark.parametrize(
    ("why", "says"),
    [
        ("stopped", "Stopped: 0 matches played and saved in this run."),
        ("done", "Done: 0 matches played and saved in this run."),
        ("waiting", "There are no players to play: 0 matches played and saved in this run."),
        ("closed", "kuhn is finished: 0 matches played and saved in this run."),
    ],
)
def test_the_end_of_a_run_in_one_sentence(why, says):
    assert runner(0)[0].sentence(why) == says
