"""The files that pages load, at paths that contain a hash of them all, so that they never change.

Pages name files by that path alone, so browsers need not ask again for those that they have; a module's imports are
relative and stay below it.  Without the hash, or with that of another version, a browser asks each time.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

VERSION = re.compile(r"[0-9a-f]{16}")
IMPORTED = re.compile(r"""\b(?:import|export)\b[^"'();]*["'](\.[^"']+)["']""")
"""The imports of a module; ``import(...)`` is loaded later."""
FOREVER, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


class Assets(StaticFiles):
    """The files of a folder, with and without their ``version`` in the path."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self.folder = folder
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        whole = sha256()
        for path in files:
            whole.update(f"{path.relative_to(folder).as_posix()}\0".encode() + sha256(path.read_bytes()).digest())
        self.version = whole.hexdigest()[:16]

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file."""
        version, *rest = Path(path).parts
        known = VERSION.fullmatch(version) and rest
        answer = await super().get_response(str(Path(*rest)) if known else path, scope)
        answer.headers["Cache-Control"] = FOREVER if version == self.version else ASK_AGAIN
        return answer


@cache
def modules(folder: Path, name: str) -> tuple[str, ...]:
    """A module below ``folder`` and everything that it imports, directly or not, so that a page can preload them."""
    found = [name]
    for each in found:  # which grows
        path = folder / each
        for imported in IMPORTED.findall(path.read_text(encoding="utf-8")):
            other = (path.parent / imported).resolve().relative_to(folder.resolve()).as_posix()
            if other not in found:
                found.append(other)
    return tuple(found)
