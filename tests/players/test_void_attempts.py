"""Void attempts are fair: whatever some seats do in any attempt, no other seat forfeits.

schedule    what the bad seats do: the action by attempt and call (0 is the load)
strict      an honest file that remembers its calls and raises if one does not follow from the last
"""

import os
import signal
from functools import cache
from pathlib import Path

import hypothesis.strategies as some
import pytest
from hypothesis import given, settings

from kibitz.engine import record
from kibitz.engine.forfeits import POSSIBLE
from kibitz.engine.registry import all_games
from kibitz.engine.views.assignment_interface import HISTORY
from kibitz.errors import MachineError, PlayerError
from kibitz.players.file_player import FilePlayer, TrustedFilePlayer
from kibitz.players.function_player import assignment_functions
from kibitz.players.isolation import confined_process
from kibitz.players.isolation.fork_server_client import client
from kibitz.players.limits import Limits
from kibitz.players.rated_game import MAX_STARTS, Memory, play_rated
from kibitz.players.specs import PlayerSpec
from kibitz.table.match import PastFailure, PastFailures, history_digest, play_match
from tests.parts import times
from tests.players.conftest import BAD_SEAT, GO, HONEST, QUICK, go_with, honest_bo
from tests.tiers import first_fast

EXAMPLES = Path(__file__).parents[2] / "examples" / "players"
FILED = [game for game in all_games() if game.assignment is not None]
"""Every game whose assignment has functions that games call."""
TRIED, TRIED_MINI = 3, 50
"""Games a file must play without failing; a file for the whole game fails in few positions of a mini variant."""
STRICT = """
def strict(name, place):
    play = globals()[name]
    def asked(*given):
        history = repr(given[place])[:-1]
        assert history.startswith(SEEN[-1]), "this question does not follow from the last one"
        SEEN.append(history)
        return play(*given)
    named = ", ".join(f"a{k}" for k in range(play.__code__.co_argcount))
    exec(f"def wrapped({named}): return asked(*locals().values())", scope := {"asked": asked})
    globals()[name] = scope["wrapped"]

SEEN = ["["]
"""
DEEDS = ("raise", "garbage", "nothing", "exit", "die", "machine", "machine")


def places(game):
    """The functions that a game calls, with the index of their history argument."""
    state, found = game.deal(0), {}
    while not state.over:
        call = game.assignment.call(game.view(state, state.player))
        found[call.function] = call.arguments.index(HISTORY)
        game.rules.apply(state, game.legal(state)[0])
    return found


@cache
def honest_sources(name):
    """The strict versions of the sources, from examples and tests, that play a game without failing."""
    game = next(game for game in FILED if game.name == name)
    wrapped = "".join(f"strict({function!r}, {place})\n" for function, place in places(game).items())
    sources = [
        HONEST,
        honest_bo(game.options.get("top_value", 13)),
        *(path.read_text() for path in sorted(EXAMPLES.glob("*/[!b]*.py"))),
    ]
    wanted = assignment_functions(game)
    fitting = [one + STRICT + wrapped for one in sources if all(f"def {function}" in one for function in wanted)]
    found = [source for source in fitting if plays(game, source)]
    assert found, f"no file is known that plays {name}"
    return found


def plays(game, source):
    """Whether a file plays some games without failing."""
    for seed in range(TRIED_MINI if game.variant == "mini" else TRIED):
        players = [TrustedFilePlayer(f"p{seat}", "honest.py", source) for seat in range(game.seats)]
        if play_match(game, players, seed).record.forfeits:
            return False
    return True


