import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { ContainerTypesDialog } from "./ContainerTypesDialog";
import { aContainerType, aLayout } from "./testing/builders";

const drawer = aContainerType({ size_class: "small", label_size: "roll_62", max_item_count: 50 });

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryContainerTypes", () => page([drawer]));
  answer("GET /api/labelLayouts", () =>
    ok([aLayout(), aLayout({ id: "roll_62", name: "A roll" })]),
  );
});

const open = () => renderPage(<ContainerTypesDialog onClose={() => undefined} />);

describe("ContainerTypesDialog", () => {
  it("tells size, limits and label of each type", async () => {
    open();
    const row = (await screen.findByText("Drawer")).closest("li") as HTMLElement;
    expect(await within(row).findByText(/A roll/)).toHaveTextContent(
      "Small · 50 pieces · A roll · 1 location",
    );
  });

  it("says what a size means, and sends it with the label size", async () => {
    answer("POST /api/inventoryContainerTypes", () => ok([drawer]));
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "New container type" }));

    await user.type(screen.getByRole("textbox", { name: /Name/ }), "Shoe box");
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Size" }),
      "Small: one colour of an item, no other beside it",
    );
    await user.selectOptions(screen.getByRole("combobox", { name: "Label size" }), "A roll");
    await user.click(screen.getByRole("button", { name: "Add container type" }));

    await waitFor(() =>
      expect(sent("POST /api/inventoryContainerTypes")[0]?.body).toMatchObject({
        name: "Shoe box",
        size_class: "small",
        label_size: "roll_62",
      }),
    );
  });

  it("shows a refusal beside its field", async () => {
    answer("PATCH /api/inventoryContainerTypes/3", () =>
      refusal(400, "VALIDATION_ERROR", "label_size: is none", {
        fields: { label_size: ["is no paper"] },
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Edit Drawer" }));
    expect(await screen.findByRole("option", { name: "A roll" })).toHaveProperty("selected", true);
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText(/is no paper/)).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: /Label size/ })).toBeInvalid();
  });
});
