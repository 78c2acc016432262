"""The study of cribbage: codes of ranks, practice games, and backward induction over the board."""

from array import array
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.cards import as_set, parse_cards
from kibitz.cards.chance import rekey
from kibitz.cards.sets import FULL_PACK
from kibitz.games.cribbage import evaluation
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    CODE,
    FIRST_OF_FOUR,
    GROUPS,
    HANDS_OF_FOUR,
    SCALE,
    TYPE_CODES,
    class_of,
    group_of,
    load_table,
)
from kibitz.games.cribbage.policies import UnseenCards
from kibitz.games.cribbage.scoring import rank_points, show_points
from kibitz.games.cribbage.stages import NON_DEALER, NONE
from tools import cribbage_practice as practice
from tools import cribbage_study as study
from tools.cribbage_greedy import random_crib
from tools.cribbage_practice import best_discard, discard_value, hand_mean

CRIBBAGE = kibitz.game("cribbage")


BY_CODE = {
    sum(CODE[rank] for rank in some): some for some in combinations_with_replacement(range(13), 5) if some[0] != some[4]
}


class ScoresOnDemand(dict):
    """The score of five ranks by the sum of their codes, computed on first use."""

    def __missing__(self, number):
        self[number] = int(rank_points(practice.set_of_ranks(*BY_CODE[number])))
        return self[number]


SCORES = ScoresOnDemand()


def crib_means():
    """The mean score of the stored cribs, by class."""
    return (np.array(load_table("cribs"), np.float64).reshape(-1, practice.SHOW_SCORES) / SCALE) @ np.arange(
        practice.SHOW_SCORES
    )


def pegs():
    """The mean lead in pegging of each group of four cards."""
    return study.net_pegs(np.array(load_table("pegged"), np.int64).reshape(2 * HANDS_OF_FOUR, 2, practice.PEG_BINS))


def test_sums_of_codes_are_unique_for_five_ranks():
    assert len(BY_CODE) == 6175
    assert max(BY_CODE) < evaluation.CODE_SUMS


def test_classes_of_two_cards_and_groups_of_four_are_complete():
    assert {class_of(a, b) for a, b in combinations(range(52), 2)} == set(range(CLASSES))
    assert all(class_of(a, b) == class_of(b, a) for a, b in combinations(range(0, 52, 3), 2))
    found = set()
    for n in range(5):
        groups = {
            group_of(as_set(4 * rank + some[:i].count(rank) for i, rank in enumerate(some)))
            for some in combinations_with_replacement(range(13), n)
        }
        assert not found & groups
        found |= groups
    assert found == set(range(GROUPS))
    assert group_of(as_set(parse_cards("AD AC AH AS"))) == FIRST_OF_FOUR


def test_stored_scores_match_five_ranks_scored():
    assert list(load_table("scores")) == study.score_table()
    random = Random(1)
    for _ in range(300):
        cards = random.sample(range(52), 5)
        assert SCORES[sum(CODE[card >> 2] for card in cards)] == rank_points(as_set(cards))


@pytest.mark.parametrize("hand", ["5D 5C JH QS 2D 3D", "AD 2D 3D 4D JD KD", "JS JH JC JD 9S 9H"])
def test_the_kernels_mean_of_a_hand_is_the_exact_expectation(hand):
    held = as_set(parse_cards(hand))
    rest = FULL_PACK & ~held
    for kept in combinations(parse_cards(hand), 4):
        exact = UnseenCards([card for card in range(52) if rest >> card & 1]).mean_hand(kept)
        assert hand_mean(SCORES, as_set(kept), rest) == pytest.approx(exact)


def test_a_cribs_distribution_covers_all_discards_of_the_other_seat():
    """If the other seat always discards a pair of fives, cribs differ only in which fives and in the starter."""
    chosen = [0] * (2 * CLASSES)
    chosen[class_of(*parse_cards("5D 5C"))] = 7
    spread = [0.0] * practice.SHOW_SCORES
    laid = as_set(parse_cards("6D JH"))
    practice.spread_crib(chosen, laid, 0, spread)
    fives = parse_cards("5D 5C 5H 5S")
    points = [
        int(show_points(laid | as_set(pair), starter, 1))
        for pair in combinations(fives, 2)
        for starter in range(52)
        if starter not in pair and not laid >> starter & 1
    ]
    assert spread == pytest.approx([points.count(n) / len(points) for n in range(practice.SHOW_SCORES)])


