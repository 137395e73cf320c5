import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { clearSettings } from "@/shared/lib/localSettings";
import { pathTo } from "@/shared/lib/paths";
import { handing } from "@/shared/lib/useHandedFile";
import { outbox, UPLOADS } from "@/shared/outbox/theOutbox";
import { wireOf } from "@/shared/outbox/unsent";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import {
  answer,
  created,
  installServer,
  offline,
  ok,
  page,
  refusal,
  sent,
} from "@/shared/testing/server";
import { aConnection } from "../marketplace/testing/builders";
import { OrdersPage } from "./OrdersPage";

const order = {
  id: 12,
  number: "12345",
  channel: "store",
  marketplace: "bricklink",
  marketplace_order_id: 12345,
  state: "paid",
  status: "PAID",
  is_status_unknown: false,
  payment_status: "Received",
  payment_method: "PayPal",
  paidAt: null,
  orderedAt: "2026-01-02T03:04:05Z",
  orderedOn: null,
  is_dated: true,
  changedAt: "2026-01-02T03:04:05Z",
  buyer: "brick_fan",
  buyer_email: "",
  remarks: "",
  address_name: "Ann Example",
  address: "5 Lane",
  country: "UK",
  shipping_method: "",
  tracking_number: "",
  currency: "USD",
  subtotal: "1.0000",
  shipping: "0.0000",
  insurance: "0.0000",
  fees: "0.0000",
  credit: "0.0000",
  tax: "0.0000",
  vat: "0.0000",
  total: "1.0000",
  refunded: "0.0000",
  grams: null,
  weighed_grams: null,
  is_filed: false,
  packedAt: null,
  shippedAt: null,
  note: "",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z",
  lots: 2,
  pieces: 5,
  picked: 0,
  short: 0,
  to_pick: 5,
  lacking: 0,
  expected_grams: "12.50",
  pieces_without_weight: 0,
  sold_twice: "",
  differences: 0,
  walk_id: null,
  tray: "",
};
const line = {
  id: 1,
  lot_id: 5,
  marketplace_lot_id: null,
  item_type: "PART",
  item_number: "3001",
  item_name: "Brick 2 x 4",
  color_id: 5,
  color_name: "Red",
  color_html: "#c91a09",
  image_url: "",
  condition: "U",
  sub_condition: "",
  quantity: 3,
  price: "0.2000",
  remarks: "",
  comments: "",
  piece_grams: "2.5000",
  picked: 3,
  short: 0,
  short_reason: "",
  returned: 0,
  to_pick: 0,
  lacking: 0,
  is_checked: false,
  places: [],
};
const second = {
  ...line,
  id: 2,
  item_number: "3003",
  item_name: "Brick 2 x 2",
  quantity: 2,
  picked: 2,
};
const waiting = {
  to_pick: 1,
  to_pack: 0,
  to_ship: 0,
  overdue: 0,
  open: 1,
  total: 3,
  pieces_to_pick: 5,
  pickable: 1,
  next_to_pack: null,
  next_to_ship: null,
  is_shown: true,
};
const stop = (item: number, location: number, name: string, quantity: number) => ({
  item_id: item,
  location_id: location,
  location_name: name,
  item_number: "3001",
  item_name: "Brick 2 x 4",
  color_name: "Red",
  color_html: "",
  condition: "U",
  image_url: "",
  in_bin: 20,
  quantity,
  trays: [{ line_id: item, order_id: 12, order_number: "12345", tray: "A", quantity }],
  others: [],
});
const picked = {
  taken: 3,
  already: 0,
  elsewhere: 0,
  short: 0,
  movement_ids: [7],
  uncounted: [{ item_id: 1, line_id: 1, quantity: 1 }],
  dropped: [{ item_id: 1, line_id: 2, quantity: 3 }],
  short_lines: [],
  count_location_id: null,
  is_over: false,
};

beforeEach(() => {
  installServer();
  giveElementsASize();
  clearSettings();
  answer("GET /api/orders/waiting", () => ok([waiting]));
  answer("GET /api/pickWalks", () => page([]));
  answer("GET /api/orders", () => page([order]));
  answer("GET /api/orders/12", () => ok([order]));
  answer("GET /api/orders/12/lines", () => ok([line, second]));
  answer("GET /api/orders/12/parcel", () => ok([]));
  answer("GET /api/orders/12/events", () => ok([]));
  answer("GET /api/orders/12/marketplaceSteps", () => ok([]));
});

/** What the menu of an order offers. */
const choose = async (user: ReturnType<typeof renderPage>["user"], name: string) => {
  await user.click(await screen.findByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name }));
};
const show = (at = "/app/orders") => renderPage(<OrdersPage />, { at, path: "/app/orders" });

