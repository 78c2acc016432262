"""Advice is legal, deterministic, based on the seat's view only, and attributed to an existing player."""

import re
from random import Random

import pytest

import kibitz
from kibitz.engine.game import choosing_seats, with_mover
from kibitz.errors import NotationError
from kibitz.players.advice import EXACT, FORCED, hint, ranked_hint
from kibitz.players.built_in import characters, default_player
from kibitz.search.tree_search import RankedAction
from tests.search.plainly import think_plainly
from tests.tiers import tiered

GAMES = [game.name for game in kibitz.all_games()]


def position(game, seed, steps):
    """The position after some random actions, or the last one before the end if the game is shorter."""
    random, state = Random(seed), game.deal(seed)
    before = state
    for _ in range(steps):
        if state.over:
            return before
        before = state.copy()
        game.advance(state, random.choice(game.legal(state)))
    return before if state.over else state


@pytest.mark.parametrize("name", tiered(GAMES))
def test_hint_is_legal_and_explains_the_move(name):
    game = kibitz.game(name)
    for seed in range(1, 2):
        state = position(game, seed, 5 * seed)
        view, legal = game.view(state, state.player), game.legal(state)
        advice = hint(game, view, legal)
        assert advice.action in legal
        assert advice.judge in {default_player(game), characters(game)[-1].name, EXACT}
        assert advice.reason.startswith(f"Hint: {game.words.advice(view, advice.action)}. ".rstrip())
        assert game.words.explain(view, advice.action) in advice.reason
        assert (FORCED in advice.reason) == (len(legal) == 1)
        assert hint(game, view, legal) == advice, "the same view and seed give the same hint"


@pytest.mark.parametrize("name", tiered(GAMES))
def test_advice_begins_with_a_verb(name):
    game = kibitz.game(name)
    random, state = Random(3), game.deal(3)
    for _ in range(60):
        if state.over:
            break
        view, legal = game.view(state, state.player), game.legal(state)
        for action in legal[:20]:
            assert re.match(r"[a-z]+\b", game.words.advice(view, action)), game.words.advice(view, action)
        game.advance(state, random.choice(legal))


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("cribbage", "2C 0C", "discard 2♣ 10♣"),
        ("hearts", "QS", "pass Q♠"),
        ("hearts-deal:passed=0", "2C", "play 2♣"),
        ("president", "3D", "play 3♦"),
        ("eights", "draw", "draw"),
        ("go", "QH", "keep Q♥"),
    ],
)
def test_advice_names_the_cards(name, text, advice):
    game = kibitz.game(name)
    for seed in range(500):
        state = game.deal(seed)
        view = game.view(state, state.player)
        for action in game.legal(state):
            if game.text(view, action) == text:
                assert game.words.advice(view, action) == advice
                return
    raise AssertionError(f"{text} was never legal.")


def test_player_descriptions_do_not_mention_other_players():
    for game in kibitz.all_games():
        players = characters(game)
        names = {player.name for player in players} - {"first", "best", "lowest", "quick", "random", "report"}
        for player in players:
            assert not names & set(re.findall(r"\w+", player.line)), (game.name, player.line)


def test_hint_works_for_a_seat_that_chooses_simultaneously():
    game = kibitz.game("go")
    state = game.deal(4)
    seat = choosing_seats(game, state)[-1]
    turned = with_mover(state, seat)
    legal = game.legal(turned)
    assert hint(game, game.view(turned, seat), legal).action in legal


def test_hint_rejects_invalid_arguments():
    game = kibitz.game("bo")
    state = game.deal(1)
    view = game.view(state, state.player)
    with pytest.raises(NotationError, match="got an empty list"):
        hint(game, view, [])
    with pytest.raises(NotationError, match="the seat to move, 0, not of 1"):
        hint(game, game.view(state, 1), game.legal(state))
    with pytest.raises(NotationError, match="view must be"):
        hint(game, state, game.legal(state))


@pytest.mark.parametrize("name", tiered(GAMES))
def test_every_built_in_player_has_a_name_and_a_description(name):
    found = characters(kibitz.game(name))
    assert found[-1].name in {default_player(kibitz.game(name)), "best"}
    assert len({character.name for character in found}) == len(found)
    for character in found:
        assert character.line.strip().endswith((".", "!"))
        assert "\n" not in character.line


def test_hint_from_few_simulated_games_gives_no_chances(monkeypatch):
    think_plainly(monkeypatch)
    game = kibitz.game("president")
    monkeypatch.setitem(game.policies.SEARCH_PLAYERS, "best", (40, "Imagines forty games."))
    state = next(s for s in (position(game, seed, 1) for seed in range(20)) if len(game.legal(s)) > 2)
    advice = hint(game, game.view(state, state.player), game.legal(state))
    assert advice.judge == "best"
    assert "Chance to win" not in advice.reason, "40 games are too few"


def test_hint_gives_only_the_chances_that_its_simulated_games_can_tell():
    game = kibitz.game("hearts-deal:passed=0")
    state = game.deal(1)
    view = game.view(state, state.player)
    one, other, *_ = view.hand

    def said(*tried_and_chances):
        ranked = [
            RankedAction(action, tried, -5.0, 0.1, chance)
            for action, (tried, chance) in zip((one, other), tried_and_chances, strict=True)
        ]
        return ranked_hint(game, view, "best", ranked, 1500).reason.partition("Chance to win: ")[2]

    label = game.words.short_label(view, other)
    assert said((900, 0.5), (600, 0.3)) == f"50% (1500 simulated games); next best: {label}, 30%."
    assert said((900, 0.5), (600, 0.47)) == f"50% (1500 simulated games); about as good: {label}."
    assert said((1450, 0.5), (50, 0.1)) == "50% (1500 simulated games)."
    assert said((32, 0.38), (16, 0.2)) == ""


def test_in_a_game_for_chips_an_exact_hint_gives_expected_chips():
    game = kibitz.game("leduc")
    positions = [position(game, seed, 5) for seed in range(12)]
    hints = [hint(game, game.view(state, state.player), game.legal(state)) for state in positions]
    exact = [advice.reason for advice in hints if advice.judge == EXACT]
    assert exact
    assert all(
        re.search(r"Expected: [-+]\d+\.\d chips \(exact\); next best: .+, [-+]\d+\.\d chips\.", reason)
        for reason in exact
    )


def test_a_hint_goes_by_points_if_no_choice_changes_the_chance_to_win():
    game = kibitz.game("go")
    view = game.view(game.deal(1), 0)
    costly, cheap, *_ = game.legal(game.deal(1))
    ranked = [RankedAction(costly, 900, -20.0, 0.1, 0.0), RankedAction(cheap, 100, -5.0, 0.1, 0.0)]
    assert ranked_hint(game, view, "best", ranked, 1000).action == cheap
    ranked[0] = RankedAction(costly, 900, -20.0, 0.1, 0.2)
    assert ranked_hint(game, view, "best", ranked, 1000).action == costly


def test_without_compiled_code_the_strongest_uncompiled_player_judges(monkeypatch):
    monkeypatch.setattr("kibitz.search.search_players.is_ready", lambda game: False)
    game = kibitz.game("go")
    state = game.deal(1)
    assert hint(game, game.view(state, 0), game.legal(state)).judge == "greedy"
