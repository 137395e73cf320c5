import { screen, waitFor, within } from "@testing-library/react";
import { makeItem, makeLot } from "@/features/catalog/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { aStockRow } from "../testing/builders";
import { StocktakeDialog } from "./StocktakeDialog";

const inA = aStockRow({ id: 40, quantity: 30 });
const inB = aStockRow({ id: 41, quantity: 10, color_name: "Blue" });
const take = { id: 6, location_id: 7, location_name: "A-01", state: "open", act_id: null };
const none = {
  rows: 2,
  counted: 0,
  fewer_rows: 0,
  more_rows: 0,
  fewer_pieces: 0,
  more_pieces: 0,
  uncounted_pieces: 0,
  found_lots: 0,
  found_pieces: 0,
};
type Counts = { counts: { item_id: number; counted: number | null }[] };

/** What the server holds as counted, by row. */
let counted: Record<number, number | null> = {};
const posted = () =>
  sent("POST /api/stocktakes/6/counts").flatMap(({ body }) => (body as Counts).counts);
const tally = () => ({
  ...none,
  counted: Object.values(counted).filter((count) => count !== null).length,
});

beforeEach(() => {
  installServer();
  counted = { 40: null, 41: null };
  answer("POST /api/stocktakes", () => ok([take]));
  answer("GET /api/stocktakes/6/rows", () =>
    page([inA, inB].map((row) => ({ ...row, counted: counted[row.id], seen: row.quantity }))),
  );
  answer("GET /api/stocktakes/6/found", () => page([]));
  answer("GET /api/stocktakes/6/tally", () => ok([tally()]));
  answer("POST /api/stocktakes/6/counts", ({ body }) => {
    for (const one of (body as Counts).counts) counted[one.item_id] = one.counted;
    return ok([tally()]);
  });
  answer("POST /api/stocktakes/6/apply", () => ok([{ ...take, state: "applied", act_id: 12 }]));
  answer("POST /api/stocktakes/6/discard", () => ok([{ ...take, state: "discarded" }]));
});

function show() {
  const onClose = jest.fn();
  return {
    onClose,
    ...renderPage(<StocktakeDialog location={{ id: 7, name: "A-01" }} onClose={onClose} />),
  };
}
const fields = () => screen.findAllByRole<HTMLInputElement>("textbox", { name: /Counted of/ });

const found = () => screen.getByRole("combobox", { name: "Found without a row" });

async function typeFound(user: ReturnType<typeof show>["user"]): Promise<void> {
  const set = makeItem({ id: 9, item_type: "SET", item_number: "6024-1", item_name: "Fire" });
  answer("GET /api/catalogItems", () => page([set]));
  answer("GET /api/catalogLots", () =>
    page([makeLot({ id: 61, lot_id: 61, color_id: 0, color_name: "(Not Applicable)" })]),
  );
  await fields();
  await user.type(found(), "6024{Enter}");
  await screen.findByRole("option", { name: "Without a colour", selected: true });
}

it("shows a row as the table does, and no dash where an item has no colour", async () => {
  const figure = {
    ...aStockRow({ id: 42, item_type: "MINIFIG", item_number: "cas001", color_name: "" }),
    part_name: "Fright Knight",
  };
  answer("GET /api/stocktakes/6/rows", () => page([{ ...figure, counted: null, seen: null }]));
  show();
  await fields();

  const row = screen.getByRole("listitem");
  expect(within(row).getByRole("img", { name: "Fright Knight" })).toBeInTheDocument();
  expect(row).toHaveTextContent("Fright Knightcas001Used");
});

