"""The end of a game is described once."""

import random
import re

import pytest

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import Outcome, to_seat
from kibitz.table import Table
from kibitz.table.outcomes import (
    event_sentences,
    forfeit_sentence,
    latest_sentence,
    mentions_score,
    outcome_sentence,
    result_text,
    status_text,
)

GAMES = [game for game in all_games() if "mini" in game.name or game.name in ("kuhn", "leduc", "cribbage", "go")]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_scores_in_the_last_sentence_are_not_repeated(game):
    table, dice = Table.deal(game, 2), random.Random(2)
    while not table.over:
        seat = dice.choice(table.waiting)
        table.act(seat, dice.choice(table.legal(seat)))
    for reader in range(-1, game.seats):
        names = names_for(reader, table.names)
        last = [line for _, line in event_sentences(game, to_seat(table.latest_notices, reader), reader, names)]
        scoring = [line for line in last if all(map(mentions_score, [line] * game.seats, names, table.outcome.scores))]
        assert len(scoring) <= 1, scoring
        heard = latest_sentence(table, reader)
        whole, told = result_text(table.record, reader), result_text(table.record, reader, heard)
        assert told in (whole, re.sub(r"Result: .*?\. (?=Winner)", "", whole))
        names = ["You" if seat == reader else name for seat, name in enumerate(table.names)]
        once = [f"{name} {score:g}" for name, score in zip(names, table.outcome.scores, strict=True)]
        assert all((heard.replace("+", "").replace("you", "You") + told).count(words) <= 1 for words in once), (
            heard,
            told,
        )


def test_outcome_sentence_names_scores_and_winners():
    one = Outcome("Ann has gone out.", (12.0, -3.5), (0,))
    assert outcome_sentence(one, ["Ann", "Ben"]) == "Ann has gone out. Result: Ann 12, Ben -3.5. Winner: Ann."
    both = Outcome("The stock is used up.", (5.0, 5.0, 0.0), (0, 2))
    assert outcome_sentence(both, ["Ann", "Ben", "You"]) == (
        "The stock is used up. Result: Ann 5, Ben 5, You 0. Winners: Ann and You."
    )
    assert outcome_sentence(one, ["Ann", "Ben"], "Scores: Ann 12 and Ben -3.5.") == "Ann has gone out. Winner: Ann."
    for heard in (
        "Scores: Ann 12.",
        "Scores: Ben -3.5.",
        "Scores: Ann 121 and Ben -3.5.",
        "Scores: Ann 12 and Ben 3.5.",
    ):
        assert "Result: Ann 12, Ben -3.5." in outcome_sentence(one, ["Ann", "Ben"], heard)


def test_an_unfinished_game_names_the_player_to_move():
    table = Table.deal("kuhn", 1, ["Ann", "Ben"])
    assert status_text(table.record) == "The game is not finished: Ann to move."
    assert status_text(Table.deal("huxxy:players=2", 1, ["Ann", "Ben"]).record).endswith(": Ann to move.")
    while not table.over:
        table.act(table.player, table.legal()[0])
    assert status_text(table.record, 0, latest_sentence(table, 0)) == result_text(
        table.record, 0, latest_sentence(table, 0)
    )


def test_the_latest_sentence_comes_from_the_last_event():
    table = Table.deal("kuhn", 1, ["Ann", "Ben"])
    events = to_seat(table.latest_notices, 0)
    assert latest_sentence(table, 0) == table.game.describe(events[-1], 0, names_for(0, table.names))
    table._notices.append([])
    assert latest_sentence(table, 0) == ""


def test_a_forfeit_is_described_with_kind_and_reason():
    assert (
        forfeit_sentence(Forfeit(3, 1, "time", "It was slow."), ["Ann", "Ben"])
        == "Ben is out of the game (time): It was slow."
    )
