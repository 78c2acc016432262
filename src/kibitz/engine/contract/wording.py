"""Checks of words and strategies: printable texts that can be read back, and strategies that are legal and blind.

line        a printable text: no line breaks, no control characters, no blanks at its ends
names       two lists of names for the same seats: sentences must be the same except for the names
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from kibitz.engine.contract.checking import Place, Violation, check, demand, demand_equal, observers, raising_nothing
from kibitz.engine.contract.knowledge import determinizations
from kibitz.engine.contract.positions import LinePosition, covering_positions, extremes
from kibitz.engine.game import Game
from kibitz.engine.layout import PlainState
from kibitz.engine.registry import game as find_game
from kibitz.engine.views.events import View, encoded
from kibitz.engine.views.plain import layout_of
from kibitz.engine.words import COMMANDS
from kibitz.errors import NotationError

MAX_LENGTH = 2000
"""The maximum number of characters of a line."""
POSITIONS_ASKED = 100
"""In about how many positions prompts and choices are checked, per degree of thoroughness."""
ACTIONS_LISTED = 60
"""How many actions of a position are put into words, including those at the ends."""
SEPARATORS = (" ; ", "! ")
"""An action's text may not contain the first or begin with the second, because they have a meaning in records."""
MISTYPED = ("7", "0", "-1", "999", "٣", "\x1b[2J", "a\nb", " \t ", "ＡＳ", "A" * 300, "1e3", "None", "; 1", "! 1")
"""Mistyped inputs: each is refused in a line, or read as a possible action."""


