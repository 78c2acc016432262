"""Calls of player functions, as people type them and as command lines contain them."""

import subprocess

import pytest

from kibitz.errors import NotationError
from kibitz.players.calls import MAX_COMMAND, VIEW_KEY, call_command, parse_call, quoted
from kibitz.players.limits import limits_from


@pytest.mark.parametrize(
    ("text", "function", "arguments"),
    [
        ("play()", "play", ()),
        ("f(-1, 'a', None, True, (1, [2]))", "f", (-1, "a", None, True, (1, [2]))),
        ("act(View(seat=0, hand=['AS'], odds=0.5), [1])", "act", ({"seat": 0, "hand": ["AS"], "odds": 0.5}, [1])),
        ("see(Event(at=View(n=1)))", "see", ({"at": {"n": 1}},)),
        ("see(View())", "see", ({},)),
    ],
)
def test_call_is_parsed_into_function_and_plain_values(text, function, arguments):
    assert parse_call(text) == (function, arguments)


@pytest.mark.parametrize(
    "text",
    ["", "play", "play(", "a.play()", "play(x)", "play(n=1)", "play(f())", "play(View(1))", "play(View(**{}))", "1"],
)
def test_text_that_is_not_a_call_is_rejected(text):
    with pytest.raises(NotationError, match="isn't a call of a function with plain values"):
        parse_call(text)


@pytest.mark.parametrize("text", ["play(0.5)", "play({'a': 1})", "play({1})", "play(b'x')", "play([0.5])"])
def test_unsupported_argument_types_are_rejected_by_name(text):
    with pytest.raises(NotationError, match="a call can pass whole numbers, strings, None, tuples and lists, not"):
        parse_call(text)


def test_equal_cards_are_one_object_and_the_view_marker_is_removed():
    _, (first, second) = parse_call("f(['AS'], ['AS'])")
    assert first[0] is second[0]
    assert VIEW_KEY not in parse_call("f(View(seat=0))")[1][0]


@pytest.mark.parametrize(
    "word", ["plain", "a b", "f(['AS'])", "it's", "say \"x\" 'y'", "$HOME 'x'", "`x` 'y'", "!'", "a\\'"]
)
def test_shell_reads_a_quoted_word_unchanged(word):
    done = subprocess.run(["sh", "-c", f"printf %s {quoted(word)}"], capture_output=True, text=True, check=True)
    assert done.stdout == word


def test_command_repeats_the_call_and_is_empty_if_too_long():
    assert call_command("go", "x.py") == "kibitz call go x.py"
    assert call_command("go", "x.py", "f(['AS'])", limits_from("call=1")) == (
        "kibitz call go x.py \"f(['AS'])\" --limits call=1"
    )
    room = MAX_COMMAND - len("kibitz call go ")
    assert len(call_command("go", "x" * room)) == MAX_COMMAND == 100_000
    assert call_command("go", "x" * (room + 1)) == ""
