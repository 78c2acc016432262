"""COMP10001-Bo as a plain class: cards are strings, piles are lists, plays are the assignment's tuples.

    card        two characters, value and suit: ``"0H"`` is the ten of hearts
    pile        a list of cards, the last one on top
    play        ``(play_type, source, destination)``
    source      a card of the hand or the stockpile, ``(card, (owner, pile))`` of a discard pile, or None
    destination ``(BUILD, k)``, ``(DISCARD, (owner, pile))`` or ``(None, None)``
    verdict     INVALID, VALID, TURN_ENDING or STUCK, as the assignment's ``is_valid_play`` returns

Surprising rule: a turn cannot be stopped.  It goes on until a card ends it, five plays are made, or none is
possible; so a card put on the "wrong" discard pile is a legal way to end it.

Written from the rules alone, as the oracle for ``kibitz.games.bo``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, TypeAlias, TypeGuard

Card: TypeAlias = str
Pile: TypeAlias = list[Card]
Play: TypeAlias = tuple[int, Any, tuple[Any, Any]]
Below: TypeAlias = Callable[[int], int]
"""``below(n)`` gives a uniformly random integer in 0..n-1."""

VALUES, SUITS = "A234567890JQK", "DCHS"
PLAYERS, PACKS, STOCK_SIZE, HAND_SIZE, PLAYS_A_TURN, ROUNDS, PILES = 4, 2, 8, 5, 5, 20, 4
FROM_HAND, FROM_DISCARD, FROM_STOCKPILE, NO_PLAY_TYPE = 0, 1, 2, 3
BUILD, DISCARD = 0, 1
INVALID, VALID, TURN_ENDING, STUCK = 0, 1, 2, 3
NO_PLAY: Play = (NO_PLAY_TYPE, None, (None, None))


class Ending(Enum):
    """Why a game is over."""

    STOCKPILE_EMPTY = "a player emptied the stockpile"
    NOBODY_CAN_PLAY = "the draw pile is empty and nobody can play"
    OUT_OF_TURNS = "every player has had all turns"


def value(card: Card) -> int:
    """1 for an Ace up to 13 for a King."""
    return VALUES.index(card[0]) + 1


def is_black(card: Card) -> bool:
    """Whether the card is a club or a spade."""
    return card[1] in "CS"


def match_build(card: Card, pile: Pile) -> bool:
    """Whether ``card`` may be put on a build pile: one colour, neighbouring values, no step from K to 2."""
    if not pile:
        return card[0] in "2K"
    if is_black(card) != is_black(pile[0]):
        return False
    return card[0] == "A" or abs(value(card) - value(pile[-1])) == 1


def match_discard(card: Card, pile: Pile, player: int, owner: int, *, from_hand: bool = True) -> int:
    """The verdict on putting ``card`` on a discard pile of ``owner``."""
    if card[0] == "A":
        return INVALID
    if not pile:
        return TURN_ENDING if from_hand and player == owner else INVALID
    neighbours = abs(value(card) - value(pile[-1])) == 1 or {card[0], pile[-1][0]} == {"2", "K"}
    if neighbours and is_black(card) != is_black(pile[-1]):
        return VALID
    return TURN_ENDING if from_hand else INVALID


class Bo:
    """One game; player 0 begins, and has drawn the first hand."""

    def __init__(self, below: Below) -> None:
        self.below = below
        self.draw_pile: Pile = [value + suit for _ in range(PACKS) for value in VALUES for suit in SUITS]
        self.stockpiles: list[Pile] = [self.drawn(STOCK_SIZE) for _ in range(PLAYERS)]
        self.hands: list[list[Card]] = [[] for _ in range(PLAYERS)]
        self.build_piles: list[Pile] = [[] for _ in range(PILES)]
        self.discard_piles: list[list[Pile]] = [[[] for _ in range(PILES)] for _ in range(PLAYERS)]
        self.play_history: list[tuple[int, Play]] = []
        self.player, self.turn, self.plays_made = 0, 0, 0
        self.ending: Ending | None = None
        self.winner: int | None = None
        self.refill()

    # Questions

    def verdict(self, play: object) -> int:
        """The verdict on a play of the player to act; INVALID also for anything that is not a play."""
        if self.ending is not None or not is_play(play):
            return INVALID
        if play == NO_PLAY:
            return INVALID if self.can_play() else STUCK
        kind, source, destination = play
        return self.match(kind, source, destination) if self.is_at_hand(kind, source) else INVALID

    def match(self, kind: int, source: Any, destination: tuple[int, Any]) -> int:
        """The verdict on putting an available card on a pile."""
        place, where = destination
        card = source[0] if kind == FROM_DISCARD else source
        if place == BUILD:
            return VALID if match_build(card, self.build_piles[where]) else INVALID
        if kind == FROM_DISCARD and source[1] == where:
            return INVALID
        owner, pile = where
        target = self.discard_piles[owner][pile]
        return match_discard(card, target, self.player, owner, from_hand=kind == FROM_HAND)

    def is_at_hand(self, kind: int, source: Any) -> bool:
        """Whether the player to act can take the card of this source now."""
        if kind == FROM_HAND:
            return source in self.hands[self.player]
        if kind == FROM_STOCKPILE:
            return [source] == self.stockpiles[self.player][-1:]
        card, (owner, pile) = source
        return bool([card] == self.discard_piles[owner][pile][-1:])

    def sources(self) -> Iterator[tuple[int, Any]]:
        """Every card that the player to act could take, as play type and source."""
        for card in dict.fromkeys(self.hands[self.player]):
            yield FROM_HAND, card
        yield FROM_STOCKPILE, self.stockpiles[self.player][-1]
        for owner, piles in enumerate(self.discard_piles):
            for k, pile in enumerate(piles):
                if pile:
                    yield FROM_DISCARD, (pile[-1], (owner, k))

    def possible(self) -> Iterator[Play]:
        """Every play but NO_PLAY that is legal now."""
        for kind, source in self.sources():
            for destination in DESTINATIONS:
                if self.match(kind, source, destination):
                    yield kind, source, destination

    def can_play(self) -> bool:
        """Whether any play is legal now."""
        return next(self.possible(), None) is not None

    def legal(self) -> list[Play]:
        """Every play that is legal now, and NO_PLAY only where there is no other."""
        return [] if self.ending is not None else list(self.possible()) or [NO_PLAY]

    # Actions

    def play(self, play: Play) -> None:
        """Carry out a play of the player to act. Raises ValueError if it is not legal."""
        verdict = self.verdict(play)
        if verdict == INVALID:
            raise ValueError(f"player {self.player} may not play {play!r} now")
        self.play_history.append((self.player, play))
        if verdict != STUCK:
            self.move(play)
            self.plays_made += 1
        if not self.stockpiles[self.player]:
            self.ending, self.winner = Ending.STOCKPILE_EMPTY, self.player
        elif verdict != VALID or self.plays_made == PLAYS_A_TURN:
            self.end_turn()
        elif not self.hands[self.player]:
            self.refill()

    def move(self, play: Play) -> None:
        """Take the card and put it down; a build pile that is complete goes back into the draw pile."""
        kind, source, (place, where) = play
        if kind == FROM_HAND:
            card = source
            self.hands[self.player].remove(card)
        elif kind == FROM_STOCKPILE:
            card = self.stockpiles[self.player].pop()
        else:
            owner, pile = source[1]
            card = self.discard_piles[owner][pile].pop()
        if place == DISCARD:
            owner, pile = where
            self.discard_piles[owner][pile].append(card)
            return
        self.build_piles[where].append(card)
        if card[0] in "2KA" and len(self.build_piles[where]) > 1:
            self.draw_pile += reversed(self.build_piles[where])  # the pile is turned over
            self.build_piles[where] = []

    def end_turn(self) -> None:
        """Pass the turn to the left, unless the game is over."""
        self.turn += 1
        last_plays = self.play_history[-PLAYERS:]
        if not self.draw_pile and [play for _, play in last_plays] == [NO_PLAY] * PLAYERS:
            self.ending = Ending.NOBODY_CAN_PLAY
        elif self.turn == PLAYERS * ROUNDS:
            self.ending = Ending.OUT_OF_TURNS
        else:
            self.player, self.plays_made = (self.player + 1) % PLAYERS, 0
            self.refill()

    def refill(self) -> None:
        """Draw cards until the hand has five, or the draw pile is empty."""
        hand = self.hands[self.player]
        hand += self.drawn(min(HAND_SIZE - len(hand), len(self.draw_pile)))

    def drawn(self, count: int) -> list[Card]:
        """Take ``count`` cards, each a random one; the last card of the draw pile fills the gap it leaves."""
        cards = []
        for _ in range(count):
            i = self.below(len(self.draw_pile))
            cards.append(self.draw_pile[i])
            self.draw_pile[i] = self.draw_pile[-1]
            self.draw_pile.pop()
        return cards


DESTINATIONS = [(BUILD, k) for k in range(PILES)] + [
    (DISCARD, (owner, k)) for owner in range(PLAYERS) for k in range(PILES)
]


def is_play(play: object) -> TypeGuard[Play]:
    """Whether ``play`` has the form of a play, whatever the position: lengths, types and pile numbers are right."""
    if not (isinstance(play, tuple) and len(play) == 3 and isinstance(play[0], int)):
        return False
    kind, source, destination = play
    if kind == NO_PLAY_TYPE:
        return play == NO_PLAY
    if kind == FROM_DISCARD:
        if not (isinstance(source, tuple) and len(source) == 2 and is_discard_pile(source[1])):
            return False
    elif not (kind in (FROM_HAND, FROM_STOCKPILE) and isinstance(source, str)):
        return False
    if not (isinstance(destination, tuple) and len(destination) == 2 and isinstance(destination[0], int)):
        return False
    place, where = destination
    return is_pile_number(where) if place == BUILD else place == DISCARD and is_discard_pile(where)


def is_discard_pile(where: object) -> bool:
    """Whether ``where`` has the form ``(owner, pile)``."""
    return isinstance(where, tuple) and len(where) == 2 and all(map(is_pile_number, where))


def is_pile_number(k: object) -> bool:
    """Whether ``k`` is one of 0 to 3: there are as many players as piles of a kind."""
    return isinstance(k, int) and 0 <= k < PILES


def random_game(below: Below) -> Bo:
    """A game in which everybody plays uniformly at random."""
    game = Bo(below)
    while game.ending is None:
        plays = game.legal()
        game.play(plays[below(len(plays))])
    return game
