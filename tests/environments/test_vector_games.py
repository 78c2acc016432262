"""Many games at once: every lane plays the game of its number, and a refused step changes nothing."""

import numpy as np
import pytest

import kibitz
from kibitz.engine.game import Game
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.policies import policies, scratch_size
from kibitz.engine.layout import PlainState
from kibitz.environments import Choices, Features, VectorGames, lanes
from kibitz.environments.vector_games import modules_for
from kibitz.errors import NotationError
from tests.environments.positions import GAMES

MINIS = [name for name, game in GAMES.items() if game.variant != "standard" and scratch_size(game) < 20_000]
FAST = ("kuhn", "go-mini")
"""Games compiled in the fast tier."""
WORD = 0xFFFFFFFF


class Lane:
    """One lane as a game in plain Python, using only public functions of the game."""

    def __init__(self, game: Game, lane: int, n: int, seed: int) -> None:
        self.game, self.n, self.seed, self.number = game, n, seed, lane - n
        self.features, self.choices = Features(game), Choices(game)
        self.deal()

    def deal(self) -> None:
        """Deal the next game."""
        self.number += self.n
        self.state = self.game.deal(self.seed + (self.number << 64))

    def act(self, action: int):
        """Carry out an action; returns the returns of all seats if the game ended."""
        self.game.play(self.state, action)
        if not self.state.over:
            return None
        earned = self.game.returns(self.state)
        self.deal()
        return earned

    def seen(self) -> list[int]:
        """The observation of the seat to move."""
        return self.features.observe(self.game.view(self.state, self.state.player)).tolist()


class PlainLanes:
    """The kernels of the lanes in plain Python, with lists and plain states."""

    def __init__(self, game: Game, n: int, seed: int, plan: list[int] | None = None) -> None:
        self.game, self.n, self.features, self.choices = game, n, Features(game), Choices(game)
        self.kernels = compilation.plain(lanes, *modules_for(self.features, with_policies=False))
        self.states, self.lots = [game.blank() for _ in range(n)], [game.blank() for _ in range(n * game.seats)]
        self.numbers, self.seat, self.lengths, self.skipped = list(range(-n, 0)), [0] * n, [0] * n, [0] * n
        self.over, self.rewards, self.plan = [0] * n, [0] * (n * game.seats), plan or [lanes.LEARNER] * game.seats
        self.scratch, self.starts = [0] * scratch_size(game), [0] * (n + 1)
        self.draws = plan is not None
        self.keys, self.last = (seed & WORD, seed >> 32), [[0] * self.features.size for _ in range(n)]
        self.legal_actions = [0] * (n * game.max_legal)
        self.run_lanes(1, [0] * n)

    def run_lanes(self, is_deal: int, choices: list[int]) -> None:
        size = self.features.size
        self.cells = [[1] * size for _ in range(self.n)]
        self.kernels.step(
            *(is_deal, [1] * self.n, self.states, self.lots, choices, self.numbers, self.plan, 0, self.seat, self.last),
            *(self.cells, self.legal_actions, self.starts, self.over, self.rewards, self.lengths, self.skipped),
            *(self.scratch, *self.keys, self.n, self.game.seats, size, len(self.legal_actions), int(self.draws)),
            *(10, 1, 0),
        )

    def legal(self, lane: int) -> list[int]:
        return self.legal_actions[self.starts[lane] : self.starts[lane + 1]]

    def step(self, choices: list[int]) -> None:
        amounts = self.choices.first_slot
        assert self.kernels.first_refused(choices, self.legal_actions, self.starts, amounts, self.n) == lanes.ALL_LEGAL
        self.run_lanes(0, choices)

    @property
    def observations(self) -> list[list[int]]:
        return self.cells


def play_alongside(games, n: int, seed: int, steps: int) -> int:
    """Step all lanes and a single game for each by the same choices; returns the number of finished games."""
    game, random = games.game, np.random.default_rng(seed)
    alone = [Lane(game, lane, n, seed) for lane in range(n)]
    ended = 0
    for _ in range(steps):
        chosen = []
        for i, lane in enumerate(alone):
            legal = game.legal(lane.state)
            assert list(games.legal(i)) == legal
            assert list(games.observations[i]) == lane.seen()
            assert games.seat[i] == lane.state.player
            assert games.numbers[i] == lane.number
            chosen.append(legal[int(random.integers(len(legal)))])
        games.step([lane.choices.choice(a, game.legal(lane.state)) for a, lane in zip(chosen, alone, strict=True)])
        rewards = np.reshape(games.rewards, (n, game.seats))
        for i, lane in enumerate(alone):
            earned = lane.act(chosen[i])
            assert bool(games.over[i]) is (earned is not None)
            assert tuple(rewards[i]) == (earned or (0,) * game.seats)
            ended += earned is not None
    return ended


