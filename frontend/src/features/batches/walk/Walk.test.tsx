import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { outbox } from "@/shared/outbox/theOutbox";
import { deliverScan } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import {
  answer,
  installServer,
  never,
  offline,
  ok,
  page,
  refusal,
  sent,
} from "@/shared/testing/server";
import type { BatchItem } from "../model";
import { aBatch, anItem } from "../testing/builders";
import { Walk } from "./Walk";

const stow = "POST /api/batches/12/stow";
const recommend = "POST /api/batches/12/recommendLocations";
const bins: Record<string, number> = { "A-2": 7, "A-10": 9 };
const planned = (id: number, name: string | null, values: Partial<BatchItem> = {}) =>
  anItem({
    id,
    user_inventory_item_location_id: name ? (bins[name] ?? 50) : null,
    user_inventory_item_location_name: name,
    ...values,
  });
const result = (items: number[], failed: object[] = []) =>
  ok([{ items, failed, weight_unknown: [], job_id: null }]);
const batch = aBatch({ stats: { ...aBatch().stats, total_lots: 3, new_lots: 2, stowed_lots: 1 } });

let items: BatchItem[];

beforeEach(() => {
  installServer();
  items = [planned(1, "A-2", { qty: 4 }), planned(2, "A-10", { item_name: "Plate 1 x 2" })];
  answer("GET /api/batchItems", () => page(items));
  answer("GET /api/inventoryLocations", ({ query }) =>
    page(
      query.get("code") === "B-17"
        ? [{ id: 17, name: "B-17", code: "B-17" }]
        : Object.entries(bins)
            .filter(([code]) => code === query.get("code"))
            .map(([code, id]) => ({ id, name: code, code })),
    ),
  );
  answer(stow, ({ body }) => {
    const ids = (body as { items: number[] }).items;
    items = items.filter(({ id }) => !ids.includes(id));
    return result(ids);
  });
});

const open = () => renderPage(<Walk batch={batch} />, { at: "/app/batches?batch=12&walk=1" });

