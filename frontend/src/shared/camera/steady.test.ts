import { FRAME, Presence, STILL_MS, SteadyWatch } from "./steady";

const PIXELS = FRAME.width * FRAME.height;

/** A sheet with a square part of this size at this place. */
function frame({ side = 0, at = 0, light = 230 } = {}): Uint8ClampedArray {
  const data = new Uint8ClampedArray(PIXELS * 4).fill(light);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const pixel = (row + 10) * FRAME.width + column + 10 + at;
      data.set([200, 20, 10, 255], pixel * 4);
    }
  }
  return data;
}

/** Feeds a frame every 40 ms for this long and returns the last state. */
function show(watch: SteadyWatch, clock: { at: number }, ms: number, given = frame()) {
  let look = watch.feed(given, clock.at);
  for (const until = clock.at + ms; clock.at < until; ) {
    clock.at += 40;
    look = watch.feed(given, clock.at);
  }
  return look;
}

describe("SteadyWatch", () => {
  let watch: SteadyWatch;
  let clock: { at: number };
  beforeEach(() => {
    watch = new SteadyWatch();
    clock = { at: 0 };
    show(watch, clock, 600);
  });

  it("takes the first thing that stays still for the ground", () => {
    expect(watch.feed(frame(), clock.at)).toBe("empty");
  });

  it("is steady once a part has been still for 300 ms, and not before", () => {
    expect(show(watch, clock, STILL_MS - 60, frame({ side: 12 }))).toBe("moving");
    expect(show(watch, clock, 80, frame({ side: 12 }))).toBe("steady");
  });

  it("waits while the part moves", () => {
    for (let at = 0; at < 20; at += 1) {
      clock.at += 40;
      expect(watch.feed(frame({ side: 12, at }), clock.at)).toBe("moving");
    }
  });

  it("sees the smallest part", () => {
    expect(show(watch, clock, 500, frame({ side: 6 }))).toBe("steady");
  });

  it("is empty again when the part was lifted", () => {
    show(watch, clock, 500, frame({ side: 12 }));

    expect(show(watch, clock, 500)).toBe("empty");
  });

  it("follows the daylight", () => {
    for (let light = 230; light > 150; light -= 1) show(watch, clock, 400, frame({ light }));

    expect(watch.feed(frame({ light: 150 }), clock.at)).toBe("empty");
  });

  it("takes what lies there for the ground when told to", () => {
    show(watch, clock, 500, frame({ side: 12 }));

    watch.learnGround();

    expect(show(watch, clock, 500, frame({ side: 12 }))).toBe("empty");
  });
});

describe("Presence", () => {
  it("captures once for each part that is laid down", () => {
    const presence = new Presence();
    const looks = ["empty", "moving", "steady", "steady", "moving", "steady", "empty", "steady"];

    const happened = looks.map((look) => presence.note(look as "empty"));

    expect(happened).toEqual([null, null, "capture", null, null, null, "lifted", "capture"]);
  });

  it("does not capture again what was captured by hand", () => {
    const presence = new Presence();

    presence.byHand();

    expect(presence.note("steady")).toBeNull();
    expect(presence.note("empty")).toBe("lifted");
  });

  it("does not call lifted what it never saw lie there", () => {
    const presence = new Presence();

    presence.byHand();

    expect(presence.note("empty")).toBeNull();
    expect(presence.note("steady")).toBe("capture");
  });
});
