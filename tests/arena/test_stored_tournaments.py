"""A tournament in a store can be stopped at any time and resumed, and is proved like a season."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import kibitz
import kibitz.arena
from kibitz.arena.model import Submission, Threshold
from kibitz.arena.running import blocks
from kibitz.arena.running.blocks import BUILT_IN
from kibitz.arena.running.next_round import TournamentPlayers, TournamentScheduler
from kibitz.arena.running.tournament import run
from kibitz.arena.schedule import FILLER_OWNER
from kibitz.arena.store import open_store
from kibitz.engine.registry import all_games
from kibitz.errors import MachineError, NotationError, StoreError
from kibitz.players.built_in import reproducible_players
from kibitz.players.limits import Limits
from kibitz.players.specs import file_spec, find_player
from tests.tiers import first_fast, tiered

MINI = kibitz.game("go-mini")
BO = kibitz.game("bo")
PLAYERS = Path(__file__).parents[2] / "examples" / "players"
FIELD = [find_player(MINI, name) for name in ("first", "random", "first")]
BROKEN = "def comp10001go_play(*_):\n    return 7\n\n\ndef comp10001go_group(*_):\n    return 7\n"
PLAY = """
import sys
from kibitz.cli import main
sys.exit(main())
"""


def broken(name="broken"):
    return file_spec(MINI, f"{name}.py", BROKEN, name)


def stopped_at(games):
    """Interrupts a tournament after a number of games."""

    def progress(done, of):
        if done >= games:
            raise KeyboardInterrupt

    return progress


def proofs(path):
    """The faults that proofs find in the tournament of a store."""
    with open_store(path) as store:
        return wrong_in(store)


@pytest.mark.parametrize("max_margin", first_fast([None, 0.2]))
def test_a_stopped_tournament_resumes_to_the_same_result(tmp_path, max_margin):
    field, where = [*FIELD, broken()], tmp_path / "kept.sqlite"
    deals = 10 if max_margin is None else None
    whole = run(MINI, field, deals, 7, max_margin=max_margin, in_process=True)
    games = 0
    while True:
        games += 12
        played = run(MINI, field, deals, 7, 1, stopped_at(games), max_margin=max_margin, in_process=True, where=where)
        assert proofs(where) == []
        assert len(played.results) >= min(games, len(whole.results))
        if played.complete:
            break
    assert played == whole
    assert games > 24
    assert [line.name for line in played.standings if line.status] == ["broken"]


@pytest.mark.long
def test_a_tournament_resumes_after_its_runner_is_killed(tmp_path):
    where, deals = tmp_path / "kept.sqlite", 200  # enough that it is still running when the test looks
    field = ["first", "random", "first"]
    words = ["tournament", "go-mini", *field, "--deals", deals, "--seed", "7", "--store", where]
    with subprocess.Popen([sys.executable, "-c", PLAY, *map(str, words)], start_new_session=True) as process:
        while not where.exists() or count(where) < 8:
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
    assert count(where) >= 8
    assert proofs(where) == []
    played = run(MINI, FIELD, deals, None, 2, where=where)
    assert played.complete
    assert played == run(MINI, FIELD, deals, 7, in_process=True)
    assert proofs(where) == []


def count(where):
    """The number of games in a store."""
    try:
        with open_store(where, create=False) as store:
            return len(store.results(MINI.name))
    except StoreError:
        return 0


def test_a_round_may_start_before_the_last_one_ends(tmp_path):
    """The proof allows for it: a store with two open rounds is valid."""
    where = tmp_path / "kept.sqlite"
    run(MINI, FIELD, 12, 7, 1, stopped_at(0), in_process=True, where=where)
    with open_store(where) as store:
        series = TournamentScheduler(store, store.tournament(MINI.name))
        series.advance()
        while store.rounds(MINI.name)[-1].number < 3:
            *leases, last = store.claim(MINI.name, "me", 99)
            for lease in leases:
                finish(store, series, lease)
            assert series.advance() == "scheduled"
            assert [one.closed_at is None for one in store.rounds(MINI.name)][-2:] == [True, True]
            assert wrong_in(store) == []
            finish(store, series, last)
            series.advance()
            assert [one.closed_at is None for one in store.rounds(MINI.name)][-2:] == [False, True]
            assert wrong_in(store) == []
    assert run(MINI, FIELD, 12, 7, where=where) == run(MINI, FIELD, 12, 7, in_process=True)


def finish(store, series, lease):
    """Play a claimed block."""
    field = series.players
    called = (replace(spec, shown_name=name) for spec, name in zip(FIELD, field.names, strict=False))
    players = dict(zip(field.submissions, called, strict=False))
    store.complete(lease, list(blocks.play(MINI, lease.block, players)))


def wrong_in(store):
    """The faults that proofs find in the tournament of an open store."""
    return [proof.sentence for proof in kibitz.arena.Arena(store).proofs(MINI.name) if not proof.ok]


@pytest.mark.long
def test_a_stored_tournament_can_be_read_as_a_season(tmp_path):
    where = tmp_path / "kept.sqlite"
    played = run(MINI, [*FIELD, broken()], 8, 7, 2, where=where, absent=[("late", "it is not a ZIP archive.")])
    with kibitz.arena.open(where) as arena:
        assert {one.player for one in arena.ranking(MINI.name).rows if one.rank} == {"first-1", "random", "first-2"}
        lost = arena.failures("broken")
        assert len(lost) == sum(len(result.forfeits) for result in played.results)
        assert arena.failure_report(lost[0]).sentence
        assert arena.replay(f"{MINI.name}/1").identical
        assert [one.reason for one in arena.store.submissions(MINI.name, player="late")] == ["it is not a ZIP archive."]
        with pytest.raises(StoreError, match="holds custom games"):
            arena.final(MINI.name)
        assert arena.run(MINI.name).games == 0


@pytest.mark.parametrize(
    ("change", "why"),
    first_fast(
        [
            ({"specs": FIELD[:2]}, "its players differ"),
            ({"specs": [FIELD[1], FIELD[0], FIELD[2]]}, "its players differ"),
            ({"specs": [*FIELD[:2], broken()]}, "its players differ"),
            ({"absent": [("late", "it is not a ZIP archive.")]}, "its players differ"),
            ({"seed": 8}, "its seed differs"),
            ({"deals": 9}, "number of deals or"),
            ({"max_margin": 0.1}, "number of deals or"),
            ({"threshold": Threshold(9, 0.5)}, "its rule for"),
        ],
        3,
    ),
)
def test_a_different_tournament_is_refused_and_the_store_unchanged(tmp_path, change, why):
    where = tmp_path / "kept.sqlite"
    words = {"specs": FIELD, "deals": 4, "seed": 7, "where": where, "in_process": True}
    kept = run(MINI, **words)
    before = where.read_bytes()
    with pytest.raises(StoreError, match=why):
        run(MINI, **words | change)
    assert where.read_bytes() == before
    assert run(MINI, **words | {"seed": None}) == kept


def test_different_limits_are_refused(tmp_path):
    words = {"deals": 2, "seed": 7, "where": tmp_path / "kept.sqlite"}
    run(MINI, [broken()], **words)
    with pytest.raises(StoreError, match="its limits"):
        run(MINI, [file_spec(MINI, "broken.py", BROKEN, "broken", limits=Limits(call=1.0))], **words)
    with pytest.raises(NotationError, match="need the same limits"):
        run(MINI, [broken(), file_spec(MINI, "other.py", BROKEN, "other", limits=Limits(call=1.0))], 2, 7)


def test_a_season_store_is_refused_for_a_tournament(tmp_path):
    where = tmp_path / "season.sqlite"
    with kibitz.arena.open(where) as arena:
        arena.begin(MINI.name)
    with pytest.raises(StoreError, match="holds a season of go-mini"):
        run(MINI, FIELD, 2, 7, where=where)


def test_built_in_players_need_no_sandbox(tmp_path, monkeypatch):
    def refused():
        raise MachineError("There is no sandbox here.")

    monkeypatch.setattr(blocks, "tier", refused)
    monkeypatch.setattr("kibitz.arena.running.runner.tier", refused)
    monkeypatch.setattr("kibitz.arena.running.runner.require_confinement", refused)
    where = tmp_path / "kept.sqlite"
    assert run(MINI, FIELD, 2, 7, 1, where=where).complete
    with open_store(where) as store:
        assert {one.tier for one in store.results(MINI.name)} == {BUILT_IN}


@pytest.mark.parametrize("in_process", [True, False])
def test_an_empty_file_plays_and_fails_to_load(in_process):
    specs = [file_spec(MINI, "empty.py", b"", "empty"), FIELD[0]]
    played = run(MINI, specs, 3, 7, in_process=in_process)
    (line,) = (line for line in played.standings if line.name == "empty")
    assert set(line.forfeits) == {"load"}


@pytest.mark.parametrize("game", tiered(game.name for game in all_games()))
def test_older_stores_keep_their_strongest_filler(game):
    """A store from before a stronger player existed keeps the filler of its time."""
    names = list(reproducible_players(kibitz.game(game)))
    for last in range(1, len(names) + 1):
        here = [entered(number, name) for number, name in enumerate(names[:last])]
        assert TournamentPlayers(game, here[::-1]).filler == 0
        assert TournamentPlayers(game, here).filler == last - 1
        twice = [*here, entered(last, names[last - 1])]
        assert TournamentPlayers(game, twice).filler == last - 1, "of two, the one entered first"
        assert TournamentPlayers(game, [*here, entered(last, "first", owner=FILLER_OWNER)]).filler == last


def entered(number, name, owner="ann"):
    """An accepted built-in player."""
    return Submission(number, "T", name, 1, owner, name, "", "accepted", "", 0.0, 0.0)
