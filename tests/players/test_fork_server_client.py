"""The fork server: its channel is always closed, and new processes have little to do first."""

import subprocess
import sys
import time

import pytest

from kibitz.errors import MachineError
from kibitz.players.isolation import fork_server_client
from kibitz.sandbox.tiers import home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux can confine player files")


def test_server_ends_when_its_channel_is_closed():
    server, began = fork_server_client.ForkServerClient(), time.monotonic()
    assert server.alive()
    server.close()
    assert server.channel.fileno() == -1
    assert server.server.returncode == 0
    assert time.monotonic() - began < fork_server_client.ANSWER_SECONDS
    assert not server.alive()


def test_forked_process_closes_its_channel_and_leaves_the_server_running():
    server = fork_server_client.ForkServerClient()
    try:
        owner, server.owner = server.owner, 0
        line, server.channel = server.channel, server.channel.dup()
        server.close()
        assert server.channel.fileno() == -1
        assert server.server.returncode == 0
        server.owner, server.channel, server.server.returncode = owner, line, None
        assert server.alive()
    finally:
        server.close()


def test_failed_start_of_a_server_closes_both_sockets(monkeypatch):
    def refused(command, orders):
        lines.append(orders)
        raise OSError(11, "no more processes")

    made, lines = [], []
    pair = fork_server_client.socket.socketpair
    monkeypatch.setattr(fork_server_client, "start_server", refused)
    monkeypatch.setattr(fork_server_client.socket, "socketpair", lambda *kind: made.extend(pair(*kind)) or made)
    with pytest.raises(MachineError, match="cannot be started: no more processes"):
        fork_server_client.ForkServerClient()
    assert [end.fileno() for end in made] == [-1, -1]
    assert len(lines) == 1


HOOKS = """
import os, sys
asked = []
os.register_at_fork = lambda **hooks: asked.append(hooks)
given = os.register_at_fork
sys.path.insert(0, sys.argv[1])
from kibitz.players.isolation import fork_server
fork_server.preload_modules()
assert "random" in sys.modules and os.register_at_fork is given
threading = sys.modules.get("threading")  # from Python 3.13 on, sysconfig imports it
print([hooks for hooks in asked if not threading or hooks != {"after_in_child": threading._after_fork}])
"""


def test_server_modules_register_no_fork_hooks():
    """Without ``site``, since modules that an environment imports at every start aren't ours."""
    found = subprocess.run([sys.executable, "-S", "-c", HOOKS, home()], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
