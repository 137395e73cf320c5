import { idParam } from "./idParam";

describe("idParam", () => {
  const read = (query: string) => idParam(new URLSearchParams(query), "batch");

  it("gives the id that the address names", () => {
    expect(read("batch=12")).toBe(12);
  });

  it.each(["", "batch=", "batch=0", "batch=-3", "batch=1.5", "batch=x"])("has none in %p", (q) => {
    expect(read(q)).toBeNull();
  });
});
