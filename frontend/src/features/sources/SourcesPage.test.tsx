import { screen, waitFor, within } from "@testing-library/react";
import { noteRole } from "@/shared/lib/role";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { DeleteSource } from "./DeleteSource";
import { MergeSource } from "./MergeSource";
import { SourcesPage } from "./SourcesPage";
import { aSource } from "./testing/builders";

const market = aSource({
  batch_count: 2,
  spent: "50.0000",
  value: "125.0000",
  lots_without_price: 3,
  return_on_cost: "2.5000",
  price_per_kg: "20.0000",
});
const auction = aSource({ id: 5, name: "Auction" });
const unpriced = (lots: number) => ({ total_value: "1.0000", lots_without_price: lots });
const nothing = () => undefined;

beforeEach(() => {
  installServer();
  giveElementsASize();
  answer("GET /api/sources", () => page([auction, market], 2));
  answer("GET /api/sources/twins", () => ok([]));
});

afterEach(() => noteRole(undefined));

describe("SourcesPage", () => {
  it("shows names that differ only in capitals, and merges them after asking", async () => {
    const rows = [
      { id: 4, name: "Market" },
      { id: 9, name: "market" },
    ];
    answer("GET /api/sources/twins", () => ok([{ rows }]));
    answer("POST /api/sources/9/merge", () => ok([{ batches: 2 }]));
    const { user } = renderPage(<SourcesPage />, { at: "/app/sources" });

    expect(
      await screen.findByText("“Market” and “market” differ only in capitals or width."),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Merge market into Market" }));
    await user.click(await screen.findByRole("button", { name: "Merge and delete" }));

    await waitFor(() => expect(sent("POST /api/sources/9/merge")[0]?.body).toEqual({ into: 4 }));
    expect(await screen.findByText("market merged into Market")).toBeVisible();
  });

  it("shows a sorter neither what he may not do nor what he may not see", async () => {
    noteRole({
      refuses: ["write sources", "write sources/{}", "write sources/{}/merge"],
      hides: ["notes", "spent", "return_on_cost", "price_per_kg", "cost_total"],
    });
    answer("GET /api/sources/4", () => ok([market]));
    answer("GET /api/batches", () => page([], 0));
    const { user } = renderPage(<SourcesPage />, { at: "/app/sources" });
    const row = (await screen.findByText("Market")).closest("[role=row]") as HTMLElement;

    for (const name of ["New source", "Return per source"]) {
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    }
    for (const name of ["Spent", "Return", "Price per kg", "Notes"]) {
      expect(screen.queryByRole("columnheader", { name })).not.toBeInTheDocument();
    }
    await user.click(within(row).getByRole("button", { name: "Row actions" }));
    const entries = (await screen.findAllByRole("menuitem")).map((entry) => entry.textContent);
    expect(entries).toEqual(["Show its batches and figures", "Open its batches"]);
    await user.click(screen.getByRole("menuitem", { name: "Show its batches and figures" }));
    const drawer = await screen.findByRole("dialog", { name: "Market" });
    expect(await within(drawer).findByText("Pieces")).toBeVisible();
    expect(within(drawer).queryByText(/^(Spent|Return|Price per kg|Notes|Edit|Cost)$/)).toBeNull();
  });

  it("takes a new one back by Ctrl+Z", async () => {
    answer("POST /api/sources", () => ok([aSource({ id: 31, name: "Attic" })]));
    answer("DELETE /api/sources/31", () => ok([]));
    const { user } = renderPage(<SourcesPage />, { at: "/app/sources" });
    await user.click(await screen.findByRole("button", { name: "New source" }));
    await user.type(await screen.findByRole("textbox", { name: /Name/ }), "Attic");
    await user.click(screen.getByRole("button", { name: "Add source" }));
    await screen.findByText("Attic added");

    await user.click(screen.getByRole("gridcell", { name: "Auction" }));
    await user.keyboard("{Control>}z{/Control}");

    expect(await screen.findByText("Undone: Attic added", { ignore: ".sr-only" })).toBeVisible();
    expect(sent("DELETE /api/sources/31")).toHaveLength(1);
  });

  it("tells spent, value, return and price per kilogram of each source", async () => {
    renderPage(<SourcesPage />, { at: "/app/sources" });
    const row = (await screen.findByText("Market")).closest("[role=row]") as HTMLElement;
    expect(within(row).getByText("2.5×")).toHaveClass("text-success");
    expect(row).toHaveTextContent(/50\.00.*125\.00.*20\.00/);
    expect(within(row).getByTitle("3 lots have no price")).toHaveTextContent("+ 3");
  });

  it("draws what each source gave back, best first", async () => {
    const loss = aSource({ id: 6, name: "Kiosk", return_on_cost: "0.5000", spent: "9.0000" });
    answer("GET /api/sources", ({ query }) =>
      query.get("used") === "true" ? page([loss, auction, market], 3) : page([auction, market], 2),
    );
    const { user, router } = renderPage(<SourcesPage />, { at: "/app/sources" });

    await user.click(await screen.findByRole("button", { name: "Return per source" }));
    const chart = (await screen.findByRole("heading", { name: "Return per source" })).closest(
      "section",
    ) as HTMLElement;
    const rows = await within(chart).findAllByRole("listitem");
    expect(rows.map((row) => row.textContent)).toEqual([
      "Market2.5×50.00 spent, 3 lots have no price",
      "Kiosk0.5×9.00 spent",
    ]);
    expect(chart).toHaveTextContent("1 without a cost are not drawn.");

    await user.click(within(chart).getByRole("button", { name: "Market" }));
    expect(router.state.location.search).toBe("?source=4");
  });

  it("has its notes edited in their cell, every line of them", async () => {
    answer("GET /api/sources", () => page([{ ...market, notes: "Sundays\nbring cash" }], 1));
    answer("PATCH /api/sources/4", ({ body }) => ok([{ ...market, ...(body as object) }]));
    giveElementsASize(2400);
    const { user } = renderPage(<SourcesPage />, { at: "/app/sources" });
    const cell = (await screen.findByText("Sundays")).closest("[role=gridcell]") as HTMLElement;

    await waitFor(async () => {
      await user.dblClick(cell);
      expect(screen.getByRole("textbox", { name: "Notes" })).toHaveValue("Sundays\nbring cash");
    });
    const lines = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" });
    lines.setSelectionRange(lines.value.length, lines.value.length);
    await user.keyboard("{Alt>}{Enter}{/Alt}early{Enter}");

    await waitFor(() =>
      expect(sent("PATCH /api/sources/4")[0]?.body).toMatchObject({
        notes: "Sundays\nbring cash\nearly",
      }),
    );
  });

  it("shows figures, notes and batches of the source in the address", async () => {
    answer("GET /api/sources/4", () =>
      ok([{ ...market, notes: "Sundays\nbring cash", foreign_share: "0.0476" }]),
    );
    const batch = {
      id: 1,
      name: "Lot 1",
      total_value: "1.0000",
      created_at: "2026-01-01T00:00:00Z",
    };
    answer("GET /api/batches", () =>
      page(
        [
          { ...batch, stats: unpriced(0), cost_total: "10.0000", gross_weight: "1000.000" },
          {
            ...batch,
            stats: unpriced(1),
            id: 2,
            name: "Lot 2",
            cost_total: "40.0000",
            gross_weight: "1000.000",
          },
        ],
        2,
      ),
    );
    renderPage(<SourcesPage />, { at: "/app/sources?source=4" });
    const drawer = within(await screen.findByRole("dialog", { name: "Market" }));
    expect(await drawer.findByText(/bring cash/)).toBeInTheDocument();
    expect(drawer.getByText("125.00, 3 lots have no price")).toBeInTheDocument();
    expect(await drawer.findByTitle("1 lot has no price")).toBeInTheDocument();
    expect(drawer.getByText("Not LEGO").nextSibling).toHaveTextContent("4.8 %");
    expect(await drawer.findByRole("link", { name: "Lot 2" })).toHaveAttribute(
      "href",
      "/app/batches?batch=2",
    );
    expect(
      await drawer.findByRole("figure", { name: /Price per kilogram over 2 batches/ }),
    ).toBeInTheDocument();
    expect(sent("GET /api/batches")[0]?.query.get("is_archived")).toBe("all");
  });
});

describe("DeleteSource", () => {
  it("has the batches re-assigned before", async () => {
    answer("POST /api/sources/4/reassign", () => ok([{ batches: 2 }]));
    answer("DELETE /api/sources/4", () => ok([]));
    const onClose = jest.fn();
    const { user } = renderPage(<DeleteSource source={market} onClose={onClose} />);
    const choice = await screen.findByLabelText(/Its batches come from/);
    await screen.findByRole("option", { name: "Auction" });
    expect(screen.queryByRole("option", { name: "Market" })).not.toBeInTheDocument();
    await user.selectOptions(choice, "5");
    await user.click(screen.getByRole("button", { name: "Re-assign and delete" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent("POST /api/sources/4/reassign")[0]?.body).toEqual({ to: 5 });
    expect(sent("DELETE /api/sources/4")).toHaveLength(1);
  });

  it("asks for it when a batch came since the list was read", async () => {
    answer("DELETE /api/sources/5", () =>
      refusal(409, "CONFLICT", "1 batch comes from Auction.", { data: [{ id: 1, name: "Lot" }] }),
    );
    const { user } = renderPage(<DeleteSource source={auction} onClose={nothing} />);
    await user.click(await screen.findByRole("button", { name: "Delete source" }));
    expect(await screen.findByRole("dialog", { name: "Auction is in use" })).toBeInTheDocument();
  });
});

describe("MergeSource", () => {
  it("sends the source that stays", async () => {
    answer("POST /api/sources/4/merge", () => ok([{ batches: 2 }]));
    const onClose = jest.fn();
    const { user } = renderPage(<MergeSource source={market} onClose={onClose} />);
    await screen.findByRole("option", { name: "Auction" });
    await user.selectOptions(screen.getByLabelText(/Merge into/), "5");
    await user.click(screen.getByRole("button", { name: "Merge and delete" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent("POST /api/sources/4/merge")[0]?.body).toEqual({ into: 5 });
  });
});
