"""One word, one meaning: the glossary in docs/architecture.md, and the names of classes and modules."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEVERAL = {
    "Choice": "an offered one in line mode, on the wire and in a sum: what the glossary says, each where it is listed",
    "Event": "the same thing as a player file is given it",
    "State": "the record of integers, as messages and the writer of kernels know it",
    "View": "the same thing as a player file is given it",
}
"""Class names shared by several classes of the same meaning, with that meaning."""

MEANS_THE_SAME = {
    "advice": "what is best to do, and who says it to whom",
    "bo": "the functions of a course, and the cases that they are marked by",
    "go": "as bo",
    "gpu_kernels": "what runs on a GPU",
    "hands": "hands of cards: those of all games, Bo's, and what a poker hand is",
    "huxxy": "as bo",
    "local_table": "a game played here, on a whole terminal and in line mode",
    "policies": "strategies as kernels",
    "ratings": "how strong players are: in a tournament, and at a server's tables",
    "replay": "a record step by step, in the terminal and in the browser",
    "server_table": "a table on a server, as its messages tell it and on a screen",
    "words": "what a game says",
}
"""Module names shared by several modules of the same subject, with that subject."""
MAX_PACKAGES = 5
"""In how many packages a function name may be defined; all games count as one."""
AFTER_WHAT_THEY_SHOW = ("cli/", "cli/arena/", "web/api/")
"""Commands and operations are named after what they show."""


def glossary():
    """Pairs of word and meaning; a row with several words gives several pairs."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Words\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    return [(word, meaning) for words, meaning in rows for word in words.split(", ")]


def classes():
    """The files that define each class name of the package."""
    found = defaultdict(list)
    for path in (ROOT / "src" / "kibitz").rglob("*.py"):
        for name in re.findall(r"^ *class (\w+)[:(]", path.read_text(encoding="utf-8"), re.MULTILINE):
            found[name].append(str(path.relative_to(ROOT)))
    return found


def test_every_word_of_the_glossary_has_one_meaning():
    words = [word for word, _ in glossary()]
    assert len(words) > 25
    assert sorted(words) == sorted(set(words))


def test_classes_named_after_a_glossary_word_mean_the_same():
    found = classes()
    shared = {
        word.capitalize(): found[word.capitalize()] for word, _ in glossary() if len(found[word.capitalize()]) > 1
    }
    assert set(shared) == set(SEVERAL), {name: where for name, where in shared.items() if name not in SEVERAL}


def test_modules_of_one_name_mean_the_same():
    """The games count as one package: a module name means the same in each."""
    found = defaultdict(set)
    for path in (ROOT / "src" / "kibitz").rglob("*.py"):
        package = f"{path.parent.relative_to(ROOT / 'src' / 'kibitz')}/"
        if not path.stem.startswith(("_", "0")) and package not in AFTER_WHAT_THEY_SHOW:
            found[path.stem].add(re.sub("^games/[a-z]+/(hands/)?$", "games/*/", package))
    shared = {name: sorted(packages) for name, packages in found.items() if len(packages) > 1}
    assert set(shared) == set(MEANS_THE_SAME), {
        name: shared.get(name, "of one module by now") for name in set(shared) ^ set(MEANS_THE_SAME)
    }


def test_no_function_name_is_defined_in_many_packages():
    """Functions at module level; the games count as one package."""
    found = defaultdict(set)
    for path in (ROOT / "src" / "kibitz").rglob("*.py"):
        package = re.sub("^games/[a-z]+(/hands)?$", "games/*", str(path.parent.relative_to(ROOT / "src" / "kibitz")))
        for name in re.findall(r"^(?:async )?def (\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            found[name].add(package)
    common = {name: sorted(packages) for name, packages in found.items() if len(packages) > MAX_PACKAGES}
    assert common.keys() <= {"main"}, common
