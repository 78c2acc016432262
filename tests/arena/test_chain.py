"""The order of log entries, case by case: where each may and may not stand."""

from types import SimpleNamespace

import msgspec
import pytest

from kibitz.arena.model import EndCondition, Entrant
from kibitz.arena.proof.chain import LogOrder
from kibitz.arena.proof.checks import Mismatch, Verbatim, value_text
from kibitz.arena.store.log import (
    DeadlineSet,
    FileRefused,
    FinalBegun,
    PhaseEntered,
    PlayerWithdrawn,
    RoundClosed,
    RoundScheduled,
    SubmissionExcluded,
    TournamentBegun,
    VersionChecked,
    VersionSettled,
    VersionSubmitted,
)

PLAYERS = {1: "Ann", 2: "Ben", 3: "Ann", 4: "planner", 5: "Cem"}
"""Submission 4 fills seats; 3 is a later version of Ann's."""
BEGUN = TournamentBegun("go", "go", "season", 2, 1, 5, 0.02, "", "seal", 0.0)


def submitted(*submissions):
    """Submissions with their checks, all accepted."""
    return [
        entry
        for one in submissions
        for entry in (
            VersionSubmitted(one, PLAYERS[one], 1, PLAYERS[one], "x.py", "00", 0.0),
            VersionChecked(one, 1, "00", 0.0),
            VersionSettled(one, "accepted", "", 0.0),
        )
    ]


def scheduled(number, *submissions, phase="open"):
    """A round with these entrants."""
    found = [Entrant(one, PLAYERS[one], fills=one == 4) for one in submissions]
    return RoundScheduled(number, phase, msgspec.json.encode(found).decode(), 1, ())


def closed(number):
    return RoundClosed(number, 0, "", ())


def log_order(goal=None, fated=()):
    """A walk through a log of Go for two; ``fated`` lists future disqualifications with their rounds."""
    rows = {
        one: SimpleNamespace(id=one, player=name, owner="Kibitz" if one == 4 else name, sha256="" if one == 4 else "00")
        for one, name in PLAYERS.items()
    }
    data = SimpleNamespace(
        tournament=SimpleNamespace(goal=goal),
        rounds=[SimpleNamespace(id=number + 100, number=number) for number in range(1, 9)],
        disqualifications=[SimpleNamespace(submission_id=one, round_id=number + 100) for one, number in fated],
        submissions=rows,
        row=SimpleNamespace(seats=2),
    )
    return LogOrder(data)


def right_place(log, **more):
    """Where the last entry of a log should be instead; all entries before it are in order."""
    going = log_order(**more)
    *before, last = map(going.step, log)
    assert before == [""] * len(before)
    return last


