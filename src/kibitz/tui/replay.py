"""A replay: the table at every step of a record, for a seat or with all hands shown, and a review of each decision.

step        how many actions have been carried out; 0 is the deal
moment      a step worth jumping to: the end of a hand or round, a forfeit, a note, the end of the game
viewpoint   whose view is shown: a seat's, a spectator's (SPECTATOR), or all hands (ALL_HANDS)
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.timer import Timer

from kibitz.engine.layout import PlainState
from kibitz.engine.record import AnyRecord, Record
from kibitz.engine.registry import full_title
from kibitz.engine.registry import game as find_game
from kibitz.engine.scene import Scene, open_scene
from kibitz.engine.sentences import as_sentence, names_for
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.errors import KibitzError
from kibitz.players.player_replay import replay_player, reply_lines
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.table.outcomes import event_sentences, forfeit_sentence, new_deal_steps, status_text
from kibitz.table.table import notes_by_step
from kibitz.tui.board import Board, Frame, picture
from kibitz.tui.canvas import Canvas, text_line
from kibitz.tui.dialogs import ChoiceWindow, InputWindow, TextWindow
from kibitz.tui.threads import Stopped, in_thread

if TYPE_CHECKING:
    from kibitz.arena.reviews import Review


ALL_HANDS = -2
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
KEYS = (
    ("← →", "step"),
    ("Space", "play"),
    ("n p", "moments"),
    ("v", "view"),
    ("r", "review"),
    ("+-", "speed"),
    ("l", "history"),
    ("?", "help"),
    ("f", "player file"),
    ("Esc", "leave"),
)
HELP = (
    "← →        one step back or forward (also a d)",
    "PgUp PgDn  ten steps",
    "Home End   to the deal, to the end (also 0 and $)",
    "Space      play and pause",
    "+ -        faster, slower",
    "n p        next or previous key moment: the end of a hand or round, a forfeit",
    "v          see as another seat, as a spectator, or with all hands open",
    "l          the history so far",
    "r          review: what each choice was worth, and what was better; a line shows the seat's chances",
    "f          a player file: its seat's call at each step, what it returns and prints; f again shows it in full",
    "mouse      click on the timeline to go there",
    "Esc q      leave",
)


class Replay:
    """The positions of a recorded game, and the sentences on what happened, by step."""

    def __init__(self, record: AnyRecord) -> None:
        self.record = record
        self.table = Table.resume(record)
        self.positions: list[PlainState] = [past.state() for past in self.table.replay()]
        self.notes = [(min(step, self.last), sentence) for step, sentence in notes_by_step(record.notes)]
        forfeit_steps = (forfeit.moves for forfeit in record.forfeits)
        self.moments: list[int] = sorted(
            {*new_deal_steps(self.table), *forfeit_steps, *(step for step, _ in self.notes), self.last}
        )

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.positions) - 1

    def scene(self, step: int, viewpoint: int) -> Scene:
        """The scene at a step, for a viewpoint."""
        game, names = self.table.game, self.record.seats
        if viewpoint == ALL_HANDS:
            return open_scene(game, self.positions[step], names)
        return game.scene(game.view(self.positions[step], viewpoint), names_for(viewpoint, names))

    def history(self, step: int, viewpoint: int) -> list[str]:
        """The sentences up to a step, for a viewpoint."""
        table, seat = self.table, max(viewpoint, SPECTATOR)
        names = names_for(seat, self.record.seats)
        sentences = []
        for at_step in range(step + 1):
            visible = to_seat(table.notices(at_step), seat)
            sentences += [line for _, line in event_sentences(table.game, visible, seat, names)]
            forfeits = [forfeit for forfeit in self.record.forfeits if forfeit.moves == at_step]
            sentences += [forfeit_sentence(forfeit, names) for forfeit in forfeits]
            sentences += [sentence for note_step, sentence in self.notes if note_step == at_step]
        return sentences

    def viewpoints(self) -> list[int]:
        """All possible viewpoints; for an unfinished game, only a spectator's."""
        if self.record.outcome is None:
            return [SPECTATOR]
        return [ALL_HANDS, *range(len(self.record.seats)), SPECTATOR]

    def next_moment(self, step: int, direction: int) -> int:
        """The next moment after a step (``direction`` is 1) or before it (-1); the step itself if there is none."""
        moments = [moment for moment in self.moments if (moment - step) * direction > 0]
        return (min if direction > 0 else max)(moments, default=step)


