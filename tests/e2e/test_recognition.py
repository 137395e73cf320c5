"""Parts under a camera, which Chromium plays from a file; pictures by paste; cameras that fail."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from apps.recognition.tests.pictures import encoded, wood
from tests.e2e.app import RunningApp
from tests.e2e.chromium import find_shell
from tests.e2e.conftest import ARGUMENTS, WAIT_MS, Console
from tests.e2e.site import call_api, wait_for
from tests.e2e.video import on_paper, sample, write_video

pytestmark = pytest.mark.browser

IDENTIFY = "**/api/recognition/identify"
CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
Open = Callable[..., Page]


@pytest.fixture
def with_camera(browser: Browser, app: RunningApp, console: Console) -> Iterator[Open]:
    """`with_camera(video)` is the station of a new person, filmed by the video of that file."""
    opened: list[Browser] = []

    def open_page(video: Path | None = None) -> Page:
        film = [f"--use-file-for-fake-video-capture={video}"] if video else []
        launched = browser.browser_type.launch(
            executable_path=find_shell(), args=[*ARGUMENTS, *CAMERA, *film]
        )
        opened.append(launched)
        context = launched.new_context(base_url=app.url, viewport={"width": 1440, "height": 900})
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        console.watch(page)
        session = app.new_session()
        sign_in(context, session)
        call_api(page, app, session, "inventoryLocations", {"name": "A-1"})
        batch = call_api(page, app, session, "batches", {"name": "Market box"})
        page.goto(f"/app/stow-inventory?batch={batch['id']}")
        page.items = lambda: items_of(page, app, session, batch["id"])  # type: ignore[attr-defined]
        return page

    yield open_page
    for each in opened:
        each.close()
    assert console.unexpected() == []


def sign_in(context: BrowserContext, session: dict[str, Any]) -> None:
    entries = {
        "user": json.dumps(session["user"]),
        "accessToken": session["accessToken"],
        "refreshToken": session["refreshToken"],
    }
    context.add_init_script(
        f"for (const [key, value] of Object.entries({json.dumps(entries)})) "
        "if (location.protocol.startsWith('http')) localStorage.setItem(key, value);"
    )


def items_of(page: Page, app: RunningApp, session: dict[str, Any], batch: int) -> list[Any]:
    answer = page.request.get(
        f"{app.url}/api/batchItems",
        params={"batch": batch, "ordering": "id"},
        headers={"Authorization": f"Bearer {session['accessToken']}"},
    )
    return [(row["item_number"], row["color_name"], row["qty"]) for row in answer.json()["data"]]


@contextmanager
def counted(page: Page) -> Iterator[list[str]]:
    """The pictures that are asked about meanwhile."""
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "identify" in sent.url else None)
    yield asked


def card(page: Page, number: str) -> Any:
    return page.get_by_role("region", name=f"Item {number}")


class TestACameraOverThePaper:
    def test_captures_each_part_once_and_costs_one_key(self, with_camera: Open, tmp_path: Path):
        film = write_video(
            tmp_path / "parts.mjpeg",
            [
                (sample("nothing"), 2),
                (sample("brick-2x4-blue"), 10),  # a busy machine looks seldom
                (sample("nothing"), 3),
                (sample("plate-2x4-dark-gray"), 30),  # no loop before the end of the test
            ],
        )
        page = with_camera(film)
        with counted(page) as asked:
            expect(card(page, "3001")).to_be_visible()
            expect(page.get_by_text("Look at the matches")).to_be_visible()
            expect(page.get_by_text("A-1", exact=True).first).to_be_visible()
            page.keyboard.press("Enter")
            expect(card(page, "3020")).to_be_visible()
            page.keyboard.press("Enter")

        expect(page.get_by_role("list", name="Last added").get_by_role("listitem")).to_have_count(2)
        expect(page.get_by_title("saved", exact=True)).to_have_count(2)
        kept = [("3001", "Blue", 1), ("3020", "Dark Bluish Gray", 1)]
        wait_for(page, page.items, kept)  # type: ignore[attr-defined]
        assert len(asked) == 4  # ours and the one outside, once for each part

    def test_leaves_what_it_sees_its_room_on_a_wide_screen(self, with_camera: Open, tmp_path: Path):
        scenes = [(sample("nothing"), 2), (sample("brick-2x4-blue"), 5)]
        page = with_camera(write_video(tmp_path / "part.mjpeg", scenes))
        item = card(page, "3001")
        expect(item.get_by_alt_text("What the camera saw")).to_be_visible()

        def has_room() -> bool:
            """Of one moment: what it sees may change meanwhile."""
            number, colours, quantity = (
                found.bounding_box()
                for found in (
                    item.get_by_role("heading", name="3001"),
                    item.get_by_role("listbox", name="Colours"),
                    item.get_by_role("button", name="One less"),
                )
            )
            return bool(
                number
                and colours
                and quantity
                and number["width"] > number["height"]
                and colours["y"] + colours["height"] <= quantity["y"]
                and page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            )

        wait_for(page, has_room, True)

    def test_shows_candidates_of_chromiums_own_pattern_on_space(self, with_camera: Open):
        page = with_camera()
        expect(page.get_by_role("button", name="Capture")).to_be_visible()

        page.keyboard.press(" ")

        match = page.get_by_role("listbox", name="Matches").get_by_role("option").first
        for text in ("3001", "Brick 2 x 4", "90 %"):
            expect(match).to_contain_text(text)
        expect(page.get_by_label("The camera's picture")).to_be_visible()

    def test_rests_after_a_match_where_it_is_not_to_stay_active(self, with_camera: Open):
        page = with_camera()
        page.evaluate("localStorage.setItem('bb_setting_webcamStayActive', 'false')")
        page.reload()
        expect(page.get_by_role("button", name="Capture")).to_be_visible()

        page.keyboard.press(" ")

        expect(page.get_by_text("The camera is paused")).to_be_visible()
        expect(card(page, "3001")).to_be_visible()

    def test_says_what_to_try_when_it_sees_no_match(self, with_camera: Open, tmp_path: Path):
        page = with_camera(write_video(tmp_path / "none.mjpeg", [(sample("nothing"), 3)]))
        expect(page.get_by_text("Lay a part down")).to_be_visible()

        page.keyboard.press(" ")

        dialog = page.get_by_role("dialog", name="Item not found")
        expect(dialog).to_contain_text("The camera sees no match. Hold it still and closer")
        dialog.get_by_role("button", name="Search by number").click()
        expect(page.get_by_role("combobox", name="Item number")).to_be_focused()

    def test_sees_real_parts(self, with_camera: Open, tmp_path: Path, shared_data: Any):
        part = shared_data("photos/parts/2639_photo1-0.png")
        film = write_video(tmp_path / "real.mjpeg", [(sample("nothing"), 2), (on_paper(part), 6)])
        page = with_camera(film)

        with page.expect_response(IDENTIFY) as answered:
            pass

        assert answered.value.status == 200


class TestWithoutACamera:
    def test_says_so_and_works_by_number(self, page: Page, new_person: dict[str, Any]):
        page.goto("/app/stow-inventory")

        expect(page.get_by_text("No camera was found")).to_be_visible()
        page.get_by_role("combobox", name="Number or name").fill("3001")
        expect(card(page, "3001")).to_be_visible()

    def test_says_that_it_is_not_allowed(self, page: Page, new_person: dict[str, Any]):
        page.add_init_script(
            "navigator.mediaDevices.getUserMedia = () => "
            "Promise.reject(new DOMException('', 'NotAllowedError'))"
        )
        page.goto("/app/stow-inventory")

        expect(page.get_by_text("The camera is not allowed")).to_be_visible()

    def test_says_that_another_program_has_it(self, page: Page, new_person: dict[str, Any]):
        page.add_init_script(
            "navigator.mediaDevices.getUserMedia = () => "
            "Promise.reject(new DOMException('', 'NotReadableError'))"
        )
        page.goto("/app/stow-inventory")

        expect(page.get_by_text("The camera is busy")).to_be_visible()


PASTE = """async name => {
  const answer = await fetch(`/static/icons/samples/${name}.jpg`);
  const files = new DataTransfer();
  files.items.add(new File([await answer.blob()], 'part.jpg', { type: 'image/jpeg' }));
  window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files }));
}"""


PASTE_JPEG = """content => {
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], 'ground.jpg', { type: 'image/jpeg' }));
  window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files }));
}"""


class TestAnEmptyGround:
    def test_leaves_no_row_chosen_and_nothing_to_add(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ):
        batch = call_api(page, app, new_person, "batches", {"name": "Market box"})
        page.goto(f"/app/stow-inventory?batch={batch['id']}")
        camera = page.get_by_role("region", name="Camera")
        expect(camera).to_be_visible()

        page.evaluate(PASTE_JPEG, base64.b64encode(encoded(wood())).decode())
        expect(camera).to_contain_text("No part seen. Put one part on the empty ground.")
        matches = page.get_by_role("listbox", name="Matches").get_by_role("option")
        expect(matches.first).to_be_visible()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")

        expect(matches.and_(page.locator("[aria-selected=true]"))).to_have_count(0)
        page.evaluate(PASTE, "plate-2x4-dark-gray")  # the next part is seen all the same
        expect(card(page, "3020")).to_be_visible()
        assert items_of(page, app, new_person, batch["id"]) == []


class TestAPictureFromElsewhere:
    def test_is_recognised_when_it_is_pasted(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ):
        page.goto("/app/stow-inventory")
        expect(page.get_by_role("region", name="Camera")).to_be_visible()

        page.evaluate(PASTE, "plate-2x4-dark-gray")

        expect(card(page, "3020")).to_contain_text("Dark Bluish Gray")

    def test_leaves_the_other_matches_at_a_tap_on_a_phone(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ):
        page.set_viewport_size({"width": 380, "height": 800})
        page.goto("/app/stow-inventory")
        expect(page.get_by_role("region", name="Camera")).to_be_visible()
        page.evaluate(PASTE, "brick-2x4-blue")
        expect(card(page, "3001")).to_be_visible()

        other = page.get_by_role("listbox", name="Matches").get_by_role("option").nth(1)
        number = other.inner_text().split()[1]
        other.click()

        expect(card(page, number)).to_be_visible()
        expect(page.get_by_role("button", name="Add 1")).to_be_in_viewport()

    def test_is_shown_by_ours_at_once_and_the_one_outside_joins_it(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ):
        page.goto("/app/stow-inventory")
        expect(page.get_by_role("region", name="Camera")).to_be_visible()
        slow = {"play": "slow", "times": 1}
        page.request.post(f"{app.environment['RECOGNITION_URL']}/_play", data=slow)

        page.evaluate(PASTE, "brick-2x4-blue")

        expect(card(page, "3001")).to_contain_text("Blue")
        expect(page.get_by_text("Brickognize is asked, too…")).to_be_visible()
        matches = page.get_by_role("listbox", name="Matches").get_by_role("option")
        numbers = [text.split()[1] for text in matches.all_inner_texts()]
        places = [matches.nth(index).bounding_box() for index in range(len(numbers))]
        expect(matches.first).to_contain_text("by Brickstow, Brickognize")
        assert [text.split()[1] for text in matches.all_inner_texts()] == numbers
        wait_for(
            page,
            lambda: [matches.nth(index).bounding_box() for index in range(len(numbers))],
            places,
        )

    def test_is_kept_of_a_skipped_piece_until_it_is_said_what_it_is(
        self, page: Page, app: RunningApp, new_person: dict[str, Any]
    ):
        batch = call_api(page, app, new_person, "batches", {"name": "Market box"})
        page.goto(f"/app/stow-inventory?batch={batch['id']}")
        expect(page.get_by_role("region", name="Camera")).to_be_visible()
        page.evaluate(PASTE, "brick-2x4-blue")
        expect(card(page, "3001")).to_be_visible()
        page.keyboard.press("x")
        expect(page.get_by_text("Skipped, its photo is kept in the batch")).to_be_visible()

        page.get_by_role("button", name="Skipped", exact=True).click()
        photo = page.get_by_role("img", name="Skipped piece 1")
        expect(photo).to_be_visible()
        assert photo.evaluate("photo => photo.decode().then(() => photo.naturalWidth)") > 100
        page.get_by_role("button", name="Say what it is").click()
        expect(card(page, "3001")).to_contain_text("Blue")
        page.keyboard.press("Enter")

        expect(page.get_by_title("saved", exact=True)).to_have_count(1)
        wait_for(page, lambda: items_of(page, app, new_person, batch["id"]), [("3001", "Blue", 1)])

    def test_is_recognised_when_it_is_a_sample_of_the_demo(
        self, page: Page, new_person: dict[str, Any]
    ):
        page.goto("/app/stow-inventory")
        page.get_by_text("Demo: sample pictures").click()

        page.get_by_role("img", name="Yellow brick 2 x 2").click()

        expect(card(page, "3003")).to_contain_text("Yellow")
