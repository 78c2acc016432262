"""Games are simulated into a file that is complete or absent, and a stopped simulation loses no games."""

import os
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

import kibitz
from kibitz.arena.games import chunk_size
from kibitz.data import rows, simulation
from kibitz.data.simulation import Journal, journal_path, run_plan
from kibitz.engine.record import parse
from kibitz.errors import KibitzError, NotationError, PlayerError
from kibitz.players.specs import specs_of
from tests.tiers import first_fast

PLAYERS = ["greedy", "random", "random"]
FIRST = Path(__file__).parents[2] / "examples" / "players" / "go" / "first.py"
BROKEN = FIRST.with_name("broken_illegal.py")


def simulated(path, n=12, workers=1, **other):
    return kibitz.simulate("go-mini", PLAYERS, n, path, seed=other.pop("seed", 5), workers=workers, **other)


@pytest.fixture(scope="module")
def complete_file(tmp_path_factory):
    """The file of an uninterrupted simulation."""
    path = tmp_path_factory.mktemp("whole") / "games.csv"
    simulated(path)
    return path.read_bytes()


def test_the_games_are_those_of_play_games(complete_file, tmp_path):
    path = tmp_path / "games.csv"
    path.write_bytes(complete_file)
    played = kibitz.play_games("go-mini", PLAYERS, 12, seed=5, workers=1)
    (found,) = kibitz.stats(path).games
    lines = {line.player: line for line in found.players}
    assert set(lines) == set(played.players)
    for line in played.standings:
        assert lines[line.name].score.value == pytest.approx(line.mean_score)
        assert lines[line.name].share.margin == pytest.approx(line.win_margin)
    assert (found.games, found.deals) == (12, 6)
    assert found.length.value == pytest.approx(played.lengths.mean())


@pytest.mark.parametrize("kind", first_fast([".csv", ".jsonl", ".parquet"]))
def test_the_file_is_the_same_on_any_number_of_workers(tmp_path, kind, complete_file):
    one = tmp_path / f"one{kind}"
    simulated(one)
    if kind == ".csv":
        assert one.read_bytes() == complete_file
        two = tmp_path / f"two{kind}"
        simulated(two, workers=2)
        assert two.read_bytes() == complete_file
    again = tmp_path / f"again{kind}"
    simulated(again)
    assert again.read_bytes() == one.read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir() if ".part" in each.name or each.name[0] == ".") == []


class Stop(Exception):
    """Stands for anything that ends a program."""


def stop_after(after, error=Stop):
    """A progress callback that raises after a number of games."""

    def tell(done, of):
        if done >= after:
            raise error

    return tell


@pytest.mark.parametrize("after", first_fast(range(1, 12, 3)))
def test_a_stopped_simulation_resumes_to_the_same_bytes(tmp_path, monkeypatch, complete_file, after):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 1)
    path = tmp_path / "games.csv"
    with pytest.raises(Stop):
        simulated(path, progress=stop_after(after))
    assert not path.exists()
    assert journal_path(path).exists()
    told = []
    simulated(path, progress=lambda done, of: told.append(done))
    assert path.read_bytes() == complete_file
    assert told[0] == after + 1, "what was played is not played again"
    assert list(tmp_path.iterdir()) == [path]


def test_a_torn_journal_resumes_to_the_same_bytes(tmp_path, monkeypatch, complete_file):
    """At every byte of its last lines, as a system crash may leave it, with and without garbage after it."""
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 2)
    path = tmp_path / "games.csv"
    with pytest.raises(Stop):
        simulated(path, progress=stop_after(8))
    journal = journal_path(path)
    content = journal.read_bytes()
    ends = [at for at, sign in enumerate(content) if sign == 10]
    for cut in [*range(ends[-3], len(content), 97), len(content) - 1]:
        for rubbish in (b"", b"\0\0\0\n", b"00000000 []\n"):
            journal.write_bytes(content[:cut] + rubbish)
            simulated(path, force=True)
            assert path.read_bytes() == complete_file
            path.unlink()


