"""Checks that queries change nothing, that results follow from scores, and that any process gives equal answers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import isfinite
from random import Random
from typing import Any

import msgspec

from kibitz.engine.contract.checking import Place, check, demand, demand_equal, observers, raising_nothing, sampled
from kibitz.engine.contract.knowledge import determinizations, notice_pattern
from kibitz.engine.contract.positions import Position, covering_positions
from kibitz.engine.game import Game
from kibitz.engine.kernels.policies import observe_action_of
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import Outcome, View, encoded, to_seat


@check
def questions_change_nothing(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """No query changes a position; playing on happens in a copy."""
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        state, before = position.state.copy(), position.state.position()
        for name, ask in questions(position, number):
            with raising_nothing(name, position.place):
                ask(state)
            if state.position() != before:
                for field in state.layout.position_fields:
                    values = getattr(position.state, field), getattr(state, field)
                    demand(
                        values[0] == values[1], f"calling {name} changes the position", position.place, field, values
                    )


def questions(position: Position, number: int) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Every query about a position, each with its name."""
    game, rules, everybody = position.game, position.game.rules, observers(position.game)
    first, other = 0, number % len(everybody) - 1
    yield "legal", game.legal
    yield "refusal", lambda s: [rules.refusal(s, a) for a in (first, game.actions - 1, *position.legal[:2])]
    yield "least and most", lambda s: (rules.least(s), rules.most(s)) if game.first_amount < game.actions else None
    for seat in {position.state.player, other} & set(everybody):
        yield "view", partial(view_of, game, seat)
    yield "views", game.views
    yield "returns", game.returns
    if position.state.over:
        yield "result", lambda s: game.result(s, frozenset({number % game.seats}))
        return
    yield "substitute", rules.substitute
    yield (
        "observe_action",
        lambda s: [observe_action_of(game)(s, seat, position.legal[0]) for seat in range(game.seats)],
    )
    if not position.actions:
        yield "opening", game.opening


def view_of(game: Game, seat: int, state: PlainState) -> View:
    """The view of a seat."""
    return game.view(state, seat)