@pytest.mark.parametrize("name", MINIS)
def test_lanes_match_single_games_in_plain_python(name):
    ended = play_alongside(PlainLanes(GAMES[name], 2, 11), 2, 11, 30)
    assert ended or GAMES[name].variant != "mini"


@pytest.mark.parametrize("name", FAST)
def test_lanes_match_single_games_in_machine_code(name):
    assert play_alongside(VectorGames(name, 5, seed=(1 << 40) + 3), 5, (1 << 40) + 3, 60) > 5


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_lanes_of_every_game_match_single_games_in_machine_code(name):
    games = VectorGames(name, 3, seed=8)
    assert games.in_machine_code
    play_alongside(games, 3, 8, 300)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if policies(game)])
def test_policies_of_every_game_play_the_other_seats(name):
    game = GAMES[name]
    for policy in policies(game):
        games = VectorGames(game, 3, ["learner", *[policy] * (game.seats - 1)], rotate=True)
        for _ in range(60):
            assert not ((games.seat + games.numbers) % game.seats).any()
            games.step([Choices(game).for_actions(games.legal(i))[0] for i in range(3)])


def opponents(seed: int, n: int = 4) -> VectorGames:
    """Go-mini with the learner in seat 0 against a random player."""
    return VectorGames("go-mini", n, ["learner", "random"], seed)


def first_choices(games: VectorGames) -> list[int]:
    """The first legal choice of every lane."""
    return [games.choices.for_actions(games.legal(lane))[0] for lane in range(games.n)]


def test_others_play_until_the_learners_turn():
    games = opponents(3)
    ended = 0
    for _ in range(30):
        assert games.seat.tolist() == [0] * 4
        games.step(first_choices(games))
        ended += int(games.over.sum())
    assert ended > 8


def test_the_seed_determines_the_games():
    def seen(seed: int) -> bytes:
        games, found = opponents(seed), b""
        for _ in range(20):
            games.step(first_choices(games))
            found += games.observations.tobytes() + games.rewards.tobytes()
        return found

    assert seen(3) == seen(3)
    assert seen(3) != seen(4)


def test_a_game_is_the_same_in_any_lane():
    """Game g is determined by the seed and g alone."""
    alone, many = opponents(5, 1), opponents(5, 3)
    for _ in range(100):
        if alone.numbers[0] == 2:
            break
        alone.step(first_choices(alone))
    assert alone.observations[0].tolist() == many.observations[2].tolist()


def test_rotation_moves_the_learner_from_game_to_game():
    games = VectorGames("go-mini", 4, ["learner", "random"], rotate=True)
    assert games.seat.tolist() == [0, 1, 0, 1]
    for _ in range(20):
        games.step(first_choices(games))
        assert ((games.seat + games.numbers) % 2 == 0).all()


def test_games_without_a_learner_choice_are_skipped_and_counted():
    """In poker the first seat may fold at once."""
    games = PlainLanes(kibitz.game("holdem:players=2,hands=1"), 12, 2, [lanes.LEARNER, lanes.RANDOM])
    assert any(games.skipped)
    for lane in range(12):
        assert games.numbers[lane] == lane + 12 * games.skipped[lane]
        assert not games.states[lane].over
        assert games.seat[lane] == 0


def test_lengths_count_the_choices_of_the_current_game():
    games, counted = VectorGames("kuhn", 6, seed=9), np.zeros(6, int)
    for _ in range(25):
        games.step(first_choices(games))
        counted = np.where(games.over, 0, counted + 1)
        assert games.lengths.tolist() == counted.tolist()


@pytest.mark.parametrize("n", [1, 40])
def test_lists_of_legal_actions_grow_on_demand(n):
    """A lane starts with room for eight actions, and Go has ten to choose from."""
    games = VectorGames("go", n, seed=3)
    assert len(games.legal_buffer) >= int(games.starts[-1]) == 10 * n