def state():
    """A blank state of the study."""
    s = CRIBBAGE.blank()
    s.target = study.FAR
    return s


def test_dealt_cribs_score_nearly_the_computed_means():
    """Over a few hundred cribs; what both seats keep accounts for a tenth of a point, and chance for as much again."""
    s, times = state(), 400
    rekey(s, 1, 2, 3, 4)
    laid, points = as_set(parse_cards("5D 6C")), 0
    for _ in range(times):
        points += practice.deal_crib(s, SCORES, crib_means(), pegs(), laid, 1)
    assert points / times == pytest.approx(crib_means()[class_of(*parse_cards("5D 6C"))], abs=0.6)


def test_practice_moves_weights_towards_the_result():
    s, weights = state(), np.zeros(evaluation.WEIGHTS)
    visits, named = np.zeros(evaluation.WEIGHTS, np.int64), np.zeros((9, 9), np.int64)
    numbers = SCORES, crib_means(), pegs(), weights, visits, named, [0] * 32
    assert practice.learn(s, *numbers, 1, 0, 3, 0, 0, 0.01) >= sum(s.pegs)
    assert s.phase == NON_DEALER
    assert visits.sum() == 8 * 3 * evaluation.FEATURES
    practice.learn(s, *numbers, 1, 3, 6, 0, 100, 0.01)
    assert visits.sum() == (8 + 4) * 3 * evaluation.FEATURES, "plays of a sparring partner are not learned from"
    seen = [0] * (evaluation.FEATURES + 1)
    practice.begin_play(s, SCORES, crib_means(), pegs(), 1, 9, NONE, 0)
    card = evaluation.lowest(s.hand[s.player])
    evaluation.write_weight_indices(s, s.player, card, seen)
    weights[:] = 0
    for _ in range(200):
        practice.move(weights, visits, seen, 64, 0.05)
    assert sum(weights[place] for place in seen[: evaluation.FEATURES]) == pytest.approx(64, abs=0.5)


def test_a_weights_rate_never_falls_below_the_minimum():
    """Against fractions, for a position whose weights have all been visited equally often."""
    weights, visits, rate = [0.0] * 30, [0] * 30, Fraction(2, 5)
    named = list(range(2, 2 + evaluation.FEATURES))
    told = Fraction(0)
    for times in range(1, 40):
        practice.move(weights, visits, named, 64, float(rate))
        told += (64 - told) * max(Fraction(practice.KNOWN, practice.KNOWN + times), rate)
        assert weights[2] * evaluation.FEATURES == pytest.approx(float(told))
    assert visits == [39 * (2 <= place < 2 + evaluation.FEATURES) for place in range(30)]
    assert [weight != 0 for weight in weights] == [count > 0 for count in visits]


@pytest.mark.parametrize(("trying", "given"), [(NONE, ""), (0, ""), (1, ""), (0, "5D 5C 5H JS"), (1, "5D 5C 5H JS")])
def test_a_deal_of_practice_keeps_the_given_cards(trying, given):
    s, kept = state(), as_set(parse_cards(given))
    for number in range(6):
        practice.begin_play(s, SCORES, crib_means(), pegs(), 1, number, trying, kept)
        assert (s.dealer, s.player, list(s.pegs)) == (number % 2, 1 - number % 2, [0, 0])
        cards = [*s.hand, *s.away, 1 << s.starter]
        assert [size.bit_count() for size in cards] == [4, 4, 2, 2, 1]
        assert sum(cards).bit_count() == 13
        if given:
            assert s.hand[trying] == kept
        for p in {0, 1} - {trying}:
            dealt = s.hand[p] | s.away[p]
            assert s.away[p] == best_discard(
                SCORES, crib_means(), pegs(), dealt, FULL_PACK & ~dealt, int(p == s.dealer)
            )


