"""For the contract: positions of Huxxy that a seat can't tell apart, and branches that are excluded from coverage.

Written from the rules' list of what seats see, independently of ``resample``: the leak tests compare the two. Each
position differs from the last by one swap of cards, so a leak of a single card shows.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.huxxy.view import bit_sets, faces

STOCK = 4
"""The stock as a place; a hand's place is its seat."""


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions: each swaps a card of a hidden hand with one of another or of the stock."""
    position = s.copy()
    hidden = [] if s.over else [STOCK, *(p for p in range(s.players) if p != seat)]
    while True:
        position = position.copy()
        places = [(place, card) for place in hidden for card in faces(*cards_at(position, place))]
        for _ in range(20):
            if len(places) < 2:
                break
            a, b = random.sample(places, 2)
            if a[0] != b[0]:
                replace_card(position, a, b)
                replace_card(position, b, a)
                break
        yield position


def cards_at(s: PlainState, place: int) -> tuple[int, int]:
    """The two bit sets of a hand or the stock."""
    return (s.stock_once, s.stock_twice) if place == STOCK else (s.hand_once[place], s.hand_twice[place])


def replace_card(s: PlainState, old: tuple[int, int], new: tuple[int, int]) -> None:
    """Replace the card ``old`` by the card ``new`` where ``old`` is; each is given as a place and a card."""
    place, old_card = old
    cards = list(faces(*cards_at(s, place)))
    cards.remove(old_card)
    cards.append(new[1])
    once, twice = bit_sets(cards)
    if place == STOCK:
        s.stock_once, s.stock_twice = once, twice
    else:
        s.hand_once[place], s.hand_twice[place] = once, twice


JOKERS = "rare: two Jokers meet on the table; tests of the rules set this up"
GROUPS = "rare: short games don't build such large groups; tests of the groups go through all groups"
EMPTIED = "rare: a turn takes a whole group apart and still ends validly; tests of the rules set this up"
MACHINE = "rare: it depends on the machine, not on the position; tests compare both searches"
LIMITED = "the prompt looks ahead only during a turn, and never without a limit"

EXCLUSIONS = {
    "Reason.TWO_JOKERS": JOKERS,
    "rules.refusal: s.group_once[group] & 1 << card & JOKER_BIT, true": JOKERS,
    "groups.is_valid: twice >> JOKER, true": "the rules refuse a second Joker in a group before ``is_valid`` is called",
    "groups.is_valid: cards < 9, false": GROUPS,
    "groups.is_valid: suits + jokers > 3, false": GROUPS,
    "groups.is_valid: block == FULL_PACK, true": GROUPS,
    "groups.is_valid: jokers == 0 (2), false": GROUPS,
    "groups.is_valid: gap > block (3), true": GROUPS,
    "groups.is_valid: twice == 0, false": GROUPS,
    "groups.is_valid: gap > block (2), false": "rare: tests of the groups go through all groups",
    "groups.is_valid: gap > block (3), false": "rare: tests of the groups go through all groups",
    "rules.list_targets: s.group_once[group] & joker, true": "rare: few tables have a Joker that a group already has",
    "rules.remove_empty_groups: s.group_once[g], false": EMPTIED,
    "rules.remove_empty_groups: for g in range(kept, s.groups), entered": EMPTIED,
    "best.can_end: view.plays == 0, true": LIMITED,
    "best.can_end: limit, false": LIMITED,
    "best.can_end: view.placed == 0, true": "rare: a turn begins with a card of the table; tests of Huxxy set this up",
    "best.can_end: w[search_state.STEPS_TAKEN] > limit, true": "rare: it takes very many possible turns",
    "best.run_search: limit, false": LIMITED,
    "best.solver: not _readiness.ready, false": MACHINE,
    "best.solver: not _readiness.ready, true": MACHINE,
    "best.solver: monotonic() >= _readiness.next_check, false": MACHINE,
    "best.solver: monotonic() >= _readiness.next_check, true": MACHINE,
    "best.solver: _readiness.ready, false": MACHINE,
    "best.solver: _readiness.ready, true": MACHINE,
    "best.solver: except ImportError, entered": MACHINE,
}
