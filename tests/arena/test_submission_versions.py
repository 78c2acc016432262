"""Owners, withdrawals and waiting times, from versions that the test gives."""

from types import SimpleNamespace

import pytest

from kibitz.arena.entry.submissions import (
    COOL_DOWN,
    OwnerHistory,
    check_may_submit,
    duration,
    interruption_reason,
    keep_refusal,
    last_withdrawn,
    owner_of,
    refusal_sentence,
    repeat_note,
    withdrawn_players,
)
from kibitz.arena.model import RosterEntry, Submission
from kibitz.errors import NotationError, StoreError

NOW = 10_000.0
ROSTER = [RosterEntry("Ann", "ann@uni"), RosterEntry("Ben", "ben@uni")]


def version(number=1, state="accepted", *, player="Ann", owner="Ann", digest="00", at=0.0, settled=None, reason=""):
    return Submission(number, "go", player, number, owner, "x.py", digest, state, reason, at, settled)


@pytest.mark.parametrize(
    ("name", "versions", "asked", "owner"),
    [
        ("Cem", [], None, "Cem"),
        ("Ann", [], None, "ann@uni"),
        ("Ann", [version(owner="first"), version(2, owner="second")], None, "second"),
        ("Cem", [version(owner="first")], "other", "other"),
        ("Ann", [], "ann@uni", "ann@uni"),
        ("Cem", [], "e\u0301va", "\u00e9va"),
    ],
)
def test_the_owner_comes_from_versions_roster_or_request(name, versions, asked, owner):
    assert owner_of(name, versions, ROSTER, asked) == owner


def test_another_persons_roster_name_is_refused():
    with pytest.raises(StoreError, match="Ann belongs to ann@uni on the roster, not to ben@uni"):
        owner_of("Ann", [], ROSTER, "ben@uni")
    with pytest.raises(NotationError, match="isn't a valid owner name"):
        owner_of("Cem", [], ROSTER, " ")


def test_the_newest_judged_refusal_is_named():
    refused = [
        version(1, "refused", digest="a"),
        version(2, "refused", digest="a"),
        version(3, "refused", digest="a", reason=interruption_reason("why")),
        version(4, "accepted", digest="a"),
        version(5, "refused", digest="b"),
    ]
    assert repeat_note(refused, "a") == "The same file was refused as version 2."
    assert repeat_note(refused, "c") == repeat_note([], "a") == repeat_note(refused[2:4], "a") == ""


def store_with_withdrawals(*pairs, newest=()):
    """A store with these withdrawals (player, submission) and newest submissions."""
    return SimpleNamespace(
        withdrawals=lambda name: [SimpleNamespace(player=player, submission=number) for player, number in pairs],
        submissions=lambda name: [SimpleNamespace(player=player, id=number) for player, number in newest],
    )


def test_a_withdrawn_player_is_out_until_a_new_version():
    store = store_with_withdrawals(
        ("Ann", 3), ("Ben", 4), ("Ann", 6), newest=[("Ann", 3), ("Ann", 6), ("Ben", 4), ("Ben", 7), ("Cem", 8)]
    )
    assert [last_withdrawn(store, "go", player) for player in ("Ann", "Ben", "Cem")] == [6, 4, 0]
    assert withdrawn_players(store, "go") == {"Ann"}
    assert withdrawn_players(store_with_withdrawals(), "go") == frozenset()


@pytest.mark.parametrize(
    ("versions", "grounds", "digest", "sentence"),
    [
        ([], OwnerHistory(), "x", None),
        ([version(digest="a")], OwnerHistory(), "x", None),
        (
            [version(3, digest="a")],
            OwnerHistory(),
            "a",
            "already version 3, which is playing; nothing has changed.",
        ),
        ([version(3, digest="a")], OwnerHistory(excluded=frozenset({3})), "a", "version 3, which is excluded"),
        ([version(3, digest="a")], OwnerHistory(withdrawn_at=2), "a", "which is playing"),
        ([version(3, digest="a")], OwnerHistory(withdrawn_at=3), "a", None),
        ([version(3, digest="a"), version(4, digest="b")], OwnerHistory(), "a", None),
        ([version(3, digest="a"), version(4, "refused", digest="b")], OwnerHistory(), "a", "which is playing"),
        (
            [version(2, "waiting", at=NOW - COOL_DOWN + 61)],
            OwnerHistory(),
            "x",
            "Version 2 is still being checked: wait for its result, or 1 min 1 s.",
        ),
        ([version(2, "waiting", at=NOW - COOL_DOWN)], OwnerHistory(), "x", None),
        (
            [version(settled=NOW - COOL_DOWN + 1)],
            OwnerHistory(),
            "x",
            "submit a new version 10 minutes after the last accepted one: wait another 1 s.",
        ),
        ([version(settled=NOW - COOL_DOWN)], OwnerHistory(), "x", None),
        ([version(1, "refused", settled=NOW)], OwnerHistory(), "x", None),
        (
            [],
            OwnerHistory(
                submissions=(version(5, "refused", player="Zoe", settled=NOW - 540), version(4, settled=NOW - 590))
            ),
            "x",
            "10 minutes after your last one (version 5 of Zoe, refused): wait another 1 min.",
        ),
        (
            [],
            OwnerHistory(submissions=(version(5, "refused", settled=NOW, reason=interruption_reason("why")),)),
            "x",
            None,
        ),
        ([], OwnerHistory(submissions=(version(5, "refused", settled=NOW - COOL_DOWN),)), "x", None),
    ],
)
def test_the_reason_to_wait_depends_on_versions_and_cool_down(versions, grounds, digest, sentence):
    told = refusal_sentence(versions, NOW, digest, grounds)
    assert told is None if sentence is None else sentence in told
    if sentence is None:
        check_may_submit(versions, NOW, digest, grounds)
    else:
        with pytest.raises(StoreError) as caught:
            check_may_submit(versions, NOW, digest, grounds)
        assert (caught.value.kind, str(caught.value)) == ("refused", told)


def test_waiting_times_are_rounded_up():
    words = {0: "1 s", 0.1: "1 s", 1: "1 s", 1.1: "2 s", 59.1: "1 min", 60: "1 min", 61: "1 min 1 s", 119.5: "2 min"}
    assert {seconds: duration(seconds) for seconds in words} == words


@pytest.mark.parametrize(
    ("error", "owner", "place", "kept"),
    [
        (NotationError("/home/x/a.py is empty."), None, "/home/x/a.py", ("Ann", "ann@uni", "a.py", "a.py is empty.")),
        (StoreError("refused", "No."), "own er", "/home/x/class/", ("Cem", "own er", "class", "No.")),
        (StoreError("refused", "No."), None, "/", ("Cem", "Cem", "/", "No.")),
        (StoreError("locked", "It is locked."), None, "a.py", None),
    ],
)
def test_stored_attempts_contain_no_local_paths(error, owner, place, kept):
    told = []
    store = SimpleNamespace(roster=lambda: ROSTER, refuse=lambda *given: told.append(given))
    name = "Ann" if kept and kept[0] == "Ann" else "Cem"
    keep_refusal(store, SimpleNamespace(name="go"), name, owner, place, error)
    assert told == ([] if kept is None else [("go", *kept)])
