import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useLayoutEffect, useState } from "react";
import { makeLot } from "@/features/catalog/testing/builders";
import { aPriceRule } from "@/features/marketplace/testing/builders";
import { noteRole } from "@/shared/lib/role";
import { listenToKeys } from "@/shared/scanner/keyLine";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, offline, ok, page, refusal, sent } from "@/shared/testing/server";
import { StowPage } from "./StowPage";
import { sitting } from "./session/sitting";
import { makeDestination } from "./testing/builders";
import { brick, StationServer } from "./testing/stationServer";

let server: StationServer;
let stopListening: () => void;
beforeEach(() => {
  stopListening = listenToKeys();
  installServer();
  reloadClientState();
  sitting.forget();
  server = new StationServer().install();
});

afterEach(() => {
  stopListening();
  noteRole(undefined);
});

const begin = async (at = "/app/stow-inventory?batch=7") => {
  const view = renderPage(<StowPage />, { at });
  await screen.findByRole("button", { name: /Attic finds/ });
  return view;
};
const field = () => screen.getByRole("combobox", { name: /number|name/i });
const card = (number = "3001") => screen.findByRole("region", { name: `Item ${number}` });
/** Takes the match without adding it. */
const TAKE = "{Shift>}{Enter}{/Shift}";
const adds = () => sent("POST /api/batchItems").map(({ body }) => body);
const counts = () => sent("POST /api/batchItems/1/count").map(({ body }) => body);
const lastAdds = () => screen.getByRole("list", { name: "Last added" });
const settle = async (number = "3001") => {
  await card(number);
  await screen.findByRole("listbox", { name: "Colours" });
  await waitFor(() => expect(screen.queryByText("Looking for a bin…")).toBeNull());
};

describe("a locked colour", () => {
  it("is the colour of the parts that follow, until it is let go", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("{ArrowDown}k{Enter}");
    expect(screen.getByRole("button", { name: /Black locked/ })).toBeVisible();
    await user.keyboard("3010{Enter}");
    await settle("3010");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: /Black locked/ }));
    await user.keyboard("3010{Enter}");
    await settle("3010");
    await user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(3));
    expect(adds()).toEqual([
      expect.objectContaining({ lot_id: 11 }),
      expect.objectContaining({ item_number: "3010", color_id: 11 }),
      expect.objectContaining({ lot_id: 20 }),
    ]);
  });

  it("holds for what is typed ahead of the server", async () => {
    clientStore.set("options.lockedColorId", 11);
    const { user } = await begin();

    await user.keyboard("3001 red{Enter}{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 11 });
  });
});

describe("the client store", () => {
  it("holds what is on the card until the page is left", async () => {
    const { user, unmount } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("4");

    await waitFor(() =>
      expect(clientStore.get("itemBeingProcessed")).toMatchObject({
        itemNumber: "3001",
        itemType: "PART",
        quantity: 4,
      }),
    );
    const processed = clientStore.get("itemBeingProcessed");
    expect(processed.lotId).not.toBeNull();
    expect(processed.locationName).toBe(processed.partDestinations[0]?.locationName);
    expect(clientStore.get("identifiedItems").map((each) => each.item_number)).toContain("3001");
    expect(clientStore.get("selectedIdentifiedItem")).toMatchObject({ number: "3001" });

    unmount();
    expect(clientStore.get("itemBeingProcessed.itemNumber")).toBe("");
    expect(clientStore.get("selectedIdentifiedItem")).toBeNull();
  });

  it("says what is known of the bin and of the sets that need it", async () => {
    const set = { user_set_id: 4, number: "10255-1", name: "Square", qty_required: 4 };
    answer("GET /api/userSets/destinations", () => ok([{ ...set, qty_on_hand: 1 }]));
    const sold = { qty_on_hand: 34, lastSold: "recent", lastSoldDate: "2026-01-20T10:00:00Z" };
    server.destinations = server.destinations.map((each, at) =>
      at === 0 ? { ...each, ...sold, lastSold: "recent" } : each,
    );
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    expect(clientStore.get("itemBeingProcessed.lastSoldDate")).toBe("2026-01-20T10:00:00Z");
    expect(screen.getByText(/Last sold/)).toHaveTextContent("Last sold recent20 Jan 2026");
    expect(screen.getByText("34 on hand")).toBeVisible();
    expect(screen.getByText("recommended")).toBeVisible();
    const sets = await screen.findByRole("region", { name: "Needed by your sets" });
    expect(sets).toHaveTextContent("1 of 4");
  });
});

