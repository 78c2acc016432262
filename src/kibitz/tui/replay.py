"""A replay: the table at every step of a record, for a seat or with all hands open, with a review beside it.

step        how many actions have been carried out; 0 is the deal
moment      a step worth jumping to: where a hand or round ends, where a seat is out, a note, the end
look        the view: a seat's, a spectator's (SPECTATOR), or ``OPEN`` for all hands
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from kibitz.engine.sentences import finished, names_for
from kibitz.engine.views.events import SPECTATOR, to_seat
from kibitz.errors import KibitzError
from kibitz.players.player_replay import lines_of, replay_player
from kibitz.players.specs import find_player
from kibitz.table import Table
from kibitz.table.outcomes import chapter_steps, event_sentences, forfeit_sentence, standing_text
from kibitz.table.table import notes_by_step
from kibitz.tui.board import Board, Frame, picture
from kibitz.tui.canvas import Canvas, text_line
from kibitz.tui.dialogs import Asking, Choosing, Reading
from kibitz.tui.plan import in_thread

if TYPE_CHECKING:
    from kibitz.arena.reviews import Review, Verdict


OPEN = -2
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
KEYS = (
    ("← →", "step"),
    ("Space", "run"),
    ("n p", "moments"),
    ("v", "eyes"),
    ("r", "review"),
    ("+-", "speed"),
    ("l", "story"),
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
    "l          the story so far",
    "r          review: what each choice was worth, and what was better; a line shows the seat's chances",
    "f          a player file: its seat's call at each step, what it returns and prints; f again shows it in full",
    "mouse      click on the timeline to go there",
    "Esc q      leave",
)


class Film:
    """All positions of a game with their events, by step."""

    def __init__(self, record: AnyRecord) -> None:
        self.record = record
        self.table = Table.resume(record)
        self.positions: list[PlainState] = [past.position() for past in self.table.replay()]
        self.notes = [(min(step, self.last), sentence) for step, sentence in notes_by_step(record.notes)]
        gone = (forfeit.moves for forfeit in record.forfeits)
        self.moments: list[int] = sorted(
            {*chapter_steps(self.table), *gone, *(step for step, _ in self.notes), self.last}
        )

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.positions) - 1

    def scene(self, step: int, look: int) -> Scene:
        """The table at a step."""
        game, names = self.table.game, self.record.seats
        if look == OPEN:
            return open_scene(game, self.positions[step], names)
        return game.scene(game.view(self.positions[step], look), names_for(look, names))

    def story(self, step: int, look: int) -> list[str]:
        """The log up to a step, sentence by sentence."""
        table, seat = self.table, max(look, SPECTATOR)
        names = names_for(seat, self.record.seats)
        found = []
        for at in range(step + 1):
            found += [line for _, line in event_sentences(table.game, to_seat(table.notices(at), seat), seat, names)]
            found += [forfeit_sentence(gone, names) for gone in self.record.forfeits if gone.moves == at]
            found += [sentence for noted, sentence in self.notes if noted == at]
        return found

    def looks(self) -> list[int]:
        """All possible views; for an unfinished game, only a spectator's."""
        if self.record.outcome is None:
            return [SPECTATOR]
        return [OPEN, *range(len(self.record.seats)), SPECTATOR]

    def nearest(self, step: int, down: int) -> int:
        """The next moment in a direction, or else the step itself."""
        found = [moment for moment in self.moments if (moment - step) * down > 0]
        return (min if down > 0 else max)(found, default=step)


