import { anItem } from "../testing/builders";
import { stopsOf } from "./stops";

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