@pytest.mark.parametrize("number", [0, 1])
def test_a_groups_pegging_is_counted_by_dealer(number):
    s, out, kept = state(), [0] * evaluation.FEATURES, as_set(parse_cards("5D 5C 5H JS"))
    pegged = np.zeros((2 * HANDS_OF_FOUR, 2, practice.PEG_BINS), np.int64)
    practice.peg_group(s, SCORES, crib_means(), pegs(), load_table("weights"), out, pegged, 1, number, kept)
    row = number * HANDS_OF_FOUR + group_of(kept) - FIRST_OF_FOUR
    assert [tuple(place) for place in np.argwhere(pegged)] == [(row, 0, s.pegs[0]), (row, 1, s.pegs[1])]
    assert pegged.sum() == 2


def test_weight_indices_lie_in_their_own_ranges():
    """In many positions each of the eight indices lies within its part of the weights."""
    parts = [
        *(
            evaluation.REST_COUNT,
            evaluation.LAST_TWO,
            evaluation.REST_LAST,
            evaluation.LAST_THREE,
            evaluation.OTHER_LAST,
        ),
        *(evaluation.OTHER_COUNT, evaluation.LAST_SEEN, evaluation.COUNT_LIVE, evaluation.WEIGHTS),
    ]
    out, random, looked = [0] * evaluation.FEATURES, Random(2), 0
    for seed in range(12):
        s = CRIBBAGE.deal(seed)
        while not s.over:
            legal = CRIBBAGE.legal(s)
            for card in legal:
                if card < 52:
                    evaluation.write_weight_indices(s, s.player, card, out)
                    assert all(low <= place < high for low, place, high in zip(parts, out, parts[1:], strict=False))
                    looked += 1
            CRIBBAGE.rules.apply(s, random.choice(legal))
    assert looked > 500


def test_play_values_do_not_depend_on_hidden_cards():
    """The same card is best whatever the other seat holds and has discarded."""
    random, weights, out = Random(3), load_table("weights"), [0] * evaluation.FEATURES
    for seed in range(6):
        s = CRIBBAGE.deal(seed)
        while not s.over:
            legal = CRIBBAGE.legal(s)
            if legal[0] < 52:
                seat, card = s.player, evaluation.best_card(s, s.player, weights, out)
                for world, _ in zip(CRIBBAGE.infoset_states.determinizations(s, seat, random), range(3), strict=False):
                    assert evaluation.best_card(world, seat, weights, out) == card
            CRIBBAGE.rules.apply(s, random.choice(legal))


def test_the_first_seat_at_121_wins():
    chance = [0.25] * practice.TARGET**2
    row = np.zeros(practice.ROW, np.int64)
    row[:4] = 5, -8, 6, -1
    practice.sum_up(row)
    assert (row[practice.OF_DEALER], row[practice.OF_OTHER]) == (11, 9)
    assert practice.after(row, 0, 0, chance) == 0.75
    assert practice.after(row, 116, 113, chance) == 1, "the dealer's five come first"
    assert practice.after(row, 115, 113, chance) == 0, "then the other's eight"
    assert practice.after(row, 110, 112, chance) == 1, "then six more"
    assert practice.after(row, 109, 112, chance) == 0, "and then one"


def test_backward_induction_agrees_with_a_recursion(monkeypatch):
    """For a game to 12 with three kinds of deals, against a forward recursion."""
    monkeypatch.setattr(practice, "TARGET", 12)
    rows = np.zeros((3, practice.ROW), np.int64)
    for row, events in zip(rows, ((3, -2, 1), (-5, 2), (2, -1, 4, -3)), strict=True):
        row[: len(events)] = events
        practice.sum_up(row)
    found = [0.0] * 144
    practice.go_back(rows, 0, 3, found)

    def dealer_wins(dealer, other):
        total = 0.0
        for row in rows:
            pegged = [dealer, other]
            for event in row[: practice.OF_DEALER]:
                pegged[int(event < 0)] += abs(int(event))
                if max(pegged) >= 12:
                    total += pegged[0] >= 12
                    break
            else:
                total += 1 - dealer_wins(pegged[1], pegged[0])
        return total / 3

    for dealer in range(12):
        for other in range(12):
            assert found[12 * dealer + other] == pytest.approx(dealer_wins(dealer, other))


