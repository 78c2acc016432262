"""The example player files of Huxxy, in both games: good ones survive, broken ones break."""

import runpy

import pytest

import kibitz
from kibitz.games.huxxy.policies import greedy
from kibitz.table.match import play_match
from tests.contract.groups import fast_huxxy, sharing
from tests.strategies.seats import FILES, FilePlayer, Strategist
from tests.tiers import first_fast

pytestmark = sharing("huxxy")


@pytest.fixture(autouse=True, scope="module")
def fast():
    fast_huxxy()


GAMES = pytest.mark.parametrize("game", ["huxxy", "huxxy-bonus"])


def played(game, seed, *players):
    """A match; missing players are files that pick up every turn."""
    seats = [*players, *(FilePlayer("huxxy/picker") for _ in range(4 - len(players)))]
    return play_match(kibitz.game(game), seats, seed).record


@GAMES
@pytest.mark.parametrize("seed", first_fast(range(4)))
def test_good_files_play_whole_games_without_a_forfeit(game, seed):
    record = played(game, seed, FilePlayer("huxxy/collector"), Strategist(greedy), FilePlayer("huxxy/collector"))
    assert record.forfeits == ()


@GAMES
def test_a_file_that_plays_groups_beats_one_that_picks_up(game):
    for seed in range(2):
        assert played(game, 10 + seed, FilePlayer("huxxy/collector")).outcome.winners == (0,)


@pytest.mark.long
@GAMES
def test_greedy_beats_the_files_most_of_the_time(game):
    won = 0
    for seed in range(10):
        record = played(game, seed, Strategist(greedy), *(FilePlayer("huxxy/collector") for _ in range(3)))
        won += 0 in record.outcome.winners
    assert won >= 5


def test_collector_finishes_a_turn_as_planned():
    """Regression: planned again halfway, this turn became another one with 15 of the 24 points it needs."""
    file = runpy.run_path(str(FILES / "huxxy" / "collector.py"))
    hand = ["AH", "2C", "2H", "5D", "5S", "6C", "6S", "9S", "0D", "QH", "KC", "KS", "5C", "6D", "4D"]
    table, history = [], []
    while (play := file["comp10001huxxy_play"](history, 3, hand, table))[1] == 1:
        card, k = play[2]
        hand, history = [other for other in hand if other != card], [*history, play]
        table = [*table, []] if k == len(table) else table
        table[k] = [*table[k], card]
    assert play == (3, 3, None)
    assert all(map(file["is_group"], table))
    assert sum(file["number"](card) for group in table for card in group) >= 24


@GAMES
@pytest.mark.parametrize(("name", "kind"), [("illegal", "illegal"), ("type", "invalid")])
def test_a_broken_file_forfeits_and_the_others_win_together(game, name, kind):
    record = played(game, 1, FilePlayer(f"huxxy/broken_{name}"))
    assert [(forfeit.seat, forfeit.kind) for forfeit in record.forfeits] == [(0, kind)]
    assert record.outcome.winners == (1, 2, 3)
