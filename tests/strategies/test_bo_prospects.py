"""What the warden of Bo sees of a turn's end, held against cards laid and looked at one by one."""

from random import Random

import pytest

import kibitz
from kibitz.games.bo import prospects
from kibitz.games.bo.piles import NONE, completes, ending, turn_up
from kibitz.games.bo.planning import ROOM

BO = kibitz.game("bo")
KINDS = range(2, 28)


def positions(games):
    """Positions in which there is a choice, from random games."""
    for seed in range(games):
        random, state = Random(seed), BO.deal(seed)
        while not state.over:
            legal = BO.legal(state)
            if len(legal) > 1:
                yield state
            BO.rules.apply(state, random.choice(legal))


def card_of(kind):
    """A card of a kind: an id with its value and colour."""
    return (kind // 2 - 1) << 2 | kind & 1


def laid(state, card, pile, under=None):
    """The position with a card on a pile, and what was under it on top where it came from."""
    after = state.copy()
    if under is not None:
        turn_up(after, *under)
    turn_up(after, pile, NONE if completes(after, card, pile) else card)
    return after


def fitting(state, kind):
    """How many piles take a kind."""
    return state.accepts[kind].bit_count()


def test_a_discard_pile_takes_what_the_table_says_that_it_takes():
    state = BO.deal(1)
    for card in map(card_of, KINDS):
        for wanted in KINDS:
            if card >> 2:
                takes = laid(state, card, 4).accepts[wanted] >> 4 & 1
                assert bool(prospects.takes(state, card, wanted)) == bool(takes), (card, wanted)


def test_what_is_counted_of_the_table_is_what_laying_each_card_shows():
    """Kinds that some pile takes, or one alone; tops that could be moved, and kinds between, so that a card fits.

    Cards that a completed pile would make room for, or next to those that complete one, are left to the weights.
    """
    met = {"moves": 0, "bridges": 0, "outlets": 0}
    for state in positions(6):
        room = [0] * ROOM
        kinds = [kind for kind in KINDS if state.accepts[kind]]
        assert prospects.width(state) == prospects.count_outlets(state, room) == len(kinds)
        alone = [sum(state.accepts[kind] == 1 << pile for kind in kinds) for pile in range(20)]
        assert room[prospects.OUTLETS : prospects.OUTLETS + 20] == alone
        met["outlets"] += max(alone) > 1
        for wanted in range(8, 24):
            if state.accepts[wanted]:
                continue
            tops = [
                any(laid(state, top, to, (pile, state.under[top])).accepts[wanted] for to in range(20)
                    if to != pile and state.accepts[prospects.kind(top)] >> to & 1)
                for pile in range(4, 20) if (top := state.top[pile]) != NONE
            ]  # fmt: skip
            assert prospects.moves(state, wanted) == min(2, sum(tops))
            between = [
                any(state.accepts[kind] >> pile & 1 and laid(state, card_of(kind), pile).accepts[wanted]
                    for pile in range(20))
                for kind in kinds
            ]  # fmt: skip
            assert prospects.bridges(state, wanted) == sum(between)
            met["moves"] += sum(tops) > 1
            met["bridges"] += sum(between) > 2
    assert min(met.values()) > 20


def test_the_best_card_to_end_a_turn_with_is_that_after_which_the_table_is_worth_most():
    ended = 0
    for state in positions(8):
        room = [0] * ROOM
        prospects.look_at_rivals(state, room)
        own = state.stock[8 * state.player + state.stocked[state.player] - 1]
        mine, worths = prospects.kind(own), {}
        for place in range(5):
            card = state.hand[5 * state.player + place]
            for pile in range(4, 20) if card != NONE else ():
                if not ending(state, card) >> pile & 1:
                    continue
                after = laid(state, card, pile)
                worths[prospects.SOURCE * place + pile] = (
                    prospects.OWN_FITS[min(5, fitting(after, mine))]
                    - prospects.rivals_worth(after, room)
                    + prospects.WIDTH * prospects.width(after)
                    + prospects.bridged(state, room, mine)
                    + prospects.hand_worth(state, mine, place)
                    + (prospects.NEW_PILE if state.top[pile] == NONE else
                       prospects.OWN_PILE if (pile - 4) // 4 == state.player else 0)
                )  # fmt: skip
        found = prospects.best_ending(state, room, own)
        if worths:
            ended += 1
            assert found == max(worths.values()) == worths[room[prospects.ENDED_BY]]
        else:
            assert found < -(1 << 30)
    assert ended > 100


@pytest.mark.parametrize(
    ("left", "share", "expected"),
    [(0, 64, 0), (1, 64, 64), (1, 32, 32), (2, 0, 28), (2, 64, 128), (2, 32, 32 * 96 // 64 + 32 * 28 // 64)],
)
def test_stockpile_cards_to_come_are_counted_by_chances(left, share, expected):
    """In 64ths: one that surely fits is one more; one that fits nowhere may, after another play."""
    assert prospects.may_follow(left, share) == expected


def test_a_hand_is_worth_what_it_makes_possible_less_what_it_keeps():
    """By hand: the own card is a black 5; a red 4 would take it on a discard pile, an Ace helps nobody."""
    state = BO.deal(3)
    black, red = 0, 1
    kinds = {"takes": 2 * 4 + red, "ace": 2, "idle": 2 * 9 + black}
    for place in range(5):
        state.hand[place] = NONE
    state.player = 0
    for pile in range(20):
        turn_up(state, pile, NONE)
    mine = 2 * 5 + black
    worth = {}
    for name, kind in kinds.items():
        state.hand[0] = card_of(kind)
        worth[name] = prospects.hand_worth(state, mine, NONE)
        assert prospects.hand_worth(state, mine, 0) == 0
    assert worth == {
        "takes": prospects.IDLE_BRIDGE - prospects.HELD,
        "ace": -prospects.HELD - prospects.HELD_ACE,
        "idle": -prospects.HELD,
    }
    turn_up(state, 4, card_of(2 * 3 + black))  # which takes the red 4
    state.hand[0] = card_of(kinds["takes"])
    assert prospects.hand_worth(state, mine, NONE) == prospects.BRIDGE - prospects.HELD
    turn_up(state, 5, card_of(2 * 8 + red))  # which takes the black 9
    state.hand[0] = card_of(kinds["idle"])
    assert prospects.hand_worth(state, mine, NONE) == prospects.FITTING - prospects.HELD
