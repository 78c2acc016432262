"""``kibitz best`` for every game: typed positions, records at any step, budgets, and invalid input."""

import json
import time
from random import Random

import pytest

import kibitz
from kibitz.cards import code
from kibitz.cli.records import figures
from kibitz.engine import setup_position
from kibitz.engine.game import with_mover
from kibitz.engine.kernels.policies import policies
from kibitz.engine.registry import families
from kibitz.engine.setup_position import HAND, example_command, facts_of_example, module_of, views_from_facts
from kibitz.errors import NotationError, RuleError
from kibitz.search.tree_search import RankedAction, digits_of
from tests.tiers import tiered

GAMES = [game for game in kibitz.all_games() if module_of(game)]
FIRST = [family.games[0] for family in families()]


def example_facts(game):
    """The facts of a game's own example."""
    return facts_of_example(example_command(game).removeprefix(f"kibitz best {game.name} "))


def words_of(facts):
    """Facts as command-line arguments."""
    return [facts[HAND], *(word for name, text in facts.items() if name != HAND for word in (f"--{name}", text))]


@pytest.mark.parametrize("game", FIRST, ids=lambda game: game.name)
def test_every_game_answers_its_example_within_the_budget(kibitz, game):
    assert module_of(game), f"positions of {game.name} can be typed in: its words.py needs FACTS"
    name = game.name
    explained = kibitz("best", name)
    assert example_command(game) in explained.out
    assert all(f"--{fact}" in explained.out for fact in module_of(game).FACTS if fact != HAND)
    ran = kibitz("best", name, *words_of(example_facts(game)), "--rollouts", "6", "--json")
    assert ran.status == 0, ran.err
    said = json.loads(ran.out)
    assert said["game"] == name
    assert said["exact"] or 0 < sum(choice["tried"] for choice in said["choices"]) <= 6
    assert all(choice["error"] is None or choice["tried"] > 1 or said["exact"] for choice in said["choices"])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_example_of_every_variant_is_accepted(game):
    name, _, example = example_command(game).removeprefix("kibitz best ").partition(" ")
    assert views_from_facts(kibitz.game(name), facts_of_example(example))


@pytest.mark.parametrize("game", FIRST, ids=lambda game: game.name)
def test_budget_of_0_uses_the_default_strategy(kibitz, game):
    name = game.name
    said = json.loads(kibitz("best", name, *words_of(example_facts(game)), "--rollouts", "0", "--json").out)
    assert not any(choice["tried"] for choice in said["choices"])
    found = kibitz_game(name)
    view = views_from_facts(found, example_facts(game))[0]
    policy = found.strategies[next(iter([*policies(found), *found.strategies]))]
    assert said["choices"][0]["action"] == policy(view, legal_of(found, view), Random(0))


def kibitz_game(name):
    return kibitz.game(name)


def legal_of(game, view):
    """The legal actions of a view's seat."""
    state = game.blank()
    game.restore(state, view)
    return game.legal(state)


@pytest.mark.parametrize("game", FIRST, ids=lambda game: game.name)
def test_extra_cards_unknown_facts_and_missing_cards_are_rejected(refused, game):
    name, facts = game.name, example_facts(game)
    first = facts[HAND].split()[0]
    for wrong in (
        {**facts, HAND: f"{facts[HAND]} {first} {first}"},
        {**facts, HAND: "1X"},
        {fact: text for fact, text in facts.items() if fact != HAND},
    ):
        sentence = refused("best", name, *[word for word in words_of({HAND: "", **wrong}) if word], "--rollouts", "2")
        assert len(sentence) < 250
    assert "has no fact --colour; known facts: --" in refused("best", name, *words_of(facts), "--colour", "red")


def test_time_budget_is_not_exceeded(kibitz):
    for game in ("cribbage", "go"):
        words = "5H 6S JC" if game == "cribbage" else example_facts(kibitz_game("go"))[HAND]
        rest = {"cribbage": ["--crib", "theirs", "--starter", "7D", "--played", "4C KD"]}
        options = rest.get(game, ["--history", example_facts(kibitz_game("go")).get("history", "")])
        start = time.perf_counter()
        assert kibitz("best", game, words, *options, "--seconds", "0.4").status == 0
        assert time.perf_counter() - start < 3


def table_after(game, seed, steps):
    """A table after some random actions."""
    random, table = Random(seed), kibitz.Table.deal(game, seed)
    while not table.over and table.step < steps:
        seat = table.waiting[0]
        table.act(seat, random.choice(table.legal(seat)))
    return table


