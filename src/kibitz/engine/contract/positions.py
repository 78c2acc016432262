"""Positions that cover a game: every branch of its code, reason, event and value that a seat can see.

    line        a game as played: its options, seed and actions
    position    a moment of a line: the state before an action, and the action that follows
    feature     what a position shows: a branch taken, a reason to refuse, an event, a value in a view
    search      plays lines with many options and in many ways, prefers new features, and keeps the positions that
                show a feature of which fewer than ``POSITIONS_PER_FEATURE`` positions were kept before

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
"""How many kept positions must show a feature, where that many are found."""
EXACT_BELOW = 64
"""Larger numbers in views count as equal if they have the same number of binary digits."""
STEPS = 1800
"""How many actions a search plays per degree of thoroughness; more in longer games."""
OPTION_LINES = 12
"""The number of lines with other options, after which every value of every option has come up."""
MAX_LINE = 80
"""The most actions of a line that has other options than the game's own."""
STALE_LINES = 30
"""The search ends once this many lines in a row have shown nothing new."""
PLACES = 20
"""About how many places in the list of legal actions are tried in a position."""
SCRIPTS = 8
SCRIPTED = 80
"""How many lines begin with the actions of each pair of a game's strategies, and with how many actions."""

Feature = Any


@dataclass(frozen=True)
class Position:
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
    """The result of a search: ``lines`` are the last positions of lines that have a kept one."""

    positions: list[Position] = field(default_factory=list)
    lines: list[Position] = field(default_factory=list)
    features: Counter[Feature] = field(default_factory=Counter)
    reasons: set[int] = field(default_factory=set)
    events: set[type[Event]] = field(default_factory=set)
    branches: set[str] = field(default_factory=set)