describe("ending a stocktake", () => {
  it.each([
    ["Apply", "Apply", null],
    ["Discard the counts", "Discard the counts", "Discard the counts?"],
  ])("%s begins no other one", async (_, button, question) => {
    const { user, onClose } = show();
    await fields();

    await user.click(screen.getByRole("button", { name: button }));
    if (question) {
      await screen.findByRole("dialog", { name: question });
      await user.click(screen.getAllByRole("button", { name: button }).at(-1) as HTMLElement);
    }
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    await waitFor(() => expect(sent("GET /api/stocktakes/6/rows").length).toBeGreaterThan(1));

    expect(sent("POST /api/stocktakes")).toHaveLength(1);
  });

  it("applies nothing while a count was refused", async () => {
    answer("POST /api/stocktakes/6/counts", () => refusal(400, "VALIDATION_ERROR", "Too many."));
    const { user } = show();
    const [first] = await fields();

    await user.type(first as HTMLElement, "28");
    await user.click(screen.getByRole("button", { name: "Apply" }));

    await screen.findAllByText("Too many.");
    await waitFor(() => expect(first).toHaveAttribute("aria-invalid", "true"));
    expect(first).toHaveValue("28");
    expect(sent("POST /api/stocktakes/6/apply")).toHaveLength(0);
  });

  it("applies nothing while a lot that was found is refused, which can be mended", async () => {
    let refuse = () => {};
    const line = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    answer("POST /api/stocktakes/6/counts", () =>
      line.then(() => refusal(400, "VALIDATION_ERROR", "Too many.")),
    );
    const { user, onClose } = show();
    await typeFound(user);
    await user.click(screen.getByRole("button", { name: "Add" }));
    await user.click(screen.getByRole("button", { name: "Apply" }));
    refuse();

    expect(
      await screen.findByText("A count was not saved, so nothing was applied: Too many."),
    ).toBeInTheDocument();
    expect(sent("POST /api/stocktakes/6/apply")).toHaveLength(0);
    expect(found()).toHaveValue("6024-1 Fire");
    expect(screen.getByRole("button", { name: "Apply" })).toHaveAttribute("aria-disabled", "true");
    await user.clear(found());
    await user.click(screen.getByRole("button", { name: "Apply" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });
});

describe("Escape", () => {
  const asked = () => screen.queryByRole("dialog", { name: "Discard what you typed?" });

  it("closes at once where only counts were typed, and keeps them", async () => {
    const { user, onClose, unmount } = show();
    onClose.mockImplementation(unmount);
    const [first] = await fields();

    await user.type(first as HTMLElement, "28");
    await user.keyboard("{Escape}");

    expect(onClose).toHaveBeenCalled();
    await waitFor(() => expect(posted()).toEqual([{ item_id: 40, counted: 28 }]));
  });

  it("asks before a reason is lost", async () => {
    const { user, onClose } = show();
    await fields();

    await user.type(screen.getByRole("textbox", { name: /Reason/ }), "Spilt");
    await user.keyboard("{Escape}");

    await waitFor(() => expect(asked()).toBeVisible());
    expect(onClose).not.toHaveBeenCalled();
  });

  it("asks before a lot that was found and not added is lost", async () => {
    const { user, onClose } = show();
    await typeFound(user);

    await user.click(await screen.findByRole("heading", { name: "Count A-01" }));
    await user.keyboard("{Escape}");

    await waitFor(() => expect(asked()).toBeVisible());
    expect(onClose).not.toHaveBeenCalled();
  });

  it("asks before what is no count is lost", async () => {
    const { user, onClose } = show();
    const [first] = await fields();

    await user.type(first as HTMLElement, "many");
    await user.keyboard("{Escape}");

    await waitFor(() => expect(asked()).toBeVisible());
    expect(onClose).not.toHaveBeenCalled();
  });
});

it("sends a count again that failed, whatever failed after it", async () => {
  let refuse = () => {};
  const line = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  answer("POST /api/stocktakes/6/counts", () =>
    line.then(() => refusal(400, "VALIDATION_ERROR", "Too many.")),
  );
  const { user } = show();
  const [first] = await fields();
  await user.type(first as HTMLElement, "28{Enter}");
  await user.clear(first as HTMLElement);
  await user.type(first as HTMLElement, "30{Enter}");
  refuse();
  await waitFor(() => expect(first).toHaveAttribute("aria-invalid", "true"));
  answer("POST /api/stocktakes/6/counts", ({ body }) => {
    for (const one of (body as Counts).counts) counted[one.item_id] = one.counted;
    return ok([tally()]);
  });

  await user.clear(first as HTMLElement);
  await user.type(first as HTMLElement, "28{Enter}");

  await waitFor(() => expect(counted[40]).toBe(28));
});

describe("Enter in a count", () => {
  it("sends it once, and goes on to the next row", async () => {
    const { user } = show();
    const [first, second] = await fields();

    await user.type(first as HTMLElement, "28{Enter}");

    expect(second).toHaveFocus();
    await waitFor(() => expect(counted[40]).toBe(28));
    await waitFor(() => expect(sent("GET /api/stocktakes/6/rows").length).toBeGreaterThan(1));
    expect(posted()).toEqual([{ item_id: 40, counted: 28 }]);
  });

  it("takes the known quantity where a count was cleared, and keeps it", async () => {
    counted[40] = 5;
    const { user } = show();
    const [first] = await fields();

    await user.clear(first as HTMLElement);
    await user.keyboard("{Enter}");

    await waitFor(() => expect(first).toHaveValue("30"));
    await waitFor(() => expect(sent("GET /api/stocktakes/6/rows").length).toBeGreaterThan(1));
    expect(posted()).toEqual([{ item_id: 40, counted: 30 }]);
  });

  it("reads a count as the app shows numbers, and refuses what could be two", async () => {
    const { user } = show();
    const [first, second] = await fields();

    await user.type(first as HTMLElement, "1,250{Enter}");
    await waitFor(() => expect(counted[40]).toBe(1250));
    await user.type(second as HTMLElement, "1.250{Enter}");

    expect(second).toHaveAttribute("aria-invalid", "true");
    expect(posted()).toEqual([{ item_id: 40, counted: 1250 }]);
  });
});

it("sends counts in turn, so that no older tally replaces a newer one", async () => {
  const waiting: (() => void)[] = [];
  answer("POST /api/stocktakes/6/counts", (request) => {
    const [one] = (request.body as Counts).counts;
    return new Promise((resolve) => {
      waiting.push(() => {
        counted[one?.item_id ?? 0] = one?.counted ?? null;
        resolve(ok([tally()]));
      });
    });
  });
  const { user } = show();
  const [first] = await fields();

  await user.type(first as HTMLElement, "28{Enter}10{Enter}");
  await waitFor(() => expect(waiting).toHaveLength(1));
  expect(posted()).toEqual([{ item_id: 40, counted: 28 }]);
  waiting[0]?.();
  await waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.();

  await waitFor(() =>
    expect(screen.getByRole("progressbar", { name: "Rows counted" })).toHaveAttribute(
      "aria-valuenow",
      "100",
    ),
  );
});
