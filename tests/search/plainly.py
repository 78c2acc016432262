"""Search players in plain Python, for tests of their choices."""

from kibitz.search import search_players


def think_plainly(monkeypatch):
    """Make search players search in plain Python instead of falling back to another strategy."""
    new_search = search_players.new_search
    monkeypatch.setattr(search_players, "is_ready", lambda game: True)
    monkeypatch.setattr(search_players, "new_search", lambda *arguments, plain: new_search(*arguments, plain=True))
