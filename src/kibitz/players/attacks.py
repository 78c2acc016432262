"""Runs the sandbox's hostile files as players of real games, and looks for damage.

    surroundings    what attacks aim at: secrets, a folder open to all, listening sockets, a victim of the same user
    breach          a success that the attack itself reports, or damage that a check finds
    surprise        a game that didn't end as the attack's docstring says: not dangerous, but a bug somewhere

These checks follow every attack: no secret appears in a hostile player's output; the folder, the shared memory, the
queues and the library are unchanged; nobody has connected; the victim and the fork server are alive; no process or
descriptor is left; and no other seat has forfeited.
"""

from __future__ import annotations

import os
import secrets
import select
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from kibitz.engine.registry import game as find_game
from kibitz.errors import ConfinementError, KibitzError, MachineError
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.players.file_player import FilePlayer
from kibitz.players.isolation import fork_server_client
from kibitz.players.isolation.fork_server import child_pids
from kibitz.players.limits import Limits
from kibitz.players.rated_game import MAX_STARTS
from kibitz.sandbox import seccomp, tier
from kibitz.sandbox.attacks import PLAYER, Attack, attacks
from kibitz.sandbox.confinement import NOBODY
from kibitz.sandbox.tiers import after_colon
from kibitz.table.match import Match, Player, play_match

BAD_SEATS = (1, 3)
"""The seats of hostile files."""
SECRET_PREFIX = "kibitz-secret-"
MARK = "kibitz-attack"
"""Part of the name of every file that attacks try to leave behind."""
KEY = "4711"
"""The key of the kernel's queues and shared memory that attacks try to create."""
SHORT_LIMITS = Limits(load=0.5, call=0.4, bank=1.5, wall_factor=1.0, wall_floor=0.6, memory=256 << 20)
MIN_CARDS_FOR_BREACH = 4
"""How many of a game's ten cards an accomplice must name for a breach; by luck that happens once in 40 000 games."""
MAX_SECONDS = 30.0
"""Seconds for which an attack may hold up the referee."""


@dataclass(frozen=True)
class AttackResult:
    """How an attack went; ``ended`` has the kinds of the attackers' forfeits, joined by ``+``, or is "plays"."""

    name: str
    what: str
    ended: str
    breaches: tuple[str, ...]
    surprise: str
    seconds: float


class Surroundings:
    """What attacks aim at, and must neither read nor change."""

    def __init__(self, stack: ExitStack) -> None:
        self.secret = SECRET_PREFIX + secrets.token_hex(16)
        self.base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-target-")))
        self.base.chmod(0o755)
        self.folder = self.base / "open"
        self.folder.mkdir()
        self.folder.chmod(0o777)
        self.plant(self.folder / "file", "as it was", 0o666)
        self.plant(self.base / "secret", self.secret, 0o644)
        self.plant(self.base / "player.py", f"SECRET = {self.secret!r}\n{PLAYER}", 0o644)
        os.environ["KIBITZ_ATTACK_SECRET"] = self.secret
        stack.callback(os.environ.pop, "KIBITZ_ATTACK_SECRET", None)
        self.listeners = [stack.enter_context(listener) for listener in self.listening()]
        self.victim = stack.enter_context(victim())
        self.before = self.state()

    def plant(self, path: Path, text: str, mode: int) -> None:
        """Put a file where the attack can see it."""
        path.write_text(text)
        path.chmod(mode)

    def listening(self) -> Iterator[socket.socket]:
        """Sockets to which nothing should connect: TCP, UDP, and two Unix sockets."""
        tcp = socket.create_server(("127.0.0.1", 0))
        self.port = tcp.getsockname()[1]
        yield tcp
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", self.port))
        yield udp
        self.abstract = f"{MARK}-{secrets.token_hex(8)}"
        for name in (str(self.base / "socket"), f"\0{self.abstract}"):
            unix = socket.socket(socket.AF_UNIX)
            unix.bind(name)
            unix.listen()
            yield unix
        (self.base / "socket").chmod(0o777)

    def target(self) -> dict[str, object]:
        """What attacks may know about their surroundings: where things are, but not their contents."""
        machine = os.uname().machine
        call_lists = seccomp.ALLOWED, seccomp.CHECKED, seccomp.ABSENT, seccomp.FATAL_CALLS, seccomp.REFUSED
        return {
            "calls": {
                name: number for calls in call_lists for name, number in seccomp.call_numbers(calls, machine).items()
            },
            "referee": os.getpid(),
            "victim": self.victim.pid,
            "folder": str(self.folder),
            "open file": str(self.folder / "file"),
            "secret file": str(self.base / "secret"),
            "secret begins": SECRET_PREFIX,
            "player file": str(self.base / "player.py"),
            "port": self.port,
            "socket": str(self.base / "socket"),
            "abstract": self.abstract,
        }

    def state(self) -> dict[str, object]:
        """By name, everything that an attack must not change."""
        paths = sorted(self.base.rglob("*"))
        return {
            "the folder": [(str(path), *file_facts(path)) for path in paths],
            "shared files": [
                marked_names(folder) for folder in ("/tmp", "/dev/shm", ".", sysconfig.get_path("stdlib"))
            ],
            "queues": [queues(kind) for kind in ("shm", "msg", "sem")],
            "the connections": select.select(self.listeners, [], [], 0)[0],
            "the victim": (self.victim.poll(), state_of(self.victim.pid)),
            "the processor": (sorted(os.sched_getaffinity(0)), os.getpriority(os.PRIO_PROCESS, 0)),
            "the clock": abs(time.time() - time.monotonic() - BOOT_TIME) < 3600,
        }

    def changes(self) -> list[str]:
        """Sentences that say what has changed since the last call of this method."""
        now = self.state()
        sentences = [
            f"{name} changed from {self.before[name]} to {now[name]}" for name in now if now[name] != self.before[name]
        ]
        self.before = now
        return sentences