def test_rows_hold_the_scores_of_a_deal():
    s, rows = state(), np.zeros((6, practice.ROW), np.int64)
    shows = np.zeros((3, practice.SHOW_SCORES), np.int64)
    out = [0] * evaluation.FEATURES
    practice.play_rows(s, SCORES, crib_means(), pegs(), load_table("weights"), out, rows, shows, 5, 0, 6)
    assert shows.sum() == 18
    assert rows[:, practice.OF_DEALER].sum() > shows[1] @ np.arange(practice.SHOW_SCORES)
    signs = np.sign(rows[:, : practice.OF_DEALER])
    assert not (signs[:, 1:] * signs[:, :-1] > 0).any(), "two scores of one seat in a row are one"
    assert (
        np.abs(rows[:, : practice.OF_DEALER]).sum(1) == rows[:, practice.OF_DEALER] + rows[:, practice.OF_OTHER]
    ).all()


def test_more_points_never_lower_the_win_chance():
    chances, margins = evaluation.chance_tables()
    slack = 0.004
    assert (np.diff(chances, axis=0) > -slack).all()
    assert (np.diff(chances, axis=1) < slack).all()
    assert margins.max() < 0.01


def test_win_chances_agree_with_published_ones():
    assert 0.555 <= evaluation.win_chance(0, 0, dealer=True).chance <= 0.562
    assert evaluation.win_chance(35, 37, dealer=True).chance == pytest.approx(0.51, abs=0.005)
    assert evaluation.win_chance(35, 37, dealer=True).chance + evaluation.win_chance(37, 35, dealer=False).chance == 1
    assert evaluation.win_chance(0, 0, dealer=True, target=61) == evaluation.win_chance(60, 60, dealer=True)


def test_stored_tables_round_trip_and_stay_small(tmp_path):
    for name in TYPE_CODES:
        study.save_table(tmp_path, name, array("q", load_table(name)))
    folder = study.Path(evaluation.__file__).parent / "study"
    sizes = [(folder / f"{name}.z").stat().st_size for name in TYPE_CODES]
    assert sum(sizes) < 400_000
    assert {path.name for path in folder.iterdir()} == {f"{name}.z" for name in TYPE_CODES}


def test_best_discard_has_the_highest_discard_value():
    hand = as_set(parse_cards("5H 6S 7D JC QD KS"))
    crib, net = crib_means(), pegs()
    laid = best_discard(SCORES, crib, net, hand, FULL_PACK & ~hand, 1)
    values = {
        as_set(pair): discard_value(SCORES, crib, net, hand, as_set(pair), FULL_PACK & ~hand, 1)
        for pair in combinations(parse_cards("5H 6S 7D JC QD KS"), 2)
    }
    assert values[laid] == max(values.values())


@pytest.mark.long
def test_a_study_can_be_stopped_and_resumed(tmp_path):
    """A hundredth of a study; resuming it, or running its blocks on an executor, stores the same tables."""
    asked = ["--hundredth", "--work", str(tmp_path / "work"), "--folder"]
    study.main([*asked, str(tmp_path / "one")])
    gone = [*(tmp_path / "work").glob("deals0[13]*"), *(tmp_path / "work").glob("pegs1*")]
    assert len(gone) == 3
    for path in gone:
        path.unlink()
    study.main([*asked, str(tmp_path / "two"), "--on", "local"])
    for name in TYPE_CODES:
        assert (tmp_path / "one" / f"{name}.z").read_bytes() == (tmp_path / "two" / f"{name}.z").read_bytes()


@pytest.mark.parametrize("laid", ["5D JH", "4D 4S", "6D 7D", "JD KD", "AS 9C"])
def test_a_random_cribs_mean_is_over_all_cards_and_starters(laid):
    """With a small pack of uneven suits whose ranks occur once to four times."""
    away = as_set(parse_cards(laid))
    pack = as_set(parse_cards("5C 5H 5S 6D 6C 6H 6S JD JC 2D 3D QD KC")) & ~away
    cards = [card for card in range(52) if pack >> card & 1]
    points = [
        int(show_points(away | as_set(other for other in three if other != starter), starter, 1))
        for three in combinations(cards, 3)
        for starter in three
    ]
    assert random_crib(SCORES, away, pack) == pytest.approx(sum(points) / len(points))
