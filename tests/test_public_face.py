"""The public interface of ``kibitz``: names, documentation, and playing many games."""

import importlib
import inspect
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz import errors
from kibitz.arena.games import decisions_of
from kibitz.engine.registry import all_games
from kibitz.errors import KibitzError, NotationError, PlayerError
from kibitz.table import play_match
from tests.table.test_match import Lowest

ROOT = Path(__file__).parents[1]
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
FIRST = str(ROOT / "examples" / "players" / "go" / "first.py")
BROKEN = str(ROOT / "examples" / "players" / "go" / "broken_illegal.py")


def last(view, legal):
    return legal[-1]


def drawn(view, legal, random):
    return random.choice(legal)


# ---------------------------------------------------------------- names


def test_every_public_name_exists_and_is_documented():
    assert set(kibitz.__all__) <= set(dir(kibitz))
    assert sorted(kibitz.__all__) == kibitz.__all__
    for name in kibitz.__all__:
        assert inspect.getdoc(getattr(kibitz, name)), name
    with pytest.raises(AttributeError, match="kibitz has no 'tabel'; it has Batch, "):
        kibitz.tabel  # noqa: B018


def test_importing_kibitz_does_not_load_numpy_or_numba():
    code = (
        "import sys, kibitz; dir(kibitz); kibitz.Table.deal('bo', 1);"
        "sys.exit(bool({'numpy', 'numba', 'cyclopts', 'sqlalchemy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


SPANS = re.findall(r"(?<!`)`([^`]+)`(?!`)", API)
"""All inline code on the page."""
LISTED = {"Game": [*inspect.signature(kibitz.Game).parameters, *vars(kibitz.Game)], "Table": list(vars(kibitz.Table))}
INNER = {
    "fold",
    "lesson_text",
    "views",
    "restore",
    "infoset_states",
    "words",
    "scenes",
    "rules",
    "assignment",
    "compile_more",
    "by_score",
    "variant",
}
"""Parts of a ``Game`` that only authors of games need."""


def public_parts():
    """Public names, members of games and tables, and function parameters, each with the pattern that documents it."""
    for name in kibitz.__all__:
        thing = getattr(kibitz, name)
        yield name, rf"^(kibitz\.)?{name}\b"
        for part in LISTED.get(name, ()):
            if not part.startswith("_") and part not in INNER:
                yield f"{name}.{part}", rf"^({name}|{name.lower()})\.{part}\b"
        if inspect.isfunction(thing):
            for part in inspect.signature(thing).parameters:
                yield f"{name}({part})", rf"^kibitz\.{name}\(.*\b{part}\b"


def test_the_api_page_covers_every_public_part():
    found = dict(public_parts())
    assert len(found) > 80
    missing = [whole for whole, pattern in found.items() if not any(re.search(pattern, span) for span in SPANS)]
    assert missing == [], f"docs/api.md says nothing of {missing}"


def test_the_api_page_names_only_what_exists():
    for owner, name in re.findall(r"`(kibitz|Table|Game|table|game|games)\.(\w+)", API):
        table = kibitz.Table.deal("kuhn", seed=1)
        thing = {"kibitz": kibitz, "Table": table, "table": table}.get(owner)
        if owner in ("Game", "game"):
            thing = kibitz.game("bo")
        if owner == "games":
            assert name in kibitz.PlayedGames.__dataclass_fields__, name
        elif owner == "kibitz" and name in ("engine", "cards", "arena", "table", "errors"):
            importlib.import_module(f"kibitz.{name}")
        else:
            assert hasattr(thing, name), f"{owner}.{name}"


@pytest.mark.parametrize("kind", [kind for _, kind in inspect.getmembers(errors, inspect.isclass)])
def test_every_error_survives_pickling(kind):
    assert issubclass(kind, KibitzError)
    own = "__init__" in vars(kind)
    number = len([p for p in inspect.signature(kind).parameters.values() if p.default is p.empty]) if own else 1
    error = kind(*["time", "It failed.", "detail"][:number])
    error.add_note("a note")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))


# ---------------------------------------------------------------- many games


def are_identical(one, other):
    """Whether two batches are identical."""
    for name in one.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        if not (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b):
            return False
    return True


