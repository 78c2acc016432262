"""The chance to win from every score, by going back from the end over whole deals that were played.

    row         one deal: its scores in the order in which they are pegged, those of the dealer as positive numbers and
                those of the other seat as negative ones, ended by 0; two of one seat in a row are one.  Behind them
                stand the sums, at OF_DEALER and OF_OTHER
    chance      by the dealer's and the other seat's score, TARGET times the one and the other: the dealer's chance

Whoever has TARGET first wins, in the middle of a row as at its end; after a row nobody has won with, the other seat
deals.  Every deal scores, so the chances after it are known before those at its start are asked for.
"""

from kibitz.games.cribbage.counting import JACK, show_points
from kibitz.games.cribbage.dealing import COUNT_OVER, CRIB, NON_DEALER, NONE, PLAYING
from kibitz.games.cribbage.pegging import best_card
from kibitz.games.cribbage.playing import end_count, fitting, play, say_go
from kibitz.games.cribbage.practice import begin_play
from kibitz.games.cribbage.rules import HEELS
from kibitz.games.cribbage.scoring import shown
from kibitz.kernel import kernel

TARGET = 121
ROW = 26
OF_DEALER, OF_OTHER = ROW - 2, ROW - 1


@kernel
def play_rows(s, scores, crib, pegs, weights, out, rows, shows, key, first, last):
    """Play deals ``first`` to ``last - 1`` and write their rows, and count what hands and cribs score.

    ``shows`` has SHOWS places for the hand of the seat that did not deal, the dealer's, and the crib.
    """
    for i in range(first, last):
        row = rows[i - first]
        begin_play(s, scores, crib, pegs, key, i, NONE, 0)
        n = note(row, 0, HEELS if s.starter >> 2 == JACK else 0)
        while s.phase == PLAYING or s.phase == COUNT_OVER:
            before = s.pegs[s.dealer] - s.pegs[1 - s.dealer]
            if s.phase == COUNT_OVER:
                end_count(s)
            elif fitting(s, s.player):
                play(s, best_card(s, s.player, weights, out))
            else:
                say_go(s)
            n = note(row, n, s.pegs[s.dealer] - s.pegs[1 - s.dealer] - before)
        for phase in range(NON_DEALER, CRIB + 1):
            points = show_points(shown(s, phase), s.starter, 1 if phase == CRIB else 0)
            shows[phase - NON_DEALER, points] += 1
            n = note(row, n, -points if phase == NON_DEALER else points)
        row[n] = 0
        sum_up(row)


@kernel
def sum_up(row):
    """Write the sums of a row at its end."""
    row[OF_DEALER] = 0
    row[OF_OTHER] = 0
    n = 0
    while row[n]:
        row[OF_DEALER if row[n] > 0 else OF_OTHER] += abs(row[n])
        n += 1


@kernel
def note(row, n, points):
    """Write points behind the ``n`` numbers of a row, or add them to the last; how many there are then."""
    if points == 0:
        return n
    if n and (row[n - 1] > 0) == (points > 0):
        row[n - 1] += points
        return n
    row[n] = points
    return n + 1


@kernel
def go_back(rows, first, last, chance):
    """Write the dealer's chance to win from every score, the deals being rows ``first`` to ``last - 1``, equally."""
    for total in range(2 * TARGET - 2, -1, -1):
        for dealer in range(max(0, total - TARGET + 1), min(total, TARGET - 1) + 1):
            other = total - dealer
            won = 0.0
            for i in range(first, last):
                won += after(rows[i], dealer, other, chance)
            chance[dealer * TARGET + other] = won / (last - first)


@kernel
def after(row, dealer, other, chance):
    """The chance of the seat that deals, once a deal has gone as a row says."""
    if dealer + row[OF_DEALER] < TARGET and other + row[OF_OTHER] < TARGET:
        return 1.0 - chance[(other + row[OF_OTHER]) * TARGET + dealer + row[OF_DEALER]]
    n = 0
    while row[n]:
        if row[n] > 0:
            dealer += row[n]
            if dealer >= TARGET:
                return 1.0
        else:
            other -= row[n]
            if other >= TARGET:
                return 0.0
        n += 1
    return 1.0 - chance[other * TARGET + dealer]