BOOT_TIME = time.time() - time.monotonic()


@contextmanager
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user as the players: the easiest to harm."""
    program = shutil.which("sleep") or "/bin/sleep"
    user = NOBODY if os.geteuid() == 0 else None
    process = subprocess.Popen([program, "3600"], user=user, start_new_session=True, cwd="/")
    try:
        while state_of(process.pid) not in "ST":
            time.sleep(0.01)
        yield process
    finally:
        process.kill()
        process.wait()


def state_of(pid: int) -> str:
    """The kernel's letter for the state of a process, such as S for sleeping; "?" if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "?"


def file_facts(path: Path) -> tuple[object, ...]:
    """All facts about a file that an attack might change."""
    status = path.lstat()
    content = path.read_bytes() if path.is_file() else b""
    return (
        status.st_mode,
        status.st_uid,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_nlink,
        content,
    )


def marked_names(place: str) -> list[str]:
    """The names in a directory that contain ``MARK``."""
    try:
        return [name for name in os.listdir(place) if MARK in name or MARK.replace("-", "_") in name]
    except OSError:
        return []


def queues(kind: str) -> list[str]:
    """The kernel's shared memory, message queues or semaphores with the key ``KEY``."""
    try:
        lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
    except OSError:
        return []
    return [line for line in lines if line.split()[0] == KEY]


def attack_suite(
    progress: Callable[[int, int, str], object] = lambda done, total, name: None, only: Sequence[str] = ()
) -> list[AttackResult]:
    """Run all attacks, or those named, in the tier in force, calling ``progress(done, total, name)``.

    Raises ConfinementError if no tier works here, because the attacks would do real harm, and KibitzError if an honest
    file can't play, because then nothing would be proved.
    """
    if not tier().confines:
        raise ConfinementError(f"Attacks run only in a working sandbox: {after_colon(tier().reason)}")
    chosen = [attack for attack in attacks() if not only or attack.name in only]
    results = []
    with ExitStack() as stack:
        surroundings = Surroundings(stack)
        stack.callback(fork_server_client.close)
        fork_server_client.close()
        check_honest_file()
        for number, attack in enumerate(chosen):
            progress(number, len(chosen), attack.name)
            results.append(run_attack(surroundings, attack))
    progress(len(chosen), len(chosen), "")
    return results


