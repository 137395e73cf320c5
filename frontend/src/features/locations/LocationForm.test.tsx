import { screen, waitFor } from "@testing-library/react";
import { Opened, renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { LocationForm } from "./LocationForm";
import { aLocation } from "./testing/builders";

const drawer = {
  id: 3,
  name: "Small drawer",
  max_item_count: 100,
  max_total_weight: "900.0000",
  min_item_weight: null,
  max_item_weight: null,
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z",
};

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryContainerTypes", () => page([drawer]));
});

describe("LocationForm", () => {
  it("sends weights in grams, whatever unit was typed", async () => {
    answer("POST /api/inventoryLocations", () => ok([aLocation()]));
    const onClose = jest.fn();
    const { user } = renderPage(<LocationForm onClose={onClose} />);

    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "A-01");
    await user.type(screen.getByRole("textbox", { name: "Most weight" }), "1.2 kg");
    await user.type(screen.getByRole("textbox", { name: "Heaviest piece" }), "8 oz");
    await user.click(screen.getByRole("button", { name: "Add location" }));

    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent("POST /api/inventoryLocations")[0]?.body).toMatchObject({
      name: "A-01",
      max_item_count: null,
      max_total_weight: "1200",
      max_item_weight: "226.7962",
    });
  });

  it("takes a new one back from its toast", async () => {
    answer("POST /api/inventoryLocations", () => ok([aLocation({ id: 31, name: "A-01" })]));
    answer("DELETE /api/inventoryLocations/31", () => ok([]));
    const { user } = renderPage(<Opened>{(close) => <LocationForm onClose={close} />}</Opened>);
    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "A-01");
    await user.click(screen.getByRole("button", { name: "Add location" }));

    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Undone: A-01 added")).toBeVisible();
    expect(sent("DELETE /api/inventoryLocations/31")).toHaveLength(1);
  });

  it("takes the limits of the chosen container type, unless others were typed", async () => {
    const { user } = renderPage(<LocationForm onClose={() => undefined} />);
    const type = await screen.findByRole("combobox", { name: "Container type" });
    await screen.findByRole("option", { name: "Small drawer" });

    await user.selectOptions(type, "Small drawer");
    expect(screen.getByRole("textbox", { name: "Most pieces" })).toHaveValue("100");

    await user.clear(screen.getByRole("textbox", { name: "Most pieces" }));
    await user.type(screen.getByRole("textbox", { name: "Most pieces" }), "80");
    await user.selectOptions(type, "None");
    await user.selectOptions(type, "Small drawer");
    expect(screen.getByRole("textbox", { name: "Most pieces" })).toHaveValue("80");
  });

  it("refuses a lightest piece above the heaviest, and sends nothing", async () => {
    const { user } = renderPage(<LocationForm onClose={() => undefined} />);

    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "A-01");
    await user.type(screen.getByRole("textbox", { name: "Lightest piece" }), "1 kg");
    await user.type(screen.getByRole("textbox", { name: "Heaviest piece" }), "10 g");
    await user.click(screen.getByRole("button", { name: "Add location" }));

    expect(await screen.findByText(/must not outweigh/)).toBeInTheDocument();
    expect(sent("POST /api/inventoryLocations")).toEqual([]);
  });

  it("warns when a limit falls below what lies there", async () => {
    const full = aLocation({ item_count: 120, max_item_count: 200 });
    const { user } = renderPage(<LocationForm location={full} onClose={() => undefined} />);
    const pieces = await screen.findByRole("textbox", { name: "Most pieces" });

    await user.clear(pieces);
    await user.type(pieces, "100");

    expect(await screen.findByText(/20 more than this limit/)).toBeInTheDocument();
  });

  it("puts the server's refusal beside its field", async () => {
    answer("POST /api/inventoryLocations", () =>
      refusal(400, "VALIDATION_ERROR", "name: taken", {
        fields: { name: ["You have a location of this name."] },
      }),
    );
    const { user } = renderPage(<LocationForm onClose={() => undefined} />);

    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "A-01");
    await user.click(screen.getByRole("button", { name: "Add location" }));

    expect(await screen.findByText("You have a location of this name.")).toBeInTheDocument();
  });
});
