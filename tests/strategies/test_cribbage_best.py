"""Cribbage's ``best``: discards, the last cards, and play for the win chance rather than for points."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from kibitz.cards import as_set, cards_of, code, parse_cards
from kibitz.games.cribbage import discards, evaluation, lookahead
from kibitz.games.cribbage.policies import UnseenCards, best, greedy
from kibitz.games.cribbage.rules import DISCARD
from kibitz.games.cribbage.scoring import show_points
from tests.games.cribbage_table import in_play
from tests.games.test_cribbage_study import SCORES
from tests.strategies.test_cribbage import views
from tools.cribbage_duel import places_of
from tools.cribbage_greedy import greedy_lay
from tools.cribbage_strength import Results, game_between

HAND = "5H 6S 7D JC QD KS"


def choices(hand=HAND, pegs=(0, 0), dealer=True, target=121):
    return discards.choices(parse_cards(hand), pegs, dealer=dealer, target=target)


def test_mean_of_a_hand_is_exact():
    rest = [card for card in range(52) if card not in parse_cards(HAND)]
    for choice in choices():
        assert choice.hand == pytest.approx(UnseenCards(rest).mean_hand(choice.kept))
        assert choice.points == pytest.approx(choice.hand + choice.crib + choice.pegs - choice.against)
    hands = [choice.kept for choice in choices("AD 2D 3D 4D JD KC")]
    unseen = np.array([card for card in range(52) if card not in parse_cards("AD 2D 3D 4D JD KC")])
    points = discards.hand_points(hands, unseen)
    for kept, row in zip(hands, points, strict=True):
        assert row.tolist() == [int(show_points(as_set(kept), int(card), 0)) for card in unseen]


def test_card_order_and_suits_do_not_change_the_ranking():
    suits = str.maketrans("DCHS", "SHDC")
    plain = [(choice.chance, choice.points) for choice in choices()]
    assert [(choice.chance, choice.points) for choice in choices("KS QD JC 7D 6S 5H")] == plain
    other = choices(HAND.translate(suits))
    assert [choice.chance for choice in other] == pytest.approx([chance for chance, _ in plain])


def test_more_points_raise_the_win_chance():
    for dealer in (True, False):
        by_score = [
            choices(pegs=(best_seat, 100), dealer=dealer)[0].chance for best_seat in (60, 80, 100, 110, 118, 120)
        ]
        assert by_score == sorted(by_score)
        assert choices(pegs=(120, 0), dealer=dealer)[0].chance > 0.999
        assert choices(pegs=(0, 120), dealer=dealer)[0].chance < 0.001


@pytest.mark.long
def test_win_chances_average_to_the_table_by_score():
    """The win chance by score is the mean win chance of the best choice over dealt hands."""
    random = Random(5)
    for pegs, dealer in (((0, 0), True), ((90, 95), False), ((112, 108), True)):
        found = [choices(" ".join(hand), pegs, dealer)[0].chance for hand in hands(random, 80)]
        expected_points = evaluation.win_chance(*pegs, dealer=dealer).chance
        assert np.mean(found) == pytest.approx(expected_points, abs=0.02 + 2.5 * np.std(found) / len(found) ** 0.5)


def hands(random, n):
    """Random hands of six cards, as text."""
    return [[code(card) for card in random.sample(range(52), 6)] for _ in range(n)]


def test_a_lower_target_equals_the_end_of_a_longer_game():
    assert [c.chance for c in choices(pegs=(10, 20), target=61)] == [c.chance for c in choices(pegs=(70, 80))]


def test_near_the_end_the_winning_discard_is_best():
    """The other seat deals and needs one point; the seat itself counts first and needs eight."""
    held = "2H 3S 3D 4C 9H KS"
    usual, needy = choices(held, (0, 0), dealer=False)[0], choices(held, (113, 120), dealer=False)
    assert usual.chance < 0.6
    rest = [card for card in range(52) if card not in parse_cards(held)]
    enough = {
        choice.discarded: np.mean([show_points(as_set(choice.kept), card, 0) + choice.pegs >= 8 for card in rest])
        for choice in needy
    }
    assert enough[needy[0].discarded] >= max(enough.values()) - 0.1


def test_a_card_that_wins_at_once_is_played():
    """Ann is at 119 and makes fifteen for two; playing the seven might make a pair later."""
    played, s = in_play("5D 7C 7H", "9C 9D", trail="0S", pegs=(119, 119))
    view = played.view(s, 0)
    assert played.text(view, best(view, played.legal(s), Random(0))) == "5D"


def test_the_last_cards_are_searched_exhaustively():
    """Ben holds one card: the chance is at least that of counting all the cards he can hold."""
    played, s = in_play("4D 0C", "3H", trail="8S", pegs=(100, 118), dealer=0)
    known = lookahead.knowledge_of(s, 0)
    worlds = lookahead.possible_states(s, 0)
    ranks = {cards_of(world.hand[1])[0] >> 2 for world, _ in worlds}
    assert ranks == set(range(13))
    for card in lookahead.one_of_each_rank(s):
        by_hand = 0.0
        for world, weight in worlds:
            after = world.copy()
            played.rules.apply(after, card)
            while after.phase == 1 and not after.over and after.plays < s.plays + 3 and after.deals == s.deals:
                played.rules.act(after, played.legal(after)[-1])
                while after.phase == 3:
                    played.rules.advance_phase(after)
                if after.phase > 3:
                    break
            by_hand += weight * lookahead.chance_at_end(after, known)
        found = lookahead.value_after(card, worlds, known, exhaustive=True)
        assert found >= by_hand - 1e-9, "optimal play afterwards never does worse"


def test_hands_that_contradict_earlier_plays_are_less_likely():
    """Ben did not pair Ann's King, as most hands with a King would have, so those hands are less likely."""
    played, s = in_play("4D 5C 6H KC", "2H 3H 9S KH", dealer=1)
    for text in ("KC", "9S"):
        played.play(s, played.parse(played.view(s, s.player), text))
    with_king, without = [], []
    for number, (world, _) in enumerate(lookahead.possible_states(s, 0)):
        if number % 5 == 0:
            (with_king if world.hand[1] >> 48 else without).append(lookahead.likelihood_of_plays(world, 1))
    assert np.mean(with_king) < np.mean(without)


def test_the_kernel_discards_as_greedy_does():
    for seed in range(2):
        for view, legal in views("cribbage", seed):
            if view.discarding:
                hand = as_set(view.hand)
                laid = greedy_lay(SCORES, hand, int(view.dealer == view.seat))
                assert DISCARD + places_of(hand, laid) == greedy(view, legal, Random(0))


@pytest.mark.long
def test_best_plays_whole_games_against_greedy_in_time():
    found = Results()
    won = sum(game_between(deal, best_seat, found) for deal in range(2) for best_seat in range(2))
    assert 0 <= won <= 4
    assert found.deals > 20
    assert sorted(found.seconds)[len(found.seconds) // 2] < 0.1


def test_every_discard_is_ranked_once():
    ranked = choices()
    assert {choice.discarded for choice in ranked} == set(combinations(sorted(parse_cards(HAND)), 2))
    assert [choice.chance for choice in ranked] == sorted((choice.chance for choice in ranked), reverse=True)
