"""Submitting a class: names, owners, new files, and how often a file is checked."""

from types import SimpleNamespace

import pytest

from kibitz.arena.entry.class_submission import (
    ClassResult,
    ClassSubmission,
    PlayerOutcome,
    PlayerToCheck,
    names_and_owners_of,
    without_submission,
)
from kibitz.arena.entry.submissions import interruption_reason
from kibitz.arena.model import RosterEntry, Submission
from kibitz.executors.worker import Lost
from kibitz.players.files.entries import FolderEntry
from kibitz.players.files.sources import Sources

SOURCES = Sources((("mine.py", b"x = 1\n"),))
ROSTER = (
    RosterEntry("Ann Lee", "ann@uni", "1101"),
    RosterEntry("Ben", "ben@uni"),
    RosterEntry("Cem Oz", "cem@uni", "1103"),
)


def entry(name, number=""):
    return FolderEntry(name, f"{name}.py", SOURCES, id=number)


def version(player, owner="", number=1, state="accepted", digest="00", reason="", id=1):
    return Submission(id, "go", player, number, owner or player, "mine.py", digest, state, reason, 0.0, 1.0)


@pytest.mark.parametrize(
    ("entries", "known", "found"),
    [
        ([entry("whoever", "1101")], [], [("Ann Lee", "ann@uni")]),
        ([entry("Lee Ann")], [], [("Ann Lee", "ann@uni")]),
        ([entry("ann_lee")], [], [("Ann Lee", "ann@uni")]),
        ([entry("Ben", "1101")], [], [("Ann Lee", "ann@uni")]),
        ([entry("Ben", "7")], [], [("Ben", "ben@uni")]),
        ([entry("Dot", "7"), entry("Eve")], [], [("Dot", "7"), ("Eve", None)]),
        (
            [entry("Sam", "7"), entry("Sam", "8"), entry("sam")],
            [],
            [("Sam 7", "7"), ("Sam 8", "8"), ("sam", None)],
        ),
        ([entry("Dot", "7")], [version("Old", "7")], [("Old", "7")]),
        ([entry("Dot", "7")], [version("Old", "7"), version("Old", "7", 2)], [("Old", "7")]),
        ([entry("Dot", "7")], [version("Old", "7"), version("Other", "7")], [("Dot", "7")]),
        ([entry("Dot", "7")], [version("Old", "8")], [("Dot", "7")]),
        ([entry("Ben")], [version("Old", "ben@uni")], [("Ben", "ben@uni")]),
        ([entry("Ben", "9")], [version("Old", "ben@uni")], [("Old", "ben@uni")]),
    ],
)
def test_class_entries_get_their_names_and_owners(entries, known, found):
    assert names_and_owners_of(entries, ROSTER, known) == found


def test_people_without_a_submission_are_found_by_name_or_owner():
    """Ann has submitted twice, once under another name; Ben submitted earlier; nothing has come from Cem."""
    roster = (*ROSTER, RosterEntry("Ann again", "ann@uni"))
    store = SimpleNamespace(roster=lambda: roster, submissions=lambda name: [version("Ben")])
    came = [PlayerOutcome("Ann Lee", "x.py", "not entered")]
    assert without_submission(store, SimpleNamespace(name="go"), came) == (ROSTER[2],)
    assert without_submission(store, SimpleNamespace(name="go"), []) == (ROSTER[0], ROSTER[2], roster[3])


def test_a_class_plays_if_every_file_does():
    good = [PlayerOutcome("a", "a.py", state, 1, "", plays=True) for state in ("accepted", "unchanged")]
    assert ClassResult(None, tuple(good), complete=True).all_play
    assert not ClassResult(None, tuple(good), complete=False).all_play
    refused = PlayerOutcome("b", "b.py", "refused", 2, "No.", plays=True)
    stays_out = PlayerOutcome("b", "b.py", "accepted", 2, "", plays=False)
    for one in (refused, stays_out):
        assert not ClassResult(None, (*good, one), complete=True).all_play


