"""Tournaments: the same table on any number of workers, every game kept, failures of the machine played again."""

import csv
import io
from multiprocessing import active_children
from pathlib import Path

import msgspec
import pytest

import kibitz
from kibitz.arena.standings import Result, standings
from kibitz.arena.tournament import Tournament, run
from kibitz.errors import MachineError, NotationError
from kibitz.players import replays
from kibitz.players.specs import find_player
from kibitz.table.match import play_match

PLAYERS = Path(__file__).parents[2] / "examples" / "players"
BO = kibitz.game("bo")


def specs(*words, game=BO):
    return [find_player(game, str(word)) for word in words]


FIELD = specs("first", "random", "greedy", PLAYERS / "bo" / "ladder.py", PLAYERS / "bo" / "broken_illegal.py")


def test_one_two_or_no_workers_give_the_same_tournament():
    played = [run(BO, FIELD, 5, 3, 1), run(BO, FIELD, 5, 3, 2), run(BO, FIELD, 5, 3, in_process=True)]
    assert played[0] == played[1] == played[2]
    assert played[0].complete
    assert len(played[0].results) == 20


def test_another_seed_gives_another_tournament():
    assert run(BO, FIELD[:3], 2, 1, in_process=True).results != run(BO, FIELD[:3], 2, 2, in_process=True).results


def test_a_broken_file_forfeits_with_the_reason_and_the_call_for_its_owner():
    played = run(BO, FIELD, 5, 3, in_process=True)
    line = next(line for line in played.standings if line.name == "broken_illegal")
    assert set(line.forfeits) <= {"illegal", "invalid"}
    assert line.games >= sum(line.forfeits.values()) > line.games // 2
    forfeits = [forfeit for result in played.results for forfeit in result.forfeits]
    assert all(forfeit.detail.startswith("comp10001bo_play(") for forfeit in forfeits)
    assert all(other.forfeits == {} for other in played.standings if other is not line)


def test_games_can_be_played_again_one_by_one():
    played = run(BO, FIELD[:4], 1, 9, in_process=True)
    for result in played.results:
        match = play_match(BO, [FIELD[player].make() for player in result.players], result.seed)
        assert match.record.outcome.scores == result.scores


def test_progress_counts_games():
    told = []
    run(BO, specs("first"), 3, 1, 1, lambda done, of: told.append((done, of)))
    assert told == [(0, 12), (4, 12), (8, 12), (12, 12)]


def test_an_interrupt_keeps_the_blocks_that_are_complete():
    def progress(done, of):
        if done == 8:
            raise KeyboardInterrupt

    played = run(BO, specs("first", "random"), 6, 1, progress=progress, in_process=True)
    assert not played.complete
    assert len(played.results) == 8
    assert sum(line.games for line in played.standings) == 32


def test_the_csv_is_enough_to_compute_the_table_again():
    played = run(BO, FIELD, 4, 3, in_process=True)
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
    without = [msgspec.structs.replace(line, forfeits={}, reasons=()) for line in played.standings]
    assert standings(played.players, again) == tuple(without)


def test_the_json_reads_back_as_the_tournament():
    played = run(BO, FIELD, 2, 3, in_process=True)
    assert msgspec.json.decode(played.to_json(), type=Tournament) == played


def test_players_of_one_name_are_told_apart():
    assert run(BO, specs("first", "first"), 1, 1, in_process=True).players == ("first-1", "first-2")


def test_a_game_that_the_machine_broke_is_played_again(monkeypatch):
    failures = iter([MachineError("No process."), None, None, None, None])

    def unlucky(game, players, seed, **more):
        if error := next(failures):
            raise error
        return play_match(game, players, seed, **more)

    monkeypatch.setattr(replays, "play_match", unlucky)
    assert len(run(BO, specs("first"), 1, 1, in_process=True).results) == 4


def test_a_machine_that_keeps_failing_ends_the_tournament(monkeypatch):
    def broken(*_, **__):
        raise MachineError("No process is to be had.")

    monkeypatch.setattr(replays, "play_match", broken)
    with pytest.raises(MachineError):
        run(BO, specs("first"), 1, 1, in_process=True)


@pytest.mark.parametrize(
    ("players", "deals", "workers", "sentence"),
    [
        ([], 1, 1, "at least one player"),
        (["first"], 0, 1, "at least one deal, not 0"),
        (["first"], 1, 0, "at least one worker, not 0"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(players, deals, workers, sentence):
    with pytest.raises(NotationError, match=sentence):
        run(BO, specs(*players), deals, 1, workers)


def test_games_of_two_seats_have_two_rotations():
    played = run(kibitz.game("go-mini"), specs("first", "random", game=kibitz.game("go-mini")), 3, 1, in_process=True)
    assert len(played.results) == 6


def test_what_was_played_before_the_machine_failed_is_kept(monkeypatch):
    left = iter(range(8))

    def failing(game, players, seed, **more):
        if next(left, None) is None:
            raise MachineError("No process is to be had.")
        return play_match(game, players, seed, **more)

    monkeypatch.setattr(replays, "play_match", failing)
    played = run(BO, specs("first"), 3, 1, in_process=True)
    assert (played.complete, played.trouble, len(played.results)) == (False, "No process is to be had.", 8)


def test_a_worker_that_is_killed_costs_no_game(monkeypatch):
    """Its fellows end with it, and the blocks that are not done are played by others."""
    killed = []

    def progress(done, of):
        if done >= 40 and not killed:
            killed.append(active_children()[0])
            killed[0].kill()

    field = specs("first", "random")
    assert run(BO, field, 40, 1, 2, progress) == run(BO, field, 40, 1, in_process=True)
    assert killed
