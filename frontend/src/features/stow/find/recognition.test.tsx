import { act, renderHook, screen, waitFor, within } from "@testing-library/react";
import { makeCandidate } from "@/features/recognition/testing/builders";
import { setNumberLanguage } from "@/shared/lib/numbers";
import { KeptRequests } from "@/shared/outbox/keptRequests";
import { deliverCard, deliverScan, useUnclaimedCards } from "@/shared/scanner/scans";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { testPerson } from "@/shared/testing/rendering";
import { answer, installServer, never, ok, page, refusal, sent } from "@/shared/testing/server";
import { StowPage } from "../StowPage";
import { sitting } from "../session/sitting";
import { stopwatch } from "../session/stopwatch";
import { StationServer } from "../testing/stationServer";

const red = makeCandidate({ id: 1, item_id: 1, color_id: 5 });
const narrow = makeCandidate({
  id: 2,
  item_id: 2,
  item_number: "3010",
  item_name: "Brick 1 x 4",
  score: 0.7,
});

beforeEach(() => {
  installServer();
  reloadClientState();
  sitting.forget();
  stopwatch.forget();
  new StationServer().install();
  answer("GET /api/userSets/destinations", () => ok([]));
  answer("POST /api/stationSittings", () => ok([]));
});

const begin = async () => {
  const view = renderPage(<StowPage />, { at: "/app/stow-inventory?batch=7" });
  await screen.findByRole("button", { name: /Attic finds/ });
  await screen.findByRole("region", { name: "Camera" });
  return view;
};
type View = Awaited<ReturnType<typeof begin>>;
const sees = (...candidates: object[]) =>
  answer("POST /api/recognition/identify", () => ok(candidates));
const showPicture = ({ user }: View) =>
  user.upload(
    screen.getByLabelText("Picture of an item"),
    new File(["a picture"], "part.jpg", { type: "image/jpeg" }),
  );
const card = (number = "3001") => screen.findByRole("region", { name: `Item ${number}` });
const settle = async (number = "3001") => {
  await card(number);
  await screen.findByRole("listbox", { name: "Colours" });
  await waitFor(() => expect(screen.queryByText("Looking for a bin…")).toBeNull());
};
const adds = () => sent("POST /api/batchItems").map(({ body }) => body);

describe("a camera that is on", () => {
  const track = { addEventListener: () => undefined, stop: () => undefined };
  const stream = { getTracks: () => [track], getVideoTracks: () => [track] };
  beforeEach(() => {
    HTMLMediaElement.prototype.play = () => Promise.resolve();
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: { getUserMedia: async () => stream, enumerateDevices: async () => [] },
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, "mediaDevices");
    Reflect.deleteProperty(globalThis, "Worker");
  });

  /** The worker that watches its picture; `onerror` is what the browser calls where it fails. */
  function watching() {
    const workers: { onerror?: (event: Event) => void }[] = [];
    class Watching {
      onerror?: (event: Event) => void;
      constructor() {
        workers.push(this);
      }
      postMessage() {}
      terminate() {}
    }
    Object.assign(globalThis, { Worker: Watching });
    return workers;
  }
  const NOTICE = "The camera does not capture by itself";

  it("says that it does not capture by itself once what watches it did not load", async () => {
    const workers = watching();
    await begin();
    expect(await screen.findByRole("button", { name: /^Capture/ })).toBeVisible();
    expect(screen.queryByText(NOTICE)).toBeNull();

    act(() => workers.at(-1)?.onerror?.(new Event("error", { cancelable: true })));

    expect(screen.getByText(NOTICE)).toBeVisible();
  });

  it("says so no longer while it is held", async () => {
    const workers = watching();
    const { user } = await begin();
    await screen.findByRole("button", { name: /^Capture/ });
    act(() => workers.at(-1)?.onerror?.(new Event("error", { cancelable: true })));

    await user.click(screen.getByRole("button", { name: "Hold the camera" }));

    expect(screen.queryByText(NOTICE)).toBeNull();
  });
});