def class_submission(versions=(), out=(), withdrawn=()):
    """A class submission to a store with these versions, with the lists of its results and messages."""
    settled, told = [], []

    def record_check(id, *, passed, reason, report):
        settled.append((id, passed, reason))
        return version("Ann", state="refused", reason=reason, id=id)

    store = SimpleNamespace(
        submissions=lambda name, player: list(versions),
        disqualifications=lambda name: [SimpleNamespace(submission=id, reason="It is out.") for id in out],
        withdrawals=lambda name: [SimpleNamespace(player="Ann", submission=id) for id in withdrawn],
        record_check=record_check,
        now=lambda: 0.0,
    )
    tournament = SimpleNamespace(name="go", game="go")
    submission = ClassSubmission(store, tournament, 10, 5, lambda done, of: told.append((done, of)))
    return submission, settled, told


OURS = SOURCES.sha256


@pytest.mark.parametrize(
    ("versions", "out", "withdrawn", "found"),
    [
        ([], (), (), None),
        ([version("Ann", digest="other")], (), (), None),
        ([version("Ann", digest=OURS), version("Ann", number=2, digest="other")], (), (), None),
        ([version("Ann", digest=OURS, state="waiting")], (), (), None),
        ([version("Ann", digest=OURS, state="refused", reason=interruption_reason("why"))], (), (), None),
        ([version("Ann", digest=OURS)], (), (), ("unchanged", 1, "")),
        (
            [version("Ann", digest="other", id=3), version("Ann", "", 2, digest=OURS, id=4)],
            (),
            (),
            ("unchanged", 2, ""),
        ),
        (
            [version("Ann", digest=OURS, state="refused", reason="It is slow.")],
            (),
            (),
            ("refused", 1, "Unchanged, still refused. It is slow."),
        ),
        ([version("Ann", digest=OURS, id=5)], (5,), (), ("unchanged", 1, "It is out.")),
        ([version("Ann", digest=OURS, id=5)], (4,), (4,), ("unchanged", 1, "")),
        (
            [version("Ann", digest=OURS, id=5)],
            (),
            (5,),
            ("unchanged", 1, "Ann was withdrawn; to bring it back, submit its file by itself, with --name."),
        ),
    ],
)
def test_only_new_files_are_checked(versions, out, withdrawn, found):
    outcome = class_submission(versions, out, withdrawn)[0].unchanged("Ann", "ann.py", SOURCES)
    assert (outcome and (outcome.state, outcome.version, outcome.why)) == found


def test_a_file_is_checked_twice_if_its_worker_dies():
    submission, settled, told = class_submission()
    ann, waiting = PlayerToCheck(3, "Ann", None, "ann.py", SOURCES), []
    submission.checking[3] = ann, version("Ann", id=8)
    submission.handle_report(Lost(3, "it died."), waiting)
    assert (waiting, submission.checking, settled, told) == ([ann], {}, [], [])
    submission.checking[3] = waiting.pop(), version("Ann", id=8)
    submission.handle_report(Lost(3, "it died again."), waiting)
    why = "The check was interrupted: the process that checked it died repeatedly."
    assert (waiting, submission.checking, settled, told) == ([], {}, [(8, False, why)], [(1, 5)])
    assert (submission.outcomes[3].state, submission.outcomes[3].why) == ("interrupted", why)


def test_unfinished_checks_are_marked_as_interrupted():
    submission, settled, _ = class_submission()
    one = PlayerToCheck(3, "Ann", None, "ann.py", SOURCES)
    submission.checking = {3: (one, version("Ann", id=8))}
    submission.abandon("it was stopped")
    assert settled == [(8, False, "The check was interrupted: it was stopped.")]
    assert (submission.checking, list(submission.outcomes)) == ({}, [3])