def line_of(film: Film, step: int, width: int) -> Canvas:
    """The timeline: the current step, and the moments."""
    canvas, last = text_line("─" * width, "dim"), max(film.last, 1)
    for moment in film.moments:
        canvas.put(moment * (width - 1) // last, 0, "◆", "title")
    canvas.put(step * (width - 1) // last, 0, "●", "ready")
    for x in range(width):
        canvas.mark(f"at:{-(-x * last // (width - 1))}", x, 0, 1)
    return canvas


class Replaying(Screen[None]):
    """Shows a record; leaving it returns to the previous screen."""

    DEFAULT_CSS: ClassVar[str] = "Replaying { overflow: hidden; }"

    def __init__(self, film: Film, *, look: int | None = None, step: int = 0, judged: bool = False) -> None:
        super().__init__()
        self.judged = judged
        self.film, self.step, self.speed = film, step, 1.0
        self.look = film.looks()[0] if look is None else look
        self.board = Board(self.draw)
        self.timer: Timer | None = None
        self.review: Review | None = None
        self.judging = ""
        self.said: dict[int, list[str]] = {}

    def compose(self) -> ComposeResult:
        """The board is the only widget."""
        yield self.board

    def on_mount(self) -> None:
        """Begin the review, where one comes for it."""
        if self.judged:
            self.press("r")

    def draw(self, width: int, height: int) -> Canvas:
        """The picture of this step."""
        film, canvas = self.film, Canvas()
        canvas.paste(line_of(film, self.step, width), 0, 0)
        if self.review is not None:
            canvas.paste(text_line(spark(chances(self.review, max(self.look, 0)), film.last, width), "title"), 0, 1)
        canvas.paste(picture(self.frame(), width, height - canvas.height), 0, canvas.height)
        return canvas

    def frame(self) -> Frame:
        """The content of the screen at this step."""
        film, seat = self.film, max(self.look, SPECTATOR)
        scene = film.scene(self.step, self.look)
        log = film.story(self.step, self.look)
        prompt = standing_text(film.record, seat, log[-1] if log else "") if self.step == film.last else ""
        names = names_for(seat, film.record.seats)
        title = f"{full_title(film.table.game)} · {self.step}/{film.last} · {self.eyes()}"
        told = self.judging
        if self.review is not None:
            told = decision_text(self.review, self.step, film.record.seats)
            title += f" · above: chances of {film.record.seats[max(self.look, 0)]} · {self.review.summary.rstrip('.')}"
        if self.step in self.said:
            told = " ".join(filter(None, (told, *self.said[self.step])))
        return Frame(title, Scene(scene.zones, scene.facts, prompt), names, seat, told=told, log=log, keys=KEYS)

    def eyes(self) -> str:
        """The name of the current view."""
        if self.look == OPEN:
            return "all hands"
        return f"as {self.film.record.seats[self.look]}" if self.look >= 0 else "as everybody"

    def go(self, step: int) -> None:
        """Go to another step."""
        self.step = min(max(step, 0), self.film.last)
        self.board.redraw()

    def on_key(self, event: events.Key) -> None:
        """Handle a key."""
        event.stop()
        event.prevent_default()
        self.press(event.character if event.character and event.is_printable else event.key)

    def press(self, key: str) -> None:
        """Handle a key."""
        step, film = self.step, self.film
        moves = {"left": step - 1, "a": step - 1, "right": step + 1, "d": step + 1, "pageup": step - 10}
        moves |= {"pagedown": step + 10, "home": 0, "0": 0, "end": film.last, "$": film.last}
        if key in moves:
            self.stop()
            self.go(moves[key])
            return
        match key:
            case "n" | "p":
                self.stop()
                self.go(film.nearest(step, 1 if key == "n" else -1))
            case "v":
                looks = film.looks()
                self.look = looks[(looks.index(self.look) + 1) % len(looks)] if self.look in looks else looks[0]
                self.go(step)
            case " " | "space":
                self.run_or_stop()
            case "+" | "-":
                at = SPEEDS.index(self.speed) + (-1 if key == "+" else 1)
                self.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
                if self.stop():
                    self.run_or_stop()
            case "r" if isinstance(film.record, Record) and not self.judging and self.review is None:
                self.judging = "Judging ..."
                self.run_worker(self.judge(film.record))
            case "f" if isinstance(film.record, Record) and not self.judging:
                self.run_worker(self.listen(film.record))
            case "l":
                self.app.push_screen(Reading("The story so far", film.story(step, self.look), latest=True))
            case "?":
                self.app.push_screen(Reading("Help", HELP))
            case "escape" | "q" | "m":
                self.stop()
                self.dismiss(None)

    async def judge(self, record: Record) -> None:
        """Judge every decision, show the progress, then the turning point; leaving stops it."""
        self.board.redraw()

        def told(step: int) -> None:
            if not self.is_attached:
                raise Stopped
            self.judging = f"Judged up to action {step + 1} of {self.film.last} ..."
            self.app.call_from_thread(self.board.redraw)

        try:
            self.review = await in_thread(lambda: reviewed(record, told))
        except (Stopped, KibitzError) as error:
            self.judging = str(error)
            return
        self.judging = ""
        self.film.moments = sorted({*self.film.moments, *self.review.turning})
        self.go(next(iter(self.review.turning), self.step))

    async def listen(self, record: Record) -> None:
        """Show what a player file prints in this game."""
        if self.step in self.said:
            await self.app.push_screen_wait(Reading("The player file at this step", self.said[self.step]))
            return
        try:
            seat, words = await ask_file(self.app, record) or (-1, "")
            if seat < 0:
                return
            self.judging = f"{record.seats[seat]} plays again ..."
            self.board.redraw()
            self.said = await in_thread(lambda: heard_of(record, seat, words))
        except KibitzError as error:
            self.judging = finished(str(error))
        else:
            self.judging = ""
            self.go(next((step for step in self.said if step >= self.step), self.step))
        self.board.redraw()

    def run_or_stop(self) -> None:
        """Start or stop automatic replay."""
        if not self.stop():
            if self.step == self.film.last:
                self.go(0)
            self.timer = self.set_interval(self.speed, self.on_with_it)

    def stop(self) -> bool:
        """Stop automatic replay; returns whether it ran."""
        timer, self.timer = self.timer, None
        if timer is not None:
            timer.stop()
        return timer is not None

    def on_with_it(self) -> None:
        """One step of automatic replay."""
        self.go(self.step + 1)
        if self.step == self.film.last:
            self.stop()

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """A click on the timeline jumps there; one on a key at the bottom presses it."""
        start, _, rest = event.key.partition(":")
        if start == "at":
            self.stop()
            self.go(int(rest))
        elif start == "key":
            pressed: Sequence[str] = {"Space": ("space",), "Esc": ("escape",)}.get(rest, (rest[:1],))
            self.press({"←": "left", "+": "+"}.get(pressed[0], pressed[0]))


# ---------------------------------------------------------------- the review

#     chance      the seat's chances with its choice, 0 to 1, by what it could know then (``kibitz.arena.reviews``)
#     spark       the chances as a line of little bars, as long as the timeline, with several steps a column

BARS = "▁▂▃▄▅▆▇█"
GAMES = 100
"""Games imagined for each decision; fewer without machine code."""


class Stopped(Exception):
    """The screen was closed."""


def reviewed(record: Record, progress: Callable[[int], object]) -> Review:
    """Judge every decision of a finished game; ``progress`` is called after each, and may raise ``Stopped``."""
    from kibitz.arena.reviews import review

    return review(record, GAMES, progress=progress)


def chances(review: Review, seat: int) -> dict[int, float]:
    """The chances of a seat's choices, by step."""
    return {one.step: one.judgement.promise - one.judgement.chance for one in review.verdicts if one.seat == seat}


def spark(found: dict[int, float], last: int, width: int) -> str:
    """Chances as bars along ``last`` steps; blank before the first decision.

    >>> spark({0: 0.0, 5: 0.5, 9: 1.0}, 10, 11)
    '▁▁▁▁▁▅▅▅▅██'
    """
    line = ""
    for column in range(width):
        until = column * last // max(width - 1, 1)
        known = [step for step in found if step <= until]
        line += BARS[min(int(found[max(known)] * len(BARS)), len(BARS) - 1)] if known else " "
    return line


def verdict_at(review: Review, step: int) -> Verdict | None:
    """The verdict on the decision after ``step`` actions."""
    return next((one for one in review.verdicts if one.step == step), None)


def decision_text(review: Review, step: int, names: tuple[str, ...]) -> str:
    """The review of the decision after a number of actions."""
    from kibitz.arena.reviews import cost_text

    one = verdict_at(review, step)
    if one is None:
        return ""
    made = one.judgement
    begin = f"{names[one.seat]} now chooses {one.chosen}"
    if not made.is_mistake:
        return f"{begin}: no mistake (winning chance {made.promise - made.chance:.0%})."
    turning = "Turning point: " if step in review.turning else ""
    better = f"Better: {one.best}. {one.why}".rstrip()
    return f"{turning}{begin}: {cost_text(review.game, made)}. {better} Judge: {review.judge}."


# ---------------------------------------------------------------- what a player file printed


async def ask_file(app: App[Any], record: Record) -> tuple[int, str] | None:
    """Ask for a seat, and the path of the file that had it; None if cancelled."""
    seat = await app.push_screen_wait(Choosing("Replay whose file?", list(record.seats)))
    if not isinstance(seat, int):
        return None
    below = "The path of the player file. It plays the seat again; the game itself doesn't change. Esc leaves."
    path = await app.push_screen_wait(Asking(f"Which file was {record.seats[seat]}?", below))
    return (seat, path) if isinstance(path, str) and path else None


def heard_of(record: Record, seat: int, words: str) -> dict[int, list[str]]:
    """By step, the lines that the file prints in a game; KibitzError if the file does not exist."""
    spec = find_player(find_game(record.game), words, own=True)
    found: dict[int, list[str]] = {}
    for said in replay_player(record, seat, spec):
        found.setdefault(said.step, []).extend(lines_of(said))
    return found
