"""What a browser is given: pages that keep to the server's content security policy, and load nothing from elsewhere.

    inline      scripts and styles that stand in a page; they move into files of their own
    foreign     addresses of other hosts that a page, a script or a style could load from; scripts lose them

``faults`` is asked of every site that is built, and by the tests: what it finds would be refused by the browser, or be
a request to somebody else.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
from collections.abc import Iterator
from pathlib import Path

HOME = "assets/kibitz"
"""Where what is moved out of pages lies."""
SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
STYLE = re.compile(r"<style>(.*?)</style>", re.S)
ATTRIBUTE = re.compile(r"""(<[a-zA-Z][^<>]*?)\sstyle=("[^"]*"|'[^']*')([^<>]*>)""")
CLASS = re.compile(r"""\sclass=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")[^>]*>|<style|<[a-z][^<>]*\s(?:style|on[a-z]+)="
)
LOADED = re.compile(
    r"<(?:script|img|link|iframe|source|video|audio|embed|object|form|use)\b[^>]*?\b(?:src|srcset|href|data|action)=[\"']?((?:https?:)?//[^\"'\s>]+)"
)
HOST = re.compile(r"(?:https?:|(?<=[\"'`(]))//(?:[\w-]+\.)+[a-z]{2,}[^\s\"'`)]*")
SHADOW = re.compile(r"""(\w+)\.appendChild\(\w+\("style",\{\},(\w+)\.toString\(\)\)\)""")
"""How a script puts a style into a part of the page that it makes; ``ADOPTED`` does the same as the policy allows."""
ADOPTED = r"\1.adoptedStyleSheets=[(s=>(s.replaceSync(\2.toString()),s))(new CSSStyleSheet)]"
NAMES_ONLY = ("http://www.w3.org/", "https://fontawesome.com")
"""Namespaces, and the licence of icons: written down, never asked for."""


def harden(site: Path) -> None:
    """Change all files of a site, as they come from Zensical."""
    for file in sorted(site.rglob("*.html")):
        page = file.read_text(encoding="utf-8")
        file.write_text(hardened(page, site, file), encoding="utf-8")
    for file in [*site.rglob("*.js"), *site.rglob("*.css")]:
        text = file.read_text(encoding="utf-8")
        text = SHADOW.sub(ADOPTED, HOST.sub(lambda found: kept(found[0]), text))
        file.write_text(text, encoding="utf-8")


def kept(address: str) -> str:
    """An address that is only a name, or nothing in place of one that could be loaded."""
    return address if address.startswith(NAMES_ONLY) else "data:,"


def hardened(page: str, site: Path, file: Path) -> str:
    """A page whose scripts and styles lie in files."""
    up = os.path.relpath(site, file.parent)

    def moved(code: str, suffix: str) -> str:
        name = f"{HOME}/{hashlib.sha256(code.encode()).hexdigest()[:12]}.{suffix}"
        target = site / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(code, encoding="utf-8")
        return name if up == "." else f"{up}/{name}"

    rules: dict[str, str] = {}
    page = SCRIPT.sub(lambda found: f'<script src="{moved(found[1], "js")}"></script>', page)
    page = STYLE.sub(lambda found: f'<link rel="stylesheet" href="{moved(found[1], "css")}">', page)
    page = ATTRIBUTE.sub(lambda found: classed(found, rules), page)
    if rules:
        sheet = "".join(f".{name}{{{rule}}}\n" for name, rule in sorted(rules.items()))
        page = page.replace("</head>", f'<link rel="stylesheet" href="{moved(sheet, "css")}"></head>', 1)
    return page


def classed(found: re.Match[str], rules: dict[str, str]) -> str:
    """A tag with a class in place of its style."""
    rule = html.unescape(found[2][1:-1])
    name = f"k{hashlib.sha256(rule.encode()).hexdigest()[:8]}"
    rules[name] = rule
    tag = found[1] + found[3]
    there = CLASS.search(tag)
    if there is None:
        return re.sub(r"^<[\w-]+", lambda head: f'{head[0]} class="{name}"', tag)
    names = next(filter(None, there.groups()), "")
    return f'{tag[: there.start()]} class="{names} {name}"{tag[there.end() :]}'


def faults(site: Path) -> Iterator[str]:
    """A sentence for everything in a site that a browser would refuse, or that would ask another host."""
    for file in sorted(site.rglob("*")):
        where = file.relative_to(site)
        if file.suffix == ".html":
            page = file.read_text(encoding="utf-8")
            yield from (f"{where}: {found[0][:80]} stands in the page." for found in INLINE.finditer(page))
            yield from (f"{where}: {found[1][:80]} is of another host." for found in LOADED.finditer(page))
        elif file.suffix in (".js", ".css"):
            text = file.read_text(encoding="utf-8")
            addresses = (found[0] for found in HOST.finditer(text))
            yield from (f"{where}: names {each[:80]}." for each in addresses if kept(each) != each)
