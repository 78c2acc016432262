"""Sentences on how a game ended and on forfeits, and summaries of its hands or rounds.

A game announces each deal by a ``NewDeal`` event. In games that deal more than once, a hand or a round lasts from one
deal to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from kibitz.engine.forfeits import Forfeit
from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.scene import Row, Summary
from kibitz.engine.sentences import YOU, listed, names_for
from kibitz.engine.views.events import SPECTATOR, Event, NewDeal, Notice, Outcome, RoundOver, to_seat
from kibitz.table.table import Table


def status_text(record: AnyRecord, reader: int = SPECTATOR, preceding: str = "") -> str:
    """The ``result_text`` of a finished game; for an unfinished one, a sentence that names the players to move."""
    if isinstance(record, Record):
        return result_text(record, reader, preceding)
    waiting = Table.resume(record).waiting
    return f"The game is not finished: {listed([record.seats[seat] for seat in waiting])} to move."


def result_text(record: Record, reader: int = SPECTATOR, preceding: str = "", *, losses: bool = False) -> str:
    """The result of a game as text for people; the name of the seat that reads it is replaced by "You".

    ``preceding`` is the text that the reader saw just before: if it gives all the scores, they aren't repeated. If
    ``losses``, scores are given without the minus sign, as the table shows them.
    """
    return outcome_sentence(record.outcome, names_for(reader, record.seats), preceding, losses=losses)


def outcome_sentence(outcome: Outcome, names: Sequence[str], preceding: str = "", *, losses: bool = False) -> str:
    """An outcome as text, with ``names`` as the reader sees them; the other arguments are those of ``result_text``."""
    pairs = [(name, 0 - score if losses else score) for name, score in zip(names, outcome.scores, strict=True)]
    signs = (1, -1)  # the preceding sentence may give losses without their signs
    mentioned = any(all(mentions_score(preceding, name, sign * score + 0.0) for name, score in pairs) for sign in signs)
    scores = "" if mentioned else f"Result: {', '.join(map(score_text, pairs))}. "
    winners = listed([names[seat] for seat in outcome.winners])
    return f"{outcome.reason} {scores}{'Winners' if len(outcome.winners) > 1 else 'Winner'}: {winners}."


def latest_sentence(table: Table, reader: int = SPECTATOR) -> str:
    """The sentence for the last event of the latest step that the reader's seat sees; "" if it sees none."""
    events = to_seat(table.latest_notices, reader)
    return table.game.describe(events[-1], reader, names_for(reader, table.names)) if events else ""


def score_text(name_and_score: tuple[str, float]) -> str:
    """A name with its score, such as "Ann 12"."""
    name, score = name_and_score
    return f"{name} {score:g}"


def mentions_score(sentence: str, name: str, score: float) -> bool:
    """Whether a sentence mentions somebody's score.

    >>> mentions_score("The game is over: You +3 and Ada -12.", "Ada", -12.0)
    True
    >>> mentions_score("You +31 and Ada -12.", "You", 3.0)
    False
    """
    name_pattern = "[Yy]ou" if name == YOU else re.escape(name)
    return bool(re.search(rf"(?<!\w){name_pattern} \+?{re.escape(f'{score:g}')}(?![\d.]\d|\d)", sentence))


def forfeit_sentence(forfeit: Forfeit, names: Sequence[str]) -> str:
    """A forfeit as a sentence."""
    return f"{names[forfeit.seat]} is out of the game ({forfeit.kind}): {forfeit.sentence}"


def deals_again(notices: Sequence[Notice]) -> bool:
    """Whether a step, given its notices, ended a hand or round and dealt the next; undefined for the first deal."""
    return any(isinstance(notice.event, NewDeal) for notice in notices)


def closing_events(events: Sequence[Event]) -> list[Event]:
    """The events of a step before its ``NewDeal``; they belong to the hand or round that the step ends."""
    return list(takewhile(lambda event: not isinstance(event, NewDeal), events))


def event_sentences(
    game: Game, events: Sequence[Event], seat: int, names: Sequence[str]
) -> Iterator[tuple[Event, str]]:
    """The events of whole steps, each with its sentence for a seat; ``names`` are as the seat sees them.

    If the sentences on the end of a round and on the end of the game give the same scores, the first is left out.
    """
    sentences = [game.describe(event, seat, names) for event in events]
    for event, (sentence, following) in zip(events, pairwise([*sentences, ""]), strict=True):
        if not (isinstance(event, RoundOver) and sentence.partition(": ")[2] == following.partition(": ")[2]):
            yield event, sentence


def summary(game: Game, events: Sequence[Event], seat: int, names: Sequence[str]) -> Summary | None:
    """The summary of the hand or round that a step (not the first) ended; None if it didn't end one.

    ``events`` are those of the step that the seat sees. If the game doesn't define its own summary, the summary lists
    their sentences.
    """
    if not any(isinstance(event, NewDeal | RoundOver) for event in events):
        return None
    closing = closing_events(events)
    game_summary = game.scenes.summary
    if game_summary is not None:
        return game_summary(closing, seat, names)
    return Summary("This deal is over", tuple(Row(game.describe(event, seat, names)) for event in closing))


def new_deal_steps(table: Table, since: int = 0) -> Iterator[int]:
    """The steps after step ``since`` that deal a new hand or round."""
    return (step for step in range(since + 1, table.step + 1) if deals_again(table.notices(step)))
