"""The simulator over HTTP. It refuses the requests that the real service refuses.

`POST /_play {"play": "slow", "times": 1}` sets the behaviour of the next answers:
slow (after 3 s), late (after 20 s, when clients have given up), empty, unknown (an item that
no catalogue has), busy (429), broken (500), html, twice (one answer, sent two times), cut.
"""

import json
import threading
import time
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from PIL import Image

from simulators.ports import LOOPBACK, port_of
from simulators.recognition import look
from simulators.recognition.samples import Known

KINDS: Final = {
    "/predict/": None,
    "/predict/parts/": "part",
    "/predict/figs/": "fig",
    "/predict/sets/": "set",
}
OPTIONS: Final = {"top_k_items", "min_similarity_items"}
COLOR_OPTIONS: Final = {"predict_color", "top_k_colors", "min_similarity_colors"}
PLAYS: Final = {"slow", "late", "empty", "unknown", "busy", "broken", "html", "twice", "cut"}
SECONDS: Final = {"slow": 3.0, "late": 20.0}
# The real one allows so many of each address.
CALLS_PER_SECOND: Final = 5
MAX_BODY: Final = 32 * 1024 * 1024
LETTERS: Final = {"part": "P", "fig": "M", "set": "S"}
MODEL_SECONDS: Final = 0.08


