"""Invalid games from outside Kibitz get one sentence with file and line, and every other game still works."""

import asyncio
import importlib.metadata
import os
import re
import sys
from pathlib import Path

import pytest

from kibitz.cli.games import new_game_files
from kibitz.engine import registry
from kibitz.engine.contract import Violation, checks_of, imagination, kernel_checks, wording
from kibitz.engine.registry import add_package, all_games, command_name, game, game_at_path, is_path, load_errors
from kibitz.errors import NotationError
from kibitz.web.processes import SearchPool

CACHES = (registry.bundled_packages, registry.offered_packages, registry.extra_names, registry.variants)


@pytest.fixture(autouse=True)
def restored_registry(monkeypatch):
    """Forget the games added by a test after it."""
    monkeypatch.setattr(registry, "_added", {})
    monkeypatch.setattr(registry, "_typed_paths", {})
    monkeypatch.setattr(registry, "_load_errors", {})
    monkeypatch.setenv(registry.PATHS, "")
    known = set(sys.modules)
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()
    for name in set(sys.modules) - known:
        if name.partition(".")[0] in ("follow", "other"):
            del sys.modules[name]


def kit(home, name="follow", **changes):
    """Write the kit's game to a folder, with some text of its files replaced."""
    for path, content in new_game_files(name).items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        of = changes.get(Path(path).stem, {}) if path.endswith(".py") else {}
        for old, new in of.items():
            assert old in content
            content = content.replace(old, new)
        (home / path).write_text(content, encoding="utf-8")
    return home


def refused(home, *parts):
    """The sentence with which a package is refused; checks that every other game still works."""
    with pytest.raises(NotationError) as caught:
        add_package(home)
    sentence = str(caught.value)
    assert "\n" not in sentence
    for part in parts:
        assert part in sentence, sentence
    assert "follow" not in [each.name for each in all_games()]
    assert game("go").name == "go"
    return sentence


def test_the_kit_can_be_added_by_project_or_package(tmp_path):
    home = kit(tmp_path)
    assert [each.name for each in add_package(home)] == ["follow", "follow-mini"]
    assert add_package(home / "src" / "follow")[0].name == "follow"
    assert game("follow:players=2").seats == 2
    assert {"follow", "follow-mini", "go"} <= {each.name for each in all_games()}
    assert os.environ[registry.PATHS] == str(home / "src" / "follow")


def test_a_game_can_be_named_in_the_environment(tmp_path, monkeypatch):
    home = kit(tmp_path)
    nothing = tmp_path / "nothing"
    monkeypatch.setenv(registry.PATHS, f"{nothing}{os.pathsep}{home}")
    assert game("follow").title == "Follow"
    assert [sentence for sentence in load_errors() if str(nothing) in sentence]


