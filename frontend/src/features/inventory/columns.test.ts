import { inventoryColumns } from "./columns";
import { aStockRow } from "./testing/builders";

describe("the value of chosen rows", () => {
  it("is rounded in the sum alone", () => {
    const sum = inventoryColumns.find(({ id }) => id === "value")?.sum;
    const rows = ["13.1420", "37.1930", "114.4320"].map((price) =>
      aStockRow({ price, quantity: 1 }),
    );

    expect(sum?.(rows)).toBe("worth 164.77");
  });
});
