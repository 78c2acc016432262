"""What was found wrong with a player, as it is shown, and who may read it."""

from __future__ import annotations

import msgspec

from kibitz.arena.model import Submission
from kibitz.players.findings import Finding
from kibitz.web.api.operation import Call
from kibitz.web.season import is_invited
from kibitz.web.store.people import LECTURER


class ShownFinding(msgspec.Struct, frozen=True):
    """Something that was looked at: what, why it is not right, and how to see it happen."""

    ok: bool
    warning: bool
    title: str
    sentence: str
    kind: str
    position: str
    detail: str
    reproduce: str
    alone: str


def shown_finding(finding: Finding) -> ShownFinding:
    """A finding as it is shown."""
    return ShownFinding(
        ok=finding.ok,
        warning=finding.warning,
        title=finding.what,
        sentence=finding.sentence,
        kind=finding.kind,
        position=finding.position,
        detail=finding.detail,
        reproduce=finding.reproduce,
        alone=finding.alone,
    )


def may_read(call: Call, *versions: Submission) -> bool:
    """Whether the asker may read what these versions of a player have printed: submitted them all, or is invited."""
    person = call.person
    return LECTURER in person.roles or all(
        one.account == person.id or is_invited(person, one.owner) for one in versions
    )
