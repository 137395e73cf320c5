import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { IS_PHONE, setMedia } from "@/shared/testing/media";
import { type SimpleColumn, SimpleTable } from "./SimpleTable";

type Row = { id: number; name: string; now: string; next: string; why: string };
const rows: Row[] = [{ id: 1, name: "Brick 2 x 4", now: "0.10", next: "0.12", why: "Sold" }];
const columns: SimpleColumn<Row>[] = [
  { header: "Set", cell: () => <input type="checkbox" aria-label="Set it" /> },
  { header: "Item", grow: true, cell: ({ name }) => name },
  { header: "Now, USD", align: "end", sort: "before", cell: ({ now }) => now },
  { header: "Then, USD", align: "end", phone: "first", cell: ({ next }) => next },
  { header: "Why", phone: "plain", cell: ({ why }) => why },
];
const show = (shown = columns, onOrder?: (order: string) => void) =>
  render(
    <SimpleTable
      caption="Prices"
      columns={shown}
      rows={rows}
      getKey={({ id }) => id}
      {...(onOrder && { order: "before", onOrder })}
    />,
  );

describe("SimpleTable", () => {
  it("is a table where there is room", () => {
    show();

    expect(screen.getByRole("table", { name: "Prices" })).toBeVisible();
    expect(screen.queryByRole("list")).toBeNull();
  });

  describe("on a phone", () => {
    beforeEach(() => setMedia(IS_PHONE, true));

    it("draws many columns as rows of two lines, with the heads that are needed", () => {
      show();

      const row = within(screen.getByRole("list", { name: "Prices" })).getByRole("listitem");
      expect(row).toHaveTextContent("Brick 2 x 40.12Now0.10Sold");
      expect(within(row).getByRole("checkbox", { name: "Set it" })).toBeVisible();
      expect(screen.queryByRole("table")).toBeNull();
    });

    it("leaves a few columns a table", () => {
      show(columns.slice(1, 4));

      expect(screen.getByRole("table", { name: "Prices" })).toBeVisible();
    });

    it("sorts by a choice in place of its heads", async () => {
      const onOrder = jest.fn();
      show(columns, onOrder);

      await userEvent.selectOptions(screen.getByLabelText("Sort by"), "Now, USD, largest first");

      expect(onOrder).toHaveBeenCalledWith("-before");
    });
  });
});
