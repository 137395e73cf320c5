import { itemColumns } from "./itemColumns";
import { anItem } from "./testing/builders";

describe("the value of chosen items", () => {
  it("is rounded in the sum alone", () => {
    const sum = itemColumns.find(({ id }) => id === "value")?.sum;
    const items = ["13.1420", "37.1930", "114.4320"].map((price) => anItem({ price, qty: 1 }));

    expect(sum?.(items)).toBe("worth 164.77");
  });
});