@pytest.mark.parametrize("given", ["./my-games", "my-games/src/follow", "my-games/", "{}/my-games", "."])
def test_games_are_named_in_commands_by_the_path_they_were_added_with(tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    kit(tmp_path / "my-games")
    if given == ".":
        monkeypatch.chdir(tmp_path / "my-games")
    given = given.format(tmp_path)
    assert game_at_path(given).name == "follow"
    assert command_name("follow:players=2").endswith(f"{given}:players=2")
    assert given == "." or command_name("follow") == given
    for each in registry.variants("follow"):
        assert is_path(command_name(each.name))
        assert game_at_path(command_name(each.name)) is each
    assert {command_name(each.name) for each in all_games() if each.title != "Follow"} == {
        each.name for each in all_games() if each.title != "Follow"
    }


@pytest.mark.parametrize("behind", ["minor", "Mini", "mini-mini"])
def test_an_unknown_variant_of_a_path_is_refused_with_the_known_ones(tmp_path, behind):
    home = kit(tmp_path)
    with pytest.raises(NotationError, match=r"no variant called .*; it has: mini\.|a package of games"):
        game_at_path(f"{home}-{behind}")


def test_an_installed_game_is_the_same_by_its_path(tmp_path, monkeypatch):
    home = kit(tmp_path)
    monkeypatch.syspath_prepend(home / "src")
    point = importlib.metadata.EntryPoint("follow", "follow", "kibitz.games")
    monkeypatch.setattr(registry, "entry_points", EntryPoints([point]))
    installed = game("follow")
    assert add_package(home) == registry.variants("follow")
    assert add_package(home)[0] is installed
    assert command_name("follow-mini") == "follow-mini"
    assert load_errors() == ()
    with pytest.raises(NotationError, match="There is already a game called follow"):
        add_package(kit(tmp_path / "another"))


def test_an_unknown_game_is_refused_with_how_to_add_ones_own():
    with pytest.raises(NotationError, match=r"known games: bo, .*kuhn, leduc, .*; to add your own, put its path into"):
        game("follow")


def test_exact_imagination_is_checked_for_every_game():
    """A mini variant is checked itself; every other game is checked through its mini variant."""
    for played in all_games():
        checked = {of.name for check, of in checks_of(played) if check is imagination.imagination_is_exact}
        assert any(game(name).variant == "mini" for name in checked), played.name
        assert {of.name for check, of in checks_of(played) if check is not imagination.imagination_is_exact} == {
            played.name
        }


def test_wrong_imagination_is_found_from_the_standard_game(tmp_path):
    """A kit whose resample leaves stock and hands as restored: always possible, but never different."""
    redraw = "s.stock = redeal_hands(s, s.hand, s.players, seat, s.pack & ~s.discards)"
    (played, _) = add_package(kit(tmp_path, rules={redraw: "s.stock = s.stock"}))
    found = []
    for check, of in checks_of(played):
        if check is imagination.imagination_is_exact:
            try:
                check(of)
            except Violation as broken:
                found.append(str(broken))
    (sentence,) = found
    assert re.search(r"^follow-mini: a seat never imagines \d+ of \d+ positions\nwhere: follow-mini, seed", sentence)
    assert re.search(r"^found: one of them: .*hand \(.*\) and not \(", sentence, re.MULTILINE)


def test_an_undocumented_field_of_a_view_is_named(tmp_path):
    fields = {'Annotated[int, Doc("how many seats in a row have passed")]': "int"}
    (played, _) = add_package(kit(tmp_path, view=fields))
    with pytest.raises(Violation, match="does not explain passes: its annotation needs a Doc"):
        wording.every_field_is_explained(played)


MALFORMED = [
    ("view", "    passes: Annotated", "    secret: int\n    passes: Annotated",
     ("TableView.secret: the state has no field 'secret'", "view.py, line ")),
    ("view", ', PASS: "pass"})', "})", ("action 53 has no text in the ActionTexts of ", "view.py, line ")),
    ("view", "def prompt(", "def prompts(", ("view.py has no prompt",)),
    ("rules", "def hidden(", "def concealed(", ("rules.py has no hidden(s, seat)",)),
    ("rules", '"You can only play a card that you hold."', '""',
     ("follow.rules.Reason.NOT_HELD has no sentence", "rules.py, line ")),
    ("rules", '    OVER = "The game is over."\n', "", ("must begin with LEGAL, OVER and NO_ACTION", "rules.py, line ")),
    ("__init__", "GAMES = (GAME, ", "GAMES = (GAME, GAME, ", ("__init__.py has two games called follow",)),
    ("__init__", '"Follow", "follow"', '"Follow", "folow"', ("calls a game 'folow': call it follow, or follow-",)),
    ("__init__", "GAMES = ", "GAME = ", ("__init__.py has no GAMES",)),
]  # fmt: skip


@pytest.mark.parametrize(("module", "old", "new", "said"), MALFORMED)
def test_a_malformed_game_is_refused_with_what_is_wrong_and_where(tmp_path, module, old, new, said):
    refused(kit(tmp_path, **{module: {old: new}}), *said)


def test_the_contract_finds_an_action_whose_text_raises(tmp_path):
    """A game whose own text function doesn't know ``pass``."""
    text = 'def text(view: TableView, action: int) -> str:\n    return {52: "draw"}[action]\n\n\n'
    own = {"def prompt(": f"{text}def prompt("}
    mini = add_package(kit(tmp_path, view=own))[1]
    with pytest.raises(Violation, match=r"raised KeyError(.|\n)*view\.py") as caught:
        wording.actions_read_as_they_are_written(mini)
    assert "follow-mini, seed " in str(caught.value)


def test_the_contract_finds_a_missing_mini_variant(tmp_path):
    (played,) = add_package(
        kit(tmp_path, __init__={', mini_of(GAME, "For two, with six cards: small enough to list every deal.")': ","})
    )
    with pytest.raises(Violation, match="mini") as caught:
        imagination.imagination_is_exact(played)
    assert "__init__.py" in str(caught.value)


def test_a_second_package_of_the_same_name_is_refused(tmp_path):
    add_package(kit(tmp_path / "one"))
    with pytest.raises(NotationError, match="There are already games called follow, from "):
        add_package(kit(tmp_path / "two"))
    assert game("follow").name == "follow"


@pytest.mark.parametrize(
    ("content", "said"),
    [("1 / 0\n", "ZeroDivisionError"), ("x = (\n", "SyntaxError"), ("import nowhere_at_all\n", "ModuleNotFoundError")],
)
def test_an_exception_on_import_is_reported_with_file_and_line(tmp_path, content, said):
    home = kit(tmp_path)
    (home / "src" / "follow" / "rules.py").write_text(content)
    refused(home, said, "rules.py, line 1")


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "offers no games"), ("[project", "cannot be read"), ("[project]\nentry-points = 3\n", "offers no games")],
)
def test_a_project_that_offers_no_games_is_refused(tmp_path, content, said):
    (tmp_path / "pyproject.toml").write_text(content)
    refused(tmp_path, said, "pyproject.toml")


