"""Any hidden field of a state that a view shows to all is caught, in every game."""

from random import Random
from typing import Annotated

import msgspec
import pytest

from kibitz.engine.contract import Violation, knowledge, positions
from kibitz.engine.contract.checking import observers
from kibitz.engine.views.observation import Stored, sources, view_functions
from tests.contract.planting import planted
from tests.contract.test_rare_faults import on


def hidden_fields(played):
    """The fields that differ within an information set of some seat."""
    random, found = Random(5), set()
    for position in positions.covering_positions(played):
        for seat in observers(position.game):
            for world in knowledge.determinizations(position, seat, random):
                found |= knowledge.changed_fields(position.state, world)
    return sorted(found)


def with_public(played, name):
    """The game with an additional field in its view: a field of the state, shown to all."""
    kind, layout = type(played.view(played.deal(0), 0)), played.rules.LAYOUT
    hint = tuple[int, ...] if name in dict(layout.arrays) else int
    shown = Annotated[hint, Stored(name, 10**6)]
    wider = msgspec.defstruct(kind.__name__, [("shown", shown)], bases=(kind,), frozen=True, tag=True)
    return planted(played, view=view_functions(wider, layout).view)


@on("a hidden field")
def test_a_hidden_field_shown_to_all_is_caught(played):
    fields = hidden_fields(played)
    assert fields, "nothing is hidden in this game"
    for name in fields:
        with pytest.raises(Violation, match=r"by its view|no event told it"):
            knowledge.nothing_hidden_leaks(with_public(played, name))


@on("what is shown")
def test_no_public_field_differs_within_an_information_set(played):
    kind = type(played.view(played.deal(0), 0))
    shown = {source.name for source, _ in sources(kind).values() if isinstance(source, Stored)}
    assert not shown & set(hidden_fields(played))
