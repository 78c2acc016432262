"""The assignment's functions for Huxxy, against the engine and against bad input."""

from random import Random

import pytest

from kibitz.cards import code
from kibitz.coursework import huxxy
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from kibitz.games.huxxy import assignment
from kibitz.games.huxxy.policies import greedy
from tests.tiers import first_fast

NONSENSE = [None, 7, 2.5, "KS", "", [], {}, [[]], (), (0,), (0, 1), (0, 1, None), (0, 1, ("KC",)), (0, 1, ("KC", "0"))]
NONSENSE += [(0, 1, ("KC", -1)), (0, 1, ("KC", 99)), (0, 1, ("ZZ", 0)), (0, 1, (None, 0)), (0, 7, None), (0, 0, 0)]
NONSENSE += [(0, 2, ("KC", 0, 99)), (0, 2, ("KC", 99, 0)), (0, 2, ("KC", 0)), ("0", 0, None), (0, "0", None), object()]
HAND = ["KC", "KH", "KD", "2S"]


@pytest.mark.parametrize("play", NONSENSE, ids=range(len(NONSENSE)))
def test_a_malformed_play_is_refused(play):
    assert huxxy.comp10001huxxy_valid_play(play, [], 0, HAND, []) is False
    assert huxxy.comp10001huxxy_valid_play(play, [(0, 1, ("KS", 0))], 0, HAND, [["KS"]]) is False


@pytest.mark.parametrize("strange", NONSENSE, ids=range(len(NONSENSE)))
def test_malformed_arguments_refuse_the_play(strange):
    good = ((0, 1, ("KC", 0)), [], 0, HAND, [])
    assert huxxy.comp10001huxxy_valid_play(*good) is True
    for place in (1, 2, 3, 4):
        if strange not in ([], (), {}, "") and not (place == 4 and strange == [[]]):
            arguments = [strange if i == place else part for i, part in enumerate(good)]
            assert huxxy.comp10001huxxy_valid_play(*arguments) is False
    assert huxxy.comp10001huxxy_valid_table(strange) in (True, False)


def test_a_table_with_an_invalid_card_or_group_is_invalid():
    assert huxxy.comp10001huxxy_valid_table([["KC"], ["ZZ"]]) is False
    assert huxxy.comp10001huxxy_valid_table([]) is True
    assert not huxxy.comp10001huxxy_valid_table([["KC", "KC", "KC", "KS", "KH", "KD"]])
    assert not huxxy.comp10001huxxy_valid_table([["KC", "XX", "XX"]])
    assert not huxxy.comp10001huxxy_valid_table([["XX", "KC", "XX", "KS", "KH", "KD"]])
    assert huxxy.comp10001huxxy_valid_table([["KC", "KS", "XX"], []])


def test_scoring_invalid_cards_is_refused():
    assert huxxy.comp10001huxxy_score(["XX", "AC"]) == 49
    for strange in (None, 5, ["ZZ"], [None], "KC"):
        with pytest.raises(NotationError):
            huxxy.comp10001huxxy_score(strange)


@pytest.mark.parametrize("name", first_fast(["huxxy", "huxxy-bonus"]))
def test_function_and_engine_allow_the_same_plays_in_whole_games(name):
    played, random = game(name), Random(2)
    state, history, compared = played.deal(2), [], 0
    for notice in played.opening(state):
        assert assignment.history_item(notice.event) is None
    while not state.over:
        view = played.view(state, state.player)
        legal = played.legal(state)
        hand = [code(card) for card in view.hand]
        table = [[code(card) for card in cards] for cards in view.table]
        for kind, details in plays(random, hand, table):
            play = (state.player, kind, details)
            try:
                action = assignment.reply(view, play)[0]
            except NotationError:
                action = None
            allowed = action in legal
            assert huxxy.comp10001huxxy_valid_play(play, history, state.player, hand, table) == allowed, play
            compared += allowed
        items = [assignment.history_item(notice.event) for notice in played.play(state, greedy(view, legal, random))]
        history.append(next(item for item in items if item is not None))
    assert compared > 200


