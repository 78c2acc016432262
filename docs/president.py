"""Plays the match that ``docs/president.md`` tells: set up by its dialogue, three people at one keyboard.

    python docs/president.py          play it and regenerate the page and the transcript

What the people type is made up beforehand, by strategies that play the same match in silence; then ``kibitz play`` is
run as anybody would run it, with those lines typed into it.  Everything shown is what it printed, with a mark where it
clears the screen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

from kibitz.cli.screen import SEPARATOR
from kibitz.engine.game import Game
from kibitz.engine.registry import game
from kibitz.engine.views.events import Event, Outcome, View
from kibitz.games.president.rules import ANY_OF_VALUE
from kibitz.players.built_in import StrategyPlayer, strategies
from kibitz.table import play_match

DOCS = Path(__file__).resolve().parent
PAGE, TRANSCRIPT = DOCS / "president.md", DOCS / "examples" / "president_three_at_one_keyboard.txt"
COMMAND = ("play", "president", "--setup", "--seed", "11")
PLAYED = "president:players=5,rounds=2,upper_names=2"
SEATS = (("Ann", None), ("Ben", None), ("Cem", None), ("Robo", "report"), ("Grid", "greedy"))
CLEARED = "- - - - - - - - - - - - - - - - the screen is cleared - - - - - - - - - - - - - - - -"
EXCERPT = re.compile(r"<!-- (\w+) -->\n```\n.*?```", re.DOTALL)


class Typist(StrategyPlayer):
    """A person's part in the silent match: keeps what is to be typed."""

    def __init__(self, name: str, seat: int, typed: list[tuple[int, str]]) -> None:
        super().__init__(name, strategies(game(PLAYED))["greedy"])
        self.seat, self.typed = seat, typed

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Sit down."""
        super().start(game, seat, seed)
        self.game, self.random = game, Random(seat)

    def observe(self, event: Event) -> None:
        """A strategy needs only its view."""

    def act(self, view: View, legal: list[int]) -> int:
        """The strategy's choice, written down if there is one; of cards to ask for, any of the highest value."""
        values = [action for action in legal if action >= ANY_OF_VALUE]
        action = values[0] if values else super().act(view, legal)
        if len(legal) > 1:
            self.typed.append((self.seat, self.game.text(view, action)))
        return action

    def end(self, outcome: Outcome | None) -> str:
        """Get up."""
        return ""


def lines_typed() -> list[str]:
    """Everything that is typed: the answers of the dialogue, the choices, and Enter between two people."""
    known = list(strategies(game(PLAYED)))
    lines = [str(len(SEATS))]
    for name, words in SEATS:
        lines += ["1" if words is None else str(known.index(words) + 2), name]
    lines += ["2", "", "", "3", "", "", ""]
    typed: list[tuple[int, str]] = []
    players = [
        Typist(name, seat, typed) if words is None else StrategyPlayer(name, strategies(game(PLAYED))[words])
        for seat, (name, words) in enumerate(SEATS)
    ]
    play_match(game(PLAYED), players, int(COMMAND[-1]))
    holder = None
    for seat, text in typed:
        if seat != holder:
            lines += [""] if holder is None else ["", ""]
        holder = seat
        lines.append(text)
    return [*lines, "", "n", "q"]


def played() -> str:
    """What ``kibitz play`` prints when those lines are typed into it."""
    kibitz = "import sys; from kibitz.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(DOCS.parent / "src"), "PYTHONUTF8": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", kibitz, *COMMAND],
        input="\n".join(lines_typed()) + "\n",
        env=environment,
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    shown = ran.stdout.replace(SEPARATOR, CLEARED)
    return f"$ kibitz {' '.join(COMMAND)}\n{shown}".replace("> \n", ">\n")


def excerpts(transcript: str) -> dict[str, str]:
    """The parts of the transcript that the page shows."""
    setup, *turns = transcript.split(CLEARED)
    trade = next(i for i, turn in enumerate(turns) if "do you ask the" in turn)
    return {"setup": setup, "turns": CLEARED.join(turns[:4]), "trade": turns[trade], "end": turns[-1]}


def page(text: str, transcript: str) -> str:
    """The page with its parts of the transcript."""
    parts = excerpts(transcript)
    return EXCERPT.sub(lambda found: f"<!-- {found[1]} -->\n```\n{parts[found[1]].strip()}\n```", text)


def main() -> None:
    """Write both."""
    transcript = played()
    TRANSCRIPT.write_text(transcript, encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), transcript), encoding="utf-8")


if __name__ == "__main__":
    main()
