"""What no position of the contract shows, and why: see ``kibitz.engine.contract.cover``."""

TYPED = "said of what people type, by parse_action; every action is one card or one move"
FIVES = "rare: so high a move of five lies on the pile; tests of the listing go through all moves"
DEALS = "rare: another pair's trades with several cards played since; the odds of the mini variant are exact"
LEFT = "rare: leftover cards for six, seven or eight players; tests of the rules deal to each number"

UNMET = {
    "Reason.SCATTERED": TYPED,
    "Reason.ONE_CARD": TYPED,
    "beliefs.draw_pair: total < 2 * WORD, false": DEALS,
    "beliefs.draw_pair: pick >= total, true": DEALS,
    "beliefs.draw_pair: all_given, false": DEALS,
    "beliefs.deals: left < 0, true": DEALS,
    "beliefs.deals: left > others + hidden, true": DEALS,
    "fives.list_fives: floor < STRAIGHT_FLUSH, false": FIVES,
    "fives.add_straights: suits + a != SAME_SUIT * (a - 1), false": FIVES,
    "fives.list_flushes_of: a - e > 4, false": FIVES,
    "fives.list_fours_and_one: FOUR_AND_ONE + 13 * four + card > floor, false": FIVES,
    "fives.list_straight_flushes: starts, true": FIVES,
    "fives.list_straight_flushes: STRAIGHT_FLUSH + low > floor, true": FIVES,
    "fives.list_straight_flushes: STRAIGHT_FLUSH + low > floor, false": FIVES,
    "kinds.list_fours: FOUR + (low >> 2) <= floor, true": FIVES,
    "listing.list_size: cards == 3, true": FIVES,
    "listing.list_size: cards == 4, true": FIVES,
    "moves.size_of: a < FOUR, true": FIVES,
    "moves.size_of: a < STRAIGHT, true": FIVES,
    "moves.cards_in: a >= 0, false": "negative numbers are refused before their cards are looked at",
    "moves.cards_in: a < MOVES, false": "larger numbers are refused before their cards are looked at",
    "rounds.deal_round: k >= n - cards % n, true": LEFT,
    "rounds.role_points: place == n - 2, false": LEFT,
    "told.role: place in (1, players - 2), false": LEFT,
    "view.trade: s.pair == j, false": "a pair's last card changes how many are to come as well",
    "words.prompt: view.given[view.pair], false": "the pair that returns cards has been given some",
    "words.prompt: view.lowest is not None (2), false": "rare: a leader of a later round without a lowest card",
    "words.table: view.last is None, true": "rare: the table of a pile that nobody has laid",
}
