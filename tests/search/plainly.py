"""Search players that think in plain Python, for tests of what they think."""

from kibitz.search import search_players


def think_plainly(monkeypatch):
    """Let search players think without machine code, where they would play another strategy."""
    begun = search_players.search_kind
    monkeypatch.setattr(search_players, "is_ready", lambda game: True)
    monkeypatch.setattr(search_players, "search_kind", lambda *given, plain: begun(*given, plain=True))
