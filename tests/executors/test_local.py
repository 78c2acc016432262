"""Executors have addresses, and local worker processes run blocks, die and are replaced."""

import os
import threading
import time

import pytest

from kibitz.errors import KibitzError, MachineError, NotationError, PlayerError, RecordError, StoreError
from kibitz.executors import address_of, dask_worker, executor_of, local, map_unordered, open_executor
from kibitz.executors.worker import SentError, Work
from tests.executors import blocks
from tests.tiers import first_fast


def test_an_executor_has_an_address():
    assert address_of("local") is None
    assert address_of("dask://127.0.0.1:8786") == "tcp://127.0.0.1:8786"
    assert address_of("dask://[::1]:8786") == "tcp://[::1]:8786"
    assert address_of("dask+tls://head.cluster.example:1/") == "tls://head.cluster.example:1"


@pytest.mark.parametrize(
    "on", ["", "loca", "dask", "dask://", "dask://host", "dask://host:0", "dask://host:99999", "tcp://host:8786",
           "dask://user:pass@host:1", "dask://ho st:8786", "dask://host:8786/x"],
)  # fmt: skip
def test_an_invalid_executor_is_refused_with_the_valid_forms(on):
    with pytest.raises(NotationError, match=r"isn't an executor: write 'local' or 'dask://HOST:PORT'"):
        address_of(on)


def test_a_number_of_workers_is_refused_for_a_cluster():
    with pytest.raises(NotationError, match="leave out the number 3"):
        executor_of("dask://127.0.0.1:8786", 3)


@pytest.fixture(scope="module")
def place():
    with open_executor("local", 2) as opened:
        yield opened


def test_results_have_their_numbers_on_every_executor(place):
    expected = {number: number**2 + 7 for number in range(30)}
    assert dict(map_unordered(None, blocks.squared, 7, range(30))) == expected
    assert dict(map_unordered(place, blocks.squared, 7, range(30))) == expected
    assert dict(map_unordered(place, lambda given, item: given, "again", [1, 2])) == {0: "again", 1: "again"}
    assert list(map_unordered(place, blocks.squared, 7, [])) == []


def test_results_may_be_of_a_class_from_the_work_module(place):
    ((_, found),) = map_unordered(place, blocks.found, None, [3])
    assert found == blocks.Found(9)
    assert type(found) is blocks.Found


def test_the_error_of_the_first_item_is_raised_and_later_results_are_discarded(place):
    with pytest.raises(NotationError, match=r"1 is odd\."):
        list(map_unordered(place, blocks.slow_first, None, range(8)))
    assert dict(map_unordered(place, blocks.squared, 0, range(9))) == {number: number**2 for number in range(9)}


def test_a_block_is_retried_if_its_worker_dies(place, tmp_path):
    assert dict(map_unordered(place, blocks.dies_once, str(tmp_path / "flag"), range(5))) == {n: n for n in range(5)}


def test_unpicklable_arguments_are_refused(place):
    with pytest.raises(NotationError, match="can't be sent"):
        list(map_unordered(place, blocks.squared, threading.Lock(), [1]))


def test_dropped_parts_are_forgotten(place):
    list(map_unordered(place, blocks.squared, 1, [1]))
    assert place.contents == {}
    assert [one.blob_sizes for one in place.processes] == [{}, {}]


def test_a_block_that_kills_every_worker_is_an_error():
    with open_executor("local", 1) as place, pytest.raises(MachineError, match=r"died repeatedly.*SIGKILL"):
        list(map_unordered(place, blocks.dies, None, [1]))


def test_workers_end_with_their_executor():
    with open_executor("local", 2) as place:
        found = {
            pid
            for _, (pid, parent) in map_unordered(place, blocks.whereabouts, None, range(8))
            if parent == os.getpid()
        }
    assert len(found) == 2
    end = time.monotonic() + 120
    while any(os.path.exists(f"/proc/{pid}") for pid in found):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_cluster_workers_evict_old_blobs(monkeypatch):
    monkeypatch.setattr(dask_worker, "MAX_BLOB_BYTES", 250)
    member = local.WorkerProcess(None)
    for number in range(5):
        work = Work("tests.executors.blocks:nothing", b"", (f"blob{number}",))
        member.send_block(number, work, {f"blob{number}": bytes(100)})
        while member.receive() is None:
            pass
        dask_worker.forget_old_blobs(member, work)
    assert list(member.blob_sizes) == ["blob3", "blob4"]
    member.end()


def test_every_error_can_be_sent_between_processes():
    given = {
        RecordError: ("It is untrue.", "a.game", 3),
        PlayerError: ("time", "It was late.", "detail"),
        StoreError: ("locked", "It is locked."),
    }
    kinds = {KibitzError}
    while more := {below for kind in kinds for below in kind.__subclasses__()} - kinds:
        kinds |= more
    for kind in (kind for kind in kinds if kind.__module__ == "kibitz.errors"):
        error = kind(*given.get(kind, ("A sentence.",)))
        error.add_note("a note")
        again = SentError.of(error).exception()
        assert type(again) is kind
        assert (str(again), again.args, again.__notes__) == (str(error), error.args, ["a note"])


def test_a_worker_that_cannot_start_is_an_error_with_its_output(monkeypatch):
    monkeypatch.setattr(local, "START_CODE", "import sys; sys.exit('no such module')")
    with (
        open_executor("local", 1) as place,
        pytest.raises(MachineError, match=r"cannot run workers: .* no such module"),
    ):
        list(map_unordered(place, blocks.squared, 1, [1]))


def test_workers_prepare_once_before_their_first_block(tmp_path):
    """A block that arrives meanwhile waits for a free slot."""
    told = tmp_path / "told"
    with open_executor("local", 2) as place:
        place.prepare(Work("tests.executors.blocks:gets_ready", os.fsencode(told)))
        assert place.free_slots() == 0
        found = dict(map_unordered(place, blocks.whereabouts, None, range(8)))
        assert place.free_slots() == 2
    ready = [int(line) for line in told.read_text().split()]
    assert len(ready) == len(set(ready)) == 2
    assert {own for own, _ in found.values()} <= set(ready)


@pytest.mark.parametrize("how", first_fast([b"die", b"fail"]))
def test_a_worker_that_fails_to_prepare_still_does_its_blocks(how):
    """A lasting fault is reported by a block; a dead worker is replaced."""
    with open_executor("local", 1) as place:
        place.prepare(Work("tests.executors.blocks:gets_ready", how))
        assert dict(map_unordered(place, blocks.squared, 1, range(3))) == {0: 1, 1: 2, 2: 5}
