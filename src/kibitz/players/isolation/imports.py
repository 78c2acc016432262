"""One player's files as Python modules, imported from memory; nothing is read from a disk.

    files       names and contents, the main file first; the caller runs it, and the others run when imported
    codes       the compiled code of files, by file name
    shown name  a file's name in tracebacks: its path if ``folder`` is given

Helpers have the same module names as in the player's folder: ``common``, or ``tools.search``, where ``tools`` is a
package with or without an ``__init__.py``.  Only the standard library is needed here, because the player's process
loads this module.
"""

import codecs
import linecache
import sys
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from io import BytesIO
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

ENCODINGS = ("utf-8", "utf-8-sig", "iso8859-1", "ascii")
UTF_16 = b"\xff\xfe", b"\xfe\xff"


class LoadError(Exception):
    """The file can't be loaded."""


if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # ``importlib.abc`` imports more than a player's process needs


class Importer(Loader):
    """Finds and loads the helpers of one player; it is in ``sys.meta_path`` while the player runs."""

    def __init__(self, files: Sequence[tuple[str, bytes]], codes: dict[str, CodeType], folder: str = "") -> None:
        self.files, self.codes, self.folder = dict(files), codes, folder
        self.main = files[0][0]
        self.modules: dict[str, ModuleType] = {}
        for name in self.files:
            linecache.cache[self.shown_name(name)] = (lambda name=name: self.text(name),)

    def shown_name(self, name: str) -> str:
        """The name of a file in tracebacks."""
        return self.folder + name

    def text(self, name: str) -> str:
        """A file as text. Raises LoadError if it can't be decoded as UTF-8, or in the encoding that it declares."""
        return decoded(self.files[name], "The file" if name == self.main else name)

    def code(self, name: str) -> CodeType:
        """A file's compiled code. Raises SyntaxError or LoadError if it can't be compiled."""
        if name not in self.codes:
            with warnings.catch_warnings():
                # Warnings would be printed only in a file's first game, because later games reuse the code.
                warnings.simplefilter("ignore")
                self.codes[name] = compile(self.text(name), self.shown_name(name), "exec", dont_inherit=True)
        return self.codes[name]

    def compile_all(self) -> None:
        """Compile all files. An error in a helper is raised only when that helper is imported."""
        for name in self.files:
            try:
                self.code(name)
            except (SyntaxError, ValueError, LoadError):
                if name == self.main:
                    raise

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of a module, if it is one of the player's."""
        base = fullname.replace(".", "/")
        for name, is_package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if name in self.files and name != self.main:
                spec = ModuleSpec(
                    fullname, self, origin=self.shown_name(name), loader_state=name, is_package=is_package
                )
                spec.has_location = True
                return spec
        if any(name.startswith(f"{base}/") for name in self.files):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let Python make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run a helper as its module; a folder without an ``__init__.py`` has nothing to run."""
        name = module.__spec__.loader_state if module.__spec__ else None
        if name:
            exec(self.code(name), module.__dict__)

    def get_source(self, fullname: str) -> str | None:
        """The text of a module, for ``inspect``."""
        spec = self.find_spec(fullname)
        return self.text(spec.loader_state) if spec and spec.loader_state else None

    @contextmanager
    def importable(self, main: str, module: ModuleType) -> Iterator[None]:
        """A context in which the player's modules can be imported, also its main ``module`` under the name ``main``."""
        before = set(sys.modules) - {main}
        self.install(main, module)
        try:
            yield
        finally:
            sys.meta_path.remove(self)
            new_modules = {name: sys.modules[name] for name in set(sys.modules) - before}
            self.modules = {
                name: loaded for name, loaded in new_modules.items() if self.owns(loaded) or loaded is module
            }
            for name in self.modules:
                del sys.modules[name]

    def install(self, main: str, module: ModuleType) -> None:
        """Make the player's modules importable from now on."""
        sys.meta_path.insert(0, self)
        sys.modules.update(self.modules)
        sys.modules[main] = module
        name = self.main.removesuffix(".py")
        if name.isidentifier() and name not in sys.stdlib_module_names:
            sys.modules.setdefault(name, module)  # a helper may import the file that imports it

    def owns(self, module: ModuleType) -> bool:
        """Whether a module is one of the player's helpers."""
        spec = getattr(module, "__spec__", None)
        return isinstance(spec, ModuleSpec) and spec.loader is self


def decoded(content: bytes, file_name: str) -> str:
    """A file's bytes as Python reads them (PEP 263, a byte order mark).

    Raises LoadError with the line if they can't be.

    Other encodings than ``ENCODINGS`` are refused: some of them turn what people read as a comment into code.
    """
    if content.startswith(UTF_16):
        raise LoadError(f"{file_name} is UTF-16 text: save it as UTF-8.")
    if b"\0" in content:
        raise LoadError(f"{file_name} holds binary data, not text: submit your Python file.")
    declaration_error = ""
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
    except SyntaxError as error:
        encoding, declaration_error = "utf-8", error.msg
    if codecs.lookup(encoding).name not in ENCODINGS:
        raise LoadError(f"{file_name} declares the encoding {encoding[:40]!r}: save it as UTF-8.")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        encoding_name = encoding.removesuffix("-sig").upper()
        raise LoadError(
            f"{file_name} is not {encoding_name} text: look at line {line}, and save it as UTF-8."
        ) from None
    if declaration_error:
        raise LoadError(f"{file_name} cannot be read: {declaration_error}.")
    return text