class Scripted(TrustedFilePlayer):
    """Plays an honest file, possibly a different one in each attempt, and misbehaves by its schedule."""

    deeds, calls = {}, 0

    def load(self, wanted, seed, *, allow_play=False):
        self.do()
        return super().load(wanted, seed, allow_play=allow_play)

    def answer(self, call, new):
        self.calls += 1
        return self.do() or super().answer(call, new)

    def do(self):
        match self.deeds.get(self.calls):
            case "raise" | "exit" as kind:
                raise PlayerError("exception" if kind == "raise" else kind, "It failed as it was told to.")
            case "garbage":
                return "garbage" if self.calls else None
            case "nothing":
                return [[], ()] if self.calls else None
            case "die":
                raise ZeroDivisionError
            case "machine":
                raise MachineError("No process is to be had.")


class Spec(PlayerSpec):
    """Makes a player with the schedule of this attempt."""

    def make(self, idle_time=None):
        schedule = self.limits
        source, deeds = schedule[min(SPECS.setdefault(self.name, 0), len(schedule) - 1)]
        SPECS[self.name] += 1
        made = Scripted(self.name, f"{self.name}.py", source)
        made.deeds = deeds
        return made

    @property
    def is_file(self):
        """The limits are a schedule."""
        return False


SPECS: dict[str, int] = {}


def schedules(game):
    """The file and its deeds by call, for every seat and attempt; honest seats have one file and no deeds."""
    sources = honest_sources(game.name)
    deeds = some.dictionaries(some.integers(0, 9), some.sampled_from(DEEDS), max_size=2)
    bad = some.lists(some.tuples(some.sampled_from(sources), deeds), min_size=MAX_STARTS, max_size=MAX_STARTS)
    good = some.sampled_from(sources).map(lambda source: [(source, {})])
    seats = some.sets(some.integers(0, game.seats - 1), min_size=1, max_size=game.seats - 1)
    return seats.flatmap(lambda chosen: some.tuples(*(bad if seat in chosen else good for seat in range(game.seats))))


def play_schedule(game, schedule, seed):
    """A rated match by a schedule; None if the machine has failed in all attempts."""
    SPECS.clear()
    specs = [Spec(f"p{seat}", "", game.name, "", "", limits=one) for seat, one in enumerate(schedule)]
    try:
        return play_rated(game, specs, seed)
    except MachineError:
        return None


@pytest.mark.parametrize("game", first_fast(FILED))
@pytest.mark.parametrize("most", [2, pytest.param(times(1000, 20), marks=pytest.mark.long)])
def test_failures_of_some_seats_never_make_another_seat_forfeit(game, most):
    @settings(max_examples=most)
    @given(schedules(game), some.integers(0, 1 << 64))
    def holds(schedule, seed):
        match = play_schedule(game, schedule, seed)
        if match is not None:
            bad = {seat for seat, one in enumerate(schedule) if len(one) == MAX_STARTS}
            assert {forfeit.seat for forfeit in match.record.forfeits} <= bad

    holds()


class Changing(PlayerSpec):
    """A file that knows which attempt at its game this is."""

    def make(self, idle_time=None):
        """Tell the file."""
        ATTEMPTS.append(self.name)
        source = f"ATTEMPT = {ATTEMPTS.count(self.name)}\n{self.source}"
        return FilePlayer(self.name, "bad.py", source, self.limits, idle_time)


ATTEMPTS: list[str] = []


@pytest.fixture(autouse=True)
def reset_attempts():
    """Reset the list of attempts."""
    ATTEMPTS.clear()


def changing(name, body, top="", limits=QUICK):
    return Changing(name, f"{name}.py", "go", "hash", go_with(body, top), limits=limits)


def honest_specs():
    return [PlayerSpec(f"p{seat}", "p.py", "go", "hash", HONEST) for seat in range(GO.seats)]


def kill_server(monkeypatch, times=1, at=5):
    """Kill the fork server and all players whenever the bad seat gets its ``at``th call, ``times`` times."""
    calls, left = [0], [times]
    call = confined_process.PlayerProcess.call

    def deadly(self, *given, **options):
        if ATTEMPTS and self.idle_time.seat == BAD_SEAT and left[0]:
            calls[0] += 1
            if calls[0] == at:
                calls[0], left[0] = 0, left[0] - 1
                os.kill(client().pid, signal.SIGKILL)
        return call(self, *given, **options)

    monkeypatch.setattr(confined_process.PlayerProcess, "call", deadly)
    return left


