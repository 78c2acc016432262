"""What is said of a player that took too long, with clocks that the test sets."""

from math import inf
from types import SimpleNamespace

import pytest

from kibitz.errors import PlayerError
from kibitz.players.conversation import Conversation
from kibitz.players.ledger import Account
from kibitz.players.limits import Limits


class Told(Conversation):
    """A conversation with nobody, in which a call has begun after so much idleness."""

    def __init__(self, before=0.0, now=0.0, most=4.0):
        super().__init__(Limits(bank=60), Account())
        self.idled, self.most, self.doing = before, most, "play(...)"
        self.watch = SimpleNamespace(allowed=4.0, idle=lambda: now, spent=lambda: 0.0)

    def ask(self, rest, allowed, used=0.0, most=inf):
        raise NotImplementedError

    def wait(self, watch, cap):
        raise NotImplementedError

    def cpu(self):
        return 0

    def drain(self):
        return 0

    def stack(self):
        return "where it was"

    def end(self):
        self.status = 1
        return ""


def failure(conversation, broken, allowed=4.0):
    conversation.watch.allowed = allowed
    with pytest.raises(PlayerError) as caught:
        conversation.out_of_time(conversation.watch, broken)
    assert conversation.status == 1
    assert caught.value.detail == "where it was"
    return caught.value.kind, str(caught.value)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (0.0, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.1, 12.0, "play(...) did not answer for 12 s: it slept or waited for something."),
        (0.2, 12.0, "play(...) and the calls before it did not answer for 12.2 s: they slept or waited for something."),
        (30.0, 10.0, "play(...) and the calls before it did not answer for 40 s: they slept or waited for something."),
    ],
)
def test_idleness_is_told_of_the_calls_before_too_where_they_had_a_part_in_it(before, now, said):
    conversation = Told(before, now)
    assert failure(conversation, "wall") == ("idle", said)
    assert conversation.account.idled == before + now


def test_a_call_that_had_less_than_the_limit_has_used_up_the_bank():
    used_up = ("time", "play(...) used up the 60 s of CPU time that a player has for a game.")
    assert failure(Told(), "cpu", allowed=3.5) == used_up
    assert failure(Told(), "cpu", allowed=4.0) == ("time", "play(...) used more than 4 s of CPU time.")


def test_a_file_that_is_never_loaded_is_told_so():
    loading = Told(now=7.0)
    loading.doing = "The file"
    assert failure(loading, "wall")[1] == (
        "The file did not answer for 7 s while it was loaded: it slept or waited for something."
    )
    loading = Told()
    loading.doing = "The file"
    assert failure(loading, "cpu", allowed=2.0)[1] == "The file used more than 2 s of CPU time while it was loaded."
