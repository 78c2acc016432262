"""Submitting to a tournament: names and owners, withdrawals, the cool-down to the millisecond, and checks of files."""

from types import SimpleNamespace

import pytest

import kibitz
from kibitz.arena.entry.qualification import Report, qualify
from kibitz.arena.entry.submissions import (
    COOL_DOWN,
    OwnerHistory,
    check_may_submit,
    checked_name,
    duration,
    get_or_begin_tournament,
    interruption_reason,
    keep_refusal,
    last_withdrawn,
    owner_of,
    refusal_sentence,
    repeat_note,
    submit,
    withdrawn_players,
)
from kibitz.arena.model import RosterEntry, Submission
from kibitz.arena.store import open_store
from kibitz.errors import MachineError, NotationError, StoreError
from tests.arena.trials import Clock, verdict
from tests.players.conftest import HONEST

GO, HUXXY, BONUS = (kibitz.game(name) for name in ("go", "huxxy", "huxxy-bonus"))
START = 1_000_000.0


@pytest.fixture
def clock():
    return Clock(START)


@pytest.fixture
def store(tmp_path, clock):
    with open_store(tmp_path / "season.sqlite", clock=clock) as opened:
        yield opened


def enter(store, content="good 1", name="Ann", game=GO, **more):
    return submit(store, game, "mine.py", name, content=content.encode(), qualify_with=verdict, **more)


def refusal(store, *words, **more):
    with pytest.raises((StoreError, NotationError)) as caught:
        enter(store, *words, **more)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert sentence.isprintable()
    return sentence


def test_a_valid_file_is_accepted_and_plays(store):
    done = enter(store)
    assert done.accepted
    assert (done.submission.version, done.submission.owner, done.note) == (1, "Ann", "")
    assert [one.player for one in store.entrants("go")] == ["Ann"]
    assert Report.from_json(store.qualifications(done.submission.id)[0].report) == done.report


def test_a_bad_file_is_refused_without_a_cool_down(store):
    done = enter(store, "bad 1")
    assert not done.accepted
    assert done.submission.reason == "It was tried: the file is bad."
    assert store.entrants("go") == ()
    assert enter(store, "good 1").submission.version == 2


def test_the_next_version_waits_for_the_whole_cool_down(store, clock):
    enter(store)
    for passed in (0.0, 1.0, COOL_DOWN - 0.001):
        clock.now = START + passed
        assert refusal(store, "good 2").endswith(f"wait another {duration(COOL_DOWN - passed)}.")
    assert len(store.submissions("go")) == 1, "what is refused by the clock is no version"


@pytest.mark.parametrize(("step", "start"), [(100, START + 100), (-500, START)])
def test_the_cool_down_starts_at_acceptance_or_submission_whichever_is_later(store, clock, step, start):
    """The clock is moved during the check; setting it back doesn't shorten the wait."""

    def moving_the_clock(game, path, content, limits):
        clock.now += step
        return verdict(game, path, content)

    submit(store, GO, "mine.py", "Ann", content=b"good 1", qualify_with=moving_the_clock)
    for now, wait in ((start - 3600, "70 min"), (start + COOL_DOWN - 1, "1 s")):
        clock.now = now
        assert refusal(store, "good 2").endswith(f"wait another {wait}.")
    clock.now = start + COOL_DOWN
    assert enter(store, "good 2").accepted


def test_the_cool_down_is_per_player_and_tournament(store):
    enter(store)
    assert enter(store, "good 2", "Ben").accepted
    assert enter(store, "good 2", game=HUXXY).accepted
    assert enter(store, "good 2", game=BONUS).accepted
    assert [(one.name, one.kind) for one in store.tournaments()] == [
        ("go", "standard"),
        ("huxxy", "standard"),
        ("huxxy-bonus", "bonus"),
    ]


def test_resubmitting_the_same_file_is_refused(store, clock):
    enter(store)
    assert "already version 1, which is playing" in refusal(store)
    clock.now += COOL_DOWN
    assert "already version 1" in refusal(store)
    enter(store, "good 2")
    clock.now += COOL_DOWN
    assert enter(store).submission.version == 3, "back to an older one is a change"