class Search:
    """Plays lines of a game, notes what they show and keeps the positions that show something new."""

    def __init__(self, game: Game, thorough: int) -> None:
        self.game, self.left = game, STEPS * thorough
        self.random = Random(game.name)
        self.found = SearchResult()
        self.played: Counter[int] = Counter()
        self.exemplars: dict[int, int] = {}
        self.taken: set[str] = set()
        self.stale = 0
        self.values = [(name, value) for name, ends in game.adjustable.items() for value in extremes(*ends)]
        self.random.shuffle(self.values)

    def run(self) -> SearchResult:
        """Play lines until enough actions are played or nothing new has come up for long; finish the last line."""
        many = SCRIPTS * max(1, len(own_strategies(self.game)) // 2)
        scripts = [opening_actions(self.with_options(number), number) for number in range(many)]
        with recording([*coverage.rules_of(self.game), *coverage.event_functions_of(self.game)]) as self.taken:
            for number in range(self.left):
                if self.left <= 0 or self.stale > STALE_LINES:
                    break
                self.line(number, scripts[number] if number < many else [])
            for position in self.found.positions:
                self.look_closely(position)
            self.found.branches |= self.taken
        with recording(coverage.words_of(self.game)) as taken:
            for position in self.found.positions:
                make_texts(position)
            self.found.branches |= taken
        return self.found

    def with_options(self, number: int) -> Game:
        """The game, in every other line with other options: some that go together, all values of each in turn."""
        if number % 2 == 0 or not self.values:
            return self.game
        some = max(3, -(-len(self.values) // OPTION_LINES))
        at, chosen = some * (number // 2), dict[str, int]()
        for name, value in (self.values[(at + i) % len(self.values)] for i in range(min(some, len(self.values)))):
            try:
                self.game.with_options(**{**chosen, name: value})
            except NotationError:
                continue
            chosen[name] = value
        return self.game.with_options(**chosen)

    def line(self, number: int, actions_first: list[int]) -> None:
        """Play one line, beginning with some actions."""
        game, seed = self.with_options(number), number
        state, actions, kept = game.deal(seed), list[int](), False
        longest = MAX_LINE if game.name != self.game.name else MAX_ACTIONS
        everybody = observers(game)
        notices = game.opening(state)
        while True:
            with raising_nothing("the game", Place(game, seed, len(actions), actions=tuple(actions))):
                legal = game.legal(state)
                features = self.features(game, state, legal, everybody[len(actions) % len(everybody)])
                for notice in notices:
                    self.found.events.add(type(notice.event))
                    features |= set(view_values(notice.event, type(notice.event).__name__))
                over = bool(state.over) or len(actions) >= longest
                action = None if over else self.choice(game, state, legal, number, actions, actions_first)
                before = state.copy()
                notices = [] if action is None else game.advance(state, action)
            features |= self.taken
            self.found.branches |= self.taken
            self.taken.clear()
            if any(self.found.features[feature] < POSITIONS_PER_FEATURE for feature in features):
                self.found.features.update(features)
                self.found.positions.append(Position(game, seed, tuple(actions), before, legal, action))
                kept = True
            self.left -= 1
            if action is None:
                break
            actions.append(action)
        self.stale = 0 if kept else self.stale + 1
        if kept:
            self.found.lines.append(Position(game, seed, tuple(actions), state, legal, None))

    def choice(
        self, game: Game, state: PlainState, legal: list[int], number: int, actions: list[int], first: list[int]
    ) -> int:
        """A line's next action: its given beginning, the action played least, a random one, or the substitute's."""
        manner = self.random.random()
        if len(actions) < len(first) and first[len(actions)] in legal and actions == first[: len(actions)]:
            action = first[len(actions)]
        elif manner < 0.05 * (number % 4):
            action = int(game.rules.substitute(state))
        elif number % 3 == 0 or manner > 0.7:
            action = self.random.choice(legal)
        else:
            some = legal if len(legal) <= 12 else self.random.sample(legal, 12)
            action = min(some, key=self.played.__getitem__)
        self.played[action] += 1
        return action

    def features(self, game: Game, state: PlainState, legal: list[int], seat: int) -> set[Feature]:
        """The features of a position: the reasons to refuse, and the content of one seat's view."""
        features: set[Feature] = set()
        for action in self.candidates(game, legal):
            reason = int(game.rules.refusal(state, action))
            if reason not in self.exemplars or self.random.random() < 0.1:
                self.exemplars[reason] = action
            features.add(("reason", reason))
            self.found.reasons.add(reason)
        view = game.view(state, seat)
        features |= set(view_values(view, type(view).__name__))
        if self.left % 4 == 0 or state.over:
            game.imagine(view, abs(self.left))
        return features

    def candidates(self, game: Game, legal: list[int]) -> set[int]:
        """Actions to check the refusal of: beyond both ends, beside legal ones, refused before, and some others."""
        some = self.random.sample(legal, min(2, len(legal)))
        actions = {-1, game.actions, *some, *(action + 1 for action in some), *self.exemplars.values()}
        return (
            actions
            | {self.random.randrange(game.first_amount) for _ in range(4)}
            | {self.random.randrange(game.actions)}
        )

    def look_closely(self, position: Position) -> None:
        """Call what the search doesn't call at every step: the substitute, all views, the result, imagination."""
        game, state = position.game, position.state
        with raising_nothing("the game", position.place):
            if state.over:
                game.returns(state)
                for out in (frozenset[int](), frozenset({0}), frozenset(range(game.seats))):
                    game.result(state, out)
            else:
                game.rules.substitute(state)
            self.find_places(position)
            if position.action is not None:
                game.rules.apply(state.copy(), position.action)
            if game.first_amount < game.actions:
                game.rules.least(state), game.rules.most(state)
            for seat in observers(game):
                game.view(state, seat)

    def find_places(self, position: Position) -> None:
        """Ask for legal actions by place, if the game can tell them without the list."""
        rules, scratch = position.game.rules, [0] * position.game.max_legal
        if hasattr(rules, "legal_count"):
            n = int(rules.legal_count(position.state, scratch))
            for i in range(0, n, n // PLACES + 1):
                rules.legal_at(position.state, i, scratch)


def opening_actions(game: Game, number: int) -> list[int]:
    """The beginning of a game played by some of its own strategies, which leads to positions of better play."""
    random = Random(number)
    state, actions, known = game.deal(number), list[int](), own_strategies(game)
    seats = [random.choice(known) for _ in range(game.seats if known else 0)]
    for _ in range(SCRIPTED):
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
    known = list(game.strategies.values())
    return [each for each in known if not isinstance(each, Policy)] or known


def make_texts(position: Position) -> None:
    """Make every text about a position and the action that follows."""
    game, state = position.game, position.state
    names = [f"P{p}" for p in range(game.seats)]
    with raising_nothing("the game's words", position.place):
        for seat in observers(game):
            game.scene(game.view(state, seat), names)
        if state.over:
            return
        mine = game.view(state, state.player)
        game.words.prompt(mine)
        some = {position.legal[0], position.legal[-1]}
        for action in some if position.action is None else {*some, position.action}:
            game.text(mine, action)
            game.words.label(mine, action)
            game.parts(mine, action)
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


def view_values(thing: Any, path: str) -> Iterator[Feature]:
    """Every value in a view or event, with the field it is in; places in tuples don't count."""
    if isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            yield from view_values(getattr(thing, name), f"{path}.{name}")
    elif isinstance(thing, tuple | list):
        yield path, "of", min(len(thing), EXACT_BELOW)
        for part in thing:
            yield from view_values(part, path)
    elif isinstance(thing, int) and not -EXACT_BELOW < thing < EXACT_BELOW:
        yield path, "digits", thing.bit_length()
    else:
        yield path, thing


_kept: OrderedDict[tuple[int, int], tuple[Game, SearchResult]] = OrderedDict()
KEEP = 24
"""How many games' searches are kept, so that all checks of a game see the same positions."""


def search(game: Game, thorough: int = 1) -> SearchResult:
    """The positions that cover a game; found once and kept for the other checks."""
    thorough = min(thorough, 5)
    key = id(game), thorough
    if key not in _kept:
        _kept[key] = game, Search(game, thorough).run()
        while len(_kept) > KEEP:
            _kept.popitem(last=False)
    return _kept[key][1]


def covering_positions(game: Game, thorough: int = 1, seed: int | None = None) -> list[Position]:
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
    _kept[id(game), 1] = game, replace(search_result, positions=positions, lines=lines)
    return game
