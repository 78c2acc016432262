"""A played season as a library: tables, histories, failures, replays, proofs and custom games."""

import hashlib
import shlex
import shutil
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from functools import partial

import pytest

import kibitz.arena
from kibitz.arena.entry.qualification import Report
from kibitz.cli import main
from kibitz.errors import ConfinementError, NotationError, StoreError
from kibitz.players.limits import STANDARD, limits_from
from kibitz.sandbox import request_tier
from kibitz.search.veterans import PRESIDENT_NETWORK
from tests.players.conftest import HONEST

pytestmark = pytest.mark.xdist_group("arena api")

FAILING = """
def comp10001go_play(history, player, hand):
    if len(history) == 3 and hand[0] < '6':
        print('I am out of ideas')
        return history[0][player]
    return hand[-1]

def comp10001go_group(history, player):
    return [[turn[player]] for turn in history]
"""
HIGH = HONEST.replace("return hand[0]", "return hand[-1]")
BUSY = HONEST.replace("return hand[0]", "while len(hand) < 9: pass\n    return hand[0]")
PLAYERS = {"Ann": HONEST, "Ben": HIGH, "Cas": HONEST + "\n# mine\n", "Dot": HIGH + "\n# mine\n"}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The store of a season of two rounds among five players, one of which sometimes fails; shared, so unchanged."""
    folder = tmp_path_factory.mktemp("season")
    with kibitz.arena.open(folder / "season.sqlite") as arena:
        arena.begin("go", seed=11)
        for name, source in PLAYERS.items():
            assert arena.submit("go", f"{name}.py", name, content=source.encode(), games=2).accepted
        late = arena.store.submit("go", "Eve", "Eve", "failing.py", FAILING.encode())
        report = Report("go", "failing.py", late.sha256, 0, ())
        arena.store.record_check(late.id, passed=True, reason="", report=report.to_json())
        ended = arena.run("go", rounds=2, workers=1)
        assert ended.why == "done"
    (folder / "failing.py").write_text(FAILING)
    return folder / "season.sqlite"


@pytest.fixture
def arena(played, tmp_path):
    """A private copy of the season."""
    shutil.copy(played, tmp_path / "season.sqlite")
    with kibitz.arena.open(tmp_path / "season.sqlite") as opened:
        yield opened


def test_every_match_ends_as_finished_or_forfeited_with_seat_and_rule(arena):
    for result in arena.results("go"):
        failed = [seat for seat in result.seats if seat.forfeit]
        assert result.status == ("forfeited" if failed else "finished")
        for seat in failed:
            assert seat.player == "Eve"
            assert seat.rule.startswith("comp10001go_play must return one card of the hand")
            assert seat.place == 4


def test_a_failure_report_has_what_its_owner_needs(arena, played, capsys, monkeypatch):
    failure = arena.failures("Eve", newest=1)[0]
    finding = arena.failure_report(failure)
    where = f"Match go/{failure.match}, version 1 of Eve (invalid) in seat {failure.seat}, after "
    assert finding.what.startswith(where)
    assert "must return one card of the hand" in finding.why
    lines = finding.position.splitlines()
    assert lines[failure.seat].startswith("You ")
    assert lines[-1].startswith("your hand")
    call, returned, *prints = finding.detail.splitlines()
    assert call.startswith("comp10001go_play([[")
    assert returned.startswith("returned '")
    assert prints == ["It printed last:", "I am out of ideas"]
    monkeypatch.chdir(played.parent)
    main(shlex.split(finding.alone)[1:])
    assert capsys.readouterr().out.splitlines() == [
        "It printed:",
        "I am out of ideas",
        "It returned:",
        returned.removeprefix("returned "),
    ]


def test_the_reproduce_command_shows_the_failure_again(arena, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "season.sqlite"))
    failure = arena.failures("Eve", newest=1)[0]
    words = arena.failure_report(failure).reproduce.split()
    assert words[0] == "kibitz"
    assert main(words[1:]) == 0
    told = capsys.readouterr().out
    assert failure.rule in " ".join(told.split())  # lines are as wide as the terminal
    assert failure.detail in told
    assert "is identical" in told


@pytest.mark.long
def test_a_replay_shows_where_a_changed_file_plays_differently(arena, tmp_path):
    (ann,) = (found for found in arena.store.submissions("go") if found.player == "Ann")
    result = next(found for found in arena.results("go") if ann.id in [seat.submission for seat in found.seats])
    seat = [one.submission for one in result.seats].index(ann.id)
    digest = hashlib.sha256(HIGH.encode()).hexdigest()
    change(tmp_path, "UPDATE submissions SET content = ?, sha256 = ? WHERE player = 'Ann'", HIGH.encode(), digest)
    again = arena.replay(f"go/{result.match}")
    assert not again.identical
    assert again.difference.startswith("line ")
    assert f". {seat} " in again.difference
    proofs = list(arena.replays("go", 16))
    assert not all(proof.ok for proof in proofs)
    assert not proofs[-1].ok


def test_an_unchanged_tournament_is_proved(arena):
    told = []
    arena.freeze("go")
    arena.final("go")
    arena.run("go", rounds=1, workers=1)
    arena.end("go")
    proofs = list(arena.proofs("go", lambda done, of: told.append((done, of))))
    assert [proof.why for proof in proofs if not proof.ok] == []
    assert len({proof.what for proof in proofs}) == len(proofs)
    assert told[-1][0] == told[-1][1] > len(arena.results("go", stage="season")) + len(arena.results("go"))
    assert told == sorted(told)
    assert all(proof.ok for proof in arena.replays("go", 3))
    assert {stage_seed.seed is None for stage_seed in arena.stage_seeds("go")} == {False}


def change(folder, statement, *values):
    """Tamper with a season's database."""
    with closing(sqlite3.connect(folder / "season.sqlite")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def test_proofs_find_a_changed_record(arena, tmp_path):
    record = arena.store.record("go", 1).replace("\n1. 0 ", "\n1. 1 ")
    statement = "UPDATE matches SET record = ? WHERE block_id = 1 AND rotation = 0"
    change(tmp_path, statement, zlib.compress(record.encode()))
    wrong = [proof for proof in arena.proofs("go") if not proof.ok]
    assert "table matches, match 1 (block 1, rotation 0)" in wrong[0].sentence
    assert "this should be move 1 by seat 0" in wrong[0].sentence


def test_seeds_are_revealed_once_no_deal_depends_on_them(arena):
    def secret():
        return {stage_seed.stage: stage_seed.seed is None for stage_seed in arena.stage_seeds("go")}

    assert secret() == {"season": True}
    arena.freeze("go")
    assert secret() == {"season": True}
    arena.final("go", seed=3)
    assert secret() == {"season": False, "final": True}
    arena.end("go")
    assert secret() == {"season": False, "final": False}
    assert [stage_seed.seed for stage_seed in arena.stage_seeds("go")] == [11, 3]


def test_the_final_follows_the_freeze_and_counts_alone(arena):
    with pytest.raises(StoreError, match="go still takes submissions; close them first"):
        arena.final("go")
    season = arena.ranking("go")
    arena.freeze("go")
    with pytest.raises(StoreError, match="takes no more submissions"):
        arena.submit("go", "new.py", "Fay", content=HONEST.encode(), games=2)
    assert arena.final("go").phase == "final"
    sealed = arena.final("go").commitments, arena.final("go", seed=5).commitments
    assert sealed[0] == sealed[1], "begun once, its seed stays"
    assert arena.ranking("go").ratings is None
    arena.run("go", max_margin=5000.0, rounds=9, workers=1)
    assert arena.ranking("go").rounds == 1, "one round is enough for so wide an interval"
    assert arena.ranking("go", stage="season").rows == season.rows
    arena.end("go")
    with pytest.raises(StoreError, match="finished"):
        arena.final("go")
    with pytest.raises(StoreError, match="cannot go back"):
        arena.thaw("go")
    assert arena.run("go", rounds=99).why == "closed"


def test_a_final_without_players_is_refused(arena):
    arena.begin("bo")
    arena.freeze("bo")
    with pytest.raises(StoreError, match="needs a player, but none can play"):
        arena.final("bo")
    assert arena.tournament("bo").phase == "frozen"


def test_submissions_close_at_the_deadline(tmp_path):
    now = 1_000_000.0
    with kibitz.arena.open(tmp_path / "season.sqlite", clock=lambda: now) as arena:
        arena.begin("go")
        with pytest.raises(StoreError, match="The deadline must be in the future"):
            arena.set_deadline("go", now)
        for closes_at in (now + 50, None, now + 100):
            assert arena.set_deadline("go", closes_at).deadline == closes_at
        submit = partial(arena.submit, "go", "new.py", content=HONEST.encode(), games=2)
        assert submit("Ann").accepted
        now += 100
        with pytest.raises(StoreError, match="Submissions to go closed on 1970-01-12 at 13:48 UTC"):
            submit("Ben")
        assert submit("Cem", arrived_at=now - 1).accepted, "it arrived in time and had to wait"
        assert arena.tournament("go").phase_at(now) == "frozen"
        assert arena.thaw("go").deadline is None
        assert submit("Dan").accepted
        arena.set_deadline("go", now + 100)
        now += 100
        assert arena.final("go", seed=3).phase == "final"
        with pytest.raises(StoreError, match="go takes no more submissions"):
            arena.set_deadline("go", now + 100)
        assert all(proof.ok for proof in arena.proofs("go"))


def test_a_frozen_season_can_be_thawed(arena):
    arena.freeze("go")
    arena.thaw("go")
    assert arena.submit("go", "new.py", "Fay", content=HONEST.encode(), games=2).accepted
    assert "Fay has no games yet." in arena.ranking("go").text


@pytest.mark.long
def test_custom_games_are_recorded_but_not_rated(arena, tmp_path):
    (tmp_path / "guest.py").write_text(FAILING)
    before = arena.ranking("go"), arena.store.rounds("go"), arena.store.submissions("go")
    words = ["Ann", "Ben@1", "first", str(tmp_path / "guest.py")]
    custom = arena.begin_custom("go", words, deals=3, seed=4)
    assert (custom.name, custom.kind) == ("custom-1", "custom")
    assert arena.run(custom.name, workers=1).why == "done"
    table = arena.ranking("custom-1")
    assert {row.player for row in table.rows} == {"Ann", "Ben@1", "first", "guest"}
    assert {row.games for row in table.rows} == {12}
    assert all(row.rank for row in table.rows), "custom games disqualify no players"
    assert (arena.ranking("go"), arena.store.rounds("go"), arena.store.submissions("go")) == before
    assert arena.replay("custom-1/2").identical
    arena.end("custom-1")
    assert [proof.why for proof in arena.proofs("custom-1") if not proof.ok] == []
    assert arena.begin_custom("go", ["first", "first"]).name == "custom-2"
    for words in (["first"], ["first", "Ann"], ["Ann", "Ben", "Cas", "Dot", "random"]):
        few = arena.begin_custom("go", words).name
        assert arena.run(few, workers=1).why == "done"
        assert len(arena.ranking(few).rows) == len(words)
        assert min(row.games for row in arena.ranking(few).rows) >= 4, "everybody plays the deal that is asked for"
    for act in (arena.freeze, arena.thaw, arena.final):
        with pytest.raises(StoreError, match="aren't rated"):
            act("custom-1")


def test_a_network_plays_custom_games_by_its_path(tmp_path):
    """A network is data, not code: it plays without a sandbox, and its matches can be replayed."""
    shutil.copy(PRESIDENT_NETWORK, tmp_path / "mine.npz")
    with kibitz.arena.open(tmp_path / "season.sqlite") as arena:
        words = [str(tmp_path / "mine.npz"), "greedy", "lowest", "random"]
        custom = arena.begin_custom("president:rounds=1", words, deals=1, seed=1)
        assert arena.run(custom.name, workers=1).why == "done"
        assert sorted(row.player for row in arena.ranking(custom.name).rows) == ["greedy", "lowest", "mine", "random"]
        assert arena.replay(f"{custom.name}/1").identical


def test_a_custom_game_with_unknown_players_is_refused(arena):
    for words, why in (
        (["Zoe"], "no player called 'Zoe'; known players: Ann, Ben, Cas, Dot, Eve, random"),
        (["Ann@2"], "no player called 'Ann@2'"),
        (["none.py"], "no such file"),
        ([], "at least one player"),
    ):
        with pytest.raises(NotationError, match=why):
            arena.begin_custom("go", words)
    with pytest.raises(NotationError, match="at least one deal"):
        arena.begin_custom("go", ["Ann"], deals=0)
    assert [one.kind for one in arena.tournaments()] == ["standard"]


def test_a_history_lists_every_version_with_its_results(arena):
    arena.begin_custom("go", ["Ann"])
    (ann, guest) = arena.history("Ann")
    assert (ann.kind, ann.submission.state, ann.rating.games > 0, ann.disqualification) == (
        "standard",
        "accepted",
        True,
        None,
    )
    assert guest.kind == "custom"
    assert [one.submission.tournament for one in arena.history("Ann", "go")] == ["go"]
    with pytest.raises(StoreError, match="unknown player 'Zoe' in go; known players: Ann, Ben, Cas, Dot, Eve"):
        arena.history("Zoe", "go")
    with pytest.raises(StoreError, match="unknown player 'Zoe'"):
        arena.failures("Zoe")


@pytest.mark.long
def test_a_disqualified_player_is_listed_with_the_reason_and_may_return(arena):
    arena.run("go", rounds=4, workers=1)
    (out,) = arena.store.disqualifications("go")
    assert out.player == "Eve"
    assert out.reason in arena.ranking("go").text
    assert arena.history("Eve")[0].disqualification == out
    assert "Eve" not in {one.player for one in arena.store.entrants("go")}
    with pytest.raises(StoreError, match="already version 1, which is excluded"):
        arena.submit("go", "failing.py", "Eve", content=FAILING.encode())


@pytest.mark.long
def test_nothing_is_rated_or_checked_without_a_sandbox(arena):
    request_tier(landlock=0)
    try:
        with pytest.raises(ConfinementError, match="'kibitz arena doctor' says more") as caught:
            arena.submit("go", "new.py", "Fay", content=HONEST.encode())
        assert "\n" not in str(caught.value)
        with pytest.raises(ConfinementError, match="Rated games need the sandbox"):
            arena.run("go", rounds=3, workers=1)
    finally:
        request_tier()
    assert len(arena.store.submissions("go")) == 5
    assert arena.run("go", rounds=3, workers=1).rounds <= 1, "and then the round is played that had been made"


def test_the_default_store_is_in_the_environment_or_the_data_folder(tmp_path, monkeypatch):
    from kibitz.arena.api import default_store

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("KIBITZ_STORE", raising=False)
    assert default_store() == tmp_path / "data" / "kibitz" / "arena.sqlite"
    with pytest.raises(StoreError, match="there is no store at"):
        kibitz.arena.open(create=False)
    kibitz.arena.open().close()
    assert default_store().exists()
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "named.sqlite"))
    kibitz.arena.open().close()
    assert (tmp_path / "named.sqlite").exists()


