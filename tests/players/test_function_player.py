"""The calls that a file gets, and what its owner is shown, with answers given by the test."""

import pytest

import kibitz
from kibitz.errors import MachineError, PlayerError
from kibitz.players.function_player import FunctionPlayer, assignment_functions, main_functions, required_functions
from kibitz.table import Table

GO, KUHN = kibitz.game("go-mini"), kibitz.game("kuhn")


class Scripted(FunctionPlayer):
    """A file that defines the test's functions and answers by calling ``answer``."""

    def __init__(self, answer, defined=()):
        super().__init__("ann", "x.py", "")
        self.script, self.defined, self.calls, self.wanted = answer, list(defined), [], None

    def load(self, wanted, seed, *, allow_play=False):
        self.wanted = wanted
        return self.defined

    def answer(self, call, new):
        self.calls.append((call.function, len(new)))
        return self.script(call, new)

    def end(self, outcome):
        self.report_outcome(outcome)
        return ""


def seated(answer, game=GO, defined=(), seat=0):
    """A player that has heard the deal, and its table."""
    player, table = Scripted(answer, defined), Table.deal(game, 1)
    player.start(game, seat, 5)
    for event in table.events(seat):
        player.observe(event)
    return player, table


def lowest(call, new):
    return sorted(call.arguments[-1])[0] if call.function.endswith("play") else []


def test_assignment_file_gets_new_events_and_shows_the_whole_call():
    player, table = seated(lowest)
    heard = len(table.events(0))
    while not table.over and len(player.calls) < 3:
        for event in table.events(0, heard):
            player.observe(event)
        heard = len(table.events(0))
        action = player.act(table.view(0), table.legal(0)) if table.player == 0 else table.legal()[0]
        table.act(table.player, action)
    assert len(player.calls) == 3
    assert sum(new for _, new in player.calls) == player.sent == len(player.history)
    asked = player.past_call()
    assert asked.function == player.calls[-1][0]
    assert str(asked).startswith(f"{asked.function}([")
    assert player.explain() == f"{asked}\nreturned {asked.returned}"
    assert player.wanted == required_functions(GO)


def test_invalid_answer_is_a_failure_shown_with_the_call():
    player, table = seated(lambda call, new: "not a card")
    with pytest.raises(PlayerError) as caught:
        player.act(table.view(0), table.legal(0))
    assert caught.value.kind == "invalid"
    assert caught.value.detail == f"{player.past_call()}\nreturned 'not a card'"


def test_failing_call_is_shown_without_the_previous_answer():
    def fails(call, new):
        raise PlayerError("time", "It was slow.", "where it was")

    player, table = seated(lowest)
    player.act(table.view(0), table.legal(0))
    player.plan = []
    player.script = fails
    with pytest.raises(PlayerError) as caught:
        player.act(table.view(0), table.legal(0))
    assert (caught.value.kind, str(caught.value)) == ("time", "It was slow.")
    assert caught.value.detail == f"{player.past_call()}\nwhere it was"
    assert player.past_call().returned == ""


def test_planned_actions_are_played_before_the_next_call():
    player, table = seated(lowest)
    player.plan = [3, 4]
    assert [player.act(table.view(0), table.legal(0)) for _ in range(2)] == [3, 4]
    assert player.calls == []
    player.plan = [9]
    player.start(GO, 0, 5)
    assert (player.plan, player.history, player.sent, player.past_call()) == ([], [], 0, None)
    assert player.explain() == ""


def test_long_answers_are_shortened():
    player, table = seated(lambda call, new: "x" * 5000)
    with pytest.raises(PlayerError) as caught:
        player.act(table.view(0), table.legal(0))
    assert caught.value.detail.endswith("returned '" + "x" * 999)


def own(call, new):
    return call.arguments[1][0] if call.function == "play" else None


def test_own_form_file_is_called_at_start_and_end_if_it_defines_them():
    player, table = seated(own, KUHN, ["play", "start", "end"])
    assert [name for name, _ in player.calls] == ["start"]
    player.act(table.view(0), table.legal(0))
    while not table.over:
        table.act(table.player, table.legal()[0])
    before = player.past_call()
    player.end(table.outcome)
    assert [name for name, _ in player.calls] == ["start", "play", "end"]
    assert player.past_call() == before, "the last call before end still explains its choice"
    assert player.end_error is None
    silent, _ = seated(own, KUHN, ["play"])
    silent.end(table.outcome)
    assert silent.calls == []
    player.calls.clear()
    player.end(None)
    assert player.calls == [], "an unfinished game has no result to report"


@pytest.mark.parametrize("error", [PlayerError("exception", "It failed."), MachineError("No process.")])
def test_error_in_the_end_call_is_kept_and_changes_nothing(error):
    def fails_at_the_end(call, new):
        if call.function == "end":
            raise error
        return own(call, new)

    player, table = seated(fails_at_the_end, KUHN, ["play", "end"])
    while not table.over:
        table.act(table.player, table.legal()[0])
    player.end(table.outcome)
    assert player.end_error is error


def test_required_functions_of_games():
    assert assignment_functions(KUHN) == required_functions(KUHN) == ()
    assert main_functions(KUHN) == ("play",)
    assert assignment_functions(kibitz.game("go")) == ("comp10001go_play", "comp10001go_group")
    assert main_functions(kibitz.game("go")) == ("comp10001go_play", "comp10001go_group", "play")
    assert [(name, count) for name, count, _ in required_functions(kibitz.game("go"))] == [
        *(("comp10001go_play", 3), ("comp10001go_group", 2)),
    ]
