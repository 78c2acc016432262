"""A finished or unfinished game, step by step: the log, and the table as any seat saw it or with all hands open.

step        how many actions have been carried out; step 0 is the deal
viewer      a seat, the spectator (-1), or ``OPEN_HANDS``: all hands open
moment      a key moment, a step worth jumping to: the deal, a forfeit, a note, a rare event, the end
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import msgspec

from kibitz.engine.game import Game
from kibitz.engine.record import AnyRecord, Record, commitment, parse, parse_any
from kibitz.engine.registry import family_of, option_sentences
from kibitz.engine.registry import game as find_game
from kibitz.engine.scene import Scene, Summary, open_scene
from kibitz.engine.sentences import names_for
from kibitz.engine.views.events import SPECTATOR, Notice, only, to_seat
from kibitz.errors import RecordError
from kibitz.players.built_in import levels
from kibitz.table import Table
from kibitz.table.outcomes import forfeit_sentence, result_text, summary
from kibitz.web.store.tables import FinishedGame, GameNote

OPEN_HANDS = -2
MAX_RARE = 12
"""An event is rare if the game has at most this many of its kind per seat, and at most one for every ten steps."""


class Moment(msgspec.Struct, frozen=True):
    """A step worth jumping to, and a text on what happens in it."""

    step: int
    text: str


class Step(msgspec.Struct, frozen=True):
    """The table after ``step`` actions; ``seat``, ``action`` and ``label`` describe the last of them.

    summary     the result of a hand or round that ended with it
    """

    step: int
    seat: int
    action: str
    label: str
    sentences: tuple[str, ...]
    scene: Scene
    moment: str = ""
    summary: Summary | None = None


class ShownOutcome(msgspec.Struct, frozen=True):
    """How a game ended.

    ``score_label`` is the heading of the scores, such as "Points left in hand". If ``losses``, the scores are losses
    (0 or below), which are shown without their sign.
    """

    reason: str
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    score_label: str = msgspec.field(name="counted")
    losses: bool


class ShownFinishedGame(msgspec.Struct, frozen=True):
    """A finished game, without its steps.

    ``levels`` are the levels of computer players against whom somebody can play on from a position. ``favourite`` says
    whether the game is one of the caller's favourites; it is null for matches of the arena, which can't be favourites.
    ``phh`` says whether the record can be downloaded as PHH.
    """

    id: str
    game: str
    family: str
    title: str
    options: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    steps: int
    outcome: ShownOutcome
    result: str
    seed: str
    commitment: str
    rules: int
    at: float
    rated: bool
    notes: tuple[GameNote, ...]
    moments: tuple[Moment, ...]
    phh: bool
    levels: tuple[str, ...]
    favourite: bool | None = None


class SteppedGame:
    """A finished or unfinished game, step by step up to its latest step."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game, self.names = table.game, table.names

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The key moments; none before the end of the game."""
        return ()

    def steps(self, viewer: int, first: int, count: int) -> Iterator[Step]:
        """Up to ``count`` steps in order, from ``first`` on."""
        moments = {moment.step: moment.text for moment in self.moments}
        for earlier in self.table.replay():
            if earlier.step >= first + count:
                return
            if earlier.step >= first:
                yield self.step(earlier, viewer, moments.get(earlier.step, ""))

    def step(self, earlier: Table, viewer: int, moment: str) -> Step:
        """The latest step of the table ``earlier``, for a viewer; ``moment`` is the text of its key moment, or ""."""
        seat, action, label = self.last_action(earlier, viewer)
        scene = (
            open_scene(self.game, earlier.state(), self.names)
            if viewer == OPEN_HANDS
            else self.game.scene(earlier.view(viewer), self.names)
        )
        sentences = tuple(self.sentences(earlier, viewer))
        reader = SPECTATOR if viewer == OPEN_HANDS else viewer
        events = to_seat(earlier.latest_notices, reader) if earlier.step else []
        round_summary = summary(self.game, events, reader, names_for(reader, self.names))
        return Step(earlier.step, seat, action, label, sentences, scene, moment, round_summary)

    def last_action(self, earlier: Table, viewer: int) -> tuple[int, str, str]:
        """The action that led to a step: the seat that chose it, its notation and its label.

        Notation and label are "" before the end of the game, since choices such as discards to the crib are secret;
        but with all hands open they are given.
        """
        if not earlier.step:
            return -1, "", ""
        seat, action, label = self.choices[earlier.step - 1]
        return (seat, action, label) if self.table.over or viewer == OPEN_HANDS else (seat, "", "")

    @cached_property
    def choices(self) -> list[tuple[int, str, str]]:
        """All actions: the seat that chose each, its notation and its label."""
        choices = []
        for earlier in self.table.replay():
            if earlier.step < self.table.step:
                seat, action = earlier.player, self.table.actions[earlier.step]
                view = earlier.view(seat)
                label = " ".join(self.game.words.label(view, action).split())
                choices.append((seat, self.game.text(view, action), label))
        return choices

    def sentences(self, earlier: Table, viewer: int) -> Iterator[str]:
        """The sentences for a viewer about the latest step, including forfeits."""
        if viewer == OPEN_HANDS:
            yield from all_hands_lines(self.game, earlier.latest_notices, self.names)
        else:
            names = names_for(viewer, self.names)
            for event in to_seat(earlier.latest_notices, viewer):
                yield self.game.describe(event, viewer, names)
        for forfeit in earlier.forfeits:
            if forfeit.moves == earlier.step:
                yield forfeit_sentence(forfeit, self.names)


class Replay(SteppedGame):
    """A finished game to replay. Raises RecordError if its record is damaged or doesn't replay to its result."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.record: Record = parse(text)
        super().__init__(Table.resume(self.record))

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The key moments, in order."""
        moments = {0: "The deal."}
        kinds = Counter(
            type(notice.event) for step in range(self.table.step + 1) for notice in self.table.notices(step)
        )
        max_count = min(MAX_RARE * self.game.seats, max(1, self.table.step // 10))
        for step in range(1, self.table.step + 1):
            rare = [notice.event for notice in self.table.notices(step) if kinds[type(notice.event)] <= max_count]
            if rare:
                moments[step] = self.game.describe(rare[0], SPECTATOR, self.names)
        for forfeit in self.table.forfeits:
            moments[forfeit.moves] = forfeit_sentence(forfeit, self.names)
        moments[self.table.step] = result_text(self.record, losses=self.game.words.SCORES_ARE_LOSSES)
        return tuple(Moment(step, text) for step, text in sorted(moments.items()))


@lru_cache(maxsize=16)
def replay_of(text: str) -> Replay:
    """The replay of a record's text."""
    return Replay(text)


