"""Checks that queries change nothing, results follow from scores, and every process gives the same answers."""

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

from kibitz.engine.contract.checking import (
    Place,
    check,
    demand,
    demand_equal,
    observers,
    raising_nothing,
    sample_actions,
)
from kibitz.engine.contract.knowledge import determinizations, notice_pattern
from kibitz.engine.contract.positions import LinePosition, covering_positions
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


def questions(position: LinePosition, number: int) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Every query about a position, each with its name."""
    game, rules, everybody = position.game, position.game.rules, observers(position.game)
    observer = number % len(everybody) - 1  # each in rotation, from the spectator (-1) on
    yield "legal", game.legal
    yield "refusal", lambda s: [rules.refusal(s, a) for a in (0, game.actions - 1, *position.legal[:2])]
    if game.first_amount < game.actions:
        yield "min_amount and max_amount", lambda s: (rules.min_amount(s), rules.max_amount(s))
    for seat in {position.state.player, observer} & set(everybody):
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
    """The three fields of every view are right: its seat, the seat to move, and whether the game is over."""
    for position in covering_positions(game, thorough, seed):
        state = position.state
        for seat, view in zip(observers(position.game), position.game.views(state), strict=True):
            in_view, right = (view.seat, view.player, view.over), (seat, state.player, bool(state.over))
            here = position.place.at(seat=seat, action=None)
            demand_equal(right, in_view, "a view has the wrong seat, player to move or end (seat, player, over)", here)


@check
def results_follow_from_scores(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """A result has the scores that ``returns`` gives, and the seats with the highest score share the win.

    A game may end without a winner only if no seat has more than all others.  Seats that have forfeited don't share the
    win, and at least the best of the others do.  No result reveals anything hidden, with or without forfeits.
    """
    random = Random(8)
    for position in covering_positions(game, thorough, seed):
        if not position.state.over:
            continue
        position_game, state, place = position.game, position.state, position.place
        for number, forfeited in enumerate(forfeits(position_game)):
            with raising_nothing(f"result with {sorted(forfeited)} out", place):
                outcome = position_game.result(state, forfeited)
            demand_sound(position_game, outcome, position_game.returns(state), forfeited, place)
            seat = observers(position_game)[number % (position_game.seats + 1)]
            for candidate in determinizations(position, seat, random):
                by_result = "a seat can tell two positions apart by the result"
                demand_equal(outcome, position_game.result(candidate, forfeited), by_result, place.at(seat=seat))


def forfeits(game: Game) -> Iterator[frozenset[int]]:
    """Sets of seats that may have forfeited: none, each single one, all but one, all."""
    everybody = frozenset(range(game.seats))
    yield frozenset()
    for seat in everybody if game.seats > 2 else ():
        yield everybody - {seat}
    for seat in everybody:
        yield frozenset({seat})
    yield everybody


def demand_sound(
    game: Game, outcome: Outcome, earned: tuple[float, ...], forfeited: frozenset[int], place: Place
) -> None:
    """Check what must hold for every result; ``forfeited`` seats can't win."""
    demand_equal(earned, outcome.scores, "the scores of a result differ from what returns says", place)
    demand(all(map(isfinite, outcome.scores)), "a score isn't a number", place, "scores", (outcome.scores,))
    reason = outcome.reason
    demand(reason.isprintable() and reason.endswith((".", "!")), "this isn't a sentence", place, "reason", (reason,))
    in_play = [seat for seat in range(game.seats) if seat not in forfeited]
    most = max((earned[seat] for seat in in_play), default=0.0)
    best = tuple(seat for seat in in_play if earned[seat] == most)
    somebody_leads = most > min(earned) and most == max(earned)
    # After a forfeit, the game may let others share the win, but never without the best.
    expected_winners = [seat for seat in in_play if seat in (outcome.winners if forfeited else best)]
    as_expected = list(outcome.winners) == expected_winners and set(best) <= set(expected_winners)
    not_the_best = f"with {sorted(forfeited)} out, the winners aren't those with the highest score"
    demand(as_expected or not (outcome.winners or somebody_leads), not_the_best, place, "", (best, outcome.winners))


# Another process gives the same answers when asked in another order.
#
#     answers     all that a game tells one seat about a position: view, choices, refusals, events, all words
#     distraction queries about another state of the same information set, made before those about the position itself
#
# A counter, a cache, a clock, a value kept between calls or the order of a hash set could leak what no view shows. The
# other process has other hashes, begins with the last position, and makes distracting queries before each position.


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
    """A position as it is sent to the other process.

    ``state`` holds the state's fields, ``action`` is the action that follows (None at the end), ``seat`` is the
    observer, and ``number`` counts positions.
    """

    game: str
    state: dict[str, int | list[int]]
    is_deal: bool
    action: int | None
    seat: int
    number: int
    asks_strategies: bool


