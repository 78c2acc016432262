"""Commands that pages show with what they say: every one of them is run by the tests, and written by this.

    python -m website.consoles docs/games/go.md     run the commands of a page, and write what they say into it

    example     a fence whose first line begins with ``$``: commands, each with what it says below it; or one with
                nothing but commands of Kibitz, which say nothing there
    note        a comment on the line before the fence, such as ``<!-- run: long -->``
    long        takes more than a moment: run by the long tests
    cold        without the machine code that this machine keeps: judges think less where there is none
    starts      goes on until somebody ends it: ended here, once it has said what is shown
    together    all commands but the last go on beside it, and are ended after it
    file        ``<!-- file: mine.py -->`` before a fence of any kind: what is in it is written into this file
    script      ``docs/season.py`` writes what ``docs/season.md`` shows; its patterns say which blocks are its own

A page's commands are run in its order, in one folder, with ``docs`` and ``examples`` in it and an empty season.
``/srv/kibitz`` is this folder, and port 8000 any that is free.  A line of ``...`` stands for whatever is there, times
are not compared, and long lines are cut.  What needs another machine (``kibitz.example``) must be a command, and is
not run.  Where nothing is shown the command must end well, and that is all.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer
from typing import NamedTuple

from kibitz.engine.kernels.compilation import cache_root
from website import markdown

HOME = Path(__file__).resolve().parents[1]
WIDEST = 160
NOTE = re.compile(r"<!-- (run|file): ([\w ./-]+) -->\n\s*\Z")
BARE = re.compile(r"(?:\s*(?:(?:\.venv/bin/)?kibitz|python -m) .*\n)+")
PROGRESS = re.compile(r"^(?:[a-z ]+ \d+ of \d+ [a-z ]+)\n", re.M)
TIME = re.compile(r"\b[0-9][0-9.]*(?= (?:m?s|us|µs)\b)")
KIBITZ = "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))"
PATTERN = re.compile(r'^(?:BLOCK|SESSION|EXCERPT|SCREEN) = re\.compile\((r".*"), re\.DOTALL\)$', re.M)
"""How a page's script says which blocks are its own."""
PATIENCE, LONGEST = 60, 3600
"""Seconds for what never ends to say what is shown, and for what ends to end."""
LONG, COLD, STARTS, TOGETHER = "long", "cold", "starts", "together"
ELSEWHERE_HOST = re.compile(r"\b[\w-]+\.example\b|\b10\.\d+\.\d+\.\d+\b")
"""Machines that pages tell of and nobody has here: names that end in ``.example``, and 10.x.x.x."""
ELSEWHERE = {"docs/new-game.md": "tests/cli/test_new_game.py"}
"""Pages whose examples are run by a test of their own, and where."""
WITHOUT_NOTES = {
    "examples/players/README.md": {"kibitz check-player": LONG},
    "docs/machines.md": {"kibitz tournament": LONG, "dask scheduler": f"{LONG} {TOGETHER}"},
}
"""Notes that do not stand in the page, by how the example begins."""


class Example(NamedTuple):
    """One fence with commands: where it lies in the page, its note, and its commands with what is shown of each.

    A fence that is a file has no commands, and its name and content.
    """

    start: int
    end: int
    note: str
    commands: tuple[tuple[str, str], ...] = ()
    file: str = ""
    content: str = ""


def examples(name: str, page: str) -> Iterator[Example]:
    """All examples of a page, which is named as seen from the repository, and the files that they need."""
    for fence in markdown.FENCE.finditer(page):
        found = NOTE.search(page, max(0, fence.start() - WIDEST), fence.start())
        kind, note = found.groups() if found else ("", "")
        if kind == "file":
            yield Example(fence.start(), fence.end(), note, file=note, content=fence["body"])
        elif re.match(r"\s*\$ ", fence["body"]) or BARE.fullmatch(fence["body"]):
            lines = [line.removeprefix(fence["indent"]) for line in fence["body"].splitlines()]
            if BARE.fullmatch(fence["body"]):
                lines = [f"$ {line}" for line in lines]
            said = tuple(commands(lines))
            yield Example(fence.start(), fence.end(), note or note_without(name, said[0][0]), said)