describe("a picture at the station", () => {
  it("costs one key when the first guess is right: part, colour and bin are there", async () => {
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 10, qty: 1, user_inventory_item_location_id: 1 });
    expect(stopwatch.store.getState()).toMatchObject({ keys: 1, adds: 1, captures: 1 });
  });

  it("costs two when the second guess is right", async () => {
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard("{ArrowRight}");
    await settle("3010");
    await view.user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 20 });
    expect(stopwatch.store.getState().keys).toBe(2);
  });

  it.each([
    ["NOTHING", "No part seen. Put one part on the empty ground."],
    ["UNSURE", "Not sure: turn it"],
  ] as const)("chooses no row where what it shows is %s, and says so", async (presence, words) => {
    sees({ ...red, presence }, { ...narrow, presence });
    const view = await begin();
    await showPicture(view);
    const rows = await screen.findAllByRole("option");

    await view.user.keyboard("{Enter}{Enter}");

    expect(screen.getByText(words)).toBeVisible();
    expect(rows.map((row) => row.getAttribute("aria-selected"))).toEqual(["false", "false"]);
    expect(screen.queryByRole("region", { name: /^Item/ })).toBeNull();
    expect(adds()).toEqual([]);
  });

  it.each([
    ["the arrow", "{ArrowRight}", "3001", 10],
    ["the arrow back", "{ArrowLeft}", "3010", 20],
    ["its number", "{Alt>}2{/Alt}", "3010", 20],
  ])("lets a row that is not sure be chosen by %s, and Enter adds it", async (...given) => {
    const [, keys, number, lot_id] = given;
    sees({ ...red, presence: "UNSURE" }, { ...narrow, presence: "UNSURE" });
    const view = await begin();
    await showPicture(view);
    await screen.findAllByRole("option");

    await view.user.keyboard(keys);
    await settle(number);
    await view.user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toMatchObject([{ lot_id }]));
  });

  it("is replaced by the next one where it showed no part", async () => {
    sees({ ...narrow, presence: "NOTHING" });
    const view = await begin();
    await showPicture(view);
    await screen.findAllByRole("option");

    sees(red);
    await showPicture(view);

    await settle();
  });

  it("may be accepted before its colours and bins are there", async () => {
    sees(red);
    const view = await begin();
    await showPicture(view);
    await card();

    await view.user.keyboard("{Enter}+");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ lot_id: 10 });
  });

  it("sends the lookup type, and shows how sure the recogniser is", async () => {
    sees(red);
    const view = await begin();
    await view.user.keyboard("{F6}");

    await showPicture(view);

    const [match] = await screen.findAllByRole("option", { name: /3001/ });
    expect(match).toHaveTextContent("Score 95 %");
    const form = sent("POST /api/recognition/identify")[0]?.body as FormData;
    expect(form.get("lookup_type")).toBe("MINIFIG");
    expect(clientStore.get("identifiedItems")).toHaveLength(1);
  });

  it("is asked about again with what the scale says", async () => {
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();

    sees(narrow, red);
    await view.user.type(screen.getByRole("textbox", { name: "Grams" }), "1,8{Enter}");

    await settle("3010");
    const form = sent("POST /api/recognition/identify")[1]?.body as FormData;
    expect(form.get("grams")).toBe("1.8");
    expect(form.get("file")).toBeInstanceOf(File);
    await view.user.keyboard("{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));
  });

  it.each([
    ["en", "1,250", "1250"],
    ["en", "2 oz", "56.699"],
    ["de", "1.250,5", "1250.5"],
  ])("weighs in the person's own numbers: %s writes %s", async (language, typed, grams) => {
    setNumberLanguage(language);
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.type(screen.getByRole("textbox", { name: "Grams" }), `${typed}{Enter}`);

    await waitFor(() => expect(sent("POST /api/recognition/identify")).toHaveLength(2));
    const form = sent("POST /api/recognition/identify")[1]?.body as FormData;
    expect(form.get("grams")).toBe(grams);
    setNumberLanguage(null);
  });

  it("is looked at among the parts of the set that was parted out, until all are asked for", async () => {
    sees(red, narrow);
    const station = new StationServer();
    station.known = { sets: ["10255-1"], item_ids: [1, 2, 5] };
    station.install();
    const view = await begin();
    await waitFor(() => expect(sent("GET /api/batches/7/knownParts")).toHaveLength(1));
    await showPicture(view);
    await settle();

    expect(screen.getByText("Among the 3 parts of 10255-1")).toBeVisible();
    const narrowed = sent("POST /api/recognition/identify")[0]?.body as FormData;
    expect(narrowed.getAll("item_ids")).toEqual(["1", "2", "5"]);
    sees(narrow, red);
    await view.user.click(screen.getByRole("button", { name: "Look at all parts" }));

    await settle("3010");
    const all = sent("POST /api/recognition/identify")[1]?.body as FormData;
    expect(all.has("item_ids")).toBe(false);
    expect(screen.getByRole("button", { name: "Only the 3 parts of 10255-1" })).toBeVisible();
  });

  it("is combined with a second one of the same part, after Space", async () => {
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard(" ");
    expect(screen.getByText(/^Turn the part: the next/)).toBeVisible();
    sees(narrow, red);
    await showPicture(view);

    await settle("3010");
    expect(screen.getByText("from two pictures")).toBeVisible();
    const form = sent("POST /api/recognition/identify")[1]?.body as FormData;
    expect(form.get("second")).toBeInstanceOf(File);
    await view.user.keyboard("{Escape}");
    await showPicture(view);
    await settle("3010");
    const alone = sent("POST /api/recognition/identify")[2]?.body as FormData;
    expect(alone.has("second")).toBe(false);
  });

  it("keeps quantity and colour over the second one", async () => {
    sees(red, narrow);
    const view = await begin();
    await showPicture(view);
    await settle();
    await view.user.keyboard("{ArrowDown}12");
    const colors = () => within(screen.getByRole("listbox", { name: "Colours" }));
    expect(colors().getByRole("option", { selected: true })).toHaveTextContent("Black");

    await view.user.keyboard(" ");
    sees(red, narrow);
    await showPicture(view);

    expect(await screen.findByText("from two pictures")).toBeVisible();
    expect(screen.getByLabelText("Quantity")).toHaveTextContent("12");
    await settle();
    expect(colors().getByRole("option", { selected: true })).toHaveTextContent("Black");
  });

  it.each([
    [
      "was recognised",
      async (view: View) => {
        sees(red);
        await showPicture(view);
        await settle();
      },
    ],
    [
      "was taken by hand",
      async ({ user }: View) => {
        await user.keyboard("3001 red{Shift>}{Enter}{/Shift}");
        await settle();
      },
    ],
  ])("leaves a part that %s as it is counted, when no second look is awaited", async (_, take) => {
    const view = await begin();
    await take(view);
    await view.user.keyboard("12");
    const before = sent("POST /api/recognition/identify").length;

    sees(narrow);
    await showPicture(view);

    await waitFor(() => expect(sent("POST /api/recognition/identify")).toHaveLength(before + 1));
    await settle();
    expect(screen.getByLabelText("Quantity")).toHaveTextContent("12");
  });

  it("narrows the search by number and name when it is none of these", async () => {
    sees({ ...red, capture: "signed" }, narrow);
    answer("POST /api/recognition/captures", () => ok([]));
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.click(screen.getByRole("button", { name: "None of these" }));
    expect(screen.getByRole("combobox", { name: "Number or name" })).toHaveFocus();
    expect(screen.getByText("Only")).toHaveTextContent("Only");
    await view.user.click(screen.getByRole("button", { name: /Of any category/ }));
    await view.user.keyboard("3010");
    await settle("3010");

    const asked = sent("GET /api/catalogItems").at(-1)?.query;
    expect(asked?.get("color_id")).toBe("5");
    expect(asked?.has("category")).toBe(false);
    await view.user.keyboard("{Enter}{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));
    const kept = sent("POST /api/recognition/captures").map(({ body }) => body);
    expect(kept).toEqual([expect.objectContaining({ capture: "signed", item_id: 2, color_id: 5 })]);
    expect(screen.queryByText("Only")).toBeNull();
  });

  it("is asked about again where the recogniser failed", async () => {
    const text = "The recogniser gave no usable answer. Search by number or name meanwhile.";
    answer("POST /api/recognition/identify", () => refusal(502, "UPSTREAM_ERROR", text));
    const view = await begin();
    await showPicture(view);
    expect(await screen.findByText(text)).toBeVisible();

    sees(red);
    await view.user.click(screen.getByRole("button", { name: "Ask again" }));

    expect(await card()).toBeVisible();
    expect(screen.queryByText(text)).toBeNull();
  });

  it("is not asked about again where the picture is refused; the number is offered", async () => {
    const text = "This is an SVG drawing. Send a photo: JPEG, PNG or WebP.";
    answer("POST /api/recognition/identify", () => refusal(415, "UNREADABLE_FILE", text));
    const view = await begin();
    await showPicture(view);
    const notice = (await screen.findByText(text)).closest("[class*=warning]") as HTMLElement;

    expect(within(notice).queryByRole("button", { name: "Ask again" })).toBeNull();
    await view.user.click(within(notice).getByRole("button", { name: "Search by number" }));

    expect(screen.getByRole("combobox", { name: "Item number" })).toHaveFocus();
  });

  it("never blocks a number: what is recognised meanwhile is let go", async () => {
    let release = (): void => undefined;
    answer(
      "POST /api/recognition/identify",
      () => new Promise((resolve) => (release = () => resolve(ok([narrow])))),
    );
    const view = await begin();
    await showPicture(view);
    await waitFor(() => expect(sent("POST /api/recognition/identify")).toHaveLength(1));

    await view.user.keyboard("3001");
    act(() => release());
    await view.user.keyboard("{Enter}");
    await settle();

    expect(screen.queryByRole("region", { name: "Item 3010" })).toBeNull();
  });

  it.each([
    ["nothing", [] as object[], "Item not found", /Turn the part/],
    [
      "an unknown item",
      [makeCandidate({ id: null, item_id: null, is_known: false, item_number: "zz9" })],
      "Item not found: “zz9”",
      /recognised as zz9, .* add it as a custom item/,
    ],
  ])("says what else to try when it shows %s", async (_name, candidates, title, advice) => {
    sees(...candidates);
    const view = await begin();

    await showPicture(view);

    const dialog = await screen.findByRole("dialog", { name: title });
    expect(within(dialog).getByText(advice)).toBeVisible();
    expect(stopwatch.store.getState().notFound).toBe(1);
  });

  it("is asked for although a text without a match was left in the field", async () => {
    sees(red);
    const view = await begin();
    const search = screen.getByRole("combobox", { name: "Number or name" });
    await view.user.type(search, "zzz999{Enter}");
    await view.user.click(await screen.findByRole("button", { name: "Change what I typed" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await showPicture(view);

    await settle();
    expect(search).toHaveValue("");
  });

  it("shows the picture beside what it was taken for", async () => {
    sees(red);
    const view = await begin();

    await showPicture(view);

    expect(within(await card()).getByRole("img", { name: "What the camera saw" })).toHaveAttribute(
      "src",
      "blob:file",
    );
  });

  it("lets the camera rest after a match once it is not to stay active", async () => {
    const { user } = await begin();

    await user.click(screen.getByRole("button", { name: "Camera settings" }));
    await user.click(await screen.findByRole("checkbox", { name: "Stay active" }));

    expect(clientStore.get("options.webcamStayActive")).toBe(false);
  });

  it("asks at once where the first three go", async () => {
    const lot = { id: 10, lot_id: 10, color_id: 5, color_name: "Red", color_html: "#C91A09" };
    sees(
      { ...red, lots: [lot] },
      makeCandidate({ id: 2, item_id: 2, item_number: "3010", lots: [{ ...lot, id: 20 }] }),
    );
    const view = await begin();

    await showPicture(view);
    await card();

    await waitFor(() => {
      const asked = sent("GET /api/inventoryItems/destinations");
      const lots = asked.map(({ query }) => [query.get("lot"), query.get("more_lots")]);
      expect(lots).toEqual([["10", "20"]]);
    });
  });

  it.each(["catalogLots", "inventoryItems/owned"])(
    "asks for what its bin needs before its card is drawn: %s",
    async (path) => {
      sees(red);
      const view = await begin();
      const isDrawn: boolean[] = [];
      const ask = globalThis.fetch;
      globalThis.fetch = ((...asked: Parameters<typeof ask>) => {
        if (String(asked[0]).includes(`/api/${path}`)) {
          isDrawn.push(screen.queryByRole("region", { name: "Item 3001" }) !== null);
        }
        return ask(...asked);
      }) as typeof ask;

      await showPicture(view);
      await card();

      await waitFor(() => expect(isDrawn).toEqual([false]));
    },
  );

  it("names beside the matches what the catalogue does not know", async () => {
    sees(red, makeCandidate({ id: null, item_id: null, item_number: "zz9", score: 0.4 }));
    const view = await begin();

    await showPicture(view);

    expect(await screen.findByText(/zz9 Brick 2 x 4, 40 %/)).toBeVisible();
  });

  it("says the server's words when the recogniser fails, once, and goes on by number", async () => {
    const text = "The recogniser gave no usable answer.";
    answer("POST /api/recognition/identify", () => refusal(502, "UPSTREAM_ERROR", text));
    const view = await begin();

    await showPicture(view);
    await screen.findByText(text);
    await view.user.keyboard("3001 red{Shift>}{Enter}{/Shift}");
    await settle();

    expect(sent("POST /api/recognition/identify")).toHaveLength(1);
  });

  it("offers the number when the recogniser takes more than two seconds", async () => {
    answer("POST /api/recognition/identify", never);
    const view = await begin();

    await showPicture(view);

    await screen.findByText("The recogniser is slow");
    await view.user.click(screen.getByRole("button", { name: "Search by number" }));
    expect(screen.getByRole("combobox", { name: "Item number" })).toHaveFocus();
  });
});

describe("a second recogniser", () => {
  const fields = { provider: "Brickognize", listing_id: "res-9", score: 0.97 };
  const wide = makeCandidate({ ...fields, id: 3, item_id: 3, item_number: "3002" });
  let arrive: (answered: Reply) => void;
  type Reply = ReturnType<typeof ok>;
  const whom = ({ body }: { body: unknown }) => (body as FormData).get("recogniser");
  const asked = () => sent("POST /api/recognition/identify");

  beforeEach(() => {
    const meta = Object.assign(document.createElement("meta"), { content: "true" });
    meta.name = "outside-recogniser";
    document.head.append(meta);
    answer("POST /api/recognition/identify", (call) =>
      whom(call) === "OWN"
        ? ok([red, narrow])
        : new Promise<Reply>((resolve) => {
            arrive = resolve;
          }),
    );
  });
  afterEach(() => document.querySelector("meta[name=outside-recogniser]")?.remove());

  const options = (list: string) =>
    within(screen.getByRole("listbox", { name: list }))
      .getAllByRole("option")
      .map((option) => option.textContent?.slice(1, 5));
  const shown = async () => {
    const view = await begin();
    await showPicture(view);
    await settle();
    return view;
  };

  it("joins the list when it answers, and moves nothing that is shown or chosen", async () => {
    const view = await shown();
    expect(screen.getByText("Brickognize is asked, too…")).toBeVisible();
    await view.user.keyboard("{ArrowRight}");
    await settle("3010");
    await view.user.keyboard("4");

    act(() => arrive(ok([wide, { ...red, ...fields }])));

    expect(await screen.findByText("Brickognize also names")).toBeVisible();
    expect(options("Matches")).toEqual(["3001", "3010"]);
    expect(options("Named besides")).toEqual(["3002"]);
    expect(screen.getByText("by Brickstow, Brickognize")).toBeVisible();
    expect(await card("3010")).toBeVisible();
    expect(screen.getByLabelText("Quantity")).toHaveTextContent("4");
    await view.user.keyboard("{Alt>}3{/Alt}");
    expect(await card("3002")).toBeVisible();
  });

  it("is let go once the piece is added", async () => {
    const view = await shown();
    await view.user.keyboard("{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));

    act(() => arrive(ok([wide])));

    expect(screen.queryByText(/3002/)).toBeNull();
    expect(screen.queryByRole("region", { name: /^Item/ })).toBeNull();
  });

  it("leaves the list as it is when it fails, and says why", async () => {
    await shown();

    act(() => arrive(refusal(502, "UPSTREAM_ERROR", "No usable answer.")));

    expect(await screen.findByText(/^Brickognize did not answer: No usable/)).toBeVisible();
    expect(options("Matches")).toEqual(["3001", "3010"]);
  });

  it("alone is asked about figures and sets", async () => {
    const view = await begin();
    await view.user.keyboard("{F6}");
    await showPicture(view);

    await waitFor(() => expect(asked().map(whom)).toEqual(["OUTSIDE"]));
  });
});

describe("the item on the card", () => {
  const take = async () => {
    const view = await begin();
    await view.user.keyboard("3001 red{Shift>}{Enter}{/Shift}");
    await settle();
    return view;
  };

  it("is put aside for the set that still lacks it, and not added", async () => {
    const set = { user_set_id: 4, number: "10255-1", name: "Square", qty_required: 4 };
    answer("GET /api/userSets/destinations", () => ok([{ ...set, qty_on_hand: 1 }]));
    answer("POST /api/userSets/4/putAside", () => ok([{}]));
    const { user } = await take();
    const list = await screen.findByRole("region", { name: "Needed by your sets" });
    expect(list).toHaveTextContent("10255-1Square1 of 4");

    await user.keyboard("5s");

    await waitFor(() => expect(sent("POST /api/userSets/4/putAside")).toHaveLength(1));
    // It needs three: five pieces on the card give three to the set.
    expect(sent("POST /api/userSets/4/putAside")[0]?.body).toEqual({ lot_id: 10, quantity: 3 });
    expect(adds()).toEqual([]);
  });

  it("is put aside once for two presses at once", async () => {
    const set = { user_set_id: 4, number: "10255-1", name: "Square", qty_required: 4 };
    answer("GET /api/userSets/destinations", () => ok([{ ...set, qty_on_hand: 1 }]));
    answer("POST /api/userSets/4/putAside", () => ok([{}]));
    const { user } = await take();
    await screen.findByRole("region", { name: "Needed by your sets" });

    await user.keyboard("ss");

    await screen.findByText("1 put aside for 10255-1");
    expect(sent("POST /api/userSets/4/putAside")).toHaveLength(1);
  });

  it("is counted by its weight", async () => {
    answer("GET /api/catalogItems", () =>
      page([{ ...red, id: 1, weight: "2.320", external_sites: undefined }]),
    );
    const { user } = await take();

    await user.keyboard("g");
    await user.type(await screen.findByLabelText("Grams on the scale"), "46.4");
    await user.keyboard("{Enter}");

    await waitFor(() => expect(screen.getByLabelText("Quantity")).toHaveTextContent("20"));
  });

  it("leads to the figures that contain it, with what else they need", async () => {
    const figure = { ...red, id: 50, item_number: "sp001", item_name: "Blacktron I" };
    answer("GET /api/catalogItems/1/appearsIn", () =>
      page([{ ...figure, item_type: "MINIFIG", quantity: 1 }]),
    );
    const line = { is_spare: false, is_alternate: false, is_counterpart: false, color_name: "Red" };
    answer("GET /api/catalogItems/50/contents", () =>
      page([
        { id: 1, item_number: "3001", item_name: "Brick 2 x 4", quantity: 1, ...line },
        { id: 2, item_number: "973", item_name: "Torso", quantity: 1, ...line },
        { id: 3, item_number: "973b", item_name: "Spare", quantity: 1, ...line, is_spare: true },
      ]),
    );
    answer("GET /api/catalogLots", () => page([]));
    const view = await begin();
    await view.user.keyboard("3001 red{Shift>}{Enter}{/Shift}");
    await card();

    await view.user.keyboard("m");
    await view.user.click(await screen.findByRole("option", { name: /sp001/ }));
    const dialog = await screen.findByRole("dialog", { name: /Blacktron I/ });
    await within(dialog).findByText("1 of 2 still missing.");
    await view.user.click(within(dialog).getByRole("checkbox", { name: /Torso/ }));
    expect(within(dialog).getByText("Complete.")).toBeVisible();
    await view.user.click(within(dialog).getByRole("button", { name: "Take the figure" }));
    await card("sp001");
    await view.user.keyboard("{Enter}");

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ item_number: "sp001", item_type: "MINIFIG", qty: 1 });
  });

  it("shows the figures that contain it beside the bin, as the option says", async () => {
    clientStore.set("options.completeMinifigs", true);
    answer("GET /api/catalogItems/1/appearsIn", () =>
      page([{ ...red, id: 50, item_number: "sp001", item_name: "Blacktron I", quantity: 1 }]),
    );
    answer("GET /api/catalogItems/50/contents", () => page([]));
    const { user } = await take();

    const figures = await screen.findByRole("region", { name: "Complete minifigs" });
    await user.click(within(figures).getByRole("button", { name: /sp001/ }));

    expect(await screen.findByRole("dialog", { name: "sp001 Blacktron I" })).toBeVisible();
  });

  it("does what command cards say", async () => {
    const { user } = await take();
    const scan = (code: string) => act(() => deliverCard({ kind: "CMD", code }));

    scan("QTY-10");
    expect(screen.getByLabelText("Quantity")).toHaveTextContent("10");
    scan("COND-N");
    expect(screen.getByRole("button", { name: /^Batch .*: new ·/ })).toBeVisible();
    await settle();
    scan("ADD");
    await waitFor(() => expect(sent("POST /api/batchItems")).toHaveLength(1));
    scan("PLUS");

    expect(sent("POST /api/batchItems")[0]?.body).toMatchObject({ qty: 10, condition: "N" });
    const list = screen.getByRole("list", { name: "Last added" });
    await waitFor(() => expect(list).toHaveTextContent("11"));
    scan("UNDO");
    await waitFor(() => expect(list).not.toHaveTextContent("11"));
    await user.keyboard("3010");
    scan("CLEAR");
    expect(screen.getByRole("combobox", { name: "Number or name" })).toHaveValue("");
  });

  it("gives a tray to the way of the bin on the screen", async () => {
    await take();
    expect(screen.getByText("Tray 1")).toBeVisible();

    act(() => deliverCard({ kind: "TRAY", code: "7" }));

    expect(await screen.findByText("Tray 7")).toBeVisible();
  });

  it("leaves the tray of an order to the page's frame", async () => {
    await take();
    const frame = jest.fn();
    renderHook(() => useUnclaimedCards(frame));

    act(() => deliverCard({ kind: "TRAY", code: "A" }));

    expect(frame).toHaveBeenCalledTimes(1);
  });

  it("says of a card that it does not know", async () => {
    await take();

    act(() => deliverCard({ kind: "CMD", code: "SELL" }));

    expect(await screen.findByText("The station has no card SELL")).toBeVisible();
  });

  it("is added and stowed by scanning the bin that is shown", async () => {
    answer("GET /api/inventoryLocations", () => page([{ id: 1, name: "A-01", code: "A-01" }]));
    await take();

    act(() => deliverScan("A-01"));

    await waitFor(() => expect(sent("POST /api/batches/7/stow")).toHaveLength(1));
    expect(adds()[0]).toMatchObject({ user_inventory_item_location_id: 1 });
  });

  it("goes to another bin only when that is scanned twice", async () => {
    answer("GET /api/inventoryLocations", () => page([{ id: 3, name: "A-03", code: "A-03" }]));
    await take();

    act(() => deliverScan("A-03"));
    await screen.findByText("Your bin");
    const before = adds().length;
    act(() => deliverScan("A-03"));

    await waitFor(() => expect(adds()).toHaveLength(1));
    expect(before).toBe(0);
    expect(adds()[0]).toMatchObject({ user_inventory_item_location_id: 3 });
  });
});

describe("what is told of the sitting", () => {
  it("is kept by the server on leaving", async () => {
    const view = await begin();
    await view.user.keyboard("3001 red{Shift>}{Enter}{/Shift}");
    await settle();
    await view.user.keyboard("{Enter}");
    await waitFor(() => expect(adds()).toHaveLength(1));

    view.unmount();

    await waitFor(() => expect(sent("POST /api/stationSittings")).toHaveLength(1));
    expect(sent("POST /api/stationSittings")[0]?.body).toMatchObject({ adds: 1, keys: 10 });
  });

  it("is charted", async () => {
    const row = { key: "k", started_at: "2026-01-01T10:00:00Z", acted_at: "2026-01-01T10:10:00Z" };
    const sums = { adds: 100, pieces: 250, keys: 130, undos: 1, captures: 100, not_found: 2 };
    answer("GET /api/stationSittings", () =>
      page([{ id: 1, ...row, ...sums, accept_p50_ms: 1200, accept_p90_ms: 3000 }]),
    );
    const { user } = await begin();

    await user.click(screen.getByRole("button", { name: "Stopwatch" }));

    const dialog = await screen.findByRole("dialog", { name: "Stopwatch" });
    for (const [measure, said] of [
      ["Pieces per minute", /25 per minute, 100 adds/],
      ["Picture to add", /1.2 s, 100 adds/],
      ["Keys per add", /1.3 keys, 100 adds/],
      ["Undone", /1 %, 100 adds/],
      ["Not found", /2 %, 100 adds/],
    ] as const) {
      await user.click(await within(dialog).findByRole("radio", { name: measure }));
      expect(within(dialog).getByText(said)).toBeInTheDocument();
    }
  });
});

describe("listing with stowing", () => {
  it("is off, and says so loudly once it is on", async () => {
    const { user } = await begin();
    await user.click(screen.getByRole("button", { name: /^Batch .*· not listed ·/ }));
    const toggle = await screen.findByRole("button", { name: "List with stow" });
    expect(toggle).toHaveAttribute("aria-pressed", "false");

    await user.click(toggle);
    const dialog = await screen.findByRole("dialog", { name: "List with stow?" });
    const before = clientStore.get("options.listWithStow");
    await user.click(within(dialog).getByRole("button", { name: "List with stow" }));

    const sheet = await screen.findByRole("dialog", { name: "This session" });
    const on = within(sheet).getByRole("button", { name: "LISTING ON" });
    expect(before).toBe(false);
    expect(on).toHaveAttribute("aria-pressed", "true");
    // The person is asked once: switching it off and on again does not ask.
    await user.click(on);
    await user.click(within(sheet).getByRole("button", { name: "List with stow" }));
    expect(clientStore.get("options.listWithStow")).toBe(true);
    await user.click(within(sheet).getByRole("button", { name: "Done" }));
    // While it is on, that is always shown.
    expect(screen.getByRole("button", { name: "LISTING ON" })).toBeVisible();
  });
});

describe("a piece that nobody can name", () => {
  const skipped = {
    id: 40,
    batch_id: 7,
    item_type: "UNSORTED_LOT",
    item_name: "Skipped piece",
    image_url: "data:image/jpeg;base64,/9j/4AAQ",
  };
  beforeEach(() => {
    answer("POST /api/batches/7/skip", () => ok([skipped]));
  });

  it("is skipped with X, and its photo kept", async () => {
    sees(red);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard("x");

    expect(await screen.findByText("Skipped, its photo is kept in the batch")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Item 3001" })).toBeNull();
    const form = sent("POST /api/batches/7/skip")[0]?.body as FormData;
    expect(form.get("condition")).toBe("U");
    expect(form.get("file")).toBeInstanceOf(Blob);
    expect(adds()).toEqual([]);
  });

  it("is kept with its photo until the server has it", async () => {
    let arrive = (): void => undefined;
    answer("POST /api/batches/7/skip", async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return ok([skipped]);
    });
    sees(red);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard("x");
    await waitFor(() => expect(sent("POST /api/batches/7/skip")).toHaveLength(1));
    const [kept] = await new KeptRequests().of(testPerson());
    expect(kept?.form?.[0]).toEqual(["file", expect.any(Blob)]);
    arrive();

    expect(await screen.findByText("Skipped, its photo is kept in the batch")).toBeVisible();
    await waitFor(async () => expect(await new KeptRequests().of(testPerson())).toEqual([]));
  });

  it("is not skipped in silence where the browser has no room for its photo", async () => {
    const put = jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("Full", "QuotaExceededError");
    });
    sees(red);
    const view = await begin();
    await showPicture(view);
    await settle();

    await view.user.keyboard("x");

    expect(await screen.findByText(/Skip a piece, with its photo: not done/)).toBeVisible();
    put.mockRestore();
    expect(sent("POST /api/batches/7/skip")).toEqual([]);
  });

  it("is skipped from the dialog where nothing was recognised", async () => {
    sees();
    const view = await begin();
    await showPicture(view);

    await view.user.click(await screen.findByRole("button", { name: "Skip, keep photo" }));

    expect(await screen.findByText("Skipped, its photo is kept in the batch")).toBeVisible();
  });

  it("asks for a picture where there is none", async () => {
    const { user } = await begin();

    await user.keyboard("{Alt>}x{/Alt}");

    expect(await screen.findByText("There is no picture of it")).toBeVisible();
    expect(sent("POST /api/batches/7/skip")).toEqual([]);
  });

  it("becomes what it is once somebody knows, and a skipped one again when that is undone", async () => {
    sees(red);
    answer("GET /api/batchItems", ({ query }) =>
      page(query.get("item_type") === "UNSORTED_LOT" ? [skipped] : []),
    );
    const row = { ...skipped, qty: 1, is_stowed: false, user_inventory_item_location_id: 1 };
    answer("PATCH /api/batchItems/40", () => ok([row]));
    const { user } = await begin();
    await user.click(screen.getByRole("button", { name: "Skipped" }));
    await user.click(await screen.findByRole("button", { name: "Say what it is" }));
    expect(await screen.findByRole("region", { name: "Skipped piece" })).toBeVisible();
    await settle();

    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent("PATCH /api/batchItems/40")).toHaveLength(1));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(sent("PATCH /api/batchItems/40")).toHaveLength(2));

    const [settled, undone] = sent("PATCH /api/batchItems/40").map(({ body }) => body);
    expect(settled).toMatchObject({ lot_id: 10, qty: 1, user_inventory_item_location_id: 1 });
    expect(undone).toMatchObject({ item_type: "UNSORTED_LOT", item_name: "Skipped piece" });
    expect(adds()).toEqual([]);
  });
});

