"""Saved games: their content, their names, and which program may resume them."""

import os
import re
from pathlib import Path
from random import Random

import pytest

from kibitz.engine import record
from kibitz.engine.record import commitment, read_any
from kibitz.errors import KibitzError
from kibitz.table import Table
from kibitz.table.saved import (
    AutoSaver,
    RecordFormatter,
    SavedGame,
    SavedHeader,
    read_header,
    saved_game_line,
    saved_games,
    saved_games_folder,
)

NAMES = ["Ann", "Ben", "Cem", "Dan"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The folder of saved games, separate for each test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "kibitz" / "games"


def play_steps(table, random, most=1, failing=0.1):
    """Play some random steps; seats sometimes fail."""
    for _ in range(most):
        if table.over:
            return
        seat = random.choice(table.waiting)
        if random.random() < failing:
            table.forfeit(seat, "time", "It was slow.")
        else:
            table.act(seat, random.choice(table.legal(seat)))


@pytest.mark.parametrize("name", ["go-mini", "bo-mini", "huxxy-mini", "president-mini", "leduc"])
def test_incremental_writing_gives_the_whole_record(name):
    """The game continues, goes back and changes; text is reused only while it continues."""
    random, chronicle = Random(3), RecordFormatter()
    tables = [Table.deal(name, seed) for seed in (1, 2)]
    tables.append(Table.deal(name, 1, ["other"] * tables[0].game.seats))
    for turn in range(60):
        table = tables[0] if random.random() < 0.8 else random.choice(tables)
        before, way = chronicle.writer, random.random()
        steps, outs = len(table.actions), len(table.forfeits)
        same = before is not None and chronicle.is_continued_by(table.record)
        if way < 0.15:
            table.undo(random.randrange(table.step + 1))
            table.run_automatic_steps()
        else:
            play_steps(table, random)
        assert chronicle.text(table.record) == record.text(table.record), turn
        if same and len(table.actions) >= steps and len(table.forfeits) >= outs and way >= 0.15:
            assert chronicle.writer is before, "what has been carried out is carried out again"


def test_a_forfeit_before_the_written_part_is_inserted():
    table, chronicle = Table.deal("bo", 1), RecordFormatter()
    table.act(0, table.legal(0)[0])
    chronicle.text(table.record)
    late = Table.deal("bo", 1)
    late.forfeit(3, "time", "It was slow.")
    late.act(0, late.legal(0)[0])
    assert late.actions == table.actions
    assert chronicle.text(late.record) == record.text(late.record)


def test_a_save_is_named_after_game_and_commitment_and_numbered(home):
    table = Table.deal("president:players=3", 7, NAMES[:3])
    found = [SavedGame.new(table.record) for _ in range(3)]
    stem = f"president-{commitment(7)[:8]}"
    assert [saved.path for saved in found] == [home / f"{stem}{more}.game" for more in ("", "-2", "-3")]
    assert re.fullmatch("president-[0-9a-f]{8}", stem)
    assert saved_games_folder() == home
    assert {path.stat().st_mode & 0o777 for path in home.iterdir()} == {0o600}
    assert home.stat().st_mode & 0o777 == 0o700


def test_a_preview_reads_players_and_progress_from_a_file(tmp_path):
    table = Table.deal("bo", 1, NAMES)
    play_steps(table, Random(1), 12, failing=0.0)
    path = tmp_path / "mine.game"
    path.write_text(record.text(table.record), encoding="utf-8")
    assert read_header(path) == SavedHeader("bo", tuple(NAMES), 12)
    assert saved_game_line(path).endswith(": bo, Ann, Ben, Cem and Dan, after move 12")
    for text in (
        "",
        "game: bo\nseats: Ann | Ben\n",
        "\ngame: bo\n",
        "\nseats: Ann\n",
        "\n" * 5 + "game: bo\nseats: Ann\n",
    ):
        path.write_text(text, encoding="utf-8")
        assert saved_game_line(path) == "mine.game: this is not a record"
    path.write_text("\n" * 4 + "game: bo\nseats: Ann | Ben", encoding="utf-8")
    assert read_header(path) == SavedHeader("bo", ("Ann", "Ben"), 0)


def test_saved_games_are_listed_newest_first_without_other_files(home):
    home.mkdir(parents=True)
    for number, name in enumerate(["old.game", "new.game", "newest.game", ".hidden.game", "text.txt"]):
        (home / name).write_text("")
        os.utime(home / name, ns=(number, number))
    assert [path.name for path in saved_games()] == ["newest.game", "new.game", "old.game"]


def test_a_saved_game_is_locked_by_one_program(tmp_path):
    path = tmp_path / "one.game"
    saved = SavedGame(path)
    open_before = len(os.listdir("/proc/self/fd"))
    for _ in range(2):
        with pytest.raises(
            KibitzError, match=r"one\.game is being played by another program: continue there, or end it"
        ):
            SavedGame(path)
    assert len(os.listdir("/proc/self/fd")) == open_before
    (lock,) = tmp_path.iterdir()
    assert lock.stat().st_mode & 0o777 == 0o600
    saved.close()
    saved.close()
    assert list(tmp_path.iterdir()) == []
    SavedGame(path).close()


def test_temporary_files_of_a_killed_program_are_removed(tmp_path):
    for name in (".one.game.0123", ".other.game.0123", "one.game", ".one.game"):
        (tmp_path / name).write_text("")
    saved = SavedGame(tmp_path / "one.game")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(".one.game", ".one.game.lock", ".other.game.0123", "one.game")
    ]
    saved.close()