test("the board shows open orders by state, the primary button picks all that can be picked", async () => {
  answer("POST /api/pickWalks", () => created({ id: 3 }));
  answer("GET /api/pickWalks/3/stops", () => ok([stop(1, 1, "A-1", 3)]));
  const { user, router } = show();

  const column = await screen.findByRole("region", { name: "To pick" });
  expect(within(column).getByRole("link")).toHaveTextContent("12345");
  await user.click(screen.getByRole("button", { name: "Pick 1 order" }));

  await waitFor(() => expect(router.state.location.search).toBe("?walk=3"));
  expect(sent("POST /api/pickWalks")[0]?.body).toEqual({});
});

test("the board shows the word of an unknown status, and holds what no other column does", async () => {
  answer("GET /api/orders", () =>
    page([
      { ...order, state: "new", status: "On Hold", is_status_unknown: true },
      { ...order, id: 13, number: "777", state: "problem", status: "NPB" },
    ]),
  );
  show();

  const held = await screen.findByRole("region", { name: "New" });
  expect(within(held).getByRole("link")).toHaveTextContent("On Hold");
  const others = screen.getByRole("region", { name: "Needs a look" });
  expect(within(others).getByRole("link")).toHaveTextContent(/777.*NPB/);
});

describe("the board of a person with two stores", () => {
  const stores = aConnection().choices.map((each, place) => ({
    ...each,
    channel_id: place + 1,
    state: "ok" as const,
  }));

  test("is narrowed to one of them, in the table, too", async () => {
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ choices: stores })]));
    const { user, router } = show();
    await user.click(await screen.findByRole("radio", { name: "BrickOwl (demo)" }));

    await waitFor(() =>
      expect(sent("GET /api/orders").at(-1)?.query.get("marketplace")).toBe("brickowl"),
    );
    expect(router.state.location.search).toBe("?marketplace=brickowl");
    expect(await screen.findByRole("region", { name: "To pick" })).toBeVisible();

    await user.click(screen.getByRole("radio", { name: "Table" }));
    await waitFor(() =>
      expect(String(sent("GET /api/orders").at(-1)?.query)).toMatch(
        /page=1&.*marketplace=brickowl/,
      ),
    );
  });

  test("is narrowed to it again by the way back from an order", async () => {
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ choices: stores })]));
    answer("GET /api/orders", () => page([{ ...order, state: "new" }]));
    const { user, router } = show();
    await user.click(await screen.findByRole("radio", { name: "BrickOwl (demo)" }));
    const column = await screen.findByRole("region", { name: "New" });
    await user.click(await within(column).findByRole("link"));
    await user.click(await screen.findByRole("link", { name: "Orders" }));
    expect(router.state.location.search).toBe("?marketplace=brickowl");
  });

  test("is narrowed to it again by the way back from an order of the table", async () => {
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ choices: stores })]));
    const { user, router } = show("/app/orders?marketplace=brickowl");
    await user.click(await screen.findByRole("radio", { name: "Table" }));
    const link = await screen.findByRole("link", { name: "12345" });
    expect(link).toHaveAttribute("href", "/app/orders?order=12&marketplace=brickowl");
    await user.click(link);
    await user.click(await screen.findByRole("link", { name: "Orders" }));
    expect(router.state.location.search).toBe("?marketplace=brickowl");
  });

  test("is narrowed to it again behind a walk", async () => {
    const row = { tray: "A", order_id: 12, number: "12345", state: "picked" };
    answer("GET /api/pickWalks/3/stops", () => ok([]));
    answer("GET /api/pickWalks/3/orders", () => ok([row]));
    answer("POST /api/pickWalks", () => created({ id: 3 }));
    const { user, router } = show("/app/orders?marketplace=brickowl");
    await user.click(await screen.findByRole("button", { name: "Pick 1 order" }));
    await user.click(await screen.findByRole("button", { name: "Pack 12345, tray A" }));
    expect(router.state.location.search).toBe("?order=12&marketplace=brickowl");
  });

  test("names what was sold twice", async () => {
    answer("GET /api/orders", () =>
      page([
        { ...order, sold_twice: "later" },
        { ...order, id: 13, number: "777", sold_twice: "" },
      ]),
    );
    show();

    expect(await screen.findByRole("link", { name: /12345.*Sold twice/ })).toBeVisible();
    expect(screen.getByRole("link", { name: /777/ })).not.toHaveTextContent("Sold twice");
  });
});

test("the later of two orders that bought the same pieces goes without them, with Undo", async () => {
  const earlier = {
    id: 11,
    number: "777",
    marketplace_name: "BrickOwl",
    orderedAt: order.orderedAt,
  };
  const later = { ...earlier, id: 12, number: "12345", marketplace_name: "BrickLink" };
  const row = { line_id: 1, item: "3001 Red", pieces: 3, amount: "0.6000", currency: "USD" };
  answer("GET /api/orders/12", () => ok([{ ...order, sold_twice: "later" }]));
  answer("GET /api/orders/12/soldTwice", () =>
    ok([{ ...row, later, earlier, language: "en", message: "We are sorry." }]),
  );
  answer("POST /api/orders/12/leaveOutPieces", () => ok([order]));
  answer("POST /api/orders/12/undoLeaveOutPieces", () => ok([order]));
  const { user } = show("/app/orders?order=12");

  expect(await screen.findByText("Sold twice: 3 × 3001 Red")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /Leave out 3 and refund/ }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  const body = { line_id: 1, pieces: 3 };
  await waitFor(() =>
    expect(sent("POST /api/orders/12/undoLeaveOutPieces").at(0)?.body).toEqual(body),
  );
  expect(sent("POST /api/orders/12/leaveOutPieces").at(0)?.body).toEqual(body);
});

