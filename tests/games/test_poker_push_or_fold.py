"""Push or fold against published charts, and the table of matchups against counting."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from kibitz.errors import NotationError
from kibitz.games.poker.hands.equity import hand_equity
from kibitz.games.poker.hands.pushfold import STACKS, chart, stacks_of, stored_charts
from kibitz.games.poker.hands.ranges import BOARDS, CLASSES, NAMES, combos, counts, deals, matchup
from tests.contract.groups import sharing
from tools import poker_matchups as matchups
from tools import poker_pushfold as pushfold

pytestmark = sharing("holdem")

DOCS = Path(__file__).parents[2] / "docs"


def number(name):
    return NAMES.index(name)


@pytest.fixture(scope="module")
def weights():
    return pushfold.weights()


def test_matchups_add_up():
    """Two hands can be dealt in 1326 * 1225 ways, and the equities of two classes add up to 1."""
    assert sum(deals(a, b) for a in range(CLASSES) for b in range(CLASSES)) == 1326 * 1225
    assert len(counts()[0]) == len(counts()[1]) == CLASSES * (CLASSES + 1) // 2
    for one in (0, 30, 168):
        for other in range(CLASSES):
            if deals(one, other):
                assert matchup(one, other).equity + matchup(other, one).equity == pytest.approx(1)


@pytest.mark.parametrize(("one", "other"), [("AKs", "QQ"), ("72o", "AA"), ("22", "AKo")])
def test_matchups_match_counting_hand_by_hand(one, other):
    """Over every way to deal both classes; ways that differ only in suits are counted by weight."""
    wins = ties = 0
    for pair, times in matchups.pairs(number(one), number(other)).items():
        found = hand_equity(pair)
        wins, ties = wins + times * found.wins[0], ties + times * found.ties[0]
    found = matchup(number(one), number(other))
    assert (found.wins, found.ties) == (wins, ties)
    assert found.deals == sum(not a & b for a in combos(number(one)) for b in combos(number(other)))


def test_a_published_matchup_is_in_the_table():
    """AsKs against QdQh is 46.2145 %; AKs against QQ holds shared suits too."""
    assert matchup(number("AKs"), number("QQ")).equity == pytest.approx(0.4605, abs=2e-3)
    assert matchup(number("AA"), number("KK")).equity == pytest.approx(0.8195, abs=1e-4)
    assert BOARDS == 1_712_304


@pytest.mark.parametrize(
    ("name", "calling", "most"), [("T3s", False, 7.7), ("Q2o", True, 5.6)]
)  # fmt: skip
def test_charts_match_published_stacks(name, calling, most):
    assert stacks_of(number(name), calling=calling)[-1] == (1.0, most)


def test_chart_of_63s_matches_the_published_gap():
    """63s is pushed from 7.1 down to 5.1 big blinds, and again below 2.3."""
    small, large = stacks_of(number("63s"))
    assert large == (5.1, 7.1)
    assert small[1] == pytest.approx(2.3, abs=0.11)


@pytest.mark.parametrize("stack", [1.0, 3.3, 8.0, 10.0, 20.0])
def test_the_charts_are_equilibria(stack, weights):
    """No other policy gains more than a thousandth of a big blind per hand, including rounding."""
    cost = weights.deals - stack * weights.edges
    bonus = 1.5 * weights.deals.sum(axis=1)
    push, call = (np.array(chart(stack, calling=calling)) for calling in (False, True))
    assert 0 <= pushfold.policy_values(stack, push, call, cost, bonus).gap < 1e-3


@pytest.mark.long
def test_stored_charts_match_their_command():
    import zlib

    assert zlib.decompress(pushfold.file_content()) == stored_charts()


def test_solving_a_chart_again_agrees_with_the_stored_one(weights):
    found = pushfold.solve(10.0, weights)
    assert found.gap < 1e-4
    assert np.abs(found.push - chart(10.0)).max() < 0.2
    assert found.value == pytest.approx(pushfold.solve(9.9, weights).value, abs=0.01)


def test_aces_are_always_pushed_and_called():
    for calling in (False, True):
        assert stacks_of(number("AA"), calling=calling) == [(STACKS[0], STACKS[-1])]


def test_stacks_without_a_chart_are_refused():
    for stack in (0.9, 20.1):
        with pytest.raises(NotationError, match="1 to 20 big blinds"):
            chart(stack)


def test_pictures_match_the_charts(tmp_path):
    runpy.run_path(str(DOCS / "push_or_fold.py"))["main"](str(tmp_path))
    for name in ("push", "call"):
        file = f"push-or-fold-{name}.svg"
        assert (tmp_path / file).read_text(encoding="utf-8") == (DOCS / "pictures" / file).read_text(encoding="utf-8")
