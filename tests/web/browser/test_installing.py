"""Browsers can install the pages as an app."""

import json
from urllib.parse import urljoin

import pytest

from tests.web.browser.conftest import Person


@pytest.mark.long
def test_the_manifest_is_valid_and_the_app_installable(person: Person) -> None:
    page = person.open("/arena")
    session = person.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )
    manifest, at = json.loads(told["data"]), told["url"]
    assert {urljoin(at, manifest[name]) for name in ("start_url", "scope")} == {person.address + "/"}
    for icon in manifest["icons"]:
        answer = page.request.get(urljoin(at, icon["src"]))
        assert answer.headers["content-type"] == icon["type"]
    for shortcut in manifest["shortcuts"]:
        assert page.request.get(urljoin(at, shortcut["url"])).ok