def plays(random, hand, table):
    """Some plays, valid or not, in the assignment's form without the player."""
    found = [(0, None), (3, None)]
    for _ in range(5):
        source = random.randrange(len(table) + 1)
        card = random.choice(table[source]) if source < len(table) and table[source] else "KS"
        found.append((1, (random.choice([*hand, card]), random.randrange(len(table) + 2))))
        found.append((2, (card, source, random.randrange(len(table) + 2))))
    return found


def crowded(random, groups):
    """A table of many groups, some of them empty or invalid."""
    runs = [["AC", "2H", "3S"], ["KC", "KS", "KH"], ["4D", "5S", "6H", "7C"], [], ["9C", "0D"], ["XX", "2C"]]
    return [random.choice(runs)[:] for _ in range(groups)]


def obviously_valid(play, history, hand, table):
    """Validity by the assignment's list, for player 0 in a first turn that has already played a king of clubs."""
    kind, details = play[1:]
    if kind == 1:
        card, goal = details
        joker = card == "XX" and goal < len(table) and "XX" in table[goal]
        return len(history) < 6 and card in hand and goal <= len(table) and not joker
    if kind == 2:
        card, source, goal = details
        joker = card == "XX" and goal < len(table) and "XX" in table[goal]
        there = source < len(table) and card in table[source]
        return len(history) < 6 and there and goal <= len(table) and goal != source and not joker
    opened = 13 * len(history) >= 24
    return kind == 3 and opened and all(huxxy.valid_group(huxxy.read_cards(group)) for group in table)


@pytest.mark.parametrize("groups", [3, 40, 41, 60, 100])
def test_plays_on_tables_of_any_size_are_judged_correctly(groups):
    random, met = Random(groups), set()
    for _ in range(150):
        table = crowded(random, groups)
        if random.random() < 0.2:
            table = [group for group in table if huxxy.valid_group(huxxy.read_cards(group))]
        table = table or [[]]
        history = [(0, 1, ("KC", random.randrange(groups)))] * random.randrange(1, 7)
        source = random.randrange(len(table))
        card = random.choice([*table[source], "QD", "XX"])
        play = random.choice([
            (0, 1, (random.choice([*HAND, "XX"]), random.randrange(len(table) + 2))),
            (0, 2, (card, source, random.randrange(len(table) + 2))),
            (0, 3, None),
            (0, 0, None),
        ])  # fmt: skip
        valid = obviously_valid(play, history, [*HAND, "XX"], table)
        assert huxxy.comp10001huxxy_valid_play(play, history, 0, [*HAND, "XX"], table) is valid, (play, history, table)
        met.add((play[1], valid))
    assert {(1, True), (1, False), (2, True), (2, False)} <= met


@pytest.mark.parametrize("groups", [33, 41, 60])
def test_the_player_handles_tables_of_any_size(groups):
    table = [["AC", "2H", "3S"] for _ in range(groups)]
    table[-1] = ["QC", "QS"]
    hand, history = ["QH", "4D", "4H"], [(0, 1, ("QC", groups - 1)), (0, 1, ("QS", groups - 1))]
    kinds = []
    while not kinds or kinds[-1] != 3:
        play = huxxy.comp10001huxxy_play(history, 0, hand, table)
        assert huxxy.comp10001huxxy_valid_play(play, history, 0, hand, table), (play, table)
        kinds.append(play[1])
        if play[1] == 1:
            hand.remove(play[2][0])
            table += [[]] * (play[2][1] == len(table))
            table[play[2][1]].append(play[2][0])
        elif play[1] == 2:
            table[play[2][1]].remove(play[2][0])
            table += [[]] * (play[2][2] == len(table))
            table[play[2][2]].append(play[2][0])
        history.append(play)
    assert "QH" in table[groups - 1]
    assert all(huxxy.valid_group(huxxy.read_cards(group)) for group in table)


