"""Strategies for Bo, from views and as kernels.

first       the assignment's sample: the first legal play, sources and piles counted upwards
greedy      the first play on the path to the best leaf of a search of this turn

ready       the piles that take the seat's own stockpile card
waiting     the kinds of rivals' stockpile cards that fit nowhere
single      the piles that alone take a rival's stockpile card
counted     ``waiting`` and ``single`` are three sets each: true of at least one rival, of at least two, of three
score       what a play is worth, followed by its number counted backwards: of equal plays the first scores most

Rollouts (``kibitz.search.rollout_kernels``):

    plan        the plays on the path to one of the best leaves
    near        how near a seat is to playing from its stockpile: for the seat to move, the number of the play in this
                turn that does so, or 0; for the others, how many piles take the card
    weight      a seat's share of the chances to win, by turns until it moves, cards in its stockpile and ``near``:
                fitted to games among ``greedy`` (``python -m tools.bo_weights``)

In a rollout the searching seat plays like ``marshal`` and the others like ``greedy``, both with small searches.  A plan
is followed until the searching seat's next turn.
"""

from importlib.resources import files
from random import Random

from kibitz.cards.sets import size
from kibitz.games.bo import turn_search
from kibitz.games.bo.leaf_values import (
    BEST_LEAVES,
    GREEDY,
    LEAF_LIMIT,
    MAX_LEAVES,
    PARAMETERS,
    WIDTH,
    above,
    below,
    kind,
    set_parameters,
)
from kibitz.games.bo.lookahead import Turn
from kibitz.games.bo.piles import (
    DE_BRUIJN,
    FROM_PILE,
    NO_PLAY,
    NONE,
    PILE_OF_BIT,
    SOURCE,
    STOCK,
    matches,
    open_discards,
    own_empty_discards,
    value,
)
from kibitz.games.bo.rules import BUILD
from kibitz.games.bo.turn_search import (
    DEPTH,
    LAST_PLAY,
    MAX_TRIES,
    PARENT,
    SKIP_LONGER,
    SKIP_NOTHING,
    SKIP_OTHERS,
    SKIPPED,
    TRY_LIMIT,
    WORK,
    look_ahead,
    planned,
    plays_to,
)
from kibitz.games.bo.view import BoView
from kibitz.kernel import kernel

# Strategies that get a view


def first(view: BoView, legal: list[int], random: Random) -> int:
    """Plays the first legal card: from the hand, the stockpile, then the discard piles; on build piles first."""
    return min(legal)


