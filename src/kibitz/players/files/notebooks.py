"""Jupyter notebooks as Python source: their code cells in order, without outputs, magics and shell lines.

    source      Python source whose second line names the notebook; comments mark the cells and the omitted lines

An omitted line becomes ``pass``, so that the other lines keep their numbers.  Only cells are read: outputs are
skipped, however large they are.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Container
from pathlib import PurePosixPath
from typing import Literal

import msgspec

from kibitz.errors import NotationError

NOTEBOOK = ".ipynb"
MAX_NOTEBOOK_BYTES = 16 << 20
"""The largest notebook that is read, in bytes, outputs included."""
MAX_CODE_BYTES = 1 << 20
"""The maximum number of bytes of code in a notebook."""
CODING = "# coding: utf-8\n"
HEAD, LEFT_OUT = "# Code cells of ", "# left out: "
PYTHON_MAGICS = ("time", "capture", "prun")
"""Cell magics that run the rest of their cell as Python, in the notebook's namespace."""
MAGIC = re.compile(r"[ \t]*(?:[%!?][^\n]*|[\w., \t\[\]]*=[ \t]*[%!](?!=)[^\n]*|[\w.]+\?{1,2}[ \t]*(?=\n|\Z))")
TOKEN = re.compile(
    r"""(?s)'''(?:\\.|[^\\])*?(?:'''|\Z)|\"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)"""
    r"""|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|\#[^\n]*|\\\r?\n|[(\[{)\]}\n]|[^'"\#\\(\[{)\]}\n]+|\\"""
)
"""A token of Python, just precise enough to find the ends of statements."""
LONGEST_SHOWN, MAX_SHOWN = 60, 5


class Cell(msgspec.Struct, frozen=True):
    """A cell of a notebook."""

    cell_type: Literal["code", "markdown", "raw"]
    source: msgspec.Raw


class Language(msgspec.Struct, frozen=True):
    """A notebook's programming language."""

    language: str = "python"


class Metadata(msgspec.Struct, frozen=True):
    """The part of a notebook's metadata that is read."""

    kernelspec: Language = msgspec.field(default_factory=Language)


