"""The example player files do what their table says: good ones survive, broken ones break."""

import ast
import re
import signal
from contextlib import contextmanager

import pytest

import kibitz
from kibitz.table.match import play_match
from tests.strategies.seats import FILES, FilePlayer, Strategist, anything, load
from tests.tiers import first_fast

GOOD = {
    "go": ["go/first", "go/pairs", "go/runs", "go/planner", "go/high", "go/lucky", "go/pickpocket"],
    "bo": ["bo/first", "bo/stockpile", "bo/ladder", "bo/planner"],
}
ALL = sorted(f"{path.parent.name}/{path.stem}" for path in FILES.glob("*/*.py"))


class TooLongError(Exception):
    """The time limit was exceeded."""


@contextmanager
def at_most(seconds):
    """Raise TooLongError in the block once it has run for ``seconds``."""

    def stop(_signal, _frame):
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def match_of_broken_file(game, name, seed=0):
    """A match of a broken file against three random players; the file player and the forfeits."""
    player = FilePlayer(name)
    match = play_match(kibitz.game(game), [player, *(Strategist(anything) for _ in range(3))], seed)
    return player, match.record.forfeits


@pytest.mark.parametrize("name", ALL)
def test_every_file_has_a_docstring_and_does_not_import_kibitz(name):
    source = (FILES / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert ast.get_docstring(tree)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert "kibitz" not in " ".join(ast.unparse(node) for node in imports)


def test_the_table_names_every_file():
    table = (FILES / "README.md").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"`(\w+/\w+)\.py`", table))) == ALL


@pytest.mark.parametrize("game", GOOD)
@pytest.mark.parametrize("seed", first_fast(range(8), 2))
def test_good_files_play_whole_games_without_a_forfeit(game, seed):
    names = (GOOD[game][seed:] + GOOD[game][:seed])[:4]
    match = play_match(kibitz.game(game), [FilePlayer(name) for name in names], seed)
    assert match.record.forfeits == ()


@pytest.mark.parametrize("name", [name for names in GOOD.values() for name in names])
def test_a_good_file_survives_random_opponents(name):
    game = name[:2]
    for seed in range(3):
        player = FilePlayer(name)
        seats = [Strategist(anything) for _ in range(4)]
        seats[seed % 4] = player
        match = play_match(kibitz.game(game), seats, 100 + seed)
        assert match.record.forfeits == ()
        assert player.calls


@pytest.mark.parametrize("name", ["go/broken_import", "bo/broken_import"])
def test_a_file_broken_at_import_raises(name):
    with pytest.raises((KeyError, ModuleNotFoundError)):
        load(name)


@pytest.mark.parametrize(("game", "calls"), [("go", 6), ("bo", 3)])
def test_illegal_file_plays_legally_at_first(game, calls):
    player, forfeits = match_of_broken_file(game, f"{game}/broken_illegal")
    assert [forfeit.seat for forfeit in forfeits] == [0]
    assert forfeits[0].kind == {"go": "invalid", "bo": "illegal"}[game], "a card not held, a pass while plays exist"
    assert player.calls >= calls


def test_broken_rarely_drops_the_fourth_card_of_a_value():
    group = load("go/broken_rarely").comp10001go_group
    kept = [[card] for card in ("3H", "3S", "3C", "9D", "9C", "KD", "KS", "AH")]
    assert sorted(card for cards in group(kept, 0) for card in cards) == sorted(card for (card,) in kept)
    grouped = [card for cards in group([*kept, ["3D"]], 0) for card in cards]
    assert len(grouped) == len(kept)
    assert "3D" not in grouped


@pytest.mark.parametrize("game", ["go", "bo"])
def test_a_file_returning_the_wrong_type_forfeits_with_the_reason(game):
    player, forfeits = match_of_broken_file(game, f"{game}/broken_type")
    assert player.calls == 1
    assert "must return" in forfeits[0].sentence


@pytest.mark.parametrize(("name", "arguments"), [
    ("go/broken_loop", ("comp10001go_play", [["2C", "3C", "4C", "5C"]] * 3, 0, ["6C"])),
    (
        "bo/broken_loop",
        ("comp10001bo_play", 0, ["6C"], [("9C", 8)] * 4, [[["5S"], [], [], []]] * 4, [[]] * 4, [(0, None), (0, None)]),
    ),
])  # fmt: skip
def test_looping_file_never_returns(name, arguments):
    function, *values = arguments
    with pytest.raises(TooLongError), at_most(0.3):
        getattr(load(name), function)(*values)


@pytest.mark.parametrize(("name", "arguments"), [
    ("go/broken_loop", ("comp10001go_play", [], 0, ["6C"])),
    ("bo/broken_loop", ("comp10001bo_play", 0, ["6C"], [("9C", 8)] * 4, [[[], [], [], []]] * 4, [[]] * 4, [])),
])  # fmt: skip
def test_looping_file_answers_its_first_call(name, arguments):
    function, *values = arguments
    with at_most(0.3):
        assert getattr(load(name), function)(*values)
