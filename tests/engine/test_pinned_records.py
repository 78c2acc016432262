"""A seed determines a game forever: one deal and one record of every game and variant, for a seed of 128 bits.

The files in ``pinned`` are never rewritten: if one no longer holds, every existing record is void
and the game's ``VERSION`` must be raised.  ``python -m tests.engine.test_pinned_records`` writes those of a new game.
"""

import re
from pathlib import Path
from random import Random

import pytest

from kibitz.engine import record
from kibitz.engine.game import seed_words
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import to_seat
from kibitz.players.built_in import StrategyPlayer
from kibitz.table.match import play_match

PINNED = Path(__file__).parent / "pinned"
SEED = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210
CARD = re.compile("(?:10|[A2-9JQK])[♠♥♦♣]|XX")
NAMES = tuple(game.name for game in all_games())
GAMES = {game.name: game for game in all_games()}


def chosen(view, legal, random: Random) -> int:
    """A random action, the same on every machine."""
    return legal[random.randrange(len(legal))]


def dealt(game) -> str:
    """The cards in the sentences that every seat reads at the deal, in order."""
    state = game.deal(SEED)
    notices = game.opening(state)
    names = [f"P{seat}" for seat in range(game.seats)]
    told = [
        " ".join(game.describe(event, seat, names_for(seat, names)) for event in to_seat(notices, seat))
        for seat in range(game.seats)
    ]
    return "".join(f"{seat}: {' '.join(CARD.findall(sentences))}\n" for seat, sentences in enumerate(told))


def played(game) -> str:
    """The record of a random game."""
    players = [StrategyPlayer(f"P{seat}", chosen) for seat in range(game.seats)]
    return record.text(play_match(game, players, SEED).record)


def test_the_four_words_of_the_seed_differ():
    assert len(set(seed_words(SEED))) == 4


@pytest.mark.parametrize("name", NAMES)
def test_pinned_deal_is_unchanged(name):
    assert dealt(GAMES[name]) == (PINNED / f"{name}.deal").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_pinned_record_is_still_valid(name):
    text = (PINNED / f"{name}.game").read_text(encoding="utf-8")
    assert record.text(record.parse(text)) == text
    assert f"seed: {SEED}\n" in text


def test_no_pinned_file_is_left_of_a_removed_game():
    assert {path.stem for path in PINNED.iterdir()} == set(NAMES)


if __name__ == "__main__":
    for name, game in GAMES.items():
        for path, write in ((PINNED / f"{name}.deal", dealt), (PINNED / f"{name}.game", played)):
            if not path.exists():
                path.write_text(write(game), encoding="utf-8")
