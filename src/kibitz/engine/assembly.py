"""A game put together from the modules that its package has by convention.

rules, view, words, worlds          always there
form                                where the game has an assignment's form
rules.md                            the rules for people; a package of several games has a text for each
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.resources import files
from random import Random
from typing import Any

from kibitz.engine.game import Game

Strategies = Mapping[str, Callable[[Any, list[int], Random], int]]


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
    rules, view, words, worlds = (import_module(f"{package}.{part}") for part in ("rules", "view", "words", "worlds"))
    home = files(package)
    return Game(
        name=name,
        title=title,
        summary=summary,
        rules=rules,
        options=options,
        words=words,
        view=view.view,
        views=view.views,
        opening=view.opening,
        advance=view.play,
        restore=view.restore,
        result=view.outcome,
        worlds=worlds,
        strategies=strategies,
        form=import_module(f"{package}.form") if home.joinpath("form.py").is_file() else None,
        rules_text=home.joinpath(rules_text).read_text(encoding="utf-8"),
        variant=variant or name.partition("-")[2] or "standard",
        adjustable=adjustable,
        warm=warm,
        by_score=by_score,
    )
