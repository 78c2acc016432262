"""A tournament's progress does not depend on the order of blocks, failing players are soon out, schedules are fair."""

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.model import EndCondition, GameCounts, Threshold
from kibitz.arena.rating.standings import Result, SeatForfeit
from kibitz.arena.schedule import FIRST_ROUND_DEALS, Schedule, TournamentProgress, deal_seed, schedule, seed_of_block

FILLER = 99


class Deal(NamedTuple):
    """One deal of a round, and its players."""

    round: int
    number: int
    lineup: tuple[int, ...]

    def rotations(self):
        return [self.lineup[r:] + self.lineup[:r] for r in range(len(self.lineup))]


class Play:
    """A tournament whose deals are played in any order."""

    def __init__(self, progress):
        self.progress, self.waiting, self.lineups, self.deals = progress, [], {}, 0

    def open_round(self):
        lineups = self.progress.next_round()
        new = [Deal(len(self.progress.rounds), self.deals + k, lineup) for k, lineup in enumerate(lineups)]
        self.waiting += new
        self.deals += len(new)
        self.lineups |= {deal.number: deal.lineup for deal in new}
        return new

    def take(self, deal, results):
        """GameCounts a finished deal, as a store would."""
        self.waiting.remove(deal)
        counts = dict(self.progress.rounds[deal.round - 1])
        for result in results:
            for seat, player in enumerate(result.players):
                one = counts[player]
                lost = any(forfeit.seat == seat for forfeit in result.forfeits)
                counts[player] = GameCounts(one.games + 1, one.failures + lost, one.playing - 1)
        self.progress.count(deal.round, counts)
        self.progress.results = [*self.progress.results, *results]


def results_of(deal, faults, seed):
    """The results of a deal: players fail as often as ``faults`` says, with luck fixed by the deal."""
    luck = Random(f"{seed} {deal_seed(7, deal.number)}")
    found = []
    for rotation, players in enumerate(deal.rotations()):
        forfeits = tuple(
            SeatForfeit(seat, "time", "Slow.") for seat, who in enumerate(players) if luck.random() < faults.get(who, 0)
        )
        winner = luck.randrange(len(players))
        scores = tuple(float(seat == winner) for seat in range(len(players)))
        found.append(Result(deal.number, rotation, 0, players, scores, (winner,), forfeits))
    return found


def played(progress, faults, order, *, waits=False, hands=10_000):
    """Play a tournament in random order, ``hands`` deals at a time; with ``waits``, wait for the end of each round.

    No round can be closed sooner than the progress has said when it was opened.
    """
    play, done, soonest = Play(progress), 0, 0
    while True:
        assert (progress.deals_until_decided() == 0) == progress.is_decided()
        assert not progress.is_decided() or done >= soonest
        assert progress.unfinished_deals() == len(play.waiting)
        if progress.is_decided() and not (waits and not progress.is_idle):
            play.open_round()
            done, soonest = 0, progress.deals_until_decided()
        if progress.is_idle:
            results = sorted(progress.results, key=lambda r: (r.deal, r.rotation))
            return play.lineups, sorted(progress.excluded), results
        done += 1
        deal = play.waiting[order.randrange(min(hands, len(play.waiting)))]
        play.take(deal, results_of(deal, faults, 1))


def course(players, seats=4, deals=60, width=None, games=5, share=0.02, each=None, filled=False):
    return TournamentProgress(
        players, FILLER, seats, 7, EndCondition(deals, width, each, filled), Threshold(games, share), by_score=False
    )


@given(
    st.integers(1, 9),
    st.sampled_from([2, 3, 4]),
    st.dictionaries(st.integers(0, 8), st.sampled_from([0.05, 0.3, 1.0]), max_size=5),
    st.integers(1, 80),
    st.sampled_from([None, 0.1, 0.3]),
    st.sampled_from([(1, 0.0), (5, 0.02), (9, 0.4)]),
    st.integers(1, 9),
    st.integers(),
)
def test_the_order_of_finished_blocks_does_not_matter(players, seats, faults, deals, width, rule, hands, luck):
    """Also compared with a tournament that waits for the end of each round."""
    words = {"seats": seats, "deals": deals, "width": width, "games": rule[0], "share": rule[1]}
    ordered = played(course(players, **words), faults, Random(0), hands=1, waits=True)
    mixed = played(course(players, **words), faults, Random(luck), hands=hands)
    assert mixed == ordered


