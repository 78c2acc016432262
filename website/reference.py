"""The reference: a page for every module that an example of some page imports, and one for every command.

A module's page is what its docstrings say (mkdocstrings); the page of the commands is what their ``--help`` says.
"""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from types import FunctionType, ModuleType

from kibitz import cli
from kibitz.cli import arena
from website import markdown
from website.staging import pages_of

IMPORT = re.compile(r"^(?:>>> |\.\.\. |)(?:from (kibitz[\w.]*) import (.+)|import (kibitz[\w.]*))", re.M)
BESIDES = (
    "kibitz.engine.scene",
    "kibitz.engine.views.observation",
    "kibitz.engine.views.events",
    "kibitz.errors",
    "kibitz.kernel",
)
"""Modules that pages tell of without an example."""
FOLDER = "reference/"
WIDTH = 88
"""Columns of what a command says."""


def modules(home: Path) -> list[str]:
    """The names of all modules that examples of pages import, and of some besides, ``kibitz`` first."""
    found = {"kibitz", *BESIDES}
    for path in [home / "README.md", *(home / page for page in pages_of(home))]:
        for fence in markdown.FENCE.finditer(path.read_text(encoding="utf-8")):
            if fence["language"].strip() == "python":
                found |= set(imported(fence["body"]))
    return sorted(found)


def imported(source: str) -> Iterable[str]:
    """The modules that a piece of Python imports from Kibitz."""
    for package, names, whole in IMPORT.findall(source):
        if whole:
            yield whole
            continue
        inner = [f"{package}.{name.strip()}" for name in names.split(",")]
        there = [name for name in inner if is_module(name)]
        yield from there
        if len(there) < len(inner):
            yield package


def is_module(name: str) -> bool:
    """Whether there is a module of this name."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def pages(home: Path) -> dict[str, str]:
    """The pages of the reference by their places in the site."""
    names = modules(home)
    found = {f"{FOLDER}{name}.md": page_of(importlib.import_module(name)) for name in names}
    found[f"{FOLDER}index.md"] = "\n".join(
        ["# Modules", "", *(f"* [`{name}`]({name}.md): {summary(importlib.import_module(name))}" for name in names), ""]
    )
    found["commands.md"] = commands()
    return found


def summary(module: ModuleType) -> str:
    """The first line of what a module says of itself."""
    return markdown_line((module.__doc__ or "").strip().split("\n")[0])


def markdown_line(text: str) -> str:
    """A line of a docstring as Markdown."""
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def page_of(module: ModuleType) -> str:
    """The page of a module: all that it defines; of a package that shows what others define, all that it shows."""
    name = module.__name__
    shown = [getattr(module, each) for each in getattr(module, "__all__", ())]
    told = [each for each in shown if isinstance(each, type | FunctionType) and each.__module__.startswith("kibitz")]
    members = [f"{each.__module__}.{each.__qualname__}" for each in told]
    head = f"# {name}\n\n::: {name}\n"
    if not members or all(member.rpartition(".")[0] == name for member in members):
        return head + "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
    options = "    options:\n      members: false\n      show_root_heading: false\n      show_root_toc_entry: false\n"
    return head + options + "".join(f"\n::: {member}\n" for member in dict.fromkeys(members))


def commands() -> str:
    """What every command's help says."""
    lines = ["# Commands", "", "What `kibitz COMMAND --help` says, of every command.", ""]
    for name, what in cli.COMMANDS.items():
        if name != "arena":
            lines += section(name, what)
    for name, what in arena.COMMANDS.items():
        lines += section(f"arena {name}", what)
    return "\n".join(lines)


def section(command: str, what: str) -> list[str]:
    """The part of the page that tells of one command."""
    return [f"## kibitz {command}", "", f"{what[:1].upper()}{what[1:]}.", "", "```text", helped(command), "```", ""]


def helped(command: str) -> str:
    """What the help of a command says."""
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="utf-8")
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(WIDTH)
    try:
        with redirect_stdout(stream):
            cli.main([*command.split(), "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    stream.flush()
    return buffer.getvalue().decode("utf-8").strip("\n")
