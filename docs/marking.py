"""Marks the class that ``docs/marking.md`` tells of, and writes what its commands say into the page.

    python docs/marking.py            hand in, mark and regenerate the page (a minute)
    python docs/marking.py --show     mark and print the page
    python docs/marking.py FOLDER     only write what the class has submitted to a new folder

The page is the script, as that of ``docs/season.py`` is.
"""

from __future__ import annotations

import io
import runpy
import sys
import tempfile
import zipfile
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
PAGE = HOME / "docs" / "marking.md"
SEASON = runpy.run_path(str(HOME / "docs" / "season.py"))

HONEST = '''"""COMP10001-Go: all five functions."""
from itertools import combinations
from math import factorial

VALUES = "A234567890JQK"


def value(card):
    return 20 if card[0] == "A" else VALUES.index(card[0]) + 1


def is_red(card):
    return card[1] in "HD"


def is_kind(cards):
    return len(cards) > 1 and cards[0][0] != "A" and len({card[0] for card in cards}) == 1


def is_run(cards):
    aces = [card for card in cards if card[0] == "A"]
    plain = sorted((card for card in cards if card[0] != "A"), key=value)
    if len(cards) < 3 or len(plain) < 2 or len({card[0] for card in plain}) < len(plain):
        return False
    holes = []
    for low, high in zip(plain, plain[1:]):
        gap = value(high) - value(low) - 1
        holes += [is_red(low) == bool(step % 2) for step in range(gap)]
        if (is_red(low) == is_red(high)) != bool(gap % 2):
            return False
    return sorted(holes) == sorted(map(is_red, aces))


def comp10001go_score_group(cards):
    if is_kind(cards):
        return value(cards[0]) * factorial(len(cards))
    if is_run(cards):
        values = [value(card) for card in cards if card[0] != "A"]
        return sum(range(min(values), max(values) + 1))
    return -sum(map(value, cards))


def comp10001go_valid_groups(groups):
    return all(len(group) == 1 or is_kind(group) or is_run(group) for group in groups)


def comp10001go_play(discard_history, player_no, hand):
    return hand[0]


def comp10001go_group(discard_history, player_no):
    return [[turn[player_no]] for turn in discard_history]


def comp10001go_best_partitions(cards):
    known = {}

    def best(left):
        if not left:
            return 0, [[]]
        if left not in known:
            found, ways = None, []
            for size in range(len(left)):
                for more in combinations(left[1:], size):
                    group = [left[0], *more]
                    if not comp10001go_valid_groups([group]):
                        continue
                    rest, others = best(tuple(card for card in left[1:] if card not in more))
                    score = rest + comp10001go_score_group(group)
                    if found is None or score > found:
                        found, ways = score, []
                    if score == found:
                        ways += [[group, *other] for other in others]
            known[left] = found, ways
        return known[left]

    return best(tuple(cards))[1]
'''
PRINTS = HONEST.replace('return 20 if card[0] == "A"', 'return 1 if card[0] == "A"').replace(
    "def comp10001go_score_group(cards):\n", "def comp10001go_score_group(cards):\n    print('scoring', cards)\n"
)
LATIN = "# Latin-1: M\xfcller\n" + HONEST.replace("(len(cards)))", "(2))").replace("factorial(len(cards))", "2")
PYTHON_2 = HONEST.replace("    return hand[0]", '    print "playing", hand[0]\n    return hand[0]')
MAIN = "from common import *\n\n\n" + HONEST[HONEST.index("def comp10001go_score_group") :]
COMMON = HONEST[: HONEST.index("def comp10001go_score_group")] + '__all__ = ["combinations", "factorial", "value", '
COMMON += '"is_kind", "is_run"]\n'
LOOPS = (
    HONEST[: HONEST.index("def comp10001go_best_partitions")]
    + """def comp10001go_best_partitions(cards):
    while True: pass  # one line, so that every stop is in it
"""
)


def bomb() -> bytes:
    """An archive that unpacks to 64 times the allowed size."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("player.py", "w") as member,
    ):
        for _ in range(64):
            member.write(bytes(1 << 20))
    return out.getvalue()


CLASS: dict[str, dict[str, bytes]] = {
    "Okafor Ada_1000001": {"my solution.py": HONEST.encode()},
    "Müller Ben_1000002": {"go project (1).py": f"# -*- coding: latin-1 -*-\n{LATIN}".encode("latin-1")},
    "Tan Chloe_1000003": {"old.py": PYTHON_2.encode()},
    "Petrov Dan_1000004": {"prints.py": PRINTS.encode()},
    "Rossi Eve_1000005": {"project/main.py": MAIN.encode(), "project/common.py": COMMON.encode()},
    "Virtanen Finn_1000006": {"loop.py": LOOPS.encode()},
    "Rao Gita_1000007": {"empty.py": b""},
    "Hugo Hugo_1000008": {"player.zip": bomb()},
    "Yilmaz Ida_1000009": {"report.pdf": b"%PDF-1.4 no Python at all"},
    "Novak Jana_1000010": {"latin.py": LATIN.encode("latin-1")},
}
"""What every student has submitted, by the beginning of the folder's name and the files in it."""
WORKSHEET_HEAD = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments"
)


def hand_in(folder: Path) -> None:
    """Write what the class has submitted as Moodle gives it out, with its grading worksheet."""
    rows = [WORKSHEET_HEAD]
    for name, files in CLASS.items():
        for path, content in files.items():
            target = folder / "Project 1" / f"{name}_assignsubmission_file" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        called, number = name.split("_")
        rows.append(f"Participant {number},{called},{number}@example.edu,Submitted for grading,,20.00,Yes,-,-,")
    rows.append("Participant 1000011,Absent Kim,1000011@example.edu,No submission,,20.00,Yes,-,-,")
    (folder / "worksheet.csv").write_text("\r\n".join(rows) + "\r\n", encoding="utf-8", newline="")
    (folder / "marks.toml").write_text(MARKS, encoding="utf-8")


MARKS = """out_of = 20
hidden = 40

[functions.comp10001go_best_partitions]
weight = 2
seconds = 0.1

[functions.comp10001go_play]
weight = 0.5

[functions.comp10001go_group]
weight = 0.5
"""


def main(words: list[str]) -> None:
    """Write the page, print it, or hand in."""
    if words and words[0] != "--show":
        hand_in(Path(words[0]))
        return
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hand_in(folder)
        outputs = SEASON["season"](page, lambda command: SEASON["said"](command, folder))
        new = SEASON["rewritten"](page, SEASON["told"](outputs, lambda line: print(line, file=sys.stderr)))
    if words:
        print(new, end="")
    else:
        PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