BOTH = [BEGUN, *submitted(1, 2)]
PLAYED = [*BOTH, scheduled(1, 1, 2), closed(1)]
FROZEN, OPEN, OVER = PhaseEntered("frozen"), PhaseEntered("open"), PhaseEntered("closed")
REFUSED = FileRefused(1, "Ann", "Ann", "x.py", "No.", 0.0)
ONCE = "after its submission, once"
TAKEN = "while submissions are open"
LEAVES = "after its submission, and before the tournament was closed"
NEXT = "after the round before, in its phase"
ENDS = "at the end of its round"
AFTER = "after the end of its round"
PLAY = "where the players that take part, each with its current version, are"
ONLY_ANN = f"{PLAY} Ann"
GOAL = {"goal": EndCondition(None, None, 1)}
CASES = [
    ([BEGUN], ""),
    ([submitted(1)[0]], "after the tournament has begun"),
    ([BEGUN, BEGUN], "the first entry"),
    ([BEGUN, FROZEN], ""),
    ([BEGUN, OPEN], "where the tournament can become open"),
    ([BEGUN, FROZEN, FROZEN], "where the tournament can become frozen"),
    ([BEGUN, FROZEN, OPEN], ""),
    ([BEGUN, PhaseEntered("final")], "where the tournament can become final"),
    *(([BEGUN, *way, OVER], "") for way in ([], [FROZEN], [FinalBegun("seal")])),
    ([BEGUN, OVER, OVER], "where the tournament can become closed"),
    ([BEGUN, FinalBegun("seal"), FROZEN], "where the tournament can become frozen"),
    ([BEGUN, FROZEN, FinalBegun("seal")], ""),
    ([BEGUN, FinalBegun("seal"), FinalBegun("seal")], "before the final has begun"),
    ([BEGUN, OVER, FinalBegun("seal")], "before the final has begun"),
    ([BEGUN, DeadlineSet(9.0), FROZEN, DeadlineSet(None)], ""),
    ([BEGUN, FinalBegun("seal"), DeadlineSet(9.0)], "before the final has begun"),
    ([BEGUN, submitted(1)[0]], ""),
    ([BEGUN, submitted(1)[0], submitted(1)[0]], TAKEN),
    *(([BEGUN, phase, submitted(1)[0]], TAKEN) for phase in (FROZEN, FinalBegun("seal"), OVER)),
    *(([BEGUN, phase, submitted(4)[0]], "") for phase in (FROZEN, FinalBegun("seal"))),
    ([BEGUN, OVER, submitted(4)[0]], TAKEN),
    ([BEGUN, *submitted(4), submitted(4)[0]], TAKEN),
    ([BEGUN, submitted(1)[1]], "after its submission"),
    ([BEGUN, *submitted(1), submitted(1)[1]], ""),
    ([BEGUN, submitted(1)[2]], ONCE),
    ([BEGUN, submitted(1)[0], submitted(1)[2]], ""),
    ([BEGUN, *submitted(1), submitted(1)[2]], ONCE),
    ([BEGUN, FROZEN, REFUSED], ""),
    ([BEGUN, OVER, REFUSED], "before the tournament was closed"),
    ([BEGUN, PlayerWithdrawn(1, 0.0)], LEAVES),
    ([BEGUN, *submitted(1), PlayerWithdrawn(1, 0.0)], ""),
    ([BEGUN, *submitted(1), FROZEN, PlayerWithdrawn(1, 0.0)], ""),
    ([BEGUN, *submitted(1), OVER, PlayerWithdrawn(1, 0.0)], LEAVES),
    ([*BOTH, scheduled(1, 1, 2)], ""),
    ([*BOTH, scheduled(2, 1, 2)], NEXT),
    ([*BOTH, scheduled(1, 1, 2, phase="frozen")], NEXT),
    ([*BOTH, FROZEN, scheduled(1, 1, 2, phase="frozen")], ""),
    ([*BOTH, scheduled(1, 1, 2), scheduled(2, 1, 2)], NEXT),
    ([*PLAYED, scheduled(1, 1, 2)], NEXT),
    ([*PLAYED, scheduled(2, 1, 2)], ""),
    ([*BOTH, scheduled(1, 1)], f"{PLAY} Ann, Ben"),
    ([*BOTH, scheduled(1, 2, 1)], f"{PLAY} Ann, Ben"),
    ([*PLAYED, *submitted(3), scheduled(2, 1, 2)], f"{PLAY} Ann, Ben"),
    ([*PLAYED, *submitted(3), scheduled(2, 3, 2)], ""),
    ([*BOTH, PlayerWithdrawn(2, 0.0), scheduled(1, 1, 2)], ONLY_ANN),
    ([*BOTH, PlayerWithdrawn(2, 0.0), scheduled(1, 1)], ""),
    ([*BOTH, PlayerWithdrawn(1, 0.0), *submitted(3), scheduled(1, 3, 2)], ""),
    ([*PLAYED, SubmissionExcluded(2, 1, 9, 9, "x"), scheduled(2, 1, 2)], ONLY_ANN),
    ([*PLAYED, SubmissionExcluded(2, 1, 9, 9, "x"), scheduled(2, 1)], ""),
    ([*BOTH, *submitted(4), scheduled(1, 1, 2)], ""),
    ([BEGUN, *submitted(1, 4), scheduled(1, 1)], f"{PLAY} Ann, planner"),
    ([BEGUN, *submitted(1, 4), scheduled(1, 1, 4)], ""),
    ([*BOTH, submitted(5)[0], VersionSettled(5, "refused", "No.", 0.0), scheduled(1, 1, 2)], ""),
    ([*BOTH, scheduled(1, 1, 2), closed(1)], ""),
    ([*BOTH, closed(1)], ENDS),
    ([*BOTH, scheduled(1, 1, 2), closed(2)], ENDS),
    ([*PLAYED, closed(1)], ENDS),
    ([*PLAYED, SubmissionExcluded(2, 1, 9, 9, "x")], ""),
    ([*PLAYED, SubmissionExcluded(2, 2, 9, 9, "x")], AFTER),
    ([*BOTH, scheduled(1, 1, 2), SubmissionExcluded(2, 1, 9, 9, "x")], AFTER),
    ([*PLAYED, scheduled(2, 1, 2), SubmissionExcluded(2, 1, 9, 9, "x")], AFTER),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_each_log_entry_is_accepted_or_its_right_place_named(case):
    log, word = CASES[case]
    assert right_place(log) == word


def test_with_a_goal_the_next_round_starts_without_those_disqualified():
    running = [*BOTH, scheduled(1, 1, 2)]
    assert right_place([*running, scheduled(2, 1, 2)], **GOAL) == ""
    assert right_place([*running, scheduled(2, 1, 2)], **GOAL, fated=[(2, 1)]) == ONLY_ANN
    assert right_place([*running, scheduled(2, 1)], **GOAL, fated=[(2, 1)]) == ""
    assert right_place([*running, scheduled(2, 1, 2)], **GOAL, fated=[(2, 2)]) == ""
    assert right_place([*running, closed(1), scheduled(2, 1, 2)], **GOAL, fated=[(2, 1)]) == ""
    assert right_place([*running, scheduled(2, 1, 2), closed(1), SubmissionExcluded(2, 1, 9, 9, "x")], **GOAL) == ""
    assert right_place([*running, scheduled(2, 1, 2), SubmissionExcluded(2, 1, 9, 9, "x")], **GOAL) == AFTER


def test_mismatches_are_one_line_with_shortened_values():
    one = Mismatch("rounds", "round 1", "number", 2, Verbatim("another"))
    assert one.sentence == "table rounds, round 1: number is 2 and should be another."
    assert value_text("x") == "'x'"
    assert value_text(Verbatim("x" * 100)) == "x" * 100
    assert value_text(Verbatim("x" * 101)) == "x" * 96 + " ..."
    assert len(value_text(list(range(100)))) == 100
