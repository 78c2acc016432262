"""Every game with extreme options: whole games in plain Python, which checks the ends of arrays."""

from random import Random

import pytest

import kibitz
from kibitz.engine.kernels.policies import policies
from kibitz.engine.registry import all_games
from kibitz.errors import KibitzError
from tests.tiers import first_fast

WITH_OPTIONS = sorted((game for game in all_games() if game.option_ranges), key=lambda game: game.name != "eights")
WIDE = 121
"""Options with more values than this, such as stacks, keep their defaults: no array is that long."""
CORNERS = 24
"""Number of random combinations of extremes per game, besides all lowest and all highest."""
LONGEST = 1500
"""Maximum number of actions: a hundred games of cribbage are not played to the end."""


def corners(game):
    """A game with combinations of extreme options, as far as they are compatible."""
    ends = {name: (low, high) for name, (low, high) in game.option_ranges.items() if high - low < WIDE}
    random = Random(game.name)
    drawn = [{name: random.choice(of) for name, of in ends.items()} for _ in range(CORNERS)]
    for chosen in [*({name: of[end] for name, of in ends.items()} for end in range(2)), *drawn]:
        try:
            yield game.with_options(**chosen)
        except KibitzError:  # they don't match
            continue


@pytest.mark.parametrize("game", first_fast(WITH_OPTIONS), ids=lambda game: game.name)
def test_games_with_extreme_options_can_be_played(game):
    met = 0
    for form in corners(game):
        for seed in range(4):
            state, random = form.deal(seed), Random(seed)
            ways = [form.strategies[name] for name in policies(form)]
            for _ in range(LONGEST):
                if state.over:
                    break
                view, legal = form.view(state, state.player), form.legal(state)
                at_random = seed == 0 or not ways
                form.advance(state, random.choice(legal) if at_random else ways[seed % len(ways)](view, legal, random))
            met += state.over
    assert met


def test_a_mini_variant_has_its_declared_values_and_ranges():
    cribbage, mini = kibitz.game("cribbage"), kibitz.game("cribbage-mini")
    assert (cribbage.options["target"], mini.options["target"]) == (121, 7)
    assert mini.option_ranges["target"] == (1, 121)  # declared for the variant
    assert mini.options["skunks"] == cribbage.options["skunks"]
    assert mini.option_ranges["skunks"] == (0, 1)  # left as it is, so with its own range
    assert "hand_size" not in kibitz.game("go-mini").option_ranges  # another value, and no range for it
