"""An exact search of the rest of a turn: whether it can be ended, and the best way to end it.

    w               the state of the search (see ``search_state``)
    frame           one level of the search: a choice, with the mode that says what is chosen (see ``search_state``)
    at              where a frame begins in ``w``
    face            a rank and suit: two cards with the same face are copies from different packs
    once, twice     bit sets: the faces with at least one copy, and those with two
    limbo           cards that have left their group and aren't in another one yet
    locked          a group that has its final cards
    set             a group of three or more cards of one value

The order of plays makes no difference: a turn is the cards that move, each once, and the resulting table.  So the
search never orders plays.  It takes one invalid group at a time and tries every valid group that it can become
(``repair``).  A repair may put cards into limbo and make other groups invalid.  Once all groups are valid and limbo is
empty, the turn can end, and any further plays begin with a card from the hand: moves without a hand card are never
needed.  These cards come in rising order, so that no combination is tried twice.

Since copies of a face are alike, some sequences that lead to the same table are left out: a group never gets and loses
the same face, and a card in limbo is put down before its copy is taken from elsewhere.

The first half of this module enumerates what an invalid group can become:

    repair          choose what the group becomes: nothing, a set of some value, or a run between two values
    strip_group     move the cards that don't belong there into limbo
    fill_set, fill_run     choose the final cards one by one; missing cards are fetched
    fetch           take a card from limbo if it is there, otherwise from the hand or from another group
    finish_group    the group has its final cards: lock it, and go on with the search

A set or run is not tried if it needs cards that ``obtainable_faces`` doesn't have.  ``is_hopeless`` says whether to
give up; its second argument is the number of invalid groups that are being repaired, 1 in ``repair`` and below, else 0.
"""

from kibitz.cards.sets import lowest, size
from kibitz.games.huxxy.groups import EVEN_CARDS, JOKER, JOKER_BIT, ODD_CARDS, is_valid, values_of
from kibitz.games.huxxy.search_state import (
    ADDED,
    ANY,
    CARD,
    CHOICE,
    EXTRA,
    FETCH,
    FIRST_VALUE,
    FOUND,
    FRAME,
    FRAMES,
    GROUP,
    GROUPS,
    HAND_ONCE,
    INTO_SET,
    INVALID,
    LAST_VALUE,
    LIMBO_ONCE,
    LIMBO_TWICE,
    LOCKED,
    LOST,
    LOWEST_FACE,
    MARK,
    MODE,
    NEXT,
    ONCE,
    PLACE,
    PLAY_CARD,
    PLAYS_LEFT,
    REARRANGE,
    REPAIR,
    RUN,
    SET,
    STEP_LIMIT,
    STEPS_TAKEN,
    SUIT,
    TOP,
    TRAILS,
    TWICE,
    VALUE,
    change,
    is_hopeless,
    may_leave,
    note_validity,
    pop,
    prepare,
    push,
    put_into_group,
    record_end,
    remove,
    take_from_group,
    take_from_hand,
    take_into_limbo,
    undo,
)
from kibitz.kernel import kernel

# Repairs of an invalid group


@kernel
def strip_group(w, g, once, twice):
    """Move all cards of a group into limbo except those in ``once`` and ``twice``; False if that leads nowhere."""
    second_copies = w[TWICE + g] & ~twice
    first_copies = w[ONCE + g] & ~once
    if not may_leave(w, g, second_copies | first_copies) or size(second_copies) + size(first_copies) > w[PLAYS_LEFT]:
        return False
    for cards in (second_copies, first_copies):
        while cards:
            take_into_limbo(w, g, lowest(cards))
            cards &= cards - 1
    return not is_hopeless(w, 1)


@kernel
def finish_group(w, g):
    """Lock a group, which has its final cards, and go on with the search."""
    change(w, INVALID, w[INVALID] & ~(1 << g))
    change(w, LOCKED, w[LOCKED] | 1 << g)
    push(w, NEXT, 0, 0, 0, 0, 0)


@kernel
def obtainable_faces(w, g):
    """The faces that group ``g`` could fetch: from limbo, the hand or another group."""
    faces = w[LIMBO_ONCE]
    if w[PLAYS_LEFT]:
        faces |= w[HAND_ONCE] >> w[LOWEST_FACE] << w[LOWEST_FACE]
        if w[REARRANGE]:
            for other in range(w[GROUPS]):
                if other != g and not w[LOCKED] >> other & 1:
                    faces |= w[ONCE + other] & ~w[ADDED + other]
    return faces & ~w[LOST + g]


