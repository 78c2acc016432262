"""What whoever runs a server looks at: whether it is well, and numbers about it."""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import text

from kibitz import __version__
from kibitz.web.api.operation import Call, Operation
from kibitz.web.store.opening import mark_of

PLAIN = "text/plain; version=0.0.4; charset=utf-8"


class Health(msgspec.Struct, frozen=True):
    """Whether the server is well: 503 and a sentence where it is not.  ``store`` tells one store from another."""

    ok: bool
    version: str
    store: str
    tables: int
    lines: int
    seconds: float


async def healthz(call: Call) -> Health:
    """Whether the store answers."""
    app_state = call.app_state
    await app_state.keeper.read(lambda connection: connection.execute(text("SELECT 1")).scalar())
    lobby = app_state.lobby
    return Health(
        True,
        __version__,
        mark_of(app_state.config.store),
        len(lobby.hosts),
        lobby.connected,
        round(time.time() - app_state.since, 1),
    )


async def metrics(call: Call) -> str:
    """Numbers in the text format of Prometheus."""
    app_state = call.app_state
    numbers = {
        "kibitz_tables": ("gauge", "Tables that are being played or looked at.", len(app_state.lobby.hosts)),
        "kibitz_lines": ("gauge", "Open connections to tables.", app_state.lobby.connected),
        "kibitz_requests_total": (
            "counter",
            "Requests of people at tables.",
            app_state.lobby.services.counts["requests"],
        ),
        "kibitz_entries_total": ("counter", "Entries that were saved.", app_state.lobby.services.counts["entries"]),
        "kibitz_started_seconds": ("gauge", "When the server was started.", round(app_state.since, 3)),
    }
    lines = []
    for name, (kind, meaning, value) in numbers.items():
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}", f"{name} {value}"]
    return "\n".join(lines) + "\n"


OPERATIONS = (
    Operation("GET", "/healthz", healthz, "Whether the server is well.", Health),
    Operation("GET", "/metrics", metrics, "Numbers about the server.", str, media=PLAIN),
)
