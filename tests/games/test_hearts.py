"""Hearts, sentence by sentence of its rules (``kibitz rules hearts``)."""

from random import Random

import pytest

import kibitz
from kibitz.cards import as_set, cards_of, parse_cards
from kibitz.engine.game import choosing_seats
from kibitz.engine.sentences import names_for
from kibitz.games.hearts.rules import NONE

GAME = kibitz.game("hearts")
NAMES = ("Ann", "Ben", "Cem", "Dan")
TWO = parse_cards("2C")[0]


def card(text):
    (found,) = parse_cards(text)
    return found


def cards(text):
    return list(parse_cards(text))


def legal(state):
    return sorted(GAME.legal(state))


def table(hands, leader=0, trick="", played=("", "", "", ""), **fields):
    """A position in play with the given hands; ``trick`` are the cards of the trick, the leader's first."""
    state = GAME.deal(1)
    state.passing, state.leader, state.deals = 0, leader, 3
    for p in range(4):
        state.hand[p], state.given[p], state.played[p] = as_set(cards(hands[p])), 0, as_set(cards(played[p]))
        state.trick[p] = NONE
    for i, one in enumerate(cards(trick)):
        state.trick[(leader + i) % 4] = one
        state.played[(leader + i) % 4] |= 1 << one
    state.player = (leader + len(cards(trick))) % 4
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def pass_cards(state, random):
    """Pass random cards."""
    while state.passing:
        GAME.play(state, random.choice(GAME.legal(state)))


def test_deal_gives_thirteen_cards_to_each_seat():
    state = GAME.deal(7)
    assert [hand.bit_count() for hand in state.hand] == [13] * 4
    assert sum(state.hand) == state.pack == (1 << 52) - 1


@pytest.mark.parametrize(("deals", "steps"), [(0, 1), (1, 3), (2, 2), (4, 1)])
def test_passing_direction_rotates_between_deals(deals, steps):
    state = GAME.deal(7)
    state.deals = deals
    hands, lowest = state.hand[:], [list(cards_of(hand))[:3] for hand in state.hand]
    for i in range(3):
        for p in range(4):
            GAME.play(state, lowest[p][i])
    for p in range(4):
        assert state.hand[(p + steps) % 4] == hands[(p + steps) % 4] & ~as_set(lowest[(p + steps) % 4]) | as_set(
            lowest[p]
        )


def test_nothing_is_passed_in_the_fourth_deal_or_with_passed_0():
    assert not kibitz.game("hearts:passed=0").deal(1).passing
    state = table(["2C", "3C", "4C", "5C"], deals=2, player=0)
    state.deals = 2
    for one in cards("2C 3C 4C 5C"):
        GAME.play(state, one)
    assert (state.deals, state.passing, state.hand[state.player] >> TWO & 1) == (3, 0, 1)


def test_seats_choose_cards_to_pass_at_once_and_secretly():
    state = GAME.deal(7)
    assert choosing_seats(GAME, state) == (0, 1, 2, 3)
    (first,) = [event.event for event in GAME.play(state, GAME.legal(state)[0]) if event.reaches(1)]
    assert GAME.describe(first, 1, names_for(1, NAMES)) == "Ann chooses a card to pass."
    assert choosing_seats(GAME, state) == (1, 2, 3)
    assert GAME.view(state, 1).given == ()
    assert GAME.view(state, 1).chosen == 0
    pass_cards(state, Random(1))
    assert choosing_seats(GAME, state) == (state.player,)
    assert GAME.view(state, 1).received == tuple(cards_of(state.given[0]))
    assert set(GAME.view(state, 1).received) <= set(GAME.view(state, 1).hand)


def test_a_card_cannot_be_chosen_twice():
    state = GAME.deal(7)
    one = GAME.legal(state)[0]
    for _ in range(4):
        GAME.play(state, GAME.legal(state)[0])
    assert GAME.why_not(state, one) == "You have already chosen that card."
    assert GAME.why_not(state, next(iter(cards_of(state.hand[1])))) == "You don't hold that card."


def test_the_two_of_clubs_leads_to_the_first_trick():
    state = GAME.deal(7)
    pass_cards(state, Random(1))
    assert state.hand[state.player] >> TWO & 1
    assert GAME.legal(state) == [TWO]
    other = next(one for one in cards_of(state.hand[state.player]) if one != TWO)
    assert GAME.why_not(state, other) == "The two of clubs leads to the first trick."


def test_seats_must_follow_suit_if_they_can():
    state = table(["9D", "3D AD 4H", "KS QS 2H", "5D"], trick="9D", played=("2C", "3C", "4C", "5C"))
    assert legal(state) == sorted(cards("3D AD"))
    assert GAME.why_not(state, card("4H")) == "You must follow suit."
    GAME.play(state, card("3D"))
    assert legal(state) == sorted(cards("KS QS 2H"))