def demand_line(text: object, what: str, place: Place, *, empty: bool = False) -> None:
    """Raise Violation unless a text is a line."""
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
    interval = max(1, len(positions) // (POSITIONS_ASKED * thorough))
    for number, position in enumerate(positions):
        position_game, state = position.game, position.state
        with raising_nothing("the game's words", position.place):
            check_sentences(position, number)
        if number % interval == 0 and not state.over:
            view = position_game.view(state, state.player)
            demand_line(position_game.words.prompt(view), "a prompt", position.place.at(action=None))
            demand_choices(position, view)
            if number // interval % 4 == 0:
                demand_refused(position_game, view, position.place.at(seat=state.player, action=None))


def check_sentences(position: LinePosition, number: int) -> None:
    """Demand that sentences, and the scene of every third position, are the same for two lists of names otherwise."""
    position_game, state = position.game, position.state
    names, other_names = (
        [f"Zaphod{p}" for p in range(position_game.seats)],
        [f"Trillian{p}" for p in range(position_game.seats)],
    )
    notices = [] if position.actions else position_game.opening(state)
    notices += [] if position.action is None else position_game.advance(state.copy(), position.action)
    sentence = "with other names, the sentence differs"
    for notice in notices:
        for seat in observers(position_game):
            if notice.reaches(seat):
                text, other_text = (
                    position_game.describe(notice.event, seat, names),
                    position_game.describe(notice.event, seat, other_names),
                )
                here = position.place.at(seat=seat)
                demand_line(text, "a sentence", here)
                demand_equal(text.replace("Zaphod", "Trillian"), other_text, sentence, here)
    if number % 3:
        return
    everybody = observers(position_game)
    seat = everybody[number % len(everybody)]
    view = position_game.view(state, seat)
    text, other_text = (encoded(position_game.scene(view, each)).decode() for each in (names, other_names))
    demand_equal(text.replace("Zaphod", "Trillian"), other_text, sentence, position.place.at(seat=seat, action=None))


def demand_choices(position: LinePosition, view: View) -> None:
    """Check the labels and texts of actions, and the lists of those shown to people."""
    position_game, legal, place = position.game, position.legal, position.place
    for action in {*legal[: ACTIONS_LISTED // 2], *legal[-ACTIONS_LISTED // 2 :]}:
        here, text = place.at(action=action), position_game.text(view, action)
        demand_line(position_game.words.label(view, action), "a label", here)
        demand_line(text, "the text of an action", here)
        has_separator = SEPARATORS[0] in f"{text} " or text.startswith(SEPARATORS[1])
        demand(not has_separator, "the text of an action has a separator of records in it", here, "", (text,))
        is_ambiguous = text.lower() in COMMANDS or (text.isdecimal() and action < position_game.first_amount)
        demand(not is_ambiguous, "the text of an action is read as another one", here, "", (text,))
    legal_before = legal[:]
    ordered = list(position_game.words.ordered(view, legal_before))
    main_actions = list(position_game.words.main_actions(view, legal_before))
    demand_equal(legal, legal_before, "ordering the actions changes the list of legal actions", place)
    differs = "the actions shown to people (ordered) differ from the legal ones"
    demand(sorted(ordered) == sorted(legal), differs, place, "", (ordered,))
    wrong = len(set(main_actions)) < len(main_actions) or not set(main_actions) <= set(legal)
    demand(not wrong, "main_actions has an illegal action, or one twice", place, "", (main_actions,))


def demand_refused(game: Game, view: View, place: Place) -> None:
    """Each mistyped input is refused with a line, or is a possible action."""
    for typed in MISTYPED:
        try:
            with raising_nothing(f"reading {typed[:10]!r}", place):
                action: Any = game.words.parse_action(view, typed)
        except Violation as broken:
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
    for attribute in ("title", "summary", "rules_summary", "variant"):
        demand_line(getattr(game, attribute), f"the game's {attribute}", place)
    demand(game.rules_text.strip(), "the game has no rules for people", place)
    demand_line(game.words.SCORE_LABEL, "SCORE_LABEL", place)
    for row in game.words.HELP:
        demand(len(row) == 2, "a row of HELP isn't a pair: what can be typed, and what it means", place, "", (row,))
        for text in row:
            demand_line(text, "a text of HELP", place)
    with raising_nothing("objection", place):
        objection = game.words.objection(dict(game.options))
        demand(objection is None, "the game objects to its own options", place, "objection", (objection,))
    options = {option.name: option for option in game.words.OPTIONS}
    for name, ends in game.option_ranges.items():
        demand(name in options, f"OPTIONS has no words for {name}, which people can choose", place)
        demand_line(options[name].ask, f"the question about {name}", place)
        values: Sequence[int] = sorted({*extremes(*ends), game.options[name]})
        for value in values:
            with raising_nothing(f"the sentence for {name}={value}", place):
                demand_line(options[name].sentence(value), f"the sentence for {name}={value}", place)
            with raising_nothing("objection", place):
                objection_to_value = game.words.objection({**game.options, name: value})
            if objection_to_value is not None:
                demand_line(objection_to_value, f"the objection to {name}={value}", place)
            demand_named(game, name, value, place)


def demand_named(game: Game, name: str, value: int, place: Place) -> None:
    """Demand that a game with another option is found by the name that records and saved games give it."""
    try:
        game_with_options = game.with_options(**{name: value})
    except NotationError:
        return
    with raising_nothing(f"finding the game {game_with_options.name}", place):
        named_game = find_game(game_with_options.name)
    demand_equal(
        dict(game_with_options.options),
        dict(named_game.options),
        f"{game_with_options.name} has the name of another game",
        place,
    )


# Checks that words exist for every position that covers the game, and that a strategy answers alike in all states of an
# information set.


NONSENSE = ("", "?", "KS KS", "xyzzy", "9" * 5000, "\ud800", "b1>b1>b1", "1S")
ACTIONS_READ = 12
"""How many legal actions of a position are written and read back, including those at the ends."""
DECISIONS_ASKED = 16
"""In how many positions a strategy is asked again in determinizations that its seat cannot tell apart."""
STRATEGY_SECONDS = 0.1
"""It is asked once in the other positions, for at most this many seconds per degree of thoroughness."""


@check
def actions_read_as_they_are_written(game: Game, thorough: int = 1, seed: int | None = None) -> None:
    """``parse(text(action)) == action`` for legal actions, and nonsense is refused with NotationError."""
    random = Random(3)
    for number, position in enumerate(covering_positions(game, thorough, seed)):
        if position.state.over:
            continue
        position_game, legal, place = position.game, position.legal, position.place
        view = position_game.view(position.state, position.state.player)
        for action in {legal[0], legal[-1], *random.sample(legal, min(ACTIONS_READ, len(legal)))}:
            here = place.at(seat=position.state.player, action=action)
            with raising_nothing("text, parse_action or label", here):
                words = position_game.text(view, action)
                demand_equal(
                    position_game.parse(view, words), action, f"{words!r} isn't read back as it was written", here
                )
                demand(position_game.words.label(view, action), "an action has no label", here)
        for nonsense in NONSENSE if number % 4 == 0 else ():
            try:
                position_game.parse(view, nonsense)
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
        position_game, state = position.game, position.state
        names = [f"P{p}" for p in range(position_game.seats)]
        notices = [] if position.actions else position_game.opening(state)
        notices += [] if position.action is None else position_game.advance(state.copy(), position.action)
        for seat in observers(position_game):
            here = position.place.at(seat=seat)
            with raising_nothing("prompt or describe", here):
                if seat == state.player and not state.over:
                    demand(
                        position_game.words.prompt(position_game.view(state, seat)).strip(),
                        "a prompt says nothing",
                        here,
                    )
                for notice in notices:
                    if notice.reaches(seat):
                        sentence = position_game.describe(notice.event, seat, names)
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
    chosen_decisions = decisions[:: max(1, len(decisions) // (DECISIONS_ASKED * thorough))]
    demand(chosen_decisions or seed is not None, "no position with a choice was met", Place(game))
    for name, strategy in game.strategies.items():
        demand(callable(strategy), f"the strategy {name} isn't a function", Place(game))
        for position in chosen_decisions:
            check_strategy(position, name, random)
        started = process_time()
        for position in decisions:
            if process_time() - started > STRATEGY_SECONDS * thorough:
                break
            strategy_answer(position, name, position.state)


def check_strategy(position: LinePosition, name: str, random: Random) -> None:
    """Ask a strategy in a position, and again in a determinization that its seat cannot tell from it.

    Before each call, an action is played and the opening's events are made there: a strategy must not notice.
    """
    game, state = position.game, position.state
    place = position.place.at(seat=state.player, action=None)
    answers = []
    for candidate in (state, *determinizations(position, state.player, random)):
        game.advance(candidate.copy(), position.legal[0])
        game.opening(candidate)
        answers.append(strategy_answer(position, name, candidate))
        if len(answers) == 2 and len(position.legal) > 60:
            break
    for answer in answers[1:]:
        sentence = f"the strategy {name} makes different choices from equal views: it knows something hidden"
        demand_equal(answers[0], answer, sentence, place)


def strategy_answer(position: LinePosition, name: str, candidate: PlainState) -> int:
    """A strategy's answer in a position, or in a determinization that its seat cannot tell from it."""
    game, legal, seat = position.game, position.legal, position.state.player
    place = position.place.at(seat=seat, action=None)
    view, legal_copy, before = game.view(candidate, seat), legal[:], candidate.copy()
    with raising_nothing(f"the strategy {name}", place):
        answer = game.strategies[name](view, legal_copy, Random(5))
    is_legal = type(answer) is int and answer in legal
    demand(is_legal, f"the strategy {name} answers with an illegal action", place, "", (answer,))
    demand_equal(legal_copy, legal, f"the strategy {name} changes the list of legal actions", place)
    demand(candidate == before, f"the strategy {name} changes the position", place)
    return answer


CHECKS = (
    words_are_lines,
    options_have_words,
    actions_read_as_they_are_written,
    every_position_has_words,
    every_field_is_explained,
    strategies_are_legal_and_blind,
)
