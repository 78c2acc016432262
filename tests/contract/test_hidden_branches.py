"""A branch that no position covers is named, in whatever kind of code it is hidden."""

import importlib
import linecache
import os
import sys

import pytest

from kibitz.cli.games import new_game_files
from kibitz.engine import registry
from kibitz.engine.contract import Violation, coverage

NEVER = "1 if draws == -5 else 0"
HIDING = {
    "a cached function": f"""
from functools import cache
@cache
def odd(draws):
    return {NEVER}
""",
    "a partial function": f"""
from functools import partial
def both(one, draws):
    return {NEVER}
odd = partial(both, 1)
""",
    "a wrapped function": f"""
from functools import wraps
def quiet(function):
    @wraps(function)
    def called(*arguments):
        return function(*arguments)
    return called
@quiet
def odd(draws):
    return {NEVER}
""",
    "a static method": f"""
class Odd:
    @staticmethod
    def it(draws):
        return {NEVER}
def odd(draws):
    return Odd.it(draws)
""",
    "a cached property": f"""
from functools import cached_property
class Odd:
    def __init__(self, draws):
        self.draws = draws
    @cached_property
    def it(self):
        draws = self.draws
        return {NEVER}
def odd(draws):
    return Odd(draws).it
""",
    "an object of the module": f"""
class Odd:
    def __call__(self, draws):
        return {NEVER}
odd = Odd()
""",
    "a table of functions": f"""
def seldom(draws):
    return {NEVER}
TABLE = {{"odd": [seldom]}}
def odd(draws):
    return TABLE["odd"][0](draws)
""",
    "a function of kinds": f"""
from functools import singledispatch
@singledispatch
def odd(draws):
    return {NEVER}
""",
    "a comparison": """
def odd(draws):
    return (0, 1)[draws == -5]
""",
    "an exception": """
def odd(draws):
    try:
        return 0 // (draws + 5)
    except ZeroDivisionError:
        return 1
""",
    "a function without def": f"""
odd = lambda draws: {NEVER}
""",
}


@pytest.fixture
def follow(tmp_path, monkeypatch):
    """Makes the kit's game with additional code in its view module that ``advance`` calls."""
    monkeypatch.setattr(registry, "_added", {})
    monkeypatch.setattr(registry, "_typed_paths", {})
    monkeypatch.setattr(registry, "_load_errors", {})
    monkeypatch.setenv(registry.PATHS, "")
    caches = (registry.bundled_packages, registry.offered_packages, registry.extra_names, registry.variants)
    for cached in caches:
        cached.cache_clear()

    def make_game(hiding):
        for path, content in new_game_files("follow").items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.name == "view.py":
                before = "    p, stock = s.player, s.stock\n"
                assert before in content
                content = content.replace(before, f"{before}    odd(s.draws)\n")
                content = content.replace("\n\n\nclass ", f"\n\n{hiding}\n\nclass ", 1)
            file.write_text(content)
        importlib.invalidate_caches()
        linecache.checkcache()
        return registry.add_package(tmp_path)[0]

    yield make_game
    for cached in caches:
        cached.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "follow"]:
        del sys.modules[name]
    os.environ.pop(registry.PATHS, None)


@pytest.mark.parametrize("kind", HIDING)
def test_a_branch_is_found_or_its_function_is_flagged(follow, kind):
    functions = coverage.event_functions_of(follow(HIDING[kind]))
    found = coverage.branches_of(functions)
    known = any("draws == -5, true" in each or "except ZeroDivisionError" in each for each in found)
    assert known or any(map(coverage.has_unrecordable_branches, functions))


def test_code_that_coverage_cannot_see_is_refused(follow):
    from kibitz.engine.contract import completeness

    with pytest.raises(Violation, match="coverage can't record the branch of a lambda or comprehension"):
        completeness.everything_occurs(follow(HIDING["a function without def"]))


def test_code_without_branches_may_have_any_form(follow):
    functions = coverage.event_functions_of(follow("odd = lambda draws: draws + 1"))
    assert not any(map(coverage.has_unrecordable_branches, functions))