@pytest.mark.long
def test_the_number_of_workers_does_not_change_the_result():
    """With functions of a test module, a closure and a lambda, random or not."""
    least = min

    def closure(view, legal):
        return least(legal)

    players = ["greedy", drawn, closure, lambda view, legal: legal[len(legal) // 2]]
    batches = [kibitz.play_games("bo-mini", players, 30, seed=7, workers=n, records=True) for n in (1, 2, 3)]
    assert are_identical(batches[0], batches[1])
    assert are_identical(batches[0], batches[2])
    other = kibitz.play_games("bo-mini", players, 30, seed=8, workers=1)
    assert not np.array_equal(other.scores, batches[0].scores)


@pytest.mark.parametrize("name", [game.name for game in all_games() if "mini" in game.name or game.name == "leduc"])
def test_arrays_and_standings_describe_the_games_played(name):
    game = kibitz.game(name)
    games = kibitz.play_games(game, ["random", last, "random"], 2 * game.seats + 1, seed=3, workers=1, records=True)
    n, seats = len(games), game.seats
    assert games.scores.shape == games.winners.shape == games.lineups.shape == (n, seats)
    assert games.scores.dtype == np.float64
    assert games.winners.dtype == bool
    assert games.lengths.shape == games.deals.shape == (n,) == (len(games.records),)
    assert games.players == ("random-1", "last", "random-2")
    for i, record in enumerate(games.records):
        assert record.outcome.scores == tuple(games.scores[i])
        assert record.outcome.winners == tuple(np.flatnonzero(games.winners[i]))
        assert len(record.actions) == games.lengths[i]
        assert record.seed == games.seeds[games.deals[i]]
    shares = games.winners / np.maximum(games.winners.sum(1, keepdims=True), 1)
    for line in games.standings:
        mine = games.lineups == games.players.index(line.name)
        assert line.games == mine.sum()
        assert line.wins == pytest.approx(shares[mine].sum(), abs=1e-5)
        assert line.mean_score == pytest.approx(games.scores[mine].mean())
    assert games.game == name
    assert f"{n} games of {name}" in repr(games)


def test_every_deal_is_played_in_every_rotation():
    games = kibitz.play_games("go-mini", ["random", last], 20, seed=1, workers=1)
    for deal in range(10):
        first, second = games.lineups[games.deals == deal]
        assert list(first) == list(second[::-1])


def test_player_files_are_judged_as_in_a_tournament():
    games = kibitz.play_games("go", [FIRST, Path(BROKEN), "first"], 4, seed=3, workers=2)
    assert games.players == ("first-1", "broken_illegal", "first-2")
    assert {one.kind for _, one in games.failures} == {"invalid"}
    broken = next(line for line in games.standings if line.name == "broken_illegal")
    assert broken.forfeits == {"invalid": sum(broken.forfeits.values())}
    assert are_identical(games, kibitz.play_games("go", [FIRST, Path(BROKEN), "first"], 4, seed=3, workers=1))


def test_player_files_never_run_in_this_process(tmp_path):
    spy = tmp_path / "spy.py"
    spy.write_text("import os\nraise ValueError(os.getpid())\n", encoding="utf-8")
    games = kibitz.play_games("bo-mini", [str(spy), "first"], 2, workers=1)
    assert len(games.failures) == 2
    assert not any(f"ValueError: {os.getpid()}" in one.sentence for _, one in games.failures)


def test_unsandboxed_player_files_cause_a_warning(monkeypatch):
    monkeypatch.setattr("kibitz.players.isolation.process.can_confine", lambda: False)
    with pytest.warns(UserWarning, match="run only what you have written yourself"):
        kibitz.decisions("go", [FIRST], 1)


def test_a_failing_function_raises_with_its_traceback():
    def failing(view, legal):
        return legal[0] if view.turn < 2 else 1 // 0

    for workers in (1, 2):
        with pytest.raises(PlayerError) as caught:
            kibitz.play_games("go-mini", ["greedy", failing], 20, seed=1, workers=workers)
        assert str(caught.value).startswith("players[1] (failing) failed in game 0 (deal seed ")
        assert "ZeroDivisionError" in caught.value.detail
        assert "ZeroDivisionError" in caught.value.__notes__[0]


def test_an_illegal_action_is_refused_with_the_rule():
    with pytest.raises(PlayerError, match=r"players\[0\] \(function\) failed in game 0 .*: .*\.$"):
        kibitz.play_games("go-mini", [lambda view, legal: 999], 2, workers=1)


def test_an_answer_that_is_not_a_number_is_refused_with_what_is_right():
    told = r"returned 'call', but must return one of the numbers in legal; game\.parse\(view, words\) is the"
    with pytest.raises(PlayerError, match=told):
        kibitz.play_games("leduc", [lambda view, legal: "call"], 2, workers=1)
    with pytest.raises(PlayerError, match=r"returned None, but must return one of the numbers in legal\.$"):
        kibitz.play_games("leduc", [lambda view, legal: None], 2, workers=1)


def test_numpy_integers_are_valid_actions():
    assert len(kibitz.play_games("go-mini", [lambda view, legal: np.array(legal)[0]], 2, workers=1)) == 2


def test_a_script_without_a_main_guard_can_use_workers(tmp_path):
    """Worker processes must not run the caller's script again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import kibitz\n"
        "def mine(view, legal):\n    return legal[-1]\n"
        "print('begun')\n"
        "games = kibitz.play_games('go-mini', ['random', mine], 8, seed=2, workers=2)\n"
        "print(len(games))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("begun\n8\n", "")


def test_progress_is_reported():
    reported = []
    kibitz.play_games("go-mini", ["random"], 6, workers=1, progress=lambda done, of: reported.append((done, of)))
    assert reported[-1] == (6, 6)
    assert reported == sorted(reported)


WRONG = {
    "no game": (("chess", ["random"], 1), "Unknown game 'chess'"),
    "one player": (("bo", "random", 1), r"players must be a list, such as \['greedy', 'random'\]"),
    "no players": (("bo", [], 1), "players must name at least one player"),
    "an unknown name": (("bo", ["random", "gredy"], 1), r"players\[1\]: .*did you mean 'greedy'"),
    "a missing file": (("bo", ["none/mine.py"], 1), r"players\[0\]: "),
    "a number": (("bo", [7], 1), r"players\[0\] must be the name of a built-in player, a function"),
    "a function of one thing": (("bo", [lambda view: 0], 1), r"players\[0\] must be a function of view and legal"),
    "no number": (("bo", ["random"], "many"), "n must be a whole number"),
    "no games": (("bo", ["random"], 0), "n must be from 1 to"),
    "no seed": (("bo", ["random"], 1, -1), "a seed is a whole number"),
    "no workers": (("bo", ["random"], 1, 0, 0), "workers must be 1 or more"),
}


@pytest.mark.parametrize("what", WRONG)
def test_invalid_arguments_are_named(what):
    given, sentence = WRONG[what]
    with pytest.raises(NotationError, match=sentence) as caught:
        kibitz.play_games(*given)
    assert "\n" not in str(caught.value)
    if len(given) < 5:
        with pytest.raises(NotationError, match=sentence):
            kibitz.decisions(*given)


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("name", ["go-mini", "leduc"])
def test_positions_are_the_decisions_of_the_same_games(name):
    games = kibitz.play_games(name, ["random", last], 4, seed=5, workers=1, records=True)
    found = list(kibitz.decisions(name, ["random", last], 4, seed=5))
    assert [len([each for each in found if each.game == i]) for i in range(4)] == list(games.lengths)
    for each in found:
        assert each.action == games.records[each.game].actions[each.step]
        assert each.action in each.legal
        assert (each.view.seat, each.view.player) == (each.seat, each.seat)
        assert each.score == games.scores[each.game, each.seat]
        if games.players[games.lineups[each.game, each.seat]] == "last":
            assert each.action == each.legal[-1]


def test_actions_of_a_forfeited_seat_are_not_decisions():
    class Out(Lowest):
        def act(self, view, legal):
            return -1

    record = play_match(kibitz.game("go"), [Out(), *(Lowest() for _ in range(3))], 1).record
    found = list(decisions_of(record, 0))
    assert {each.seat for each in found} == {1, 2, 3}
    assert len(found) < len(record.actions)
