"""A server's worker processes answer, fail independently, and end with the server."""

import asyncio
import os
import signal
import sys
import time

import msgspec
import pytest

from kibitz.executors.worker import die_with_parent
from kibitz.web.job_process import FeedbackWork, JobStatus, Order
from kibitz.web.processes import SearchPool, Worker, WorkerGone, answer_lines


class OddError(Exception):
    """An exception that can't be unpickled."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


def odd():
    raise OddError("one", "two")


def loud(words):
    print(words)
    return words


def test_a_worker_answers_fails_and_dies_per_question():
    async def asked():
        worker = await Worker.start()
        try:
            pid = (await worker.answer(os.getpid)).value()
            assert (await worker.answer(loud, "printed")) == (True, "printed")
            with pytest.raises(ValueError, match="invalid literal"):
                (await worker.answer(int, "no number")).value()
            with pytest.raises(TypeError, match="pickle"):
                (await worker.answer(open, os.devnull)).value()
            with pytest.raises(RuntimeError, match="OddError: one and two"):
                (await worker.answer(odd)).value()
            with pytest.raises(WorkerGone):
                await worker.answer(os._exit, 3)
        finally:
            await worker.end()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert worker.is_gone

    asyncio.run(asked())


def test_a_dead_worker_is_replaced_and_closing_leaves_none():
    async def asked():
        search_pool = SearchPool(1)
        first = await search_pool.ask(os.getpid)
        os.kill(first, signal.SIGKILL)
        second = await search_pool.ask(os.getpid)
        assert second != first
        busy = asyncio.create_task(search_pool.ask(time.sleep, 60))
        await asyncio.sleep(0.1)
        busy.cancel()
        await search_pool.close()
        with pytest.raises(ProcessLookupError):
            os.kill(second, 0)

    asyncio.run(asked())


def test_a_jobs_process_reports_its_error_in_its_last_line(tmp_path):
    order = Order(FeedbackWork(str(tmp_path / "season.sqlite"), "kuhn"), os.getpid(), str(tmp_path))

    async def lines():
        return [line async for line in answer_lines("kibitz.web.job_process", msgspec.json.encode(order))]

    status = msgspec.json.decode(asyncio.run(lines())[-1], type=JobStatus)
    assert (status.ended, status.good, "season.sqlite" in status.sentence) == (True, False, True), status


def test_windows_processes_survive_a_launcher_as_parent(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    die_with_parent(1)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SystemExit):
        die_with_parent(1)
