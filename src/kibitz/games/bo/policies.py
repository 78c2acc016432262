"""Strategies for Bo, as functions of a view and as kernels.

first       the assignment's sample: the first legal play, sources and piles counted upwards
greedy      the first play on the path to the best leaf of a search of this turn (``lookahead``)

The policy ``quick`` (``next_play``) looks at single plays:

    waiting     the kinds of rivals' stockpile cards that no pile takes, as bits; ``waiting_2`` has those that at least
                two rivals are waiting for, and ``waiting_3`` those that all three are
    single      the piles that are the only one to take some rival's stockpile card; ``single_2`` and ``single_3`` have
                those that are the only one for two and for three rivals
    score       ``worth << 10 | 1023 - play``: higher for better plays, and for the earlier of equally
                good ones

The policy ``marshal`` searches its whole turn (``turn_search``).

Rollouts (``kibitz.search.rollout_kernels``):

    plan        the plays on the path to one of the best leaves
    nearness    how near a seat is to playing from its stockpile: for the seat to move, the number of the play in this
                turn that does so, or 0; for the others, how many piles take the card
    weight      a seat's relative chance to win, by the turns until it moves, the cards in its stockpile and its
                ``nearness``: fitted to games among ``greedy`` (``python -m tools.bo_weights``)

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
from kibitz.games.bo.lookahead import RestOfTurn
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
    SKIP_MODE,
    SKIP_NOTHING,
    SKIP_OTHERS,
    TRY_LIMIT,
    WORK,
    best_play,
    look_ahead,
    plays_to,
)
from kibitz.games.bo.view import BoView
from kibitz.kernel import kernel

# Strategies as functions of a view


def first(view: BoView, legal: list[int], random: Random) -> int:
    """Plays the first card that it can, looking at the hand, then the stockpile, then the discard piles."""
    return min(legal)


def greedy(view: BoView, legal: list[int], random: Random) -> int:
    """Plays from the stockpile in as few plays as it can; otherwise leaves the piles that suit its next turn best.

    A player cannot end a turn at will, so a turn is planned from its end. The hand card that ends it should take the
    seat's own stockpile card next time, cover a card that takes a rival's, and leave piles that take many kinds of
    cards, since the next cards are unknown.
    """
    choice = RestOfTurn(view).best_play() if len(legal) > 1 else None
    return legal[0] if choice is None else choice


# Strategies as kernels


SCRATCH = turn_search.SCRATCH
PLAY_MASK = 1023
"""Ten bits, enough for every play: ``PLAY_MASK ^ play`` is ``PLAY_MASK - play``, so that lower plays score higher."""
LEAST = -(1 << 30)
"""Below every score."""
ROUNDS = 4
"""How many rounds a tree search plays before it evaluates the position."""
QUICK, MARSHAL = range(2)
POLICIES = {
    "quick": "Plays the stockpile card if it fits; otherwise makes a place for it, or blocks an opponent.",
    "marshal": "Searches its whole turn, and leaves nothing that an opponent is waiting for.",
}
SEARCH_PLAYERS = {"best": (2800, "Tries whole turns in simulated games before it plays.")}


@kernel
def choose(s, policy, rng, scratch):
    """The policy's play: of ``quick`` the best single play, of ``marshal`` the first play of the best turn."""
    return next_play(s) if policy == QUICK else best_play(s, scratch)