def planned(path, n, **more):
    """Run a simulation with its own progress for playing and writing."""
    game = kibitz.game("go-mini")
    return run_plan(game, specs_of(game, PLAYERS), n, path, 5, 1, records=False, force=False, **more)


def test_an_interrupt_keeps_the_games_played(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 2)
    path, interrupted = tmp_path / "games.csv", stop_after(4, KeyboardInterrupt)
    ended = planned(path, 12, playing=lambda: nullcontext(interrupted), keep_on_interrupt=True)
    assert (ended.complete, ended.games, ended.requested, ended.path) == (False, 4, 12, journal_path(path))
    with pytest.raises(KeyboardInterrupt):
        simulated(tmp_path / "other.csv", progress=interrupted)


def test_writing_has_its_own_progress(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 2)
    told = []
    playing, writing = (
        lambda name=name: nullcontext(lambda *both: told.append((name, *both))) for name in ("played", "written")
    )
    planned(tmp_path / "games.csv", 6, playing=playing, writing=writing)
    assert told == [(name, done, 6) for name in ("played", "written") for done in range(1, 7)]


def test_more_or_fewer_games_start_with_the_same_ones(tmp_path, monkeypatch, complete_file):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 2)
    path = tmp_path / "games.csv"
    with pytest.raises(Stop):
        simulated(path, n=6, progress=stop_after(4))
    simulated(path, n=12)
    assert path.read_bytes() == complete_file
    few = tmp_path / "few.csv"
    with pytest.raises(Stop):
        simulated(few, progress=stop_after(8))
    simulated(few, n=3)
    lines = complete_file.splitlines()
    assert few.read_bytes().splitlines() == lines[: 1 + 3 * 2]


OTHER = {
    "players": {"players": ["greedy", "first", "random"]},
    "seed": {"seed": 6},
    "records": {"records": True, "output": "games.jsonl"},
    "game": {"game": "go:players=2"},
    "player files": {"players": ["greedy", "random", str(FIRST)], "game": "go:players=2"},
}


@pytest.mark.parametrize("what", OTHER)
def test_another_simulations_journal_is_refused(tmp_path, monkeypatch, what):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 2)
    words = {"game": "go-mini", "players": PLAYERS, "n": 8, "seed": 5, "workers": 1, "output": "games.jsonl"}
    with pytest.raises(Stop):
        kibitz.simulate(**words | {"output": tmp_path / words["output"]}, progress=stop_after(2))
    words |= OTHER[what]
    words["output"] = tmp_path / words["output"]
    before = journal_path(words["output"]).read_bytes()
    with pytest.raises(KibitzError, match="holds games of another simulation"):
        kibitz.simulate(**words)
    assert journal_path(words["output"]).read_bytes() == before
    assert kibitz.simulate(**words, force=True).complete


