"""Commands that read a record: ``kibitz show``, ``kibitz verify`` and ``kibitz review``."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kibitz.cli.files import check_writable, write
from kibitz.cli.options import Ascii, Count, Force, Json, Plain, Quiet, SeedWithDefault, read_seat, whole_number
from kibitz.cli.screen import (
    BOLD,
    DIM,
    Screen,
    is_full_screen,
    open_application,
    print_json,
    progress_bar,
    warn,
)
from kibitz.engine.record import AnyRecord, Record, UnfinishedRecord, read_any, read_file
from kibitz.engine.registry import game as find_game
from kibitz.engine.sentences import as_sentence, names_for
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import KibitzError, RecordError, SeatError
from kibitz.table import Table
from kibitz.table.outcomes import event_sentences, forfeit_sentence, status_text

if TYPE_CHECKING:
    from kibitz.arena.reviews import Review
    from kibitz.engine.game import Game
    from kibitz.engine.views.events import View
    from kibitz.search.advice import Advice
    from kibitz.search.tree_search import RankedAction


def show(
    file: Annotated[Path, Parameter(help="A record, such as 'kibitz match -o' writes.")],
    /,
    *,
    seat: Annotated[
        int | None, Parameter(converter=read_seat, help="Show the game as this seat saw it; seats are numbered from 0.")
    ] = None,
    all_hands: Annotated[bool, Parameter(help="Show all hands.")] = False,
    plain: Plain = False,
    ascii: Ascii = False,
) -> None:
    """Show the record of a game, after checking every line of it.

    In a terminal, you step through it in full screen; with --plain, or in a pipe, it is printed.
    """
    record = read_any(file)
    game = find_game(record.game)
    if seat is not None and not 0 <= seat < game.seats:
        raise SeatError(f"{game.title} has the seats 0 to {game.seats - 1}, not {seat}.")
    if seat is not None and isinstance(record, UnfinishedRecord):
        raise KibitzError("--seat needs a finished game: 'kibitz resume' continues this one.")
    if is_full_screen(plain):
        from kibitz.tui.application import replay_route
        from kibitz.tui.replay import ALL_HANDS

        open_application(replay_route(record, ALL_HANDS if all_hands else seat), ascii)
        return
    screen = Screen(ascii, plain)
    screen.line(f"{game.title} ({game.name}), rules version {record.rules}", BOLD)
    screen.line("Seats: " + ", ".join(f"{number} {name}" for number, name in enumerate(record.seats)))
    if isinstance(record, Record):
        screen.line(f"Seed: {record.seed}", DIM, indent="")
    screen.line()
    viewer = SPECTATOR if seat is None else seat
    last_sentence = print_events(screen, record, viewer)
    for note in record.notes:
        screen.line(f"Note: {note}")
    screen.line()
    screen.line(status_text(record, viewer, last_sentence), BOLD)


def print_events(screen: Screen, record: AnyRecord, seat: int) -> str:
    """Print what a seat saw of a game, as sentences; returns the last one."""
    sentence = ""
    for sentence in sentences_of(record, seat):
        screen.line(sentence)
    return sentence


def sentences_of(record: AnyRecord, seat: int) -> Iterator[str]:
    """What a seat saw of a game, sentence by sentence."""
    names = names_for(seat, record.seats)
    events_seen = forfeits_seen = 0
    for table in Table.resume(record).replay():
        events = table.events(seat, events_seen)
        events_seen += len(events)
        for _, sentence in event_sentences(table.game, events, seat, names):
            yield sentence
        for forfeit in table.forfeits[forfeits_seen:]:
            forfeits_seen += 1
            yield forfeit_sentence(forfeit, names)


# ---------------------------------------------------------------- verify

WHAT_RECORDS_PROVE = (
    "A record proves the cards, the moves and the result, but not who chose the moves{more}. For an arena"
    " match, 'kibitz arena replay' also proves who chose them, by playing it again."
)


def verify(*files: Annotated[Path, Parameter(help="Records, such as 'kibitz match -o' writes.")]) -> int:
    """Replay records from their seeds and compare every line. The exit status is 2 if a line differs."""
    if not files:
        raise KibitzError("name at least one record to verify.")
    screen = Screen()
    unverified = 0
    has_forfeits = has_notes = False
    for file in files:
        try:
            record = read_any(file)
        except RecordError as error:
            unverified += 1
            warn(f"kibitz: {as_sentence(str(error))}")
        else:
            has_forfeits, has_notes = has_forfeits or bool(record.forfeits), has_notes or bool(record.notes)
            moves, result = f"{len(record.actions)} moves", status_text(record)
            if isinstance(record, Record):
                screen.line(f"{file}: verified, {moves}. {result}")
            else:
                screen.line(f"{file}: verified so far, {moves}. {result}")
    if unverified < len(files):
        more = (
            ", or that the players who forfeited really failed" * has_forfeits + ", or what its notes say" * has_notes
        )
        screen.line(WHAT_RECORDS_PROVE.format(more=more), DIM)
    return 2 if unverified else 0


# ---------------------------------------------------------------- review


def review(
    file: Annotated[Path, Parameter(help="The record of a finished game, such as 'kibitz match -o' writes.")],
    /,
    *,
    step: Annotated[
        int | None,
        Parameter(
            converter=whole_number(0, 10**9),
            help="Rank all choices at one decision, given by its number in the review. Default: review the whole game.",
        ),
    ] = None,
    rollouts: Annotated[Count, Parameter(help="Simulated games per decision; at most 24 without compiled code.")] = 300,
    seed: SeedWithDefault = 0,
    plot: Annotated[
        Path | None,
        Parameter(help="Write a plot of the players' winning chances to this SVG file, and its figures to a CSV file."),
    ] = None,
    json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
    ascii: Ascii = False,
) -> None:
    """Judge every decision of a finished game by what the player could know at the time.

    A choice counts as a mistake if it is worse than the best choice by more than the margin of error.
    """
    record, screen = read_file(file), Screen(ascii)
    plot_paths = plot_files(plot, step, force)
    if step is not None:
        choices_at(record, step, rollouts, seed, screen, in_json=json)
        return
    from kibitz.arena.csv_files import as_text
    from kibitz.arena.reviews import chances_plot
    from kibitz.arena.reviews import review as review_record

    with progress_bar("judged {} of {} actions", "judging", quiet=quiet) as progress:
        count = len(record.actions)
        game_review = review_record(record, rollouts, seed, lambda at: progress(at + 1, count))
        progress(count, count)
    if plot_paths:
        drawn = chances_plot(game_review, record)
        for path, text in zip(plot_paths, (drawn.svg, as_text([drawn.columns, *drawn.rows])), strict=True):
            write(path, text, force)
    if json:
        print_json(game_review)
        return
    show_review(game_review, record, screen)
    if plot_paths:
        screen.line(f"The plot is in {plot_paths[0]}, and its table in {plot_paths[1]}.")


def plot_files(plot: Path | None, step: int | None, force: bool) -> tuple[Path, ...]:
    """The paths of a plot and of its table, checked to be writable; empty if no plot was requested."""
    if plot is None:
        return ()
    if step is not None:
        raise KibitzError("--plot draws the whole game and --step ranks one decision: use one of them.")
    if plot.suffix.lower() != ".svg":
        raise KibitzError(f"--plot writes SVG, so {plot} must end in .svg.")
    files = plot, plot.with_suffix(".csv")
    for file in files:
        check_writable(file, force)
    return files


def show_review(game_review: Review, record: Record, screen: Screen) -> None:
    """Print the review in words: for each seat how it did, then the mistakes."""
    from kibitz.arena.reviews import cost_text
    from kibitz.search.advice import chance_note

    screen.line(f"Review of {game_review.game}: {game_review.summary}", BOLD)
    for summary in game_review.seat_summaries:
        cost = f"cost {100 * summary.chance:.1f} and " if summary.mistakes else ""
        result = f"{cost}luck {100 * summary.luck:+.1f} percentage points of winning chance"
        screen.line(f"{summary.name}: {summary.summary}; {result}.")
    screen.line()
    for decision in game_review.mistakes:
        turning = "Turning point: " if decision.step in game_review.turning_points else ""
        cost = cost_text(game_review.game, decision.judgement)
        screen.line(f"{decision.step:>4}. {turning}{record.seats[decision.seat]} chose {decision.chosen}: {cost}.")
        screen.line(f"      Better: {decision.best}. {decision.why}".rstrip())
    screen.line(f"Evaluated with: {game_review.judge}. Costs smaller than their 95 % margin aren't counted.", DIM)
    if note := chance_note(find_game(game_review.game)):
        screen.line(note, DIM)


def choices_at(record: Record, step: int, rollouts: int, seed: int, screen: Screen, *, in_json: bool) -> None:
    """Print the choices of one decision, best first."""
    from kibitz.arena.reviews import advice_at_step

    decision, advice = advice_at_step(record, step, rollouts, seed)
    game = find_game(record.game)
    if in_json:
        result = {"game": game.name, "step": step, "seat": decision.seat}
        print_json({**result, **choices_data(game, decision.view, advice)})
        return
    title = f"{record.seats[decision.seat]}, after {step} actions: {game.words.prompt(decision.view)}"
    show_choices(game, decision.view, advice, title, screen, decision.action)


# ---------------------------------------------------------------- one decision, for ``best`` and ``review --step``


def show_choices(game: Game, view: View, advice: Advice, title: str, screen: Screen, action: int | None = None) -> None:
    """Print the choices under a title, best first; the choice of ``action`` is marked as chosen."""
    from kibitz.arena.reviews import choice_text
    from kibitz.search.advice import chance_note
    from kibitz.search.rollout_planner import has_plans
    from kibitz.search.tree_search import digits_of

    screen.line(title, BOLD)
    digits = digits_of(advice.choices)
    for number, choice in enumerate(advice.choices):
        mark = " ← chosen" if choice.action == action else ""
        frequency = f"  played {advice.odds[number]:4.0%}" if advice.odds else ""
        screen.line(
            f"{figures(choice, digits, exact=advice.exact)}{frequency}  {choice_text(game, view, choice.action)}{mark}"
        )
    best = advice.choices[0].action
    if not advice.odds and (why := game.words.explain(view, best)):
        screen.line(f"Best: {game.words.short_label(view, best)}. {why}")
    screen.line(f"Evaluated with: {advice.judge}.", DIM)
    if not any(choice.tried for choice in advice.choices):
        return
    if advice.exact:
        result = "Values are exact: what the seat to move earns on average."
    else:
        values = "chances to win" if has_plans(game) else "what the seat to move earns on average"
        result = f"Sorted by how often each choice was tried. Values are {values}, ± 95 %."
    screen.line(result, DIM)
    if note := chance_note(game):
        screen.line(note, DIM)


def figures(choice: RankedAction, digits: int, *, exact: bool) -> str:
    """A choice's value with its margin of error, and its chances, aligned in columns."""
    if not choice.tried:
        return f"{'not tried':>9}"
    margin = f"{choice.margin:.{digits}f}" if isfinite(choice.margin) else "?"
    value = f"{choice.worth:+9.{digits}f}" + ("" if exact and not choice.margin else f" ± {margin}")
    return f"{value}  chances {choice.winning_chance:6.1%}"


def choices_data(game: Game, view: View, advice: Advice) -> dict[str, Any]:
    """The choices as JSON data; unknown errors and margins are None."""
    import msgspec

    from kibitz.arena.reviews import choice_text

    rows = []
    for number, choice in enumerate(advice.choices):
        row: dict[str, Any] = {"choice": choice_text(game, view, choice.action), **msgspec.structs.asdict(choice)}
        if advice.odds:
            row["odds"] = advice.odds[number]
        rows.append({name: value if value != float("inf") else None for name, value in row.items()})
    return {"judge": advice.judge, "exact": advice.exact, "choices": rows}
