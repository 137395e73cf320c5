import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { deliverScan, useScanner } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import { emptyHome } from "@/shared/testing/emptyHome";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { PaletteLayer } from "./PaletteLayer";
import type { Found, FoundPart } from "./queries";

const red: FoundPart = {
  item_id: 1,
  lot_id: 7,
  row_id: 70,
  item_type: "PART",
  item_number: "3001",
  item_name: "Brick 2 x 4",
  color_id: 5,
  color_name: "Red",
  color_html: "#C91A09",
  image_url: null,
  pieces: 38,
  bins: [
    { location_id: 3, name: "A-4-07", pieces: 34 },
    { location_id: 4, name: "B-1-02", pieces: 4 },
  ],
  more_bins: 0,
};
const nothing: Found = { orders: [], parts: [], locations: [], batches: [], sets: [], sources: [] };
const serve = (found: Partial<Found>) =>
  answer("GET /api/find", () => ok([{ ...nothing, ...found }]));

const opened = async () => {
  const page = renderPage(<PaletteLayer />);
  await page.user.keyboard("{Control>}k{/Control}");
  return { ...page, field: await screen.findByRole("combobox") };
};
const at = (page: { router: { state: { location: { pathname: string; search: string } } } }) =>
  page.router.state.location.pathname + page.router.state.location.search;

beforeEach(() => {
  installServer();
  answer("GET /api/home", () => ok([emptyHome()]));
  setTokens({ accessToken: "a", refreshToken: "r" });
});