@kernel
def repair(w, at):
    """Choose what the invalid group of the frame becomes: nothing, a set of some value, or some run.

    Some of its old cards must stay, or it would be a new group; the only other choice is to empty it. Choices are
    numbered: 0 empties the group, 1 to 13 are the sets, and from 14 on come the runs (see ``next_run``). For example,
    3♦ 4♣ 5♦ with a 4♠ added is invalid. It can become a set of fours (3♦ and 5♦ go into limbo, a third four is
    fetched), a run 3-4-5 (4♣ goes into limbo), or a longer run (a card is fetched, too).

    ``kept`` cards stay, and ``leaving`` cards go, each by one play; ``old`` are the faces that the group had before the
    search.
    """
    g = w[at + GROUP]
    choice = w[at + CHOICE]
    once = w[ONCE + g]
    twice = w[TWICE + g]
    cards = size(once) + size(twice)
    placeable = w[PLAYS_LEFT] + size(w[LIMBO_ONCE]) + size(w[LIMBO_TWICE])  # cards that can still be put down
    old = once & ~w[ADDED + g] | twice
    offered = obtainable_faces(w, g) & ~twice
    if choice == 0:
        choice = 1
        if w[ADDED + g] == 0 and cards <= w[PLAYS_LEFT]:
            w[at + CHOICE] = choice
            if strip_group(w, g, 0, 0):
                finish_group(w, g)
            return
    while choice < 14:
        value = choice - 1
        choice += 1
        mask = 15 << 4 * value | JOKER_BIT
        kept = size(once & mask) + size(twice & mask)
        leaving = cards - kept
        # Skip if too many cards would leave, too few could be put down for a group of three, or no old card would stay.
        if kept == 0 or leaving > w[PLAYS_LEFT] or 3 - kept > placeable - leaving or (old and not old & mask):
            continue
        if kept < 3 and kept + size(offered & mask) < 3:  # a group has three cards
            continue
        w[at + CHOICE] = choice
        if strip_group(w, g, mask, mask):
            push(w, SET, g, 0, value, 0, 0)
        return
    choice = next_run(w, g, choice - 14, placeable, offered)
    if choice < 0:
        pop(w)
        return
    w[at + CHOICE] = choice + 15
    parity = choice // 169
    start = choice // 13 % 13
    end = choice % 13
    span = ((1 << 4 * (end - start + 1)) - 1) << 4 * start
    if strip_group(w, g, once & (ODD_CARDS if parity else EVEN_CARDS) & span | JOKER_BIT, 0):
        push(w, RUN, g, start, start, end, parity)


@kernel
def next_run(w, g, choice, placeable, offered):
    """The first run from ``choice`` on that a group could become, or -1.

    A run has the number ``169 * parity + 13 * first value + last value``. Its colours alternate in one of two ways, its
    parity (see ``groups``), so these three fix a run up to its suits. Values count from 0; ``span`` has the bits of all
    faces from the first value to the last.
    """
    once = w[ONCE + g]
    cards = size(once) + size(w[TWICE + g])
    joker = once >> JOKER
    old = once & ~w[ADDED + g] | w[TWICE + g]
    while choice < 338:
        parity = choice // 169
        inside = once & (ODD_CARDS if parity else EVEN_CARDS)
        kept = size(values_of(inside)) + joker
        if kept == 0 or cards - kept > w[PLAYS_LEFT] or (w[ADDED + g] & ~(inside | JOKER_BIT)):
            choice = 169 * (parity + 1)
            continue
        start = choice // 13 % 13
        end = choice % 13
        if end < start + 2:
            end = start + 2
        present = values_of((once | offered) & (ODD_CARDS if parity else EVEN_CARDS))
        jokers_offered = (once | offered) >> JOKER
        while end < 13:
            span = ((1 << 4 * (end - start + 1)) - 1) << 4 * start
            kept = size(values_of(inside & span)) + joker
            if end - start + 1 - kept > placeable or size(present & span) + jokers_offered < end - start + 1:
                break  # too many cards are missing, and a longer run misses more
            leaving = cards - kept
            if kept and leaving <= w[PLAYS_LEFT] and end - start + 1 - kept <= placeable - leaving:
                if not old or old & (inside & span | JOKER_BIT):
                    return 169 * parity + 13 * start + end
            end += 1
        choice = 169 * parity + 13 * (start + 1)
    return -1


