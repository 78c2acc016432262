"""The state of a search for turns: one array of integers, ``w``, and the functions that change it.

    group       two bit sets in ONCE and TWICE (see ``groups``); ADDED and LOST have the faces put into it and taken
                from it
    limbo       cards that have left their group and aren't in another one yet; a move counts as a play when they leave
    frame       one level of the search: a choice, with the mode that says what is chosen
    trail       the values that changes have overwritten, so that a frame can restore everything for its next choice

The upper-case names are indices of ``w``, unless their docstrings say otherwise.  ``turn_search`` is the search itself.
"""

from kibitz.cards.sets import size
from kibitz.games.huxxy.groups import JOKER, is_valid, points, worth
from kibitz.kernel import kernel

SLOTS = 48
"""The maximum number of groups of a search, empty ones included."""
ONCE, TWICE, ADDED, LOST = 0, SLOTS, 2 * SLOTS, 3 * SLOTS
"""The table as two bit sets per group, and the faces put into each group and taken from it."""
BEST_ONCE, BEST_TWICE = 4 * SLOTS, 5 * SLOTS
"""The table of the best end."""
ORDER = 6 * SLOTS
"""The faces of the hand, the ones that the goal values most first."""
SCALARS = ORDER + 53
GROUPS, PLAYS_LEFT, HAND_ONCE, HAND_TWICE, LIMBO_ONCE, LIMBO_TWICE, LOCKED, INVALID = range(SCALARS, SCALARS + 8)
"""How many groups there are and how many plays are left; the hand and limbo, as two bit sets each; the locked groups
(see ``turn_search``) and the invalid groups, as bits."""
LOWEST_FACE, PLACED, POINTS, GOAL_VALUE = range(SCALARS + 8, SCALARS + 12)
"""The lowest face that may still be played from the hand; the number of hand cards played, their points, and how much
the goal values them."""
MIN_CARDS, MIN_POINTS, GOAL, REARRANGE, STEP_LIMIT = range(SCALARS + 12, SCALARS + 17)
"""The task: the minimum number of hand cards and of points, the goal, whether table cards may move, and the maximum
number of steps of the search (0: no limit)."""
FOUND, BEST, BEST_GROUPS, STEPS_TAKEN, TOP, TRAIL, FACES = range(SCALARS + 17, SCALARS + 24)
"""Whether an end has been found, how good the best end is and its number of groups; how many steps the search has
taken; where the frames and the trail end; how many faces the hand had."""
FRAMES = SCALARS + 24
FRAME = 8
MODE, GROUP, CARD, VALUE, SUIT, EXTRA, CHOICE, MARK = range(FRAME)
"""Places in a frame: its mode, group and card; a value and a suit; EXTRA, which SET, RUN and FETCH frames use
differently (``fill_set``, ``fill_run``, ``fetch``); the next choice; where the trail ended when the frame began."""
FIRST_VALUE, LAST_VALUE = CARD, SUIT
"""What a RUN frame has in place of a card and a suit."""
TRAILS = FRAMES + 256 * FRAME
SEARCH_SIZE = TRAILS + 2048

ANY, CARDS, POINTS_PLAYED, WORTH_LEFT = range(4)
"""The goals: any end at all; the most cards; the most points; the least worth left in hand."""
VALUE_SCALE = 64
"""An end is as good as VALUE_SCALE times what the goal values it, plus the plays left: of ends that the goal values
equally, the one with the fewest plays is best."""

NEXT, PLAY_CARD, PLACE, REPAIR, SET, RUN, FETCH = range(7)
"""The modes of frames: choose_next, play_next_card, place, repair, fill_set, fill_run and fetch handle them."""
INTO_SET = 64
"""The EXTRA of a FETCH frame that fetches a card for a set, not for a run."""


@kernel
def goal_value(goal, card):
    """How much a goal values a card played from the hand; the smaller summand breaks ties."""
    if goal == WORTH_LEFT:
        return 64 * worth(card) + 1
    if goal == POINTS_PLAYED:
        return 64 * points(card) + 1
    return 4096 + worth(card)


@kernel
def prepare(w, goal, plays_left, min_cards, min_points, rearrange, step_limit):
    """Prepare a search of the groups and the hand that are already in ``w``; the best end found so far is kept."""
    for i in range(LIMBO_ONCE, FOUND):
        w[i] = 0
    w[TOP] = FRAMES
    w[TRAIL] = TRAILS
    w[PLAYS_LEFT] = plays_left
    w[MIN_CARDS] = min_cards
    w[MIN_POINTS] = min_points
    w[GOAL] = goal
    w[REARRANGE] = rearrange
    w[STEP_LIMIT] = step_limit
    for g in range(SLOTS):
        w[ADDED + g] = 0
        w[LOST + g] = 0
        if g >= w[GROUPS]:
            w[ONCE + g] = 0
            w[TWICE + g] = 0
        elif not is_valid(w[ONCE + g], w[TWICE + g]):
            w[INVALID] |= 1 << g
    w[FACES] = 0
    for i in range(53):
        card = (51 - i) % 53 if goal == POINTS_PLAYED else 52 - i
        if w[HAND_ONCE] >> card & 1:
            w[ORDER + w[FACES]] = card
            w[FACES] += 1


@kernel
def push(w, mode, group, card, value, suit, extra):
    """Begin a new frame."""
    at = w[TOP]
    w[at + MODE] = mode
    w[at + GROUP] = group
    w[at + CARD] = card
    w[at + VALUE] = value
    w[at + SUIT] = suit
    w[at + EXTRA] = extra
    w[at + CHOICE] = 0
    w[at + MARK] = w[TRAIL]
    w[TOP] = at + FRAME


