"""Checks of what people and strategies get: words for every position, and strategies that are legal and blind.

The words are asked for in every position that covers the game; a strategy is asked again in a world that its seat
cannot tell from the position, and must answer as before.
"""

from __future__ import annotations

from random import Random
from time import process_time

from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.positions import Position, chosen
from kibitz.engine.contract.walks import Place, check, demand, demand_equal, observers, raising_nothing
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.plain import layout_of
from kibitz.errors import NotationError

NONSENSE = ("", "?", "KS KS", "xyzzy", "9" * 5000, "\ud800", "b1>b1>b1", "1S")
READ = 12
"""So many legal actions of a position are written and read back, those at the ends among them."""
ASKED = 16
"""So many positions a strategy is asked in, with the worlds that its seat cannot tell from them."""
THINKING = 0.1
"""In all others it is asked once, until it has taken so many seconds for each degree of thoroughness."""


@check
def actions_read_as_they_are_written(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """``parse(text(action)) == action`` for legal actions, and nonsense is refused with NotationError."""
    random = Random(3)
    for number, position in enumerate(chosen(game, thorough, seed)):
        if position.state.over:
            continue
        own, legal, place = position.game, position.legal, position.place
        view = own.view(position.state, position.state.player)
        for action in {legal[0], legal[-1], *random.sample(legal, min(READ, len(legal)))}:
            here = place.at(seat=position.state.player, action=action)
            with raising_nothing("text, parse_action or label", here):
                words = own.text(view, action)
                demand_equal(own.parse(view, words), action, f"{words!r} is not read as it was written", here)
                demand(own.words.label(view, action), "an action has no label", here)
        for nonsense in NONSENSE if number % 4 == 0 else ():
            try:
                own.parse(view, nonsense)
            except NotationError:
                continue
            except Exception as error:
                raise_at = place.at(seat=position.state.player)
                demand(False, f"reading {nonsense[:10]!r} raised {type(error).__name__}", raise_at, "", (str(error),))
            demand(False, f"{nonsense[:10]!r} is read as an action", place)


@check
def every_position_has_words(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every position has a prompt for who is to move, and every event a sentence for whoever is told."""
    for position in chosen(game, thorough, seed):
        own, state = position.game, position.state
        names = [f"P{p}" for p in range(own.seats)]
        notices = [] if position.actions else own.opening(state)
        notices += [] if position.action is None else own.advance(state.copy(), position.action)
        for seat in observers(own):
            here = position.place.at(seat=seat)
            with raising_nothing("prompt or describe", here):
                if seat == state.player and not state.over:
                    demand(own.words.prompt(own.view(state, seat)).strip(), "a prompt says nothing", here)
                for notice in notices:
                    if notice.reaches(seat):
                        said = own.describe(notice.event, seat, names)
                        demand(said.strip().endswith((".", "!")), "this is no sentence", here, "describe", (said,))


@check
def every_field_is_explained(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """What each field of a view means is said in the docstring of its class: authors of player files read it there."""
    for field in layout_of(type(game.view(game.deal(0), 0))):
        how = "a line with its name, two spaces or more, and what it means"
        demand(field.meaning, f"a view's docstring does not explain {field.name}: it needs {how}", Place(game))


@check
def strategies_are_legal_and_blind(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every strategy answers with a legal action, changes nothing, and answers alike where its seat sees the same."""
    random = Random(4)
    decisions = [p for p in chosen(game, thorough, seed) if len(p.legal) > 1]
    some = decisions[:: max(1, len(decisions) // (ASKED * thorough))]
    demand(some or seed is not None, "no position with a choice was met", Place(game))
    for name, strategy in game.strategies.items():
        demand(callable(strategy), f"the strategy {name} is no function", Place(game))
        for position in some:
            ask(position, name, random)
        began = process_time()
        for position in decisions:
            if process_time() - began > THINKING * thorough:
                break
            answered(position, name, position.state)


def ask(position: Position, name: str, random: Random) -> None:
    """Ask a strategy in a position, and again in a world that its seat cannot tell from it.

    Each time everything has just been told of where it is asked: nothing of that may stay behind for it.
    """
    game, state = position.game, position.state
    place = position.place.at(seat=state.player, action=None)
    answers = []
    for here in (state, *determinizations(position, state.player, random)):
        game.advance(here.copy(), position.legal[0])
        game.opening(here)
        answers.append(answered(position, name, here))
        if len(answers) == 2 and len(position.legal) > 60:
            break
    for answer in answers[1:]:
        sentence = f"the strategy {name} plays otherwise where its seat sees the same: it knows something hidden"
        demand_equal(answers[0], answer, sentence, place)


def answered(position: Position, name: str, here: PlainState) -> int:
    """What a strategy answers in a position, or in a world that its seat cannot tell from it."""
    game, legal, seat = position.game, position.legal, position.state.player
    place = position.place.at(seat=seat, action=None)
    view, given, before = game.view(here, seat), legal[:], here.copy()
    with raising_nothing(f"the strategy {name}", place):
        answer = game.strategies[name](view, given, Random(5))
    right = type(answer) is int and answer in legal
    demand(right, f"the strategy {name} answers with an illegal action", place, "", (answer,))
    demand_equal(given, legal, f"the strategy {name} changes the list of legal actions", place)
    demand(here == before, f"the strategy {name} changes the position", place)
    return answer


CHECKS = (
    actions_read_as_they_are_written,
    every_position_has_words,
    every_field_is_explained,
    strategies_are_legal_and_blind,
)
