"""Scenes and picking: the description of a table, and actions put together by picking parts of it."""

import dataclasses

import msgspec
import pytest

from kibitz.cards import as_set, parse_cards
from kibitz.engine.registry import all_games, game
from kibitz.engine.scene import Picking, Scene, Scenes, open_scene
from kibitz.engine.scene.text import seat_facts, table_lines
from kibitz.engine.sentences import names_for
from kibitz.errors import NotationError, RuleError
from tests.tiers import tiered

NAMES = ["Ann", "Ben", "Cem", "Dan", "Eve", "Fay"]


def at(name, seed=5, actions=()):
    """A game and its position after some typed actions."""
    played = game(name)
    state = played.deal(seed)
    for words in actions:
        played.play(state, played.parse(played.view(state, state.player), words))
    return played, state


def picking_at(name, seed=5, actions=()):
    """Picking in such a position for the seat to move."""
    played, state = at(name, seed, actions)
    return Picking(played, played.view(state, state.player), played.legal(state), NAMES[: played.seats])


def keys(parts):
    return {part.key for part in parts}


def test_zones_are_titled_your_or_by_the_owners_name():
    played, state = at("bo")
    titles = [zone.title for zone in played.scene(played.view(state, 0), NAMES[:4]).zones]
    assert "Your hand" in titles
    assert "Ben's stockpile" in titles
    assert "Dan's discard pile 4" in titles
    onlooker = [zone.title for zone in played.scene(played.view(state, -1), NAMES[:4]).zones]
    assert "Ann's hand" in onlooker
    assert not any(title.startswith("Your") for title in onlooker)


@pytest.mark.parametrize(("name", "there"), [("kuhn", False), ("draw", False), ("leduc", True), ("holdem", True)])
def test_only_games_with_a_board_show_one(name, there):
    played, state = at(name)
    scene = played.scenes.scene(played.view(state, 0), NAMES[: played.seats])
    assert ("board" in {zone.key for zone in scene.zones}) == there


def test_parts_can_be_picked_in_any_order_and_dropped():
    picking = picking_at("bo")
    picking.take("build2")
    assert keys(picking.offered) == {"hand0:2C"}, "only the 2 starts a build pile"
    picking.take("hand0:2C")
    assert picking.game.text(picking.view, picking.complete) == "2C h2>b2"
    picking.drop("build2")
    assert picking.complete is None
    assert {"build1", "build3", "discard0.1"} <= keys(picking.offered)


def test_a_part_has_a_note_once_it_completes_an_action():
    picking = picking_at("bo")
    assert not any(part.note for part in picking.choices)
    picking.take("hand0:4H")
    assert {part.note for part in picking.choices} == {"ends the turn"}


@pytest.mark.parametrize(
    ("name", "actions", "taken", "key", "sentence"),
    [
        ("bo", (), ("hand0:0S",), "build1", "An empty build pile takes only a 2 or a king."),
        ("bo", (), ("hand0:0S",), "discard1.1", "Only its owner may start an empty discard pile."),
        ("bo", (), (), "stock1:top", "You can't do anything with "),
        (
            "eights",
            (),
            (),
            "hand0:2C",
            "Play a card of the suit to follow, one of the same value as the top card, or an eight.",
        ),
        ("huxxy", (), (), "stock", "Choose 'Pick up a card' for that."),
        ("huxxy", ("2D>new",), (), "stock", "You can pick up a card only instead of playing"),
        ("huxxy", (), ("hand0:2D",), "stock", "That cannot go to stock."),
        ("holdem", (), (), "amount:3", "A bet must be at least the big blind, and a raise at least as large as"),
    ],
)
def test_an_unavailable_part_is_refused_with_the_rule(name, actions, taken, key, sentence):
    picking = picking_at(name, 5, actions)
    if name == "eights":
        lies = {spot.key for spot in picking.scene.spots.values() if spot.key.startswith("hand0")}
        key = next(key for key in sorted(lies) if key not in keys(picking.offered))
    for each in taken:
        picking.take(each)
    assert picking.why_not(key).startswith(sentence)
    with pytest.raises(RuleError, match=sentence.split(".")[0][:30]):
        picking.take(key)


