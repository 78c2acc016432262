"""The contract fails on queries with side effects, answers that depend on other calls, and wrong results."""

import dataclasses
import itertools
import random as everybodys
import time
import types
import zlib

import msgspec
import pytest

from kibitz.engine.contract import Violation, consistency, kernel_checks, knowledge, positions, wording
from kibitz.engine.registry import game
from kibitz.engine.validation import unchecked
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import NotationError
from tests.contract.groups import marked
from tests.contract.planting import bit, planted, with_rules, with_words

ONE = pytest.mark.parametrize("played", [marked(game("eights-mini"))])
TWO = pytest.mark.parametrize("played", [marked(game("eights-mini")), marked(game("kuhn"))])


@ONE
def test_a_substitute_that_depends_on_the_generator_is_caught(played):
    def substitute(state):
        legal = played.legal(state)
        return legal[state.key[0] % len(legal)]

    with pytest.raises(Violation, match="played for it after a forfeit"):
        knowledge.nothing_hidden_leaks(with_rules(played, substitute=substitute))


@ONE
def test_a_refusal_that_depends_on_the_generator_is_caught(played):
    def refusal(state, action):
        reason = played.rules.refusal(state, action)
        return reason and 1 + (reason + state.key[0]) % (len(played.rules.Reason) - 1)

    with pytest.raises(Violation, match="by a refusal"):
        knowledge.nothing_hidden_leaks(with_rules(played, refusal=refusal))


@pytest.mark.parametrize("when", ["opening", "advance"])
@TWO
def test_events_that_depend_on_the_generator_are_caught(played, when):
    whole = unchecked(getattr(played, when))

    def told(state, *action):
        odd = state.key[2] & 1
        notices = whole(state, *action)
        return [*notices, notices[0]] if odd else notices

    with pytest.raises(Violation, match=r"an event that tells more|order in which seats get their events"):
        knowledge.nothing_hidden_leaks(planted(played, **{when: told}))


def changing(function):
    """A function of a state that secretly draws a random number."""

    def changed(state, *rest):
        answer = function(state, *rest)
        state.draws += 1
        return answer

    return changed


@pytest.mark.parametrize("name", ["view", "views", "opening", "result"])
@ONE
def test_a_view_function_that_changes_the_position_is_caught(played, name):
    with pytest.raises(Violation, match="changes the position") as caught:
        consistency.questions_change_nothing(planted(played, **{name: changing(unchecked(getattr(played, name)))}))
    assert caught.value.field == "draws"


@pytest.mark.parametrize("name", ["legal", "refusal", "substitute", "returns"])
@ONE
def test_a_rules_function_that_changes_the_position_is_caught(played, name):
    with pytest.raises(Violation, match="changes the position"):
        consistency.questions_change_nothing(with_rules(played, **{name: changing(getattr(played.rules, name))}))


@pytest.mark.parametrize(("field", "value"), [("seat", 0), ("player", 1), ("over", False)])
@TWO
def test_a_view_with_a_wrong_seat_player_or_end_is_caught(played, field, value):
    def view(state, seat):
        return msgspec.structs.replace(unchecked(played.view)(state, seat), **{field: value})

    def views(state):
        return tuple(view(state, seat) for seat in range(SPECTATOR, played.seats))

    with pytest.raises(Violation, match="a view has the wrong seat"):
        consistency.views_say_whose_they_are(planted(played, view=view, views=views))


def with_results(played, **fields):
    """A game whose results have some fields replaced, by functions of the true result and the seats that are out."""

    def result(state, out):
        true = unchecked(played.result)(state, out)
        return msgspec.structs.replace(true, **{name: change(true, out) for name, change in fields.items()})

    return planted(played, result=result)


WRONG = {
    "the winners aren't": {"winners": lambda true, out: true.winners[1:]},
    "a seat that is out": {"winners": lambda true, out: tuple({*true.winners, *out})},
    "the least": {"winners": lambda true, out: (true.scores.index(min(true.scores)),)},
    "other scores": {"scores": lambda true, out: tuple(score + 1 for score in true.scores)},
    "a score too few": {"scores": lambda true, out: true.scores[:-1]},
    "no reason": {"reason": lambda true, out: ""},
    "two lines": {"reason": lambda true, out: "It is over.\n! 2 time: fake."},
}


@pytest.mark.parametrize("fault", WRONG)
@ONE
def test_a_result_that_contradicts_the_scores_is_caught(played, fault):
    with pytest.raises(Violation, match=r"winners aren't|differ from what returns says|isn't a sentence"):
        consistency.results_follow_from_scores(with_results(played, **WRONG[fault]))


def test_a_tie_given_to_the_first_seat_is_caught():
    with pytest.raises(Violation, match="winners aren't those"):
        consistency.results_follow_from_scores(with_results(game("leduc"), winners=lambda true, out: true.winners[:1]))


@ONE
def test_a_result_that_raises_with_two_forfeits_is_caught(played):
    def result(state, out):
        return {0: 0, 1: 0}[len(out)] or unchecked(played.result)(state, out)

    with pytest.raises(Violation, match=r"result with \[0, 1\] out raised KeyError"):
        consistency.results_follow_from_scores(planted(played, result=result))


def test_a_result_that_leaks_after_a_forfeit_is_caught():
    played = game("cribbage-mini")

    def result(state, out):
        true = unchecked(played.result)(state, out)
        return msgspec.structs.replace(true, reason="It is over, so.") if out and bit(played, state) else true

    with pytest.raises(Violation, match="by the result"):
        consistency.results_follow_from_scores(planted(played, result=result))


