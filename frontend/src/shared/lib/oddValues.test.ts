/** What is typed is read here, all else by the server: the same table of odd values holds both. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { numberOf, whyNotPrice, whyNotQuantity } from "./amounts";
import { setNumberLanguage } from "./numbers";

type Language = "en" | "de";
type Case = { text: string; means: string | null; typed?: Record<Language, string | null> };

const file = path.join(__dirname, "../../../../tests/files/odd_values.json");
const cases: Record<"quantity" | "price", Case[]> = JSON.parse(readFileSync(file, "utf8"));
const checks = { quantity: whyNotQuantity, price: whyNotPrice };

afterEach(() => setNumberLanguage(null));

it.each(["en", "de"] as const)("means typed in %s what it means in files", (language) => {
  setNumberLanguage(language);

  for (const [kind, whyNot] of Object.entries(checks) as [
    keyof typeof checks,
    typeof whyNotPrice,
  ][]) {
    for (const { text, means, typed } of cases[kind]) {
      const read = whyNot(text) === null ? Number(numberOf(text)) : null;
      const meant = typed ? typed[language] : means;

      expect([text, read]).toEqual([text, meant === null ? null : Number(meant)]);
    }
  }
});
