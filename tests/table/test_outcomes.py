"""The end of a game is told once."""

import random
import re

import pytest

from kibitz.engine.events import to_seat
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.table import Table
from kibitz.table.chapters import telling
from kibitz.table.outcomes import latest, result, says

GAMES = [game for game in all_games() if "mini" in game.name or game.name in ("kuhn", "leduc", "cribbage", "go")]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_scores_that_the_last_sentence_has_told_are_not_told_again(game):
    table, dice = Table.deal(game, 2), random.Random(2)
    while not table.over:
        seat = dice.choice(table.waiting)
        table.act(seat, dice.choice(table.legal(seat)))
    for reader in range(-1, game.seats):
        names = names_for(reader, table.names)
        last = [line for _, line in telling(game, to_seat(table.latest, reader), reader, names)]
        scoring = [line for line in last if all(map(says, [line] * game.seats, names, table.outcome.scores))]
        assert len(scoring) <= 1, scoring
        heard = latest(table, reader)
        whole, told = result(table.record, reader), result(table.record, reader, heard)
        assert told in (whole, re.sub(r"Result: .*?\. (?=Winner)", "", whole))
        names = ["You" if seat == reader else name for seat, name in enumerate(table.names)]
        once = [f"{name} {score:g}" for name, score in zip(names, table.outcome.scores, strict=True)]
        assert all((heard.replace("+", "").replace("you", "You") + told).count(words) <= 1 for words in once), (
            heard,
            told,
        )
