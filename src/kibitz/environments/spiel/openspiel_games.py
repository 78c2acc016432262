"""Games, states and observers in the classes of OpenSpiel.

Observers give strings and tensors for one seat: of everything, of the public part or of its private part.

    observation     the view of a seat, as JSON and as the planes of ``kibitz.features``
    information state   all that a seat remembers: the events it saw and its own choices (perfect recall); as a tensor,
                    the same planes, the seat's number, and ``memory``: a hash of 128 bits, which differs for different
                    memories and reveals nothing else
    public, private what spectators see; the fields in which a seat's view differs from theirs

Before the deal, observations are empty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
import numpy as np
import pyspiel

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.registry import all_games, game_of
from kibitz.engine.scene.text import table_lines
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import SPECTATOR, View, encoded
from kibitz.environments.conventions import Choices, payoff_bounds, payoffs_of
from kibitz.environments.spiel.tree_positions import MAX_DEAL_PATHS, Memory, TreePosition, tree_rules
from kibitz.errors import NotationError
from kibitz.tensors.features import Features

HASH_BITS = 128


class Observer:
    """An observer as in OpenSpiel: ``set_from`` fills ``tensor``, and ``dict`` has its parts by name."""

    def __init__(self, features: Features, kind: pyspiel.IIGObservationType) -> None:
        self.features, self.kind = features, kind
        self.seats = features.game.seats
        self.remembers = bool(kind.perfect_recall)
        self.public, self.private = bool(kind.public_info), kind.private_info
        sees_one_seat = self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        memory_size = self.seats + HASH_BITS if self.remembers else 0
        self.tensor = np.zeros(features.size + memory_size, np.float32) if self.public and sees_one_seat else None
        self.dict: dict[str, Any] = {} if self.tensor is None else self.parts(self.tensor, memory_size)

    def parts(self, tensor: Any, memory_size: int) -> dict[str, Any]:
        """The parts of the tensor by name, each in its shape."""
        result = {"player": tensor[: self.seats], "memory": tensor[self.seats : memory_size]} if memory_size else {}
        for plane in self.features.planes:
            first = memory_size + plane.offset
            result[plane.name] = tensor[first : first + plane.size].reshape(plane.shape)
        return result

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what ``player`` sees; zeros before the deal."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        position: TreePosition = state.position
        if self.remembers:
            self.tensor[player] = 1
            self.tensor[self.seats : self.seats + HASH_BITS] = memory_bits(self.memory_of(position, player))
        if position.state is not None:
            observation = self.features.observe(self.features.game.view(position.state, player))
            self.tensor[len(self.tensor) - self.features.size :] = observation

    def string_from(self, state: Any, player: int) -> str:
        """What ``player`` sees, or remembers, as text; before the deal only the seat."""
        position: TreePosition = state.position
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return "\n".join(self.seat_text(position, seat) for seat in range(self.seats))
        if self.private == pyspiel.PrivateInfoType.NONE:
            return self.seat_text(position, SPECTATOR) if self.public else ""
        return self.seat_text(position, player)

    def seat_text(self, position: TreePosition, seat: int) -> str:
        """What one seat, or a spectator, sees or remembers."""
        if self.remembers:
            return self.memory_of(position, seat)
        if position.state is None:
            return ""
        view = self.features.game.view(position.state, seat)
        if self.public:
            return encoded(view).decode()
        return encoded(private_fields(view, self.features.game.view(position.state, SPECTATOR))).decode()

    def memory_of(self, position: TreePosition, seat: int) -> str:
        """The memory of a seat as text; without the public part if only the private part is requested."""
        memory = position.memories[seat]
        if not self.public:
            public_parts = set(position.memories[SPECTATOR])
            memory = tuple(part for part in memory if part not in public_parts)
        return memory_text(memory, seat)


def private_fields(view: View, spectator_view: View) -> dict[str, Any]:
    """The fields of a view that spectators see differently."""
    fields: dict[str, Any] = msgspec.to_builtins(view)
    spectator_fields = msgspec.to_builtins(spectator_view)
    return {name: value for name, value in fields.items() if value != spectator_fields[name]}


def memory_text(memory: Memory, seat: int) -> str:
    """A memory as text: the seat, then the events that it saw, as JSON, and its own actions, in order."""
    parts = (part.decode() if isinstance(part, bytes) else f"action {part}" for part in memory)
    return " ".join([f"seat {seat}:" if seat >= 0 else "spectator:", *parts])


def memory_bits(memory: str) -> Any:
    """A hash of a memory, as 128 bits."""
    digest = hashlib.blake2b(memory.encode(), digest_size=HASH_BITS // 8).digest()
    return np.unpackbits(np.frombuffer(digest, np.uint8))


# Games and states as subclasses of OpenSpiel's, and the facts about a game that OpenSpiel needs.
#
# A state has one attribute, its ``TreePosition``: OpenSpiel copies states attribute by attribute, and an immutable
# position is its own copy.  Actions are numbered by ``Choices``, outcomes of chance from 0.


PREFIX = "kibitz_"
MAX_PARAMETER = 2**31 - 1
"""The largest number that OpenSpiel's parameters can hold."""
MAX_LENGTH = 10**9
"""The length declared for games without a meaningful bound."""

