"""Distinct names for players, and how a rematch rotates them."""

import pytest

from kibitz.engine.player_names import MAX_LENGTH, distinct_names, look_alike, numbered_name
from kibitz.table.session import rotated_by_one


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
def test_only_names_that_look_alike_are_numbered(names, found):
    assert distinct_names(names) == found


def test_a_numbered_name_keeps_within_the_maximum_length():
    long = "x" * MAX_LENGTH
    assert numbered_name(long, 1) == "x" * (MAX_LENGTH - 2) + "-1"
    assert numbered_name(long, 12) == "x" * (MAX_LENGTH - 3) + "-12"
    told = distinct_names([long] * 12)
    assert max(map(len, told)) == MAX_LENGTH
    assert not any(look_alike(one, other) for one in told for other in told if one is not other)


def test_a_rematch_rotates_names_by_one_seat():
    assert rotated_by_one(["Ann", "Ben", "Cem"]) == ("Cem", "Ann", "Ben")
    assert rotated_by_one([1]) == (1,)
    assert rotated_by_one([]) == ()
