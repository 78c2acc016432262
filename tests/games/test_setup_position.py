"""Positions set up from facts: view and scene show what the facts say, and impossible facts are refused.

Every expected line follows from the facts and from the numbers of cards in the rules, by counting.
"""

from random import Random

import pytest
from msgspec.structs import replace

import kibitz
from kibitz.cards import code, face, value
from kibitz.engine.sentences import names_for
from kibitz.engine.setup_position import HAND, position_from_facts
from kibitz.errors import NotationError, RuleError
from kibitz.games.bo import scene as bo_scene
from kibitz.games.cribbage import scene as cribbage_scene
from kibitz.games.eights import view as eights_scene
from kibitz.games.go import words as go_scene
from kibitz.games.hearts import words as hearts_scene
from kibitz.games.huxxy import words as huxxy_scene
from kibitz.games.poker import scene as poker_scene
from kibitz.games.president import words as president_scene
from tests.games.setup_position import view_from_facts

NAMES = ("Ann", "Ben", "Cem", "Dan", "Eve", "Fay")
SCENES = {
    "bo": bo_scene, "cribbage": cribbage_scene, "eights": eights_scene, "go": go_scene, "hearts": hearts_scene,
    "huxxy": huxxy_scene, "president": president_scene,
    **dict.fromkeys(("holdem", "draw", "kuhn", "leduc"), poker_scene),
}  # fmt: skip


def scene_module(name):
    """The module that has the scene of a game."""
    return SCENES[name.partition(":")[0].partition("-")[0]]


def lines(name, facts):
    """The scene of a position set up from facts, as text."""
    game, view = view_from_facts(name, facts)
    return drawn(name, game, view)


def drawn(name, game, view):
    """A scene as text: zones by key with cards, numbers of hidden cards and notes; then its facts by label and seat."""
    scene = scene_module(name).scene(view, names_for(view.seat, NAMES[: game.seats]))
    zones = {
        zone.key: " ".join(
            [spot.card for spot in zone.spots]
            + [f"+{zone.hidden}"] * (zone.hidden > 0)
            + [f"({zone.note})"] * (zone.note > "")
        )
        for zone in scene.zones
    }
    assert len(zones) == len(scene.zones)
    assert {zone.seat for zone in scene.zones} <= set(range(-1, game.seats))
    facts = {f"{fact.label} {fact.seat}" if fact.seat >= 0 else fact.label: fact.value for fact in scene.facts}
    assert len(facts) == len(scene.facts)
    return {**zones, **facts}


