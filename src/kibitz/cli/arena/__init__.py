"""``kibitz arena ...``: one small module a command, loaded when it is called."""

from __future__ import annotations

from cyclopts import App, Parameter

COMMANDS = {
    "doctor": "find out how player files are confined on this machine",
}
"""Every command with what it does."""

arena = App(
    name="arena",
    help="A season among player files.",
    default_parameter=Parameter(negative=(), show_default=False),
    result_action="return_value",
)
for name in COMMANDS:
    arena.command(f"kibitz.cli.arena.{name}:{name}", name=name)
