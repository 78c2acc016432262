"""Asks a player file again for every decision of a finished game.

    reply       a file's reply to one decision: the call, the return value, the output, and the error if there was one

The recorded moves stand, whatever the file replies; a reply says where the file would choose differently now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from kibitz.engine.record import AnyRecord, Record, UnfinishedRecord
from kibitz.engine.views.events import View
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.file_player import FilePlayer, Printed
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.match import player_seed

MAX_TEXT = 4000
"""The maximum number of characters that are kept of a call, of what it returned, and of its output."""


class Reply(msgspec.Struct, frozen=True):
    """A call of a file after ``step`` actions, with its result.

    call        the call as Python source; empty for the load
    returned    its return value as Python source
    printed     its output
    chosen      the file's choice now, in words, if it differs from the recorded one
    failure     why the call failed, in a sentence
    """

    step: int
    seat: int
    call: str
    returned: str
    printed: str
    chosen: str = ""
    failure: str = ""


def replay_player(
    record: Record, seat: int, spec: PlayerSpec, progress: Callable[[int], object] = lambda step: None
) -> Iterator[Reply]:
    """A player file's reply to each decision that it is asked for; ``progress(step)`` is called before each.

    A decision that an earlier return value already covers, such as the rest of a turn returned at once, yields no
    reply. Raises NotationError if the player isn't a file, MachineError if it can't be run.
    """
    player = spec.make()
    if not isinstance(player, FilePlayer):
        raise NotationError(f"{spec.name} is not a player file.")
    replay = PlayerReplay(Table.resume(before_failure(record, seat)), seat, player)
    try:
        yield from replay.replies(progress)
    finally:
        player.end(None)


def before_failure(record: Record, seat: int) -> AnyRecord:
    """The game before a seat's failure; the whole game if the seat has not failed."""
    index = next((number for number, forfeit in enumerate(record.forfeits) if forfeit.seat == seat), None)
    if index is None:
        return record
    actions, forfeits = record.actions[: record.forfeits[index].moves], record.forfeits[:index]
    return UnfinishedRecord(record.game, record.rules, record.seats, record.seed, actions, forfeits)


class PlayerReplay:
    """A player file that runs through its game again."""

    def __init__(self, table: Table, seat: int, player: FilePlayer) -> None:
        self.table, self.seat, self.player = table, seat, player
        self.events_seen = 0
        self.prints: list[Printed] = []
        player.printed = self.prints

    def replies(self, progress: Callable[[int], object]) -> Iterator[Reply]:
        """The file's replies, from loading it to its last choice or its failure."""
        table, seat = self.table, self.seat
        try:
            self.player.start(table.game, seat, player_seed(table.seed, seat))
        except PlayerError as error:
            yield Reply(0, seat, "", "", self.new_output(), failure=failure_text(error))
            return
        if output := self.new_output():
            yield Reply(0, seat, "", "", output)
        for past in table.replay():
            if past.player == seat and not past.over:
                progress(past.step)
                reply = self.reply_at(past)
                if reply is not None:
                    yield reply
                    if reply.failure:
                        return

    def reply_at(self, past: Table) -> Reply | None:
        """The file's reply to one decision; None if an earlier answer covers it."""
        seat, player, call_before = self.seat, self.player, self.player.call
        try:
            for event in past.events(seat, self.events_seen):
                self.events_seen += 1
                player.observe(event)
            view = past.view(seat)
            action = player.act(view, past.legal(seat))
        except MachineError:
            raise
        except PlayerError as error:
            return Reply(past.step, seat, *self.last_call(), self.new_output(), failure=failure_text(error))
        played = self.table.actions[past.step] if past.step < self.table.step else None
        if player.call is call_before and action == played:
            return None
        chosen = "" if action == played else self.in_words(view, action)
        return Reply(past.step, seat, *self.last_call(), self.new_output(), chosen)

    def last_call(self) -> tuple[str, str]:
        """The latest call, and its return value."""
        past_call = self.player.past_call()
        return (str(past_call)[:MAX_TEXT], past_call.returned[:MAX_TEXT]) if past_call else ("", "")

    def new_output(self) -> str:
        """The output since this method was last called."""
        output = "".join(printed.text for printed in self.prints)
        self.prints.clear()
        return output[:MAX_TEXT]

    def in_words(self, view: View, action: int) -> str:
        """An action as a choice, legal or not."""
        game = self.table.game
        legal = 0 <= action < game.actions and game.why_not(game.imagine(view, 0), action) is None
        return " ".join(game.words.label(view, action).split()) if legal else "something the rules forbid"


def failure_text(error: PlayerError) -> str:
    """The failure, with the details for its owner."""
    return "\n".join(filter(None, (error.sentence, error.detail)))[:MAX_TEXT]


def reply_lines(reply: Reply) -> list[str]:
    r"""A reply as lines for people.

    >>> reply_lines(Reply(3, 0, "play([], 1)", "'KS'", "hm\n"))
    ['It was called as play([], 1)', "and returned 'KS'.", 'It printed:', '  hm']
    """
    result = [f"It was called as {reply.call}"] if reply.call else []
    if reply.returned:
        result.append(f"and returned {reply.returned}.")
    if reply.chosen:
        result.append(f"In this replay it chose {reply.chosen} instead of the recorded move.")
    if reply.printed:
        heading = "It printed:" if reply.call else "While it was loaded it printed:"
        result += [heading, *(f"  {line}" for line in reply.printed.rstrip("\n").split("\n"))]
    if reply.failure:
        result += [
            f"It failed: {line}" if not number else f"  {line}" for number, line in enumerate(reply.failure.split("\n"))
        ]
    return result
