"""Kuhn and Leduc poker solved exactly from the kernels: their information sets and their published values.

A seat's information set is the list of events that it was shown, so this also checks that events give perfect recall.
The value is that of the linear programme in sequence form (Koller, Megiddo and von Stengel 1996).
"""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
import scipy  # loads its parts on first use

from kibitz.engine.contract.imagination import ScriptedGame
from kibitz.engine.registry import game
from kibitz.engine.views.events import encoded, to_seat


class Tree:
    """The game in sequence form: each sequence of a seat is a parent sequence and one more action."""

    def __init__(self, name):
        self.exact = ScriptedGame(game(name))
        self.game = self.exact.game
        self.sequences = ({(): 0}, {(): 0})
        self.infosets = ({}, {})
        self.payoff = defaultdict(Fraction)
        self.histories = 0
        for weight, state in list(self.exact.deals()):
            heard = tuple(encoded(to_seat(self.game.opening(state), seat)) for seat in (0, 1))
            self.walk(state, weight, heard, [(), ()])

    def walk(self, state, weight, heard, sequence):
        self.histories += 1
        if state.over:
            plays = tuple(self.sequences[seat][sequence[seat]] for seat in (0, 1))
            self.payoff[plays] += weight * Fraction(self.game.returns(state)[0])
            return
        seat = state.player
        place = heard[seat]
        legal = self.game.legal(state)
        before = self.infosets[seat].setdefault(place, (sequence[seat], legal))
        assert before == (sequence[seat], legal), "an information set must fix the seat's own sequence"
        for action in legal:
            extended = (place, action)
            self.sequences[seat].setdefault(extended, len(self.sequences[seat]))
            after = list(sequence)
            after[seat] = extended
            for chance, outcome, told in list(self.exact.outcomes(state, action)):
                after_told = tuple(before + encoded(to_seat(told, p)) for p, before in enumerate(heard))
                self.walk(outcome, weight * chance, after_told, after)

    def flow(self, seat):
        """The matrix and right side of a realisation plan: the root has 1, an action's plans add up to its parent's."""
        rows, columns, values = [0], [0], [1.0]
        for row, (place, (parent, legal)) in enumerate(self.infosets[seat].items(), start=1):
            rows.append(row)
            columns.append(self.sequences[seat][parent])
            values.append(-1.0)
            for action in legal:
                rows.append(row)
                columns.append(self.sequences[seat][place, action])
                values.append(1.0)
        shape = len(self.infosets[seat]) + 1, len(self.sequences[seat])
        return scipy.sparse.coo_matrix((values, (rows, columns)), shape), np.eye(shape[0], 1).ravel()

    def value(self):
        """The expected payoff of the first seat under optimal play."""
        (e, right), (f, other) = self.flow(0), self.flow(1)
        shape = len(self.sequences[0]), len(self.sequences[1])
        payoff = scipy.sparse.coo_matrix(
            ([float(v) for v in self.payoff.values()], tuple(zip(*self.payoff, strict=True))), shape
        ).toarray()
        n, m = shape[0], f.shape[0]
        found = scipy.optimize.linprog(
            np.concatenate([np.zeros(n), -other]),
            A_ub=np.hstack([-payoff.T, f.toarray().T]),
            b_ub=np.zeros(shape[1]),
            A_eq=np.hstack([e.toarray(), np.zeros((e.shape[0], m))]),
            b_eq=right,
            bounds=[(0, None)] * n + [(None, None)] * m,
            method="highs",
        )
        assert found.success
        return -found.fun


def test_kuhn_poker_has_twelve_information_sets_and_is_worth_minus_an_eighteenth():
    tree = Tree("kuhn")
    assert [len(found) for found in tree.infosets] == [6, 6]
    assert tree.value() == pytest.approx(-1 / 18, abs=1e-9)


def test_leduc_poker_has_936_information_sets_and_its_published_value():
    """Published: 936 information sets, and a value of -0.0856 (Southey et al. 2005 and many since)."""
    tree = Tree("leduc")
    assert sum(len(found) for found in tree.infosets) == 936
    assert tree.value() == pytest.approx(-0.0856, abs=5e-5)
