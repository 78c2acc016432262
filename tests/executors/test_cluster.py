"""On a Dask cluster all results are as on this machine, even after kills; unsuitable workers are left out."""

import re
import sys
import time

import numpy as np
import pytest

import kibitz
from kibitz.arena.running.tournament import run
from kibitz.cli import main
from kibitz.errors import MachineError
from kibitz.executors import cluster as clusters
from kibitz.executors import map_unordered, open_executor
from kibitz.executors.cluster import EventLoopThread, close_client, connect_client
from kibitz.players.specs import find_player
from kibitz.sandbox import tier
from tests.executors import blocks
from tests.executors.dask import HERE, UNCONFINED, free_port

FIRST = HERE / "examples" / "players" / "go" / "first.py"
confined = pytest.mark.skipif(not tier().confines, reason="this machine cannot confine player files")
pytestmark = pytest.mark.xdist_group("cluster")


def written_tables(found):
    """Everything written about a tournament, as bytes."""
    return found.to_json().encode(), found.to_csv().encode(), found.ranking_csv().encode()


def go_players(words):
    """The game, and players by their names."""
    game = kibitz.game("go-mini")
    return game, [find_player(game, str(word)) for word in words]


@pytest.mark.long
def test_games_are_the_same_on_a_cluster(cluster):
    """Built-in players, a function, and a player file."""

    def last(view, legal):
        return legal[-1]

    players = ["greedy", last, *([FIRST] if tier().confines else [])]
    one = kibitz.play_games("go", players, 12, seed=3, workers=1)
    told = []
    other = kibitz.play_games("go", players, 12, seed=3, on=cluster.on, progress=lambda *done: told.append(done))
    for name in ("scores", "winners", "lengths", "lineups"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert (one.standings, one.failures) == (other.standings, other.failures)
    assert told[-1] == (12, 12)


@pytest.mark.long
def test_an_exception_on_the_cluster_is_raised_locally(cluster):
    from kibitz.errors import NotationError

    with open_executor(cluster.on) as place, pytest.raises(NotationError, match=r"1 is odd\."):
        list(map_unordered(place, blocks.slow_first, None, range(6)))


@pytest.mark.long
def test_blocks_run_in_worker_processes_reused_by_later_runs(cluster):
    """Not in Dask's workers: their parents are Dask's two workers, and both have been used."""
    found = []
    for _ in range(2):
        with open_executor(cluster.on) as place:
            found.append({pids for _, pids in map_unordered(place, blocks.whereabouts, None, range(12))})
    assert {parent for _, parent in found[0]} == {worker.pid for worker in cluster.workers}
    assert found[0] == found[1]


@pytest.mark.long
def test_the_scheduler_sees_no_result(cluster):
    """What passes through it stays small, however large the results are."""
    with open_executor(cluster.on) as place:
        place.begin()
        seen = []
        real = place.client.scheduler.gather

        async def gather(*given, **named):
            seen.append(named)
            return await real(*given, **named)

        place.client.scheduler.gather = gather
        for _, found in map_unordered(place, blocks.large, 1 << 20, range(4)):
            assert len(found) == 1 << 20
        assert seen == []


@pytest.mark.long
def test_a_block_is_retried_if_its_process_dies_but_not_for_ever(cluster, tmp_path):
    with open_executor(cluster.on) as place:
        assert dict(map_unordered(place, blocks.dies_once, str(tmp_path / "flag"), range(5))) == {
            n: n for n in range(5)
        }
        with pytest.raises(MachineError, match=r"died repeatedly.*SIGKILL"):
            list(map_unordered(place, blocks.dies, None, [1]))


def test_an_unreachable_cluster_is_reported_within_seconds(capfd):
    start = time.monotonic()
    with (
        open_executor(f"dask://127.0.0.1:{free_port()}") as place,
        pytest.raises(MachineError, match="no Dask scheduler at") as caught,
    ):
        place.begin()
    assert time.monotonic() - start < 30
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_missing_certificates_are_reported_with_their_settings(cluster):
    secret = cluster.on.replace("dask:", "dask+tls:")
    with open_executor(secret) as place, pytest.raises(MachineError, match="no certificates"):
        place.begin()


def test_missing_dask_is_reported_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        open_executor("dask://127.0.0.1:8786") as place,
        pytest.raises(MachineError, match=r"pip install 'kibitz\[cluster\]'"),
    ):
        place.begin()


@pytest.mark.long
def test_a_cluster_without_workers_is_given_up_after_a_wait(fragile, monkeypatch):
    monkeypatch.setattr(clusters, "WORKERS_SECONDS", 1.0)
    with open_executor(fragile.on) as place, pytest.raises(MachineError, match="has no workers: start some"):
        list(map_unordered(place, blocks.squared, 1, [1]))


@pytest.mark.long
def test_a_lost_scheduler_is_given_up_after_a_wait(fragile, monkeypatch):
    """Games played before are kept, and a machine failure is reported."""
    monkeypatch.setattr(clusters, "RECONNECT_SECONDS", 1.0)
    fragile.add_worker()
    game, specs = go_players(["greedy", "random"])

    def disturb(now, total):
        if now >= 4 and fragile.scheduler.poll() is None:
            fragile.end(fragile.scheduler)

    ended = run(game, specs, 1000, 1, None, disturb, on=fragile.on)
    assert (ended.complete, len(ended.results) >= 4) == (False, True)
    assert "hasn't come back" in ended.machine_error