test("an order of an unknown status says so with its word", async () => {
  const held = { ...order, state: "new", status: "Paid-Pending", is_status_unknown: true };
  answer("GET /api/orders/12", () => ok([held]));
  show("/app/orders?order=12");

  expect(await screen.findByText("The status “Paid-Pending” is not known here")).toBeVisible();
});

describe("the next step behind a shipped order", () => {
  let know = () => {};
  const known = () =>
    new Promise<void>((resolve) => {
      know = resolve;
    });
  beforeEach(() => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "shipped", to_pick: 0 }]));
    answer("GET /api/orders/waiting", () => known().then(() => ok([waiting])));
  });

  test("has the focus when it is known", async () => {
    show("/app/orders?order=12");
    await screen.findByRole("heading", { name: "Order 12345" });
    await waitFor(() => expect(sent("GET /api/orders/waiting")).not.toEqual([]));
    know();

    await waitFor(() => expect(screen.getByRole("button", { name: "Pick 1 order" })).toHaveFocus());
  });

  test("closes no menu that was opened before it was known", async () => {
    const { user } = show("/app/orders?order=12");
    await user.click(await screen.findByRole("button", { name: "Print" }));
    await screen.findByRole("menu");
    know();

    await screen.findByRole("button", { name: "Pick 1 order" });
    expect(screen.getByRole("menu")).toContainElement(document.activeElement as HTMLElement);
  });

  test("closes none either where the lines to pack come late", async () => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "picked" }]));
    answer("GET /api/orders/12/lines", () => known().then(() => ok([line])));
    const { user } = show("/app/orders?order=12");
    await user.click(await screen.findByRole("button", { name: "Print" }));
    await screen.findByRole("menu");
    know();

    await screen.findByLabelText("Scan or type a number");
    expect(screen.getByRole("menu")).toContainElement(document.activeElement as HTMLElement);
  });
});

test.each([
  [{ pickable: 0, to_pack: 2, next_to_pack: 12 }, "Pack 2 orders", "?order=12"],
  [{ pickable: 0, to_ship: 1, next_to_ship: 12 }, "Ship 1 order", "?order=12"],
])("the primary button leads to what comes next (%j)", async (changes, name, search) => {
  answer("GET /api/orders/waiting", () => ok([{ ...waiting, ...changes }]));
  const { user, router } = show();

  await user.click(await screen.findByRole("button", { name }));

  expect(router.state.location.search).toBe(search);
});

test("without any order the page says how they come", async () => {
  answer("GET /api/orders/waiting", () => ok([{ ...waiting, pickable: 0, total: 0 }]));
  show();

  expect(await screen.findByText("No orders yet")).toBeVisible();
  expect(screen.getByRole("button", { name: "Check for orders" })).toBeVisible();
});

