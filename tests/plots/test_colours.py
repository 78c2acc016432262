"""The four plot colours are distinguishable for every type of colour vision, in light and dark mode."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import kibitz.web
from kibitz.plots.primitives import DARK, INK, LIGHT, MUTED, PAPER

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
VISIONS = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
SIDES = {"light": (LIGHT, PAPER[0]), "dark": (DARK, PAPER[1])}


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one, other):
    light, dark = sorted((float(TO_XYZ[1] @ linear(colour)) for colour in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("side", SIDES)
def test_any_two_colours_differ_for_every_type_of_colour_vision(side, vision):
    for one, other in combinations(SIDES[side][0], 2):
        seen = [lab(np.asarray(VISIONS[vision]) @ linear(colour)) for colour in (one, other)]
        assert np.linalg.norm(seen[0] - seen[1]) >= 20, (one, other)


@pytest.mark.parametrize("side", SIDES)
def test_lines_and_text_contrast_with_the_background(side):
    colours, paper = SIDES[side]
    assert all(contrast(colour, paper) >= 3 for colour in colours)
    number = list(SIDES).index(side)
    assert all(contrast(ink[number], paper) >= 4.5 for ink in (INK, MUTED))


def test_light_colours_match_the_card_suits_in_css():
    css = (Path(kibitz.web.__file__).parent / "static" / "css" / "cards.css").read_text(encoding="utf-8")
    assert all(f": {colour};" in css for colour in LIGHT)