BO = {HAND: "2C 5H 9S", "stocks": "9C 8, QS 1, 4D 7, KS 6"}
CRIBBAGE = {HAND: "5H", "crib": "theirs", "starter": "7D"}
POINTS = {f"Points {p}": "+0" for p in range(4)}
BACKS = {f"hand{p}": "+12" for p in (1, 2, 3)}
HOLDEM = {HAND: "AS KC"}
DRAW = {HAND: "AS KS QS JS 2C"}
TABLES = [
    (
        "bo",
        {**BO, "builds": "2D 3H, KC QS", "discards": "5D 4S, 9C; KD; ; 7H 8S", "round": "3"},
        {
            "build1": "3H +1", "build2": "QS +1", "build3": "", "build4": "",
            "draw": f"+{104 - 3 - 3 * 5 - (8 + 1 + 7 + 6) - 4 - 6}",
            "hand0": "2C 5H 9S", "hand1": "+5", "hand2": "+5", "hand3": "+5",
            "stock0": "9C +7", "stock1": "QS", "stock2": "4D +6", "stock3": "KS +5",
            "discard0.1": "4S +1", "discard0.2": "9C", "discard1.1": "KD", "discard3.1": "8S +1",
            **{f"discard{p}.{k}": "" for p, k in [(0, 3), (0, 4), (3, 2), (3, 3), (3, 4)]},
            **{f"discard{p}.{k}": "" for p in (1, 2) for k in range(2 if p == 1 else 1, 5)},
            "Turn": "4 of 20",
        },
    ),
    ("bo-mini", {HAND: "2C", "stocks": "3D 1, 4C 2", "round": "2"}, {
        **{f"build{k}": "" for k in range(1, 5)}, "draw": f"+{4 * 2 - 1 - 2 - 1 - 2}", "hand0": "2C", "hand1": "+2",
        "stock0": "3D", "stock1": "4C +1", **{f"discard{p}.{k}": "" for p in (0, 1) for k in range(1, 5)},
        "Turn": "3 of 3",
    }),
    ("cribbage", {**CRIBBAGE, "played": "KC KD JS go AH 9C", "discarded": "2C 8C", "score": "110-115"}, {
        "starter": "7D", "count": "9C (makes 9)", "before": "KC KD JS AH", "crib": "+4", "hand0": "5H", "hand1": "+2",
        "away0": "2C 8C", "Score 0": "110 of 121", "Score 1": "115 of 121", "Deal 1": "has the crib",
    }),
    ("cribbage", {HAND: "8S", "crib": "mine", "starter": "7D", "played": "2C 2D 3C 3D 4C 4D 5C",
        "discarded": "QC QD"}, {
        "starter": "7D", "count": "2C 2D 3C 3D 4C 4D 5C (makes 23)", "crib": "+4", "hand0": "8S", "hand1": "",
        "away0": "QD QC", "Score 0": "0 of 121", "Score 1": "0 of 121", "Deal 0": "your crib",
    }),
    *[
        ("cribbage", {**CRIBBAGE, HAND: hand, "played": f"{before} {now}", "discarded": "QC QD"}, {
            "starter": "7D", "before": before.replace(" go", ""), "count": count, "crib": "+4", "hand0": hand,
            "hand1": hidden, "away0": "QD QC", "Score 0": "0 of 121", "Score 1": "0 of 121", "Deal 1": "has the crib",
        })
        for hand, before, now, count, hidden in (
            ("5H 6S", "KC KD JS go", "9C", "9C (makes 9)", "+2"),
            ("5H 6S", "KC KD AH 0S", "", "", "+2"),
            ("6S", "KC KD AH 0S", "5H 2C", "5H 2C (makes 7)", "+1"),
            ("6S", "0C AD 0D 5C 5D", "4C", "4C (makes 4)", "+1"),
        )
    ],
    ("cribbage-mini", {HAND: "4D JD JC", "crib": "theirs"}, {
        "count": "", "hand0": "4D JD JC", "hand1": "+3", "Score 0": "0 of 7", "Score 1": "0 of 7",
        "Match 0": "0", "Match 1": "0", "Deal 1": "has the crib",
    }),
    ("cribbage:target=61", {HAND: "5H 6S JC 7D AS AD", "crib": "mine", "score": "60 : 0"}, {
        "count": "", "crib": "+2", "hand0": "AD AS 5H 6S 7D JC", "hand1": "+4",
        "Score 0": "60 of 61", "Score 1": "0 of 61", "Deal 0": "your crib",
    }),
    ("eights", {HAND: "8C 5H", "top": "8S", "suit": "Hearts", "counts": "4 1 5", "gone": "2S 3S", "drawn": "3"}, {
        "discards": "8S +2 (hearts to follow)", "stock": f"+{52 - 2 - 3 - 10}", "hand0": "5H 8C",
        "hand1": "+4", "hand2": "+1", "hand3": "+5",
    }),
    ("eights", {HAND: "8C 5H", "top": "7S"}, {
        "discards": "7S (spades to follow)", "stock": f"+{52 - 2 - 1 - 15}", "hand0": "5H 8C",
        "hand1": "+5", "hand2": "+5", "hand3": "+5",
    }),
    ("hearts", {HAND: "5D AS QS 2H KH 3H 4H 5H 6H 7H 8H 9H", "history": "2C KC 5C 3C, 9D 2D", "leader": "1",
        "scores": "4 0 22 0"}, {
        "trick": "9D 2D", "hand0": "5D QS AS 2H 3H 4H 5H 6H 7H 8H 9H KH", "hand1": "+12", "hand2": "+11",
        "hand3": "+11", "Deal": "4", **{f"Points {p}": f"{n} of 100" for p, n in enumerate((4, 0, 22, 0))},
    }),
    ("hearts", {HAND: "2C 5C KC 3D 9D QD 4S QS KS 2H 6H 0H AH", "pass": "right"}, {
        "trick": "", "hand0": "2C 5C KC 3D 9D QD 4S QS KS 2H 6H 0H AH", **{f"hand{p}": "+13" for p in (1, 2, 3)},
        "Deal": "2", **{f"Points {p}": "0 of 100" for p in range(4)},
    }),
    ("huxxy", {HAND: "KC 4C 4C", "table": "AC 2D 3S, KS KH KD", "counts": "1, 12, 3"}, {
        "group1": "AC 2D 3S", "group2": "KD KH KS", "new": "", "stock": f"+{104 - 3 - 6 - 16}", "hand0": "4C 4C KC",
        "hand1": "+1", "hand2": "+12", "hand3": "+3", "Groups 0": "not opened yet",
    }),
    ("huxxy", {HAND: "KC", "opened": " Yes "}, {
        "new": "", "stock": f"+{104 - 1 - 36}", "hand0": "KC", **BACKS,
        **{f"Groups {p}": "not opened yet" for p in (1, 2, 3)},
    }),
    ("president", {HAND: "5H 5S", "pile": "4D 4H", "by": "3", "counts": "13 0 3", "gone": " ".join(
        f"{value}{suit}" for value in "670JQKA2" for suit in "DCHS")}, {
        "pile": "4D 4H (pair, by Ben)", "hand0": "5H 5S", "hand1": "+13", "hand2": "", "hand3": "+3",
        "Round": "1 of 3", **POINTS, "In this trick 3": "passed",
    }),
    ("president", {HAND: "5H 5S 9C", "gone": " ".join(f"{value}{suit}" for value in "670JQKA2" for suit in "DCHS")}, {
        "pile": "", "hand0": "5H 5S 9C", "hand1": "+6", "hand2": "+6", "hand3": "+5", "Round": "1 of 3", **POINTS,
    }),
    ("go", {
        HAND: "4D 9S KC KD QH 7H 6C 2S", "history": "2D 5C KS 9H; 3D 6D KH 8H", "seat": "2",
        "held": "AC 2C 3C 4C 5D 6S 7C 8H 9C KS, AD 5H 5S 7D 8D 9D 0D JD KH",
    }, {
        "hand0": "AC 2C 3C 4C 5D 6S 7C 9C (you passed it on)", "hand1": "+8", "hand2": "2S 4D 6C 7H 9S QH KD KC",
        "hand3": "AD 5H 5S 7D 8D 9D 0D JD (you passed it on)", "discards0": "2D 3D", "discards1": "5C 6D",
        "discards2": "KH KS", "discards3": "8H 9H", "Turn": "3 of 10",
    }),
    ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D AD"}, {
        "hand0": "AD 2D 3D 4D 5D 6D 7D 8D 9D 0D", **{f"hand{p}": "+10" for p in (1, 2, 3)},
        **{f"discards{p}": "" for p in range(4)}, "Turn": "1 of 10",
    }),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 2C, 4D AC"}, {
        "hand0": "2C", "hand1": "AC (you passed it on)", "discards0": "2D 4D", "discards1": "3C 4C", "Turn": "3 of 3",
    }),
    ("go-mini", {HAND: "", "history": "2D 3C, 3D 4C, 4D 2C", "seat": "1"}, {
        "discards0": "2D 3D 4D", "discards1": "2C 3C 4C", "Score 0": "+0", "Score 1": "+0",
    }),
    ("holdem:players=2", HOLDEM, {
        "board": "", "hand0": "+2", "hand1": "AS KC (Ace-King offsuit)", "Hand": "1 of 10", "Street": "preflop",
        "Pot": "15", "Chips 0": "990", "Chips 1": "995", "Bet 0": "10", "Bet 1": "5", "State 1": "button",
    }),
    ("holdem:players=2", {**HOLDEM, "board": "QS JS 2S", "pot": "120", "call": "40", "stack": "400"}, {
        "board": "QS JS 2S", "hand0": "AS KC (Ace high, kickers K, Q, J, 2)", "hand1": "+2",
        "Hand": "1 of 10", "Street": "flop", "Pot": "120", "Chips 0": "400", "Chips 1": "400", "Bet 1": "40",
        "State 1": "button",
    }),
    ("holdem:players=2", {**HOLDEM, "board": "QS JS 2S 9D", "pot": "150", "stack": "850", "theirs": "0"}, {
        "board": "QS JS 2S 9D", "hand0": "AS KC (Ace high, kickers K, Q, J, 9)", "hand1": "+2",
        "Hand": "1 of 10", "Street": "turn", "Pot": "150", "Chips 0": "850", "Chips 1": "0",
        "State 1": "button, all in",
    }),
    ("holdem:players=3,hands=1", {**HOLDEM, "line": "raise 30, call"}, {
        "board": "", "hand0": "+2", "hand1": "AS KC (Ace-King offsuit)", "hand2": "+2", "Hand": "1 of 1",
        "Street": "preflop", "Pot": "70", "Chips 0": "970", "Chips 1": "990", "Chips 2": "970",
        "Bet 0": "30", "Bet 1": "10", "Bet 2": "30", "State 2": "button",
    }),
    ("holdem:players=3,hands=1", {**HOLDEM, "line": "raise 1000, fold"}, {
        "board": "", "hand0": "", "hand1": "AS KC (Ace-King offsuit)", "hand2": "+2", "Hand": "1 of 1",
        "Street": "preflop", "Pot": "1015", "Chips 0": "995", "Chips 1": "990", "Chips 2": "0",
        "Bet 0": "5", "Bet 1": "10", "Bet 2": "1000", "State 0": "folded", "State 2": "button, all in",
    }),
    ("draw:players=2,hands=1", {**DRAW, "line": "call, check, draw 2, pat, bet 20, raise 70", "discarded": "3C 4C"}, {
        "hand0": "AS 2C JS QS KS (Ace high, kickers K, Q, J, 2)", "thrown0": "3C 4C", "hand1": "+5",
        "Hand": "1 of 1", "Street": "after the draw", "Pot": "110", "Chips 0": "970", "Chips 1": "920",
        "Bet 0": "20", "Bet 1": "70", "State 1": "button", "Drew 0": "2", "Drew 1": "0",
    }),
    ("kuhn", {HAND: "KS", "line": "check"}, {
        "hand0": "+1", "hand1": "KS (King)", "Hand": "1 of 1", "Round": "1 of 1", "Pot": "2", "Chips 0": "1",
        "Chips 1": "1", "State 1": "button",
    }),
    ("leduc", {HAND: "KS", "line": "check, check", "board": "KH"}, {
        "board": "KH", "hand0": "KS (a pair of Kings)", "hand1": "+1", "Hand": "1 of 1", "Round": "2 of 2", "Pot": "2",
        "Chips 0": "12", "Chips 1": "12", "State 1": "button",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "table"), TABLES)
