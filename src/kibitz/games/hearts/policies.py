"""Strategies for Hearts as kernels, and the kernels that a search of the game calls."""

from kibitz.cards.sets import lowest, size
from kibitz.cards.tricks import cards_in_trick, strength, winner
from kibitz.games.hearts.rules import (
    ACTIONS,
    NONE,
    POINTS,
    QUEEN_OF_SPADES,
    TWO_OF_CLUBS,
    cards_played,
    legal_mask,
    receiver,
)
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Plays its lowest card, and passes and discards its highest.",
    "greedy": "Avoids winning tricks, and gets rid of its most costly cards.",
}
QUICK = 0
KING, ACE = QUEEN_OF_SPADES + 4, 3  # of spades
SEARCH = {"policy": "greedy"}
SEARCH_PLAYERS = {
    "best": (1500, "Before every card, simulates 1,500 deals that fit what it has seen."),
}


@kernel
def choose(s, policy, rng, scratch):
    """The costliest card that doesn't win the trick; else the cheapest, or, if the trick costs nothing, the costliest.

    ``quick`` takes the strength of a card as its cost, and always plays its lowest card when it leads or follows suit.
    """
    cards = legal_mask(s)
    led = top = NONE  # the suit led, and the strength of the card that wins the trick so far
    trick = 0
    if not s.passing and s.player != s.leader:
        led = s.trick[s.leader] & 3
        top = strength(s.trick[winner(s.trick, s.players, s.leader, NONE)])
        trick = cards_in_trick(s.trick, s.players)
    last_and_pointless = size(trick) == s.players - 1 and trick & POINTS == 0 and policy != QUICK
    best = -1000
    chosen = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth = strength(card) if policy == QUICK else cost(s, card)
        ducks = strength(card) < top and policy != QUICK
        if s.passing or (led != NONE and (card & 3 != led or ducks)):  # it can't win the trick
            worth += 1000
        elif not last_and_pointless or card == QUEEN_OF_SPADES:
            worth = -worth
        if worth > best:
            best = worth
            chosen = card
    return chosen


@kernel
def cost(s, card):
    """The danger of a card to its holder: its strength, more for hearts, most for the queen of spades.

    The king and ace of spades are dangerous, too, until the queen has been played.
    """
    worth = strength(card)
    if card & 3 == 2:
        worth += 6
    if card == QUEEN_OF_SPADES or card == KING or card == ACE:
        worth += 0 if cards_played(s) >> QUEEN_OF_SPADES & 1 else 40 if card == QUEEN_OF_SPADES else 20
    return worth


@kernel
def truncate_rollout(s):
    """Stop simulated games at the end of the deal: the next deal is equally good for all."""
    s.target = 1


@kernel
def observe_action(s, seat, a):
    """A number for what ``seat`` sees of an action; cards chosen to pass are hidden from others.

    Once all have chosen, each seat sees the cards that it is passed, and everybody sees who has the two of clubs.
    """
    chosen = s.given[s.player] | 1 << a
    action = a if seat == s.player or not s.passing else ACTIONS
    if not s.passing or s.player < s.players - 1 or size(chosen) < s.passed:
        return action
    leader = received = 0
    for p in range(s.players):
        cards = chosen if p == s.player else s.given[p]
        if receiver(s, p) == seat:
            received = cards
        if (s.hand[p] & ~cards) >> TWO_OF_CLUBS & 1:
            leader = p
        if cards >> TWO_OF_CLUBS & 1:
            leader = receiver(s, p)
    return action | leader << 6 | received << 8  # an action takes six bits, a seat two
