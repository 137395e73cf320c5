import { screen, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { Books } from "./Books";
import { type Books as BooksRow, missingTexts, periodsAt, ruleText } from "./rules";

const books: BooksRow = {
  currency: "EUR",
  first: "2026-10-01",
  last: "2026-12-31",
  orders: 2,
  pieces: 14,
  sold: "12.3400",
  extras: "4.0000",
  refunds: "0.0000",
  fees: "0.7400",
  cost: "3.2000",
  margin: "5.1000",
  tax: "0.8143",
  purchases: "33.3300",
  rules: [
    {
      rule: "margin",
      country: "DE",
      percent: "19.00",
      lines: 3,
      pieces: 14,
      gross: "16.3400",
      cost: "3.2000",
      tax: "0.8143",
      lines_without_cost: 1,
      lines_without_tax: 1,
    },
  ],
  missing: {
    sales_without_cost: 12,
    sales_without_source: 0,
    sales_without_country: 0,
    purchases_without_cost: 1,
    orders_without_date: 0,
    orders_in_other_currency: 0,
    has_tax_mode: true,
  },
  invoices: 0,
};

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer("GET /api/invoices", () => ok([]));
});

describe("books", () => {
  it("show sums by rule and name what is missing", async () => {
    answer("GET /api/books", () => ok([books]));
    renderPage(<Books />);

    const table = await screen.findByRole("region", { name: "By rule of VAT" });
    expect(within(table).getByText("Margin scheme, DE 19 %")).toBeInTheDocument();
    expect(
      screen.getByText("12 sales without a cost: not in cost, margin and margin tax"),
    ).toBeInTheDocument();
    expect(screen.getByText("1 batch without a cost")).toBeInTheDocument();
    expect(await screen.findByText("No invoice yet.")).toBeInTheDocument();
  });

  it("lead to the settings where no tax is worked out", async () => {
    const missing = { ...books.missing, has_tax_mode: false };
    answer("GET /api/books", () => ok([{ ...books, missing, rules: [] }]));
    renderPage(<Books />);

    expect(await screen.findByRole("link", { name: "Settings" })).toHaveAttribute(
      "href",
      "/app/settings#books",
    );
    expect(
      screen.getByText("The first order that you pick in the period fills this."),
    ).toBeInTheDocument();
  });

  it("ask again after a failure", async () => {
    answer("GET /api/books", () => refusal(403, "FORBIDDEN", "It broke."));
    const { user } = renderPage(<Books />);
    expect(await screen.findByText("It broke.")).toBeInTheDocument();

    answer("GET /api/books", () => ok([books]));
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("Margin scheme, DE 19 %")).toBeInTheDocument();
  });

  it("cancel an invoice by a credit note", async () => {
    answer("GET /api/books", () => ok([books]));
    const invoice = {
      id: 7,
      serial: 1,
      number: "R-1",
      kind: "invoice",
      issued_on: "2026-11-29",
      currency: "EUR",
      total: "4.0000",
      buyer: "Bo Brick\n5 Lane",
      cancels: null,
      cancelled_by: null,
    };
    answer("GET /api/invoices", () => ok([invoice]));
    answer("POST /api/invoices/7/cancel", () =>
      ok([{ ...invoice, id: 8, number: "R-2", kind: "credit", cancels: 7 }]),
    );
    const { user } = renderPage(<Books />);

    await user.click(await screen.findByRole("button", { name: "Cancel R-1" }));
    await user.click(screen.getByRole("button", { name: "Issue a credit note" }));

    expect(await screen.findByText("Credit note issued")).toBeInTheDocument();
    expect(sent("POST /api/invoices/7/cancel")).toHaveLength(1);
  });
});

describe("the periods", () => {
  it("are the last quarters and years", () => {
    const found = periodsAt(new Date(2026, 1, 3));

    expect(found[0]).toEqual({
      label: "Quarter 1 of 2026",
      period: { first: "2026-01-01", last: "2026-03-31" },
    });
    expect(found[1]?.label).toBe("Quarter 4 of 2025");
    expect(found.at(-1)?.period).toEqual({ first: "2024-01-01", last: "2024-12-31" });
  });
});

describe("a rule", () => {
  it("names its country and its rate, where it has one", () => {
    const [rule] = books.rules;
    if (!rule) throw new Error("no rule");
    expect(ruleText(rule)).toBe("Margin scheme, DE 19 %");
    expect(ruleText({ ...rule, rule: "outside", percent: "0.00" })).toBe("Outside the EU, DE");
    expect(ruleText({ ...rule, rule: "unknown", country: "", percent: null })).toBe("Not known");
  });
});

describe("what is missing", () => {
  it("is nothing where all is known", () => {
    const missing = { ...books.missing, sales_without_cost: 0, purchases_without_cost: 0 };
    expect(missingTexts({ ...books, missing })).toEqual([]);
  });
});
