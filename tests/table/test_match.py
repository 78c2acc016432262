"""The referee: nothing a player does stops the game, and everybody learns why a seat is out."""

import msgspec
import pytest

from kibitz.engine import record
from kibitz.engine.registry import game
from kibitz.engine.views.events import Event, to_seat
from kibitz.errors import MachineError, PlayerError, SeatError
from kibitz.games.go.view import Finished, Started
from kibitz.table import play_match
from kibitz.table.match import PastFailure, PastFailures, player_seed


class Lowest:
    """Takes the lowest legal action, and records what it is told."""

    name = "lowest"

    def __init__(self):
        self.events = []
        self.seed = self.outcome = None

    def start(self, game, seat, seed):
        self.game, self.seat, self.seed = game, seat, seed

    def observe(self, event):
        self.events.append(event)

    def act(self, view, legal):
        return legal[0]

    def end(self, outcome):
        self.outcome = outcome
        return f"printed by {self.seat}"


class Failing(Lowest):
    """Fails in one method, on its third turn if that is ``act``."""

    name = "failing"

    def __init__(self, where, error):
        super().__init__()
        self.where, self.error, self.turns = where, error, 0

    def fail(self, where, due=True):
        if where == self.where and due:
            raise self.error

    def start(self, game, seat, seed):
        super().start(game, seat, seed)
        self.fail("start")

    def observe(self, event):
        self.fail("observe")

    def act(self, view, legal):
        self.turns += 1
        self.fail("act", self.turns == 3)
        return legal[0]

    def end(self, outcome):
        self.fail("end")
        return ""


class Answering(Lowest):
    """Always gives the same answer."""

    name = "answering"

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def act(self, view, legal):
        return self.answer


def match(*players, name="go", seed=3, **options):
    seats = list(players) + [Lowest() for _ in range(game(name).seats - len(players))]
    return play_match(game(name), seats, seed, **options)


def test_every_seat_gets_its_events_its_seed_and_the_outcome():
    players = [Lowest() for _ in range(4)]
    played = match(*players)
    assert played.record.outcome.scores == players[0].outcome.scores
    assert played.prints == ("printed by 0", "printed by 1", "printed by 2", "printed by 3")
    assert len({player.seed for player in players}) == 4
    for seat, player in enumerate(players):
        assert all(isinstance(event, Event) for event in player.events)
        (started,) = (event for event in player.events if isinstance(event, Started))
        assert started.seat == seat
        assert isinstance(player.events[-1], Finished)


def test_the_same_seed_gives_the_same_match():
    assert match(seed=8).record == match(seed=8).record
    assert match(seed=8).record != match(seed=9).record


@pytest.mark.parametrize("where", ["start", "observe", "act"])
@pytest.mark.parametrize("name", ["go", "bo-mini"])
def test_a_player_that_raises_forfeits_and_the_game_continues(where, name):
    played = match(Failing(where, ZeroDivisionError("oops")), name=name)
    (forfeit,) = played.record.forfeits
    assert (forfeit.seat, forfeit.kind) == (0, "exception")
    assert forfeit.sentence == "The player raised ZeroDivisionError: oops"
    assert "Traceback" in played.details[0]
    assert 0 not in played.record.outcome.winners
    assert record.parse(record.text(played.record)) == played.record


def test_a_forfeit_is_reported_once_and_immediately():
    """Two players fail in one turn: each is reported before the next action is asked for."""
    told = []

    class Noting(Lowest):
        def act(self, view, legal):
            self.heard = len(told)
            return legal[0]

    last = Noting()
    failing = [Failing("act", ValueError(seat)) for seat in (0, 1)]
    played = match(*failing, Lowest(), last, on_forfeit=lambda forfeit: told.append((forfeit.seat, last.heard)))
    assert told == [(0, 0), (1, 0)]
    assert last.heard == 2
    assert [forfeit.seat for forfeit in played.record.forfeits] == [0, 1]


def test_a_watcher_gets_every_notice_in_order():
    seen, players = [], [Lowest() for _ in range(4)]
    match(*players, watch=seen.append)
    for seat, player in enumerate(players):
        assert [event for notices in seen for event in to_seat(notices, seat)] == player.events


def test_a_failure_in_end_is_reported_without_a_forfeit():
    played = match(Failing("end", OSError("too late")))
    assert played.record.forfeits == ()
    assert "OSError: too late" in played.details[0]
    assert played.prints == ("", "printed by 1", "printed by 2", "printed by 3")


def test_a_failure_in_end_keeps_an_earlier_forfeits_reason():
    class Twice(Failing):
        def end(self, outcome):
            raise OSError("too late")

    played = match(Twice("act", PlayerError("time", "It took too long.", "call(1)")))
    assert played.details[0] == "call(1)"


def test_a_player_error_keeps_its_kind_sentence_and_detail():
    played = match(Failing("act", PlayerError("time", "It took\n too long.", "call(1)")))
    (forfeit,) = played.record.forfeits
    assert (forfeit.kind, forfeit.sentence, played.details[0]) == ("time", "It took too long.", "call(1)")


@pytest.mark.parametrize("answer", [-1, 51, 5000, 52, "KS", None, True, 1.0, [3]])
def test_an_illegal_action_forfeits_with_the_broken_rule(answer):
    played = match(Answering(answer), seed=1)
    (forfeit,) = played.record.forfeits
    assert forfeit.kind == "illegal"
    assert forfeit.sentence.endswith(".")
    assert forfeit.moves == 0


