"""A game is caught whose ``observe_action`` tells more or less than its events, or that forgot it."""

from dataclasses import replace
from random import Random
from types import ModuleType

import pytest

import kibitz
from kibitz.engine.contract import Broken, positions
from kibitz.engine.contract.policy_checks import observe_action_matches_events
from kibitz.engine.kernels import compilation, hooks
from kibitz.engine.kernels.policies import modules_of, observe_action_of
from kibitz.engine.registry import all_games, game
from kibitz.search import ismcts
from kibitz.search.tree_search import Search
from tests.contract.groups import few
from tests.contract.test_planted_faults import changed_rules, parity, planted
from tests.tiers import first_fast

GAMES = pytest.mark.parametrize("played", few(all_games()))
SURELY = {"cribbage", "cribbage-mini", "draw", "draw-mini", "president", "president-asking", "president-mini"}
"""Games in which one seat does what another does not see."""


def seeing(played, observe_action):
    """A game with another ``observe_action``, checked at the positions that cover it."""
    policies = ModuleType("planted")
    policies.__dict__.update(vars(played.policies), observe_action=observe_action)
    return planted(played, policies=policies)


def hides(played):
    """Whether in the positions that cover a game somebody is not shown an action as it is."""
    return any(
        observe_action_of(p.game)(p.state, seat, action) != action
        for p in positions.covering_positions(played)
        for action in p.legal
        for seat in range(played.seats)
    )


@GAMES
def test_who_does_what_others_do_not_see_is_known(played):
    """The games that are known to hide actions do, and a game hides none unless it says so."""
    assert hides(played) or played.name not in SURELY
    assert not hides(played) or observe_action_of(played) is not hooks.observe_action


@GAMES
def test_a_game_that_hides_actions_and_has_no_observe_action_is_caught(played):
    """Games that hide none keep the promise without one."""
    without = seeing(played, hooks.observe_action)
    if not hides(played):
        observe_action_matches_events(without)
        return
    with pytest.raises(Broken, match="reveals too much") as caught:
        observe_action_matches_events(without)
    broken = caught.value
    assert broken.place.game.name.startswith(played.name)
    assert None not in (broken.place.seed, broken.place.seat, broken.place.step, broken.place.action)
    lines = str(broken).splitlines()
    assert lines[1] == f"where: {broken.place.text()}"
    assert lines[2].startswith("found: observe_action: ")
    assert lines[2].count(" for action ") == 2
    assert lines[3] == f"again: {broken.command}"
    assert f"--check observe_action_matches_events --seed {broken.place.seed}" in broken.command


@GAMES
def test_what_is_found_is_found_again_by_its_seed(played):
    if not hides(played):
        return
    without = seeing(played, hooks.observe_action)
    with pytest.raises(Broken) as caught:
        observe_action_matches_events(without)
    with pytest.raises(Broken) as again:
        observe_action_matches_events(without, seed=caught.value.place.seed)
    assert str(again.value) == str(caught.value)


@GAMES
def test_an_observation_of_hidden_cards_is_caught(played):
    """But in Go for two, where events tell all that is hidden once both have chosen."""
    if played.name == "go-mini":
        return

    def peeking(s, seat, a):
        return observe_action_of(played)(s, seat, a) + (4 * played.actions if parity(played, s) else 0)

    with pytest.raises(Broken, match="reveals too much"):
        observe_action_matches_events(seeing(played, peeking))


@GAMES
def test_an_observation_that_hides_what_all_are_told_is_caught(played):
    with pytest.raises(Broken, match="reveals too little"):
        observe_action_matches_events(seeing(played, lambda s, seat, a: played.actions))


@GAMES
def test_a_seat_that_is_not_shown_what_it_does_itself_is_caught(played):
    def forgetting(s, seat, a):
        return played.actions if seat == s.player else observe_action_of(played)(s, seat, a)

    with pytest.raises(Broken, match="reveals too little"):
        observe_action_matches_events(seeing(played, forgetting))


@pytest.mark.long
def test_a_hidden_action_that_is_shown_as_one_of_those_that_it_may_be_is_caught():
    """Who keeps a tree asks whether an action is shown as it is."""
    cribbage = game("cribbage")
    rules = cribbage.rules

    def first(s, seat, a):
        return rules.DISCARD + 3 if a >= rules.DISCARD and seat != s.player else a

    with pytest.raises(Broken, match="one number for both"):
        observe_action_matches_events(seeing(cribbage, first))


@pytest.mark.parametrize("name", first_fast(["go-mini", "go"]))
def test_choices_at_once_that_are_stepped_as_open_ones_are_caught(name):
    """What lies face down until all have chosen would be seen at once."""
    go = game(name)
    one_by_one = changed_rules(go.rules, simultaneous=lambda s: 0)
    with pytest.raises(Broken, match="reveals too much"):
        observe_action_matches_events(planted(go, rules=one_by_one))


def test_an_observation_that_raises_is_caught():
    def raising(s, seat, a):
        raise ZeroDivisionError

    with pytest.raises(Broken, match="observe_action raised ZeroDivisionError"):
        observe_action_matches_events(seeing(game("kuhn"), raising))


@GAMES
def test_the_memories_of_a_search_are_what_seats_are_shown(played):
    """A search folds what ``observe_action`` shows a seat: hidden actions leave equal memories, others do not."""
    kernels, random = compilation.plain(ismcts, *modules_of(played)), Random(3)
    how = [0] * 16
    how[ismcts.SEATS] = played.seats
    for position in random.sample(positions.covering_positions(played), 12):
        if position.action is None or position.game.seats != played.seats:
            continue
        one, other = random.choice(position.legal), random.choice(position.legal)
        kept = []
        for action in (one, other):
            memories = [0] * (2 * played.seats)
            kernels.advance(position.state.copy(), action, memories, how)
            kept.append(memories)
        for seat in range(played.seats):
            alike = observe_action_of(played)(position.state, seat, one) == observe_action_of(played)(
                position.state, seat, other
            )
            here = [memories[seat :: played.seats] for memories in kept]
            assert (here[0] == here[1]) is alike


def test_every_game_that_is_registered_is_looked_at():
    assert {each.name for each in kibitz.all_games()} >= SURELY


@pytest.mark.long
def test_a_game_that_says_what_is_seen_and_nothing_else_can_be_searched():
    """A ``policies.py`` without strategies: simulated games continue at random."""
    cribbage = game("cribbage-mini")
    only = ModuleType("planted")
    only.observe_action = cribbage.policies.observe_action
    bare = replace(cribbage, policies=only, strategies={"greedy": cribbage.strategies["greedy"]})
    state = bare.deal(1)
    search = Search(bare, bare.view(state, 0), bare.legal(state), plain=True)
    search.simulate(3)
    assert sum(one.tried for one in search.ranking()) == 3
    observe_action_matches_events(positions.share_positions(bare, cribbage))
