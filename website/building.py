"""The whole build: pages come together, Zensical makes HTML of them, and that is hardened.

Strict: a link that leads nowhere, a docstring that cannot be read, a warning of any kind ends the build, and a site
that was there before stays as it was.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import yaml

from website import hardening, reference, staging
from website.staging import Stage

HERE = Path(__file__).resolve().parent
HOME = HERE.parent
OWN = {"kibitz.svg": HOME / "src/kibitz/web/static/pictures/kibitz.svg", "kibitz.css": HERE / "kibitz.css"}
"""Files of the site that are no pages."""
UNUSED = ("404.html", "sitemap.xml", "sitemap.xml.gz", "assets/images/favicon.png", "assets/stylesheets/classic")
"""What Zensical makes and nobody asks for: the server has its own page for what is not there."""
LONGEST = 4000
"""Characters of what Zensical says that are told."""
TROUBLE = re.compile(r"\b(warning|error)\b", re.IGNORECASE)


def build(target: Path, tell: Callable[[str], object] = lambda line: None) -> Path:
    """Build the site into a folder, in place of what is there; ValueError, with what is wrong, if it cannot be."""
    with tempfile.TemporaryDirectory(prefix="kibitz-site-") as name:
        root = Path(name)
        tell("Gathering the pages ...")
        stage = gathered()
        prepare(stage, root)
        tell(f"Building {len(stage.pages)} pages ...")
        zensical(root)
        site = root / "site"
        for unused in UNUSED:
            path = site / unused
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        hardening.harden(site)
        if wrong := list(hardening.faults(site)):
            raise ValueError("\n".join(wrong[:20]))
        notices(site)
        replace(site, target)
    return target


def gathered() -> Stage:
    """All pages: those of ``docs``, what they lead to, and the reference."""
    stage = staging.staged(HOME)
    for place, text in reference.pages(HOME).items():
        stage.add(place, text)
    return stage


def prepare(stage: Stage, root: Path) -> None:
    """Lay out a project for Zensical in an empty folder."""
    stage.write(root / "pages")
    for name, file in OWN.items():
        shutil.copyfile(file, root / "pages" / name)
    settings = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    settings["nav"] = navigation(settings["nav"], stage)
    python = next(each["mkdocstrings"] for each in settings["plugins"] if "mkdocstrings" in each)["handlers"]["python"]
    python["paths"] = [str(HOME / "src")]
    python["options"]["extensions"] = [str(HERE / "docstrings.py")]
    (root / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False, allow_unicode=True), encoding="utf-8")


def navigation(named: list[Any], stage: Stage) -> list[Any]:
    """The navigation with every folder filled, and the pages of ``docs`` that it does not name at its end."""
    filled = [entry_of(entry, stage) for entry in named]
    there = set(places(filled))
    rest = sorted(place for place in stage.pages if place not in there and "/" not in place)
    return [*filled, {"More": rest}] if rest else filled


def entry_of(entry: Any, stage: Stage) -> Any:
    """An entry of the navigation; one that names a folder becomes a list of its pages, the index first."""
    if isinstance(entry, dict):
        return {title: within(inside, stage) for title, inside in entry.items()}
    return entry


def within(inside: Any, stage: Stage) -> Any:
    """What stands below a title."""
    if isinstance(inside, str) and inside.endswith("/"):
        pages = [place for place in stage.pages if place.startswith(inside)]
        listed = sorted(pages, key=lambda place: (not place.endswith("index.md"), place))
        return [named(place) for place in listed] if inside == reference.FOLDER else listed
    if isinstance(inside, list):
        return [entry_of(entry, stage) for entry in inside if not isinstance(entry, str) or entry in stage.pages]
    return inside


def named(place: str) -> Any:
    """The entry of a module's page: its name without what all have in common."""
    module = place.removeprefix(reference.FOLDER).removesuffix(".md")
    return place if module == "index" else {module.removeprefix("kibitz."): place}


def places(entries: Any) -> Iterator[str]:
    """Every page that a navigation names."""
    if isinstance(entries, str):
        yield entries
    for entry in entries.values() if isinstance(entries, dict) else entries if isinstance(entries, list) else ():
        yield from places(entry)


def zensical(root: Path) -> None:
    """Have the pages made; ValueError, with all that was said, if anything is not as it should be."""
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "-f", str(root / "mkdocs.yml")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HOME), str(HOME / "src")]), "NO_COLOR": "1"}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    said = ran.stdout + ran.stderr
    if ran.returncode or TROUBLE.search(said):
        raise ValueError(said.strip()[-LONGEST:] or f"Zensical ended with status {ran.returncode} and said nothing.")


def notices(site: Path) -> None:
    """The licence of what comes from Zensical, beside it."""
    for file in distribution("zensical").files or ():
        if "licen" in file.name.lower() and "dist-info" in str(file):
            shutil.copyfile(Path(str(file.locate())), site / "assets" / "zensical.licence")


def replace(site: Path, target: Path) -> None:
    """Put a site where another one may be."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".site-") as name:
        shutil.copytree(site, Path(name) / "new")
        if target.exists():
            target.rename(Path(name) / "old")
        (Path(name) / "new").rename(target)