def test_deleting_keeps_files_outside_the_data_folder(home, tmp_path):
    table = Table.deal("kuhn", 1)
    ours, elsewhere = SavedGame.new(table.record), SavedGame(tmp_path / "one.game")
    elsewhere.write(table.record)
    ours.delete()
    elsewhere.delete()
    assert list(home.iterdir()) == []
    assert [path.name for path in tmp_path.glob("*.game")] == ["one.game"]
    assert not list(tmp_path.glob(".*"))


def test_a_game_is_saved_with_its_players_from_the_first_choice_on(home):
    said, table = [], Table.deal("kuhn", 1, ["Ann", "Ben"])
    keeping = AutoSaver([None, "random"], said.append)
    assert not keeping.save(table)
    table.act(table.player, table.legal()[0])
    while not table.over:
        assert keeping.save(table)
        (path,) = saved_games()
        assert read_any(path).actions == tuple(table.actions)
        assert read_any(path).chairs == (None, "random")
        assert keeping.is_saved
        table.act(table.player, table.legal()[0])
    assert keeping.save(table)
    assert read_any(path) == table.record
    keeping.delete()
    assert list(home.iterdir()) == []
    assert said == []


def test_a_waiting_choice_of_a_person_is_saved_but_not_of_a_computer(home):
    keeping, table = AutoSaver([None, "random"], print), Table.deal("go-mini", 1)
    table.act(1, table.legal(1)[0])
    assert not keeping.save(table)
    other = Table.deal("go-mini", 1)
    AutoSaver(["random", None], print).save(other)
    assert saved_games() == []
    other.act(1, other.legal(1)[0])
    assert AutoSaver(["random", None], print).save(other)


def test_a_failed_save_is_reported_once():
    said, table = [], Table.deal("kuhn", 1)
    table.act(table.player, table.legal()[0])
    keeping = AutoSaver([None, None], said.append)
    blocked = Path(os.environ["XDG_DATA_HOME"])
    blocked.write_text("")
    for _ in range(2):
        assert keeping.save(table) is False
        assert not keeping.is_saved
    blocked.unlink()
    assert keeping.save(table) is False
    keeping.delete()
    keeping.close()
    assert [sentence.partition(": ")[0] for sentence in said] == ["The game can't be saved any more"]
    assert said[0].endswith(".")


def test_a_vanished_folder_is_reported_once_and_unlocks_the_game(tmp_path):
    said, table = [], Table.deal("kuhn", 1)
    inside = tmp_path / "usb"
    inside.mkdir()
    keeping = AutoSaver([None, None], said.append, SavedGame(inside / "one.game"))
    assert keeping.save(table)
    for path in inside.iterdir():
        path.unlink()
    inside.rmdir()
    for _ in range(2):
        table.act(table.player, table.legal()[0])
        assert keeping.save(table) is False
    assert len(said) == 1
    assert f"{inside / 'one.game'} cannot be written: " in said[0]
    keeping.close()
    keeping.close()