@kernel
def next_play(s):
    """The stockpile card if it fits, on a build pile if possible; else the best play by what it opens and covers.

    A play opens the kinds that the card would take where it goes: good if the seat's own stockpile card is one of them
    (``own_kind``), bad if a rival is waiting for one. It covers a card that took the card of a rival.
    """
    own_card = stock_top(s, s.player)
    own_targets = matches(s, own_card)
    if own_targets:
        return SOURCE * STOCK | first_of(own_targets & BUILD if own_targets & BUILD else own_targets)
    own_kind = 1 << kind(own_card)
    waiting = waiting_2 = waiting_3 = 0
    single = single_2 = single_3 = 0
    for p in range(1, s.players):
        rival = stock_top(s, (s.player + p) % s.players)
        rival_targets = matches(s, rival)
        if rival_targets == 0:
            bit = 1 << kind(rival)
            waiting_3 |= waiting_2 & bit
            waiting_2 |= waiting & bit
            waiting |= bit
        elif rival_targets & rival_targets - 1 == 0:  # dropping the lowest bit leaves none: a single pile
            single_3 |= single_2 & rival_targets
            single_2 |= single & rival_targets
            single |= rival_targets
    score = LEAST
    open_piles = open_discards(s)
    cost_of_ending = 15 * can_play_on(s)
    last_play = 40 if s.plays == s.plays_a_turn - 1 else 0  # the turn ends anyway, so better by an ending card
    for source in range(FROM_PILE + 4 * s.players):
        card = s.hand[5 * s.player + source] if source < STOCK else s.top[source - FROM_PILE + 4]
        if card == NONE or source == STOCK:
            continue
        from_hand = source < STOCK
        fitting_piles = matches(s, card)
        piles = fitting_piles & BUILD
        if piles:
            opened = opened_by_build(card)
            worth = 120 * size(opened & own_kind) - cost_of_helping(opened, waiting, waiting_2, waiting_3)
            worth += (25 if value(card) > 1 else -20) - last_play if from_hand else -30
            score = max(score, score_of(piles, worth, source, single, single_2, single_3))
        ending = open_piles & ~fitting_piles if from_hand and value(card) > 1 else 0
        piles = fitting_piles ^ piles  # the discard piles that fit
        if piles | ending:
            opened = opened_by_discard(s, card)
            opens_own = size(opened & own_kind)
            worth = 120 * opens_own - cost_of_helping(opened, waiting, waiting_2, waiting_3)
            if piles:
                more = 25 - last_play if from_hand else -30
                score = max(score, score_of(piles, worth + more, source, single, single_2, single_3))
            if ending:
                worth -= 0 if opens_own else cost_of_ending
                piles = ending & s.empty
                if piles:
                    score = max(score, score_of(piles, worth - 10, source, single, single_2, single_3))
                piles ^= ending
                if piles:
                    score = max(score, score_of(piles, worth - 20, source, single, single_2, single_3))
    return PLAY_MASK ^ score & PLAY_MASK if score > LEAST else NO_PLAY


@kernel
def stock_top(s, p):
    """The stockpile card of a seat, which everybody sees."""
    return s.stock[8 * p + s.stock_counts[p] - 1]


@kernel
def first_of(piles):
    """The lowest pile of a non-empty set."""
    return PILE_OF_BIT[(piles & -piles) * DE_BRUIJN >> 27 & 31]


@kernel
def score_of(piles, worth, source, single, single_2, single_3):
    """The score of the best play from a source to one of ``piles``: each rival that loses its single pile adds 50."""
    if piles & single:
        piles &= single
        worth += 50
        if piles & single_2:
            piles &= single_2
            worth += 50
            if piles & single_3:
                piles &= single_3
                worth += 50
    return worth << 10 | PLAY_MASK ^ (SOURCE * source | first_of(piles))


@kernel
def cost_of_helping(opened, waiting, waiting_2, waiting_3):
    """The cost of opening kinds: 60 for each rival that is waiting for one."""
    opened &= waiting
    return 60 * (size(opened) + size(opened & waiting_2) + size(opened & waiting_3)) if opened else 0


@kernel
def opened_by_build(card):
    """The kinds, as bits, that a card would take on a build pile: the Ace, one step above and one below.

    A card that completes the pile counts the same, though it leaves an empty pile.
    """
    k = kind(card)  # 2 and 3 are the Aces' kinds; kinds of one colour are two bits apart
    return 4 << (card & 1) | 4 << k | 1 << k >> 2


@kernel
def opened_by_discard(s, card):
    """The kinds, as bits, that a card would take on a discard pile: one step above and below, of the other colour."""
    v = value(card)
    other_colour = 1 - (card & 1)
    return 1 << 2 * above(s, v) + other_colour | 1 << 2 * below(s, v) + other_colour if v > 1 else 0


@kernel
def can_play_on(s):
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
    """By seat, how many cards it has played from its stockpile."""
    for p in range(s.players):
        out[p] = s.stock_size - s.stock_counts[p]


# Rollouts: the hooks of ``kibitz.search.rollout_kernels``


