"""Puts a game together from the modules of its package.

rules, view                 required; defaults for what they leave out come from ``engine.words``,
                            ``engine.infoset_states`` and the kernels below. Where the highest return wins, ``view``
                            needs no ``outcome(s, forfeited)``, only ``why_over(s)``: a sentence on why the game is over
contract                    what the game adds to the contract (``engine.contract``), the checks that every game must
                            pass: its information sets, if hidden cards alone don't define them, and exceptions from
                            coverage
words                       actions as text, sentences, and positions that people type in; small games have these in
                            ``view`` instead
scene                       how its table is drawn; small games have this in ``words`` or ``view``, or use the default
                            (``engine.scene.default_scene``)
policies                    strategies written as kernels. Strategies are listed with the strongest last, so policies
                            come before ``greedy``, or before the last other strategy if there is no ``greedy``
assignment                  the functions that a course publishes for the game: what they are, how the game calls
                            them, and published results (``engine.views.assignment_interface``)
rules.md                    the rules for people; a package of several games has one file for each
lesson.toml                 a guided first hand (``engine.lesson``), if there is one
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import FunctionType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

from kibitz.engine.game import Game, Strategy
from kibitz.engine.infoset_states import InfosetStates
from kibitz.engine.kernels.hooks import legal_mask, refusal, why_illegal, worth
from kibitz.engine.kernels.policies import Policy
from kibitz.engine.layout import PlainState
from kibitz.engine.scene.elements import Scenes
from kibitz.engine.views.common_events import earned
from kibitz.engine.views.events import Outcome, highest_score_wins
from kibitz.engine.words import Words
from kibitz.kernel import kernel

if TYPE_CHECKING:
    ACTIONS = 0  # at run time, that of the rules whose kernels are made from these

Strategies = Mapping[str, Strategy]


def first_legal(view: Any, legal: list[int], random: Random) -> int:
    """The first legal action: the only strategy of a game that declares none."""
    return legal[0]


def make_game(
    package: str,
    title: str,
    name: str,
    summary: str,
    options: Mapping[str, int] = MappingProxyType({}),
    strategies: Strategies = MappingProxyType({}),
    option_ranges: Mapping[str, tuple[int, int]] | None = None,
    variant: str = "",
    compile_more: tuple[Callable[[], object], ...] = (),
    rules_text: str = "rules.md",
    *,
    by_score: bool = False,
) -> Game:
    """The game ``name`` of ``package``; by default, its variant is what follows the hyphen in its name.

    ``options`` replaces default values.  ``option_ranges`` has the options that users may set, each with its lowest and
    highest value; by default, every option that declares a range.
    ``Game`` says what the other arguments mean.
    """
    rules, view = (import_module(f"{package}.{part}") for part in ("rules", "view"))
    words = module_in(package, "words") or view
    lesson = files(package) / ("lesson.toml" if rules_text == "rules.md" else f"{Path(rules_text).stem}_lesson.toml")
    policies, assignment = module_in(package, "policies"), module_in(package, "assignment")
    policy_names = getattr(policies, "POLICIES", ())
    declared = list(strategies.items()) or ([] if policy_names else [("first", first_legal)])
    greedy_index = next((i for i, (key, _) in enumerate(declared) if key == "greedy"), len(declared) - 1)
    policy_strategies = [(key, Policy(key)) for key in policy_names if key not in strategies]
    all_strategies: Strategies = dict([*declared[:greedy_index], *policy_strategies, *declared[greedy_index:]])
    provide_kernels(rules, policies)
    ranges = {option.name: option.range for option in rules.OPTIONS if option.range}
    return Game(
        name=name,
        title=title,
        summary=summary,
        rules=rules,
        options={**{option.name: option.default for option in rules.OPTIONS}, **options},
        words=Words.of(words, rules),
        view=view.view,
        views=view.views,
        opening=view.opening,
        advance=view.advance,
        restore=view.restore,
        result=view.outcome if hasattr(view, "outcome") else highest_score_outcome(view.why_over, rules.returns),
        infoset_states=InfosetStates.of(module_in(package, "contract"), rules),
        strategies=all_strategies,
        assignment=assignment if hasattr(assignment, "call") else None,
        rules_text=files(package).joinpath(rules_text).read_text(encoding="utf-8"),
        lesson_text=lesson.read_text(encoding="utf-8") if lesson.is_file() else "",
        variant=variant or name.partition("-")[2] or "standard",
        option_ranges=ranges if option_ranges is None else option_ranges,
        compile_more=compile_more,
        by_score=by_score,
        scenes=Scenes.of(module_in(package, "scene") or words),
        policies=policies,
    )


def highest_score_outcome(
    why_over: Callable[[PlainState], str], returns: Callable[[PlainState, list[int]], object]
) -> Callable[[PlainState, frozenset[int]], Outcome]:
    """The ``outcome`` of a game that leaves it out: the highest return wins, and ``why_over(s)`` says why it ended."""

    def outcome(s: PlainState, forfeited: frozenset[int]) -> Outcome:
        return highest_score_wins(why_over(s), earned(s, returns), forfeited)

    return outcome


def module_in(package: str, name: str) -> ModuleType | None:
    """A module of a package; None if it doesn't exist."""
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None


