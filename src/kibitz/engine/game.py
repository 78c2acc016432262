"""``Game``: what a game's package provides, and what everything else calls.

    rules       kernels: deal, refusal, legal, apply, returns, resample, substitute; LAYOUT, ACTIONS, OPTIONS, Reason
    amounts     actions from ``rules.FIRST_AMOUNT`` on, if the game has it: all from ``min_amount`` to ``max_amount``
                are legal, and ``legal`` lists only some, up to ``rules.MAX_LEGAL`` actions in all (decision 13)
    views       view, views, opening, advance, restore, result: what seats see and may know
    words       text, parse_action, label, prompt, describe: everything that people read
                (``kibitz.engine.words``)
    scenes      scene, parts: how a table is drawn on a screen, and the parts of an action
                (``kibitz.engine.scene``)
    infoset_states  ``determinizations(state, seat, random)``: positions that a seat can't tell apart from a given one,
                made without ``resample``; ``key(state)``: a position without meaningless details, such as the order of
                the draw pile
    assignment  how the assignment's functions are called for this game (``kibitz.engine.views.assignment_interface``)
    options     the value of each option, fixed before the deal
    option_ranges  the options that users may set, each with its lowest and highest value
    compile_more  functions that compile the machine code of the game's players (``kibitz compile``)
    strategies  computer players, by name: functions of a view
    policies    strategies that are kernels (``kibitz.engine.kernels.policies``)
    by_score    whether tournaments rank by mean score before share of wins, as in games for chips

``Game`` checks arguments before it calls these functions (see ``validation``).  Batches and search compile the kernels
(``compilation``) and call them directly.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from random import Random
from types import ModuleType
from typing import Any

from kibitz.cards import short_repr
from kibitz.cards.chance import rekey
from kibitz.engine import validation
from kibitz.engine.infoset_states import InfosetStates
from kibitz.engine.kernels.loops import MAX_STEPS
from kibitz.engine.layout import PlainState
from kibitz.engine.lesson import Lesson, read_lesson
from kibitz.engine.scene.default_scene import scene_of
from kibitz.engine.scene.elements import Part, Scene, Scenes
from kibitz.engine.scene.picking import parts_of
from kibitz.engine.sentences import Names, names_for
from kibitz.engine.views.events import Event, Notice, Outcome, View
from kibitz.engine.words import Words
from kibitz.errors import NotationError, RuleError

Strategy = Callable[[Any, list[int], Random], int]
"""``strategy(view, legal, random)``: the action that a seat takes, from only what it sees."""
NO_LIMIT = 10**18 - 1
"""The highest value of an option without an upper limit: the largest number that fits after a name."""
MAX_REJECTIONS = 100_000
"""How many draws in a row ``resample`` may reject."""
CHECK_AFTER = 1000
"""After this many rejections, check whether they have changed the position."""
SEED_LIMIT = 1 << 128
"""Seeds are 0 to 2**128 - 1."""


@dataclass(frozen=True)
class Game:
    """One game with its options; all games are found through ``kibitz.engine.registry``."""

    name: str
    title: str
    summary: str
    rules: ModuleType
    options: Mapping[str, int]
    words: Words
    view: Callable[[PlainState, int], View]
    views: Callable[[PlainState], tuple[View, ...]]
    opening: Callable[[PlainState], list[Notice]]
    advance: Callable[[PlainState, int], list[Notice]]
    restore: Callable[[PlainState, Any], None]
    result: Callable[[PlainState, frozenset[int]], Outcome]
    infoset_states: InfosetStates
    strategies: Mapping[str, Strategy]
    assignment: ModuleType | None = None
    rules_text: str = ""
    lesson_text: str = ""
    variant: str = "standard"
    option_ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    compile_more: tuple[Callable[[], object], ...] = ()
    by_score: bool = False
    scenes: Scenes = field(default_factory=Scenes)
    policies: ModuleType | None = None

    def __post_init__(self) -> None:
        for name, function in validation.checked_functions(self).items():
            object.__setattr__(self, name, function)
        object.__setattr__(
            self, "strategies", {name: bind_strategy(self, strategy) for name, strategy in self.strategies.items()}
        )

    def __eq__(self, other: object) -> bool:
        """Whether two games have the same parts and the same options."""
        if not isinstance(other, Game):
            return NotImplemented
        parts = [each.name for each in fields(self)]
        return all(
            validation.unchecked(getattr(self, part)) == validation.unchecked(getattr(other, part)) for part in parts
        )

    @property
    def seats(self) -> int:
        """How many seats take part."""
        return self.options["players"]

    @property
    def rules_summary(self) -> str:
        """The game in a few sentences: the section ``In short`` of its rules, else its summary."""
        return self.rules_section("In short") or self.summary

    @property
    def first_step(self) -> str:
        """A sentence on a good first step; empty if the rules have no such section."""
        return self.rules_section("A good first step")

    @property
    def lesson(self) -> Lesson | None:
        """The guided first hand of the game, or of the game that it is a variant of; None if there is none."""
        return read_lesson(self.lesson_text) if self.lesson_text else None

    def rules_section(self, heading: str) -> str:
        """A section of the rules as one line; empty if there is none."""
        return " ".join(self.rules_text.partition(f"\n## {heading}\n")[2].partition("\n#")[0].split())

    @property
    def actions(self) -> int:
        """Actions are 0 to ``actions - 1``."""
        return int(self.rules.ACTIONS)

    @property
    def first_amount(self) -> int:
        """The first action that is an amount; ``actions`` if the game has none."""
        return int(getattr(self.rules, "FIRST_AMOUNT", self.actions))

    @property
    def max_legal(self) -> int:
        """An upper bound on the number of actions that ``legal`` lists."""
        return int(getattr(self.rules, "MAX_LEGAL", self.actions))

    @property
    def max_length(self) -> int:
        """An upper bound on the number of actions in a game; the option ``rules.ROUNDS_OPTION`` multiplies it."""
        rounds = self.options.get(getattr(self.rules, "ROUNDS_OPTION", ""), 1)
        return min(MAX_STEPS * rounds, NO_LIMIT)

    def with_options(self, **chosen: int) -> Game:
        """The same game with other options; it is called ``NAME:option=value,...``.

        Raises NotationError if an option may not be chosen, its value is out of range, or they do not go together.
        """
        if chosen and ":" in self.name:
            base_name = self.name.partition(":")[0]
            raise NotationError(f"{self.name} has its options already; choose all of them at once, from {base_name}.")
        for name, value in chosen.items():
            if name not in self.option_ranges:
                known_options = ", ".join(self.option_ranges) or "none"
                raise NotationError(f"{self.name} has no option {short_repr(name)}; known options: {known_options}.")
            low, high = self.option_ranges[name]
            if not low <= validation.check_number(name, value) <= high:
                upper = "upwards" if high == NO_LIMIT else f"to {high}"
                raise NotationError(f"{self.name} takes {name} from {low} {upper}, not {value}.")
        changed = {name: value for name, value in sorted(chosen.items()) if value != self.options[name]}
        if not changed:
            return self
        if sentence := self.words.objection({**self.options, **changed}):
            raise NotationError(sentence)
        full_name = f"{self.name}:" + ",".join(f"{name}={value}" for name, value in changed.items())
        return replace(self, name=full_name, options={**self.options, **changed}, option_ranges={})

    def blank(self) -> PlainState:
        """A state with only its options set."""
        state: PlainState = self.rules.LAYOUT.plain()
        for name, value in self.options.items():
            setattr(state, name, value)
        return state

    def deal(self, seed: int) -> PlainState:
        """The starting position for ``seed`` (0 to 2**128 - 1), the same on every machine."""
        state = self.blank()
        self.rules.deal(state, *seed_words(seed))
        return state

    def legal(self, state: PlainState) -> list[int]:
        """Every legal action, in the kernel's order; empty once the game is over."""
        validation.check_state(self, state)
        out = [0] * self.max_legal
        return out[: self.rules.legal(state, out)]

    def why_not(self, state: PlainState, action: int) -> str | None:
        """The sentence that forbids ``action`` now, or None if it is legal."""
        validation.check_state(self, state)
        action = validation.check_number("action", action)
        reason = self.rules.refusal(state, action)
        return None if reason == 0 else str(self.rules.Reason(reason).sentence)

    def play(self, state: PlainState, action: int) -> list[Notice]:
        """Carry out ``action`` in place and return the notices. Raises RuleError if it is illegal."""
        if sentence := self.why_not(state, action):
            raise RuleError(sentence)
        return self.advance(state, action)

    def returns(self, state: PlainState) -> tuple[float, ...]:
        """What each seat has earned."""
        validation.check_state(self, state)
        out = [0] * self.seats
        self.rules.returns(state, out)
        return tuple(float(value) for value in out)

    def imagine(self, view: View, seed: int) -> PlainState:
        """A full position consistent with the view, drawn with its conditional probability given that view.

        This is a determinization: every history that agrees with what the seat saw counts with the probability of its
        chance events. The generator of the position is keyed by ``seed``, so its future is drawn too. Raises
        NotationError if no position fits the view, and TypeError if ``resample`` keeps returning False and has changed
        what the seat sees, such as the number of cards in a hand.
        """
        validation.check_belongs(self, view, View, "view")
        state = self.blank()
        self.restore(state, view)
        rekey(state, *seed_words(seed))
        # Until resample succeeds, hidden cards can lie where this view rules them out, so rejected draws are compared
        # with the restored position, not with the view itself.
        restored = state.copy()
        for number in range(MAX_REJECTIONS):
            if self.rules.resample(state, view.seat):
                return state
            if number == CHECK_AFTER:
                before, after = self.view(restored, view.seat), self.view(state, view.seat)
                if changed := next((f for f in view.__struct_fields__ if getattr(after, f) != getattr(before, f)), ""):
                    raise TypeError(
                        f"resample of {self.name} returned False and left {changed} at {getattr(after, changed)}, not "
                        f"{getattr(before, changed)}: it must undo what it drew."
                    )
        raise NotationError(f"no position fits this view of {self.name}: {MAX_REJECTIONS} were drawn.")

    def text(self, view: View, action: int) -> str:
        """``action`` as text, which ``parse`` reads; ``view`` is that of the seat to move."""
        validation.check_belongs(self, view, View, "view")
        validation.check_action(self, action)
        return str(self.words.text(view, action))

    def parse(self, view: View, words: str) -> int:
        """The action that ``words`` mean; ``view`` is that of the seat to move.

        Raises NotationError if there is none.
        """
        validation.check_belongs(self, view, View, "view")
        if not isinstance(words, str):
            raise NotationError(f"words must be a string, not {short_repr(words)}.")
        return int(self.words.parse_action(view, words))

    def describe(self, event: Event, seat: int, names: Names) -> str:
        """One sentence that tells ``seat`` what happened; ``names`` are what the seats are called."""
        validation.check_belongs(self, event, Event, "event")
        validation.check_seat(self, seat, spectator=True)
        validation.check_names(self, names)
        return str(self.words.describe(event, seat, names))

    def scene(self, view: View, names: Names) -> Scene:
        """The scene of a table, as the seat with this view sees it; ``names`` has the names of all seats."""
        validation.check_belongs(self, view, View, "view")
        validation.check_names(self, names)
        return scene_of(self, view, names_for(view.seat, names))

    def parts(self, view: View, action: int) -> tuple[Part, ...]:
        """The parts of an action of the seat to move, in the natural order: what to take, then where to."""
        validation.check_belongs(self, view, View, "view")
        validation.check_action(self, action)
        return parts_of(self, view, action, self.scene(view, [f"Seat {p}" for p in range(self.seats)]))