class Refused(Exception):
    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__(address, Handler)
        self.lock = threading.Lock()
        self.playing: list[str] = []
        self.calls: list[float] = []
        self.served = 0

    def play(self, what: str, times: int) -> None:
        with self.lock:
            self.playing = [what] * times

    def next_play(self) -> str:
        with self.lock:
            return self.playing.pop(0) if self.playing else ""

    def is_over_the_limit(self) -> bool:
        with self.lock:
            now = time.monotonic()
            self.calls = [at for at in self.calls if at > now - 1]
            self.calls.append(now)
            return len(self.calls) > CALLS_PER_SECOND


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: 40 ms apart otherwise
    server_version = "RecognitionSimulator"
    sys_version = ""

    def log_message(self, *_: Any) -> None:
        """Keep the terminal for the app."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/health/":
            self.send({"status": "ok"})
        elif path == "/_calls":
            self.send({"served": self.server.served})
        else:
            self.send({"detail": "Not Found"}, 404)

    def do_POST(self) -> None:
        try:
            self.answer()
        except Refused as refusal:
            self.send(refusal.body, refusal.status)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client has disconnected

    def answer(self) -> None:
        parts = urlsplit(self.path)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            raise Refused(413, {"detail": "Request Entity Too Large"})
        body = self.rfile.read(int(length))
        if parts.path == "/_play":
            asked = json.loads(body)
            if asked["play"] not in PLAYS:
                raise Refused(422, {"detail": f"play one of {sorted(PLAYS)}"})
            self.server.play(asked["play"], int(asked.get("times", 1)))
            return self.send({})
        if parts.path not in KINDS:
            raise Refused(404, {"detail": "Not Found"})
        options = self.options(parts.query, is_part=parts.path == "/predict/parts/")
        picture = picture_of(self.headers.get("Content-Type", ""), body)
        return self.predict(picture, KINDS[parts.path], options)

    def options(self, query: str, *, is_part: bool) -> dict[str, float]:
        allowed = OPTIONS | (COLOR_OPTIONS if is_part else set())
        found: dict[str, float] = {}
        for name, values in parse_qs(query, keep_blank_values=True).items():
            text = values[-1]
            if name not in allowed:
                continue  # the real one ignores unknown fields
            try:
                found[name] = {"true": 1.0, "false": 0.0}.get(text) or float(text)
            except ValueError as problem:
                raise Refused(
                    422,
                    {"detail": [{"loc": ["query", name], "msg": "value is not valid"}]},
                ) from problem
        return found

    def predict(self, picture: Image.Image, kind: str | None, options: dict[str, float]) -> None:
        play = self.server.next_play()
        if play == "busy" or self.server.is_over_the_limit():
            return self.send({"detail": "Too Many Requests"}, 429)
        if play == "broken":
            return self.send({"detail": "Internal Server Error"}, 500)
        if play == "html":
            page = b"<!doctype html><title>Maintenance</title><h1>Back soon</h1>"
            return self.send_bytes(page, "text/html; charset=utf-8", 200)
        time.sleep(SECONDS.get(play, MODEL_SECONDS))
        seen = None if play == "empty" else look.look(picture)
        found = prediction(picture, seen, kind, options)
        if play == "unknown":
            found["items"] = [item(Known("zz99999", "Part That Nobody Lists"), 0.91)]
        with self.server.lock:
            self.server.served += 1
        text = json.dumps(found).encode()
        if play == "twice":
            text += text
        if play == "cut":
            text = text[: len(text) // 2]
        return self.send_bytes(text, "application/json", 200)

    def send(self, body: Any, status: int = 200) -> None:
        self.send_bytes(json.dumps(body).encode(), "application/json", status)

    def send_bytes(self, body: bytes, kind: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def picture_of(content_type: str, body: bytes) -> Image.Image:
    """Return the picture in the field `query_image`. Raises Refused like the real service."""
    missing = {"loc": ["body", "query_image"], "msg": "field required"}
    if not content_type.startswith("multipart/form-data"):
        raise Refused(422, {"detail": [{**missing, "type": "value_error.missing"}]})
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    for part in BytesParser(policy=HTTP).parsebytes(head + body).iter_parts():
        if part.get_param("name", header="Content-Disposition") == "query_image":
            content = part.get_payload(decode=True)
            try:
                return look.opened(content if isinstance(content, bytes) else b"")
            except look.Unreadable as problem:
                kind = "application/octet-stream"
                raise Refused(400, {"message": f"Unsupported file format: {kind}"}) from problem
    raise Refused(422, {"detail": [{**missing, "type": "value_error.missing"}]})


def prediction(
    picture: Image.Image, seen: look.Seen | None, kind: str | None, options: dict[str, float]
) -> dict[str, Any]:
    """Return the answer's document, in the real one's words."""
    width, height = (float(side) for side in picture.size)
    is_pattern = look.is_camera_pattern(picture)
    items: list[dict[str, Any]] = []
    if is_pattern:
        items = [item(each, 0.9) for each in look.CAMERA_PATTERN.shows]
    elif seen is not None:
        items = shortlist(look.matches(seen)) or shortlist(look.guesses(seen))
    items = [each for each in items if kind in {None, each["type"]}]
    least = options.get("min_similarity_items", 0.5)
    items = [each for each in items if each["score"] >= least]
    box = seen.box if seen and not is_pattern else (0, 0, 0, 0)
    across, down = width / look.WORK[0], height / look.WORK[1]
    document: dict[str, Any] = {
        "listing_id": f"res-{abs(hash(picture.tobytes())) % 16**12:012x}",
        "bounding_box": {
            "left": box[0] * across,
            "upper": box[1] * down,
            "right": box[2] * across,
            "lower": box[3] * down,
            "image_width": width,
            "image_height": height,
            "score": items[0]["score"] if items else 0.0,
        },
        "items": items[: int(options.get("top_k_items", 10))],
    }
    if options.get("predict_color"):
        least = options.get("min_similarity_colors", 0.5)
        rows = look.colors(seen) if seen and not is_pattern else [("5", "Red", 0.8)]
        document["colors"] = [
            {"id": number, "name": name, "score": score}
            for number, name, score in rows
            if score >= least
        ][: int(options.get("top_k_colors", 3))]
    return document


def shortlist(matches: list[look.Match]) -> list[dict[str, Any]]:
    """Return the items of each matching sample. Its less likely items score lower."""
    best: dict[str, tuple[Known, float]] = {}
    for match in matches:
        for place, known in enumerate(match.sample.shows):
            score = round(match.score - 0.25 * place, 3)
            if known.number not in best or best[known.number][1] < score:
                best[known.number] = (known, score)
    ordered = sorted(best.values(), key=lambda row: -row[1])
    return [item(known, score) for known, score in ordered]


def item(known: Known, score: float) -> dict[str, Any]:
    page = "https://www.bricklink.com/v2/catalog/catalogitem.page"
    images = "https://storage.googleapis.com/brickognize-static/thumbnails/v2.22"
    return {
        "id": known.number,
        "name": known.name,
        "img_url": f"{images}/{known.kind}/{known.number}/0.webp",
        "external_sites": [
            {"name": "bricklink", "url": f"{page}?{LETTERS[known.kind]}={known.number}"}
        ],
        "category": known.category,
        "type": known.kind,
        "score": score,
    }


def make_server(port: int | None = None) -> Server | None:
    """Return the bound server; None where the app asks the real service."""
    chosen = port_of("RECOGNITION_URL", offset=101) if port is None else port
    if port is None and chosen == 0:
        return None
    return Server((LOOPBACK, chosen))
