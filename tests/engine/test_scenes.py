"""Scenes and picking: what a table is drawn from, and how an action is put together by pointing at it."""

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
    """A game and a position after some actions, as they are typed."""
    played = game(name)
    state = played.deal(seed)
    for words in actions:
        played.play(state, played.parse(played.view(state, state.player), words))
    return played, state


def picking_at(name, seed=5, actions=()):
    """Picking in such a position, for who is to move."""
    played, state = at(name, seed, actions)
    return Picking(played, played.view(state, state.player), played.legal(state), NAMES[: played.seats])


def keys(parts):
    return {part.key for part in parts}


def test_the_readers_own_things_are_called_yours_and_those_of_others_by_name():
    played, state = at("bo")
    titles = [zone.title for zone in played.scene(played.view(state, 0), NAMES[:4]).zones]
    assert "Your hand" in titles
    assert "Ben's stockpile" in titles
    assert "Dan's discard pile 4" in titles
    onlooker = [zone.title for zone in played.scene(played.view(state, -1), NAMES[:4]).zones]
    assert "Ann's hand" in onlooker
    assert not any(title.startswith("Your") for title in onlooker)


@pytest.mark.parametrize(("name", "there"), [("kuhn", False), ("draw", False), ("leduc", True), ("holdem", True)])
def test_there_is_a_board_where_the_game_has_one(name, there):
    played, state = at(name)
    scene = played.scenes.scene(played.view(state, 0), NAMES[: played.seats])
    assert ("board" in {zone.key for zone in scene.zones}) == there


def test_parts_can_be_taken_in_any_order_and_put_back():
    picking = picking_at("bo")
    picking.take("build2")
    assert keys(picking.offered) == {"hand0:2C"}, "only the 2 starts a build pile"
    picking.take("hand0:2C")
    assert picking.game.text(picking.view, picking.complete) == "2C h2>b2"
    picking.drop("build2")
    assert picking.complete is None
    assert {"build1", "build3", "discard0.1"} <= keys(picking.offered)


def test_what_comes_of_a_part_is_said_once_it_completes_an_action():
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
            "Play a card of the suit to follow, one of the value that lies open, or an eight.",
        ),
        ("huxxy", (), (), "stock", "Choose 'Pick up a card' for that."),
        ("huxxy", ("2D>new",), (), "stock", "You can pick up a card only instead of playing"),
        ("huxxy", (), ("hand0:2D",), "stock", "That cannot go to stock."),
        ("holdem", (), (), "amount:3", "A bet must be at least the big blind, and a raise at least as large as"),
    ],
)
def test_what_cannot_be_taken_has_the_reason_of_the_rules(name, actions, taken, key, sentence):
    picking = picking_at(name, 5, actions)
    if name == "eights":
        lies = {spot.key for spot in picking.scene.spots.values() if spot.key.startswith("hand0")}
        key = next(key for key in sorted(lies) if key not in keys(picking.offered))
    for each in taken:
        picking.take(each)
    assert picking.why_not(key).startswith(sentence)
    with pytest.raises(RuleError, match=sentence.split(".")[0][:30]):
        picking.take(key)


def test_what_is_not_there_is_refused_by_name():
    with pytest.raises(NotationError, match="nothing called 'hand7:KS'"):
        picking_at("bo").why_not("hand7:KS")


def test_a_twin_does_what_the_card_does_that_it_looks_like():
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


def test_any_amount_of_a_range_can_be_taken_though_few_are_listed():
    picking = picking_at("holdem")
    picking.take("raise")
    (span,) = {(part.least, part.most) for part in picking.offered}
    assert span == (20, 1000)
    assert "amount:137" not in keys(picking.offered)
    picking.take("amount:137")
    assert picking.game.text(picking.view, picking.complete) == "raise 137"
    with pytest.raises(RuleError, match="more chips than you have"):
        picking_at("holdem").take("amount:1001")


def test_what_all_choices_share_is_forced():
    assert picking_at("go-mini", 1).forced == ()
    played, state = at("go-mini", 1)
    while not state.grouping:
        played.play(state, played.legal(state)[0])
    grouping = Picking(played, played.view(state, 0), played.legal(state))
    lowest = grouping.scene.labels[grouping.forced[0].key]
    asked = f"Select the cards of a group with {lowest.split()[0]}."
    assert played.words.prompt(played.view(state, 0)) == asked


@pytest.mark.parametrize("played", tiered(all_games()))
def test_scenes_go_through_json_and_an_open_one_shows_every_hand(played):
    state = played.deal(3)
    for seat in range(-1, played.seats):
        scene = played.scene(played.view(state, seat), NAMES[: played.seats])
        assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    together = open_scene(played, state, NAMES[: played.seats])
    for seat in range(played.seats):
        own = played.scene(played.view(state, seat), NAMES[: played.seats])
        held = {spot.card for zone in own.zones if zone.seat == seat for spot in zone.spots}
        assert held <= {spot.card for zone in together.zones if zone.seat == seat for spot in zone.spots}
    assert not any("Your" in zone.title for zone in together.zones)


@pytest.mark.parametrize("played", tiered(all_games()))
def test_without_a_scene_of_its_own_a_game_has_a_complete_plain_one(played):
    """Everything that can be known of a position is on it, and every action can be put together."""
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


def test_piles_are_drawn_in_few_words_with_what_lies_below():
    played, state = at("bo", 5, ["2c b1", "3s b1"])
    names = names_for(0, NAMES[:4])
    lines = table_lines(played.scene(played.view(state, 0), names), names)
    assert lines[0].startswith("build piles 1: 3♠+1  2: -  3: -  4: -  draw pile")
    assert any(line.startswith("You ") and "stockpile" in line for line in lines)
    assert lines[-1].startswith("your hand  ")


def test_the_standing_of_every_seat_is_a_sentence():
    played, state = at("cribbage")
    names = names_for(1, NAMES[:2])
    assert seat_facts(played.scene(played.view(state, 1), names), names)[0].startswith("Ann: score 0 of 121")
