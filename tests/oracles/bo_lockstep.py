"""One game of COMP10001-Bo in two implementations: the kernels and the class version, with the same random numbers.

    chance      two generators with one seed: one replaces the kernels' ``randbelow``, one is passed to the class
    position    everything on the table, hidden or not, in the assignment's notation
    eager       how readily the seats play from the stockpile and to build piles; 0 is uniformly random play

Random games never reach a point where nobody can play: ``Lockstep.rearrange`` sets one up.
"""

from random import Random

from benchmarks.peers.bo_classes import (
    BUILD,
    DISCARD,
    FROM_DISCARD,
    FROM_HAND,
    FROM_STOCKPILE,
    NO_PLAY,
    STUCK,
    TURN_ENDING,
    Bo,
)
from kibitz.cards.notation import code
from kibitz.engine.kernels import compilation
from kibitz.games.bo import rules
from kibitz.games.bo.piles import set_top

OPTIONS = {
    "players": 4,
    "packs": 2,
    "suits": 4,
    "top_value": 13,
    "stock_size": 8,
    "hand_size": 5,
    "plays_a_turn": 5,
    "rounds": 20,
}
EVERY_ACTION = range(-1, rules.ACTIONS + 1)


def place(pile):
    """A pile of the kernels in the assignment's notation."""
    return (BUILD, pile) if pile < 4 else (DISCARD, divmod(pile - 4, 4))


def play_of(s, action):
    """The play that an action stands for; None if its source has no card or it is not an action."""
    if action == rules.NO_PLAY:
        return NO_PLAY
    source, pile = divmod(action, rules.SOURCE)
    if not (0 <= source < 22 and pile < rules.PILES) or rules.source_card(s, source) == rules.NONE:
        return None
    card = code(rules.source_card(s, source))
    if source < rules.STOCK:
        return FROM_HAND, card, place(pile)
    if source == rules.STOCK:
        return FROM_STOCKPILE, card, place(pile)
    return FROM_DISCARD, (card, divmod(source - rules.FROM_PILE, 4)), place(pile)


def pile_of(s, pile):
    """The codes of the cards in a pile, the last one on top."""
    cards, card = [], s.top[pile]
    while card != rules.NONE:
        cards.append(code(card))
        card = s.under[card]
    return cards[::-1]


def kernel_position(s):
    """The position of the kernels."""
    hands = [s.hand[5 * seat : 5 * seat + 5] for seat in range(4)]
    return {
        "hands": [sorted(code(card) for card in hand if card != rules.NONE) for hand in hands],
        "stockpiles": [[code(s.stock[8 * seat + k]) for k in range(s.stock_counts[seat])] for seat in range(4)],
        "build_piles": [pile_of(s, k) for k in range(4)],
        "discard_piles": [[pile_of(s, 4 + 4 * seat + k) for k in range(4)] for seat in range(4)],
        "draw_pile": [code(card) for card in s.draw[: s.draw_count]],
        "turn": None if s.over else (4 * s.round + s.player, s.plays),
        "over": bool(s.over),
        "winner": None if s.winner == rules.NONE else s.winner,
    }


def class_position(game):
    """The position of the class."""
    over = game.ending is not None
    return {
        "hands": [sorted(hand) for hand in game.hands],
        "stockpiles": game.stockpiles,
        "build_piles": game.build_piles,
        "discard_piles": game.discard_piles,
        "draw_pile": game.draw_pile,
        "turn": None if over else (game.turn, game.plays_made),
        "over": over,
        "winner": game.winner,
    }


class Lockstep:
    """Two games dealt alike."""

    def __init__(self, seed):
        ours, theirs = Random(seed), Random(seed)
        self.random = Random(~seed)
        self.kernels = compilation.plain(rules, randbelow=lambda s, n: ours.randrange(n))
        self.state, self.out = rules.LAYOUT.plain(), [0] * rules.ACTIONS
        for name, value in OPTIONS.items():
            setattr(self.state, name, value)
        self.kernels.deal(self.state, 0, 0, 0, 0)
        self.game = Bo(theirs.randrange)

    def finish(self, eager, actions=()):
        """Play to the end, comparing everything at every step; returns the class version.

        Verdicts are compared on ``actions`` and on a few random ones.
        """
        while self.game.ending is None:
            self.step(eager, actions)
        self.compare(EVERY_ACTION)
        earned = [0] * 4
        self.kernels.returns(self.state, earned)
        assert earned == [int(seat == self.game.winner) for seat in range(4)]
        return self.game

    def step(self, eager, actions):
        """Compare, then make one play in both."""
        legal = self.compare([*actions, *(self.random.choice(EVERY_ACTION) for _ in range(8))])
        plays = sorted(legal, key=repr)
        if self.random.random() < eager:
            for wish in (lambda play: play[0] == FROM_STOCKPILE, lambda play: play[2][0] == BUILD):
                plays = [play for play in plays if wish(play)] or plays
        play = self.random.choice(plays)
        self.kernels.apply(self.state, legal[play])
        self.game.play(play)

    def compare(self, actions):
        """Assert that position, legal plays and verdicts agree; returns the legal plays with their actions."""
        s, game = self.state, self.game
        assert kernel_position(s) == class_position(game)
        listed = self.out[: self.kernels.legal(s, self.out)]
        legal = {play_of(s, action): action for action in listed}
        assert set(legal) == set(game.legal())
        for action in actions:
            play = play_of(s, action)
            verdict = 0 if play is None else game.verdict(play)
            assert (self.kernels.refusal(s, action) == 0) == (verdict > 0), (action, play, verdict)
            assert (action in listed) == (verdict > 0), (action, play, verdict)
            if verdict not in (0, STUCK):
                assert self.kernels.ends_turn(s, action) == (verdict == TURN_ENDING), (action, play)
        return legal

    def rearrange(self):
        """Set both to a random late position without a draw pile, with few hand cards and discard piles."""
        s, game, random = self.state, self.game, self.random
        ids = [64 * pack + card for pack in range(2) for card in range(52)]
        random.shuffle(ids)
        aces = [card for card in ids if card & 63 < 4]
        others = [card for card in ids if card & 63 >= 4]
        for seat in range(4):
            some = aces if random.random() < 0.7 else others
            self.lay_hand(seat, [some.pop() for _ in range(random.randrange(3))])
            for k in range(s.stock_counts[seat]):
                s.stock[8 * seat + k] = others.pop()
            game.stockpiles[seat] = [code(card) for card in s.stock[8 * seat : 8 * seat + s.stock_counts[seat]]]
        for k in range(4):
            if random.random() < 0.8:
                self.lay(k, others.pop(), game.build_piles[k])
        piles = random.sample(range(16), random.randrange(1, 17))
        for card in others:
            k = random.choice(piles)
            self.lay(4 + k, card, game.discard_piles[k // 4][k % 4])
        s.draw_count, game.draw_pile = 0, []
        game.turn, game.plays_made = random.randrange(76), random.randrange(5)
        s.round, s.player, s.plays = game.turn // 4, game.turn % 4, game.plays_made
        game.player = s.player
        return self

    def lay_hand(self, seat, cards):
        """Set the hand of a seat in both."""
        self.state.hand[5 * seat : 5 * seat + 5] = cards + [rules.NONE] * (5 - len(cards))
        self.game.hands[seat] = [code(card) for card in cards]

    def lay(self, pile, card, cards):
        """Put a card on a pile in both; ``cards`` is the pile of the class."""
        self.state.under[card] = self.state.top[pile]
        set_top(self.state, pile, card)
        cards.append(code(card))
