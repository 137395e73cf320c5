import { screen, waitFor, within } from "@testing-library/react";
import { aConnection } from "@/features/marketplace/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { clickAt } from "@/shared/testing/clicks";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { UnknownItemsPage } from "./UnknownItemsPage";
import type { Candidate, Unknown } from "./unknown/model";

const aCandidate = (given: Partial<Candidate> = {}): Candidate => ({
  item_id: 3,
  item_number: "3001",
  item_type: "PART",
  item_name: "Brick 2 x 4",
  image_url: null,
  likeness: "mould",
  ...given,
});
const anUnknown = (given: Partial<Unknown> = {}): Unknown => ({
  id: 40,
  batch_item_id: null,
  item_type: "P",
  item_number: "3001old",
  part_name: "Brick, old",
  lots: 2,
  batch_lots: 0,
  colors: 2,
  quantity: 7,
  value: "3.5000",
  lots_without_price: 0,
  why: "variant",
  candidates: [aCandidate()],
  ...given,
});
const named = { act_id: 9, item_count: 2, refused: [] };

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection({ state: "none" })]));
  answer("GET /api/inventoryItems/unknown", () => page([anUnknown()]));
  answer("GET /api/catalogImports", () => ok([{ may_import: false }]));
  answer("GET /api/inventoryItems/renumbered", () => ok([]));
  answer("GET /api/inventoryItems/unknownWords", () => page([]));
  answer("POST /api/inventoryItems/40/name", () => ok([named]));
  answer("POST /api/inventoryActs/9/undo", () => ok([{ id: 9 }]));
});

const show = () => renderPage(<UnknownItemsPage />, { at: "/app/unknown-items" });

describe("items that the catalogue moved to another number", () => {
  const moved = {
    item_id: 5,
    item_type: "MINIFIG" as const,
    old_number: "cty001",
    new_number: "cty0001",
    item_name: "Policeman",
    lots: 2,
    listed: 1,
    batch_lots: 1,
    set_parts: 1,
    order_lines: 2,
  };

  it("are listed, and all their lots follow by one press, which can be undone", async () => {
    let rows = [moved];
    answer("GET /api/inventoryItems/renumbered", () => ok(rows));
    answer("POST /api/inventoryItems/renumber", () => {
      rows = [];
      return ok([{ act_id: 9, item_count: 6, refused: [] }]);
    });
    const { user } = show();

    const list = within(await screen.findByRole("list", { name: "Moved numbers" }));
    expect(list.getByRole("listitem")).toHaveTextContent(
      "cty001 is cty0001, Policeman: 2 lots in stock, 1 lot in batches, 1 lot of sets, 2 lots of open orders",
    );
    expect(screen.getByText("1 lot of your store follows with the next sync.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Change 6 lots" }));

    expect(await screen.findByText("New numbers for 6 lots.")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("list", { name: "Moved numbers" })).toBeNull());
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent("POST /api/inventoryActs/9/undo")).toHaveLength(1));
  });

  it("are said to be missing where they could not be loaded", async () => {
    answer("GET /api/inventoryItems/renumbered", () => refusal(400, "BAD_REQUEST", "Not now."));
    show();

    expect(await screen.findByText("Could not be loaded: the moved numbers.")).toBeVisible();
  });
});