def test_first_trick_takes_points_only_from_a_hand_of_points():
    state = table(["", "4H QS 9D", "4D", "5D"], trick="2C")
    assert legal(state) == cards("9D")
    assert GAME.why_not(state, card("QS")) == (
        "No hearts or queen of spades in the first trick, unless you hold nothing else."
    )
    state = table(["", "4H QS", "4D", "5D"], trick="2C")
    assert legal(state) == sorted(cards("4H QS"))
    GAME.play(state, card("QS"))
    assert not state.lacks[1] & as_set(cards("2H QS"))
    assert not as_set(cards("2C 3D AS KS")) & ~state.lacks[1]


def test_the_highest_card_of_the_suit_led_wins_the_trick_and_leads():
    state = table(["9D 2S", "AH 3S", "KD 4S", "0D 5S"], played=("2C", "3C", "4C", "5C"))
    for one in cards("9D AH KD 0D"):
        told = GAME.play(state, one)
    assert (state.player, state.leader, state.points[2]) == (2, 2, 1)
    assert GAME.describe(told[1].event, 2, names_for(2, NAMES)) == "You win the trick, with 1 point."
    assert state.lacks[1] == sum(1 << one for one in range(52) if one & 3 == 0)


def test_hearts_are_led_once_broken_or_from_a_hand_of_hearts():
    hands = ["2H 9D", "3H 3S", "4H 4S", "5H 5S"]
    state = table(hands, played=("2C", "3C", "4C", "5C"))
    assert legal(state) == cards("9D")
    assert GAME.why_not(state, card("2H")).startswith("Hearts can't be led until one has been played")
    assert legal(table(hands, played=("2C", "3C", "4C", "6H"))) == sorted(cards("2H 9D"))
    state = table(["2H KH", *hands[1:]], played=("2C", "3C", "4C", "5C"))
    assert legal(state) == sorted(cards("2H KH"))
    GAME.play(state, card("2H"))
    assert state.lacks[0] == sum(1 << one for one in range(52) if one & 3 != 2)


def test_the_queen_of_spades_can_always_be_led_and_counts_thirteen():
    state = table(["QS 2H", "3S 3H", "4S 4H", "5S 5H"], played=("2C", "3C", "4C", "5C"))
    assert legal(state) == cards("QS")
    for one in cards("QS 3S 4S 5S"):
        GAME.play(state, one)
    assert state.points == [13, 0, 0, 0]


@pytest.mark.parametrize(("points", "scores"), [([20, 5, 0, 0], [21, 5, 0, 0]), ([25, 0, 0, 0], [0, 26, 26, 26])])
def test_taking_all_points_shoots_the_moon(points, scores):
    state = table(["AH", "3C", "4D", "5D"], played=("2C 2H", "4C", "5C", "6C"))
    state.points[:] = points
    for one in cards("AH 3C 4D 5D"):
        told = GAME.play(state, one)
    assert state.score == scores
    assert GAME.returns(state) == tuple(-n for n in scores)
    sentence = GAME.describe(told[2].event, 0, names_for(0, NAMES))
    assert sentence.startswith(f"The deal counts You {scores[0]} (now {scores[0]}), Ben {scores[1]}")


@pytest.mark.parametrize(("scores", "over", "winners"), [([99, 10, 9, 9], 1, (2, 3)), ([98, 10, 9, 9], 0, ())])
def test_game_ends_at_a_hundred_points_and_fewest_points_win(scores, over, winners):
    state = table(["AH", "3C", "4D", "5D"], played=("2C 2H", "4C", "5C", "6C"), score=scores[:])
    for one in cards("AH 3C 4D 5D"):
        GAME.play(state, one)
    assert state.over == over
    if over:
        outcome = GAME.result(state, frozenset())
        assert (outcome.winners, outcome.reason) == (winners, "A player has 100 points.")
        assert GAME.result(state, frozenset({2})).winners == (3,)
    else:
        assert (state.deals, state.passing) == (4, 1)


def test_hearts_deal_ends_after_one_deal():
    game = kibitz.game("hearts-deal")
    state, random = game.deal(3), Random(3)
    steps = 0
    while not state.over:
        game.play(state, random.choice(game.legal(state)))
        steps += 1
    assert (steps, sum(state.score) % 26) == (4 * 3 + 52, 0)
    assert game.result(state, frozenset()).reason == "The deal is over."


def test_greedy_discards_the_queen_of_spades_and_ducks():
    greedy = GAME.strategies["greedy"]
    state = table(["9D", "AS QS 4H", "", ""], trick="9D", played=("2C", "3C", "4C", "5C"))
    assert greedy(GAME.view(state, 1), GAME.legal(state), Random(1)) == card("QS")
    state = table(["9D", "3D 8D AD", "", ""], trick="9D", played=("2C", "3C", "4C", "5C"))
    assert greedy(GAME.view(state, 1), GAME.legal(state), Random(1)) == card("8D")
