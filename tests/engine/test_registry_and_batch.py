"""Finding games with their options, and playing batches of them."""

import subprocess
import sys
from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.engine.contract import CHECKS
from kibitz.engine.game import fresh_seed, seed_words
from kibitz.engine.kernels.policies import policies
from kibitz.engine.registry import all_games, packages
from kibitz.errors import KibitzError, NotationError
from tests.contract.groups import by_tier
from tests.tiers import first_fast, tiered


def test_games_are_found_by_name_in_any_case():
    assert kibitz.game("Go").name == "go"
    assert kibitz.game(" COMP10001-Bo ").name == "bo"
    assert {"go", "go-auto", "go-mini", "bo", "bo-mini"} <= {game.name for game in kibitz.all_games()}
    assert packages() == tuple(sorted(packages()))


@pytest.mark.parametrize("game", tiered(kibitz.all_games()))
def test_every_game_has_a_brief_and_a_name_for_its_scores(game):
    assert 20 < len(game.rules_summary) < 600
    assert "\n" not in game.rules_summary
    assert game.words.SCORE_LABEL


@pytest.mark.parametrize("game", tiered(kibitz.all_games()))
def test_quick_is_listed_before_greedy(game):
    names = list(game.strategies)
    assert names.index("quick") < names.index("greedy")


@pytest.mark.parametrize("name", ["gi", "chess", "", "go-maxi", "../go", "go.rules", "\x00", "bo-min"])
def test_an_unknown_game_is_refused_with_suggestions(name):
    with pytest.raises(NotationError, match=r"Unknown game .*; (did you mean|known games)"):
        kibitz.game(name)


def test_finding_a_game_imports_only_its_package():
    program = (
        "import sys, kibitz; kibitz.game('leduc'); kibitz.game('holdem:players=2');"
        "print(sorted(n for n in sys.modules if n.startswith('kibitz.games.') and n.count('.') == 2))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "['kibitz.games.poker']\n"


def test_a_family_name_is_not_a_game():
    with pytest.raises(NotationError, match="Unknown game 'poker'"):
        kibitz.game("poker")


def test_unlisted_amounts_are_legal():
    """A raise to 37 is not among the listed choices, but legal (decision 13)."""
    played = kibitz.game("holdem:players=2,hands=1")
    state = played.deal(1)
    action = played.parse(played.view(state, state.player), "raise 37")
    assert action not in played.legal(state)
    assert played.why_not(state, action) is None
    assert (played.max_legal, played.first_amount) == (32, 34)
    assert len(played.legal(state)) < 8


def test_games_without_amounts_have_no_amount_actions():
    go = kibitz.game("go")
    assert (go.first_amount, go.max_legal) == (go.actions, go.actions)


def test_an_unknown_attribute_of_kibitz_is_refused():
    with pytest.raises(AttributeError, match="kibitz has no 'gams'"):
        _ = kibitz.gams


@pytest.mark.parametrize("seed", [-1, 1 << 128])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(NotationError, match="a seed is a whole number"):
        kibitz.game("go").deal(seed)


def test_seeds_are_split_into_words_without_loss():
    words = seed_words((4 << 96) + (3 << 64) + (2 << 32) + 1)
    assert words == (1, 2, 3, 4)
    assert fresh_seed() != fresh_seed()


def test_a_batch_is_the_same_on_any_number_of_threads():
    one, many = (kibitz.random_games(kibitz.game("go-mini"), 1001, 7, threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.scores, many.scores)
    np.testing.assert_array_equal(one.steps, many.steps)


def test_a_batch_has_a_row_for_every_game():
    batch = kibitz.random_games(kibitz.game("bo"), 10, 1)
    assert batch.scores.shape == (10, 4)
    assert batch.steps.shape == (10,)
    assert batch.scores.dtype == np.int64
    assert kibitz.random_games(kibitz.game("bo"), 0).scores.shape == (0, 4)


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (5, -1), (5, 1 << 64)])
def test_a_batch_out_of_range_is_refused(n, seed):
    with pytest.raises(NotationError):
        kibitz.random_games(kibitz.game("bo"), n, seed)


def test_options_follow_the_name():
    played = kibitz.game("bo:rounds=10, players=3")
    assert played.name == "bo:players=3,rounds=10"
    assert (played.seats, played.options["rounds"]) == (3, 10)
    assert kibitz.game(played.name) == played
    assert kibitz.game("bo:players=4").name == "bo"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bo:", "'' isn't an option: write a name and a number"),
        ("bo:players", "'players' isn't an option"),
        ("bo:players=five", "isn't an option"),
        ("bo:players=5", "bo takes players from 2 to 4, not 5"),
        ("president:rounds=0", "president takes rounds from 1 upwards, not 0"),
        ("bo:colour=1", "bo has no option 'colour'; known options: players, rounds, stock_size"),
        ("go-mini:players=3", "go-mini has no option 'players'; known options: none"),
    ],
)
def test_invalid_options_are_refused(name, sentence):
    with pytest.raises(NotationError, match=sentence):
        kibitz.game(name)


OTHER_OPTIONS = ["go:players=2,hand_size=4", "go:players=3,hand_size=7", "bo:players=2", "bo:rounds=1"]


@pytest.mark.parametrize(
    "check",
    [check for check in CHECKS if "exact" not in check.__name__ and check.__name__ != "everything_occurs"],
    ids=lambda c: c.__name__,
)
@pytest.mark.parametrize("game", by_tier(map(kibitz.game, OTHER_OPTIONS)))
def test_games_with_other_options_keep_the_contract(game, check):
    """Without the checks of a whole package, which registered games cover: mini variants and coverage."""
    check(game)


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
