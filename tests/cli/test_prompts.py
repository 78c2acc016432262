"""In every game, line mode prompts fit a small screen, and numbers select choices."""

from random import Random

import pytest

from kibitz.cli.line_mode.decision import Questioner
from kibitz.cli.line_mode.prompt import LINES, DecisionSteps, Prompt
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.errors import KibitzError, NotationError
from kibitz.tui.selection import Selection
from tests.parts import share
from tests.tiers import tiered

GAMES = tiered(all_games())
NAMES = ("Ann", "Benedetta", "greedy-1", "Maximilian von und zu Hohenstein-Tauber", "Eve", "Finn", "Gus", "Hal", "Ina")
DECISIONS = 8
"""The number of decisions checked in a short game."""


def names_of(played, seat):
    """The seats' names as shown to this seat."""
    return names_for(seat, [f"{NAMES[p % len(NAMES)]}{p // len(NAMES) or ''}" for p in range(played.seats)])


def assert_fits(prompt, where):
    """Every page of a prompt fits at 80 columns, with the input line."""
    for page in range(4):
        lines = prompt.lines(page)
        height = prompt.height([line.text for line in lines]) + 1
        told = "\n".join(line.text for line in lines)
        assert height <= LINES, f"{where}: {height} lines\n{told}"


class Reply(Questioner):
    """Answers one step of a decision; ``come`` gives the action, or the things taken so far."""

    def __init__(self, steps, view):
        super().__init__(None, steps.game, steps.names)
        self.view, self.steps = view, DecisionSteps(steps.game, view, steps.legal, [*steps.picking.parts], steps.names)
        self.steps.selected += steps.selected
        self.steps.reselect()

    def typed(self, number):
        try:
            return self.come(self.choice(str(number), self.view, [*self.steps.legal]))
        except KibitzError as error:
            return str(error)

    def chosen(self, choice):
        return self.come(self.steps.select(choice.key) if choice.action is None else choice.action)

    def come(self, action):
        return self.steps.selected if action is None else action


def assert_numbers_select_choices(steps, view, random, where):
    """A number selects the choice with that number, counted from 1, and other numbers are refused."""
    choices = steps.choices
    for number in {0, 1, len(choices), len(choices) + 1, random.randrange(12)}:
        come = Reply(steps, view).typed(number)
        if 0 < number <= len(choices):
            assert come == Reply(steps, view).chosen(choices[number - 1]), f"{where}: {number} does {come}"
        else:
            assert str(come).startswith(f"There is no choice {number}"), f"{where}: {number} does {come}"


def select(decision, act, what):
    """The result of a call on the full-screen selection: the action, and the things taken."""
    selection = Selection(*decision)
    return getattr(selection, act)(what), selection.picking.chosen


def assert_digits_select_what_they_mark(decision, random, where):
    """On the full screen a digit selects the thing that it marks, starting with 1."""
    selection = Selection(*decision)
    marks, keys = selection.marks, list(selection.offered)
    for digit, key in zip("1234567890", keys, strict=False):
        assert marks.number(key) in (digit, ""), f"{where}: {selection.label(key)} is not {digit}"
    number = random.randrange(min(len(keys), 10))
    by_digit, by_hand = select(decision, "select_number", (number + 1) % 10), select(decision, "click", keys[number])
    assert by_digit == by_hand, f"{where}: {number + 1} is not {selection.label(keys[number])}"


def assert_steps_fit(played, state, random, where):
    """Check the prompts on the way to a random action, and return the action."""
    seat, legal = state.player, played.legal(state)
    view, names = played.view(state, seat), names_of(played, seat)
    steps = DecisionSteps(played, view, legal, legal, names)
    assert_digits_select_what_they_mark((played, view, legal, names), random, where)
    for number in range(12):
        for plain in (False, True):
            assert_fits(Prompt(steps, names, 80, plain=plain, is_newcomer=number == 0), where)
        assert_numbers_select_choices(steps, view, random, where)
        choice = random.choice(steps.choices)
        action = steps.select(choice.key) if choice.action is None else choice.action
        if action is not None:
            assert action in legal, where
            return action
    raise AssertionError(f"{where}: no action after twelve steps")


def play_through(played, seed, most):
    """Play a random game, and check every decision that has a choice."""
    random, state = Random(seed), played.deal(seed)
    for step in range(most):
        if state.over:
            return
        legal = played.legal(state)
        action = (
            legal[0] if len(legal) == 1 else assert_steps_fit(played, state, random, f"{played.name} {seed} {step}")
        )
        played.advance(state, action)


def widest(played):
    """The game with the maximum number of seats."""
    if "players" not in played.option_ranges:
        return played
    for players in range(played.option_ranges["players"][1], played.seats, -1):
        try:
            return played.with_options(players=players)
        except NotationError:
            continue
    return played


@pytest.mark.parametrize("played", GAMES)
def test_every_prompt_fits_20_lines(played):
    play_through(played, 1, DECISIONS)
    play_through(widest(played), 2, DECISIONS)


@pytest.mark.long
@pytest.mark.parametrize("played", GAMES)
def test_every_prompt_of_200_games_fits_20_lines(played):
    for seed in share(range(200), 40, played.name):
        play_through(played if seed % 2 else widest(played), seed, 10_000)
