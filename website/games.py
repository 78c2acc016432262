"""What the code adds to the page of a game: its rules, its variants, its players.

    <!-- rules: NAME -->    and the paragraph after it gives way to the rules of the game of this name
    <!-- games: FAMILY -->  and the paragraph after it gives way to a table of the family's games and players

In ``docs`` the paragraph is a link to the rules, or says which command tells the same.
"""

from __future__ import annotations

import re
from pathlib import Path

import kibitz
from kibitz.cli.games import listed_options, range_text
from kibitz.engine.game import Game
from kibitz.engine.registry import Family, families, name_in_family
from kibitz.players.built_in import characters
from website import markdown

MARK = re.compile(r"<!-- (?P<what>rules|games): (?P<name>[\w-]+) -->\n(?P<there>(?:(?!\n\n).)+)\n", re.S)
FOLDER = "docs/games"


def with_rules(text: str) -> str:
    """A page with what its marks ask for."""

    def told(found: re.Match[str]) -> str:
        if found["what"] == "rules":
            return rules(kibitz.game(found["name"]))
        return family(next(each for each in families() if each.name == found["name"]))

    return MARK.sub(told, text)


def rules(game: Game) -> str:
    """The rules of a game without their title, below a heading of a page."""
    _, _, text = game.rules_text.partition("\n")
    return markdown.demoted(text.strip(), 1) + "\n"


def family(found: Family) -> str:
    """Tables of the games of a family, of what can be chosen in them, and of the players that come with them."""
    lines = ["| game | called | seats | |", "|---|---|---|---|"]
    lines += [
        f"| {name_in_family(game, found)} | `{game.name}` | {seats(game)} | {game.summary} |" for game in found.games
    ]
    first = found.games[0]
    if first.option_ranges:
        options = (f"`{name}={range_text(*span)}`" for name, span in listed_options(first.option_ranges).items())
        lines += ["", f"Options, written behind the name (`{first.name}:...`): {', '.join(options)}."]
    lines += ["", f"The players of `{first.name}`, from the weakest to the strongest:", ""]
    return "\n".join([*lines, *players(first), ""])


def seats(game: Game) -> str:
    """How many seats a game has, and how many it may have."""
    least, most = game.option_ranges.get("players", (game.seats, game.seats))
    return f"{game.seats}" if least == most else f"{game.seats} ({least} to {most})"


def players(game: Game) -> list[str]:
    """The players of a game with the line that each says of itself."""
    return [f"* `{each.name}`: {each.line}" for each in characters(game)]


def without_page(home: Path) -> list[str]:
    """The families of games that come with Kibitz and have no page."""
    return [each.name for each in families() if not (home / FOLDER / f"{each.name}.md").is_file()]
