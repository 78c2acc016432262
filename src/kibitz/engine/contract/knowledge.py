"""Checks of what seats know: views, events, imagination, and that nothing hidden reaches a seat.

    world       a position that a seat cannot tell from the true one; the game's ``worlds`` makes them by swapping
                hidden cards, without ``resample``

Non-interference: in every world the seat's view is the same to the byte, and if it is the mover, so are its
legal actions and every refusal.  After any action in the one and any in the other, if the seat's views are still
the same, so are the events it was told: an event may tell no more than the view it leads to.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from kibitz.engine.contract.walks import demand, observers, sampled, told, walk
from kibitz.engine.events import Event, View, encoded, to_seat
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.record import parse, text
from kibitz.errors import NotationError

ENOUGH_WORLDS = 200
"""So many worlds must have differed from the truth for the leak check to mean something."""


def views_are_folds_of_events(game: Game, thorough: int = 1) -> None:
    """Every seat's view equals the fold of the events that it was told."""
    for seed in range(6 * thorough):
        seen: dict[int, View] = {}
        for state, notices in told(game, seed):
            for seat in observers(game):
                for event in to_seat(notices, seat):
                    seen[seat] = game.fold(seen.get(seat), event, seat)
                same = seen[seat] == game.view(state, seat)
                demand(same, f"{game.name}: the view of seat {seat} is not the fold of its events (seed {seed})")


def imagination_fits_the_view(game: Game, thorough: int = 1) -> None:
    """``view(imagine(view)) == view``, the mover keeps its legal actions, and the imagined game can be played out."""
    random = Random(1)
    for seed in range(2 * thorough):
        for state, legal, _ in walk(game, seed):
            for seat in observers(game):
                view = game.view(state, seat)
                world = game.imagine(view, random.getrandbits(128))
                demand(game.view(world, seat) == view, f"{game.name}: seat {seat} can tell what it imagined from truth")
                if seat == state.player:
                    demand(game.legal(world) == legal, f"{game.name}: an imagined position has other legal actions")
                demand(random.random() < 0.9 or can_be_played_out(game, world, random), f"{game.name}: stuck")


def can_be_played_out(game: Game, state: PlainState, random: Random) -> bool:
    """Play a position to its end."""
    while not state.over:
        game.rules.apply(state, random.choice(game.legal(state)))
    return True


def nothing_hidden_leaks(game: Game, thorough: int = 1) -> None:
    """Non-interference, for every seat in every position of some random games."""
    random = Random(2)
    differing = 0
    for seed in range(40 * thorough):
        if seed >= 2 * thorough and differing > ENOUGH_WORLDS:
            break
        for number, (state, _, action) in enumerate(walk(game, seed)):
            for seat in observers(game):
                for world in islice(game.worlds.worlds(state, seat, random), 3):
                    differing += game.worlds.key(world) != game.worlds.key(state)
                    if number == 0:
                        check_opening(game, state, world, seat)
                    check_world(game, state, world, seat, action, random)
    demand(differing > ENOUGH_WORLDS, f"{game.name}: only {differing} worlds differed from the truth")


def check_world(game: Game, state: PlainState, world: PlainState, seat: int, action: int, random: Random) -> None:
    """``seat`` cannot tell ``world`` from ``state``, now and after an action in either.

    Its own actions are compared with themselves only.  It knows what it has done, even where no view says so any
    more, as after cards laid away in cribbage if the starter ends the game.
    """
    who = f"{game.name}: seat {seat} can tell two positions apart by"
    view = encoded(game.view(state, seat))
    demand(encoded(game.view(world, seat)) == view, f"{who} its view, though they differ only in what it cannot know")
    if seat == state.player:
        demand(game.legal(world) == game.legal(state), f"{who} its legal actions")
        sample = sampled(game, state, action % 13, 13)
        refusals = [game.why_not(state, a) for a in sample]
        demand([game.why_not(world, a) for a in sample] == refusals, f"{who} a refusal")
    others = {action} if seat == state.player else {action, random.choice(game.legal(world))}
    for other in others & set(game.legal(world)):
        check_events(game, (state, action), (world, other), seat)
    first = game.legal(state)[0]
    if first != action and first in game.legal(world):
        check_events(game, (state, first), (world, first), seat)


