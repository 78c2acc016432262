"""Build the site: ``python -m website [FOLDER]``; without a folder it goes to where ``kibitz serve`` finds it."""

from __future__ import annotations

import sys
from pathlib import Path

from kibitz.web.app import site_folder
from website.building import build


def main(words: list[str]) -> int:
    """Build, and say what came of it."""
    try:
        site = build(Path(words[0]) if words else site_folder(), tell=lambda line: print(line, flush=True))
    except ValueError as error:
        print(f"The site is not built: {error}", file=sys.stderr)
        return 1
    pages = sum(1 for _ in site.rglob("*.html"))
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    print(f"{pages} pages, {size / 1e6:.1f} MB: open {site / 'index.html'}, or /docs of 'kibitz serve'.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