@lru_cache(maxsize=16)
def stepped_game(text: str) -> SteppedGame:
    """The game of a record's text, which may be unfinished."""
    return SteppedGame(Table.resume(parse_any(text)))


def shown_finished_game(stored: FinishedGame) -> ShownFinishedGame:
    """A finished game, without its steps.

    Raises RecordError if its record is damaged or doesn't replay to its result.
    """
    replay = replay_of(stored.record)
    record, game = replay.record, replay.game
    return ShownFinishedGame(
        id=stored.id,
        game=record.game,
        family=family_of(game),
        title=game.title,
        options=tuple(option_sentences(game)),
        names=record.seats,
        kinds=stored.kinds,
        steps=len(record.actions),
        outcome=ShownOutcome(
            record.outcome.reason,
            record.outcome.scores,
            record.outcome.winners,
            game.words.SCORE_LABEL,
            game.words.SCORES_ARE_LOSSES,
        ),
        result=result_text(record, losses=game.words.SCORES_ARE_LOSSES),
        seed=str(record.seed),
        commitment=commitment(record.seed),
        rules=record.rules,
        at=stored.at,
        rated=stored.rated,
        notes=stored.notes,
        moments=moments_with(replay.moments, stored.notes),
        phh=phh_of(record) is not None,
        levels=tuple(levels(game)),
    )


