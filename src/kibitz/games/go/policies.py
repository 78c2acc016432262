"""Strategies for Go, as functions of a view and as kernels.

first       the assignment's sample: the lowest card, and every card a singleton
greedy      the card that does best in a few simulated drafts; the discards grouped optimally

worth       the expected points of one more card of a value: the table of ``drafts``, as integers

The policy ``quick`` lays the card that is worth most.  The policy ``mimic`` lays cards by odds fitted to the choices of
``greedy``.  Each card has three features, with a weight for each number of turns left:

    kind        how many cards of its value the seat has laid, how many others of it are in the hand, and how many are
                available: those in the other hands once the seat has seen them all, before that all others not laid
    run         which of the two values below and the two above the seat has laid in a colour that a run needs
    rival       how many of the value the next seat has laid, and the most that any other rival has

A weight is two numbers, the second of which is multiplied by the card's value.  The sum of a card's weights is the
logarithm of its odds, in units of 1 / ONE: a card whose sum is ONE higher is laid 2.7 times as often.
``python -m tools.go_habits`` fits the weights, and prints TABLE as it stands here.
"""

from math import exp
from random import Random

from kibitz.cards.chance import randbelow
from kibitz.cards.sets import lowest, size, unpack
from kibitz.games.go.drafts import DraftSampler, chosen_cards, final_score, worth_table
from kibitz.games.go.groups import ACE_PENALTY, PARTS, SCORES, SUITS_OF_COLOUR, best_partitions, find_parts
from kibitz.games.go.rules import GROUP, stack_of
from kibitz.games.go.view import GoView
from kibitz.kernel import kernel

# Strategies as functions of a view


DRAFT_ROUNDS = ((1.0, 4), (0.5, 6), (0.3, 8))
"""For each round of simulated drafts, the share of the cards that are tried, and the number of drafts."""
TABLE_WEIGHT = 8.0
"""The table of worths counts as much as this many drafts: four of a kind are rare, and a few drafts may miss them."""


def first(view: GoView, legal: list[int], random: Random) -> int:
    """Keeps the lowest card of the hand, and makes no groups."""
    return min(legal)


def greedy(view: GoView, legal: list[int], random: Random) -> int:
    """Keeps the card that does best by the table of worths and in simulated drafts.

    N of a kind score N! times the value, so four kings beat everything else: the table prefers kinds that can still be
    completed.  The simulated drafts add the rest: runs, cards that come round again after four turns, and cards that
    are better not passed on.  Once the seat has seen all hands, the drafts use the true ones.
    """
    if view.grouping:
        return lowest_group(view)
    if len(legal) == 1:
        return legal[0]
    sampler = DraftSampler(view)
    totals = {card: TABLE_WEIGHT * sampler.card_worth(card) for card in legal}
    cards = legal
    for share, drafts in DRAFT_ROUNDS:
        cards = sorted(cards, key=totals.__getitem__, reverse=True)[: max(2, round(share * len(legal)))]
        for _ in range(drafts):
            draft = sampler.draw(random)
            chosen = chosen_cards(draft)
            for card in cards:
                chosen[view.seat] = card
                totals[card] += final_score(draft.copy(), chosen, view.seat, view.discards[view.seat])
    return max(cards, key=totals.__getitem__)


def lowest_group(view: GoView) -> int:
    """The action for the group of the lowest ungrouped card in a best partition of the ungrouped cards."""
    part = best_partitions(list(view.ungrouped))[1][0][0]
    laid = sorted(view.discards[view.seat])
    return GROUP + sum(1 << laid.index(card) for position, card in enumerate(view.ungrouped) if part >> position & 1)


# Strategies as kernels


POLICIES = {
    "quick": "Keeps the card that promises most of one value, counts what is gone, and groups for the highest score.",
    "mimic": "Keeps cards as a strong player would, with some chance, and groups for the highest score.",
}
MIMIC = 1
SEARCH = {"policy": "mimic", "single_learner": True, "rollout_randomness": 0.0}
SEARCH_PLAYERS = {
    "best": (3000, "Simulates 3,000 drafts with hands that fit the cards it has seen, and plays to come first."),
}
BEST = 0
SCRATCH = 1024
"""Length of the scratch: by set of positions from BEST on, the best score of its cards."""
SCALE = 16
WORTHS = tuple(round(SCALE * x) for turns in worth_table() for rows in turns for row in rows for x in row)
"""The table of worths as integers, SCALE times as large: at ((turns * 4 + laid) * 4 + others) * 13 + value - 1."""


