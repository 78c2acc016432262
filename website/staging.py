"""What Zensical is given: every page of ``docs``, and whatever they lead to, in one folder.

    home        the repository; all paths are relative to it, with ``/``
    place       where something stands in the site

A link to a file that is no page leads to a page that shows it, a link to a folder to a list of what is in it, so that
everything can be read without the repository.  A link that leads nowhere ends the build.
"""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from website import games, markdown

DOCS = PurePosixPath("docs")
PICTURES = (".svg", ".png", ".webp", ".jpg")
LANGUAGES = {".py": "python", ".mjs": "javascript", ".toml": "toml", ".json": "json"}
LARGEST = 200_000
"""Bytes of a file that is shown as a page."""


class DeadLink(ValueError):
    """A link that leads nowhere."""


class Stage:
    """The pages of a site as they come together."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.pages: dict[str, str] = {}
        self.pictures: dict[str, Path] = {}
        self.waiting: list[PurePosixPath] = []

    def take(self, path: PurePosixPath) -> str:
        """Have a file or a folder of the repository shown; its place in the site."""
        place = self.place(path)
        if path.suffix in PICTURES:
            self.pictures[place] = self.home / path
        elif place not in self.pages:
            self.pages[place] = ""
            self.waiting.append(path)
        return place

    def place(self, path: PurePosixPath) -> str:
        """Where something of the repository stands in the site."""
        inside = path.is_relative_to(DOCS) and (path.suffix in (".md", *PICTURES) or (self.home / path).is_dir())
        there = path.relative_to(DOCS) if inside else PurePosixPath("source") / path
        if (self.home / path).is_dir():
            return str(there / "index.md")
        if there.name == "README.md":
            return str(there.with_name("index.md"))
        return str(there) if there.suffix in (".md", *PICTURES) else f"{there}.md"

    def fill(self) -> None:
        """Write every page that something leads to."""
        while self.waiting:
            self.page(self.waiting.pop())

    def page(self, path: PurePosixPath) -> None:
        """Write the page of a file or a folder, with links as they are in the site."""
        place, full = self.place(path), self.home / path
        base = path if full.is_dir() else path.parent
        if full.is_dir():
            text = self.folder(path)
        elif path.suffix == ".md":
            text = games.with_rules(full.read_text(encoding="utf-8"))
        else:
            text = shown(path, full)
        self.pages[place] = markdown.relinked(text, lambda target: self.link(base, place, target))

    def link(self, base: PurePosixPath, place: str, target: str) -> str:
        """The target of a link as it is in the site; DeadLink where nothing is."""
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return target
        found = PurePosixPath(posixpath.normpath(base / path))
        if found.parts[0] == ".." or not (self.home / found).exists():
            raise DeadLink(f"{base}: the link to {target} leads nowhere.")
        there = self.take(found)
        return posixpath.relpath(there, posixpath.dirname(place) or ".") + mark + anchor

    def folder(self, path: PurePosixPath) -> str:
        """The page of a folder: what its README says, and links to what that leaves out."""
        readme = self.home / path / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.is_file() else f"# {path}\n"
        rest = [name for name in self.tracked(path) if name != "README.md" and f"]({name})" not in text]
        listed = [f"* [{self.name(path / name)}]({name})" for name in rest]
        return "\n".join([text.rstrip(), "", *listed, ""])

    def name(self, path: PurePosixPath) -> str:
        """What something is called in a list."""
        if path.suffix == ".md":
            return markdown.title_of((self.home / path).read_text(encoding="utf-8")) or path.name
        return f"`{path.name}`"

    def tracked(self, path: PurePosixPath) -> list[str]:
        """The names of what the repository has in a folder, folders with one at least."""
        asked = ["git", "ls-files", "-co", "--exclude-standard", "--", str(path)]
        ran = subprocess.run(asked, cwd=self.home, capture_output=True, text=True, check=True)
        return sorted({PurePosixPath(line).relative_to(path).parts[0] for line in ran.stdout.splitlines()})

    def add(self, place: str, text: str) -> None:
        """A page that only the site has."""
        self.pages[place] = text

    def write(self, folder: Path) -> None:
        """Everything into an empty folder."""
        for place, text in self.pages.items():
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(markdown.plainly(text), encoding="utf-8")
        for place, picture in self.pictures.items():
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, target)


def shown(path: PurePosixPath, file: Path) -> str:
    """The page that shows a file."""
    if file.stat().st_size > LARGEST:
        return f"# {path}\n\nThis file is too large to be shown: {file.stat().st_size:,} bytes.\n"
    text = file.read_text(encoding="utf-8", errors="replace")
    ticks = "````" if "```" in text else "```"
    return f"# {path}\n\n{ticks}{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{ticks}\n"


def pages_of(home: Path) -> Iterable[PurePosixPath]:
    """Every page of ``docs``."""
    for folder, _, names in os.walk(home / DOCS):
        for name in sorted(names):
            if name.endswith(".md"):
                yield PurePosixPath((Path(folder) / name).relative_to(home).as_posix())


def staged(home: Path) -> Stage:
    """All pages of the repository's ``docs``, and what they lead to."""
    stage = Stage(home)
    for path in pages_of(home):
        stage.take(path)
    stage.take(DOCS / "decisions")
    stage.take(DOCS / "research")
    stage.take(PurePosixPath("CHANGELOG.md"))
    stage.fill()
    return stage