@pytest.mark.parametrize(
    ("choice", "why"),
    [(1, "Game 2: choice 1 is not legal. You can only choose"), (2000, "Game 2: choices are 0 to 1075, not 2000")],
)
def test_an_illegal_choice_is_refused_and_leaves_all_games_unchanged(choice, why):
    games = VectorGames("go-mini", 4, seed=1)
    before = games.snapshot(), games.observations.copy(), games.legal_buffer.copy()
    chosen = first_choices(games)
    chosen[2] = next(c for c in (choice, 0, 2) if c not in games.legal(2))
    with pytest.raises(ValueError, match=why.split(" choice 1")[0]) as refused:
        games.step(chosen)
    assert "Game 2" in str(refused.value)
    after = games.snapshot(), games.observations, games.legal_buffer
    for name, array in before[0].items():
        assert array.tobytes() == after[0][name].tobytes()
    assert before[1].tobytes() == after[1].tobytes()
    assert before[2].tobytes() == after[2].tobytes()


def test_amounts_are_chosen_by_index():
    games = VectorGames("kuhn", 3, seed=4)
    kuhn = games.choices
    assert kuhn.n > kuhn.first_slot == kibitz.game("kuhn").first_amount
    assert [kuhn.for_actions(games.legal(0))] == [[1, 34]]
    games.step([34, 34, 1])
    assert games.legal(0) == [0, 1]
    with pytest.raises(ValueError, match=r"Game 1: Choice 34 means bet amount number 1, but .* only 0"):
        games.step([1, 34, 1])
    mask = games.masks()
    assert mask.shape == (3, kuhn.n)
    assert [row.nonzero()[0].tolist() for row in mask] == [kuhn.for_actions(games.legal(i)) for i in range(3)]
    assert games.padded(3).tolist()[0] == [0, 1, -1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 0}, "n must be from 1 to"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"seed": -1}, "a batch seed is a whole number from 0"),
        ({"players": ["learner"]}, "players must be a list of 2 players"),
        ({"players": "learner"}, "players must be a list of 2 players"),
        ({"players": ["random", "random"]}, "players has no 'learner'"),
        ({"players": ["learner", "best"]}, "'best' doesn't play go-mini here; known players: learner, random"),
    ],
)
def test_invalid_arguments_are_refused(arguments, sentence):
    with pytest.raises(NotationError, match=sentence):
        VectorGames(**{"game": "go-mini", "n": 2, **arguments})


@pytest.mark.parametrize("choices", [[1], [0.5, 1.5, 2.5, 3.5], "abcd", [[1, 2], [3]], None])
def test_malformed_choices_are_refused(choices):
    games = VectorGames("go-mini", 4)
    with pytest.raises(NotationError, match="choices must be 4 whole numbers"):
        games.step(choices)


def test_a_restored_snapshot_continues_alike(tmp_path):
    games = opponents(6)
    for _ in range(7):
        games.step(first_choices(games))
    np.savez(tmp_path / "kept.npz", **games.snapshot())
    seen = []
    for _ in range(12):
        games.step(first_choices(games))
        seen.append(games.observations.copy())
    other = opponents(99)
    with np.load(tmp_path / "kept.npz") as kept:
        other.restore(kept)
    for cells in seen:
        other.step(first_choices(other))
        assert (other.observations == cells).all()
    assert other.seed == 6


def test_a_snapshot_of_other_games_is_refused():
    games = opponents(6)
    kept = games.snapshot()
    with pytest.raises(NotationError, match="snapshot must be"):
        games.restore({"games": kept["games"]})
    with pytest.raises(NotationError, match="The snapshot is of 4 games of go-mini"):
        opponents(6, n=2).restore(kept)
    with pytest.raises(NotationError, match="states are of another version"):
        games.restore({**kept, "states": np.zeros(4)})


@pytest.mark.long
def test_views_are_used_where_no_kernel_can_be_written(monkeypatch):
    """A game without a generated kernel has the same environment, only slower."""
    from kibitz.environments import vector_games as module
    from kibitz.environments.compiled.codegen_values import Unsupported

    def unsupported(features: Features) -> None:
        raise Unsupported("something new")

    quick = VectorGames("go-mini", 3, seed=2, finals=True)
    monkeypatch.setattr(module, "observer_module", unsupported)
    slow = VectorGames("go-mini", 3, seed=2, finals=True)
    assert (quick.in_machine_code, slow.in_machine_code) == (True, False)
    for _ in range(12):
        assert (slow.observations == quick.observations).all()
        assert (slow.finals == quick.finals).all()
        assert (slow.rewards == quick.rewards).all()
        for games in (slow, quick):
            games.step(first_choices(games))


def test_state_of_a_lane_is_a_plain_state():
    games = VectorGames("go-mini", 2, seed=3)
    assert isinstance(games.state(1), PlainState)
    assert games.state(1) == kibitz.game("go-mini").deal(3 + (1 << 64))