@kernel
def fill_set(w, at):
    """Choose how many copies of one face the set has: as many as there are, one more, or one or two fewer.

    VALUE is the value of the set, SUIT the suit (4: the Joker, 5: done), and EXTRA is 1 if a copy has just been added.
    """
    g = w[at + GROUP]
    value = w[at + VALUE]
    suit = w[at + SUIT]
    choice = w[at + CHOICE]
    if suit == 5:
        pop(w)
        if w[ONCE + g] & ~JOKER_BIT and is_valid(w[ONCE + g], w[TWICE + g]):
            finish_group(w, g)
        return
    if choice == 4:
        pop(w)
        return
    w[at + CHOICE] = choice + 1
    card = 4 * value + suit if suit < 4 else JOKER
    bit = 1 << card
    if choice == 0:
        push(w, SET, g, 0, value, suit + 1, 0)
    elif choice == 1:
        full = w[TWICE + g] | (w[ONCE + g] & JOKER_BIT)  # the faces of which the group takes no more copies
        if not full & bit and obtainable_faces(w, g) & bit:
            push(w, FETCH, g, card, value, suit, INTO_SET)
    elif w[at + EXTRA] == 0 and w[ONCE + g] & bit and may_leave(w, g, bit) and (choice == 2 or w[TWICE + g] & bit):
        if choice == 3:
            take_into_limbo(w, g, card)
        take_into_limbo(w, g, card)
        if not is_hopeless(w, 1):
            push(w, SET, g, 0, value, suit + 1, 0)


@kernel
def fill_run(w, at):
    """Choose what fills one place of the run: a card of either suit of the right colour, or the Joker.

    VALUE is the value of this place, FIRST_VALUE and LAST_VALUE are those of the run's ends; EXTRA is the parity, plus
    2 once a place has the Joker.
    """
    g = w[at + GROUP]
    value = w[at + VALUE]
    choice = w[at + CHOICE]
    extra = w[at + EXTRA]
    if value > w[at + LAST_VALUE]:
        pop(w)
        if w[ONCE + g] & JOKER_BIT and not extra & 2:
            if not may_leave(w, g, JOKER_BIT):
                return
            take_into_limbo(w, g, JOKER)
        finish_group(w, g)
        return
    if choice == 3:
        pop(w)
        return
    w[at + CHOICE] = choice + 1
    first = 4 * value + (value + extra & 1)  # the lower suit of the right colour; the other is two bits up (5 = 101)
    present = w[ONCE + g] & (5 << first)
    if choice == 2:
        # A Joker before the run makes the same group as one after it, unless the run ends with a king.
        if extra & 2 or (value == w[at + FIRST_VALUE] and w[at + LAST_VALUE] < 12):
            return
        card = JOKER
        extra |= 2
    else:
        card = first + 2 * choice
    leaving = present & ~(1 << card)
    if not may_leave(w, g, leaving):
        return
    while leaving:
        take_into_limbo(w, g, lowest(leaving))
        leaving &= leaving - 1
    if w[ONCE + g] >> card & 1:
        if not is_hopeless(w, 1):
            push(w, RUN, g, w[at + FIRST_VALUE], value + 1, w[at + LAST_VALUE], extra)
    elif obtainable_faces(w, g) >> card & 1 and not is_hopeless(w, 1):
        push(w, FETCH, g, card, value, w[at + LAST_VALUE], extra | w[at + FIRST_VALUE] << 2)


@kernel
def fetch(w, at):
    """Fetch CARD for the group of the frame: from limbo if it is there, else from the hand or another group.

    EXTRA is INTO_SET if the group becomes a set; for a run it is the EXTRA of the RUN frame, plus the run's first value
    times 4.
    """
    g = w[at + GROUP]
    card = w[at + CARD]
    bit = 1 << card
    choice = w[at + CHOICE]
    if w[LIMBO_ONCE] & bit:
        if choice:
            pop(w)
            return
        w[at + CHOICE] = 1
        remove(w, LIMBO_ONCE, LIMBO_TWICE, card)
        put_fetched(w, at)
        return
    if choice == 0:
        w[at + CHOICE] = 1
        if w[PLAYS_LEFT] and w[HAND_ONCE] & bit and card >= w[LOWEST_FACE]:
            take_from_hand(w, card)
            put_fetched(w, at)
        return
    source = choice - 1
    if w[REARRANGE] and w[PLAYS_LEFT]:
        while source < w[GROUPS]:
            if source != g and w[ONCE + source] & bit & ~w[ADDED + source] and not w[LOCKED] >> source & 1:
                w[at + CHOICE] = source + 2
                take_from_group(w, source, card)
                note_validity(w, source)
                put_fetched(w, at)
                return
            source += 1
    pop(w)


