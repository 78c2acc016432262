"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

LATER = "rare: it takes a stacked pack of which so many cards are dealt; tests of phh exchange deal from such packs"
SHORT = "rare: with the option reopen, short all-ins that together are a full raise; tests of the betting set this up"
REOPENED = "rare: short all-ins before a seat that has acted; tests of the betting set this up"
HAND = "rare: hands so good are seldom held; tests of the ranking go through all hands"
BLINDS = "rare: a straddle with fixed limits or among two; tests of the rules set this up"
RETURNED = "rare: the pack runs out for several players of draw; tests of the rules set this up"

EXCLUSIONS = {
    "Reason.NOT_REOPENED": REOPENED,
    "rules.refused_raise: not s.free >> p & 1, true": REOPENED,
    "betting.post: s.limit != FIXED_LIMIT, false": BLINDS,
    **{f"dealing.stacked: {which}": LATER for which in ("i < 36, false", "i < 45, true", "i < 45, false")},
    "dealing.take: i < STACKED, false": "a hand has fewer cards than the options have room for",
    "dealing.take: s.left >> card & 1, false": LATER,
    "dealing.put_back: s.drawn >> q & 1, false": RETURNED,
    "dealing.put_back: not s.back >> q & 1, false": RETURNED,
    "betting.raise_to: amount - s.bet[q] >= s.step, false": SHORT,
    "hands.in_order: sorted(ranks) == [0, 1, 2, 3, 12], true": HAND,
    "hands.in_order: wheel, true": HAND,
    "hands.phrase: case ranking.FOUR, entered": HAND,
    **{f"ranking.strength: size({suit}) > 4, true": HAND for suit in ("clubs", "diamonds", "hearts", "spades")},
    "ranking.of_ranks: fours, true": HAND,
    "ranking.of_flush: straight, true": HAND,
    "showdown.start_showdown: s.live >> first & 1, false": "who bet last has not folded since",
    "stages.next_street: s.street == 1 (2), false": "the only draw is on the first street after the deal",
    "view.opening: s.number, true": "rare: blinds leave nobody a decision; tests of phh exchange deal such hands",
    "view.acted: amount > 0, false": "a call that pays nothing is told as a check before this",
    "describing.street_text: not cards, true": "a street of draw poker is told by its own event",
    "hands.phrase: first == RANKS[12], true": HAND,
    "hands.phrase: first == RANKS[12], false": HAND,
    "naming.short_text: len(cards) > 1, true": HAND,
    "words.prompt: price (2), false": "rare: nothing to pay and no raise allowed, so nobody is asked",
}
