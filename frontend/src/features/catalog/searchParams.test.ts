import { itemOfKey, readCatalogParams, writeCatalogParams } from "./searchParams";

const read = (query: string) => readCatalogParams(new URLSearchParams(query));

describe("itemOfKey", () => {
  it.each([
    ["PART:3001", { type: "PART", number: "3001" }],
    ["SET:10255-1", { type: "SET", number: "10255-1" }],
    ["PART: 3001 ", { type: "PART", number: "3001" }],
    ["PART:a:b", { type: "PART", number: "a:b" }],
    ["part:3001", null],
    ["PART:", null],
    ["3001", null],
    ["", null],
    [null, null],
  ])("reads %j as %j", (key, expected) => {
    expect(itemOfKey(key)).toEqual(expected);
  });
});

describe("readCatalogParams", () => {
  it("reads what is searched and which item is open", () => {
    expect(read("item=PART:3001&search=+brick+&type=SET")).toEqual({
      item: "PART:3001",
      search: "brick",
      type: "SET",
    });
  });

  it("takes nonsense for nothing", () => {
    const nothing = { item: null, search: "", type: null };

    expect(read(`item=WHEEL:1&type=WHEEL&search=${"x".repeat(201)}`)).toEqual(nothing);
    expect(read("")).toEqual(nothing);
  });
});

describe("writeCatalogParams", () => {
  it("sets and removes its own params and keeps the others", () => {
    const params = new URLSearchParams("search=brick&item=PART:3001&other=1");

    const next = writeCatalogParams(params, { search: "", item: "SET:10255-1" });

    expect(next.toString()).toBe("item=SET%3A10255-1&other=1");
  });
});
