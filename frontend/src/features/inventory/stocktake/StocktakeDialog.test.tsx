import { screen, waitFor } from "@testing-library/react";
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

    expect(await screen.findByText("Too many.")).toBeInTheDocument();
    await waitFor(() => expect(first).toHaveAttribute("aria-invalid", "true"));
    expect(first).toHaveValue("28");
    expect(sent("POST /api/stocktakes/6/apply")).toHaveLength(0);
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