OPENED = [(0, 1, ("KC", 0)), (0, 3, None), (1, 0, None), (2, 0, None), (3, 0, None)]
CORNERS = {
    "a card that fits": (OPENED, ["KC", "2D"], [["KD", "KH", "KS"]]),
    "no card that fits": (OPENED, ["9C", "2D"], [["KD", "KH", "KS"]]),
    "a joker": (OPENED, ["XX", "2D"], [["AD", "3D"]]),
    "not opened": ([], ["KC", "QC"], [["JC", "0C"]]),
    "an empty hand soon": (OPENED, ["4D"], [["AD", "2D", "3D"], ["5D"]]),
}


def plays_from(hand, table):
    """Every conceivable play of a card, with the hand and table after it."""
    for card in dict.fromkeys(hand):
        for goal in range(len(table) + 1):
            after = [*map(list, table), *([[]] if goal == len(table) else [])]
            after[goal].append(card)
            rest = list(hand)
            rest.remove(card)
            yield (0, 1, (card, goal)), rest, after
    for source, group in enumerate(table):
        for card in dict.fromkeys(group):
            for goal in range(len(table) + 1):
                after = [*map(list, table), *([[]] if goal == len(table) else [])]
                after[goal].append(card)
                after[source].remove(card)
                yield (0, 2, (card, source, goal)), hand, after


def position_key(hand, table, made):
    """A key of a position that ignores the order of cards, groups and plays."""
    groups = tuple(sorted(tuple(sorted(group)) for group in table if group))
    return tuple(sorted(hand)), groups, len(made)


def every_position(history, hand, table, plays):
    """Every position of a turn that valid plays reach, by key, with the keys of the next positions."""
    found, more = {}, [(hand, table, [])]
    while more:
        hand, table, made = more.pop()
        key = position_key(hand, table, made)
        if key in found:
            continue
        following = [
            (play, rest, after)
            for play, rest, after in (plays_from(hand, table) if len(made) < plays else ())
            if huxxy.comp10001huxxy_valid_play(play, history + made, 0, hand, table)
        ]
        found[key] = hand, table, made, [position_key(rest, after, [*made, play]) for play, rest, after in following]
        more += [(rest, after, [*made, play]) for play, rest, after in following]
    return found


@pytest.mark.parametrize("corner", CORNERS)
def test_the_player_makes_valid_plays_and_ends_its_turn_if_possible(corner):
    history, hand, table = CORNERS[corner]
    begun = [(0, 1, ("XX", 0))] * 3
    history = history + begun[: 6 - 4]
    reached = every_position(history, hand, table, 4)
    ended = (0, 3, None)
    leads = {
        key for key, (h, t, m, _) in reached.items() if huxxy.comp10001huxxy_valid_play(ended, history + m, 0, h, t)
    }
    while more := {key for key, found in reached.items() if key not in leads and leads.intersection(found[3])}:
        leads |= more
    met = set()
    for key, (h, t, made, following) in reached.items():
        play = huxxy.comp10001huxxy_play(history + made, 0, h, t)
        valid = huxxy.comp10001huxxy_valid_play(play, history + made, 0, h, t)
        assert valid == bool(following or key in leads), (h, t, made, play)
        assert valid or play == (0, 0, None), "the documented fallback"
        if key in leads and play != ended:
            after = next((rest, new) for other, rest, new in plays_from(h, t) if other == play)
            assert position_key(*after, [*made, play]) in leads, (h, t, made, play)
        met.add((key in leads, valid))
    assert (False, True) in met, "corners are met"


def test_moves_to_the_same_group_or_beside_a_joker_are_invalid():
    table, begun = [["XX", "2C"], ["KC", "XX"], ["KD", "9S"]], [(0, 1, ("KC", 1))]
    for goal, valid in ((0, False), (1, False), (2, True), (3, True), (4, False)):
        assert huxxy.comp10001huxxy_valid_play((0, 2, ("XX", 0, goal)), begun, 0, HAND, table) is valid
    for goal, valid in ((0, True), (1, True), (2, False), (3, True)):
        assert huxxy.comp10001huxxy_valid_play((0, 2, ("9S", 2, goal)), begun, 0, HAND, table) is valid