def test_scene_shows_the_given_position(name, told, table):
    assert lines(name, told) == table


def test_bo_position_from_facts_matches_a_real_deal():
    game = kibitz.game("bo")
    dealt = game.view(game.deal(3), 0)
    stocks = [f"{code(face(top))} {count}" for top, count in zip(dealt.stock_tops, dealt.stock_counts, strict=True)]
    _, view = view_from_facts(
        "bo", {HAND: " ".join(code(face(card)) for card in dealt.hand), "stocks": ", ".join(stocks)}
    )
    assert tuple(map(face, view.hand)) == tuple(map(face, dealt.hand))
    assert tuple(map(face, view.stock_tops)) == tuple(map(face, dealt.stock_tops))
    assert view.backs == ((0,) * 5,) * 4
    assert dealt.draw_count - view.draw_count == 3 * 5, "the others draw as their turns begin"
    same = ("hand", "stock_tops", "backs", "draw_count")
    assert replace(view, **{name: getattr(dealt, name) for name in same}) == dealt


@pytest.mark.parametrize(("name", "told", "table"), TABLES)
def test_position_from_facts_can_be_played_to_the_end(name, told, table):
    game, random = kibitz.game(name), Random(5)
    state = position_from_facts(game, told, random)
    for _ in range(4000):
        if state.over:
            break
        legal = game.legal(state)
        game.rules.apply(state, random.choice(legal[:6]))
    assert state.over


