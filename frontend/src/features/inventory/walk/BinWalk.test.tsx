import { act, screen, waitFor } from "@testing-library/react";
import { outbox } from "@/shared/outbox/theOutbox";
import { deliverScan } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, offline, ok, page, refusal, sent } from "@/shared/testing/server";
import { InventoryPage } from "../InventoryPage";
import { aStockRow } from "../testing/builders";

const bins = [
  { id: 7, name: "A-01", code: "A-01", item_count: 34 },
  { id: 9, name: "B-02", code: "B-02", item_count: 0 },
];
const brick = aStockRow({ id: 40, quantity: 30, location_id: 7, location_name: "A-01" });
const plate = aStockRow({
  id: 41,
  quantity: 4,
  item_number: "3023",
  part_name: "Plate 1 x 2",
  location_id: 7,
  location_name: "A-01",
});
const move = "POST /api/inventoryItems/move";
const tally = {
  rows: 2,
  counted: 0,
  fewer_rows: 0,
  more_rows: 0,
  fewer_pieces: 0,
  more_pieces: 0,
  uncounted_pieces: 34,
  found_lots: 0,
  found_pieces: 0,
};

beforeEach(() => {
  installServer();
  for (const bin of bins) answer(`GET /api/inventoryLocations/${bin.id}`, () => ok([bin]));
  answer("GET /api/inventoryLocations", ({ query }) =>
    page(bins.filter(({ code }) => code === query.get("code"))),
  );
  answer("GET /api/inventoryItems", ({ query }) =>
    page(query.get("location") === "9" ? [] : [brick, plate]),
  );
  answer("POST /api/stocktakes", ({ body }) => {
    const { location_id } = body as { location_id: number };
    const location_name = bins.find(({ id }) => id === location_id)?.name;
    return ok([{ id: location_id * 10, location_id, location_name, state: "open" }]);
  });
  for (const id of [70, 90]) {
    answer(`GET /api/stocktakes/${id}/rows`, () =>
      page(id === 90 ? [] : [brick, plate].map((row) => ({ ...row, counted: null, seen: null }))),
    );
    answer(`GET /api/stocktakes/${id}/tally`, () => ok([tally]));
    answer(`POST /api/stocktakes/${id}/discard`, () => ok([{ id, state: "discarded" }]));
  }
  answer("POST /api/stocktakes/70/apply", () => ok([{ id: 70, state: "applied", act_id: null }]));
  answer(move, () => ok([{ moved: 1, failed: [], act_id: 5 }]));
});

const open = (kind: string) =>
  renderPage(<InventoryPage />, { at: `/app/inventory?walk=${kind}&bin=7` });
const scan = (code: string) => act(() => deliverScan(code));
const at = (name: string) => screen.findByRole("region", { name: `Now: ${name}` });

