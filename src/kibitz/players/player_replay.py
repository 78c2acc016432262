"""Replays a player file through a finished game: what it is asked, and what it answers.

    said        one decision: the call, the return value, the output, and the error if there was one

The game's moves don't change; where the file would choose differently now, that is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from kibitz.engine.events import View
from kibitz.engine.record import AnyRecord, Record, Unfinished
from kibitz.errors import MachineError, NotationError, PlayerError
from kibitz.players.file_player import FilePlayer, Heard
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.match import player_seed

LONGEST = 4000
"""Characters of a call, of what it returned, and of what was printed."""


class Said(msgspec.Struct, frozen=True):
    """What a file was asked after ``step`` actions, and what came of it.

    call        the call as Python; empty for what it printed while it was loaded
    returned    what it returned, as Python
    printed     what it printed meanwhile
    chosen      what it would do now, in words, where it is not what was played
    failure     why it failed, in a sentence
    """

    step: int
    seat: int
    call: str
    returned: str
    printed: str
    chosen: str = ""
    failure: str = ""


def overheard(
    record: Record, seat: int, spec: PlayerSpec, told: Callable[[int], object] = lambda step: None
) -> Iterator[Said]:
    """A player file's answer at every step where it was asked; ``told(step)`` is called before each.

    Choices that an earlier answer covered have none.  NotationError if the player isn't a file, MachineError if it
    can't be run.
    """
    player = spec.make()
    if not isinstance(player, FilePlayer):
        raise NotationError(f"{spec.name} is not a player file.")
    hearing = Hearing(Table.resume(until_failure(record, seat)), seat, player)
    try:
        yield from hearing.all(told)
    finally:
        player.end(None)


def until_failure(record: Record, seat: int) -> AnyRecord:
    """The game as it was when a seat failed, before that was known; the whole of it where the seat has not failed."""
    mine = next((number for number, one in enumerate(record.forfeits) if one.seat == seat), None)
    if mine is None:
        return record
    actions, forfeits = record.actions[: record.forfeits[mine].moves], record.forfeits[:mine]
    return Unfinished(record.game, record.rules, record.seats, record.seed, actions, forfeits)


class Hearing:
    """A file that lives through a game of its seat."""

    def __init__(self, table: Table, seat: int, player: FilePlayer) -> None:
        self.table, self.seat, self.player = table, seat, player
        self.known = 0
        self.heard: list[Heard] = []
        player.heard = self.heard

    def all(self, told: Callable[[int], object]) -> Iterator[Said]:
        """From its load to its last choice, or to where it fails."""
        table, seat = self.table, self.seat
        try:
            self.player.start(table.game, seat, player_seed(table.seed, seat))
        except PlayerError as error:
            yield Said(0, seat, "", "", self.printed(), failure=whole(error))
            return
        if said := self.printed():
            yield Said(0, seat, "", "", said)
        for past in table.again():
            if past.player == seat and not past.over:
                told(past.step)
                said_now = self.at(past)
                if said_now is not None:
                    yield said_now
                if said_now is not None and said_now.failure:
                    return

    def at(self, past: Table) -> Said | None:
        """What it says at one choice; None where an earlier answer holds."""
        seat, player, before = self.seat, self.player, self.player.call
        try:
            for event in past.events(seat, self.known):
                self.known += 1
                player.observe(event)
            view = past.view(seat)
            action = player.act(view, past.legal(seat))
        except MachineError:
            raise
        except PlayerError as error:
            return Said(past.step, seat, *self.asked(), self.printed(), failure=whole(error))
        played = self.table.actions[past.step] if past.step < self.table.step else None
        if player.call is before and action == played:
            return None
        chosen = "" if action == played else self.in_words(view, action)
        return Said(past.step, seat, *self.asked(), self.printed(), chosen)

    def asked(self) -> tuple[str, str]:
        """The latest call, and what it returned."""
        asked = self.player.asked()
        return (str(asked)[:LONGEST], asked.returned[:LONGEST]) if asked else ("", "")

    def printed(self) -> str:
        """What has been printed since this was asked last."""
        said = "".join(each.said for each in self.heard)
        self.heard.clear()
        return said[:LONGEST]

    def in_words(self, view: View, action: int) -> str:
        """An action as a choice, whatever it is."""
        game = self.table.game
        legal = 0 <= action < game.actions and game.why_not(game.imagine(view, 0), action) is None
        return " ".join(game.words.label(view, action).split()) if legal else "something the rules forbid"


def whole(error: PlayerError) -> str:
    """What went wrong, with what its owner should see."""
    return "\n".join(filter(None, (error.sentence, error.detail)))[:LONGEST]


def lines_of(said: Said) -> list[str]:
    r"""What a file said, as lines for people.

    >>> lines_of(Said(3, 0, "play([], 1)", "'KS'", "hm\n"))
    ['It was asked play([], 1)', "and returned 'KS'.", 'It printed:', '  hm']
    """
    found = [f"It was asked {said.call}"] if said.call else []
    if said.returned:
        found.append(f"and returned {said.returned}.")
    if said.chosen:
        found.append(f"Played again it would choose {said.chosen}.")
    if said.printed:
        meanwhile = "It printed:" if said.call else "While it was loaded it printed:"
        found += [meanwhile, *(f"  {line}" for line in said.printed.rstrip("\n").split("\n"))]
    if said.failure:
        found += [f"It failed: {line}" if not i else f"  {line}" for i, line in enumerate(said.failure.split("\n"))]
    return found
