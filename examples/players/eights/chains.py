"""Looks for the longest chain of its cards that can be laid one after another, as if nobody else played."""

DEEPEST = 6


def fits(card, on):
    return card[0] == on[0] or card[1] == on[1]


def chain(last, cards, depth=0):
    """How many of the cards can follow the last one, each on the one before."""
    if depth == DEEPEST:
        return 0
    return max([1 + chain(card, without(card, cards), depth + 1) for card in cards if fits(card, last)], default=0)


def without(card, cards):
    return [other for other in cards if other != card]


def play(view, legal):
    eights = [card for card in view.hand if card[0] == '8']
    plain = [card for card in view.hand if card[0] != '8']
    if view.calling:
        def follow(word):
            firsts = [card for card in plain if card[1] == word[0].upper()]
            return max([1 + chain(card, without(card, plain)) for card in firsts], default=0)

        return max(legal, key=follow)
    cards = [action for action in legal if action in plain]
    if cards:
        return max(cards, key=lambda card: chain(card, without(card, plain)))
    # An eight loses fifty if it stays: play it before drawing once somebody is nearly out.
    playable = [action for action in legal if action in eights]
    if playable and (min(view.counts) <= 3 or 'draw' not in legal):
        return playable[0]
    return 'draw' if 'draw' in legal else (playable or legal)[0]
