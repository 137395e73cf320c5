import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { DeleteLocation } from "./DeleteLocation";
import { aLocation } from "./testing/builders";

const conflict = [
  { id: 11, name: "Brick 2 x 4", number: "3001", quantity: 1200 },
  { id: 12, name: "Plate 1 x 2", number: "3023", quantity: 7 },
];

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryLocations", () =>
    page([aLocation(), aLocation({ id: 8, name: "B-02", available_item_count: 50 })]),
  );
});

describe("DeleteLocation", () => {
  it("deletes an empty one after asking", async () => {
    answer("DELETE /api/inventoryLocations/7", () => ok([]));
    const onDeleted = jest.fn();
    const { user } = renderPage(
      <DeleteLocation location={aLocation()} onClose={() => undefined} onDeleted={onDeleted} />,
    );

    await user.click(await screen.findByRole("button", { name: "Delete location" }));

    await waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
  });

  it("lists id, name, number and quantity of what lies there, moves it and then deletes", async () => {
    answer("DELETE /api/inventoryLocations/7", (_, count) =>
      count === 0
        ? refusal(409, "LOCATION_NOT_EMPTY", "A-01 still holds 2 items.", { data: conflict })
        : ok([]),
    );
    answer("POST /api/inventoryLocations/7/move", () => ok([{ moved: 1, act_id: 4 }]));
    const onDeleted = jest.fn();
    const { user } = renderPage(
      <DeleteLocation location={aLocation()} onClose={() => undefined} onDeleted={onDeleted} />,
    );
    await user.click(await screen.findByRole("button", { name: "Delete location" }));

    const dialog = within(await screen.findByRole("dialog", { name: "A-01 still holds 2 items" }));
    const rows = dialog.getAllByRole("row").slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole("cell")
          .map((c) => c.textContent),
      ),
    ).toEqual([
      ["11", "Brick 2 x 4", "3001", "1,200"],
      ["12", "Plate 1 x 2", "3023", "7"],
    ]);
    expect(dialog.getByRole("button", { name: "Move all and delete" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );

    await user.type(dialog.getByRole("combobox", { name: /Move all to/ }), "B");
    await user.click(await screen.findByRole("option", { name: /B-02/ }));
    await user.click(dialog.getByRole("button", { name: "Move all and delete" }));

    await waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
    expect(sent("POST /api/inventoryLocations/7/move")[0]?.body).toEqual({ to: 8 });
    expect(sent("DELETE /api/inventoryLocations/7")).toHaveLength(2);
  });

  it("lets what lies there be nowhere", async () => {
    answer("DELETE /api/inventoryLocations/7", (_, count) =>
      count === 0 ? refusal(409, "LOCATION_NOT_EMPTY", "Not empty.", { data: conflict }) : ok([]),
    );
    answer("POST /api/inventoryLocations/7/move", () => ok([{ moved: 1, act_id: 4 }]));
    const { user } = renderPage(
      <DeleteLocation location={aLocation()} onClose={() => undefined} />,
    );
    await user.click(await screen.findByRole("button", { name: "Delete location" }));

    await user.click(await screen.findByRole("checkbox", { name: "To no location" }));
    await user.click(screen.getByRole("button", { name: "Move all and delete" }));

    await waitFor(() => expect(sent("DELETE /api/inventoryLocations/7")).toHaveLength(2));
    expect(sent("POST /api/inventoryLocations/7/move")[0]?.body).toEqual({ to: null });
  });

  it("asks for a reason when the other location has not the room", async () => {
    answer("DELETE /api/inventoryLocations/7", (_, count) =>
      count === 0 ? refusal(409, "LOCATION_NOT_EMPTY", "Not empty.", { data: conflict }) : ok([]),
    );
    answer("POST /api/inventoryLocations/7/move", (_, count) =>
      count === 0
        ? refusal(409, "CAPACITY_EXCEEDED", "B-02 takes 50 more pieces, not 1207.")
        : ok([{ moved: 1, act_id: 4 }]),
    );
    const { user } = renderPage(
      <DeleteLocation location={aLocation()} onClose={() => undefined} />,
    );
    await user.click(await screen.findByRole("button", { name: "Delete location" }));
    await user.type(await screen.findByRole("combobox", { name: /Move all to/ }), "B");
    await user.click(await screen.findByRole("option", { name: /B-02/ }));
    await user.click(screen.getByRole("button", { name: "Move all and delete" }));

    expect(await screen.findByText("B-02 takes 50 more pieces, not 1207.")).toBeInTheDocument();
    await user.type(
      screen.getByRole("textbox", { name: /Reason to put it there/ }),
      "A box beside",
    );
    await user.click(screen.getByRole("button", { name: "Move anyway and delete" }));

    await waitFor(() => expect(sent("DELETE /api/inventoryLocations/7")).toHaveLength(2));
    expect(sent("POST /api/inventoryLocations/7/move")[1]?.body).toEqual({
      to: 8,
      override_reason: "A box beside",
    });
  });
});