@pytest.mark.parametrize(
    ("history", "hand", "table", "play"),
    [
        ([], ["7C", "7D", "7H", "9S"], [], (0, 0, None)),
        ([], ["8C", "8D", "8H"], [], (0, 1)),
        (OPENED, ["7C", "7D", "7H"], [], (0, 1)),
        (OPENED, ["9S"], [["KC", "KD", "KH"]], (0, 0, None)),
        ([*OPENED, (0, 1, ("KC", 0))], ["9S"], [["KC", "KD", "KH"]], (0, 3, None)),
        ([*OPENED, (0, 1, ("KC", 0))], ["KS"], [["KC", "KD", "KH"]], (0, 1, ("KS", 0))),
        ([*OPENED, *[(0, 1, ("KC", 0))] * 6], ["KS"], [["KC", "KD", "KH"]], (0, 3, None)),
    ],
)
def test_opening_needs_24_points_and_a_turn_a_hand_card(history, hand, table, play):
    """A player's first groups need 24 points, and a turn with plays uses one to six of them, with a hand card."""
    assert huxxy.comp10001huxxy_play(history, 0, hand, table)[: len(play)] == play


@pytest.mark.parametrize(("cards", "valid"), [("8C 8D 8H", True), ("7C 8D 8H", False), ("9C 8D 7H", True)])
def test_a_first_turn_can_end_with_24_points_but_not_23(cards, valid):
    made = [(0, 1, (card, 0)) for card in cards.split()]
    assert huxxy.comp10001huxxy_valid_play((0, 3, None), made, 0, HAND, [["8C", "8D", "8H"]]) is valid


@pytest.mark.parametrize(
    "play",
    [(0, 0, None), (0, 1, ("KC", 0)), (0, 2, ("KS", 0, 1)), (0, 3, None)],
    ids=["pick up", "play", "move", "end"],
)
def test_plays_need_the_active_player_and_matching_details(play):
    history, table = list(OPENED), [["KS", "KD", "KH", "KC"]]
    if play[1] in (2, 3):
        history.append((0, 1, ("KC", 0)))
    assert huxxy.comp10001huxxy_valid_play(play, history, 0, ["KC"], table) is True
    assert huxxy.comp10001huxxy_valid_play((1, *play[1:]), history, 0, ["KC"], table) is False
    assert huxxy.comp10001huxxy_valid_play((1, *play[1:]), history, 1, ["KC"], table) is False
    for kind in {0, 1, 2, 3, 4} - {play[1]} - ({0, 3} if play[2] is None else set()):
        assert huxxy.comp10001huxxy_valid_play((0, kind, play[2]), history, 0, ["KC"], table) is False


@pytest.mark.parametrize("details", [("KC",), ("KC", 0, 1), "KC", {"KC": 0, "KD": 1}, None, ("KX", 0)])
def test_a_malformed_history_makes_every_play_invalid(details):
    assert huxxy.comp10001huxxy_valid_play((0, 1, ("KC", 0)), [(0, 1, ("KC", 0))], 0, ["KC"], [["KC"]]) is True
    assert huxxy.comp10001huxxy_valid_play((0, 1, ("KC", 0)), [(0, 1, details)], 0, ["KC"], [["KC"]]) is False


@pytest.mark.parametrize("place", [0, 1], ids=["player", "kind"])
@pytest.mark.parametrize("other", [float, complex, str, bool])
def test_numbers_of_the_history_must_be_of_type_int(place, other):
    before, play = (0, 1, ("KC", 0)), (0, 1, ("KC", 0))
    strange = tuple(other(part) if i == place else part for i, part in enumerate(before))
    assert huxxy.comp10001huxxy_valid_play(play, [before], 0, ["KC"], [["KC"]]) is True
    assert huxxy.comp10001huxxy_valid_play(play, [strange], 0, ["KC"], [["KC"]]) is False
    with pytest.raises(NotationError, match="every play of the history is a tuple"):
        huxxy.comp10001huxxy_play([strange], 0, ["KC"], [["KC"]])
