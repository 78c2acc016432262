"""Which tier is in force, why, and what follows where there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli import main
from kibitz.errors import ConfinementError, MachineError, NotationError
from kibitz.players.file_player import FilePlayer
from kibitz.players.isolation import fork_server_client
from kibitz.sandbox import Tier, confinement, filesystem, linux, request_tier, require_rated, tier, tiers
from kibitz.table.match import play_match
from tests.parts import share, times
from tests.players.conftest import GO, HONEST, QUICK, go_with, match_with

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def test_this_machine_confines_players():
    """Everything else here rests on it: what the kernel offers is enough, and it is put on."""
    if not linux.kernel_abi():
        pytest.skip("this kernel has no Landlock")
    assert tier().confines, tier().reason
    assert require_rated() == tier()


def test_where_bubblewrap_can_make_namespaces_the_outer_tier_holds():
    """Else whatever spoils our use of it would only have the tests of that tier skipped."""
    trial = [confinement.bubblewrap() or "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if not confinement.bubblewrap() or subprocess.run(trial, capture_output=True).returncode:
        pytest.skip("there is no bubblewrap here, or it may not make namespaces")
    request_tier("outer")
    assert tier().name == "outer", tier().reason


def test_the_tier_that_is_wished_for_is_in_force_and_says_so():
    request_tier("default", 2)
    assert (tier().name, tier().landlock, tier().confines) == ("default", 2, True)
    assert "It was asked for" in tier().reason


def test_the_environment_can_wish(monkeypatch):
    monkeypatch.setenv("KIBITZ_SANDBOX", "default")
    request_tier()
    assert tier().name == "default"
    monkeypatch.setenv("KIBITZ_SANDBOX", "none")
    request_tier()
    with pytest.raises(NotationError, match="set it to outer or default"):
        tier()


def test_a_tier_that_does_not_exist_is_refused_in_a_sentence():
    with pytest.raises(NotationError, match="no tier called 'docker': there are outer and default"):
        request_tier("docker")


def test_a_worker_adopts_what_its_parent_has_found_out(monkeypatch):
    monkeypatch.setattr(tiers, "try_tier", lambda candidate: 1 / 0)
    found = Tier("default", "The parent has tried it.", 3, True)
    tiers.adopt(found)
    assert tier() == found
    monkeypatch.undo()
    request_tier()
    assert tier() != found


def test_without_bubblewrap_the_default_tier_says_why(monkeypatch):
    monkeypatch.setattr(confinement, "bubblewrap", lambda: None)
    request_tier()
    assert tier().name == "default"
    assert "Bubblewrap (bwrap) is not installed" in tier().reason


def test_a_bubblewrap_that_fails_is_told_of_with_its_own_words(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(confinement, "bubblewrap", lambda: str(fake))
    request_tier()
    assert tier().name == "default"
    assert "No permissions to create new namespace" in tier().reason


def test_without_landlock_no_game_is_rated_and_the_sentence_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    request_tier()
    assert not tier().confines
    with pytest.raises(
        ConfinementError,
        match=r"which doesn't work on this machine .*: this kernel has no Landlock: it needs Linux 5\.13",
    ):
        require_rated()


def test_unrated_games_are_played_without_confinement_and_with_a_warning(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    request_tier()
    fork_server_client.close()
    file = tmp_path / "honest.py"
    file.write_text(HONEST)
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet"]) == 0
    told = capsys.readouterr()
    assert "Forfeit" not in told.out
    assert told.err.startswith("kibitz: warning: the sandbox doesn't work here: Bubblewrap") or (
        told.err.startswith("kibitz: warning: the sandbox doesn't work here: This kernel has no Landlock")
    )


def test_a_confined_machine_does_not_warn(capsys, tmp_path):
    file = tmp_path / "honest.py"
    file.write_text(HONEST)
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_child_that_cannot_be_confined_is_the_machines_failure(monkeypatch):
    """The tier is what was promised: a kernel that goes back on it voids the game, and no line of a file runs."""
    monkeypatch.setattr(fork_server_client, "tier", lambda: Tier("default", "", 7, True))
    monkeypatch.setattr(fork_server_client, "START_CODE", BROKEN)
    fork_server_client.close()
    try:
        with pytest.raises(MachineError, match="the kernel did not confine"):
            match_with(HONEST)
    finally:
        fork_server_client.close()


BROKEN = """
import sys; sys.path.insert(0, sys.argv[1])
from kibitz.sandbox import seccomp
def load(self, pid): raise OSError("no")
seccomp.Filter.load = load
from kibitz.players.isolation.fork_server import serve
serve()
"""


LOOSE = """
import sys
from kibitz.sandbox import confinement, trial
class Loose(confinement.Confinement):
    def hide_files(self): pass
