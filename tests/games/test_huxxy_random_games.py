"""Random whole turns of Huxxy: legal, undone if they fail, and drawn with the documented odds."""

from collections import Counter
from copy import deepcopy
from fractions import Fraction

import pytest

from kibitz.engine.chance_tree import ChanceScript
from kibitz.engine.kernels import compilation
from kibitz.engine.kernels.batch import records
from kibitz.engine.registry import game
from kibitz.games.huxxy import random_games, rules
from kibitz.games.huxxy.best import Play, play_action, play_of
from tests.contract.groups import sharing
from tests.games.test_huxxy_rules import position

pytestmark = sharing("huxxy")


def without_chance(state):
    """All fields of a position except those that count the random numbers used."""
    return [
        getattr(state, field.name) for field in rules.LAYOUT.fields if field.name not in ("draws", "block", "drawn")
    ]


def drawn_plays(w, plays):
    """The plays of the draft in ``w``."""
    return [w[random_games.PLAYS + 4 * k : random_games.PLAYS + 4 * k + 3] for k in range(plays)]


def replayed(played, state, plays):
    """The position after some plays, each of which must be legal."""
    state = deepcopy(state)
    for card, source, goal in plays:
        action = play_action(played.view(state, state.player).table, Play(card, source, goal))
        assert rules.refusal(state, action) == 0
        rules.apply(state, action)
    return state


@pytest.mark.parametrize(("name", "games"), [("huxxy", 2), ("huxxy-bonus", 2), ("huxxy-mini", 30)])
def test_drafted_plays_are_legal_and_a_failed_draft_is_undone(name, games):
    played, found = game(name), Counter()
    for seed in range(games):
        state, w = played.deal(seed), [0] * random_games.SCRATCH
        random_games.examine_groups(state, w)
        while not state.over:
            before = deepcopy(state)
            ended = random_games.draft_turn(state, w)
            found[bool(ended)] += 1
            again = replayed(played, before, drawn_plays(w, state.plays))
            assert without_chance(again) == without_chance(state)
            fresh = [0] * random_games.SCRATCH
            random_games.examine_groups(state, fresh)
            for known in (random_games.ADDABLE, random_games.REMOVABLE):
                assert w[known : known + state.groups] == fresh[known : known + state.groups]
            if ended:
                assert rules.end_refusal(again) == 0
                random_games.end_turn(state, w)
            else:
                assert state.plays == 0
                rules.apply(state, rules.PICK_UP)
        assert state.loser == rules.NONE
    assert min(found[True], found[False]) > 10


def legal(state):
    out = [0] * 400
    return out[: rules.legal(state, out)]


class TooManyDraws(Exception):
    """More numbers were drawn than the script has."""


def test_a_wild_play_is_any_legal_one_with_equal_chances():
    state = position("6H 2D XX", "2S 3D XX / KC KH KD KS", opened=True, name="huxxy-bonus")
    rules.apply(state, game("huxxy-bonus").parse(game("huxxy-bonus").view(state, 0), "2D>new"))
    drawn = Counter()
    for k in range(40):
        script = iter([k])

        def randbelow(s, n, script=script):
            if (drawn := next(script, None)) is None:
                raise TooManyDraws
            assert n == 40, "(2 cards of the hand and 8 on the table) to 4 groups"
            return drawn

        try:
            compilation.plain(random_games, randbelow=randbelow).choose_wild(state, w := [0] * random_games.SCRATCH)
        except TooManyDraws:
            continue
        drawn[tuple(w[random_games.PLAYS + 4 : random_games.PLAYS + 7])] += 1
    view = game("huxxy-bonus").view(state, 0)
    found = [play_action(view.table, Play(*play)) for play in drawn]
    assert sorted(found) == sorted(legal(state))
    assert set(drawn.values()) == {1}


def endings(state, plays=()):
    """Every sequence of plays after which the turn can end, by brute force."""
    for action in legal(state):
        if action == rules.END:
            yield plays
        elif action >= rules.PLAY:
            after = deepcopy(state)
            rules.apply(after, action)
            yield from endings(after, (*plays, action))