@kernel
def pop(w):
    """End the last frame."""
    w[TOP] -= FRAME


@kernel
def change(w, i, value):
    """Set ``w[i]``, and note its old value on the trail: the current frame restores it before its next choice."""
    trail = w[TRAIL]
    w[trail] = i
    w[trail + 1] = w[i]
    w[TRAIL] = trail + 2
    w[i] = value


@kernel
def undo(w, mark):
    """Undo all changes since the trail ended at ``mark``."""
    trail = w[TRAIL]
    while trail > mark:
        trail -= 2
        w[w[trail]] = w[trail + 1]
    w[TRAIL] = trail


@kernel
def insert(w, once, twice, card):
    """Add a card to the bit sets at ``once`` and ``twice``."""
    bit = 1 << card
    if w[once] & bit:
        change(w, twice, w[twice] | bit)
    else:
        change(w, once, w[once] | bit)


@kernel
def remove(w, once, twice, card):
    """Take a card from the bit sets at ``once`` and ``twice``."""
    bit = 1 << card
    if w[twice] & bit:
        change(w, twice, w[twice] ^ bit)
    else:
        change(w, once, w[once] ^ bit)


@kernel
def note_validity(w, g):
    """Note whether a group is valid."""
    if is_valid(w[ONCE + g], w[TWICE + g]):
        change(w, INVALID, w[INVALID] & ~(1 << g))
    else:
        change(w, INVALID, w[INVALID] | 1 << g)


@kernel
def put_into_group(w, g, card):
    """Add a card to a group; ``note_validity`` must follow."""
    insert(w, ONCE + g, TWICE + g, card)
    change(w, ADDED + g, w[ADDED + g] | 1 << card)


@kernel
def take_from_group(w, g, card):
    """Take a card from a group, as one play; ``note_validity`` must follow."""
    remove(w, ONCE + g, TWICE + g, card)
    change(w, LOST + g, w[LOST + g] | 1 << card)
    change(w, PLAYS_LEFT, w[PLAYS_LEFT] - 1)


@kernel
def take_into_limbo(w, g, card):
    """Move a card from a group into limbo, as one play."""
    take_from_group(w, g, card)
    insert(w, LIMBO_ONCE, LIMBO_TWICE, card)


@kernel
def take_from_hand(w, card):
    """Take a card from the hand, as one play."""
    remove(w, HAND_ONCE, HAND_TWICE, card)
    change(w, PLAYS_LEFT, w[PLAYS_LEFT] - 1)
    change(w, PLACED, w[PLACED] + 1)
    change(w, POINTS, w[POINTS] + points(card))
    change(w, GOAL_VALUE, w[GOAL_VALUE] + goal_value(w[GOAL], card))


@kernel
def may_leave(w, g, cards):
    """Whether all of ``cards`` may leave a group: each card moves once, so they must not have been put there."""
    return cards == 0 or (w[REARRANGE] and not w[ADDED + g] & cards)


@kernel
def is_hopeless(w, in_repair):
    """Whether no end can be reached from here, or no better one than the best found.

    A move can repair two groups (the one it leaves and the one it goes to), a card from the hand or from limbo only
    one.  ``in_repair`` invalid groups are already being repaired.  First the plays that invalid groups need are set
    aside; then all other plays go to the most valuable hand cards, which bounds the points and the value of any end.
    """
    cards_left = w[PLAYS_LEFT]  # how many hand cards can still be played
    if cards_left < 0:
        return True
    invalid = size(w[INVALID]) - in_repair - size(w[LIMBO_ONCE]) - size(w[LIMBO_TWICE])
    if invalid > 2 * cards_left:
        return True
    if invalid > cards_left:
        # m moves and h hand cards with m + h = plays left repair 2m + h >= invalid, so h <= 2 * plays left - invalid
        cards_left = 2 * cards_left - invalid
    if w[PLACED] + cards_left < w[MIN_CARDS]:
        return True
    if w[MIN_POINTS] <= w[POINTS] and not w[FOUND]:
        return False
    max_points = w[POINTS]
    max_value = w[GOAL_VALUE]
    cards = cards_left
    point_cards_left = cards_left  # the same without Jokers, which have no points
    i = 0
    while (cards_left > 0 or point_cards_left > 0) and i < w[FACES]:
        card = w[ORDER + i]
        i += 1
        if w[HAND_ONCE] >> card & 1:
            copies = 1 + (w[HAND_TWICE] >> card & 1)
            if card < JOKER:
                max_points += (copies if copies < point_cards_left else point_cards_left) * points(card)
                point_cards_left -= copies if copies < point_cards_left else point_cards_left
            max_value += (copies if copies < cards_left else cards_left) * goal_value(w[GOAL], card)
            cards_left -= copies if copies < cards_left else cards_left
    cards -= cards_left
    moves = (invalid - cards + 1) // 2 if invalid > cards else 0
    if max_points < w[MIN_POINTS]:
        return True
    return w[FOUND] != 0 and VALUE_SCALE * max_value + w[PLAYS_LEFT] - cards - moves <= w[BEST]


@kernel
def record_end(w):
    """Note the end here if the task allows it and it is the best so far; True if the search can stop."""
    goodness = VALUE_SCALE * w[GOAL_VALUE] + w[PLAYS_LEFT]
    if w[PLACED] < w[MIN_CARDS] or w[POINTS] < w[MIN_POINTS] or (w[FOUND] and goodness <= w[BEST]):
        return False
    w[FOUND] = 1
    w[BEST] = goodness
    w[BEST_GROUPS] = w[GROUPS]
    for g in range(w[GROUPS]):
        w[BEST_ONCE + g] = w[ONCE + g]
        w[BEST_TWICE + g] = w[TWICE + g]
    return w[GOAL] == ANY
