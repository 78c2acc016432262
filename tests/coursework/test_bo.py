"""The Bo functions against the class version, which was written from the rules alone, and against bad input."""

import copy
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.peers import bo_classes
from benchmarks.peers.bo_classes import DESTINATIONS, NO_PLAY, Bo
from kibitz.coursework.bo import EMPTY_TABLE, with_history
from kibitz.coursework.comp10001 import (
    comp10001bo_is_valid_play,
    comp10001bo_match_build,
    comp10001bo_match_discard,
    comp10001bo_play,
)
from kibitz.errors import NotationError
from tests.tiers import first_fast

CODES = [value + suit for value in "A234567890JQK" for suit in "SHDC"]
EMPTY = ([], [], [], [])
HAND = ["2C", "AS", "9D", "0D", "0S"]
STOCKPILES = (("9C", 8), ("0D", 8), ("3H", 8), ("KD", 8))
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 20) | st.floats() | st.text(max_size=3) | st.sampled_from(CODES),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=10,
)
NUMBER = st.integers(-1, 5) | st.booleans() | st.none()
PLACE = st.tuples(NUMBER, NUMBER | st.tuples(NUMBER, NUMBER))
NEAR_PLAYS = st.tuples(
    NUMBER, st.sampled_from(HAND) | st.tuples(st.sampled_from(HAND), st.tuples(NUMBER, NUMBER)) | JUNK, PLACE | JUNK
)


def arguments(game):
    """The arguments of the assignment's functions for a position, without the history."""
    stockpiles = tuple((pile[-1], len(pile)) for pile in game.stockpiles)
    discards = tuple(map(tuple, game.discard_piles))
    return game.player, game.hands[game.player], stockpiles, discards, tuple(game.build_piles)


def walk(seed, *, eager=0.5):
    """The positions of a random game that sometimes prefers plays from the stockpile."""
    random = Random(seed)
    game = Bo(random.randrange)
    while game.ending is None:
        yield game
        plays = game.legal()
        best = [play for play in plays if play[0] == 2 or play[2][0] == 0]
        game.play(random.choice(best if best and random.random() < eager else plays))


def candidates(game, random):
    """Some plays, most of them illegal, from every source and with missing cards."""
    sources = [*game.sources(), (0, random.choice(CODES)), (2, random.choice(CODES))]
    sources.append((1, (random.choice(CODES), (random.randrange(4), random.randrange(4)))))
    plays = [(kind, source, destination) for kind, source in sources for destination in DESTINATIONS]
    return [*random.sample(plays, 12), NO_PLAY]


def test_build_piles_take_what_the_class_version_says():
    random = Random(1)
    for card in CODES:
        assert comp10001bo_match_build(card, []) is bo_classes.match_build(card, [])
        for top in CODES[4:]:
            same = [c for c in CODES if (c[1] in "CS") == (top[1] in "CS")]
            pile = [random.choice(same), top]
            assert comp10001bo_match_build(card, pile) is bo_classes.match_build(card, pile), (card, pile)


@pytest.mark.parametrize("from_hand", [True, False])
def test_discard_piles_take_what_the_class_version_says(from_hand):
    for card in CODES:
        for pile in ([], *(["5S", top] for top in CODES[4:])):
            for owner in (2, 3):
                expected = bo_classes.match_discard(card, pile, 2, owner, from_hand=from_hand)
                assert comp10001bo_match_discard(card, pile, 2, owner, from_hand) == expected, (card, pile, owner)


@pytest.mark.parametrize("seed", first_fast(range(10, 30)))
def test_plays_are_judged_as_in_the_class_version(seed):
    random = Random(seed)
    for game in walk(seed, eager=random.random()):
        for play in candidates(game, random):
            assert comp10001bo_is_valid_play(play, *arguments(game)) == game.verdict(play), (play, arguments(game))


def test_functions_do_not_change_their_arguments():
    for k, game in enumerate(walk(5)):
        if k % 10 == 0:
            values = (*arguments(game), game.play_history)
            before = copy.deepcopy(values)
            comp10001bo_play(*values)
            comp10001bo_is_valid_play(game.legal()[0], *values[:-1])
            assert values == before