def test_a_changed_player_file_counts_as_another_player(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.games.MAX_CHUNK", 1)
    mine = tmp_path / "mine.py"
    mine.write_text(FIRST.read_text())
    words = "go:players=2", [str(mine), "random"], 3, tmp_path / "games.csv"
    with pytest.raises(Stop):
        kibitz.simulate(*words, workers=1, progress=stop_after(1))
    mine.write_text(FIRST.read_text() + "\n# changed\n")
    with pytest.raises(KibitzError, match=r"another simulation \(player files\)"):
        kibitz.simulate(*words, workers=1)


def test_forfeits_are_in_the_table_with_their_reasons(tmp_path):
    path = tmp_path / "games.csv"
    kibitz.simulate("go", [FIRST, BROKEN, "first"], 4, path, seed=3, workers=1)
    (found,) = kibitz.stats(path).games
    lines = {line.player: line for line in found.players}
    assert lines["broken_illegal"].forfeits == {"invalid": sum(lines["broken_illegal"].forfeits.values())}
    assert "comp10001go_play must return one card of the hand" in path.read_text(encoding="utf-8")


def test_records_can_be_written_in_every_format_that_holds_them(tmp_path):
    texts = {}
    for name in ("folder", "a.zip", "a.jsonl", "a.parquet"):
        simulated(tmp_path / name, 3, records=True)
        found = kibitz.records(tmp_path / name)
        texts[name] = [one.record for one in found]
        assert found.problems == []
    assert len(texts["folder"]) == 3
    assert all(each == texts["folder"] for each in texts.values())
    files = sorted((tmp_path / "folder").iterdir())
    assert [file.name for file in files] == ["0000000.game", "0000001.game", "0000002.game"]
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.testzip() is None
        assert parse(archive.read("0000002.game").decode()) == texts["folder"][2]


def test_an_existing_file_is_overwritten_only_with_force(tmp_path):
    for name in ("games.csv", "folder/kept.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("precious")
        target = path if path.suffix == ".csv" else path.parent
        with pytest.raises(KibitzError, match="already exists"):
            simulated(target)
        assert path.read_text() == "precious"
    simulated(tmp_path / "folder", 2, force=True)
    assert (tmp_path / "folder" / "kept.txt").read_text() == "precious"
    assert (tmp_path / "folder" / "0000001.game").exists()


def test_a_full_disk_keeps_the_games_played(tmp_path, monkeypatch, complete_file):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    path = tmp_path / "games.csv"
    with monkeypatch.context() as patch:
        patch.setattr(simulation, "write_games", full)
        with pytest.raises(KibitzError, match="no space left on device; the games played so far are kept in"):
            simulated(path)
    assert list(tmp_path.iterdir()) == [journal_path(path)]
    with monkeypatch.context() as patch:
        patch.setattr(rows.csv_files, "write_rows", full)
        with pytest.raises(KibitzError, match="no space left"):
            simulated(path)
    simulated(path)
    assert path.read_bytes() == complete_file


def test_two_programs_cannot_write_the_same_file(tmp_path):
    held = Journal(tmp_path / "games.csv")
    try:
        with pytest.raises(KibitzError, match="is being written by another simulation"):
            simulated(tmp_path / "games.csv")
    finally:
        held.close()


def test_a_file_that_is_not_a_journal_is_not_touched(tmp_path):
    journal_path(tmp_path / "games.csv").write_text("precious")
    with pytest.raises(KibitzError, match="a simulation that can be resumed"):
        simulated(tmp_path / "games.csv")
    assert journal_path(tmp_path / "games.csv").read_text() == "precious"


def test_memory_use_does_not_grow_with_the_number_of_games(tmp_path, monkeypatch):
    """Games of the journal are released once their chunk is written."""
    alive, most = [0], [0]

    class Counted(simulation.FinishedGame, frozen=True, array_like=True):
        def __post_init__(self):
            alive[0] += 1
            most[0] = max(most[0], alive[0])

        def __del__(self):
            alive[0] -= 1

    monkeypatch.setattr(simulation, "FinishedGame", Counted)
    monkeypatch.setattr("kibitz.data.simulation.FinishedGame", Counted)
    kibitz.simulate("kuhn:hands=1", ["random"], 900, tmp_path / "games.csv", workers=1)
    assert 0 < most[0] < 400


WRONG = {
    "no ending": (("games.xlsx",), {}, "has an unknown ending: use .csv, .jsonl or .parquet"),
    "csv records": (("games.csv",), {"records": True}, "CSV can't hold records, which have many lines"),
    "no folder": (("none/games.csv",), {}, "there is no folder"),
    "no games": (("games.csv", 0), {}, "n must be from 1 to"),
    "too many": (("games.csv", 10**12), {}, "n must be from 1 to"),
    "no number": (("games.csv", "many"), {}, "n must be a whole number"),
    "no seed": (("games.csv",), {"seed": -1}, "a seed is a whole number"),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_arguments_are_refused_without_a_trace(tmp_path, what):
    (name, *n), other, sentence = WRONG[what]
    with pytest.raises(KibitzError, match=sentence):
        simulated(tmp_path / name, *n, **other)
    assert list(tmp_path.iterdir()) == []


def test_missing_paths_and_functions_are_refused(tmp_path):
    with pytest.raises(NotationError, match="output must be the path of a file"):
        simulated(7)
    with pytest.raises(NotationError, match="simulate needs names or player files"):
        kibitz.simulate("go-mini", [lambda view, legal: legal[0]], 1, tmp_path / "games.csv")


def test_missing_pyarrow_is_reported_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(KibitzError, match=r"Parquet needs pyarrow: pip install 'kibitz\[data\]'"):
        simulated(tmp_path / "games.parquet")
    (tmp_path / "other.parquet").write_bytes(b"PAR1")
    assert "Parquet needs pyarrow" in kibitz.stats(tmp_path).problems[0]
    simulated(tmp_path / "games.csv")


def kibitz_words(path, games):
    return [
        *(sys.executable, "-m", "kibitz", "simulate", "go-mini", "greedy", "random"),
        *("--games", str(games), "--seed", "5", "--workers", "1", "-o", str(path)),
    ]


@pytest.mark.parametrize("number", first_fast([signal.SIGINT, signal.SIGKILL]))
def test_a_program_stopped_by_a_signal_resumes(tmp_path, number):
    path = tmp_path / "games.csv"
    command = subprocess.Popen(kibitz_words(path, 100_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not (journal_path(path).exists() and journal_path(path).read_bytes().count(b"\n") > 2):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(command.pid, number)
    out, err = command.communicate(timeout=60)
    assert not path.exists()
    if number == signal.SIGINT:
        assert command.returncode == 130
        assert f"are kept in {journal_path(path)}" in " ".join(out.split())
        assert "To resume:\nkibitz simulate go-mini greedy random" in out
        assert "Traceback" not in err
    done = Journal(path)
    assert done.read_existing() is not None
    games = done.done
    done.close()
    assert games > 0
    kibitz.simulate("go-mini", ["greedy", "random"], games + 2, path, seed=5, workers=1)
    other = tmp_path / "other.csv"
    kibitz.simulate("go-mini", ["greedy", "random"], 8, other, seed=5, workers=1)
    assert path.read_bytes().startswith(other.read_bytes())


def test_a_machine_failure_counts_no_games(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise PlayerError("time", "It failed.")
        yield

    monkeypatch.setattr(simulation, "play_in_order", failing)
    with pytest.raises(PlayerError):
        simulated(tmp_path / "games.csv")
    assert not (tmp_path / "games.csv").exists()


def test_only_a_few_chunks_are_handed_out_at_a_time():
    """So that a long simulation does not keep all games in memory, and no worker waits."""
    from kibitz.executors import map_unordered, open_executor
    from kibitz.executors.mapping import MAX_AHEAD
    from tests.executors.blocks import squared

    handed = []

    def items():
        for number in range(50):
            handed.append(number)
            yield number

    with open_executor("local", 1) as place:
        for done, (number, found) in enumerate(map_unordered(place, squared, 0, items())):
            assert found == number**2
            assert len(handed) <= done + MAX_AHEAD + 2
    assert len(handed) == 50


@pytest.mark.parametrize(
    ("games", "workers", "fast", "size"),
    [(1, 1, True, 1), (10**6, 1, True, 1024), (10**6, 1, False, 64), (100, 2, False, 7), (0, 1, False, 1)],
)
def test_chunks_share_the_games_among_workers(games, workers, fast, size):
    """Eight chunks per worker if there are enough games."""
    assert chunk_size(games, workers, in_machine_code=fast) == size
