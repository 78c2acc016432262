"""The server counts a cribbage hand as the library does."""

import random

import pytest

from kibitz.cards import code
from kibitz.games.cribbage.hands.show import show


def test_any_hand_is_counted_as_in_the_library(ann):
    draw = random.Random(5)
    for _ in range(40):
        cards = [code(card) for card in draw.sample(range(52), 5)]
        crib = draw.random() < 0.5
        asked = {"hand": " ".join(cards[:4]), "starter": cards[4], "crib": str(crib).lower()}
        found, expected = ann.get("/api/cribbage/count", params=asked).json(), show(cards[:4], cards[4], crib=crib)
        assert (found["points"], found["counting"]) == (expected.points, expected.counting)
        assert sum(item["points"] for item in found["items"]) == found["points"]


@pytest.mark.parametrize(
    ("hand", "starter", "sentence"),
    [
        ("5H 5D 5C", "5S", "four cards"),
        ("5H 5H 5C JS", "5S", "only once"),
        ("5H 5D 5C JS", "", "missing"),
        ("5H 5D 5C <b>", "5S", "<b>"),
        ("XX 5D 5C JS", "5S", "one of the 52"),
    ],
)
def test_an_invalid_hand_is_refused_with_the_reason(ann, hand, starter, sentence):
    answer = ann.get("/api/cribbage/count", params={"hand": hand, "starter": starter})
    assert answer.status_code in (400, 422)
    assert sentence in answer.json()["error"]["sentence"]