def bind_strategy(game: Game, strategy: Strategy) -> Strategy:
    """The strategy for this game with its options, from ``strategy.bind(game)`` if it has such a method."""
    bind: Callable[[Game], Strategy] | None = getattr(strategy, "bind", None)
    return strategy if bind is None else bind(game)


def seed_words(seed: int) -> tuple[int, int, int, int]:
    """A seed as four 32-bit words, the lowest first."""
    seed = validation.check_number("seed", seed)
    if not 0 <= seed < SEED_LIMIT:
        raise NotationError(f"a seed is a whole number from 0 to 2**128 - 1, not {short_repr(seed)}")
    mask = 0xFFFFFFFF
    return seed & mask, seed >> 32 & mask, seed >> 64 & mask, seed >> 96


def fresh_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(128)


# Simultaneous choices. A game with simultaneous choices, such as Go, still takes them seat by seat, and hides each
# until all are made. Its ``rules.simultaneous(s)`` says whether the seats from the mover to the last one choose at the
# same time. What each of them sees and may do doesn't depend on the others' choices, so they can be asked in any order.


def choosing_seats(game: Game, state: PlainState) -> tuple[int, ...]:
    """The seats that have to choose now, beginning with the seat to move; none once the game is over."""
    if state.over:
        return ()
    simultaneous = getattr(game.rules, "simultaneous", None)
    last = game.seats if simultaneous is not None and simultaneous(state) else state.player + 1
    return tuple(range(state.player, last))


def with_mover(state: PlainState, seat: int) -> PlainState:
    """The position with ``seat`` to move: a copy, or ``state`` itself if it is that seat's turn.

    This is for asking one of several seats that choose at the same time, before the others have chosen.
    """
    if state.player == seat:
        return state
    copy = state.copy()
    copy.player = seat
    return copy
