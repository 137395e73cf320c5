"""Pictures of parts: how many there are, and what drawing, colouring and serving them costs.

Coverage of the starter catalogue by the pack that travels with the project; with the LDraw
library and a whole catalogue at hand, of the parts of a real store. CPU time is this process's;
requests a second are answered by gunicorn's two processes on this machine, the client beside them.

    python -m benchmarks.pictures [store|starter|serving]
"""

import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks._catalogue import ROOT, SHARED, catalogue
from benchmarks._report import Limit, report

LIBRARY = SHARED.parent / "ldraw" / "ldraw-2024-05.tar.xz"
STORE = SHARED.parent / "bsx" / "store-2022-eur-2524-lots.bsx"
RENDERS = 30
COLORED = 300
SECONDS = 8
CLIENTS = 8


def main() -> int:
    """Run the phases that this machine has the files for; print one JSON line."""
    figures: dict[str, float | str] = {}
    for phase in ("starter", "serving", "store"):
        if phase == "store" and not (LIBRARY.exists() and STORE.exists()):
            figures["store"] = "not measured: no library or store at hand"
            continue
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
            env.pop("DATABASE_URL", None)
            command = [sys.executable, "-m", "benchmarks.pictures", phase, folder]
            done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
            figures |= json.loads(done.stdout.splitlines()[-1])
    limits = {
        "starter_parts_percent": Limit(97, at_least=True),
        "coloring_64_cpu_ms": Limit(3),
        "coloring_128_cpu_ms": Limit(3),
        "coloring_256_cpu_ms": Limit(3),
        "kept_requests_per_second": Limit(300, at_least=True),
        "store_lots_percent": Limit(98, at_least=True),
        "store_exact_percent": Limit(94, at_least=True),
    }
    known = {name: limit for name, limit in limits.items() if name in figures}
    return report("pictures", figures=figures, ratios={}, limits=known)


def prepare_django() -> None:
    import django
    from django.core.management import call_command

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)


def starter(folder: Path) -> dict[str, Any]:
    """The pack: its size, its load, its coverage; the time of a colouring in every finish."""
    prepare_django()
    from apps.catalog.models import Color, Item
    from apps.catalog.services.starter import load_starter_catalog
    from apps.core.clock import now
    from apps.pictures.models import Render
    from apps.pictures.rules.coloring import SIZES, colored
    from apps.pictures.services.coloring import paint_of_color
    from apps.pictures.services.starter import PACK, load_starter_pictures

    load_starter_catalog(now=now())
    begun = time.process_time()
    load_starter_pictures()
    loaded = time.process_time() - begun
    begun = time.process_time()
    load_starter_pictures()
    again = time.process_time() - begun
    parts = Item.objects.filter(item_type="PART")
    shown = parts.exclude(face="").count()
    told: dict[str, Any] = {
        "starter_parts_percent": round(100 * shown / parts.count(), 2),
        "pack_bytes": PACK.stat().st_size,
        "pack_load_cpu_s": round(loaded, 2),
        "pack_load_again_cpu_s": round(again, 2),
    }
    layers = [(bytes(one.shape), bytes(one.own_colors)) for one in Render.objects.all()]
    paints = [paint_of_color(color) for color in Color.objects.exclude(rgb="")]
    told["render_bytes"] = round(sum(len(a) + len(b) for a, b in layers) / len(layers))
    chance = random.Random(3)
    for size in SIZES:
        pairs = [(chance.choice(layers), chance.choice(paints)) for _ in range(COLORED)]
        for (shape, own), paint in pairs[:20]:
            colored(shape, own, paint, size)
        begun, sizes = time.process_time(), 0
        for (shape, own), paint in pairs:
            sizes += len(colored(shape, own, paint, size))
        told[f"coloring_{size}_cpu_ms"] = round(1000 * (time.process_time() - begun) / COLORED, 2)
        told[f"coloring_{size}_bytes"] = round(sizes / COLORED)
    return told


def serving(folder: Path) -> dict[str, Any]:
    """Requests a second of kept and of new pictures, and the inventory page's first picture."""
    from tests.e2e.app import RunningApp

    app = RunningApp(folder, PICTURES_PER_MINUTE="1000000", PICTURES_PER_MINUTE_OF_ALL="1000000")
    app.prepare()
    app.start()
    try:
        addresses = json.loads(
            app.manage(
                "shell",
                "-c",
                "import json\n"
                "from apps.catalog.models import Lot\n"
                "from apps.catalog.rules.images import face_image\n"
                "lots = Lot.objects.exclude(item__face='').order_by('pk')[:4000]\n"
                "rows = lots.values_list('item__face', 'color_id', 'color__rgb')\n"
                "print(json.dumps([face_image(*row).split('#')[0] for row in rows]))",
            ).splitlines()[-1]
        )
        random.Random(3).shuffle(addresses)
        new, kept = addresses[:1500], addresses[:200]
        told = {"new_requests_per_second": _rate(app.port, new, once=True)}
        _rate(app.port, kept, once=True)
        told["kept_requests_per_second"] = _rate(app.port, kept, once=False)
        told["page_first_picture_ms"] = _first_picture(app)
        return told
    finally:
        app.stop()