def test_a_path_without_a_package_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "notes.txt"):
        refused(path, "isn't a package of games: name a folder with an __init__.py")


class EntryPoints(list):
    """The entry points of an installation."""

    def __call__(self, group):
        assert group == "kibitz.games"
        return self


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("other", "1 / 0\n", ("ZeroDivisionError", "other.py, line 1")),
        ("other", "GAMES = 3\n", ("has no GAMES",)),
        ("go", "GAMES = ()\n", ("there is already a game called go",)),
        ("holdem", "GAMES = ()\n", ("there is already a game called holdem",)),
    ],
)
def test_a_failing_entry_point_leaves_other_games_usable(tmp_path, monkeypatch, name, content, said):
    (tmp_path / "other.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    point = importlib.metadata.EntryPoint(name, "other", "kibitz.games")
    monkeypatch.setattr(registry, "entry_points", EntryPoints([point]))
    assert {"go", "holdem", "eights"} <= {each.name for each in all_games()}
    (sentence,) = load_errors()
    assert all(part in sentence for part in said), sentence
    assert game("eights").title == "Crazy Eights"
    assert kernel_checks.CHECKS


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("__init__", "import nowhere_at_all\n", ("ModuleNotFoundError", "__init__.py, line 1")),
        ("rules", "1 / 0\n", ("ZeroDivisionError", "rules.py, line 1")),
        ("__init__", "GAMES = ()\n", ("has no GAMES", "__init__.py")),
    ],
)
def test_a_failing_bundled_package_leaves_other_games_usable(tmp_path, monkeypatch, file, content, said):
    """As while somebody writes it: reported with its own file and line, not with one of the engine."""
    home = importlib.import_module("kibitz.games")
    made = kit(tmp_path / "made") / "src" / "follow"
    (made / f"{file}.py").write_text(content)
    for path in made.glob("*.py"):
        path.write_text(path.read_text().replace("from follow", "from kibitz.games.follow"))
    monkeypatch.setattr(home, "__path__", [*home.__path__, str(made.parent)])
    for cached in CACHES:
        cached.cache_clear()
    assert {"go", "holdem", "eights"} <= {each.name for each in all_games()}
    (sentence,) = load_errors()
    assert all(part in sentence for part in ("kibitz.games.follow", *said)), sentence
    with pytest.raises(NotationError, match=re.escape(sentence)):
        game("follow")


def test_every_package_of_kibitz_has_its_games():
    assert {each.name for each in all_games()} == {
        each.name for package in registry.bundled_packages() for each in registry.variants(package)
    }
    assert load_errors() == ()


def test_a_servers_search_pool_knows_games_added_by_path(tmp_path):
    async def think():
        search_pool = SearchPool(1)
        try:
            for one in add_package(kit(tmp_path)):
                state = one.deal(seed=1)
                seat, legal = state.player, one.legal(state)
                assert await search_pool.think(one.name, "random", one.view(state, seat), legal, 1) in legal
        finally:
            await search_pool.close()

    asyncio.run(think())