describe("two orders of one buyer", () => {
  const other = { id: 13, number: "777", state: "paid", lots: 1, pieces: 4, is_together: false };

  it("are offered to be combined, and separated again", async () => {
    answer("GET /api/orders/12/parcel", () => ok([other]));
    answer("POST /api/orders/12/combine", () => ok([{ count: 1 }]));
    answer("POST /api/orders/12/separate", () => ok([{ count: 2 }]));
    const { user } = show("/app/orders?order=12");
    expect(await screen.findByText("Ann Example has 2 orders to send")).toBeVisible();
    expect(screen.getByRole("link", { name: "777 (4 pieces)" })).toHaveAttribute(
      "href",
      "/app/orders?order=13",
    );

    await user.click(screen.getByRole("button", { name: "Combine 2 orders" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));

    await waitFor(() =>
      expect(sent("POST /api/orders/12/combine")[0]?.body).toEqual({ order_ids: [13] }),
    );
    await waitFor(() => expect(sent("POST /api/orders/12/separate")).toHaveLength(1));
  });

  it("in one parcel can be sent separately until it is packed", async () => {
    answer("GET /api/orders/12/parcel", () => ok([{ ...other, is_together: true }]));
    answer("POST /api/orders/12/separate", () => ok([{ count: 2 }]));
    const { user } = show("/app/orders?order=12");
    expect(
      await screen.findByText("One parcel, one tray, one packing slip: 2 orders"),
    ).toBeVisible();

    await user.click(screen.getByRole("button", { name: "Send separately" }));

    await waitFor(() => expect(sent("POST /api/orders/12/separate")).toHaveLength(1));
  });
});

describe("an order file", () => {
  const warnings = ["1 letter is not UTF-8 as the rest."];
  const taken = { order_ids: [1, 2], new: 2, changed: 0, same: 1, lacking: 3, warnings };
  const file = new File(["<ORDERS/>"], "orders.xml");

  test("is taken in, and what could not be read is told with its line and why", async () => {
    answer("POST /api/orders/importFile", () =>
      ok([{ ...taken, refused: [{ number: "77", line: 12, reason: "Line 12: QTY is “x”." }] }]),
    );
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "From a file" }));
    await user.upload(await screen.findByLabelText(/Drop an order file here/), file);

    expect(
      await screen.findByText("orders.xml: 2 new orders, 0 changed, 1 known already"),
    ).toBeVisible();
    expect(screen.getByText(/3 pieces of them are not in stock/)).toBeVisible();
    expect(screen.getByText("1 letter is not UTF-8 as the rest.")).toBeVisible();
    const row = screen.getByRole("row", { name: /QTY is/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["77", "Line 12: QTY is “x”."]);
  });

  test("waits for the server, and what it could not read then is told", async () => {
    answer("POST /api/orders/importFile", offline);
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "From a file" }));
    await user.upload(await screen.findByLabelText(/Drop an order file here/), file);
    expect(await screen.findByText("orders.xml is kept on this computer")).toBeVisible();

    answer("POST /api/orders/importFile", () =>
      ok([{ ...taken, refused: [{ number: "77", line: 12, reason: "QTY is “x”." }] }]),
    );
    outbox.tryNow();

    await waitFor(() =>
      expect(outbox.store.getState().requests).toMatchObject([
        { words: "Send orders.xml", refusal: { message: "77: QTY is “x”." } },
      ]),
    );
  });

  test("that was refused after its dialog was left is there to be corrected", async () => {
    answer("POST /api/orders/importFile", () =>
      refusal(422, "UNREADABLE_FILE", "This is no order file."),
    );
    const { router } = show();
    await screen.findByRole("region", { name: "To pick" });
    const [sentLater] = await outbox.post([
      {
        ...wireOf("post", "orders/importFile", { form: { file } }),
        kind: UPLOADS,
        rows: ["a file"],
        words: "Send orders.xml",
        to: "",
      },
    ]);
    await waitFor(() => expect(outbox.store.getState().requests[0]?.refusal).toBeTruthy());

    await act(() => router.navigate(pathTo("orders", { file: sentLater?.key })));

    expect(await screen.findByText("Nothing was imported from orders.xml")).toBeVisible();
  });

  test("that is dropped on the page is sent once, and another file leads to the inventory", async () => {
    answer("POST /api/orders/importFile", () =>
      refusal(422, "UNREADABLE_FILE", "This is no order file."),
    );
    const { user, router } = show();

    const board = await screen.findByRole("region", { name: "To pick" });
    fireEvent.drop(board, { dataTransfer: { types: ["Files"], files: [file] } });

    expect(await screen.findByText("Nothing was imported from orders.xml")).toBeVisible();
    expect(sent("POST /api/orders/importFile")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Import it into the inventory" }));
    expect(router.state.location.pathname).toBe("/app/inventory");
    expect(router.state.location.state).toEqual({ dropped: file });
  });

  test("that another page hands over is sent once", async () => {
    answer("POST /api/orders/importFile", () =>
      refusal(422, "UNREADABLE_FILE", "This is no order file."),
    );
    const { router } = show();
    await screen.findByRole("region", { name: "To pick" });

    await act(() => router.navigate("/app/orders", handing(file)));

    expect(await screen.findByText("Nothing was imported from orders.xml")).toBeVisible();
    expect(sent("POST /api/orders/importFile")).toHaveLength(1);
    expect(router.state.location.state).toBeNull();
  });
});

test("a board that cannot be loaded says so and tries again", async () => {
  answer("GET /api/orders", (_, count) =>
    count === 0 ? refusal(400, "VALIDATION_ERROR", "Not now.") : page([order]),
  );
  const { user } = show();

  await user.click(await screen.findByRole("button", { name: "Try again" }));

  expect(await screen.findByText("Ann Example, UK")).toBeVisible();
});

test("what changed at the store is told until it was seen", async () => {
  answer("GET /api/orders/12", () => ok([{ ...order, differences: 1 }]));
  answer("GET /api/orders/12/events", () =>
    ok([
      {
        id: 1,
        at: order.orderedAt,
        kind: "line",
        text: "Added: 2 × Plate",
        is_difference: true,
        seenAt: null,
      },
    ]),
  );
  answer("POST /api/orders/12/seen", () => ok([{ count: 1 }]));
  const { user } = show("/app/orders?order=12");

  const notice = (await screen.findByText("Changed since you last looked")).closest("[role=note]");
  expect(notice).toHaveTextContent("Added: 2 × Plate");
  await user.click(screen.getByRole("button", { name: "Seen" }));

  await waitFor(() => expect(sent("POST /api/orders/12/seen")).toHaveLength(1));
});