@pytest.mark.parametrize("name", tiered(game.name for game in kibitz.all_games()))
def test_every_game_gives_advice_at_a_step_of_a_record(kibitz, tmp_path, name):
    from kibitz.engine.record import text

    table = table_after(name, 3, 4)
    path = tmp_path / "game.game"
    path.write_text(text(table.record), encoding="utf-8")
    said = json.loads(kibitz("best", str(path), "--rollouts", "3", "--json", "--step", "1").out)
    assert said["step"] == 1
    past = table.at(1)
    assert {choice["action"] for choice in said["choices"]} == set(past.legal(past.waiting[0]))
    assert "kuhn is not a file" in " ".join(kibitz("best", "kuhn", "--step", "1").err.split())


def codes(cards):
    return " ".join(map(code, cards))


@pytest.mark.parametrize("seed", range(6))
def test_complete_facts_of_a_go_hand_give_the_seats_view(seed):
    game = kibitz.game("go")
    table = table_after("go", seed, 4 * (seed + 1) + seed % 4)
    seat, held = table.waiting[0], []
    state = table.state()
    for turn in range(state.turn):
        past = table.at(4 * turn)
        held.append(codes(game.view(with_mover(past.state(), seat), seat).hand))
    view = table.view(seat)
    turns = [codes(view.discards[p][turn] for p in range(4)) for turn in range(view.turn)]
    facts = {HAND: codes(view.hand), "seat": str(seat), "history": ", ".join(turns), "held": ", ".join(held)}
    assert views_from_facts(game, {fact: text for fact, text in facts.items() if text}) == [view]


def test_unknown_history_of_go_is_sampled_several_times():
    facts = example_facts(kibitz.game("go"))
    assert len(views_from_facts(kibitz.game("go"), facts)) == setup_position.DRAWS


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["holdem:players=3,hands=1", "leduc", "kuhn", "holdem:players=2,hands=1,stack=60"])
def test_typed_bets_reproduce_the_view_of_the_record(name, seed):
    game, random = kibitz.game(name), Random(seed)
    table = kibitz.Table.deal(game, seed)
    line = []
    for _ in range(2 + seed):
        seat = table.waiting[0]
        action = random.choice([a for a in table.legal(seat) if a or random.random() < 0.2])
        past = table.at(table.step)
        past.act(seat, action)
        if past.over:
            break
        line.append(game.text(table.view(seat), action))
        table.act(seat, action)
    view = table.view(table.waiting[0])
    facts = {HAND: codes(view.hand), "board": codes(view.board), "line": ", ".join(line)}
    assert views_from_facts(game, {fact: text for fact, text in facts.items() if text}) == [view]


@pytest.mark.parametrize("seed", range(8))
def test_typed_cribbage_play_reproduces_count_cards_and_turn(seed):
    game = kibitz.game("cribbage:cut_first=0")
    table = table_after(game, seed, 3 + seed % 4)
    seat = table.waiting[0]
    view = table.view(seat)
    assert not view.discarding
    acts = table.record.actions[2:]
    facts = {
        HAND: codes(view.hand), "crib": "mine" if view.dealer == seat else "theirs", "starter": code(view.starter),
        "played": " ".join("go" if a == 52 else code(a) for a in acts), "discarded": codes(view.own_discards),
        "score": f"{view.pegs[seat]}-{view.pegs[1 - seat]}",
    }  # fmt: skip
    (found,) = views_from_facts(game, {fact: text for fact, text in facts.items() if text})
    assert (found.hand, found.trail, found.count, found.own_discards) == (
        view.hand,
        view.trail,
        view.count,
        view.own_discards,
    )
    assert found.counts[0] == view.counts[seat]
    assert found.pegs == (view.pegs[seat], view.pegs[1 - seat])