def test_only_one_version_is_checked_at_a_time(store):
    def meanwhile(game, path, content, limits):
        assert "Version 1 is still being checked" in refusal(store, "good 2")
        return verdict(game, path, content)

    assert submit(store, GO, "mine.py", "Ann", content=b"good 1", qualify_with=meanwhile).accepted


def test_a_killed_check_is_repeated_by_the_same_file(store):
    get_or_begin_tournament(store, GO)
    left = store.submit("go", "Ann", "Ann", "mine.py", b"good 1")
    assert "still being checked" in refusal(store, "good 2")
    done = enter(store)
    assert done.accepted
    assert done.submission.id == left.id


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MachineError("No process is to be had.")])
def test_an_interrupted_check_does_not_block_the_next(store, error):
    def broken(game, path, content, limits):
        raise error

    with pytest.raises(type(error)):
        submit(store, GO, "mine.py", "Ann", content=b"good 1", qualify_with=broken)
    (only,) = store.submissions("go")
    assert only.state == "refused"
    assert only.reason.startswith("The check was interrupted: ")
    assert enter(store).accepted


SPOILING = ["", " ", " Ann", "Ann ", "a\nb", "a\tb", "\x1b[31mAnn", "=1+1", "-x", "+1", "@me", ".hidden", "a|b", "a/b"]
SPOILING += ["a,b", 'a"b', "a\u200bb", "a\u202eb", "x" * 41, "a  b", "first", "Random", "\ud800"]


@pytest.mark.parametrize("name", SPOILING)
def test_unprintable_and_formula_like_names_are_refused(name):
    with pytest.raises(NotationError) as caught:
        checked_name(GO, name)
    assert str(caught.value).isprintable()


def test_a_refused_name_leaves_the_store_unchanged(store):
    assert "isn't a valid player name" in refusal(store, name="=1+1")
    assert store.tournaments() == ()


@pytest.mark.parametrize("name", ["A", "Ann O'Neill", "team_7-b", "Zoë", "李雷", "दीपा", "x" * 40, "4real"])
def test_ordinary_names_are_accepted(name):
    assert checked_name(GO, name) == name


def test_names_are_unicode_normalised():
    assert checked_name(GO, "Zoe\u0308") == "Zoë"


def test_confusable_names_are_refused(store):
    enter(store)
    assert "looks too much like 'Ann'" in refusal(store, "good 2", "ANN")
    assert "looks too much like 'Ann'" in refusal(store, "good 2", "Ａｎｎ")
    said = refusal(store, "good 2", "\u0410nn")
    assert said.startswith("'\u0410nn' (\\u0410nn) looks too much like 'Ann'")
    assert said.endswith("submit this file alone, with another --name.")


def test_a_player_belongs_to_its_owner(store, clock):
    enter(store, owner="ann@example.org")
    clock.now += COOL_DOWN
    assert "belongs to somebody else" in refusal(store, "good 2", owner="ben@example.org")
    assert enter(store, "good 2").submission.owner == "ann@example.org", "the command line does not check the owner"


def test_empty_and_missing_files_are_refused(store, tmp_path):
    for content, why in ((b"", "is empty"), (b" \n\n", "is empty"), (b"\xef\xbb\xbf", "is empty")):
        with pytest.raises(NotationError, match=why):
            submit(store, GO, "mine.py", "Ann", content=content, qualify_with=verdict)
    with pytest.raises(NotationError, match="no such file"):
        submit(store, GO, tmp_path / "none.py", "Ann", qualify_with=verdict)
    assert store.tournaments() == ()


def test_an_open_tournament_keeps_its_seed(store):
    assert get_or_begin_tournament(store, GO, seed=5).commitments == get_or_begin_tournament(store, GO).commitments
    assert store.seed("go", "season") == 5
    with pytest.raises(StoreError, match="has already begun"):
        get_or_begin_tournament(store, GO, seed=5)


def test_a_submission_is_checked_by_playing(store, tmp_path):
    path = tmp_path / "honest.py"
    path.write_text(HONEST)

    def quickly(game, file, content, limits):
        return qualify(game, file, content, limits, games=2)

    assert submit(store, GO, path, "Ann", qualify_with=quickly).accepted
    path.write_text(HONEST + "\n1 / 0\n")
    done = submit(store, GO, path, "Ben", qualify_with=quickly)
    assert "ZeroDivisionError" in done.submission.reason
    assert store.content(done.submission.id) == path.read_bytes()


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
