"""Random hands of every poker game, step by step against PokerKit: who acts, what is legal, the pots and the payouts.

Where PokerKit and our rules differ, our rules apply; every difference must be one of these:

reopened    PokerKit doesn't count a blind as a bet, and adds up all-ins in a row; so after an all-in of less than a
            full raise over a blind, or after two that make one together, seats that have acted may raise again.
            Our rules: an all-in below a full raise does not reopen the betting to seats that have acted.
idle        PokerKit asks a seat that could only check, with nobody left to bet against; here it is skipped.
merged      PokerKit merges two pots if the hand that made the difference has been mucked, which can move an
            odd chip.  Our rules: a side pot per all-in level.
equal       With two players and equal blinds, PokerKit starts with the big blind; here the button always starts.
short blind In PokerKit a blind that is all-in for less lowers the price; here the price stays the blind.  These and
            equal blinds are not compared (``tests/games/test_poker_betting.py`` has them).
returned    PokerKit shuffles folded hands back into the pack of a draw, too, and only after all have discarded; so a
            hand is compared using the cards that were dealt here, whatever PokerKit recommends.
"""

import warnings
from random import Random

import pytest
from pokerkit import Automation, BettingStructure, ChipsPushing, Deck, Opening, State, Street
from pokerkit.hands import StandardHighHand

from kibitz.cards import as_set, cards_of, poker_code
from kibitz.engine.registry import game
from kibitz.engine.views.events import to_seat
from kibitz.games.poker.betting import BET, DRAW, FIXED_LIMIT
from kibitz.games.poker.rules import CALL, DISCARD, FOLD, RAISE, Reason
from kibitz.games.poker.view import Drew, Won
from tests.parts import share
from tests.tiers import first_fast

STRUCTURES = (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT, BettingStructure.FIXED_LIMIT)
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def text(cards):
    """A set of cards as PokerKit writes them."""
    return "".join(poker_code(card)[0] + poker_code(card)[1].lower() for card in cards_of(cards))


def chosen_options(name, random):
    """Options for one hand: 2 to 9 players (6 in draw), uneven stacks, every limit, antes and straddles."""
    n = random.randint(2, 6 if name == "draw" else 9)
    small, big = random.choice([(1, 2), (5, 10), (3, 7), (10, 10) if n > 2 else (0, 4)])
    if name == "draw" and random.random() < 0.3:
        small = big = 0
    options = {"players": n, "hands": 1, "small": small, "big": big, "limit": random.randrange(3)}
    options["ante"] = random.choice([0, 0, 1, 3]) or (0 if big else 2)
    options |= {} if big else {"bet_size": 4}
    options["straddle"] = int(big > 0 and n > 2 and random.random() < 0.25)
    options["cap"] = random.randint(3, 4)
    deep = random.choice([3, 12, 60, 200])
    forced = options["ante"] + big * (1 + options["straddle"])
    for p in range(n):
        least = forced + (p < 2) if p < 3 or n < 4 else 1
        options[f"stack{p}"] = least + random.randrange(deep * (big or 4))
    return options


def pokerkit_state(options, *, draw):
    """The same hand in PokerKit, before the deal."""
    n, big, limit = options["players"], options["big"], options["limit"]
    unit = big or options["bet_size"]
    blinds = (options["small"], big) + ((2 * big,) if options["straddle"] else ())
    forced = len([b for b in blinds[1:] if b])
    first = 2 * big if options["straddle"] and limit != FIXED_LIMIT else unit
    caps = [None] * 4
    if limit == FIXED_LIMIT:
        caps = [options["cap"] - forced, *[options["cap"]] * 3]
    later = 2 * unit if limit == FIXED_LIMIT else unit

    def street(hole, board, least, cap, drawing=False):
        return Street(False, (False,) * hole, board, drawing, Opening.POSITION, least, cap)

    if draw:
        streets = (street(5, 0, first, caps[0]), street(0, 0, later, caps[1], True))
    else:
        streets = (
            *(street(2, 0, first, caps[0]), street(0, 3, unit, caps[1])),
            *(street(0, 1, later, caps[2]), street(0, 1, later, caps[3])),
        )
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        STRUCTURES[limit],
        True,
        options["ante"],
        blinds,
        0,
        [options[f"stack{p}"] for p in range(n)],
        n,
    )