def test_order_of_the_hand_does_not_matter():
    random = Random(6)
    for k, game in enumerate(walk(7)):
        if k % 10 == 0:
            player, hand, *rest = arguments(game)
            mixed = random.sample(hand, len(hand))
            play = comp10001bo_play(player, hand, *rest, game.play_history)
            assert comp10001bo_play(player, mixed, *rest, game.play_history) == play
            assert comp10001bo_is_valid_play(play, player, mixed, *rest) > 0


def test_the_player_makes_legal_plays_in_random_games():
    for seed in range(2):
        for k, game in enumerate(walk(20 + seed, eager=seed)):
            if k % 4 == 0:
                assert game.verdict(comp10001bo_play(*arguments(game), game.play_history))


def test_the_player_counts_plays_already_made_in_the_turn():
    """4♣ and 5♠ would free 6♣ of the stockpile: worth it with three plays left, but not with one."""
    hand, stockpiles = ["4C", "5S", "9D", "0D", "0H"], [("6C", 8), ("5C", 8), ("3H", 8), ("KD", 8)]
    table = 0, hand, stockpiles, [EMPTY] * 4, [["2S", "3S"], [], [], []]
    mine, others = (0, (0, "4C", (0, 0))), [(player, NO_PLAY) for player in (1, 2, 3)]
    assert comp10001bo_play(*table, [mine] * 2)[1] == "4C"
    assert comp10001bo_play(*table, [mine] * 4)[1] == "5S"
    assert comp10001bo_play(*table, [mine] * 4 + others)[1] == "4C"
    assert comp10001bo_play(*table, [mine] * 4 + others + [mine] * 4)[1] == "5S"


def test_four_players_finish_a_game_before_the_last_turn():
    for seed in (1, 2):
        game = Bo(Random(seed).randrange)
        while game.ending is None:
            game.play(comp10001bo_play(*arguments(game), game.play_history))
        assert game.winner is not None
        assert game.turn < 60


@given(JUNK | NEAR_PLAYS)
def test_no_play_raises(play):
    table = (0, HAND, STOCKPILES, ((["5S"], [], [], []), *[EMPTY] * 3), EMPTY)
    assert comp10001bo_is_valid_play(play, *table) in (0, 1, 2)


MALFORMED = [(), (0, "2C"), (0, "2C", (0, 0), None), [0, "2C", (0, 0)], (0, ["2C"], (0, 0)), (0, "2c", (0, 0))]
MALFORMED += [(0, "2C", place) for place in ([0, 0], (0, 4), (0, -1), (2, 0), (1, 0), (1, (4, 0)), (1, (0, 4)))]
MALFORMED += [(False, "2C", (0, 0)), (0, "2C", (0, False)), (4, "2C", (0, 0)), (1, "5S", (1, (0, 1)))]
MALFORMED += [(1, ("5S", (0, 4)), (0, 0)), (3, None, None), (3, None, (None,)), (3, "2C", (None, None))]


@pytest.mark.parametrize("play", [*MALFORMED, "NO_PLAY", None, 3], ids=repr)
def test_a_malformed_play_is_invalid(play):
    table = (0, HAND, STOCKPILES, ((["5S"], [], [], []), *[EMPTY] * 3), EMPTY)
    assert comp10001bo_is_valid_play(play, *table) == 0
    assert type(comp10001bo_is_valid_play((0, "2C", (0, 0)), *table)) is int


@given(JUNK, JUNK, JUNK, JUNK)
def test_matching_never_raises(card, pile, player, other):
    assert comp10001bo_match_build(card, pile) in (True, False)
    assert comp10001bo_match_discard(card, pile, player, other) in (0, 1, 2)


@given(st.integers(0, 4), JUNK)
def test_a_malformed_table_never_raises_an_unexpected_error(place, junk):
    table = [0, HAND, STOCKPILES, (EMPTY,) * 4, EMPTY]
    table[place] = junk
    assert comp10001bo_is_valid_play((0, "2C", (0, 0)), *table) in (0, 1, 2)
    with suppress(NotationError):
        assert comp10001bo_is_valid_play(comp10001bo_play(*table, []), *table)


