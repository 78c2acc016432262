"""Rounds, leases, results, voids and disqualifications: everything counts once, and nothing gets stuck."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from kibitz.arena.model import Entrant, Extent, MatchInPlay, Threshold
from kibitz.arena.schedule import deal_seed
from kibitz.arena.store import playing
from kibitz.arena.store.playing import MAX_VOIDS
from kibitz.errors import StoreError
from tests.arena.store.conftest import new_database
from tests.arena.store.field import Clock, entered, played, scheduled


@pytest.fixture
def clock():
    """The store's clock."""
    return Clock()


@pytest.fixture
def store(where, opened, clock):
    """An empty store with the test's clock."""
    return opened(where, clock=clock)


def test_blocks_of_a_round_get_deals_from_the_seed(store):
    made = scheduled(store, blocks=3)
    assert (made.number, made.first_block, made.blocks, made.unplayed, made.closed_at) == (1, 1, 3, 3, None)
    leases = store.claim("go", "me", 9)
    assert [lease.block.number for lease in leases] == [1, 2, 3]
    assert [lease.block.deal_seed for lease in leases] == [deal_seed(7, number) for number in (1, 2, 3)]
    assert store.rounds("go") == (made,)


def test_block_numbers_continue_across_rounds_and_into_the_final(store):
    entrants = entered(store)
    ids = [one.submission for one in entrants]
    for number, phase in ((1, "open"), (2, "final")):
        store.enter_phase("go", phase, seed=11)
        made = store.schedule_round("go", number, entrants, [tuple(ids[:2])] * 2)
        assert (made.phase, made.first_block) == (phase, 2 * number - 1)
        for lease in store.claim("go", "me", 9):
            assert lease.block.deal_seed == deal_seed(7 if phase == "open" else 11, lease.block.number)
            store.complete(lease, played(lease))
        assert store.close_round("go", number) == ()
    assert [result.match for result in store.results("go")] == list(range(1, 9))
    assert [result.match for result in store.results("go", stage="final")] == [5, 6, 7, 8]
    assert [result.match for result in store.results("go", rounds=range(2, 9))] == [5, 6, 7, 8]
    assert store.extent("go", "season").matches == store.extent("go", "final").matches == 4


def test_rounds_are_played_on_postgresql(postgres_server, opened, clock):
    test_block_numbers_continue_across_rounds_and_into_the_final(opened(new_database(postgres_server), clock=clock))


def test_a_round_based_on_old_data_is_not_scheduled(store):
    entrants = entered(store)
    lineup = [tuple(one.submission for one in entrants[:2])]
    assert store.schedule_round("go", 2, entrants, lineup) is None
    assert store.schedule_round("go", 1, entrants, lineup, phase="final") is None
    assert store.schedule_round("go", 1, entrants[:3], lineup) is None
    assert store.schedule_round("go", 1, entrants, lineup, phase="open") is not None
    assert store.schedule_round("go", 1, entrants, lineup) is None
    assert store.schedule_round("go", 2, entrants, lineup) is None
    assert len(store.rounds("go")) == 1


def test_rounds_of_unknown_or_no_players_are_refused(store):
    entrants = entered(store)
    for lineups in ([], [(1,)], [(entrants[0].submission, 10**6)]):
        with pytest.raises(StoreError):
            store.schedule_round("go", 1, entrants, lineups)
    store.enter_phase("go", "closed")
    with pytest.raises(StoreError, match="is finished"):
        store.schedule_round("go", 1, entrants, [tuple(one.submission for one in entrants[:2])])


def test_a_leased_block_cannot_be_claimed_before_the_lease_ends(store, clock):
    scheduled(store, blocks=3)
    mine = store.claim("go", "me", 2, 60)
    assert [lease.block.number for lease in store.claim("go", "you", 9, 60)] == [3]
    assert store.claim("go", "him", 9) == ()
    clock.time += 59.9
    assert store.claim("go", "him", 9) == ()
    clock.time += 0.1
    assert [lease.block.number for lease in store.claim("go", "him", 9)] == [1, 2, 3]
    assert store.heartbeat(mine) == 0


def test_a_block_submitted_by_two_holders_counts_once(store, clock):
    scheduled(store, blocks=1)
    (mine,) = store.claim("go", "me", 1, 60)
    clock.time += 60
    (yours,) = store.claim("go", "you", 1, 60)
    assert store.complete(mine, played(mine))
    assert not store.complete(yours, played(yours))
    assert not store.complete(mine, played(mine))
    assert len(store.results("go")) == 2
    assert store.claim("go", "you", 1) == ()