@pytest.mark.parametrize(
    ("name", "facts", "sentence"),
    [
        ("go", {HAND: "2D"}, "after 0 of 10 turns the hand has 10 cards, not 1."),
        ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D", "history": "2D JD QD KD"}, "2♦ appears 2 times"),
        ("go", {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D", "history": "AD JD QD"}, "turn 1 needs a card of each of the 4"),
        (
            "go",
            {HAND: "2D 3D 4D 5D 6D 7D 8D 9D 0D", "history": "AD JD QD KD", "held": "2C 3C 4C 5C 6C 7C 8C 9C 0C JC"},
            "A♦, laid from it in turn 1, was not in it",
        ),
        ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "fold"}, "these actions end the hand"),
        ("holdem:players=2,hands=1", {HAND: "AS KS", "line": "raise 3"}, "action 1, 'raise 3': A bet must be at least"),
        ("holdem:players=2,hands=1", {HAND: "AS KS", "board": "AS 2D 3D"}, "A♠ appears 2 times"),
        ("holdem:players=2,hands=1", {HAND: "AS KS", "board": "4S 2D 3D"}, "the board has 0 cards by then, not 3"),
        ("holdem", {HAND: "AS KS", "pot": "30"}, "--pot is for two players"),
        ("president", {HAND: "5H 5S", "pile": "4D 7H"}, "4♦ 7♥: Those cards don't make a move"),
        ("president", {HAND: "5H 5S", "counts": "1 1"}, "a number for each of the 3 other players, not 2"),
        ("president", {HAND: "5H 5S", "counts": "1 2 3", "gone": "3D"}, "the others hold 49, not 6"),
        ("huxxy", {HAND: "4C", "table": "AC 2D 4S"}, "group 1 isn't a run or a set"),
        ("huxxy", {HAND: "XX"}, "XX is not among the cards of huxxy"),
        ("bo", {HAND: "4C", "stocks": "9C 8, QS 8, 4D 7, KS 6", "builds": "3D"}, "An empty build pile takes only"),
        ("bo", {HAND: "4C", "stocks": "9C 8, QS 8, 4D 7, KS 6", "builds": "2D 3C"}, "its own colour"),
        ("bo", {HAND: "4C", "stocks": "9C 8, QS 8, 4D 7, KS 6", "discards": "AD"}, "An Ace never goes on"),
        ("bo", {HAND: "4C", "stocks": "9C 8, QS 8"}, "top card and size of 4 stockpiles, not of 2"),
        (
            "cribbage",
            {HAND: "5H 6S JC AD", "crib": "mine", "starter": "7D", "played": "go"},
            "play if you can",
        ),
        (
            "cribbage",
            {HAND: "5H", "crib": "theirs", "starter": "7D", "played": "KC KD KH 2S 9S"},
            "The count can't go above 31",
        ),
        ("eights", {HAND: "5H", "top": "5S", "suit": "hearts"}, "the top card isn't one"),
        ("eights", {HAND: "5H", "top": "5S", "counts": "0 1 1"}, "a whole number from 1 to 50"),
    ],
)  # fmt: skip
def test_illegal_position_is_rejected_with_the_rule(name, facts, sentence):
    with pytest.raises((NotationError, RuleError)) as refusal:
        views_from_facts(kibitz.game(name), facts)
    assert sentence in str(refusal.value)


def test_finished_record_without_a_step_and_record_with_a_hand_are_rejected(kibitz, refused, tmp_path):
    path = tmp_path / "game.game"
    assert kibitz("match", "kuhn", "greedy", "greedy", "-q", "--seed", "1", "-o", str(path)).status == 0
    assert "is over: choose a position with --step 0 to" in refused("best", str(path))
    assert "leave the hand and facts out" in refused("best", str(path), "KS")
    assert "give one of them" in refused("best", str(path), "--rollouts", "1", "--seconds", "1")


def test_threads_share_the_budget_and_are_deterministic(kibitz, refused):
    facts = words_of(example_facts(kibitz_game("eights")))
    words = ("best", "eights", *facts, "--rollouts", "20", "--threads", "2", "--json")
    said = kibitz(*words).out
    assert sum(choice["tried"] for choice in json.loads(said)["choices"]) == 20
    assert "2 trees" in json.loads(said)["judge"]
    assert kibitz(*words).out == said
    assert "must be 1 or more" in refused(*words[:-2], "0")


@pytest.mark.parametrize("error", [0.4, 0.04, 0.0026, 0.0025, 0.0004, 0.00006])
def test_shown_error_is_never_zero(error):
    rows = [RankedAction(0, 5000, 0.10625, error, 0.10625), RankedAction(1, 4, -12.5, 2.0, 0.0)]
    lines = [figures(one, digits_of(rows), exact=False) for one in rows]
    assert float(lines[0].split()[2]) > 0
    assert len({line.index("chances") for line in lines}) == 1


def test_values_have_two_digits_or_as_many_as_the_error_allows():
    rows = [RankedAction(0, 5000, 0.10625, 0.0025, 0.10625)]
    assert figures(rows[0], digits_of(rows), exact=False) == "   +0.106 ± 0.005  chances  10.6%"
    assert figures(rows[0], 2, exact=False).startswith("    +0.11 ± ")
    assert digits_of([RankedAction(0, 9, 1.0, 0.0, 1.0)]) == digits_of([]) == 2
    assert digits_of([RankedAction(0, 1, 1.0, float("inf"), 1.0)]) == 2
