"""Every prompt of line mode fits a small screen, and no number means two things, whatever the game and the names."""

import re
from random import Random

import pytest

from kibitz.cli.answering import Answering
from kibitz.cli.prompting import LINES, Prompt
from kibitz.cli.steps import Steps
from kibitz.engine.registry import all_games
from kibitz.engine.sentences import names_for
from kibitz.errors import KibitzError, NotationError
from kibitz.tui.pointing import Pointing
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


CARD = re.compile(r"(?:10|[2-9AKQJ])[♠♥♦♣]|[Jj]oker|\bX[0-9A-Z]\b")
BEHIND = re.compile(r"  \(.*|: .*")
"""What stands behind a choice: what comes of it, or what lies at a place."""


def told_in(label):
    """The numbers that one reads in the words of a choice, but for those of cards."""
    return [] if CARD.search(BEHIND.sub("", label)) else re.findall(r"(?<![\w-])\d+", BEHIND.sub("", label))


def alone_in(labels):
    """By number, the place of the choice that tells it, where no two choices of a list tell the same."""
    told = {place: int(numbers[0]) for place, label in enumerate(labels) if len(numbers := told_in(label)) == 1}
    places = {number: place for place, number in told.items()}
    return places if len(places) == len(told) else {}


class Reply(Answering):
    """One who types something at a step of a decision; ``come`` is the action, what was taken, or the refusal."""

    def __init__(self, steps, view):
        super().__init__(None, steps.game, steps.names)
        self.view, self.steps = view, Steps(steps.game, view, steps.legal, [*steps.picking.parts], steps.names)
        self.steps.taken += steps.taken
        self.steps.settle()

    def typed(self, number):
        try:
            return self.come(self.choice(str(number), self.view, [*self.steps.legal]))
        except KibitzError as error:
            return str(error)

    def chosen(self, choice):
        return self.come(self.steps.take(choice.key) if choice.action is None else choice.action)

    def come(self, action):
        return self.steps.taken if action is None else action


def demand_no_number_means_two_things(steps, view, random, where):
    """A number that is typed takes the choice that alone tells it; else the one that has it; else it is an amount."""
    choices, numbers = steps.choices, steps.numbers
    told = alone_in([choice.label for choice in choices])
    where = f"{where}: {dict(zip(numbers, [choice.label for choice in choices], strict=True))}"
    assert len(set(numbers)) == len(choices), where
    counted = random.sample(numbers, min(len(numbers), 9 if told else 1))
    for number in {random.randrange(12), *told, *counted}:
        place = told.get(number, numbers.index(number) if number in numbers else None)
        come = Reply(steps, view).typed(number)
        if place is not None and come == Reply(steps, view).chosen(choices[place]):
            continue
        assert number not in told, f"{where}: {number} does {come}"
        if isinstance(come, str):
            assert place is None or f"{number} could be choice {number} or an amount" in come, f"{where}: {come}"
        else:
            assert place is None, f"{where}: {number} does {come}"
            assert str(number) in steps.game.text(view, come), f"{where}: {number} does {come}"


def pointed(decision, act, what):
    """What comes of doing something on the whole screen: the action, and what is taken."""
    pointing = Pointing(*decision)
    return getattr(pointing, act)(what), pointing.picking.chosen


def demand_digits_take_what_they_tell(decision, random, where):
    """On the whole screen a digit takes the thing that alone tells it; else the one at which it stands."""
    pointing = Pointing(*decision)
    marks, keys = pointing.marks, list(pointing.offered)
    told = {number: keys[place] for number, place in alone_in([pointing.label(key) for key in keys]).items()}
    stands = {int(digit): key for key in keys if (digit := marks.number(key))}
    assert len(stands) == sum(bool(marks.number(key)) for key in keys), where
    for number in {*(n for n in told if n < 10), *random.sample(sorted(stands), min(len(stands), 1))}:
        key = told.get(number, stands.get(number))
        by_digit, by_hand = pointed(decision, "number", number), pointed(decision, "point", key)
        assert by_digit == by_hand, f"{where}: {number} is not {pointing.label(key)}"


def demand_steps_fit(played, state, random, where):
    """The prompts on the way to one action, taken at random; the action comes out."""
    seat, legal = state.player, played.legal(state)
    view, names = played.view(state, seat), names_of(played, seat)
    steps = Steps(played, view, legal, legal, names)
    demand_digits_take_what_they_tell((played, view, legal, names), random, where)
    for number in range(12):
        for plain in (False, True):
            demand_fits(Prompt(steps, names, 80, plain=plain, newcomer=number == 0), where)
        demand_no_number_means_two_things(steps, view, random, where)
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
