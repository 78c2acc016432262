"""The contract fails on words that are not printable lines, are misread when typed, or are missing."""

import dataclasses

import pytest

from kibitz.engine.contract import Violation, wording
from kibitz.engine.options import Option
from kibitz.engine.registry import game
from kibitz.errors import NotationError
from tests.contract.planting import planted, with_words
from tests.tiers import first_fast

PLAYED = game("eights-mini")
WHOLE = PLAYED.words


def after(name, text):
    """A function of the game's words with text appended to its result."""
    return lambda *arguments: getattr(WHOLE, name)(*arguments) + text


def parsing(words, meant):
    """A parser that reads some words as a given action, or raises on them."""

    def parse(view, typed):
        if typed.strip() == words:
            return {}["this is the fault"] if meant == "raises" else meant
        return WHOLE.parse_action(view, typed)

    return parse


def odd_error(sentence):
    """A parser that refuses unreadable text with this sentence."""

    def parse(view, typed):
        try:
            return WHOLE.parse_action(view, typed)
        except NotationError:
            raise NotationError(sentence) from None

    return parse


def dropped(function):
    """A function of words whose list lacks its last item."""
    return lambda view, legal: function(view, legal)[:-1]


def reversing(view, legal):
    legal.reverse()
    return legal


def with_card_text(text):
    """Words in which the cards are written as ``text``."""
    return {
        "text": lambda view, a: text if a < 52 else WHOLE.text(view, a),
        "parse_action": parsing(text, 0),
    }


LINES = {
    "a label that steers the terminal": {"label": after("label", "\x1b[31m")},
    "a label without words": {"label": lambda view, a: " "},
    "a prompt that steers the terminal": {"prompt": after("prompt", "\x1b[2J.")},
    "a prompt of two lines": {"prompt": after("prompt", "\nAgain.")},
    "a prompt that never ends": {"prompt": lambda view: "Play. " * 1000 + "Play."},
    "a prompt that is no text": {"prompt": lambda view: 5},
    "a sentence of two lines": {"describe": lambda *given: "So.\n" + WHOLE.describe(*given)},
    "a sentence that turns the line round": {"describe": after("describe", "\u202e.")},
    "a text that ends the line": {"text": after("text", "\n")},
    "a text that ends the move": {"text": after("text", " ; and so on")},
    "a text that says somebody failed": {"text": lambda view, a: "! 1 time: " + WHOLE.text(view, a)},
    "a text that leaves the table": with_card_text("quit"),
    "a text that is a number in a list": with_card_text("3"),
    "a list without its last": {"ordered": dropped(WHOLE.ordered)},
    "a list turned round": {"ordered": reversing},
    "a first choice that is none": {"main_actions": lambda view, legal: [-5]},
    "a first choice twice": {"main_actions": lambda view, legal: [legal[0], legal[0]]},
    "a number that is read as no action": {"parse_action": parsing("7", 10**9)},
    "a number that is read as no whole number": {"parse_action": parsing("7", 2.0)},
    "a number that raises": {"parse_action": parsing("999", "raises")},
    "a refusal without words": {"parse_action": odd_error("")},
    "a refusal that steers the terminal": {"parse_action": odd_error("\x1b[31mNo.")},
}


@pytest.mark.parametrize("fault", LINES)
def test_words_that_are_not_lines_or_misread_are_caught(fault):
    with pytest.raises(Violation):
        wording.words_are_lines(with_words(PLAYED, **LINES[fault]))


@pytest.mark.parametrize("kept", ["describe", "scene"])
def test_player_names_of_another_table_are_caught(kept):
    if kept == "describe":
        faulty = with_words(PLAYED, describe=lambda e, seat, names: WHOLE.describe(e, seat, ["Zaphod0", "Zaphod1"]))
    else:

        def scene(view, names):
            return PLAYED.scenes.scene(view, ["Zaphod0", "Zaphod1"])

        faulty = planted(PLAYED, scenes=dataclasses.replace(PLAYED.scenes, scene=scene))
    with pytest.raises(Violation, match="with other names, the sentence differs"):
        wording.words_are_lines(faulty)


def raising(*given):
    raise KeyError("this is the fault")


EIGHTS = game("eights")
OPTIONS = {
    "no words for an option": {"OPTIONS": EIGHTS.words.OPTIONS[1:]},
    "a sentence that cannot be filled": {
        "OPTIONS": (Option("players", ask="How?", says="{} {} players."), *EIGHTS.words.OPTIONS[1:])
    },
    "an objection to the game": {"objection": lambda options: "That does not go together."},
    "an objection that raises": {"objection": raising},
    "an objection without words": {"objection": lambda options: "" if options["limit"] == 40 else None},
    "scores without a name": {"SCORE_LABEL": ""},
    "half a row of help": {"HELP": (("5H",),)},
    "help without words": {"HELP": (("5H", " "),)},
}


@pytest.mark.parametrize("fault", first_fast(OPTIONS, 2))
def test_options_without_words_are_caught(fault):
    with pytest.raises(Violation):
        wording.options_have_words(with_words(EIGHTS, **OPTIONS[fault]))


@pytest.mark.parametrize(
    "wrong", [{"title": "\x1b[31mEights"}, {"summary": ""}, {"rules_text": ""}, {"title": "Crazy\nEights"}]
)
def test_a_game_without_a_name_or_rules_is_caught(wrong):
    with pytest.raises(Violation):
        wording.options_have_words(planted(EIGHTS, **wrong))


def test_options_that_do_not_round_trip_are_caught():
    """Names of games may have numbers of up to 18 digits; records with a longer one could not be read."""
    faulty = planted(EIGHTS, option_ranges={**EIGHTS.option_ranges, "limit": (1, 10**18)})
    with pytest.raises(Violation, match=r"finding the game eights:limit=1000000000000000000 raised NotationError"):
        wording.options_have_words(faulty)


def test_options_of_a_stacked_pack_round_trip():
    wording.options_have_words(game("holdem"))