def test_wild_drafts_reach_exactly_the_turns_that_can_end():
    state = position("6S KC", "2S 3D 4S 5D / KC KH KD KS", opened=True)
    state.plays_a_turn = 2
    expected, found, script = set(endings(state)), set(), ChanceScript()

    def choose_play(s, w):
        plays = [action for action in legal(s) if action >= rules.PLAY]
        play = play_of(game("huxxy").view(s, 0), plays[script.randbelow(s, len(plays))])
        return random_games.note_play(s, w, play.card, play.source, play.target)

    kernels = compilation.plain(random_games, choose_play=choose_play, randbelow=script.randbelow)
    for _ in script.paths():
        after, w = deepcopy(state), [0] * random_games.SCRATCH
        random_games.examine_groups(after, w)
        if kernels.draft_turn(after, w):
            found.add(actions(state, drawn_plays(w, after.plays)))
    assert found == expected
    assert len(expected) > 5


def chances(hand, table, plays_a_turn, of):
    """Each result of ``of(kernels, state, w)`` with its exact probability; wild plays find nothing."""
    found, script = Counter(), ChanceScript()
    kernels = compilation.plain(random_games, choose_wild=lambda s, w: False, randbelow=script.randbelow)
    start = position(hand, table, opened=True)
    start.plays_a_turn = plays_a_turn
    for _ in script.paths():
        state, w = start.copy(), [0] * random_games.SCRATCH
        random_games.examine_groups(state, w)
        result = of(kernels, state, w)
        found[result] += script.weight
    return dict(found)


def drafted(kernels, state, w):
    """The hand cards and target groups of a draft; None if it failed."""
    if not kernels.draft_turn(state, w):
        return None
    return tuple((card, target) for card, _, target in drawn_plays(w, state.plays))


KS, SIX = 51, 20
"""The faces of the King of spades and the six of diamonds."""


def test_a_fitting_card_goes_to_each_group_equally_often():
    """One draft in sixteen is wild, the others play the King to either group."""
    assert chances("KS 2D", "KC KH KD / KC KH KD", 1, drafted) == {
        ((KS, 0),): Fraction(15, 32),
        ((KS, 1),): Fraction(15, 32),
        None: Fraction(1, 16),
    }


def test_a_turn_that_can_end_ends_half_the_time():
    """Two fitting cards and two plays: either comes first equally often; then 1/2 ends, and 1/16 of the rest fails."""
    king, six = (KS, 0), (SIX, 1)
    alone = Fraction(15, 16) / 2 * (Fraction(1, 2) + Fraction(1, 32))
    both = Fraction(15, 16) / 2 * Fraction(15, 32)
    assert chances("KS 6D", "KC KH KD / 3S 4D 5S", 2, drafted) == {
        (king,): alone,
        (six,): alone,
        (king, six): both,
        (six, king): both,
        None: Fraction(1, 16),
    }


def test_with_three_plays_left_one_draft_in_four_looks_for_a_new_group():
    fits = Fraction(15, 16) * Fraction(3, 4)
    assert chances("KS 2D", "KC KH KD", 3, drafted) == {((KS, 0),): fits, None: 1 - fits}


@pytest.mark.long
def test_one_turn_in_sixteen_picks_up_and_a_failed_draft_is_retried_once():
    drafts = Fraction(15, 16) * (1 + Fraction(1, 16)) * Fraction(15, 16)
    assert chances("KS 2D", "KC KH KD", 1, lambda k, *work: k.play_turn(*work)) == {
        2: drafts,
        1: 1 - drafts,
    }


def actions(state, plays):
    """Plays as actions."""
    found, state = [], deepcopy(state)
    for card, source, goal in plays:
        found.append(play_action(game("huxxy").view(state, state.player).table, Play(card, source, goal)))
        rules.apply(state, found[-1])
    return tuple(found)


@pytest.mark.long
def test_random_games_are_equal_in_machine_code():
    np = pytest.importorskip("numpy")
    pytest.importorskip("numba")
    for name in ("huxxy", "huxxy-bonus"):
        played, steps = game(name), np.zeros(20, np.int64)
        kernels = compilation.compiled(random_games)
        kernels.playouts(records(played, 1), np.zeros(random_games.SCRATCH, np.int64), steps, 7, 0, 20)
        for i in range(20):
            state = deepcopy(played.deal(0))
            rules.deal(state, 7, 0, i, 0)
            assert random_games.playout(state, [0] * random_games.SCRATCH) == steps[i]
