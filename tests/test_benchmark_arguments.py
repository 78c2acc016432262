"""What follows a benchmark's name is read by ``benchmarks.harness`` alone: all else is refused in a sentence."""

from argparse import ArgumentTypeError

import pytest

from benchmarks.harness import LONGEST, a_game, fraction, games, one_of, whole, wholes


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (whole(2), "1", "2 to 10000000 is wanted, not 1"),
        (whole(0, 9), "10", "0 to 9 is wanted, not 10"),
        (whole(0), "9" * 5000, f"a whole number is wanted, not '{'9' * LONGEST}'"),
        (whole(0), "1.5", "a whole number is wanted, not '1.5'"),
        (whole(0), "", "a whole number is wanted, not ''"),
        (whole(0), "--1", "a whole number is wanted, not '--1'"),
        (whole(0), "²", "a whole number is wanted, not '²'"),
        (wholes(1), "3,0", "1 to 10000000 is wanted, not 0"),
        (fraction(0, 2), "nan", "0 to 2 is wanted, not nan"),
        (fraction(0, 2), "2.1", "0 to 2 is wanted, not 2.1"),
        (fraction(0, 2), "much", "a number is wanted, not 'much'"),
        (one_of({"a": 1, "b": 2}), "a,c", "there is no 'c'; there are a, b"),
        (a_game, "chess", "Unknown game 'chess'"),
        (games, "go,chess", "Unknown game 'chess'"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(read, text, sentence):
    with pytest.raises(ArgumentTypeError) as found:
        read(text)
    assert str(found.value).startswith(sentence)


def test_what_fits_is_read():
    assert (whole(2)("2"), whole(-5, 5)("-5"), whole(0)("10000000")) == (2, -5, 10_000_000)
    assert (wholes(1)("100,20"), fraction(0, 2)("1.5"), one_of("ab")("b,a")) == ([100, 20], 1.5, ["b", "a"])
    assert a_game("bo").name == "bo"
    assert [game.name for game in games("go,kuhn")] == ["go", "kuhn"]
