"""Published evaluators of poker hands, those that are installed: treys, phevaluator, eval7 and PokerKit.

Kibitz needs none of them: ``pip install treys phevaluator eval7`` into the environment adds their figures.
Each is called once a hand from Python, with cards that were converted beforehand to its fastest form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

Evaluate: TypeAlias = Callable[[Any], Any]
NAMES = ("treys", "phevaluator", "eval7", "pokerkit")


def evaluator(name: str, hands: Sequence[Sequence[str]]) -> tuple[Evaluate, list[Any]] | None:
    """An evaluator's function and its hands, from lists of codes such as ``"TH"``; None if it is not installed."""
    if find_spec(name) is None:
        return None
    written = [[code[0] + code[1].lower() for code in hand] for hand in hands]
    return {"treys": treys, "phevaluator": phevaluator, "eval7": eval7, "pokerkit": pokerkit}[name](written)


def treys(hands: list[list[str]]) -> tuple[Evaluate, list[Any]]:
    """Pure Python with tables; lower is better."""
    from treys import Card, Evaluator

    evaluate = Evaluator().evaluate
    return lambda hand: evaluate(hand, []), [[Card.new(card) for card in hand] for hand in hands]


def phevaluator(hands: list[list[str]]) -> tuple[Evaluate, list[Any]]:
    """An extension in C; lower is better."""
    from phevaluator import Card, evaluate_cards

    return lambda hand: evaluate_cards(*hand), [[Card(card) for card in hand] for hand in hands]


def eval7(hands: list[list[str]]) -> tuple[Evaluate, list[Any]]:
    """An extension in Cython; higher is better."""
    from eval7 import Card, evaluate

    return evaluate, [[Card(card) for card in hand] for hand in hands]


def pokerkit(hands: list[list[str]]) -> tuple[Evaluate, list[Any]]:
    """Pure Python: the best hand as an object that compares."""
    from pokerkit import Card, StandardHighHand

    return StandardHighHand.from_game, [list(Card.parse("".join(hand))) for hand in hands]
