"""Ranges: notation, errors, and equities against slow oracles."""

from itertools import combinations

import pytest

from kibitz.cards import as_set, cards_of, parse_hand
from kibitz.errors import NotationError
from kibitz.games.poker.hands import ranges
from kibitz.games.poker.hands.equity import hand_equity, range_equity, sampled_range_equity
from kibitz.games.poker.hands.ranges import RangeError, parse_range, whole_classes
from tests.contract.groups import sharing

pytestmark = sharing("holdem")


def hand(text):
    return as_set(parse_hand(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QQ+", "QQ KK AA"),
        ("99-66", "99 88 77 66"),
        ("66-99", "99 88 77 66"),
        ("KTo+", "KTo KJo KQo"),
        ("KT+", "KTo KJo KQo KTs KJs KQs"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("76s-54s", "76s 65s 54s"),
        ("J9s-86s", "J9s T8s 97s 86s"),
        ("tks 10Ko", "KTs KTo"),
        ("AK", "AKs AKo"),
        ("any", " ".join(ranges.NAMES)),
    ],
)
def test_range_notation_means_the_usual_hands(text, names):
    meant = {one for name in names.split() for one in ranges.combos(ranges.NAMES.index(name))}
    assert set(parse_range(text)) == meant
    assert [ranges.NAMES[number] for number in whole_classes(parse_range(text))] == sorted(
        names.split(), key=ranges.NAMES.index
    )


def test_single_hands_can_be_written_in_many_ways():
    for text in ("AsKh", "KhAs", "A♠K♥", "askh"):
        assert parse_range(text) == (hand("AS KH"),)
    assert parse_range("10s9s, TsTd") == tuple(sorted([hand("TS 9S"), hand("TS TD")]))
    assert whole_classes(parse_range("AsKs")) is None


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("", 0, "at least one hand"),
        (" , ", 0, "at least one hand"),
        ("22+, AKx", 7, "a part of a range"),
        ("22+, KTo+, foo", 11, "a part of a range"),
        ("AAs", 2, "which can't be suited"),
        ("AsAs", 0, "one card twice"),
        ("99-AK", 0, "don't match"),
        ("A5s-A2o", 0, "don't match"),
        ("AQs-87s, 22", 0, "don't match"),
        ("22++", 2, "a part of a range"),
        ("A5s-", 4, "a part of a range"),
        ("A", 1, "a part of a range"),
    ],
)
def test_an_unreadable_range_is_refused_with_the_position(text, at, why):
    with pytest.raises(RangeError, match=why) as caught:
        parse_range(text)
    assert caught.value.at == at
    assert caught.value.with_caret == f"{text}\n{' ' * at}^"


def brute_force(ranges, board, dead=0):
    """The share of all pots, deal by deal and board by board."""
    pots, total = [0] * len(ranges), 0

    def each(left, taken, way):
        nonlocal total
        if left:
            for one in left[0]:
                if not one & taken:
                    each(left[1:], taken | one, [*way, one])
            return
        found = hand_equity(way, board, dead)
        total += found.boards
        for player, won in enumerate(found.pots):
            pots[player] += won

    each(ranges, board | dead, [])
    return [float(won / total) for won in pots]


@pytest.mark.parametrize("texts", [("QQ+", "AKs, JJ"), ("99-88", "AsKs", "76s")])
def test_exact_range_equities_match_brute_force(texts):
    board, dead = hand("QS JS 2D"), hand("3C")
    ranges = [parse_range(text) for text in texts]
    found = range_equity(ranges, board, dead)
    assert found.exact
    assert found.errors == (0.0,) * len(texts)
    assert found.equities == pytest.approx(brute_force(ranges, board, dead))


def test_sampled_equities_lie_within_their_error():
    ranges = [parse_range(text) for text in ("QQ+, AKs", "99, KTo+", "any")]
    board = hand("KS 8H 2D")
    one, other = (range_equity(ranges, board, budget=300_000, seed=seed) for seed in (1, 2))
    assert not one.exact
    assert one.showdowns == 300_000
    assert sum(one.equities) == pytest.approx(1, abs=1e-9)
    for a, b, error in zip(one.equities, other.equities, one.errors, strict=True):
        assert 0 < error < 0.002
        assert abs(a - b) < 2.5 * error


def test_table_of_classes_and_sampling_agree():
    ranges = [parse_range("22+"), parse_range("AKs, KTo+")]
    by_table = range_equity(ranges)
    assert by_table.exact
    drawn = sampled_range_equity(ranges, 0, 0, 200_000, 5)
    assert abs(by_table.equities[0] - drawn.equities[0]) < 1.5 * drawn.errors[0]


def test_the_seed_determines_the_sample():
    ranges = [parse_range("any")] * 3
    first, again, other = (range_equity(ranges, budget=1000, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("texts", "board", "why"),
    [
        (("AA",), "", "2 to 10 ranges, not 1"),
        (("AsAd", "AsKs"), "", "these ranges have no hands"),
        (("AA", "AA", "AsAh"), "", "these ranges have no hands"),
        (("AsKs", "QQ"), "AS 2D 3C", "range 1 has no hand left"),
        (("AA", "KK"), "2C 3C", "not 2"),
    ],
)
def test_incompatible_ranges_are_refused(texts, board, why):
    with pytest.raises(NotationError, match=why):
        range_equity([parse_range(text) for text in texts], hand(board) if board else 0, budget=10**7)


def test_a_budget_below_one_showdown_is_refused():
    with pytest.raises(NotationError, match="at least 1 showdown"):
        range_equity([parse_range("AA"), parse_range("KK")], budget=0)


def test_classes_partition_all_starting_hands():
    every = [one for number in range(169) for one in ranges.combos(number)]
    assert len(every) == len(set(every)) == 1326
    assert {as_set(pair) for pair in combinations(range(52), 2)} == set(every)
    for number in range(169):
        assert {ranges.class_of(one) for one in ranges.combos(number)} == {number}
        assert {ranges.name_of(number)[:2]} == {
            "".join(sorted(("23456789TJQKA"[((c >> 2) + 12) % 13] for c in cards_of(one)), key=ranges.RANKS.index))
            for one in ranges.combos(number)
        }