def test_forfeited_go_seats_play_their_lowest_card_without_groups():
    played = match(Answering(-1), seed=2)
    values = [20 if card < 4 else card // 4 + 1 for card in played.record.actions[0:40:4]]
    assert played.record.outcome.scores[0] == -sum(values)


def test_nobody_wins_if_all_forfeit():
    played = match(*[Answering(-1) for _ in range(4)])
    assert len(played.record.forfeits) == 4
    assert played.record.outcome.winners == ()


def test_a_machine_failure_is_not_a_forfeit():
    with pytest.raises(MachineError):
        match(Failing("act", MachineError("No process is to be had.")))


def test_players_are_released_when_a_match_is_interrupted():
    players = [Lowest(), Failing("act", KeyboardInterrupt()), Lowest(), Lowest()]
    with pytest.raises(KeyboardInterrupt):
        play_match(game("go"), players, 1)
    assert players[0].outcome is None
    assert hasattr(players[0], "seat")


def test_the_number_of_players_must_equal_the_seats():
    with pytest.raises(SeatError, match="has 4 seats, not 3"):
        play_match(game("go"), [Lowest()] * 3, 1)


def test_names_are_cleaned_for_the_record():
    player = Lowest()
    player.name = "a | b\n\x1b[31m" + "x" * 100
    assert match(player).record.seats[0] == "a _ b __31m" + "x" * 29


def test_a_repeated_failure_is_stored_once():
    failures, one = PastFailures(), PastFailure(1, 8, "digest", "exception", "It failed.", "here")
    for lapse in (one, one, msgspec.structs.replace(one, moves=9), one):
        failures.add(lapse)
    assert [lapse.moves for lapse in failures.failures] == [8, 9]
    assert list(failures.at(8)) == [one]


KINDS = {"start": "load", "observe": "exception", "act": "time"}
"""A kind of failure that can be at each moment, and no sooner."""


class FailingLater(Lowest):
    """Fails in ``observe`` after its second turn."""

    name = "failing"

    def act(self, view, legal):
        self.turns = getattr(self, "turns", 0) + 1
        return legal[0]

    def observe(self, event):
        if getattr(self, "turns", 0) == 2:
            raise PlayerError("exception", "It failed.", "call(1)")


class Counting(Lowest):
    """Counts the calls of its methods."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def start(self, game, seat, seed):
        super().start(game, seat, seed)
        self.asked.append("start")

    def observe(self, event):
        self.asked.append("observe")

    def act(self, view, legal):
        self.asked.append("act")
        return legal[0]


@pytest.mark.parametrize("where", KINDS)
@pytest.mark.parametrize("name", ["go", "bo-mini"])
def test_a_past_failure_is_repeated_without_asking_the_player(where, name):
    """Seat 1 would not fail again, but the game is the same to the last action."""
    failures = PastFailures()
    error = PlayerError(KINDS[where], "It failed.", "call(1)")
    first = match(
        Lowest(), FailingLater() if where == "observe" else Failing(where, error), name=name, past_failures=failures
    )
    assert [lapse.seat for lapse in failures.failures] == [1]
    honest = Counting()
    honest.name = "failing"
    again = match(Lowest(), honest, name=name, past_failures=PastFailures(failures.failures))
    assert again.record == first.record
    assert again.details[1] == "call(1)"
    turns = [] if where == "start" else ["start", "act", "act"]
    assert [what for what in honest.asked if what != "observe"] == turns
    assert (honest.asked[-1:] == ["act"]) == (where == "observe"), "the event it failed on is not repeated"


def test_a_past_failure_counts_only_after_the_same_events():
    failures = PastFailures()
    match(Lowest(), Failing("act", PlayerError("time", "It failed.")), past_failures=failures)
    (lapse,) = failures.failures
    assert lapse.moves > 0
    for other in ({"digest": "0" * 64}, {"seat": 2}, {"moves": lapse.moves + 1}):
        played = match(past_failures=PastFailures([msgspec.structs.replace(lapse, **other)]))
        assert played.record.forfeits == ()
    assert match(past_failures=PastFailures([lapse]), seed=4).record.forfeits == ()
    assert len(match(past_failures=PastFailures([lapse])).record.forfeits) == 1


def test_failure_messages_are_cut_to_200_characters():
    failures = PastFailures()
    played = match(Failing("act", ValueError("x" * 1000)), past_failures=failures)
    assert played.record.forfeits[0].sentence == "The player raised ValueError: " + "x" * 170
    failures = PastFailures()
    match(Failing("act", PlayerError("time", "It failed.", "a" + "b" * 26_000)), past_failures=failures)
    assert failures.failures[0].detail == "b" * 26_000


def test_player_seeds_are_eight_bytes_fixed_by_game_and_seat():
    seeds = [player_seed(seed, seat) for seed in range(40) for seat in range(4)]
    assert len(set(seeds)) == 160
    assert max(seeds) < 2**64 < 4 * max(seeds)
    assert player_seed(3, 1) == match_seed(3, 1)


def match_seed(seed, seat):
    """The seed that a player of a match gets."""
    players = [Lowest() for _ in range(4)]
    match(*players, seed=seed)
    return players[seat].seed


def test_events_reach_healthy_seats_and_the_watcher_exactly_once():
    """A seat that fails in ``observe`` gets no more events of that step, and the others get all."""

    class Deaf(Counting):
        def observe(self, event):
            super().observe(event)
            raise ValueError("no more")

    deaf, others = Deaf(), [Lowest() for _ in range(3)]
    played = match(deaf, *others)
    assert deaf.asked == ["start", "observe"]
    assert [forfeit.moves for forfeit in played.record.forfeits] == [0]