def note_without(name: str, command: str) -> str:
    """The note of an example in a page that has no notes in it."""
    notes = WITHOUT_NOTES.get(name, {})
    return next((note for start, note in notes.items() if command.startswith(start)), "")


def commands(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The commands among the lines of a fence, each with what is shown below it."""
    command, shown = "", list[str]()
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, "\n".join(shown)
            command, shown = re.split(r"  +# ", line[2:])[0], []
        else:
            shown.append(line)
    yield command, "\n".join(shown)


def script_of(name: str) -> Path | None:
    """The script that writes a page, if it has one."""
    script = HOME / Path(name).with_name(Path(name).stem.replace("-", "_")).with_suffix(".py")
    return script if script.is_file() else None


@cache
def patterns(script: Path) -> tuple[re.Pattern[str], ...]:
    """What a script takes for the blocks that it writes: its patterns, and those of ``season.py`` if it uses them."""
    source = script.read_text(encoding="utf-8")
    found = [re.compile(ast.literal_eval(written), re.S) for written in PATTERN.findall(source)]
    used = patterns(script.with_name("season.py")) if "season.py" in source and script.name != "season.py" else ()
    return (*found, *used)


def is_written_by(script: Path, page: str, example: Example) -> bool:
    """Whether a script writes an example of its page."""
    return any(
        found.start() <= example.start and example.end <= found.end()
        for pattern in patterns(script)
        for found in pattern.finditer(page)
    )


def ours(name: str, page: str) -> list[Example]:
    """The examples of a page that are run here: all that no script writes."""
    if name in ELSEWHERE:
        return []
    script = script_of(name)
    return [each for each in examples(name, page) if script is None or not is_written_by(script, page, each)]


def carry_out(example: Example, folder: Path) -> None:
    """Write the file of an example."""
    (folder / example.file).write_text(example.content, encoding="utf-8")


def environment(folder: Path, note: str = "") -> dict[str, str]:
    """What commands find around them; machine code is kept where it is kept for everything else."""
    kept = {key: os.environ[key] for key in ("PATH", "KIBITZ_CACHE") if key in os.environ}
    kept["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")])
    if COLD in note.split():
        kept["KIBITZ_CACHE"] = str(folder / ".cache")
    elif "KIBITZ_CACHE" not in kept:
        kept["KIBITZ_CACHE"] = str(cache_root())
    places = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / ".data"), "KIBITZ_STORE": "season.sqlite"}
    return {**kept, **places, "PYTHONPATH": str(HOME / "src"), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


def words_of(command: str, folder: Path) -> str:
    """A command of a page as it is run here."""
    kibitz = f"{shlex.quote(sys.executable)} -c {shlex.quote(KIBITZ)}"
    words = re.sub(r"^((?:\w+=\S+ )*)(?:\.venv/bin/)?kibitz\b", lambda found: found[1] + kibitz, command)
    words = re.sub(r"^python\b", lambda _: shlex.quote(sys.executable), words)
    return words.replace("/srv/kibitz", str(folder)).replace("--port 8000", "--port 0")


def begun(words: str, folder: Path, note: str, output: int) -> subprocess.Popen[str]:
    """A command that has begun, with all that it starts in a group of processes of its own."""
    return subprocess.Popen(
        ["sh", "-c", words],
        cwd=folder,
        env=environment(folder, note),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> None:
    """End a command and all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def said(command: str, folder: Path, note: str = "", until: str | None = None) -> tuple[str, int]:
    """What a command says on both its outputs, and its status; ended where it has said ``until``, a pattern."""
    with begun(words_of(command, folder), folder, note, subprocess.PIPE) as process:
        assert process.stdout is not None
        watch = Timer(LONGEST if until is None else PATIENCE, end, [process])
        watch.start()
        text = ""
        for line in process.stdout:
            text += re.sub(r"(?<=127\.0\.0\.1:)\d+", "8000", line) if until is not None else line
            if until is not None and re.search(until, text):
                end(process)
                break
        status = process.wait()
        watch.cancel()
        return text, status if until is None else 0


def lay(folder: Path) -> None:
    """What commands of pages name: the folders of the repository that they read."""
    for name in ("docs", "examples", "benchmarks", "src"):
        (folder / name).symlink_to(HOME / name)


def cut(text: str) -> str:
    """What a command says, as a page shows it."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join(line if len(line) <= WIDEST else f"{line[: WIDEST - 4]} ..." for line in lines)


def pattern_of(shown: str) -> str:
    """What is shown as a pattern that fits what is said: a line of ``...`` for any lines, any time for a time."""
    lines = []
    for line in shown.strip("\n").split("\n"):
        parts = [re.escape(TIME.sub("0", part)) for part in line.rstrip().split("...")]
        lines.append(r"[\s\S]*" if parts == ["", ""] else ".*".join(parts))
    return "\n".join(lines)


def fits(shown: str, text: str) -> bool:
    """Whether what a page shows is what a command has said."""
    plain = pattern_of("\n".join(line.rstrip() for line in shown.splitlines()))
    said_so = TIME.sub("0", cut(text))
    return any(re.fullmatch(plain, each) for each in (said_so, PROGRESS.sub("", said_so)))


def problems(name: str, page: str, *, long: bool) -> Iterator[str]:
    """A sentence for every command of a page that does not say what is shown; ``long`` runs all of them."""
    found = ours(name, page)
    if not any(example.commands and is_run(example, long) for example in found):
        return
    with tempfile.TemporaryDirectory() as there:
        folder = Path(there)
        lay(folder)
        for example in found:
            if example.file:
                carry_out(example, folder)
            elif is_run(example, long):
                yield from all_problems(name, example, folder)


def all_problems(name: str, example: Example, folder: Path) -> Iterator[str]:
    """A sentence for every command of an example that does not say what is shown."""
    beside = []
    for number, (command, shown) in enumerate(example.commands):
        if ELSEWHERE_HOST.search(command):
            yield from unheard_of(name, command)
        elif TOGETHER in example.note.split() and number + 1 < len(example.commands):
            beside.append(begun(words_of(command, folder), folder, example.note, subprocess.DEVNULL))
        else:
            yield from problem(name, command, shown, folder, example.note)
    for process in beside:
        end(process)


def unheard_of(name: str, command: str) -> Iterator[str]:
    """A sentence if a command that is not run here would be none anywhere."""
    from kibitz.cli import COMMANDS

    words = command.split()
    if words[0] == "kibitz" and words[1] not in COMMANDS:
        yield f"{name}: there is no command 'kibitz {words[1]}'"


def is_run(example: Example, long: bool) -> bool:
    """Whether an example is run now."""
    return long or LONG not in example.note.split()


def problem(name: str, command: str, shown: str, folder: Path, note: str) -> Iterator[str]:
    """A sentence if a command does not say what is shown."""
    starts = pattern_of(shown) if STARTS in note.split() else None
    text, status = said(command, folder, note, starts)
    if starts is None and shown.strip() and not fits(shown, text):
        yield f"{name}: '{command}' says\n{cut(text)}\nwhere the page shows\n{shown}"
    if starts is not None and not re.search(starts, TIME.sub("0", text)):
        yield f"{name}: '{command}' says\n{cut(text)}\nand never what the page shows:\n{shown}"
    if not shown.strip() and status:
        yield f"{name}: '{command}' ends with status {status}:\n{cut(text)}"


def rewritten(name: str, page: str) -> str:
    """A page with what its commands say now; what fits is left as it is."""
    parts, end = [], 0
    with tempfile.TemporaryDirectory() as there:
        folder = Path(there)
        lay(folder)
        for example in ours(name, page):
            if example.file:
                carry_out(example, folder)
            elif STARTS not in example.note.split():
                fence = page[example.start : example.end]
                parts += [page[end : example.start], said_anew(name, example, fence, folder)]
                end = example.end
    return "".join([*parts, page[end:]])


def said_anew(name: str, example: Example, fence: str, folder: Path) -> str:
    """A fence with what its commands say now, where that is not what it shows."""
    for command, shown in example.commands:
        text = said(command, folder, example.note)[0]
        print(f"{name}: {command}", file=sys.stderr)
        if shown.strip() and not fits(shown, text):
            fence = fence.replace(f"$ {command}\n{shown}", f"$ {command}\n{cut(PROGRESS.sub('', text))}", 1)
    return fence


def main(names: list[str]) -> None:
    """Write pages anew."""
    for name in names:
        path = HOME / name
        path.write_text(rewritten(name, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
