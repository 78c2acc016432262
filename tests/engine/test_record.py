"""Records round-trip, and any damage is reported with file and line."""

from pathlib import Path

import msgspec
import pytest

from kibitz.engine import record
from kibitz.engine.registry import all_games
from kibitz.errors import RecordError
from kibitz.table import Table
from tests.table.test_match import Answering, Lowest, match
from tests.tiers import tiered

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def written(name="bo-mini", seed=4, *players):
    return record.text(match(*players, name=name, seed=seed).record)


@pytest.mark.parametrize("name", tiered(each.name for each in all_games()))
def test_a_record_round_trips(name):
    text = written(name)
    assert record.text(record.parse(text)) == text


def test_a_record_with_forfeits_round_trips():
    text = written("bo", 3, Lowest(), Answering(-1), Answering(None))
    assert "! 1 illegal: " in text
    assert record.text(record.parse(text)) == text


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.game")), ids=lambda path: path.name)
def test_worked_examples_are_valid(path):
    assert record.read_file(path).game.split(":")[0] == path.stem.split("_")[0]
    assert len(path.read_text(encoding="utf-8").splitlines()) < 600  # the longest: five rounds for five


def test_every_truncation_is_detected(tmp_path):
    lines = written().splitlines(keepends=True)
    for n in range(len(lines)):
        with pytest.raises(RecordError) as caught:
            record.parse("".join(lines[:n]), "cut.game")
        assert str(caught.value).startswith("cut.game:")


def test_a_swapped_missing_or_duplicate_move_is_detected():
    lines = written().split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("1. "))
    for broken in (
        lines[:first] + lines[first + 1 :],
        [*lines[: first + 1], lines[first], *lines[first + 1 :]],
        [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]],
    ):
        with pytest.raises(RecordError, match=f"f:{first + 1}|f:{first + 2}"):
            record.parse("\n".join(broken), "f")


def test_an_illegal_move_is_refused_with_the_rule():
    text = written("bo-mini", 4)
    lines = text.split("\n")
    number = next(i for i, line in enumerate(lines) if line.startswith("1. "))
    lines[number] = "1. 0 pass ; P0 can play nothing."
    with pytest.raises(RecordError, match="illegal: You may only pass when nothing at all can be played"):
        record.parse("\n".join(lines))


def test_another_seed_breaks_the_commitment():
    with pytest.raises(RecordError, match="the commitment to this seed is"):
        record.parse(written().replace("seed: 4", "seed: 5"))


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"hello", b"Kibitz record 1\ngame: chess\n"])
def test_an_invalid_record_file_is_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "x.game"
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        record.read_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", ["-1", "1e5", "²", "9" * 60, "9" * 5000, "0" * 5000, "x", ""])
def test_an_invalid_seed_is_refused(value):
    with pytest.raises(RecordError, match="a seed is a whole number from 0") as caught:
        record.parse(written().replace("seed: 4", f"seed: {value}"))
    assert len(str(caught.value)) < 150


