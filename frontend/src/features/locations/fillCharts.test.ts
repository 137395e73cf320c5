import { fillSteps, roomByType } from "./fillCharts";
import type { MapCell } from "./model";

const cell = (values: Partial<MapCell>): MapCell => ({
  id: 1,
  name: "A-01",
  inventory_container_type_name: null,
  item_count: 0,
  max_item_count: 100,
  stored_weight: "0.0000",
  unknown_weight_count: 0,
  max_total_weight: null,
  min_item_weight: null,
  max_item_weight: null,
  is_full: false,
  total_value: "0.0000",
  lots_without_price: 0,
  exclude_from_recommendations: false,
  ...values,
});
const stepOf = (values: Partial<MapCell>) =>
  fillSteps([cell(values)]).steps.find(({ locations }) => locations === 1)?.name;

describe("the steps of the fill", () => {
  it.each([
    [{ item_count: 0 }, "Empty"],
    [{ item_count: 1 }, "Under 25 %"],
    [{ item_count: 25 }, "25 to 49 %"],
    [{ item_count: 89 }, "75 to 89 %"],
    [{ item_count: 90 }, "90 to 99 %"],
    [{ item_count: 100 }, "Full"],
    [{ item_count: 101 }, "Over"],
    [{ item_count: 1, is_full: true }, "Full"],
    [{ item_count: 1, stored_weight: "60", max_total_weight: "100" }, "50 to 74 %"],
  ])("of %p is %s", (values, name) => {
    expect(stepOf(values)).toBe(name);
  });

  it("leave beside what holds something without a limit", () => {
    const found = fillSteps([cell({ item_count: 5, max_item_count: null })]);

    expect(found.unlimited).toBe(1);
    expect(found.steps.every(({ locations }) => locations === 0)).toBe(true);
  });
});

describe("the room by type", () => {
  it("sums up what still goes in, the roomiest first", () => {
    const rooms = roomByType([
      cell({
        item_count: 40,
        stored_weight: "10",
        max_total_weight: "25.5",
        unknown_weight_count: 3,
      }),
      cell({ item_count: 120, stored_weight: "30", max_total_weight: "25" }),
      cell({ inventory_container_type_name: "Box", max_item_count: 500, item_count: 100 }),
      cell({ inventory_container_type_name: "Box", max_item_count: null }),
      cell({ inventory_container_type_name: "Box", max_item_count: 50, is_full: true }),
    ]);

    expect(rooms).toEqual([
      { name: "Box", locations: 3, pieces: 400, grams: 0, unweighed: 0, takes: 550, unlimited: 1 },
      { name: null, locations: 2, pieces: 60, grams: 15.5, unweighed: 3, takes: 200, unlimited: 0 },
    ]);
  });
});
