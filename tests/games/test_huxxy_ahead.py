"""A seat of Huxxy that tries whole turns in worlds, by which the benchmarks measure what looking ahead is worth."""

import sys

import pytest

import kibitz
from benchmarks import huxxy_ahead, huxxy_loop, huxxy_worlds
from benchmarks.huxxy_loop import WIDTH
from benchmarks.huxxy_worlds import ANY, BATCH, OTHERS, SEATS, SPENT, TOLD, WEIGHTS
from kibitz.cards.sets import size
from kibitz.engine import twins
from kibitz.games.huxxy import work
from kibitz.games.huxxy.beliefs import PICKED
from tests.contract.groups import sharing

pytestmark = sharing("huxxy")
SMALL = "huxxy:hand_size=6,opening=6"
TURNS, LONGEST, STEPS = 3, 12, 60


def copied(states, words, source, target):
    """What ``copy`` is in machine code: it needs no memory as integers."""
    states[target] = states[source].copy()


def beginnings(game, seeds):
    """Positions at the beginning of turns of games among those who look a few steps far."""
    for seed in seeds:
        state, w = game.deal(seed), [0] * work.WORK
        for _ in range(4 * LONGEST):
            if state.over:
                break
            yield state
            huxxy_worlds.play_turn(state, w, STEPS)


def worlds_of(state, known, many):
    """Worlds of a position."""
    kernels = twins.plain(huxxy_worlds, copy=copied)
    for i in range(many):
        states = [state, state.copy(), state.copy()]
        kernels.world(states, states, 0, 1, i, known)
        yield states[2]


def spent(state, seat, world):
    """Of the others whose hand their last turn tells about, all of it, how many could have laid nothing of it."""
    found = []
    for p in range(state.players):
        last = huxxy_worlds.last_of(state, p)
        if p != seat and not huxxy_worlds.is_free(state, p, last) and state.log[last] & 63 != PICKED:
            found.append(bool(huxxy_worlds.is_spent(world, p, huxxy_worlds.fitted_then(state, p))))
    return found


@pytest.mark.parametrize("known", [TOLD, ANY, SPENT])
def test_a_world_is_as_the_seat_sees_it(known):
    game, several = kibitz.game(SMALL), set()
    for state in beginnings(game, range(2)):
        view = game.view(state, state.player)
        for world in worlds_of(state, known, 2):
            assert game.view(world, state.player) == view
            hands = tuple(world.hand_once), tuple(world.hand_twice)
            held = [size(once) + size(twice) for once, twice in zip(*hands, strict=True)]
            assert held == [huxxy_worlds.held(state, p) for p in range(SEATS)]
            several.add(hands == (tuple(state.hand_once), tuple(state.hand_twice)))
    assert (False in several) == (known != TOLD)


def test_nobody_holds_in_a_spent_world_what_nobody_held_back():
    game, found = kibitz.game("huxxy"), {TOLD: [], ANY: [], SPENT: []}
    for state in beginnings(game, range(3)):
        for known, shares in found.items():
            for world in worlds_of(state, known, 1):
                shares += spent(state, state.player, world)
    shares = {known: sum(each) / len(each) for known, each in found.items()}
    assert len(found[TOLD]) > 50
    assert shares[TOLD] > 0.9
    assert shares[SPENT] > 0.9
    assert shares[ANY] < 0.7


def tools(space, turns, worlds):
    """Turns, work, room for returns, weights, key, how a seat thinks, chances and counts."""
    how = [TURNS, worlds, 6, SPENT, 0, SEATS - 1]
    return [
        *(turns, space([0] * work.WORK), space([0] * SEATS), space([1 + 7 * i % 50 for i in range(WEIGHTS)]), 5),
        *(space(how), space([0] * (worlds * (TURNS + 1))), space([0] * 4)),
    ]


def test_it_decides_alike_in_plain_python_and_in_machine_code():
    np = pytest.importorskip("numpy")
    pytest.importorskip("numba")
    game, met = kibitz.game(SMALL), 0
    plain, fast = twins.plain(huxxy_worlds, copy=copied), twins.compiled(huxxy_worlds)
    for state in list(beginnings(game, [3]))[8:20:3]:
        states = np.zeros(3, game.rules.LAYOUT.dtype)
        game.rules.LAYOUT.store(state, states, 0)
        raw = states.view(np.int64)
        ours = tools(list, [[0] * WIDTH for _ in range(TURNS)], BATCH)
        theirs = tools(lambda numbers: np.array(numbers, np.int64), np.zeros((TURNS, WIDTH), np.int64), BATCH)
        both = [state, state.copy(), state.copy()]
        chosen = plain.decided(both, both, 0, *ours)
        assert chosen == fast.decided(states, raw, len(raw) // 3, *theirs)
        assert ours[-2] == theirs[-2].tolist()
        assert ours[-1] == theirs[-1].tolist()
        met += ours[-1][huxxy_worlds.TRIED] > 0
    assert met


def test_a_turn_that_empties_the_hand_needs_no_thought():
    pytest.importorskip("numpy")
    game = kibitz.game(SMALL)
    for state in beginnings(game, range(4)):
        after, turns = state.copy(), [[0] * WIDTH]
        w = [0] * work.WORK
        if huxxy_loop.list_turns(state, w, turns, 1):
            huxxy_worlds.begin(after, turns, 0, 1)
        if after.over:
            states = [state, state.copy(), state.copy()]
            ours = tools(list, [[0] * WIDTH for _ in range(TURNS)], BATCH)
            assert twins.plain(huxxy_worlds, copy=copied).decided(states, states, 0, *ours)[0] == 0
            assert ours[-1] == [0] * 4
            return
    pytest.fail("nobody ends a game here")


def test_who_wins_thrice_as_often_weighs_thrice_as_much():
    np = pytest.importorskip("numpy")
    known = np.tile([1, OTHERS, OTHERS + 1, OTHERS + 2], (6000, 1))
    won = np.eye(SEATS)[np.tile([0, 0, 0, 1, 2, 3], 1000)]
    logs = huxxy_ahead.likeliest(known, won)
    assert np.exp(logs[1] - logs[OTHERS]) == pytest.approx(3, rel=0.05)
    assert logs[OTHERS + 1] == pytest.approx(logs[OTHERS], abs=0.05)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bo", "2"], "that is a question about Huxxy for four"),
        (["huxxy:players=2", "2"], "that is a question about Huxxy for four"),
        (["huxxy", "1"], "argument deals: 2 to 10000000 is wanted, not 1"),
        (["huxxy", "2", "--worlds", "3"], "argument --worlds: 16 to 4096 is wanted, not 3"),
        (["huxxy", "2", "guessing"], "argument who: invalid choice: 'guessing'"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(words, sentence, capsys, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.setattr(sys, "argv", ["huxxy_ahead", *words])
    with pytest.raises(SystemExit):
        huxxy_ahead.main()
    assert sentence in capsys.readouterr().err
