"""Every game as a Gymnasium environment for one seat against chosen players."""

import gymnasium
import pytest
from gymnasium.error import InvalidAction, NameNotFound, ResetNeeded
from gymnasium.utils.env_checker import check_env

from kibitz.engine.registry import all_games
from kibitz.environments import register, single
from kibitz.errors import NotationError, PlayerError
from kibitz.table import Table

MINIS = [each.name for each in all_games() if each.variant == "mini"]
OTHERS = [each.name for each in all_games() if each.variant != "mini"]


def play(env, seed=None):
    """Play one game with the first legal choices, and return its last step."""
    seen, _ = env.reset(seed=seed)
    while True:
        step = env.step(int(seen["action_mask"].argmax()))
        seen, _, ended, truncated, _ = step
        assert not truncated
        if ended:
            return step


def checked(name, players):
    register()
    env = gymnasium.make(f"kibitz/{name}-v1", players=players).unwrapped
    check_env(env)
    play(env)


@pytest.mark.parametrize("name", MINIS)
def test_gymnasium_checks_pass(name):
    checked(name, "random")


@pytest.mark.long
@pytest.mark.parametrize("name", OTHERS)
def test_gymnasium_checks_pass_for_every_game(name):
    checked(name, "random")
    checked(name, None)


@pytest.mark.parametrize("players", ["greedy", ["random"], {0: "greedy"}, lambda view, legal: legal[0]])
def test_players_can_be_given_in_several_ways(players):
    env = single("go-mini", seat=1, players=players)
    seen, reward, _, _, info = play(env, 3)
    assert not seen["action_mask"].any()
    assert reward == {(0,): -0.5, (1,): 0.5, (0, 1): 0.0}[info["winners"]]
    assert len(info["scores"]) == 2


def test_a_player_file_plays_and_a_failing_one_forfeits(tmp_path):
    good, bad = tmp_path / "first.py", tmp_path / "bad.py"
    good.write_text("def play(view, legal):\n    return legal[0]\n")
    bad.write_text("def play(view, legal):\n    return 1 // 0\n")
    assert play(single("go-mini", players=str(good)), 3)[2]
    _, reward, _, _, info = play(single("go-mini", players=str(bad)), 3)
    assert (reward, info["winners"]) == (0.5, (0,))


def test_a_failing_function_raises_with_its_seat_and_deal():
    def raising(view, legal):
        return 1 // 0

    with pytest.raises(PlayerError, match=r"seat 1 \(raising\) failed \(deal seed 3\).*ZeroDivisionError"):
        play(single("go-mini", players=raising), 3)
    with pytest.raises(PlayerError, match="seat 1"):
        play(single("go-mini", players=lambda view, legal: 999), 3)


def test_the_seed_determines_deals_seats_and_random_choices():
    games = []
    for _ in range(2):
        env = single("president-mini", seat=None, players="random")
        play(env, 5)
        games += [[(env.seat, tuple(env.table.actions)) for _ in range(6) if play(env)]]
    assert games[0] == games[1]
    assert {seat for seat, _ in games[0]} == {0, 1, 2}
    env.reset(seed=8)
    assert env.table.seed == 8
    assert env.view() == env.table.view(env.seat)


def test_a_game_without_a_choice_still_pays_its_reward():
    """Preflop, all others may fold to the big blind."""
    found = []
    for seat in range(6):
        env = single("holdem:hands=1", seat=seat, players=lambda view, legal: legal[0])
        seen, _ = env.reset(seed=1)
        assert seen["action_mask"].any() != env.table.over
        if env.table.over:
            found.append(env.step(0)[1:3])
    assert found == [(5.0, True)]


def test_an_illegal_action_forfeits_or_raises():
    for illegal in ("forfeit", "raise"):
        env = single("go-mini", players="random", illegal=illegal)
        seen, _ = env.reset(seed=1)
        wrong = int(seen["action_mask"].argmin())
        if illegal == "raise":
            with pytest.raises(InvalidAction, match="You can only choose a card from the hand you hold"):
                env.step(wrong)
            assert not env.table.forfeited
            continue
        _, reward, ended, _, info = env.step(wrong)
        assert (reward, ended, info["winners"]) == (-0.5, True, (1,))
        assert info["refused"].startswith("You can only choose a card from the hand you hold")


def test_invalid_steps_are_refused_with_the_reason():
    env = single("go-mini", players="random")
    for look in (lambda: env.step(0), env.view, env.text):
        with pytest.raises(ResetNeeded, match="call reset"):
            look()
    play(env, 1)
    with pytest.raises(ResetNeeded, match="The game is over: reset"):
        env.step(0)
    env.reset(seed=1)
    for nonsense in (-1, 10**6, "7H", None):
        with pytest.raises(InvalidAction, match="action must be a number from 0 to"):
            env.step(nonsense)


def test_unknown_names_and_arguments_are_refused():
    register()
    with pytest.raises(NameNotFound):
        gymnasium.make("kibitz/gogo-v1")
    with pytest.raises(NameNotFound, match="did you mean 'go'"):
        single("gogo")
    with pytest.raises(NotationError, match="has no player called 'gredy'; did you mean 'greedy'"):
        single("go-mini", players="gredy")
    with pytest.raises(NotationError, match="players must list 3 players, one for each other seat, not 1"):
        single("go", players=["greedy"])
    with pytest.raises(NotationError, match=r"one for each of the seats \[1, 2, 3\]"):
        single("go", players={1: "greedy"})
    with pytest.raises(ValueError, match="seat must be from 0 to 1"):
        single("go-mini", seat=2)
    with pytest.raises(ValueError, match="illegal must be one of forfeit, raise"):
        single("go-mini", illegal="ignore")


def test_action_masks_match_the_observation():
    env = single("go-mini", players="random")
    assert not env.action_masks().any()
    seen, _ = env.reset(seed=2)
    assert (env.action_masks() == seen["action_mask"]).all()
    assert env.action_masks().sum() == len(Table.deal("go-mini", 2).legal(0))


def test_rendering_shows_the_view_of_the_seat(capsys):
    env = single("go-mini", seat=1, players="random", render_mode="human")
    env.reset(seed=2)
    assert env.render() is None
    assert capsys.readouterr().out.count("your hand") == 2
    pixels = single("go-mini", render_mode="rgb_array")
    pixels.reset(seed=2)
    assert pixels.render().shape[2] == 3
    assert pixels.render().std() > 1
    assert single("go-mini").render() is None
