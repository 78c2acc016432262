"""The screen of a game that is played in this program, from the deal to a rematch.

at_keyboard     the seat whose person may look now; None while the keyboard passes from one person to another
snapshot        the scene and the history after the latest step; while a computer player thinks in a thread, only that
                thread may use the table, so the screen is drawn from the snapshot
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from kibitz.engine.game import Game, fresh_seed
from kibitz.engine.record import Record, commitment
from kibitz.engine.scene import Scene
from kibitz.engine.scene.text import seat_facts
from kibitz.engine.sentences import as_sentence, listed, names_for
from kibitz.engine.views.events import SPECTATOR, RoundOver, to_seat
from kibitz.errors import KibitzError
from kibitz.players.compiling import compile_notice
from kibitz.players.opponents import OpponentsReferee, Seating, seat_players
from kibitz.players.setup import ResumedGame, SetUp
from kibitz.players.specs import PlayerSpec
from kibitz.table import Table
from kibitz.table.outcomes import closing_events, event_sentences, forfeit_sentence, new_deal_steps, result_text
from kibitz.table.saved import AutoSaver, SavedGame
from kibitz.table.session import FORCED_DELAY, AskPlayer, ForcedAction, Next, Session, rotated_by_one
from kibitz.tui.board import Frame
from kibitz.tui.dialogs import TextWindow
from kibitz.tui.selection import Selection
from kibitz.tui.table_screen import Keys, TableScreen, opening_sentences, unknown_key_message
from kibitz.tui.threads import in_thread

# ---------------------------------------------------------------- the game

FindPlayers = Callable[[Game, list[str], bool], list[PlayerSpec]]
"""A function that finds a game's players by their names or paths; third argument: whether files are the user's own."""
StoreRecord = Callable[[Record], Path | None]
"""A function that writes the record of a finished game; it returns the path, or None if it wrote nothing."""


def store_nowhere(record: Record) -> None:
    """Write nothing; the person can still save the record by pressing a key."""


@dataclass(frozen=True)
class LocalGame:
    """A game to play in this process: its table and its players.

    store   writes the record of the finished game
    saved   the saved game that it continues; None for a new game
    """

    table: Table
    seating: Seating
    store: StoreRecord = store_nowhere
    saved: SavedGame | None = None

    def rematch(self) -> LocalGame:
        """A new game with the same players, each moved by one seat, so that the deal rotates."""
        table, (_, factories, chairs) = self.table, self.seating
        seats = len(chairs)
        new_factories = {(seat + 1) % seats: factory for seat, factory in factories.items()}
        new_table = Table.deal(table.game, fresh_seed(), rotated_by_one(table.names))
        people = tuple(seat for seat in range(seats) if seat not in new_factories)
        return LocalGame(new_table, Seating(people, new_factories, rotated_by_one(chairs)))


def new_game(setup: SetUp, find: FindPlayers, seed: int | None = None, store: StoreRecord = store_nowhere) -> LocalGame:
    """A new game; without a ``seed``, it has a secret random one."""
    seating = seat_players(
        [player.name_or_path for player in setup.players], lambda words: find(setup.game, words, True)
    )
    return LocalGame(setup.deal(seed), seating, store)


def resumed_game(resumed: ResumedGame, find: FindPlayers, store: StoreRecord = store_nowhere) -> LocalGame:
    """A saved game to continue; if its players can't be found, the file is closed and KibitzError raised."""
    try:
        table = Table.resume(resumed.record)
        seating = seat_players(
            resumed.chairs, lambda words: find(table.game, words, resumed.own_files), own_files=resumed.own_files
        )
    except BaseException:
        resumed.saved.close()
        raise
    return LocalGame(table, seating, store, resumed.saved)


