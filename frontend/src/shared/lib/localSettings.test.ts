import {
  clearSettings,
  getSetting,
  listSettings,
  removeSetting,
  setSetting,
} from "./localSettings";

describe("local settings", () => {
  afterEach(() => jest.restoreAllMocks());

  it("are stored as JSON under bb_setting_ and read back equal", () => {
    setSetting("x", { a: [1, 2], b: null });

    expect({ ...localStorage }).toEqual({ bb_setting_x: '{"a":[1,2],"b":null}' });
    expect(getSetting("x")).toEqual({ a: [1, 2], b: null });
  });

  it("are replaced by a second set", () => {
    setSetting("x", 1);
    setSetting("x", 2);

    expect(getSetting("x")).toBe(2);
  });

  it("stay as they are where the browser's storage is full", () => {
    setSetting("x", 1);
    jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });

    expect(setSetting("x", 2)).toBe(false);
    expect(getSetting("x")).toBe(1);
  });

  it("are read by a dotted path", () => {
    setSetting("x", { a: { b: 7 } });

    expect(getSetting("x", { path: "a.b" })).toBe(7);
    expect(getSetting("x", { path: "a.c" })).toBeUndefined();
    expect(getSetting("x", { path: "a.b.c", fallback: "none" })).toBe("none");
    expect(getSetting("x", { path: "toString" })).toBeUndefined();
  });

  it("give the fallback for a missing name and for what is no JSON", () => {
    localStorage.setItem("bb_setting_broken", "{");

    expect(getSetting("missing")).toBeUndefined();
    expect(getSetting("missing", { fallback: 3 })).toBe(3);
    expect(getSetting("broken", { fallback: 3 })).toBe(3);
  });

  it("are removed one by one, others stay", () => {
    setSetting("x", 1);
    setSetting("y", 2);

    removeSetting("x");

    expect({ ...localStorage }).toEqual({ bb_setting_y: "2" });
  });

  it("are listed without the prefix, and cleared without touching anything else", () => {
    setSetting("x", 1);
    setSetting("y", 2);
    localStorage.setItem("user", "{}");
    localStorage.setItem("theme", "dark");

    expect(listSettings().toSorted()).toEqual(["x", "y"]);
    clearSettings();

    expect({ ...localStorage }).toEqual({ user: "{}", theme: "dark" });
  });
});
