"""The table evaluator of single hands, against the kernel that ranks hands."""

from itertools import combinations
from random import Random

import pytest

from kibitz.cards import as_set
from kibitz.engine.kernels import compilation
from kibitz.games.poker.hands import evaluator, ranking
from tests.contract.groups import sharing

pytestmark = sharing("holdem")


@pytest.mark.parametrize("n", [5, 6, 7])
def test_tables_and_kernel_agree_on_random_hands(n):
    random, strength = Random(n), evaluator.evaluator().strength
    for _ in range(5000):
        cards = as_set(random.sample(range(52), n))
        assert strength(cards) == ranking.strength(cards)


def test_tables_and_kernel_agree_on_every_kind_of_flush():
    """Every five ranks of one suit, with every pair of two more cards of one rank."""
    strength = evaluator.evaluator().strength
    for ranks in combinations(range(13), 5):
        suited = as_set(4 * rank + 2 for rank in ranks)
        assert strength(suited) == ranking.strength(suited)
        more = suited | 1 << 4 * ranks[0] | 1 << 4 * ranks[0] + 1
        assert strength(more) == ranking.strength(more)


def test_stored_table_matches_its_command(tmp_path):
    evaluator.main(str(tmp_path / "ranks.z"))
    assert (tmp_path / "ranks.z").read_bytes() == evaluator.files("kibitz.games.poker.hands").joinpath(
        evaluator.FILE
    ).read_bytes()


def test_sums_identify_every_hand():
    assert [len(set(each)) for each in evaluator.sums()] == [6175, 18395, 49205]
    assert len(evaluator.table()) == 6175 + 18395 + 49205


def test_other_numbers_of_cards_are_rejected():
    for cards in (0, 0b1111, 0xFF):
        with pytest.raises(KeyError):
            evaluator.evaluator().strength(cards)


def test_machine_code_is_used_when_ready(monkeypatch):
    monkeypatch.setattr(compilation, "is_compiled", lambda *modules: False)
    assert evaluator.fastest_evaluator() == evaluator.evaluator().strength
    monkeypatch.setattr(compilation, "is_compiled", lambda *modules: True)
    assert evaluator.fastest_evaluator() is compilation.compiled(ranking).strength
    assert evaluator.fastest_evaluator()(0b11111) == evaluator.evaluator().strength(0b11111)
