"""All commands and their parameters, from the command line's own registry.

New commands and options are therefore tested without changes here.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from cyclopts import Parameter

from kibitz.cli import MODULES, arena, completion


class CommandParameter(NamedTuple):
    """A parameter: its option names, its types, and whether it is required and an option."""

    name: str
    words: tuple[str, ...]
    kinds: tuple[type, ...]
    needed: bool
    option: bool

    @property
    def number(self) -> bool:
        return bool({int, float} & set(self.kinds))


def commands() -> dict[str, Any]:
    """Every command name with its function."""
    found: dict[str, Any] = {"completion": completion}
    for home, modules in (("kibitz.cli", MODULES), ("kibitz.cli.arena", arena.MODULES)):
        for module, names in modules.items():
            for name in names:
                if (home, name) != ("kibitz.cli", "arena"):
                    words = f"arena {name}" if home.endswith("arena") else name
                    found[words] = getattr(import_module(f"{home}.{module}"), name.replace("-", "_"))
    return found


def parameters(function: Any) -> list[CommandParameter]:
    """The parameters of a command."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.VAR_KEYWORD:
            continue
        option = each.kind is each.KEYWORD_ONLY
        words = named(hints[each.name]) or (f"--{each.name.replace('_', '-')}",)
        needed = each.default is each.empty
        found.append(
            CommandParameter(each.name, words if option else (), tuple(plain(hints[each.name])), needed, option)
        )
    return found


def named(hint: Any) -> tuple[str, ...]:
    """The option names in an annotation."""
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Parameter) and extra.name:
            return tuple(extra.name)
    return next(filter(None, map(named, get_args(hint))), ()) if get_origin(hint) is not None else ()


def plain(hint: Any) -> list[type]:
    """The plain types in an annotation."""
    if isinstance(hint, type) and get_origin(hint) is None:
        return [hint]
    inner = [hint.__origin__] if hasattr(hint, "__metadata__") else get_args(hint)
    return [kind for part in inner if not isinstance(part, str) for kind in plain(part)]


FILLED = {
    "address": "http://127.0.0.1:9/tables/none",
    "shell": "bash",
    "game": "go",
    "assignment": "go",
    "players": "first",
    "tournament": "go",
    "player": "Ann",
    "match": "go/1",
    "what": "export",
    "name": "go",
    "hand": "5H 6S 7D JC QD KS",
    "output": "/no/folder/x.csv",
}
"""A value for each required parameter, except files."""


def words_of(command: str, function: Any, **given: str) -> list[str]:
    """A command with all required parameters; KeyError for one that has no value yet."""
    filled = {**FILLED, **given}
    words = command.split()
    for each in parameters(function):
        if each.needed and not each.option and each.name != "hands":
            words.append("kuhn" if each.name == "games" else filled[each.name])
        elif each.name == "hands":
            words += ["AsKs", "QdQc"]
        elif each.needed:
            words += [each.words[0], filled.get(each.name, "1" if each.number else "x")]
        elif each.name == "store":
            words += ["--store", filled["store"]]
    return words
