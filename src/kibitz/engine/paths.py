"""Packages of games that are named by a path: what is one, where a project has it, how it is imported."""

from __future__ import annotations

import os
import sys
import sysconfig
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from kibitz.errors import NotationError

GROUP = "kibitz.games"
"""The group of entry points by which distributions offer games."""


def is_path(text: str) -> bool:
    """Whether a text means the path of a package of games, not a game's name.

    A path has a slash in it or is ``.``: a folder that is called like a game is never taken for it.
    """
    return "/" in text or os.sep in text or text == "."


def in_project(project: Path) -> Path:
    """The package that a project's pyproject.toml offers as an entry point; NotationError if it offers none."""
    file = project / "pyproject.toml"
    try:
        points = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
        module = str(next(iter(points.values()))).partition(":")[0].replace(".", "/")
    except (KeyError, StopIteration, AttributeError, TypeError):
        raise NotationError(f'{file} offers no games: it needs [project.entry-points."{GROUP}"].') from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotationError(f"{file} cannot be read: {error}.") from None
    return next((at / module for at in (project / "src", project) if (at / module).is_dir()), project / module)


def load(name: str, file: Path) -> None:
    """Import a package of games from its file, if that is not done yet."""
    if name in sys.modules:
        return
    homes_of = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=homes_of)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for part in [part for part in sys.modules if part == name or part.startswith(f"{name}.")]:
            del sys.modules[part]
        raise


def where(error: Exception) -> str:
    """The file and line an error comes from: the last in a game or outside Kibitz and Python, or the last of all."""
    steps = []
    step = error.__traceback__
    while step is not None:
        steps.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}, line {error.lineno})"
    kibitz = Path(__file__).parents[1]
    ours, games = (str(kibitz), sysconfig.get_path("stdlib"), "<"), f"{kibitz / 'games'}{os.sep}"
    theirs = [(file, line) for file, line in steps if file.startswith(games) or not file.startswith(ours)]
    return " ({}, line {})".format(*(theirs or steps)[-1]) if steps else ""
