"""A full disk during begin or submit gives one sentence, and nothing is half written.

room    the number of SQLite pages that the store may use; more each time, in the long tier by one, so that each write
        fails once
"""

import subprocess
import sys
from itertools import count

import pytest

from kibitz.arena.store import open_store
from kibitz.cli import main
from kibitz.database import transactions
from tests.players.conftest import HONEST
from tests.small_disk import LIMITED
from tests.tiers import first_fast

FULL = "the disk is full"
USUAL = transactions.prepare_sqlite


@pytest.fixture
def kibitz(tmp_path, monkeypatch, capsys):
    """Run ``kibitz arena`` on a store with ``room`` pages; returns its status and error output."""
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "disk" / "season.sqlite"))
    (tmp_path / "disk").mkdir()

    def run(*words, room=10**6):
        def prepare(driver, record):
            USUAL(driver, record)
            driver.execute(f"PRAGMA max_page_count={room}")

        monkeypatch.setattr(transactions, "prepare_sqlite", prepare)
        capsys.readouterr()
        return main(["arena", *map(str, words)]), capsys.readouterr().err

    return run


def refused(status, told):
    """Whether a command failed for lack of room, which it must say in one sentence."""
    if status:
        assert (status, told.count("\n"), FULL in told) == (2, 1, True), told
    return bool(status)


@pytest.mark.parametrize("step", first_fast([7, 1]))
def test_begin_on_a_full_disk_creates_no_season(kibitz, tmp_path, step):
    begin, folder = ("begin", "go", "--seed", "1"), tmp_path / "disk"
    rooms = count(1, step)
    while refused(*kibitz(*begin, room=next(rooms))):
        for file in folder.iterdir():
            with open_store(file, create=False) as store:
                assert store.tournaments() == ()
    assert next(rooms) > 10, "many pages were too few"
    assert kibitz("verify", "go")[0] == 0


@pytest.mark.parametrize("step", first_fast([3, 1]))
def test_submit_on_a_full_disk_can_be_repeated(kibitz, tmp_path, step):
    file, folder = tmp_path / "ann.py", tmp_path / "disk"
    file.write_text(HONEST + "#" * 10_000)
    submit = ("submit", "go", file, "--name", "Ann", "--games", "1")
    assert kibitz("begin", "go", "--seed", "1")[0] == 0
    pages = folder.joinpath("season.sqlite").stat().st_size // 4096
    states = []
    for room in count(pages, step):
        full = refused(*kibitz(*submit, room=room))
        with open_store(folder / "season.sqlite") as store:
            states.append([one.state for one in store.submissions("go")])
        if not full:
            break
    assert states[0] == []
    assert states[-1] == ["accepted"]
    assert all(state in ([], ["waiting"]) for state in states[:-1])
    assert kibitz("verify", "go")[0] == 0


@pytest.mark.parametrize("size", first_fast([0, 1000, 50_000]))
def test_begin_on_a_full_disk_leaves_no_new_store(tmp_path, size):
    """The kernel refuses to write files longer than ``size``, as a full disk would."""
    code = LIMITED + f"from kibitz.cli import main; limited({size}); sys.exit(main())"
    words = [sys.executable, "-c", code, "arena", "begin", "go", "--store", str(tmp_path / "season.sqlite")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert FULL in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_begin_on_a_full_disk_keeps_an_existing_empty_file(kibitz, tmp_path):
    (tmp_path / "disk" / "season.sqlite").touch()
    assert refused(*kibitz("begin", "go", room=1))
    assert (tmp_path / "disk" / "season.sqlite").exists()
