"""Marking the functions that assignments ask for, beside the tournament that their players enter.

    assignment  the functions that a course asks for: ``go``, ``bo``, ``huxxy``, ``cribbage-lab``, ``poker``
    case        one call of a function with a judge of what comes of it
    edge case   what is hard about a case, in words: a run that an Ace fills, a tie, an empty list
    published   cases that the assignment shows; all others are hidden, and drawn by edge case from a seed
    plan        which functions are asked, with which weights, cases and limits
    outcome     what came of a function's cases, raw; marks are made of it by a plan
    mark        what a function is worth, times the share of its hidden cases that are right

Modules in the order of the work: ``assignments`` and ``cases``, ``asking`` (one submission), ``marker`` (a class),
``results``, ``feedback``, ``platforms`` and ``folder``; for students: ``handout``.
"""
