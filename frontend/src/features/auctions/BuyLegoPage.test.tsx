import { act, screen, waitFor, within } from "@testing-library/react";
import { setUser } from "@/features/auth/public";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import {
  answer,
  created,
  installServer,
  never,
  ok,
  page,
  refusal,
  sent,
} from "@/shared/testing/server";
import { BuyLegoPage } from "./BuyLegoPage";

const site = {
  name: "ShopGoodwill",
  is_on: true,
  is_demo: true,
  haltedUntil: null,
  halted_because: "",
  tax_percent: "0.000",
  fee_percent: "6.000",
  hourly_rate: "0.0000",
};
const noWorth = { of_site: null, of_all: null, listings: [] };
const search = {
  id: 1,
  text: "lego",
  is_active: true,
  found_count: 60,
  problem: "",
  runAt: "2026-01-02T03:04:05Z",
};
const listing = {
  id: 7,
  origin: "site",
  external_id: "300000007",
  title: "12 lbs of LEGO",
  description: "",
  seller: "Goodwill of the Lakes",
  location: "Milwaukee, WI",
  image_url: "",
  listing_url: "https://shopgoodwill.com/item/300000007",
  current_price: "24.9900",
  minimum_bid: null,
  buy_it_now_price: null,
  bid_count: 3,
  highest_bidder: "",
  end_time: "2099-01-01T00:00:00Z",
  time_remaining: "9d 1h",
  is_auction: true,
  has_buy_it_now: false,
  is_pickup_only: false,
  weight_grams: "5443.11",
  shipping_rates: [],
  handling_cost: null,
  landed_cost: null,
  landed_per_kg: null,
  status: "open",
  watch: "",
  my_bid: null,
  max_bid: null,
  note: "",
  outcome: "",
  batch_id: null,
  batch_name: null,
  checkedAt: "2026-01-02T03:04:05Z",
  created_at: "2026-01-02T03:04:05Z",
  updated_at: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z",
};
const other = { ...listing, id: 8, title: "LEGO Technic" };
const job = { id: "7f0c9d7e-0000-4000-8000-000000000002", kind: "auctions.refresh_listings" };

beforeEach(() => {
  installServer();
  clientStore.clear("options.auctionAutoRefresh");
  clientStore.clear("options.showOnlyMyBids");
  answer("GET /api/auctionSite", () => ok([site]));
  answer("GET /api/auctionWorth", () => ok([noWorth]));
  answer("GET /api/auctionSearches", () => page([search], 1));
  answer("GET /api/auctionListings", () => page([listing, other], 2));
  answer("POST /api/auctionListings/refresh", () => ok([job]));
  answer(`GET /api/jobs/${job.id}`, never);
});
afterEach(() => jest.useRealTimers());

type Shown = ReturnType<typeof renderPage>;
const show = (at = "/app/buy-lego") => renderPage(<BuyLegoPage />, { at });
/** What the list was last asked for; what ends soon is asked for beside it. */
const asked = () =>
  sent("GET /api/auctionListings")
    .filter(({ query }) => query.has("page"))
    .at(-1)?.query;
