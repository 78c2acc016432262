"""Remote players: the example clients, and the document that describes the interface they use."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kibitz.web.app import OPERATIONS
from tests.parts import times
from tests.tiers import first_fast
from tests.web.program import Guest, running
from tests.web.serving import Somebody

FEW = settings(
    deadline=None, database=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
CLIENTS = Path(__file__).parents[2] / "examples" / "clients"
COMMANDS = {"remote.py": sys.executable, "remote.mjs": shutil.which("node") or "node"}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    with running(tmp_path_factory.mktemp("remote") / "server.sqlite") as found:
        yield found


def test_every_example_client_is_tested_and_short():
    found = {path.name: path.read_text() for path in CLIENTS.iterdir()}
    assert sorted(found) == sorted(COMMANDS)
    assert all(len([line for line in text.splitlines() if line.strip()]) <= 45 for text in found.values())


@pytest.mark.parametrize("client", first_fast(sorted(COMMANDS)))
def test_an_example_client_joins_by_invitation_and_plays_a_game(program, client):
    if client.endswith(".mjs") and shutil.which("node") is None:
        pytest.skip("there is no node here to run the JavaScript client; CI has it")
    ann, bot = Guest(program.address), Guest(program.address)
    token = bot.ask("POST", "/api/tokens", {"label": "a client"})["token"]
    chairs = [{"kind": "computer", "player": "random"}, {"kind": "open"}]
    made = ann.ask("POST", "/api/tables", {"game": "go-mini", "chairs": chairs, "settings": {"pace": "skip"}})
    invite = made["invitations"][0]["path"].partition("invite=")[2]
    command = [COMMANDS[client], str(CLIENTS / client), program.address, token, made["table"]]
    wrong = subprocess.run([*command, "wrong"], capture_output=True, text=True, timeout=60)
    assert "invitation is no longer valid" in wrong.stderr
    done = subprocess.run([*command, invite], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "You" in done.stdout
    assert ann.ask("GET", f"/api/played/{made['table']}")["names"][1] == "Remote"


def test_openapi_describes_every_operation_and_message_type(server):
    document = Somebody(server).get("/openapi.json").json()
    told = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert told == {(operation.method, operation.path) for operation in OPERATIONS}
    names = set(document["components"]["schemas"])
    assert {"Hello", "State", "Events", "Act", "Scene", "Part", "ErrorBody"} <= names
    form = document["paths"]["/api/marks"]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert form["required"] == ["assignment", "files"]
    assert [form["properties"][name]["type"] for name in ("assignment", "files", "hidden")] == [
        "string",
        "array",
        "string",
    ]
    ids = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(set(ids)) == len(ids)


CHECKS = (status_code_conformance, content_type_conformance, response_schema_conformance)


def ask_often(guest, operation, most):
    """Request one operation in many ways; returns its name."""
    headers = {"X-Kibitz-CSRF": guest.me["csrf"], **guest.cookies}

    @settings(FEW, max_examples=most)
    @given(case=operation.as_strategy())
    def ask(case):
        case.cookies.clear()
        answer = case.call(base_url=guest.address, headers=headers, timeout=60)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        case.validate_response(answer, checks=list(CHECKS))

    ask()
    return operation.label


@pytest.mark.long
def test_every_response_matches_openapi(program):
    """Request everything in the document, with random valid parameters, and check every response."""
    guest = Guest(program.address)
    document = guest.ask("GET", "/openapi.json")
    document["paths"].pop("/api/tables/{table}/stream")  # it never ends
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    labels = {ask_often(guest, operation, times(200, 10)) for operation in operations}
    assert len(labels) == len(OPERATIONS) - 1
