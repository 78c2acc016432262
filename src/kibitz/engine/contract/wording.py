"""Checks of words and strategies: printable texts that can be read back, and strategies that are legal and blind.

line        a printable text: no line breaks, no control characters, no blanks at its ends
others      other names for the same seats: sentences must be the same except for the names
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from kibitz.engine.contract.checking import Broken, Place, check, demand, demand_equal, observers, raising_nothing
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.positions import Position, covering_positions, extremes
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import View, encoded
from kibitz.engine.views.plain import layout_of
from kibitz.engine.words import COMMANDS
from kibitz.errors import NotationError

MAX_LENGTH = 2000
"""The most characters of a line."""
POSITIONS_ASKED = 100
"""About how many positions' questions and choices are checked, per degree of thoroughness."""
ACTIONS_LISTED = 60
"""How many actions of a position are put into words, including those at the ends."""
SEPARATORS = (" ; ", "! ")
"""What an action's text may not contain, and what it may not begin with, because records give it a meaning."""
MISTYPED = ("7", "0", "-1", "999", "٣", "\x1b[2J", "a\nb", " \t ", "ＡＳ", "A" * 300, "1e3", "None", "; 1", "! 1")
"""Mistyped inputs: each is refused in a line, or read as a possible action."""


def demand_line(text: object, what: str, place: Place, *, empty: bool = False) -> None:
    """Broken unless a text is a line."""
    is_line = isinstance(text, str) and text.isprintable() and text == text.strip() and len(text) <= MAX_LENGTH
    demand(is_line and (text or empty), f"{what} isn't a printable line", place, "", (text,))


