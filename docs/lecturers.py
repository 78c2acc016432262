"""Makes the class that ``docs/lecturers.md`` tells of, and writes what the page's commands say into it.

    python docs/lecturers.py             run them and regenerate the page (a minute or two)
    python docs/lecturers.py --small     run them in small and print the page
    python docs/lecturers.py FOLDER      only lay the class, and the roster of its course, in a new folder

The class is an export as Moodle hands it out, made of the example players: folders with spaces in their names, a file
in Latin-1, one for Python 2, one that prints, one with a helper beside it, one that breaks a rule, one that is two, and
one that is none.
"""

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
PAGE = HOME / "docs" / "lecturers.md"
SEASON = runpy.run_path(str(HOME / "docs" / "season.py"))
"""How a page is played and written."""
EXAMPLES = HOME / "examples" / "players" / "go"
EXPORT = "Go project"
ROSTER = """Identifier,Full name,Email address,Grade
Participant 1101,Ann Lee,ann.lee@uni.example,
Participant 1102,Cem Oz,cem.oz@uni.example,
Participant 1103,Dan Olds,dan.olds@uni.example,
Participant 1104,Eve Loudon,eve.loudon@uni.example,
Participant 1105,Flo Poe,flo.poe@uni.example,
Participant 1106,Gus Bauer,gus.bauer@uni.example,
Participant 1107,Ida Twomey,ida.twomey@uni.example,
Participant 1108,Jo Noble,jo.noble@uni.example,
Participant 1109,Kim Coin,kim.coin@uni.example,
Participant 1110,Lou Lowe,lou.lowe@uni.example,
Participant 1111,Pia Page,pia.page@uni.example,
"""
WORKSHEET = "grading worksheet.csv"


def example(name: str) -> str:
    """An example player's text."""
    return (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")


def export() -> dict[str, bytes]:
    """The files of the export, by path."""
    first = example("first")
    loud = first.replace("    return min", "    print('I hold', hand)\n    return min")
    latin = "# -*- coding: latin-1 -*-\n# café\n" + example("high")
    helper, split, rest = example("runs").partition("def longest_run")
    files = {
        "Lee Ann_1101/my player.py": example("pairs"),
        "Oz Cem_1102/player (final).py": latin.encode("latin-1"),
        "Olds Dan_1103/player.py": first + "\nprint 'done'\n",
        "Loudon Eve_1104/player.py": loud,
        "Poe Flo_1105/player.py": "from common import *\n\n\n" + split + rest,
        "Poe Flo_1105/common.py": helper,
        "Bauer Gus_1106/player.py": example("broken_illegal"),
        "Twomey Ida_1107/old.py": first,
        "Twomey Ida_1107/new.py": example("lucky"),
        "Coin Kim_1109/toss.py": example("lucky"),
        "Lowe Lou_1110/player.py": first,
        "Page Pia_1111/report.pdf": b"%PDF-1.7",
    }
    return {
        f"{EXPORT}/{path.replace('/', '_assignsubmission_file/')}": text if isinstance(text, bytes) else text.encode()
        for path, text in files.items()
    }


def lay(folder: Path) -> None:
    """Put the export, and the roster of the course, into a folder."""
    for name, content in export().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / WORKSHEET).write_text(ROSTER, encoding="utf-8")


def main(words: list[str]) -> None:
    """Write the page, print the small one, or lay the class in a folder."""
    if words and words[0] != "--small":
        lay(Path(words[0]))
        return
    small = bool(words)
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder))
        outputs = SEASON["season"](page, lambda command: SEASON["said"](command, Path(folder)), small)
        new = SEASON["rewritten"](page, SEASON["told"](outputs, lambda line: print(line, file=sys.stderr)))
    if small:
        print(new, end="")
    else:
        PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
