import { readFileSync } from "node:fs";
import path from "node:path";

type Palette = Record<string, string>;

const css = readFileSync(path.join(__dirname, "tokens.css"), "utf8");
const [light = "", dark = ""] = css.split('[data-theme="dark"]');

function palette(text: string): Palette {
  return Object.fromEntries(
    [...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const themes: [string, Palette][] = [
  ["light", palette(light)],
  ["dark", { ...palette(light), ...palette(dark) }],
];
const grounds = ["canvas", "surface", "raised", "sunken", "hover"];
const tinted = ["success", "warning", "danger", "info"];
const types = Object.keys(palette(light)).filter((name) => /^type-(?!.*-tint$)/.test(name));

describe.each(themes)("the %s theme", (_name, colors) => {
  const ratio = (one: string, other: string) =>
    contrast(colors[one] ?? "missing", colors[other] ?? "missing");

  it("has the same tokens as the light one", () => {
    expect(Object.keys(palette(dark))).toEqual(Object.keys(palette(light)));
  });

  it.each(["ink", "muted", "accent-ink", ...tinted])(
    "writes %s legibly on every ground",
    (text) => {
      for (const ground of grounds) {
        expect([ground, ratio(text, ground) >= 4.5]).toEqual([ground, true]);
      }
    },
  );

  it.each([...tinted, ...types])("writes %s legibly on its tint", (name) => {
    expect(ratio(name, `${name}-tint`)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["ink", "muted", "accent-ink"])("writes %s legibly on the accent's tint", (text) => {
    expect(ratio(text, "accent-tint")).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["accent", "accent-strong", "danger-solid", "danger-strong"])(
    "writes legibly on a button of %s",
    (ground) => {
      expect(ratio("on-accent", ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(["edge", "accent", "faint"])("draws %s visibly on every ground", (name) => {
    for (const ground of grounds) {
      expect([ground, ratio(name, ground) >= 3]).toEqual([ground, true]);
    }
  });
});