@check
def words_are_lines(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Texts about positions, actions and events are lines; an action's text has no other meaning wherever it is read.

    Names appear as given: with other names, the texts differ in the names only.
    """
    for reason in game.rules.Reason:
        demand_line(reason.sentence, f"the sentence of Reason.{reason.name}", Place(game), empty=not reason)
    positions = covering_positions(game, thorough, seed)
    every = max(1, len(positions) // (POSITIONS_ASKED * thorough))
    for number, position in enumerate(positions):
        own, state = position.game, position.state
        with raising_nothing("the game's words", position.place):
            check_sentences(position, number)
        if number % every == 0 and not state.over:
            view = own.view(state, state.player)
            demand_line(own.words.prompt(view), "a prompt", position.place.at(action=None))
            demand_choices(position, view)
            if number // every % 4 == 0:
                demand_refused(own, view, position.place.at(seat=state.player, action=None))


def check_sentences(position: Position, number: int) -> None:
    """Say what has happened, and draw every third position, with two lists of names."""
    own, state = position.game, position.state
    names, others = [f"Zaphod{p}" for p in range(own.seats)], [f"Trillian{p}" for p in range(own.seats)]
    notices = [] if position.actions else own.opening(state)
    notices += [] if position.action is None else own.advance(state.copy(), position.action)
    sentence = "with other names, the sentence differs"
    for notice in notices:
        for seat in observers(own):
            if notice.reaches(seat):
                one, other = own.describe(notice.event, seat, names), own.describe(notice.event, seat, others)
                here = position.place.at(seat=seat)
                demand_line(one, "a sentence", here)
                demand_equal(one.replace("Zaphod", "Trillian"), other, sentence, here)
    if number % 3:
        return
    everybody = observers(own)
    seat = everybody[number % len(everybody)]
    view = own.view(state, seat)
    one, other = (encoded(own.scene(view, each)).decode() for each in (names, others))
    demand_equal(one.replace("Zaphod", "Trillian"), other, sentence, position.place.at(seat=seat, action=None))


def demand_choices(position: Position, view: View) -> None:
    """Check the labels of actions, which ones are shown, and their order."""
    own, legal, place = position.game, position.legal, position.place
    for action in {*legal[: ACTIONS_LISTED // 2], *legal[-ACTIONS_LISTED // 2 :]}:
        here, text = place.at(action=action), own.text(view, action)
        demand_line(own.words.label(view, action), "a label", here)
        demand_line(text, "the text of an action", here)
        held = SEPARATORS[0] in f"{text} " or text.startswith(SEPARATORS[1])
        demand(not held, "the text of an action has a separator of records in it", here, "", (text,))
        taken = text.lower() in COMMANDS or (text.isdecimal() and action < own.first_amount)
        demand(not taken, "the text of an action is read as another one", here, "", (text,))
    legal_before = legal[:]
    shown, first = list(own.words.ordered(view, legal_before)), list(own.words.leading(view, legal_before))
    demand_equal(legal, legal_before, "ordering the actions changes the list of legal actions", place)
    demand(
        sorted(shown) == sorted(legal),
        "the actions shown to people (ordered) differ from the legal ones",
        place,
        "",
        (shown,),
    )
    wrong = len(set(first)) < len(first) or not set(first) <= set(legal)
    demand(not wrong, "the actions to number (leading) aren't all legal, or one appears twice", place, "", (first,))


def demand_refused(game: Game, view: View, place: Place) -> None:
    """Each mistyped input is refused with a line, or is a possible action."""
    for typed in MISTYPED:
        try:
            with raising_nothing(f"reading {typed[:10]!r}", place):
                action: Any = game.words.parse_action(view, typed)
        except Broken as broken:
            if not isinstance(broken.__cause__, NotationError):
                raise
            demand_line(str(broken.__cause__), f"the refusal of {typed[:10]!r}", place)
            continue
        is_action = type(action) is int and 0 <= action < game.actions
        demand(is_action, f"{typed[:10]!r} is read as something that isn't an action", place, "", (action,))


@check
def options_have_words(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every option has a question and explanations; the game's own options raise no objection."""
    place = Place(game)
    for what in ("title", "summary", "brief", "variant"):
        demand_line(getattr(game, what), f"the game's {what}", place)
    demand(game.rules_text.strip(), "the game has no rules for people", place)
    demand_line(game.words.SCORES, "SCORES", place)
    for row in game.words.HELP:
        demand(len(row) == 2, "a row of HELP isn't a pair: what can be typed, and what it means", place, "", (row,))
        for text in row:
            demand_line(text, "a text of HELP", place)
    with raising_nothing("objection", place):
        objection = game.words.objection(dict(game.options))
        demand(objection is None, "the game objects to its own options", place, "objection", (objection,))
    known = {option.name: option for option in game.words.OPTIONS}
    for name, ends in game.adjustable.items():
        demand(name in known, f"OPTIONS has no words for {name}, which people can choose", place)
        demand_line(known[name].ask, f"the question about {name}", place)
        values: Sequence[int] = sorted({*extremes(*ends), game.options[name]})
        for value in values:
            with raising_nothing(f"the sentence for {name}={value}", place):
                demand_line(known[name].sentence(value), f"the sentence for {name}={value}", place)
            with raising_nothing("objection", place):
                objects = game.words.objection({**game.options, name: value})
            if objects is not None:
                demand_line(objects, f"the objection to {name}={value}", place)
            demand_named(game, name, value, place)


def demand_named(game: Game, name: str, value: int, place: Place) -> None:
    """A game with other options is found by its name as records and saved games write it."""
    try:
        own = game.with_options(**{name: value})
    except NotationError:
        return
    with raising_nothing(f"finding the game {own.name}", place):
        named_game = find_game(own.name)
    demand_equal(dict(own.options), dict(named_game.options), f"{own.name} has the name of another game", place)


# Words exist for every position that covers the game. A strategy is asked again in another state of its information
# set, and must answer as before.


NONSENSE = ("", "?", "KS KS", "xyzzy", "9" * 5000, "\ud800", "b1>b1>b1", "1S")
ACTIONS_READ = 12
"""How many legal actions of a position are written and read back, including those at the ends."""
DECISIONS_ASKED = 16
"""In how many positions a strategy is asked, also in worlds that its seat cannot tell apart."""
STRATEGY_SECONDS = 0.1
"""In the others it is asked once, until it has taken this many seconds per degree of thoroughness."""


@check
def actions_read_as_they_are_written(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """``parse(text(action)) == action`` for legal actions, and nonsense is refused with NotationError."""
    random = Random(3)
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        if position.state.over:
            continue
        own, legal, place = position.game, position.legal, position.place
        view = own.view(position.state, position.state.player)
        for action in {legal[0], legal[-1], *random.sample(legal, min(ACTIONS_READ, len(legal)))}:
            here = place.at(seat=position.state.player, action=action)
            with raising_nothing("text, parse_action or label", here):
                words = own.text(view, action)
                demand_equal(own.parse(view, words), action, f"{words!r} isn't read back as it was written", here)
                demand(own.words.label(view, action), "an action has no label", here)
        for nonsense in NONSENSE if number % 4 == 0 else ():
            try:
                own.parse(view, nonsense)
            except NotationError:
                continue
            except Exception as error:
                here = place.at(seat=position.state.player)
                demand(False, f"reading {nonsense[:10]!r} raised {type(error).__name__}", here, "", (str(error),))
            demand(False, f"{nonsense[:10]!r} is read as an action", place)


@check
def every_position_has_words(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every position has a prompt for the seat to move, and every event a sentence for each seat that sees it."""
    for position in covering_positions(game, thorough, seed):
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
                        sentence = own.describe(notice.event, seat, names)
                        demand(
                            sentence.strip().endswith((".", "!")),
                            "this isn't a sentence",
                            here,
                            "describe",
                            (sentence,),
                        )


@check
def every_field_is_explained(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Each field of a view has a ``Doc``, which authors of player files read."""
    for field in layout_of(type(game.view(game.deal(0), 0))):
        demand(field.meaning, f"a view does not explain {field.name}: its annotation needs a Doc(...)", Place(game))


@check
def strategies_are_legal_and_blind(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """Every strategy answers with a legal action, changes nothing, and answers alike where its seat sees the same."""
    random = Random(4)
    decisions = [p for p in covering_positions(game, thorough, seed) if len(p.legal) > 1]
    some = decisions[:: max(1, len(decisions) // (DECISIONS_ASKED * thorough))]
    demand(some or seed is not None, "no position with a choice was met", Place(game))
    for name, strategy in game.strategies.items():
        demand(callable(strategy), f"the strategy {name} isn't a function", Place(game))
        for position in some:
            check_strategy(position, name, random)
        began = process_time()
        for position in decisions:
            if process_time() - began > STRATEGY_SECONDS * thorough:
                break
            strategy_answer(position, name, position.state)


def check_strategy(position: Position, name: str, random: Random) -> None:
    """Ask a strategy in a position, and again in a world that its seat cannot tell from it.

    Before each call, the events there are made and an action is tried: a strategy must not remember any of that.
    """
    game, state = position.game, position.state
    place = position.place.at(seat=state.player, action=None)
    answers = []
    for here in (state, *determinizations(position, state.player, random)):
        game.advance(here.copy(), position.legal[0])
        game.opening(here)
        answers.append(strategy_answer(position, name, here))
        if len(answers) == 2 and len(position.legal) > 60:
            break
    for answer in answers[1:]:
        sentence = f"the strategy {name} makes different choices from equal views: it knows something hidden"
        demand_equal(answers[0], answer, sentence, place)


def strategy_answer(position: Position, name: str, here: PlainState) -> int:
    """A strategy's answer in a position, or in a world that its seat cannot tell from it."""
    game, legal, seat = position.game, position.legal, position.state.player
    place = position.place.at(seat=seat, action=None)
    view, legal_copy, before = game.view(here, seat), legal[:], here.copy()
    with raising_nothing(f"the strategy {name}", place):
        answer = game.strategies[name](view, legal_copy, Random(5))
    right = type(answer) is int and answer in legal
    demand(right, f"the strategy {name} answers with an illegal action", place, "", (answer,))
    demand_equal(legal_copy, legal, f"the strategy {name} changes the list of legal actions", place)
    demand(here == before, f"the strategy {name} changes the position", place)
    return answer


CHECKS = (
    words_are_lines,
    options_have_words,
    actions_read_as_they_are_written,
    every_position_has_words,
    every_field_is_explained,
    strategies_are_legal_and_blind,
)