@pytest.mark.long
@confined
def test_player_files_go_only_to_workers_with_a_sandbox(fragile, monkeypatch):
    """A worker without a sandbox is left out with a sentence; without any other worker, that is an error."""
    monkeypatch.setattr(clusters, "SUITABLE_SECONDS", 1.0)
    fragile.add_worker(UNCONFINED)
    game, specs = go_players([FIRST])
    with pytest.raises(MachineError, match=r"No worker of the cluster .* its sandbox doesn't work") as caught:
        kibitz.play_games(game, [FIRST], 4, on=fragile.on)
    assert "\n" not in str(caught.value)
    with pytest.raises(MachineError, match="its sandbox doesn't work"):
        run(game, specs, 4, 1, on=fragile.on)
    builtin = go_players(["greedy", "random"])[1]
    assert written_tables(run(game, builtin, 2, 1, on=fragile.on)) == written_tables(run(game, builtin, 2, 1, 1))
    monkeypatch.setattr(clusters, "SUITABLE_SECONDS", 60.0)
    specs = go_players(["greedy", FIRST])[1]
    fragile.add_worker()
    notes = []
    played = run(game, specs, 4, 1, on=fragile.on, note=notes.append)
    assert written_tables(played) == written_tables(run(game, specs, 4, 1, 1))
    assert all("A worker is left out: " in note and "its sandbox doesn't work" in note for note in notes)


OTHERS = {
    "another version": ("import kibitz; kibitz.__version__ = '9.9'", r"it has Kibitz 9\.9, but this is "),
    "none": (
        "import sys\n\nclass Without:\n    def find_spec(self, name, path, target=None):\n"
        "        if name.partition('.')[0] == 'kibitz': raise ModuleNotFoundError('No module named kibitz')\n\n"
        "sys.meta_path.insert(0, Without())",
        "it doesn't have Kibitz .*: No module named kibitz",
    ),
    "other rules": (
        "from kibitz.games.go import rules\nimport kibitz.executors.local as m\n"
        "m.START_CODE = 'from kibitz.games.go import rules; rules.VERSION = 99; ' + m.START_CODE",
        "it has version 99 of the rules of go-mini, and version ",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("which", OTHERS)
def test_workers_with_another_kibitz_version_are_refused(fragile, monkeypatch, which):
    code, sentence = OTHERS[which]
    monkeypatch.setattr(clusters, "SUITABLE_SECONDS", 1.0)
    fragile.add_worker(code)
    game, specs = go_players(["greedy", "random"])
    with pytest.raises(MachineError, match=sentence) as caught:
        run(game, specs, 4, 1, on=fragile.on)
    assert "\n" not in str(caught.value)


def test_the_command_plays_on_a_cluster_and_reports_errors(cluster, capsys):
    """The same table as on this machine, and one sentence if there is no cluster."""

    def told(*words):
        status = main(["tournament", "go-mini", "greedy", "random", "--deals", "3", "--seed", "1", *words])
        return status, *capsys.readouterr()

    assert told("--on", cluster.on)[:2] == told("--workers", "1")[:2]
    status, out, error = told("--on", f"dask://127.0.0.1:{free_port()}")
    assert (status, out) == (2, "")
    assert re.fullmatch(r"kibitz: There is no Dask scheduler at .*: start it, or check host and port\.\n", error)


@pytest.mark.long
@pytest.mark.parametrize("kills", [1, 12])
def test_killing_workers_and_the_scheduler_changes_no_result(fragile, tmp_path, kills):
    """The results, failures and table of a stored tournament with player files."""
    from random import Random

    random = Random(kills)
    game, specs = go_players(["greedy", "random", *([FIRST] if tier().confines else [])])
    deals = 25 * kills
    fragile.add_worker()
    fragile.add_worker()
    undisturbed = run(game, specs, deals, 1, 2, where=tmp_path / "undisturbed.db")
    done, due = [0], [2]

    def disturb(now, total):
        if now < due[0] or done[0] >= 2 * kills:
            return
        due[0] = now + max(1, random.randrange(deals // (2 * kills) + 1))
        done[0] += 1
        if done[0] % 2:
            fragile.kill_worker(random.randrange(2))
        else:
            fragile.kill_scheduler()

    disturbed = run(game, specs, deals, 1, None, disturb, where=tmp_path / "disturbed.db", on=fragile.on)
    assert done[0] == 2 * kills
    assert written_tables(disturbed) == written_tables(undisturbed)


@pytest.mark.long
def test_a_released_connection_is_not_closed_during_garbage_collection(fragile):
    """Dask would close it with a coroutine that nobody awaits."""
    loop = EventLoopThread()
    try:
        client, _ = loop.result(connect_client(fragile.on.replace("dask", "tcp")))
        assert client.close() is None
        assert client.status == "running"
        loop.result(close_client(client))
        assert client.status == "closed"
    finally:
        loop.end()
