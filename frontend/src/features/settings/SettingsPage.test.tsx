import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { setNumberLanguage } from "@/shared/lib/numbers";
import { clientStore, reloadClientState } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, sent } from "@/shared/testing/server";
import { aConnection, aPriceRule } from "../marketplace/testing/builders";
import { SettingsPage } from "./SettingsPage";

const preferences = {
  currency: "EUR",
  last_sold_recent_days: 30,
  last_sold_moderate_days: 180,
  updatedAt: "2026-01-01T00:00:00Z",
};

const aLayout = { id: "roll_62", name: "Roll, 62 mm" };

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer("GET /api/preferences", () => ok([preferences]));
  answer("GET /api/backups", () => ok([]));
  answer("GET /api/tokens", () => ok([]));
  answer("GET /api/webhooks", () => ok([]));
  answer("GET /api/priceRule", () => ok([aPriceRule()]));
  answer("GET /api/labelLayouts", () => ok([aLayout]));
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  reloadClientState();
});

afterEach(() => setNumberLanguage(null));

const section = (name: string) =>
  screen.getByRole("heading", { name }).closest("section") as HTMLElement;

/** With these of its sections open, or all. */
function open(...names: string[]) {
  const shown = renderPage(<SettingsPage />);
  for (const [row, heading] of screen.getAllByRole("heading", { level: 2 }).entries()) {
    if (names.length > 0 && !names.includes(heading.textContent ?? "")) continue;
    fireEvent.click(within(heading).getByRole("button"), { clientX: 9, clientY: (row + 1) * 60 });
  }
  return shown;
}

