"""The functions that a file must define and their numbers of arguments, checked in this process."""

from types import ModuleType

import pytest

from kibitz.players.isolation.child import History, call, check_function, load_main, missing, no_function_error
from kibitz.players.isolation.imports import Importer, LoadError

WANTED = [("play", 2, "hand, seat"), ("group", 1, "hands")]


def module(source):
    found = ModuleType("player_file")
    exec(source, found.__dict__)
    return found


@pytest.mark.parametrize(
    "source",
    [
        "def play(a, b): pass",
        "def play(a, b, c=1): pass",
        "def play(a, b=1): pass",
        "def play(*a): pass",
        "def play(a, b, *, c=1): pass",
        "class play:\n    def __init__(self, a, b): pass",
        "play = max",
        "from functools import partial\nplay = partial(lambda a, b, c: 1, 1)",
    ],
)
def test_callable_with_the_right_number_of_arguments_is_accepted(source):
    check_function(module(source), "play", 2, "hand, seat")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("x = 1", "The file does not define play."),
        ("play = 1", "play is not a function."),
        ("def play(a): pass", "play must take 2 arguments: play(hand, seat), and is defined as play(a)."),
        ("def play(a, b, c): pass", "play must take 2 arguments: play(hand, seat), and is defined as play(a, b, c)."),
        (
            "def play(a, b, *, c): pass",
            "play must take 2 arguments: play(hand, seat), and is defined as play(a, b, *, c).",
        ),
    ],
)
def test_missing_or_wrong_function_is_reported_with_the_right_signature(source, why):
    with pytest.raises(LoadError) as caught:
        check_function(module(source), "play", 2, "hand, seat")
    assert str(caught.value) == why


def test_messages_use_singular_and_list_missing_functions():
    with pytest.raises(LoadError, match=r"^play must take 1 argument, and is defined as play\(\)\.$"):
        check_function(module("def play(): pass"), "play", 1)
    assert missing("play") == "The file does not define play."
    assert no_function_error([]) == "The file does not define play(view, legal)."
    assert no_function_error(["a", "b"]) == "The file does not define a and b, or play(view, legal)."


def load(source, *, allow_play=False, wanted=(("go_play", 1, "hand"), ("go_group", 1, "hands"))):
    return load_main(
        ModuleType("player_file"), Importer([("x.py", source.encode())], {}), wanted, allow_play=allow_play
    )


PLAY = "def play(view, legal): pass\n"


def test_own_form_is_used_only_if_allowed_and_no_assignment_function_exists():
    assert load("def go_play(h): pass\ndef go_group(h): pass\n") == []
    assert load(PLAY, allow_play=True) == ["play"]
    assert load(PLAY + "def observe(event): pass\nend = 7\ndef start(g, s, p): pass\n", allow_play=True) == [
        *("play", "start", "observe"),
    ]
    assert load("def go_play(h): pass\ndef go_group(h): pass\n" + PLAY, allow_play=True) == []
    for source, allow_play, why in (
        (PLAY, False, "does not define go_play"),
        ("def go_play(h): pass\n" + PLAY, True, "does not define go_group"),
        ("x = 1", True, r"does not define go_play and go_group, or play\(view, legal\)"),
        ("def play(view): pass", True, r"play must take 2 arguments: play\(view, legal\)"),
        (PLAY + "def observe(): pass", True, r"observe must take 1 argument: observe\(event\)"),
    ):
        with pytest.raises(LoadError, match=why):
            load(source, allow_play=allow_play)


def test_call_returns_value_and_optionally_the_changed_arguments():
    player_module = module("def play(a, b):\n    a.append(b)\n    return (b, None)\n")
    assert call(player_module, "play", [[1], 2], History()) == '{"t":[2,null]}'
    assert call(player_module, "play", [[1], 2], History(), with_arguments=True) == '[{"t":[2,null]},[[1,2],2]]'