class Looser(Loose):
    def filter_calls(self): pass
print(trial.shortcomings(Loose(0, seccomp=True)))
print(trial.shortcomings(Looser(0, seccomp=True)))
"""


def test_a_trial_tells_what_a_child_could_still_do():
    """In a process of its own, since root's confinement begins with mounts."""
    told = subprocess.run([sys.executable, "-c", LOOSE], capture_output=True, text=True, check=True).stdout.splitlines()
    assert "read /etc/passwd" in told[0]
    assert "open a socket" not in told[0]
    assert "open a socket" in told[1]


@needs_root
def test_roots_players_become_nobody_and_can_still_import(monkeypatch):
    for name in ("default", "outer"):
        request_tier(name)
        if not tier().confines:
            continue
        fork_server_client.close()
        body = "import os, secrets, numpy\nprint(os.getresuid(), os.getresgid(), os.getgroups())\nreturn hand[0]"
        match = match_with(go_with(body), zygote_limits())
        assert match.record.forfeits == (), match.details
        assert match.prints[1].startswith(f"{(65534,) * 3} {(65534,) * 3} []\n")


@needs_root
@pytest.mark.parametrize("name", ["default", "outer"])
def test_players_share_no_memory_that_can_be_written_and_cannot_be_dumped(name):
    request_tier(name)
    if not tier().confines:
        pytest.skip(tier().reason)
    fork_server_client.close()
    player = FilePlayer("p", "p.py", HONEST)
    player.start(GO, 0, 1)
    try:
        home = Path(f"/proc/{player.process.pid}")
        shared = [line for line in (home / "maps").read_text().splitlines() if line.split()[1].endswith("s")]
        assert shared == []
        assert (home / "fd").stat().st_uid == 0
    finally:
        player.end(None)


def zygote_limits():
    from kibitz.players.limits import STANDARD

    return STANDARD


ORDINARY = """
import sys
from kibitz.players.attacks import attack_suite
from kibitz.sandbox import tier, request_tier
request_tier(sys.argv[1], int(sys.argv[2]))
if tier().confines:
    found = attack_suite()
    print(tier().name, tier().landlock, len(found), [(one.name, one.breaches) for one in found if one.breaches])
else:
    print("no tier:", tier().reason)
"""
CROSS = [(name, abi) for name in ("default", "outer") for abi in range(1, 8) if (name, abi) != ("default", 1)]


