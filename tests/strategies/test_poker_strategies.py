"""Poker players: greedy wins chips from the others, and knows its odds."""

from random import Random

import pytest

from kibitz.arena.running import tournament
from kibitz.cards import parse_cards
from kibitz.engine.registry import game
from kibitz.games.poker import policies
from kibitz.games.poker.rules import DISCARD
from kibitz.games.poker.words import stacked_options
from kibitz.players.specs import find_player
from tests.tiers import first_fast


@pytest.mark.parametrize(("name", "other"), first_fast([("holdem", "caller"), ("draw", "caller")]))
def test_greedy_wins_chips_in_duplicate_deals(name, other):
    played = game(f"{name}:players=2,hands=3")
    specs = [find_player(played, words) for words in ("greedy", other)]
    found = tournament.run(played, specs, 20, 3, in_process=True)
    (greedy,) = (line for line in found.standings if line.name == "greedy")
    assert greedy.mean_score > 50
    assert not greedy.forfeits


@pytest.mark.long
@pytest.mark.parametrize("name", ["holdem:players=2,hands=5", "draw:players=2,hands=5", "leduc:hands=20,stack=260"])
@pytest.mark.parametrize("other", ["caller", "random"])
def test_greedy_wins_beyond_its_margin_of_error(name, other):
    played = game(name)
    specs = [find_player(played, words) for words in ("greedy", other)]
    found = tournament.run(played, specs, 150, 4, in_process=True)
    (greedy,) = (line for line in found.standings if line.name == "greedy")
    assert greedy.mean_score > greedy.score_margin


def view_of(name, *cards, **options):
    played = game(name).with_options(hands=1, **stacked_options(parse_cards(" ".join(cards))), **options)
    s = played.deal(1)
    return played, s


def test_the_equity_of_aces_against_one_hand_is_about_six_in_seven():
    played, s = view_of("holdem", "2D 7C", "AS AH", players=2)
    found = [policies.equity(played.view(s, 1), Random(seed)) for seed in range(10)]
    assert sum(found) / 10 == pytest.approx(0.852, abs=0.05)


def test_greedy_keeps_a_made_hand_and_draws_to_a_pair():
    played, s = view_of("draw", "2D 3C 7H 8S JD", "AS AH 3D 7C 9S", players=2)
    played.play(s, 1)
    played.play(s, 1)
    for seat in (0, 1):
        view = played.view(s, s.player)
        action = policies.best_draw(view, played.legal(s), Random(1))
        kept = [card for place, card in enumerate(view.hand) if not (action - DISCARD) >> place & 1]
        if seat:
            assert set(parse_cards("AS AH")) <= set(kept)
            assert len(kept) < 5
        played.play(s, action)


def test_greedy_folds_rubbish_to_a_big_bet_and_never_folds_the_best_hand():
    played, s = view_of("holdem", "AS AH", "2D 7C", players=2)
    played.play(s, played.parse(played.view(s, 1), "all in"))
    assert policies.greedy(played.view(s, 0), played.legal(s), Random(1)) != 0
    played, s = view_of("holdem", "2D 7C", "AS AH", players=2)
    played.play(s, played.parse(played.view(s, 1), "all in"))
    assert policies.greedy(played.view(s, 0), played.legal(s), Random(1)) == 0