describe("which colour", () => {
  const question = () => screen.findByRole("combobox", { name: "Which colour?" });
  const tiles = () =>
    within(screen.getByRole("listbox", { name: "Colours" }))
      .getAllByRole("option")
      .map((each) => each.textContent);

  it("is asked of a number alone, with pictures, and none is chosen before", async () => {
    const { user } = await begin();
    await user.keyboard("3001{Enter}");
    await waitFor(async () => expect(await question()).toHaveFocus());

    expect(tiles()).toEqual(["1Red34 owned", "2Black"]);
    expect(screen.queryByRole("option", { selected: true, name: /Red/ })).toBeNull();
    expect(screen.getByRole("button", { name: /Choose a colour/ })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.keyboard("{Enter}");
    expect(await question()).toHaveFocus();
    expect(await question()).toHaveAccessibleDescription(/Choose a colour first/);
    await user.keyboard("b");
    await waitFor(async () =>
      expect(await question()).not.toHaveAccessibleDescription(/Choose a colour first/),
    );
    expect(adds()).toEqual([]);
  });

  it.each([
    ["a half-typed name and Enter", "bl{Enter}", { lot_id: 11, qty: 1 }],
    ["a name, how many and Enter", "red 12{Enter}", { lot_id: 10, qty: 12 }],
    ["a digit, how many and Enter", "215{Enter}", { lot_id: 11, qty: 15 }],
    ["the arrows and Enter", "{ArrowRight}{ArrowRight}{Enter}", { lot_id: 11, qty: 1 }],
    ["plus and a name", "+red{Enter}", { lot_id: 10, qty: 2 }],
    ["a colour that nobody has seen it in", "dark{Enter}", { color_id: 59, qty: 1 }],
  ])("is answered by %s", async (_, keys, added) => {
    const { user } = await begin();
    await user.keyboard("3001{Enter}");
    await waitFor(async () => expect(await question()).toHaveFocus());

    for (const key of keys.match(/{\w+}|./g) ?? []) {
      await user.keyboard(key);
      // A digit may begin a scan, so it is held briefly.
      await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    }

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject(added);
  });

  it("shows the bin of a named colour before the Enter that adds", async () => {
    const { user } = await begin();
    await user.keyboard("3001{Enter}");
    await waitFor(async () => expect(await question()).toHaveFocus());

    await user.keyboard("red");

    const line = (await screen.findByText(/adds 1 Red to/)).closest("p");
    await waitFor(() => expect(line).toHaveTextContent("A-01"));
    expect(adds()).toEqual([]);

    await user.click(screen.getByRole("button", { name: "Add 1 Red" }));
    await waitFor(() => expect(adds()).toEqual([expect.objectContaining({ lot_id: 10, qty: 1 })]));
  });

  it("keeps what is typed before it is asked: a digit is how many then", async () => {
    const { user } = await begin();
    const release = server.holdSearches();
    await user.keyboard("3001{Enter}12red{Enter}3010{Enter}{Enter}");
    expect(adds()).toEqual([]);

    release();

    await waitFor(() => expect(adds()).toHaveLength(2));
    expect(adds()).toEqual([
      expect.objectContaining({ lot_id: 10, qty: 12 }),
      expect.objectContaining({ lot_id: 20, qty: 1 }),
    ]);
    expect(clientStore.get("options.stowDirectly")).toBe(false);
  });

  it("keeps the letters that follow an Enter between a commit and its effects", async () => {
    let drawAndPress = (): void => undefined;
    /** A layout effect comes after the commit and before the effects of the page in it. */
    function DrawnAgain() {
      const [drawn, setDrawn] = useState(false);
      drawAndPress = () => setDrawn(true);
      useLayoutEffect(() => {
        if (drawn) fireEvent.keyDown(field(), { key: "Enter" });
      }, [drawn]);
      return <StowPage />;
    }
    const { user } = renderPage(<DrawnAgain />, { at: "/app/stow-inventory?batch=7" });
    await screen.findByRole("button", { name: /Attic finds/ });
    const release = server.holdSearches();
    await user.keyboard("3001");

    act(() => drawAndPress());
    await user.keyboard("black{Enter}");
    release();

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 11 });
    expect(screen.queryByText(/was ignored/)).toBeNull();
  });

  it("is not asked where there is one: letters typed for it are told, no commands", async () => {
    const { user } = await begin();
    const release = server.holdSearches();
    await user.keyboard("3010{Enter}red{Enter}");
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));

    release();

    await screen.findByText(/“red” was ignored/);
    await settle("3010");
    expect(clientStore.get("options.stowDirectly")).toBe(false);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));
  });

  it("is answered by a tap, which shows the bin before anything is added", async () => {
    const { user } = await begin();
    await user.keyboard("3001");
    await card();

    await user.click(await screen.findByRole("option", { name: /Black/ }));

    await settle();
    expect(adds()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Add 1 to A-02" }));
    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 11 });
  });
});

describe("the recommended bin", () => {
  it("shows what lies in it, the largest lots as pictures", async () => {
    const brickIn = { id: 5, part_name: "Brick 2 x 4", item_number: "3001", item_type: "PART" };
    const lot = {
      ...brickIn,
      color_name: "Red",
      color_html: "#C91A09",
      image_url: "",
      quantity: 34,
    };
    answer("GET /api/inventoryItems", ({ query }) =>
      query.get("location") === "1" ? page([lot], 12) : page([]),
    );
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    const inIt = await screen.findByRole("region", { name: "In the bin" });
    expect(within(inIt).getByRole("img", { name: "Brick 2 x 4, Red" })).toBeVisible();
    expect(inIt).toHaveTextContent("34and 11 more lots");
  });
});

describe("the bulk", () => {
  it("counts what is worth no lot into one row, and takes it back", async () => {
    answer("GET /api/priceRule", () => ok([aPriceRule({ low_value: "0.5000" })]));
    clientStore.set("options.showLowValueLots", true);
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    expect(screen.getByText("below €0.50")).toBeVisible();

    await user.keyboard("12u");
    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({
      item_type: "UNSORTED_LOT",
      item_name: "Bulk pieces",
      qty: 12,
    });
    expect(within(lastAdds()).getByText("Bulk pieces")).toBeVisible();
    const counters = screen.getByLabelText("This session", { selector: "dl" });
    expect(counters).toHaveTextContent("Pieces12Lots1Bulk12");

    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(counts()).toEqual([{ change: -12 }]));
  });
});

describe("bulk that was counted long ago", () => {
  it("is gone on with, and not begun anew", async () => {
    const bulk = { item_type: "UNSORTED_LOT", item_name: "Bulk pieces", item_number: "" } as const;
    server.put({ ...bulk, lot_id: null, qty: 40 });
    for (let count = 0; count < 9; count += 1) server.put();
    const { user } = await begin();
    await waitFor(() => expect(within(lastAdds()).getAllByRole("listitem")).toHaveLength(8));

    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("3u");

    await waitFor(() => expect(counts()).toEqual([{ change: 3 }]));
    expect(adds()).toEqual([]);
  });
});

