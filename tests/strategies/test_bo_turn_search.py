"""The marshal's turn search in Bo, against playing cards one by one."""

from random import Random

import pytest

import kibitz
from kibitz.games.bo import leaf_values, turn_search
from kibitz.games.bo.leaf_values import GREEDY, MARSHAL
from kibitz.games.bo.piles import NO_PLAY, NONE, SOURCE, STOCK, completes, ending_piles, set_top

BO = kibitz.game("bo")
KINDS = range(2, 28)


def positions(games):
    """Positions of random games that have a choice."""
    for seed in range(games):
        random, state = Random(seed), BO.deal(seed)
        while not state.over:
            legal = BO.legal(state)
            if len(legal) > 1:
                yield state
            BO.rules.apply(state, random.choice(legal))


def prepared(kept=1, parameters=MARSHAL):
    """A scratch array with a player's parameters that keeps a number of leaves."""
    scratch = [0] * turn_search.SCRATCH
    scratch[: leaf_values.PARAMETERS] = parameters
    scratch[leaf_values.LEAF_LIMIT], scratch[turn_search.TRY_LIMIT] = kept, turn_search.MAX_TRIES
    return scratch


def kept_leaves(scratch):
    """The leaves in the scratch array: value, node and last play of each."""
    numbers = scratch[leaf_values.BEST_LEAVES : leaf_values.BEST_LEAVES + 3 * scratch[leaf_values.LEAF_COUNT]]
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))


