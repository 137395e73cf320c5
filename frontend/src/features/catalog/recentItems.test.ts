import { setSetting } from "@/shared/lib/localSettings";
import { forgetPerson } from "@/shared/lib/person";
import { recentItems, rememberItem } from "./recentItems";

const part = (number: string) => ({ type: "PART" as const, number, name: `Part ${number}` });

beforeEach(() => localStorage.clear());

describe("recentItems", () => {
  it("has the newest first, each once, and ten of them", () => {
    for (let number = 1; number <= 12; number += 1) rememberItem(part(String(number)));
    rememberItem(part("7"));

    expect(recentItems().map((item) => item.number)).toEqual([
      "7",
      "12",
      "11",
      "10",
      "9",
      "8",
      "6",
      "5",
      "4",
      "3",
    ]);
  });

  it("is empty for what cannot be read", () => {
    setSetting("person_recentItems", [{ type: "WHEEL" }]);

    expect(recentItems()).toEqual([]);
  });

  it("goes with the person", () => {
    rememberItem(part("3001"));

    forgetPerson();

    expect(recentItems()).toEqual([]);
  });
});
