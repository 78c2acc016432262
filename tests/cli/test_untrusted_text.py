"""Control characters in other people's files are never printed: tested with every command that reads a file."""

import shutil
import sqlite3

import pytest

from tests.cli.registry import commands, parameters, words_of
from tests.tiers import first_fast

COMMANDS = commands()
CONTROL_CHARACTERS = "\x1b[31m\x07\x9b2J\u202e\u2066\x7f\u200b"
READING = [
    command for command in COMMANDS
    if {"file", "files", "store", "players"} & {each.name for each in parameters(COMMANDS[command])}
]  # fmt: skip
SLOW = {f"arena {name}" for name in ("run", "final", "custom", "replay", "submit", "verify")}
SLOW |= {"check-player", "ladder"}
"""Commands that play games; they run in the long tests, and print with the same functions."""
FORBIDDEN = {c for c in CONTROL_CHARACTERS if not c.isprintable()}

RECORD = (
    "Kibitz record 1\ngame: go{s}\nrules: 1{s}\nseats: a{s} | b | c | d\nseed: 1{s}\ncommitment: {s}\n\n! 0 {s}: {s}\n"
)
PLAYER = "print({s!r})\ndef comp10001go_play(a, b, c): raise ValueError({s!r})\n"
PLAYER += "def comp10001go_group(a, b): return []\n"


def with_hostile_line(number, text):
    """A text with control characters in one line only, so that every line is the first invalid one once."""
    return "\n".join(line + CONTROL_CHARACTERS * (n == number) for n, line in enumerate(text.split("\n")))


@pytest.fixture(scope="session")
def season(tmp_path_factory):
    """A store with a season."""
    from kibitz.cli import main

    path = tmp_path_factory.mktemp("season") / "season.store"
    assert (
        main(["arena", "custom", "go", "first", "random", "--seed", "1", "--workers", "1", "--store", str(path)]) == 0
    )
    assert main(["arena", "begin", "go", "--seed", "1", "--store", str(path)]) == 0
    return path


def write_hostile_store(season, path):
    """Copy a store, with control characters at the end of every text except names that Kibitz looks up."""
    shutil.copy(season, path)
    database = sqlite3.connect(path)
    database.create_function("steer", 1, lambda text: text + CONTROL_CHARACTERS if isinstance(text, str) else text)
    for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
        for column in database.execute(f"pragma table_info({table})").fetchall():
            if column[2].upper().startswith(("TEXT", "VARCHAR")):
                try:
                    database.execute(f"update {table} set {column[1]} = steer({column[1]})")
                except sqlite3.IntegrityError:
                    continue
    database.commit()
    database.close()


def hostile_commands(command, tmp_path, record_file, season):
    """The arguments of a command for each file that it may read."""
    names = {each.name for each in parameters(COMMANDS[command])}
    files = []
    true = record_file.read_text()
    for n in range(0, len(true.split("\n")), 9):
        files.append((f"x{n}.game", with_hostile_line(n, true)))
    files.append(("y.game", RECORD.format(s=CONTROL_CHARACTERS)))
    files.append(("x.py", PLAYER.format(s=CONTROL_CHARACTERS)))
    from kibitz.arena.rating.export import COLUMNS

    row = ["go", "open", 1, 1, 7, 0, 1, 0, "Ann", 1, 1, "", 1.0, 1, 0.5, "", "", "none", "0.1"]
    for n in range(len(row)):
        cells = [f"{cell}{CONTROL_CHARACTERS * (k == n)}" for k, cell in enumerate(row)]
        other = [*cells[:7], "1", *cells[8:]]
        again = [[*each[:5], "1", "2", *each[7:]] for each in (cells, other)]
        rows = [COLUMNS, cells, other, *again]
        files.append((f"x{n}.csv", "".join(",".join(map(str, each)) + "\r\n" for each in rows)))
    files.append(("x.phh", "\n".join(f'{k} = "{CONTROL_CHARACTERS}"' for k in ("variant", "players", "actions"))))
    store = tmp_path / "hostile.store"
    write_hostile_store(season, store)
    if {"file", "files", "players"} & names:
        for name, content in files:
            path = tmp_path / name
            path.write_text(content, newline="")
            given = {"file": str(path), "files": str(path), "players": str(path), "store": str(store)}
            yield words_of(command, COMMANDS[command], **given)
            if "what" in names:
                yield words_of(command, COMMANDS[command], **given, what="import")
    if "store" in names:
        for name in ("go", "custom-1", f"custom-1{CONTROL_CHARACTERS}"):
            given = {"tournament": name, "match": f"{name}/1", "player": "first", "file": str(tmp_path / "x.py")}
            yield words_of(command, COMMANDS[command], **given, store=str(store))


@pytest.fixture
def stop_servers_at_once(monkeypatch):
    """Make servers stop right after their start."""
    from kibitz.web.server import Server

    begun = Server.startup

    async def startup(self, sockets=None):
        await begun(self, sockets)
        self.should_exit = True

    monkeypatch.setattr(Server, "startup", startup)


def assert_output_is_harmless(kibitz, command, tmp_path, record_file, season):
    count = 0
    for words in hostile_commands(command, tmp_path, record_file, season):
        answer = kibitz(*words)
        assert not FORBIDDEN & set(answer.out + answer.err), (words, answer)
        assert "Traceback" not in answer.err
        count += 1
    assert count


@pytest.mark.parametrize("command", first_fast([command for command in READING if command not in SLOW]))
def test_control_characters_in_files_are_not_printed(
    kibitz, command, tmp_path, record_file, season, stop_servers_at_once
):
    assert_output_is_harmless(kibitz, command, tmp_path, record_file, season)


@pytest.mark.long
@pytest.mark.parametrize("command", sorted(SLOW))
def test_control_characters_in_files_are_not_printed_by_commands_that_play(
    kibitz, command, tmp_path, record_file, season
):
    assert_output_is_harmless(kibitz, command, tmp_path, record_file, season)


def test_commands_that_read_files_are_found():
    assert {"show", "verify", "phh", "match", "arena rate", "arena export", "arena ranking"} <= set(READING)
    assert set(READING) >= SLOW
