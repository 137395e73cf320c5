import { setSetting } from "@/shared/lib/localSettings";
import { noteVisit } from "./visits";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;

describe("noteVisit", () => {
  it("knows no visit before the first", () => {
    expect(noteVisit(NOON)).toBeNull();
  });

  it("tells when the visit before ended", () => {
    noteVisit(NOON);
    noteVisit(NOON + 10 * MINUTE);

    expect(noteVisit(NOON + 120 * MINUTE)).toBe("2026-11-21T12:10:00.000Z");
  });

  it("counts a page that is opened again soon as the same visit", () => {
    noteVisit(NOON);
    noteVisit(NOON + 60 * MINUTE);

    expect(noteVisit(NOON + 70 * MINUTE)).toBe("2026-11-21T12:00:00.000Z");
  });

  it.each(["yesterday", 7, { since: "x", seenAt: "y" }, { since: null }, null])(
    "takes %j for no visit",
    (kept) => {
      setSetting("person_auctionVisit", kept);

      expect(noteVisit(NOON)).toBeNull();
    },
  );
});
