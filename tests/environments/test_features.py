"""Views as tensors: everything that a view shows, nothing that it does not, and every cell documented."""

import subprocess
import sys
from itertools import islice
from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.engine.contract.checking import observers
from kibitz.engine.contract.numbers import numbers_checked
from kibitz.engine.kernels.compilation import kernel_modules
from kibitz.engine.views.events import encoded
from kibitz.engine.views.field_types import Latest
from kibitz.engine.views.observation import sources
from kibitz.environments.compiled import cell_kernels
from kibitz.environments.compiled.observe_kernel import ObserveKernelWriter, observer_module
from kibitz.errors import NotationError
from kibitz.kernel import mark
from kibitz.tensors.cells import Coding, Number
from kibitz.tensors.composite_cells import BySeat, Listed, Maybe, Parts
from kibitz.tensors.features import Features
from tests.environments.positions import GAMES, VARIED, positions
from tests.tiers import tiered

EVERY = [*GAMES, *VARIED]
CUT = {"log"}
"""Fields of which the tensor keeps the latest part only: histories."""


@pytest.fixture(scope="module")
def laid():
    """The layouts, each made once."""
    return {name: kibitz.features(name) for name in EVERY}


@pytest.mark.parametrize("name", tiered(EVERY))
def test_every_field_is_in_planes_that_follow_one_another_or_is_left_out_with_a_reason(name, laid):
    features = laid[name]
    at = 0
    for plane in features.planes:
        assert plane.offset == at
        assert plane.meaning
        at += plane.size
    assert at == features.size
    assert len(set(features.names)) == len(features.names)
    shown = {name.partition(".")[0].rstrip("?") for name in features.names}
    left_out = dict(features.left_out)
    assert shown | set(left_out) == {"seat", *sources(features.reader.kind)}
    assert all(left_out.values())
    table = str(features)
    assert all(f"\n{plane.name} " in table for plane in features.planes)


@pytest.mark.parametrize("name", tiered(EVERY))
def test_what_is_left_out_is_the_same_in_every_position(name, laid):
    features = laid[name]
    first = features.game.view(features.game.deal(0), 0)
    for state in positions(features.game, 1):
        view = features.game.view(state, 0)
        for field, _ in features.left_out:
            assert getattr(view, field) == getattr(first, field)


@pytest.mark.parametrize("name", tiered(EVERY))
def test_views_that_differ_have_tensors_that_differ(name, laid):
    features, game = laid[name], laid[name].game
    known = {}
    for seed in range(2):
        for state in positions(game, seed):
            for seat in observers(game):
                view = game.view(state, seat)
                cells = features.observe(view)
                assert cells.shape == (features.size,)
                assert cells.dtype == np.int8
                assert cells.min() >= 0
                before = known.setdefault(cells.tobytes(), view)
                assert all(
                    getattr(before, field) == getattr(view, field)
                    for field in view.__struct_fields__
                    if field not in CUT
                ), f"seat {seat} of {name}"


def test_only_fields_that_say_so_are_cut():
    cut = {
        name
        for game in GAMES.values()
        for name, (_, hint) in sources(Features(game).reader.kind).items()
        if any(isinstance(mark, Latest) for mark in getattr(hint, "__metadata__", ()))
    }
    assert cut == CUT


@pytest.mark.parametrize("name", tiered(EVERY))
def test_no_number_lies_beyond_what_its_plane_says_and_no_list_is_longer(name, laid):
    features, game = laid[name], laid[name].game
    for state in positions(game, 3):
        for seat in observers(game):
            view = game.view(state, seat)
            for field in features.fields:
                if field.name not in CUT:
                    fits(field.coding, getattr(view, field.name), f"{field.name} of {name}")


def fits(coding: Coding, value, where: str) -> None:
    """Whether a value is written whole."""
    match coding:
        case Number():
            assert coding.least <= value <= coding.most, where
        case Maybe() if value is not None:
            fits(coding.inner, value, where)
        case Listed() | BySeat():
            assert len(value) <= (coding.most if isinstance(coding, Listed) else coding.seats * coding.per_seat), where
            for item in value:
                fits(coding.item, item, where)
        case Parts():
            for k, part in enumerate(coding.parts):
                fits(part, getattr(value, coding.names[k]) if coding.names else value[k], where)