class History:
    """The sentences on what one seat has seen; rebuilt after an undo."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.names = names_for(seat, table.names)
        self.events_shown = self.forfeits_shown = 0
        self.sentences: list[str] = []

    def catch_up(self) -> list[str]:
        """Add the sentences on new events, and return all sentences so far."""
        table = self.table
        events = table.events(self.seat)
        if len(events) < self.events_shown or len(table.forfeits) < self.forfeits_shown:
            self.events_shown, self.forfeits_shown = 0, 0
            self.sentences.clear()
        self.sentences += [
            line for _, line in event_sentences(table.game, events[self.events_shown :], self.seat, self.names)
        ]
        for forfeit in table.forfeits[self.forfeits_shown :]:
            self.sentences.append(forfeit_sentence(forfeit, self.names))
        self.events_shown, self.forfeits_shown = len(events), len(table.forfeits)
        return self.sentences


# ---------------------------------------------------------------- the screen

PACES = (0.0, 0.2, 0.4, 0.6, 0.9, 1.5, 3.0)
"""The minimum number of seconds for a computer player's action, from the fastest pace to the slowest."""
USUAL_PACE = 0.6
HANDOVER_KEYS: Keys = (("Enter", "continue"), ("Esc", "menu"))


class LocalTable(TableScreen):
    """Plays one game; dismissed with the person's next choice ("rematch", "menu" or "leave"), or an error's sentence.

    pace        the minimum number of seconds for a computer player's action, so that people can follow
    skip        an event that is set while play skips ahead to a person's next choice
    """

    def __init__(self, local_game: LocalGame, *, pace: float) -> None:
        super().__init__(local_game.table.game, local_game.table.names)
        self.local_game, self.table, self.people = local_game, local_game.table, local_game.seating.people
        self.saver = AutoSaver(local_game.seating.chairs, self.warn, local_game.saved)
        self.session, self.pace = Session(self.table, self.people), pace
        self.referee = OpponentsReferee(self.table, local_game.seating.factories, self.announce_replay)
        self.skip = asyncio.Event()
        self.shares_keyboard = len(self.people) > 1
        self.at_keyboard: int | None = None if self.shares_keyboard else (self.people[0] if self.people else SPECTATOR)
        notice = compile_notice(self.game, [player for player in local_game.seating.chairs if player])
        self.opening = " ".join(filter(None, (notice, opening_sentences(self.game, commitment(self.table.seed)))))
        self.histories: dict[int, History] = {}
        self.enter_pressed: asyncio.Future[None] | None = None

    @property
    def viewer(self) -> int:
        """The seat whose person may look at the screen."""
        return SPECTATOR if self.at_keyboard is None else self.at_keyboard

    @property
    def keys(self) -> Keys:
        """The keys that work now: only two while the keyboard passes from one person to another."""
        return HANDOVER_KEYS if self.enter_pressed is not None else super().keys

    def frame(self) -> Frame:
        """The content of the screen now: no cards while the keyboard passes from one person to another."""
        if self.at_keyboard is None and self.shares_keyboard and self.record is None:
            empty_scene = Scene((), (), self.status)
            return Frame(self.heading, empty_scene, self.names, SPECTATOR, feedback=self.feedback, keys=self.keys)
        return super().frame()

    # ---------------------------------------------------------------- playing step by step

    async def play_to_end(self) -> Record:
        """Play from the current position to the end; returns the record."""
        table = self.table
        try:
            self.saver.save(table)
            await in_thread(self.referee.begin)
            self.table_changed()
            while not table.over:
                since = table.step
                await self.carry_out(self.session.next)
                self.saver.save(table)
                self.table_changed()
                await self.show_summary(since)
        finally:  # players that are slow to end must not delay the screen
            threading.Thread(target=self.referee.end, args=(table.outcome,), daemon=True).start()
        record = table.record
        assert isinstance(record, Record)
        return record

    async def carry_out(self, step: Next) -> None:
        """Carry out the next step. While a computer player thinks in a thread, nothing else uses the table."""
        started = time.monotonic()
        if isinstance(step, AskPlayer):
            self.show_status(f"{self.table.names[step.seat]} is thinking ...")
            await in_thread(lambda: self.referee.ask(step.seat))
            await self.wait_until_seen(started, self.pace)
            return
        self.skip.clear()
        if isinstance(step, ForcedAction):
            await self.wait_until_seen(started, FORCED_DELAY if self.pace else 0.0)
            self.session.act(step.seat, step.action)
        elif (action := await self.choose(step.seat)) is not None:
            self.session.act(step.seat, action)

    async def wait_until_seen(self, started: float, seconds: float) -> None:
        """Wait until ``seconds`` have passed since ``started``, or the person wants to skip."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.skip.wait(), max(0.0, seconds - (time.monotonic() - started)))

    def table_changed(self) -> None:
        """Take a snapshot of the table between two steps, and draw it."""
        if self.at_keyboard is not None:
            self.take_snapshot(self.at_keyboard)
        self.status = ""
        self.redraw()

    def take_snapshot(self, seat: int) -> None:
        """Take a snapshot of the table as a seat sees it."""
        game, names = self.table.game, names_for(seat, self.table.names)
        self.scene = game.scene(self.table.view(seat), names)
        history = self.histories.setdefault(seat, History(self.table, seat))
        self.history = [self.opening, *history.catch_up()]

    @contextmanager
    def announce_replay(self, sentence: str) -> Iterator[None]:
        """A context in which a computer player thinks; a ``sentence`` about the player's earlier moves is shown.

        For a sentence on the current move it does nothing, because ``carry_out`` has shown one already.
        """
        is_replay = "again" in sentence  # "... is thinking about its earlier moves again"
        if is_replay:
            self.app.call_from_thread(self.show_status, sentence)
        yield
        if is_replay:
            self.app.call_from_thread(self.show_status, "")

    def show_status(self, sentence: str) -> None:
        """Show a sentence in place of the prompt."""
        self.status = sentence
        self.redraw()

    async def show_summary(self, since: int) -> None:
        """If a hand or round has ended since the step ``since``, show its summary until the person presses Enter."""
        table = self.table
        last_steps = [] if table.over else list(new_deal_steps(table, since))
        if not last_steps:
            return
        seat = SPECTATOR if self.shares_keyboard else self.people[0]
        names = names_for(seat, table.names)
        closing = closing_events(to_seat(table.notices(last_steps[-1]), seat))
        lines = [table.game.describe(event, seat, names) for event in closing]
        if not any(isinstance(event, RoundOver) for event in closing):
            lines += ["", *seat_facts(table.game.scene(table.view(seat), names), names)]
        await self.app.push_screen_wait(TextWindow("Press Enter to continue.", lines, at_end=True))

    async def choose(self, seat: int) -> int | None:
        """The choice of a seat's person; None if they undid their latest decision."""
        if self.at_keyboard != seat:
            await self.hand_over(seat)
        self.take_snapshot(seat)
        answer = self.begin_choice(self.table.view(seat), self.table.legal(seat))
        self.show_guidance(seat)
        try:
            return await answer
        finally:
            self.end_choice()
            self.caption = ""

    def show_guidance(self, seat: int) -> None:
        """Show the current tip of a guided first hand, and mark the action that it recommends."""
        guidance = self.session.guidance(seat)
        self.caption = guidance.says if guidance else ""
        if guidance and guidance.action is not None and self.selection is not None:
            self.selection.mark_hint(guidance.action)
        self.redraw()

    async def hand_over(self, seat: int) -> None:
        """Cover one person's view before the next person looks."""
        name = self.table.names[seat]
        if self.at_keyboard is not None:
            self.status = f"Press Enter to cover your cards: it is {name}'s turn."
            await self.wait_for_enter()
        self.at_keyboard = None
        self.status = f"{name}, it's your turn. Press Enter when nobody else can see the screen."
        await self.wait_for_enter()
        self.at_keyboard = seat

    async def wait_for_enter(self) -> None:
        """Wait until Enter is pressed."""
        self.enter_pressed = asyncio.get_running_loop().create_future()
        self.redraw()
        await self.enter_pressed
        self.enter_pressed, self.feedback = None, ""

    # ---------------------------------------------------------------- playing

    def on_mount(self) -> None:
        """Begin to play."""
        self.run_worker(self.play(), exclusive=True)

    async def play(self) -> None:
        """Play the game to its end, and show the result."""
        if self.shares_keyboard:  # hides everything until the first person looks
            self.feedback = f"{listed([self.names[seat] for seat in self.people])} share this keyboard. {self.opening}"
        try:
            record = await self.play_to_end()
        except KibitzError as error:
            self.saver.close()
            self.dismiss(as_sentence(str(error)))
            return
        self.record = record
        if self.shares_keyboard:
            self.status = "The game is over. Press Enter to cover your cards and see how it ended."
            await self.wait_for_enter()
            self.at_keyboard = SPECTATOR
        self.take_snapshot(self.viewer)
        if not self.shares_keyboard:
            self.show_guidance(self.viewer)
        self.status = result_text(record, self.viewer, self.history[-1] if self.history else "")
        self.feedback = f"The seed was {record.seed}. Its SHA-256 is the one shown at the deal."
        try:
            path = self.local_game.store(record)
        except KibitzError as error:
            self.warn(str(error))
        else:
            self.saver.delete()
            self.feedback += f" The record is saved in {path}." if path else ""
        self.redraw()

    def quit(self) -> None:
        """Leave at once; if the game could not be saved, ask first."""
        if self.saver.has_failed and self.record is None:
            self.menu()
        else:
            super().quit()

    def leave(self, next_choice: str) -> None:
        """Leave the table; the game stays saved."""
        self.saver.close()
        self.dismiss(next_choice)

    # ---------------------------------------------------------------- what keys do

    def press(self, key: str) -> None:
        """Handle a key: only Enter works while the keyboard passes from one person to another."""
        if self.enter_pressed is None:
            super().press(key)
        elif key == "enter" and not self.enter_pressed.done():
            self.enter_pressed.set_result(None)
        elif key in ("escape", "q"):
            self.press_anytime(key)
        else:
            self.feedback = unknown_key_message(key, self.keys)

    def skip_ahead(self) -> None:
        """Skip to the next person's turn."""
        self.skip.set()

    def undo(self, selection: Selection) -> None:
        """Undo the latest decision, if it has shown the person nothing new."""
        seat = selection.view.seat
        if why := self.session.why_no_undo(seat):
            self.feedback = why
        elif self.answer is not None and not self.answer.done():
            self.session.undo(self.session.decisions[seat][-1].step)
            self.answer.set_result(None)

    async def hint(self, selection: Selection) -> None:
        """Show the strongest player's choice, and why; the record notes the request."""
        from kibitz.players.advice import hint

        self.session.note_hint(selection.view.seat)
        self.saver.save(self.table)
        self.feedback = "Looking for a hint ..."
        self.redraw()
        game, view, legal = self.table.game, selection.view, selection.legal
        advice = await in_thread(lambda: hint(game, view, legal))
        if self.selection is selection:
            selection.mark_hint(advice.action)
            self.feedback = advice.reason
            self.redraw()

    def change_pace(self, key: str) -> None:
        """Make the computer players faster or slower."""
        index = min(range(len(PACES)), key=lambda i: abs(PACES[i] - self.pace))
        index = min(max(index + (-1 if key == "+" else 1), 0), len(PACES) - 1)
        self.pace = PACES[index]
        self.feedback = f"Computer players take at least {PACES[index]:g} seconds."

    def leave_choices(self) -> list[tuple[str, str]]:
        """The ways to leave the game: a text, and the argument for ``leave``."""
        consequence = "it is saved, and 'kibitz resume' continues it" if self.saver.is_saved else "it is not saved"
        return [(f"Leave the game ({consequence})", "leave"), (f"Back to the menu ({consequence})", "menu")]
