import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { IntegrationSettings } from "./IntegrationSettings";
import { PricingSettings } from "./PricingSettings";
import { aConnection, aPriceRule } from "./testing/builders";

beforeEach(installServer);

const connected = (given: Parameters<typeof aConnection>[0]) =>
  answer("GET /api/marketplaceConnection", () => ok([aConnection(given)]));
const secrets = {
  ConsumerKey: "A1B2C3D4E5F6A7B8",
  ConsumerSecret: "B1B2C3D4E5F6A7B8",
  TokenValue: "C1B2C3D4E5F6A7B8",
  TokenSecret: "D1B2C3D4E5F6A7B8",
};

describe("the store's connection", () => {
  it("leads on to reading its lots", async () => {
    connected({});
    answer("POST /api/marketplace/pulls", () => ok([{ id: 8, job_id: null }]));
    const { user, router } = renderPage(<IntegrationSettings />);

    await user.click(await screen.findByRole("button", { name: "Pull the demo store" }));

    await waitFor(() => expect(router.state.location.search).toBe("?sync=8"));
  });

  it("says that it is the demo store, and what is left of the day's calls", async () => {
    connected({});
    renderPage(<IntegrationSettings />);

    expect(await screen.findByText("Demo store")).toBeVisible();
    expect(screen.getByText("demo")).toBeVisible();
    expect(screen.getByText("connected")).toBeVisible();
    expect(screen.getByText(/prices are invented/)).toBeVisible();
    const row = screen.getByRole("row", { name: /Look-ups/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["12", "1,988"]);
  });

  it("connects the demo store with one click and tries it", async () => {
    connected({ state: "none", connectedAt: null });
    answer("POST /api/marketplaceConnection/demo", () => ok([aConnection({ state: "untested" })]));
    answer("POST /api/marketplaceConnection/test", () => ok([aConnection()]));
    const { user } = renderPage(<IntegrationSettings />);

    await user.click(await screen.findByRole("button", { name: "Connect the demo store" }));

    expect(await screen.findByText("connected")).toBeVisible();
  });

  it("asks for secrets at once where a link means it, but for none of the demo store", async () => {
    const at = "/app/settings?connect=1";
    connected({ state: "none", is_demo: false, marketplace_name: "BrickLink" });
    const { unmount } = renderPage(<IntegrationSettings />, { at });
    expect(await screen.findByRole("dialog")).toBeVisible();
    unmount();

    connected({ state: "none" });
    renderPage(<IntegrationSettings />, { at });
    expect(await screen.findByRole("button", { name: "Connect the demo store" })).toBeVisible();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("takes the four secrets, tests them and forgets what was typed", async () => {
    connected({ state: "none", is_demo: false, marketplace_name: "BrickLink" });
    answer("PUT /api/marketplaceConnection", () => ok([aConnection({ state: "untested" })]));
    answer("POST /api/marketplaceConnection/test", () => ok([aConnection({ is_demo: false })]));
    const { user } = renderPage(<IntegrationSettings />);
    await user.click(await screen.findByRole("button", { name: "Connect a store" }));
    const dialog = await screen.findByRole("dialog", { name: "Connect your BrickLink store" });
    for (const [label, text] of Object.entries(secrets)) {
      await user.type(await within(dialog).findByLabelText(new RegExp(`^${label}`)), text);
    }

    await user.click(within(dialog).getByRole("button", { name: "Save and test" }));

    expect(await screen.findByText("connected")).toBeVisible();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sent("PUT /api/marketplaceConnection")[0]?.body).toEqual({
      consumer_key: secrets.ConsumerKey,
      consumer_secret: secrets.ConsumerSecret,
      token: secrets.TokenValue,
      token_secret: secrets.TokenSecret,
    });
  });

  it("takes the key of a store at BrickOwl and says what it does not do there", async () => {
    const owl = {
      marketplace: "brickowl",
      marketplace_name: "BrickOwl",
      is_demo: false,
      has_prices: false,
      mark: "BO",
      channel_id: null,
      is_paused: false,
      state: "none",
    } as const;
    connected({ state: "none", is_demo: false, marketplace_name: "BrickLink", choices: [owl] });
    answer("PUT /api/marketplaceConnection", () => ok([aConnection({ ...owl, state: "ok" })]));
    answer("POST /api/marketplaceConnection/test", () =>
      ok([aConnection({ ...owl, state: "ok" })]),
    );
    const { user } = renderPage(<IntegrationSettings />);
    await user.click(await screen.findByRole("button", { name: "Sell at BrickOwl instead" }));
    const dialog = await screen.findByRole("dialog", { name: "Connect your BrickOwl store" });
    expect(within(dialog).queryByRole("button", { name: /demo/ })).toBeNull();
    await user.type(await within(dialog).findByLabelText(/^API key/), secrets.ConsumerKey);

    await user.click(within(dialog).getByRole("button", { name: "Save and test" }));

    expect(await screen.findByText(/prices are not read there/)).toBeVisible();
    expect(screen.queryByLabelText(/Share of a day.s calls/)).toBeNull();
    expect(sent("PUT /api/marketplaceConnection")[0]?.body).toEqual({
      marketplace: "brickowl",
      key: secrets.ConsumerKey,
    });
  });

  it("pauses a store by its name, and says what that does", async () => {
    const both = aConnection().choices.map((each) => ({ ...each, state: "ok" as const }));
    let isPaused = false;
    answer("GET /api/marketplaceConnection", () =>
      ok([aConnection({ choices: both, is_paused: isPaused })]),
    );
    answer("PATCH /api/marketplaceConnection", () => {
      isPaused = true;
      return ok([aConnection({ choices: both, is_paused: true })]);
    });
    const { user } = renderPage(<IntegrationSettings />);

    const [pause] = await screen.findAllByRole("button", { name: "Pause" });
    if (pause) await user.click(pause);

    expect(await screen.findByText("This store is paused")).toBeVisible();
    expect(sent("PATCH /api/marketplaceConnection")[0]).toMatchObject({
      body: { is_paused: true },
    });
    expect(sent("PATCH /api/marketplaceConnection")[0]?.query.get("marketplace")).toBe("bricklink");
    expect(screen.getAllByRole("button", { name: "Resume" })[0]).toBeVisible();
  });

  it("shows a second store beside the first, which is pulled and tested by its name", async () => {
    const both = aConnection().choices.map((each) => ({ ...each, state: "ok" as const }));
    const second = { marketplace: "brickowl", marketplace_name: "BrickOwl (demo)" } as const;
    answer("GET /api/marketplaceConnection", ({ query }) =>
      ok([
        query.has("marketplace")
          ? aConnection({ ...second, has_prices: false, choices: both })
          : aConnection({ choices: both }),
      ]),
    );
    answer("POST /api/marketplaceConnection/test", () => ok([aConnection({ choices: both })]));
    const { user } = renderPage(<IntegrationSettings />);

    expect(await screen.findByRole("button", { name: "Pull BrickOwl (demo)" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /, too$/ })).toBeNull();
    const [, ofSecond] = screen.getAllByRole("button", { name: "Test" });
    if (ofSecond) await user.click(ofSecond);

    expect(sent("POST /api/marketplaceConnection/test")[0]?.query.get("marketplace")).toBe(
      "brickowl",
    );
  });

  it("offers the other marketplace beside the one that is connected", async () => {
    connected({});

    renderPage(<IntegrationSettings />);

    expect(
      await screen.findByRole("button", { name: "Sell at BrickOwl (demo), too" }),
    ).toBeVisible();
  });

  it("connects the demo of BrickOwl where the server works with demos", async () => {
    connected({ state: "none", connectedAt: null });
    answer("POST /api/marketplaceConnection/demo", () => ok([aConnection()]));
    answer("POST /api/marketplaceConnection/test", () => ok([aConnection()]));
    const { user } = renderPage(<IntegrationSettings />);
    await user.click(await screen.findByRole("button", { name: "Sell at BrickOwl instead" }));

    await user.click(await screen.findByRole("button", { name: "Connect the demo of BrickOwl" }));

    expect(await screen.findByText("connected")).toBeVisible();
    expect(sent("POST /api/marketplaceConnection/demo")[0]?.body).toEqual({
      marketplace: "brickowl",
    });
  });

  it("asks for four that differ and are what they can be, before anything is sent", async () => {
    connected({ state: "none" });
    const { user } = renderPage(<IntegrationSettings />);
    await user.click(await screen.findByRole("button", { name: "Connect a store" }));
    const dialog = await screen.findByRole("dialog");
    const values = [secrets.ConsumerKey, "short", secrets.TokenValue, secrets.TokenValue];
    for (const [index, label] of Object.keys(secrets).entries()) {
      const field = await within(dialog).findByLabelText(new RegExp(`^${label}`));
      expect(field).toHaveAttribute("type", "password");
      await user.type(field, values[index] ?? "");
    }

    await user.click(within(dialog).getByRole("button", { name: "Save and test" }));

    expect(await within(dialog).findByText(/At least 8 letters and digits/)).toBeVisible();
    expect(sent("PUT /api/marketplaceConnection")).toHaveLength(0);
  });

  it("explains the address that a token is bound to", async () => {
    connected({
      state: "refused",
      problem: "The token is registered for another address: this app calls from 203.0.113.9.",
      outgoing_address: "203.0.113.9",
    });
    renderPage(<IntegrationSettings />);

    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("refuses these secrets");
    expect(alert).toHaveTextContent("Register the token for 203.0.113.9");
  });

  it("says why a test came to nothing, and tries only once", async () => {
    connected({});
    answer("POST /api/marketplaceConnection/test", () =>
      refusal(502, "UPSTREAM_ERROR", "The marketplace sent a page for people (status 200)."),
    );
    const { user } = renderPage(<IntegrationSettings />);

    await user.click(await screen.findByRole("button", { name: "Test" }));

    expect(await screen.findByText(/a page for people/)).toBeVisible();
    expect(sent("POST /api/marketplaceConnection/test")).toHaveLength(1);
  });

  it("asks before it forgets the secrets", async () => {
    connected({});
    answer("DELETE /api/marketplaceConnection", () => ok([aConnection({ state: "none" })]));
    const { user } = renderPage(<IntegrationSettings />);

    await user.click(await screen.findByRole("button", { name: "Disconnect" }));
    expect(sent("DELETE /api/marketplaceConnection")).toHaveLength(0);
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Disconnect" }));

    expect(await screen.findByText("connects when it is first used")).toBeVisible();
  });
});

describe("the price rule", () => {
  it("is shown as it is and saved with the account", async () => {
    answer("GET /api/priceRule", () => ok([aPriceRule({ percent: "-10.00" })]));
    answer("PATCH /api/priceRule", () => ok([aPriceRule({ basis: "asked" })]));
    const { user } = renderPage(<PricingSettings />);
    expect(await screen.findByLabelText("Plus percent")).toHaveValue("-10");
    expect(screen.getByLabelText("Low value below")).toHaveValue("0.05");

    await user.selectOptions(screen.getByLabelText("Starts from"), "asked");
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText("Settings saved")).toBeInTheDocument();
    expect(sent("PATCH /api/priceRule")[0]?.body).toEqual({
      basis: "asked",
      nth: 1,
      fallback: "",
      region: "global",
      percent: "-10",
      rounding: "0.01",
      ending: "0",
      minimum: "0.01",
      maximum: null,
      max_step: null,
      without_data: "keep",
      is_nightly: false,
      low_value: "0.05",
      high_value: "1",
    });
  });

  it("holds bounds, an ending, a country and the night", async () => {
    const rule = aPriceRule({ basis: "lowest", nth: 3, rounding: "0.2500", maximum: "9.0000" });
    answer("GET /api/priceRule", () => ok([rule]));
    answer("PATCH /api/priceRule", () => ok([rule]));
    const { user } = renderPage(<PricingSettings />);
    expect(await screen.findByLabelText("Which of the lowest")).toHaveValue("3");
    expect(screen.getByLabelText("Rounded")).toHaveDisplayValue("To 0.25");

    await user.selectOptions(screen.getByLabelText("Starts from"), "sold_median");
    await user.selectOptions(screen.getByLabelText("If there is none"), "asked");
    await user.selectOptions(screen.getByLabelText("Sellers in"), "One country");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("textbox", { name: /Country/ })).toBeInvalid();
    await user.type(screen.getByRole("textbox", { name: /Country/ }), "de");
    await user.selectOptions(screen.getByLabelText("Rounded"), "To end as 0.19");
    await user.clear(screen.getByLabelText("At most"));
    await user.type(screen.getByLabelText("Largest step, percent"), "20 %");
    await user.click(screen.getByRole("checkbox", { name: /every night/ }));
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText("Settings saved")).toBeInTheDocument();
    expect(sent("PATCH /api/priceRule")[0]?.body).toMatchObject({
      basis: "sold_median",
      fallback: "asked",
      region: "DE",
      rounding: "0.1",
      ending: "0.01",
      maximum: null,
      max_step: "20",
      is_nightly: true,
    });
  });

  it("shows the server's error beside its field", async () => {
    answer("GET /api/priceRule", () => ok([aPriceRule({ region: "DE" })]));
    answer("PATCH /api/priceRule", () =>
      refusal(400, "VALIDATION_ERROR", "Check the fields.", { fields: { nth: ["No."] } }),
    );
    const { user } = renderPage(<PricingSettings />);
    expect(await screen.findByRole("textbox", { name: /Country/ })).toHaveValue("DE");

    await user.selectOptions(screen.getByLabelText("Starts from"), "lowest");
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText("No.")).toBeVisible();
  });

  it.each([
    ["Plus percent", "-100", "From -99 to 900."],
    ["Plus percent", "much", /A number such as/],
    ["At least", "-1", /An amount such as/],
    ["At most", "0.001", "At least the lowest price."],
    ["Largest step, percent", "0", "More than 0."],
  ])("refuses %s of %s beside its field", async (label, text, told) => {
    answer("GET /api/priceRule", () => ok([aPriceRule()]));
    const { user } = renderPage(<PricingSettings />);
    const field = await screen.findByLabelText(label);

    await user.clear(field);
    await user.type(field, `${text}{Enter}`);

    expect(await screen.findByText(told)).toBeVisible();
    expect(sent("PATCH /api/priceRule")).toHaveLength(0);
  });
});
