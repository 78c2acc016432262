"""The results of a tournament: ``kibitz arena ranking``, ``export``, ``rate``, ``replay``, ``verify`` and ``seeds``."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from kibitz.cli import options
from kibitz.cli.files import check_writable, write
from kibitz.cli.matches import print_player_output
from kibitz.cli.records import print_events
from kibitz.cli.screen import BOLD, DIM, Screen, print_json, print_text, progress_bar
from kibitz.engine import record
from kibitz.engine.sentences import counted
from kibitz.engine.views.events import SPECTATOR
from kibitz.errors import KibitzError, StoreError, cause
from kibitz.table.outcomes import result_text

if TYPE_CHECKING:
    from kibitz.arena.proof.proving import StageSeed
    from kibitz.arena.season_reports import Ranking
    from kibitz.arena.store.log import LoggedEntry


def ranking(
    tournament: options.TournamentOrAll = None,
    /,
    *,
    stage: Annotated[
        Literal["season", "final"] | None,
        Parameter(help="The regular rounds (season) or the final. Default: the latest."),
    ] = None,
    csv: Annotated[
        Path | None,
        Parameter(help="Write one tournament's ranking to this CSV file, with owners and learning-platform numbers."),
    ] = None,
    force: options.Force = False,
    store: options.StoreName = None,
) -> None:
    """Show the ranking of one or all tournaments: ratings from complete rounds, with 95 % intervals."""
    if csv is not None and tournament is None:
        raise KibitzError("--csv needs the name of one tournament.")
    check_writable(csv, force)
    with options.open_arena(store) as arena:
        if csv is not None and tournament is not None:
            write(csv, arena.standings_csv(tournament, stage=stage), force)
            return
        names = [tournament] if tournament else [entry.name for entry in arena.tournaments() if entry.kind != "custom"]
        if not names:
            raise StoreError("missing", "no tournament yet; the first 'kibitz arena submit' starts one.")
        screen = Screen()
        for number, name in enumerate(names):
            if number:
                screen.line()
            print_ranking(screen, arena.ranking(name, stage=stage))


def print_ranking(screen: Screen, ranking: Ranking) -> None:
    """Print a ranking under its headline."""
    screen.line(headline(ranking), BOLD)
    for line in ranking.text.splitlines():
        screen.line(line)
    if ranking.withdrawn:
        has = "has" if len(ranking.withdrawn) == 1 else "have"
        screen.line(f"{', '.join(ranking.withdrawn)} {has} left and will play no more games.")


def headline(ranking: Ranking) -> str:
    """The headline of a ranking."""
    from kibitz.arena.model import status_text
    from kibitz.players.limits import limits_text

    tournament = ranking.tournament
    matches = counted(ranking.ratings.matches if ranking.ratings else 0, "match", "matches")
    limits = limits_text(tournament.limits)
    details = f"{ranking.rounds_text}, {matches}" + f", limits {limits}" * bool(limits)
    return f"{tournament.name} ({status_text(tournament.kind, tournament.phase_at(time.time()))}): {details}"


# ---------------------------------------------------------------- arena export


def export(
    tournament: options.TournamentName,
    /,
    *,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write to this CSV file. Default: print it.")
    ] = None,
    force: options.Force = False,
    stage: Annotated[
        Literal["season", "final"] | None,
        Parameter(help="Only the regular rounds (season) or the final. Default: both."),
    ] = None,
    store: options.StoreName = None,
) -> None:
    """Write every game of complete rounds as CSV, one line per seat, for 'kibitz arena rate'."""
    out = io.StringIO(newline="")
    with options.open_arena(store) as arena:
        arena.tournament(tournament)
        check_writable(output, force)
        matches = arena.export(tournament, out, stage=stage)
    if output is None:
        print_text(out.getvalue(), end="")
        return
    write(output, out.getvalue(), force)
    Screen().line(f"{counted(matches, 'match', 'matches')} of {tournament} are in {output}.")


# ---------------------------------------------------------------- arena rate


def rate(
    file: Annotated[Path, Parameter(help="Results, such as 'kibitz arena export' writes.")],
    /,
    *,
    json: options.Json = False,
    forfeits: options.ForfeitLimit = 5,
    forfeit_share: options.ForfeitShare = 0.02,
) -> int:
    """Rate the results in a CSV file: those of the final, or of the regular rounds if there is none.

    To rate the regular rounds of a season with a final, export them alone: 'kibitz arena export --stage season'.
    """
    import io

    from kibitz.arena.model import REGULAR, Threshold, stage
    from kibitz.arena.rating.export import read_csv
    from kibitz.arena.rating.ratings import disqualified_submissions, ratings_and_ranking, ratings_text
    from kibitz.engine import file_io

    try:
        lines = io.TextIOWrapper(io.BytesIO(file_io.read_bytes(file)), encoding="utf-8", newline="")
        results = read_csv(lines, str(file))
    except OSError as error:
        raise KibitzError(f"{file} cannot be read: {cause(error)}.") from error
    final_results = [result for result in results if stage(result.phase) == "final"]
    to_rate = final_results or [result for result in results if stage(result.phase) == REGULAR]
    if not to_rate:
        raise KibitzError(f"{file} has no results to rate.")
    ratings, rows = ratings_and_ranking(to_rate, disqualified_submissions(results, Threshold(forfeits, forfeit_share)))
    if json:
        print_json(ratings, indent=2)
    else:
        print_text(ratings_text(rows).removesuffix("\n"))
    return 0


# ---------------------------------------------------------------- arena replay


def replay(
    match: Annotated[str, Parameter(help="A match, such as go/17: its tournament and number.")],
    /,
    *,
    store: options.StoreName = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="Write the stored record to this file.")
    ] = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    ascii: options.Ascii = False,
) -> int:
    """Play a match again from its files and deal, show it, and compare. The exit status is 2 if it differs."""
    check_writable(output, force)
    with options.open_arena(store) as arena:
        played = arena.replay(match)
    screen = Screen(ascii)
    if not quiet:
        replayed_record = record.parse(played.replayed)
        screen.line(f"Seats: {', '.join(f'{seat} {name}' for seat, name in enumerate(replayed_record.seats))}")
        screen.line(f"Seed: {replayed_record.seed}", DIM, indent="")
        screen.line()
        last_sentence = print_events(screen, replayed_record, SPECTATOR)
        screen.line()
        screen.line(result_text(replayed_record, preceding=last_sentence), BOLD)
        print_player_output(screen, replayed_record.seats, played.prints, played.details)
        screen.line()
    if output is not None:
        write(output, played.stored, force)
        screen.line(f"The record in the store is saved in {output}.")
    if played.identical:
        screen.line(f"Match {played.match} is identical: {len(played.stored.splitlines())} lines of record.", BOLD)
        return 0
    screen.line(f"Match {played.match} differs: {played.difference}", BOLD)
    return 2


# ---------------------------------------------------------------- arena verify


def verify(
    tournament: options.TournamentName,
    /,
    *,
    published: Annotated[
        tuple[str, ...],
        Parameter(help="A hash of the log that you published: check that it is still in the log; can be repeated."),
    ] = (),
    replay: Annotated[
        int,
        Parameter(
            converter=options.whole_number(0, options.MAX_COUNT), help="Also play this many matches again and compare."
        ),
    ] = 0,
    store: options.StoreName = None,
    quiet: options.Quiet = False,
) -> int:
    """Recompute a tournament from its records, files, seeds and log. The exit status is 2 if anything differs.

    --published HASH proves that the log hasn't been changed since that hash was published.
    """
    screen = Screen()
    with options.open_arena(store) as arena:
        with progress_bar("checked {} of {} rows and records", "checking", quiet=quiet) as progress:
            proofs = list(arena.proofs(tournament, progress, published=published))
        if replay:
            with progress_bar("replayed {} of {} matches", "replaying", quiet=quiet) as progress:
                proofs += arena.replays(tournament, replay, progress)
    for proof in proofs:
        screen.line(f"{'ok    ' if proof.ok else 'FAILED'}  {proof.sentence}", indent=" " * 8)
    ok = all(proof.ok for proof in proofs)
    screen.line(f"{tournament} {'is verified' if ok else 'failed verification'}.", BOLD)
    return 0 if ok else 2


# ---------------------------------------------------------------- arena seeds


def seeds(tournament: options.TournamentName, /, *, store: options.StoreName = None) -> None:
    """Show the SHA-256 of each stage's seed, the seed itself once it is public, and the latest hash of the log."""
    with options.open_arena(store) as arena:
        stage_seeds = arena.stage_seeds(tournament)
        log = arena.log(tournament)
    screen = Screen()
    print_stage_seeds(screen, stage_seeds)
    print_latest_hash(screen, tournament, log)


