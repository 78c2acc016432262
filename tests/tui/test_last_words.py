"""An only choice that ends the game waits where the choice before it can be taken back; any other plays itself."""

import asyncio
from contextlib import nullcontext

import pytest

from kibitz.engine.registry import game
from kibitz.tui.driver import Driver
from tests.tui.playing import plan

NO_GROUP = ("AD>new", "2S>1", "4D>1", "5D>1", "5S>1", "6D>1")
"""Six plays of the first seat at seed 1: what they make is no group, and only conceding is left."""


class Scripted:
    """A front at which somebody answers by a list: ``None`` takes back."""

    def __init__(self, answers):
        self.answers, self.asked = list(answers), []

    def changed(self):
        pass

    def thinking(self, seat):
        pass

    async def choose(self, seat):
        table = self.driver.table
        self.asked.append(tuple(table.game.text(table.view(seat), action) for action in table.legal(seat)))
        if not self.answers:
            raise EOFError
        answer = self.answers.pop(0)
        if answer is None:
            assert self.driver.why_no_undo(seat) is None
            self.driver.undo(seat)
            return None
        return table.game.parse(table.view(seat), answer)

    async def between(self):
        pass

    def saying(self, sentence):
        return nullcontext()


def driven(answers):
    """What was asked, and the table, after so many answers."""
    front, planned = Scripted(answers), plan(game("huxxy:players=2"), opponent="first")
    front.driver = Driver(planned.table, planned.seated, front, lambda table: True, pace=0.0)
    with pytest.raises(EOFError):
        asyncio.run(front.driver.drive())
    return front.asked, planned.table


def test_who_could_only_concede_is_asked_and_can_take_back():
    asked, table = driven((*NO_GROUP, None))
    assert asked[len(NO_GROUP)] == ("concede",)
    assert not table.over
    assert table.step == len(NO_GROUP) - 1
    assert len(asked[-1]) > 1