def test_file_that_naps_and_then_raises_earlier_fails_alone(monkeypatch):
    """As reported, with the only cause of a void that is left: the fork server dies."""
    left = kill_server(monkeypatch)
    specs = honest_specs()
    nap = "import time\nif ATTEMPT == 1: time.sleep(0.05); return hand[-1]\n"
    nap += "if len(discard_history) == 2: 1 / 0\nreturn hand[0]"
    specs[BAD_SEAT] = changing("bad", nap)
    match = play_rated(GO, specs, 1)
    assert left == [0]
    assert [(one.seat, one.kind) for one in match.record.forfeits] == [(BAD_SEAT, "exception")]


def test_sleeping_player_is_asked_once_and_forfeits_when_its_idle_time_ends():
    specs = honest_specs()
    sleep = "import time\nif len(discard_history) == 2: time.sleep(60)\nreturn hand[0]"
    specs[BAD_SEAT] = changing("bad", sleep)
    match = play_rated(GO, specs, 1)
    assert ATTEMPTS == ["bad"]
    assert [(one.seat, one.kind, one.moves) for one in match.record.forfeits] == [(BAD_SEAT, "idle", 9)]
    assert "slept or waited" in match.record.forfeits[0].sentence


def test_idle_limit_is_three_times_as_long_in_rated_games():
    """0.8 s is between the limit of 0.4 s and three times that, with enough margin for a busy machine."""
    nap = changing("bad", "import time\nif len(discard_history) == 2: time.sleep(0.8)\nreturn hand[0]")
    specs = honest_specs()
    specs[BAD_SEAT] = nap
    assert play_rated(GO, specs, 1).record.forfeits == ()
    match = play_match(GO, [spec.make() for spec in specs], 1)
    assert [(one.seat, one.kind) for one in match.record.forfeits] == [(BAD_SEAT, "idle")]


def test_idle_time_adds_up_over_attempts(monkeypatch):
    """The limit is 1.2 s: 0.8 s in the void attempt leave too little for another 0.8 s."""
    kill_server(monkeypatch)
    specs = honest_specs()
    specs[BAD_SEAT] = changing("bad", "import time\nif len(discard_history) == 2: time.sleep(0.8)\nreturn hand[0]")
    reports = []
    match = play_rated(GO, specs, 1, report=reports.append)
    assert ATTEMPTS == ["bad", "bad"]
    assert [(one.seat, one.kind, one.moves) for one in match.record.forfeits] == [(BAD_SEAT, "idle", 9)]
    assert reports[-1].lapses[0].kind == "idle"
    assert reports[-1].idled[BAD_SEAT] >= QUICK.idleness(rated=True)


def test_idle_time_reported_by_another_worker_counts():
    specs = honest_specs()
    specs[BAD_SEAT] = changing("bad", "import time\nif len(discard_history) == 2: time.sleep(0.8)\nreturn hand[0]")
    idled = tuple(0.8 * (seat == BAD_SEAT) for seat in range(GO.seats))
    match = play_rated(GO, specs, 1, Memory(idled))
    assert [(one.seat, one.kind) for one in match.record.forfeits] == [(BAD_SEAT, "idle")]


