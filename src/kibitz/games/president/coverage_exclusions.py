"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

TYPED = "said of what people type, by parse_action; every action is one card or one move"
FIVES = "rare: so high a move of five lies on the pile; tests of the listing go through all moves"
DEALS = "rare: another pair's trades with several cards played since; the odds of the mini variant are exact"
COUNTED = "rare: it takes the option fives and kinds that do not count; tests of the rules play every set of kinds"
REQUESTS = "rare: two cards of one pair are asked for in the open; tests of the trades ask for both"
ONE_ROUND = "rare: lines with other options seldom come to their end; a test of the rules plays a match of one round"
LEFT = "rare: leftover cards for six, seven or eight players; tests of the rules deal to each number"

EXCLUSIONS = {
    "Reason.SCATTERED": TYPED,
    "Reason.NOT_COUNTED": COUNTED,
    "rules.refusal: not counts(a, s.fives), true": COUNTED,
    "moves.counts: i < 4, false": COUNTED,
    "moves.counts: fives >> i & 1 != 0, false": COUNTED,
    "numbering.count_counted: fives & 1, false": COUNTED,
    "fives.list_flushes: n == first, false": COUNTED,
    "fives.merge: i >= first, true": COUNTED,
    "fives.merge: i >= first, false": COUNTED,
    "fives.merge: j >= SPARE, true": COUNTED,
    "fives.merge: j >= SPARE, false": COUNTED,
    "fives.merge: out[i] < out[j], true": COUNTED,
    "fives.merge: out[i] < out[j], false": COUNTED,
    "beliefs.add_roles: not stayed & s.named[j], false": REQUESTS,
    "view.outcome: s.rounds == 1, true": ONE_ROUND,
    "words.describe: rounds == 1, true": ONE_ROUND,
    "beliefs.draw_pair: total < 2 * WORD, false": DEALS,
    "beliefs.draw_pair: pick >= total, true": DEALS,
    "beliefs.draw_pair: all_given, false": DEALS,
    "beliefs.deals: left < 0, true": DEALS,
    "beliefs.deals: left > others + hidden, true": DEALS,
    "fives.list_fives: floor < STRAIGHT_FLUSH, false": FIVES,
    "fives.add_straights: suits + a != SAME_SUIT * (a - 1), false": FIVES,
    "fives.add_straights: lowest_suits > 511, true": FIVES,
    "fives.list_flushes_of: a - e > 4, false": FIVES,
    "fives.list_fours_and_one: FOUR_AND_ONE + 13 * four + card > floor, false": FIVES,
    "fives.list_straight_flushes: starts, true": FIVES,
    "fives.list_straight_flushes: STRAIGHT_FLUSH + low > floor, true": FIVES,
    "fives.list_straight_flushes: STRAIGHT_FLUSH + low > floor, false": FIVES,
    "kinds.list_fours: FOUR + (low >> 2) <= floor, true": FIVES,
    "listing.list_size: cards == 4, true": FIVES,
    "moves.size_of: a < STRAIGHT, true": FIVES,
    "moves.cards_in: a < MOVES, false": "larger numbers are refused before their cards are looked at",
    "rounds.role_points: place == n - 2, false": LEFT,
    "words.prompt: view.given[view.pair], false": "the pair that returns cards has been given some",
    "words.prompt: view.lowest is not None (2), false": "rare: a leader of a later round without a lowest card",
}
