"""The puzzle of the day in the terminal."""

import pytest

from kibitz.arena.puzzles import puzzles, todays_numbers


def todays(game):
    return puzzles()[game][todays_numbers()[game]]


@pytest.mark.parametrize("game", puzzles())
def test_choice_is_judged_with_reason_and_cost(kibitz, game):
    puzzle, table = todays(game), todays(game).table()
    best, other = (table.game.text(table.view(table.player), a) for a in (puzzle.best, puzzle.costs[-1].action))
    right = kibitz("puzzle", game, typed=f"h\nl\n{best}\n")
    assert right.status == 0
    assert "A puzzle has no hints." in right.out
    assert "Correct.\nBest: " in right.out
    wrong = kibitz("puzzle", game, typed=f"{other}\n")
    assert "Not the best choice.\nBest: " in wrong.out
    assert f"lowers your chance of winning by about {100 * puzzle.costs[-1].chance:.0f}" in wrong.out.replace("\n", " ")


def test_the_menu_of_games_leads_to_a_puzzle_and_back(kibitz):
    answer = kibitz("play", typed="p\n2\nq\np\n1\n1\nq\n")
    assert "Puzzle of the day: President" in answer.out
    assert answer.out.count("Which game?") == 3
    assert "Best: " in answer.out


def test_menu_lists_the_games_with_puzzles(kibitz):
    assert "Puzzle of the day: Hearts (hearts)" in kibitz("puzzle", typed="0\n4\nq\n").out
    assert kibitz("puzzle", "kuhn").err == (
        "kibitz: there are no puzzles for 'kuhn', only for go, president, cribbage, hearts, eights and bo.\n"
    )