@pytest.mark.parametrize("top", ["", "if ATTEMPT == 1: 1 / 0"], ids=["in a call", "at load"])
def test_failure_in_a_void_attempt_is_not_forgiven(monkeypatch, top):
    """Otherwise an accomplice who can make the machine fail could save a failed player."""
    specs = honest_specs()
    specs[0] = changing("mate", "if ATTEMPT == 1 and len(discard_history) == 3: 1 / 0\nreturn hand[0]", top)
    specs[BAD_SEAT] = changing("bad", "return hand[0]")
    kill_server(monkeypatch)
    match = play_rated(GO, specs, 1)
    assert ATTEMPTS == ["mate", "bad"] * 2
    failed = [(one.seat, one.kind, one.moves) for one in match.record.forfeits]
    assert failed == [(0, "load", 0) if top else (0, "exception", 12)]


def test_failure_does_not_stand_after_different_moves(monkeypatch):
    """A player that gets a different call than the one it failed in is asked again."""
    specs = honest_specs()
    specs[2] = changing("mate", "if ATTEMPT == 1 and len(discard_history) == 3: 1 / 0\nreturn hand[0]")
    specs[BAD_SEAT] = changing("bad", "return hand[0 if ATTEMPT == 1 else -1]")
    kill_server(monkeypatch)
    assert play_rated(GO, specs, 1).record.forfeits == ()


def test_past_failure_stands_only_after_the_same_actions_in_the_same_game():
    players = [spec.make() for spec in honest_specs()]
    actions = play_match(GO, players, 1).record.actions
    other = (*actions[:7], actions[8])
    for seed, moves, stands in ((1, actions[:8], True), (1, other, False), (2, actions[:8], False)):
        sure = history_digest(GO.name, GO.rules.VERSION, seed, moves)
        match = play_match(
            GO, players, 1, past_failures=PastFailures([PastFailure(0, 8, sure, "exception", "It failed.", "here")])
        )
        assert [(one.seat, one.moves) for one in match.record.forfeits] == [(0, 8)] * stands
        assert match.details[0] == "here" * stands


@pytest.mark.parametrize(("lapsed", "new"), [(1, 2), (2, 1)])
def test_load_failures_are_ordered_by_seat_across_attempts(lapsed, new):
    """Otherwise the record would be one that the referee never writes."""
    specs = honest_specs()
    specs[new] = changing("bad", "return hand[0]", top="1 / 0")
    before = PastFailure(lapsed, 0, history_digest(GO.name, GO.rules.VERSION, 1, ()), "load", "It failed.", "here")
    match = play_match(GO, [spec.make() for spec in specs], 1, past_failures=PastFailures([before]))
    assert [(one.seat, one.kind) for one in match.record.forfeits] == [(1, "load"), (2, "load")]
    assert record.parse(record.text(match.record)) == match.record


def test_game_voided_by_the_machine_is_replayed_with_the_same_result(monkeypatch):
    """The void attempts leave nothing behind: the result is that of an undisturbed game."""
    specs = honest_specs()
    specs[BAD_SEAT] = changing("bad", "return hand[0]")
    undisturbed = play_rated(GO, specs, 1).record
    kill_server(monkeypatch, times=2)
    assert play_rated(GO, specs, 1).record == undisturbed
    assert ATTEMPTS == ["bad"] * 4


COLLUDERS = """import time
spent = time.process_time()
while time.process_time() < spent + 0.02: pass
time.sleep(0.12)
return hand[0]"""


@pytest.mark.long
def test_files_that_idle_as_long_as_allowed_end_within_the_bound(monkeypatch):
    """All four idle in every call and attempt; further attempts don't extend their limit."""
    limits = Limits(load=0.5, call=0.3, bank=0.5, wall_factor=1.0, wall_floor=0.3)
    kill_server(monkeypatch, times=2, at=7)
    specs = [changing(f"p{seat}", COLLUDERS, limits=limits) for seat in range(GO.seats)]
    reports = []
    match = play_rated(GO, specs, 1, report=reports.append)
    assert {one.kind for one in match.record.forfeits} <= {"idle", "time"}
    slack = 0.2
    assert all(seconds <= limits.idleness(limits.bank, rated=True) + slack for seconds in reports[-1].idled)
    assert sum(reports[-1].idled) <= limits.longest(GO.seats)


