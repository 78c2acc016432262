"""Strategies choose from the view alone: legal, deterministic for a seed, and better than simple ones.

positions   every view of a game of random actions, with its legal actions
"""

from random import Random

import pytest

import kibitz
from kibitz.engine.kernels.policies import choose_action, seeded_rng
from kibitz.games.bo import lookahead
from kibitz.games.bo.piles import ends_turn
from kibitz.games.bo.policies import MARSHAL
from kibitz.games.bo.rules import NO_PLAY, SOURCE, STOCK
from kibitz.games.go import drafts, groups
from kibitz.table.match import play_match
from tests.strategies.seats import Strategist, anything
from tests.tiers import first_fast


def strategy(game, name):
    return kibitz.game(game).strategies[name]


def positions(name, seed):
    """Every view with its legal actions, in a game of random actions."""
    game, random = kibitz.game(name), Random(seed)
    state = game.deal(seed)
    while not state.over:
        legal = game.legal(state)
        yield game.view(state, state.player), legal
        game.advance(state, random.choice(legal))


def scores_against(name, other, games, seed=0, mine="greedy"):
    """Wins of ``mine``, in each seat in turn, and the mean scores of it and of the three others."""
    game = kibitz.game(name)
    wins, own, theirs = 0, 0.0, 0.0
    for i in range(games):
        seats = [Strategist(other) for _ in range(4)]
        seats[i % 4] = Strategist(game.strategies[mine])
        outcome = play_match(game, seats, seed + i).record.outcome
        wins += i % 4 in outcome.winners
        own += outcome.scores[i % 4] / games
        theirs += (sum(outcome.scores) - outcome.scores[i % 4]) / 3 / games
    return wins, own, theirs


def test_greedy_groups_any_hand_optimally():
    game = kibitz.game("go")
    for seed in range(5):
        seats = [Strategist(game.strategies["greedy"]), *(Strategist(anything) for _ in range(3))]
        cards = [[], [], [], []]
        match = play_match(game, seats, seed, lambda notices, cards=cards: note_discards(notices, cards))
        assert match.record.outcome.scores[0] == groups.best_partitions(cards[0])[0]


def note_discards(notices, cards):
    """Collect what every seat discards, from the turns revealed."""
    for turn in {notice.event for notice in notices if type(notice.event).__name__ == "Revealed"}:
        for seat, card in enumerate(turn.cards):
            if card not in cards[seat]:
                cards[seat].append(card)


def test_greedy_completes_a_bad_grouping_optimally():
    game, random = kibitz.game("go"), Random(3)
    state = game.deal(3)
    while not state.grouping:
        game.advance(state, random.choice(game.legal(state)))
    game.advance(state, min(game.legal(state)))
    view = game.view(state, 0)
    left, score = list(view.ungrouped), state.score[0]
    while state.player == 0:
        view = game.view(state, 0)
        game.advance(state, game.strategies["greedy"](view, game.legal(state), random))
    assert state.score[0] == score + groups.best_partitions(left)[0]


@pytest.mark.parametrize(("other", "games", "least"), first_fast([("first", 8, 7), ("random", 20, 14)]))
def test_greedy_beats_simple_play_in_go(other, games, least):
    wins, own, theirs = scores_against("go", anything if other == "random" else strategy("go", other), games)
    assert wins >= least, "measured over hundreds of games: all against first, 19 of 20 against random"
    assert own > theirs + 60


@pytest.mark.parametrize(
    ("other", "games", "least"), first_fast([("random", 4, 3), ("first", 12, 7), ("random", 12, 11)])
)
def test_greedy_beats_simple_play_in_bo(other, games, least):
    wins, *_ = scores_against("bo", anything if other == "random" else strategy("bo", other), games)
    assert wins >= least, "measured over hundreds of games: 7 of 8 against first, all against random"


def test_four_greedy_seats_always_finish_bo():
    game = kibitz.game("bo")
    for seed in range(3):
        match = play_match(game, [Strategist(game.strategies["greedy"]) for _ in range(4)], seed)
        assert len(match.record.outcome.winners) == 1


@pytest.mark.long
def test_greedy_never_leaves_a_stockpile_card_that_fits():
    play = strategy("bo", "greedy")
    for view, legal in positions("bo", 11):
        if any(SOURCE * STOCK <= action < SOURCE * (STOCK + 1) for action in legal):
            action = play(view, legal, Random(0))
            turn = lookahead.RestOfTurn(view)
            best = max(worth for worth, _ in turn.leaves())
            assert best > lookahead.STOCK_CARD / 2
            assert action != NO_PLAY


def test_worth_table_prefers_kinds_that_can_still_be_completed():
    worth = drafts.worth_table()
    for turns in range(11):
        for held in (1, 2):
            by_others = [worth[turns][held][others][12] for others in range(4 - held)]
            assert by_others == sorted(by_others), "more cards about are better"
    assert worth[0][3][0][12] == 13 * (24 - 6), "the last turn: the fourth king"
    assert worth[0][0][0][12] == -13, "the last turn: a lone king"


def test_sampler_recognises_a_rival_that_plays_its_lowest_cards():
    game = kibitz.game("go")
    state = game.deal(5)
    while state.turn < 5:
        game.advance(state, min(game.legal(state)))
    sampler = drafts.DraftSampler(game.view(state, 0))
    for seat in (1, 2, 3):
        assert max(sampler.style_odds[seat]) == sampler.style_odds[seat][drafts.LOWEST]


@pytest.mark.long
def test_marshal_restores_the_state_and_never_keeps_a_playable_stockpile_card():
    """It looks ahead on the state itself and undoes its plays."""
    game, went = kibitz.game("bo"), 0
    for view, legal in positions("bo", 12):
        state = game.blank()
        game.restore(state, view)
        before = state.copy()
        action = choose_action(game, state, MARSHAL, seeded_rng(game, 1))
        assert state == before
        assert action in legal
        if any(action // SOURCE == STOCK for action in legal):
            went += 1
            assert action == NO_PLAY or not ends_turn(state, action)
    assert went > 3


def test_marshal_wins_at_once_if_possible():
    """With one stockpile card left that fits, it plays that card."""
    name, won = "bo:stock_size=1", 0
    play = strategy(name, "marshal")
    for seed in range(6):
        for view, legal in positions(name, seed):
            mine = [action for action in legal if action // SOURCE == STOCK]
            if mine:
                won += 1
                assert play(view, legal, Random(0)) in mine
    assert won > 0


@pytest.mark.long
def test_marshal_beats_greedy_in_bo():
    wins, *_ = scores_against("bo", strategy("bo", "greedy"), 40, mine="marshal")
    assert wins >= 9, "measured over hundreds of games: about 13 of 40, where 10 are a fair share"
