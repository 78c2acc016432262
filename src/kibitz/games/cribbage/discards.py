"""What each discard is worth: points, and the chance to win the game, with their errors.

    study       the games that ``tools/cribbage_study.py`` simulated to make the tables (``evaluation``)
    hand        mean points in the show: exact, over every possible starter
    crib        mean points of the crib: the other seat discards as in the study, from the cards outside the hand
    pegs        mean points that the cards kept pegged in the deals of the study
    against     mean points that the other seat pegged in these deals
    points      hand + pegs - against, plus the crib for the dealer, minus the crib for the other seat
    chance      the chance to win the game: from the distributions of the deal's points, in the order in which they are
                scored, and the table of win chances by score after it (``evaluation``)
    margin      half the width of a 95 % interval, for the random error of the study alone; other players may play
                differently

The other seat's hand is assumed to score like an average hand of the study; only for the crib are the cards in the hand
taken into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

import msgspec

from kibitz.cards import Card, as_set
from kibitz.games.cribbage import evaluation
from kibitz.games.cribbage.evaluation import (
    CLASSES,
    CODE,
    CODE_SUMS,
    FIRST_OF_FOUR,
    HANDS_OF_FOUR,
    PEG_BINS,
    RANKS,
    SCALE,
    SHOW_SCORES,
    class_of,
    group_of,
    load_table,
)
from kibitz.games.cribbage.scoring import JACK

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

PAIRS = tuple(combinations_with_replacement(range(RANKS), 2))
HEELS = 2


class Choice(msgspec.Struct, frozen=True):
    """One discard and what it is worth; ``crib`` is the crib's score, whichever seat owns it."""

    discarded: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float
    crib: float
    pegs: float
    against: float
    points: float
    points_margin: float
    chance: float
    chance_margin: float


def choices(
    hand: Sequence[Card], game_scores: tuple[int, int], *, dealer: bool, target: int = evaluation.TARGET
) -> list[Choice]:
    """Every discard of two from six different cards, the best chance to win first.

    ``game_scores`` are the scores of the seat that chooses and of the other seat, below ``target``; ``dealer`` says
    whether the seat that chooses has the crib.
    """
    import numpy as np

    held = sorted(hand)
    unseen = np.array([card for card in range(52) if card not in held])
    splits = [(discarded, tuple(card for card in held if card not in discarded)) for discarded in combinations(held, 2)]
    shows = hand_points([kept for _, kept in splits], unseen)
    cribs = crib_distributions([discarded for discarded, _ in splits], held, dealer=dealer)
    heels = float(np.mean(unseen >> 2 == JACK)) if dealer else 0.0
    result = []
    for i, (discarded, kept) in enumerate(splits):
        own, other = pegging(kept, dealer=dealer)
        distribution = np.bincount(shows[i], minlength=SHOW_SCORES) / len(unseen)
        deal = DealDistributions(own / own.sum(), other / other.sum(), distribution, cribs[i], heels, dealer=dealer)
        chance, slope, error = deal.chance(*game_scores, target)
        margin = pegging_margin(own, other)
        show, crib, pegs, against = (mean_of(part) for part in (deal.hand, deal.crib, deal.own, deal.other))
        result.append(
            Choice(
                discarded=discarded,
                kept=kept,
                hand=show,
                crib=crib,
                pegs=pegs,
                against=against,
                points=show + (crib if dealer else -crib) + pegs - against,
                points_margin=margin,
                chance=chance,
                chance_margin=float(np.hypot(error, slope * margin)),
            )
        )
    return sorted(result, key=lambda choice: (-choice.chance, -choice.points, choice.discarded))


def mean_of(distribution: Numbers) -> float:
    """The mean of a distribution over 0, 1, 2 ... points."""
    return float(sum(points * probability for points, probability in enumerate(distribution)))


def hand_points(hands: Sequence[tuple[Card, ...]], unseen: Numbers) -> Numbers:
    """The score of each hand of four cards with each unseen card as the starter: shape (hands, starters)."""
    import numpy as np

    kept = np.array(hands)
    codes, suits = np.array(CODE)[kept >> 2].sum(1), kept & 3
    points = scores()[codes[:, None] + np.array(CODE)[unseen >> 2]].astype(np.int64)
    matches_starter = suits[:, :, None] == unseen & 3
    points += ((kept >> 2 == JACK)[:, :, None] & matches_starter).sum(1)
    flush = (suits == suits[:, :1]).all(1)[:, None]
    return np.asarray(points + np.where(flush, 4 + matches_starter[:, 0], 0))


