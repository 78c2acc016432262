"""Cribbage from the written rules alone: slow, obvious, and without our kernels.

brute_show  scores a show over every set of the five cards
brute_play  scores a play over every number of latest cards
HandPlayed  one deal, which asks for actions and counts the points of both seats
"""

from itertools import combinations, pairwise


def rank(card):
    return card // 4 + 1


def worth(card):
    return min(rank(card), 10)


def brute_show(hand, starter, crib):
    """The points of a show, rule by rule."""
    five = [*hand, starter]
    sets = [some for n in range(2, 6) for some in combinations(five, n)]
    points = 2 * sum(sum(map(worth, some)) == 15 for some in sets)
    points += 2 * sum(len(some) == 2 and rank(some[0]) == rank(some[1]) for some in sets)
    for n in (5, 4, 3):
        runs = [sorted(map(rank, some)) for some in sets if len(some) == n]
        runs = [run for run in runs if all(high - low == 1 for low, high in pairwise(run))]
        if runs:
            points += n * len(runs)
            break
    if len({card % 4 for card in five}) == 1:
        points += 5
    elif len({card % 4 for card in hand}) == 1 and not crib:
        points += 4
    return points + sum(rank(card) == 11 and card % 4 == starter % 4 for card in hand)


def brute_play(trail):
    """The score of the last card of a count, as (equal cards, length of the run, points)."""
    count = sum(map(worth, trail))
    ranks = [rank(card) for card in trail]
    equal = 1
    for n in range(2, 5):
        if len(ranks) >= n and len(set(ranks[-n:])) == 1:
            equal = n
    run = 0
    for n in range(3, len(ranks) + 1):
        latest = sorted(ranks[-n:])
        if latest == list(range(latest[0], latest[0] + n)):
            run = n
    return equal, run, {1: 0, 2: 2, 3: 6, 4: 12}[equal] + run + 2 * (count in (15, 31))


GO = "go"


class HandPlayed:
    """One deal from the starter on; ``acts(seat)`` gives the action of a seat: a card, or GO."""

    def __init__(self, dealer, hands, crib, starter, pegs, target):
        self.dealer, self.starter, self.target = dealer, starter, target
        self.hands, self.kept, self.crib = [set(hand) for hand in hands], [sorted(hand) for hand in hands], sorted(crib)
        self.pegs = list(pegs)
        self.asked = []

    def won(self):
        return max(self.pegs) >= self.target

    def score(self, seat, points):
        if not self.won():
            self.pegs[seat] = min(self.target, self.pegs[seat] + points)

    def play(self, acts):
        """Score the deal until a seat reaches the target."""
        if rank(self.starter) == 11:
            self.score(self.dealer, 2)
        leader = 1 - self.dealer
        while not self.won() and any(self.hands):
            leader = self.one_count(leader, acts)
        shown = [(1 - self.dealer, 0), (self.dealer, 0), (self.dealer, 1)]
        for seat, crib in shown:
            if not self.won():
                cards = self.crib if crib else self.kept[seat]
                self.score(seat, brute_show(cards, self.starter, crib))

    def one_count(self, seat, acts):
        """Play one count, to 31 or until neither can play; returns who leads the next."""
        trail, gone, last = [], set(), None
        if not self.hands[seat]:
            seat = 1 - seat
        while not self.won() and sum(map(worth, trail)) != 31:
            there = [bool(self.hands[p]) and p not in gone for p in range(2)]
            if not there[seat]:
                seat = 1 - seat
            if not there[seat]:
                break
            able = any(sum(map(worth, trail)) + worth(card) <= 31 for card in self.hands[seat])
            if not able and not there[1 - seat]:
                break
            self.asked.append(seat)
            act = acts(seat)
            if not able:
                assert act == GO
                gone.add(seat)
            else:
                self.hands[seat].remove(act)
                trail.append(act)
                last = seat
                self.score(seat, brute_play(trail)[2])
            seat = 1 - seat
        if sum(map(worth, trail)) != 31:
            self.score(last, 1)
        return 1 - last
