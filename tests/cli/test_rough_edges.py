"""Invalid numbers, empty options, impossible files, closed streams and full disks, for every command."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.registry import commands, parameters, words_of
from tests.parts import share
from tests.small_disk import LIMITED
from tests.tiers import first_fast, long

COMMANDS = commands()
KIBITZ = [sys.executable, "-c", "import sys; from kibitz.start import main; sys.exit(main())"]
NO_NUMBERS = ["1.5", "2.9", "nan", "inf", "1e999", "-1e-9", "x", "٣", "1_0", "+", "--", "0x", "9" * 400, f"-{'9' * 30}"]
NUMBERS = [
    (command, each) for command in COMMANDS for each in parameters(COMMANDS[command]) if each.number and each.option
]
TEXTS = [
    (command, each) for command in COMMANDS for each in parameters(COMMANDS[command]) if each.option and not each.number
]


@pytest.fixture
def required_arguments(tmp_path):
    """A function that gives the arguments a command requires, with paths in the test's folder."""
    places = {"file": "no.file", "files": "no.file", "store": "no.store", "output": "no/folder/x.csv", "folder": "none"}
    files = {name: str(tmp_path / place) for name, place in places.items()}
    nowhere = "http://127.0.0.1:1/"
    return lambda command, **given: words_of(command, COMMANDS[command], **{"address": nowhere, **files, **given})


def test_registry_lists_all_commands():
    assert len(COMMANDS) > 25
    assert len(NUMBERS) > 20


@pytest.mark.parametrize(("command", "number"), NUMBERS, ids=lambda each: getattr(each, "name", each))
def test_every_option_rejects_an_invalid_number(refused, required_arguments, command, number):
    """Every option is tested once, and every text with some option, since options of a type are read alike."""
    texts = [text for text in NO_NUMBERS if float not in number.kinds or text not in ("1.5", "2.9")]
    text = texts[NUMBERS.index((command, number)) % len(texts)]
    sentence = refused(*required_arguments(command), f"{number.words[0]}={text}")
    assert number.words[0] in sentence, text
    assert len(sentence) < 250, text


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_text_that_is_not_a_number_is_rejected(refused, text):
    given = ["--seed", text] if text != "--" else ["--seed=--"]
    assert "--seed" in refused("match", "go", *["first"] * 4, *given)


@pytest.mark.parametrize("command", COMMANDS)
def test_huge_number_is_rejected_without_hanging(refused, required_arguments, command):
    for each in parameters(COMMANDS[command]):
        if each.number:
            assert each.words[0] in refused(
                *required_arguments(command), each.words[0], "9" * 21 if each.name != "seed" else "9" * 50
            )


@pytest.mark.parametrize(("command", "text"), TEXTS, ids=lambda each: getattr(each, "name", each))
def test_empty_option_is_rejected(refused, required_arguments, command, text):
    for empty in ([text.words[0], ""], [text.words[0], "  "], [f"{text.words[0]}="]):
        assert "is empty: leave it out" in refused(*required_arguments(command), *empty)


NAMED = [
    (command, each)
    for command in COMMANDS
    for each in parameters(COMMANDS[command])
    if command != "serve" and each.name != "hands" and {str, Path} & {*each.kinds}
]

SOME = share(NAMED, 12, "names that no file can have")
TIERED = [pair if pair in SOME else long(pair) for pair in NAMED]


def with_text(required_arguments, command, named, text):
    """A command whose parameter ``named`` is this text, whether the parameter is required or not."""
    if named.option:
        return [*required_arguments(command), named.words[0], text]
    words = required_arguments(command, **{named.name: text})
    return words if text in words else [*words, text]


@pytest.mark.parametrize("text", ["x" * 300, f"./{'x' * 300}/x.py"], ids=["long", "within"])
@pytest.mark.parametrize(("command", "named"), TIERED, ids=lambda each: getattr(each, "name", each))
def test_impossible_file_name_is_rejected_in_a_sentence(kibitz, required_arguments, command, named, text):
    """The system can't even tell whether such a file exists."""
    words = with_text(required_arguments, command, named, text)
    answer = kibitz(*words, *few_deals(command))
    assert answer.status == 2 or (command == "play" and answer.status == 0), answer
    assert answer.err.count("\n") == (answer.status == 2), answer
    assert "fault in Kibitz" not in answer.err