describe("the settings page", () => {
  it("says of each option where it is kept", async () => {
    open();
    await screen.findByLabelText("Recent up to (days)");

    expect(within(section("Recommendation")).getByText("account")).toBeInTheDocument();
    expect(within(section("Appearance")).getByText("this device")).toBeInTheDocument();
    expect(within(section("Inventory")).getAllByText("this device")).toHaveLength(2);
  });

  it("keeps a switched option, and resets its section", async () => {
    const { user } = open();
    const archived = () => screen.getByRole("switch", { name: "Show archived batches" });

    await user.click(archived());
    expect(archived()).toBeChecked();
    expect(localStorage.bb_setting_showArchivedBatches).toBe("true");
    await user.click(
      within(section("Batches/tables")).getByRole("button", { name: "Reset section" }),
    );

    expect(archived()).not.toBeChecked();
    expect(clientStore.get("options.showArchivedBatches")).toBe(false);
  });

  it("chooses the theme, or the system's", async () => {
    const { user } = open();

    await user.click(screen.getByRole("radio", { name: "Dark" }));
    expect(localStorage.theme).toBe("dark");
    await user.click(screen.getByRole("radio", { name: "System" }));

    expect(localStorage.theme).toBeUndefined();
  });

  it("saves the last-sold days with the account, and refuses what cannot be", async () => {
    answer("PATCH /api/preferences", () => ok([{ ...preferences, last_sold_recent_days: 14 }]));
    const { user } = open();
    const recent = await screen.findByLabelText("Recent up to (days)");

    await user.clear(recent);
    await user.type(recent, "200{Enter}");
    expect(await screen.findByText("More days than for recent.")).toBeInTheDocument();
    await user.clear(recent);
    await user.type(recent, "14");
    await user.clear(screen.getByLabelText("Moderate up to (days)"));
    await user.type(screen.getByLabelText("Moderate up to (days)"), "1,000{Enter}");

    expect(await screen.findByText("Settings saved")).toBeInTheDocument();
    expect(sent("PATCH /api/preferences").map(({ body }) => body)).toEqual([
      { last_sold_recent_days: 14, last_sold_moderate_days: 1000 },
    ]);
  });

  it.each([
    ["en", "+7.5 %", ".5", "1,250.50"],
    ["de", "7,5", ",5", "1.250,50"],
  ])("reads the amounts of the price rule as people write them: %s", async (tag, ...typed) => {
    setNumberLanguage(tag);
    answer("PATCH /api/priceRule", () => ok([aPriceRule()]));
    const { user } = open("Pricing");

    const labels = ["Plus percent", "At least", "High value from"];
    for (const [index, label] of labels.entries()) {
      const field = await screen.findByLabelText(label);
      await user.clear(field);
      await user.type(field, typed[index] ?? "");
    }
    await user.type(screen.getByLabelText("Low value below"), "{Enter}");

    expect(await screen.findByText("Settings saved")).toBeInTheDocument();
    expect(sent("PATCH /api/priceRule")[0]?.body).toMatchObject({
      percent: "7.5",
      minimum: "0.5",
      low_value: "0.05",
      high_value: "1250.50",
    });
  });

  it("shows the section that a link names", async () => {
    const shown: string[] = [];
    Element.prototype.scrollIntoView = function (this: Element) {
      shown.push(this.id);
    };
    renderPage(<SettingsPage />, { at: "/app/settings#buy-lego" });

    await waitFor(() => expect(shown).toEqual(["buy-lego"]));
    expect(document.getElementById("buy-lego")).toContainElement(section("Buy LEGO"));
    expect(document.getElementById("backup")).not.toBeNull();
  });

  it("is a list of sections until one is opened", async () => {
    const { user } = renderPage(<SettingsPage />);
    expect(screen.queryByRole("switch")).toBeNull();

    await user.click(screen.getByRole("button", { name: "Batches/tables" }));

    expect(screen.getByRole("switch", { name: "Show archived batches" })).toBeInTheDocument();
    expect(screen.getAllByRole("switch")).toHaveLength(1);
  });

  it("is searched by word", async () => {
    const { user } = renderPage(<SettingsPage />);

    await user.type(screen.getByRole("searchbox", { name: "Search settings" }), "dark");

    expect(screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent)).toEqual([
      "Appearance",
    ]);
  });

  it("lists what the browser keeps and clears it on request", async () => {
    localStorage.bb_setting_person_pick_walk = '{"a":1}';
    localStorage.theme = "dark";
    const { user } = open();
    expect(screen.getByText("Pick walk")).toBeInTheDocument();
    expect(screen.queryByText(/person_/)).toBeNull();

    await user.click(screen.getByRole("button", { name: "Clear local data" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Clear local data" }));

    expect(await screen.findByText("Local data cleared")).toBeInTheDocument();
    expect(localStorage.bb_setting_person_pick_walk).toBeUndefined();
    expect(localStorage.theme).toBe("dark");
  });

  it("has every section of the design", async () => {
    open();
    await screen.findByLabelText("Recent up to (days)");

    const titles = screen
      .getAllByRole("heading", { level: 2 })
      .map(({ textContent }) => textContent);

    for (const title of [
      "Stow",
      "Recommendation",
      "Pricing",
      "Listing",
      "Batches/tables",
      "Catalog",
      "Buy LEGO",
      "Labels",
      "Import/export",
      "Integrations",
      "Appearance",
      "Local data",
    ]) {
      expect(titles).toContain(title);
    }
  });

  it("keeps what the label dialog and the export button begin with", async () => {
    const { user } = open();

    await user.selectOptions(await screen.findByLabelText("Paper"), "roll_62");
    await user.selectOptions(screen.getByLabelText("Format"), "csv");
    await user.click(screen.getByRole("switch", { name: "Incomplete lots too" }));

    expect(JSON.parse(localStorage.bb_setting_labels)).toMatchObject({ layout: "roll_62" });
    expect(JSON.parse(localStorage.bb_setting_exportOptions)).toMatchObject({
      kind: "csv",
      include_incomplete: false,
    });
  });

  it("refreshes auctions as often as is chosen", async () => {
    const { user } = open();

    await user.selectOptions(screen.getByLabelText("Refresh interval"), "Every 10 minutes");

    expect(clientStore.get("options.auctionAutoRefreshInterval")).toBe(600_000);
  });
});
