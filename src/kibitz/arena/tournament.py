"""A tournament: rounds of blocks among player files, on all cores, into one table.

    players     those who play, those who cannot be played (``absent``), and the built-in one that fills seats
    filler      takes the seats that are over where fewer players are in than a game has seats, and is ranked as itself
    unranked    who fails too much is out after the round in which it did, by the arena's rule, and comes last

The same seed gives the same table on any number of workers.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence

import msgspec

from kibitz.arena import sheets
from kibitz.arena.course import Course, Goal, usual_deals
from kibitz.arena.model import Threshold
from kibitz.arena.pool import Here, Pool, Workers
from kibitz.arena.running import interrupted_by_signals
from kibitz.arena.standings import Result, SeatForfeit, Standing, standings
from kibitz.engine.game import Game, seed_words
from kibitz.errors import MachineError, NotationError
from kibitz.players.built_in import best_known
from kibitz.players.specs import PlayerSpec, find_player
from kibitz.table.names import clean_name, distinct

__all__ = ["Result", "SeatForfeit", "Standing", "Tournament", "run"]

Progress = Callable[[int, int], None]
STANDARD = Threshold()
CSV_COLUMNS = ("deal", "rotation", "seed", "seat", "player", "score", "win_share", "forfeit", "reason")
TABLE_COLUMNS = (
    *("rank", "player", "games", "wins", "win_share", "win_margin", "mean_score", "score_margin", "forfeits"),
    *("reasons", "status", "unknown"),
)


class Tournament(msgspec.Struct, frozen=True):
    """The outcome: the table and every game; ``complete`` is False where it was broken off.

    ``trouble`` says why in a sentence, if it was the machine that could not go on.  ``filler`` is the name of the
    built-in player that has filled seats, empty if none did.
    """

    game: str
    rules: int
    seed: int
    goal: Goal
    threshold: Threshold
    players: tuple[str, ...]
    filler: str
    complete: bool
    standings: tuple[Standing, ...]
    results: tuple[Result, ...]
    trouble: str = ""

    def to_json(self) -> str:
        """Everything, as JSON."""
        return msgspec.json.format(msgspec.json.encode(self)).decode()

    def to_csv(self) -> str:
        """One line for every seat of every game: enough to compute the table again."""
        rows: list[tuple[sheets.Cell, ...]] = [CSV_COLUMNS]
        for result in self.results:
            failed = {forfeit.seat: (forfeit.kind, forfeit.sentence) for forfeit in result.forfeits}
            for seat, player in enumerate(result.players):
                place = result.deal, result.rotation, result.seed, seat
                counted = result.scores[seat], result.win_share(seat)
                rows.append((*place, self.players[player], *counted, *failed.get(seat, ("", ""))))
        return as_csv(rows)

    def table_csv(self) -> str:
        """The table as CSV, every reason in it; a rank or a margin that there is not is empty."""
        rows: list[tuple[sheets.Cell, ...]] = [TABLE_COLUMNS]
        for line in self.standings:
            margins = ["" if margin is None else margin for margin in (line.win_margin, line.score_margin)]
            figures = line.games, line.wins, line.win_share, margins[0], line.mean_score, margins[1]
            why = sum(line.forfeits.values()), " ".join(line.reasons), line.status, line.unknown
            rows.append((line.rank or "", line.name, *figures, *why))
        return as_csv(rows)


def as_csv(rows: Sequence[Sequence[sheets.Cell]]) -> str:
    """Rows as the text of a CSV file."""
    out = io.StringIO(newline="")
    sheets.write_rows(out, rows)
    return out.getvalue()


def run(
    game: Game,
    specs: Sequence[PlayerSpec],
    deals: int | None,
    seed: int,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    width: float | None = None,
    threshold: Threshold = STANDARD,
    absent: Sequence[tuple[str, str]] = (),
    in_process: bool = False,
) -> Tournament:
    """Play ``deals`` blocks, or rounds until no margin is above ``width``; ``progress(done, of)`` counts games.

    A width is a share of the wins, or points of the mean score where a game ranks by scores; with ``deals`` too,
    whichever comes first ends it, and with neither everybody plays 25 deals.  ``absent`` are players who cannot be
    played, with the sentence that says why: they are in the table.  ``in_process`` plays in this process, for players
    that are to be debugged.

    An interrupt from the keyboard, SIGTERM and a lost terminal end it early: the blocks that are complete by then make
    the table.  NotationError for numbers out of range, MachineError if this machine cannot run the players at all;
    what is played before it fails is kept.
    """
    check_numbers(specs, deals, width, workers)
    seed_words(seed)
    goal = Goal(usual_deals(len(specs), game.seats) if deals is None and width is None else deals, width)
    everybody, filler = with_filler(game, specs)
    course = Course(len(specs), filler, game.seats, seed, goal, threshold, by_score=game.by_score)
    count = workers or os.cpu_count() or 1
    pool = Here(game, everybody) if in_process else Workers(game, everybody, min(count, goal.deals or count))
    complete, trouble = play(course, pool, progress or (lambda done, of: None))
    filled = any(result.players.count(filler) > (filler < len(specs)) for result in course.results)
    seated = everybody if filled else specs
    names = distinct([clean_name(name) for name in (*(spec.name for spec in seated), *(name for name, _ in absent))])
    results = tuple(sorted(course.results, key=lambda result: (result.deal, result.rotation)))
    unranked = {who: threshold.sentence(names[who], course.failures[who], course.games[who]) for who in course.out}
    unranked |= {who: f"{names[who]} was not played: {why}" for who, (_, why) in enumerate(absent, len(seated))}
    return Tournament(
        game=game.name,
        rules=game.rules.VERSION,
        seed=seed,
        goal=goal,
        threshold=threshold,
        players=names,
        filler=names[filler] if filled else "",
        complete=complete,
        standings=standings(names, results, by_score=game.by_score, unranked=unranked),
        results=results,
        trouble=trouble,
    )


def with_filler(game: Game, specs: Sequence[PlayerSpec]) -> tuple[list[PlayerSpec], int]:
    """The players with the built-in one that fills seats, and its number; one of them may be it already."""
    name = best_known(game)
    for number, spec in enumerate(specs):
        if not spec.is_file and spec.name == name:
            return list(specs), number
    return [*specs, find_player(game, name)], len(specs)


def play(course: Course, pool: Pool, report: Progress) -> tuple[bool, str]:
    """Play a course to its end; whether it came to that, and what the machine's trouble was."""
    try:
        with interrupted_by_signals():
            while True:
                blocks = course.next_round() if course.decided() else []
                report(len(course.results), course.expected)
                pool.begin(blocks)
                if not course.open:
                    return True, ""
                course.take(pool.next())
    except KeyboardInterrupt:
        return False, ""
    except MachineError as error:
        if not course.results:
            raise
        return False, str(error)
    finally:
        pool.close()


def check_numbers(specs: Sequence[PlayerSpec], deals: int | None, width: float | None, workers: int | None) -> None:
    """Refuse a tournament that cannot be played."""
    if not specs:
        raise NotationError("a tournament needs at least one player.")
    if deals is not None and deals < 1:
        raise NotationError(f"a tournament needs at least one deal, not {deals}.")
    if width is not None and not width > 0:
        raise NotationError(f"an interval must be wider than 0, not {width:g}.")
    if workers is not None and workers < 1:
        raise NotationError(f"a tournament needs at least one worker, not {workers}.")