def timeline(replay: Replay, step: int, width: int) -> Canvas:
    """The timeline, with the current step and the moments; a click on a column goes to its step."""
    canvas, last = text_line("─" * width, "dim"), max(replay.last, 1)
    for moment in replay.moments:
        canvas.write(moment * (width - 1) // last, 0, "◆", "title")
    canvas.write(step * (width - 1) // last, 0, "●", "ready")
    for x in range(width):
        canvas.add_region(f"at:{ceil(x * last / (width - 1))}", x, 0, 1)
    return canvas


class ReplayScreen(Screen[None]):
    """Shows a replay; leaving it returns to the previous screen."""

    DEFAULT_CSS: ClassVar[str] = "ReplayScreen { overflow: hidden; }"

    def __init__(
        self, replay: Replay, *, viewpoint: int | None = None, step: int = 0, with_review: bool = False
    ) -> None:
        super().__init__()
        self.with_review = with_review
        self.replay, self.step, self.speed = replay, step, 1.0
        self.viewpoint = replay.viewpoints()[0] if viewpoint is None else viewpoint
        self.board = Board(self.draw)
        self.timer: Timer | None = None
        self.review: Review | None = None
        self.status = ""
        self.printed_by_step: dict[int, list[str]] = {}

    def compose(self) -> ComposeResult:
        """The board is the only widget."""
        yield self.board

    def on_mount(self) -> None:
        """Begin the review at once if ``with_review``."""
        if self.with_review:
            self.press("r")

    def draw(self, width: int, height: int) -> Canvas:
        """The picture of the current step."""
        replay, canvas = self.replay, Canvas()
        canvas.paste(timeline(replay, self.step, width), 0, 0)
        if self.review is not None:
            canvas.paste(
                text_line(sparkline(chances(self.review, max(self.viewpoint, 0)), replay.last, width), "title"), 0, 1
            )
        canvas.paste(picture(self.frame(), width, height - canvas.height), 0, canvas.height)
        return canvas

    def frame(self) -> Frame:
        """The content of the screen at the current step."""
        replay, seat = self.replay, max(self.viewpoint, SPECTATOR)
        scene = replay.scene(self.step, self.viewpoint)
        history = replay.history(self.step, self.viewpoint)
        prompt = status_text(replay.record, seat, history[-1] if history else "") if self.step == replay.last else ""
        names = names_for(seat, replay.record.seats)
        title = f"{full_title(replay.table.game)} · {self.step}/{replay.last} · {self.viewpoint_name()}"
        feedback = self.status
        if self.review is not None:
            feedback = decision_text(self.review, self.step, replay.record.seats)
            seat_name = replay.record.seats[max(self.viewpoint, 0)]
            title += f" · above: chances of {seat_name} · {self.review.summary.rstrip('.')}"
        if self.step in self.printed_by_step:
            feedback = " ".join(filter(None, (feedback, *self.printed_by_step[self.step])))
        return Frame(
            title, Scene(scene.zones, scene.facts, prompt), names, seat, feedback=feedback, history=history, keys=KEYS
        )

    def viewpoint_name(self) -> str:
        """The name of the current viewpoint."""
        if self.viewpoint == ALL_HANDS:
            return "all hands"
        return f"as {self.replay.record.seats[self.viewpoint]}" if self.viewpoint >= 0 else "as a spectator"

    def go(self, step: int) -> None:
        """Go to another step."""
        self.step = min(max(step, 0), self.replay.last)
        self.board.redraw()

    def on_key(self, event: events.Key) -> None:
        """Handle a key."""
        event.stop()
        event.prevent_default()
        self.press(event.character if event.character and event.is_printable else event.key)

    def press(self, key: str) -> None:
        """Handle a key."""
        step, replay = self.step, self.replay
        moves = {"left": step - 1, "a": step - 1, "right": step + 1, "d": step + 1, "pageup": step - 10}
        moves |= {"pagedown": step + 10, "home": 0, "0": 0, "end": replay.last, "$": replay.last}
        if key in moves:
            self.stop()
            self.go(moves[key])
            return
        match key:
            case "n" | "p":
                self.stop()
                self.go(replay.next_moment(step, 1 if key == "n" else -1))
            case "v":
                views = replay.viewpoints()
                self.viewpoint = (
                    views[(views.index(self.viewpoint) + 1) % len(views)] if self.viewpoint in views else views[0]
                )
                self.go(step)
            case " " | "space":
                self.play_or_pause()
            case "+" | "-":
                index = SPEEDS.index(self.speed) + (-1 if key == "+" else 1)
                self.speed = SPEEDS[min(max(index, 0), len(SPEEDS) - 1)]
                if self.stop():
                    self.play_or_pause()
            case "r" if isinstance(replay.record, Record) and not self.status and self.review is None:
                self.status = "Reviewing ..."
                self.run_worker(self.run_review(replay.record))
            case "f" if isinstance(replay.record, Record) and not self.status:
                self.run_worker(self.replay_file(replay.record))
            case "l":
                self.app.push_screen(TextWindow("History", replay.history(step, self.viewpoint), at_end=True))
            case "?":
                self.app.push_screen(TextWindow("Help", HELP))
            case "escape" | "q" | "m":
                self.stop()
                self.dismiss(None)

    async def run_review(self, record: Record) -> None:
        """Review every decision, and then go to the first turning point; leaving the screen stops the review."""
        from kibitz.arena.reviews import GAMES, review

        self.board.redraw()

        def progress(step: int) -> None:
            if not self.is_attached:
                raise Stopped
            self.status = f"Reviewed {step + 1} of {self.replay.last} actions ..."
            self.app.call_from_thread(self.board.redraw)

        try:
            self.review = await in_thread(lambda: review(record, GAMES, progress=progress))
        except (Stopped, KibitzError) as error:
            self.status = str(error)
            return
        self.status = ""
        self.replay.moments = sorted({*self.replay.moments, *self.review.turning_points})
        self.go(next(iter(self.review.turning_points), self.step))

    async def replay_file(self, record: Record) -> None:
        """Ask for a player file and let it play its seat again; if this has been done, show the lines of this step."""
        if self.step in self.printed_by_step:
            await self.app.push_screen_wait(TextWindow("The player file at this step", self.printed_by_step[self.step]))
            return
        try:
            seat, path = await ask_file(self.app, record) or (-1, "")
            if seat < 0:
                return
            self.status = f"{record.seats[seat]}: replaying the file ..."
            self.board.redraw()
            self.printed_by_step = await in_thread(lambda: printed_lines(record, seat, path))
        except KibitzError as error:
            self.status = as_sentence(str(error))
        else:
            self.status = ""
            self.go(next((step for step in self.printed_by_step if step >= self.step), self.step))
        self.board.redraw()

    def play_or_pause(self) -> None:
        """Start or stop automatic replay."""
        if not self.stop():
            if self.step == self.replay.last:
                self.go(0)
            self.timer = self.set_interval(self.speed, self.advance)

    def stop(self) -> bool:
        """Stop automatic replay; returns whether it was running."""
        timer, self.timer = self.timer, None
        if timer is not None:
            timer.stop()
        return timer is not None

    def advance(self) -> None:
        """One step of automatic replay."""
        self.go(self.step + 1)
        if self.step == self.replay.last:
            self.stop()

    def on_board_clicked(self, event: Board.Clicked) -> None:
        """A click on the timeline jumps there; a click on a key at the bottom presses it."""
        kind, _, value = event.key.partition(":")
        if kind == "at":
            self.stop()
            self.go(int(value))
        elif kind == "key":
            first = value[:1]  # "← →", "n p" and "+-" each name two keys
            self.press({"Space": "space", "Esc": "escape"}.get(value, "left" if first == "←" else first))


# ---------------------------------------------------------------- the review

#     chance      the winning chance of a seat's choice, from 0 to 1, by what the seat could know at that time
#                 (``kibitz.arena.reviews``)
#     sparkline   the chances as a line of small bars, as long as the timeline; a column may stand for several steps

BARS = "▁▂▃▄▅▆▇█"


def chances(review: Review, seat: int) -> dict[int, float]:
    """The winning chance of each of a seat's choices, by step."""
    return {verdict.step: verdict.judgement.chosen_chance for verdict in review.decisions if verdict.seat == seat}


def sparkline(chance_by_step: dict[int, float], last: int, width: int) -> str:
    """Chances as bars along ``last`` steps, in ``width`` characters; blank before the first decision.

    >>> sparkline({0: 0.0, 5: 0.5, 9: 1.0}, 10, 11)
    '▁▁▁▁▁▅▅▅▅██'
    """
    line = ""
    for column in range(width):
        column_step = column * last // max(width - 1, 1)
        steps = [step for step in chance_by_step if step <= column_step]
        line += BARS[min(int(chance_by_step[max(steps)] * len(BARS)), len(BARS) - 1)] if steps else " "
    return line


def decision_text(review: Review, step: int, names: tuple[str, ...]) -> str:
    """The review's sentences on the decision after ``step`` actions; "" if there is no decision."""
    from kibitz.arena.reviews import cost_text

    verdict = next((verdict for verdict in review.decisions if verdict.step == step), None)
    if verdict is None:
        return ""
    judgement = verdict.judgement
    choice = f"{names[verdict.seat]} now chooses {verdict.chosen}"
    if not judgement.is_mistake:
        return f"{choice}: no mistake (winning chance {judgement.chosen_chance:.0%})."
    turning = "Turning point: " if step in review.turning_points else ""
    better = f"Better: {verdict.best}. {verdict.why}".rstrip()
    return f"{turning}{choice}: {cost_text(review.game, judgement)}. {better} Evaluated with: {review.judge}."


# ---------------------------------------------------------------- what a player file printed


async def ask_file(app: App[Any], record: Record) -> tuple[int, str] | None:
    """Ask for a seat and for the path of the file that played it; None if the person cancels."""
    seat = await app.push_screen_wait(ChoiceWindow("Replay whose file?", list(record.seats)))
    if not isinstance(seat, int):
        return None
    explanation = "The path of the player file. It plays the seat again; the game itself doesn't change. Esc leaves."
    path = await app.push_screen_wait(InputWindow(f"Which file was {record.seats[seat]}?", explanation))
    return (seat, path) if isinstance(path, str) and path else None


def printed_lines(record: Record, seat: int, path: str) -> dict[int, list[str]]:
    """By step, the lines that a player file prints when it plays a seat of a record again.

    Raises KibitzError if there is no such file.
    """
    spec = find_player(find_game(record.game), path, own_file=True)
    lines: dict[int, list[str]] = {}
    for printed in replay_player(record, seat, spec):
        lines.setdefault(printed.step, []).extend(reply_lines(printed))
    return lines
