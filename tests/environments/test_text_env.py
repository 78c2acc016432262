"""Games as text: observations, answers and feedback."""

import json
from random import Random

import pytest

from kibitz.engine.registry import all_games
from kibitz.environments import text
from kibitz.environments.text_env import MAX_CHARACTERS
from kibitz.errors import NotationError, RuleError, SeatError
from tests.tiers import tiered

NAMES = [each.name for each in all_games()]


def choices(observation):
    """The answers that an observation lists."""
    return [part.partition("]")[0] for part in observation.rpartition("\n\n")[2].split("[")[1:]]


@pytest.mark.parametrize("name", tiered(NAMES))
def test_every_game_can_be_played_from_its_observations(name):
    env, random = text(name), Random(name)
    env.reset(seed=6)
    for _ in range(25):
        if env.over:
            break
        seat = env.seat
        told = env.observation()
        answers = choices(told)
        assert answers, told
        feedback = env.step(f"I have thought about it.\nAction: [{random.choice(answers)}]")
        assert feedback.accepted, feedback
        assert feedback.sentence.endswith((".", "!"))
        assert seat in env.seats
    assert json.dumps(env.chat(0))


def test_a_whole_game_ends_with_its_result():
    env = text("go-mini", seats=(1,), players="greedy")
    env.reset(seed=2)
    while not env.over:
        assert env.waiting == (1,)
        env.step(choices(env.observation())[0])
    told = env.observation(1)
    assert "All cards are grouped. Scores: Seat 0" in told
    assert sum(env.payoffs()) == 0
    with pytest.raises(RuleError, match="The game is over: reset"):
        env.step("pass")


@pytest.mark.parametrize(
    "answer",
    [
        "bet 1",
        "[bet 1]",
        "I could check, but no: `bet 1`",
        "Answer: bet 1",
        "Let me think.\nHe may hold the queen.\nbet 1",
        "  BET   1 ",
        "x" * MAX_CHARACTERS + "\n[bet 1]",
    ],
)
def test_answers_are_free_text(answer):
    env = text("kuhn")
    env.reset(seed=3)
    feedback = env.step(answer)
    assert feedback.accepted
    assert feedback.sentence.endswith("You hold K♠. You bet 1 all in.")


def test_a_refused_answer_gets_the_reason_and_tries_left():
    env = text("president-mini", tries=3)
    env.reset(seed=4)
    first = env.step("[pass]")
    assert (first.accepted, first.tries_left) == (False, 2)
    assert first.sentence.startswith("'pass' is not allowed: You lead, so you can't pass: play anything")
    assert first.sentence.endswith("2 tries are left.")
    second = env.step("")
    assert second.sentence == "The answer is empty: answer with an action. 1 try is left."
    third = env.step("the moon")
    assert third.sentence.endswith("That was the last try: you forfeit, and the computer plays on for you.")
    assert env.table.forfeited == {0}
    assert env.seat != 0
    assert "moon" not in env.observation(1)


def test_an_accepted_answer_resets_the_tries():
    env = text("go-mini", tries=2)
    env.reset(seed=1)
    for _ in range(3):
        for seat in env.waiting:
            assert env.step("no such card", seat).tries_left == 1
            assert env.step(choices(env.observation(seat))[0], seat).accepted


def test_tries_can_be_unlimited():
    env = text("kuhn", tries=None)
    env.reset(seed=1)
    for _ in range(50):
        assert env.step("the moon")[0::2] == (False, None)
    assert not env.table.forfeited


def test_a_seat_reads_new_events_once_and_no_hidden_cards():
    env = text("kuhn")
    env.reset(seed=3)
    first = env.observation(0)
    assert "You hold K♠" in first
    assert "You hold" not in env.observation(0).partition("\n\n")[0]
    assert "K♠" not in env.observation(1)
    env.step("check")
    assert "Seat 0 checks" in env.observation(1)
    heard = env.chat(0)
    assert [message["role"] for message in heard] == ["user", "assistant", "user"]
    assert heard[1]["content"] == "check"
    assert all("Q♠" not in message["content"] and "J♠" not in message["content"] for message in heard)
    assert [entry.kind for entry in env.transcript] == ["told", "told", "told", "said", "feedback", "told"]


def test_simultaneous_choices_are_accepted_in_any_order():
    env = text("go-mini")
    env.reset(seed=1)
    assert env.waiting == (0, 1)
    assert env.step(choices(env.observation(1))[0], 1).sentence == "Your choice is made; others are still to choose."
    assert env.waiting == (0,)
    with pytest.raises(SeatError, match="Seat 1 isn't to act; seat 0 is"):
        env.step("2S", 1)


def test_a_seed_determines_the_game():
    observations = []
    for _ in range(2):
        env = text("bo", seats=(0,), players="random")
        env.reset(seed=9)
        env.reset()
        observations.append(env.observation())
    assert observations[0] == observations[1]


def test_the_rules_can_be_read():
    assert "Kuhn" in text("kuhn").rules


def test_invalid_arguments_are_refused_with_the_reason():
    with pytest.raises(NotationError, match="Unknown game"):
        text("gogo")
    with pytest.raises(NotationError, match="tries must be 1 or more"):
        text("go", tries=0)
    with pytest.raises(SeatError, match="seats must be some of 0 to 3"):
        text("go", seats=(4,))
    env = text("go", seats=(1,))
    with pytest.raises(RuleError, match="call reset"):
        env.observation()
    env.reset(seed=1)
    with pytest.raises(SeatError, match="seat must be one of 1, not 0"):
        env.observation(0)
    with pytest.raises(NotationError, match="words must be a string, not 7"):
        env.step(7)
