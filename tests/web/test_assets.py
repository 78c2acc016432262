"""Static files: compressed, cached by browsers while unchanged, and preloaded."""

import re

import pytest

from kibitz.web.app import ASSETS
from tests.web.serving import Somebody, serving

FOREVER = "public, max-age=31536000, immutable"
NAMED = re.compile(r'<(?:script|link) [^>]*(?:src|href)="([^"]*/static/[^"]+)"')


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web"), base="/cards") as server:
        yield Somebody(server, "/cards")


def test_every_asset_of_a_page_exists_and_is_cached_for_ever(ann):
    for path in ("/", "/count", "/arena", "/games", "/account", "/submit", f"/tables/{ann.table('bo')}", "/nowhere"):
        named = NAMED.findall(ann.get(path, headers={"Accept": "text/html"}).text)
        assert any("base.css" in each for each in named)
        for each in named:
            answer = ann.client.get(each)
            assert (answer.status_code, answer.headers["cache-control"]) == (200, FOREVER), each


@pytest.mark.parametrize("path", ["/static/js/table.js", "/static/0123456789abcdef/js/table.js"])
def test_unversioned_assets_are_revalidated(ann, path):
    answer = ann.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    again = ann.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


def test_the_version_covers_the_content_of_all_files(tmp_path):
    def version(**files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return type(ASSETS)(tmp_path).version

    first = version(a="1", b="2")
    assert version(a="1") == first
    assert len({first, version(a="2", b="1"), version(c="")}) == 3


def test_only_long_public_text_is_compressed(ann):
    def packed(path, **headers):
        return ann.get(path, headers=headers).headers.get("content-encoding")

    static = f"/static/{ASSETS.version}"
    assert packed(f"{static}/js/table.js") == "gzip"
    assert packed("/api/games") == "gzip"
    assert packed(f"{static}/js/table.js", **{"Accept-Encoding": "identity"}) is None
    for path in (f"{static}/js/listing.js", "/", "/api/me", f"/tables/{ann.table('bo')}"):
        assert packed(path) is None, path
