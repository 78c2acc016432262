"""The worked match of President: a person in line mode, scripted, and four players of different kinds."""

from pathlib import Path

WORKED = Path(__file__).parents[2] / "docs" / "examples" / "president_a_person_and_four.game"


def test_a_scripted_person_plays_the_worked_match_of_five_rounds(kibitz, tmp_path):
    """The person always takes the first choice."""
    record = tmp_path / "match.game"
    answer = kibitz(
        *("play", "president:players=5,rounds=5", "--seed", 12, "--name", "Ann"),
        *("--opponents", "greedy,report,lowest,random", "-o", record),
        typed="1\n" * 400,
    )
    assert answer.status == 0
    assert "Round 5 is over: " in answer.out
    assert record.read_text(encoding="utf-8") == WORKED.read_text(encoding="utf-8")