describe("a colour that is typed", () => {
  const lots = page([
    makeLot({ id: 11, color_id: 11, color_name: "Black" }),
    makeLot({ id: 12, color_id: 59, color_name: "Dark Blue" }),
    makeLot({ id: 13, color_id: 7, color_name: "Blue" }),
  ]);
  beforeEach(() => answer("GET /api/catalogLots", async () => lots.clone()));
  const nothingElse = () => {
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(clientStore.get("options.stowDirectly")).toBe(false);
  };

  it("after C is typed whole, however fast", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("cdark b{Enter}{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 12, qty: 1 });
    nothingElse();
  });

  it.each(["dbg", "DBG"])("after C may be %s, as files have it in short", async (typed) => {
    const grey = makeLot({ id: 14, color_id: 85, color_name: "Dark Bluish Gray" });
    answer("GET /api/catalogLots", () =>
      page([makeLot({ id: 11, color_id: 11, color_name: "Black" }), grey]),
    );
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard(`c${typed}{Enter}{Enter}`);

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 14, qty: 1 });
    nothingElse();
  });

  it.each([
    ["list of colours", "GET /api/catalogLots"],
    ["item", "GET /api/catalogItems"],
  ] as const)("is kept when the %s comes late, and then chosen", async (_, late) => {
    let arrive = (): void => undefined;
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    const answers = { "GET /api/catalogLots": lots, "GET /api/catalogItems": page([brick]) };
    answer(late, () => slow.then(() => answers[late].clone()));
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}cdark b{Enter}{Enter}`);
    // Longer than letters are held as the possible start of a scan.
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
    expect(adds()).toEqual([]);
    act(() => arrive());

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 12, qty: 1 });
    nothingElse();
  });

  it("says what it did not use where the colours cannot be read", async () => {
    let arrive = (): void => undefined;
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    answer("GET /api/catalogLots", () => slow.then(() => refusal(400, "NOT_NOW", "Not now")));
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}cblue`);
    await card();
    act(() => arrive());

    await screen.findByText("“blue” was ignored: nothing was open to type it into");
    expect(adds()).toEqual([]);
    nothingElse();
  });

  it("in part with the number and means several, is asked for and not guessed", async () => {
    answer("GET /api/catalogItems", () => page([{ ...brick, color_text: "blu" }]));
    const { user } = await begin();
    await user.keyboard("3001 blu{Enter}");
    await screen.findByText(/“blu” may mean several colours/);
    const question = screen.getByRole("combobox", { name: "Which colour?" });
    await waitFor(() => expect(question).toHaveFocus());
    const colours = within(screen.getByRole("listbox", { name: "Colours" }));
    expect(colours.getAllByRole("option").map((each) => each.textContent)).toEqual([
      expect.stringMatching(/^1Blue/),
      expect.stringMatching(/^2Dark Blue/),
    ]);

    await user.keyboard("{Enter}");
    expect(adds()).toEqual([]);
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 12 });
  });

  it("that comes back as a question leaves the next digit to be how many", async () => {
    const release = server.holdSearches();
    const { user } = await begin();
    answer("GET /api/catalogItems", () => page([{ ...brick, color_text: "blu" }]));
    await user.keyboard("3001 blu{Enter}");
    release();
    await screen.findByText(/“blu” may mean several colours/);
    await waitFor(() =>
      expect(screen.getByRole("combobox", { name: "Which colour?" })).toHaveFocus(),
    );

    await user.keyboard("15{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ qty: 5 });
  });

  it("in part and typed ahead is given back, not guessed", async () => {
    let arrive = (): void => undefined;
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    answer("GET /api/catalogItems", () => slow.then(() => page([{ ...brick, color_text: "blu" }])));
    const { user } = await begin();

    await user.keyboard("3001 blu{Enter}30");
    act(() => arrive());

    await within(lastAdds()).findByText(/“blu” may mean several colours of 3001: choose one/);
    expect(adds()).toEqual([]);
    await user.click(within(lastAdds()).getByRole("button", { name: "Change it" }));
    expect(field()).toHaveValue("3001 blu");
  });
});

describe("what is typed while a dialog opens", () => {
  it("goes to it, and Enter waits for what it finds", async () => {
    answer("GET /api/batches", ({ query }) =>
      page(server.batches.filter(({ name }) => name.includes(query.get("search") ?? ""))),
    );
    const { user } = await begin();

    await user.keyboard("{Alt>}b{/Alt}Loft{Enter}");

    await screen.findByRole("button", { name: /Loft/ });
    expect(sent("POST /api/batches").map(({ body }) => body)).toEqual([{ name: "Loft" }]);
    expect(field()).toHaveValue("");
  });
});

describe("what is looked for", () => {
  it("gives the focus back once it is chosen by pointer, and keeps it for arrow keys", async () => {
    const { user } = await begin();
    await user.click(screen.getByRole("button", { name: "Camera settings" }));
    const lookFor = await screen.findByRole("combobox", { name: "Look for" });

    await user.selectOptions(lookFor, "Minifig");
    await waitFor(() => expect(field()).toHaveFocus());

    await user.click(screen.getByRole("button", { name: "Camera settings" }));
    const again = await screen.findByRole("combobox", { name: "Look for" });
    act(() => again.focus());
    fireEvent.keyDown(again, { key: "ArrowDown" });
    fireEvent.change(again, { target: { value: "SET" } });
    expect(again).toHaveFocus();
  });
});

describe("a bin that never held the part", () => {
  it("says neither that it holds none nor that its last sale is unknown", async () => {
    server.destinations = [makeDestination({ id: 2, name: "A-02", recommended: true })];
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    expect(await screen.findByText("A-02")).toBeVisible();
    expect(screen.queryByText(/on hand/)).toBeNull();
    expect(screen.queryByText(/Last sold/)).toBeNull();
  });
});

describe("a key that is held", () => {
  it("counts one piece as bulk, and goes on changing the quantity", async () => {
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{+>3/}{u>4/}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ item_name: "Bulk pieces", qty: 4 });
    await act(async () => {});
    expect(counts()).toEqual([]);
  });
});

