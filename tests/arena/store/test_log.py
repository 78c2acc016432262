"""The log is the same on any number of workers, and a hash chain that anybody can check; replays are a fresh sample."""

import hashlib
import re
import shutil
from collections import Counter

import msgspec
import pytest

import kibitz.arena
from kibitz.arena.pairing import next_round
from kibitz.arena.proof import proving
from kibitz.arena.proof.proving import ReplayedMatch
from kibitz.arena.running.runner import StopCondition, run
from kibitz.arena.store import log, open_store
from kibitz.cli import main
from tests.arena.store.field import entered, scheduled
from tests.arena.store.field import played as played_block
from tests.arena.store.season import NAME


def test_log_heads_are_chained_sha256_digests(played):
    before = "0" * 64
    with open_store(played) as store:
        for number, one in enumerate(store.log(NAME), 1):
            before = hashlib.sha256(f"{before}\n{one.entry}".encode()).hexdigest()
            assert (one.number, one.head) == (number, before)
            assert log.entry_text(log.parse_entry(one.entry)) == one.entry


def test_the_log_records_every_decision_once(played):
    with open_store(played) as store:
        found = [one.kind for one in store.log(NAME)]
        rounds = store.rounds(NAME)
        assert found[0] == "begun"
        assert found.count("submitted") == len(store.submissions(NAME))
        assert found.count("scheduled") == len(rounds)
        assert found.count("closed") == sum(one.closed_at is not None for one in rounds)
        assert found.count("out") == len(store.disqualifications(NAME)) == 1
        assert found.count("moved") == found.count("final") == 1


def test_calls_without_effect_are_not_logged(store):
    entered(store)
    before = store.log("go")
    store.record_check(1, passed=True, reason="", report="{}")
    store.enter_phase("go", "open")
    told = [one.kind for one in store.log("go")[len(before) :]]
    assert told in ([], ["tried"]), "a second report is kept, and changes nothing else"


@pytest.mark.long
def test_the_log_head_does_not_depend_on_the_number_of_workers(tmp_path):
    with open_store(tmp_path / "start.sqlite") as store:
        entered(store, players=5, words="random")
    heads = []
    for workers in (1, 2, 3):
        path = shutil.copy(tmp_path / "start.sqlite", tmp_path / f"{workers}.sqlite")
        with open_store(path) as store:
            run(store, "go", workers, until=StopCondition(rounds=2))
            heads.append([one.head for one in store.log("go")])
    assert heads[0] == heads[1] == heads[2]


def test_closing_a_round_twice_is_logged_once(store):
    scheduled(store, blocks=1)
    (lease,) = store.claim("go", "me")
    store.complete(lease, played_block(lease))
    before = len(store.log("go"))
    store.close_round("go", 1)
    store.close_round("go", 1)
    assert [one.kind for one in store.log("go")[before:]] == ["closed"]


def test_a_published_head_exposes_a_restored_backup(tmp_path, played):
    with open_store(shutil.copy(played, tmp_path / "now.sqlite")) as store:
        shutil.copy(tmp_path / "now.sqlite", tmp_path / "backup.sqlite")
        store.record_check(7, passed=False, reason="", report="")
        head = store.log(NAME)[-1].head
        assert all(proof.ok for proof in proving.proofs(store, store.tournament(NAME), next_round, published=[head]))
    with open_store(tmp_path / "backup.sqlite") as store:
        wrong = [p for p in proving.proofs(store, store.tournament(NAME), next_round, published=[head]) if not p.ok]
        assert [proof.check for proof in wrong] == ["head"]


@pytest.mark.long
def test_freeze_final_and_seeds_print_the_head_for_verify(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    path = str(tmp_path / "season.sqlite")
    with kibitz.arena.open(path) as arena:
        arena.store.add_tournament(NAME, NAME, seed=3)
        for number in range(2):
            made = arena.store.submit(NAME, f"p{number}", "o", "random", b"")
            arena.store.record_check(made.id, passed=True, reason="", report="")
        run(arena.store, NAME, 1, until=StopCondition(rounds=1))
    heads = []
    for words in (["freeze"], ["seeds"], ["final", "--margin", "9000", "--rounds", "1", "--workers", "1"]):
        assert main(["arena", words[0], NAME, *words[1:], "--store", path]) == 0
        heads += re.findall(r"Latest hash .*: ([0-9a-f]{64})", capsys.readouterr().out)
    assert len(heads) == 4, "the final tells it when it begins and when it is over"
    assert len(set(heads)) == 3, "nothing was decided between the freeze and the seeds"
    published = [word for head in heads for word in ("--published", head)]
    assert main(["arena", "verify", NAME, "--store", path, *published]) == 0
    told = capsys.readouterr().out
    assert told.count("nothing up to there has changed") == 4
    assert heads[-1] in "".join(told.split())
    assert main(["arena", "verify", NAME, "--store", path, "--published", "0" * 64]) == 2


@pytest.mark.parametrize("entry", ["{}", "[]", '{"what":"nothing"}', ""])
def test_an_invalid_log_entry_is_refused(entry):
    with pytest.raises(msgspec.MsgspecError):
        log.parse_entry(entry)


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
        for _ in range(30):
            tried.clear()
            assert all(proof.ok for proof in proving.replay_sample(store, tournament, 3, lambda done, of: None))
            assert [((places[match] + 1) * 3 - 1) // len(results) for match in tried] == [0, 1, 2]
            found.update(tried)
        assert len(found) > 0.5 * len(results)
        tried.clear()
        list(proving.replay_sample(store, tournament, 10**6, lambda done, of: None))
        assert tried == [result.match for result in results]
