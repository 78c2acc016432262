"""The modules of a player: found only while it runs, and decoded as Python decodes them."""

import inspect
import sys
import warnings
from types import ModuleType

import pytest

from kibitz.players.isolation.imports import Importer, LoadError, decoded

FILES = [
    ("main_of_ann.py", b"import helper_of_ann\n"),
    ("helper_of_ann.py", b"VALUE = 7\ndef twice(n):\n    return 2 * n\n"),
    ("pack_of_ann/__init__.py", b"IN = 1\n"),
    ("pack_of_ann/part.py", b"from . import IN\nOUT = IN + 1\n"),
    ("bare_of_ann/deep.py", b"import main_of_ann\n"),
]


def importer(files=FILES, folder=""):
    return Importer(files, {}, folder)


def test_modules_and_packages_are_found_but_not_the_main_file():
    found = importer(folder="/home/ann/")
    specs = {
        name: found.find_spec(name) for name in ("helper_of_ann", "pack_of_ann", "pack_of_ann.part", "bare_of_ann")
    }
    assert {name: spec.loader_state for name, spec in specs.items()} == {
        "helper_of_ann": "helper_of_ann.py",
        "pack_of_ann": "pack_of_ann/__init__.py",
        "pack_of_ann.part": "pack_of_ann/part.py",
        "bare_of_ann": None,
    }
    packages = [name for name, spec in specs.items() if spec.submodule_search_locations is not None]
    assert packages == ["pack_of_ann", "bare_of_ann"]
    assert specs["helper_of_ann"].origin == "/home/ann/helper_of_ann.py"
    for name in ("main_of_ann", "json", "pack", "helper"):
        assert found.find_spec(name) is None


def test_get_source_returns_the_text_of_a_players_modules_only():
    found = importer()
    texts = {name: found.get_source(name) for name in ("helper_of_ann", "pack_of_ann", "bare_of_ann", "json")}
    assert texts == {
        "helper_of_ann": FILES[1][1].decode(),
        "pack_of_ann": "IN = 1\n",
        "bare_of_ann": None,
        "json": None,
    }


def test_compiler_warnings_are_suppressed():
    """A warning would be printed only in a file's first game, since each file is compiled once."""
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        compile("0 is 0", "beside.py", "eval")
        assert [each.category for each in caught_warnings] == [SyntaxWarning]
        importer([("main.py", b"0 is 0\n")]).code("main.py")
        assert len(caught_warnings) == 1
        compile("0 is 0", "beside.py", "eval")
    assert len(caught_warnings) == 2


def test_modules_exist_while_the_player_runs_and_are_the_same_next_time():
    found, main = importer(), ModuleType("player_file")
    before = dict(sys.modules)
    with found.importable("player_file", main):
        import helper_of_ann
        import pack_of_ann.part
        from bare_of_ann import deep

        assert (helper_of_ann.VALUE, pack_of_ann.part.OUT) == (7, 2)
        assert deep.main_of_ann is main
        assert sys.modules["player_file"] is main
        assert inspect.getsource(helper_of_ann.twice).startswith("def twice(n):")
    assert {name for name in sys.modules if name not in before} == set()
    assert found not in sys.meta_path
    with pytest.raises(ModuleNotFoundError):
        import helper_of_ann
    helper_of_ann.VALUE = 8
    with found.importable("player_file", main):
        import helper_of_ann as again

        assert again is helper_of_ann
    other = importer([FILES[0], ("helper_of_ann.py", b"VALUE = 9\n")])
    with other.importable("player_file", ModuleType("player_file")):
        import helper_of_ann as theirs

        assert theirs.VALUE == 9


def test_python_modules_stay_and_own_modules_go_even_after_an_error():
    found = importer([("main.py", b""), ("fails_of_ann.py", b"import colorsys\n1 / 0\n")])
    sys.modules.pop("colorsys", None)
    with pytest.raises(ZeroDivisionError), found.importable("player_file", ModuleType("player_file")):
        import fails_of_ann  # noqa: F401
    assert "fails_of_ann" not in sys.modules
    assert "colorsys" in sys.modules


@pytest.mark.parametrize("main", ["json.py", "not a name.py"])
def test_main_file_with_an_invalid_or_standard_name_is_not_importable(main):
    found = importer([(main, b"")])
    before = sys.modules.get(main.removesuffix(".py"))
    with found.importable("player_file", ModuleType("player_file")):
        assert sys.modules.get(main.removesuffix(".py")) is before


def test_every_file_is_compiled_once_and_errors_reach_the_importer():
    found = importer([("main.py", b"x = 1\n"), ("wrong.py", b"def f(:\n"), ("good.py", b"y = 2\n")])
    found.compile_all()
    assert sorted(found.codes) == ["good.py", "main.py"]
    assert found.code("main.py") is found.code("main.py")
    with pytest.raises(SyntaxError):
        found.code("wrong.py")
    with pytest.raises(SyntaxError):
        importer([("main.py", b"def f(:\n")]).compile_all()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "# coding: latin-1\nx = 'é'\n"),
        ("x = 'é'\n".encode(), "x = 'é'\n"),
    ],
)
def test_file_is_decoded_as_python_decodes_it(content, text):
    assert decoded(content, "The file") == text


OTHERS = ": save it as UTF-8."


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfex\x00", "The file is UTF-16 text: save it as UTF-8."),
        (b"\xfe\xff\x00x", "The file is UTF-16 text: save it as UTF-8."),
        (b"\x89PNG\0", "The file holds binary data, not text: submit your Python file."),
        (b"a\n\nx = '\xe9'\n", "The file is not UTF-8 text: look at line 3, and save it as UTF-8."),
        (b"\xef\xbb\xbfa\nx = '\xe9'\n", "The file is not UTF-8 text: look at line 2, and save it as UTF-8."),
        (b"# coding: ascii\nx = '\xe9'\n", "The file is not ASCII text: look at line 2, and save it as UTF-8."),
        (b"# coding: nonsense\n", "The file cannot be read: unknown encoding: nonsense."),
        *(
            (f"# coding: {name}\nx\n".encode(), f"The file declares the encoding '{name}'{OTHERS}")
            for name in ("hex", "rot13", "utf-7", "utf-16", "unicode_escape", "punycode", "cp1252")
        ),
    ],
)
def test_undecodable_file_is_rejected_with_the_line(content, why):
    with pytest.raises(LoadError) as caught:
        decoded(content, "The file")
    assert str(caught.value) == why
    named = importer([("main.py", b""), ("helper.py", b"\xe9")])
    with pytest.raises(LoadError, match=r"^helper\.py is not UTF-8 text"):
        named.text("helper.py")