test("messages are read when they are asked for", async () => {
  answer("GET /api/orders/12/messages", () =>
    ok([{ sentAt: null, sender: "brick_fan", subject: "Hi", text: "<b>When?</b>" }]),
  );
  const { user } = show("/app/orders?order=12");

  await user.click(await screen.findByRole("button", { name: "Show" }));

  expect(await screen.findByText("<b>When?</b>")).toBeVisible();
});

describe("an order with missing pieces", () => {
  const lines = [{ ...line, short: 1, picked: 2 }, second];

  test("is packed by its own words, not by Enter in the field", async () => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "picked", short: 1 }]));
    answer("GET /api/orders/12/lines", () => ok(lines));
    answer("POST /api/orders/12/pack", () => ok([order]));
    const { user } = show("/app/orders?order=12");

    await user.type(await screen.findByLabelText("Scan or type a number"), "{Enter}");

    expect(sent("POST /api/orders/12/pack")).toEqual([]);
    expect(screen.queryByRole("button", { name: /All here/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Packed without 1 piece" }));
    await waitFor(() => expect(sent("POST /api/orders/12/pack")).toHaveLength(1));
  });

  test("opens Refund with their sum", async () => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "shipped", short: 1 }]));
    answer("GET /api/orders/12/lines", () => ok(lines));
    const { user } = show("/app/orders?order=12");
    await screen.findByText("Brick 2 x 2");

    await choose(user, "Refund");

    expect(await screen.findByLabelText("Amount in USD")).toHaveValue("0.2");
  });
});

describe("packing", () => {
  beforeEach(() => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "picked", tray: "B" }]));
    answer("POST /api/orders/12/check", () => ok([{ count: 1 }]));
    answer("POST /api/orders/12/pack", () => ok([{ ...order, state: "packed" }]));
  });

  test("checks a line by its number, and one press packs the rest", async () => {
    answer("GET /api/orders/12/lines", () => {
      const isChecked = sent("POST /api/orders/12/check").length > 0;
      return ok([line, { ...second, is_checked: isChecked }]);
    });
    const { user } = show("/app/orders?order=12");
    const field = await screen.findByLabelText("Scan or type a number");

    await user.type(field, "3003{Enter}");
    await waitFor(() => expect(sent("POST /api/orders/12/check")).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole("checkbox", { name: /Brick 2 x 2/ })).toBeChecked(),
    );
    await user.type(field, "9999{Enter}");
    expect(screen.getByText("9999 is not among the lots to check")).toBeVisible();
    expect(sent("POST /api/orders/12/pack")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "All here: packed" }));

    await waitFor(() => expect(sent("POST /api/orders/12/pack")[0]?.body).toEqual({}));
    expect(sent("POST /api/orders/12/check").map(({ body }) => body)).toEqual([
      { line_ids: [2], checked: true },
    ]);
  });

  test("unticks a line whose check was refused", async () => {
    answer("POST /api/orders/12/check", () => refusal(409, "NOT_PICKED", "It was put back."));
    const { user } = show("/app/orders?order=12");

    await user.type(await screen.findByLabelText("Scan or type a number"), "3003{Enter}");

    await waitFor(() => expect(sent("POST /api/orders/12/check")).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole("checkbox", { name: /Brick 2 x 2/ })).not.toBeChecked(),
    );
    expect(screen.getByText("Check 2 lots, 5 pieces")).toBeVisible();
  });

  test("asks which lot a number means where several are left", async () => {
    answer("GET /api/orders/12/lines", () =>
      ok([line, { ...line, id: 2, color_name: "Tan", picked: 2 }]),
    );
    const { user } = show("/app/orders?order=12");

    await user.type(await screen.findByLabelText("Scan or type a number"), "3001{Enter}");
    expect(await screen.findByText("Which 3001?")).toBeVisible();
    expect(sent("POST /api/orders/12/check")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "2 × Tan, Used" }));

    await waitFor(() => expect(sent("POST /api/orders/12/check")).toHaveLength(1));
    expect(sent("POST /api/orders/12/check")[0]?.body).toEqual({ line_ids: [2], checked: true });
    expect(screen.queryByText("Which 3001?")).toBeNull();
  });

  test("says nothing is checked, and packs nothing, while its lines are not known", async () => {
    answer("GET /api/orders/12/lines", () => refusal(400, "VALIDATION_ERROR", "Not now."));
    show("/app/orders?order=12");

    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(screen.queryByText("Everything is checked")).toBeNull();
    expect(screen.queryByRole("button", { name: /packed/ })).toBeNull();
  });

  test("names the difference of the weight and sends what was weighed", async () => {
    const { user } = show("/app/orders?order=12");

    await user.type(await screen.findByLabelText("Weighed"), "7,5 g");

    expect(
      screen.getByText(/5 g too light: are pieces missing\? That is the weight of 2 × Brick 2 x/),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "All here: packed" }));
    await waitFor(() =>
      expect(sent("POST /api/orders/12/pack")[0]?.body).toEqual({ weighed_grams: "7.5" }),
    );
  });
});