Parameters = Mapping[str, Any]


def short_name(game: Game) -> str:
    """The name of a game in OpenSpiel, without its options.

    >>> from kibitz.engine.registry import game
    >>> short_name(game("president-mini"))
    'kibitz_president_mini'
    """
    return PREFIX + game.name.partition(":")[0].replace("-", "_")


def options_of(game: Game) -> dict[str, int]:
    """The options that can be given as OpenSpiel's parameters, with the game's own values."""
    return {name: game.options[name] for name in game.option_ranges if game.options[name] <= MAX_PARAMETER}


def type_of(game: Game) -> pyspiel.GameType:
    """OpenSpiel's game type, common to all games that differ only in their options."""
    least, most = game.option_ranges.get("players", (game.seats, game.seats))
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=options_of(game),
    )


def info_of(game: Game, choices: Choices) -> pyspiel.GameInfo:
    """OpenSpiel's game info, for a game with its options."""
    least, most = payoff_bounds(game)
    return pyspiel.GameInfo(
        num_distinct_actions=choices.n,
        max_chance_outcomes=MAX_DEAL_PATHS,
        num_players=game.seats,
        min_utility=least,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=min(game.max_length, MAX_LENGTH),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One game with its options; every registered name has a subclass of its own (``class_of``).

    OpenSpiel keeps registered objects until after Python has ended, when only classes can be released safely.
    """

    kind: ClassVar[pyspiel.GameType]
    base_game: ClassVar[Game]

    def __init__(self, parameters: Parameters | None = None) -> None:
        options = {**options_of(self.base_game), **(parameters or {})}
        chosen = {name: value for name, value in options.items() if value != self.base_game.options[name]}
        self.game = self.base_game.with_options(**chosen) if chosen else self.base_game
        self.choices, self.features = Choices(self.game), Features(self.game)
        self.start = tree_rules(self.game.name).start
        super().__init__(self.kind, info_of(self.game, self.choices), options)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by name, since the class of a game is not found in any module."""
        return load, (self.game.name,)

    def new_initial_state(self) -> SpielState:
        """A state before the deal."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, parameters: Parameters | None = None) -> Observer:
        """The observer of states, which has no parameters."""
        if isinstance(kind, dict):
            kind, parameters = None, kind
        if parameters:
            raise ValueError(f"observers of Kibitz's games take no parameters, not {short_repr(dict(parameters))}.")
        return Observer(self.features, kind or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """A number of chance nodes that no game reaches."""
        return MAX_LENGTH

    def state_at(self, position: TreePosition) -> SpielState:
        """A state at a position, without the earlier history."""
        state = SpielState(self)
        state.position = position
        return state


def class_of(game: Game) -> type[SpielGame]:
    """A subclass of SpielGame for ``game`` and all games that differ from it only in their options."""
    return type(short_name(game), (SpielGame,), {"kind": type_of(game), "base_game": game, "__doc__": game.summary})


registered: set[str] = set()
"""The names already registered with OpenSpiel, which refuses a second game of the same name."""


def register() -> list[str]:
    """Register all games with OpenSpiel; returns their names there."""
    names = []
    for game in all_games():
        name = short_name(game)
        names.append(name)
        if name not in registered:
            game_class = class_of(game)
            pyspiel.register_game(game_class.kind, game_class)
            registered.add(name)
    return names


def load(game: Game | str) -> pyspiel.Game:
    """A game as OpenSpiel's, with the options in which it differs from its base game as parameters."""
    requested = game_of(game)
    register()
    base = game_of(requested.name.partition(":")[0])
    parameters = {
        name: requested.options[name] for name in options_of(base) if requested.options[name] != base.options[name]
    }
    return pyspiel.load_game(short_name(requested), parameters)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state, which wraps a ``TreePosition``."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: TreePosition = game.start

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return self.position.tree.game

    @property
    def choices(self) -> Choices:
        """The game's actions as OpenSpiel numbers them."""
        result: Choices = self.get_game().choices
        return result

    def current_player(self) -> int:
        """The seat to choose, or the constant for chance or the end."""
        if self.position.chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.position.over else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        legal = self.position.legal
        return sorted(self.choices.choice(action, legal) for action in legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the chance outcomes, with their probabilities."""
        return list(enumerate(self.position.odds))

    def _apply_action(self, number: int) -> None:
        if self.position.chance:
            self.position = self.position.after_outcome(number)
        else:
            self.position = self.position.after_action(self.choices.action(number, self.position.legal))

    def _action_to_string(self, player: int, number: int) -> str:
        if self.position.chance or player < 0:
            return f"chance {number + 1}"
        if player != self.current_player() or number not in self._legal_actions(player):
            return f"action {number}"
        view = self.rules.view(self.position.state, player)  # type: ignore[arg-type]
        return self.rules.text(view, self.choices.action(number, self.position.legal))

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.position.over

    def returns(self) -> list[float]:
        """The payoffs of the seats; zeros before the end."""
        if not self.position.over or self.position.state is None:
            return [0.0] * self.rules.seats
        return list(payoffs_of(self.rules, self.position.state))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state drawn from those that ``player`` cannot tell apart, by its view alone."""
        seed = int(sampler() * 2**53) << 53 | int(sampler() * 2**53)
        result: SpielState = self.get_game().state_at(self.position.imagine(player, seed))
        return result

    def __str__(self) -> str:
        game, state = self.rules, self.position.state
        if state is None:
            return "Before the deal."
        lines = []
        names = [f"P{seat}" for seat in range(game.seats)]
        for seat in range(game.seats):
            reader_names = names_for(seat, names)
            scene = game.scene(game.view(state, seat), names)
            lines += [
                f"{names[seat]} sees:",
                *(f"  {line}" for line in table_lines(scene, reader_names)),
                f"  {scene.prompt}",
            ]
        chance = self.position.chance
        return "\n".join(lines + ([f"Chance: {chance}"] if chance else []))

    # ---------------------------------------------------------------- as structs

    def _to_struct(self) -> dict[str, Any]:
        """Everything that any seat sees, including hidden cards."""
        state = self.position.state
        views = [] if state is None else [self.rules.view(state, seat) for seat in range(self.rules.seats)]
        return {"game": self.rules.name, "views": msgspec.to_builtins(views)}

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        """The view of a seat."""
        if self.position.state is None:
            return {}
        result: dict[str, Any] = msgspec.to_builtins(self.rules.view(self.position.state, player))
        return result

    def _action_to_struct(self, player: int, number: int) -> dict[str, Any]:
        """An action's number and text."""
        return {"action": number, "text": self._action_to_string(player, number)}

    def _struct_to_actions(self, struct: Mapping[str, Any]) -> list[int]:
        """The numbers of the actions that an action's text or number means."""
        if "action" in struct:
            return [int(struct["action"])]
        if self.position.chance or self.position.state is None or "text" not in struct:
            raise NotationError("an action's struct needs its number as 'action' or, in a seat's turn, its 'text'.")
        view = self.rules.view(self.position.state, self.position.player)
        return [self.choices.choice(self.rules.parse(view, struct["text"]), self.position.legal)]
