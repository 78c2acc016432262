"""Positions that cover a game: every branch of its code, reason, event and value that a seat can see.

    line        a game as played: its options, seed and actions
    position    a moment of a line: the state before an action, and the action that follows
    feature     something that occurs at a position: a branch, a reason to refuse, an event, a value in a view
    search      plays lines with many options and in many ways, prefers rare actions, and keeps each position with a
                feature that fewer than ``POSITIONS_PER_FEATURE`` of the kept positions have

The search is deterministic: the same game gives the same positions.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import msgspec

from kibitz.engine.contract import coverage
from kibitz.engine.contract.checking import MAX_ACTIONS, Place, observers, raising_nothing
from kibitz.engine.contract.coverage import recording
from kibitz.engine.game import Game, Strategy
from kibitz.engine.kernels.policies import Policy
from kibitz.engine.layout import PlainState
from kibitz.engine.views.events import Event
from kibitz.errors import NotationError

POSITIONS_PER_FEATURE = 2
"""How many positions with each feature are kept, if the search finds that many."""
EXACT_BELOW = 64
"""Larger numbers in views count as equal if they have the same number of binary digits."""
STEPS = 1800
"""How many actions a search plays per degree of thoroughness; more in longer games."""
OPTION_LINES = 12
"""The number of lines with other options after which every value of every option has come up."""
MAX_LINE = 80
"""The maximum number of actions of a line that has other options than the game's own."""
STALE_LINES = 30
"""The search ends once this many lines in a row have shown nothing new."""
PLACES = 20
"""About how many places in the list of legal actions are tried in a position."""
OPENINGS = 8
OPENING_LENGTH = 80
"""How many lines per pair of strategies begin with actions that a game's strategies choose, and how many actions."""

Feature = Any


@dataclass(frozen=True)
class LinePosition:
    """A moment of a line; ``action`` is None at its end. Play on in a copy of the state only."""

    game: Game
    seed: int
    actions: tuple[int, ...]
    state: PlainState
    legal: list[int]
    action: int | None

    @property
    def place(self) -> Place:
        """The place, for a message."""
        return Place(self.game, self.seed, len(self.actions), action=self.action, actions=self.actions)


@dataclass
class SearchResult:
    """The result of a search: the positions kept, what they show, and the last position of each line that has one."""

    positions: list[LinePosition] = field(default_factory=list)
    lines: list[LinePosition] = field(default_factory=list)
    features: Counter[Feature] = field(default_factory=Counter)
    reasons: set[int] = field(default_factory=set)
    events: set[type[Event]] = field(default_factory=set)
    branches: set[str] = field(default_factory=set)