class Notebook(msgspec.Struct, frozen=True):
    """The part of a notebook (format version 4) that is read."""

    cells: list[Cell]
    metadata: Metadata = msgspec.field(default_factory=Metadata)


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook, by its name."""
    return path.endswith(NOTEBOOK)


def python_name(path: str, used_names: Container[str] = ()) -> str:
    """A file's name as Python: a notebook's ends in ``.py``, or in ``_notebook.py`` if that name is in use."""
    if not is_notebook(path):
        return path
    name = f"{path.removesuffix(NOTEBOOK)}.py"
    return f"{path.removesuffix(NOTEBOOK)}_notebook.py" if name in used_names else name


def python_of(content: bytes, path: str) -> bytes:
    """A file as Python source, whether it is a notebook or already Python.

    Raises NotationError for a damaged notebook.
    """
    return python_source(content, path) if is_notebook(path) else content


def python_source(content: bytes, path: str) -> bytes:
    """The code of a notebook as a Python file. Raises NotationError if the notebook can't be read."""
    name = "".join(c if c.isprintable() else "?" for c in PurePosixPath(path).name)
    too_much = f"{name!r} holds more than {MAX_CODE_BYTES >> 20} MiB of code, the limit for a player."
    try:
        notebook = msgspec.json.decode(content, type=Notebook)
        sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        # JSON may take four bytes for a byte of code; the comments around a cell take up to 100 bytes.
        if sum(map(len, sources)) + 100 * len(sources) > 4 * MAX_CODE_BYTES:
            raise NotationError(too_much)
        code = ["".join(msgspec.json.decode(source, type=str | list[str])) for source in sources]
    except msgspec.ValidationError as error:
        raise NotationError(f"{name!r} isn't a notebook of version 4: save it again in Jupyter.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotationError(f"{name!r} isn't a notebook: its JSON is damaged. Save it again in Jupyter.") from error
    language = notebook.metadata.kernelspec.language
    if language.lower() != "python":
        raise NotationError(f"{name!r} is a notebook in {language[:20]}: Python is needed.")
    if sum(map(len, code)) > MAX_CODE_BYTES:
        raise NotationError(too_much)
    parts = [f"{CODING}{HEAD}{name}\n"]
    parts += [f"\n# %% cell {number}\n{without_magics(source)}\n" for number, source in enumerate(code, start=1)]
    return "".join(parts).encode()


def without_magics(cell: str) -> str:
    """A cell without IPython's own syntax."""
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    if cell.lstrip().startswith("%%"):
        head, _, rest = cell.lstrip().partition("\n")
        if head[2:].partition(" ")[0] not in PYTHON_MAGICS:
            return replacement_line(head)
        return f"{replacement_line(head)}\n{without_magics(rest)}"
    parts, position, depth, at_start = [], 0, 0, True
    while position < len(cell):
        if at_start and (magic := MAGIC.match(cell, position)):
            parts.append(replacement_line(magic[0]))
            position, at_start = magic.end(), False
            continue
        found = TOKEN.match(cell, position)
        assert found is not None
        parts.append(found[0])
        position = found.end()
        depth = max(0, depth + (found[0] in "([{") - (found[0] in ")]}"))
        at_start = found[0] == "\n" and not depth
    return "".join(parts)


def replacement_line(line: str) -> str:
    """The ``pass`` line, with a comment, that replaces an omitted line."""
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass  {LEFT_OUT}{line.strip()}"


def notebook_name(content: bytes) -> str:
    """The name of the notebook that a Python file was made from; empty if there was none."""
    start = f"{CODING}{HEAD}".encode()
    return content[len(start) :].partition(b"\n")[0].decode() if content.startswith(start) else ""


def with_notebook_name(content: bytes, name: str) -> bytes:
    """A Python file made from a notebook, with another name for the notebook; any other file unchanged."""
    old = notebook_name(content)
    return content.replace(f"{HEAD}{old}\n".encode(), f"{HEAD}{name}\n".encode(), 1) if old else content


def author_note(content: bytes) -> str:
    """A note for a notebook's author on the Python file made from it; empty for any other file."""
    name = notebook_name(content)
    if not name:
        return ""
    omitted = [f"{cell}: {line[:LONGEST_SHOWN]}" for cell, line in lines_left_out(content)]
    more = f" and {len(omitted) - MAX_SHOWN} more" * (len(omitted) > MAX_SHOWN)
    exceptions = f", except {'; '.join(omitted[:MAX_SHOWN])}{more}" if omitted else ""
    return f"The code cells of {name} were used{exceptions}."


def lines_left_out(content: bytes) -> list[tuple[str, str]]:
    """The omitted lines of a Python file made from a notebook, each with the name of its cell in front."""
    lines, cell = [], ""
    for line in content.decode().splitlines():
        cell = line.removeprefix("# %% ") if line.startswith("# %% cell ") else cell
        if line.lstrip().startswith(f"pass  {LEFT_OUT}"):
            lines.append((cell, line.partition(LEFT_OUT)[2]))
    return lines


def with_missing_names(sentence: str, content: bytes) -> str:
    """An error sentence on an undefined name, with the omitted line of the notebook that sets it, if there is one."""
    name = re.search(r"name '(\w+)' is not defined", sentence)
    if name is None or not notebook_name(content):
        return sentence
    for cell, line in lines_left_out(content):
        if name[1] in re.findall(r"\w+", line.partition("=")[0]) and "=" in line:
            without_guess = re.sub(r" Did you [^?]*\?$", "", sentence)
            return (
                f"{without_guess} A line that only Jupyter understands sets {name[1]} ({cell}: {line[:LONGEST_SHOWN]})."
            )
    return sentence


def with_cell_lines(text: str, main: str, content: bytes) -> str:
    """An error text that counts lines within cells, if the Python file was made from a notebook."""
    if not (name := notebook_name(content)):
        return text
    cell_starts = [
        number for number, line in enumerate(content.decode().splitlines(), start=1) if line.startswith("# %% cell ")
    ]

    def cell_and_line(match: re.Match[str]) -> str:
        line = int(match[2])
        cell = bisect_left(cell_starts, line)
        return f"{match[1]}cell {cell}, line {line - cell_starts[cell - 1]}" if cell else match[0]

    text = re.sub(rf'(File "{re.escape(main)}", )line (\d{{1,9}})', cell_and_line, text)
    text = text.replace(f'File "{main}"', f'File "{name}"')
    return re.sub(r"^(The file isn't valid Python: .* in )line (\d{1,9})(?=\.$)", cell_and_line, text)


def file_text(path: str, source: str) -> str:
    """The content of a file with this name and Python source: for a notebook, JSON with a cell for each function."""
    return notebook_text(source) if is_notebook(path) else source


def notebook_text(source: str) -> str:
    """A Python file as a notebook: its docstring as text, and a code cell for each function."""
    doc, _, code = source.removeprefix('"""').partition('"""')
    chunks = [chunk.strip("\n") for chunk in re.split(r"\n{3,}", code) if chunk.strip()]
    no_outputs: dict[str, object] = {"execution_count": None, "outputs": []}
    cells: list[dict[str, object]] = [{"cell_type": "markdown", "metadata": {}, "source": doc.strip()}]
    cells += [{"cell_type": "code", "metadata": {}, "source": chunk, **no_outputs} for chunk in chunks]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