def check_honest_file() -> None:
    """Make sure that an honest file can play."""
    match = attack_game(PLAYER, BAD_SEATS[:1])
    if match.record.forfeits:
        raise KibitzError(f"an honest player file cannot play here: {match.record.forfeits[0].sentence}")


def attack_game(source: str, seats: Sequence[int]) -> Match:
    """A game with a hostile file, played again if the machine was too busy for it."""
    for _ in range(MAX_STARTS - 1):
        with suppress(MachineError):
            return play_once(source, seats)
    return play_once(source, seats)


def play_once(source: str, seats: Sequence[int]) -> Match:
    """A game of Go with a file in these seats, and built-in players in the others."""
    game = find_game("go")
    first = strategies(game)["first"]
    players: list[Player] = [StrategyPlayer(f"player {seat}", first) for seat in range(game.seats)]
    for seat in seats:
        players[seat] = FilePlayer("attack", "attack.py", source, SHORT_LIMITS)
    return play_match(game, players, 1)


def run_attack(surroundings: Surroundings, attack: Attack) -> AttackResult:
    """Run one attack and all checks."""
    server, fds = fork_server_client.client(), descriptors()
    start = time.monotonic()
    source = attack.source(surroundings.target())
    match = attack_game(source, BAD_SEATS[: attack.seats])
    seconds = time.monotonic() - start
    output = "".join((*match.prints, *match.details, *(forfeit.sentence for forfeit in match.record.forfeits)))
    breaches = [line for line in output.splitlines() if line.startswith("BREACH: ")]
    breaches += ["it has leaked a secret"] * (surroundings.secret in output)
    breaches += channel_breaches(source, output) if attack.is_channel else []
    breaches += surroundings.changes()
    breaches += [f"seat {forfeit.seat} forfeited" for forfeit in match.record.forfeits if forfeit.seat not in BAD_SEATS]
    breaches += ["the game has no result"] * (match.record.outcome is None)
    breaches += [f"it has delayed the referee for {seconds:.0f} s"] * (seconds > MAX_SECONDS)
    if fork_server_client.client() is not server:
        breaches.append("it has ended the fork server")
    else:
        breaches += [f"process {pid} is left" for pid in child_pids(server.pid)]
        breaches += [f"descriptor {fd} is left" for fd in descriptors() - fds]
    ending = "+".join(sorted({forfeit.kind for forfeit in match.record.forfeits})) or "plays"
    expected = set(ending.split("+")) <= set(attack.ends)
    surprise = "" if expected else "".join(forfeit.sentence for forfeit in match.record.forfeits) or "it played on"
    return AttackResult(attack.name, attack.what, ending, tuple(breaches), surprise, seconds)


def channel_breaches(source: str, output: str) -> list[str]:
    """The breaches of a covert channel between two files: it passed cards within a game, or to the next game."""
    next_game_output = prints_in_games(source, BAD_SEATS[:1], BAD_SEATS[1:])
    received_by_channel = {"passed": received_cards(output), "kept for the next game": received_cards(next_game_output)}
    return [
        f"{received} of {turns} cards were {channel}"
        for channel, (received, turns) in received_by_channel.items()
        if received >= MIN_CARDS_FOR_BREACH
    ]


def prints_in_games(source: str, *games: Sequence[int]) -> str:
    """What a file prints in successive games, each with the file in the given seats."""
    return "".join(prints for seats in games for prints in attack_game(source, seats).prints)


def received_cards(output: str) -> tuple[int, int]:
    r"""How many random cards an accomplice received correctly, and how many were sent, read from their output.

    >>> received_cards("SENT 0 51\nHEARD 0 51\nSENT 1 7\nHEARD 1 None\n")
    (1, 2)
    """
    all_words = [line.split() for line in output.splitlines() if line.startswith(("SENT ", "HEARD "))]
    sent = {line_words[1]: line_words[2] for line_words in all_words if line_words[0] == "SENT"}
    heard = {line_words[1]: line_words[2] for line_words in all_words if line_words[0] == "HEARD"}
    return sum(heard.get(turn) == card for turn, card in sent.items()), len(sent)


def descriptors() -> set[int]:
    """The open descriptors of this process."""
    return {int(name) for name in os.listdir("/proc/self/fd") if Path(f"/proc/self/fd/{name}").exists()}