def greedy(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile by the shortest way; otherwise leaves the table at its best for the next turn.

    A turn cannot be stopped at will, so it is planned from its end: the hand card that ends it should take
    the seat's own stockpile card next time, cover what takes a rival's, and keep the table wide, for the cards to come
    are unknown.
    """
    choice = Turn(view).best_play() if len(legal) > 1 else None
    return legal[0] if choice is None else choice


# Strategies as kernels


SCRATCH = turn_search.SCRATCH
PLAYS = 1023
"""The highest number of a play, all ones."""
LEAST = -(1 << 30)
"""Below every score."""
ROUNDS = 4
"""How many rounds a search looks ahead."""
QUICK, MARSHAL = range(2)
POLICIES = {
    "quick": "Plays from the stockpile whenever it can, prepares to, and blocks rivals.",
    "marshal": "Searches its whole turn, and leaves nothing that a rival is waiting for.",
}
SEARCH_PLAYERS = {"best": (2800, "Plays its whole turn out in simulated games before it makes the first play.")}


@kernel
def choose(s, policy, rng, scratch):
    """The first play of the best turn; or a stockpile card if one goes, else what is worth most by what it opens."""
    return next_play(s) if policy == QUICK else planned(s, scratch)


@kernel
def next_play(s):
    """A stockpile card if one goes, to a build pile if it can; else the play worth most by what it opens and covers."""
    own = stock_top(s, s.player)
    ready = matches(s, own)
    if ready:
        return SOURCE * STOCK | first_of(ready & BUILD if ready & BUILD else ready)
    wanted = 1 << kind(own)
    waiting = waiting_2 = waiting_3 = 0
    single = single_2 = single_3 = 0
    for p in range(1, s.players):
        rival = stock_top(s, (s.player + p) % s.players)
        takes = matches(s, rival)
        if takes == 0:
            bit = 1 << kind(rival)
            waiting_3 |= waiting_2 & bit
            waiting_2 |= waiting & bit
            waiting |= bit
        elif takes & takes - 1 == 0:
            single_3 |= single_2 & takes
            single_2 |= single & takes
            single |= takes
    score = LEAST
    open_piles = open_discards(s)
    patient = 15 * more_to_do(s)
    last = 40 if s.plays == s.plays_a_turn - 1 else 0
    for source in range(FROM_PILE + 4 * s.players):
        card = s.hand[5 * s.player + source] if source < STOCK else s.top[source - FROM_PILE + 4]
        if card == NONE or source == STOCK:
            continue
        held = source < STOCK
        goes = matches(s, card)
        piles = goes & BUILD
        if piles:
            opens = opened_by_build(card)
            worth = 120 * size(opens & wanted) - helped(opens, waiting, waiting_2, waiting_3)
            worth += (25 if value(card) > 1 else -20) - last if held else -30
            score = max(score, scored(piles, worth, source, single, single_2, single_3))
        ends = open_piles & ~goes if held and value(card) > 1 else 0
        piles = goes ^ piles
        if piles | ends:
            opens = opened_by_discard(s, card)
            opened = size(opens & wanted)
            worth = 120 * opened - helped(opens, waiting, waiting_2, waiting_3)
            if piles:
                more = 25 - last if held else -30
                score = max(score, scored(piles, worth + more, source, single, single_2, single_3))
            if ends:
                worth -= 0 if opened else patient
                piles = ends & s.empty
                if piles:
                    score = max(score, scored(piles, worth - 10, source, single, single_2, single_3))
                piles ^= ends
                if piles:
                    score = max(score, scored(piles, worth - 20, source, single, single_2, single_3))
    return PLAYS ^ score & PLAYS if score > LEAST else NO_PLAY


@kernel
def stock_top(s, p):
    """The stockpile card of a seat, which everybody sees."""
    return s.stock[8 * p + s.stocked[p] - 1]


@kernel
def first_of(piles):
    """The first of some piles."""
    return PILE_OF_BIT[(piles & -piles) * DE_BRUIJN >> 27 & 31]


@kernel
def scored(piles, worth, source, single, single_2, single_3):
    """The score of a source's card on the best of some piles, which differ only in what the card covers."""
    if piles & single:
        piles &= single
        worth += 50
        if piles & single_2:
            piles &= single_2
            worth += 50
            if piles & single_3:
                piles &= single_3
                worth += 50
    return worth << 10 | PLAYS ^ (SOURCE * source | first_of(piles))


@kernel
def helped(opens, waiting, waiting_2, waiting_3):
    """The cost of helping kinds to fit that rivals are waiting for."""
    opens &= waiting
    return 60 * (size(opens) + size(opens & waiting_2) + size(opens & waiting_3)) if opens else 0


@kernel
def opened_by_build(card):
    """The kinds, as bits, that a card on a build pile would take; completing one opens little, and counts the same."""
    k = kind(card)
    return 4 << (card & 1) | 4 << k | 1 << k >> 2


@kernel
def opened_by_discard(s, card):
    """The kinds, as bits, that a card on a discard pile would take."""
    v = value(card)
    return 1 << 2 * above(s, v) + 1 - (card & 1) | 1 << 2 * below(s, v) + 1 - (card & 1) if v > 1 else 0


@kernel
def more_to_do(s):
    """Whether a hand card can be played without ending the turn, as 0 or 1."""
    for place in range(s.hand_size):
        card = s.hand[5 * s.player + place]
        if card != NONE and matches(s, card):
            return 1
    return 0


@kernel
def truncate_rollout(s):
    """Stop simulated games after a few rounds."""
    s.rounds = min(s.rounds, s.round + ROUNDS)


@kernel
def evaluate(s, out):
    """How many cards each seat has got rid of from its stockpile: the seat with the fewest left is nearest to a win."""
    for p in range(s.players):
        out[p] = s.stock_size - s.stocked[p]


# Rollouts

NEAR = 6
SIZES = 8
WEIGHTS = tuple(map(int, files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").split()))
"""How many times as likely a seat is to win at the beginning of a turn: a row for every number of stockpile cards,
eight rows for every number of turns until the seat moves. ``python -m tools.bo_weights`` fits them."""


ROLLOUT_TRIES = 40
"""How many plays the searches in simulated worlds try."""
STOCKPILE_TRIES = 100
"""How many are tried to find the play of a turn that plays a stockpile card, which needs fewer."""
USUAL_WORK = 140
"""What a simulated game adds to ``WORK`` on average."""
FITS = 3
"""More piles than this count as this many."""


@kernel
def find_plans(s, scratch, most):
    """Note the most promising plans, the best first; return how many.

    If the rivals are so slow that marshal wants a wide table, only its own plan is noted: rivals are simulated as
    ``greedy``, who uses any table better than they do.
    """
    n = find_all_plans(s, scratch)
    if scratch[WIDTH] == GREEDY[WIDTH]:
        return 1
    kept = 0
    for j in range(n):
        if kept < most and (j == 0 or not is_repeated(s, scratch, j)):
            for k in range(3):
                scratch[BEST_LEAVES + 3 * kept + k] = scratch[BEST_LEAVES + 3 * j + k]
            kept += 1
    return kept


@kernel
def find_all_plans(s, scratch):
    """Note all plans found, the best first, including those that only use another empty pile; return how many."""
    prepare(s, scratch, True, MAX_LEAVES, MAX_TRIES, SKIP_NOTHING)
    scratch[WORK] = 0
    return look_ahead(s, scratch)


@kernel
def is_repeated(s, scratch, j):
    """Whether a plan uses an empty pile although an equivalent one before it stays empty."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    play = scratch[BEST_LEAVES + 3 * j + 2]
    filled = 0
    while i or play != NONE:
        if play != NONE:
            filled |= 1 << play % SOURCE
        play = scratch[LAST_PLAY + i] if i else NONE
        i = scratch[PARENT + i] if i else 0
    used = filled & s.empty
    left = s.empty & ~filled
    return leaves_earlier_pile(used & BUILD, left & BUILD) or leaves_earlier_pile(
        used & ~BUILD, left & own_empty_discards(s)
    )


@kernel
def leaves_earlier_pile(used, left):
    """Whether one of some piles comes before the last that is used."""
    return left != 0 and left & -left < used


@kernel
def write_plan(s, scratch, j, out, at):
    """Write the plays of a noted plan; return how many."""
    return plays_to(scratch, j, out, at)


@kernel
def rollout_plays(s, seat, scratch, out):
    """Write the next plays of the seat to move, as ``seat`` expects them; return how many."""
    prepare(s, scratch, s.player == seat, 1, ROLLOUT_TRIES, SKIP_LONGER)
    look_ahead(s, scratch)
    return plays_to(scratch, 0, out, 0)


@kernel
def prepare(s, scratch, own, most, tries, skipped):
    """Set the parameters (marshal's or greedy's), how many leaves are kept and plays tried, and what is skipped."""
    if own:
        set_parameters(s, scratch)
    else:
        for k in range(PARAMETERS):
            scratch[k] = GREEDY[k]
    scratch[LEAF_LIMIT] = most
    scratch[TRY_LIMIT] = tries
    scratch[SKIPPED] = skipped


@kernel
def work_done(scratch):
    """The work since plans were noted, in simulated games of the usual length."""
    return scratch[WORK] // USUAL_WORK


@kernel
def turns_ahead(s):
    """For how many turns a plan is followed."""
    return s.players - 1


@kernel
def winning_chance(s, seat, scratch, one):
    """A seat's chance to win, out of ``one``, at the beginning of a turn or the end of the game."""
    if s.over:
        return one if s.winner == seat else 0
    mine = 0
    total = 0
    for k in range(s.players):
        p = (s.player + k) % s.players
        near = fitting(s, p) if k else plays_to_stockpile(s, seat, scratch)
        weight = WEIGHTS[NEAR * (SIZES * k + s.stocked[p] - 1) + near]
        total += weight
        if p == seat:
            mine = weight
    return one * mine // total


@kernel
def fitting(s, p):
    """How many piles take the stockpile card of a seat."""
    return min(FITS, size(s.accepts[kind(s.stock[8 * p + s.stocked[p] - 1])]))


@kernel
def plays_to_stockpile(s, seat, scratch):
    """The number of the play in its turn with which the seat to move plays from its stockpile; 0 if none does."""
    prepare(s, scratch, s.player == seat, 1, STOCKPILE_TRIES, SKIP_OTHERS)
    look_ahead(s, scratch)
    return stockpile_play_number(scratch)


@kernel
def stockpile_play_number(scratch):
    """The number of the play with which the best leaf plays a stockpile card; 0 if none does."""
    last = scratch[BEST_LEAVES + 2]
    return 1 + scratch[DEPTH + scratch[BEST_LEAVES + 1]] if last != NONE and last // SOURCE == STOCK else 0
