"""The replies of a player file when its game is replayed, with players given by the test."""

import msgspec
import pytest

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.record import Record, UnfinishedRecord
from kibitz.engine.registry import game
from kibitz.errors import MachineError, PlayerError
from kibitz.players.player_replay import MAX_TEXT, PlayerReplay, Reply, before_failure, failure_text, reply_lines
from kibitz.table import Table

GAME = game("bo-mini")


class Printed:
    def __init__(self, text):
        self.text = text


class Asked:
    returned = "7"

    def __str__(self):
        return "play(...)"


class File:
    """A player that takes the first choice, but may fail or choose otherwise at one of its steps."""

    def __init__(self, *, fails=None, otherwise=None, prints="", error=None):
        self.fails, self.otherwise, self.prints = fails, otherwise, prints
        self.error = error or PlayerError("exception", "It failed.", "a traceback")
        self.call, self.turns, self.events = None, 0, []

    def start(self, game, seat, seed):
        self.say()
        if self.fails == "start":
            raise self.error

    def say(self):
        if self.prints:
            self.printed.append(Printed(self.prints))

    def observe(self, event):
        self.events.append(event)

    def act(self, view, legal):
        self.turns += 1
        self.call = object()
        self.say()
        if self.fails == self.turns:
            raise self.error
        return legal[-1] if self.otherwise == self.turns else legal[0]

    def past_call(self):
        return Asked()


def whole_game():
    table = Table.deal(GAME, 1)
    while not table.over:
        table.act(table.player, table.legal()[0])
    return table


TABLE = whole_game()
MINE = [past.step for past in TABLE.replay() if past.player == 0 and not past.over]


def replayed(**more):
    """The replies of a file in seat 0, and the steps reported as progress."""
    steps = []
    replay = PlayerReplay(TABLE, 0, File(**more))
    return list(replay.replies(steps.append)), steps, replay.player


def test_replayed_player_is_asked_at_each_of_its_steps_after_all_events():
    replies, steps, player = replayed()
    assert [one.step for one in replies] == steps == MINE
    assert {(one.seat, one.call, one.returned, one.printed, one.chosen, one.failure) for one in replies} == {
        (0, "play(...)", "7", "", "", "")
    }
    assert player.events == TABLE.at(MINE[-1]).events(0)


def test_output_is_reported_with_the_call_that_printed_it():
    replies, _, _ = replayed(prints="hm\n")
    assert [(one.step, one.call, one.printed) for one in replies[:2]] == [
        (0, "", "hm\n"),
        (MINE[0], "play(...)", "hm\n"),
    ]
    assert len(replies) == len(MINE) + 1
    assert len(replayed(prints="x" * (MAX_TEXT + 1))[0][0].printed) == MAX_TEXT


def test_different_choice_is_reported_and_the_recorded_game_stands():
    turn = next(n for n, step in enumerate(MINE, 1) if len(TABLE.at(step).legal(0)) > 1)
    replies, _, _ = replayed(otherwise=turn)
    past = TABLE.at(MINE[turn - 1])
    label = GAME.words.label(past.view(0), past.legal(0)[-1])
    assert [one.chosen for one in replies if one.chosen] == [" ".join(label.split())]
    assert len(replies) == len(MINE)


def test_replay_stops_at_the_players_failure():
    replies, steps, _ = replayed(fails=2)
    assert [one.failure for one in replies] == ["", "It failed.\na traceback"]
    assert steps == MINE[:2]
    replies, steps, _ = replayed(fails="start", prints="hm")
    assert (replies, steps) == ([Reply(0, 0, "", "", "hm", failure="It failed.\na traceback")], [])
    with pytest.raises(MachineError):
        replayed(fails=2, error=MachineError("No process."))


def test_planned_actions_need_one_call():
    class Once(File):
        def act(self, view, legal):
            self.call = self.call or object()
            return legal[0]

    assert [one.step for one in PlayerReplay(TABLE, 0, Once()).replies(lambda step: None)] == MINE[:1]


def test_illegal_action_has_a_fixed_description():
    replay, view = PlayerReplay(TABLE, 0, File()), TABLE.at(MINE[0]).view(0)
    for action in (-1, GAME.actions, 10**9):
        assert replay.in_words(view, action) == "something the rules forbid"
    assert replay.in_words(view, TABLE.at(MINE[0]).legal(0)[0]) != "something the rules forbid"


def test_replay_ends_at_the_seats_failure_and_keeps_earlier_forfeits():
    record = TABLE.record
    assert before_failure(record, 0) == record
    failed = msgspec.structs.replace(record, forfeits=(Forfeit(2, 1, "time", "x"), Forfeit(4, 0, "time", "x")))
    found = before_failure(failed, 0)
    assert isinstance(found, UnfinishedRecord)
    assert (found.actions, found.forfeits) == (record.actions[:4], failed.forfeits[:1])
    assert before_failure(failed, 1).actions == record.actions[:2]
    assert before_failure(failed, 1).forfeits == ()
    assert isinstance(before_failure(failed, 2), Record)


def test_reply_is_described_in_lines():
    assert reply_lines(Reply(0, 0, "", "", "a\nb\n")) == ["While it was loaded it printed:", "  a", "  b"]
    assert reply_lines(Reply(3, 0, "play()", "1", "", "fold", "It failed.\nhere\nthere")) == [
        "It was called as play()",
        "and returned 1.",
        "In this replay it chose fold instead of the recorded move.",
        "It failed: It failed.",
        "  here",
        "  there",
    ]
    assert reply_lines(Reply(0, 0, "", "", "")) == []
    assert failure_text(PlayerError("time", "Slow.", "")) == "Slow."
    assert len(failure_text(PlayerError("time", "Slow.", "x" * 5000))) == MAX_TEXT