@pytest.mark.long
@needs_root
@pytest.mark.parametrize(("name", "abi"), [("default", 1), *share(CROSS, 4)])
def test_an_ordinary_users_players_are_as_confined_as_roots(name, abi):
    """The tests run as root here, so a process without any rights runs the attacks a second time."""
    python = interpreter_for_all()
    here = Path(__file__).parents[2] / "src"
    packages = [path for path in sys.path if Path(path).name == "site-packages"]
    ended = subprocess.run(
        [python, "-B", "-c", ORDINARY, name, str(abi)],
        env={"PYTHONPATH": os.pathsep.join([str(here), *packages]), "PATH": os.environ["PATH"]},
        user=65534,
        group=65534,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert ended.stderr == ""
    if ended.stdout.startswith("no tier:"):
        pytest.skip(ended.stdout)
    assert ended.stdout.split()[0] == name
    assert int(ended.stdout.split()[2]) >= 155
    assert ended.stdout.rstrip().endswith(" []")


def interpreter_for_all():
    """A Python of this version that an ordinary user can run."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    src = Path(__file__).parents[2] / "src"
    for path in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        try:
            test = f"import sys; sys.path.insert(0, {str(src)!r}); import kibitz, ctypes"
            subprocess.run(
                [path, "-B", "-c", test],
                user=65534,
                group=65534,
                extra_groups=[],
                check=True,
                cwd="/",
                capture_output=True,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return path
    pytest.skip("there isn't valid Python here that an ordinary user can run, or Kibitz is out of his reach")


def test_every_abi_takes_away_all_that_it_can():
    taken = [linux.attributes(abi) for abi in range(1, 8)]
    assert [int.from_bytes(one[:8], sys.byteorder).bit_count() for one in taken] == [13, 14, 15, 15, 16, 16, 16]
    assert [int.from_bytes(one[8:16], sys.byteorder) for one in taken] == [0, 0, 0, 3, 3, 3, 3]
    assert [int.from_bytes(one[16:24], sys.byteorder) for one in taken] == [0, 0, 0, 0, 0, 3, 3]


def test_nobodys_home_is_among_what_players_may_read():
    home = str(Path.home())
    for path in filesystem.readable():
        assert path not in ("/", "/proc", "/tmp", "/etc", "/dev", "/home", home)
        assert Path(path).parent != Path("/home")


def test_doors_that_are_closed_to_strangers_are_found(tmp_path):
    inner = tmp_path / "closed" / "open" / "lib"
    inner.mkdir(parents=True)
    for path in (tmp_path, *tmp_path.parents):
        if str(path) not in ("/", "/tmp") and path.stat().st_uid == os.geteuid():
            path.chmod(0o755)
    assert filesystem.first_closed_directory(str(inner)) is None
    (tmp_path / "closed").chmod(0o700)
    assert filesystem.first_closed_directory(str(inner)) == str(tmp_path / "closed")


def test_the_players_of_bubblewrap_are_timed_by_their_number_out_here():
    request_tier("outer")
    if not tier().confines:
        pytest.skip(tier().reason)
    fork_server_client.close()
    body = "import os, time\nif not discard_history:\n  end = time.process_time() + 0.2\n"
    match = match_with(go_with(body + "  while time.process_time() < end: pass\nprint(os.getpid())\nreturn hand[0]"))
    assert match.record.forfeits == ()
    assert int(match.prints[1].split()[0]) < 1000
    match = match_with(go_with("while True: pass"), QUICK)
    assert match.record.forfeits[0].kind == "time"
    assert 'File "bad.py"' in match.details[1]


def test_the_doctor_tells_the_tier_and_why(capsys):
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("Tier: default")
    assert told[1].startswith("Why: ")
    assert told[-1] == "Rated games: yes"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--tier", "docker"], "there is no tier called 'docker': there are outer and default."),
        (["--landlock", "0"], "--landlock must be 1 or more, not 0."),
    ],
    ids=["tier", "landlock"],
)
def test_the_doctor_refuses_nonsense_in_a_sentence(words, sentence, capsys):
    assert main(["arena", "doctor", *words]) == 2
    assert capsys.readouterr().err == f"kibitz: {sentence}\n"


def test_the_doctor_fails_where_an_attack_gets_something(monkeypatch, capsys):
    from kibitz.players import attacks

    one = attacks.AttackResult("fork", "Starts a process.", "plays", ("a process was started",), "it played on", 0.1)
    monkeypatch.setattr(attacks, "attack_suite", lambda told: [one])
    assert main(["arena", "doctor", "--attack", "--tier", "default"]) == 2
    told = capsys.readouterr().out
    assert "BREACH  fork: Starts a process." in told
    assert "1 attacks, 1 with a breach." in told


def test_the_doctor_fails_where_nothing_confines_and_lets_no_attack_loose(monkeypatch, capsys):
    from kibitz.players.attacks import attack_suite

    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    assert main(["arena", "doctor", "--attack"]) == 2
    told = capsys.readouterr().out
    assert "Rated games: no" in told
    assert "No attacks are run here" in told
    with pytest.raises(ConfinementError, match="only in a working sandbox"):
        attack_suite()


def games(count):
    for seed in range(count):
        match = play_match(GO, [FilePlayer(f"{seat}", "p.py", HONEST) for seat in range(GO.seats)], seed)
        assert match.record.forfeits == ()


@pytest.mark.parametrize("count", [20, pytest.param(1000, marks=pytest.mark.long)])
def test_nothing_is_left_of_many_games(count):
    games(1)
    server = fork_server_client.client()
    before = left(server.pid)
    games(count)
    assert fork_server_client.client() is server
    assert left(server.pid) == before


def left(pid):
    """Processes, descriptors of ours and of the fork server, and what lies in the directories for temporary files."""
    from kibitz.players.isolation.fork_server import children

    fds = [sorted(os.readlink(f"/proc/{one}/fd/{fd}").split(":")[0] for fd in fds_of(one)) for one in ("self", pid)]
    return children(pid), children(os.getpid()), fds, [name for name in os.listdir("/dev/shm") if "kibitz" in name]


def fds_of(pid):
    return [fd for fd in os.listdir(f"/proc/{pid}/fd") if Path(f"/proc/{pid}/fd/{fd}").is_symlink()]


@pytest.mark.long
@pytest.mark.parametrize("moves", [60, times(2000, 10)])
def test_a_player_at_seven_tenths_of_its_time_never_loses_beside_busy_neighbours(moves):
    from tests.sandbox.busy_neighbours import lost_moves, neighbours

    with neighbours():
        tally = lost_moves(moves)
    assert (tally.lost, tally.reason) == (0, "")
    assert tally.moves == moves
    assert tally.slowest > 0.02