@kernel
def choose(s, policy, rng, scratch):
    """Choose a card, by the worth of its kind or by odds; after the last turn, a group of a best partition."""
    if s.grouping:
        return choose_group(s, scratch)
    return draw_card(s, rng, scratch) if policy == MIMIC else choose_by_kind(s)


@kernel
def choose_by_kind(s):
    """The card that is worth most by the table of worths (the highest of several)."""
    p = s.player
    laid = s.laid[0]
    for q in range(1, s.players):
        laid |= s.laid[q]
    cards = s.stack[stack_of(s, p)]
    turns_left = s.hand_size - s.turn - 1
    best = -(1 << 30)
    chosen = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = card >> 2
        kind = 15 << 4 * value
        others = 3 - size(laid & kind)
        own = size(s.laid[p] & kind)
        card_worth = 0
        if others >= 0 and own + others < 4:
            card_worth = WORTHS[((turns_left * 4 + own) * 4 + others) * 13 + value]
        if card_worth >= best:
            best = card_worth
            chosen = card
    return chosen


@kernel
def choose_group(s, scratch):
    """The action for the group of the lowest ungrouped card in a best partition of the ungrouped cards.

    ``scratch[BEST + mask]`` becomes the best score of the cards at the positions ``mask``, for each set of positions.
    The last ``mask`` has all ungrouped cards, so its best group is the one to choose.
    """
    p = s.player
    n = unpack(s.laid[p], s.sorted)
    n_parts = find_parts(s.sorted, n, s.work)
    left = 0
    for i in range(n):
        if s.ungrouped[p] >> s.sorted[i] & 1:
            left |= 1 << i
    scratch[BEST] = 0
    chosen = 0
    for mask in range(1, left + 1):
        if mask & ~left:
            continue
        low = mask & -mask
        card = s.sorted[lowest(low)]
        best = scratch[BEST + (mask ^ low)] - (ACE_PENALTY if card < 4 else (card >> 2) + 1)
        part = low
        for g in range(n_parts):
            cards = s.work[PARTS + g]
            if cards & low and cards & mask == cards:
                total = scratch[BEST + (mask ^ cards)] + s.work[SCORES + g]
                if total > best:
                    best = total
                    part = cards
        scratch[BEST + mask] = best
        chosen = part
    return GROUP + chosen


@kernel
def truncate_rollout(s):
    """In simulated games, group all discards automatically for the highest score, as every seat can do."""
    s.auto = 1


# The policy ``mimic``


ONE = 1024
"""The unit of the logarithms of odds."""
TURNS = 10
KIND_CODES = tuple(
    own << 4 | in_hand << 2 | available
    for own in range(4)
    for in_hand in range(4)
    for available in range(4 - own - in_hand)
)  # fmt: skip
"""All values of a kind feature: its three numbers, two bits each."""
KIND_VALUES, RUN_VALUES, RIVAL_VALUES = len(KIND_CODES), 16, 16
"""How many values a kind, a run and a rival feature have."""
KIND_INDEX = tuple(KIND_CODES.index(code) if code in KIND_CODES else 0 for code in range(64))
"""By code, its index in KIND_CODES; 0 for a code that isn't there."""
KIND, ACE = 0, TURNS * KIND_VALUES
RUN = ACE + TURNS * 4
RIVAL = RUN + TURNS * RUN_VALUES
NO_FEATURE = RIVAL + TURNS * RIVAL_VALUES
"""Where the weights of each feature begin; they are ordered by turns left. Aces make no kind, so their only feature is
how many Aces the seat has laid."""
FEATURES = NO_FEATURE + 1
"""How many weights there are; the weight of NO_FEATURE is 0."""
SHIFT = 24
"""A packed weight is ``(constant << SHIFT) + per_value``, so its low SHIFT bits are ``per_value``."""
HALF = 1 << SHIFT - 1


def packed_weight(constant: int, per_value: int) -> int:
    """Both numbers of a weight in one integer, so that weights are added up in one step."""
    return (constant << SHIFT) + per_value


def read_weights(table: str) -> tuple[int, ...]:
    """The weights of a table in the order of their features, each written as ``constant/per_value``."""
    words = [word.split("/") for word in table.split()]
    return (*(packed_weight(int(constant), int(per_value)) for constant, per_value in words), 0)