def check_opening(game: Game, state: PlainState, world: PlainState, seat: int) -> None:
    """In two positions after the deal that ``seat`` cannot tell apart, it has been told the same of the deal."""
    same = encoded(to_seat(game.opening(world), seat)) == encoded(to_seat(game.opening(state), seat))
    demand(same, f"{game.name}: seat {seat} can tell two positions apart by an event that tells more than the view")


def check_events(game: Game, one: tuple[PlainState, int], other: tuple[PlainState, int], seat: int) -> None:
    """Two actions in two positions: if ``seat`` knows the same after either, it was told the same of either."""
    who = f"{game.name}: seat {seat} can tell two positions apart by"
    here, there = one[0].copy(), other[0].copy()
    events = to_seat(game.advance(here, one[1]), seat)
    others = to_seat(game.advance(there, other[1]), seat)
    if encoded(game.view(here, seat)) == encoded(game.view(there, seat)):
        names = [f"P{p}" for p in range(game.seats)]
        demand(encoded(others) == encoded(events), f"{who} an event that tells more than the view")
        same = [game.describe(e, seat, names) for e in others] == [game.describe(e, seat, names) for e in events]
        demand(same, f"{who} a sentence")


def actions_read_as_they_are_written(game: Game, thorough: int = 1) -> None:
    """``parse(text(action)) == action`` for every legal action, and nonsense is refused with NotationError."""
    for seed in range(2 * thorough):
        for state, legal, _ in walk(game, seed):
            view = game.view(state, state.player)
            for action in legal:
                words = game.text(view, action)
                demand(game.parse(view, words) == action, f"{game.name}: {words!r} is not read as it was written")
                demand(game.words.label(view, action), f"{game.name}: an action has no label")
            for nonsense in ("", "?", "KS KS", "xyzzy", "9" * 5000, "\ud800", "b1>b1>b1", "1S"):
                try:
                    game.parse(view, nonsense)
                except NotationError:
                    continue
                demand(False, f"{game.name}: {nonsense[:10]!r} is read as an action")


def every_event_is_met_and_told(game: Game, thorough: int = 1) -> None:
    """Random games of all variants meet every kind of event, and each has a sentence for every seat."""
    from kibitz.engine.registry import variants

    package = game.rules.__name__.split(".")[-2]
    met: set[type[Event]] = set()
    for variant in variants(package):
        for seed in range(150):
            if all_events(variant) <= met and seed > 5:
                break
            for _, notices in told(variant, seed):
                for notice in notices:
                    new = type(notice.event) not in met
                    met.add(type(notice.event))
                    for seat in observers(variant) if new or seed < 2 else ():
                        sentence = variant.describe(notice.event, seat, [f"P{p}" for p in range(variant.seats)])
                        demand(sentence.strip().endswith((".", "!")), f"{variant.name}: {sentence!r} is no sentence")
    missing = all_events(game) - met
    demand(not missing, f"{game.name}: random games never met {[kind.__name__ for kind in missing]}")


def all_events(game: Game) -> set[type[Event]]:
    """The kinds of events that a game's view module defines."""
    import sys

    home = sys.modules[game.view.__module__]
    return {kind for kind in vars(home).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}


def records_round_trip(game: Game, thorough: int = 1) -> None:
    """A random game's record reads back as it was written, line by line."""
    from kibitz.engine.record import Record

    for seed in range(3 * thorough):
        actions = [action for _, _, action in walk(game, seed)]
        state = game.deal(seed)
        for action in actions:
            game.advance(state, action)
        names = tuple(f"P{p}" for p in range(game.seats))
        outcome = game.result(state, frozenset())
        record = Record(game.name, game.rules.VERSION, names, seed, tuple(actions), (), outcome)
        demand(parse(text(record)) == record, f"{game.name}: a record does not read back (seed {seed})")


CHECKS = (
    views_are_folds_of_events,
    imagination_fits_the_view,
    nothing_hidden_leaks,
    actions_read_as_they_are_written,
    every_event_is_met_and_told,
    records_round_trip,
)
