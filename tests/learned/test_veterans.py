"""The trained player: legal, blind, equal on every machine, with documented inputs, and stronger than ``greedy``.

decision    a position of a random game in which the seat to move has a choice: its view and the legal actions
"""

import hashlib
import io
from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

import kibitz
from kibitz.arena.ladder import ladder
from kibitz.engine.contract.wording import strategies_are_legal_and_blind
from kibitz.errors import NotationError
from kibitz.games.president import moves
from kibitz.games.president.view import to_heights
from kibitz.players.built_in import reproducible_players, strategies
from kibitz.search import network_inputs as inputs
from kibitz.search import networks, veterans
from kibitz.search.networks import ONE, Network
from kibitz.search.veterans import PRESIDENT_NETWORK, Veteran, veteran

GAMES = [
    game
    for game in (*kibitz.all_games(), *map(kibitz.game, ("president:rounds=1", "president:rounds=5")))
    if veterans.veterans(game)
]
NETWORK = networks.read_network(PRESIDENT_NETWORK)


def decisions(game, seed):
    """The decisions of a random game."""
    random, state = Random(seed), game.deal(seed)
    while not state.over:
        legal = game.legal(state)
        if len(legal) > 1:
            yield game.view(state, state.player), legal
        game.advance(state, random.choice(legal))


def test_only_trained_games_have_a_veteran():
    assert [game.name for game in GAMES] == ["president", "president:rounds=1", "president:rounds=5"]
    for name in ("president:players=5", "president:fives=3", "president:traded=1", "president-mini", "go"):
        assert not veterans.veterans(kibitz.game(name))
    for game in GAMES:
        names = list(strategies(game))
        assert names[names.index("veteran") - 1] == list(reproducible_players(game))[-1], "above the built-in players"


@pytest.mark.parametrize(
    "game", [pytest.param(g, id=g.name, marks=[pytest.mark.long] * (g != GAMES[1])) for g in GAMES]
)
def test_veteran_is_legal_and_uses_only_its_view(game):
    """The contract's check of strategies, in positions that cover the game, including trades of later rounds."""
    strategies_are_legal_and_blind(replace(game, strategies=veterans.veterans(game), option_ranges={}))


def test_veteran_values_are_equal_on_every_machine():
    """Sums are exact, so the values of actions have the same digest everywhere."""
    game, digest = kibitz.game("president"), hashlib.sha256()
    player = veterans.veterans(game)["veteran"]
    for view, legal in islice(decisions(game, 5), 0, 120, 3):
        digest.update(player.worth(view, legal).astype("<i8").tobytes())
    assert digest.hexdigest()[:16] == "78f807ab1774e006"


