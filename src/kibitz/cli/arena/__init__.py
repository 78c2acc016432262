"""``kibitz arena ...``: a season of tournaments between player files.

A module is loaded when one of its commands is called. The text of ``kibitz arena --help`` is written here, so that it
needs no libraries.
"""

from __future__ import annotations

from cyclopts import App

GROUPS = {
    "Players": {
        "submit": "enter a player file, or those of a whole class, after a check",
        "withdraw": "take a player out of all future rounds; its past games stay",
        "roster": "read the list of players from a CSV file",
        "history": "show every version of a player",
        "failures": "show the games that a player forfeited, and how to repeat them",
    },
    "Season": {
        "begin": "begin a tournament: set its name, limits and seed",
        "run": "play rounds until stopped, and show the ranking as it grows",
        "freeze": "close submissions; with --undo, reopen them",
        "final": "play the final on new secret deals",
        "custom": "play unrated games between chosen players",
    },
    "Results": {
        "ranking": "show the ratings, with 95 % intervals",
        "replay": "play a match again and check that nothing differs",
        "export": "write the results as CSV",
        "rate": "compute the ranking from an exported CSV",
        "seeds": "show the SHA-256 of a tournament's seeds and, once public, the seeds",
        "verify": "recompute a tournament from its games, files and seeds, and compare",
    },
    "Machine": {
        "doctor": "test the sandbox for player files on this machine",
    },
}
"""Every command with its description, grouped by purpose."""
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
MODULES = {
    "players": ("submit", "withdraw", "history", "failures"),
    "season": ("begin", "freeze", "roster", "doctor"),
    "rounds": ("run", "final", "custom"),
    "results": ("ranking", "replay", "export", "rate", "seeds", "verify"),
}
"""The commands by the module that defines them."""
USAGE = {
    "run": "[OPTIONS] [TOURNAMENT]",
    "ranking": "[OPTIONS] [TOURNAMENT]",
    "failures": "[OPTIONS] [PLAYER]",
    "roster": "[OPTIONS] [FILE]",
    "custom": "[OPTIONS] GAME PLAYERS...",
}
"""The usage of commands for which cyclopts would write ARGS instead of the arguments' names."""

arena = App(
    name="arena",
    help="A season of tournaments between player files: submit, run, ranking, final.",
    result_action="return_value",
)
for module, names in MODULES.items():
    for name in names:
        usage = {"usage": f"Usage: kibitz arena {name} {USAGE[name]}"} if name in USAGE else {}
        arena.command(f"kibitz.cli.arena.{module}:{name}", name=name, **usage)
