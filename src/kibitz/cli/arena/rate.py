"""``kibitz arena rate``: the table of exported results, computed again by anyone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Lost, Share
from kibitz.cli.screen import put
from kibitz.errors import KibitzError, cause

Json = Annotated[bool, Parameter(help="Print every figure as JSON instead of the table.")]
Season = Annotated[bool, Parameter(help="Rate the season also where there are results of the final.")]


def rate(
    file: Annotated[Path, Parameter(help="Results, such as 'kibitz arena export' writes.")],
    /,
    *,
    json: Json = False,
    season: Season = False,
    lost: Lost = 5,
    share: Share = 0.02,
) -> int:
    """Rate the results in a CSV file: those of the final, or of the season while there is no final."""
    import io

    import msgspec

    from kibitz.arena.model import Threshold, stage
    from kibitz.arena.rating.export import read_csv
    from kibitz.arena.rating.ranking import out_of, plain, rated
    from kibitz.engine import file_io

    try:
        lines = io.TextIOWrapper(io.BytesIO(file_io.content(file)), encoding="utf-8", newline="")
        results = read_csv(lines, str(file))
    except OSError as error:
        raise KibitzError(f"{file} cannot be read: {cause(error)}.") from error
    final = [result for result in results if stage(result.phase) == "final"]
    counted = [result for result in results if stage(result.phase) == "season"] if season or not final else final
    if not counted:
        raise KibitzError(f"{file} holds no results to rate.")
    ratings, rows = rated(counted, out_of(results, Threshold(lost, share)))
    put(msgspec.json.format(msgspec.json.encode(ratings)).decode() if json else plain(rows).removesuffix("\n"))
    return 0
