"""The games of a check: who meets whom, when there is enough, and what is said of them."""

from types import SimpleNamespace

import pytest

from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.players import check
from kibitz.players.check import LONGEST_PRINT, Checker, Plan, TrialGames, indented
from kibitz.players.file_player import FilePlayer, Printed
from kibitz.players.findings import Finding
from kibitz.players.limits import STANDARD, limits_from
from kibitz.players.specs import StrategyPlayer

GO = game("go")
SPEC = SimpleNamespace(make=lambda: "a copy", limits=STANDARD)


def of(**plan):
    return TrialGames(GO, "mine.py", Plan(**plan))


def names(players):
    return [player if player == "a copy" else player.name for player in players]


def test_every_second_game_is_against_others_and_the_copy_goes_round_the_seats():
    found = of(references=("random", "first", "greedy"))
    for number in range(0, 20, 2):
        assert found.seating(SPEC, number) == ["a copy"] * 4
    seats = [names(found.seating(SPEC, number)).index("a copy") for number in range(1, 17, 2)]
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]
    assert names(found.seating(SPEC, 1)) == ["a copy", "first", "greedy", "random"]
    assert names(found.seating(SPEC, 3)) == ["first", "a copy", "random", "first"]
    assert all(isinstance(one, StrategyPlayer) for one in found.seating(SPEC, 1)[1:])


def test_all_built_in_players_are_met_in_every_tenth_game_and_quick_ones_in_the_others():
    found = of()
    assert set(found.references_in(0)) == set(found.references_in(10)) == set(found.references) > {"random", "first"}
    assert {tuple(sorted(found.references_in(number))) for number in range(1, 10)} == {("first", "random")}
    assert of(references=("greedy",)).references_in(3) == ("greedy",)
    with pytest.raises(NotationError, match="has no built-in player called 'nobody'; there are: "):
        of(references=("nobody",))


@pytest.mark.parametrize(
    ("played", "wanted", "says"),
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
def test_what_is_said_of_games_without_a_failure(played, wanted, says):
    assert of().all_played(played, wanted, 0.01234) == says


def test_a_game_is_played_again_by_the_same_words():
    plain = of().play_again(SPEC, 4)
    assert plain == "kibitz check-player go mine.py --only 5"
    spec = SimpleNamespace(limits=limits_from("call=1"))
    assert of(seed=3, references=("random", "first")).play_again(spec, 0) == (
        "kibitz check-player go mine.py --only 1 --seed 3 --against random,first --limits call=1"
    )


class Copy(FilePlayer):
    """A copy of a file that has worked and idled for so long."""

    def __init__(self):
        super().__init__("p", "p.py", "")
        self.slowest, self.spent, self.idled, self.end_error = 0.5, 10.0, 5.0, None


def run(monkeypatch, *, kinds=(), after=None, forfeits=(), says=(), **plan):
    """All findings of a plan whose games fail in these kinds, and how many games were told of."""
    monkeypatch.setattr(
        check, "play_match", lambda game, players, seed: seeds.append(seed) or speak(players) or outcome
    )
    outcome = SimpleNamespace(record=SimpleNamespace(forfeits=forfeits))
    seeds, told = [], []

    def speak(players):
        players[0].printed += [Printed("play()", one) for one in says]
        players[0].end_error = after

    found = of(**plan)
    monkeypatch.setattr(found, "seating", lambda spec, number: [Copy(), StrategyPlayer("first", None)])
    monkeypatch.setattr(
        found, "failures", lambda *given: iter([Finding(False, "Failure", "No.", kind) for kind in kinds])
    )
    findings = list(found.findings(SPEC, lambda done, all_of: told.append((done, all_of))))
    return findings, seeds, told, found


def test_a_file_that_fails_in_three_games_need_not_play_the_others(monkeypatch):
    findings, seeds, told, _ = run(monkeypatch, kinds=("exception",), forfeits=("x",), games=9, cpu_seconds=1e9)
    assert [one.kind for one in findings] == ["exception"]
    assert told == [(1, 9), (2, 9), (3, 9)]
    assert seeds == [0, 1, 2]


@pytest.mark.parametrize("kind", ["time", "idle"])
def test_a_file_that_fails_on_time_once_need_not_either(kind, monkeypatch):
    assert run(monkeypatch, kinds=(kind,), forfeits=("x",), games=9)[2] == [(1, 9)]


@pytest.mark.parametrize(("cpu_seconds", "games"), [(14.9, 2), (29.9, 2), (30.0, 3), (1e9, 6)])
def test_two_games_are_played_however_slow_a_file_is(cpu_seconds, games, monkeypatch):
    """A game costs 15 s here, of which 5 s are slept."""
    findings, _, told, _ = run(monkeypatch, games=6, cpu_seconds=cpu_seconds)
    assert len(told) == games
    assert findings[-1].what == of().all_played(games, 6, 0.5)


def test_one_game_alone_has_the_seed_that_it_has_among_all(monkeypatch):
    _, seeds, told, _ = run(monkeypatch, games=9, seed=2**128 - 2, only=4)
    assert (seeds, told) == ([1], [(1, 1)])


def test_what_goes_wrong_after_the_end_is_a_warning_once(monkeypatch):
    findings, *_ = run(monkeypatch, games=3, after=ValueError("too late"))
    (one,) = (found for found in findings if found.warning)
    assert (one.ok, one.kind, one.why) == (True, "end", "too late")
    assert one.what == "The file fails when it gets the result, in game 1"


def test_prints_are_kept_by_game_and_seat_up_to_a_bound(monkeypatch):
    found = run(monkeypatch, games=2, says=("a", "b"))[3]
    assert [(where, one.text) for where, one in found.printed] == [
        *(("game 1, seat 0", "a"), ("game 1, seat 0", "b"), ("game 2, seat 0", "a"), ("game 2, seat 0", "b")),
    ]
    monkeypatch.setattr(check, "MAX_PRINTED", 3)
    assert len(run(monkeypatch, games=2, says=("a", "b"))[3].printed) == 3


def printed(count, only=None):
    """The finding on so many calls in which something was printed."""
    checker = Checker(GO, "mine.py", Plan(only=only), STANDARD, None, own=False)
    checker.printed = [(f"game {number}", Printed("play()", "hm\n")) for number in range(count)]
    return next(checker.prints(), None)


def test_prints_are_told_by_call_ten_of_them():
    assert printed(0) is None
    assert printed(1).what == "The file printed something in 1 call"
    assert printed(10).what == "The file printed something in 10 calls"
    eleven = printed(11)
    assert eleven.what == "The file printed something in 11 calls; the first 10 are shown"
    assert eleven.detail.count("hm") == 10
    assert eleven.detail.endswith("the file prints in it:\nkibitz check-player go mine.py --only 1")
    assert printed(11, only=1).detail.count("hm") == 11
    assert printed(2).detail == "game 0, play()\n    hm\ngame 1, play()\n    hm"


def test_a_print_is_cut_at_five_hundred_characters():
    assert indented("x" * LONGEST_PRINT) == "    " + "x" * 500
    assert indented("x" * 502) == "    " + "x" * 500 + "\n    [... 2 more]"
    assert indented("a\nb\n\n") == "    a\n    b"
