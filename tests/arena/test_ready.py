"""Workers are ready before their first block comes: with a server of players' processes, in the tier that was found."""

import sys

import pytest

import kibitz
from kibitz.arena.running import blocks, tournament
from kibitz.errors import MachineError
from kibitz.executors import executor_of
from kibitz.players.isolation import fork_server_client
from kibitz.players.specs import find_player
from kibitz.sandbox import tier
from tests.players.conftest import go_with

GO = kibitz.game("go-mini")


@pytest.fixture(autouse=True)
def fresh():
    fork_server_client.close()
    yield
    fork_server_client.close()


def test_who_gets_ready_has_a_server_and_what_plays_blocks():
    found = tier()
    assert blocks.get_ready(blocks.encode(blocks.Coming("go-mini", found)), (), None) == b""
    server = fork_server_client._mine
    assert server is not None
    assert server.alive()
    assert server.tier == found
    assert fork_server_client.client() is server
    assert "kibitz.arena.running.blocks" in sys.modules


class Prepared:
    """A place that keeps what its workers are to do."""

    here = True

    def __init__(self, *, broken=False):
        self.begun, self.works, self.broken = 0, [], broken

    def begin(self):
        self.begun += 1
        if self.broken:
            raise MachineError("This machine cannot run workers.")

    def prepare(self, work):
        self.works.append(work)


def test_only_workers_of_player_files_start_servers_and_a_machine_that_cannot_is_told_of_later(tmp_path):
    file = tmp_path / "player.py"
    file.write_text(go_with("return hand[0]"))
    place = Prepared()
    tournament.begin(place, GO, [find_player(GO, "greedy")])
    assert (place.begun, place.works) == (1, [])
    tournament.begin(place, GO, [find_player(GO, "greedy"), find_player(GO, str(file))])
    (work,) = place.works
    assert (work.task, blocks.coming_of(work.block)) == (blocks.READY_TASK, blocks.Coming("go-mini", tier()))
    tournament.begin(broken := Prepared(broken=True), GO, [find_player(GO, str(file))])
    assert (broken.begun, broken.works) == (1, [])


def test_workers_are_ended_where_a_tournament_cannot_be_entered(monkeypatch):
    places = []

    def kept(*given, most):
        places.append(executor_of("local", 1))
        return places[-1]

    def refused(store, asked):
        raise MachineError("No.")

    monkeypatch.setattr(tournament, "place_for", kept)
    monkeypatch.setattr(tournament, "entered", refused)
    with pytest.raises(MachineError, match="No"):
        tournament.run(GO, [find_player(GO, "greedy")], 2, 1)
    assert places[0].members == []