def test_incomplete_and_foreign_blocks_are_refused(store):
    scheduled(store, blocks=2)
    one, other = store.claim("go", "me", 2)
    for wrong in ([], played(one)[:1], played(one)[::-1], played(other)):
        with pytest.raises(StoreError, match="must come with all its matches"):
            store.complete_all([(other, played(other)), (one, wrong)])
    assert store.results("go") == ()


def test_a_voided_block_is_played_again_after_a_pause(store, clock):
    scheduled(store, blocks=1)
    (mine,) = store.claim("go", "me", 1)
    void = store.void(mine, 1, "No process is to be had.")
    assert (void.block, void.match, void.attempt, void.given_up) == (1, 2, 1, False)
    assert store.void(mine, 1, "No process is to be had.") == void
    assert store.claim("go", "you", 1) == ()
    clock.time += 1
    (again,) = store.claim("go", "you", 1)
    assert again.attempt == 2
    assert store.complete(again, played(again))
    assert store.voids("go") == (void,)


def test_a_block_is_given_up_after_repeated_voids(store, clock):
    scheduled(store, blocks=2)
    for attempt in range(1, MAX_VOIDS + 1):
        lease = next(one for one in store.claim("go", "me", 2) if one.block.number == 1)
        assert lease.attempt == attempt
        assert store.void(lease, 0, "broken").given_up == (attempt == MAX_VOIDS)
        store.release("me")
        clock.time += 1000
    (other,) = store.claim("go", "me", 2)
    assert store.close_round("go", 1) is None
    assert store.complete(other, played(other))
    assert store.extent("go", "season") == Extent(0, 0, 0)
    assert store.extent("go", "season", closed=False) == Extent(1, 1, 2)
    assert not store.complete(lease, played(lease))
    assert store.close_round("go", 1) == ()
    assert [result.block for result in store.results("go")] == [2, 2]
    assert store.extent("go", "season").blocks == 1


def test_only_the_lease_holder_can_void_a_block(store, clock):
    scheduled(store, blocks=1)
    (mine,) = store.claim("go", "me", 1, 60)
    clock.time += 60
    (yours,) = store.claim("go", "you", 1, 60)
    assert store.void(mine, 0, "late") is None
    assert store.complete(yours, played(yours))
    assert store.void(yours, 0, "late") is None
    assert store.voids("go") == ()


@pytest.mark.parametrize(
    ("failures", "games", "out"), [(4, 4, False), (5, 5, True), (5, 250, False), (5, 249, True), (6, 299, True)]
)
def test_a_threshold_needs_a_number_and_a_share_of_failures(failures, games, out):
    assert Threshold().exceeded(failures, games) == out


def test_a_failing_player_is_disqualified_at_the_end_of_a_round(store):
    entrants = entered(store, threshold=Threshold(3, 0.5))
    bad, good = entrants[0].submission, entrants[1].submission
    for number, blocks in ((1, 1), (2, 1)):
        store.schedule_round("go", number, store.entrants("go"), [(bad, good)] * blocks)
        (lease,) = store.claim("go", "me", 1)
        store.complete(lease, played(lease, failing={bad}))
        assert store.entrants("go") == entrants
        decisions = store.close_round("go", number)
        assert bool(decisions) == (number == 2)
    (out,) = decisions
    assert (out.submission, out.player, out.games, out.failures, out.round) == (bad, "p0", 4, 4, 2)
    assert "forfeited 4 of 4 games" in out.reason
    assert store.close_round("go", 2) == decisions == store.disqualifications("go")
    assert store.entrants("go") == entrants[1:]
    assert store.latest_accepted("go")[0].id == bad


def test_a_new_version_lifts_a_disqualification(store):
    entrants = entered(store, threshold=Threshold(1, 0.0))
    bad, good = entrants[0].submission, entrants[1].submission
    store.schedule_round("go", 1, entrants, [(bad, good)])
    (lease,) = store.claim("go", "me", 1)
    store.complete(lease, played(lease, failing={bad}))
    store.close_round("go", 1)
    better = store.submit("go", "p0", "owner 0", "first", b"")
    assert len(store.entrants("go")) == 3
    store.record_check(better.id, passed=True, reason="", report="{}")
    assert store.entrants("go")[0] == Entrant(better.id, "p0")


def test_custom_games_disqualify_no_players(store):
    entrants = entered(store, kind="custom", threshold=Threshold(1, 0.0))
    store.schedule_round("go", 1, entrants, [tuple(one.submission for one in entrants[:2])])
    (lease,) = store.claim("go", "me", 1)
    store.complete(lease, played(lease, failing=set(lease.block.lineup)))
    assert store.close_round("go", 1) == ()