def _rate(port: int, addresses: list[str], *, once: bool) -> float:
    answered, until = [0] * CLIENTS, time.monotonic() + SECONDS

    def ask(client: int) -> None:
        mine = addresses[client::CLIENTS]
        at = 0
        while time.monotonic() < until and (at < len(mine) or not once):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", mine[at % len(mine)])
            answer = connection.getresponse()
            answer.read()
            connection.close()
            assert answer.status == 200, answer.status
            answered[client] += 1
            at += 1

    begun = time.monotonic()
    threads = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return round(sum(answered) / (time.monotonic() - begun))


def _first_picture(app: Any) -> float:
    """Return when the first part is painted on the inventory page, from the navigation on."""
    from playwright.sync_api import sync_playwright

    from tests.e2e.chromium import HOW, find_chromium

    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(HOW)
    session = app.session("demo@brickstow.example")
    entries = {
        "user": json.dumps(session["user"]),
        "accessToken": session["accessToken"],
        "refreshToken": session["refreshToken"],
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(
            f"if (!localStorage.user) Object.assign(localStorage, {json.dumps(entries)});"
        )
        page.goto(f"{app.url}/app/inventory")
        page.wait_for_function(
            "() => [...document.querySelectorAll('img[src^=\"/pictures/\"]')]"
            ".some((one) => one.complete && one.naturalWidth > 0)"
        )
        when = page.evaluate("performance.now()")
        browser.close()
    return round(when)


def store(folder: Path) -> dict[str, Any]:
    """The real store: which of its part lots have a picture, and of that very part."""
    prepare_django()
    from django.core.management import call_command
    from lxml import etree

    from apps.pictures.rules.finding import EXACT, Wanted, find
    from apps.pictures.rules.headers import read_header
    from apps.pictures.services.faces import wanted_parts
    from vision.ldraw.drawing import draw
    from vision.ldraw.library import Library
    from vision.ldraw.parts import Assembler, Broken, TooLarge, read_colors
    from vision.ldraw.rendering import shelf_of

    paths, _, _ = catalogue(folder)
    with (folder / "import.log").open("w") as log:
        call_command("import_catalog", *map(str, paths), stdout=log, stderr=log)
    library = Library.open(LIBRARY)
    shelf = shelf_of(
        {
            number: read_header(library.head(f"parts/{number}.dat"))
            for number in library.part_numbers()
        }
    )
    parts = wanted_parts()
    by_number = {part.number.lower(): part for part in parts.values()}
    lots = found = exact = 0
    for item in etree.parse(str(STORE)).iter("Item"):
        if item.findtext("ItemTypeID") != "P":
            continue
        lots += 1
        number = (item.findtext("ItemID") or "").lower()
        part = by_number.get(number) or Wanted(0, number)
        hit = find(part, shelf, parts.get)
        found += hit is not None
        exact += hit is not None and hit.rule in EXACT
    assembler = Assembler(library.read, library.__contains__)
    colors = read_colors(library.read("ldconfig.ldr"))
    numbers = random.Random(3).sample(sorted(shelf.numbers), RENDERS + 1)
    costs = []
    for number in numbers:
        begun = time.process_time()
        try:
            draw(assembler.part(number), title=shelf.titles[number], colors=colors)
        except (Broken, TooLarge):
            continue
        costs.append(time.process_time() - begun)
    costs = sorted(costs[1:])  # the first one compiles
    library.close()
    return {
        "store_part_lots": lots,
        "store_lots_percent": round(100 * found / lots, 2),
        "store_exact_percent": round(100 * exact / lots, 2),
        "render_cpu_ms_mean": round(1000 * sum(costs) / len(costs)),
        "render_cpu_ms_slowest": round(1000 * costs[-1]),
    }


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(main())
    sys.path.insert(0, str(ROOT))
    phases = {"starter": starter, "serving": serving, "store": store}
    print(json.dumps(phases[sys.argv[1]](Path(sys.argv[2]))))