READ = [(command, each) for command, each in NAMED if Path in each.kinds and each.name != "output"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("kind", ["a pipe", "without end"])
@pytest.mark.parametrize(("command", "named"), first_fast(READ), ids=lambda each: getattr(each, "name", each))
def test_pipe_or_endless_file_neither_hangs_nor_fills_memory(required_arguments, command, named, kind, tmp_path):
    path = tmp_path / "pipe.file" if kind == "a pipe" else Path("/dev/zero")
    if kind == "a pipe":
        os.mkfifo(path)
    words = with_text(required_arguments, command, named, str(path))
    limited = f"ulimit -v {6 << 20}; " if sys.platform == "linux" else ""
    done = subprocess.run(
        ["sh", "-c", f'{limited}exec "$@"', "sh", *KIBITZ, *map(str, words), *few_deals(command)],
        capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    weighs_nothing = kind == "a pipe" and named.name == "marks"  # an empty plan file is valid
    assert done.returncode in ((0, 2) if command == "play" or weighs_nothing else (2,)), done
    assert b"fault in Kibitz" not in done.stderr
    assert b"not enough memory" not in done.stderr


def few_deals(command):
    """Arguments that make a command which plays many deals play only a few_deals."""
    return [word for each in parameters(COMMANDS[command]) if each.name == "deals" for word in (each.words[0], "2")]


SERVING_A_MOMENT = """
import sys
from kibitz.start import main
from kibitz.web.server import Server

begun = Server.startup

async def startup(self, sockets=None):
    await begun(self, sockets)
    self.should_exit = True

Server.startup = startup
sys.exit(main())
"""


def run(words, script="", **streams):
    """Run a command from a shell that opens or closes streams; a server stops right after its start."""
    program = [sys.executable, "-c", SERVING_A_MOMENT] if words[0] == "serve" else KIBITZ
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {script}', "sh", *program, *words],
        capture_output=True, timeout=600, env=os.environ | {"PYTHONUNBUFFERED": ""}, **streams,
    )  # fmt: skip


PRINTING = {"games": ["games"], "help": ["--help"], "rules": ["rules", "go"], "command": ["match", "--help"]}
PRINTING |= {"match": ["match", "go", *["first"] * 4], "play": ["play", "go", "--seed", "1"]}


STREAMS = [">&-", ">/dev/full", ">&- 2>&- <&-", "<&-", "2>&-"]
OTHERS = [(command, stream) for command in sorted({*PRINTING, *COMMANDS} - {"play"}) for stream in STREAMS]
EVERY = [*first_fast([("play", stream) for stream in STREAMS], 3), *map(long, share(OTHERS, 4))]


@pytest.mark.parametrize(("command", "stream"), EVERY)
def test_closed_and_full_streams_are_not_reported_as_bugs(required_arguments, command, stream):
    words = PRINTING.get(command) or [*required_arguments(command), *few_deals(command)]
    done = run(words, stream, stdin=subprocess.DEVNULL)
    assert b"Traceback" not in done.stderr + done.stdout
    assert b"fault in Kibitz" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode in (0, 2), done
    if stream == ">&-":
        assert done.stderr.count(b"\n") == 1
        assert b"standard output is closed" in done.stderr
    if stream == ">/dev/full" and command in PRINTING:
        assert b"no space left on device" in done.stderr


def test_no_file_reuses_the_descriptor_of_a_closed_stream(tmp_path):
    path = tmp_path / "x.game"
    done = run(["match", "go", *["first"] * 4, "--seed", "1", "-o", str(path)], "2>&- <&-")
    assert done.returncode == 0
    assert path.read_text().startswith("Kibitz record 1\n")


INTERRUPTING = """
import os, signal, sys

class Hook:
    left = {left}

    def find_spec(self, name, path=None, target=None):
        Hook.left -= 1
        if Hook.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Hook())
from kibitz.start import main
status = main()
print("MODULES", {left} - Hook.left, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize(
    "words",
    [["games"], *(pytest.param(words, marks=pytest.mark.long) for words in (["--help"], ["play", "go", "--help"]))],
)
def test_ctrl_c_during_any_import_ends_without_a_traceback(words):
    """The interrupt comes during the import of one module after another."""
    first = subprocess.run(
        [sys.executable, "-c", INTERRUPTING.format(left=10**6), *words], capture_output=True, timeout=60
    )
    modules = int(first.stderr.split(b"MODULES")[1])
    own = 2  # kibitz and kibitz.start themselves
    for left in range(own + 1, modules, max(1, modules // 3)):
        code = INTERRUPTING.format(left=left)
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, timeout=60)
        assert b"Traceback" not in done.stderr, (left, done.stderr)
        assert done.returncode == 130, (left, done)
        assert done.stderr.count(b"interrupted") == 1


def test_an_ignored_ctrl_c_stays_ignored(tmp_path):
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import kibitz.start; kibitz.start.main(); "
    code += "print(repr(signal.getsignal(signal.SIGINT)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "SIG_IGN" in done.stdout


WRITERS = {
    "match": ["match", "bo", *["first"] * 4, "--seed", "1", "-q", "-o"],
    "tournament csv": ["tournament", "go", "first", "random", "--deals", "2", "--seed", "1", "--trusted", "--csv"],
}


@pytest.mark.parametrize(
    ("writer", "before"), first_fast([("match", "precious\n"), *((writer, "") for writer in WRITERS)])
)
def test_full_disk_leaves_the_old_file_and_no_partial_one(tmp_path, writer, before):
    path = tmp_path / "x"
    if before:
        path.write_text(before)
    code = LIMITED + "from kibitz.start import main; limited(1000); sys.exit(main())"
    words = [*WRITERS[writer], str(path), *["--force"] * bool(before)]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done
    assert "cannot be written: file too large" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == (["x"] if before else [])
    assert not before or path.read_text() == before
    assert len(done.stdout) > 1000, "the result that could not be saved is printed"


def test_interrupted_write_leaves_no_file(tmp_path, monkeypatch):
    from kibitz.cli import files

    def interrupted(number):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with suppress(KeyboardInterrupt):
        files.write(tmp_path / "x", "text", False)
    assert list(tmp_path.iterdir()) == []
