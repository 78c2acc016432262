"""Checks or calls whatever comes, and keeps pairs when cards are drawn: it plays every poker game here."""


def play(view, legal):
    if view.drawing:
        ranks = [card[0] for card in view.hand]
        thrown = [card for card in view.hand if ranks.count(card[0]) == 1][:3]
        return 'discard ' + ' '.join(thrown) if thrown else 'pat'
    return 'check' if 'check' in legal else 'call'