describe("the palette", () => {
  it("opens at Ctrl+K with the focus in its field, and closes at Escape", async () => {
    const { user, field } = await opened();

    expect(field).toHaveFocus();
    await user.keyboard("{Escape}");

    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("makes way for a scan, which the page below takes", async () => {
    const taken: string[] = [];
    function Page() {
      useScanner((code) => {
        taken.push(screen.queryByRole("dialog") ? `${code} under a dialog` : code);
      });
      return <PaletteLayer />;
    }
    const { user } = renderPage(<Page />);
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox");
    act(() => deliverScan("A-01"));

    expect(taken).toEqual(["A-01"]);
  });

  it("sets the price that follows @, and the toast undoes it", async () => {
    serve({ parts: [red] });
    const updatedAt = "2026-02-03T04:05:06Z";
    const row = { id: 70, part_name: "Brick 2 x 4", price: "0.1000", updatedAt };
    answer("GET /api/inventoryItems/70", () => ok([row]));
    answer("PATCH /api/inventoryItems/70", ({ body }) => ok([{ ...row, ...(body as object) }]));
    const page = await opened();

    await page.user.type(page.field, "3001 red @0.77");
    await screen.findByText(/set the price to 0.77/);
    await page.user.keyboard("{Enter}");
    await page.user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent("PATCH /api/inventoryItems/70")).toHaveLength(2));
    const prices = sent("PATCH /api/inventoryItems/70").map(({ body }) => body);
    expect(prices).toEqual([
      { price: "0.77", updatedAt },
      { price: "0.1000", updatedAt },
    ]);
    expect(sent("GET /api/find").at(-1)?.query.get("search")).toBe("3001 red");
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it.each(["3001 @", "3001 @x", "3001 @-1"])(
    "opens the part while %s has no price",
    async (typed) => {
      serve({ parts: [red] });
      const page = await opened();

      await page.user.type(page.field, typed);
      await screen.findByRole("option", { name: /Brick 2 x 4, Red/ });
      await page.user.keyboard("{Enter}");

      expect(at(page)).toBe("/app/inventory?lot=7");
    },
  );

  it("shows a part with its pieces and bins, and Enter opens its rows", async () => {
    serve({ parts: [red] });
    const page = await opened();

    await page.user.type(page.field, "3001 red");
    const option = await screen.findByRole("option", { name: /Brick 2 x 4, Red/ });
    expect(option).toHaveTextContent("A-4-07, B-1-02");
    expect(option).toHaveTextContent("38 pieces in stock");
    await page.user.keyboard("{Enter}");

    // Typed slowly, it is found before its last letters, and Enter waits for theirs.
    await waitFor(() => expect(at(page)).toBe("/app/inventory?lot=7"));
    await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  });

  it.each([
    ["a", "/app/stow-inventory?item=PART%3A3001"],
    ["m", "/app/inventory?move=70"],
    ["p", "/app/inventory?price=70"],
    ["c", "/app/inventory?count=3"],
  ])("begins an act on the part at Alt+%s", async (letter, to) => {
    serve({ parts: [red] });
    const page = await opened();
    await page.user.type(page.field, "3001");
    await screen.findByRole("option", { name: /Red/ });

    fireEvent.keyDown(page.field, {
      altKey: true,
      key: letter,
      code: `Key${letter.toUpperCase()}`,
    });

    expect(at(page)).toBe(to);
  });

  it.each([
    ["KeyL", "/app/inventory-locations?label=3"],
    ["KeyC", "/app/inventory?count=3"],
  ])("begins an act on a bin at Alt and %s", async (code, to) => {
    serve({ locations: [{ id: 3, name: "A-4-07", pieces: 40, most_pieces: 100 }] });
    const page = await opened();
    await page.user.type(page.field, "A-4");
    await screen.findByRole("option", { name: /A-4-07/ });

    fireEvent.keyDown(page.field, { altKey: true, key: "x", code });

    await waitFor(() => expect(at(page)).toBe(to));
  });

  it("takes an Enter that came before the answer", async () => {
    let reply: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      reply = resolve;
    });
    answer("GET /api/find", async () => {
      await gate;
      return ok([{ ...nothing, parts: [red] }]);
    });
    const page = await opened();

    await page.user.type(page.field, "3001{Enter}");
    expect(at(page)).toBe("/");
    reply();

    await screen.findByText(
      (_, element) => element === document.body && at(page) === "/app/inventory?lot=7",
    );
  });

  it("begins an act whose key came before the answer", async () => {
    const bin = { id: 3, name: "A-4-07", pieces: 40, most_pieces: 100 };
    serve({ locations: [bin] });
    const page = await opened();
    await page.user.type(page.field, "A-4");
    await screen.findByRole("option", { name: /A-4-07/ });
    let reply: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      reply = resolve;
    });
    answer("GET /api/find", () => gate.then(() => ok([{ ...nothing, locations: [bin] }])));

    await page.user.type(page.field, "-");
    fireEvent.keyDown(page.field, { altKey: true, key: "x", code: "KeyC" });
    expect(at(page)).toBe("/");
    reply();

    await waitFor(() => expect(at(page)).toBe("/app/inventory?count=3"));
  });

  it("walks its lines with the arrows", async () => {
    serve({
      locations: [{ id: 3, name: "A-4-07", pieces: 40, most_pieces: 100 }],
      batches: [
        { id: 9, name: "Space lot", is_archived: false, createdAt: "2026-11-01T00:00:00Z" },
      ],
    });
    const page = await opened();
    await page.user.type(page.field, "a");
    await screen.findByRole("option", { name: /room for 60 more/ });

    await page.user.keyboard("{ArrowDown}{Enter}");

    expect(at(page)).toBe("/app/batches?batch=9");
  });

  it("finds an order by its number and buyer", async () => {
    serve({ orders: [{ id: 4, number: "12345", state: "picked", buyer: "Zoe" }] });
    const page = await opened();
    await page.user.type(page.field, "12345");

    await page.user.click(await screen.findByRole("option", { name: /Order 12345.*to pack, Zoe/ }));

    expect(at(page)).toBe("/app/orders?order=4");
  });

  it("finds pages and acts by their words, without the server", async () => {
    answer("GET /api/find", () => refusal(503, "API_ERROR", "Busy"));
    const page = await opened();

    await page.user.type(page.field, "new batch");

    expect(await screen.findByRole("option", { name: /New batch/ })).toBeInTheDocument();
  });

  it("says when nothing is found", async () => {
    serve({});
    const page = await opened();

    await page.user.type(page.field, "zzz");

    expect(await screen.findByRole("status")).toHaveTextContent("Nothing found");
  });

  it("asks for no more letters than the search reads", async () => {
    serve({});
    const page = await opened();

    fireEvent.change(page.field, { target: { value: "a".repeat(1_000) } });
    await screen.findByRole("status");

    expect(sent("GET /api/find")[0]?.query.get("search")).toHaveLength(100);
  });

  it("begins with what waits and what was worked on last", async () => {
    const line = { id: "backup", title: "Make a backup", note: "There is none yet", count: 1 };
    const more = { money: null, since: null, is_due: false, is_pressing: false, pictures: [] };
    answer("GET /api/home", () =>
      ok([emptyHome({ waiting: [{ ...line, ...more, to: "/app/settings#backup" }] })]),
    );
    const page = await opened();

    const next = await screen.findByRole("group", { name: "Next" });
    await page.user.click(within(next).getByRole("option", { name: /Make a backup/ }));

    expect(at(page)).toBe("/app/settings");
  });

  it("shows the bins of the best part and the sets that lack it", async () => {
    serve({
      parts: [red],
      sets: [{ id: 5, number: "10255-1", name: "Square", state: "in_progress", lacks: 4 }],
    });
    const page = await opened();
    await page.user.type(page.field, "3001");

    expect(
      await screen.findByRole("option", { name: /A-4-07.*bin with 34 pieces of it/ }),
    ).toBeVisible();
    await page.user.click(screen.getByRole("option", { name: /Square.*lacks 4 of it/ }));

    expect(at(page)).toBe("/app/userSets?set=5");
  });

  it("offers pages and acts while nothing is typed", async () => {
    await opened();

    const group = screen.getByRole("group", { name: "Do" });
    expect(within(group).getByRole("option", { name: /Import a store file/ })).toBeInTheDocument();
  });

  it("leaves the keyboard to another dialog", async () => {
    const { user } = renderPage(
      <>
        <div role="dialog" aria-label="Other" />
        <PaletteLayer />
      </>,
    );

    await user.keyboard("{Control>}k{/Control}");

    expect(screen.queryByRole("combobox")).toBeNull();
  });
});
