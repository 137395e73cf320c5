import {
  type Command,
  commandOf,
  type KeyContext,
  keySheet,
  type Press,
  whyNotLetter,
} from "./keys";

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key,
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});
const at = (place: KeyContext["place"], more: Partial<KeyContext> = {}): KeyContext => ({
  place,
  taken: place === "card",
  caretAtEnd: true,
  laterCandidate: false,
  unchosen: false,
  ...more,
});
const printable = [..."3a-+.?*/ "];

describe("commandOf", () => {
  it.each(printable)("leaves %j to a search field with text", (key) => {
    expect(commandOf(press(key), at("searchText"))).toBeNull();
  });

  it.each([...printable, "Enter", "Escape", "ArrowUp"])("leaves %j to any other field", (key) => {
    expect(commandOf(press(key), at("field"))).toBeNull();
  });

  it.each<[string, Command | null]>([
    ["+", { do: "change", by: 1 }],
    ["-", { do: "change", by: -1 }],
    [".", { do: "toggleCondition" }],
    ["?", { do: "showKeys" }],
    ["3", null],
    ["b", null],
    ["s", null],
    [" ", { do: "capture" }],
    ["Enter", null],
  ])("in an empty search field, %j means %j", (key, expected) => {
    expect(commandOf(press(key), at("searchEmpty"))).toEqual(expected);
  });

  it("takes without adding with Shift and Enter from a text", () => {
    const enter = press("Enter", { shift: true });

    expect(commandOf(enter, at("searchText"))).toEqual({ do: "take" });
    expect(commandOf(enter, at("card"))).toEqual({ do: "accept" });
  });

  it.each<[string, Command]>([
    ["Enter", { do: "accept" }],
    ["7", { do: "digit", digit: 7 }],
    ["Backspace", { do: "eraseDigit" }],
    ["+", { do: "change", by: 1 }],
    [".", { do: "toggleCondition" }],
    ["/", { do: "moveColor", step: 1 }],
    ["ArrowUp", { do: "moveColor", step: -1 }],
    ["*", { do: "moveCandidate", step: 1 }],
    ["ArrowLeft", { do: "moveCandidate", step: -1 }],
    ["l", { do: "chooseBin" }],
    ["B", { do: "chooseBatch" }],
    ["Escape", { do: "escape" }],
    [" ", { do: "capture" }],
    ["w", { do: "holdCamera" }],
    ["s", { do: "putAside" }],
    ["m", { do: "showMinifigs" }],
    ["g", { do: "weigh" }],
    ["k", { do: "lockColor" }],
    ["u", { do: "bulk" }],
  ])("at the card, %j means %j", (key, expected) => {
    expect(commandOf(press(key), at("card"))).toEqual(expected);
  });

  it.each(["3", "s", "g", "Enter", "ArrowUp", "Backspace"])(
    "without an item, %j is no command",
    (key) => {
      expect(commandOf(press(key), at("card", { taken: false }))).toBeNull();
    },
  );

  it.each(["Enter", "ArrowLeft", " "])("leaves %j to a button", (key) => {
    expect(commandOf(press(key), at("control", { taken: true }))).toBeNull();
  });

  it("moves to the next match from the end of the text only, and back from a later match", () => {
    const right = press("ArrowRight");
    const left = press("ArrowLeft");

    expect(commandOf(right, at("searchText"))).toEqual({ do: "moveCandidate", step: 1 });
    expect(commandOf(right, at("searchText", { caretAtEnd: false }))).toBeNull();
    expect(commandOf(left, at("searchText"))).toBeNull();
    expect(commandOf(left, at("searchText", { laterCandidate: true }))).toEqual({
      do: "moveCandidate",
      step: -1,
    });
  });

  it.each<KeyContext["place"]>(["searchText", "searchEmpty", "card", "control", "field"])(
    "takes function keys, Alt+digit and Alt+letter in %s",
    (place) => {
      const alt = { alt: true };

      expect(commandOf(press("F6"), at(place))).toEqual({ do: "nextLookup" });
      expect(commandOf(press("F4"), at(place))).toEqual({ do: "searchBy", type: "name" });
      expect(commandOf(press("2", alt), at(place))).toEqual({ do: "candidate", index: 1 });
      expect(commandOf(press("¬", { ...alt, code: "KeyL" }), at(place))).toEqual({
        do: "chooseBin",
      });
      expect(commandOf(press("0", alt), at(place))).toBeNull();
    },
  );

  it.each<[KeyContext["place"], boolean]>([
    ["searchEmpty", true],
    ["card", true],
    ["control", true],
    ["searchText", false],
    ["field", false],
  ])("in %s, Ctrl+Z is ours: %s", (place, ours) => {
    const undo = commandOf(press("z", { ctrl: true }), at(place));
    const redo = commandOf(press("Z", { ctrl: true, shift: true }), at(place));

    expect(undo).toEqual(ours ? { do: "undo" } : null);
    expect(redo).toEqual(ours ? { do: "redo" } : null);
  });

  it("reads the decimal key of a number pad as a point", () => {
    const comma = press(",", { code: "NumpadDecimal" });

    expect(commandOf(comma, at("card"))).toEqual({ do: "toggleCondition" });
    expect(commandOf(comma, at("searchText"))).toBeNull();
  });
});