describe("Walk", () => {
  it("goes from bin to bin with one key each", async () => {
    const { user } = open();
    expect(await screen.findByRole("region", { name: "Now: A-2" })).toHaveTextContent("4");
    expect(sent("GET /api/batchItems")[0]?.query.get("state")).toBe("new");

    await user.keyboard("{Enter}");

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toHaveTextContent(
      "Plate 1 x 2",
    );
    await waitFor(() =>
      expect(sent(stow)[0]?.body).toEqual({ items: [1], location_id: 7, atomic: false }),
    );
    // Something else is pressed between: two at once are one press.
    await user.keyboard("{Shift}{Enter}");
    expect(await screen.findByText("Everything is put away")).toBeInTheDocument();
  });

  it("takes Enter twice at once as one press, though the next bin is there by then", async () => {
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.keyboard("{Enter}");
    const next = await screen.findByRole("button", { name: / in$/ });
    expect(next).toHaveFocus();
    fireEvent.click(next); // as Enter does it, without a place
    await waitFor(() => expect(sent(stow)).not.toHaveLength(0));
    await act(async () => {});

    expect(sent(stow).map(({ body }) => body)).toEqual([
      { items: [1], location_id: 7, atomic: false },
    ]);
  });

  it("stows by the scan of the bin's label", async () => {
    open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("A-2"));

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
  });

  it("keeps a scan that comes while the bin before is being stowed", async () => {
    open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("A-2"));
    act(() => deliverScan("A-10"));

    expect(await screen.findByText("Everything is put away")).toBeInTheDocument();
    await waitFor(() =>
      expect(sent(stow).map(({ body }) => body)).toEqual([
        { items: [1], location_id: 7, atomic: false },
        { items: [2], location_id: 9, atomic: false },
      ]),
    );
  });

  it("takes a label that is scanned twice as once", async () => {
    open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("A-2"));
    act(() => deliverScan("A-2"));

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
    await waitFor(() => expect(sent("GET /api/inventoryLocations")).toHaveLength(1));
    await act(async () => {});
    expect(screen.queryByRole("alert")).toBeNull();
    expect(sent(stow)).toHaveLength(1);
  });

  it("says that no bin is expected when everything is put away", async () => {
    items = [];
    open();
    await screen.findByText("Everything is put away");

    act(() => deliverScan("A-2"));

    expect(await screen.findByText(/All bins are done/)).toBeInTheDocument();
    expect(sent(stow)).toHaveLength(0);
  });

  it("takes a typed code with its prefix", async () => {
    const { user } = open();

    await user.type(await screen.findByRole("textbox", { name: /type the bin/ }), "LOC:a-2{Enter}");

    await waitFor(() => expect(sent(stow)).toHaveLength(1));
  });

  it("refuses the wrong bin and stows nothing", async () => {
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("B-17"));

    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Wrong bin: A-2 expected, B-17 scanned",
    );
    expect(sent(stow)).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Stow here instead" }));
    await waitFor(() =>
      expect(sent(stow)[0]?.body).toEqual({ items: [1], location_id: 17, atomic: false }),
    );
  });

  it("brings into view what it says of a scan", async () => {
    const shown: string[] = [];
    // Newer browsers return a promise.
    Element.prototype.scrollIntoView = async function scrolled(this: Element) {
      shown.push(this.textContent);
    };
    open();
    await screen.findByRole("region", { name: "Now: A-2" });
    shown.length = 0;

    act(() => deliverScan("B-17"));
    await screen.findByRole("alert");

    expect(shown).toEqual([expect.stringContaining("Wrong bin: A-2 expected")]);
    Reflect.deleteProperty(Element.prototype, "scrollIntoView");
  });

  it("goes on without a bin that was deleted elsewhere", async () => {
    answer(stow, () => {
      items = [planned(1, null, { qty: 4 }), planned(2, "A-10")];
      const fields = { location_id: ["there is none with this id"] };
      return refusal(400, "VALIDATION_ERROR", "location_id: there is none with this id", {
        fields,
      });
    });
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.keyboard("{Enter}");

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
    expect(await screen.findByText("1 lot has no bin yet")).toBeInTheDocument();
  });

  it("stays at the next bin while the lots are read again after a refusal", async () => {
    answer(stow, () => {
      answer("GET /api/batchItems", never);
      return refusal(400, "VALIDATION_ERROR", "location_id: there is none with this id");
    });
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("GET /api/batchItems")).toHaveLength(2));

    expect(screen.getByRole("region", { name: /^Now/ })).toHaveAccessibleName("Now: A-10");
  });

  it("goes on without a connection, and keeps what was put away", async () => {
    answer(stow, offline);
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.keyboard("{Enter}");
    await screen.findByRole("region", { name: "Now: A-10" });
    await waitFor(() => expect(outbox.store.getState().waitsFor).toBe("line"));
    await user.keyboard("{Shift}{Enter}");

    expect(await screen.findByText("Everything is put away")).toBeInTheDocument();
    expect(outbox.store.getState().requests.map(({ words }) => words)).toEqual([
      "Stow 4 pieces in A-2",
      expect.stringMatching(/^Stow .* in A-10$/),
    ]);
  });

  it("offers to go on with a bin that comes later", async () => {
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("A-10"));
    await user.click(await screen.findByRole("button", { name: "Continue with A-10" }));

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says that no bin has a code", async () => {
    open();
    await screen.findByRole("region", { name: "Now: A-2" });

    act(() => deliverScan("X-1"));

    expect(await screen.findByRole("alert")).toHaveTextContent("No bin has the code X-1");
  });

  it("plans another bin for what a full one refuses", async () => {
    answer(stow, () => {
      items = [planned(2, "A-10"), planned(1, "C-3")];
      return result([], [{ id: 1, name: "Red Brick 2 x 4 (3001)", reason: "A-2 takes 0 more." }]);
    });
    answer(recommend, () =>
      ok([
        {
          rows: [{ id: 1, name: "Red Brick 2 x 4 (3001)", before: "A-2", after: "C-3" }],
          failed: [],
          failed_count: 0,
          figures: {},
          warnings: [],
        },
      ]),
    );
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.keyboard("{Enter}");

    expect(await screen.findByText(/now planned for/)).toHaveTextContent("C-3");
    expect(sent(recommend)[0]?.body).toEqual({ items: [1], replace: true });
    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
  });

  it("puts a bin off and comes back to it", async () => {
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.click(screen.getByRole("button", { name: "Later, next is A-10" }));
    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: / in$/ }));

    expect(await screen.findByRole("region", { name: "Now: A-2" })).toBeInTheDocument();
  });

  it("plans another bin for the one lot of several that does not fit", async () => {
    items = [planned(1, "A-2"), planned(2, "A-2", { item_name: "Plate 1 x 2" })];
    const edit = "POST /api/batchItems/bulk";
    answer(edit, () => ok([{ ok: true, id: 2, act_id: 3 }]));
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.click(screen.getByRole("button", { name: "It does not fit" }));
    await user.click(screen.getByRole("button", { name: /^Plate 1 x 2/ }));
    await user.click(await screen.findByRole("button", { name: "No plan" }));

    await waitFor(() =>
      expect(sent(edit)[0]?.body).toEqual({
        ids: [2],
        set: { user_inventory_item_location_id: null },
        atomic: false,
      }),
    );
  });

  it("opens the lot of which pieces are missing, to correct its quantity", async () => {
    answer("GET /api/batchItems/1", () => ok([items[0]]));
    const { user } = open();
    await screen.findByRole("region", { name: "Now: A-2" });

    await user.click(screen.getByRole("button", { name: "Something is missing" }));

    expect(await screen.findByRole("dialog")).toHaveTextContent("Quantity");
    expect(sent(stow)).toHaveLength(0);
  });

  it("asks for bins where none is planned", async () => {
    items = [planned(1, null)];
    answer(recommend, () => {
      items = [planned(1, "A-2")];
      return ok([{ rows: [], failed: [], failed_count: 0, note: "Locations of 1 items planned" }]);
    });
    const { user } = open();

    await user.click(await screen.findByRole("button", { name: "Recommend bins" }));

    expect(await screen.findByRole("region", { name: "Now: A-2" })).toBeInTheDocument();
  });
});
