import { screen, waitFor } from "@testing-library/react";
import { makeItem, makeLot } from "@/features/catalog/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page } from "@/shared/testing/server";
import { FindLot } from "./FindLot";

describe("FindLot", () => {
  it("asks no colour of what comes in one alone", async () => {
    installServer();
    const set = makeItem({ id: 9, item_type: "SET", item_number: "6024-1", item_name: "Fire" });
    answer("GET /api/catalogItems", () => page([set]));
    answer("GET /api/catalogLots", () =>
      page([makeLot({ id: 61, lot_id: 61, color_id: 0, color_name: "(Not Applicable)" })]),
    );
    const onFound = jest.fn().mockResolvedValue(null);
    const { user } = renderPage(<FindLot onFound={onFound} onTyped={() => undefined} />);

    await user.type(screen.getByRole("combobox", { name: "Found without a row" }), "6024{Enter}");
    await screen.findByRole("option", { name: "Without a colour", selected: true });
    await user.click(screen.getByRole("button", { name: "Add" }));

    expect(onFound).toHaveBeenCalledWith(61, "U", 1);
  });
  it("says what is wrong with a count while it is typed", async () => {
    installServer();
    const { user } = renderPage(<FindLot onFound={jest.fn()} onTyped={() => undefined} />);
    const count = screen.getByRole("textbox", { name: "How many" });

    await user.clear(count);
    await user.type(count, "0");

    await waitFor(() => expect(count).toHaveAccessibleDescription("A whole number, 1 or more."));
    expect(count).toBeInvalid();
  });
});
