"""Tournaments: the same table on any number of workers, every game kept, machine failures replayed."""

import csv
import io
import os
import signal
from pathlib import Path

import msgspec
import pytest

import kibitz
from kibitz.arena.model import Threshold
from kibitz.arena.rating.standings import Result, standings
from kibitz.arena.running.tournament import PlayedTournament, run
from kibitz.errors import MachineError
from kibitz.players import rated_game
from kibitz.players.built_in import default_player
from kibitz.players.specs import find_player
from kibitz.table.match import play_match

pytestmark = pytest.mark.xdist_group("tournament")

PLAYERS = Path(__file__).parents[2] / "examples" / "players"
BO, MINI = kibitz.game("bo"), kibitz.game("go-mini")


def workers():
    """The worker processes of this process."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [
        int(child) for child in children if b"kibitz.executors.worker" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def specs(*words, game=BO):
    return [find_player(game, str(word)) for word in words]


FILLER = default_player(BO)
FIELD = specs("first", "random", "greedy", PLAYERS / "bo" / "ladder.py", PLAYERS / "bo" / "broken_illegal.py")


@pytest.mark.long
def test_the_number_of_workers_does_not_change_a_tournament():
    played = [run(BO, FIELD, 9, 3, 1), run(BO, FIELD, 9, 3, 2), run(BO, FIELD, 9, 3, in_process=True)]
    assert played[0] == played[1] == played[2]
    assert played[0].complete
    games = {line.name: line.games for line in played[0].standings if line.rank}
    assert games.pop("marshal") > 0, "a built-in player fills the seat of the disqualified player"
    assert set(games.values()) == {36}
    assert [line.name for line in played[0].standings if not line.rank] == ["broken_illegal"]


@pytest.fixture(scope="module")
def played():
    """A tournament in which one file fails, and one player could not play."""
    return run(BO, FIELD, 3, 3, absent=[("late", "=1+1, that is why.")], in_process=True)


def test_a_broken_file_forfeits_with_reason_and_call(played):
    line = next(line for line in played.standings if line.name == "broken_illegal")
    assert set(line.forfeits) <= {"illegal", "invalid"}
    assert line.games >= sum(line.forfeits.values()) > line.games // 2
    forfeits = [forfeit for result in played.results for forfeit in result.forfeits]
    assert all(forfeit.detail.startswith("comp10001bo_play(") for forfeit in forfeits)
    assert all(other.forfeits == {} for other in played.standings if other is not line)


def test_games_can_be_replayed_one_by_one(played):
    for result in played.results[:3]:
        match = play_match(BO, [FIELD[player].make() for player in result.players], result.seed)
        assert match.record.outcome.scores == result.scores


def test_progress_counts_games():
    reported = []
    run(MINI, specs("first", game=MINI), 3, 1, 1, lambda done, of: reported.append((done, of)))
    assert reported == [(0, 6), (2, 6), (4, 6), (6, 6)]


def test_an_interrupt_keeps_complete_blocks():
    def progress(done, of):
        if done == 4:
            raise KeyboardInterrupt

    played = run(MINI, specs("first", "random", game=MINI), 6, 1, progress=progress, in_process=True)
    assert not played.complete
    assert len(played.results) == 4
    assert sum(line.games for line in played.standings) == 8


def test_the_csv_suffices_to_recompute_the_table(played):
    games = {}
    for row in csv.DictReader(io.StringIO(played.to_csv())):
        games.setdefault((int(row["deal"]), int(row["rotation"])), []).append(row)
    again = [
        Result(
            deal,
            rotation,
            int(rows[0]["seed"]),
            tuple(played.players.index(row["player"]) for row in rows),
            tuple(float(row["score"]) for row in rows),
            tuple(int(row["seat"]) for row in rows if float(row["win_share"]) > 0),
            (),
        )
        for (deal, rotation), rows in games.items()
    ]
    out = {played.players.index(line.name): line.status for line in played.standings if line.status}
    without = [msgspec.structs.replace(line, forfeits={}, reasons=()) for line in played.standings]
    assert standings(played.players, again, unranked=out) == tuple(without)


def test_the_json_decodes_to_the_tournament(played):
    assert msgspec.json.decode(played.to_json(), type=PlayedTournament) == played


def test_a_machine_that_keeps_failing_ends_the_tournament(monkeypatch):
    def broken(*_, **__):
        raise MachineError("No process is to be had.")

    monkeypatch.setattr(rated_game, "attempt", broken)
    with pytest.raises(MachineError):
        run(BO, specs("first"), 1, 1, in_process=True)


@pytest.mark.long
def test_games_before_a_machine_failure_are_kept(monkeypatch):
    left = iter(range(8))

    real = rated_game.attempt

    def failing(*given):
        if next(left, None) is None:
            raise MachineError("No process is to be had.")
        return real(*given)

    monkeypatch.setattr(rated_game, "attempt", failing)
    played = run(BO, specs("first"), 3, 1, in_process=True)
    assert (played.complete, played.machine_error, len(played.results)) == (False, "No process is to be had.", 8)


@pytest.mark.long
def test_a_killed_worker_costs_no_game(monkeypatch):
    """The other workers end too, and the unfinished blocks are played by new ones."""
    killed = []

    def progress(done, of):
        if done >= 40 and not killed:
            killed.append(workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    field = specs("first", "random", "first", "random")
    assert run(BO, field, 40, 1, 2, progress) == run(BO, field, 40, 1, in_process=True)
    assert killed


def test_always_failing_players_play_two_deals_and_are_unranked():
    broken = sorted((PLAYERS / "bo").glob("broken_[it]*.py"))
    played = run(BO, [*specs("first", "random", "first", "random"), *specs(*broken)], 5, 1, in_process=True)
    lines = [line for line in played.standings if line.name != played.filler]
    ranked, out = lines[:4], lines[4:]
    assert all(line.rank and line.games == 20 for line in ranked)
    assert {line.name for line in out} == {path.stem for path in broken}
    for line in out:
        assert (line.rank, line.games) in [(0, 8), (0, 12)]
        lost = sum(line.forfeits.values())
        assert line.status == (
            f"{line.name} is out of the tournament: it forfeited {lost} of {line.games} games "
            "(allowed: 4, or 2 % of the games if that is more)."
        )
    assert all(line.status == "" for line in ranked)


@pytest.mark.long
def test_games_against_disqualified_players_count():
    played = run(BO, FIELD, 9, 3, in_process=True)
    assert sum(line.wins for line in played.standings) == pytest.approx(len(played.results))
    assert sum(line.games for line in played.standings) == 4 * len(played.results)


@pytest.mark.long
def test_the_requested_threshold_is_used():
    strict = run(BO, FIELD, 7, 3, threshold=Threshold(games=9, share=0.5), in_process=True)
    (line,) = (line for line in strict.standings if line.status)
    assert line.games > 8
    assert "allowed: 8, or 50 % of the games if that is more" in line.status


def test_free_seats_go_to_a_built_in_player_with_its_own_rank():
    """Over two rounds, of two deals and of one."""
    go = kibitz.game("go:players=3")
    played = run(go, specs("first", game=go), 3, 1, 2)
    assert played.complete
    assert played.filler == played.players[-1] == default_player(go)
    assert {line.name: line.games for line in played.standings} == {"first": 9, played.filler: 18}
    assert all(line.rank for line in played.standings)


def test_a_tournament_runs_until_its_intervals_are_narrow_enough():
    field = specs("first", "random", "first", game=MINI)
    played = run(MINI, field, None, 1, max_margin=0.15, in_process=True)
    assert played.complete
    assert max(line.win_margin for line in played.standings) <= 0.15
    assert min(line.games for line in played.standings) >= 20
    cut = run(MINI, field, 7, 1, max_margin=0.001, in_process=True)
    assert cut.results == run(MINI, field, 7, 1, in_process=True).results


def test_players_play_25_deals_by_default():
    played = run(MINI, specs("first", "random", "first", game=MINI), None, 1, in_process=True)
    assert [line.games for line in played.standings if line.name.startswith("first")] in ([50, 52], [52, 50], [50, 50])
    assert len(played.results) == 2 * 38


def test_the_ranking_csv_has_every_reason(played):
    rows = list(csv.DictReader(io.StringIO(played.ranking_csv())))
    assert [row["player"] for row in rows] == [line.name for line in played.standings]
    assert {row["player"]: row["status"] for row in rows if not row["rank"]} == {
        line.name: line.status for line in played.standings if not line.rank
    }
    assert {row["reasons"] for row in rows} == {" ".join(line.reasons) for line in played.standings}
    assert all(row["win_margin"] or row["games"] == "0" or row["status"] or row["unknown"] for row in rows)
    games = list(csv.DictReader(io.StringIO(played.to_csv())))
    failed = [forfeit for result in played.results for forfeit in result.forfeits]
    assert [(row["forfeit"], row["reason"]) for row in games if row["forfeit"]] == [
        (forfeit.kind, forfeit.sentence) for forfeit in failed
    ]