describe("a double click", () => {
  it("on the button takes the match and adds nothing unseen", async () => {
    const { user } = await begin();
    await user.keyboard("3001");
    await user.dblClick(await screen.findByRole("button", { name: "Use this part" }));
    await settle();

    expect(adds()).toEqual([]);
    expect(await card()).toBeVisible();
  });

  it("on Undo takes back one act", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");
    await user.keyboard("3010{Enter}");
    await settle("3010");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.items).toHaveLength(2));

    await user.dblClick(screen.getByRole("button", { name: "Undo" }));

    await waitFor(() => expect(server.items).toHaveLength(1));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(server.items).toEqual([]));
  });

  it("on a new batch makes one", async () => {
    const { user } = await begin();
    await user.keyboard("{Alt>}b{/Alt}");
    await user.type(await screen.findByRole("combobox", { name: "Find or name a batch" }), "Loft");

    await user.dblClick(await screen.findByRole("option", { name: /New batch/ }));

    await screen.findByRole("button", { name: /Loft/ });
    expect(sent("POST /api/batches")).toHaveLength(1);
  });
});

describe("batches that cannot be read", () => {
  const down = () => refusal(400, "API_ERROR", "The list is not to be had now.");

  it("are no reason to make one", async () => {
    answer("GET /api/batches", down);
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    expect(await screen.findByText("Your batches could not be read")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Make batch" })).toBeNull();

    await user.keyboard("{Alt>}b{/Alt}Attic");
    await screen.findByRole("dialog", { name: "Which batch?" });
    await screen.findAllByText("The list is not to be had now.");
    expect(screen.queryByRole("option", { name: /New batch/ })).toBeNull();
    await user.keyboard("{Escape}");

    answer("GET /api/batches", () => page(server.batches));
    expect(field()).toHaveValue("");
    await user.click(screen.getByRole("button", { name: "Try again" }));

    await screen.findByRole("button", { name: /Attic finds/ });
    expect(sent("POST /api/batches")).toEqual([]);
  });

  it("nor is the one of the address, unless it is gone", async () => {
    answer("GET /api/batches/7", down);
    renderPage(<StowPage />, { at: "/app/stow-inventory?batch=7" });

    expect(await screen.findByText("Your batches could not be read")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Make batch" })).toBeNull();
  });
});

describe("a batch that is still being fetched", () => {
  it("gets what was accepted before it was there, as it was then", async () => {
    let arrive = (): void => undefined;
    const batch = server.batches[0];
    answer(
      "GET /api/batches/7",
      () => new Promise((resolve) => (arrive = () => resolve(ok([batch])))),
    );
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory?batch=7" });
    await waitFor(() => expect(field()).toHaveFocus());
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("{Enter}5");
    expect(screen.queryByRole("dialog")).toBeNull();
    act(() => arrive());

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ batch_id: 7, lot_id: 10, qty: 1 });
  });

  it("gets nothing of another number than Enter named: that stays on the card", async () => {
    let arrive = (): void => undefined;
    const batch = server.batches[0];
    answer(
      "GET /api/batches/7",
      () => new Promise((resolve) => (arrive = () => resolve(ok([batch])))),
    );
    answer("GET /api/catalogItems", () =>
      page([{ ...brick, item_number: "3001old", color_id: 5, score: 1 }]),
    );
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory?batch=7" });
    await waitFor(() => expect(field()).toHaveFocus());

    await user.keyboard("3001 red{Enter}");
    await screen.findByRole("region", { name: "Item 3001old" });
    act(() => arrive());

    await screen.findByRole("button", { name: /Attic finds/ });
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
    expect(adds()).toEqual([]);
    expect(screen.getByRole("region", { name: "Item 3001old" })).toBeVisible();
  });
});

