"""``kibitz review``: every decision of a finished game, with the best alternative and what the choice cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from kibitz.cli.files import ready, write
from kibitz.cli.options import Ascii, Count, Force, Seed, whole
from kibitz.cli.screen import BOLD, DIM, Screen, put
from kibitz.cli.tournament import progress_bar
from kibitz.engine.record import Record, read_file
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.reviewing import Review


def review(
    file: Annotated[Path, Parameter(help="The record of a finished game, such as 'kibitz match -o' writes.")],
    /,
    *,
    step: Annotated[
        int | None,
        Parameter(converter=whole(0, 10**9), help="Rank all choices of one decision: that after so many actions."),
    ] = None,
    games: Annotated[Count, Parameter(help="Games that are imagined for each decision.")] = 300,
    seed: Seed = 0,
    plot: Annotated[
        Path | None,
        Parameter(help="Draw the chances over the game into this SVG file; its table goes beside it as CSV."),
    ] = None,
    json: Annotated[bool, Parameter(help="Print JSON.")] = False,
    force: Force = False,
    ascii: Ascii = False,
) -> None:
    """Judge every decision by what its seat could know then: a mistake is what cost more than the judge's error."""
    record, screen = read_file(file), Screen(ascii)
    tables = plot_files(plot, step, force)
    if step is not None:
        choices_at(record, step, games, seed or 0, screen, in_json=json)
        return
    from kibitz.arena.reviewing import review as judge_all

    with progress_bar("judged {} of {} actions", "judging") as progress:
        count = len(record.actions)
        found = judge_all(record, games, seed or 0, lambda at: progress(at + 1, count))
        progress(count, count)
    for path, text in zip(tables, drawn(found, record) if tables else (), strict=True):
        write(path, text, force)
    if json:
        put(as_json(found))
        return
    show(found, record, screen)
    if tables:
        screen.line(f"The chances are drawn in {tables[0]}, and their table is {tables[1]}.")


def plot_files(plot: Path | None, step: int | None, force: bool) -> tuple[Path, ...]:
    """The files of a plot and of its table, which can be written; none where no plot is asked for."""
    if plot is None:
        return ()
    if step is not None:
        raise KibitzError("--plot draws the whole game, and --step ranks one decision: ask for one of them.")
    if plot.suffix.lower() != ".svg":
        raise KibitzError(f"{plot} should end in .svg, for that is what is written; its table goes beside it as .csv.")
    files = plot, plot.with_suffix(".csv")
    for file in files:
        ready(file, force)
    return files


def drawn(found: Review, record: Record) -> tuple[str, str]:
    """The plot of a review as SVG, and its table as CSV."""
    from kibitz.arena.reviewing import plotted
    from kibitz.arena.sheets import as_text

    plot = plotted(found, record)
    return plot.svg, as_text([plot.heads, *plot.rows])


def as_json(value: object) -> str:
    """A value as JSON with an indent."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def show(found: Review, record: Record, screen: Screen) -> None:
    """The review in words: mistakes, turning points, what each seat's choices cost, and luck."""
    screen.line(f"Review of {found.game}, {len(found.verdicts)} decisions", BOLD)
    screen.line(f"Judge: {found.judge}; ± is half a 95 % interval, and what is within it is no mistake.", DIM)
    for verdict in found.verdicts:
        made = verdict.judgement
        if made.is_mistake:
            mark = " ← turning point" if verdict.step in found.turning else ""
            screen.line(
                f"{verdict.step + 1:>4}. {record.seats[verdict.seat]}: {verdict.chosen}; better {verdict.best}:"
                f" {made.cost:+.2f} ± {made.error:.2f}, chances {made.chance:.1%} ± {made.chance_error:.1%}{mark}"
            )
    if not any(verdict.judgement.is_mistake for verdict in found.verdicts):
        screen.line("No decision cost more than the error of the judge.")
    screen.line()
    for account in found.accounts:
        screen.line(
            f"{account.name}: mistakes {account.mistakes} of {account.decisions} decisions, cost {account.cost:.2f} and"
            f" {account.chance:.1%} of chances; luck {account.luck:+.1%}."
        )


def choices_at(record: Record, step: int, games: int, seed: int, screen: Screen, *, in_json: bool) -> None:
    """The choices of one decision, ranked."""
    from kibitz.arena.reviewing import at_step
    from kibitz.cli.ranking import data_of, show_choices
    from kibitz.engine.registry import game as find_game

    position, advice = at_step(record, step, games, seed)
    game = find_game(record.game)
    if in_json:
        told = {"game": game.name, "step": step, "seat": position.seat}
        put(as_json({**told, **data_of(game, position.view, advice)}))
        return
    title = f"{record.seats[position.seat]}, after {step} actions: {game.words.prompt(position.view)}"
    show_choices(game, position.view, advice, title, screen, position.action)