TABLE = """
0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 -529/-85 -384/-68 -581/-19 -184/-2 0/0
0/0 0/0 0/0 0/0 0/0 632/69 307/4 -17/7 0/0 0/0 0/0 1324/148 999/23 0/0 2143/58 -975/-88 -742/-14 -228/-9 239/10
-1297/-53 -960/-22 -641/-11 0/0 0/0 0/0 649/128 589/103 1054/18 973/28 589/7 0/0 2017/149 2201/40 603/21 2073/58
-1747/-45 -1082/54 -416/40 276/47 -1555/-72 -1151/7 -621/17 -1564/-40 -1099/-18 0/0 939/62 1061/88 1932/34 928/43
672/24 137/4 2039/144 3191/72 572/20 2856/100 -2020/-42 -1124/-18 -826/122 -144/83 -1577/-13 -944/-10 -507/24 -1122/-23
-482/22 -772/-4 528/107 628/124 2423/54 1070/44 1815/45 324/9 1480/104 3324/90 1572/53 2443/80 -1747/-104 -1472/18
-1164/165 -37/60 -1270/-54 -885/21 -61/74 -671/-17 -150/2 -837/-22 173/59 343/93 2138/92 799/40 2488/93 728/22 1302/81
2927/115 1933/85 1436/73 -1883/-103 -1224/3 -607/152 471/253 -1194/-18 -334/61 808/152 -403/-42 -61/14 -127/-3 14/68
809/57 2559/104 903/17 2334/94 125/-6 810/65 2256/104 0/0 350/23 -906/-59 -720/36 128/101 -744/47 -471/-8 479/82
-981/162 -213/-1 -1474/34 -708/-11 709/93 963/97 930/60 976/63 1667/87 -128/-3 1287/82 1397/73 614/38 0/0 -100/-7
-545/-37 -238/119 -636/66 -481/-32 349/89 -815/194 -166/-9 -341/59 -223/0 618/50 943/52 811/33 236/10 1779/91 488/25
0/0 0/0 0/0 0/0 0/0 0/0 0/0 336/41 0/0 0/0 77/169 0/0 242/224 -198/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0
0/0 0/0 -1538/-12 -1274/-8 -274/-2 0/0 -2120/-22 -2236/-13 0/0 0/0 -2574/-29 -691/-4 0/0 0/0 -2451/-26 -957/-6 0/0 0/0
-2451/-27 -328/-2 0/0 0/0 -2845/-31 0/0 0/0 0/0 -2036/-17 0/0 0/0 0/0 -1488/-11 0/0 0/0 0/0 -577/-3 0/0 0/0 0/0 0/0 0/0
0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 -350/-9 -137/-4 -54/7 227/12 -4/21 437/20 219/16 651/27 -44/-7
627/5 245/26 694/-15 199/24 670/6 416/15 -185/-9 -588/1 -97/-22 -277/2 353/28 362/-16 554/49 424/1 1267/62 -170/-4
-152/56 329/68 1170/45 157/3 1356/44 740/27 652/31 -799/84 -51/-16 -463/53 686/76 232/7 605/50 494/38 906/74 14/22
481/20 454/68 890/59 704/-13 904/34 442/13 140/9 -860/135 -241/80 -597/119 512/35 296/12 480/32 410/20 1080/65 -202/69
300/59 88/61 515/32 537/21 799/46 1436/90 824/43 -928/180 89/67 99/69 1033/45 453/39 971/66 478/39 377/21 -172/85
166/38 416/58 422/39 289/38 534/31 663/38 0/0 -876/170 7/68 -155/93 801/48 143/52 1033/96 644/53 -8/-1 -22/83 680/46
951/59 565/33 743/58 398/26 586/40 0/0 -1022/188 585/36 -104/84 748/64 508/43 708/43 690/45 0/0 -33/99 82/8 533/51 0/0
548/36 0/0 0/0 0/0 -1088/194 898/36 926/7 0/0 816/32 0/0 0/0 0/0 340/75 0/0 0/0 0/0 0/0 0/0 0/0 0/0 577/168 0/0 0/0 0/0
0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 371/59
163/37 51/-41 -123/-16 452/41 618/2 168/-24 0/0 709/48 577/0 0/0 0/0 737/31 0/0 0/0 0/0 348/71 422/26 383/22 1018/36
502/60 433/1 488/32 0/0 595/28 446/29 0/0 0/0 1722/74 0/0 0/0 0/0 287/94 247/80 371/53 1518/83 373/84 504/37 227/19 0/0
729/36 212/11 0/0 0/0 1743/80 0/0 0/0 0/0 -16/196 84/119 677/22 1851/113 477/123 737/46 36/-2 0/0 834/76 351/28 0/0 0/0
1273/81 0/0 0/0 0/0 -743/217 5/105 710/57 824/49 252/102 767/52 468/15 0/0 1460/50 -226/-13 0/0 0/0 2126/100 0/0 0/0
0/0 -1832/228 -521/82 1537/73 1971/137 299/23 -234/76 -46/4 0/0 1587/53 364/35 0/0 0/0 2829/150 0/0 0/0 0/0 912/174
-448/83 639/167 0/0 -86/75 27/17 -73/-5 0/0 1995/133 268/22 0/0 0/0 0/0 0/0 0/0 0/0 1167/159 -429/136 0/0 0/0 619/65
437/35 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 577/168 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0
"""
"""The weights of ``mimic``, fitted by ``python -m tools.go_habits``."""
WEIGHTS = read_weights(TABLE)
STEPS_PER_ONE, MAX_STEPS = 16, 256
"""Odds are rounded to steps, STEPS_PER_ONE of them for ONE; a card MAX_STEPS below the likeliest is never laid."""
FREQUENCIES = tuple(round((1 << 16) * exp(-k / STEPS_PER_ONE)) for k in range(MAX_STEPS))
"""How often a card is laid, by how many steps it is below the likeliest, which is laid ``1 << 16`` times."""


