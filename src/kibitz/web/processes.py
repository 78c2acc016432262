"""Processes in addition to the server's own, so that long computations don't delay the tables.

    answer_lines  sends a process one line of JSON, and yields the lines of its answer
    worker        a process that answers questions over two pipes, which work on every system; a question is a pickled
                  function with its arguments, preceded by its length
    SearchPool    asks workers for computer players' decisions and for advice

A process is ended with all its children once nobody waits for its answers. Ctrl-C reaches only the server: its
processes are detached from the terminal.

A strategy is asked for one decision at a time, with a random generator whose seed depends on the game's seed, the seat
and the step. So any process can be asked, and after a restart of the server a table continues in the same way.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import struct
import subprocess
import sys
from asyncio import IncompleteReadError
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, BinaryIO, NamedTuple, TypeVar

from kibitz.engine.registry import all_games
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import View
from kibitz.errors import MachineError
from kibitz.executors.worker import KILL, cores, die_with_parent
from kibitz.players.advice import Hint, hint
from kibitz.players.built_in import strategies

MAX_LINE_BYTES = 64 << 20
GRACE_SECONDS = 5.0
"""Seconds that a process has to end by itself after it is asked to."""


async def start_process(module: str, *, errors: int | None = None) -> Process:
    """Start a process that runs ``main`` of a module, with pipes to and from it.

    Raises OSError if it cannot be started.

    ``errors`` is where its standard error goes (default: to the server's).
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"from {module} import main; main()",
        stdin=PIPE,
        stdout=PIPE,
        stderr=errors,
        limit=MAX_LINE_BYTES,
        process_group=0,
        creationflags=flags,
    )


async def answer_lines(module: str, question: bytes) -> AsyncIterator[bytes]:
    """Run ``main`` of a module in a process of its own, send it a question, and yield the lines that it writes."""
    process = await start_process(module, errors=DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + b"\n")
        with suppress(ConnectionError):
            await process.stdin.drain()
        while line := await process.stdout.readline():
            yield line
        await process.wait()
    finally:
        if process.returncode is None:
            await asyncio.shield(end_process(process))


async def end_process(process: Process) -> None:
    """Ask a process to end, so that it saves its work; after ``GRACE_SECONDS``, kill it."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), GRACE_SECONDS)
    except TimeoutError:
        await kill_process(process)


async def kill_process(process: Process) -> None:
    """Kill a process, with all its children if the system has process groups."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if KILL and hasattr(os, "killpg"):
            os.killpg(process.pid, KILL)
        else:
            process.kill()
    await process.wait()


# ---------------------------------------------------------------- workers

# A worker ends when its pipes are closed, so it ends soon after the server does, even if the server is killed.

LENGTH = struct.Struct("!Q")


class WorkerGone(Exception):
    """A worker died before or while it answered a question."""


class QuestionOutcome(NamedTuple):
    """The outcome of a question: the result of its function, or the exception that it raised if not ``ok``."""

    ok: bool
    outcome: Any

    def value(self) -> Any:
        """The result; raises the exception if there is one."""
        if self.ok:
            return self.outcome
        raise self.outcome


class Worker:
    """The server's end of a process, for one question at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.stdin, self.stdout = process, process.stdin, process.stdout

    @classmethod
    async def start(cls) -> Worker:
        """A new process. Raises OSError if it cannot be started."""
        worker = cls(await start_process("kibitz.web.processes"))
        worker.write(os.getpid())
        return worker

    @property
    def is_gone(self) -> bool:
        """Whether the process has ended."""
        return self.process.returncode is not None

    def write(self, value: Any) -> None:
        """Send a value, without waiting for the process to read it."""
        self.stdin.write(message(value))

    async def answer(self, question: Callable[..., Any], *arguments: Any) -> QuestionOutcome:
        """The answer to a question. Raises WorkerGone if the process dies."""
        try:
            self.write((question, arguments))
            await self.stdin.drain()
            (length,) = LENGTH.unpack(await self.stdout.readexactly(LENGTH.size))
            return QuestionOutcome(*pickle.loads(await self.stdout.readexactly(length)))
        except (ConnectionError, IncompleteReadError) as error:
            raise WorkerGone from error

    async def end(self) -> None:
        """End the process, and close the pipes to it."""
        await kill_process(self.process)
        self.stdin.close()
        with suppress(ConnectionError):
            await self.stdin.wait_closed()
        await self.stdout.read()


def main() -> None:
    """Answer questions until the pipe is closed.

    What a player prints goes to standard error, since it isn't an answer. The games are loaded first: otherwise a view
    of a game from a path could not be unpickled.
    """
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError, OSError):
        die_with_parent(pickle.loads(read_message(questions)))
        all_games()
        while True:
            answers.write(answer_to(read_message(questions)))
            answers.flush()


def read_message(source: BinaryIO) -> bytes:
    """The next value that was sent, still pickled. Raises EOFError if the other end is closed."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return source.read(*LENGTH.unpack(head))