describe("letters of one's own", () => {
  const own = { own: [{ name: "weigh", letter: "j" }], on: true };

  it("replace the letter that a command had", () => {
    expect(commandOf(press("j"), at("card"), own)).toEqual({ do: "weigh" });
    expect(commandOf(press("g"), at("card"), own)).toBeNull();
    expect(commandOf(press("j", { alt: true }), at("field"), own)).toEqual({ do: "weigh" });
    expect(keySheet(own).find(({ does }) => does === "grams to count")?.keys).toEqual(["J"]);
  });

  it("stand before the letter that another command has by itself", () => {
    const given = { own: [{ name: "weigh", letter: "k" }], on: true };

    expect(commandOf(press("k"), at("card"), given)).toEqual({ do: "weigh" });
  });

  it("do nothing bare where they are switched off, and work with Alt", () => {
    const off = { own: [], on: false };

    expect(commandOf(press("l"), at("card"), off)).toBeNull();
    expect(commandOf(press("l", { alt: true }), at("card"), off)).toEqual({ do: "chooseBin" });
    expect(commandOf(press("7"), at("card"), off)).toEqual({ do: "digit", digit: 7 });
  });

  it.each([
    ["j", null],
    ["g", null],
    ["l", "L is for: another bin"],
    ["7", "One letter from A to Z"],
    ["", "One letter from A to Z"],
  ])("may be %j: %s", (letter, why) => {
    expect(whyNotLetter("weigh", letter, own)).toBe(why);
  });
});

describe("keySheet", () => {
  const names: Record<string, string> = {
    Space: " ",
    Esc: "Escape",
    "↑": "ArrowUp",
    "↓": "ArrowDown",
  };
  const arrows: Record<string, string> = { "←": "ArrowLeft", "→": "ArrowRight" };
  const lines = keySheet().filter(({ group, keys }) => !(group === "Bin" && keys.includes("7")));

  it.each(lines.flatMap(({ keys }) => keys))("names %s, which is a command", (label) => {
    const parts = label.split("+").filter(Boolean);
    const last = label.endsWith("+") ? "+" : (parts.at(-1) ?? "");
    const key = names[last] ?? arrows[last] ?? last;
    const held = (name: string) => parts.slice(0, -1).includes(name);
    const given = press(key, { ctrl: held("Ctrl"), alt: held("Alt"), shift: held("Shift") });

    expect(commandOf(given, at("card"))).not.toBeNull();
  });
});
