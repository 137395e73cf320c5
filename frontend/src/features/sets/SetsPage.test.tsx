import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { SetsPage } from "./SetsPage";
import { anOverview, aPart, aPartOut, aSet, aSummary } from "./testing/builders";

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("GET /api/sources", () => page([]));
  answer("GET /api/userSets", () => page([aSet()]));
  answer("GET /api/userSets/overview", () => ok([anOverview()]));
  answer("GET /api/userSets/3", () => ok([aSet()]));
  answer("GET /api/userSets/3/summary", () => ok([aSummary()]));
  answer("GET /api/userSetParts", () => page([aPart()]));
});

const openList = () => renderPage(<SetsPage />, { at: "/app/userSets" });
const openSet = () => renderPage(<SetsPage />, { at: "/app/userSets?set=3" });

describe("the list of sets", () => {
  it("tells how far each is", async () => {
    openList();

    expect(await screen.findByRole("link", { name: "Assembly Square" })).toHaveAttribute(
      "href",
      "/app/userSets?set=3",
    );
    expect(screen.getByText(/40 %, 4 of 10 pieces on hand/)).toBeInTheDocument();
  });

  it("says of a set without contents that its parts are not known", async () => {
    answer("GET /api/userSets", () =>
      page([aSet({ pieces_required: 0, pieces_on_hand: 0, pieces_missing: 0, percent: null })]),
    );
    openList();

    expect(await screen.findByText("parts not known")).toBeInTheDocument();
  });

  it("adds pasted numbers and keeps those that were refused, each with why", async () => {
    answer("POST /api/userSets/addMany", () =>
      ok([{ added: [4], refused: [{ number: "3001", reason: "3001 is a part, not a set." }] }]),
    );
    const { user } = openList();

    await user.click(await screen.findByRole("button", { name: "Add sets" }));
    await user.type(await screen.findByRole("textbox", { name: /Set numbers/ }), "10260, 3001");
    await user.click(screen.getByRole("button", { name: "Add 2 sets" }));

    expect(await screen.findByText("3001 is a part, not a set.")).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: /Set numbers/ })).toHaveValue("3001");
    expect(sent("POST /api/userSets/addMany")[0]?.body).toEqual({
      numbers: "10260, 3001",
      state: "in_progress",
      condition: "U",
      again: false,
    });

    answer("DELETE /api/userSets/4", () => ok([]));
    await user.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as Element);
    await user.click((await screen.findAllByRole("button", { name: "Undo" })).at(-1) as Element);
    expect(await screen.findAllByText("Undone: 1 set added")).not.toHaveLength(0);
    expect(sent("DELETE /api/userSets/4")).toHaveLength(1);
  });

  it("draws how far open sets are, and what is missing of all", async () => {
    answer("GET /api/userSets/overview", () =>
      ok([
        anOverview({
          open_sets: 9,
          pieces_required: 120,
          pieces_on_hand: 100,
          cost_of_missing: "4.5000",
          lots_without_price: 2,
          figuresAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
          sets: [
            {
              id: 3,
              number: "10255-1",
              name: "Assembly Square",
              pieces_required: 10,
              pieces_missing: 1,
              percent: 90,
              cost_of_missing: "0.5000",
            },
          ],
        }),
      ]),
    );
    openList();

    const open = within(await screen.findByRole("region", { name: "Open sets" }));
    expect(open.getByText("9 open sets").parentElement).toHaveTextContent(
      "9 open sets, 20 pieces missing: €4.50 to buy, 2 lots have no price, prices from 3 days ago",
    );
    expect(open.getByRole("link")).toHaveAttribute("href", "/app/userSets?set=3");
    expect(open.getByRole("link")).toHaveTextContent("90 %Assembly Square1 missing, €0.50");
  });

  it("draws nothing where no set is open", async () => {
    openList();
    await screen.findByRole("link", { name: "Assembly Square" });

    await waitFor(() => expect(sent("GET /api/userSets/overview")).toHaveLength(1));
    expect(screen.queryByRole("region", { name: "Open sets" })).not.toBeInTheDocument();
  });

  it("shows them as cards with rings, and keeps that choice", async () => {
    answer("GET /api/userSets", () =>
      page([aSet({ value: "120.0000", parts_value: "95.5000" })], 1),
    );
    const { user } = openList();
    await user.click(await screen.findByRole("radio", { name: "Cards" }));

    const card = within(await screen.findByRole("article", { name: "10255-1 Assembly Square" }));
    expect(card.getByText("40 %")).toBeInTheDocument();
    expect(card.getByText("95.50")).toBeInTheDocument();
    expect(localStorage.getItem("bb_setting_setView")).toBe('"cards"');
    await user.click(card.getByRole("button", { name: "Actions of 10255-1" }));
    expect(await screen.findByRole("menuitem", { name: "Part out…" })).toBeInTheDocument();
  });

  it("narrows and sorts cards by how far they are, asking for no percent that is none", async () => {
    localStorage.setItem("bb_setting_setView", '"cards"');
    const { user } = openList();
    await screen.findByRole("article");

    await user.type(screen.getByLabelText("From %"), "50");
    await user.type(screen.getByLabelText("To %"), "150");
    await user.type(screen.getByLabelText("Missing at most"), "1,200");
    await user.selectOptions(screen.getByLabelText("Sort by"), "Most complete");

    const asked = () => sent("GET /api/userSets").at(-1)?.query;
    await waitFor(() => expect(asked()?.get("missing_max")).toBe("1200"));
    expect(asked()?.get("percent_min")).toBe("50");
    expect(asked()?.has("percent_max")).toBe(false);
    expect(asked()?.get("ordering")).toBe("-percent");
  });

  it("forgets a number that was typed further until it is none", async () => {
    localStorage.setItem("bb_setting_setView", '"cards"');
    const { user } = openList();
    await screen.findByRole("article");
    const asked = () => sent("GET /api/userSets").at(-1)?.query;

    await user.type(screen.getByLabelText("To %"), "15");
    await waitFor(() => expect(asked()?.get("percent_max")).toBe("15"));
    await user.type(screen.getByLabelText("To %"), "0");
    await user.type(screen.getByLabelText("Missing at most"), "7");

    await waitFor(() => expect(asked()?.get("missing_max")).toBe("7"));
    expect(asked()?.has("percent_max")).toBe(false);
    expect(screen.getByLabelText("To %")).toHaveValue("150");
  });

  it("goes back to the last page of cards where a page has none any more", async () => {
    localStorage.setItem("bb_setting_setView", '"cards"');
    answer("GET /api/userSets", ({ query }) => page(query.get("page") === "2" ? [] : [aSet()], 20));
    renderPage(<SetsPage />, { at: "/app/userSets?page=2" });

    expect(await screen.findByRole("article")).toBeInTheDocument();
    expect(screen.queryByText("No sets")).toBeNull();
  });

  it("asks before it removes one", async () => {
    answer("DELETE /api/userSets/3", () => ok([]));
    const { user } = openList();
    await user.click(await screen.findByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove" }));

    expect(await screen.findByText(/4 pieces are counted as on hand/)).toBeInTheDocument();
    expect(sent("DELETE /api/userSets/3")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Remove" }));

    await waitFor(() => expect(sent("DELETE /api/userSets/3")).toHaveLength(1));
  });
});

