"""Games shown with all hands open: public events once, and private ones with the seat's name."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from kibitz.engine.record import text
from kibitz.engine.registry import all_games, game
from kibitz.engine.views.events import SPECTATOR, all_but, only
from kibitz.table import Table
from kibitz.web.replay import OPEN_HANDS, Replay, all_hands_lines
from tests.tiers import tiered

STEPS = 60
EVERYBODY = all_but()


def played(name, most=10**9, seed=3):
    """A table after some random actions."""
    dice, table = random.Random(seed), Table.deal(name, seed)
    while not table.over and table.step < most:
        seat = dice.choice(table.waiting)
        table.act(seat, dice.choice(table.legal(seat)))
    return table


@pytest.mark.parametrize("name", tiered(each.name for each in all_games()))
def test_public_sentences_appear_once_and_private_ones_by_name(name):
    table = played(name, STEPS)
    for step in range(table.step + 1):
        notices = table.notices(step)
        told = Counter(all_hands_lines(table.game, notices, table.names))
        said = {id(n): table.game.describe(n.event, SPECTATOR, table.names) for n in notices}
        public = Counter(said[id(n)] for n in notices if n.audience == EVERYBODY)
        assert {sentence: told[sentence] for sentence in public} == public
        assert all(re.match(r"P\d: You", line) for line in told if re.search(r"\byour?\b", line, re.I))
        guarded = [n for n in notices if n.reaches(SPECTATOR) and n.audience != EVERYBODY]
        for notice in notices:
            if not notice.reaches(SPECTATOR):
                assert is_included(said[id(notice)], seats(table, notice), told)
        for notice in guarded:
            others = [n for n in notices if type(n.event) is type(notice.event) and not n.audience & notice.audience]
            sentence = said[id(notice)]
            replaced = others and all(told[said[id(other)]] and said[id(other)] != sentence for other in others)
            assert told[sentence] == (0 if replaced else 1), sentence


def seats(table, notice):
    return [seat for seat in range(table.game.seats) if notice.audience & only(seat)]


def is_included(sentence, seats, told):
    """Whether a private sentence is included, or its part that nobody else heard, with a name in front."""
    rest = sentence
    for other in told:
        rest = rest.removeprefix(other).strip()
    held = rest.removeprefix("You hold ")
    named = f"P{{}} holds {held}" if held != rest else f"P{{}}: {rest}"
    return bool(told[sentence]) or not rest or all(told[named.format(seat)] == 1 for seat in seats)


def test_a_deal_appears_once_followed_by_each_hand():
    first = next(Replay(text(played("cribbage-mini").record)).steps(OPEN_HANDS, 0, 1))
    start = next(n for n, line in enumerate(first.sentences) if line.startswith("Deal 1: "))
    assert [line.partition(" holds ")[0] for line in first.sentences[start:]] == [first.sentences[start], "P0", "P1"]
    assert "You" not in first.sentences[start]


@pytest.mark.parametrize("name", ["Ann", "You and I"])
def test_a_sentence_contained_in_another_is_left_out(name):
    lines = list(all_hands_lines(game("bo"), Table.deal("bo", 3).latest_notices, [name, "Ben", "Cat", "Dan"]))
    assert lines[1:] == [f"{name} draws A♠ A♣ 4♦ 2♠ 8♠."]
