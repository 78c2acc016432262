"""Checks of what seats know: views, events, imagination, and that nothing hidden reaches a seat.

    determinization     a position in the same information set of a seat as the true one; the game's function
                        ``determinizations`` makes them by swapping hidden cards, without ``resample``

Non-interference: in every determinization the seat's view is the same to the byte; if the seat is to move, so are its
legal actions, every refusal and the referee's substitute; if the game is over, so is its result.  After any action in
one determinization and any in another, the seat gets equal events if and only if it has equal views: events reveal no
more than the view they lead to, and no less.

The positions are chosen to cover the game (``positions``), so that rare cases are checked, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec

from kibitz.cards.chance import rekey
from kibitz.engine.contract.checking import (
    Place,
    check,
    demand,
    demand_equal,
    observers,
    raising_nothing,
    random_game,
    sample_actions,
    seeds,
)
from kibitz.engine.contract.positions import LinePosition, covering_positions
from kibitz.engine.game import Game
from kibitz.engine.layout import CHANCE, PlainState
from kibitz.engine.record import Record, parse, text
from kibitz.engine.views.events import Event, NewDeal, Notice, RoundOver, View, encoded, to_seat

ENOUGH_CANDIDATES = 200
"""How many imagined positions must differ from the truth for the leak check to be meaningful."""
CANDIDATES, SWAPS = 3, 4
"""How many determinizations a position is compared with, and how many swaps each is from the one before."""
ACTIONS = 4
"""How many actions in a position are compared with each other."""
UNEXPLAINED_VIEW = "a seat sees what no event told it: equal events lead to unequal views"
MAX_REJECTIONS = 5_000
"""``resample`` may not reject this often in a row."""
MAX_PLAYED_ON = 1_000
"""The maximum number of actions by which a simulated game is continued: options can make a game endless."""
REFUSALS = 16
"""In a determinization that differs from the truth, ``refusal`` is compared for every 16th action, but for at least 40
actions if the game has as many; each determinization begins with another action."""


@check
def events_suffice(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """The events that a seat sees of another's action tell it everything that it sees afterwards.

    In any two positions that the seat cannot tell apart, and after any action of another seat in each, equal events
    lead to equal views.
    """
    random = Random(3)
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        if position.action is None:
            continue
        outcomes = list(sample_outcomes(position.game, position.state, position.action, random))
        for seat in observers_of(position, number):
            if seat == position.state.player:
                continue
            other_candidate = list(determinizations(position, seat, random))[-1]
            other_outcomes = sample_outcomes(
                position.game, other_candidate, position.game.legal(other_candidate)[0], random
            )
            check_equal_events(position, seat, [*outcomes, *other_outcomes])


ActionOutcome = tuple[int, PlainState, list[Notice]]


def sample_outcomes(game: Game, state: PlainState, action: int, random: Random) -> Iterator[ActionOutcome]:
    """Some legal actions including ``action``, each with the position after it and its events."""
    legal = game.legal(state)
    for each_action in {action, *random.sample(legal, min(ACTIONS, len(legal)))}:
        after = state.copy()
        yield each_action, after, game.advance(after, each_action)


def check_equal_events(position: LinePosition, seat: int, outcomes: list[ActionOutcome]) -> None:
    """Demand that ``seat`` gets equal views after equal events."""
    views: dict[bytes, View] = {}
    for action, after, notices in outcomes:
        view = position.game.view(after, seat)
        first_view = views.setdefault(encoded(to_seat(notices, seat)), view)
        demand_equal(first_view, view, UNEXPLAINED_VIEW, position.place.at(seat=seat, action=action))


@check
def worlds_and_imagination_hide_alike(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Imagination redraws exactly the fields that differ between determinizations that a seat cannot tell apart.

    The game states the two separately, so this finds a field that only one of them treats as hidden.
    """
    random = Random(4)
    by_worlds, by_resampling = set[str](), set[str]()
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        state, rules = position.state, position.game.rules
        for seat in observers_of(position, number):
            by_worlds |= {
                name
                for candidate in determinizations(position, seat, random)
                for name in changed_fields(state, candidate)
            }
            redrawn = state.copy()
            rekey(redrawn, *(random.getrandbits(32) for _ in range(4)))
            if rules.resample(redrawn, seat):
                by_resampling |= changed_fields(state, redrawn)
    if seed is None:
        sentence = "infoset_states hides other cards (the first value) than imagination draws (the second)"
        demand_equal(sorted(by_worlds), sorted(by_resampling), sentence, Place(game))