@check
def views_say_whose_they_are(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A view's own three fields are its seat, the seat to move and whether the game is over."""
    for position in covering_positions(game, thorough, seed):
        state = position.state
        for seat, view in zip(observers(position.game), position.game.views(state), strict=True):
            declared, right = (view.seat, view.player, view.over), (seat, state.player, bool(state.over))
            here = position.place.at(seat=seat, action=None)
            demand_equal(right, declared, "a view has the wrong seat, player to move or end (seat, player, over)", here)


@check
def results_follow_from_scores(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A result's scores are those of ``returns``, and the seats with the most share the win.

    A game may end without a winner only if nobody has more than the others.  Seats that have forfeited don't share the
    win, and at least the best of the others do.  No result reveals anything hidden, with or without forfeits.
    """
    random = Random(8)
    for position in covering_positions(game, thorough, seed):
        if not position.state.over:
            continue
        own, state, place = position.game, position.state, position.place
        for number, out in enumerate(forfeits(own)):
            with raising_nothing(f"result with {sorted(out)} out", place):
                found = own.result(state, out)
            demand_sound(own, found, own.returns(state), out, place)
            seat = observers(own)[number % (own.seats + 1)]
            for world in determinizations(position, seat, random):
                by_result = "a seat can tell two positions apart by the result"
                demand_equal(found, own.result(world, out), by_result, place.at(seat=seat))


def forfeits(game: Game) -> Iterator[frozenset[int]]:
    """Sets of seats that may have forfeited: none, each single one, all but one, all."""
    everybody = frozenset(range(game.seats))
    yield frozenset()
    for seat in everybody if game.seats > 2 else ():
        yield everybody - {seat}
    for seat in everybody:
        yield frozenset({seat})
    yield everybody


def demand_sound(game: Game, outcome: Outcome, earned: tuple[float, ...], out: frozenset[int], place: Place) -> None:
    """Check what must hold for every result."""
    demand_equal(earned, outcome.scores, "the scores of a result differ from what returns says", place)
    demand(all(map(isfinite, outcome.scores)), "a score isn't a number", place, "scores", (outcome.scores,))
    reason = outcome.reason
    demand(reason.isprintable() and reason.endswith((".", "!")), "this isn't a sentence", place, "reason", (reason,))
    standing = [seat for seat in range(game.seats) if seat not in out]
    most = max((earned[seat] for seat in standing), default=0.0)
    best = tuple(seat for seat in standing if earned[seat] == most)
    stands_out = most > min(earned) and most == max(earned)
    right = [seat for seat in standing if seat in (outcome.winners if out else best)]
    as_expected = list(outcome.winners) == right and set(best) <= set(right)
    sentence = f"with {sorted(out)} out, the winners aren't those with the highest score"
    demand(as_expected or not (outcome.winners or stands_out), sentence, place, "", (best, outcome.winners))


# Another process gives the same answers when asked in another order.
#
#     answers     what a position says to one seat: its view, its choices and refusals, its events, all words
#     distraction queries about another state of the same information set, made before the position's own
#
# A counter, a cache, a clock, a value kept between calls or the order of a hash set could leak what no view shows. The
# other process has other hashes, begins with the last position, and is distracted before each.


POSITIONS_COMPARED = 40
"""About how many positions are compared per degree of thoroughness."""
ACTIONS_NAMED = 6
"""How many actions of a position are put into words."""
STRATEGY_POSITIONS = 4
"""In how many positions strategies are asked."""
TIMEOUT = 300
"""Seconds after which the other process is killed."""
PROGRAM = "import sys; sys.path[:] = {path!r}; from kibitz.engine.contract.consistency import answer; answer()"


class Query(msgspec.Struct, frozen=True):
    """A position as it is sent to the other process: the state's fields, what follows, the observer, and its number."""

    game: str
    state: dict[str, int | list[int]]
    first: bool
    action: int | None
    seat: int
    number: int
    asks_strategies: bool


def query_of(position: Position, number: int, asks_strategies: bool) -> Query:
    """A position to be sent: alternately as the mover sees it and as each other seat does."""
    state, everybody = position.state, observers(position.game)
    seat = everybody[number // 2 % len(everybody)] if number % 2 or state.over else state.player
    fields = {name: getattr(state, name) for name in state.layout.position_fields}
    return Query(position.game.name, fields, not position.actions, position.action, seat, number, asks_strategies)


def position_of(query: Query, game: Game) -> Position:
    """The position that was sent."""
    state = game.blank()
    for name, value in query.state.items():
        setattr(state, name, value[:] if isinstance(value, list) else value)
    return Position(game, 0, () if query.first else (0,), state, game.legal(state), query.action)


def answers(position: Position, query: Query, between: Callable[[], None]) -> Iterator[tuple[str, str]]:
    """A position's answers for one seat, as pairs of name and text; ``between`` is called before some of them."""
    game, state, seat = position.game, position.state, query.seat
    names = [f"P{p}" for p in range(game.seats)]
    between()
    view = game.view(state, seat)
    yield "the view", value_text(view)
    between()
    if seat == state.player and not state.over:
        some = [
            *sampled(game, state, query.number % 97, max(game.first_amount // 20, 1)),
            *position.legal[:ACTIONS_NAMED],
        ]
        yield "what is legal", value_text(position.legal)
        yield "why not", value_text([game.rules.refusal(state, action) for action in some])
        yield "the substitute", value_text(game.rules.substitute(state))
        between()
        yield "the prompt", game.words.prompt(view)
        yield "the order of the choices", value_text(list(game.words.ordered(view, position.legal[:])))
        for a in position.legal[:ACTIONS_NAMED]:
            yield "an action's words", value_text([game.text(view, a), game.words.label(view, a), game.parts(view, a)])
        for name, strategy in game.strategies.items() if query.asks_strategies and len(position.legal) > 1 else ():
            yield f"the answer of {name}", value_text(strategy(view, position.legal[:], Random(5)))
    if state.over:
        yield "the result", value_text(game.result(state, frozenset()))
    yield "the scene", value_text(game.scene(view, names))
    between()
    notices = game.opening(state) if query.first else []
    notices += [] if position.action is None else game.advance(state.copy(), position.action)
    yield "who is told", value_text(notice_pattern(notices))
    between()
    for event in to_seat(notices, seat):
        yield "what is told", f"{value_text(event)} {game.describe(event, seat, names)}"


def value_text(thing: Any) -> str:
    """A value as text."""
    return encoded(thing).decode()


def play_elsewhere(position: Position, seat: int) -> Callable[[], None]:
    """A function that makes queries and plays on in another state that ``seat`` can't tell from a position."""
    game = position.game
    *_, world = determinizations(position, seat, Random(9))

    def distract() -> None:
        game.opening(world)
        if world.over:
            game.result(world, frozenset())
        else:
            game.advance(world.copy(), game.legal(world)[0])
        game.views(world)
        game.view(world, seat)

    return distract


def do_nothing() -> None:
    """Do nothing."""


def answer() -> None:
    """The other process: read positions and write the answers about each, the last position first."""
    queries, out = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=list[Query]), sys.stdout
    sys.stdout = sys.stderr
    out.buffer.write(msgspec.msgpack.encode(position_texts(queries, cache(find_game))))


def position_texts(queries: list[Query], named: Callable[[str], Game]) -> list[list[tuple[str, str]]]:
    """The answers about positions, the last one asked first; ``named`` maps names to games."""
    texts = []
    for query in reversed(queries):
        position = position_of(query, named(query.game))
        texts.append(list(answers(position, query, play_elsewhere(position, query.seat))))
    return texts[::-1]


@check
def other_processes_give_the_same_answers(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Another process gives the same answers, with other hashes, in another order, and after other queries."""
    positions = covering_positions(game, thorough, seed)
    positions = positions[:: max(1, len(positions) // (POSITIONS_COMPARED * thorough))]
    every = max(1, len(positions) // STRATEGY_POSITIONS)
    queries = [query_of(position, at, at % every == 0) for at, position in enumerate(positions)]
    here = [list(answers(position, query, do_nothing)) for position, query in zip(positions, queries, strict=True)]
    for position, query, one, other in zip(positions, queries, here, answers_elsewhere(queries), strict=True):
        place = position.place.at(seat=query.seat)
        demand_equal(
            [what for what, _ in one], [what for what, _ in other], "another process answers differently", place
        )
        for (what, found), (_, again) in zip(one, other, strict=True):
            sentence = f"{what} is different in another process, after other calls"
            demand(found == again, sentence, place, "", differing(found, again))


def differing(one: str, other: str) -> tuple[str, str]:
    """Two texts, cut to start a little before they differ."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return one[max(0, at - 40) :], other[max(0, at - 40) :]


def answers_elsewhere(queries: list[Query]) -> list[list[tuple[str, str]]]:
    """The answers about positions from another process."""
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(path=[each or os.getcwd() for each in sys.path])],
        input=msgspec.msgpack.encode(queries),
        capture_output=True,
        timeout=TIMEOUT,
        env=os.environ | {"PYTHONHASHSEED": hashes},
    )
    last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    demand(done.returncode == 0, "the other process can't be asked", None, "", (last,))
    return msgspec.msgpack.decode(done.stdout, type=list[list[tuple[str, str]]])


CHECKS = (
    questions_change_nothing,
    views_say_whose_they_are,
    results_follow_from_scores,
    other_processes_give_the_same_answers,
)
