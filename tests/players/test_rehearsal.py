"""The trial games of a check: the opponents, the number of games, and the findings."""

from types import SimpleNamespace

import pytest

from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.players import check
from kibitz.players.check import LONGEST_PRINT, Checker, CheckPlan, TrialGames, indented
from kibitz.players.file_player import FilePlayer, Printed
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.specs import StrategyPlayer

GO = game("go")
SPEC = SimpleNamespace(make=lambda: "a copy", limits=STANDARD)


def trial_games(**plan):
    return TrialGames(GO, "mine.py", CheckPlan(**plan))


def names(players):
    return [player if player == "a copy" else player.name for player in players]


def test_copies_play_each_other_in_even_games_and_others_in_odd_ones():
    found = trial_games(references=("random", "first", "greedy"))
    for number in range(0, 20, 2):
        assert found.players_of_game(SPEC, number) == ["a copy"] * 4
    seats = [names(found.players_of_game(SPEC, number)).index("a copy") for number in range(1, 17, 2)]
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]
    assert names(found.players_of_game(SPEC, 1)) == ["a copy", "first", "greedy", "random"]
    assert names(found.players_of_game(SPEC, 3)) == ["first", "a copy", "random", "first"]
    assert all(isinstance(one, StrategyPlayer) for one in found.players_of_game(SPEC, 1)[1:])


def test_all_built_in_players_are_met_in_every_tenth_game():
    found = trial_games()
    assert set(found.references_in(0)) == set(found.references_in(10)) == set(found.references) > {"random", "first"}
    assert {tuple(sorted(found.references_in(number))) for number in range(1, 10)} == {("first", "random")}
    assert trial_games(references=("greedy",)).references_in(3) == ("greedy",)
    with pytest.raises(NotationError, match="has no built-in player called 'nobody'; known players: "):
        trial_games(references=("nobody",))


@pytest.mark.parametrize(
    ("played", "wanted", "sentence"),
    [
        (1, 1, "1 game was played to the end; the slowest call took 12.3 ms of CPU time"),
        (20, 20, "20 games were played to the end; the slowest call took 12.3 ms of CPU time"),
        (
            5,
            20,
            "5 of 20 games were played to the end; the slowest call took 12.3 ms of CPU time, the others were left out"
            " because the file is slow",
        ),
    ],
)
def test_summary_of_games_without_a_failure(played, wanted, sentence):
    assert trial_games().success_text(played, wanted, 0.01234) == sentence


def test_command_repeats_a_game_with_the_same_plan():
    plain = trial_games().game_command(SPEC, 4)
    assert plain == "kibitz check-player go mine.py --game-number 5"
    spec = SimpleNamespace(limits=limits_from("call=1"))
    assert trial_games(seed=3, references=("random", "first")).game_command(spec, 0) == (
        "kibitz check-player go mine.py --game-number 1 --seed 3 --against random,first --limits call=1"
    )


class Copy(FilePlayer):
    """A file that has worked for 10 s and idled for 5 s."""

    def __init__(self):
        super().__init__("p", "p.py", "")
        self.slowest, self.spent, self.idled, self.end_error = 0.5, 10.0, 5.0, None


def run(monkeypatch, *, kinds=(), after=None, forfeits=(), prints=(), **plan):
    """The findings, seeds and progress of a plan whose games fail with these kinds, and its games."""
    monkeypatch.setattr(
        check, "play_match", lambda game, players, seed: seeds.append(seed) or speak(players) or outcome
    )
    outcome = SimpleNamespace(record=SimpleNamespace(forfeits=forfeits))
    seeds, progress = [], []

    def speak(players):
        players[0].printed += [Printed("play()", one) for one in prints]
        players[0].end_error = after

    found = trial_games(**plan)
    monkeypatch.setattr(found, "players_of_game", lambda spec, number: [Copy(), StrategyPlayer("first", None)])
    monkeypatch.setattr(
        found, "failures", lambda *given: iter([Finding(False, "Failure", "No.", kind) for kind in kinds])
    )
    findings = list(found.findings(SPEC, lambda done, all_of: progress.append((done, all_of))))
    return findings, seeds, progress, found