def print_latest_hash(screen: Screen, tournament: str, log: tuple[LoggedEntry, ...]) -> None:
    """Print the latest hash of a tournament's log, and how to use it."""
    if log:
        entries = f"{len(log)} entries" if len(log) > 1 else "1 entry"
        screen.line(f"Latest hash of the log of {tournament} ({entries}): {log[-1].head}", indent="")
        advice = "Publish this hash: 'kibitz arena verify --published HASH' then detects any later change."
        screen.line(advice, DIM, indent="")


def print_stage_seeds(screen: Screen, stage_seeds: tuple[StageSeed, ...]) -> None:
    """Print the SHA-256 of the seeds, and the public seeds with a command that checks them without Kibitz."""
    from kibitz.arena.model import STAGE_NAMES

    for stage_seed in stage_seeds:
        screen.line(
            f"SHA-256 of the seed of the {STAGE_NAMES[stage_seed.stage]}: {stage_seed.commitment}", BOLD, indent=""
        )
        if stage_seed.seed is None:
            screen.line("  The seed stays secret while deals can still come from it.")
            continue
        screen.line(f"  The seed was {stage_seed.seed:032x}. Check it with:")
        screen.line(f"  printf 'kibitz seed {stage_seed.seed:032x}' | sha256sum", DIM, indent="")
