"""Nobody can know beforehand which matches will be replayed."""

from collections import Counter

from kibitz.arena.proof import proving
from kibitz.arena.proof.proving import ReplayedMatch
from kibitz.arena.store import open_store
from tests.arena.store.season import NAME


def test_verify_replays_a_fresh_random_sample_of_matches(played, monkeypatch):
    """Otherwise a forger would only need to know how many are usually replayed."""
    tried: list[int] = []

    def replay(store, tournament, match):
        tried.append(match)
        return ReplayedMatch(f"{tournament}/{match}", "", "", "", (), ())

    monkeypatch.setattr(proving, "replay", replay)
    with open_store(played) as store:
        tournament, results = store.tournament(NAME), store.results(NAME)
        places = {result.match: place for place, result in enumerate(results)}
        found: Counter[int] = Counter()
        for _ in range(120):
            tried.clear()
            assert all(proof.ok for proof in proving.replay_sample(store, tournament, 3, lambda done, of: None))
            assert [((places[match] + 1) * 3 - 1) // len(results) for match in tried] == [0, 1, 2]
            found.update(tried)
        assert len(found) > 0.9 * len(results)
        tried.clear()
        list(proving.replay_sample(store, tournament, 10**6, lambda done, of: None))
        assert tried == [result.match for result in results]