@given(st.integers(1, 9), st.dictionaries(st.integers(0, 8), st.sampled_from([0.1, 1.0]), max_size=5))
def test_exactly_those_past_the_threshold_are_disqualified(players, faults):
    _, out, results = played(course(players), faults, Random(0))
    threshold = Threshold()
    for player in range(players):
        games = sum(result.players.count(player) for result in results)
        failures = sum(result.players[f.seat] == player for result in results for f in result.forfeits)
        assert threshold.exceeded(failures, games) == (player in out)


def test_always_failing_players_play_only_the_first_round():
    lineups, out, _ = played(course(8), {3: 1.0}, Random(0))
    assert out == [3]
    assert [deal for deal, lineup in lineups.items() if 3 in lineup][-1] < FIRST_ROUND_DEALS * 8 / 4
    assert sum(3 in lineup for lineup in lineups.values()) == FIRST_ROUND_DEALS


def test_each_round_is_as_long_as_all_before_it():
    one, rounds = Play(course(8)), []
    order = Random(0)
    while deals := one.open_round():
        rounds.append(len(deals))
        for deal in order.sample(deals, len(deals)):
            one.take(deal, results_of(deal, {}, 1))
    assert rounds == [4, 4, 8, 16, 28]


def test_a_round_starts_once_no_disqualification_is_open():
    """Four games of one block cannot disqualify a player without failures; those of two blocks can."""
    one = Play(course(4))
    first, second = one.open_round()
    assert not one.progress.is_decided()
    one.take(first, results_of(first, {}, 1))
    assert one.progress.is_decided()
    one.open_round()
    assert not one.progress.is_decided()
    failing = Play(course(4))
    first, second = failing.open_round()
    failing.take(first, results_of(first, {2: 1.0}, 1))
    assert not failing.progress.is_decided()
    failing.take(second, results_of(second, {2: 1.0}, 1))
    assert failing.progress.is_decided()
    assert not any(2 in deal.lineup for deal in failing.open_round())


def test_a_width_is_reached_and_the_estimate_becomes_exact():
    one = course(5, deals=None, width=0.1)
    _, _, results = played(one, {}, Random(0))
    assert len(results) == one.expected
    assert 100 < len(results) < 4000


def test_identical_results_of_few_deals_are_not_trusted():
    """Two players who share every game have no spread at all, which is certain to a point after 184 deals."""
    one = Play(course(2, seats=2, deals=None, width=0.01))
    while new := one.open_round():
        for deal in new:
            results = [Result(deal.number, r, 0, who, (1.0, 1.0), (0, 1), ()) for r, who in enumerate(deal.rotations())]
            one.take(deal, results)
    assert one.deals == 256


def test_a_margin_is_trusted_from_ten_deals_on():
    one = course(2, seats=2, width=0.1)
    for games, believed in ((19, float("inf")), (20, 0.3)):
        one.rounds = [{0: GameCounts(games=games - 4), 1: GameCounts(games=4)}, {0: GameCounts(games=4)}]
        assert one.reliable_margin(0, {0: 0.3}) == believed
    assert one.reliable_margin(1, {0: 0.3, 1: 0.2}) == float("inf")


def test_the_round_ends_when_all_are_disqualified():
    one = Play(course(1, seats=2, games=1, share=0.0))
    assert one.progress.expected == 0
    for deal in one.open_round():
        one.take(deal, results_of(deal, {0: 1.0}, 1))
    assert one.open_round() == []
    assert (one.progress.excluded, one.progress.schedule.remaining, one.progress.deals_until_decided()) == ({0}, [], 0)
    assert one.progress.expected == 2 * FIRST_ROUND_DEALS


@given(st.integers(1, 12), st.sampled_from([2, 3, 4]), st.lists(st.integers(0, 9), max_size=8), st.integers(0, 99))
def test_a_schedule_continues_where_it_stopped(players, seats, parts, seed):
    one = Schedule(players, seats, seed)
    assert [lineup for part in parts for lineup in one.lineups(part)] == schedule(players, seats, sum(parts), seed)


