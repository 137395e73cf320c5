import { act, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { editorFor } from "@/shared/table/editing/registry";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { type Acted, historyKeyOf } from "../model";
import { aBatch } from "../testing/builders";
import { ActDialog, type ActKind } from "./ActDialog";

const acted = (values: Partial<Acted> = {}): Acted => ({
  kind: "reprice",
  dry_run: false,
  act_id: 5,
  note: "1 of 2 prices changed",
  item_count: 1,
  figures: { changed: 1, unchanged: 1, without_data: 0, value_before: "1", value_after: "2" },
  rows: [
    {
      id: 101,
      name: "Red Brick 2 x 4 (3001)",
      before: "0.1000",
      after: "0.2000",
      found_by: "sold",
    },
  ],
  largest: [],
  warnings: [],
  failed: [],
  failed_count: 0,
  ...values,
});

/** The page behind: it takes the dialog away once it is done. */
function Host(props: { kind: ActKind; items: number[] | "all" }) {
  const [shown, setShown] = useState(true);
  const away = () => setShown(false);
  const act = { batchId: 12, items: props.items, count: 2, onClose: away, onDone: away };
  const batch = aBatch({ cost_total: "10.0000" });
  return shown ? <ActDialog kind={props.kind} batch={batch} act={act} /> : <p>Done</p>;
}

const open = (kind: ActKind, items: number[] | "all" = [101, 102]) =>
  renderPage(<Host kind={kind} items={items} />);

beforeEach(installServer);

describe("an act", () => {
  const route = "POST /api/batches/12/reprice";

  it("is shown before it is done, done, and taken back", async () => {
    answer(route, ({ body }) =>
      ok([acted((body as { dry_run?: boolean }).dry_run ? { act_id: null } : {})]),
    );
    answer("POST /api/batches/12/undo", () => ok([{}]));
    const { user } = open("reprice");

    const table = await screen.findByRole("region", { name: "What would happen to them" });
    expect(within(table).getByText("0.20")).toBeInTheDocument();
    expect(sent(route)[0]?.body).toEqual({ items: [101, 102], by: "rule", dry_run: true });
    await user.click(screen.getByRole("button", { name: "Change prices" }));

    expect(await screen.findByText("Done")).toBeInTheDocument();
    expect(sent(route).at(-1)?.body).toEqual({ items: [101, 102], by: "rule" });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent("POST /api/batches/12/undo")[0]?.body).toEqual({ act_id: 5 }));
  });

  it("is done again after its undo", async () => {
    let last = 4;
    answer(route, ({ body }) => {
      const { dry_run } = body as { dry_run?: boolean };
      if (!dry_run) last += 1;
      return ok([acted({ act_id: dry_run ? null : last })]);
    });
    answer("POST /api/batches/12/undo", () => ok([{}]));
    const { user } = open("reprice");
    await screen.findByRole("region", { name: "What would happen to them" });
    await user.click(screen.getByRole("button", { name: "Change prices" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Undone: 1 of 2 prices changed");
    const editor = editorFor(historyKeyOf({ id: 12 }));

    await act(() => editor.redo());
    await act(() => editor.undo());

    expect(sent(route).at(-1)?.body).toEqual({ items: [101, 102], by: "rule" });
    expect(sent("POST /api/batches/12/undo").map(({ body }) => body)).toEqual([
      { act_id: 5 },
      { act_id: 6 },
    ]);
  });

  it("asks again when an option changes, and not for what is no amount", async () => {
    answer(route, () => ok([acted()]));
    const { user } = open("reprice");
    await screen.findByRole("region", { name: "What would happen to them" });

    await user.click(screen.getByRole("radio", { name: "One price" }));
    expect(screen.getByRole("button", { name: "Change prices" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.type(screen.getByRole("textbox", { name: "Price of one piece" }), "0,25");

    await waitFor(() =>
      expect(sent(route).at(-1)?.body).toEqual({
        items: [101, 102],
        by: "fixed",
        price: "0.25",
        dry_run: true,
      }),
    );
  });

  it("cannot be done where nothing would change", async () => {
    answer(route, () => ok([acted({ rows: [], figures: { changed: 0 } })]));
    open("reprice");

    expect(await screen.findByText(/^0 prices change/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Change prices" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("tells why it is refused", async () => {
    answer("POST /api/batches/12/spreadCost", () =>
      refusal(409, "CONFLICT", "None of the items has a price."),
    );
    open("spread");

    expect(await screen.findByRole("alert")).toHaveTextContent("None of the items has a price.");
  });

  it("tells what would stay as it is", async () => {
    answer("POST /api/batches/12/recommendLocations", () =>
      ok([
        acted({
          figures: { changed: 0, locations: 0 },
          rows: [],
          failed: [{ id: 101, name: "Red Brick", reason: "No bin has the room for it." }],
          failed_count: 1,
        }),
      ]),
    );
    open("recommend");

    expect(await screen.findByText("1 would stay as they are")).toBeInTheDocument();
  });
});

describe("merging", () => {
  it("asks for the other batch first", async () => {
    const route = "POST /api/batches/12/merge";
    answer("GET /api/batches", () => page([aBatch(), aBatch({ id: 13, name: "Winter" })]));
    answer(route, () =>
      ok([acted({ kind: "merge", rows: [], figures: { changed: 2, cost_total: "15" } })]),
    );
    const { user } = open("merge", "all");
    expect(sent(route)).toHaveLength(0);

    await user.type(await screen.findByRole("combobox", { name: /Into/ }), "W");
    expect(screen.queryByRole("option", { name: /Flea market/ })).toBeNull();
    await user.click(await screen.findByRole("option", { name: /Winter/ }));

    expect(await screen.findByText(/2 lots go to Winter/)).toBeInTheDocument();
    expect(sent(route)[0]?.body).toEqual({ to_batch_id: 13, dry_run: true });
  });
});
