"""Every prompt of line mode fits a small screen, whatever the game, the options and the names."""

from random import Random

import pytest

from kibitz.cli.prompting import LINES, Prompt
from kibitz.cli.steps import Steps
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.errors import NotationError
from tests.parts import share

GAMES = [pytest.param(played, id=played.name) for played in all_games()]
NAMES = ("Ann", "Benedetta", "greedy-1", "Maximilian von und zu Hohenstein-Tauber", "Eve", "Finn", "Gus", "Hal", "Ina")
DECISIONS = 60
"""So many decisions are looked at in a short game."""


def names_of(played, seat):
    """What the seats are called, by the one who reads."""
    return names_for(seat, [f"{NAMES[p % len(NAMES)]}{p // len(NAMES) or ''}" for p in range(played.seats)])


def demand_fits(prompt, where):
    """Every page of a prompt fits, at 80 columns and with the line that is typed into."""
    for page in range(4):
        lines = prompt.lines(page)
        height = prompt.height([line.text for line in lines]) + 1
        told = "\n".join(line.text for line in lines)
        assert height <= LINES, f"{where}: {height} lines\n{told}"


def demand_steps_fit(played, state, random, where):
    """The prompts on the way to one action, taken at random; the action comes out."""
    seat, legal = state.player, played.legal(state)
    view, names = played.view(state, seat), names_of(played, seat)
    steps = Steps(played, view, legal, legal, names)
    for number in range(12):
        for plain in (False, True):
            demand_fits(Prompt(steps, names, 80, plain=plain, newcomer=number == 0), where)
        choice = random.choice(steps.choices)
        action = steps.take(choice.key) if choice.action is None else choice.action
        if action is not None:
            assert action in legal, where
            return action
    raise AssertionError(f"{where}: no action comes of twelve steps")


def play_through(played, seed, most):
    """One game at random, in which every decision with a choice is looked at."""
    random, state = Random(seed), played.deal(seed)
    for step in range(most):
        if state.over:
            return
        legal = played.legal(state)
        action = (
            legal[0] if len(legal) == 1 else demand_steps_fit(played, state, random, f"{played.name} {seed} {step}")
        )
        played.advance(state, action)


def widest(played):
    """The game with as many seats as it may have."""
    if "players" not in played.adjustable:
        return played
    for players in range(played.adjustable["players"][1], played.seats, -1):
        try:
            return played.with_options(players=players)
        except NotationError:
            continue
    return played


@pytest.mark.parametrize("played", GAMES)
def test_every_prompt_fits_twenty_lines(played):
    play_through(played, 1, DECISIONS)
    play_through(widest(played), 2, DECISIONS)


@pytest.mark.long
@pytest.mark.parametrize("played", GAMES)
def test_every_prompt_of_two_hundred_games_fits_twenty_lines(played):
    for seed in share(range(200), 40, played.name):
        play_through(played if seed % 2 else widest(played), seed, 10_000)