def test_a_result_has_what_ratings_need(store):
    scheduled(store, blocks=1)
    (lease,) = store.claim("go", "me", 1)
    bad = lease.block.lineup[0]
    store.complete(lease, played(lease, failing={bad}))
    result, other = store.results("go")
    assert (result.tournament, result.phase, result.round, result.block, result.match) == ("go", "open", 1, 1, 1)
    assert (result.rotation, other.rotation, result.status) == (0, 1, "forfeited")
    assert [seat.submission for seat in result.seats] == list(lease.block.lineup)
    assert [seat.submission for seat in other.seats] == list(lease.block.lineup[::-1])
    assert [(s.player, s.place, s.win_share, s.forfeit) for s in result.seats] == [
        ("p0", 2, 0.0, "illegal"),
        ("p1", 2, 0.0, None),
    ]
    assert store.results("go") == (result, other)
    assert store.results("go", closed=True) == ()
    store.close_round("go", 1)
    assert store.results("go", closed=True) == (result, other)


def test_a_match_keeps_its_record(store):
    scheduled(store, blocks=2)
    for lease in store.claim("go", "me", 1):
        store.complete(lease, played(lease))
    assert store.record("go", 2) == "record of 1/1 ♥"
    for match in (0, -1, 3, 99):
        with pytest.raises(StoreError, match="has not been played") as raised:
            store.record("go", match)
        assert raised.value.kind == "missing"


def test_failures_are_kept_for_their_owners(store):
    scheduled(store, blocks=3)
    leases = store.claim("go", "me", 3)
    bad = leases[0].block.lineup[0]
    for lease in leases:
        store.complete(lease, played(lease, failing={bad}))
    found = store.failures("go", player="p0")
    assert [(one.match, one.seat, one.kind, one.moves) for one in found] == [(1, 0, "illegal", 3), (2, 1, "illegal", 3)]
    assert found[0].detail == "detail␀"
    assert found[0].prints == "prints"
    assert store.failures("go", player="p2") == ()
    assert store.failures("go", newest=1) == found[1:]


def test_a_second_runner_is_refused_unless_it_plays_beside_the_first(store, clock):
    scheduled(store)
    assert store.register_runner("go", "one", 60) == 0
    with pytest.raises(StoreError, match="is already playing go") as raised:
        store.register_runner("go", "two", 60)
    assert raised.value.kind == "running"
    assert store.register_runner("go", "three", 60, join=True) == 0
    store.remove_runner("one")
    clock.time += 59
    assert store.renew_runner("three", 60)
    assert not store.renew_runner("one", 60)
    clock.time += 59
    with pytest.raises(StoreError):
        store.register_runner("go", "two", 60)
    clock.time += 1
    assert store.register_runner("go", "two", 60) == 0


def test_matches_in_play_are_shown_while_their_runner_lives(store, clock):
    scheduled(store)
    for holder, match in (("one", 5), ("two", 3)):
        store.register_runner("go", holder, 60, join=True)
        store.save_matches_in_play(holder, [MatchInPlay(match, "moves")])
    assert store.matches_in_play("go") == (MatchInPlay(3, "moves"), MatchInPlay(5, "moves"))
    store.save_matches_in_play("one", ())
    store.database.writing(lambda c: c.execute(text("UPDATE runners SET shown = 'no JSON' WHERE holder = 'two'")))
    assert store.matches_in_play("go") == ()
    store.save_matches_in_play("one", [MatchInPlay(5, "moves")])
    clock.time += 60
    assert store.matches_in_play("go") == ()
    assert store.results("go") == ()


def test_a_dead_local_runner_blocks_nothing(store, monkeypatch):

    scheduled(store)
    real = playing.process_start
    monkeypatch.setattr(playing, "process_start", lambda process: f"{real(process)}0")
    store.register_runner("go", "dead", 60)
    store.claim("go", "dead", 2)
    monkeypatch.undo()
    assert store.register_runner("go", "me", 60) == 2
    assert len(store.claim("go", "me", 9)) == 3


def test_concurrent_holders_get_different_blocks(where, opened):
    stores = [opened(where) for _ in range(4)]
    scheduled(stores[0], blocks=40)

    def work(number):
        counted = []
        while leases := stores[number].claim("go", f"holder {number}", 3):
            told = stores[number].complete_all([(lease, played(lease)) for lease in leases])
            counted += [lease.block.number for lease, counts in zip(leases, told, strict=True) if counts]
        return counted

    with ThreadPoolExecutor(4) as pool:
        counted = list(pool.map(work, range(4)))
    assert sorted(number for some in counted for number in some) == list(range(1, 41))
    assert len(stores[0].results("go")) == 80
