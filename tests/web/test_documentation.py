"""The documentation at ``/docs``: the site under the policy of all pages, or how to build it."""

import pytest

from kibitz.web import app
from kibitz.web.guards import POLICY
from tests.web.serving import serving


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A site of one page where the server looks for it."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<h1>Documented</h1>")
    (folder / "picture.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    monkeypatch.setattr(app, "site_folder", lambda: folder)
    return folder


PAGES = ("/", "/games", "/arena", "/account")


def test_a_missing_site_is_explained_and_no_page_links_to_it(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "site_folder", lambda: tmp_path / "nowhere")
    with serving(tmp_path) as server:
        for path in ("/docs", "/docs/", "/docs/games/go.html"):
            page = server.client.get(path, headers={"accept": "text/html"})
            assert page.status_code == 404
            assert "make docs" in page.text
        assert not any("/docs/" in server.client.get(path).text for path in PAGES)


def test_the_site_is_linked_and_served_under_the_policy_of_all_pages(tmp_path, site):
    with serving(tmp_path) as server:
        page = server.client.get("/docs")
        assert (page.status_code, page.text) == (200, "<h1>Documented</h1>")
        assert str(page.url).endswith("/docs/index.html")
        assert page.headers["content-security-policy"] == POLICY
        assert page.headers["x-content-type-options"] == "nosniff"
        assert server.client.get("/docs/picture.svg").headers["content-type"] == "image/svg+xml"
        gone = server.client.get("/docs/nothing.html", headers={"accept": "text/html"})
        assert gone.status_code == 404
        assert server.client.get("/docs/../app.py").status_code == 404
        assert all('href="/docs/"' in server.client.get(path).text for path in PAGES)


def test_the_site_is_served_below_the_base_path(tmp_path, site):
    with serving(tmp_path, base="/kibitz") as server:
        answer = server.client.get("/kibitz/docs", follow_redirects=False)
        assert answer.headers["location"] == "/kibitz/docs/index.html"
        assert "Documented" in server.client.get("/kibitz/docs/index.html").text
