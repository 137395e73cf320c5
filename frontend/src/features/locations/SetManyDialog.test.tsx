import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import type { LabelChoice } from "./labels";
import { SetManyDialog } from "./SetManyDialog";
import { aContainerType } from "./testing/builders";

const set = "POST /api/inventoryLocations/setMany";
const had = {
  id: 1,
  updatedAt: "2026-01-02T03:04:05Z",
  inventory_container_type_id: null,
  max_item_count: 5,
  max_total_weight: null,
  min_item_weight: null,
  max_item_weight: null,
};

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryContainerTypes", () =>
    page([aContainerType({ id: 3, name: "Drawer", max_item_count: 150 })]),
  );
  answer("POST /api/inventoryLocations/suggestLimit", () =>
    ok([{ max_item_count: 130, learnt_from: 24 }]),
  );
  answer(set, () => ok([{ changed: 12, over: 2, before: [had] }]));
  answer("POST /api/inventoryLocations/putBackMany", () => ok([{ changed: 12 }]));
});

function Opened({ choice }: { choice: LabelChoice }) {
  const [open, setOpen] = useState(true);
  return open && <SetManyDialog choice={choice} onClose={() => setOpen(false)} />;
}
const show = (choice: LabelChoice = { ids: [1, 2], count: 12 }) =>
  renderPage(<Opened choice={choice} />);
const change = () => screen.getByRole("button", { name: "Change 12 bins" });

describe("SetManyDialog", () => {
  it("takes over the limit that was learnt, which is enforced only then", async () => {
    const { user } = show();
    expect(await screen.findByText(/24 filled bins like these hold at most 130/)).toBeVisible();
    expect(screen.getByLabelText("Most pieces")).toHaveValue("");

    await user.click(screen.getByRole("button", { name: "Accept suggested limit" }));
    await user.click(change());

    expect(await screen.findByText("12 bins changed")).toBeInTheDocument();
    expect(sent(set)[0]?.body).toEqual({ ids: [1, 2], set: { max_item_count: 130 } });
  });

  it("sends only what is filled in, and puts it back from the toast", async () => {
    const { user } = show();
    await user.type(await screen.findByLabelText("Most pieces"), "80");
    await user.type(screen.getByLabelText("Most weight"), "none");

    await user.click(change());

    expect(await screen.findByText("12 bins changed")).toBeInTheDocument();
    expect(screen.getByText("2 are over their limits now.")).toBeInTheDocument();
    expect(sent(set)[0]?.body).toEqual({
      ids: [1, 2],
      set: { max_item_count: 80, max_total_weight: null },
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() =>
      expect(sent("POST /api/inventoryLocations/putBackMany")[0]?.body).toEqual({ rows: [had] }),
    );
  });

  it("fills in the limits of the type that is chosen, also those it does not have", async () => {
    const { user } = show({ ids: null, count: 12 });
    await user.selectOptions(
      await screen.findByLabelText("Container type"),
      await screen.findByRole("option", { name: "Drawer" }),
    );
    expect(screen.getByLabelText("Heaviest piece")).toHaveValue("none");

    await user.click(change());

    await waitFor(() =>
      expect(sent(set)[0]?.body).toEqual({
        filter: {},
        set: {
          inventory_container_type_id: 3,
          max_item_count: 150,
          max_total_weight: null,
          min_item_weight: null,
          max_item_weight: null,
        },
      }),
    );
  });

  it("shows a refusal beside its field", async () => {
    const text = "must not exceed max_item_weight of A-2";
    answer(set, () => refusal(400, "VALUE_REFUSED", text, { fields: { min_item_weight: [text] } }));
    const { user } = show();
    await user.type(await screen.findByLabelText("Lightest piece"), "9");

    await user.click(change());

    expect(await screen.findByText(new RegExp(text))).toBeInTheDocument();
  });
});