@pytest.mark.parametrize("name", tiered(EVERY))
def test_worlds_that_a_seat_cannot_tell_apart_have_one_tensor(name, laid):
    features, game = laid[name], laid[name].game
    differ = 0
    for state in islice(positions(game, 2), 0, None, 4):
        for seat in observers(game):
            cells = features.observe(game.view(state, seat)).tobytes()
            for world in islice(game.infoset_states.determinizations(state, seat, Random(5)), 2):
                differ += world != state
                assert features.observe(game.view(world, seat)).tobytes() == cells
    assert differ


@pytest.mark.parametrize("name", tiered(EVERY))
def test_the_kernel_writes_what_the_view_shows(name, laid):
    """Plain Python, for every seat and the spectator; no number or index is one that machine code must not meet."""
    features, game = laid[name], laid[name].game
    module = observer_module(features)
    kernels = [one for each in kernel_modules(module) for one in vars(each).values() if mark(one) == "kernel"]
    with numbers_checked({one for one in kernels if one.__module__ in (module.__name__, cell_kernels.__name__)}):
        for state in islice(positions(game, 4), 0, None, 2):
            for seat in observers(game):
                out = [0] * features.size
                module.observe(state, seat, out)
                assert out == features.observe(game.view(state, seat)).tolist(), f"seat {seat}"


def test_every_game_has_its_kernel():
    """No game's Python is beyond what kernels can be written from."""
    for game in GAMES.values():
        compile(ObserveKernelWriter(Features(game)).text(), game.name, "exec")


@pytest.mark.parametrize("name", ["go", "eights", "president"])
def test_whoever_looks_comes_first(name):
    features = kibitz.features(name)
    state = features.game.deal(9)
    field = "hands" if name == "go" else "counts"
    plane = features[field]
    for seat in range(features.game.seats):
        view = features.game.view(state, seat)
        rows = features.observe(view)[plane.offset : plane.offset + plane.size].reshape(plane.shape)
        own = getattr(view, field)[seat]
        if name == "go":
            assert rows[0, 1:].sum() == len(own)
            assert not rows[1:].any()
        else:
            assert [int((row << np.arange(len(row))).sum()) for row in rows] == [
                view.counts[(seat + k) % features.game.seats] for k in range(features.game.seats)
            ]


def test_the_planes_of_leduc_say_which_are_private():
    leduc = kibitz.features("leduc")
    assert {plane.name for plane in leduc.planes if plane.private} >= {"hand", "fresh", "thrown", "last.hand"}
    assert not leduc["board"].private


def test_what_can_be_no_view_or_plane_is_refused():
    go = kibitz.features("go")
    eights = kibitz.game("eights")
    with pytest.raises(NotationError, match="view must be one of go"):
        go.observe(eights.view(eights.deal(1), 0))
    with pytest.raises(NotationError, match="go has no plane 'hand'; there are: seat, player"):
        go["hand"]
    with pytest.raises(NotationError, match="Unknown game"):
        kibitz.features("chess")


def test_order_and_copies_are_told():
    """Cards in an order have places; a card that is there twice has two cells."""
    huxxy = kibitz.features("huxxy")
    state = next(s for s in map(huxxy.game.deal, range(9)) if s.hand_twice[0])
    view = huxxy.game.view(state, 0)
    plane = huxxy["hand"]
    once, twice = huxxy.observe(view)[plane.offset : plane.offset + plane.size].reshape(plane.shape)
    assert sorted([*np.flatnonzero(once), *np.flatnonzero(twice)]) == sorted(view.hand)
    assert encoded(view) == encoded(huxxy.game.view(state, 0))


NEW_GAME = """
import kibitz
from kibitz.engine.registry import add
from kibitz.environments.compiled.observe_kernel import observer_module

(game,) = add("old_maid")[:1]
features = kibitz.features(game)
state, out = game.deal(3), [0] * features.size
observer_module(features).observe(state, 1, out)
print(features["hand"].shape, out == features.observe(game.view(state, 1)).tolist())
"""


def test_a_new_game_has_tensors_and_a_kernel_without_a_line(tmp_path):
    for command in (["-m", "kibitz", "new-game", "old_maid"], ["-c", NEW_GAME.replace('"old_maid"', '"./old_maid"')]):
        ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout == "(52,) True\n"