test("shipping sends the tracking number, and Undo takes it back", async () => {
  answer("GET /api/orders/12", () => ok([{ ...order, state: "packed" }]));
  answer("POST /api/orders/12/ship", () => ok([{ ...order, state: "shipped" }]));
  answer("POST /api/orders/12/unship", () => ok([{ ...order, state: "packed" }]));
  const { user } = show("/app/orders?order=12");

  await user.type(await screen.findByLabelText(/Tracking number/), "RR 1{Enter}");
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() => expect(sent("POST /api/orders/12/unship")).toHaveLength(1));
  expect(sent("POST /api/orders/12/ship")[0]?.body).toEqual({ tracking_number: "RR 1" });
});

test("an order goes without the pieces that no bin has, after a question", async () => {
  answer("GET /api/orders/12", () => ok([{ ...order, picked: 3, to_pick: 2, lacking: 2 }]));
  answer("POST /api/orders/12/leaveOut", () => ok([{ ...order, state: "picked" }]));
  const { user } = show("/app/orders?order=12");

  await user.click(await screen.findByRole("button", { name: "Pack without 2 pieces" }));
  expect(sent("POST /api/orders/12/leaveOut")).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Leave 2 pieces out" }));

  await waitFor(() => expect(sent("POST /api/orders/12/leaveOut")).toHaveLength(1));
});

test("cancelling asks first and says what happens", async () => {
  answer("POST /api/orders/12/cancel", () => ok([{ ...order, state: "cancelled" }]));
  const { user } = show("/app/orders?order=12");

  await choose(user, "Cancel order");
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("The store is informed.");
  await user.click(within(dialog).getByRole("button", { name: "Cancel order" }));

  await waitFor(() => expect(sent("POST /api/orders/12/cancel")).toHaveLength(1));
});

test("a return takes a part of a line back", async () => {
  answer("GET /api/orders/12", () => ok([{ ...order, state: "shipped" }]));
  answer("GET /api/inventoryLocations", () => page([]));
  answer("POST /api/orders/12/return", () => ok([{ ...order, state: "shipped" }]));
  const { user } = show("/app/orders?order=12");

  await choose(user, "Return");
  const field = await screen.findByLabelText("3001 Red: pieces back, of 3");
  await user.clear(field);
  await user.type(field, "4");
  expect(await screen.findByText("A whole number from 0 to 3.")).toBeVisible();
  await user.clear(field);
  await user.type(field, "2");
  expect(screen.getByText(/These pieces brought \$0.40/)).toBeVisible();
  await user.type(screen.getByLabelText("Money back, in USD"), "0.40");
  await user.click(screen.getByRole("button", { name: "Put 2 pieces back" }));

  await waitFor(() =>
    expect(sent("POST /api/orders/12/return")[0]?.body).toEqual({
      lines: [{ line_id: 1, quantity: 2 }],
      refund: "0.40",
    }),
  );
});