def moments_with(moments: Sequence[Moment], notes: Sequence[GameNote]) -> tuple[Moment, ...]:
    """The moments with the notes added to them, except those on hints, in order."""
    texts = {moment.step: moment.text for moment in moments}
    for note in notes:
        if note.note == "hint":
            continue
        texts[note.step] = f"{texts[note.step]} {note.text}" if note.step in texts else note.text
    return tuple(Moment(step, text) for step, text in sorted(texts.items()))


def phh_of(record: AnyRecord) -> str | None:
    """A hand of hold'em in PHH; None if PHH cannot express it."""
    from kibitz.games.poker.phh import export_record

    if not isinstance(record, Record) or family_of(find_game(record.game)) != "poker":
        return None
    try:
        return export_record(record)
    except RecordError:
        return None


# ---------------------------------------------------------------- the log with all hands open

#     public      a sentence for all seats and spectators
#     redacted    a sentence for spectators, which is replaced for some seats: "Ann draws 2 cards."
#     private     the replacement for those seats: "Ann draws A♠ 2♠.", or "The cards are dealt. You hold A♠ 2♠."

YOU = re.compile(r"\byour?\b", re.IGNORECASE)


def all_hands_lines(game: Game, notices: Sequence[Notice], names: Sequence[str]) -> Iterator[str]:
    """The sentences about a step with all hands open; ``names`` are the seats' names."""
    for notice in private_after_redacted(notices):
        others = counterparts(notice, notices)
        if not notice.reaches(SPECTATOR):
            yield from private_lines(game, notice, others, names)
        elif not is_replaced(game, notice, others, names):
            yield game.describe(notice.event, SPECTATOR, names)


def private_after_redacted(notices: Sequence[Notice]) -> list[Notice]:
    """The notices in order, but every private notice comes after the redacted notices that it replaces."""

    def sort_key(numbered: tuple[int, Notice]) -> tuple[int, bool]:
        number, notice = numbered
        is_private = not notice.reaches(SPECTATOR)
        redacted = counterparts(notice, notices) if is_private else []
        return max([number, *map(notices.index, redacted)]), is_private

    return [notice for _, notice in sorted(enumerate(notices), key=sort_key)]


def private_lines(game: Game, notice: Notice, redacted: Sequence[Notice], names: Sequence[str]) -> Iterator[str]:
    """The sentences of a private notice, without the beginnings that repeat redacted notices.

    A sentence that says "you" is given once for each of its seats, with or after the seat's name.
    """
    sentence = game.describe(notice.event, SPECTATOR, names)
    for other in redacted:
        sentence = sentence.removeprefix(game.describe(other.event, SPECTATOR, names)).strip()
    if not sentence:
        return
    if not says_you(game, notice):
        yield sentence
        return
    for seat, name in enumerate(names):
        if notice.audience & only(seat):
            holds = sentence.startswith("You hold ")
            yield sentence.replace("You hold", f"{name} holds", 1) if holds else f"{name}: {sentence}"


def is_replaced(game: Game, redacted: Notice, private: Sequence[Notice], names: Sequence[str]) -> bool:
    """Whether the sentences of private notices make a redacted notice's sentence superfluous."""
    sentence = game.describe(redacted.event, SPECTATOR, names)
    return bool(private) and not any(
        says_you(game, notice) or game.describe(notice.event, SPECTATOR, names).startswith(sentence)
        for notice in private
    )


def counterparts(notice: Notice, notices: Sequence[Notice]) -> list[Notice]:
    """The redacted notices that a private notice replaces, or the private notices that replace a redacted one."""
    return [
        other
        for other in notices
        if type(other.event) is type(notice.event)
        and not other.audience & notice.audience
        and other.reaches(SPECTATOR) != notice.reaches(SPECTATOR)
    ]


def says_you(game: Game, notice: Notice) -> bool:
    """Whether the sentence about an event says "you"; a player called "You" doesn't count."""
    return bool(YOU.search(game.describe(notice.event, SPECTATOR, [f"P{seat}" for seat in range(game.seats)])))