class Pair:
    """One hand played in both engines."""

    def __init__(self, name, options, seed):
        self.game = game(name).with_options(**options)
        self.rules = self.game.rules
        self.n = options["players"]
        self.s = self.game.deal(seed)
        self.peer = pokerkit_state(options, draw=name == "draw")
        for p in range(self.n):
            self.peer.deal_hole(text(self.s.held[p]), p)
        self.board = self.pots = 0
        self.draws = {}
        self.differences = []

    def catch_up(self):
        """Deal the peer the cards that were dealt here, and check for seats without a decision."""
        s, peer = self.s, self.peer
        while True:
            if peer.can_deal_board():
                board = s.past_board if s.over else s.board
                new = board[self.board : self.board + peer.board_dealing_count]
                self.board += len(new)
                peer.deal_board("".join(text(1 << card) for card in new))
            elif peer.hole_dealee_index is not None and not any(peer.standing_pat_or_discarding_statuses):
                p = peer.hole_dealee_index
                peer.deal_hole(text(self.draws.pop(p)), p)
            elif peer.actor_index is not None and (s.stage != BET or s.player != peer.actor_index):
                assert peer.checking_or_calling_amount == 0
                assert peer.min_completion_betting_or_raising_to_amount is None
                self.differences.append("idle")
                peer.check_or_call()
            else:
                return

    def compare(self):
        """Check that both engines agree in everything at this point."""
        s, peer, rules = self.s, self.peer, self.rules
        if s.over:
            self.compare_payouts()
            return
        assert peer.stacks == s.chips[: self.n]
        assert peer.bets == s.bet[: self.n]
        assert peer.total_pot_amount == rules.pot(s)
        if s.stage == DRAW:
            assert peer.stand_patter_or_discarder_index == s.player
            return
        assert peer.actor_index == s.player
        assert peer.checking_or_calling_amount == min(rules.to_call(s, s.player), s.chips[s.player])
        assert peer.can_fold() == (rules.refusal(s, FOLD) == 0)
        low, high = rules.min_raise_to(s), rules.max_raise_to(s)
        theirs = peer.min_completion_betting_or_raising_to_amount
        if theirs is not None and rules.refusal(s, RAISE + theirs) == Reason.NOT_REOPENED:
            self.differences.append("reopened")
            assert low == 0
        else:
            assert (theirs or 0, peer.max_completion_betting_or_raising_to_amount or 0) == (low, high)

    def compare_payouts(self):
        """Check that the hand is over in both with the same payouts, except for odd chips of merged pots."""
        mine, theirs = self.s.chips[: self.n], self.peer.stacks
        assert not self.peer.status
        if mine != theirs:
            pushes = sum(isinstance(operation, ChipsPushing) for operation in self.peer.operations)
            assert pushes < self.pots
            assert sum(mine) == sum(theirs)
            assert max(abs(a - b) for a, b in zip(mine, theirs, strict=True)) < 2 * self.n
            self.differences.append("merged")

    def act(self, action):
        """Carry out an action in both."""
        s, peer, p = self.s, self.peer, self.s.player
        before = s.held[p]
        notices = self.game.play(s, action)
        self.pots += sum(isinstance(notice.event, Won) for notice in notices)
        if action == FOLD:
            peer.fold()
        elif action == CALL:
            peer.check_or_call()
        elif action >= RAISE:
            peer.complete_bet_or_raise_to(action - RAISE)
        else:
            discards = self.rules.at_places(before, action - DISCARD)
            (drew,) = (event for event in to_seat(notices, p) if isinstance(event, Drew))
            self.draws[p] = as_set(drew.drawn)
            peer.stand_pat_or_discard(text(discards))


def random_action(pair, random):
    """A random legal action, with unlisted amounts."""
    legal = pair.game.legal(pair.s)
    low, high = pair.rules.min_amount(pair.s), pair.rules.max_amount(pair.s)
    if low < high and random.random() < 0.3:
        return random.randint(low, min(high, low + random.choice([3, 30, high])))
    if FOLD in legal and random.random() < 0.7:
        legal.remove(FOLD)
    return random.choice(legal)


def hand_against_pokerkit(name, seed):
    """Play one random hand, and return the differences met."""
    random = Random(f"{name} {seed}")
    pair = Pair(name, chosen_options(name, random), seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # cards that PokerKit would not have dealt
        pair.catch_up()
        pair.compare()
        while not pair.s.over:
            pair.act(random_action(pair, random))
            pair.catch_up()
            pair.compare()
    return pair.differences


@pytest.mark.parametrize("seeds", first_fast([range(40), range(40, 200)]))
@pytest.mark.parametrize("name", ["holdem", "draw"])
def test_random_hands_agree_with_pokerkit(name, seeds):
    for seed in seeds:
        hand_against_pokerkit(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("part", share(range(20), 5))
@pytest.mark.parametrize("name", ["holdem", "draw"])
def test_thousands_of_random_hands_agree_with_pokerkit(name, part):
    met = {difference for seed in range(500) for difference in hand_against_pokerkit(name, 10_000 + 500 * part + seed)}
    assert met <= {"reopened", "idle", "merged"}
