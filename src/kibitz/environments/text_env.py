"""Games in words, for language models and people.

    observation     the text for a seat: what has happened since its last one, the table, the question, and the possible
                    answers
    step(words)     carries out the seat's answer, which is free text, and returns feedback: a sentence on the result
    refusal         a sentence on why an answer can't be read or isn't allowed now. A seat has ``tries`` answers in a
                    turn; if the last is refused, it forfeits, and the computer plays on for it
    transcript      all of this in order, with the seat of each entry; ``chat(seat)`` is one seat's part, as messages

Nothing here calls a model: your code shows it ``observation()`` and hands its answer to ``step``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from kibitz.cards import short_repr
from kibitz.engine.game import Game
from kibitz.engine.registry import game_of
from kibitz.engine.sentences import as_sentence, counted, listed, names_for
from kibitz.engine.validation import check_number
from kibitz.engine.views.events import View
from kibitz.environments.conventions import payoffs_of
from kibitz.environments.other_seats import Opponents, opponents_of
from kibitz.environments.rendering import default_names, lines_of
from kibitz.environments.stepping import NOT_STARTED, Seeds
from kibitz.errors import NotationError, RuleError, SeatError
from kibitz.table import Table

MAX_LISTED = 40
"""The maximum number of choices that are listed; if there are more, the game chooses the main ones."""
MAX_CHARACTERS = 20_000
"""Only the last characters of an answer, at most this many, are read."""
BRACKETED = re.compile(r"\[([^\[\]\n]+)\]|`([^`\n]+)`")
LABELLED = re.compile(r"(?:action|answer|move)\s*:\s*(.+)", re.IGNORECASE)


class TranscriptEntry(msgspec.Struct, frozen=True):
    """One entry of a transcript: what a seat was ``told``, what it ``said``, or the ``feedback`` on that."""

    seat: int
    kind: Literal["told", "said", "feedback"]
    text: str


class Feedback(NamedTuple):
    """Whether an answer was carried out, a sentence about it, and how many tries are left (None: no limit)."""

    accepted: bool
    sentence: str
    tries_left: int | None


class TextEnv:
    """One game after another, in words.

    game        a game or its name, with options after a colon: ``"bo:players=3"``
    seats       the seats that answer here; None: all.  ``players`` play the others (see ``kibitz.environments.single``)
    tries       how many answers a seat has in one turn before it forfeits; None: as many as it likes

    >>> env = text("kuhn", seats=(0,), players="caller")
    >>> env.reset(seed=3)
    >>> print(env.observation().splitlines()[-1])
    Answer with one of these, in brackets: [check], [bet 1].
    >>> env.step("I raise to a million.").accepted
    False
    >>> env.step("My king is good. [bet 1]").sentence
    'You bet 1 all in.'
    >>> env.payoffs()
    (2.0, -2.0)
    """

    def __init__(
        self, game: Game | str, seats: tuple[int, ...] | None = None, players: Any = None, *, tries: int | None = 3
    ) -> None:
        self.game = game_of(game)
        self.seats = tuple(range(self.game.seats)) if seats is None else tuple(seats)
        if not self.seats or any(seat not in range(self.game.seats) for seat in self.seats):
            raise SeatError(f"seats must be some of 0 to {self.game.seats - 1}, not {short_repr(seats)}.")
        if tries is not None and check_number("tries", tries) < 1:
            raise NotationError(f"tries must be 1 or more, or None for any number, not {short_repr(tries)}.")
        self.tries, self.names = tries, default_names(self.game)
        self.specs = opponents_of(self.game, self.seats, players)
        self.seeds = Seeds()
        self.transcript: list[TranscriptEntry] = []
        self._table: Table | None = None

    # ---------------------------------------------------------------- the course of a game

    def reset(self, seed: int | None = None) -> None:
        """Deal; ``seed`` deals the same game as everywhere in Kibitz, and determines all later games."""
        self._table = Table.deal(self.game, self.seeds.next(seed), self.names)
        self.transcript, self.events_told = [], dict.fromkeys(self.seats, 0)
        self.failures = dict.fromkeys(self.seats, 0)
        self.others = Opponents(self._table, self.specs)
        self.others.play_on()

    @property
    def table(self) -> Table:
        """The current game. Raises RuleError before ``reset``."""
        if self._table is None:
            raise RuleError(NOT_STARTED)
        return self._table

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.over

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose answers are awaited; several if seats choose at once."""
        return tuple(seat for seat in self.table.waiting if seat in self.seats)

    @property
    def seat(self) -> int:
        """The seat whose answer is awaited, or the first of several. Raises RuleError once the game is over."""
        if self.over:
            raise RuleError("The game is over: reset() deals a new one.")
        return self.waiting[0]

    @property
    def rules(self) -> str:
        """The rules of the game, as text for people."""
        return self.game.rules_text

    def payoffs(self) -> tuple[float, ...]:
        """The payoffs by seat; zeros before the end."""
        table = self.table
        return (
            payoffs_of(self.game, table.state(), "zero_sum", table.forfeited)
            if table.over
            else (0.0,) * self.game.seats
        )

    # ---------------------------------------------------------------- observations

    def observation(self, seat: int | None = None) -> str:
        """The text for a seat now: new events, the table, and, if it is to act, the question and possible answers."""
        seat = self.check_own_seat(seat)
        view = self.table.view(seat)
        parts = [
            " ".join(self.new_sentences(seat)),
            "\n".join(lines_of(self.game, view, self.names)),
            self.closing_text(seat, view),
        ]
        text = "\n\n".join(part for part in parts if part)
        self.transcript.append(TranscriptEntry(seat, "told", text))
        return text

    def new_sentences(self, seat: int) -> Iterator[str]:
        """A sentence for every event that the seat has not been told yet."""
        names = names_for(seat, self.names)
        events = self.table.events(seat, self.events_told[seat])
        self.events_told[seat] += len(events)
        for event in events:
            yield self.game.describe(event, seat, names)

    def closing_text(self, seat: int, view: View) -> str:
        """The end of an observation: the possible answers, or how the game has ended."""
        outcome = self.table.outcome
        if outcome:
            names = names_for(seat, self.names)
            scores = listed([f"{name} {score:g}" for name, score in zip(names, outcome.scores, strict=True)])
            winners = listed([names[seat] for seat in outcome.winners])
            return f"{as_sentence(outcome.reason)} Scores: {scores}. Won by: {winners}."
        return self.choices(seat, view) if seat in self.waiting else ""

    def choices(self, seat: int, view: View) -> str:
        """The possible answers of a seat."""
        legal = self.table.legal(seat)
        main_actions = legal if len(legal) <= MAX_LISTED else self.game.words.main_actions(view, legal) or legal
        texts = [f"[{self.game.text(view, action)}]" for action in main_actions[:MAX_LISTED]]
        unlisted = len(legal) - len(texts)
        other_actions = [f"or {counted(unlisted, 'other action')} written in the same way"] if unlisted else []
        amounts = [action for action in legal if action >= self.game.first_amount]
        other_amounts = ["any amount in between"] if len(amounts) > 1 else []
        return f"Answer with one of these, in brackets: {', '.join([*texts, *other_amounts, *other_actions])}."

    # ---------------------------------------------------------------- answers

    def step(self, words: str, seat: int | None = None) -> Feedback:
        """Carry out a seat's answer, and then let players act until another answer is awaited.

        Raises SeatError if no answer of the seat is awaited, RuleError once the game is over. A refused answer isn't an
        error.
        """
        seat = self.check_waiting_seat(seat)
        self.transcript.append(TranscriptEntry(seat, "said", str(words)))
        action_or_refusal = self.parse_answer(seat, words)
        if isinstance(action_or_refusal, str):
            feedback = self.refuse(seat, action_or_refusal)
        else:
            self.failures[seat] = 0
            self.table.act(seat, action_or_refusal)
            sentences = " ".join(self.new_sentences(seat))
            feedback = Feedback(True, sentences or "Your choice is made; others are still to choose.", self.tries)
        self.transcript.append(TranscriptEntry(seat, "feedback", feedback.sentence))
        self.others.play_on()
        return feedback

    def parse_answer(self, seat: int, words: object) -> int | str:
        """The legal action that an answer means, or the sentence that refuses it."""
        view, first_refusal = self.table.view(seat), ""
        for part in possible_actions(words):
            try:
                action = self.game.parse(view, part)
            except NotationError as error:
                first_refusal = first_refusal or as_sentence(str(error))
                continue
            sentence = self.table.why_not(seat, action)
            if sentence is None:
                return action
            return as_sentence(f"{short_repr(part)} is not allowed: {sentence}")
        return first_refusal or "The answer is empty: answer with an action."

    def refuse(self, seat: int, why: str) -> Feedback:
        """Refuse an answer and count it; if it was the last try, the seat forfeits."""
        self.failures[seat] += 1
        if self.tries is None:
            return Feedback(False, f"{why} Try again.", None)
        tries_left = self.tries - self.failures[seat]
        if tries_left:
            return Feedback(False, f"{why} {counted(tries_left, 'try is', 'tries are')} left.", tries_left)
        self.table.forfeit(seat, "illegal", why)
        return Feedback(False, f"{why} That was the last try: you forfeit, and the computer plays on for you.", 0)

    def check_own_seat(self, seat: int | None) -> int:
        """Check a seat of this environment; the default is the seat whose answer is awaited."""
        if seat is None:
            return self.seats[0] if self.over else self.seat
        if seat not in self.seats:
            raise SeatError(f"seat must be one of {', '.join(map(str, self.seats))}, not {short_repr(seat)}.")
        return seat

    def check_waiting_seat(self, seat: int | None) -> int:
        """Check that an answer of a seat is awaited. Raises SeatError if not, RuleError once the game is over."""
        first, seat = self.seat, self.check_own_seat(seat)
        if seat not in self.waiting:
            raise SeatError(f"Seat {seat} isn't to act; seat {first} is.")
        return seat

    # ---------------------------------------------------------------- transcripts

    def chat(self, seat: int) -> list[dict[str, str]]:
        """What one seat was told and what it said, as messages of a ``user`` and an ``assistant``."""
        roles = {"told": "user", "said": "assistant", "feedback": "user"}
        messages: list[dict[str, str]] = []
        for entry in self.transcript:
            if entry.seat != self.check_own_seat(seat):
                continue
            role = roles[entry.kind]
            if messages and messages[-1]["role"] == role:
                messages[-1]["content"] += f"\n\n{entry.text}"
            else:
                messages.append({"role": role, "content": entry.text})
        return messages


def possible_actions(words: object) -> Iterator[str]:
    r"""The parts of an answer that may be the action: in brackets, after "action:", all of it, the last line.

    >>> list(possible_actions("I keep the king.\nAction: [7H]"))
    ['7H', '[7H]', 'I keep the king.\nAction: [7H]', 'Action: [7H]']
    """
    if not isinstance(words, str):
        raise NotationError(f"words must be a string, not {short_repr(words)}.")
    text = words.strip()[-MAX_CHARACTERS:]
    if not text:
        return
    yield from (bracketed or quoted for bracketed, quoted in reversed(BRACKETED.findall(text)))
    yield from (part.strip() for part in reversed(LABELLED.findall(text)))
    yield text
    if "\n" in text:
        yield text.splitlines()[-1].strip()


text = TextEnv
