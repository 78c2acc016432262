"""The scene of a game without one of its own: everything that its view declares, shown by the types of the fields.

    cards           a tuple of cards is a row, and one tuple for each seat is one row per seat; the seat's own cards
                    are a hand
    sizes           of hidden sets (``Size``, ``Sizes``) are shown as that number of card backs
    other values    become facts: numbers, truth values, seats by name, words
    options         aren't part of a position and are left out

A zone or fact has the name of its field; its note is the field's meaning (``Doc``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from kibitz.cards import code, face, parse_hand, symbol
from kibitz.cards.card import CARD
from kibitz.engine.scene import elements
from kibitz.engine.scene.elements import Fact, Part, Scene, Zone, button
from kibitz.engine.scene.elements import amount as an_amount
from kibitz.engine.scene.elements import card as a_card
from kibitz.engine.sentences import Names, listed, verb
from kibitz.engine.validation import unchecked
from kibitz.engine.views.events import SPECTATOR
from kibitz.engine.views.field_types import FLATTENED, SEAT, Flags, ValueWords
from kibitz.engine.views.observation import Own, RevealedAtEnd, Size, Sizes, optional, source_of, strip_annotations
from kibitz.engine.views.plain import field_meanings
from kibitz.errors import NotationError

if TYPE_CHECKING:
    from kibitz.engine.game import Game
    from kibitz.engine.layout import PlainState
    from kibitz.engine.views.events import View


class ViewField(NamedTuple):
    """One field of a view: which part of a state it shows, its type, and what it means."""

    name: str
    source: Any
    hint: Any
    meaning: str


@cache
def fields(kind: type) -> tuple[ViewField, ...]:
    """The fields of a view or of a struct in it, except those that all views have."""
    hints, explained = get_type_hints(kind, include_extras=True), field_meanings(kind)
    names = [name for name in kind.__struct_fields__ if name not in ("seat", "player", "over")]  # type: ignore[attr-defined]
    return tuple(ViewField(name, source_of(name, hints[name]), hints[name], explained.get(name, "")) for name in names)


class DefaultSceneBuilder:
    """Builds the scene of one view, field by field."""

    def __init__(self, view: View, names: Names) -> None:
        self.view, self.names = view, names
        self.own_fields = {f.source.name: f.name for f in fields(type(view)) if isinstance(f.source, Own)}
        self.zones: dict[str, Zone] = {}
        self.facts: list[Fact] = []

    def add_field(self, field: ViewField, value: Any) -> None:
        """Add the zones or facts for the value of one field."""
        source, seat = field.source, self.view.seat
        name = field.name
        if isinstance(source, Own | Sizes | RevealedAtEnd):
            name = self.own_fields.get(source.name, source.name)
        if isinstance(source, Own) and is_cards(field.hint):
            if seat >= 0:
                self.add_zone(self.hand_zone(name, seat, value))
        elif isinstance(source, Sizes):
            for p, number in enumerate(value):
                self.add_zone(Zone(f"{name}{p}", self.owned_title(name, p), p, "backs", (), number))
        elif isinstance(source, Size):
            self.add_zone(Zone(name, spaced(name), -1, "backs", (), value, field.meaning))
        elif isinstance(source, RevealedAtEnd) or field.meaning.startswith("by seat"):
            for p, part in enumerate(value or ()):
                self.add_value(name, part, item_type(field.hint), p)
        else:
            self.add_value(name, value, field.hint, -1, field.meaning)

    def add_value(self, name: str, value: Any, hint: Any, seat: int, note: str = "") -> None:
        """Add a value of some type: cards as a zone, a struct field by field, anything else as a fact."""
        kind = optional(hint) or hint
        inner_type = item_type(kind) if is_row(kind) else None
        if value is None:
            return
        if is_card(kind):
            self.add_zone(self.row_zone(name, seat, (value,), note))
        elif inner_type is not None and is_card(optional(inner_type) or inner_type):
            self.add_zone(self.row_zone(name, seat, [card for card in value if card is not None], note))
        elif inner_type is not None and holds_cards(inner_type):
            for i, part in enumerate(value, 1):
                self.add_value(f"{name}_{i}", part, inner_type, seat, note)
        elif isinstance(value, msgspec.Struct):
            for field in fields(type(value)):
                self.add_field(field._replace(name=f"{name}_{field.name}"), getattr(value, field.name))
        elif (text := value_text(hint, value, self.names)) is not None:
            self.facts.append(Fact(spaced(name), text, seat))

    def hand_zone(self, name: str, seat: int, cards: Any) -> Zone:
        """The zone of the cards that a seat holds, face up."""
        known_cards = [card for card in cards if card is not None]
        return elements.face_up(f"{name}{seat}", self.owned_title(name, seat), known_cards, seat, "hand")

    def row_zone(self, name: str, seat: int, cards: Any, note: str) -> Zone:
        """The zone of a row of cards, face up."""
        if seat < 0:
            return elements.face_up(name, spaced(name), cards, note=note)
        return elements.face_up(f"{name}{seat}", self.owned_title(name, seat), cards, seat, note=note)

    def owned_title(self, name: str, seat: int) -> str:
        """The title of a seat's part of a field."""
        return f"{elements.owner(seat, self.names)} {spaced(name).lower()}"

    def add_zone(self, zone: Zone) -> None:
        """Add a zone; of two with the same key, keep the one that shows more."""
        existing = self.zones.get(zone.key)
        if existing is None or len(zone.spots) > len(existing.spots):
            self.zones[zone.key] = zone