def test_only_lf_and_crlf_line_endings_are_accepted(tmp_path):
    path, text = tmp_path / "x.game", written()
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert record.text(record.read_file(path)) == text
    for end in "\r", "\r\r\n", "\x0b", "\x0c", "\x85", "\u2028":
        path.write_bytes(text.replace("\n", end).encode())
        with pytest.raises(RecordError):
            record.read_file(path)
        path.write_bytes(text.replace("\n", end, 8).replace(end, "\n", 7).encode())
        with pytest.raises(RecordError):
            record.read_file(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
def test_an_endless_file_is_refused():
    with pytest.raises(RecordError, match="it is larger than 16 MiB, the limit for a file"):
        record.read_any("/dev/zero")


def test_a_header_with_enormous_numbers_is_refused_briefly():
    text, many = written(), "9" * 5000
    for line in text.split("\n")[1:5]:
        key = line.partition(":")[0]
        with pytest.raises(RecordError) as caught:
            record.parse(text.replace(line, f"{key}: {many}"))
        assert len(str(caught.value)) < 400


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(RecordError, match="cannot be read: no such file"):
        record.read_file(tmp_path / "none.game")


def test_the_commitment_hides_and_binds_the_seed():
    assert record.commitment(4) == record.commitment(4)
    assert record.commitment(4) != record.commitment(5)
    assert len(record.commitment(4)) == 64


def test_a_record_of_other_rules_is_refused():
    with pytest.raises(RecordError, match="written for rules 9"):
        record.parse(written().replace("rules: 1", "rules: 9"))


def test_a_record_object_with_a_wrong_result_is_not_written():
    true = match(name="go-mini").record
    wrong = msgspec.structs.replace(true, outcome=msgspec.structs.replace(true.outcome, winners=(0, 1)))
    with pytest.raises(RecordError, match="the moves give the result"):
        record.text(wrong)
    with pytest.raises(RecordError, match="not over"):
        record.text(msgspec.structs.replace(true, actions=true.actions[:-1]))


# ---------------------------------------------------------------- games that are to go on


def unfinished(name="go", seed=4, chairs=()):
    """The record of an interrupted game, with held choices and a forfeited seat."""
    table = Table.deal(name, seed)
    table.forfeit(table.waiting[-1], "time", "It was slow.")
    for _ in range(2):
        table.act(table.waiting[-1], table.legal(table.waiting[-1])[-1])
    return msgspec.structs.replace(table.record, chairs=chairs)


@pytest.mark.parametrize(
    "name", [each.name for each in all_games() if "mini" not in each.name and each.name not in ("kuhn", "leduc")]
)
def test_an_unfinished_record_round_trips_without_a_result(name):
    game = next(each for each in all_games() if each.name == name)
    found = unfinished(name, chairs=(None, *['./a | b\n"x".py'] * (game.seats - 1)))
    text = record.text(found)
    assert record.parse_any(text) == found
    assert found.outcome is None
    with pytest.raises(RecordError, match="the game is not finished, so there is no result yet"):
        record.parse(text)


def test_every_change_to_an_unfinished_record_is_detected():
    """Except for the chairs and the held forfeit, which the moves don't determine."""
    text = record.text(unfinished(chairs=("a", None, "b", "c")))
    assert "\nheld: 2 " in text
    assert "\nheld: 3 ! time: It was slow.\n" in text
    lines = text.split("\n")
    body = lines.index("unfinished: seat 0 is to move") + 1
    for n in range(body):
        with pytest.raises(RecordError):
            record.parse_any("\n".join(lines[:n]), "cut.game")
    for n, line in enumerate(lines[:-2]):
        if line and not line.startswith("held: 3 !"):
            with pytest.raises(RecordError):
                record.parse_any("\n".join([*lines[:n], line[:-1] + "<", *lines[n + 1 :]]))


UNTRUE = {
    "a choice of who is to move": ("held: 2", "held: 0", "seat 0 has no choice to make"),
    "a choice of nobody": ("held: 2", "held: 9", "should read 'held: seat action'"),
    "an illegal choice": ("held: 2 KS", "held: 2 0C", "illegal: "),
    "no card": ("held: 2 KS", "held: 2 hello", "hello"),
    "an invented failure": ("! time", "! fake", "unknown failure 'fake'"),
    "another mover": ("unfinished: seat 0", "unfinished: seat 1", "should be 'unfinished: seat 0 is to move'"),
    "chairs that are none": ("chairs: [", "chairs: {", "this should be a list of 4 players"),
    "more": ('"c"]\n', '"c"]\nmore\n', "the record should end here"),
}


@pytest.mark.parametrize("what", UNTRUE)
def test_impossible_lines_of_an_unfinished_record_are_refused(what):
    old, new, sentence = UNTRUE[what]
    text = record.text(unfinished(chairs=("a", None, "b", "c")))
    text = text.replace(
        next(line for line in text.split("\n") if line.startswith("held: 2")), "held: 2 " + held_card(text)
    )
    old = old.replace("KS", held_card(text))
    assert old in text
    with pytest.raises(RecordError, match=sentence):
        record.parse_any(text.replace(old, new, 1))


def held_card(text):
    return next(line for line in text.split("\n") if line.startswith("held: 2")).split()[2]


def test_held_choices_must_be_in_seat_order_without_duplicates():
    text = record.text(unfinished())
    first, second, _ = (line for line in text.split("\n") if line.startswith("held: "))
    for lines in (f"{second}\n{first}", f"{first}\n{first}"):
        with pytest.raises(RecordError, match="in the order of their seats, each once"):
            record.parse_any(text.replace(f"{first}\n{second}", lines))


def test_a_finished_game_cannot_be_recorded_as_unfinished():
    text = written("bo-mini")
    result = next(line for line in text.split("\n") if line.startswith("result: "))
    with pytest.raises(RecordError, match="this line should be 'result: "):
        record.parse_any(text.replace(result, "unfinished: seat 0 is to move"))


def test_notes_below_the_result_round_trip():
    table = Table.deal("kuhn", seed=1)
    while not table.over:
        table.act(table.waiting[0], table.legal()[0])
    noted = msgspec.structs.replace(table.record, notes=("after move 1: a caretaker plays for P0.", "Zoë"))
    assert record.parse(record.text(noted)) == noted
    assert record.text(noted).startswith(record.text(table.record))
    for wrong in ("", " x", "two\nlines", "bell\a", "x" * 301, 7):
        with pytest.raises(RecordError, match="a note is one line"):
            record.text(msgspec.structs.replace(noted, notes=(wrong,)))
    for line in ("note: ", "note:  x", "note: " + "x" * 301, "nota: x"):
        with pytest.raises(RecordError):
            record.parse(record.text(noted) + line + "\n")


def test_notes_of_an_unfinished_game_round_trip_at_its_end():
    for chairs in ((), ("a", None, "b", "c")):
        true = unfinished(chairs=chairs)
        noted = msgspec.structs.replace(true, notes=("after move 1: Ann is back.", "Zoë"))
        assert record.parse_any(record.text(noted)) == noted
        assert record.text(noted) == record.text(true) + "note: after move 1: Ann is back.\nnote: Zoë\n"
        with pytest.raises(RecordError, match="a note is one line"):
            record.text(msgspec.structs.replace(true, notes=("two\nlines",)))
        with pytest.raises(RecordError, match="the record should end here"):
            record.parse_any(record.text(noted) + "held: 2 KS\n")
