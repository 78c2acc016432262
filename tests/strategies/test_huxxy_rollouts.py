"""The evaluation of best of Huxxy: winning chances of the seats, and finished games."""

from hashlib import sha256
from itertools import islice
from random import Random

import pytest

import kibitz
from kibitz.games.huxxy import policies
from kibitz.games.huxxy.actions import CONCEDE
from kibitz.games.huxxy.best import best_turn
from kibitz.games.huxxy.groups import NONE
from kibitz.games.huxxy.policies import HAND_SIZES, JOKER_WEIGHTS, LAY_COUNTS, SEATS, WEIGHTS
from kibitz.games.huxxy.quick_turn import SCRATCH, find_turn
from kibitz.search import rollout_kernels, search_players
from kibitz.search.rollout_planner import RolloutPlanner
from tests.contract.groups import sharing
from tests.games.test_huxxy_imagined import SMALL, beginnings

pytestmark = sharing("huxxy")
HUXXY, JOKER_GAME = kibitz.game("huxxy"), kibitz.game("huxxy-bonus")
ONE = rollout_kernels.ONE


def scratch():
    """A scratch array for plans."""
    return [0] * SCRATCH


def weights(game, turns, opened, lays):
    """The weights by hand size of a seat that moves after ``turns`` turns and could play ``lays`` cards now."""
    first = JOKER_WEIGHTS if game is JOKER_GAME else 0
    return [
        WEIGHTS[first + 1 + LAY_COUNTS * (HAND_SIZES * (2 * turns + opened) + cards) + lays]
        for cards in range(HAND_SIZES)
    ]


def ended(hands, loser=NONE):
    """A finished game with the given hands."""
    state = HUXXY.deal(1)
    state.over, state.loser = 1, loser
    state.hand_once[:], state.hand_twice[:] = hands, [0] * 4
    return state


@pytest.mark.parametrize(
    ("hands", "loser", "shares"),
    [
        ([0b1000, 0, 0b10000, 0b1], NONE, [0, ONE, 0, 0]),
        ([0b10000, 0b100000, 0b10000, 0b1000000000000], NONE, [ONE // 3, ONE // 3, ONE // 3, 0]),
        ([0b1, 0b10, 0b100, 0b1000], 2, [ONE // 3, ONE // 3, 0, ONE // 3]),
    ],
)
def test_winning_chance_of_a_finished_game_is_shared_by_winners(hands, loser, shares):
    state = ended(hands, loser)
    assert [policies.winning_chance(state, seat, [], ONE) for seat in range(4)] == shares
    won = HUXXY.result(state, frozenset()).winners
    assert [seat for seat, share in enumerate(shares) if share] == sorted(won)
    scores = HUXXY.result(state, frozenset()).scores
    for seat, share in enumerate(shares):
        assert search_players.final_value(HUXXY, scores, seat) == pytest.approx(share / ONE, abs=1 / ONE)


@pytest.mark.parametrize("game", [HUXXY, JOKER_GAME], ids=lambda game: game.name)
def test_weights_favour_few_cards_early_turns_and_playable_cards(game):
    for turns_until in range(SEATS):
        column = weights(game, turns_until, 1, 0)
        assert column[3] > column[6] > column[9]
        assert weights(game, turns_until, 1, 3)[6] > column[6]
    for cards in (4, 6):
        assert weights(game, 0, 1, 3)[cards] > weights(game, 3, 1, 3)[cards]
    assert WEIGHTS[0] == WEIGHTS[JOKER_WEIGHTS] > 100 * max(WEIGHTS[1:JOKER_WEIGHTS])


def test_weights_are_those_best_was_measured_with():
    """After fitting new weights (``python -m tools.huxxy_weights``), measure ``best`` again and pin them here."""
    text = " ".join(map(str, (HAND_SIZES, LAY_COUNTS, SEATS, JOKER_WEIGHTS, *WEIGHTS)))
    assert len(WEIGHTS) == 2 * JOKER_WEIGHTS
    assert sha256(text.encode()).hexdigest() == "5372535f881a9f306fca552f77119d21164f993b16f5a77ec2160f69d2417400"


@pytest.mark.parametrize("name", [SMALL, "huxxy-bonus:hand_size=6,opening=6"])
def test_winning_chances_add_up_to_one(name):
    game = kibitz.game(name)
    for state in islice(beginnings(game, [1]), 16):
        chances = [policies.winning_chance(state, seat, scratch(), ONE) for seat in range(game.seats)]
        assert ONE - game.seats < sum(chances) <= ONE


def test_a_seat_that_can_play_its_whole_hand_is_sure_to_win():
    state = HUXXY.deal(1)
    for hand, lays in ((0b111 << 40, 3), (0b1111 << 40, 4), (0b1111 << 40 | 1, 4), (0b11 << 40, 0)):
        state.hand_once[0], state.hand_twice[0] = hand, 0
        assert find_turn(state, scratch()) == lays
        assert (policies.weight_index(state, scratch(), 0) == 0) == (lays == hand.bit_count())
        if lays == hand.bit_count():
            assert policies.winning_chance(state, 0, scratch(), ONE) > 0.99 * ONE


def test_a_seat_that_cannot_end_its_turn_concedes():
    """With a lone card on the table there is no plan: it plays on, card by card, and loses."""
    game = kibitz.game("huxxy:players=2,hand_size=3,opening=0")
    state = next(s for s in map(game.deal, range(50)) if best_turn(game.view(s, 0).hand, ()) is None)
    game.advance(state, next(a for a in game.legal(state) if a > CONCEDE))
    out, seat, plays = [NONE] * 8, state.player, 0
    while not state.over:
        n = policies.rollout_plays(state, seat, scratch(), out)
        assert n == 1
        plays += 1
        assert game.rules.refusal(state, out[0]) == 0
        game.rules.apply(state, out[0])
    assert state.loser == seat
    assert policies.winning_chance(state, seat, scratch(), ONE) == 0
    assert plays > 1


def test_best_plays_as_greedy_without_machine_code_or_simulations(monkeypatch):
    monkeypatch.setattr(search_players, "is_ready", lambda game: False)
    game, played = kibitz.game("huxxy-bonus:hand_size=6,opening=6"), 0
    best = search_players.search_players(game)["best"]
    for state in islice(beginnings(game, [2]), 9):
        view, legal = game.view(state, state.player), game.legal(state)
        chosen = game.strategies["greedy"](view, legal, Random(3))
        assert best(view, legal, Random(3)) == chosen
        trial = RolloutPlanner(game, view, legal, 1, plain=True)
        trial.simulate(0)
        assert trial.choice(Random(0)) == chosen
        played += chosen > 0
    assert played