@kernel
def list_features(s, out):
    """Write four numbers for every card of the hand, the lowest first: the card and its three features.

    Return how many cards there are.
    """
    p = s.player
    stack = stack_of(s, p)
    hand = s.stack[stack]
    laid_by_others = 0
    other_hands = 0
    for q in range(s.players):
        if q != p:
            laid_by_others |= s.laid[q]
        if q != stack:
            other_hands |= s.stack[q]
    turns_left = s.hand_size - s.turn - 1
    n = 0
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        kind = 15 << (card & ~3)
        own = size(s.laid[p] & kind)
        out[n] = card
        if card < 4:
            out[n + 1] = ACE + turns_left * 4 + own
            out[n + 2] = NO_FEATURE
            out[n + 3] = NO_FEATURE
        else:
            in_hand = size(hand & kind) - 1
            if s.turn >= s.players - 1:  # the seat has seen all hands
                available = size(other_hands & kind)
            else:
                available = 3 - own - in_hand - size(laid_by_others & kind)
            out[n + 1] = KIND + turns_left * KIND_VALUES + KIND_INDEX[own << 4 | in_hand << 2 | available]
            out[n + 2] = RUN + turns_left * RUN_VALUES + run_neighbours(s.laid[p], card)
            out[n + 3] = RIVAL + turns_left * RIVAL_VALUES + rivals_of_kind(s, p, kind)
        n += 4
    return n >> 2


@kernel
def run_neighbours(laid, card):
    """The values around a card that are laid in the colour that a run with it needs, as four bits.

    Bits 0 and 1 are for one value below and above, bits 2 and 3 for two below and above. ``around`` is ``laid`` without
    Aces, shifted so that its first four bits are the cards two values below.
    """
    near = SUITS_OF_COLOUR[1 - (card & 1)]
    far = SUITS_OF_COLOUR[card & 1]
    around = (laid & ~15) << 8 >> (card & ~3)
    neighbours = 1 if around >> 4 & near else 0
    neighbours |= 2 if around >> 12 & near else 0
    neighbours |= 4 if around & far else 0
    return neighbours | (8 if around >> 16 & far else 0)


@kernel
def rivals_of_kind(s, p, kind):
    """How many cards of a kind the next seat has laid, times four, plus the most that any later seat has laid."""
    most = 0
    for q in range(2, s.players):
        most = max(most, size(s.laid[(p + q) % s.players] & kind))
    return size(s.laid[(p + 1) % s.players] & kind) << 2 | most


@kernel
def draw_card(s, rng, scratch):
    """A random card of the hand, drawn by the fitted odds.

    The sum of a card's weights is unpacked into ``constant + per_value * value``. Since ``per_value`` may be negative,
    HALF is added before the low SHIFT bits are taken, and subtracted again.
    """
    n = list_features(s, scratch)
    if n == 1:
        return scratch[0]
    best = -(1 << 40)
    for i in range(n):
        weight = WEIGHTS[scratch[4 * i + 1]] + WEIGHTS[scratch[4 * i + 2]] + WEIGHTS[scratch[4 * i + 3]]
        per_value = (weight + HALF & 2 * HALF - 1) - HALF
        scratch[4 * i + 1] = (weight - per_value >> SHIFT) + per_value * ((scratch[4 * i] >> 2) + 1)
        best = max(best, scratch[4 * i + 1])
    total = 0
    for i in range(n):
        steps = (best - scratch[4 * i + 1]) * STEPS_PER_ONE // ONE
        if steps < MAX_STEPS:
            total += FREQUENCIES[steps]
        scratch[4 * i + 2] = total
    point = randbelow(rng, total)
    i = 0
    while point >= scratch[4 * i + 2]:
        i += 1
    return scratch[4 * i]
