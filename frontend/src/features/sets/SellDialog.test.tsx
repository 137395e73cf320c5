import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { SetsPage } from "./SetsPage";
import { anOverview, aPart, aSet, aSummary } from "./testing/builders";

const later = "2026-02-02T00:00:00Z";
const complete = { state: "complete", pieces_on_hand: 10, pieces_missing: 0 } as const;
const lastAdded = {
  batchId: 12,
  batchName: "October",
  totalItemsAdded: 1,
  quantity: 1,
  itemName: "Assembly Square",
  itemNumber: "10255-1",
  itemType: "SET",
  colorName: "",
  timestamp: later,
};
const aBatch = (id: number, name: string) => ({
  id,
  name,
  is_archived: false,
  batch_item_item_count: 4,
  batch_item_lot_count: 2,
  createdAt: later,
});

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/sources", () => page([]));
  answer("GET /api/userSets", () => page([aSet(complete)]));
  answer("GET /api/userSets/overview", () => ok([anOverview()]));
  answer("GET /api/userSets/3", () => ok([aSet(complete)]));
  answer("GET /api/userSets/3/summary", ({ query }) =>
    ok([aSummary({ value_of_set: query.get("condition") === "N" ? "250.0000" : "120.5000" })]),
  );
  answer("GET /api/userSetParts", () => page([aPart()]));
  answer("GET /api/batches", () => page([aBatch(12, "October"), aBatch(11, "September")]));
  answer("GET /api/batches/12", () => ok([aBatch(12, "October")]));
  answer("GET /api/batches/11", () => ok([aBatch(11, "September")]));
  answer("POST /api/batchItems", () => ok([{ id: 77, last_added: lastAdded }]));
  answer("DELETE /api/batchItems/77", () => ok([]));
  answer("PATCH /api/userSets/3", () =>
    ok([aSet({ ...complete, state: "for_sale", updatedAt: later })]),
  );
});

async function openDialog() {
  const { user } = renderPage(<SetsPage />, { at: "/app/userSets?set=3" });
  await user.click(await screen.findByRole("button", { name: "Sell as a set…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sell 10255-1 as a set" }));
  await dialog.findByRole("button", { name: /October/ });
  await waitFor(() => expect(dialog.getByLabelText(/^Price/)).toHaveValue("120.50"));
  return { user, dialog };
}

describe("selling a set as a set", () => {
  it("adds one item to the batch used last, at the price of its kind, and marks it", async () => {
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));

    expect(await screen.findByText("10255-1 is for sale in October")).toBeInTheDocument();
    expect(sent("POST /api/batchItems").map(({ body }) => body)).toEqual([
      {
        batch_id: 12,
        item_type: "SET",
        item_number: "10255-1",
        color_id: 0,
        qty: 1,
        condition: "U",
        sub_condition: "C",
        price: "120.50",
      },
    ]);
    expect(sent("PATCH /api/userSets/3").map(({ body }) => body)).toEqual([
      { state: "for_sale", updatedAt: aSet().updatedAt },
    ]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("proposes the price of the condition, until one is typed", async () => {
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole("radio", { name: "New" }));
    await waitFor(() => expect(dialog.getByLabelText(/^Price/)).toHaveValue("250.00"));
    await user.clear(dialog.getByLabelText(/^Price/));
    await user.type(dialog.getByLabelText(/^Price/), "199,5");
    await user.click(dialog.getByRole("radio", { name: "Used" }));
    await user.selectOptions(dialog.getByLabelText("How whole"), "Sealed");
    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({
      condition: "U",
      sub_condition: "M",
      price: "199.5",
    });
  });

  it("goes into another batch that is chosen", async () => {
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole("button", { name: /October/ }));
    await user.click(await screen.findByRole("option", { name: /September/ }));
    const again = within(await screen.findByRole("dialog", { name: "Sell 10255-1 as a set" }));
    await again.findByRole("button", { name: /September/ });
    await user.click(again.getByRole("button", { name: "Put up for sale" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({ batch_id: 11 });
  });

  it("asks for a price where none is known", async () => {
    answer("GET /api/userSets/3/summary", () => ok([aSummary()]));
    const { user } = renderPage(<SetsPage />, { at: "/app/userSets?set=3" });
    await user.click(await screen.findByRole("button", { name: "Sell as a set…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("No price of it is known.")).toBeInTheDocument();
    await dialog.findByRole("button", { name: /October/ });

    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));

    expect(sent("POST /api/batchItems")).toHaveLength(0);
  });

  it("is undone: the item goes, and the set is as it was", async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));
    await screen.findByText("10255-1 is for sale in October");

    // The grid has an Undo of its own.
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);

    expect(await screen.findByText("10255-1 is no longer for sale")).toBeInTheDocument();
    expect(sent("DELETE /api/batchItems/77")).toHaveLength(1);
    expect(sent("PATCH /api/userSets/3").at(-1)?.body).toEqual({
      state: "complete",
      updatedAt: later,
    });
  });

  it("leaves nothing in the batch where the set changed meanwhile", async () => {
    answer("PATCH /api/userSets/3", () => refusal(409, "CONFLICT", "It changed meanwhile."));
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));

    expect(await dialog.findByRole("alert")).toHaveTextContent("It changed meanwhile.");
    expect(sent("DELETE /api/batchItems/77")).toHaveLength(1);
  });

  it("says that it stays in the batch where it could not be taken out again", async () => {
    answer("PATCH /api/userSets/3", () => refusal(409, "CONFLICT", "It changed meanwhile."));
    answer("DELETE /api/batchItems/77", () => refusal(409, "CONFLICT", "This item is stowed."));
    const { user, dialog } = await openDialog();

    await user.click(dialog.getByRole("button", { name: "Put up for sale" }));

    expect(await dialog.findByRole("alert")).toHaveTextContent(
      "It is in the batch, but not marked as for sale: It changed meanwhile.",
    );
  });

  it.each([
    [{ state: "in_progress", sub_condition: "M" }, true],
    [{ state: "in_progress", sub_condition: "" }, false],
    [{ state: "for_sale", sub_condition: "M" }, false],
    [{ state: "sold", sub_condition: "" }, false],
  ] as const)("is offered of %j: %s", async (values, isOffered) => {
    answer("GET /api/userSets", () => page([aSet(values)]));
    const { user } = renderPage(<SetsPage />, { at: "/app/userSets" });

    await user.click(await screen.findByRole("button", { name: "Row actions" }));
    const entry = await screen.findByRole("menuitem", { name: /Sell as a set…/ });

    expect(entry.hasAttribute("aria-disabled")).toBe(!isOffered);
  });
});
