"""The model of a cluster says what can be reckoned by hand, and the strength benchmark is the same in every place."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.cluster import Costs, most, simulated
from benchmarks.strength import Plan, against
from kibitz.executors import opened

HERE = Path(__file__).parents[2]
FREE = Costs(0.0, 0.0, 0.0)


@pytest.mark.parametrize("workers", [1, 2, 10])
def test_where_nothing_costs_anything_all_time_is_used(workers):
    run = simulated(workers, [0.5], 20 * workers, FREE)
    assert run.seconds == pytest.approx(10.0)
    assert run.efficiency == pytest.approx(1.0)
    assert run.limit == "nothing yet"


def test_what_a_worker_needs_besides_a_block_is_lost():
    run = simulated(2, [0.5], 40, Costs(0.0, 0.0, 0.1))
    assert run.seconds == pytest.approx(20 * 0.6)
    assert run.efficiency == pytest.approx(0.5 / 0.6)


def test_the_last_block_is_waited_for():
    """Two workers, three blocks of a second: one has nothing to do for the last of two seconds."""
    run = simulated(2, [1.0, 1.0, 1.0], 3, FREE)
    assert (run.seconds, run.efficiency, run.at_the_end) == pytest.approx((2.0, 0.75, 0.25))
    assert run.limit == "stragglers"


@pytest.mark.parametrize(
    ("costs", "limit"),
    [
        (Costs(0.001, 0.002, 0.0, 0.01), "store"),
        (Costs(0.001, 0.01, 0.0, 0.002), "scheduler"),
        (Costs(0.01, 0.001, 0.0, 0.002), "client"),
    ],
)
def test_with_many_workers_it_goes_no_faster_than_the_slowest_part(costs, limit):
    run = simulated(1000, [0.5], 20_000, costs)
    slowest = max(costs.client + costs.store, costs.scheduler)
    assert run.seconds == pytest.approx(20_000 * slowest, rel=0.02)
    assert run.limit == limit
    assert min(most(costs, 0.5).values()) == pytest.approx(0.5 / slowest)


@pytest.mark.long  # the search's machine code is made first
def test_the_strength_benchmark_plays_the_same_games_in_every_place():
    plan = Plan("president-mini", 20, "greedy")
    here = against(plan, 3)
    with opened("local", 2) as place:
        there = against(plan, 3, place)
    assert (here.wins, here.last, len(here.times)) == (there.wins, there.last, len(there.times))


def test_the_strength_benchmark_can_be_started_in_a_place():
    """What a program sends to workers is sent whole, since it has no module that they could import."""
    command = [sys.executable, "-m", "benchmarks.strength", "kuhn", "4", "solved", "--among", "caller"]
    here, there = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True, cwd=HERE).stdout.partition(";")[0]
        for more in ((), ("--on", "local"))
    )
    assert here == there != ""
