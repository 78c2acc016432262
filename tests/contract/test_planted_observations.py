"""A game whose ``observe_action`` reveals more or less than its events, or is missing, is caught."""

from dataclasses import replace
from random import Random
from types import ModuleType

import pytest

from kibitz.engine.contract import Violation, positions
from kibitz.engine.contract.policy_checks import observe_action_matches_events
from kibitz.engine.kernels import compilation, hooks
from kibitz.engine.kernels.policies import hook_modules, observe_action_of
from kibitz.engine.registry import all_games, game
from kibitz.search import ismcts
from kibitz.search.tree_search import Search
from tests.contract.groups import few
from tests.contract.planting import bit, planted, with_rules
from tests.tiers import first_fast

GAMES = pytest.mark.parametrize("played", few(all_games()))
HIDING_GAMES = {"cribbage", "cribbage-mini", "draw", "draw-mini", "president", "president-asking", "president-mini"}
"""Games with actions hidden from other seats."""


def with_observe_action(played, observe_action):
    """A game with another ``observe_action``, checked at the covering positions of the original."""
    policies = ModuleType("planted")
    policies.__dict__.update(vars(played.policies), observe_action=observe_action)
    return planted(played, policies=policies)


def hides(played):
    """Whether an action is hidden from some seat in the covering positions of a game."""
    return any(
        observe_action_of(p.game)(p.state, seat, action) != action
        for p in positions.covering_positions(played)
        for action in p.legal
        for seat in range(played.seats)
    )


@GAMES
def test_games_hide_actions_exactly_if_they_declare_it(played):
    """The games known to hide actions do, and no game does without its own ``observe_action``."""
    assert hides(played) or played.name not in HIDING_GAMES
    assert not hides(played) or observe_action_of(played) is not hooks.observe_action


@GAMES
def test_a_game_that_hides_actions_and_has_no_observe_action_is_caught(played):
    """Games that hide none pass without one."""
    without = with_observe_action(played, hooks.observe_action)
    if not hides(played):
        observe_action_matches_events(without)
        return
    with pytest.raises(Violation, match="reveals too much") as caught:
        observe_action_matches_events(without)
    assert str(caught.value).splitlines()[2].count(" for action ") == 2


@GAMES
def test_a_fault_is_reproduced_by_its_seed(played):
    if not hides(played):
        return
    without = with_observe_action(played, hooks.observe_action)
    with pytest.raises(Violation) as caught:
        observe_action_matches_events(without)
    with pytest.raises(Violation) as again:
        observe_action_matches_events(without, seed=caught.value.place.seed)
    assert str(again.value) == str(caught.value)


@GAMES
def test_an_observation_of_hidden_cards_is_caught(played):
    """Except in Go for two, where events show everything once both seats have chosen."""
    if played.name == "go-mini":
        return

    def peeking(s, seat, a):
        return observe_action_of(played)(s, seat, a) + (4 * played.actions if bit(played, s) else 0)

    with pytest.raises(Violation, match="reveals too much"):
        observe_action_matches_events(with_observe_action(played, peeking))


@GAMES
def test_an_observation_that_hides_public_actions_is_caught(played):
    with pytest.raises(Violation, match="reveals too little"):
        observe_action_matches_events(with_observe_action(played, lambda s, seat, a: played.actions))


@GAMES
def test_an_observation_that_hides_the_own_action_is_caught(played):
    def forgetting(s, seat, a):
        return played.actions if seat == s.player else observe_action_of(played)(s, seat, a)

    with pytest.raises(Violation, match="reveals too little"):
        observe_action_matches_events(with_observe_action(played, forgetting))


@pytest.mark.long
def test_a_hidden_action_shown_as_another_legal_action_is_caught():
    """A kept search tree relies on hidden actions having numbers of their own."""
    cribbage = game("cribbage")
    rules = cribbage.rules

    def first(s, seat, a):
        return rules.DISCARD + 3 if a >= rules.DISCARD and seat != s.player else a

    with pytest.raises(Violation, match="one number for both"):
        observe_action_matches_events(with_observe_action(cribbage, first))


@pytest.mark.parametrize("name", first_fast(["go-mini", "go"]))
def test_simultaneous_choices_treated_as_sequential_are_caught(name):
    """Face-down choices would be seen before all have chosen."""
    with pytest.raises(Violation, match="reveals too much"):
        observe_action_matches_events(with_rules(game(name), simultaneous=lambda s: 0))


def test_an_observation_that_raises_is_caught():
    def raising(s, seat, a):
        raise ZeroDivisionError

    with pytest.raises(Violation, match="observe_action raised ZeroDivisionError"):
        observe_action_matches_events(with_observe_action(game("kuhn"), raising))


@GAMES
def test_search_memories_distinguish_exactly_what_seats_observe(played):
    """A search hashes what ``observe_action`` shows a seat: only indistinguishable actions leave equal memories."""
    kernels, random = compilation.plain(ismcts, *hook_modules(played)), Random(3)
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


@pytest.mark.long
def test_a_game_with_only_observe_action_can_be_searched():
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