def message(value: Any) -> bytes:
    """A value as it is sent: pickled, preceded by its length."""
    content = pickle.dumps(value)
    return LENGTH.pack(len(content)) + content


def answer_to(pickled_question: bytes) -> bytes:
    """The answer to a question, as it is sent; an exception that can't be pickled is replaced by a RuntimeError."""
    try:
        question, arguments = pickle.loads(pickled_question)
        return message((True, question(*arguments)))
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return message((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return message((False, error))


# ---------------------------------------------------------------- the pool of workers

T = TypeVar("T")
TIMEOUT = 60.0
"""Seconds for one decision, from when a process begins it."""


class SearchPool:
    """Worker processes that are asked for decisions; they start with the first questions, or with ``start``.

    All questions must be asked in the same event loop.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, cores())
        self.slots = asyncio.Semaphore(self.workers)
        self.idle: list[Worker] = []
        self.unanswered: set[asyncio.Task[QuestionOutcome]] = set()

    async def start(self) -> None:
        """Start every process, so that the first decisions don't wait for that."""
        await asyncio.gather(*(self.ask(load_modules) for _ in range(self.workers)))

    async def think(self, game: str, player: str, view: View, legal: Sequence[int], seed: int) -> int:
        """The choice of a computer player; raises what the player raises."""
        return await self.ask(decide, game, player, view, list(legal), seed)

    async def advise(self, game: str, view: View, legal: Sequence[int], seed: int) -> Hint:
        """The choice of the strongest player, and why."""
        return await self.ask(advise, game, view, list(legal), seed)

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        """The result of a question; a second process is asked if the first dies. Raises MachineError if none answers.

        No more questions are asked at a time than there are processes, so waiting questions don't time out. A question
        keeps its slot until its process has answered, even if nobody waits for the answer any more.
        """
        await self.slots.acquire()
        task = asyncio.create_task(self.answer(question, *arguments))
        self.unanswered.add(task)
        task.add_done_callback(self.release_slot)
        answer = await asyncio.shield(task)
        result: T = answer.value()
        return result

    def release_slot(self, task: asyncio.Task[QuestionOutcome]) -> None:
        """Let the next question be asked, after one was answered."""
        self.unanswered.discard(task)
        self.slots.release()

    async def answer(self, question: Callable[..., Any], *arguments: Any) -> QuestionOutcome:
        """The answer of a process, or a MachineError as the answer if there is none."""
        for _ in range(2):
            try:
                worker = await self.idle_worker()
            except OSError:
                break
            try:
                answer = await asyncio.wait_for(worker.answer(question, *arguments), TIMEOUT)
            except WorkerGone:
                await worker.end()
            except TimeoutError:
                await worker.end()
                break
            except BaseException:
                await worker.end()
                raise
            else:
                self.idle.append(worker)
                return answer
        sentence = "A computer player doesn't answer. The machine may be busy or short of memory."
        return QuestionOutcome(ok=False, outcome=MachineError(sentence))

    async def idle_worker(self) -> Worker:
        """An idle process, or else a new process. Raises OSError if it cannot be started."""
        while self.idle:
            worker = self.idle.pop()
            if not worker.is_gone:
                return worker
            await worker.end()
        return await Worker.start()

    async def close(self) -> None:
        """End the processes."""
        for task in self.unanswered:
            task.cancel()
        await asyncio.gather(*self.unanswered, return_exceptions=True)
        while self.idle:
            await self.idle.pop().end()


def load_modules() -> None:
    """Load the modules that strategies need, in a worker process."""
    import kibitz.engine.kernels.compilation  # noqa: F401


def decide(game: str, player: str, view: View, legal: list[int], seed: int) -> int:
    """A computer player's decision, computed in a worker process."""
    return strategies(find_game(game))[player](view, legal, Random(seed))


def advise(game: str, view: View, legal: list[int], seed: int) -> Hint:
    """The strongest player's advice, computed in a worker process."""
    return hint(find_game(game), view, legal, seed)