def test_network_values_match_integer_sums_in_any_order():
    """Against Python's integers, layer by layer."""
    game, random = kibitz.game("president:rounds=1"), np.random.default_rng(1)
    rows = np.concatenate([veterans.inputs().of_view(*one) for one in islice(decisions(game, 7), 0, 40, 8)])[:40]
    found = NETWORK.values(rows)
    layers = [
        ([list(map(int, row)) for row in weights.T], list(map(int, biases)))
        for weights, biases in zip(NETWORK.weights, NETWORK.biases, strict=True)
    ]
    for row, worth in zip(rows[:: len(rows) // 6], found[:: len(rows) // 6], strict=True):
        values = [int(cell) for cell in row]
        for k, (weights, biases) in enumerate(layers):
            one = ONE if k else 1
            values = [
                (sum(w * x for w, x in zip(column, values, strict=True)) + bias * one) // one
                for column, bias in zip(weights, biases, strict=True)
            ]
            values = values if k == len(layers) - 1 else [max(0, value) for value in values]
        assert values == [worth]
    cells, hidden = random.permutation(NETWORK.inputs), random.permutation(len(NETWORK.weights[1]))
    first, second, *others = NETWORK.weights
    turned = Network(
        (first[cells][:, hidden], second[hidden], *others), (NETWORK.biases[0][hidden], *NETWORK.biases[1:])
    )
    assert (turned.values(rows[:, cells]) == found).all()


@pytest.mark.parametrize("name", ["president:rounds=1", "president"])
def test_input_cells_match_their_description(name):
    """Against the view itself, card by card."""
    game, fed = kibitz.game(name), veterans.inputs()
    assert fed.view_cells == sum(fed.features[plane].size for plane in inputs.PLANES)
    for view, legal in islice(decisions(game, 3), 0, 150, 10):
        rows = fed.of_view(view, legal)
        assert rows.shape == (len(legal), fed.view_cells + inputs.ACTION_CELLS)
        assert set(np.unique(rows)) <= {0, 1}
        assert (rows[:, : fed.view_cells] == fed.features.observe(view)[fed.columns]).all()
        for row, action in zip(rows, legal, strict=True):
            assert row[fed.view_cells :].tolist() == action_cells(view, action)


def action_cells(view, action):
    """The cells of an action, by the docstring of ``inputs``."""
    hand, gone = to_heights(view.hand), sum(to_heights(cards) for cards in view.gone)
    if action == inputs.PASS:
        cards, kind = 0, inputs.PASS
    elif action > inputs.PASS:
        cards, kind = 1 << action - inputs.TRADE, inputs.TRADE
    else:
        cards, kind = int(moves.cards_in(action)), int(moves.kind_of(action))
    left = [height for height in range(52) if (hand & ~cards) >> height & 1]
    unseen = [height for height in range(52) if not (hand | gone) >> height & 1]
    values = [sum(height // 4 == value for height in left) for value in range(13)]
    suits = [sum(height % 4 == suit for height in left) for suit in range(4)]
    higher = sum(height >= cards.bit_length() for height in unseen) if cards else 0
    cells = [cards >> height & 1 for height in range(52)]
    cells += [kind == each for each in inputs.KINDS]
    cells += [count >= k for k in (1, 2, 3, 4) for count in values]
    cells += [all(values[value : value + 5]) for value in range(9)]
    cells += [count >= 5 for count in suits]
    cells += [len(left) == number for number in range(14)]
    return [*map(int, cells), *(int(higher >= k) for k in range(1, 9))]


@pytest.mark.long
def test_vector_tensors_give_the_same_cells_as_views():
    from kibitz.environments import VectorGames

    games, fed = VectorGames("president:rounds=2", 24, seed=3), veterans.inputs()
    random = np.random.default_rng(1)
    for _ in range(90):
        games.step(games.random_choices(random))
    rows = np.repeat(np.arange(games.n), games.counts)
    cells = fed.of_actions(games.observations, rows, games.legal_actions)
    for lane in range(games.n):
        both = fed.of_view(games.view(lane), games.legal(lane))
        assert (both[:, : fed.view_cells] == fed.of_tensors(games.observations)[lane]).all()
        assert (both[:, fed.view_cells :] == cells[rows == lane]).all()


# ---------------------------------------------------------------- files


def network_bytes(network):
    """The bytes of a network's file."""
    file = io.BytesIO()
    network.write(file)
    return file.getvalue()


def saved(**arrays):
    """The bytes of a file of arrays."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def small(**changed):
    """The bytes of a small valid network with some arrays replaced."""
    arrays = {"about": np.array("mine"), "weights0": np.ones((3, 1), np.int16), "biases0": np.zeros(1, np.int16)}
    return saved(**{**arrays, **changed})


def test_a_network_file_round_trips_byte_for_byte(tmp_path):
    assert network_bytes(NETWORK) == PRESIDENT_NETWORK.read_bytes()
    path = tmp_path / "mine.npz"
    path.write_bytes(PRESIDENT_NETWORK.read_bytes())
    mine = veteran(path)
    assert (mine.name, mine.__name__) == ("mine", "mine")
    games = kibitz.play_games("president:rounds=1", [mine, "veteran", "lowest", "random"], n=2, workers=1)
    assert games.players == ("mine", "veteran", "lowest", "random")
    view, legal = next(decisions(kibitz.game("president"), 1))
    assert mine(view, legal) == Veteran("veteran", PRESIDENT_NETWORK)(view, legal, Random(1))


LARGE = np.full((3, 1), 30_000, np.int16)
BAD = {
    "empty": (b"", "it cannot be read"),
    "words": (b"I am strong.", "it cannot be read"),
    "half": (PRESIDENT_NETWORK.read_bytes()[:2000], "it cannot be read"),
    "objects": (saved(about=np.array([{"a": 1}], dtype=object)), "it cannot be read"),
    "one array": (small()[:0] + PRESIDENT_NETWORK.read_bytes()[:-40], "it cannot be read"),
    "nothing": (saved(about=np.array("mine")), "as many weights as biases"),
    "no biases": (saved(about=np.array("mine"), weights0=np.ones((3, 1))), "it cannot be read"),
    "other": (small(), "was trained for something else: 'mine'"),
    "letters": (small(weights0=np.array([["a"]] * 3)), "isn't a matrix of numbers"),
    "flat": (small(weights0=np.ones(3)), "isn't a matrix of numbers"),
    "halves": (small(weights0=np.full((3, 1), 0.5)), "numbers that are not whole"),
    "nan": (small(weights0=np.full((3, 1), np.nan)), "numbers that are not whole"),
    "beyond": (small(weights0=np.full((3, 1), 1 << 20)), "from -32767 to 32767"),
    "wide": (small(weights0=np.ones((3, 2)), biases0=np.zeros(2)), "gives one number, not 2"),
    "apart": (small(weights1=np.ones((2, 1)), biases1=np.zeros(1)), "takes 2 numbers, and the one before it gives 1"),
    "inexact": (
        small(
            **{f"weights{k}": LARGE[: 3 if k == 0 else 1] for k in range(20)},
            **{f"biases{k}": LARGE[0] for k in range(20)},
        ),
        "sums are not exact",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_an_invalid_network_is_refused_in_one_sentence(name, tmp_path):
    content, sentence = BAD[name]
    path = tmp_path / "mine.npz"
    path.write_bytes(content)
    with pytest.raises(NotationError) as caught:
        veteran(path)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("at", range(30, PRESIDENT_NETWORK.stat().st_size - 1, PRESIDENT_NETWORK.stat().st_size // 23))
def test_a_damaged_network_is_refused_or_unharmed(at, tmp_path):
    """Redundant parts of the file, such as its directory, may be damaged without harm; the numbers may not."""
    content = bytearray(PRESIDENT_NETWORK.read_bytes())
    content[at] ^= 0x40
    path = tmp_path / "mine.npz"
    path.write_bytes(content)
    try:
        found = networks.read_network(path)
    except NotationError:
        return
    assert all((a == b).all() for a, b in zip(found.weights, NETWORK.weights, strict=True))


def test_a_too_large_or_missing_network_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(networks, "MAX_BYTES", 1000)
    with pytest.raises(NotationError, match="1,000 bytes are the most"):
        networks.read_network(PRESIDENT_NETWORK)
    with pytest.raises(FileNotFoundError):
        veteran(tmp_path / "nobody.npz")


def test_a_network_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    """A compressed file of zeros is small."""
    path = tmp_path / "mine.npz"
    file = io.BytesIO()
    np.savez_compressed(file, about=np.array("mine"), weights0=np.zeros((5_000, 1000)), biases0=np.zeros(1000))
    path.write_bytes(file.getvalue())
    with pytest.raises(NotationError, match="are the most"):
        networks.read_network(path)


@pytest.mark.parametrize("name", ["president:players=5", "president:traded=1", "president-mini", "go"])
def test_veteran_refuses_unknown_games(name):
    view, legal = next(decisions(kibitz.game(name), 1))
    with pytest.raises(NotationError, match="knows only four-player President with the standard rules"):
        veteran(PRESIDENT_NETWORK)(view, legal)
    with pytest.raises(NotationError, match=f"^{name}: this player knows"):
        inputs.Inputs(kibitz.game(name))


# ---------------------------------------------------------------- strength


def test_veteran_is_on_the_ladder_with_its_description():
    rungs = ladder(kibitz.game("president:rounds=1"), 2, 1, 1, players=["random", "lowest", "greedy", "veteran"]).rungs
    assert next(rung for rung in rungs if rung.name == "veteran").line.startswith("Learned from")


@pytest.mark.long
def test_veteran_beats_greedy():
    """Against three greedy players, in every seat of 150 deals: above 25 % beyond the 95 % interval."""
    from benchmarks.strength import Plan, against, error

    tally = against(Plan("president:rounds=1", "veteran", "greedy"), 150)
    mean = sum(tally.wins) / len(tally.wins)
    assert mean - 1.96 * error(tally.wins) > 0.25