def variant_of(
    game: Game,
    name: str,
    summary: str,
    option_ranges: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    /,
    **options: int,
) -> Game:
    """The variant ``GAME-name`` of ``game``, with these ``options``; users may set those in ``option_ranges``."""
    full_name = f"{game.name}-{name}"
    all_options = {**game.options, **options}
    return replace(
        game, name=full_name, summary=summary, variant=name, options=all_options, option_ranges=option_ranges
    )


def mini_of(game: Game, summary: str) -> Game:
    """The variant ``GAME-mini``: ``game`` with the ``mini`` values and ranges that its options declare."""
    with_mini_value = [option for option in game.rules.OPTIONS if option.mini is not None]
    ranges = {option.name: option.range if option.mini is None else option.mini_range for option in game.rules.OPTIONS}
    option_ranges = {name: ends for name, ends in ranges.items() if ends}
    return variant_of(game, "mini", summary, option_ranges, **{option.name: option.mini for option in with_mini_value})


# Kernels that a game may leave out. ``legal_mask(s)``, the legal actions as the bits of one integer, is for games with
# at most 62 actions: it gives ``legal``, ``substitute`` and, with ``why_illegal(s, a)``, ``refusal``. Without it,
# ``legal`` and ``substitute`` call ``refusal`` for all actions, many times slower in plain Python. ``choose`` follows
# from ``worth(s, policy, a)``.


@kernel
def legal(s, out):
    """Write the legal actions to ``out``, in ascending order, and return how many there are."""
    n = 0
    for a in range(ACTIONS):
        if refusal(s, a) == 0:
            out[n] = a
            n += 1
    return n


@kernel
def substitute(s):
    """The substitute for a forfeited seat: its first legal action."""
    a = 0
    while refusal(s, a) != 0:
        a += 1
    return a


@kernel
def legal_in_mask(s, out):
    """Write the legal actions to ``out``, in ascending order, and return how many there are."""
    actions = legal_mask(s)
    n = 0
    while actions:
        low = actions & -actions  # the lowest set bit
        out[n] = low.bit_length() - 1
        actions ^= low
        n += 1
    return n


@kernel
def first_in_mask(s):
    """The substitute for a forfeited seat: its first legal action."""
    actions = legal_mask(s)
    low = actions & -actions
    return low.bit_length() - 1


@kernel
def refusal_by_mask(s, a):
    """Why action ``a`` is forbidden now, or 0."""
    if s.over:
        return 1  # OVER and NO_ACTION have the same numbers in all games
    if a < 0 or a >= ACTIONS:
        return 2
    return 0 if legal_mask(s) >> a & 1 else why_illegal(s, a)


@kernel
def choose_by_worth(s, policy, rng, scratch):
    """The legal action with the highest worth, the first of several."""
    n = legal(s, scratch)
    chosen = scratch[0]
    best = worth(s, policy, chosen)
    for i in range(1, n):
        action_worth = worth(s, policy, scratch[i])
        if action_worth > best:
            best = action_worth
            chosen = scratch[i]
    return chosen


FROM_REFUSAL = {"legal": legal, "substitute": substitute}
FROM_MASK = {"legal": legal_in_mask, "substitute": first_in_mask, "refusal": refusal_by_mask}


def provide_kernels(rules: ModuleType, policies: ModuleType | None) -> None:
    """Add the kernels that a game leaves out, as if they had been written in its modules."""
    add_kernels(rules, FROM_MASK if hasattr(rules, "legal_mask") else FROM_REFUSAL)
    if policies is not None and hasattr(policies, "worth"):
        vars(policies).setdefault("legal", rules.legal)
        add_kernels(policies, {"choose": choose_by_worth})


def add_kernels(module: ModuleType, defaults: Mapping[str, Any]) -> None:
    """Add those of the kernels that a module lacks."""
    for name, default in defaults.items():
        if not hasattr(module, name):
            function = FunctionType(default.__code__, vars(module), name)
            function.__module__, function.__doc__ = module.__name__, default.__doc__
            setattr(module, name, kernel(function))
