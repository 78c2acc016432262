"""Damaged, mixed and hostile files are each reported in one sentence with file and line, and the others are read."""

import json
import os
import random
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

import kibitz
from kibitz.data.collections import Records, make_filter
from kibitz.data.rows import COLUMNS, RECORD_ENDINGS, REQUIRED_COLUMNS, RESULT_ENDINGS
from kibitz.engine.record import UnfinishedRecord, text
from tests.data.test_rows import rows_in

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FILES = sorted(EXAMPLES.glob("*.game"))
TRUE = (EXAMPLES / "go-mini_two_hands.game").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of every format, with the same games."""
    folder = tmp_path_factory.mktemp("files")
    for kind in RESULT_ENDINGS:
        kibitz.simulate("go-mini", ["greedy", "random"], 4, folder / f"results{kind}", seed=1, workers=1)
    for kind in RECORD_ENDINGS:
        kibitz.simulate("go-mini", ["greedy", "random"], 4, folder / f"records{kind}", seed=1, workers=1, records=True)
    return folder


def trouble_of(path):
    """The problem reported for a file that has no valid games."""
    found = kibitz.stats(path)
    assert found.games == ()
    (sentence,) = found.problems
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence.removeprefix(str(path))


def test_all_formats_hold_the_same_games(files):
    found = kibitz.stats(files)
    assert found.problems == ()
    assert found.games[0].games == 4 * (len(RESULT_ENDINGS) + len(RECORD_ENDINGS))
    assert found.games[0].deals == 2
    assert rows_in(files / "results.csv") == rows_in(files / "results.jsonl") == rows_in(files / "results.parquet")


@pytest.mark.parametrize(
    "name", [f"results{kind}" for kind in RESULT_ENDINGS] + [f"records{kind}" for kind in RECORD_ENDINGS]
)
def test_damage_anywhere_in_a_file_is_reported_or_harmless(files, tmp_path, name):
    """Random changes, cuts and additions of bytes cause at most one sentence."""
    content = bytearray((files / name).read_bytes())
    draw = random.Random(name)
    path = tmp_path / name
    for _ in range(12):
        spoilt = bytearray(content)
        match draw.randrange(3):
            case 0:
                for _ in range(draw.randint(1, 4)):
                    spoilt[draw.randrange(len(spoilt))] = draw.randrange(256)
            case 1:
                del spoilt[draw.randrange(len(spoilt)) :]
            case _:
                at = draw.randrange(len(spoilt))
                spoilt[at:at] = draw.randbytes(draw.randint(1, 40))
        path.write_bytes(spoilt)
        found = kibitz.stats([path, EXAMPLES / "go-mini_two_hands.game"])
        assert any({line.player for line in one.players} >= {"Ann", "Ben"} for one in found.games)
        assert all("\n" not in sentence for sentence in found.problems)
        records = kibitz.records(path)
        assert all(isinstance(one.where, str) for one in records)


HEAD = "deal,seat,player,score,win_share\r\n"
ROWS = "0,0,Ann,1,1\r\n0,1,Ben,0,0\r\n"
TABLES = {
    "": "columns deal, seat, player, score and win_share, and deal is missing",
    "a,b\r\n1,2\r\n": ":1: a table of results has at least",
    HEAD + "0,0,Ann,1\r\n": ":2: there are 4 fields, not 5",
    HEAD + "0,0,Ann,one,1\r\n": ":2: score must be a number, not 'one'",
    HEAD + "0,0,Ann,nan,1\r\n": ":2: score must be a number",
    HEAD + "0,0,Ann,1e999,1\r\n": ":2: score must be a number",
    HEAD + "0,0,Ann,1_0,1\r\n": ":2: score must be a number",
    HEAD + "-1,0,Ann,1,1\r\n": ":2: deal must be a whole number, 0 or more",
    HEAD + "9999999999999999999,0,Ann,1,1\r\n": ":2: deal must be a whole number, 0 or more",
    HEAD + ",0,Ann,1,1\r\n": ": deal is missing in some rows",
    HEAD + "0,0,=Ann,1,1\r\n": ":2: player must be escaped as Kibitz writes it",
    HEAD + "0,0,Ann,1,2\r\n": "win_share must be from 0 to 1",
    HEAD + "0,0,Ann,1,1\r\n0,1,Ben,1,1\r\n": "its win shares add up to more than 1",
    HEAD + "0,1,Ann,1,1\r\n": "it must have each seat once, numbered from 0",
    HEAD + ROWS + ROWS: "it must have each seat once, numbered from 0",
    HEAD + ROWS + "0,1002,Ann,1,0\r\n": "it must have each seat once",
    "deal,seat,player,score,win_share,length\r\n0,0,A,1,1,5\r\n0,1,B,1,0,6\r\n": "must all have the same length",
    "deal,deal,seat,player,score,win_share\r\n": "the column 'deal' appears twice",
    HEAD + '0,0,"Ann,1,1\r\n': "this isn't valid CSV",
    HEAD + "0,0,\0,1,1\r\n": "",
    HEAD + f"0,0,{'x' * 200_000},1,1\r\n": "this isn't valid CSV: field larger than field limit",
}


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_an_invalid_table_is_reported_with_its_line(tmp_path, number):
    content, sentence = list(TABLES.items())[number]
    path = tmp_path / "x.csv"
    path.write_text(content, newline="", encoding="utf-8")
    if sentence:
        assert sentence in trouble_of(path)
    else:
        kibitz.stats(path)


def test_a_table_from_another_program_needs_few_columns(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("\ufeffcolour," + HEAD + "".join(f"red,{row}\n" for row in ROWS.split()), encoding="utf-8")
    (found,) = kibitz.stats(path).games
    assert [line.player for line in found.players] == ["Ann", "Ben"]
    lines = [{"deal": 0, "seat": seat, "player": f"p{seat}", "score": 1, "win_share": 0.5, "x": 1} for seat in (0, 1)]
    other = tmp_path / "x.jsonl"
    other.write_text("\n".join(map(json.dumps, lines)))
    assert kibitz.stats(other).games[0].games == 1
    assert set(REQUIRED_COLUMNS) < set(COLUMNS)


LINES = {
    "[1, 2]": ":1: this isn't a row of a table: expected `object`, got `array`",
    '{"deal": 0}': ":1: this isn't a row of a table: object missing required field `seat`",
    '{"seat": 0, "deal": 0, "player": 7, "score": 1, "win_share": 1}': "expected `str`, got `int`",
    '{"seat": -1, "deal": 0, "player": "A", "score": 1, "win_share": 1}': "seat must be a whole number, 0 or more",
    '{"seat": 1e3, "deal": 0, "player": "A", "score": 1, "win_share": 1}': "",
    '{"seat": 99999999999999999999, "deal": 0, "player": "A", "score": 1, "win_share": 1}': "",
    "{" * 5000: "this isn't a row of a table",
    '"\ud800"': "this isn't a row of a table",
}


@pytest.mark.parametrize("number", range(len(LINES)))
def test_an_invalid_line_of_json_is_reported(tmp_path, number):
    content, sentence = list(LINES.items())[number]
    path = tmp_path / "x.jsonl"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert sentence in trouble_of(path)


def test_columns_of_the_wrong_type_are_reported(tmp_path):
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "x.parquet"
    right = {"deal": [0], "seat": [0], "player": ["A"], "score": [1.0], "win_share": [1.0]}
    for column, wrong in [("score", ["one"]), ("player", [[1]]), ("deal", [1.5]), ("score", [None]), ("seat", [None])]:
        parquet.write_table(pyarrow.table(right | {column: wrong}), path)
        assert column in trouble_of(path)
    parquet.write_table(pyarrow.table(right | {"score": [1], "player": pyarrow.array(["A"]).dictionary_encode()}), path)
    assert kibitz.stats(path).games[0].players[0].score.value == 1
    parquet.write_table(pyarrow.table({"deal": [0]}), path)
    assert "seat is missing" in trouble_of(path)
    parquet.write_table(pyarrow.table({"record": [None, 7]}), path)
    assert len(kibitz.stats(path).problems) == 2


# ---------------------------------------------------------------- records


def test_damaged_records_are_reported_and_the_others_read(tmp_path):
    (tmp_path / "sub").mkdir()
    lines = [json.dumps({"record": content}) for content in (TRUE, TRUE.replace("result: 5", "result: 6"))]
    contents = {
        "a.game": TRUE,
        "b.game": TRUE[:200],
        "c.game": "",
        "sub/d.jsonl": "\n".join([*lines, "{", "[]", '{"x": 1}', lines[0]]),
        "sub/.hidden.game": "left out",
        "notes.txt": "left out",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "e.game").write_bytes(b"\xff\xfe")
    with zipfile.ZipFile(tmp_path / "f.zip", "w") as archive:
        archive.writestr("in/true.game", TRUE)
        archive.writestr("untrue.game", TRUE.replace("seed: ", "seed: 1"))
        archive.writestr("bytes.game", b"\xff")
        archive.writestr("other.py", "raise SystemExit")
    (tmp_path / "g.zip").write_bytes(b"PK\3\4 no archive")
    found = kibitz.records(tmp_path)
    for _ in range(2):  # iterating again counts again
        kept = [Path(one.where).name for one in found]
        assert kept == ["a.game", "true.game", "d.jsonl:1", "d.jsonl:6"]
        told = [sentence.removeprefix(str(tmp_path)).partition(": ")[0] for sentence in found.problems]
        cut, result = TRUE[:200].count("\n") + 1, TRUE[: TRUE.index("result: ")].count("\n") + 1
        assert [each.replace(os.sep, "/") for each in told] == [
            *(f"/b.game:{cut}", "/c.game:1", "/e.game", "/f.zip/untrue.game:6", "/f.zip/bytes.game", "/g.zip"),
            *(f"/sub/d.jsonl:2:{result}", "/sub/d.jsonl:3", "/sub/d.jsonl:4", "/sub/d.jsonl:5"),
        ]
    study = kibitz.stats(tmp_path)
    assert study.games[0].games == 4
    assert len(study.problems) == len(found.problems)


def test_tables_beside_records_are_skipped(files, tmp_path):
    """A table passed by name is reported as not a record; one beside records is skipped."""
    found = kibitz.records(files)
    assert len(list(found)) == 4 * len(RECORD_ENDINGS)
    assert found.problems == []
    for kind in RESULT_ENDINGS:
        path = files / f"results{kind}"
        found = kibitz.records(path)
        assert list(found) == []
        assert found.problems == [f"{path}: this is a table of results, without records."]
    spoilt = tmp_path / "x.jsonl"
    spoilt.write_text("{ torn\n" + json.dumps({"record": TRUE}))
    assert kibitz.stats(spoilt).games[0].games == 1
    assert len(kibitz.stats(spoilt).problems) == 1


def test_an_archive_that_would_fill_the_memory_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.game", bytes(40 << 20))
        archive.writestr("liar.game", bytes(30 << 20), zipfile.ZIP_BZIP2)
        archive.writestr("lzma.game", TRUE, zipfile.ZIP_LZMA)
        archive.writestr("short.game", bytes(20 << 20))
        archive.writestr("true.game", TRUE)
    content = (tmp_path / "x.zip").read_bytes()
    for size in (20, 30):
        content = content.replace((size << 20).to_bytes(4, "little"), (99).to_bytes(4, "little"))
    (tmp_path / "x.zip").write_bytes(content.replace(b"lzma.game", bytes(9)))
    found = kibitz.records(tmp_path / "x.zip")
    assert len(list(found)) == 1
    assert [one.removeprefix(f"{tmp_path / 'x.zip'}/") for one in found.problems] == [
        "bomb.game: it is larger than 16 MiB, the limit for a file.",
        "liar.game: it is compressed by bzip2; pack it as an ordinary ZIP archive (deflate).",
        "short.game: it can't be unpacked: it is damaged.",
    ]


def test_unfinished_games_are_counted_and_read_on_request(tmp_path):
    table = kibitz.Table.deal("go-mini", seed=1, names=["Ann", "Ben"])
    (tmp_path / "a.game").write_text(text(table.record))
    (tmp_path / "b.game").write_text(TRUE)
    found = kibitz.records(tmp_path)
    assert [one.record.seats for one in found] == [("Ann", "Ben")]
    assert (found.unfinished, found.filtered_out) == (1, 0)
    assert kibitz.stats(tmp_path).unfinished == 1
    (one,) = kibitz.records(tmp_path, outcome="unfinished")
    assert isinstance(one.record, UnfinishedRecord)


@pytest.mark.parametrize(
    "wanted",
    [
        {"game": "go-mini"},
        {"game": "president"},
        {"game": "president:players=5"},
        {"game": "president:players=4"},
        {"player": "Cem"},
        {"player": ["Ann", "Cem"], "outcome": "won"},
        {"player": "Ann", "seat": 1},
        {"outcome": "forfeit"},
        {"seat": 4},
        {"player": "Ben", "outcome": "lost"},
    ],
)
def test_a_filter_selects_the_same_records_and_rows(wanted, tmp_path):
    found = kibitz.records(FILES, **wanted)
    kept = [one.record for one in found]
    assert found.problems == []
    assert len(kept) + found.filtered_out == len(FILES)
    assert sum(one.games for one in kibitz.stats(FILES, **wanted).games) == len(kept)
    for record in kept:
        assert record.game.partition(":")[0] == wanted.get("game", record.game).partition(":")[0]
        seats = [seat for seat in range(len(record.seats)) if wanted.get("seat", seat) == seat]
        if wanted.get("outcome") == "won":
            seats = [seat for seat in seats if seat in record.outcome.winners]
        names = wanted.get("player", [])
        assert (
            {names} <= set(record.seats) if isinstance(names, str) else set(names) <= {record.seats[s] for s in seats}
        )


def test_days_come_from_the_modification_time(tmp_path):
    for day, name, content in ((1, "a.game", TRUE), (2, "b.jsonl", json.dumps({"record": TRUE}))):
        (tmp_path / name).write_text(content)
        stamp = datetime(2026, 3, day, 12).timestamp()
        os.utime(tmp_path / name, (stamp, stamp))
    for since, until, count in [
        ("2026-03-01", "2026-03-01", 1),
        ("2026-03-02", "2026-03-02", 1),
        ("2026-03-01", "2026-03-31", 2),
        (datetime(2026, 3, 3), None, 0),
    ]:
        assert len(list(kibitz.records(tmp_path, since=since, until=until))) == count


def test_progress_reaches_its_total(files):
    for function in (kibitz.stats, lambda path, progress: list(kibitz.records(path, progress=progress))):
        reported = []
        function(files, progress=lambda *both, reported=reported: reported.append(both))
        assert reported[-1][0] == reported[-1][1] > 0
        assert [done for done, _ in reported] == sorted(done for done, _ in reported)


def test_a_folder_with_pipes_loops_and_broken_links_neither_hangs_nor_stops(tmp_path):
    os.mkfifo(tmp_path / "a.csv")
    (tmp_path / "b").symlink_to(tmp_path)
    (tmp_path / "c.game").symlink_to(tmp_path / "nowhere")
    (tmp_path / "d.game").mkdir()
    (tmp_path / "e.game").write_text(TRUE)
    found = kibitz.stats(tmp_path)
    assert (found.games[0].games, found.problems) == (1, ())


@pytest.mark.parametrize("function", [kibitz.stats, kibitz.records])
def test_progress_must_be_callable(function):
    with pytest.raises(kibitz.KibitzError, match="progress must be a function of two numbers, not 5"):
        function(FILES, progress=5)


def test_records_of_a_folder_come_in_order_of_name():
    found = [Path(one.where).name for one in Records([EXAMPLES], make_filter())]
    assert found == [path.name for path in FILES]