class PositionSearch:
    """Plays lines of a game, notes what they show and keeps the positions that show something new."""

    def __init__(self, game: Game, thorough: int) -> None:
        self.game, self.actions_left = game, STEPS * thorough
        self.random = Random(game.name)
        self.result = SearchResult()
        self.times_played: Counter[int] = Counter()
        self.exemplars: dict[int, int] = {}  # by reason, an action that was refused for it
        self.branches_taken: set[str] = set()
        self.stale_lines = 0
        self.option_values = [(name, value) for name, ends in game.option_ranges.items() for value in extremes(*ends)]
        self.random.shuffle(self.option_values)

    def run(self) -> SearchResult:
        """Play lines until enough actions are played or nothing new has come up for long; finish the last line."""
        opening_count = OPENINGS * max(1, len(own_strategies(self.game)) // 2)
        openings = [opening_actions(self.with_options(number), number) for number in range(opening_count)]
        with recording([*coverage.rules_of(self.game), *coverage.event_functions_of(self.game)]) as self.branches_taken:
            for number in range(self.actions_left):
                if self.actions_left <= 0 or self.stale_lines > STALE_LINES:
                    break
                self.line(number, openings[number] if number < opening_count else [])
            for position in self.result.positions:
                self.look_closely(position)
            self.result.branches |= self.branches_taken
        with recording(coverage.text_functions_of(self.game)) as branches_taken:
            for position in self.result.positions:
                make_texts(position)
            self.result.branches |= branches_taken
        return self.result

    def with_options(self, number: int) -> Game:
        """The game for a line: in every second line with some other options, so that all values come up in turn."""
        if number % 2 == 0 or not self.option_values:
            return self.game
        option_count = max(3, -(-len(self.option_values) // OPTION_LINES))
        start, chosen = option_count * (number // 2), dict[str, int]()
        for name, value in (
            self.option_values[(start + i) % len(self.option_values)]
            for i in range(min(option_count, len(self.option_values)))
        ):
            try:
                self.game.with_options(**{**chosen, name: value})
            except NotationError:
                continue
            chosen[name] = value
        return self.game.with_options(**chosen)

    def line(self, number: int, beginning: list[int]) -> None:
        """Play one line, which begins with the actions ``beginning`` as far as they are legal."""
        game, seed = self.with_options(number), number
        state, actions, is_kept = game.deal(seed), list[int](), False
        max_length = MAX_LINE if game.name != self.game.name else MAX_ACTIONS
        everybody = observers(game)
        notices = game.opening(state)
        while True:
            with raising_nothing("the game", Place(game, seed, len(actions), actions=tuple(actions))):
                legal = game.legal(state)
                features = self.features(game, state, legal, everybody[len(actions) % len(everybody)])
                for notice in notices:
                    self.result.events.add(type(notice.event))
                    features |= set(view_values(notice.event, type(notice.event).__name__))
                over = bool(state.over) or len(actions) >= max_length
                action = None if over else self.choice(game, state, legal, number, actions, beginning)
                before = state.copy()
                notices = [] if action is None else game.advance(state, action)
            features |= self.branches_taken
            self.result.branches |= self.branches_taken
            self.branches_taken.clear()
            if any(self.result.features[feature] < POSITIONS_PER_FEATURE for feature in features):
                self.result.features.update(features)
                self.result.positions.append(LinePosition(game, seed, tuple(actions), before, legal, action))
                is_kept = True
            self.actions_left -= 1
            if action is None:
                break
            actions.append(action)
        self.stale_lines = 0 if is_kept else self.stale_lines + 1
        if is_kept:
            self.result.lines.append(LinePosition(game, seed, tuple(actions), state, legal, None))

    def choice(
        self, game: Game, state: PlainState, legal: list[int], number: int, actions: list[int], beginning: list[int]
    ) -> int:
        """A line's next action: of its ``beginning``, the action played least, a random one, or ``substitute``.

        ``actions`` have been played so far; the line's ``number`` determines how often it plays in which way.
        """
        chance = self.random.random()
        if len(actions) < len(beginning) and beginning[len(actions)] in legal and actions == beginning[: len(actions)]:
            action = beginning[len(actions)]
        elif chance < 0.05 * (number % 4):
            action = int(game.rules.substitute(state))
        elif number % 3 == 0 or chance > 0.7:
            action = self.random.choice(legal)
        else:
            candidates = legal if len(legal) <= 12 else self.random.sample(legal, 12)
            action = min(candidates, key=self.times_played.__getitem__)
        self.times_played[action] += 1
        return action

    def features(self, game: Game, state: PlainState, legal: list[int], seat: int) -> set[Feature]:
        """The features of a position: the reasons to refuse, and the content of one seat's view."""
        features: set[Feature] = set()
        for action in self.candidates(game, legal):
            reason = int(game.rules.refusal(state, action))
            if reason not in self.exemplars or self.random.random() < 0.1:
                self.exemplars[reason] = action
            features.add(("reason", reason))
            self.result.reasons.add(reason)
        view = game.view(state, seat)
        features |= set(view_values(view, type(view).__name__))
        if self.actions_left % 4 == 0 or state.over:
            game.imagine(view, abs(self.actions_left))
        return features

    def candidates(self, game: Game, legal: list[int]) -> set[int]:
        """Actions to ask ``refusal`` about: beyond both ends, beside legal ones, one for each known reason, others."""
        legal_sample = self.random.sample(legal, min(2, len(legal)))
        actions = {-1, game.actions, *legal_sample, *(action + 1 for action in legal_sample), *self.exemplars.values()}
        return (
            actions
            | {self.random.randrange(game.first_amount) for _ in range(4)}
            | {self.random.randrange(game.actions)}
        )

    def look_closely(self, position: LinePosition) -> None:
        """Call what the search doesn't call at every step, such as ``substitute`` and the views of all seats."""
        game, state = position.game, position.state
        with raising_nothing("the game", position.place):
            if state.over:
                game.returns(state)
                for forfeited in (frozenset[int](), frozenset({0}), frozenset(range(game.seats))):
                    game.result(state, forfeited)
            else:
                game.rules.substitute(state)
            self.call_legal_at(position)
            if position.action is not None:
                game.rules.apply(state.copy(), position.action)
            if game.first_amount < game.actions:
                game.rules.min_amount(state), game.rules.max_amount(state)
            for seat in observers(game):
                game.view(state, seat)

    def call_legal_at(self, position: LinePosition) -> None:
        """Call ``legal_at`` for places in the list of legal actions, if the game has it."""
        rules, scratch = position.game.rules, [0] * position.game.max_legal
        if hasattr(rules, "legal_count"):
            n = int(rules.legal_count(position.state, scratch))
            for i in range(0, n, n // PLACES + 1):
                rules.legal_at(position.state, i, scratch)


def opening_actions(game: Game, number: int) -> list[int]:
    """The beginning of a game played by some of its own strategies, which leads to positions of better play."""
    random = Random(number)
    state, actions, strategies = game.deal(number), list[int](), own_strategies(game)
    seats = [random.choice(strategies) for _ in range(game.seats if strategies else 0)]
    for _ in range(OPENING_LENGTH):
        if state.over or not seats:
            break
        legal = game.legal(state)
        action = seats[state.player](game.view(state, state.player), legal[:], random)
        if action not in legal or random.random() < 0.05:
            action = random.choice(legal)
        actions.append(action)
        game.rules.apply(state, action)
    return actions


def own_strategies(game: Game) -> list[Strategy]:
    """The strategies that begin lines; policies only if there are no others, so that a new policy changes nothing."""
    strategies = list(game.strategies.values())
    return [each for each in strategies if not isinstance(each, Policy)] or strategies


def make_texts(position: LinePosition) -> None:
    """Make every text about a position and the action that follows."""
    game, state = position.game, position.state
    names = [f"P{p}" for p in range(game.seats)]
    with raising_nothing("the game's words", position.place):
        for seat in observers(game):
            game.scene(game.view(state, seat), names)
        if state.over:
            return
        view = game.view(state, state.player)
        game.words.prompt(view)
        actions = {position.legal[0], position.legal[-1]}
        for action in actions if position.action is None else {*actions, position.action}:
            game.text(view, action)
            game.words.label(view, action)
            game.parts(view, action)
        if position.action is not None:
            notices = game.advance(state.copy(), position.action)
            notices += [] if position.actions else game.opening(state)
            for notice in notices:
                for seat in observers(game):
                    if notice.reaches(seat):
                        game.describe(notice.event, seat, names)


def extremes(low: int, high: int) -> list[int]:
    """Values of an option that are worth trying: both limits, and two values above the lower one."""
    return sorted({low, min(low + 1, high), min(low + 2, high), high})


def view_values(value: Any, path: str) -> Iterator[Feature]:
    """Every value in a view or event, with the path of its field; all entries of a tuple have the same path."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from view_values(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, tuple | list):
        yield path, "of", min(len(value), EXACT_BELOW)
        for part in value:
            yield from view_values(part, path)
    elif isinstance(value, int) and not -EXACT_BELOW < value < EXACT_BELOW:
        yield path, "digits", value.bit_length()
    else:
        yield path, value


_searches: OrderedDict[tuple[int, int], tuple[Game, SearchResult]] = OrderedDict()
MAX_SEARCHES = 24
"""How many results of searches are kept, so that all checks of a game see the same positions."""


def search(game: Game, thorough: int = 1) -> SearchResult:
    """The positions that cover a game; found once and kept for the other checks."""
    thorough = min(thorough, 5)
    key = id(game), thorough
    if key not in _searches:
        _searches[key] = game, PositionSearch(game, thorough).run()
        while len(_searches) > MAX_SEARCHES:
            _searches.popitem(last=False)
    return _searches[key][1]


def covering_positions(game: Game, thorough: int = 1, seed: int | None = None) -> list[LinePosition]:
    """The positions that cover a game, or only those of one seed."""
    return [position for position in search(game, thorough).positions if seed in (None, position.seed)]


def share_positions(game: Game, other: Game) -> Game:
    """Use the positions that cover ``other`` for ``game``, which is a modified copy of it."""
    search_result = search(other)
    changed = {
        name: getattr(game, name)
        for name in game.__dataclass_fields__
        if getattr(game, name) is not getattr(other, name)
    }
    positions = [replace(p, game=replace(p.game, **changed)) for p in search_result.positions]
    lines = [replace(p, game=replace(p.game, **changed)) for p in search_result.lines]
    _searches[id(game), 1] = game, replace(search_result, positions=positions, lines=lines)
    return game