@pytest.mark.parametrize(
    "told", [{**HOLDEM, "board": "QS JS 2S", "pot": "90", "stack": "400"}, {**HOLDEM, "line": "call"}]
)
def test_poker_position_from_facts_has_every_card_once(told):
    state = position_from_facts(kibitz.game("holdem:players=2"), told, Random(1))
    piles = [*state.held[:2], *(1 << card for card in state.board[: state.shown_cards]), state.stock]
    assert sum(piles) == state.pack
    assert sum(pile.bit_count() for pile in piles) == 52


def test_go_scene_shows_face_down_choices_and_group_scores():
    game = kibitz.game("go")
    state = game.deal(1)
    hand = [code(card) for card in game.view(state, 0).hand]
    game.play(state, game.parse(game.view(state, 0), hand[3]))
    table = drawn("go", game, game.view(state, 0))
    assert table["chosen0"] == f"{hand[3]} (face down)"
    assert table["hand0"].split() == [*hand[:3], *hand[4:]]
    assert not any(key.startswith("chosen") for key in drawn("go", game, game.view(state, 1)))
    game = kibitz.game("go-mini")
    state = position_from_facts(game, {HAND: "", "history": "2D 2C, 3C 3D, 4D 4C"}, Random(0))
    game.play(state, game.parse(game.view(state, 0), "2D 3C 4D"))
    table = drawn("go-mini", game, game.view(state, 1))
    assert (table["group0.1"], table["discards0"]) == ("2D 3C 4D (+9)", "")
    assert (table["discards1"], table["Score 0"], table["Score 1"]) == ("2C 3D 4C", "+9", "+0")