def query_of(position: LinePosition, number: int, asks_strategies: bool) -> Query:
    """The query about a position: by the mover if ``number`` is even, otherwise by each observer in rotation."""
    state, everybody = position.state, observers(position.game)
    seat = everybody[number // 2 % len(everybody)] if number % 2 or state.over else state.player
    fields = {name: getattr(state, name) for name in state.layout.position_fields}
    return Query(position.game.name, fields, not position.actions, position.action, seat, number, asks_strategies)


def position_of(query: Query, game: Game) -> LinePosition:
    """The position that a query describes."""
    state = game.blank()
    for name, value in query.state.items():
        setattr(state, name, value[:] if isinstance(value, list) else value)
    return LinePosition(game, 0, () if query.is_deal else (0,), state, game.legal(state), query.action)


def answers(position: LinePosition, query: Query, distract: Callable[[], None]) -> Iterator[tuple[str, str]]:
    """The answers about a position for one seat, as pairs of name and text; ``distract`` is called before some."""
    game, state, seat = position.game, position.state, query.seat
    names = [f"P{p}" for p in range(game.seats)]
    distract()
    view = game.view(state, seat)
    yield "the view", value_text(view)
    distract()
    if seat == state.player and not state.over:
        asked_actions = [
            *sample_actions(game, state, query.number % 97, max(game.first_amount // 20, 1)),
            *position.legal[:ACTIONS_NAMED],
        ]
        yield "what is legal", value_text(position.legal)
        yield "why not", value_text([game.rules.refusal(state, action) for action in asked_actions])
        yield "the substitute", value_text(game.rules.substitute(state))
        distract()
        yield "the prompt", game.words.prompt(view)
        yield "the order of the choices", value_text(list(game.words.ordered(view, position.legal[:])))
        for a in position.legal[:ACTIONS_NAMED]:
            yield "an action's words", value_text([game.text(view, a), game.words.label(view, a), game.parts(view, a)])
        for name, strategy in game.strategies.items() if query.asks_strategies and len(position.legal) > 1 else ():
            yield f"the answer of {name}", value_text(strategy(view, position.legal[:], Random(5)))
    if state.over:
        yield "the result", value_text(game.result(state, frozenset()))
    yield "the scene", value_text(game.scene(view, names))
    distract()
    notices = game.opening(state) if query.is_deal else []
    notices += [] if position.action is None else game.advance(state.copy(), position.action)
    yield "who sees the events", value_text(notice_pattern(notices))
    distract()
    for event in to_seat(notices, seat):
        yield "an event or its sentence", f"{value_text(event)} {game.describe(event, seat, names)}"


def value_text(value: Any) -> str:
    """A value as text."""
    return encoded(value).decode()


def play_elsewhere(position: LinePosition, seat: int) -> Callable[[], None]:
    """A function that makes queries and plays on in another state that ``seat`` can't tell from a position."""
    game = position.game
    *_, candidate = determinizations(position, seat, Random(9))

    def distract() -> None:
        game.opening(candidate)
        if candidate.over:
            game.result(candidate, frozenset())
        else:
            game.advance(candidate.copy(), game.legal(candidate)[0])
        game.views(candidate)
        game.view(candidate, seat)

    return distract


def do_nothing() -> None:
    """Do nothing."""


def answer() -> None:
    """The other process: read positions and write the answers about each, the last position first."""
    queries, output = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=list[Query]), sys.stdout
    sys.stdout = sys.stderr
    output.buffer.write(msgspec.msgpack.encode(position_texts(queries, cache(find_game))))


def position_texts(queries: list[Query], game_named: Callable[[str], Game]) -> list[list[tuple[str, str]]]:
    """The answers about positions, the last one asked first; ``game_named`` finds a game by its name."""
    texts = []
    for query in reversed(queries):
        position = position_of(query, game_named(query.game))
        texts.append(list(answers(position, query, play_elsewhere(position, query.seat))))
    return texts[::-1]


@check
def other_processes_give_the_same_answers(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Another process gives the same answers, with other hashes, in another order, and after other queries."""
    positions = covering_positions(game, thorough, seed)
    positions = positions[:: max(1, len(positions) // (POSITIONS_COMPARED * thorough))]
    interval = max(1, len(positions) // STRATEGY_POSITIONS)
    queries = [query_of(position, number, number % interval == 0) for number, position in enumerate(positions)]
    all_answers = [
        list(answers(position, query, do_nothing)) for position, query in zip(positions, queries, strict=True)
    ]
    for position, query, answers_here, answers_there in zip(
        positions, queries, all_answers, answers_elsewhere(queries), strict=True
    ):
        place = position.place.at(seat=query.seat)
        demand_equal(
            [name for name, _ in answers_here],
            [name for name, _ in answers_there],
            "another process answers differently",
            place,
        )
        for (name, text_here), (_, text_there) in zip(answers_here, answers_there, strict=True):
            sentence = f"{name} is different in another process, after other calls"
            demand(text_here == text_there, sentence, place, "", cut_at_difference(text_here, text_there))


def cut_at_difference(first: str, second: str) -> tuple[str, str]:
    """Two texts from 40 characters before their first difference on."""
    at = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return first[max(0, at - 40) :], second[max(0, at - 40) :]


def answers_elsewhere(queries: list[Query]) -> list[list[tuple[str, str]]]:
    """The answers about positions from another process."""
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(path=[each or os.getcwd() for each in sys.path])],
        input=msgspec.msgpack.encode(queries),
        capture_output=True,
        timeout=TIMEOUT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
    )
    last_line = process.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    demand(process.returncode == 0, "the other process can't be asked", None, "", (last_line,))
    return msgspec.msgpack.decode(process.stdout, type=list[list[tuple[str, str]]])


CHECKS = (
    questions_change_nothing,
    views_say_whose_they_are,
    results_follow_from_scores,
    other_processes_give_the_same_answers,
)