const card = async (title: string) => within(await screen.findByRole("article", { name: title }));
/** The drawer of a listing, opened by its title. */
const details = async (user: Shown["user"], title: string) => {
  await user.click((await card(title)).getByRole("button", { name: title }));
  return within(await screen.findByRole("dialog", { name: title }));
};
const comesIntoView = () => {
  window.IntersectionObserver = class {
    constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
    observe() {
      this.tell([{ isIntersecting: true }]);
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
};

describe("BuyLegoPage", () => {
  it("says that demo listings come from a simulator", async () => {
    show();

    expect(await screen.findByText(/Nothing here can be bought/)).toBeInTheDocument();
  });

  it("shows unknown shipping as unknown, with no landed cost", async () => {
    const { user } = show();

    const shown = await card("12 lbs of LEGO");
    expect(shown.getByText("Shipping is not known")).toBeInTheDocument();
    expect(shown.getByText("$24.99")).toBeInTheDocument();
    const drawer = await details(user, "12 lbs of LEGO");
    expect(drawer.getByRole("link", { name: "Open listing" })).toHaveAttribute(
      "href",
      "https://shopgoodwill.com/item/300000007",
    );
  });

  it("says up to where a bid makes sense, and what that rests on", async () => {
    const of_site = {
      batches: 3,
      source_name: "ShopGoodwill",
      value_per_kg: "20.0000",
      minutes_per_kg: "45.0",
      fee_percent: "6.000",
      hourly_rate: "10.0000",
      net_per_kg: "11.3000",
    };
    answer("GET /api/auctionWorth", () =>
      ok([
        {
          of_site,
          of_all: null,
          listings: [
            { id: 7, worth: "61.50", highest_bid: "48.20", rests_on: "of_site" },
            { id: 8, worth: "61.50", highest_bid: null, rests_on: "of_site" },
          ],
        },
      ]),
    );
    const { user } = show();

    const first = await card("12 lbs of LEGO");
    expect(await first.findByText("Worth it up to $48.20")).toBeInTheDocument();
    expect(first.getAllByText(/\$23\.21/)).toHaveLength(1);
    expect(first.getByText("you are $23.21 below")).toBeInTheDocument();
    expect((await card("LEGO Technic")).getByText("Shipping is needed first")).toBeVisible();
    expect(sent("GET /api/auctionWorth").at(-1)?.query.get("ids")).toBe("7,8");
    const drawer = await details(user, "12 lbs of LEGO");
    await user.click(drawer.getByRole("button", { name: "My bid and note" }));

    expect(
      await screen.findByText(
        "Sensible up to $48.20. Worth $61.50 landed, by 3 batches of ShopGoodwill: " +
          "$20.00 a kilogram, less 6 % fees and 45 minutes at $10.00 an hour.",
      ),
    ).toBeInTheDocument();
  });

  it("says that its worth is not known where no batch tells it", async () => {
    show();
    const first = await card("12 lbs of LEGO");

    await waitFor(() => expect(sent("GET /api/auctionWorth")).toHaveLength(1));
    expect(first.getByText("Worth not known yet")).toBeInTheDocument();
  });

  it("keeps tax, fees and what an hour is worth", async () => {
    answer("PATCH /api/auctionSite", () => ok([site]));
    const { user } = show();
    await card("12 lbs of LEGO");
    await user.click(screen.getByRole("button", { name: "Saved searches" }));

    const rate = await screen.findByLabelText("An hour of mine in dollars");
    await user.clear(rate);
    await user.type(rate, "12,5");
    await user.click(screen.getByRole("button", { name: "Save costs" }));

    await waitFor(() =>
      expect(sent("PATCH /api/auctionSite").at(-1)?.body).toEqual({
        tax_percent: "0",
        fee_percent: "6",
        hourly_rate: "12.5",
      }),
    );
    await user.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as Element);
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findAllByText("Costs restored");
    expect(sent("PATCH /api/auctionSite").at(-1)?.body).toMatchObject({
      hourly_rate: site.hourly_rate,
    });
  });

  it("asks what shipping costs for what is in view, one after another, each once", async () => {
    comesIntoView();
    let answerFirst: () => void = () => undefined;
    answer("POST /api/auctionListings/7/shipping", async () => {
      await new Promise<void>((resolve) => {
        answerFirst = resolve;
      });
      return ok([{ ...listing, shipping_rates: [] }]);
    });
    answer("POST /api/auctionListings/8/shipping", () => refusal(409, "CONFLICT", "Not told."));
    setUser({ id: 1, name: "Ann", email_address: "ann@example.org", zip_code: "53202" });
    show();

    expect(
      await (await card("12 lbs of LEGO")).findByText(/Asking for the shipping/),
    ).toBeVisible();
    expect(sent("POST /api/auctionListings/8/shipping")).toHaveLength(0);
    answerFirst();
    await waitFor(() => expect(sent("POST /api/auctionListings/8/shipping")).toHaveLength(1));
    await waitFor(() => expect(sent("GET /api/auctionListings").length).toBeGreaterThan(2));
    expect(sent("POST /api/auctionListings/7/shipping")).toHaveLength(1);
    expect(screen.queryByText("Not told.")).not.toBeInTheDocument();
  });

  it("asks nothing more by itself once the site does not answer", async () => {
    comesIntoView();
    const later = { headers: { "Retry-After": "60" } };
    answer("POST /api/auctionListings/7/shipping", () =>
      refusal(502, "UPSTREAM_ERROR", "No.", later),
    );
    setUser({ id: 1, name: "Ann", email_address: "ann@example.org", zip_code: "53202" });
    show();
    const first = await card("12 lbs of LEGO");

    await waitFor(() => expect(sent("POST /api/auctionListings/7/shipping").length).toBe(1));
    await first.findByText("Shipping is not known");
    expect(sent("POST /api/auctionListings/8/shipping")).toHaveLength(0);
  });

  it("refreshes one listing, and shows it on that one only", async () => {
    answer("POST /api/auctionListings/7/refresh", never);
    const { user } = show();

    const drawer = await details(user, "12 lbs of LEGO");
    await user.click(drawer.getByRole("button", { name: "Refresh" }));

    expect(drawer.getByRole("button", { name: "Refresh" })).toHaveAttribute("aria-busy", "true");
    const [first, second] = screen.getAllByRole("article", { hidden: true });
    expect(first).toHaveAttribute("aria-busy", "true");
    expect(first).toHaveTextContent("Refreshing…");
    expect(second).toHaveAttribute("aria-busy", "false");
    expect(second).not.toHaveTextContent("Refreshing…");
    expect(sent("POST /api/auctionListings/7/refresh")).toHaveLength(1);
  });

  it("calculates the shipping of one listing and tells why it could not", async () => {
    answer("POST /api/auctionListings/8/shipping", () =>
      refusal(409, "CONFLICT", "enter your ZIP code in your profile first"),
    );
    const { user } = show();
    const second = await details(user, "LEGO Technic");

    await user.click(second.getByRole("button", { name: "Calculate shipping" }));

    expect(await screen.findByText(/enter your ZIP code/)).toBeInTheDocument();
  });

  it("asks for the ZIP code where the profile has none, and calculates then", async () => {
    answer("POST /api/auctionListings/8/shipping", (_, count) =>
      count === 0
        ? refusal(409, "CONFLICT", "No.", { fields: { zip_code: ["Enter your ZIP code."] } })
        : ok([{ ...listing, id: 8 }]),
    );
    answer("PATCH /api/users/me", () => ok([{ id: 1, name: "Ann", zip_code: "53202" }]));
    const { user } = show();
    const second = await details(user, "LEGO Technic");

    await user.click(second.getByRole("button", { name: "Calculate shipping" }));
    const asked = within(await screen.findByRole("dialog", { name: "Shipping to where?" }));
    await user.type(asked.getByLabelText(/ZIP code/), "53202");
    await user.click(asked.getByRole("button", { name: "Calculate shipping" }));

    await waitFor(() => expect(sent("POST /api/auctionListings/8/shipping")).toHaveLength(2));
    expect(sent("PATCH /api/users/me")[0]?.body).toEqual({ zip_code: "53202" });
    expect(screen.queryByRole("dialog", { name: "Shipping to where?" })).toBeNull();
  });

  it("keeps the choice to show only my bids", async () => {
    const { user } = show();
    await card("12 lbs of LEGO");
    await user.click(screen.getByRole("button", { name: "Filter" }));
    expect(screen.getByRole("checkbox", { name: "Show only my bids" })).not.toBeChecked();

    await user.click(screen.getByRole("checkbox", { name: "Show only my bids" }));

    await waitFor(() =>
      expect(sent("GET /api/auctionListings").at(-1)?.query.get("my_bids")).toBe("true"),
    );
    expect(localStorage.getItem("bb_setting_showOnlyMyBids")).toBe("true");
  });

  it("refreshes by itself only when switched on, each 300000 ms", async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = show();
    await card("12 lbs of LEGO");
    await act(() => jest.advanceTimersByTimeAsync(600_000));
    expect(sent("POST /api/auctionListings/refresh")).toHaveLength(0);

    await user.click(screen.getByRole("switch", { name: "Auto-refresh" }));
    await act(() => jest.advanceTimersByTimeAsync(298_000));
    expect(sent("POST /api/auctionListings/refresh")).toHaveLength(0);
    await act(() => jest.advanceTimersByTimeAsync(3_000));
    expect(sent("POST /api/auctionListings/refresh")).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(301_000));
    expect(sent("POST /api/auctionListings/refresh")).toHaveLength(2);
  });

  it("waits while the page is hidden", async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user } = show();
    await card("12 lbs of LEGO");
    await user.click(screen.getByRole("switch", { name: "Auto-refresh" }));
    const hidden = jest.spyOn(document, "hidden", "get").mockReturnValue(true);
    await act(() => jest.advanceTimersByTimeAsync(400_000));
    expect(sent("POST /api/auctionListings/refresh")).toHaveLength(0);

    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));

    await waitFor(() => expect(sent("POST /api/auctionListings/refresh")).toHaveLength(1));
    hidden.mockRestore();
  });

  it("runs a search that was never run when it is opened", async () => {
    answer("GET /api/auctionSearches", () => page([{ ...search, runAt: null }], 1));
    show();

    await waitFor(() => expect(sent("POST /api/auctionListings/refresh")).toHaveLength(1));
  });

  it("offers both ways in when there is nothing", async () => {
    answer("GET /api/auctionListings", () => page([], 0));
    show();

    expect(await screen.findByText(/Add a saved search or paste/)).toBeInTheDocument();
  });

  it("asks nothing of a site that is off, and takes typed listings", async () => {
    answer("GET /api/auctionSite", () => ok([{ ...site, is_on: false, is_demo: false }]));
    answer("POST /api/auctionListings", () => ok([listing]));
    const { user } = show();
    expect(await screen.findByText(/terms forbid automated use/)).toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "Add listing" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add a listing" }));
    await user.type(dialog.getByLabelText(/Title/), "Garage sale, 10 lbs");
    await user.type(dialog.getByLabelText(/Price now/), "15,50");
    await user.click(dialog.getByRole("button", { name: "Add listing" }));

    await waitFor(() => expect(sent("POST /api/auctionListings")).toHaveLength(1));
    expect(sent("POST /api/auctionListings")[0]?.body).toMatchObject({
      title: "Garage sale, 10 lbs",
      current_price: "15.50",
      shipping_cost: null,
      end_time: null,
    });
    answer("DELETE /api/auctionListings/7", () => ok([]));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent("DELETE /api/auctionListings/7")).toHaveLength(1));
  });

  it.each([true, false])("takes back what its link brought, where it is new: %s", async (isNew) => {
    const added = isNew ? created(listing) : ok([listing]);
    answer("POST /api/auctionListings/byLink", () => added);
    answer("DELETE /api/auctionListings/7", () => ok([]));
    const { user } = show();
    await card("12 lbs of LEGO");
    await user.click(screen.getByRole("button", { name: "Add listing" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Add a listing" }));
    await user.type(dialog.getByLabelText(/Link or number/), "123");
    await user.click(dialog.getByRole("button", { name: "Add listing" }));

    await screen.findByText(
      isNew ? "12 lbs of LEGO added" : /is in the list already and now up to date/,
    );
    expect(screen.queryAllByRole("button", { name: "Undo" })).toHaveLength(isNew ? 1 : 0);
  });

  it("asks before it removes one", async () => {
    answer("GET /api/auctionListings", () =>
      page([{ ...listing, origin: "entered", external_id: "" }], 1),
    );
    answer("DELETE /api/auctionListings/7", () => ok([]));
    const { user } = show();
    await user.click((await card("12 lbs of LEGO")).getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove from my list…" }));
    expect(sent("DELETE /api/auctionListings/7")).toHaveLength(0);
    await user.click(await screen.findByRole("button", { name: "Remove" }));

    await screen.findByText("Removed");
    expect(sent("DELETE /api/auctionListings/7")).toHaveLength(1);
  });

  it("remembers what I bid, and places no bid", async () => {
    answer("PATCH /api/auctionListings/7", () => ok([{ ...listing, my_bid: "30.0000" }]));
    const { user } = show();
    const first = await details(user, "12 lbs of LEGO");
    await user.click(first.getByRole("button", { name: "My bid and note" }));
    const dialog = within(await screen.findByRole("dialog", { name: "My bid and note" }));
    await user.type(dialog.getByLabelText(/My bid at the site/), "30");
    await user.click(dialog.getByRole("button", { name: "Save" }));

    await waitFor(() => expect(sent("PATCH /api/auctionListings/7")).toHaveLength(1));
    expect(sent("PATCH /api/auctionListings/7")[0]?.body).toEqual({
      my_bid: "30",
      max_bid: null,
      outcome: "",
      note: "",
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText(/ restored$/);
    expect(sent("PATCH /api/auctionListings/7")[1]?.body).toEqual({ my_bid: null });
  });

  it("makes a batch of what was won, with its landed cost, and then leads to it", async () => {
    const over = { ...listing, status: "won", outcome: "won", landed_cost: "31.0400" };
    answer("GET /api/auctionListings", () => page([over], 1));
    answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
    answer("GET /api/sources", () => page([{ id: 5, name: "Market" }], 1));
    answer("POST /api/batches/fromListing", () => created({ id: 40, name: "12 lbs of LEGO" }));
    const { user } = show();
    await user.click(
      (await card("12 lbs of LEGO")).getByRole("button", { name: "Won: create a batch" }),
    );
    const dialog = within(await screen.findByRole("dialog", { name: "Won: create a batch" }));
    expect(dialog.getByLabelText(/What it cost/)).toHaveValue("31.04");
    answer("GET /api/auctionListings", () =>
      page([{ ...over, batch_id: 40, batch_name: "12 lbs of LEGO" }], 1),
    );
    await user.click(dialog.getByRole("button", { name: "Make batch" }));

    expect(await screen.findByRole("link", { name: "Batch 12 lbs of LEGO" })).toHaveAttribute(
      "href",
      "/app/batches?batch=40",
    );
    expect(sent("POST /api/batches/fromListing")[0]?.body).toEqual({
      listing_id: 7,
      name: "12 lbs of LEGO",
      cost_total: "31.04",
    });

    answer("DELETE /api/batches/40", () => ok([]));
    answer("PATCH /api/auctionListings/7", () => ok([over]));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Undone: Batch 12 lbs of LEGO is there");
    expect(sent("DELETE /api/batches/40")).toHaveLength(1);
    expect(sent("PATCH /api/auctionListings/7")[0]?.body).toEqual({ outcome: "won" });
  });

  it("leaves the cost open while shipping is unknown", async () => {
    const over = { ...listing, status: "won", outcome: "won" };
    answer("GET /api/auctionListings", () => page([over], 1));
    answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
    answer("GET /api/sources", () => page([], 0));
    const { user } = show();
    await user.click(
      (await card("12 lbs of LEGO")).getByRole("button", { name: "Won: create a batch" }),
    );

    const dialog = within(await screen.findByRole("dialog", { name: "Won: create a batch" }));
    expect(dialog.getByLabelText(/What it cost/)).toHaveValue("");
    expect(dialog.getByText(/Shipping is unknown/)).toBeInTheDocument();
  });

  it("offers no batch of what is still open or was lost", async () => {
    answer("GET /api/auctionListings", () =>
      page([listing, { ...other, status: "lost", outcome: "lost" }], 2),
    );
    show();

    await card("LEGO Technic");
    expect(screen.queryByRole("button", { name: "Won: create a batch" })).toBeNull();
  });

  it("narrows by cost, shipping, place, kind and end, all of it in the address", async () => {
    const { user, router } = show();
    await card("12 lbs of LEGO");

    await user.click(screen.getByRole("button", { name: "Filter" }));
    await user.selectOptions(screen.getByLabelText("Kind"), "auction");
    await user.selectOptions(screen.getByLabelText("Ends within"), "24");
    await user.type(screen.getByLabelText("Landed at most"), "40,50");
    await user.type(screen.getByLabelText("Per kilogram at most"), "6");
    await user.selectOptions(screen.getByLabelText("Shipping"), "true");
    await user.type(screen.getByLabelText("Location"), "Milwaukee");

    const wanted = {
      kind: "auction",
      ends_within_hours: "24",
      max_landed: "40.50",
      max_per_kg: "6",
      has_shipping: "true",
      location: "Milwaukee",
    };
    await waitFor(() => expect(Object.fromEntries(asked() ?? [])).toMatchObject(wanted));
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual(wanted);
    expect(screen.getByRole("button", { name: "Filter (6)" })).toBeInTheDocument();
  });

  it("asks for no amount that is none, and says what one is", async () => {
    const { user } = show();
    await card("12 lbs of LEGO");
    await user.click(screen.getByRole("button", { name: "Filter" }));

    await user.type(screen.getByLabelText("Landed at most"), "cheap");

    expect(await screen.findByText("An amount such as 24.50")).toBeInTheDocument();
    expect(asked()?.has("max_landed")).toBe(false);
  });

  it("takes back all that narrows at once", async () => {
    const { user } = show("/app/buy-lego?kind=auction&search=technic&show_ended=true");
    await card("12 lbs of LEGO");
    expect(asked()?.get("search")).toBe("technic");

    await user.click(screen.getByRole("button", { name: "Clear all" }));

    await waitFor(() =>
      expect([...(asked()?.keys() ?? [])].sort()).toEqual(["ordering", "page", "page_size"]),
    );
  });

  it.each([
    ["Cheapest per kg", "landed_per_kg"],
    ["Most bids", "-bid_count"],
    ["Lowest price", "current_price"],
  ])("sorts by %s", async (label, ordering) => {
    const { user } = show();
    await card("12 lbs of LEGO");
    expect(asked()?.get("ordering")).toBe("end_time");

    await user.selectOptions(screen.getByLabelText("Sort by"), label);

    await waitFor(() => expect(asked()?.get("ordering")).toBe(ordering));
  });

  it("offers what is new since the last visit, from the second visit on", async () => {
    const first = show();
    await card("12 lbs of LEGO");
    await first.user.click(screen.getByRole("button", { name: "Filter" }));
    expect(screen.queryByLabelText("New since my last visit")).not.toBeInTheDocument();
    first.unmount();
    const seenAt = "2026-01-01T10:00:00.000Z";
    localStorage.setItem("bb_setting_person_auctionVisit", JSON.stringify({ since: null, seenAt }));

    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Filter" }));
    await user.click(await screen.findByLabelText("New since my last visit"));

    await waitFor(() => expect(asked()?.get("new_since")).toBe(seenAt));
  });

  it("refreshes what is in sight, found by a search or not", async () => {
    const { user } = show();
    await card("12 lbs of LEGO");

    await user.click(screen.getByRole("button", { name: "Refresh all" }));

    await waitFor(() => expect(sent("POST /api/auctionListings/refresh")).toHaveLength(1));
    expect(sent("POST /api/auctionListings/refresh")[0]?.body).toEqual({ shown: [7, 8] });
  });

  it("keeps what is known, with its age, while the site does not answer", async () => {
    const problem = "The auction site gave no usable answer. What is known stays as it is.";
    const runAt = new Date(Date.now() - 3 * 3_600_000).toISOString();
    answer("GET /api/auctionSearches", () => page([{ ...search, problem, runAt }], 1));
    show();

    expect(await screen.findByText(/Results of “lego” are from 3 (h|hours) ago/)).toHaveTextContent(
      problem,
    );
    await card("12 lbs of LEGO");
  });

  it("says what the terms are where the real site is asked", async () => {
    answer("GET /api/auctionSite", () => ok([{ ...site, is_demo: false }]));
    show();

    expect(await screen.findByText(/terms forbid automated use/)).toHaveTextContent(
      /operator switched the connection on/,
    );
  });

  it("changes a listing that was typed in, and none of the site's", async () => {
    const typed = {
      ...listing,
      origin: "entered",
      external_id: "",
      listing_url: "",
      end_time: null,
    };
    answer("GET /api/auctionListings", () => page([typed], 1));
    answer("PATCH /api/auctionListings/7", () => ok([typed]));
    const { user } = show();
    await user.click((await card("12 lbs of LEGO")).getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Edit…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Edit the listing" }));
    const price = dialog.getByLabelText(/Price now/);
    expect(price).toHaveValue("24.99");
    await user.clear(price);
    await user.type(price, "31");
    await user.click(dialog.getByRole("button", { name: "Save" }));

    await waitFor(() => expect(sent("PATCH /api/auctionListings/7")).toHaveLength(1));
    expect(sent("PATCH /api/auctionListings/7")[0]?.body).toEqual({
      title: "12 lbs of LEGO",
      current_price: "31",
      shipping_cost: null,
      handling_cost: null,
      listing_url: "",
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText(/ restored$/);
    expect(sent("PATCH /api/auctionListings/7")[1]?.body).toMatchObject({
      current_price: typed.current_price,
      end_time: null,
    });
  });

  describe("as a table", () => {
    beforeEach(() => {
      giveElementsASize();
      localStorage.setItem("bb_setting_auctionView", JSON.stringify("table"));
    });

    it("shows the same listings as rows, with what each is worth", async () => {
      const basis = {
        batches: 3,
        source_name: "",
        value_per_kg: "20.0000",
        minutes_per_kg: null,
        fee_percent: "6.000",
        hourly_rate: "0.0000",
        net_per_kg: "18.8000",
      };
      const worth = { id: 7, worth: "61.50", highest_bid: "48.20", rests_on: "of_all" };
      answer("GET /api/auctionWorth", () =>
        ok([{ of_site: null, of_all: basis, listings: [worth] }]),
      );
      show();

      const row = within(
        (await screen.findByText("12 lbs of LEGO")).closest("[role=row]") as HTMLElement,
      );
      expect(row.getByText("$24.99")).toBeInTheDocument();
      expect(row.getByText("unknown")).toBeInTheDocument();
      expect(row.getByText("$48.20")).toBeInTheDocument();
    });

    it("shows them where what they are worth cannot be told", async () => {
      answer("GET /api/auctionWorth", () => refusal(500, "INTERNAL_ERROR", "broken"));
      show();

      expect(await screen.findByText("12 lbs of LEGO")).toBeVisible();
    });

    it("is chosen once and kept", async () => {
      localStorage.removeItem("bb_setting_auctionView");
      const { user } = show();
      await card("12 lbs of LEGO");

      await user.click(screen.getByRole("radio", { name: "Table" }));

      expect(await screen.findByRole("grid", { name: "Listings" })).toBeInTheDocument();
      expect(localStorage.getItem("bb_setting_auctionView")).toBe('"table"');
    });

    it("asks about one listing from its menu, and shows it on that row only", async () => {
      answer("POST /api/auctionListings/8/refresh", never);
      const { user } = show();
      const row = (await screen.findByText("LEGO Technic")).closest("[role=row]") as HTMLElement;
      await user.click(within(row).getByRole("button", { name: "Row actions" }));
      await user.click(await screen.findByRole("menuitem", { name: "Refresh" }));

      await waitFor(() => expect(sent("POST /api/auctionListings/8/refresh")).toHaveLength(1));
      const spinning = await waitFor(() => {
        const found = document.querySelectorAll("[role=row] .animate-spin");
        expect(found).toHaveLength(1);
        return found[0] as Element;
      });
      expect(row).toContainElement(spinning as HTMLElement);
    });
  });
});