describe("a skipped piece that still nobody can name", () => {
  it("stays the one it is", async () => {
    sees(red);
    const skipped = { id: 40, item_type: "UNSORTED_LOT", image_url: "data:image/jpeg;base64,/9j/" };
    answer("GET /api/batchItems", ({ query }) =>
      page(query.get("item_type") === "UNSORTED_LOT" ? [skipped] : []),
    );
    const { user } = await begin();
    await user.click(screen.getByRole("button", { name: "Skipped" }));
    await user.click(await screen.findByRole("button", { name: "Say what it is" }));
    await settle();

    await user.keyboard("x");

    await waitFor(() => expect(screen.queryByRole("region", { name: "Skipped piece" })).toBeNull());
    expect(sent("POST /api/batches/7/skip")).toEqual([]);
  });
});

describe("a wrong match", () => {
  it("is reported with the one that is right", async () => {
    sees(red, narrow);
    answer("POST /api/recognition/wrongMatches", () => ok([{ id: 3 }]));
    answer("DELETE /api/recognition/wrongMatches/3", () => ok([]));
    const view = await begin();
    await showPicture(view);
    await settle();
    await view.user.keyboard("{ArrowRight}");
    await settle("3010");

    await view.user.click(screen.getByRole("button", { name: "3001 was wrong" }));
    await view.user.click(await screen.findByRole("button", { name: "Undo" }));

    expect(sent("POST /api/recognition/wrongMatches")[0]?.body).toMatchObject({
      seen_number: "3001",
      right_type: "PART",
      right_number: "3010",
    });
    await waitFor(() => expect(sent("DELETE /api/recognition/wrongMatches/3")).toHaveLength(1));
  });
});
