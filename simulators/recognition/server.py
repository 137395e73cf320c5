"""The simulator over HTTP. It refuses the requests that the real service refuses.

Plays (`simulators.serving.Plays`): slow (after 3 s), late (after 20 s, when clients have given
up), empty, unknown (an item that no catalogue has), busy (429), broken (500), html, twice (one
answer, sent two times), cut.
"""

import json
import threading
import time
from typing import Any, Final

from flask import Flask, Response, request
from PIL import Image
from werkzeug.exceptions import HTTPException

from simulators.recognition import look
from simulators.recognition.samples import Known
from simulators.serving import Plays, SimulatorServer, answer, new_app, port_of

KINDS: Final = {"": None, "parts/": "part", "figs/": "fig", "sets/": "set"}
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


class Server(SimulatorServer):
    """The service. `calls` are the moments of the last second's calls, `served` counts pictures."""

    def __init__(self, port: int) -> None:
        app = new_app(__name__, max_body=MAX_BODY)
        self.lock = threading.Lock()
        self.plays = Plays(app, PLAYS)
        self.calls: list[float] = []
        self.served = 0
        _add_routes(app, self)
        super().__init__(port, app)

    def is_over_the_limit(self) -> bool:
        with self.lock:
            now = time.monotonic()
            self.calls = [at for at in self.calls if at > now - 1]
            self.calls.append(now)
            return len(self.calls) > CALLS_PER_SECOND


def _add_routes(app: Flask, service: Server) -> None:
    @app.get("/health/")
    def health() -> Response:
        return answer({"status": "ok"})

    @app.get("/_calls")
    def calls() -> Response:
        return answer({"served": service.served})

    def predict_kind(kind: str | None) -> Response:
        return predict(service, kind, options(is_part=kind == "part"))

    for path, kind in KINDS.items():
        app.add_url_rule(
            f"/predict/{path}",
            endpoint=f"predict {path}",
            view_func=predict_kind,
            methods=["POST"],
            defaults={"kind": kind},
        )

    @app.errorhandler(Refused)
    def refused(refusal: Refused) -> Response:
        return answer(refusal.body, refusal.status)

    @app.errorhandler(HTTPException)
    def refused_by_flask(error: HTTPException) -> Response:
        return answer({"detail": error.name}, error.code or 500)


def options(*, is_part: bool) -> dict[str, float]:
    allowed = OPTIONS | (COLOR_OPTIONS if is_part else set())
    found: dict[str, float] = {}
    for name, values in request.args.lists():
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


def predict(service: Server, kind: str | None, options: dict[str, float]) -> Response:
    picture = sent_picture()
    play = service.plays.next()
    if play == "busy" or service.is_over_the_limit():
        return answer({"detail": "Too Many Requests"}, 429)
    if play == "broken":
        return answer({"detail": "Internal Server Error"}, 500)
    if play == "html":
        page = "<!doctype html><title>Maintenance</title><h1>Back soon</h1>"
        return answer(page, kind="text/html; charset=utf-8")
    time.sleep(SECONDS.get(play, MODEL_SECONDS))
    seen = None if play == "empty" else look.look(picture)
    found = prediction(picture, seen, kind, options)
    if play == "unknown":
        found["items"] = [item(Known("zz99999", "Part That Nobody Lists"), 0.91)]
    with service.lock:
        service.served += 1
    text = json.dumps(found)
    if play == "twice":
        text += text
    if play == "cut":
        text = text[: len(text) // 2]
    return answer(text)


def sent_picture() -> Image.Image:
    """Return the picture in the field `query_image`. Raises Refused like the real service."""
    sent = request.files.get("query_image")
    if sent is None:
        missing = {"loc": ["body", "query_image"], "msg": "field required"}
        raise Refused(422, {"detail": [{**missing, "type": "value_error.missing"}]})
    try:
        return look.opened(sent.read())
    except look.Unreadable as problem:
        kind = "application/octet-stream"
        raise Refused(400, {"message": f"Unsupported file format: {kind}"}) from problem


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
    return Server(chosen) if chosen or port == 0 else None