@given(st.integers(1, 9), st.sampled_from([2, 4]), st.data())
def test_remaining_players_get_equal_places_and_the_filler_the_rest(players, seats, data):
    one = Schedule(players, seats, 3, FILLER)
    for deals in data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=4)):
        lineups = one.lineups(deals)
        in_play = min(seats, len(one.remaining))
        assert all(len(set(lineup) - {FILLER}) == in_play for lineup in lineups)
        assert all(lineup.count(FILLER) == seats - in_play for lineup in lineups)
        counts = [sum(lineup.count(player) for lineup in lineups) for player in one.remaining]
        assert max(counts) - min(counts) <= 2
        assert not {who for lineup in lineups for who in lineup} - {FILLER, *one.remaining}
        if len(one.remaining) > 1:
            one.leave(data.draw(st.sampled_from(one.remaining)))


@pytest.mark.parametrize("filled", [True, False])
@given(
    st.integers(1, 12),
    st.sampled_from([2, 3, 4]),
    st.dictionaries(st.integers(0, 11), st.sampled_from([0.05, 1.0]), max_size=5),
    st.integers(1, 30),
)
def test_players_play_the_requested_deals(filled, players, seats, faults, each):
    """Disqualified players play fewer; the filler takes the free seats. Older tournaments rounded the last deal up."""
    one = course(players, seats, deals=None, each=each, filled=filled)
    lineups, out, _ = played(one, faults, Random(0))
    dealt = {who: sum(who in lineup for lineup in lineups.values()) for who in range(players)}
    most = each if filled else each + 1
    assert all(each <= dealt[who] <= most for who in range(players) if who not in out)
    assert all(dealt[who] <= most for who in out)
    if filled:
        assert all(len(set(lineup) - {FILLER}) == len(lineup) - lineup.count(FILLER) for lineup in lineups.values())
    if not out:
        assert len(lineups) == -(-each * max(players, seats) // seats)
    assert one.expected == seats * len(lineups)


def test_a_filler_entrant_plays_as_many_deals_as_the_others():
    one = Play(TournamentProgress(2, 0, 4, 7, EndCondition(None, None, 9), Threshold(), by_score=False))
    while deals := one.open_round():
        for deal in deals:
            one.take(deal, results_of(deal, {}, 1))
    assert len(one.lineups) == 9


def test_a_total_number_of_deals_from_older_stores_is_kept():
    """Older stores have a total instead of a number for each player."""
    lineups, _, _ = played(course(9, deals=7), {}, Random(0))
    assert len(lineups) == 7


@given(st.integers(1, 12), st.sampled_from([2, 3, 4]), st.integers(1, 40), st.integers(0, 99))
def test_players_get_equal_numbers_of_places(players, seats, deals, seed):
    lineups = schedule(players, seats, deals, seed)
    places = Counter(p for lineup in lineups for p in lineup)
    assert sum(places.values()) == seats * deals
    slack = 1 if players < seats or (seats * deals) % players == 0 else 2
    assert max(places.values()) - min(places[p] for p in range(players)) <= slack


@given(st.integers(4, 12), st.integers(1, 40), st.integers(0, 99))
def test_large_fields_never_pair_a_player_with_itself(players, deals, seed):
    assert all(len(set(lineup)) == 4 for lineup in schedule(players, 4, deals, seed))


@given(st.integers(1, 3), st.integers(1, 20))
def test_every_block_of_a_small_field_has_all_players(players, deals):
    assert all(set(lineup) == set(range(players)) for lineup in schedule(players, 4, deals, 1))


def test_a_schedule_is_fixed_by_its_seed():
    assert schedule(7, 4, 30, 5) == schedule(7, 4, 30, 5)
    assert schedule(7, 4, 30, 5) != schedule(7, 4, 30, 6)


def test_season_deals_are_numbered_from_1_and_tournament_deals_from_0():
    assert [seed_of_block(5, block, None) for block in range(1, 9)] == [deal_seed(5, deal) for deal in range(1, 9)]
    assert [seed_of_block(5, block, EndCondition(9)) for block in range(1, 9)] == [
        deal_seed(5, deal) for deal in range(8)
    ]


def test_opponents_are_mixed():
    """Over many deals, every pair of ten players meets about equally often."""
    meetings = Counter(
        frozenset((a, b)) for lineup in schedule(10, 4, 3000, 1) for a in lineup for b in lineup if a < b
    )
    assert len(meetings) == 45
    assert min(meetings.values()) > 0.8 * 3000 * 6 / 45
    assert max(meetings.values()) < 1.2 * 3000 * 6 / 45


def test_deal_seeds_differ():
    assert len({deal_seed(s, d) for s in range(20) for d in range(200)}) == 4000
    assert max(deal_seed(1, d).bit_length() for d in range(99)) <= 128