def crib_distributions(discarded: list[tuple[Card, ...]], held: list[Card], *, dealer: bool) -> Numbers:
    """The probabilities that each crib scores 0, 1, 2 ... points: shape (discards, SHOW_SCORES).

    Each is the distribution of the discards' class, shifted so that its mean allows for the cards ``held``, which can't
    be in the crib too.
    """
    import numpy as np

    by_class = np.array(load_table("cribs"), np.float64).reshape(2 * CLASSES, SHOW_SCORES) / SCALE
    distributions = []
    for pair in discarded:
        distribution = by_class[(0 if dealer else CLASSES) + class_of(*pair)]
        shift = crib_mean(pair, held, dealer=dealer) - class_mean(tuple(card >> 2 for card in pair), dealer=dealer)
        shifted = np.roll(distribution, 1 if shift > 0 else -1)  # by one point
        shifted[0 if shift > 0 else -1] = 0.0
        if shift < 0:
            shifted[0] += distribution[0]
        distributions.append((1 - abs(shift)) * distribution + abs(shift) * shifted)
    return np.asarray(np.array(distributions) / np.sum(distributions, 1, keepdims=True))


@cache
def class_mean(ranks: tuple[int, ...], *, dealer: bool) -> float:
    """The ``crib_mean`` of two unsuited cards of these ranks if the other cards can be any but those two."""
    pair = [4 * ranks[0], 4 * ranks[1] + 1]
    return crib_mean(pair, pair, dealer=dealer)


def crib_mean(pair: Sequence[Card], held: Sequence[Card], *, dealer: bool) -> float:
    """The mean score of a crib's ranks with ``pair`` in it, if the other cards in it can't be any of ``held``."""
    import numpy as np

    available = [[(4 * rank + suit) not in held for suit in range(4)] for rank in range(RANKS)]
    chosen = load_table("chosen")
    start = CLASSES if dealer else 0
    weights = np.zeros(len(PAIRS))
    for i, (low, high) in enumerate(PAIRS):
        # How often the other seat discards these ranks, times the share of such pairs of cards that are available: of
        # 6 pairs of one rank, and of 4 suited and 12 unsuited pairs of two ranks.
        if low == high:
            n = sum(available[low])
            weights[i] = chosen[start + low * RANKS + low] * n * (n - 1) / 12
        else:
            suited = sum(map(min, available[low], available[high]))
            all_pairs = sum(available[low]) * sum(available[high])
            weights[i] = chosen[start + high * RANKS + low] * suited / 4
            weights[i] += chosen[start + low * RANKS + high] * (all_pairs - suited) / 12
    starters = np.clip(np.array([sum(suits) for suits in available]) - pair_counts(), 0, 4)
    code = sum(CODE[card >> 2] for card in pair)
    points = scores()[code + pair_codes()[:, None] + np.array(CODE)]
    ways = weights[:, None] * starters
    return float((ways * points).sum() / ways.sum())


@cache
def pair_counts() -> Numbers:
    """How many cards of each rank are in each of PAIRS: shape (pairs, ranks)."""
    import numpy as np

    return np.array([[pair.count(rank) for rank in range(RANKS)] for pair in PAIRS])


@cache
def pair_codes() -> Numbers:
    """The sum of the codes of each of PAIRS."""
    import numpy as np

    return np.array([CODE[low] + CODE[high] for low, high in PAIRS])


@cache
def scores() -> Numbers:
    """The scores of five ranks, by the sum of their codes."""
    import numpy as np

    result = np.zeros(CODE_SUMS, np.uint8)
    ranks = np.array(list(combinations_with_replacement(range(RANKS), 5)))
    possible = ranks[:, 0] != ranks[:, 4]
    result[np.array(CODE)[ranks].sum(1)[possible]] = np.array(load_table("scores"))[possible]
    return result


