"""The printed table, written out by hand."""

from kibitz.arena.model import Entrant
from kibitz.arena.rating.ratings import RankingRow, ratings_and_ranking, ratings_text
from tests.arena.results import match, seat

ADA = RankingRow(1, 1, 2, "Ada", 3, 1815.4, 30.2, 468, 0.591, 0, (), "")
BO = RankingRow(2, 3, 3, "Bo", 1, 1500.0, None, 8, 0.25, 2, ("2 games: It was slow.",), "", fills=True)
HUGO = RankingRow(0, 0, 0, "Hugo", None, None, None, 0, 0.0, 0, (), "Hugo has no games yet.")


def test_the_table_is_aligned_with_notes_below():
    assert ratings_text([ADA, BO, HUGO]) == (
        "#  ranks  player     rating  games    wins  forfeits\n"
        "1    1-2  Ada     1815 ± 30    468  59.1 %         0\n"
        "2      3  Bo       1500 ± ?      8  25.0 %         2\n"
        "-         Hugo                   0                 0\n"
        "\n"
        "Bo is a built-in player that fills the empty seats.\n"
        "Hugo has no games yet.\n"
        "Bo forfeited 2 games: It was slow.\n"
    )
    assert ratings_text([ADA]).splitlines()[1:] == ["1    1-2  Ada     1815 ± 30    468  59.1 %         0"]


def test_players_without_games_have_empty_columns_and_fillers_a_mark():
    games = [
        match(n, [seat(1, 1, 0.5), seat(2, 1, 0.25), seat(3, 1, 0.25)][: 3 - n % 2], 1 + n // 2) for n in range(2, 10)
    ]
    new = [Entrant(8, "zoe"), Entrant(9, "planner", fills=True)]
    rows = {row.player: row for row in ratings_and_ranking(games, entrants=new)[1]}
    assert rows["zoe"] == RankingRow(0, 0, 0, "zoe", None, None, None, 0, 0.0, 0, (), "zoe has no games yet.")
    assert [player for player, row in rows.items() if row.fills] == ["planner"]
    assert (rows["p3"].games, rows["p3"].win_share) == (4, 0.25)