describe("counting at the shelf", () => {
  it("ends a bin by its label and begins the next by that one's", async () => {
    open("count");
    await at("A-01");
    expect(await screen.findByRole("button", { name: "All 34 are there" })).toHaveFocus();

    scan("A-01");
    expect(await screen.findByText("A-01 is counted")).toBeInTheDocument();
    expect(sent("POST /api/stocktakes/70/apply")[0]?.body).toEqual({
      uncounted: "keep",
      note: "",
    });
    scan("B-02");

    expect(await at("B-02")).toBeInTheDocument();
    expect(sent("POST /api/stocktakes").map(({ body }) => body)).toEqual([
      { location_id: 7 },
      { location_id: 9 },
    ]);
  });

  it("sends a count that was typed before the label ends the bin", async () => {
    answer("POST /api/stocktakes/70/counts", () => ok([{ ...tally, counted: 1, fewer_pieces: 2 }]));
    const { user } = open("count");
    await at("A-01");
    await user.type((await screen.findAllByLabelText(/^Counted of /))[0] as HTMLElement, "28");

    scan("A-01");

    expect(await screen.findByText("A-01 is counted")).toBeInTheDocument();
    expect(sent("POST /api/stocktakes/70/counts").map(({ body }) => body)).toEqual([
      { counts: [{ item_id: 40, counted: 28 }] },
    ]);
    expect(sent("POST /api/stocktakes/70/apply")).toHaveLength(1);
  });

  it("keeps a count that was typed before another bin's label", async () => {
    answer("POST /api/stocktakes/70/counts", () => ok([{ ...tally, counted: 1, fewer_pieces: 2 }]));
    const { user } = open("count");
    await at("A-01");
    await user.type((await screen.findAllByLabelText(/^Counted of /))[0] as HTMLElement, "28");

    scan("B-02");
    await at("B-02");

    await waitFor(() => expect(sent("POST /api/stocktakes/70/counts")).toHaveLength(1));
    expect(sent("POST /api/stocktakes/70/discard")).toHaveLength(0);
  });

  it("ends a bin without a connection, after its counts", async () => {
    answer("POST /api/stocktakes/70/counts", offline);
    answer("POST /api/stocktakes/70/apply", offline);
    const { user } = open("count");
    await at("A-01");
    await user.type((await screen.findAllByLabelText(/^Counted of /))[0] as HTMLElement, "28");

    await user.tab();
    await user.click(screen.getByRole("button", { name: /are there$/ }));

    expect(await screen.findByText("A-01 is counted")).toBeInTheDocument();
    expect(outbox.store.getState().requests.map(({ words }) => words)).toEqual([
      "Count 28 pieces in A-01",
      "Apply the counts of A-01",
    ]);
  });

  it("counts one piece as one", async () => {
    answer("GET /api/inventoryLocations/7", () => ok([{ ...bins[0], item_count: 1 }]));
    open("count");

    expect(await screen.findByRole("button", { name: "It is there" })).toBeInTheDocument();
  });

  it("leaves no open stocktake behind where nothing was counted", async () => {
    open("count");
    await screen.findByRole("button", { name: "All 34 are there" });

    scan("B-02");
    await at("B-02");

    await waitFor(() => expect(sent("POST /api/stocktakes/70/discard")).toHaveLength(1));
    expect(sent("POST /api/stocktakes/70/apply")).toHaveLength(0);
  });

  it("says that no bin has a code, and stays", async () => {
    open("count");
    await screen.findByRole("button", { name: "All 34 are there" });

    scan("X-1");

    expect(await screen.findByText("No bin has the code X-1")).toBeInTheDocument();
    expect(await at("A-01")).toBeInTheDocument();
  });
});

describe("moving at the shelf", () => {
  it("carries everything to the bin that is scanned, until something is chosen", async () => {
    open("move");
    await at("A-01");

    scan("B-02");

    await waitFor(() => expect(sent(move)[0]?.body).toEqual({ filter: { location: "7" }, to: 9 }));
  });

  it("carries what is chosen; the label after that is the next bin", async () => {
    const { user } = open("move");
    await at("A-01");

    await user.click(screen.getByRole("button", { name: /Plate 1 x 2/ }));
    scan("B-02");
    await waitFor(() => expect(sent(move)[0]?.body).toEqual({ ids: [41], to: 9 }));
    expect(await screen.findByText("The next label is the next bin")).toBeInTheDocument();
    scan("B-02");

    expect(await screen.findByText("B-02 is empty")).toBeInTheDocument();
    expect(sent(move)).toHaveLength(1);
  });

  it("carries lots without a connection, and shows them gone", async () => {
    answer(move, offline);
    const { user } = open("move");
    await at("A-01");
    await user.click(screen.getByRole("button", { name: /Plate 1 x 2/ }));

    scan("B-02");

    expect(await screen.findByText("The next label is the next bin")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Plate 1 x 2/ })).toBeNull();
    expect(outbox.store.getState().requests).toMatchObject([
      { words: "Move 1 lot from A-01 to B-02", body: { ids: [41], to: 9 } },
    ]);
  });

  it("says what a full bin refuses, and keeps what is chosen", async () => {
    answer(move, () => refusal(409, "CAPACITY_EXCEEDED", "B-02 takes 0 more pieces, not 4."));
    const { user } = open("move");
    await at("A-01");
    await user.click(screen.getByRole("button", { name: /Plate 1 x 2/ }));

    scan("B-02");

    expect(await screen.findByText(/B-02 takes 0 more pieces/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Move 1 lot to…" })).toBeInTheDocument();
  });
});

describe("finding at the shelf", () => {
  it("leads from bin to bin that holds what is typed, this one first", async () => {
    const there = { ...plate, id: 42, quantity: 9, location_id: 9, location_name: "B-02" };
    answer("GET /api/inventoryItems", ({ query }) =>
      page(query.get("search") === "3023" ? [there, plate] : [brick, plate]),
    );
    const { user } = open("find");
    await at("A-01");

    await user.type(screen.getByRole("textbox", { name: "What do you look for?" }), "3023");
    await user.click(await screen.findByRole("button", { name: "Not here, next is B-02 (9)" }));

    expect(await at("B-02")).toHaveTextContent("9 pieces, 1 lot");
    await user.click(screen.getByRole("button", { name: "Found it" }));
    expect(await at("A-01")).toHaveTextContent("34 pieces, 2 lots");
  });
});