test("money given back is noted, at most what the order brought, and Undo takes it back", async () => {
  answer("GET /api/orders/12", () => ok([{ ...order, state: "shipped", refunded: "0.4000" }]));
  answer("POST /api/orders/12/refund", () => ok([order]));
  answer("POST /api/orders/12/unrefund", () => ok([order]));
  const { user } = show("/app/orders?order=12");

  await choose(user, "Refund");
  const field = await screen.findByLabelText("Amount in USD");
  await user.type(field, "0.61");
  await waitFor(() => expect(field).toBeInvalid());
  await user.clear(field);
  await user.type(field, "0,30");
  await user.type(screen.getByLabelText("Why"), "Cracked");
  await user.click(screen.getByRole("button", { name: "Note the refund" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() => expect(sent("POST /api/orders/12/unrefund")).toHaveLength(1));
  expect(sent("POST /api/orders/12/refund")[0]?.body).toEqual({ amount: "0.30", note: "Cracked" });
  expect(sent("POST /api/orders/12/unrefund")[0]?.body).toEqual({ amount: "0.30" });
});

describe("what is typed of an order", () => {
  type Shown = ReturnType<typeof show>;
  const shipped = async (button: string) => {
    answer("GET /api/orders/12", () => ok([{ ...order, state: "shipped" }]));
    answer("GET /api/inventoryLocations", () => page([]));
    const view = show("/app/orders?order=12");
    await choose(view.user, button);
    await screen.findByRole("dialog");
    return view;
  };
  const cases: [string, () => Promise<Shown>, (user: Shown["user"]) => Promise<unknown>][] = [
    [
      "the address of a sale by hand",
      async () => {
        answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
        const view = show();
        await view.user.click(await screen.findByRole("button", { name: "Record a sale" }));
        await view.user.click(await screen.findByRole("button", { name: /^Add a buyer/ }));
        return view;
      },
      (user) => user.type(screen.getByLabelText("Address (optional)"), "5 Lane"),
    ],
    [
      "why a refund was given",
      () => shipped("Refund"),
      (user) => user.type(screen.getByLabelText("Why"), "Cracked"),
    ],
    [
      "the money back of a return",
      () => shipped("Return"),
      (user) => user.type(screen.getByLabelText("Money back, in USD"), "0.40"),
    ],
    [
      "a wrong count of a return",
      () => shipped("Return"),
      (user) => user.type(screen.getByLabelText("3001 Red: pieces back, of 3"), "9"),
    ],
  ];

  it.each(cases)("is asked about before Escape drops it: %s", async (_, open, type) => {
    const { user } = await open();
    await type(user);

    await user.keyboard("{Escape}");

    expect(await screen.findByRole("dialog", { name: "Discard what you typed?" })).toBeVisible();
  });

  it.each(cases)("is asked about before a click outside drops it: %s", async (_, open, type) => {
    const { user } = await open();
    await type(user);

    await user.click(document.querySelector(".bg-backdrop") as Element);

    expect(await screen.findByRole("dialog", { name: "Discard what you typed?" })).toBeVisible();
  });

  it("is asked about where nothing was typed, but all pieces are taken back", async () => {
    const { user } = await shipped("Return");
    await user.click(screen.getByRole("button", { name: "Everything" }));

    await user.keyboard("{Escape}");

    expect(await screen.findByRole("dialog", { name: "Discard what you typed?" })).toBeVisible();
  });
});

describe("a walk", () => {
  const rows = [stop(1, 1, "A-1", 3), stop(2, 1, "A-1", 2), stop(3, 2, "A-10", 4)];
  beforeEach(() => {
    answer("GET /api/pickWalks/3/stops", (_, count) => ok(count === 0 ? rows : rows.slice(2)));
    answer("POST /api/pickWalks/3/pick", () => ok([picked]));
  });

  test("takes a whole bin with one press, and tells it in one toast with Undo", async () => {
    answer("POST /api/pickWalks/3/undo", () => ok([{ count: 6 }]));
    const { user } = show("/app/orders?walk=3");

    await user.click(await screen.findByRole("button", { name: "All 5 are in their trays" }));

    expect(await screen.findByRole("region", { name: "Now: A-10" })).toBeVisible();
    expect(await screen.findByText("A-1: 6 pieces taken")).toBeVisible();
    expect(sent("POST /api/pickWalks/3/pick").map(({ body }) => body)).toEqual([
      { item_id: 1, lines: [{ line_id: 1, quantity: 3 }] },
      { item_id: 2, lines: [{ line_id: 2, quantity: 2 }] },
    ]);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() =>
      expect(sent("POST /api/pickWalks/3/undo")[0]?.body).toEqual({
        movement_ids: [7, 7],
        uncounted: [...picked.uncounted, ...picked.uncounted],
        dropped: [...picked.dropped, ...picked.dropped],
        short_lines: [],
      }),
    );
  });

  test("does not come back to a stored bin while the stops are read again", async () => {
    answer("GET /api/pickWalks/3/stops", (_, count) =>
      count === 0 ? ok([stop(1, 1, "A-1", 3), stop(3, 2, "A-10", 4)]) : new Promise(() => {}),
    );
    const { user } = show("/app/orders?walk=3");

    await user.click(await screen.findByRole("button", { name: "All 3 are in their trays" }));
    await screen.findByText("A-1: 3 pieces taken");
    await user.click(screen.getByRole("button", { name: "All 4 are in their trays" }));

    expect(screen.getByText("Everything is picked")).toBeVisible();
    await waitFor(() => expect(sent("POST /api/pickWalks/3/pick")).toHaveLength(2));
    expect(sent("POST /api/pickWalks/3/pick").map(({ body }) => body)).toEqual([
      { item_id: 1, lines: [{ line_id: 1, quantity: 3 }] },
      { item_id: 3, lines: [{ line_id: 3, quantity: 4 }] },
    ]);
  });

  test("names the trays that wait after the last bin, and why", async () => {
    answer("GET /api/pickWalks/3/stops", (_, count) => ok(count === 0 ? rows.slice(0, 1) : []));
    const states = { A: "picked", B: "paid", C: "cancelled", D: "packed" };
    answer("GET /api/pickWalks/3/orders", () =>
      ok(
        Object.entries(states).map(([tray, state], at) => ({
          order_id: 12 + at,
          number: `10${at}`,
          ...{ tray, state, is_open: false },
        })),
      ),
    );
    const { user } = show("/app/orders?walk=3");

    await user.click(await screen.findByRole("button", { name: "All 3 are in their trays" }));

    expect(await screen.findByRole("button", { name: "Pack 100, tray A" })).toBeVisible();
    const waiting = within(await screen.findByRole("list", { name: "Orders that wait" }));
    expect(waiting.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "Tray B: 101 lacks pieces",
      "Tray C: 102 was cancelled: its pieces go back",
    ]);
    expect(screen.getByText("The walk is done")).toBeVisible();
  });

  test("takes a bin by its typed name, and refuses another one with the way there", async () => {
    const { user } = show("/app/orders?walk=3");
    const field = await screen.findByLabelText("Scan or type the bin");

    await user.type(field, "a-10{Enter}");
    expect(screen.getByText("Wrong bin: A-1 expected, a-10 scanned")).toBeVisible();
    expect(sent("POST /api/pickWalks/3/pick")).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: "Pick A-10 now" }));
    await user.type(await screen.findByLabelText("Scan or type the bin"), "LOC:A-10{Enter}");

    await waitFor(() => expect(sent("POST /api/pickWalks/3/pick")).toHaveLength(1));
    expect(sent("POST /api/pickWalks/3/pick")[0]?.body).toMatchObject({ item_id: 3 });
  });

  test("sends a reason only for the lot that is short", async () => {
    const { user } = show("/app/orders?walk=3");

    await user.click(await screen.findByRole("button", { name: "Some are missing" }));
    const [field] = screen.getAllByRole("textbox", { name: /into A, of 3/ });
    if (!field) throw new Error("no field");
    await user.clear(field);
    await user.type(field, "1");
    await user.click(screen.getByRole("button", { name: "Damaged" }));

    await waitFor(() => expect(sent("POST /api/pickWalks/3/pick")).toHaveLength(2));
    expect(sent("POST /api/pickWalks/3/pick").map(({ body }) => body)).toEqual([
      { item_id: 1, lines: [{ line_id: 1, quantity: 1 }], reason: "damaged" },
      { item_id: 2, lines: [{ line_id: 2, quantity: 2 }] },
    ]);
  });

  test("sends how many are left of a lot, and proposes a count of its bin", async () => {
    answer("GET /api/pickWalks/3/stops", (_, count) => ok(count === 0 ? rows.slice(0, 1) : []));
    answer("GET /api/pickWalks/3/orders", () => ok([]));
    const short = { short: 2, short_lines: [{ line_id: 1, quantity: 2 }], count_location_id: 1 };
    answer("POST /api/pickWalks/3/pick", () => ok([{ ...picked, ...short, is_over: true }]));
    answer("POST /api/pickWalks/3/undo", () => ok([{ count: 1 }]));
    const { user } = show("/app/orders?walk=3");

    await user.click(await screen.findByRole("button", { name: "Some are missing" }));
    const field = screen.getByRole("textbox", { name: /into A, of 3/ });
    await user.clear(field);
    await user.type(field, "1");
    await user.type(screen.getByRole("textbox", { name: /are left in the bin/ }), "4");
    await user.click(screen.getByRole("button", { name: "Not found" }));

    expect(await screen.findByRole("link", { name: "Count A-1" })).toHaveAttribute(
      "href",
      "/app/inventory?walk=count&bin=1",
    );
    expect(sent("POST /api/pickWalks/3/pick")[0]?.body).toMatchObject({
      reason: "not_found",
      left: 4,
    });
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.queryByRole("link", { name: "Count A-1" })).toBeNull());
    expect(sent("POST /api/pickWalks/3/undo")[0]?.body).toMatchObject({
      dropped: picked.dropped,
      short_lines: [{ line_id: 1, quantity: 2 }],
    });
  });
});

