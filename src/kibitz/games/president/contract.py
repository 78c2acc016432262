"""For the contract: positions of President that a seat can't tell apart, and branches that are excluded from coverage.

Written from the rules' list of what each seat sees, independently of ``resample``: the leak tests compare the two. Each
position differs from the last in one swap, or in what a pair without the seat may have traded.
"""

from collections.abc import Iterator
from random import Random

from kibitz.engine.layout import PlainState
from kibitz.games.president.moves import NONE, PACK, in_heights
from kibitz.games.president.rounds import REPEATED_REQUEST


def determinizations(s: PlainState, seat: int, random: Random) -> Iterator[PlainState]:
    """An endless series of positions, each made from the last by a swap of two unseen cards or by a changed trade."""
    position = s.copy()
    while True:
        for _ in range(20):
            other = position.copy()
            if s.round and random.random() < 0.3:
                change_trade(other, seat, random)
            else:
                swap_unseen(other, seat, random)
            if is_possible(other):
                position = other
                break
        yield position.copy()


def trading_pairs(s: PlainState) -> list[tuple[int, int, int]]:
    """The pairs that trade, each with its upper and its lower seat."""
    return [(j, s.order[j], s.order[s.players - 1 - j]) for j in range(2 if s.players > 3 else 1)]


def unseen_cards(s: PlainState, seat: int) -> int:
    """The cards whose holder, if any, the seat doesn't know."""
    cards = int(in_heights(s.pack))
    for p in range(s.players):
        cards &= ~s.gone[p]
    if seat >= 0:
        cards &= ~s.hand[seat]
    if s.lowest_card != NONE:
        cards &= PACK << (s.lowest_card + 1)
    for j, upper, lower in trading_pairs(s):
        if s.round and (seat in (upper, lower) or s.upper_names):
            cards &= ~s.given[j]
        if s.round and (seat in (upper, lower) or s.upper_names == REPEATED_REQUEST):
            cards &= ~s.returned[j]
    return cards


def swap_unseen(s: PlainState, seat: int, random: Random) -> None:
    """Swap two unseen cards, in hands and in trades."""
    cards = unseen_cards(s, seat)
    members = [card for card in range(52) if cards >> card & 1]
    if len(members) < 2:
        return
    a, b = random.sample(members, 2)
    for row in (s.hand, s.given, s.returned):
        for i, held in enumerate(row):
            if (held >> a ^ held >> b) & 1:
                row[i] = held ^ (1 << a | 1 << b)


def change_trade(s: PlainState, seat: int, random: Random) -> None:
    """Change what a pair without ``seat`` traded, to other cards that its seats hold now or have played since."""
    j, upper, lower = random.choice(trading_pairs(s))
    if seat in (upper, lower) or s.upper_names == REPEATED_REQUEST:
        return
    lower_cards, upper_cards = s.hand[lower] | s.gone[lower], s.hand[upper] | s.gone[upper]
    s.returned[j] = random_subset(lower_cards, s.returned[j].bit_count(), random)
    if not s.upper_names:
        s.given[j] = random_subset(upper_cards | s.returned[j], s.given[j].bit_count(), random)


def random_subset(cards: int, n: int, random: Random) -> int:
    """``n`` random cards of a set."""
    return sum(1 << card for card in random.sample([card for card in range(52) if cards >> card & 1], n))


def is_possible(s: PlainState) -> bool:
    """Whether every pair can have traded the cards in ``given`` and ``returned``."""
    for j, upper, lower in trading_pairs(s) if s.round else ():
        lower_cards, upper_cards = s.hand[lower] | s.gone[lower], s.hand[upper] | s.gone[upper]
        not_given = lower_cards & ~s.returned[j]  # what the lower seat was dealt and kept
        if s.returned[j] & ~lower_cards or s.given[j] & ~(upper_cards | s.returned[j]):
            return False
        if s.upper_names and not_given & s.named[j]:
            return False
        lowest_given = s.given[j] & -s.given[j]
        if not s.upper_names and s.given[j] and not_given >= lowest_given:  # it kept a higher card than it gave
            return False
    return True


TYPED = "only parse_action gives this reason, for what people type; every action is one card or one move"
FIVES = "rare: a very high five-card move lies on the pile; tests of the listing go through all moves"
DEALS = "rare: another pair's trades, with several cards played since; the probabilities of the mini variant are exact"
COUNTED = "rare: the option fives excludes a kind of five-card move that the hand has; tests of the rules play them all"
REQUESTS = "rare: both cards that two seats trade are requested in public; tests of the trades ask for both"
ONE_ROUND = "rare: few games here reach their end; a test of the rules plays a game of one round"
LEFT = "rare: leftover cards for six, seven or eight players; tests of the rules deal to each number"

EXCLUSIONS = {
    "Reason.SCATTERED": TYPED,
    "Reason.NOT_COUNTED": COUNTED,
    "rules.refusal: not is_allowed(a, s.fives), true": COUNTED,
    "moves.is_allowed: i < 4, false": COUNTED,
    "moves.is_allowed: fives >> i & 1 != 0, false": COUNTED,
    "listing.count_all: fives & 1, false": COUNTED,
    "listing.list_flushes: n == first, false": COUNTED,
    "listing.merge: i >= first, true": COUNTED,
    "listing.merge: i >= first, false": COUNTED,
    "listing.merge: j >= MERGE_BUFFER, true": COUNTED,
    "listing.merge: j >= MERGE_BUFFER, false": COUNTED,
    "listing.merge: out[i] < out[j], true": COUNTED,
    "listing.merge: out[i] < out[j], false": COUNTED,
    "beliefs.add_origins: not stayed & s.named[j], false": REQUESTS,
    "view.why_over: s.rounds == 1, true": ONE_ROUND,
    "words.describe: rounds == 1, true": ONE_ROUND,
    "beliefs.draw_pair: total < 2 * WORD, false": DEALS,
    "beliefs.draw_pair: pick >= total, true": DEALS,
    "beliefs.draw_pair: all_given, false": DEALS,
    "beliefs.count_deals: left < 0, true": DEALS,
    "beliefs.count_deals: left > others + hidden, true": DEALS,
    "listing.list_fives: floor < STRAIGHT_FLUSH, false": FIVES,
    "listing.add_straights: suits + a != SAME_SUIT * (a - 1), false": FIVES,
    "listing.add_straights: lowest_suits > 511, true": FIVES,
    "listing.list_flushes_of: a - e > 4, false": FIVES,
    "listing.list_fours_and_one: FOUR_AND_ONE + 13 * four + card > floor, false": FIVES,
    "listing.list_straight_flushes: starts, true": FIVES,
    "listing.list_straight_flushes: STRAIGHT_FLUSH + lowest_card > floor, true": FIVES,
    "listing.list_straight_flushes: STRAIGHT_FLUSH + lowest_card > floor, false": FIVES,
    "listing.list_fours: FOUR + (diamond >> 2) <= floor, true": FIVES,
    "listing.list_of_size: cards == 4, true": FIVES,
    "moves.size_of: a < STRAIGHT, true": FIVES,
    "moves.cards_in: a < MOVES, false": "larger numbers are refused before their cards are looked at",
    "rounds.deal_round: k >= n - cards % n, true": LEFT,
    "rounds.role_points: place == n - 2, false": LEFT,
    "words.prompt: view.given[view.pair], false": "the pair that returns cards has been given some",
    "words.prompt: view.lowest is not None (2), false": "rare: a leader of a later round without a lowest card",
}
