"""A game put together from the modules that its package has by convention.

rules, view, infoset_states always there; what they may leave out is in ``defaults``, ``words`` and ``infoset_states``
words                       where ``view`` does not have the words as well
form                        where the game has an assignment's form
scene                       where the plain table (``engine.scene.declared``) is not good enough
policies                    where the game has strategies that are kernels: they come before its ``greedy`` one,
                            which looks ahead, or before the last of its strategies
rules.md                    the rules for people; a package of several games has a text for each
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from random import Random
from types import MappingProxyType
from typing import Any

from kibitz.engine.defaults import provide
from kibitz.engine.game import Game, Strategy
from kibitz.engine.infoset_states import InfosetStates
from kibitz.engine.policies import Policy
from kibitz.engine.scene.things import Scenes
from kibitz.engine.words import Words

Strategies = Mapping[str, Strategy]


def first(view: Any, legal: list[int], random: Random) -> int:
    """The first legal action: what a game has where it has no other strategy."""
    return legal[0]


def assembled(
    package: str,
    title: str,
    name: str,
    summary: str,
    options: Mapping[str, int],
    strategies: Strategies,
    adjustable: Mapping[str, tuple[int, int]],
    variant: str = "",
    warm: tuple[Callable[[], object], ...] = (),
    rules_text: str = "rules.md",
    *,
    by_score: bool = False,
) -> Game:
    """The game ``name`` of ``package``; its variant is what follows the hyphen in its name, unless it is given."""
    rules, view, infoset_states = (import_module(f"{package}.{part}") for part in ("rules", "view", "infoset_states"))
    words = import_module(f"{package}.words") if find_spec(f"{package}.words") else view
    home = files(package)
    policies = import_module(f"{package}.policies") if home.joinpath("policies.py").is_file() else None
    own = list(strategies.items()) or [("first", first)]
    place = next((place for place, (each, _) in enumerate(own) if each == "greedy"), len(own) - 1)
    named = [(each, Policy(each)) for each in getattr(policies, "POLICIES", ()) if each not in strategies]
    known: Strategies = dict([*own[:place], *named, *own[place:]])
    provide(rules)
    return Game(
        name=name,
        title=title,
        summary=summary,
        rules=rules,
        options=options,
        words=Words.of(words, int(rules.ACTIONS)),
        view=view.view,
        views=view.views,
        opening=view.opening,
        advance=view.play,
        restore=view.restore,
        result=view.outcome,
        infoset_states=InfosetStates.of(infoset_states),
        strategies=known,
        form=import_module(f"{package}.form") if home.joinpath("form.py").is_file() else None,
        rules_text=home.joinpath(rules_text).read_text(encoding="utf-8"),
        variant=variant or name.partition("-")[2] or "standard",
        adjustable=adjustable,
        warm=warm,
        by_score=by_score,
        scenes=Scenes.of(import_module(f"{package}.scene")) if find_spec(f"{package}.scene") else Scenes(),
        policies=policies,
    )


def variant_of(
    game: Game,
    name: str,
    summary: str,
    adjustable: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    /,
    **options: int,
) -> Game:
    """A variant ``GAME-name`` with other options than ``game``, of which those in ``adjustable`` can be chosen."""
    chosen = {**game.options, **options}
    called = f"{game.name}-{name}"
    return replace(game, name=called, summary=summary, options=chosen, variant=name, adjustable=adjustable)