describe("the station, by keyboard", () => {
  it("adds by number and colour with two keys beside them, and is ready for the next", async () => {
    const { user } = await begin();
    const keys = [..."3001", "{Enter}", ..."red", "{Enter}"];

    for (const key of keys) await user.keyboard(key);

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toEqual({
      batch_id: 7,
      lot_id: 10,
      qty: 1,
      condition: "U",
      price: "0.1200",
      user_inventory_item_location_id: 1,
      top_up: true,
    });
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue("");
  });

  it("adds what is on the card with one key, and its button says so", async () => {
    const { user } = await begin();
    await user.keyboard("3001 red");
    await settle();

    expect(screen.getByRole("button", { name: "Add 1 to A-01" })).toBeVisible();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 10, user_inventory_item_location_id: 1 });
  });

  it.each([
    ["several items", [brick, { ...brick, id: 3, item_type: "GEAR" as const }]],
    ["another number", [{ ...brick, item_number: "3001old" }]],
    ["words that are no colour", [{ ...brick, color_id: null }]],
  ])("takes the match where a number and words may mean %s", async (_, found) => {
    answer("GET /api/catalogItems", () =>
      page(found.map((item) => ({ color_id: 5, ...item, score: 1 }))),
    );
    const { user } = await begin();

    await user.keyboard("3001 red{Enter}");

    await screen.findByRole("region", { name: `Item ${found[0]?.item_number}` });
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
    expect(adds()).toEqual([]);
    expect(screen.queryByText(/may mean several/)).toBeNull();
  });

  it("says what to try where nothing has the number", async () => {
    const { user } = await begin();

    await user.keyboard("zzz999 red{Enter}");

    expect(await screen.findByRole("dialog")).toHaveTextContent("zzz999 red");
    expect(adds()).toEqual([]);
  });

  it("adds what was typed ahead in its order, without a look at the page", async () => {
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}12{ArrowDown}{Enter}3010{Enter}{Enter}`);

    await waitFor(() => expect(adds()).toHaveLength(2));
    expect(adds()).toEqual([
      expect.objectContaining({ lot_id: 11, qty: 12, price: "0.0900" }),
      expect.objectContaining({ lot_id: 20, qty: 1 }),
    ]);
  });

  it("shows at once what is still looked up, and changes it with + and undo", async () => {
    const { user } = await begin();
    const release = server.holdSearches();

    await user.keyboard("3001 red{Enter}++3010 red{Enter}");
    const waiting = within(lastAdds())
      .getAllByRole("listitem")
      .map((each) => each.textContent);
    await user.keyboard("{Control>}z{/Control}");
    release();

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(waiting).toEqual(["1 3010 redbeing looked up", "3 3001 redbeing looked up"]);
    expect(adds()[0]).toMatchObject({ lot_id: 10, qty: 3 });
    await within(lastAdds()).findByText("Red");
    expect(within(lastAdds()).getAllByRole("listitem")).toHaveLength(1);
  });

  it("gives back what was typed ahead and is nothing", async () => {
    const { user } = await begin();

    const release = server.holdSearches();
    await user.keyboard(`zzz999 red{Enter}3001 red${TAKE}`);
    release();
    await settle();
    await user.keyboard("{Enter}");
    const refused = await within(lastAdds()).findByText("Nothing matches “zzz999 red”.");
    await user.click(within(lastAdds()).getByRole("button", { name: "Change it" }));

    expect(refused).not.toBeInTheDocument();
    expect(field()).toHaveValue("zzz999 red");
    await waitFor(() => expect(adds()).toHaveLength(1));
  });

  it("searches once, when typing rests", async () => {
    const { user } = await begin();

    await user.keyboard("brick");
    await card();

    const searches = sent("GET /api/catalogItems").map(({ query }) => query.get("search"));
    expect(searches).toEqual(["brick"]);
  });

  it("shows nothing of the last search once something else is typed", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");
    const release = server.holdSearches();

    await user.keyboard("3010");
    const seen = screen.queryByRole("region", { name: /^Item/ });
    release();

    expect(seen).toBeNull();
    expect(await card("3010")).toBeVisible();
  });

  it("puts what the person owns first and chooses colours with the arrows", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    const colors = screen.getByRole("listbox", { name: "Colours" });
    const first = within(colors).getByRole("option", { selected: true });

    await user.keyboard("{ArrowDown}");

    expect(first).toHaveTextContent("Red");
    expect(first).toHaveTextContent("34 owned");
    expect(within(colors).getByRole("option", { selected: true })).toHaveTextContent("Black");
  });

  it("filters colours by typing, those the item is not known in after the known ones", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("cred");
    const options = within(screen.getByRole("listbox", { name: "Colours" })).getAllByRole("option");
    await user.keyboard("{ArrowDown}{Enter}{Enter}");

    expect(options.map((each) => each.textContent)).toEqual([
      expect.stringMatching(/^Red.*€0.12/),
      "Dark Rednot known in it",
    ]);
    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ item_number: "3001", item_type: "PART", color_id: 59 });
  });

  it("hides colours of low value, says how many, and finds them all the same by typing", async () => {
    answer("GET /api/priceRule", () => ok([aPriceRule({ low_value: "0.1000" })]));
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    const colors = screen.getByRole("listbox", { name: "Colours" });
    const names = () => within(colors).getAllByRole("option").length;
    const before = names();

    await user.keyboard("cbla");
    const typed = within(colors).getByRole("option").textContent;
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Show" }));

    expect(before).toBe(1);
    expect(typed).toMatch(/^Black.*€0.09/);
    expect(names()).toBe(2);
    expect(clientStore.get("options.showLowValueLots")).toBe(true);
  });

  it("asks for a colour with all of them, however little each is worth", async () => {
    answer("GET /api/priceRule", () => ok([aPriceRule({ low_value: "0.1000" })]));
    const { user } = await begin();
    await user.keyboard("3001{Enter}");
    await settle();
    const asked = screen.getByRole("region", { name: "Which colour?" });

    expect(within(asked).getAllByRole("option")).toHaveLength(2);
    expect(within(asked).queryByText(/hidden/)).toBeNull();
  });

  it("hides the colours that the batch has and marks what is owned, as the options say", async () => {
    clientStore.set("options.hideExistingBatchItemLots", true);
    clientStore.set("options.highlight", true);
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}3001{Enter}");
    await screen.findByRole("heading", { name: "Which colour?" });

    const colors = screen.getByRole("listbox", { name: "Colours" });
    expect(within(colors).getByRole("option")).toHaveTextContent(/^1Black/);
    expect(screen.getByText("1 existing lot hidden")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Show" }));
    expect(within(colors).getAllByRole("option")[0]).toHaveTextContent(
      /^in my inventoryin this batch1Red/,
    );
  });

  it("says what the price goes by and what the lot sells for", async () => {
    const figures = { used_global_avg_sold_price: "0.1100", used_global_sell_through: "1.4200" };
    const lot = makeLot({ id: 10, suggested_price: "0.1300", suggested_basis: "sold", ...figures });
    answer("GET /api/catalogLots", () => page([lot]));
    answer("GET /api/priceRule", () => ok([aPriceRule({ percent: "20.00" })]));
    const { user } = await begin();

    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    expect(screen.getByRole("textbox", { name: /^Price/ })).toHaveValue("0.13");
    expect(screen.getByText("average sold price +20 %")).toBeVisible();
    expect(screen.getByText("sells €0.11 · sell-through 1.4")).toBeVisible();
  });

  it("takes another match by its number or the arrows", async () => {
    const { user } = await begin();
    await user.keyboard("brick");
    await card("3001");

    await user.keyboard("{ArrowRight}");
    await card("3010");
    await user.keyboard("{ArrowLeft}");
    await card("3001");
    await user.keyboard("{Alt>}2{/Alt}");

    expect(document.activeElement).toContainElement(await card("3010"));
  });

  it("changes the last one with + and -, down to none, with undo and redo", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.items).toHaveLength(1));

    await user.keyboard("+");
    await waitFor(() => expect(server.items[0]?.qty).toBe(2));
    await user.keyboard("-");
    await waitFor(() => expect(server.items[0]?.qty).toBe(1));
    await user.keyboard("-");
    await waitFor(() => expect(server.items).toHaveLength(0));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(server.items).toHaveLength(1));
    await user.keyboard("{Control>}{Shift>}Z{/Shift}{/Control}");
    await waitFor(() => expect(server.items).toHaveLength(0));
  });

  it("leaves letters, digits and signs to the text while typing", async () => {
    const { user } = await begin();

    await user.keyboard("bl-+.?9");

    expect(field()).toHaveValue("bl-+.?9");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("sums up in one line what one sheet sets for the session", async () => {
    const { user } = await begin();

    await user.click(screen.getByRole("button", { name: /^Batch .*: used · put away later/ }));
    const sheet = await screen.findByRole("dialog", { name: "This session" });
    for (const name of ["New", "Stow at once", "Off"]) {
      await user.click(within(sheet).getByRole("radio", { name }));
    }
    await user.click(within(sheet).getByRole("button", { name: "Done" }));

    const line = /: new · stowed at once · not listed · sounds off$/;
    expect(await screen.findByRole("button", { name: line })).toBeVisible();
  });

  it("opens the sheet of keys and gives the keyboard back", async () => {
    const { user } = await begin();

    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keys of the station" });
    await user.keyboard("{Escape}");

    expect(sheet).not.toBeInTheDocument();
    await waitFor(() => expect(field()).toHaveFocus());
  });

  it("clears first, then leaves for home", async () => {
    const { user, router } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("{Escape}");
    const where = router.state.location.pathname;
    await waitFor(() => expect(field()).toHaveFocus());
    await user.keyboard("{Escape}");

    expect(where).toBe("/app/stow-inventory");
    expect(router.state.location.pathname).toBe("/app/home");
  });

  it("says on leaving what the sitting brought", async () => {
    const { user, router } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("5{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));

    await user.keyboard("{Escape}");
    const summary = await screen.findByRole("dialog", { name: "This session" });
    const where = router.state.location.pathname;
    expect(summary).toHaveTextContent("Pieces5");
    expect(summary).toHaveTextContent("Value€0.60");
    expect(within(summary).getByRole("button", { name: "Keep sorting" })).toHaveFocus();
    expect(within(summary).getByRole("link", { name: "Put away 5 pieces" })).toHaveAttribute(
      "href",
      expect.stringMatching(/batch=\d+&walk=1$/),
    );
    await user.click(within(summary).getByRole("button", { name: "Leave" }));

    expect(where).toBe("/app/stow-inventory");
    expect(router.state.location.pathname).toBe("/app/home");
  });

  it("takes the price that was typed", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("p0,25{Enter}{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ price: "0.25" });
  });
});

describe("the station's bin", () => {
  it("is named with its reason, its fill and what lies there", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    expect(await screen.findByText("A-01", { selector: "p span" })).toHaveStyle({
      fontSize: "clamp(max(96px, 6rem), 37.9cqi, 18rem)",
    });
    expect(screen.getByText("same lot and condition: 34 here, 83 % full")).toBeVisible();
    expect(screen.getByText("recent", { exact: true })).toBeVisible();
    expect(screen.getByRole("meter", { name: "Pieces in the bin" })).toHaveAttribute(
      "aria-valuetext",
      "50 of 60",
    );
    const stock = screen.getByRole("region", { name: "In stock" });
    expect(stock).toHaveTextContent("34");
    expect(stock).toHaveTextContent("A-01");
  });

  it("says by how much the pieces are too many, also for a bin that nothing recommends", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("l");
    await screen.findByRole("dialog", { name: "Another bin" });
    await user.keyboard("a-01{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    server.destinations = server.destinations.slice(1);
    await user.keyboard("12");

    expect(await screen.findByText(/It takes 10 more: 2 too many/)).toBeVisible();
    expect(screen.getByText("chosen by you")).toBeVisible();
  });

  it("changes with L and a digit", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("l");
    await screen.findByRole("dialog", { name: "Another bin" });
    await user.keyboard("8");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ user_inventory_item_location_id: 3 });
  });

  it("can be made on the spot", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();

    await user.keyboard("l");
    await screen.findByRole("dialog", { name: "Another bin" });
    await user.keyboard("Z-09");
    await user.click(await screen.findByRole("option", { name: /New bin “Z-09”/ }));
    await user.click(await screen.findByRole("button", { name: "Add location" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ user_inventory_item_location_id: 90 });
  });

  it("is offered again for the same lot, and another one for the next", async () => {
    server.destinations = server.destinations.slice(1).map((each, index) => ({
      ...each,
      recommended: index === 0,
    }));
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");
    await user.keyboard("3010{Enter}");
    await settle("3010");
    await user.keyboard("{Enter}");
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(counts()).toEqual([{ change: 1 }]));
    const bins = adds().map(
      (body) => (body as Record<string, unknown>).user_inventory_item_location_id,
    );
    expect(bins).toEqual([2, 3]);
  });
});

describe("the station, stowing at once", () => {
  const direct = () => clientStore.set("options.stowDirectly", true);

  it("adds and stows with one Enter", async () => {
    direct();
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(server.items[0]?.is_stowed).toBe(true));
    expect(await within(lastAdds()).findByText(/stowed/)).toBeVisible();
  });

  it.each([
    [false, undefined],
    [true, true],
  ])("lists with it what is stowed where listing is on: %s", async (on, list) => {
    direct();
    clientStore.set("options.listWithStow", on);
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(server.items[0]?.is_stowed).toBe(true));
    const bodies = sent("POST /api/batches/7/stow").map(({ body }) => body);
    expect(bodies).toEqual([expect.objectContaining({ items: [expect.any(Number)] })]);
    expect(bodies.map((body) => (body as { list?: boolean }).list)).toEqual([list]);
  });
});

describe("a quantity that no bin takes whole", () => {
  it("is split over two when it turns out while stowing", async () => {
    clientStore.set("options.stowDirectly", true);
    server.refuseStowing(1);
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("12{Enter}");
    await user.click(await screen.findByRole("button", { name: "Split or stow anyway…" }));

    await user.click(await screen.findByRole("button", { name: "Split over both" }));

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(2));
    expect(counts()).toEqual([{ change: -2 }]);
    expect(sent("POST /api/batchItems").at(-1)?.body).toMatchObject({
      qty: 2,
      user_inventory_item_location_id: 1,
    });
  });

  const halves = [
    expect.objectContaining({ qty: 8, user_inventory_item_location_id: 2 }),
    expect.objectContaining({ qty: 25, user_inventory_item_location_id: 3 }),
  ];
  /** Two bins have room for a part of it, the first for 8. */
  const narrow = () => {
    const one = server.destinations.slice(1).map((each, index) => ({
      ...each,
      available_item_count: [8, 30][index] ?? 0,
      max_item_count: 40,
    }));
    answer("GET /api/inventoryItems/destinations", ({ query }) =>
      ok(Number(query.get("quantity")) > 1 ? [] : one),
    );
  };

  it("is proposed for two, and Enter adds both", async () => {
    const { user } = await begin();
    narrow();
    await user.keyboard("3010{Enter}");
    await screen.findByRole("region", { name: "Item 3010" });

    await user.keyboard("33");
    expect(await screen.findByText("8 pieces into")).toBeVisible();
    expect(screen.getByText("25 pieces into")).toBeVisible();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(2));
    expect(sent("POST /api/batchItems").map(({ body }) => body)).toEqual(halves);
  });

  it("goes into two when it was typed ahead, as from the card", async () => {
    const { user } = await begin();
    narrow();
    const release = server.holdSearches();
    await user.keyboard("3001 red 33{Enter}");
    expect(adds()).toEqual([]);

    release();

    await waitFor(() => expect(adds()).toHaveLength(2));
    expect(adds()).toEqual(halves);
  });
});

describe("the station, when something is missing", () => {
  it.each([
    ["zzz999", "F3", /^No item has this number/],
    ["qqqqqq", "F4", /^No item has this name/],
    ["qqqqqq", "F2", /^No item has this name/],
    ["zzz999", "F2", /^No item has this number/],
  ])("opens the dialog for %s searched with %s", async (text, key, advice) => {
    const { user } = await begin();

    await user.keyboard(`{${key}}${text}{Enter}`);

    const dialog = await screen.findByRole("dialog", { name: `Item not found: “${text}”` });
    expect(dialog).toHaveAccessibleDescription(advice);
    await user.click(screen.getByRole("button", { name: "Change what I typed" }));
    await waitFor(() => expect(field()).toHaveFocus());
    expect(field()).toHaveValue(text);
  });

  it("says of the camera what is true", async () => {
    const { user } = await begin();

    await user.keyboard("{F2}");

    expect(await screen.findByText("The camera needs HTTPS")).toBeVisible();
    expect(field()).toBeVisible();
  });

  it("makes the first batch and the first bins with the Enter of the first part", async () => {
    server.batches = [];
    server.destinations = [];
    answer("GET /api/inventoryLocations", () => page([]));
    answer("POST /api/inventoryLocations/pattern", () => ok([{ ids: [1, 2], count: 12 }]));
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    const drawers = await screen.findByRole("textbox", { name: "Drawers" });
    expect(drawers).toHaveAccessibleDescription("A-01 to A-24");
    await user.clear(drawers);
    await user.type(drawers, "12");

    await user.type(field(), "3001 red");
    expect(await screen.findByText("Your first part goes into")).toBeVisible();
    expect(screen.getByText("A-01", { selector: "p span" })).toBeVisible();
    expect(screen.queryByText("No bin yet")).toBeNull();
    await user.keyboard("{Enter}");
    await settle();
    await user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ batch_id: 8, lot_id: 10 });
    expect(sent("POST /api/batches").map(({ body }) => body)).toEqual([
      { name: expect.stringMatching(/^Sorting/) },
    ]);
    expect(sent("POST /api/inventoryLocations/pattern").map(({ body }) => body)).toEqual([
      { pattern: "A-[01-12]", inventory_container_type_id: null, dry_run: false },
    ]);
  });

  it("makes them for who typed before it was known that there are none", async () => {
    server.batches = [];
    answer("GET /api/inventoryLocations", () => page([]));
    answer("POST /api/inventoryLocations/pattern", () => ok([{ ids: [1, 2], count: 24 }]));
    let tell = () => {};
    const known = new Promise<void>((resolve) => {
      tell = resolve;
    });
    answer("GET /api/batches", async () => {
      await known;
      return page(server.batches);
    });
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    await screen.findByRole("combobox", { name: "Number or name" });
    await user.type(field(), "3001 red{Enter}");

    tell();

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(sent("POST /api/batches")).toHaveLength(1);
  });

  it("takes the batch that another tab made meanwhile", async () => {
    const there = server.batches;
    server.batches = [];
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    await screen.findByRole("textbox", { name: "Name of the batch" });
    server.batches = there;

    await user.type(field(), "3001 red{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ batch_id: 7 });
    expect(sent("POST /api/batches")).toEqual([]);
  });

  it("keeps the part where the batch cannot be made, and says why", async () => {
    server.batches = [];
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    await screen.findByRole("textbox", { name: "Name of the batch" });
    answer("POST /api/batches", () => refusal(400, "API_ERROR", "Not now."));

    await user.type(field(), "3001 red{Enter}");

    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(await card()).toBeVisible();
    expect(adds()).toEqual([]);
  });

  it("makes the first batch where it is missed", async () => {
    server.batches = [];
    const { user } = renderPage(<StowPage />, { at: "/app/stow-inventory" });
    const name = await screen.findByRole("textbox", { name: "Name of the batch" });

    await user.clear(name);
    await user.type(name, "Evening{Enter}");

    expect(await screen.findByRole("button", { name: /Evening/ })).toBeVisible();
    await waitFor(() => expect(field()).toBeVisible());
  });

  it("asks for a batch that is archived", async () => {
    answer("GET /api/batches/7", () => page7({ is_archived: true }));
    renderPage(<StowPage />, { at: "/app/stow-inventory?batch=7" });

    expect(await screen.findByText(/is archived: nothing can be added/)).toBeVisible();
  });

  it("keeps a refused add in sight with its reason", async () => {
    answer("POST /api/batchItems", () => refusal(400, "VALIDATION_ERROR", "The batch is gone."));
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");

    expect(await within(lastAdds()).findByText("The batch is gone.")).toBeVisible();
    server.install();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(server.items).toHaveLength(1));
    expect(screen.queryByText("The batch is gone.")).toBeNull();
  });

  it("shows what could not be sent, and sends it when the line is back", async () => {
    answer("POST /api/batchItems", offline);
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");

    expect(await screen.findAllByText("1 unsent")).not.toHaveLength(0);
    server.install();
    await waitFor(() => expect(server.items).toHaveLength(1));
    const keys = sent("POST /api/batchItems").map(({ headers }) => headers["Idempotency-Key"]);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("the station without a connection", () => {
  it("keeps what cannot be looked up and adds it when the line is back", async () => {
    const { user } = await begin();
    answer("GET /api/catalogItems", offline);
    await user.keyboard(`3001 red${TAKE}4{Enter}`);
    await within(lastAdds()).findByText("no connection, looked up by itself later");

    server.install();
    act(() => void window.dispatchEvent(new Event("online")));

    await waitFor(() => expect(server.items).toHaveLength(1));
    expect(server.items[0]).toMatchObject({ lot_id: 10, qty: 4 });
  });

  it("adds all that could not be looked up once the line is back, not only the first", async () => {
    const { user } = await begin();
    answer("GET /api/catalogItems", offline);
    await user.keyboard(`3001 red${TAKE}4{Enter}3010 red{Enter}`);
    const searches = (text: string) =>
      sent("GET /api/catalogItems").filter(({ query }) => query.get("search") === text);
    // Each is tried twice.
    await waitFor(() => expect(searches("3010 red")).toHaveLength(2));
    await within(lastAdds()).findAllByText(/^no connection/);

    server.install();
    act(() => void window.dispatchEvent(new Event("online")));

    await waitFor(() => expect(server.items).toHaveLength(2));
  });

  it("shows as the last one what + and - change, and adds in the order of typing", async () => {
    server.put();
    const { user } = await begin();
    const last = () => screen.findByRole("region", { name: "Last batch item added" });
    await screen.findByRole("list", { name: "Last added" });
    answer("GET /api/catalogItems", offline);
    await user.keyboard(`3001 red${TAKE}4{Enter}3010 red{Enter}`);
    await waitFor(() => expect(within(lastAdds()).getAllByText(/^no connection/)).toHaveLength(2));

    await user.keyboard("+");

    expect(await last()).toHaveTextContent("2 ×3010 red");
    expect(screen.getByText("The bin of 3010 red is not known yet.")).toBeVisible();
    server.install();
    act(() => void window.dispatchEvent(new Event("online")));
    await waitFor(() => expect(server.items).toHaveLength(3));
    expect(server.items.slice(1).map(({ lot_id }) => lot_id)).toEqual([10, 20]);
  });
});

it("shows how it goes to whoever added nothing in this browser, whatever is in the batch", async () => {
  clientStore.clear("lastBatchItemAdded");
  server.put();
  const { user } = await begin();
  await screen.findByRole("list", { name: "Last added" });
  expect(screen.getByRole("region", { name: "How it works" })).toBeVisible();

  await user.keyboard("3001 red{Enter}");

  await waitFor(() => expect(screen.queryByRole("region", { name: "How it works" })).toBeNull());
});

describe("what was added", () => {
  it("can be taken back row by row", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}`);
    await settle();
    await user.keyboard("{Enter}");
    await user.keyboard("3010{Enter}");
    await settle("3010");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.items).toHaveLength(2));

    await user.click(screen.getByRole("button", { name: "Undo 3001 Red" }));

    await waitFor(() => expect(server.items.map((item) => item.item_number)).toEqual(["3010"]));
    expect(within(lastAdds()).queryByText("3001")).toBeNull();
  });

  it("is counted and spoken", async () => {
    const { user } = await begin();
    await user.keyboard(`3001 red${TAKE}3`);
    await settle();
    const spoken = await screen.findByText(
      "3001, Brick 2 x 4, Red, 34 owned. Bin A-01, same lot and condition: 34 here, 83 % full.",
    );
    expect(spoken).toHaveAttribute("role", "status");
    await user.keyboard("{Enter}");

    expect(await screen.findByText("Added 3 3001 Red for A-01.")).toHaveAttribute("role", "status");
    const counters = screen.getByRole("region", { name: "This session" });
    expect(counters).toHaveTextContent("Pieces3");
    expect(counters).toHaveTextContent("Lots1");
    expect(counters).toHaveTextContent("Value€0.36");
  });
});

function page7(changes: object): Response {
  const [batch] = server.batches;
  return new Response(
    JSON.stringify({ success: true, data: [{ ...batch, ...changes }], meta: {} }),
    { status: 200 },
  );
}

it("asks for no set where the role reaches none", async () => {
  noteRole({ refuses: ["read userSetParts", "read userSets/destinations"] });
  clientStore.set("options.highlight", true);
  const { user } = await begin();

  await user.keyboard(`3001 red${TAKE}`);
  await settle();

  expect(sent("GET /api/userSetParts")).toEqual([]);
  expect(sent("GET /api/userSets/destinations")).toEqual([]);
});
