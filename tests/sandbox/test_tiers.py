"""Which tier is in force and why, and what happens without one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli import main
from kibitz.errors import ConfinementError, MachineError, NotationError
from kibitz.players.file_player import FilePlayer
from kibitz.players.isolation import fork_server_client
from kibitz.players.limits import STANDARD
from kibitz.sandbox import Tier, confinement, filesystem, linux, request_tier, require_confinement, tier, tiers
from kibitz.table.match import play_match
from tests.parts import share, times
from tests.players.conftest import GO, HONEST, QUICK, go_with, match_with
from tests.sandbox.conftest import require_tier

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def test_this_machine_confines_players():
    """The other tests rely on this: the kernel offers enough, and confinement is applied."""
    if not linux.kernel_abi():
        pytest.skip("this kernel has no Landlock")
    assert tier().confines, tier().reason
    assert require_confinement() == tier()


def test_outer_tier_works_where_bubblewrap_can_make_namespaces():
    """Otherwise a fault in our use of bubblewrap would only skip the tests of that tier."""
    trial = [confinement.bubblewrap() or "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if not confinement.bubblewrap() or subprocess.run(trial, capture_output=True).returncode:
        pytest.skip("there is no bubblewrap here, or it may not make namespaces")
    request_tier("outer")
    assert tier().name == "outer", tier().reason


def test_requested_tier_is_used_and_says_so():
    request_tier("default", 2)
    assert (tier().name, tier().landlock, tier().confines) == ("default", 2, True)
    assert "It was asked for" in tier().reason


def test_environment_variable_requests_a_tier(monkeypatch):
    monkeypatch.setenv("KIBITZ_SANDBOX", "default")
    request_tier()
    assert tier().name == "default"
    monkeypatch.setenv("KIBITZ_SANDBOX", "none")
    request_tier()
    with pytest.raises(NotationError, match="set it to outer or default"):
        tier()


def test_worker_adopts_the_tier_its_parent_found(monkeypatch):
    monkeypatch.setattr(tiers, "try_tier", lambda candidate: 1 / 0)
    found = Tier("default", "The parent has tried it.", 3, True)
    tiers.adopt(found)
    assert tier() == found
    monkeypatch.undo()
    request_tier()
    assert tier() != found


def test_default_tier_says_that_bubblewrap_is_missing(monkeypatch):
    monkeypatch.setattr(confinement, "bubblewrap", lambda: None)
    request_tier()
    assert tier().name == "default"
    assert "Bubblewrap (bwrap) is not installed" in tier().reason


def test_error_of_a_failing_bubblewrap_is_in_the_reason(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(confinement, "bubblewrap", lambda: str(fake))
    request_tier()
    assert tier().name == "default"
    assert "No permissions to create new namespace" in tier().reason


def test_without_landlock_rated_games_are_refused_with_the_reason(monkeypatch):
    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    request_tier()
    assert not tier().confines
    why = r"which doesn't work on this machine .*: this kernel has no Landlock: it needs Linux 5\.13"
    with pytest.raises(ConfinementError, match=why):
        require_confinement()


def test_unrated_games_run_unconfined_with_a_warning(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    request_tier()
    fork_server_client.close()
    file = tmp_path / "honest.py"
    file.write_text(HONEST)
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert "Forfeit" not in captured.out
    assert captured.err.startswith("kibitz: warning: the sandbox doesn't work here: ")


def test_confined_machine_prints_no_warning(capsys, tmp_path):
    file = tmp_path / "honest.py"
    file.write_text(HONEST)
    assert main(["match", "go", str(file), "first", "first", "first", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_failure_to_confine_a_child_is_a_machine_error(monkeypatch):
    """If the kernel no longer confines as tried, the game is void and no line of the file runs."""
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
seccomp.SeccompFilter.load = load
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


def test_trial_reports_what_a_child_could_still_do():
    """In a separate process, since root's confinement starts with mounts."""
    output = subprocess.run(
        [sys.executable, "-c", LOOSE], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert "read /etc/passwd" in output[0]
    assert "open a socket" not in output[0]
    assert "open a socket" in output[1]


@needs_root
@pytest.mark.parametrize("name", ["default", "outer"])
def test_players_of_root_become_nobody_and_can_still_import(name):
    require_tier(name)
    body = "import os, secrets, numpy\nprint(os.getresuid(), os.getresgid(), os.getgroups())\nreturn hand[0]"
    match = match_with(go_with(body), STANDARD)
    assert match.record.forfeits == (), match.details
    assert match.prints[1].startswith(f"{(65534,) * 3} {(65534,) * 3} []\n")


@needs_root
@pytest.mark.parametrize("name", ["default", "outer"])
def test_players_share_no_writable_memory_and_cannot_be_dumped(name):
    require_tier(name)
    player = FilePlayer("p", "p.py", HONEST)
    player.start(GO, 0, 1)
    try:
        home = Path(f"/proc/{player.process.pid}")
        shared = [line for line in (home / "maps").read_text().splitlines() if line.split()[1].endswith("s")]
        assert shared == []
        assert (home / "fd").stat().st_uid == 0
    finally:
        player.end(None)


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
def test_players_of_an_ordinary_user_are_as_confined_as_those_of_root(name, abi):
    """The tests run as root here, so an unprivileged process runs the attacks a second time."""
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
    pytest.skip("no Python here can be run by an ordinary user, or Kibitz isn't readable for one")


def test_no_home_directory_is_readable_by_players():
    home = str(Path.home())
    for path in filesystem.readable_paths():
        assert path not in ("/", "/proc", "/tmp", "/etc", "/dev", "/home", home)
        assert Path(path).parent != Path("/home")


def test_directories_closed_to_others_are_found(tmp_path):
    inner = tmp_path / "closed" / "open" / "lib"
    inner.mkdir(parents=True)
    for path in (tmp_path, *tmp_path.parents):
        if str(path) not in ("/", "/tmp") and path.stat().st_uid == os.geteuid():
            path.chmod(0o755)
    assert filesystem.first_closed_directory(str(inner)) is None
    (tmp_path / "closed").chmod(0o700)
    assert filesystem.first_closed_directory(str(inner)) == str(tmp_path / "closed")


def test_bubblewrap_players_are_timed_by_their_pid_outside():
    require_tier("outer")
    body = "import os, time\nif not discard_history:\n  end = time.process_time() + 0.2\n"
    match = match_with(go_with(body + "  while time.process_time() < end: pass\nprint(os.getpid())\nreturn hand[0]"))
    assert match.record.forfeits == ()
    assert int(match.prints[1].split()[0]) < 1000
    match = match_with(go_with("while True: pass"), QUICK)
    assert match.record.forfeits[0].kind == "time"
    assert 'File "bad.py"' in match.details[1]


def test_doctor_prints_the_tier_and_the_reason(capsys):
    assert main(["arena", "doctor", "--tier", "default"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith("Tier: default")
    assert output[1].startswith("Why: ")
    assert output[-1] == "Rated games: yes"


def test_doctor_rejects_invalid_arguments(capsys):
    for option, value, sentence in (
        ("--tier", "docker", "unknown tier 'docker'; known tiers: outer, default."),
        ("--landlock", "0", "--landlock must be 1 or more, not 0."),
    ):
        assert main(["arena", "doctor", option, value]) == 2
        assert capsys.readouterr().err == f"kibitz: {sentence}\n"


def test_doctor_fails_if_an_attack_causes_a_breach(monkeypatch, capsys):
    from kibitz.players import attacks

    one = attacks.AttackResult("fork", "Starts a process.", "plays", ("a process was started",), "it played on", 0.1)
    monkeypatch.setattr(attacks, "attack_suite", lambda progress: [one])
    assert main(["arena", "doctor", "--attack", "--tier", "default"]) == 2
    output = capsys.readouterr().out
    assert "BREACH  fork: Starts a process." in output
    assert "1 attacks, 1 with a breach." in output


def test_doctor_fails_without_confinement_and_runs_no_attack(monkeypatch, capsys):
    from kibitz.players.attacks import attack_suite

    monkeypatch.setattr(linux, "kernel_abi", lambda: 0)
    assert main(["arena", "doctor", "--attack"]) == 2
    output = capsys.readouterr().out
    assert "Rated games: no" in output
    assert "No attacks are run here" in output
    with pytest.raises(ConfinementError, match="only in a working sandbox"):
        attack_suite()


def games(count):
    for seed in range(count):
        match = play_match(GO, [FilePlayer(f"{seat}", "p.py", HONEST) for seat in range(GO.seats)], seed)
        assert match.record.forfeits == ()


@pytest.mark.parametrize("count", [5, pytest.param(1000, marks=pytest.mark.long)])
def test_many_games_leave_no_processes_or_files_behind(count):
    games(1)
    server = fork_server_client.client()
    before = leftovers(server.pid)
    games(count)
    assert fork_server_client.client() is server
    assert leftovers(server.pid) == before


def leftovers(pid):
    """Child processes and descriptors of this process and of the fork server, and temporary files."""
    from kibitz.players.isolation.fork_server import child_pids

    fds = [sorted(os.readlink(f"/proc/{one}/fd/{fd}").split(":")[0] for fd in fds_of(one)) for one in ("self", pid)]
    return child_pids(pid), child_pids(os.getpid()), fds, [name for name in os.listdir("/dev/shm") if "kibitz" in name]


def fds_of(pid):
    return [fd for fd in os.listdir(f"/proc/{pid}/fd") if Path(f"/proc/{pid}/fd/{fd}").is_symlink()]


@pytest.mark.long
@pytest.mark.parametrize("moves", [60, times(2000, 10)])
def test_player_using_70_percent_of_its_time_is_never_late_on_a_busy_machine(moves):
    from tests.sandbox.busy_neighbours import lost_moves, neighbours

    with neighbours():
        tally = lost_moves(moves)
    assert (tally.lost, tally.reason) == (0, "")
    assert tally.moves == moves
    assert tally.slowest > 0.02