describe("the unknown items", () => {
  it("say what they are worth, why they are unknown, and what they may be", async () => {
    show();

    expect(await screen.findByText("3001old")).toBeVisible();
    expect(screen.getByText(/7 pieces in 2 lots of 2 colours, 3.50/)).toBeVisible();
    expect(screen.getByText("Another mould of this part is known")).toBeVisible();
    const candidates = within(screen.getByRole("list", { name: "What 3001old may be" }));
    expect(candidates.getAllByRole("listitem")).toHaveLength(1);
  });

  it("say once what it means that nothing in the catalogue is like them", async () => {
    answer("GET /api/inventoryItems/unknown", () =>
      page([
        anUnknown(),
        anUnknown({ id: 41, item_number: "99001", why: "too_old", candidates: [] }),
        anUnknown({ id: 42, item_number: "99002", why: "too_old", candidates: [] }),
      ]),
    );
    show();

    expect(await screen.findAllByText(/it may be older than the part/)).toHaveLength(1);
    expect(screen.getAllByText("no match")).toHaveLength(2);
  });

  it("are named by a press on a candidate, and unnamed from the toast", async () => {
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: /^It is 3001, Brick 2 x 4/ }));

    expect(await screen.findByText("3001old is 3001: 2 lots.")).toBeVisible();
    expect(sent("POST /api/inventoryItems/40/name")[0]?.body).toEqual({ item_id: 3 });
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent("POST /api/inventoryActs/9/undo")).toHaveLength(1));
  });

  it("are named in batches too: their tables are read again", async () => {
    const { user, queryClient } = show();
    const stale = jest.spyOn(queryClient, "invalidateQueries");

    await user.click(await screen.findByRole("button", { name: /^It is 3001, Brick 2 x 4/ }));

    await screen.findByText("3001old is 3001: 2 lots.");
    for (const tag of ["batches", "batchItems"]) {
      expect(stale).toHaveBeenCalledWith({ queryKey: [tag] });
    }
  });

  it.each(["among the candidates", "in the catalogue"])(
    "are named one at a time: a double click %s leaves the next one in its place",
    async (where) => {
      const rows = [anUnknown(), anUnknown({ id: 41, item_number: "3001c" })];
      answer("GET /api/inventoryItems/unknown", () => page(rows));
      answer("GET /api/catalogItems", () =>
        page([{ id: 8, item_type: "PART", item_number: "3002", item_name: "Brick 2 x 3" }]),
      );
      answer("POST /api/inventoryItems/40/name", () => {
        rows.shift();
        return ok([named]);
      });
      const { user } = show();
      let pressed = await screen.findAllByRole("button", { name: /^It is 3001/ });
      if (where === "in the catalogue") {
        await user.click(screen.getByRole("button", { name: "More for 3001old" }));
        await user.click(await screen.findByRole("menuitem", { name: /^Find it/ }));
        pressed = await screen.findAllByRole("button", { name: /3002/ });
      }
      const at = { clientX: 40, clientY: 30 };

      clickAt(pressed[0] as HTMLElement, 60_000, at);
      await waitFor(() => expect(screen.queryByText("3001old")).toBeNull());
      clickAt(screen.getByRole("button", { name: /^It is 3001/ }), 60_100, at);

      await screen.findByText(/^3001old is/);
      expect(sent("POST /api/inventoryItems/41/name")).toEqual([]);
    },
  );

  it("are named together where the candidate is sure", async () => {
    const sure = [aCandidate({ likeness: "former" })];
    answer("GET /api/inventoryItems/unknown", () =>
      page([anUnknown(), anUnknown({ id: 41, item_number: "3001c", candidates: sure })]),
    );
    answer("POST /api/inventoryItems/41/name", () => ok([named]));
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Name 1 sure one" }));

    await waitFor(() => expect(sent("POST /api/inventoryItems/41/name")).toHaveLength(1));
    expect(sent("POST /api/inventoryItems/40/name")).toHaveLength(0);
  });

  it("are not named for a name that two items have", async () => {
    const mei = { item_type: "MINIFIG", item_name: "Mei", likeness: "name" } as const;
    const [one, other] = [aCandidate({ ...mei, item_id: 4 }), aCandidate({ ...mei, item_id: 5 })];
    const lot = anUnknown({ item_number: "njo659", part_name: "Mei" });
    answer("GET /api/inventoryItems/unknown", () =>
      page([
        { ...lot, candidates: [one, other] },
        { ...lot, id: 41, candidates: [one] },
      ]),
    );
    show();

    expect(await screen.findByRole("button", { name: "Name 1 sure one" })).toBeVisible();
  });

  it("stay with the reason when they are refused", async () => {
    answer("POST /api/inventoryItems/40/name", () =>
      refusal(409, "CONFLICT", "It is known by now."),
    );
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: /^It is 3001/ }));

    expect(await screen.findByText("It is known by now.")).toBeVisible();
    expect(screen.getByText("3001old")).toBeVisible();
  });

  it("are none where the catalogue knows everything", async () => {
    answer("GET /api/inventoryItems/unknown", () => page([]));
    show();

    expect(await screen.findByText("Everything is in the catalogue")).toBeVisible();
  });
});

describe("the words that were not understood", () => {
  const word = {
    id: 60,
    batch_item_id: null,
    text: "gebraucht?",
    lots: 2,
    batch_lots: 0,
    quantity: 7,
    value: "3.50",
    lots_without_price: 0,
  };

  it("name a condition for all their lots", async () => {
    answer("GET /api/inventoryItems/unknownWords", ({ query }) =>
      page(query.get("field") === "condition" ? [word] : []),
    );
    answer("POST /api/inventoryItems/60/nameWord", () => ok([named]));
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "“gebraucht?” means used" }));

    await waitFor(() =>
      expect(sent("POST /api/inventoryItems/60/nameWord")[0]?.body).toEqual({ condition: "U" }),
    );
    expect(await screen.findByText(/“gebraucht\?” is named: 2 lots/)).toBeVisible();
  });

  it("of batches alone are named by one of their items", async () => {
    answer("GET /api/inventoryItems/unknownWords", ({ query }) =>
      page(
        query.get("field") === "condition"
          ? [{ ...word, id: null, batch_item_id: 7, batch_lots: 2 }]
          : [],
      ),
    );
    answer("POST /api/batchItems/7/nameWord", () => ok([named]));
    const { user } = show();

    expect(await screen.findByText(/7 pieces in 2 lots in batches, 3.50/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "“gebraucht?” means new" }));

    await waitFor(() =>
      expect(sent("POST /api/batchItems/7/nameWord")[0]?.body).toEqual({ condition: "N" }),
    );
  });

  it("name a colour by the catalogue's", async () => {
    answer("GET /api/inventoryItems/unknownWords", ({ query }) =>
      page(query.get("field") === "color" ? [{ ...word, text: "Redd" }] : []),
    );
    answer("GET /api/colors", () => page([{ id: 5, name: "Red" }]));
    answer("POST /api/inventoryItems/60/nameWord", () => ok([named]));
    const { user } = show();

    const choice = await screen.findByRole("combobox", { name: "What colour “Redd” means" });
    await within(choice).findByRole("option", { name: "Red" });
    await user.selectOptions(choice, "5");

    await waitFor(() =>
      expect(sent("POST /api/inventoryItems/60/nameWord")[0]?.body).toEqual({ color_id: 5 }),
    );
  });

  it("say that the colours could not be loaded", async () => {
    answer("GET /api/inventoryItems/unknownWords", ({ query }) =>
      page(query.get("field") === "color" ? [{ ...word, text: "Redd" }] : []),
    );
    answer("GET /api/colors", () => refusal(400, "BAD_REQUEST", "Not now."));
    show();

    expect(await screen.findByText("Could not be loaded: the colours.")).toBeVisible();
  });
});