describe("parting out from the list", () => {
  it("leads to the batch", async () => {
    answer("POST /api/batches/partOut", ({ body }) =>
      ok([
        aPartOut(
          (body as { dry_run?: boolean }).dry_run
            ? {}
            : { batch_id: 12, batch_name: "10255-1 out" },
        ),
      ]),
    );
    const { user, router } = openList();

    await user.click(await screen.findByRole("button", { name: "Row actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Part out…" }));
    await user.click(await screen.findByRole("button", { name: "Create a batch of 3 lots" }));

    await waitFor(() => expect(router.state.location.search).toBe("?batch=12"));
  });
});

describe("a set", () => {
  it("shows what is missing, what stock has of it, and what it costs", async () => {
    openSet();

    expect(await screen.findByText("4 of 10 pieces on hand")).toBeInTheDocument();
    expect(await screen.findByText("Cost of missing")).toBeInTheDocument();
    expect(screen.getByText("1 lot has no price")).toBeInTheDocument();
    expect(await screen.findByText("A-01 (2)")).toBeInTheDocument();
  });

  it("counts all of a part by its tick, and none by taking it off", async () => {
    answer("PATCH /api/userSetParts/7", () => ok([aPart()]));
    const { user } = openSet();

    await user.click(await screen.findByRole("checkbox", { name: /^All \d+ of .* on hand$/ }));

    const part = aPart();
    await waitFor(() => expect(sent("PATCH /api/userSetParts/7")).toHaveLength(1));
    expect(sent("PATCH /api/userSetParts/7")[0]?.body).toEqual({
      quantity_on_hand: part.quantity_required,
      seen: part.quantity_on_hand,
    });
  });

  it("counts by + after another tab was open, too", async () => {
    answer("POST /api/userSets/3/putAside", () => ok([aSet()]));
    answer("GET /api/userSets/3/takes", () => page([]));
    const { user } = openSet();
    await screen.findByRole("checkbox", { name: /^All/ });
    const [parts, other] = screen.getAllByRole("tab");
    await user.click(other as HTMLElement);
    await user.click(parts as HTMLElement);

    const tick = await screen.findByRole("checkbox", { name: /^All/ });
    const row = tick.closest("[role=row]") as HTMLElement;
    await user.click(within(row).getAllByRole("gridcell")[2] as HTMLElement);
    await user.keyboard("+");

    await waitFor(() => expect(sent("POST /api/userSets/3/putAside")).toHaveLength(1));
  });

  it("counts a piece more by + and one fewer by −", async () => {
    answer("POST /api/userSets/3/putAside", () => ok([aSet()]));
    const { user } = openSet();
    const tick = await screen.findByRole("checkbox", { name: /^All/ });
    const row = tick.closest("[role=row]") as HTMLElement;
    await user.click(within(row).getAllByRole("gridcell")[2] as HTMLElement);

    await user.keyboard("+");
    expect(
      await screen.findByText(/^3001 Red: one more, \d+ of \d+ pieces on hand$/),
    ).toBeVisible();
    await user.keyboard("-");
    expect(await screen.findByText(/^3001 Red: one fewer, /)).toBeVisible();

    await waitFor(() => expect(sent("POST /api/userSets/3/putAside")).toHaveLength(2));
    const { lot_id } = aPart();
    expect(sent("POST /api/userSets/3/putAside").map(({ body }) => body)).toEqual([
      { lot_id, quantity: 1 },
      { lot_id, quantity: -1 },
    ]);
    expect(sent("PATCH /api/userSetParts/7")).toHaveLength(0);
  });

  it("takes parts from stock after showing where they lie, and puts them back", async () => {
    const plan = {
      take_id: null,
      pieces: 2,
      pick_count: 1,
      still_missing: 4,
      picks: [
        {
          part_id: 7,
          item_number: "3001",
          item_name: "Brick 2 x 4",
          color_name: "Red",
          color_html: "#B30006",
          location_name: "A-01",
          condition: "U",
          quantity: 2,
        },
      ],
    };
    answer("POST /api/userSets/3/take", ({ body }) =>
      ok([{ ...plan, take_id: (body as { dry_run?: boolean }).dry_run ? null : 9 }]),
    );
    answer("POST /api/userSets/3/undoTake", () => ok([{}]));
    const { user } = openSet();

    await user.click(await screen.findByRole("button", { name: "Take from stock" }));
    expect(
      await screen.findByText(/2 pieces from 1 row of stock; 4 pieces stay missing/),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Take 2 pieces" }));
    await screen.findByText(/2 pieces taken/);
    // The grid has an Undo of its own.
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);

    await waitFor(() =>
      expect(sent("POST /api/userSets/3/undoTake")[0]?.body).toEqual({ take_id: 9 }),
    );
  });

  it("asks what becomes of missing pieces when it is called complete", async () => {
    const raised = [{ id: 71, quantity_on_hand: 2 }];
    answer("POST /api/userSets/3/complete", () => ok([{ ...aSet({ state: "complete" }), raised }]));
    answer("POST /api/userSets/3/undoComplete", () => ok([aSet()]));
    const { user } = openSet();

    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Complete" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: "Stay missing" }));
    await user.click(within(dialog).getByRole("radio", { name: "All on hand" }));
    await user.click(within(dialog).getByRole("button", { name: "Complete" }));

    await waitFor(() =>
      expect(sent("POST /api/userSets/3/complete")[0]?.body).toEqual({ missing: "have" }),
    );
    await screen.findByText(/is complete$/);
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as Element);
    await screen.findByText(/ restored$/);
    expect(sent("POST /api/userSets/3/undoComplete")[0]?.body).toEqual({
      state: aSet().state,
      raised,
    });
  });

  it("copies its parts from the catalogue anew, and takes that back", async () => {
    const replaced = { inventory_id: 5, lots: [{ lot_id: 9, before: 2, now: 4 }] };
    answer("POST /api/userSets/3/renewContents", () => ok([{ ...aSet(), replaced }]));
    answer("POST /api/userSets/3/undoRenewContents", () => ok([aSet()]));
    const { user } = openSet();

    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(
      await screen.findByRole("menuitem", { name: "Copy its parts from the catalogue again" }),
    );

    await screen.findByText(/^Parts of 10255-1 copied again: /);
    await user.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as Element);
    await screen.findByText("10255-1 restored");
    expect(sent("POST /api/userSets/3/undoRenewContents")[0]?.body).toEqual(replaced);
  });

  it("tells what its pieces are worth before they become a batch", async () => {
    answer("POST /api/batches/partOut", ({ body }) =>
      ok([
        aPartOut(
          (body as { dry_run?: boolean }).dry_run
            ? {}
            : { batch_id: 12, batch_name: "10255-1 out" },
        ),
      ]),
    );
    const { user, router } = openSet();

    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Part out…" }));
    expect(await screen.findByText(/10 pieces in 3 lots/)).toBeInTheDocument();
    expect(screen.getByText(/1 minifigs stay whole/)).toBeInTheDocument();
    await user.click(screen.getByRole("checkbox", { name: "Spare parts too" }));
    await waitFor(() =>
      expect(sent("POST /api/batches/partOut").at(-1)?.body).toMatchObject({
        user_set_id: 3,
        extras: true,
        dry_run: true,
      }),
    );
    await user.click(await screen.findByRole("button", { name: "Create a batch of 3 lots" }));

    await waitFor(() => expect(router.state.location.search).toBe("?batch=12"));
  });

  it("tells why a file of missing parts is refused", async () => {
    answer("POST /api/userSets/missingFile", () =>
      refusal(409, "CONFLICT", "BrickLink has no numbers for any of the 2 missing lots."),
    );
    const { user } = openSet();

    await user.click(await screen.findByRole("button", { name: "Missing parts" }));
    await user.type(await screen.findByLabelText("Wanted list number"), "no. 12 345");
    await user.click(await screen.findByRole("button", { name: "Download" }));

    const dialog = within(screen.getByRole("dialog"));
    expect(await dialog.findByRole("alert")).toHaveTextContent("BrickLink has no numbers");
    expect(sent("POST /api/userSets/missingFile")[0]?.body).toMatchObject({
      user_sets: [3],
      kind: "wanted_list",
      wanted_list_id: "12345",
    });
  });

  it("says that nobody lists its contents", async () => {
    answer("GET /api/userSets/3", () =>
      ok([aSet({ pieces_required: 0, pieces_on_hand: 0, pieces_missing: 0, percent: null })]),
    );
    openSet();

    expect(await screen.findByText("Its parts are not in the catalogue")).toBeInTheDocument();
  });
});

