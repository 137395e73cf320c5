import { screen, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal } from "@/shared/testing/server";
import type { Reports } from "./model";
import { ReportsPage } from "./ReportsPage";
import { byAge, percent } from "./rules";

const none: Reports = {
  currency: "EUR",
  batch_count: 0,
  batches: [],
  sources: [],
  profit: [],
  source_profit: [],
  pace: [],
  stock: [],
  sell_through: [],
  sales: [],
  categories: [],
  channels: [],
  walks: [],
};
const batch = {
  id: 4,
  name: "Attic",
  source_name: "Market",
  createdAt: "2026-01-02T03:04:05Z",
  is_archived: false,
  lots: 3,
  pieces: 1200,
  cost: "10.0000",
  value: "25.0000",
  lots_without_price: 2,
  gives_back: "2.5000",
  cost_per_kg: null,
  cost_per_piece: "0.0083",
};
const serve = (also: Partial<Reports>) =>
  answer("GET /api/reports", () => ok([{ ...none, ...also }]));

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

describe("reports", () => {
  it("tell what each batch gave back, leading to it", async () => {
    serve({ batch_count: 1, batches: [batch] });
    renderPage(<ReportsPage />);

    const table = await screen.findByRole("region", { name: "Return per batch" });
    expect(within(table).getByRole("link", { name: "Attic" })).toHaveAttribute(
      "href",
      "/app/batches?batch=4",
    );
    expect(within(table).getByText("2.5×")).toBeInTheDocument();
    expect(within(table).getByText("1,200")).toBeInTheDocument();
    expect(within(table).getByTitle("2 lots have no price")).toBeInTheDocument();
  });

  it("tell what sold pieces of a batch left, and what is of none", async () => {
    const line = { pieces: 10, sold: "5.0000", fees: "0.3000", paid_back: "0.4700" };
    const second = { ...line, id: null, name: "", source_name: "", cost: null, profit: null };
    serve({
      profit: [
        { ...line, id: 4, name: "Attic", source_name: "Market", cost: "2.0000", profit: "2.7000" },
        { ...second, paid_back: null },
      ],
      source_profit: [{ ...line, id: 7, name: "Market", cost: "2.0000", profit: "2.7000" }],
    });
    renderPage(<ReportsPage />);

    const table = await screen.findByRole("region", { name: "Profit per batch" });
    expect(within(table).getByRole("link", { name: "Attic" })).toBeInTheDocument();
    expect(within(table).getByText("2.70")).toBeInTheDocument();
    expect(within(table).getByText("From no batch")).toBeInTheDocument();
    const sources = screen.getByRole("region", { name: "Profit per source" });
    expect(within(sources).getByRole("link", { name: "Market" })).toBeInTheDocument();
    expect(within(sources).getByText("0.47×")).toBeInTheDocument();
  });

  it("answer their first question with the best purchase first", async () => {
    const small = { ...batch, id: 5, name: "Attic", gives_back: "1.2000" };
    serve({ batch_count: 2, batches: [small, { ...batch, name: "Market box" }] });
    renderPage(<ReportsPage />);

    const bars = await screen.findByRole("list", { name: "Return per batch" });
    const names = within(bars).getAllByRole("link");
    expect(names[0]).toHaveTextContent("Market box");
    expect(names[1]).toHaveTextContent("Attic");
  });

  it("say that the file has more batches than the page", async () => {
    serve({ batch_count: 300, batches: [batch] });
    renderPage(<ReportsPage />);

    expect(await screen.findByText("The newest 1 of 300; the file has all.")).toBeInTheDocument();
  });

  it("say what is missing where there is nothing, and offer no file", async () => {
    serve({});
    renderPage(<ReportsPage />);

    expect(await screen.findByText("Your first batch with a cost fills this.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /as CSV/ })).toBeNull();
  });

  it("say why a file could not be had", async () => {
    serve({ batch_count: 1, batches: [batch] });
    answer("GET /api/reports/batches/file", () => refusal(403, "FORBIDDEN", "Not now."));
    const { user } = renderPage(<ReportsPage />);

    await user.click(await screen.findByRole("button", { name: "Return per batch as CSV" }));

    expect(await screen.findByText("Not now.")).toBeInTheDocument();
  });

  it("can be tried again", async () => {
    answer("GET /api/reports", () => refusal(403, "FORBIDDEN", "Not now."));
    const { user } = renderPage(<ReportsPage />);

    const retry = await screen.findByRole("button", { name: "Try again" });
    serve({});
    await user.click(retry);

    expect(await screen.findByText("Your first batch with a cost fills this.")).toBeInTheDocument();
  });
});

describe("their figures", () => {
  it("are read as people say them", () => {
    expect(percent("0.4000")).toBe("40 %");
    expect(percent(null)).toBe("–");
  });

  it("stand by age, each class in its column", () => {
    const line = { age: "old", lots: 2, pieces: 3, value: "4" };
    const [row, ...others] = byAge([
      { ...line, class: "A", lots_without_price: 0 },
      { ...line, class: "C", lots: 5, lots_without_price: 0 },
    ]);
    expect(others).toEqual([]);
    expect(row?.lots).toBe(7);
    expect([row?.cells.A.lots, row?.cells.B.lots, row?.cells.C.lots]).toEqual([2, 0, 5]);
  });
});