def test_poker_scene_hides_mucked_hands_after_the_end():
    game = kibitz.game("holdem:players=2,hands=1")
    state = game.deal(1)
    game.play(state, game.parse(game.view(state, state.player), "fold"))
    table = drawn("holdem", game, game.view(state, 0))
    assert (table["hand0"], table["hand1"], table["board"]) == ("", "", "")
    assert (table["Chips 0"], table["Chips 1"]) == ("1005", "995")
    assert {"Round", "Street", "Pot"}.isdisjoint(table)
    state = game.deal(1)
    for words in ("raise 1000", "call"):
        game.play(state, game.parse(game.view(state, state.player), words))
    table, last = drawn("holdem", game, game.view(state, 0)), game.view(state, 0).last
    assert [table[f"hand{p}"] for p in (0, 1)] == [" ".join(map(code, shown or ())) for shown in last.shown]
    assert any(last.shown)
    assert table["board"] == " ".join(map(code, last.board))


def test_bo_scene_draws_an_empty_stockpile_without_backs():
    _, view = view_from_facts("bo", BO)
    over = replace(view, stock_tops=(None, *view.stock_tops[1:]), stock_counts=(0, *view.stock_counts[1:]))
    (zone,) = (zone for zone in bo_scene.scene(over, names_for(0, NAMES)).zones if zone.key == "stock0")
    assert (zone.form, zone.spots, zone.hidden, zone.seat) == ("backs", (), 0, 0)


def test_missing_facts_default_to_the_start_of_a_turn():
    assert [view_from_facts("eights", {HAND: "8C", "top": "7S", **more})[1].drawn for more in ({}, {"drawn": "2"})] == [
        0,
        2,
    ]
    assert view_from_facts("cribbage", CRIBBAGE | {HAND: "5H 6S 7C 8C"})[1].deals == 1
    assert view_from_facts("huxxy", {HAND: "2C", "table": "KC KD KH"})[1].opened == (False, True, True, True)


def test_seat_that_said_go_gets_no_playable_card_but_any_discards():
    facts, laid = {**CRIBBAGE, "played": "KC KD JS go AH 9C"}, set()
    for seed in range(40):
        laid.update(value(card) for card in view_from_facts("cribbage", facts, seed)[1].own_discards)
    assert laid >= {*range(1, 12)} - {5}


@pytest.mark.parametrize("name", ["huxxy", "eights", "president"])
def test_other_hands_are_drawn_at_random_each_time(name):
    game = kibitz.game(name)
    facts = {HAND: "5H", **({"top": "5S"} if name == "eights" else {})}
    dealt = {repr(position_from_facts(game, facts, Random(seed))) for seed in range(4)}
    assert len(dealt) == 4


