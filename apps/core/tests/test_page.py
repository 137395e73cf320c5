import json
import re
from wsgiref.headers import Headers

import pytest
from PIL import Image

from apps.core import page as page_module
from apps.core.help import add_headers

BUNDLE = {
    "js": ["main.0123456789ab.js"],
    "css": ["main.0123456789ab.css"],
    "theme": "theme.0123456789ab.js",
}
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "media-src": "'self' blob:",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


@pytest.fixture
def built(settings, tmp_path):
    """A project folder in which webpack has run."""
    settings.STATIC_ROOT = tmp_path / "static"
    static = tmp_path / "static"
    static.mkdir()
    (static / page_module.MANIFEST).write_text(json.dumps(BUNDLE))
    return static


def policy_of(response):
    parts = response.headers["Content-Security-Policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in parts)}


class TestPage:
    @pytest.mark.parametrize(
        "path", ["/", "/signin", "/app/home", "/app/batches?batch=12", "/apix", "/nothing/here"]
    )
    def test_serves_every_path_of_the_router(self, client, built, path):
        response = client.get(path)

        html = response.content.decode()
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-cache"
        assert "<title>Brickstow</title>" in html
        for file in (BUNDLE["theme"], *BUNDLE["js"], *BUNDLE["css"]):
            assert f'"/static/{file}"' in html

    @pytest.mark.parametrize("path", ["/static/x.js", "/media/x", "/api/x"])
    def test_leaves_alone_what_is_the_servers(self, client, built, path):
        assert client.get(path).status_code == 404

    def test_takes_no_writes(self, client, built):
        assert client.post("/app/home").status_code == 405

    def test_says_how_to_build_before_the_first_build(self, client):
        response = client.get("/")

        assert response.status_code == 503
        assert b"make run" in response.content

    def test_shows_a_new_build_at_once(self, client, built):
        client.get("/")
        (built / page_module.MANIFEST).write_text(json.dumps({**BUNDLE, "js": ["main.new.js"]}))

        assert b"/static/main.new.js" in client.get("/").content

    def test_has_no_script_or_style_of_its_own(self, client, built):
        html = client.get("/").content.decode()

        assert all(" src=" in tag for tag in re.findall(r"<script[^>]*>", html))
        assert re.findall(r"<style|\son\w+=|\sstyle=|javascript:", html) == []

    def test_has_a_policy_that_lets_nothing_else_in(self, client, built):
        response = client.get("/")

        policy = policy_of(response)
        nonce = re.search(
            r'<meta name="csp-nonce" content="([^"]{16,})">', response.content.decode()
        )
        assert nonce is not None
        assert policy.pop("style-src") == f"'self' 'nonce-{nonce[1]}'"
        assert policy.pop("img-src") == "'self' data: blob:"
        assert policy == POLICY

    def test_has_another_nonce_each_time(self, client, built):
        policies = {client.get("/").headers["Content-Security-Policy"] for _ in range(3)}

        assert len(policies) == 3

    def test_asks_for_the_camera_alone_and_for_itself(self, client, built):
        policy = client.get("/").headers["Permissions-Policy"].split(", ")

        assert policy[0] == "camera=(self)"
        assert {"microphone=()", "geolocation=()", "payment=()", "usb=()"} <= set(policy)

    def test_is_not_framed_sniffed_or_told_to_others(self, client, built):
        headers = client.get("/").headers

        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"

    def test_tells_the_browser_what_it_must_know(self, client, built, settings):
        settings.DEMO_MODE = False
        settings.API_HOST = "https://api.example.org"
        settings.RECOGNITION_URL = "https://recogniser.example.org"

        html = client.get("/").content.decode()

        assert '<meta name="demo-mode" content="false">' in html
        assert '<meta name="api-host" content="https://api.example.org">' in html
        assert '<meta name="outside-recogniser" content="true">' in html


class TestTheServiceWorker:
    def test_is_named_where_the_build_has_one(self, client, built):
        assert b"service-worker" not in client.get("/").content
        (built / page_module.MANIFEST).write_text(json.dumps({**BUNDLE, "worker": "worker.js"}))

        html = client.get("/").content

        assert b'<meta name="service-worker" content="/static/worker.js">' in html

    def test_is_given_a_page_that_knows_it_is_kept(self, client, built):
        kept = b'<meta name="kept-page" content="true">'

        assert kept in client.get("/app?shell").content
        assert kept not in client.get("/app").content

    def test_may_answer_for_the_whole_site_and_is_never_stale(self):
        headers = Headers([("Cache-Control", "max-age=60, public")])

        add_headers(headers, "", "/static/worker.js")

        assert headers["Service-Worker-Allowed"] == "/"
        assert headers["Cache-Control"] == "no-cache"

    def test_leaves_alone_what_is_the_servers(self, settings):
        worker = (settings.BASE_DIR / "frontend/src/worker/worker.ts").read_text()
        owned = re.search(r"\(([a-z|]+)\)\(\\/\|\$\)", worker)

        assert owned is not None
        assert set(owned[1].split("|")) == {
            "api",
            "admin",
            "help",
            "static",
            "media",
            "pictures",
            "healthz",
            "readyz",
        }


class TestTheWebManifest:
    def manifest(self, client):
        response = client.get("/app.webmanifest")
        assert response.headers["Content-Type"] == "application/manifest+json"
        assert response.headers["Cache-Control"] == "no-cache"
        return response.json()

    def test_is_named_by_the_page(self, client, built):
        assert b'<link rel="manifest" href="/app.webmanifest">' in client.get("/").content

    def test_has_what_a_browser_needs_to_install_the_app(self, client):
        manifest = self.manifest(client)

        assert manifest["name"] == "Brickstow"
        assert manifest["start_url"] == "/app/home"
        assert manifest["display"] == "standalone"
        assert [one["name"] for one in manifest["shortcuts"]] == ["Stow", "Pick"]
        purposes = {(icon["purpose"], icon["sizes"]) for icon in manifest["icons"]}
        assert purposes == {
            (purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")
        }

    def test_has_icons_of_the_size_that_it_says(self, client, settings):
        for icon in self.manifest(client)["icons"]:
            path = settings.BASE_DIR / icon["src"].lstrip("/")
            with Image.open(path) as image:
                assert f"{image.width}x{image.height}" == icon["sizes"]

    def test_leads_to_pages_of_the_app(self, client, settings):
        paths = (settings.BASE_DIR / "frontend/src/shared/lib/paths.ts").read_text()

        manifest = self.manifest(client)

        for url in [manifest["start_url"], *(one["url"] for one in manifest["shortcuts"])]:
            assert f'"{url}"' in paths

    def test_has_the_colours_of_both_themes(self, client, built, settings):
        tokens = (settings.BASE_DIR / "frontend/src/shared/ui/tokens.css").read_text()

        html = client.get("/").content.decode()

        light, dark = re.findall(r"--surface: (#[0-9a-f]{6});", tokens)
        assert f'media="(prefers-color-scheme: light)" content="{light}"' in html
        assert f'media="(prefers-color-scheme: dark)" content="{dark}"' in html
        assert self.manifest(client)["theme_color"] == light


@pytest.mark.django_db
class TestThePolicyOfTheApi:
    def test_is_as_strict(self, client):
        assert policy_of(client.get("/api/config"))["default-src"] == "'none'"


class TestCors:
    ORIGIN = "https://shop.example.org"

    def preflight(self, client, origin, path="/api/users/login"):
        return client.options(
            path,
            headers={
                "Origin": origin,
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
            },
        )

    def test_lets_the_listed_origins_call(self, client, settings):
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]

        headers = self.preflight(client, self.ORIGIN).headers

        assert headers["Access-Control-Allow-Origin"] == self.ORIGIN
        allowed = headers["Access-Control-Allow-Headers"]
        assert {"authorization", "content-type", "idempotency-key"} <= set(allowed.split(", "))
        assert "Access-Control-Allow-Credentials" not in headers

    @pytest.mark.parametrize(
        "origin", ["https://evil.example", "null", "https://shop.example.org.evil.example"]
    )
    def test_lets_no_other_origin_call(self, client, settings, origin):
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]

        assert "Access-Control-Allow-Origin" not in self.preflight(client, origin).headers

    def test_lets_nobody_call_by_default(self, client):
        assert "Access-Control-Allow-Origin" not in self.preflight(client, self.ORIGIN).headers

    def test_concerns_the_api_only(self, client, settings, built):
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]

        response = client.get("/", headers={"Origin": self.ORIGIN})

        assert "Access-Control-Allow-Origin" not in response.headers