@kernel
def put_fetched(w, at):
    """Add the fetched card to its group, and go on filling the group."""
    g = w[at + GROUP]
    put_into_group(w, g, w[at + CARD])
    if is_hopeless(w, 1):
        return
    extra = w[at + EXTRA]
    if extra == INTO_SET:
        push(w, SET, g, 0, w[at + VALUE], w[at + SUIT], 1)
    else:
        push(w, RUN, g, extra >> 2, w[at + VALUE] + 1, w[at + LAST_VALUE], extra & 3)


# The search


@kernel
def solve(w, goal, plays_left, min_cards, min_points, rearrange, step_limit):
    """Find the best end of a turn with the hand and the groups in ``w``; return whether there is one.

    Up to ``plays_left`` plays may be made, at least ``min_cards`` of them with cards from the hand, which are worth
    ``min_points`` or more. With ``rearrange``, table cards may move, too; then turns without moves are searched first,
    so that the full search can drop worse ones early. ``step_limit`` bounds the steps of the search (0: no limit).
    """
    w[FOUND] = 0
    w[STEPS_TAKEN] = 0
    for moves in range(rearrange + 1):
        prepare(w, goal, plays_left, min_cards, min_points, moves, step_limit)
        search(w)
        undo(w, TRAILS)
        if goal == ANY and w[FOUND]:
            break
    return w[FOUND]


@kernel
def search(w):
    """Search all ways to complete the turn: FOUND says whether there is one, BEST_ONCE and BEST_TWICE have the best."""
    push(w, NEXT, 0, 0, 0, 0, 0)
    while w[TOP] > FRAMES:
        at = w[TOP] - FRAME
        undo(w, w[at + MARK])
        mode = w[at + MODE]
        if mode == NEXT:
            if choose_next(w, at):
                return
        elif mode == PLAY_CARD:
            play_next_card(w, at)
        elif mode == PLACE:
            place(w, at)
        elif mode == REPAIR:
            repair(w, at)
        elif mode == SET:
            fill_set(w, at)
        elif mode == RUN:
            fill_run(w, at)
        else:
            fetch(w, at)


@kernel
def choose_next(w, at):
    """Repair a group, else place a card from limbo, else note the end and play another card; True to stop."""
    pop(w)
    w[STEPS_TAKEN] += 1
    if w[STEP_LIMIT] and w[STEPS_TAKEN] > w[STEP_LIMIT]:
        return True
    if is_hopeless(w, 0):
        return False
    if w[INVALID]:
        push(w, REPAIR, largest_invalid(w), 0, 0, 0, 0)
    elif w[LIMBO_ONCE]:
        card = lowest(w[LIMBO_ONCE])
        remove(w, LIMBO_ONCE, LIMBO_TWICE, card)
        push(w, PLACE, 0, card, 0, 0, 0)
    else:
        if record_end(w):
            return True
        if w[PLAYS_LEFT] and not is_hopeless(w, 0):
            push(w, PLAY_CARD, 0, 0, 0, 0, 0)
    return False


@kernel
def largest_invalid(w):
    """The invalid group with the most cards: it has the fewest repairs."""
    result = 0
    most = -1
    invalid = w[INVALID]
    while invalid:
        g = lowest(invalid)
        invalid &= invalid - 1
        cards = size(w[ONCE + g]) + size(w[TWICE + g])
        if cards > most:
            result = g
            most = cards
    return result


@kernel
def play_next_card(w, at):
    """Play one more card from the hand: the next one from LOWEST_FACE on."""
    card = w[at + CHOICE]
    if card < w[LOWEST_FACE]:
        card = w[LOWEST_FACE]
    rest = w[HAND_ONCE] >> card
    if rest == 0:
        pop(w)
        return
    card += lowest(rest)
    w[at + CHOICE] = card + 1
    change(w, LOWEST_FACE, card)
    take_from_hand(w, card)
    if not is_hopeless(w, 0):
        push(w, PLACE, 0, card, 0, 0, 0)


@kernel
def place(w, at):
    """Place the card of the frame in each group in turn, and in a new one."""
    card = w[at + CARD]
    bit = 1 << card
    g = w[at + CHOICE]
    while g < w[GROUPS]:
        once = w[ONCE + g]
        full = w[TWICE + g] | (once & JOKER_BIT)
        if once and not full & bit and not w[LOST + g] & bit and not w[LOCKED] >> g & 1:
            break
        g += 1
    if g > w[GROUPS]:
        pop(w)
        return
    w[at + CHOICE] = g + 1
    if g == w[GROUPS]:
        change(w, GROUPS, g + 1)
    put_into_group(w, g, card)
    note_validity(w, g)
    if w[INVALID] == 0:
        push(w, NEXT, 0, 0, 0, 0, 0)
    elif not is_hopeless(w, 0):
        push(w, REPAIR, g, 0, 0, 0, 0)