@pytest.mark.parametrize("name", [name for name in SCENES if hasattr(scene_module(name), "action_from_keys")])
def test_an_action_is_found_by_the_keys_of_its_parts(name):
    game, find, random = kibitz.game(name), scene_module(name).action_from_keys, Random(1)
    state = game.deal(1)
    for _ in range(40):
        view, legal = game.view(state, state.player), game.legal(state)
        for action in legal:
            keys = frozenset(part.key for part in game.parts(view, action) if part.kind in ("card", "place"))
            assert not keys or find(view, keys) == action
        assert find(view, frozenset()) is None
        game.advance(state, random.choice(legal))
        if state.over:
            break


EIGHTS = {HAND: "8C 5H", "top": "5S"}
MANY = [f"{value}{suit}" for value in "A234567890J" for suit in "DCHS"][:41]
PLAYED = {HAND: "5H 6S JC", "crib": "theirs", "starter": "7D"}
REFUSED = [
    ("bo", {**BO, HAND: ""}, "the hand has 1 to 5 cards, not 0."),
    ("bo", {**BO, HAND: "2C 3C 4C 5C 6C 7C"}, "the hand has 1 to 5 cards, not 6."),
    ("bo-mini", {HAND: "2C", "stocks": "5C 1, AD 1"}, "--stocks: 5♣ is not among the cards of bo-mini."),
    ("bo-mini", {HAND: "2H", "stocks": "AC 1, AD 1"}, "the hand: 2♥ is not among the cards of bo-mini."),
    ("bo", {**BO, HAND: "2C 2C", "builds": "2C"},
     "2♣ appears 3 times, in the hand and the hand and --builds, but bo has it"),
    ("bo", {**BO, "stocks": "9C 9, QS 1, 4D 7, KS 6"}, "--stocks needs a whole number from 1 to 8, not '9'."),
    ("bo", {**BO, "stocks": "9C 8, QS 1, 4D 7, KS 6, 2H 1"},
     "--stocks needs top card and size of 4 stockpiles, not of 5."),
    ("bo", {**BO, "discards": ";;;;"}, "--discards: there are 4 players, not 5."),
    ("bo", {**BO, "discards": ";2C,3H,4C,5H,6C"}, "--discards: there are 4 piles, not 5."),
    ("bo", {**BO, "builds": "2C, 2D, KC, KD, 2H"}, "--builds: there are 4 piles, not 5."),
    ("bo", {**BO, "builds": "2D, 3H"}, "--builds: 3♥ cannot lie there: An empty build pile takes only a 2 or a king."),
    ("bo", {**BO, "builds": "2D 3C"},
     "--builds: 3♣ cannot lie there: A build pile takes only cards of its own colour."),
    ("bo", {**BO, "builds": "2D 4D"},
     "--builds: 4♦ cannot lie there: A build pile takes a card one higher or one lower"),
    ("bo", {**BO, "discards": "AD"}, "--discards: A♦ cannot lie there: An Ace never goes on a discard pile."),
    ("bo", {**BO, "round": "20"}, "--round needs a whole number from 0 to 19, not '20'."),
    ("cribbage", {HAND: "5H 6S JC 7D AS"}, "--crib must be mine or theirs, and it is missing."),
    ("cribbage", {HAND: "5H 6S JC 7D AS", "crib": "mine"}, "has 6 cards before the discard, not 5;"),
    ("cribbage", {HAND: "5H 6S JC", "crib": "mine", "played": "KC"},
     "--played and --discarded also need --starter, the card turned up."),
    ("cribbage", {**PLAYED, "starter": "7D 8D"}, "--starter must be one card."),
    ("cribbage", {**PLAYED, "discarded": "2C"}, "--discarded: each player discards 2 cards, not 1."),
    ("cribbage", {**PLAYED, "starter": "5H"}, "5♥ appears 2 times, in the hand and --starter, but"),
    ("cribbage", {**PLAYED, "played": "JC"}, "J♣ appears 2 times, in the hand and --played"),
    ("cribbage", {**PLAYED, "played": "2C 3C 4C"},
     "each player keeps 4 cards: you hold 3, and by what was played you have played 2 and your opponent 1 of them."),
    ("cribbage", {**PLAYED, "played": "2C"},
     "--played: after these cards it isn't your turn; a player who can't play says go."),
    ("cribbage", {**PLAYED, "played": "4C KD", "score": "0-121"},
     "--score needs a whole number from 0 to 120, not '121'."),
    ("cribbage", {**PLAYED, "played": "4C KD", "score": "1-2-3"},
     "--score must be both scores, yours first, such as 110-115, not '1-2-3'."),
    ("cribbage", {**PLAYED, "played": "4C go"}, "--played: go, number 2, is not allowed: "),
    ("cribbage", {**PLAYED, HAND: "5H 6S", "played": "KC KD KH 2S"},
     "--played: 2S, number 4, is not allowed: The count can't go above 31"),
    ("eights", {**EIGHTS, HAND: ""},
     'give the cards of your hand, as in \'kibitz best eights "5H 8C KD KS 2S" --top 5S'),
    ("eights", {HAND: "8C"}, "--top must be one card."),
    ("eights", {**EIGHTS, "gone": "5S"}, "5♠ appears 2 times, in --top and --gone, but eights has it once."),
    ("eights", {**EIGHTS, "suit": "wood"}, "--suit must be diamonds or clubs or hearts or spades, not 'wood'."),
    ("eights", {**EIGHTS, "suit": "clubs"}, "--suit is for an eight, and the top card isn't one."),
    ("eights", {**EIGHTS, "counts": "1 2 0"}, "--counts needs a whole number from 1 to 49, not '0'."),
    ("eights", {**EIGHTS, "counts": "1 2"}, "--counts needs a number for each of the 3 other players, not 2."),
    ("eights", {**EIGHTS, "counts": "45 2 3"}, "there are only 2 cards left for 3 hidden ones"),
    ("eights", {**EIGHTS, "drawn": "4"}, "--drawn needs a whole number from 0 to 3, not '4'."),
    ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D"}, "after 0 of 10 turns the hand has 10 cards, not 9."),
    ("go", {HAND: "2D 3D", "seat": "4"}, "--seat needs a whole number from 0 to 3, not '4'."),
    ("hearts", {HAND: "2C 3C"}, "the hand must have 13 cards, not 2."),
    ("hearts", {HAND: "3C"}, "the two of clubs leads to the first trick."),
    ("hearts", {HAND: "3C", "history": "2C 4C, 5C"},
     "--history: trick 1 needs a card of each of the 4 players, not 2♣ 4♣."),
    ("hearts", {HAND: "3C", "history": "2C 4C"}, "--history, --leader: another player is to move."),
    ("hearts", {HAND: "3C", "history": "2C 4C 5C 8D, 7C KC AC 9C", "leader": "1"},
     "K♣ is played by a player who had shown"),
    ("hearts", {HAND: "3C", "history": "2C", "pass": "left"}, "no card is played before cards have been passed."),
    ("hearts", {HAND: "3C", "pass": "up"}, "--pass must be left or right or across or nowhere, not 'up'."),
    ("hearts", {HAND: "3C", "leader": "4"}, "--leader needs a whole number from 0 to 3, not '4'."),
    ("hearts-mini", {HAND: "3H", "history": "2C KH QS"}, "no deal makes these plays possible."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D"}, "--history: turn 2 needs a card of each of the 2 seats, not 4♦."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 2C"},
     "2♣ appears 2 times, in the hand and --history, but go-mini has it"),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 2C"},
     "--held needs the hands of all 2 turns before this one, not of 1."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 2C, 4D"},
     "--held: in turn 2 the hand had 2 cards, not 1."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D 4C 3D, 4D AC"},
     "--held: of the hand of turn 1 3♦ are left, which contradicts the next hand."),
    ("go-mini", {HAND: "2C", "history": "2D 3C, 4D 4C", "held": "2D AC 2C, 4D 3D"},
     "--held: the hand of turn 1 was passed on, and 4♣, laid from it in turn 2, was not in it."),
    ("huxxy", {HAND: ""}, 'give the cards of your hand, as in \'kibitz best huxxy "4C 5D 6S KC 9H" --table'),
    ("huxxy", {HAND: "4C 4C", "table": "4C 5D 6S"}, "4♣ appears 3 times, in the hand and the hand and --table"),
    ("huxxy-mini", {HAND: "2C 2C"}, "a card is given more often than huxxy-mini has it."),
    ("huxxy", {HAND: "KC", "table": "AC 2D 3S, 4C 5C"},
     "--table: group 2 isn't a run or a set, but every turn ends with"),
    ("huxxy", {HAND: "KC", "counts": "1 0 1"}, "--counts needs a whole number from 1 to 103, not '0'."),
    ("huxxy", {HAND: "KC", "opened": "perhaps"}, "--opened must be yes or no, not 'perhaps'."),
    ("huxxy", {HAND: "KC", "table": ", ".join(MANY)}, "--table: there are at most 40 groups, not 41."),
    ("holdem:players=2", {HAND: "AS"}, "the hand has 2 cards in holdem:players=2, not 1."),
    ("draw:players=2", {**DRAW, "discarded": "2C"}, "2♣ appears 2 times, in the hand and --discarded"),
    ("draw:players=2", {**DRAW, "line": "call, check, pat", "discarded": "3C"},
     "--discarded: you have discarded 0 cards by then, not 1."),
    ("draw:players=2", {**DRAW, "line": "call, check, draw 6"},
     "--line: action 3, 'draw 6': --line needs a whole number from 0 to 5"),
    ("holdem:players=3", {**HOLDEM, "pot": "30"},
     "--pot is for two players, without a draw: use --line in holdem:players=3"),
    ("holdem:players=2", {**HOLDEM, "pot": "80", "call": "40"}, "--pot needs a whole number from 81 to"),
    ("holdem:players=2", {**HOLDEM, "pot": "30", "stack": "0"}, "--stack needs a whole number from 1 to"),
    ("holdem:players=2", {**HOLDEM, "pot": "151", "stack": "1000", "theirs": "850"},
     "with 1000 chips each: for this position, write stack=1001"),
    ("holdem:players=2", {**HOLDEM, "pot": "100", "stack": "400", "board": "2S"},
     "--board has 0 or 3 or 4 or 5 cards in holdem:players=2, not 1."),
    ("holdem:players=2,hands=2", {**HOLDEM, "line": "fold"},
     "--line: these actions end the hand, so nobody has a decision."),
    ("holdem:players=2,hands=2", {**HOLDEM, "line": "fold, check"},
     "--line: the hand is over before action 2, 'check'."),
    ("holdem:players=2", {**HOLDEM, "line": "call, check"}, "--board: the board has 3 cards by then, not 0."),
    ("president", {HAND: ""}, "give the cards of your hand, as in 'kibitz best president"),
    ("president", {HAND: "5H", "pile": "5H"}, "5♥ appears 2 times, in the hand and --pile, but president has it once."),
    ("president", {HAND: "5H", "counts": "0 0 0"}, "--counts: the round is over once nobody else holds a card."),
    ("president", {HAND: "5H", "counts": "14 1 1"}, "--counts needs a whole number from 0 to 13, not '14'."),
    ("president", {HAND: "5H", "pile": "4D", "by": "4"}, "--by needs a whole number from 1 to 3, not '4'."),
    ("president", {HAND: "2D 2C 2H 2S AD AC AH AS KD KC KH KS QD QC"},
     "each of 4 players is dealt 13 cards at most, 52 in all: you gave more"),
    ("president", {HAND: "5H", "pile": "4D 5D"}, "--pile: 4♦ 5♦: Those cards don't make a move"),
    ("president", {HAND: "5H", "pile": "4D", "gone": "4C", "counts": "1 2 3"},
     "52 cards were dealt: with 1 in the hand, 1 on the pile and 1 gone the others hold 49, not 6."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "told", "sentence"), REFUSED)
def test_an_impossible_position_is_refused_with_the_reason(name, told, sentence):
    with pytest.raises((NotationError, RuleError)) as refusal:
        position_from_facts(kibitz.game(name), told, Random(0))
    assert sentence in str(refusal.value)
