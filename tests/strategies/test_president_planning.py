"""Greedy's planning in President, against the same rules written with sets, lists and fractions."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

import kibitz
from kibitz.engine.kernels.policies import Policy, choose_action, seeded_rng
from kibitz.games.president import moves, planning, policies
from kibitz.games.president.moves import ALL_FIVES, cards_in, move_of, size_of
from kibitz.games.president.planning import PLAN, fewest_moves
from kibitz.games.president.rounds import ASK, PLAY, RETURN
from kibitz.games.president.rules import PASS, TRADE
from tests.games.president_table import cards as heights_of
from tests.tiers import first_fast

FORMS = (
    *("president:rounds=3", "president:players=2,rounds=2", "president:players=8,rounds=2", "president-open"),
    *("president-asking:fives=5", "president-mini", "president:players=3,fives=0", "president:leftovers=1,players=6"),
)


def shortest(hand, fives):
    return fewest_moves(hand, None, fives)[0]


def expected_choice(game, state, legal):
    """Greedy's choice, by its description."""
    hand, fives = state.hand[state.player], state.fives
    if state.phase == ASK:
        cards = [a for a in legal if a - TRADE < 52]
        return max([a for a in cards if not hand >> a - TRADE & 1] or cards)
    if state.phase == RETURN:
        return min(legal, key=lambda a: (shortest(hand & ~(1 << a - TRADE), fives), a))
    counts = [bin(state.hand[p]).count("1") for p in range(game.seats) if p != state.player and state.hand[p]]
    now = shortest(hand, fives)
    if state.pile >= 0:
        options = sorted(a for a in legal if a != PASS)[: planning.CANDIDATES]
        length = {a: shortest(hand & ~cards_in(a), fives) for a in options}
        nearer = [a for a in options if length[a] < now]
        if nearer:
            return nearer[0] if now > planning.ENDGAME_MOVES else nearer[-1]
        if options and min(length.values()) <= now + planning.MAX_DETOUR:
            return min(options, key=lambda a: (length[a], a))
        stops = options and min(counts) <= planning.NEARLY_OUT
        return min(options, key=lambda a: (length[a], -a)) if stops else PASS
    plan = [move_of(cards) for cards in fewest_moves(hand, None, fives)[1]]
    plan = [a for a in plan if a in legal]
    if now == planning.ENDGAME_MOVES:
        out = moves.in_heights(state.pack) & ~hand
        for gone in state.gone:
            out &= ~gone
        return max(plan, key=lambda a: safety(a, out))
    plan.sort(key=lambda a: min(heights(cards_in(a))))
    if 1 in counts:
        return next((a for a in plan if size_of(a) > 1), plan[-1])
    return plan[0]


def heights(cards):
    return [height for height in range(52) if cards >> height & 1]


def safety(a, out):
    """The safety of a move, then its size."""
    return safety_of(cards_in(a), out)


def safety_of(cards, out):
    """The share of unseen cards that a move beats, to a power that keeps roots by size rational; then its size."""
    top, n = max(heights(cards)), len(heights(cards))
    share = Fraction(1 + sum(height < top for height in heights(out)), 1 + len(heights(out)))
    return share ** (60 // n), n


@pytest.mark.parametrize("name", first_fast(FORMS))
def test_policy_and_strategy_match_the_oracle(name):
    game = kibitz.game(name)
    policy, strategy, met = Policy("greedy").bind(game), game.strategies["greedy"], set()
    for seed in range(2):
        state, random = game.deal(seed), Random(seed)
        while not state.over:
            legal, view = game.legal(state), game.view(state, state.player)
            expected = expected_choice(game, state, legal)
            met.add((state.phase, state.pile >= 0, expected == PASS))
            assert choose_action(game, state, policies.GREEDY, seeded_rng(game, 0)) == expected, (name, seed, legal)
            assert policy(view, legal, random) == strategy(view, legal, random) == expected
            game.rules.apply(state, expected if random.random() < 0.7 else random.choice(legal))
    assert {(PLAY, False, False), (PLAY, True, False), (PLAY, True, True)} <= met


def test_greedy_leads_high_or_several_cards_against_one_card_left():
    work = [0] * planning.WORK
    pairs = heights_of("3D 5C 5D KS")
    assert planning.choose_lead(pairs, 0, 1, 0, ALL_FIVES, work) == move_of(heights_of("5C 5D"))
    singles = heights_of("3D 5C KS")
    assert planning.choose_lead(singles, 0, 1, 0, ALL_FIVES, work) == move_of(heights_of("KS"))
    assert planning.choose_lead(singles, 0, 2, 0, ALL_FIVES, work) == move_of(heights_of("3D"))
    assert planning.choose_lead(singles, heights_of("5C"), 1, 0, ALL_FIVES, work) == move_of(heights_of("5C"))


def test_greedy_plays_the_safer_of_its_last_two_moves_first():
    work, out = [0] * planning.WORK, heights_of("4D 6C 9S JH 2S")
    hand = heights_of("3D TS")
    assert planning.choose_lead(hand, 0, 5, out, ALL_FIVES, work) == move_of(heights_of("TS"))
    assert planning.choose_lead(hand, heights_of("3D"), 5, out, ALL_FIVES, work) == move_of(heights_of("3D"))
    alike = heights_of("3D 4C 4S")
    assert planning.choose_lead(alike, 0, 5, heights_of("2S"), ALL_FIVES, work) == move_of(heights_of("4C 4S"))


def test_safer_is_a_total_order():
    """It orders moves as their keys do, so it is antisymmetric and transitive."""
    random = Random(3)
    for _ in range(300):
        pool = random.sample(range(52), 20)
        out = sum(1 << height for height in pool[12:])
        some = [sum(1 << h for h in random.sample(pool[:12], random.choice((1, 2, 3, 5)))) for _ in range(3)]
        for one, other in pairwise(some):
            key, rival = (safety_of(cards, out) for cards in (one, other))
            assert planning.is_safer(one, other, out) == (key > rival)


def test_plan_lengths_are_cached_by_allowed_fives():
    work, hand = [0] * planning.WORK, heights_of("3D 4C 5H 6S 7D")
    for _ in range(2):
        assert planning.plan_length(hand, ALL_FIVES, work) == 1
        assert planning.plan_length(hand, 0, work) == 5
        assert planning.plan_length(hand, ALL_FIVES, work) == 1
    assert not any(work[:PLAN])
