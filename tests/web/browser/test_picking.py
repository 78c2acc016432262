"""The pages and the library build choices from parts in the same way."""

from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.engine.scene import Picking
from tests.web.browser.conftest import Person

pytestmark = pytest.mark.long

ASK = """async ([legal, chosens]) => {
    const { picking } = await import("/static/js/picking.js");
    return chosens.map((chosen) => {
        const { offered, complete } = picking(legal, chosen);
        return [[...offered].sort((a, b) => a - b), complete ? complete.action : null];
    });
}"""
POSITIONS, CHOSEN = 6, 8


def test_the_pages_and_the_library_offer_the_same_parts(person: Person) -> None:
    person.open("/account")
    for game in all_games():
        random = Random(game.name)
        state = game.deal(5)
        for _ in range(POSITIONS):
            if not state.over:
                legal = game.legal(state)
                compare(game, state, legal, random, person)
                game.play(state, random.choice(legal))


def compare(game, state, legal: list[int], random: Random, person: Person) -> None:
    """What both offer while one position's choices are built."""
    picking = Picking(game, game.view(state, state.player), legal)
    keys = list(dict.fromkeys(part.key for action in legal for part in picking.parts[action]))
    sent = [{"action": action, "parts": [keys.index(part.key) for part in picking.parts[action]]} for action in legal]
    chosens, expected = [], []
    for _ in range(CHOSEN):
        parts = list(picking.parts[random.choice(legal)])
        chosen = [part.key for part in random.sample(parts, random.randint(0, len(parts)))]
        picking.chosen = tuple(chosen)
        chosens.append([keys.index(key) for key in chosen])
        expected.append([sorted(keys.index(part.key) for part in picking.choices), picking.complete])
    assert person.page.evaluate(ASK, [sent, chosens]) == expected, game.name
