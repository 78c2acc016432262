"""``kibitz arena ...``: a season among player files, loaded when one of its commands is called.

Like ``kibitz --help`` its overview is written here, so that it needs no libraries.
"""

from __future__ import annotations

from cyclopts import App, Parameter

COMMANDS = {
    "submit": "enter a player file or a whole class: they are tried, and play if they are fit",
    "withdraw": "take a player out of all rounds to come; what it has played stays",
    "roster": "take over from a CSV file whose players there are",
    "run": "play rounds until stopped, with the table as it grows",
    "table": "who is how good, with 95 % intervals",
    "history": "every version of a player",
    "failures": "the games that a player lost by its own failures, and how to see them again",
    "replay": "play a match again and compare",
    "export": "write the results as CSV",
    "rate": "compute a table from such a CSV",
    "custom": "let chosen players play games that never count",
    "begin": "begin a tournament with rules of your own, or a second one of a game",
    "freeze": "take no more submissions",
    "final": "play the final on fresh secret deals, so many rounds or until the intervals are narrow enough",
    "seeds": "the sealed seeds of a tournament, those that are published, and the head of its log",
    "verify": "prove a tournament: derive everything again that decides its table",
    "doctor": "find out how player files are confined on this machine",
}
"""Every command with what it does."""
MODULES = {
    "players": ("submit", "withdraw", "history", "failures"),
    "season": ("begin", "freeze", "roster", "doctor"),
    "rounds": ("run", "final", "custom"),
    "results": ("table", "replay", "export", "rate", "seeds", "verify"),
}
"""Where each command is defined."""

arena = App(
    name="arena",
    help="A season among player files: submit, run, table, final.",
    default_parameter=Parameter(negative=(), show_default=False),
    result_action="return_value",
)
for module, names in MODULES.items():
    for name in names:
        arena.command(f"kibitz.cli.arena.{module}:{name}", name=name)