def test_an_unknown_part_is_refused_by_name():
    with pytest.raises(NotationError, match="nothing called 'hand7:KS'"):
        picking_at("bo").why_not("hand7:KS")


def test_a_duplicate_card_can_be_picked_like_the_first():
    played = game("huxxy")
    state = played.deal(1)
    state.hand_once[0] = state.hand_twice[0] = as_set(parse_cards("KS"))
    view = played.view(state, 0)
    assert view.hand == (51, 51)
    picking = Picking(played, view, played.legal(state))
    assert {"hand0:KS", "hand0:KS.2"} <= keys(picking.offered)
    assert "hand0:KS.2" not in keys(picking.choices)
    labels = [part.label for part in picking.offered]
    assert {"K♠ in your hand", "K♠ in your hand, the second"} <= set(labels)
    picking.take("hand0:KS.2")
    picking.take("new")
    assert played.text(view, picking.complete) == "KS>new"


def test_any_amount_in_the_range_can_be_picked():
    picking = picking_at("holdem")
    picking.take("raise")
    (span,) = {(part.least, part.most) for part in picking.offered}
    assert span == (20, 1000)
    assert "amount:137" not in keys(picking.offered)
    picking.take("amount:137")
    assert picking.game.text(picking.view, picking.complete) == "raise 137"
    with pytest.raises(RuleError, match="more chips than you have"):
        picking_at("holdem").take("amount:1001")


def test_parts_shared_by_all_choices_are_forced():
    assert picking_at("go-mini", 1).forced == ()
    played, state = at("go-mini", 1)
    while not state.grouping:
        played.play(state, played.legal(state)[0])
    grouping = Picking(played, played.view(state, 0), played.legal(state))
    lowest = grouping.scene.labels[grouping.forced[0].key]
    asked = f"Select the cards of a group with {lowest.split()[0]}."
    assert played.words.prompt(played.view(state, 0)) == asked


@pytest.mark.parametrize("played", tiered(all_games()))
def test_scenes_round_trip_through_json_and_open_scenes_show_all_hands(played):
    state = played.deal(3)
    for seat in range(-1, played.seats):
        scene = played.scene(played.view(state, seat), NAMES[: played.seats])
        assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    opened = open_scene(played, state, NAMES[: played.seats])
    for seat in range(played.seats):
        own = played.scene(played.view(state, seat), NAMES[: played.seats])
        held = {spot.card for zone in own.zones if zone.seat == seat for spot in zone.spots}
        assert held <= {spot.card for zone in opened.zones if zone.seat == seat for spot in zone.spots}
    assert not any("Your" in zone.title for zone in opened.zones)


@pytest.mark.parametrize("played", tiered(all_games()))
def test_the_default_scene_covers_every_position_and_action(played):
    """It shows every position, and every action can be put together."""
    plain = dataclasses.replace(played, scenes=Scenes())
    state = plain.deal(2)
    for _ in range(12):
        if state.over:
            break
        view, legal = plain.view(state, state.player), plain.legal(state)
        picking = Picking(plain, view, legal)
        assert len({picking.keys[action] for action in legal}) == len(legal)
        for part in picking.parts[legal[-1]]:
            picking.take(part.key)
        assert picking.complete == legal[-1]
        assert table_lines(picking.scene, names_for(view.seat, NAMES[: plain.seats]))
        plain.advance(state, legal[-1])


def test_piles_are_drawn_briefly_with_the_cards_below_counted():
    played, state = at("bo", 5, ["2c b1", "3s b1"])
    names = names_for(0, NAMES[:4])
    lines = table_lines(played.scene(played.view(state, 0), names), names)
    assert lines[0].startswith("build piles 1: 3♠+1  2: -  3: -  4: -  draw pile")
    assert any(line.startswith("You ") and "stockpile" in line for line in lines)
    assert lines[-1].startswith("your hand  ")


def test_facts_of_a_seat_form_a_line():
    played, state = at("cribbage")
    names = names_for(1, NAMES[:2])
    assert seat_facts(played.scene(played.view(state, 1), names), names)[0].startswith("Ann: score 0 of 121")