def pegging(kept: Sequence[Card], *, dealer: bool) -> tuple[Numbers, Numbers]:
    """The numbers of deals in the study in which the cards kept pegged 0, 1, 2 ... points; the same for the other seat.

    Both arrays have the shape (PEG_BINS,).
    """
    import numpy as np

    group = group_of(as_set(kept)) - FIRST_OF_FOUR + (0 if dealer else HANDS_OF_FOUR)
    first = group * 2 * PEG_BINS
    counts = np.array(load_table("pegged")[first : first + 2 * PEG_BINS], np.float64).reshape(2, PEG_BINS)
    return counts[0], counts[1]


def pegging_margin(own: Numbers, other: Numbers) -> float:
    """Half the width of the 95 % interval of the mean net pegging, as if both seats pegged independently."""
    import numpy as np

    points, deals = np.arange(PEG_BINS), own.sum()
    variance = sum(float(counts @ points**2 / deals - (counts @ points / deals) ** 2) for counts in (own, other))
    return 1.96 * float(np.sqrt(variance / deals))


class DealDistributions:
    """The distributions of the points that a deal can bring to the seat that chooses and to the other seat.

    ``own`` and ``other`` are pegged by the two seats; ``hand`` is the chooser's; ``heels`` is the probability of heels
    for the chooser.
    """

    def __init__(
        self, own: Numbers, other: Numbers, hand: Numbers, crib: Numbers, heels: float, *, dealer: bool
    ) -> None:
        self.own, self.other, self.hand, self.crib, self.heels, self.dealer = own, other, hand, crib, heels, dealer

    def chance(self, own_score: int, other_score: int, target: int) -> tuple[float, float, float]:
        """The chance to win, how much one more point adds to it, and the error from the table of win chances."""
        own, other = target - own_score, target - other_score
        table, errors = evaluation.chances_after_deal(own, other, dealer=not self.dealer)
        for distribution, is_own in self.shows():  # backwards, from the end of the deal
            transitions = transition_matrix(distribution, table.shape[0 if is_own else 1] - 1)
            table, errors = (transitions @ each if is_own else each @ transitions.T for each in (table, errors))
            evaluation.fill_game_end(table, errors, own, other)
        chance, error = self.after_play(table, errors, 0)
        if self.heels:
            with_heels = self.after_play(table, errors, HEELS)[0] if own > HEELS else 1.0
            chance += self.heels * (with_heels - chance)
        with_one_more = self.after_play(table, errors, 1)[0] if own > 1 else 1.0
        return chance, abs(with_one_more - chance), error

    def shows(self) -> list[tuple[Numbers, bool]]:
        """The parts of the show, the last first: the distribution of points, and whether the chooser scores them."""
        other_shows = other_hand(dealer=not self.dealer)
        if self.dealer:
            return [(self.crib, True), (self.hand, True), (other_shows, False)]
        return [(self.crib, False), (other_shows, False), (self.hand, True)]

    def after_play(self, table: Numbers, errors: Numbers, start: int) -> tuple[float, float]:
        """The means of both tables over all points that the play can bring; the chooser starts with ``start`` points.

        If both seats peg enough to reach the target, each is assumed to be first with a probability in proportion to
        the points that the other one needs.
        """
        own, other = table.shape[0] - 1, table.shape[1] - 1
        own_pegs, other_pegs = transition_matrix(self.own, own)[start], transition_matrix(self.other, other)[0]
        both_reach = float(own_pegs[-1] * other_pegs[-1])
        chance = float(own_pegs @ table @ other_pegs) + both_reach * other / (own - start + other)
        return chance, float(own_pegs @ errors @ other_pegs)


def transition_matrix(distribution: Numbers, highest: int) -> Numbers:
    """The probabilities of going from each score (row) to each score (column) by the points of ``distribution``.

    Scores are 0 to ``highest``; higher ones count as ``highest``.
    """
    import numpy as np

    result = np.zeros((highest + 1, highest + 1))
    padded = np.zeros(2 * highest + 1)
    padded[highest : highest + len(distribution)] = distribution[: highest + 1]
    result[:] = padded[highest + np.arange(highest + 1) - np.arange(highest + 1)[:, None]]
    result[:, -1] = 1 - result[:, :-1].sum(1)
    return result


@cache
def other_hand(*, dealer: bool) -> Numbers:
    """The probabilities that the other hand scores 0, 1, 2 ... points; ``dealer`` if that seat deals."""
    import numpy as np

    counts = np.array(load_table("shows"), np.float64).reshape(3, SHOW_SCORES)[1 if dealer else 0]
    return np.asarray(counts / counts.sum())