NEARNESSES, STOCKPILE_SIZES = 6, 8
"""How many values of ``nearness`` the weights distinguish, 0 to 5, and how many sizes of a stockpile, 1 to 8."""
WEIGHTS = tuple(map(int, files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").split()))
"""The weights at the beginning of a turn: for each number of turns until a seat moves, a row for each number of its
stockpile cards, with a weight for each value of ``nearness``. ``python -m tools.bo_weights`` fits them."""

ROLLOUT_TRIES = 40
"""How many plays a search for a turn tries in simulated games."""
STOCKPILE_TRIES = 100
"""How many plays a search tries that only looks for a way to play the stockpile card."""
WORK_PER_GAME = 140
"""How much a simulated game adds to ``WORK`` on average."""
FITS = 3
"""In ``nearness``, more piles than this count as this many."""


@kernel
def find_plans(s, scratch, max_plans):
    """Note up to ``max_plans`` of the most promising plans, the best first; return how many.

    If the rivals are so slow that ``set_parameters`` chooses greedy's WIDTH, only marshal's own plan is noted.
    Simulated games would mislead: there the rivals play like ``greedy``, better than they really do.
    """
    n = find_all_plans(s, scratch)
    if scratch[WIDTH] == GREEDY[WIDTH]:
        return 1
    n_noted = 0
    for j in range(n):
        if n_noted < max_plans and (j == 0 or not is_repeated(s, scratch, j)):
            for k in range(3):
                scratch[BEST_LEAVES + 3 * n_noted + k] = scratch[BEST_LEAVES + 3 * j + k]
            n_noted += 1
    return n_noted


@kernel
def find_all_plans(s, scratch):
    """Note all plans, the best first, including those that only use another empty pile; return how many."""
    prepare(s, scratch, True, MAX_LEAVES, MAX_TRIES, SKIP_NOTHING)
    scratch[WORK] = 0
    return look_ahead(s, scratch)


@kernel
def is_repeated(s, scratch, j):
    """Whether a plan fills an empty pile while a lower one of the same kind stays empty: another plan is equivalent."""
    i = scratch[BEST_LEAVES + 3 * j + 1]
    play = scratch[BEST_LEAVES + 3 * j + 2]
    filled = 0
    while i or play != NONE:
        if play != NONE:
            filled |= 1 << play % SOURCE
        play = scratch[LAST_PLAY + i] if i else NONE
        i = scratch[PARENT + i] if i else 0
    used = s.empty & filled
    unused = s.empty & ~filled
    return skips_pile(used & BUILD, unused & BUILD) or skips_pile(used & ~BUILD, unused & own_empty_discards(s))


@kernel
def skips_pile(used, unused):
    """Whether the lowest unused pile comes before the highest used one."""
    return unused != 0 and unused & -unused < used


@kernel
def write_plan(s, scratch, j, out, at):
    """Write the plays of a noted plan into ``out[at:]``; return how many."""
    return plays_to(scratch, j, out, at)


@kernel
def rollout_plays(s, seat, scratch, out):
    """Write the plays of the seat to move in a simulation for ``seat``; return how many."""
    prepare(s, scratch, s.player == seat, 1, ROLLOUT_TRIES, SKIP_LONGER)
    look_ahead(s, scratch)
    return plays_to(scratch, 0, out, 0)


@kernel
def prepare(s, scratch, as_marshal, max_leaves, tries, skipped):
    """Prepare a search with the parameters of marshal or of greedy; ``skipped`` is one of the SKIP constants."""
    if as_marshal:
        set_parameters(s, scratch)
    else:
        for k in range(PARAMETERS):
            scratch[k] = GREEDY[k]
    scratch[LEAF_LIMIT] = max_leaves
    scratch[TRY_LIMIT] = tries
    scratch[SKIP_MODE] = skipped


@kernel
def work_done(scratch):
    """The work since the plans were noted, measured in simulated games of usual length."""
    return scratch[WORK] // WORK_PER_GAME


@kernel
def turns_ahead(s):
    """How many turns are played after a plan's own: until it is the same seat's turn again."""
    return s.players - 1


@kernel
def winning_chance(s, seat, scratch, one):
    """A seat's chance to win, times ``one``, at the beginning of a turn or the end of the game."""
    if s.over:
        return one if s.winner == seat else 0
    own_weight = 0
    total = 0
    for k in range(s.players):
        p = (s.player + k) % s.players
        nearness = fit_count(s, p) if k else plays_to_stockpile(s, seat, scratch)
        weight = WEIGHTS[NEARNESSES * (STOCKPILE_SIZES * k + s.stock_counts[p] - 1) + nearness]
        total += weight
        if p == seat:
            own_weight = weight
    return one * own_weight // total


@kernel
def fit_count(s, p):
    """How many piles take the stockpile card of a seat, FITS at most."""
    return min(FITS, size(s.accepts[kind(s.stock[8 * p + s.stock_counts[p] - 1])]))


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