@pytest.mark.parametrize("winner", range(4))
def test_no_play_is_valid_once_a_stockpile_is_empty(winner):
    player, hand, *rest = 0, HAND, (EMPTY,) * 4, EMPTY
    over = tuple((None, 0) if one == winner else stockpile for one, stockpile in enumerate(STOCKPILES))
    play = comp10001bo_play(player, hand, STOCKPILES, *rest, [])
    assert comp10001bo_is_valid_play(play, player, hand, STOCKPILES, *rest) > 0
    for tried in (play, NO_PLAY):
        assert comp10001bo_is_valid_play(tried, player, hand, over, *rest) == 0
    with pytest.raises(NotationError, match="the game is over"):
        comp10001bo_play(player, hand, over, *rest, [])


SIZED = "a stockpile must be its top card and its size, such as ('9C', 8)"
IMPOSSIBLE = [
    ({"player_no": 4}, "a player must be 0, 1, 2 or 3, not 4."),
    ({"hand": ["2X"]}, "'2X' is not a card"),
    ({"hand": [*HAND, "3C"]}, "the hand must hold up to 5 cards, not 6."),
    ({"hand": ["9C", "9C"]}, "9C is on the table 3 times, and there are two packs."),
    ({"stockpiles": STOCKPILES[:3]}, "the stockpiles must be a list of 4, not of 3."),
    ({"stockpiles": ((None, 1), *STOCKPILES[1:])}, "None is not a card"),
    *[({"stockpiles": (("9C", size), *STOCKPILES[1:])}, SIZED) for size in (0, 9, True)],
    ({"stockpiles": ([None, 0], *STOCKPILES[1:])}, "the game is over once a stockpile is empty."),
    ({"discard_piles": (EMPTY,) * 5}, "the discard piles must be a list of 4, not of 5."),
    ({"discard_piles": (EMPTY[1:],) * 4}, "the discard piles of a player must be a list of 4, not of 3."),
    ({"build_piles": EMPTY[1:]}, "the build piles must be a list of 4, not of 3."),
    ({"play_history": None}, "the play history must be a list, not None."),
    ({"play_history": [NO_PLAY]}, "an entry of the play history must be (player, play)"),
    ({"play_history": [(7, NO_PLAY)]}, "a player must be 0, 1, 2 or 3, not 7."),
]


@pytest.mark.parametrize(("wrong", "sentence"), IMPOSSIBLE)
def test_an_impossible_table_is_refused_with_the_reason(wrong, sentence):
    table = {"player_no": 0, "hand": HAND, "stockpiles": STOCKPILES, "discard_piles": (EMPTY,) * 4}
    with pytest.raises(NotationError) as refusal:
        comp10001bo_play(**{**table, "build_piles": EMPTY, "play_history": [], **wrong})
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("count", [1, 8])
def test_a_stockpile_may_have_one_to_eight_cards(count):
    stockpiles = ([["2S", count], *STOCKPILES[1:]],)
    assert comp10001bo_is_valid_play((2, "2S", (0, 0)), 0, HAND, *stockpiles, (EMPTY,) * 4, EMPTY) == 1


def test_an_invalid_card_matches_no_pile():
    assert comp10001bo_match_build("3C", ["2C"]) is True
    for card, pile in (("3X", ["2C"]), ("3C", ["2X"]), (None, []), ("2C", None)):
        assert comp10001bo_match_build(card, pile) is False
        assert comp10001bo_match_discard(card, pile, 0, 0) == 0
    assert comp10001bo_match_discard("3C", ["2D"], 4, 0) == comp10001bo_match_discard("3C", ["2D"], 0, 4) == 0


def test_subclasses_of_str_are_not_cards():
    class Text(str):
        pass

    table = (0, HAND, STOCKPILES, ((["5S"], [], [], []), *[EMPTY] * 3), EMPTY)
    assert comp10001bo_is_valid_play((0, "2C", (0, 0)), *table) == 1
    assert comp10001bo_is_valid_play((0, Text("2C"), (0, 0)), *table) == 0


def test_count_of_plays_in_a_turn_is_capped():
    mine = (0, (0, "4C", (0, 0)))
    assert [with_history(EMPTY_TABLE, [mine] * made).plays for made in range(7)] == [0, 1, 2, 3, 4, 4, 4]
