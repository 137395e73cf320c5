import { anItem } from "../testing/builders";
import { codeOf, currentOf, stopNamed, stopsOf } from "./stops";

const at = (id: number, locationId: number | null, name: string | null, qty = 1) =>
  anItem({
    id,
    qty,
    user_inventory_item_location_id: locationId,
    user_inventory_item_location_name: name,
  });
const items = [at(1, 7, "A-2", 3), at(2, 9, "A-10"), at(3, 7, "A-2", 2), at(4, null, null)];

describe("stopsOf", () => {
  it("gathers the items of each bin in the order they came, and those without one", () => {
    const { stops, homeless } = stopsOf(items);

    expect(stops.map(({ name, pieces }) => [name, pieces])).toEqual([
      ["A-2", 5],
      ["A-10", 1],
    ]);
    expect(homeless.map(({ id }) => id)).toEqual([4]);
  });

  it("leaves out what has no pieces: there is nothing to carry", () => {
    expect(stopsOf([at(1, 7, "A-2", 0)]).stops).toEqual([]);
  });
});

describe("currentOf", () => {
  const { stops } = stopsOf(items);

  it("is the first stop that was not put off", () => {
    expect(currentOf(stops, [])?.name).toBe("A-2");
    expect(currentOf(stops, [7])?.name).toBe("A-10");
  });

  it("comes back to what was put off, in the order of putting off", () => {
    expect(currentOf(stops, [9, 7])?.name).toBe("A-10");
  });

  it("is none when all are done", () => {
    expect(currentOf([], [9])).toBeNull();
  });
});

describe("stopNamed", () => {
  it("forgives case and blanks", () => {
    expect(stopNamed(stopsOf(items).stops, " a-10 ")?.locationId).toBe(9);
    expect(stopNamed(stopsOf(items).stops, "A-1")).toBeUndefined();
  });
});

describe("codeOf", () => {
  it("reads a label's code with and without its prefix", () => {
    expect([codeOf("LOC:A-01"), codeOf(" loc:A-01 "), codeOf("A-01")]).toEqual([
      "A-01",
      "A-01",
      "A-01",
    ]);
  });
});