class Failing:
    """Plays the first legal action until it fails at the scheduled step and moment."""

    def __init__(self, name, failure, voids):
        self.name, self.failure, self.voids, self.steps = name, failure, voids, -1

    def fail(self, moment):
        if self.failure and self.failure[:2] == (self.steps, moment):
            raise PlayerError(self.failure[2], "It failed.")
        if self.voids == (self.steps, moment):
            raise MachineError("No process is to be had.")

    def start(self, game, seat, seed):
        self.steps = 0
        self.fail("start")

    def observe(self, event):
        self.fail("observe")

    def act(self, view, legal):
        self.fail("turn")
        return -1 if self.failure == (self.steps, "turn", "illegal") else legal[0]

    def explain(self):
        return ""

    def end(self, outcome):
        return ""


def play_attempts(game, attempts):
    """Play a game in these attempts; in all but the last the machine fails, if the game gets that far."""
    lapses = PastFailures()
    for players in attempts:

        def count(notices, players=players):
            for player in players:
                player.steps = count.steps
            count.steps += 1

        count.steps = 0
        try:
            return play_match(game, players, 1, watch=count, past_failures=lapses)
        except MachineError:
            continue
    return None


def moments(most):
    """A step, a moment and a kind of failure that is possible there."""
    when = some.tuples(some.integers(0, most), some.sampled_from(("observe", "turn"))) | some.just((0, "start"))
    return when.flatmap(lambda at: some.tuples(*map(some.just, at), some.sampled_from(sorted(POSSIBLE[at[1]]))))


@pytest.mark.long
def test_failures_of_several_attempts_make_a_valid_record():
    """For all combinations of failing seats and moments in several attempts."""
    failure = some.none() | moments(1)
    one = some.tuples(*[failure] * GO.seats)

    @settings(max_examples=times(5000, 20))
    @given(some.lists(some.tuples(one, some.integers(0, GO.seats - 1), moments(2)), min_size=2, max_size=3))
    def holds(schedule):
        *spoilt, (last, *_) = schedule
        rows = [(failures, seat, void[:2]) for failures, seat, void in spoilt] + [(last, 0, None)]
        attempts = [
            [Failing(f"P{k}", failure, void if k == seat else None) for k, failure in enumerate(failures)]
            for failures, seat, void in rows
        ]
        match = play_attempts(GO, attempts)
        assert match is not None
        assert record.parse(record.text(match.record)) == match.record

    holds()


def test_illegal_action_of_a_void_attempt_stands_beside_a_load_failure():
    specs = honest_specs()
    specs[BAD_SEAT] = changing("bad", "return hand[0]", top="1 / 0")
    before = PastFailure(0, 0, history_digest(GO.name, GO.rules.VERSION, 1, ()), "illegal", "It failed.", "here")
    match = play_match(GO, [spec.make() for spec in specs], 1, past_failures=PastFailures([before]))
    assert [(one.seat, one.kind) for one in match.record.forfeits] == [(BAD_SEAT, "load"), (0, "illegal")]
    assert record.parse(record.text(match.record)) == match.record


def test_two_failures_of_void_attempts_both_stand_in_a_third():
    late, early, void = (1, "turn", "time"), (1, "observe", "exception"), (2, "observe")
    first = [Failing("P0", None, None), Failing("P1", late, None), Failing("P2", None, None), Failing("P3", None, void)]
    second = [
        Failing("P0", None, None),
        Failing("P1", None, None),
        Failing("P2", early, None),
        Failing("P3", None, void),
    ]
    match = play_attempts(GO, [first, second, [Failing(f"P{seat}", None, None) for seat in range(GO.seats)]])
    assert [(one.seat, one.kind, one.moves) for one in match.record.forfeits] == [(2, "exception", 1), (1, "time", 1)]
    assert record.parse(record.text(match.record)) == match.record
