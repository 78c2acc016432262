"""``kibitz serve`` and ``kibitz join``: Kibitz in the browser, and a seat at a table on a server."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from cyclopts import Parameter

from kibitz.cli.options import Ascii, Plain, Workers, whole_number
from kibitz.cli.screen import Screen, is_full_screen, is_interactive, open_application, print_text

PORT = 8000
Port = Annotated[
    int | None, Parameter(converter=whole_number(0, 65535), help="The port; 0 for any free port. Default: 8000.")
]


def serve(
    *,
    host: Annotated[
        str, Parameter(help="The address to listen on; 0.0.0.0 for all addresses of this machine.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Annotated[
        str | None,
        Parameter(
            help="Where to keep tables, games and accounts: a file or a postgresql:// URL. Default: $KIBITZ_DATABASE,"
            " or else a file in your user data folder."
        ),
    ] = None,
    store: Annotated[
        str | None,
        Parameter(
            help="The arena's store, as for 'kibitz arena'. Default: $KIBITZ_STORE, or else a file in your user data"
            " folder."
        ),
    ] = None,
    hostname: Annotated[
        tuple[str, ...],
        Parameter(help="A name under which browsers reach this server, such as kibitz.example; can be repeated."),
    ] = (),
    base_path: Annotated[str, Parameter(help="The path prefix of a reverse proxy, such as /kibitz.")] = "",
    workers: Workers = None,
    log_requests: Annotated[bool, Parameter(help="Log every request to standard error, as one line of JSON.")] = False,
    browser: Annotated[
        bool,
        Parameter(
            name="--open", help="Open Kibitz in a browser; on a machine without one, offer to play in the terminal."
        ),
    ] = False,
) -> int:
    """Serve tables, replays and the arena to browsers. Nobody needs an account to play.

    Everything is saved as it happens: after Ctrl-C or a crash, all games continue at the next start.
    """
    from kibitz.web.app_state import Config, clean_base
    from kibitz.web.guards import allowed_hosts
    from kibitz.web.server import serve as run
    from kibitz.web.store.server_store import default_store

    screen = Screen()
    database_name = database or os.environ.get("KIBITZ_DATABASE") or str(default_store())
    config = Config(
        store=database_name,
        arena=store or "",
        base=clean_base(base_path),
        workers=workers,
        names=allowed_hosts(host, hostname),
    )
    if browser and not has_browser() and wants_terminal(screen, host, PORT if port is None else port):
        from kibitz.cli import main

        return main(["play"])
    if browser and port is None:
        if known_address := running_address(host, database_name):
            print_text(f"Kibitz is already running at {known_address}")
            return open_browser(known_address)
        port = free_port(host)

    def announce(address: str, link: str) -> None:
        print_text(f"Kibitz is at {address}")
        if link and not browser:
            print_text(f"To create a lecturer account, open this link (it works once): {link}")
        screen.line("Stop it with Ctrl-C; every game is saved.")
        sys.stdout.flush()
        if browser:
            open_browser(address)

    run(config, host, PORT if port is None else port, announce, log_requests=log_requests)
    return 0


def open_browser(address: str) -> int:
    """Open an address in a browser, if this machine has one; returns the exit status 0."""
    if has_browser():
        import webbrowser

        webbrowser.open(address)
    return 0


def running_address(host: str, store: str) -> str:
    """The address of a server that already runs on the default port with this store; empty if there is none."""
    from json import loads
    from urllib.request import urlopen

    from kibitz.web.store.server_store import store_id

    address = f"http://{host}:{PORT}/"
    try:
        with urlopen(f"{address}healthz", timeout=2) as answer:
            return address if loads(answer.read()).get("store") == store_id(store) else ""
    except (OSError, ValueError, AttributeError):
        return ""


def has_browser() -> bool:
    """Whether this machine can open a browser window."""
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def wants_terminal(screen: Screen, host: str, port: int) -> bool:
    """Whether the user, who has no browser here, wants to play in this terminal; False if input isn't a terminal."""
    if not is_interactive():
        return False
    screen.line("No browser was found on this machine.")
    screen.line(
        f"Press Enter to play in this terminal, or type s to serve http://{host}:{port}/ to browsers elsewhere."
    )
    return screen.ask().lower() not in ("s", "serve")


def free_port(host: str) -> int:
    """The default port; 0, which stands for any free port, if it is in use."""
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        return PORT if probe.connect_ex((host, PORT)) else 0


# ---------------------------------------------------------------- join


def join(
    address: Annotated[str, Parameter(help="The link of a table or invitation, or a server to choose a table from.")],
    /,
    *,
    name: Annotated[str | None, Parameter(help="Your name at the table. Default: Guest.")] = None,
    plain: Plain = False,
    ascii: Ascii = False,
) -> int | None:
    """Join a table on a Kibitz server, or watch it, with the same screen and keys as 'kibitz play'.

    You join as a guest. The server recognises this computer, so closing the terminal doesn't lose your seat. To use
    your account, set the environment variable KIBITZ_TOKEN to one of its tokens.
    """
    from kibitz.remote.client import server_address

    parsed_address = server_address(address)
    if is_full_screen(plain):
        from kibitz.tui.application import server_route

        open_application(server_route(parsed_address, name), ascii)
        return None
    from kibitz.cli.line_mode.server_table import play_at_server

    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return play_at_server(Screen(ascii, plain), parsed_address, name)