def changed_fields(state: PlainState, other: PlainState) -> set[str]:
    """The fields in which two states differ, except the generator's and scratch."""
    generator = {field.name for field in CHANCE}
    return {
        name
        for name in state.layout.position_fields
        if name not in generator and getattr(state, name) != getattr(other, name)
    }


@check
def views_agree_with_view(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """The views of all seats made together equal those made one by one."""
    for position in covering_positions(game, thorough, seed):
        position_game, state = position.game, position.state
        single = tuple(position_game.view(state, seat) for seat in observers(position_game))
        demand_equal(
            position_game.views(state), single, "views made together differ from views made one by one", position.place
        )


@check
def imagination_fits_the_view(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """``view(imagine(view)) == view``, the mover keeps its legal actions, and the simulated game can be played on.

    ``resample`` must reject rarely enough for players to wait for it.
    """
    random = Random(1)
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        if number % 3 == 0:
            demand_accepted(position, random)
        position_game, state = position.game, position.state
        for seat in {observers(position_game)[number % (position_game.seats + 1)], state.player} & set(
            observers(position_game)
        ):
            place = position.place.at(seat=seat, action=None)
            view = position_game.view(state, seat)
            with raising_nothing("imagine", place):
                candidate = position_game.imagine(view, random.getrandbits(128))
            demand_equal(
                view,
                position_game.view(candidate, seat),
                "a seat can tell an imagined position from the true one",
                place,
            )
            if seat == state.player:
                demand_equal(
                    position.legal,
                    position_game.legal(candidate),
                    "an imagined position has other legal actions",
                    place,
                )
        if number % 40 == 0:
            for _ in range(MAX_PLAYED_ON):
                if candidate.over:
                    break
                position_game.rules.apply(candidate, random.choice(position_game.legal(candidate)))


def demand_accepted(position: LinePosition, random: Random) -> None:
    """Demand that imagining a position for a random seat succeeds after few rejections."""
    game, redrawn, seat = position.game, position.state.copy(), random.choice(observers(position.game))
    place = position.place.at(seat=seat, action=None)
    rekey(redrawn, *(random.getrandbits(32) for _ in range(4)))
    if any(game.rules.resample(redrawn, seat) for _ in range(MAX_REJECTIONS)):
        return
    changes_the_view = "resample keeps returning False, and has left the seat with another view"
    demand_equal(game.view(position.state, seat), game.view(redrawn, seat), changes_the_view, place)
    demand(False, f"resample rejects {MAX_REJECTIONS} positions in a row, which is too slow", place)


@check
def nothing_hidden_leaks(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Non-interference, for every seat in every position that covers the game."""
    random = Random(2)
    differing, candidates_asked = 0, Counter[int]()
    for rotation in range(10):
        if rotation and (differing > ENOUGH_CANDIDATES or seed is not None):
            break
        for number, position in enumerate(covering_positions(game, thorough, seed)):
            for seat in observers_of(position, number + rotation):
                truth = position.game.infoset_states.key(position.state)
                for candidate in determinizations(position, seat, random):
                    differs = position.game.infoset_states.key(candidate) != truth
                    differing += differs
                    check_determinization(position, candidate, seat, random)
                    if seat == position.state.player and not position.state.over:
                        check_choices(position, candidate, candidates_asked[seat] if differs else None)
                        candidates_asked[seat] += differs
    if seed is None:
        sentence = f"too few imagined positions differ from the truth: {differing}"
        demand(differing > ENOUGH_CANDIDATES, sentence, Place(game))


def observers_of(position: LinePosition, number: int) -> list[int]:
    """The observers of a position: the mover and two others in rotation, or all of them at the deal."""
    everybody = observers(position.game)
    if not position.actions or len(everybody) < 5:
        return everybody
    others = [seat for seat in everybody if seat != position.state.player]
    mover = [seat for seat in everybody if seat == position.state.player]
    return [*mover, *(others[(2 * number + i) % len(others)] for i in range(2))]


def determinizations(position: LinePosition, seat: int, random: Random) -> Iterator[PlainState]:
    """Some determinizations that ``seat`` cannot tell from a position, each some swaps further from the truth.

    The random generator is hidden too: in every determinization but the first it has another state.
    """
    chain = position.game.infoset_states.determinizations(position.state, seat, random)
    for number, candidate in enumerate(islice(chain, 0, 1 + SWAPS * (CANDIDATES - 1), SWAPS)):
        if number:
            rekey(candidate, *(random.getrandbits(32) for _ in range(4)))
        yield candidate


def check_determinization(position: LinePosition, candidate: PlainState, seat: int, random: Random) -> None:
    """Demand that ``seat`` cannot tell ``candidate`` from the position, now and after an action in either.

    The seat's own actions are compared only with themselves: the seat knows its actions even where views don't show
    them, such as a discard in cribbage when the starter ends the game.
    """
    game, state, place = position.game, position.state, position.place.at(seat=seat, action=None)
    by_view = "a seat can tell two positions apart by its view"
    demand_same_view(game.view(state, seat), game.view(candidate, seat), by_view, place)
    if state.over:
        by_result = "a seat can tell two positions apart by the result"
        demand_equal(game.returns(state), game.returns(candidate), by_result, place)
        demand_equal(game.result(state, frozenset()), game.result(candidate, frozenset()), by_result, place)
        return
    if not position.actions:
        check_events(game, (game.opening(state), state), (game.opening(candidate), candidate), place)
    if position.action is None:
        return
    others = {position.action} if seat == state.player else {position.action, random.choice(game.legal(candidate))}
    for other_action in others & set(game.legal(candidate)):
        check_actions(position, position.action, candidate, other_action, place)
    first = position.legal[0]
    if first != position.action and first in game.legal(candidate):
        check_actions(position, first, candidate, first, place)


def demand_same_view(view: View, other_view: View, sentence: str, place: Place) -> None:
    """Demand that two views are equal to the byte, and have no content that the bytes leave out."""
    if encoded(view) != encoded(other_view):
        demand_equal(view, other_view, sentence, place)
        demand(False, sentence, place, "as JSON", (encoded(view).decode(), encoded(other_view).decode()))
    for each in (view, other_view):
        impure = impure_value(each)
        demand(impure is None, f"{sentence}: it has a value that isn't plain", place, "", (impure,))


def impure_value(value: Any) -> object | None:
    """The type of a value in a view that isn't a number, text, None, or a struct or tuple of these; None if all are."""
    if value is None or type(value) in (int, bool, str, float):
        return None
    if isinstance(value, msgspec.Struct) and not hasattr(value, "__dict__"):
        parts = [getattr(value, name) for name in value.__struct_fields__]
    elif type(value) is tuple:
        parts = list(value)
    else:
        return type(value)
    return next((impure for part in parts if (impure := impure_value(part)) is not None), None)


def check_choices(position: LinePosition, candidate: PlainState, number: int | None) -> None:
    """Demand that the mover has the same legal actions, refusals and substitute in a determinization.

    ``number`` counts the determinizations checked so far that differ from the truth; None if this one does not differ.
    """
    game, state = position.game, position.state
    place = position.place.at(seat=state.player, action=None)
    by = "a seat can tell two positions apart by"
    demand_equal(position.legal, game.legal(candidate), f"{by} its legal actions", place)
    answer, other_answer = game.rules.substitute(state), game.rules.substitute(candidate)
    demand_equal(answer, other_answer, f"{by} what is played for it after a forfeit", place.at(action=answer))
    step = max(game.first_amount // max(40, game.first_amount // REFUSALS), 1)
    actions = set() if number is None else {*sample_actions(game, state, number % step, step), -1, game.actions}
    for action in actions.union(position.legal[:20]):
        answer, other_answer = game.rules.refusal(state, action), game.rules.refusal(candidate, action)
        if answer != other_answer:
            reasons = game.why_not(state, action), game.why_not(candidate, action)
            here = place.at(action=action)
            demand(
                False, f"{by} a refusal", here, "refusal", (f"{answer} {reasons[0]}", f"{other_answer} {reasons[1]}")
            )


def check_actions(position: LinePosition, action: int, candidate: PlainState, other: int, place: Place) -> None:
    """Act in the position and in a determinization: the events must be equal if and only if the next views are."""
    game = position.game
    state_after, candidate_after = position.state.copy(), candidate.copy()
    notices, other_notices = game.advance(state_after, action), game.advance(candidate_after, other)
    check_events(game, (notices, state_after), (other_notices, candidate_after), place.at(action=action))


def check_events(
    game: Game, outcome: tuple[list[Notice], PlainState], other_outcome: tuple[list[Notice], PlainState], place: Place
) -> None:
    """Demand that a seat gets equal events exactly if it gets equal views afterwards.

    The two outcomes are notices and the position after them, in determinizations that the seat couldn't tell apart.
    """
    seat = place.seat
    assert seat is not None
    events, others = to_seat(outcome[0], seat), to_seat(other_outcome[0], seat)
    views = game.view(outcome[1], seat), game.view(other_outcome[1], seat)
    by = "a seat can tell two positions apart by"
    same_events, same_views = encoded(events) == encoded(others), encoded(views[0]) == encoded(views[1])
    if same_events and not same_views:
        demand_equal(*views, UNEXPLAINED_VIEW, place)
    if game.infoset_states.views_forget(events) or game.infoset_states.views_forget(others):
        return
    if same_views and not same_events:
        demand_equal(events, others, f"{by} an event that tells more than the view", place)
    if not same_views:
        return
    order = "the order in which seats get their events"
    demand_equal(notice_pattern(outcome[0]), notice_pattern(other_outcome[0]), f"{by} {order}", place)
    names = [f"P{p}" for p in range(game.seats)]
    for event, same in zip(events, others, strict=True):
        sentences = game.describe(event, seat, names), game.describe(same, seat, names)
        demand_equal(*sentences, f"{by} a sentence", place)


def notice_pattern(notices: list[Notice]) -> list[tuple[int, str]]:
    """The audience of each notice and the kind of its event, in order: what any seat may learn of all notices."""
    return [(notice.audience, type(notice.event).__name__) for notice in notices]


def all_events(game: Game) -> set[type[Event]]:
    """The kinds of events in a game's view module, except those that many games share."""
    import sys

    view_module = sys.modules[game.rules.__name__.rpartition(".")[0] + ".view"]
    return {kind for kind in vars(view_module).values() if isinstance(kind, type) and issubclass(kind, Event)} - {
        Event,
        NewDeal,
        RoundOver,
    }


@check
def records_round_trip(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A game's record reads back as it was written and leads to the same end."""
    names = tuple(f"P{p}" for p in range(game.seats))
    for number in seeds(3 * thorough, seed):
        actions = tuple(action for _, _, action in random_game(game, number))
        state = game.deal(number)
        for action in actions:
            game.advance(state, action)
        outcome = game.result(state, frozenset())
        record = Record(game.name, game.rules.VERSION, names, number, actions, (), outcome)
        demand_equal(record, parse(text(record)), "a record does not read back", Place(game, number, len(actions)))


CHECKS = (
    events_suffice,
    worlds_and_imagination_hide_alike,
    views_agree_with_view,
    imagination_fits_the_view,
    nothing_hidden_leaks,
    records_round_trip,
)
