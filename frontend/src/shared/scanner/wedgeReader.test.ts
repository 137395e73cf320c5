import { type Key, WedgeReader } from "./wedgeReader";

/** Types a text at one pace and Enter after it; returns the last result. */
function feed(reader: WedgeReader, text: string, pace: number, from = 1000) {
  let at = from;
  for (const key of text) {
    reader.feed({ key, code: "", shift: false, at });
    at += pace;
  }
  return reader.feed({ key: "Enter", code: "Enter", shift: false, at });
}

describe("WedgeReader", () => {
  it.each([
    ["LOC:A-01", { scan: "A-01" }],
    ["loc:Shelf 3 / left", { scan: "Shelf 3 / left" }],
    ["LOC:Ü-07", { scan: "Ü-07" }],
    ["LLOC:A-01", { scan: "A-01" }],
    ["3LOC:A-01", { scan: "A-01" }],
    ["CMD:QTY-10", { card: { kind: "CMD", code: "QTY-10" } }],
    ["tray:3", { card: { kind: "TRAY", code: "3" } }],
    ["BAT:12", { card: { kind: "BAT", code: "12" } }],
    ["LOC:", "other"],
    ["CMD:", "other"],
    ["LOC: ", "other"],
    ["LOCK", "other"],
    ["4006381333931", "other"],
  ])("reads %s typed fast as %j", (text, step) => {
    expect(feed(new WedgeReader(), text, 8)).toEqual(step);
  });

  it.each([
    [8, { scan: "A-01" }],
    [35, { scan: "A-01" }],
    [36, "other"],
    [61, "other"],
    [120, "other"],
  ])("takes %i ms from key to key for %j", (pace, step) => {
    expect(feed(new WedgeReader(), "LOC:A-01", pace)).toEqual(step);
  });

  it("bears one long gap in a fast scan", () => {
    const reader = new WedgeReader();
    for (const [index, key] of [..."LOC:A-0"].entries()) {
      reader.feed({ key, code: "", shift: false, at: index * 5 });
    }
    reader.feed({ key: "1", code: "", shift: false, at: 85 });
    expect(reader.feed({ key: "Enter", code: "", shift: false, at: 90 })).toEqual({ scan: "A-01" });
  });

  it("says of each key of a beginning that it may become a scan", () => {
    const reader = new WedgeReader();
    const at = (key: string, ms: number): Key => ({ key, code: "", shift: false, at: ms });
    expect(reader.feed(at("l", 0))).toBe("part");
    expect(reader.feed(at("o", 5))).toBe("part");
    expect(reader.feed(at("g", 10))).toBe("other");
  });

  it("reads a scanner that types for the US layout on a German keyboard", () => {
    const reader = new WedgeReader();
    const keys: [string, string, boolean][] = [
      ["L", "KeyL", true],
      ["O", "KeyO", true],
      ["C", "KeyC", true],
      ["Ö", "Semicolon", true],
      ["Z", "KeyY", true],
      ["ß", "Minus", false],
      ["7", "Digit7", false],
    ];
    for (const [index, [key, code, shift]] of keys.entries()) {
      reader.feed({ key, code, shift, at: index * 6 });
    }
    const enter = { key: "Enter", code: "Enter", shift: false, at: 42 };
    expect(reader.feed(enter)).toEqual({ scan: "Y-7" });
  });

  it("begins anew after a scan", () => {
    const reader = new WedgeReader();
    feed(reader, "LOC:A-01", 5);
    expect(feed(reader, "LOC:A-02", 5, 1100)).toEqual({ scan: "A-02" });
  });
});
