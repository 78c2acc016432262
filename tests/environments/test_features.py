"""Views as tensors: they hold exactly what a view shows, and every cell is documented."""

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
from kibitz.kernel import kernel_kind
from kibitz.tensors.cells import Coding, Number
from kibitz.tensors.composite_cells import BySeat, Listed, Maybe, Parts
from kibitz.tensors.features import Features
from tests.environments.positions import GAMES, VARIED, positions
from tests.tiers import tiered

EVERY = [*GAMES, *VARIED]
CUT = {"log"}
"""Fields of which the tensor keeps only the latest part: histories."""


@pytest.fixture(scope="module")
def layouts():
    """The features of every game, each made once."""
    return {name: kibitz.features(name) for name in EVERY}


@pytest.mark.parametrize("name", tiered(EVERY))
def test_every_field_has_planes_or_a_reason_for_its_omission(name, layouts):
    features = layouts[name]
    at = 0
    for plane in features.planes:
        assert plane.offset == at
        assert plane.meaning
        at += plane.size
    assert at == features.size
    assert len(set(features.names)) == len(features.names)
    shown = {name.partition(".")[0].rstrip("?") for name in features.names}
    left_out = dict(features.left_out)
    assert shown | set(left_out) == {"seat", *sources(features.builder.kind)}
    assert all(left_out.values())
    table = str(features)
    assert all(f"\n{plane.name} " in table for plane in features.planes)


@pytest.mark.parametrize("name", tiered(EVERY))
def test_omitted_fields_are_constant(name, layouts):
    features = layouts[name]
    first = features.game.view(features.game.deal(0), 0)
    for state in positions(features.game, 1):
        view = features.game.view(state, 0)
        for field, _ in features.left_out:
            assert getattr(view, field) == getattr(first, field)


@pytest.mark.parametrize("name", tiered(EVERY))
def test_different_views_have_different_tensors(name, layouts):
    features, game = layouts[name], layouts[name].game
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


def test_only_marked_fields_are_truncated():
    cut = {
        name
        for game in GAMES.values()
        for name, (_, hint) in sources(Features(game).builder.kind).items()
        if any(isinstance(mark, Latest) for mark in getattr(hint, "__metadata__", ()))
    }
    assert cut == CUT


@pytest.mark.parametrize("name", tiered(EVERY))
def test_numbers_and_lists_fit_their_planes(name, layouts):
    features, game = layouts[name], layouts[name].game
    for state in positions(game, 3):
        for seat in observers(game):
            view = game.view(state, seat)
            for field in features.fields:
                if field.name not in CUT:
                    fits(field.coding, getattr(view, field.name), f"{field.name} of {name}")


def fits(coding: Coding, value, where: str) -> None:
    """Check that a value is encoded without loss."""
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
def test_an_information_set_has_one_tensor(name, layouts):
    features, game = layouts[name], layouts[name].game
    differ = 0
    for state in islice(positions(game, 2), 0, None, 4):
        for seat in observers(game):
            cells = features.observe(game.view(state, seat)).tobytes()
            for world in islice(game.infoset_states.determinizations(state, seat, Random(5)), 2):
                differ += world != state
                assert features.observe(game.view(world, seat)).tobytes() == cells
    assert differ


@pytest.mark.parametrize("name", tiered(EVERY))
def test_kernel_tensors_match_the_view(name, layouts):
    """In plain Python, for every seat and the spectator, with numbers and indices checked as for machine code."""
    features, game = layouts[name], layouts[name].game
    module = observer_module(features)
    kernels = [one for each in kernel_modules(module) for one in vars(each).values() if kernel_kind(one) == "kernel"]
    with numbers_checked({one for one in kernels if one.__module__ in (module.__name__, cell_kernels.__name__)}):
        for state in islice(positions(game, 4), 0, None, 2):
            for seat in observers(game):
                out = [0] * features.size
                module.observe(state, seat, out)
                assert out == features.observe(game.view(state, seat)).tolist(), f"seat {seat}"


def test_every_game_has_an_observation_kernel():
    """Kernels can be generated from every game's Python."""
    for game in GAMES.values():
        compile(ObserveKernelWriter(Features(game)).text(), game.name, "exec")


@pytest.mark.parametrize("name", ["go", "eights", "president"])
def test_planes_by_seat_start_with_the_observer(name):
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


def test_private_planes_are_marked():
    leduc = kibitz.features("leduc")
    assert {plane.name for plane in leduc.planes if plane.private} >= {
        "hand",
        "late_cards",
        "own_discards",
        "last.hand",
    }
    assert not leduc["board"].private


def test_unknown_games_views_and_planes_are_refused():
    go = kibitz.features("go")
    eights = kibitz.game("eights")
    with pytest.raises(NotationError, match="view must be one of go"):
        go.observe(eights.view(eights.deal(1), 0))
    with pytest.raises(NotationError, match="go has no plane 'hand'; known planes: seat, player"):
        go["hand"]
    with pytest.raises(NotationError, match="Unknown game"):
        kibitz.features("chess")


def test_duplicate_cards_have_two_cells():
    """A card that is held twice has two cells."""
    huxxy = kibitz.features("huxxy")
    state = next(s for s in map(huxxy.game.deal, range(9)) if s.hand_twice[0])
    view = huxxy.game.view(state, 0)
    plane = huxxy["hand"]
    once, twice = huxxy.observe(view)[plane.offset : plane.offset + plane.size].reshape(plane.shape)
    assert sorted([*np.flatnonzero(once), *np.flatnonzero(twice)]) == sorted(view.hand)
    assert encoded(view) == encoded(huxxy.game.view(state, 0))


NEW_GAME = """
import kibitz
from kibitz.engine.registry import add_package
from kibitz.environments.compiled.observe_kernel import observer_module

(game,) = add_package("old_maid")[:1]
features = kibitz.features(game)
state, out = game.deal(3), [0] * features.size
observer_module(features).observe(state, 1, out)
print(features["hand"].shape, out == features.observe(game.view(state, 1)).tolist())
"""


def test_a_new_game_has_tensors_and_a_kernel_without_code(tmp_path):
    for command in (["-m", "kibitz", "new-game", "old_maid"], ["-c", NEW_GAME.replace('"old_maid"', '"./old_maid"')]):
        ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout == "(52,) True\n"
