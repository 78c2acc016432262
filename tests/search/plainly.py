"""Search players in plain Python, for tests of their choices."""

from kibitz.search import search_players


def think_plainly(monkeypatch):
    """Make search players search in plain Python instead of falling back to another strategy."""
    search_kind = search_players.search_kind
    monkeypatch.setattr(search_players, "is_ready", lambda game: True)
    monkeypatch.setattr(search_players, "search_kind", lambda *arguments, plain: search_kind(*arguments, plain=True))
