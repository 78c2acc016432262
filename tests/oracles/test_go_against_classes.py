"""The kernels of COMP10001-Go in lock-step with the class version, which was written from the rules alone.

Both get the hands that the kernels dealt; after that only the seats' choices are random.
"""

from itertools import combinations
from random import Random

import pytest

from benchmarks.peers import go_classes
from benchmarks.peers.go_classes import Go
from kibitz.cards.notation import code
from kibitz.cards.sets import FULL_PACK
from kibitz.games.go import rules
from tests.parts import share
from tests.tiers import first_fast

EVERY_ACTION = range(-1, rules.ACTIONS + 1)
CARD = {code(card): card for card in range(52)}


def ranked(cards):
    """Codes in the order of card numbers."""
    return sorted(cards, key=CARD.__getitem__)


def cards_of(cards):
    """A set of cards in the assignment's notation, sorted by card."""
    return [code(card) for card in range(52) if cards >> card & 1]


class Lockstep:
    """One game in two implementations."""

    def __init__(self, seed, hand_size, auto):
        self.random = Random(seed)
        s = self.state = rules.LAYOUT.plain()
        s.players, s.hand_size, s.pack, s.auto = 4, hand_size, FULL_PACK, auto
        rules.deal(s, *(self.random.getrandbits(32) for _ in range(4)))
        self.game = Go([cards_of(s.stack[seat]) for seat in range(4)])
        self.groups = [[] for _ in range(4)]
        self.out = [0] * rules.ACTIONS

    def finish(self):
        """Play to the end, comparing everything at every step; returns the class version."""
        while not self.game.drafted:
            self.draft()
        s = self.state
        assert [cards_of(s.laid[seat]) for seat in range(4)] == [ranked(d) for d in self.game.discards]
        if s.auto:
            for discards in self.game.discards:
                self.game.group(go_classes.best_partitions(discards)[0])
        while not s.over:
            self.group()
        self.compare(set(), EVERY_ACTION)
        earned = [0] * 4
        rules.returns(s, earned)
        assert earned == self.game.scores
        return self.game

    def draft(self):
        """Play one turn of four choices, which the class makes at once."""
        s, chosen = self.state, []
        for seat in range(4):
            assert s.player == seat
            hand = self.game.hands[seat]
            self.compare({CARD[c] for c in hand}, range(-1, rules.GROUP + 4))
            chosen.append(self.random.choice(hand))
            before = s.laid[:]
            rules.apply(s, CARD[chosen[-1]])
            assert seat == 3 or s.laid == before, "a choice shows before all have chosen"
        self.game.turn(chosen)
        turns = [[code(s.discard[10 * seat + t]) for seat in range(4)] for t in range(s.turn)]
        assert turns == self.game.discard_history

    def group(self):
        """Form a random group with the lowest card of the seat that is grouping."""
        s, seat = self.state, self.state.player
        discards = ranked(self.game.discards[seat])
        used = [card for group in self.groups[seat] for card in group]
        first, *others = [k for k, card in enumerate(discards) if card not in used]
        groups = {
            rules.GROUP + sum(1 << k for k in positions): [discards[k] for k in positions]
            for size in range(len(others) + 1)
            for positions in ((first, *more) for more in combinations(others, size))
        }
        legal = {action: group for action, group in groups.items() if go_classes.is_valid_group(group)}
        self.compare(set(legal), [*groups, *(self.random.choice(EVERY_ACTION) for _ in range(20))])
        action = max(legal) if self.random.random() < 0.5 else self.random.choice(sorted(legal))
        rules.apply(s, action)
        self.groups[seat].append(legal[action])
        if s.player != seat:
            assert self.game.may_group(seat, self.groups[seat])
            self.game.group(self.groups[seat])

    def compare(self, legal, actions):
        """Assert that these are the legal actions, and the only ones of ``actions`` not refused."""
        s = self.state
        listed = self.out[: rules.legal(s, self.out)]
        assert sorted(listed) == sorted(legal)
        for action in actions:
            assert (rules.refusal(s, action) == 0) == (action in legal), action


@pytest.mark.parametrize("seeds", first_fast([range(10), range(10, 100)]))
def test_kernels_and_classes_play_the_same_games(seeds):
    for seed in seeds:
        Lockstep(seed, hand_size=10, auto=0).finish()


def test_kernels_group_small_hands_as_brute_force():
    for seed in range(60):
        Lockstep(seed, hand_size=4 + seed % 3, auto=1).finish()


@pytest.mark.long
@pytest.mark.parametrize("block", share(range(10), 4))
def test_kernels_and_classes_play_thousands_of_equal_games(block):
    for seed in range(1000 + 200 * block, 1200 + 200 * block):
        Lockstep(seed, hand_size=10, auto=0).finish()


@pytest.mark.long
@pytest.mark.parametrize("seed", share(range(8), 4))
def test_kernels_group_ten_cards_as_brute_force(seed):
    Lockstep(seed, hand_size=10, auto=1).finish()
