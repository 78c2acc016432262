"""Finding games, and playing many of them at once."""

import numpy as np
import pytest

import kibitz
from kibitz.engine.contract import CHECKS
from kibitz.engine.game import fresh_seed, seed_words
from kibitz.engine.registry import packages
from kibitz.errors import NotationError


def test_games_are_found_by_name_in_any_case():
    assert kibitz.game("Go").name == "go"
    assert kibitz.game(" COMP10001-Bo ").name == "bo"
    assert {"go", "go-auto", "go-mini", "bo", "bo-mini"} <= {game.name for game in kibitz.all_games()}
    assert packages() == tuple(sorted(packages()))


@pytest.mark.parametrize("name", ["gi", "chess", "", "go-maxi", "../go", "go.rules", "\x00", "bo-min"])
def test_an_unknown_game_is_refused_with_what_there_is(name):
    with pytest.raises(NotationError, match=r"There is no game called .*; (did you mean|there are)"):
        kibitz.game(name)


def test_kibitz_has_no_other_names():
    with pytest.raises(AttributeError, match="kibitz has no 'gams'"):
        _ = kibitz.gams


@pytest.mark.parametrize("seed", [-1, 1 << 128])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(NotationError, match="a seed is a whole number"):
        kibitz.game("go").deal(seed)


def test_seeds_are_split_into_words_without_loss():
    words = seed_words((4 << 96) + (3 << 64) + (2 << 32) + 1)
    assert words == (1, 2, 3, 4)
    assert fresh_seed() != fresh_seed()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_is_the_same_on_any_number_of_threads(threads):
    one = kibitz.random_games(kibitz.game("go-mini"), 1001, 7, 1)
    many = kibitz.random_games(kibitz.game("go-mini"), 1001, 7, threads)
    np.testing.assert_array_equal(one.scores, many.scores)
    np.testing.assert_array_equal(one.steps, many.steps)


def test_a_batch_has_a_row_for_every_game():
    batch = kibitz.random_games(kibitz.game("bo"), 10, 1)
    assert batch.scores.shape == (10, 4)
    assert batch.steps.shape == (10,)
    assert batch.scores.dtype == np.int64
    assert kibitz.random_games(kibitz.game("bo"), 0).scores.shape == (0, 4)


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (5, -1), (5, 1 << 64)])
def test_a_batch_out_of_range_is_refused(n, seed):
    with pytest.raises(NotationError):
        kibitz.random_games(kibitz.game("bo"), n, seed)


def test_options_follow_the_name():
    played = kibitz.game("bo:rounds=10, players=3")
    assert played.name == "bo:players=3,rounds=10"
    assert (played.seats, played.options["rounds"]) == (3, 10)
    assert kibitz.game(played.name) == played
    assert kibitz.game("bo:players=4").name == "bo"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bo:", "'' is no option: write a name and a number"),
        ("bo:players", "'players' is no option"),
        ("bo:players=five", "is no option"),
        ("bo:players=5", "bo takes players from 2 to 4, not 5"),
        ("bo:colour=1", "bo has no option 'colour'; there are: players, rounds, stock_size"),
        ("go-mini:players=3", "go-mini has no option 'players'; there are: none"),
    ],
)
def test_options_that_cannot_be_are_refused(name, sentence):
    with pytest.raises(NotationError, match=sentence):
        kibitz.game(name)


@pytest.mark.parametrize(
    "name", ["go:players=2,hand_size=4", "go:players=3,hand_size=7", "bo:players=2", "bo:rounds=1"]
)
@pytest.mark.parametrize(
    "check", [check for check in CHECKS if "exact" not in check.__name__], ids=lambda c: c.__name__
)
def test_games_with_other_options_keep_the_contract(name, check):
    if check.__name__ != "every_event_is_met_and_told":
        check(kibitz.game(name))
