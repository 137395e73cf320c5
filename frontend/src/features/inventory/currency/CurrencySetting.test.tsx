import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, sent } from "@/shared/testing/server";
import { CurrencySetting } from "./CurrencySetting";
import type { CurrencyChange } from "./currency";

const ROUTE = "POST /api/inventoryItems/changeCurrency";

const changed = (values: Partial<CurrencyChange> = {}): CurrencyChange => ({
  dry_run: true,
  act_id: null,
  currency_before: "EUR",
  currency: "CHF",
  lots: 2,
  batch_items: 0,
  batches: 1,
  sets: 0,
  on_sale: 1,
  value_before: "10.0000",
  value_after: "9.0000",
  examples: [],
  ...values,
});

beforeEach(() => {
  installServer();
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
  answer("GET /api/config", () => ok([{ currencies: ["CHF", "EUR"] }]));
});

async function choose() {
  const { user } = renderPage(<CurrencySetting />);
  await screen.findByRole("option", { name: /CHF/ });
  await user.selectOptions(screen.getByLabelText("Currency"), "CHF");
  return user;
}

const bodies = () => sent(ROUTE).map(({ body }) => body);

describe("the currency of the account", () => {
  it("changes at once while there are no amounts, and can be undone", async () => {
    answer(ROUTE, () => ok([changed({ lots: 0, batches: 0, act_id: 7 })]));
    answer("POST /api/inventoryActs/7/undo", () => ok([{ id: 7 }]));
    const user = await choose();

    expect(await screen.findByText("Prices are in CHF now")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Undo" }));

    await waitFor(() => expect(sent("POST /api/inventoryActs/7/undo")).toHaveLength(1));
    expect(bodies().at(-1)).toEqual({ currency: "CHF", rate: "" });
  });

  it("asks what happens to prices, and shows it before it multiplies them", async () => {
    answer(ROUTE, () => ok([changed()]));
    const user = await choose();
    const dialog = await screen.findByRole("dialog");

    await user.click(within(dialog).getByRole("radio", { name: "Multiply by a rate" }));
    await user.type(within(dialog).getByLabelText(/One EUR/), "0.9");
    expect(await within(dialog).findByText(/10.00.* → .*9.00/)).toBeInTheDocument();
    expect(within(dialog).getByText(/2 lots in stock, the cost of 1 batch\./)).toBeInTheDocument();
    const act = within(dialog).getByRole("button", { name: "Change to CHF" });
    await waitFor(() => expect(act).not.toHaveAttribute("aria-disabled"));
    await user.click(act);

    await waitFor(() => expect(bodies().at(-1)).toEqual({ currency: "CHF", rate: "0.9" }));
  });

  it("changes nothing when the question is closed", async () => {
    answer(ROUTE, () => ok([changed()]));
    const user = await choose();

    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));

    expect(screen.getByLabelText("Currency")).toHaveValue("EUR");
    expect(sent(ROUTE).every(({ body }) => (body as { dry_run: boolean }).dry_run)).toBe(true);
  });
});
