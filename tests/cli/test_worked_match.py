"""The worked match of President: a scripted person in line mode and four different players."""

from pathlib import Path

from kibitz import Table, game, read_record

WORKED = Path(__file__).parents[2] / "docs" / "examples" / "president_a_person_and_four.game"


def typed_by(seat: int) -> str:
    """The lines that the person in a seat has typed: its actions, except forced ones."""
    record, lines = read_record(WORKED), []
    table = Table.deal(game(record.game), record.seed)
    for action in record.actions:
        if table.player == seat and len(table.legal(seat)) > 1:
            lines.append(table.game.text(table.view(seat), action))
        table.act(table.player, action)
    return "\n".join([*lines, ""])


def test_scripted_person_reproduces_the_worked_match(kibitz, tmp_path):
    """The person's actions are typed from the record."""
    record = tmp_path / "match.game"
    answer = kibitz(
        *("play", "president:players=5,rounds=5", "--seed", 12, "--name", "Ann"),
        *("--opponents", "greedy,report,lowest,random", "-o", record),
        typed=typed_by(0),
    )
    assert answer.status == 0
    assert "The game is over: " in answer.out
    assert record.read_text(encoding="utf-8") == WORKED.read_text(encoding="utf-8")
