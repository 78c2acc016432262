"""Strategies for Hearts as kernels, and what a search of the game needs."""

from kibitz.cards.sets import lowest, size
from kibitz.cards.tricks import strength
from kibitz.games.hearts.rules import ACTIONS, NONE, POINTS, QUEEN, TWO, legal_mask, receiver
from kibitz.kernel import kernel

POLICIES = {
    "quick": "Plays its lowest card, and passes and discards its highest.",
    "greedy": "Avoids winning tricks, and gets rid of its most costly cards.",
}
QUICK = 0
SEARCH = {"policy": "greedy"}
SEARCH_PLAYERS = {
    "best": (1500, "Before every card, simulates 1,500 deals that fit what it has seen."),
}


@kernel
def choose(s, policy, rng, scratch):
    """The costliest card that doesn't win the trick; else the cheapest, or, if the trick costs nothing, the highest."""
    cards = legal_mask(s)
    led = top = NONE
    taken = 0
    if not s.passing and s.player != s.leader:
        led = s.trick[s.leader] & 3
        for p in range(s.players):
            if s.trick[p] != NONE:
                taken |= 1 << s.trick[p]
                if s.trick[p] & 3 == led:
                    top = max(top, strength(s.trick[p]))
    free = size(taken) == s.players - 1 and taken & POINTS == 0 and policy != QUICK
    best = -1000
    chosen = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth = strength(card) if policy == QUICK else cost(s, card)
        ducks = strength(card) < top and policy != QUICK
        if s.passing or (led != NONE and (card & 3 != led or ducks)):
            worth += 1000
        elif not free or card == QUEEN:
            worth = -worth
        if worth > best:
            best = worth
            chosen = card
    return chosen


@kernel
def cost(s, card):
    """The danger of a card to its holder: by height, more for hearts, most for high spades before the queen is out."""
    played = 0
    for p in range(s.players):
        played |= s.played[p]
    worth = strength(card)
    if card & 3 == 2:
        worth += 6
    if card == QUEEN or card == QUEEN + 4 or card == 3:
        worth += 0 if played >> QUEEN & 1 else 40 if card == QUEEN else 20
    return worth


@kernel
def truncate_rollout(s):
    """Stop simulated games at the end of the deal: the next one is equally good for all."""
    s.target = 1


@kernel
def observe_action(s, seat, a):
    """Others don't see passed cards; with the last one, all see what they receive, and who has the two of clubs."""
    given = s.given[s.player] | 1 << a
    own = a if seat == s.player or not s.passing else ACTIONS
    if not s.passing or s.player < s.players - 1 or size(given) < s.passed:
        return own
    leader = passed = 0
    for p in range(s.players):
        cards = given if p == s.player else s.given[p]
        if receiver(s, p) == seat:
            passed = cards
        if (s.hand[p] & ~cards) >> TWO & 1:
            leader = p
        if cards >> TWO & 1:
            leader = receiver(s, p)
    return own | leader << 6 | passed << 8
