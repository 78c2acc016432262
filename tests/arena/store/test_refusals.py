"""Refused attempts are kept with their reason, in the store and in the log."""

import pytest

import kibitz
from kibitz.arena.entry import submissions
from kibitz.arena.entry.qualification import Report
from kibitz.errors import KibitzError, NotationError, StoreError
from tests.arena.store.season import true
from tests.tiers import first_fast

GO = kibitz.game("go")
WHY = "'ann.zip' can't be read as a ZIP archive: pack it again."


def stored_refusals(store, name="go"):
    return [(one.player, one.owner, one.file, one.reason) for one in store.refusals(name)]


def accept(game, path, sources, limits):
    return Report(game.name, str(path), sources.sha256, 0, ())


def test_a_refusal_is_stored_with_its_reason_and_logged(store):
    store.add_tournament("go", "go")
    store.refuse("go", "Ann", "lee", "ann.zip", WHY)
    assert stored_refusals(store) == [("Ann", "lee", "ann.zip", WHY)]
    assert [one.kind for one in store.log("go")] == ["begun", "refused"]
    assert true(store, ("go",))


def test_repeated_refusals_are_stored_once_per_reason(store):
    store.add_tournament("go", "go")
    for why in (WHY, WHY, "It is empty.", WHY):
        store.refuse("go", "Ann", "lee", "ann.zip", why)
    store.refuse("go", "Bob", "bob", "ann.zip", WHY)
    assert [(one.number, one.player) for one in store.refusals("go")] == [
        (1, "Ann"),
        (2, "Ann"),
        (3, "Ann"),
        (4, "Bob"),
    ]


def test_closed_and_custom_tournaments_store_no_refusals(store):
    store.add_tournament("go", "go")
    store.add_tournament("custom-1", "go", "custom")
    store.enter_phase("go", "closed")
    for name in ("go", "custom-1"):
        store.refuse(name, "Ann", "lee", "ann.zip", WHY)
        assert store.refusals(name) == ()


def test_refusals_accept_any_file_name_and_text(store):
    store.add_tournament("go", "go")
    store.refuse("go", "Ann", "lee", "x" * 300 + "\0\udc80", "a\0b\ud800")
    ((_, _, file, why),) = stored_refusals(store)
    assert len(file) == 255
    assert why == "a\N{SYMBOL FOR NULL}b?"
    assert true(store, ("go",))


ATTEMPTS = {
    "a file that cannot be read": ("ann.zip", b"PK no archive", "Ann", "be read as a ZIP archive"),
    "an empty file": ("ann.py", b" \n", "Ann", "is empty"),
    "a name that a built-in player has": ("ann.py", b"x = 1\n", "random", "is the name of a built-in player"),
    "a name like another's": ("ann.py", b"x = 1\n", "ZOE", "looks too much like"),
    "a file that comes too soon": ("ann.py", b"x = 2\n", "Zoe", "10 minutes after"),
    "the very file that plays": ("zoe.py", b"x = 1\n", "Zoe", "already version 1"),
}


@pytest.mark.parametrize("attempt", first_fast(ATTEMPTS, 2))
def test_every_refused_attempt_is_stored(store, attempt):
    file, content, name, why = ATTEMPTS[attempt]
    tournament = store.add_tournament("go", "go")
    submissions.submit(store, GO, "zoe.py", "Zoe", content=b"x = 1\n", qualify_with=accept)
    with pytest.raises(KibitzError, match=why) as refused:
        submissions.submit(store, GO, file, name, tournament=tournament, content=content, qualify_with=accept)
    assert stored_refusals(store) == [(name, name, file, str(refused.value))]
    assert true(store, ("go",))


def test_store_errors_and_missing_files_are_not_stored_as_refusals(store):
    tournament = store.add_tournament("go", "go")
    for trouble in (StoreError("busy", "The store is locked."), StoreError("missing", "There is none.")):
        submissions.keep_refusal(store, tournament, "Ann", None, "ann.py", trouble)
    with pytest.raises(NotationError, match="no such file"):
        submissions.submit(store, GO, "/no/such/ann.py", "Ann", tournament=tournament)
    assert stored_refusals(store) == []
