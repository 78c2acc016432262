"""The glossary in docs/architecture.md: a word of it is the name of one class, and has one line."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEVERAL = {
    "Choice": "an offered one in line mode, on the wire and in a sum: what the glossary says, each where it is listed",
    "Event": "the same thing as a player file is given it",
    "Hand": "in poker also what is played between two deals, as the glossary says",
    "Position": "a moment in a game, beside what each of four users needs of it",
    "Season": "one that a store keeps, and that of a server",
    "Standing": "a player's line in a table of results, and the same as the server shows it",
    "State": "the record of integers, as messages and the writer of kernels know it",
    "View": "the same thing as a player file is given it",
}
"""Words that several classes share because they mean the same by it, and what that is."""


def glossary():
    """The words with their meanings, a word of a line with several by itself."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Words\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    return [(word, meaning) for words, meaning in rows for word in words.split(", ")]


def classes():
    """Where each class of the package is defined, by its name."""
    found = defaultdict(list)
    for path in (ROOT / "src" / "kibitz").rglob("*.py"):
        for name in re.findall(r"^ *class (\w+)[:(]", path.read_text(encoding="utf-8"), re.MULTILINE):
            found[name].append(str(path.relative_to(ROOT)))
    return found


def test_every_word_of_the_glossary_has_one_meaning():
    words = [word for word, _ in glossary()]
    assert len(words) > 25
    assert sorted(words) == sorted(set(words))


def test_no_two_classes_have_the_name_of_one_word_unless_they_mean_the_same():
    found = classes()
    shared = {
        word.capitalize(): found[word.capitalize()] for word, _ in glossary() if len(found[word.capitalize()]) > 1
    }
    assert set(shared) == set(SEVERAL), {name: where for name, where in shared.items() if name not in SEVERAL}