def default_scene_of(game: Game, view: View, names: Names) -> Scene:
    """Everything that a view shows except the options of its game."""
    builder = DefaultSceneBuilder(view, names)
    for field in fields(type(view)):
        if field.name not in game.options and FLATTENED not in get_args(field.hint):
            builder.add_field(field, getattr(view, field.name))
        elif FLATTENED in get_args(field.hint):
            for part in fields(get_args(field.hint)[0]):
                if part.name not in game.options:
                    builder.add_field(part, getattr(getattr(view, field.name), part.name))
    return Scene(tuple(builder.zones.values()), tuple(builder.facts))


def default_parts(game: Game, view: View, action: int, scene: Scene) -> tuple[Part, ...]:
    """The parts of an action.

    An action with an amount has that amount as its part. An action whose text consists of cards on the table has these
    cards. Any other action is a button.
    """
    if action >= game.first_amount:
        return (
            msgspec.structs.replace(
                an_amount(action - game.first_amount, 0, 0), label=elements.bare_label(game.words.label(view, action))
            ),
        )
    words = game.text(view, action)
    cards = cards_in(words)
    keys = [key for card in cards if (key := spot_of(card, view.seat, scene))]
    if cards and len(keys) == len(set(keys)) == len(cards):
        return tuple(map(a_card, keys))
    return (button(words, elements.bare_label(game.words.label(view, action))),)


def cards_in(words: str) -> list[str]:
    """The codes of the cards in a text; empty if it contains anything else."""
    try:
        return [code(card) for card in parse_hand(words)]
    except NotationError:
        return []


def spot_of(card: str, seat: int, scene: Scene) -> str:
    """The key of the spot where a card lies, the seat's own zones first; empty if it lies nowhere."""
    zones = sorted(scene.zones, key=lambda zone: (zone.seat != seat, zone.form != "hand"))
    return next((spot.key for zone in zones for spot in zone.spots if spot.card == card), "")


def action_naming_cards(game: Game, view: View, keys: frozenset[str], scene: Scene) -> int | None:
    """The action that names the cards at some spots, legal or not; None if there is none."""
    spots = scene.spots
    try:
        return game.parse(view, " ".join(sorted(spots[key].card for key in keys if key in spots)))
    except NotationError:
        return None


def spaced(name: str) -> str:
    """The name of a field as a title.

    >>> spaced("hand_size")
    'Hand size'
    """
    return name.replace("_", " ").strip().capitalize()


def is_card(hint: Any) -> bool:
    """Whether values of a type are cards."""
    return get_origin(hint) is Annotated and CARD in get_args(hint)[1:]


def is_row(hint: Any) -> bool:
    """Whether values of a type are tuples of any length."""
    item_types = get_args(strip_annotations(hint))
    return get_origin(strip_annotations(hint)) is tuple and len(item_types) == 2 and item_types[1] is ...


def is_cards(hint: Any) -> bool:
    """Whether values of a type are tuples of cards."""
    return is_row(hint) and is_card(optional(item_type(hint)) or item_type(hint))


def holds_cards(hint: Any) -> bool:
    """Whether values of a type are nested tuples of cards."""
    kind = optional(hint) or hint
    return is_row(kind) and (is_cards(kind) or holds_cards(item_type(kind)))


def item_type(hint: Any) -> Any:
    """The type of a tuple's items."""
    return get_args(strip_annotations(optional(hint) or hint))[0]


def value_text(hint: Any, value: Any, names: Names) -> str | None:
    """A value in words; None if there is nothing to say."""
    if value is None:
        return None
    kind = optional(hint) or hint
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    for mark in marks:
        if mark == CARD:
            return symbol(face(value))
        if mark == SEAT:
            return names[value] if value >= 0 else None
        if isinstance(mark, Flags):
            return listed([word for bit, word in enumerate(mark) if value >> bit & 1] or ["none"])
        if isinstance(mark, ValueWords):
            return str(mark[value])
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        item_types = get_args(strip_annotations(kind))
        hints = [item_types[0]] * len(value) if is_row(kind) else item_types
        texts = [value_text(each, part, names) for each, part in zip(hints, value, strict=True)]
        return (", " if is_row(kind) else " ").join(part for part in texts if part is not None) or None
    return str(value)


# The scene of a view, the game's own or the default one, with its prompt.


def scene_of(game: Game, view: View, names: Names) -> Scene:
    """The scene of a table; ``names`` are as the reader sees them: "You" for the reader's own seat, if any."""
    game_scene = game.scenes.scene
    scene = game_scene(view, names) if game_scene is not None else default_scene_of(game, view, names)
    return scene if scene.prompt else replace(scene, prompt=prompt_for(game, view, names))


def prompt_for(game: Game, view: View, names: Names) -> str:
    """The prompt for a scene without one: the question to the seat whose turn it is, or for others whose turn it is."""
    if view.over:
        return "The game is over."
    if view.seat == view.player:
        return str(game.words.prompt(view))
    return f"{names[view.player]} {verb(view.player, view.seat, 'are', 'is')} to move."


# Positions with all hands open: for replays, finished games and tables of computer players.


def open_scene(game: Game, state: PlainState, names: Sequence[str]) -> Scene:
    """The scene with all hands open: each zone as its owner sees it, and unowned zones as a spectator does.

    ``names`` are what the seats are called; nobody is "You".
    """
    view = unchecked(game.view)
    base = scene_of(game, view(state, SPECTATOR), names)
    zones: dict[str, Zone] = {zone.key: zone for zone in base.zones}
    for seat in range(game.seats):
        for zone in scene_of(game, view(state, seat), names).zones:
            existing = zones.get(zone.key)
            if existing is None or (zone.seat == seat and len(zone.spots) > len(existing.spots)):
                zones[zone.key] = zone
    order = {zone.key: place for place, zone in enumerate(base.zones)}
    sorted_zones = sorted(zones.values(), key=lambda zone: order.get(zone.key, len(order)))
    return Scene(tuple(sorted_zones), base.facts, base.prompt)
