"""Marks the functions that assignments ask for, independently of the players' tournament.

    assignment  the functions that a course asks for: ``go``, ``bo``, ``huxxy``, ``cribbage-lab``, ``poker``
    case        one call of a function, with a judge of the result
    edge case   a kind of case, named by what is hard about it: a run with an Ace in a gap, a tie, an empty list
    published   cases that the assignment shows; all others are hidden, and drawn with a seed, edge case by edge case
    plan        which functions are called, with which weights, cases and limits
    outcome     the raw results of a function's cases; a plan turns them into marks
    mark        the marks that a function is worth, times the share of its hidden cases that are right

Modules in the order of the work: ``assignments`` and ``cases``, ``case_runner`` (one submission), ``marker`` (a class),
``results``, ``feedback``, ``platforms`` and ``class_marking`` (the folder of marks); for students: ``handout``.
"""
