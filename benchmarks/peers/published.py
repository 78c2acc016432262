"""Published programs in Python, each measured if it is installed; Kibitz needs none of them.

poker evaluators    treys, phevaluator, eval7 and PokerKit: ``pip install treys phevaluator eval7 pokerkit``.  Each is
                    called once a hand from Python, with cards that were converted beforehand to its fastest form.
PokerKit's hands    random hands of heads-up no-limit hold'em: cards come from its own shuffled pack; fold, call, the
                    least raise and the all-in are equally likely where legal
cribbage scorers    ``pip install cribbage pycribbage cribbage-scorer``
Pgx's games         stepped with random legal actions on the device that JAX finds: ``pip install pgx "jax[cuda13]"``
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, TypeAlias

from benchmarks.harness import Probe, cpu_rate, rate

Evaluate: TypeAlias = Callable[[Any], Any]
EVALUATORS = ("treys", "phevaluator", "eval7", "pokerkit")


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


STACK, SMALL, BIG = 1000, 5, 10


def pokerkit_hands() -> Probe | None:
    """A probe: hands a second, or None where PokerKit is not installed."""
    if find_spec("pokerkit") is None:
        return None
    from pokerkit import Automation, NoLimitTexasHoldem

    random = Random(1)
    new_hand = NoLimitTexasHoldem(tuple(Automation), True, 0, (SMALL, BIG), BIG)

    def play() -> int:
        state = new_hand((STACK, STACK), 2)
        while state.status:
            acts = [state.check_or_call]
            if state.can_fold():
                acts.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                most = state.max_completion_betting_or_raising_to_amount
                acts += [state.complete_bet_or_raise_to, partial(state.complete_bet_or_raise_to, most)]
            random.choice(acts)()
        return 1

    return cpu_rate(play)


Scorer = Callable[[Sequence[int], int], int]
"""From four cards and the starter, as Kibitz's numbers 0 to 51, to the points of the hand."""

SCORERS = {"cribbage": "cribbage", "pycribbage": "pycribbage", "cribbage-scorer": "cribbage_scorer"}
"""The packages and the modules that they install."""


def scorers() -> dict[str, Scorer]:
    """The scorers that are installed, by package."""
    makers = {"cribbage": _cribbage, "pycribbage": _pycribbage, "cribbage-scorer": _cribbage_scorer}
    return {name: makers[name]() for name, module in SCORERS.items() if find_spec(module) is not None}


def missing_scorers() -> list[str]:
    """The packages that are not installed."""
    return [name for name, module in SCORERS.items() if find_spec(module) is None]


def _cribbage() -> Scorer:
    from cribbage.card import Card
    from cribbage.score import score_hand

    their_cards = [Card(13 * (card & 3) + (card >> 2)) for card in range(52)]

    def score(hand: Sequence[int], starter: int) -> int:
        return int(score_hand([their_cards[card] for card in hand], their_cards[starter]))

    return score


def _pycribbage() -> Scorer:
    from pycribbage.deck_tools import Card, Hand
    from pycribbage.scorer import ScoreTheShow

    def score(hand: Sequence[int], starter: int) -> int:
        their_hand = Hand()
        for card in (*hand, starter):
            their_hand.add_card(Card(card & 3, (card >> 2) + 1))
        their_hand.count()
        return int(ScoreTheShow(their_hand).score)

    return score


def _cribbage_scorer() -> Scorer:
    from cribbage_scorer.cribbage_scorer import show_calc_score

    def score(hand: Sequence[int], starter: int) -> int:
        cards = [((card >> 2) + 1, "DCHS"[card & 3]) for card in hand]
        return int(show_calc_score(((starter >> 2) + 1, "DCHS"[starter & 3]), cards)[0])

    return score


AT_ONCE = 10
"""Steps that are compiled into one call."""


def pgx_steps(name: str, n: int) -> Probe | None:
    """A probe: steps a second of ``n`` games side by side, dealt again where they end; None without Pgx or a name."""
    if not name or find_spec("pgx") is None:
        return None
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init))

    def turn(state_and_key: Any, _: None) -> Any:
        state, key = state_and_key
        key, choice, chance = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return (step(state, jax.random.categorical(choice, odds), jax.random.split(chance, n)), key), None

    play = jax.jit(lambda carry: jax.lax.scan(turn, carry, None, length=AT_ONCE)[0])
    lanes: list[Any] = []

    def several() -> int:
        if not lanes:
            lanes.append((jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), n)), jax.random.key(2)))
        lanes[0] = jax.block_until_ready(play(lanes[0]))
        return n * AT_ONCE

    return rate(several)