def card_of(kind):
    """A card of a kind: an id with its value and colour."""
    return (kind // 2 - 1) << 2 | kind & 1


def laid(state, card, pile, under=None):
    """The position with a card on a pile, and the card under it turned up where it came from."""
    after = state.copy()
    if under is not None:
        set_top(after, *under)
    set_top(after, pile, NONE if completes(after, card, pile) else card)
    return after


def fitting(state, kind):
    """How many piles take a kind."""
    return state.accepts[kind].bit_count()


def test_takes_agrees_with_the_rules_of_discard_piles():
    state = BO.deal(1)
    for card in map(card_of, KINDS):
        for wanted in KINDS:
            if card >> 2:
                takes = laid(state, card, 4).accepts[wanted] >> 4 & 1
                assert bool(leaf_values.takes(state, card, wanted)) == bool(takes), (card, wanted)


def test_table_features_match_brute_force():
    """Kinds that some pile takes; top cards that could be moved, and kinds in between, so that a card fits.

    Cards that fit only through a completed pile are left to the weights.
    """
    met = {"moves": 0, "bridges": 0}
    for state in positions(3):
        kinds = [kind for kind in KINDS if state.accepts[kind]]
        assert leaf_values.width(state) == len(kinds)
        for wanted in range(8, 24):
            if state.accepts[wanted]:
                continue
            tops = [
                any(laid(state, top, to, (pile, state.under[top])).accepts[wanted] for to in range(20)
                    if to != pile and state.accepts[leaf_values.kind(top)] >> to & 1)
                for pile in range(4, 20) if (top := state.top[pile]) != NONE
            ]  # fmt: skip
            assert leaf_values.count_moves(state, wanted) == min(2, sum(tops))
            between = [
                any(state.accepts[kind] >> pile & 1 and laid(state, card_of(kind), pile).accepts[wanted]
                    for pile in range(20))
                for kind in kinds
            ]  # fmt: skip
            assert leaf_values.count_bridges(state, wanted) == sum(between)
            met["moves"] += sum(tops) > 1
            met["bridges"] += sum(between) > 2
    assert min(met.values()) > 20


@pytest.mark.parametrize("parameters", [MARSHAL, GREEDY], ids=["marshal", "greedy"])
def test_end_of_turn_plays_are_valued_by_the_resulting_table(parameters):
    """On every pile where a card ends the turn; the best are kept in order, ties in the order found."""
    ended = 0
    for state in positions(3):
        scratches = [prepared(most, parameters) for most in (leaf_values.MAX_LEAVES, 3, 1)]
        own = state.stock[8 * state.player + state.stock_counts[state.player] - 1]
        mine, found = leaf_values.kind(own), {}
        for scratch in scratches:
            leaf_values.note_rivals(state, scratch)
            ends = turn_search.note_endings(state, scratch, own, 0)
        for place in range(5):
            card = state.hand[5 * state.player + place]
            for pile in range(4, 20) if card != NONE else ():
                if not ending_piles(state, card) >> pile & 1:
                    continue
                after = laid(state, card, pile)
                found[SOURCE * place + pile] = (
                    parameters[leaf_values.OWN_FITS + min(5, fitting(after, mine))]
                    - leaf_values.rivals_worth(after, scratch)
                    + parameters[leaf_values.WIDTH] * leaf_values.width(after)
                    + leaf_values.near_fit_worth(state, scratch, mine)
                    + leaf_values.hand_worth(state, scratch, mine, place)
                    + (parameters[leaf_values.NEW_PILE] if state.top[pile] == NONE else
                       parameters[leaf_values.OWN_PILE] if (pile - 4) // 4 == state.player else 0)
                )  # fmt: skip
        assert ends == bool(found)
        ended += ends
        best = sorted(((worth, 0, play) for play, worth in found.items()), key=lambda one: -one[0])
        for scratch in scratches:
            assert kept_leaves(scratch) == best[: scratch[leaf_values.LEAF_LIMIT]]
    assert ended > 50


@pytest.mark.long
def test_look_ahead_keeps_the_best_turns_and_all_are_legal():
    """The first of many kept turns is the single best one; all differ, and none is longer than a turn may be."""
    lengths = set()
    for state in [state.copy() for state in positions(3)][::7]:
        one, many, plays = prepared(), prepared(8), [0] * 8
        for scratch in one, many:
            leaf_values.set_parameters(state, scratch)
        turn_search.look_ahead(state, one)
        turn_search.look_ahead(state, many)
        assert kept_leaves(many)[0][0] == kept_leaves(one)[0][0]
        play = turn_search.best_play(state, prepared())
        assert turn_search.first_play(many, 0) == turn_search.first_play(one, 0) == play
        assert [worth for worth, _, _ in kept_leaves(many)] == sorted(
            (worth for worth, _, _ in kept_leaves(many)), reverse=True
        )
        turns = set()
        for j in range(many[leaf_values.LEAF_COUNT]):
            n, world = turn_search.plays_to(many, j, plays, 0), state.copy()
            assert plays[0] == turn_search.first_play(many, j)
            for play in plays[:n]:
                assert not BO.rules.refusal(world, play)
                assert world.player == state.player
                BO.rules.apply(world, play)
            turns.add(tuple(plays[:n]))
            lengths.add(n)
        assert len(turns) == many[leaf_values.LEAF_COUNT]
    assert lengths >= {1, 2, 3, 4, 5}


@pytest.mark.long
def test_a_wider_look_ahead_never_finds_less():
    """A marshal against one limited to 250 plays, in games between marshals."""
    more = 0
    for seed in range(4):
        state = BO.deal(seed)
        while not state.over:
            near, far = prepared(), prepared()
            near[turn_search.TRY_LIMIT] = 250
            for scratch in near, far:
                turn_search.look_ahead(state, scratch)
            assert kept_leaves(far)[0][0] >= kept_leaves(near)[0][0]
            more += kept_leaves(far)[0][0] > kept_leaves(near)[0][0]
            BO.rules.apply(state, turn_search.first_play(far, 0))
    assert more > 0


def test_skipping_longer_ways_plays_the_stockpile_card_by_the_shortest():
    """Otherwise it plays as before; skipping everything else plays the same stockpile card."""
    lengths = set()
    for state in [state.copy() for state in positions(6)][::6]:
        whole, short, alone = (prepared(1, GREEDY) for _ in range(3))
        for skipped, scratch in enumerate((whole, short, alone)):
            scratch[turn_search.TRY_LIMIT], scratch[turn_search.SKIP_MODE], plays = 60, skipped, [0] * 8
            turn_search.look_ahead(state, scratch)
            n = turn_search.plays_to(scratch, 0, plays, 0)
            length = n if plays[n - 1] // SOURCE == STOCK else 0
            if scratch is whole:
                longest = length
            elif not longest:
                assert length == 0
            else:
                assert 0 < length <= longest
            if scratch is short:
                shortest = length
        assert length == shortest
        assert shortest or kept_leaves(short) == kept_leaves(whole)
        assert kept_leaves(short)[0][0] <= kept_leaves(whole)[0][0]
        lengths.add(shortest)
    assert lengths >= {0, 1, 2, 3}


def test_a_small_table_of_visited_positions_gives_the_same_result(monkeypatch):
    """The counted work is the same, too, and grows with the number of plays tried."""
    spent = {}
    for few in (turn_search.FEW_TRIES, 0):
        monkeypatch.setattr(turn_search, "FEW_TRIES", few)
        for tries in (1, turn_search.SMALL_TABLE // 4, 60):
            scratch = prepared(8)
            scratch[turn_search.TRY_LIMIT] = tries
            for state in [state.copy() for state in positions(2)][::9]:
                turn_search.look_ahead(state, scratch)
            assert scratch[turn_search.TABLE_USED] == (turn_search.SMALL_TABLE if few else turn_search.TABLE_SIZE)
            spent.setdefault(tries, []).append((kept_leaves(scratch), scratch[turn_search.WORK]))
    assert all(first == second for first, second in spent.values())
    counts = [each[0][1] for each in spent.values()]
    assert counts == sorted({*counts})


def test_incremental_position_keys_match_full_keys():
    met, scratch = 0, prepared()
    for state in [state.copy() for state in positions(3)][::5]:
        number = turn_search.key_of(state)
        for action in BO.legal(state):
            source, pile = divmod(action, SOURCE)
            if action == NO_PLAY or source == 5:
                continue
            after = turn_search.key_after(state, number, source, turn_search.source_card(state, source), pile)
            turn_search.make_play(state, scratch, action, 0)
            assert turn_search.key_of(state) == after != number
            turn_search.undo_play(state, scratch, 0)
            assert turn_search.key_of(state) == number
            met += 1
    assert met > 1000


def test_no_turn_without_a_stockpile_card_is_worth_enough():
    """The upper bound of marshal's weights; it ensures that a look-ahead prunes only turns it would not choose."""
    fits = max(MARSHAL[leaf_values.OWN_FITS : leaf_values.OWN_FITS + 6])
    near = 2 * max(0, MARSHAL[leaf_values.OWN_MOVES]) + 4 * max(0, MARSHAL[leaf_values.OWN_BRIDGES])
    card = max(MARSHAL[leaf_values.BRIDGE], MARSHAL[leaf_values.IDLE_BRIDGE]) - MARSHAL[leaf_values.CARD_LEFT]
    for cards, more in (4, max(MARSHAL[leaf_values.NEW_PILE], MARSHAL[leaf_values.OWN_PILE])), (5, 0):
        assert fits + near + cards * card + more < MARSHAL[leaf_values.NO_STOCK_BOUND]
    assert (
        fits + near + 4 * MARSHAL[leaf_values.NEW_HAND] < MARSHAL[leaf_values.NO_STOCK_BOUND] < MARSHAL[leaf_values.WIN]
    )
    assert MARSHAL[leaf_values.WIDTH] <= 0 <= min(MARSHAL[leaf_values.RIVAL_FITS : leaf_values.WEIGHT_PER_CARD])
    assert min(MARSHAL[leaf_values.RIVAL_MOVES], MARSHAL[leaf_values.RIVAL_BRIDGES]) >= 0


@pytest.mark.parametrize(
    ("worths", "enough"), [([], 0), ([200], 0), ([200, 99], 0), ([200, 100], 1), ([100, 100], 1), ([99, 98], 0)]
)
def test_leaves_suffice_once_all_kept_leaves_are_worth_enough(worths, enough):
    scratch = prepared(2)
    scratch[leaf_values.NO_STOCK_BOUND], scratch[leaf_values.LEAF_COUNT] = 100, 0
    for node, worth in enumerate(reversed(worths)):
        leaf_values.keep_leaf(scratch, worth, node, 7)
    assert [worth for worth, _, _ in kept_leaves(scratch)] == worths
    assert bool(leaf_values.leaves_suffice(scratch)) == enough


def test_best_leaves_are_kept_and_ties_keep_the_first():
    random = Random(4)
    for kept in (1, 2, 5, 16):
        scratch, offered = prepared(kept), []
        scratch[leaf_values.LEAF_COUNT] = 0
        for node in range(60):
            offered.append((random.randrange(12), node, 100 + node))
            leaf_values.keep_leaf(scratch, *offered[-1])
            assert kept_leaves(scratch) == sorted(offered, key=lambda one: -one[0])[:kept]


@pytest.mark.parametrize(
    ("left", "share", "expected"),
    [(0, 64, 0), (1, 64, 64), (1, 32, 32), (2, 0, 28), (2, 64, 128), (2, 32, 32 * 96 // 64 + 32 * 28 // 64)],
)
def test_expected_stockpile_cards_are_computed_from_chances(left, share, expected):
    """In 64ths: a card that surely fits counts 1; one that fits nowhere may still fit after another play."""
    assert leaf_values.expected_stock_cards(prepared(), left, share) == expected


def test_hand_value_rewards_useful_cards_and_charges_for_held_cards():
    """By hand: the seat's own card is a black 5; a red 4 would take it on a discard pile, an Ace would not."""
    state, scratch = BO.deal(3), prepared()
    black, red = 0, 1
    kinds = {"takes": 2 * 4 + red, "ace": 2, "idle": 2 * 9 + black}
    for place in range(5):
        state.hand[place] = NONE
    state.player = 0
    for pile in range(20):
        set_top(state, pile, NONE)
    mine = 2 * 5 + black
    worth = {}
    for name, kind in kinds.items():
        state.hand[0] = card_of(kind)
        worth[name] = leaf_values.hand_worth(state, scratch, mine, NONE)
        assert leaf_values.hand_worth(state, scratch, mine, 0) == 0
    assert worth == {
        "takes": MARSHAL[leaf_values.IDLE_BRIDGE] - MARSHAL[leaf_values.CARD_LEFT],
        "ace": -MARSHAL[leaf_values.CARD_LEFT] - MARSHAL[leaf_values.ACE_LEFT],
        "idle": -MARSHAL[leaf_values.CARD_LEFT],
    }
    set_top(state, 4, card_of(2 * 3 + black))  # which takes the red 4
    state.hand[0] = card_of(kinds["takes"])
    assert (
        leaf_values.hand_worth(state, scratch, mine, NONE)
        == MARSHAL[leaf_values.BRIDGE] - MARSHAL[leaf_values.CARD_LEFT]
    )
    set_top(state, 5, card_of(2 * 8 + red))  # which takes the black 9
    state.hand[0] = card_of(kinds["idle"])
    assert (
        leaf_values.hand_worth(state, scratch, mine, NONE)
        == MARSHAL[leaf_values.FITTING_CARD] - MARSHAL[leaf_values.CARD_LEFT]
    )


def test_a_narrow_table_is_preferred_only_against_fast_rivals():
    scratch, state = prepared(), BO.deal(1)
    leaf_values.set_parameters(state, scratch)
    assert scratch[: leaf_values.PARAMETERS] == list(MARSHAL)
    state.round = 10  # nobody has played a stockpile card in ten turns
    leaf_values.set_parameters(state, scratch)
    assert scratch[leaf_values.WIDTH] == GREEDY[leaf_values.WIDTH] > 0 > MARSHAL[leaf_values.WIDTH]
