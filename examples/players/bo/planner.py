"""COMP10001-Bo: searches the plays of this turn for a way to the stockpile, and leaves a good table behind.

It tries sequences of hand and discard-pile plays, shorter ones first, until one lets the stockpile card be
played. If there is none, it picks the way to end the turn after which most piles take its own stockpile card,
fewest take the next players' cards, and many different cards can be played at all.
"""

VALUES = 'A234567890JQK'
MAX_TRIED = 400
WHERE = [(owner, k) for owner in range(4) for k in range(4)]


def number(card):
    return VALUES.index(card[0]) + 1


def is_red(card):
    return card[1] in 'HD'


def fits(card, build, pile):
    """Whether the card fits, without ending the turn; build says which kind of pile it is."""
    if build:
        if not pile:
            return card[0] in '2K'
        if is_red(card) != is_red(pile[-1]):
            return False
        return card[0] == 'A' or abs(number(card) - number(pile[-1])) == 1
    if not pile or card[0] == 'A' or is_red(card) == is_red(pile[-1]):
        return False
    return abs(number(card) - number(pile[-1])) in (1, 11)


def places(card, table):
    """The numbers of the piles that take the card: 0 to 3 are the build piles, then come the 16 discard piles."""
    return [i for i in range(20) if fits(card, i < 4, table[i])]


def put(table, card, i):
    """The table after the card is put on pile i."""
    table = list(table)
    if i < 4 and table[i] and card[0] in '2KA':
        table[i] = ()
    else:
        table[i] = table[i] + (card,)
    return table


def as_place(i):
    return (0, i) if i < 4 else (1, WHERE[i - 4])


def moves(table, hand):
    """All plays with hand cards and discard piles that do not end the turn: (play, new table, new hand)."""
    found = []
    for card in sorted(set(hand)):
        for i in places(card, table):
            rest = list(hand)
            rest.remove(card)
            found.append(((0, card, as_place(i)), put(table, card, i), rest))
    for j in range(4, 20):
        if table[j]:
            card = table[j][-1]
            for i in places(card, table):
                if i != j:
                    less = list(table)
                    less[j] = less[j][:-1]
                    found.append(((1, (card, WHERE[j - 4]), as_place(i)), put(less, card, i), hand))
    return found


def goodness(table, hand, stock, others):
    """How good the table is for me when my turn ends: others are the next players' stockpile cards."""
    good = 30 * (1 - 0.45 ** len(places(stock, table)))
    for weight, card in zip((14, 11, 9), others):
        good -= weight * (1 - 0.5 ** len(places(card, table)))
    good += 4 * len([v for v in VALUES for s in 'SH' if places(v + s, table)]) / 2
    for card in hand:
        good -= 2
        if fits(card, False, [stock]):
            good += 8
    return good


def comp10001bo_play(player_no, hand, stockpiles, discard_piles, build_piles, play_history):
    stock = stockpiles[player_no][0]
    others = [stockpiles[(player_no + i) % 4][0] for i in (1, 2, 3)]
    table = [tuple(pile) for pile in build_piles] + [tuple(pile) for piles in discard_piles for pile in piles]
    made = 0
    for who, play in reversed(play_history):
        if who != player_no:
            break
        made += 1
    left = 5 - made

    # 1. the shortest way to play the stockpile card
    waiting = [(None, table, list(hand), left)]
    met = set()
    tried = 0
    for first, now, held, plays in waiting:
        open_piles = places(stock, now)
        if open_piles:
            return first or (2, stock, as_place(open_piles[0]))
        if plays <= 1 or tried > MAX_TRIED:
            continue
        for play, then, rest in moves(now, held):
            tried += 1
            key = (tuple(pile[-1:] for pile in then), tuple(sorted(rest)))
            if key not in met:
                met.add(key)
                waiting.append((first or play, then, rest, plays - 1))

    # 2. the best of: one more play that changes the table, or a card that ends the turn
    best, choice = None, None
    for play, then, rest in moves(table, hand):
        if play[0] == 0 and left > 1:       # makes room for a new card, and the turn goes on
            good = goodness(then, rest, stock, others) + 4
            if best is None or good > best:
                best, choice = good, play
    for card in sorted(set(hand)):
        if card[0] == 'A':
            continue
        rest = list(hand)
        rest.remove(card)
        for i in range(4, 20):
            owner = WHERE[i - 4][0]
            if fits(card, False, table[i]) or not table[i] and owner != player_no:
                continue
            good = goodness(put(table, card, i), rest, stock, others) + (3 if not table[i] else 0)
            if best is None or good > best:
                best, choice = good, (0, card, as_place(i))
    if choice is None:
        possible = moves(table, hand)
        choice = possible[0][0] if possible else (3, None, (None, None))
    return choice