def test_check_stops_after_three_failing_games(monkeypatch):
    findings, seeds, progress, _ = run(monkeypatch, kinds=("exception",), forfeits=("x",), games=9, cpu_seconds=1e9)
    assert [one.kind for one in findings] == ["exception"]
    assert progress == [(1, 9), (2, 9), (3, 9)]
    assert seeds == [0, 1, 2]


@pytest.mark.parametrize("kind", ["time", "idle"])
def test_check_stops_after_one_failure_on_time(kind, monkeypatch):
    assert run(monkeypatch, kinds=(kind,), forfeits=("x",), games=9)[2] == [(1, 9)]


@pytest.mark.parametrize(("cpu_seconds", "games"), [(14.9, 2), (29.9, 2), (30.0, 3), (1e9, 6)])
def test_at_least_two_games_are_played_with_a_slow_file(cpu_seconds, games, monkeypatch):
    """A game takes 15 s here: 10 s of work and 5 s of sleep."""
    findings, _, progress, _ = run(monkeypatch, games=6, cpu_seconds=cpu_seconds)
    assert len(progress) == games
    assert findings[-1].what == trial_games().success_text(games, 6, 0.5)


def test_single_game_has_the_seed_it_has_in_the_series(monkeypatch):
    _, seeds, progress, _ = run(monkeypatch, games=9, seed=2**128 - 2, only=4)
    assert (seeds, progress) == ([1], [(1, 1)])


def test_error_after_the_end_is_one_warning(monkeypatch):
    findings, *_ = run(monkeypatch, games=3, after=ValueError("too late"))
    (one,) = (found for found in findings if found.warning)
    assert (one.ok, one.kind, one.why) == (True, "end", "too late")
    assert one.what == "The file fails when it gets the result, in game 1"


def test_prints_are_kept_by_game_and_seat_up_to_a_limit(monkeypatch):
    found = run(monkeypatch, games=2, prints=("a", "b"))[3]
    assert [(where, one.text) for where, one in found.printed] == [
        *(("game 1, seat 0", "a"), ("game 1, seat 0", "b"), ("game 2, seat 0", "a"), ("game 2, seat 0", "b")),
    ]
    monkeypatch.setattr(check, "MAX_PRINTED", 3)
    assert len(run(monkeypatch, games=2, prints=("a", "b"))[3].printed) == 3


def prints_finding(count, only=None):
    """The finding on ``count`` calls that prints_finding something."""
    checker = Checker(GO, "mine.py", CheckPlan(only=only), STANDARD, None, own_file=False)
    checker.printed = [(f"game {number}", Printed("play()", "hm\n")) for number in range(count)]
    return next(checker.prints(), None)


def test_prints_of_at_most_ten_calls_are_shown():
    assert prints_finding(0) is None
    assert prints_finding(1).what == "The file printed something in 1 call"
    assert prints_finding(10).what == "The file printed something in 10 calls"
    eleven = prints_finding(11)
    assert eleven.what == "The file printed something in 11 calls; the first 10 are shown"
    assert eleven.detail.count("hm") == 10
    assert eleven.detail.endswith("the file prints in it:\nkibitz check-player go mine.py --game-number 1")
    assert prints_finding(11, only=1).detail.count("hm") == 11
    assert prints_finding(2).detail == "game 0, play()\n    hm\ngame 1, play()\n    hm"


def test_print_is_shortened_to_500_characters():
    assert indented("x" * LONGEST_PRINT) == "    " + "x" * 500
    assert indented("x" * 502) == "    " + "x" * 500 + "\n    [... 2 more]"
    assert indented("a\nb\n\n") == "    a\n    b"