describe("what can be built", () => {
  const search = {
    id: 5,
    job_id: "j1",
    least_pieces: 20,
    least_percent: 75,
    set_count: 1200,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    finishedAt: "2026-01-02T03:05:05Z",
  };

  it("lets whoever has not searched yet begin one", async () => {
    answer("GET /api/buildSearches", () => page([]));
    renderPage(<SetsPage />, { at: "/app/userSets?build=1" });

    expect(await screen.findByRole("button", { name: "Find sets" })).toBeEnabled();
  });

  it("begins a search and shows what the last one found", async () => {
    answer("GET /api/buildSearches", () => page([search]));
    answer("GET /api/buildableSets", () =>
      page([
        {
          id: 1,
          build_search_id: 5,
          item_id: 30,
          number: "31017-1",
          name: "Sunset Speeder",
          year: 2014,
          theme: "Creator",
          image_url: null,
          percent: "95.00",
          pieces_required: 119,
          pieces_in_stock: 113,
          pieces_missing: 6,
          lots_missing: 4,
        },
      ]),
    );
    answer("POST /api/buildSearches", () => ok([{ ...search, finishedAt: null }]));
    const { user } = renderPage(<SetsPage />, { at: "/app/userSets?build=1" });

    expect(await screen.findByText(/1,200 sets compared/)).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "Sunset Speeder" })).toBeInTheDocument();
    await user.selectOptions(screen.getByRole("combobox", { name: "In stock" }), "90");
    await user.click(screen.getByRole("button", { name: "Find sets" }));

    await waitFor(() =>
      expect(sent("POST /api/buildSearches")[0]?.body).toEqual({
        least_pieces: 20,
        least_percent: 90,
      }),
    );
  });
});