test("a sale by hand takes lots of the stock, a price each", async () => {
  const row = {
    ...line,
    id: 40,
    part_name: "Brick 2 x 4",
    available: 9,
    price: "0.2500",
    is_known: true,
    location_name: "A-1",
  };
  answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
  answer("GET /api/inventoryItems", () => page([row]));
  answer("POST /api/orders", () => created({ ...order, id: 13, number: "H-13" }));
  answer("GET /api/orders/13", () => ok([{ ...order, id: 13, number: "H-13" }]));
  for (const part of ["lines", "events", "told"])
    answer(`GET /api/orders/13/${part}`, () => ok([]));
  const { user, router } = show();

  await user.click(await screen.findByRole("button", { name: "Record a sale" }));
  await user.type(await screen.findByRole("combobox", { name: "Lot" }), "3001 red");
  await user.click(await screen.findByRole("option", { name: /Brick 2 x 4 Red/ }));
  const pieces = screen.getByLabelText("Pieces, of 9");
  await user.clear(pieces);
  await user.type(pieces, "4");
  expect(screen.getByText("Total $1.00")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Enter the sale" }));

  await waitFor(() => expect(router.state.location.search).toBe("?order=13"));
  expect(sent("POST /api/orders")[0]?.body).toEqual({
    lines: [{ item_id: 40, quantity: 4, price: "0.2500" }],
  });
});

test("a sale by hand asks for the price of a lot that has none", async () => {
  const row = { ...line, id: 40, part_name: "Brick 2 x 4", available: 9, price: null };
  answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
  answer("GET /api/inventoryItems", () => page([row]));
  const { user } = show();

  await user.click(await screen.findByRole("button", { name: "Record a sale" }));
  await user.type(await screen.findByRole("combobox", { name: "Lot" }), "3001 red");
  await user.click(await screen.findByRole("option", { name: /Brick 2 x 4 Red/ }));

  expect(await screen.findByText(/^An amount such as 0.12/)).toBeVisible();
  await user.type(screen.getByLabelText("Price each"), "0");
  expect(screen.queryByText(/^An amount such as 0.12/)).toBeNull();
  expect(sent("POST /api/orders")).toEqual([]);
});