@pytest.mark.parametrize("when", ["advance", "opening"])
@ONE
def test_a_strategy_that_reads_a_kept_state_is_caught(played, when):
    """Events are made before a strategy is asked, so a module that keeps the state knows everything."""
    kept, whole = [], unchecked(getattr(played, when))

    def told(state, *action):
        notices = whole(state, *action)
        kept[:] = [state]
        return notices

    def peeks(view, legal, random):
        return legal[bit(played, kept[0]) * (len(legal) - 1)] if kept else legal[0]

    with pytest.raises(Violation, match="it knows something hidden"):
        wording.strategies_are_legal_and_blind(planted(played, **{when: told}, strategies={"peeks": peeks}))


def seldom(view):
    """Whether a view is one of a few, chosen by hash."""
    return zlib.crc32(repr(view).encode()) % 12 == 0


STRATEGIES = {
    "seldom illegal": lambda view, legal, random: 10**6 if seldom(view) else legal[0],
    "seldom raising": lambda view, legal, random: legal[10**6 if seldom(view) else 0],
    "no whole number": lambda view, legal, random: float(legal[0]),
    "a truth": lambda view, legal, random: True if 1 in legal else legal[0],
    "by the clock": lambda view, legal, random: legal[int(time.time() * 1000) % len(legal)],
    "by everybody's lots": lambda view, legal, random: everybodys.choice(legal),
}


@pytest.mark.parametrize("fault", STRATEGIES)
@pytest.mark.parametrize("played", [marked(game("kuhn"))])
def test_a_rarely_faulty_strategy_is_caught(played, fault):
    with pytest.raises(Violation, match=r"illegal action|raised IndexError|something hidden"):
        wording.strategies_are_legal_and_blind(planted(played, strategies={"faulty": STRATEGIES[fault]}))


def leaving(played, when, **changed):
    """A game in which a function keeps the last state that it saw, and words leak it."""
    kept, whole = [], unchecked(getattr(played, when))

    def told(state, *rest):
        kept[:] = [state.copy()]
        return whole(state, *rest)

    def tells(function):
        return lambda *given: f"{function(*given)[:-1]}{'?!'[bit(played, kept[0])]}" if kept else function(*given)

    words = dataclasses.replace(played.words, **{name: tells(getattr(played.words, name)) for name in changed})
    return planted(played, **{when: told}, words=words)


@pytest.mark.parametrize("word", ["prompt", "label", "describe"])
@pytest.mark.parametrize("when", ["view", "advance"])
@ONE
def test_words_that_depend_on_a_kept_state_are_caught(played, word, when, monkeypatch):
    in_this_process(monkeypatch, faulty := leaving(played, when, **{word: True}))
    with pytest.raises(Violation, match="after other calls"):
        consistency.other_processes_give_the_same_answers(faulty)


def in_this_process(monkeypatch, faulty):
    """Answer questions to another process in this one, with the same faulty game."""

    def elsewhere(given):
        options = {position.game.name: position.game for position in positions.covering_positions(faulty)}
        return consistency.position_texts(given, options.__getitem__)

    monkeypatch.setattr(consistency, "answers_elsewhere", elsewhere)


@pytest.mark.parametrize("fault", ["counted", "kept"])
def test_words_that_depend_on_earlier_calls_are_caught(fault, monkeypatch):
    played = game("eights-mini")
    numbers, kept = itertools.count(), {}
    prompts = {
        "counted": lambda view: f"{played.words.prompt(view)} {next(numbers) // 50}",
        "kept": lambda view: kept.setdefault(view.seat, played.words.prompt(view)),
    }
    faulty = with_words(played, prompt=prompts[fault])
    in_this_process(monkeypatch, faulty)
    monkeypatch.setattr(consistency, "answers_elsewhere", forgetting(kept, consistency.answers_elsewhere))
    with pytest.raises(Violation, match="the prompt is different in another process"):
        consistency.other_processes_give_the_same_answers(faulty)


def forgetting(kept, elsewhere):
    """Clear what is kept first, as in a new process."""

    def asked(given):
        kept.clear()
        return elsewhere(given)

    return asked


@ONE
def test_a_rejection_that_keeps_half_a_deal_is_caught_early(played):
    def resample(state, seat):
        state.hand[1 - max(0, seat)] = 0
        return False

    half, draws = with_rules(played, resample=resample), []
    with pytest.raises(Violation, match="left the seat with another view"):
        knowledge.imagination_fits_the_view(half)
    with pytest.raises(TypeError, match=r"counts at .*: it must undo what it drew"):
        with_rules(played, resample=lambda *asked: draws.append(asked) or resample(*asked)).imagine(
            played.view(played.deal(1), 0), 1
        )
    assert len(draws) < 2000


@ONE
def test_a_resample_that_always_rejects_is_caught_and_does_not_hang(played):
    never = with_rules(played, resample=lambda state, seat: False)
    with pytest.raises(Violation, match="which is too slow"):
        knowledge.imagination_fits_the_view(never)
    with pytest.raises(NotationError, match="no position fits this view"):
        never.imagine(played.view(played.deal(1), 0), 1)


@ONE
def test_a_game_without_an_end_does_not_hang(played):
    knowledge.imagination_fits_the_view(with_rules(played, apply=lambda state, action: None))


@pytest.mark.parametrize("word", range(4))
def test_an_unused_word_of_the_seed_is_caught(word):
    played = game("eights-mini")

    def deal(state, *words):
        played.rules.deal(state, *(0 if at == word else value for at, value in enumerate(words)))

    rules = types.SimpleNamespace(**{**vars(played.rules), "deal": deal})
    with pytest.raises(Violation, match=rf"word {word} of a seed has no effect|64 seeds give only"):
        kernel_checks.seeds_determine_games(planted(played, rules=rules))
