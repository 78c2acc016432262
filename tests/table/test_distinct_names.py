"""Names that people can tell apart, and what a rematch does with them."""

import pytest

from kibitz.engine.player_names import LONGEST, alike
from kibitz.table.player import distinct, moved_on, with_number


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], ()),
        (["Ann"], ("Ann",)),
        (["Ann", "Ben"], ("Ann", "Ben")),
        (["rook", "Ann", "rook", "rook"], ("rook-1", "Ann", "rook-2", "rook-3")),
        (["rook", "rook", "rook-1"], ("rook-1", "rook-2", "rook-1-2")),
        (["Rook", "rook"], ("Rook-1", "rook-2")),
    ],
)
def test_names_that_look_the_same_are_numbered_and_no_other(names, found):
    assert distinct(names) == found


def test_a_numbered_name_is_no_longer_than_names_are():
    long = "x" * LONGEST
    assert with_number(long, 1) == "x" * (LONGEST - 2) + "-1"
    assert with_number(long, 12) == "x" * (LONGEST - 3) + "-12"
    told = distinct([long] * 12)
    assert max(map(len, told)) == LONGEST
    assert not any(alike(one, other) for one in told for other in told if one is not other)


def test_in_a_rematch_everybody_sits_a_seat_further_on():
    assert moved_on(["Ann", "Ben", "Cem"]) == ("Cem", "Ann", "Ben")
    assert moved_on([1]) == (1,)
    assert moved_on([]) == ()