def test_the_arena_package_loads_lazily():
    code = "import sys, kibitz, kibitz.arena; print('sqlalchemy' in sys.modules, 'numpy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False False\n"
    with pytest.raises(AttributeError, match="no 'opne'"):
        kibitz.arena.opne  # noqa: B018


def test_tournament_limits_apply_to_checks_matches_and_replays(tmp_path):
    strict = limits_from("call=0.1")
    with kibitz.arena.open(tmp_path / "season.sqlite") as arena:
        assert arena.begin("go-mini", seed=3, limits=strict).limits == strict
        refused = arena.submit("go-mini", "busy.py", "Eve", content=BUSY.encode(), games=2)
        assert not refused.accepted
        assert "comp10001go_play used more than 0.1 s of CPU time." in refused.report.reason
        assert "--limits call=0.1" in refused.report.findings[-1].reproduce
        for name, source in {"Ann": HONEST, "Ben": HIGH, "Eve": BUSY}.items():
            late = arena.store.submit("go-mini", name, name, f"{name}.py", source.encode())
            arena.store.record_check(late.id, passed=True, reason="", report="")
        arena.run("go-mini", rounds=1, workers=1)
        assert {failure.rule for failure in arena.failures("Eve")} == {
            "comp10001go_play used more than 0.1 s of CPU time."
        }
        lost = arena.failures("Eve", newest=1)[0]
        assert arena.replay(f"go-mini/{lost.match}").identical
        assert arena.begin_custom("go-mini", ["Ann", "random"]).limits == strict
        assert arena.begin_custom("huxxy", ["random"]).limits == STANDARD
        with pytest.raises(StoreError, match="its seed, threshold and limits stay as they are"):
            arena.begin("go-mini", limits=strict)
