import type { Mutation } from "@tanstack/react-query";
import { workOf } from "./work";

const mutation = (mutationKey: unknown[], variables: unknown) =>
  ({ options: { mutationKey }, state: { variables } }) as unknown as Mutation; // what is read of it

describe("workOf", () => {
  it.each([
    [["batchWork", 7], { kind: "stow", items: "all" }, "7:isStowing"],
    [["batchWork", 7], { kind: "remove", items: [1] }, "7:isRemoving"],
    [["batchWork", 7], { kind: "markListed", items: [1] }, "7:isListing"],
    [["batchWork", 7], { ids: [1], changes: {} }, "7:isUpdating"],
    [["batchWork"], { row: { id: 8 }, changes: {} }, "8:isUpdating"],
    [["batchWork"], { row: { id: 1, batch_id: 9 }, changes: {} }, "9:isUpdating"],
    [["exports"], { kind: "bsx", scope: "batch", batch_id: 7 }, "7:isExporting"],
    [["exports"], { kind: "bsx", scope: "inventory" }, null],
    [["sources"], {}, null],
  ])("reads %j with %j as %s", (key, variables, expected) => {
    expect(workOf(mutation(key, variables))).toBe(expected);
  });
});
