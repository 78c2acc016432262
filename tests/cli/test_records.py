"""Matches and their records: show and verify."""

import pytest

from kibitz.engine.record import commitment, read_file
from kibitz.table.outcomes import mentions_score
from tests.tui.playing import short_games

PLAYERS = ["first", "random", "first", "random"]


def test_match_is_reported_sentence_by_sentence(kibitz):
    answer = kibitz("match", "go", *PLAYERS, "--seed", "7")
    assert answer.status == 0
    assert answer.lines[0] == f"SHA-256 of the seed: {commitment(7)}"
    assert "first-1 lays a card face down." not in answer.lines[1]
    assert any(line.startswith("Turn 10: first-1 ") for line in answer.lines)
    assert answer.lines[-2] == "Seed: 7"
    assert answer.lines[-3].startswith("The game is over: first-1 ")
    assert answer.lines[-1] == "All cards are grouped. Winner: random-2."


@pytest.mark.parametrize("game", short_games(), ids=lambda game: game.name)
def test_result_of_a_game_is_printed_once(kibitz, game, tmp_path):
    """In the game's last sentence, or else after "Result:"; a quiet match always prints "Result:"."""
    path, names = tmp_path / "x.game", [f"random-{seat}" for seat in range(1, game.seats + 1)]
    words = ["match", game.name, *["random"] * game.seats, "--seed", "7"]
    quiet = kibitz(*words, "-q", "-o", path).lines
    assert "Result: random-1 " in quiet[1]
    scores = read_file(path).outcome.scores
    for lines in (kibitz(*words).lines, kibitz("show", path).lines):
        last_lines = [line for line in lines if line != "" and not line.startswith("Seed: ")][-2:]
        points = [line.startswith("The game is over. Points taken: ") for line in last_lines]  # without their sign
        says_all = [
            each or all(map(mentions_score, [line] * game.seats, names, scores))
            for line, each in zip(last_lines, points, strict=True)
        ]
        assert says_all.count(True) == 1, last_lines
        assert says_all[1] is ("Result: " in last_lines[1])


def test_quiet_match_prints_only_the_result(kibitz):
    assert len(kibitz("match", "go", *PLAYERS, "--seed", "7", "--quiet").lines) == 2


def test_record_is_verified(kibitz, record_file):
    answer = kibitz("verify", record_file)
    assert answer.status == 0
    assert answer.out.startswith(f"{record_file}: verified, ")
    assert " moves. " in answer.out
    assert "but not who chose the moves." in answer.lines[1]
    assert "kibitz arena replay" in answer.lines[1]


def test_record_is_shown_as_a_spectator_saw_it(kibitz, record_file):
    answer = kibitz("show", record_file)
    assert answer.status == 0
    assert answer.lines[1] == "Seats: 0 first-1, 1 random-1, 2 first-2, 3 random-2"
    assert "first-1 draws 5 cards." in answer.lines
    assert answer.lines[-1].count("Result: ") == 1


def test_record_is_shown_as_one_seat_saw_it(kibitz, record_file):
    lines = kibitz("show", record_file, "--seat", "1").lines
    assert "first-1 draws 5 cards." in lines
    assert sum(line.startswith("You draw ") and "cards" not in line for line in lines) > 3


def test_show_rejects_a_seat_beyond_the_last(refused, record_file):
    assert "has the seats 0 to 3, not 4" in refused("show", record_file, "--seat", "4")


def test_truncated_record_is_rejected(refused, record_file, tmp_path):
    content = record_file.read_text()
    path = tmp_path / "short.game"
    for length in range(0, len(content) - 1, len(content) // 25):
        path.write_text(content[:length])
        assert str(path) in refused("verify", path)


def test_edited_record_is_rejected_with_file_and_line(refused, record_file, tmp_path):
    lines = record_file.read_text().splitlines(keepends=True)
    path = tmp_path / "edited.game"
    for number in range(0, len(lines), 7):
        edited = [line.replace("a", "e", 1) + "?" * ("a" not in line) for line in lines[number : number + 1]]
        path.write_text("".join([*lines[:number], *edited, *lines[number + 1 :]]))
        assert f"{path}:" in refused("verify", path)
        assert f"{path}:" in refused("show", path)


def test_invalid_record_among_valid_ones_is_reported(kibitz, record_file, tmp_path):
    path = tmp_path / "binary.game"
    path.write_bytes(b"\xff\xfe\x00")
    answer = kibitz("verify", record_file, path, record_file)
    assert answer.status == 2
    assert answer.out.count(": verified, ") == 2
    assert answer.err.count("\n") == 1


def test_notes_of_a_record_are_reported_as_unverified(kibitz, record_file, tmp_path):
    path = tmp_path / "noted.game"
    path.write_text(f"{record_file.read_text()}note: seat 1 has looked at the cards\n")
    assert "or what its notes say" in kibitz("verify", path).out
    assert "notes" not in kibitz("verify", record_file).out


@pytest.fixture
def clumsy(tmp_path):
    """A player file that prints, and then raises."""
    path = tmp_path / "clumsy.py"
    path.write_text(
        "def comp10001go_play(discard_history, player_no, hand):\n"
        "    print('thinking \\x1b[2J')\n"
        "    if len(hand) < 9: raise ValueError('lost \\x1b[31m')\n"
        "    return hand[0]\n"
        "def comp10001go_group(discard_history, player_no): return []\n"
    )
    return path


def test_forfeits_and_output_are_reported_without_control_characters(kibitz, clumsy, tmp_path):
    saved = tmp_path / "x.game"
    answer = kibitz("match", "go", clumsy, "first", "first", "first", "--seed", "3", "-q", "-o", saved)
    assert answer.status == 1
    assert any(line.startswith("Forfeit: clumsy, exception: ") for line in answer.lines)
    assert "clumsy printed:" in answer.lines
    assert "clumsy failed with:" in answer.lines
    assert "thinking ?[2J" in answer.lines
    assert "\x1b" not in answer.out
    verified = kibitz("verify", saved)
    assert verified.status == 0
    assert "or that the players who forfeited really failed" in verified.out
    assert any("clumsy is out of the game (exception): " in line for line in kibitz("show", saved).lines)


def test_suits_can_be_printed_as_letters(kibitz, record_file):
    assert kibitz("show", record_file, "--ascii").out.isascii()
