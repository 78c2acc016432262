"""Tables of a server in the terminal: the same keys as for local games."""

import pytest

from kibitz.remote.client import server_address
from kibitz.tui.application import KibitzApp, server_route
from kibitz.tui.server_table import ServerTable
from tests.cli.test_join import Ann, invited
from tests.tui.playing import key_event, run, wait_for
from tests.web.program import Guest, running


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("server") / "server.sqlite") as program:
        yield program


@pytest.fixture
def ann(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KIBITZ_TOKEN", raising=False)
    return Guest(server.address)


def joined(pilot):
    return next((screen for screen in pilot.app.screen_stack if isinstance(screen, ServerTable)), None)


def at_table(link, steps, name="Ben"):
    """Open a table of the server in the application, and run ``steps`` with its screen."""

    async def whole(pilot):
        screen = await wait_for(pilot, lambda: joined(pilot))
        return await steps(pilot, screen)

    return run(KibitzApp(server_route(server_address(link), name)), whole)


async def press(pilot, screen, key):
    screen.on_key(key_event(key))
    await pilot.pause(0.01)


def text_of(screen):
    return "\n".join("".join(text for text, _ in screen.board.canvas.runs(y)) for y in range(24))


async def play_to_end(pilot, screen):
    """Press Enter until the game is over."""
    while screen.record is None:
        await wait_for(pilot, lambda: screen.selection or screen.record)
        if screen.selection:
            await press(pilot, screen, "enter")


def test_a_whole_game_is_played_by_keys_and_can_be_replayed_and_saved(ann, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table, link = invited(ann, "go-mini")
    other = Ann(ann, table)

    async def steps(pilot, screen):
        await wait_for(pilot, lambda: screen.selection)
        first = text_of(screen)
        await press(pilot, screen, "x")
        wrong = screen.feedback
        await play_to_end(pilot, screen)
        over = screen.frame()
        await press(pilot, screen, "v")
        await wait_for(pilot, lambda: type(pilot.app.screen).__name__ == "ReplayScreen")
        following = screen.table
        return first, wrong, over, following.result(), following.seat in following.state.outcome.winners

    first, wrong, over, result, won = at_table(link, steps)
    assert not any("Ben" in zone.title for zone in over.scene.zones)
    assert "SHA-256 of the seed" in first
    assert "SHA-256 of the seed" in over.history[0]
    other.join(60)
    assert "╭ You" in first
    assert "which card do you keep?" in first
    assert wrong.startswith("'x' isn't a key here: h hint")
    assert over.scene.prompt == result
    winners = result.rpartition("Winner")[2]
    assert ("You" in winners) == won
    assert won or "Guest" in winners
    assert any(told.endswith("face down.") or told.startswith("You lay") for told in over.history)


def test_refusals_hints_and_chat_are_shown(ann):
    table, link = invited(ann, "leduc")
    other = Ann(ann, table)

    async def steps(pilot, screen):
        await wait_for(pilot, lambda: screen.selection)
        await press(pilot, screen, "u")
        await wait_for(pilot, lambda: screen.feedback == "There is nothing to undo yet.")
        await press(pilot, screen, "h")
        await wait_for(pilot, lambda: screen.feedback.startswith("Hint: "))
        await press(pilot, screen, "c")
        await wait_for(pilot, lambda: type(pilot.app.screen).__name__ == "InputWindow")
        pilot.app.screen.dismiss("Good luck")
        await wait_for(pilot, lambda: any("Good luck" in said for said in screen.table.chats))
        await play_to_end(pilot, screen)
        return screen.feedback

    assert at_table(link, steps).startswith("The seed was")
    other.join(60)
    assert any(message.get("text") == "Good luck" for message in other.heard)


@pytest.mark.long
def test_a_lost_connection_is_restored_and_the_game_continues(ann):
    table, link = invited(ann, "go-mini")
    other = Ann(ann, table)

    async def steps(pilot, screen):
        await wait_for(pilot, lambda: screen.selection)
        await screen.connection.socket.close()
        await wait_for(pilot, lambda: screen.connection.socket is None)
        await wait_for(pilot, lambda: screen.connection.socket is not None)
        await play_to_end(pilot, screen)
        return screen.table.result()

    assert "Winner" in at_table(link, steps)
    other.join(60)


def test_leaving_prints_the_address_of_the_game(ann, server):
    table, link = invited(ann, "go-mini")
    app = KibitzApp(server_route(server_address(link), "Ben"))

    async def whole(pilot):
        screen = await wait_for(pilot, lambda: joined(pilot))
        screen.leave("leave")
        await wait_for(pilot, lambda: app.return_value)
        return app.return_value

    async def steps(pilot):
        return await whole(pilot)

    said = run(app, steps)
    assert said == f"Goodbye: the game continues at {server.address}/tables/{table}"


def test_an_unknown_table_gets_one_sentence(ann, server):
    app = KibitzApp(server_route(server_address(f"{server.address}/tables/nowhere"), "Ben"))

    async def steps(pilot):
        await wait_for(pilot, lambda: app.failure)
        return str(app.failure)

    assert run(app, steps) == "There is no such table here: check the address."
