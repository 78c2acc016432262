"""Cribbage's strategies: expectations are exact, and greedy is legal and clearly better than random play."""

from fractions import Fraction
from itertools import combinations
from math import comb, isclose
from random import Random

import pytest

import kibitz
from kibitz.cards import as_set, parse_cards
from kibitz.games.cribbage import greedy_play
from kibitz.games.cribbage.policies import UnseenCards, expected_points, greedy
from kibitz.games.cribbage.scoring import show_points
from kibitz.games.cribbage.words import action_cards
from kibitz.table.match import play_match
from tests.oracles.cribbage_by_hand import brute_play, worth
from tests.strategies.seats import Strategist, anything

CRIBBAGE = kibitz.game("cribbage")


def views(name, seed):
    """Every view with its legal actions in a game of random actions."""
    game, random = kibitz.game(name), Random(seed)
    state = game.deal(seed)
    while not state.over:
        legal = game.legal(state)
        yield game.view(state, state.player), legal
        game.advance(state, random.choice(legal))


@pytest.mark.parametrize("hand", ["5D 5C JH QS 2D 3D", "AD 2D 3D 4D JD KD", "JS JH JC JD 9S 9H", "7H 7S 8H 8C 9D 6C"])
def test_expected_hand_is_the_mean_over_all_starters(hand):
    held = parse_cards(hand)
    rest = [card for card in range(52) if card not in held]
    cards = UnseenCards(rest)
    for kept in combinations(held, 4):
        scores = [int(show_points(as_set(kept), starter, 0)) for starter in rest]
        assert isclose(cards.mean_hand(kept), Fraction(sum(scores), len(rest)))


@pytest.mark.parametrize("laid", ["5D JD", "2H 9H", "7C 7S"])
def test_expected_crib_is_the_mean_over_all_cards(laid):
    """The other seat's two cards and the starter come from thirteen unseen cards here: 858 cribs."""
    held = parse_cards(laid)
    rest = [card for card in parse_cards("JH JS 5C 5H AD 3D 6D 8D 4H KH TC 9C 2S") if card not in held]
    scores = [
        int(show_points(as_set((*held, *others)), starter, 1))
        for others in combinations(rest, 2)
        for starter in rest
        if starter not in others
    ]
    assert len(scores) == comb(13, 2) * 11
    assert isclose(UnseenCards(rest).mean_crib(held), Fraction(sum(scores), len(scores)))


@pytest.mark.long
def test_expected_crib_is_exact_for_a_whole_pack():
    held = parse_cards("5D JD")
    rest = [card for card in range(52) if card not in [*held, *parse_cards("2S 8H 9C KD")]]
    pairs = list(combinations(rest, 2))
    total = sum(
        int(show_points(as_set((*held, *others)), starter, 1))
        for others in pairs
        for starter in rest
        if starter not in others
    )
    assert isclose(UnseenCards(rest).mean_crib(held), total / (len(pairs) * (len(rest) - 2)))


def test_the_crib_counts_for_its_owner():
    """Discards to the own crib are worth at least as much as discards to the other's."""
    for seed in range(4):
        state, laid = CRIBBAGE.deal(seed), {}
        cards = UnseenCards([card for card in range(52) if not state.hand[state.player] >> card & 1])
        for state.dealer in (0, 1):
            view, legal = CRIBBAGE.view(state, state.player), CRIBBAGE.legal(state)
            laid[state.dealer == view.seat] = action_cards(view, greedy(view, legal, Random(0)))
            for action in legal:
                some = action_cards(view, action)
                crib = expected_points(view, cards, some) - cards.mean_hand(
                    [card for card in view.hand if card not in some]
                )
                assert isclose(crib, cards.mean_crib(some) * (1 if state.dealer == view.seat else -1))
        assert cards.mean_crib(laid[True]) >= cards.mean_crib(laid[False])


def test_the_expected_reply_is_the_mean_over_random_hands():
    """Over all hands that the other seat can hold, in late positions of the play."""
    looked_at, game = 0, kibitz.game("cribbage-mini")
    for seed in range(12):
        for view, legal in views("cribbage-mini", seed):
            other = 1 - view.seat
            if view.discarding or not view.counts[other] or other in view.said_go or len(legal) < 2:
                continue
            for card in legal:
                trail, count = [*view.trail, card], view.count + worth(card)
                if count == 31:
                    continue
                seen = {*view.hand, *view.own_discards, *(played for _, played in view.plays), view.starter}
                hidden = [c for c in view.pack if c not in seen and worth(c) >= view.floors[other]]
                hands = list(combinations(hidden, view.counts[other]))
                best, none = 0, 0
                for hand in hands:
                    fits = [c for c in hand if count + worth(c) <= 31]
                    best += max((brute_play([*trail, c])[2] for c in fits), default=0)
                    none += not fits
                s = game.blank()
                game.restore(s, view)
                found = greedy_play.net_points(s, view.seat, card, [0] * greedy_play.SCORES)
                assert isclose(found, brute_play(trail)[2] - (best - none) / len(hands), abs_tol=1e-12)
                looked_at += 1
    assert looked_at > 30


def test_greedy_clearly_beats_random_play():
    wins, pegs = 0, 0
    for seed in range(10):
        seats = [Strategist(greedy), Strategist(anything)]
        mine = seed % 2
        outcome = play_match(CRIBBAGE, seats if mine == 0 else seats[::-1], seed).record.outcome
        wins += outcome.winners == (mine,)
        pegs += outcome.scores[mine] - outcome.scores[1 - mine]
    assert wins >= 9, "measured: 200 of 200, nearly all of them skunks"
    assert pegs >= 12


def test_greedy_plays_a_card_that_scores():
    state = CRIBBAGE.deal(1)
    state.phase, state.player, state.dealer = 1, 0, 1
    state.away[:] = [0, 0]
    state.hand[0], state.hand[1] = as_set(parse_cards("5D 8C KC 2H")), as_set(parse_cards("3D 3C 4H"))
    state.starter, state.played[0], state.played_by[0] = parse_cards("9H")[0], parse_cards("KD")[0], 1
    state.plays, state.count = 1, 10
    view = CRIBBAGE.view(state, 0)
    assert CRIBBAGE.text(view, greedy(view, CRIBBAGE.legal(state), Random(0))) == "5D"
