"""Names: nothing blank, invisible, stacked or reversed, and none that looks like another."""

import unicodedata
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from kibitz.engine.player_names import (
    MAX_LENGTH,
    UNNAMED,
    clean_name,
    distinct_names,
    look_alike,
    normalized,
    skeleton,
    why_invalid_name,
)

GOOD = [
    "Ann", "Zoë", "Nguyễn Văn Ánh", "李雷", "עדה", "أحمد", "สมชาย", "अनीता", "R2-D2", "O'Neil", "ann@uni.example",
    "Ann@2", "7", "Ann!", "Ann; Bo & Cy (3+1) #1 ~", "🂡 Ann", "Ann ❤", "Ann ❤\ufe0f", "👩\u200d💻",
    "Bo 🏳\ufe0f\u200d🌈!", "👍🏽", "עדה 🇦🇺",
]  # fmt: skip
IGNORABLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u3164\ufe00\ufe0f\uffa0\U000e0100"
"""Letters and marks that Unicode lists as Default_Ignorable_Code_Point."""
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
STACKERS = "\u1039\u17d2\u1a60\u1bab\uaaf6\U00010a3f\U00011133\U00011a47\U00011a99\U00011d45\U00011d97"
"""Marks that are invisible by themselves or on letters of another script."""
BAD = [
    "", " ", "Ann ", " Ann", "A  B", "_ann", "=1+1", "+1", "-1", "@x", ".", "'", "a|b", "a\nb", "a\tb",
    "a\x1b[31m", "a\x7f", "!ann", "a<b", "a, b", "a/b", "😀\u200d", "😀\ufe0f\ufe0f", "a\u200d😀", "⟦a",
    *(f"A{c}nn" for c in IGNORABLE + DIRECTIONS + "\u200b\u200d\u00ad\ufeff\u2060\u2800\u3000\u00a0\ud800"),
    *IGNORABLE,
    *(f"Ann{mark}" for mark in STACKERS),
    *("A\u0301\u0302\u0303\u0304nn", "Ann\u20dd", "Ann עדה", "\u0301nn", "a -\u0301", "x" * 41, "Zoe\u0308"),
]  # fmt: skip
TAKEN = [
    *(("Ann", "Аnn"), ("Ann", "ANN"), ("Ann", "Ａｎｎ"), ("Bill", "BiII"), ("modern", "rnodern"), ("B0t", "BOt")),
    *(("paypal", "раураl"), ("Ann 1", "Ann l"), ("Αda", "Ada"), ("O'Neil", "O’Neil"), ("ﬁn", "fin")),
    *(("Ann ❤", "Ann ❤\ufe0f"), ("👩\u200d💻", "👩💻")),
    *(("Mia", "Mi\u0307a"), ("Anja", "Anj\u0307a"), ("A\u0336da", "A\u0336\u0336da")),
]


@pytest.mark.parametrize("name", GOOD)
def test_names_in_many_scripts_are_valid(name):
    assert why_invalid_name(name) is None
    assert clean_name(name) == name


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_invisible_or_deceptive_names_are_invalid(name):
    sentence = why_invalid_name(name)
    assert sentence.endswith(".")
    assert sentence.isprintable()


@pytest.mark.parametrize(("name", "other"), TAKEN)
def test_names_that_look_the_same_are_alike(name, other):
    assert look_alike(name, other)
    assert look_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"), [("Ann", "Anna"), ("Ben", "Ken"), ("李雷", "李蕾"), ("Ada", "Ida"), ("a1", "a2")]
)
def test_names_that_look_different_are_not_alike(name, other):
    assert not look_alike(name, other)


@given(
    some.text()
    | some.lists(
        some.sampled_from([*IGNORABLE, *DIRECTIONS, *"aע =😀❤🏽🇦", "\u0301", "\u0302", "\u200d", "\ud800"])
    ).map("".join)
)
@example("\u0301" * 50)
@example("x" * 39 + " y")
def test_any_text_can_be_cleaned_into_a_valid_name(text):
    found = clean_name(text)
    assert why_invalid_name(found) is None
    assert clean_name(found) == found
    assert any(unicodedata.category(c)[0] in "LNS" for c in found)
    found.encode()


@given(some.lists(some.text(max_size=3) | some.sampled_from(["Ann", "Аnn", "Ann-1", "x" * 60, "x" * 50])))
def test_names_at_a_table_are_distinct_and_valid(texts):
    found = distinct_names([clean_name(text) for text in texts])
    assert all(why_invalid_name(name) is None for name in found)
    assert not any(look_alike(name, other) for n, name in enumerate(found) for other in found[:n])


@given(some.text())
def test_skeleton_is_idempotent(text):
    assert skeleton(skeleton(text)) == skeleton(text)


@given(some.sampled_from(GOOD), some.sampled_from(GOOD))
def test_look_alike_is_symmetric(name, other):
    assert look_alike(name, other) == look_alike(other, name)


def test_a_name_of_many_letters_is_cleaned_quickly():
    began = process_time()
    assert clean_name("x" * 10**5) == "x" * MAX_LENGTH
    assert why_invalid_name("x" * 10**5)
    assert process_time() - began < 2


def test_a_character_that_is_not_allowed_is_named():
    assert why_invalid_name("Ann, Bo").startswith("',' isn't allowed; use 1 to 40 letters")


def test_a_name_without_usable_letters_is_replaced():
    assert clean_name("\u202e\u3164") == UNNAMED
    assert len(clean_name("x" * 100)) == MAX_LENGTH


def test_skeletons_match_the_table_of_confusables():
    """Each listed pair looks alike, and no other Latin letters and digits do."""
    from confusable_homoglyphs.confusables import confusables_data

    pairs = [
        (normalized(sign), normalized(other["c"])) for sign, others in confusables_data.items() for other in others
    ]
    decomposed = [pair for pair in pairs if max(map(len, pair)) == 1]
    assert len(decomposed) > 5_000
    assert [pair for pair in decomposed if skeleton(pair[0]) != skeleton(pair[1])] == []
    signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    same = {frozenset(c for c in signs if skeleton(c) == skeleton(sign)) for sign in signs}
    assert {group for group in same if len(group) > 1} == {frozenset("0O"), frozenset("1Il")}
