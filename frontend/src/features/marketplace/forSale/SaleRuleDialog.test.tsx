import { screen, waitFor } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, sent } from "@/shared/testing/server";
import { ForSaleButton } from "./ForSaleButton";
import type { SaleRule } from "./queries";

beforeEach(installServer);

const forSale = (given: Partial<SaleRule["for_sale"]> = {}) => ({
  lots: 2524,
  of_lots: 2524,
  pieces: 40_000,
  repriced: 0,
  examples: [],
  ...given,
});

const rule: SaleRule = {
  marketplace: "bricklink",
  marketplace_name: "Demo store",
  own_currency: "EUR",
  left_out_types: [],
  left_out_categories: [],
  left_out_stockrooms: [],
  left_out_marker: "",
  least_value: null,
  most_value: null,
  least_pieces: 1,
  keep_back: 0,
  percent: "100",
  currency: "",
  rate: "1",
  rounding: "0.0001",
  for_sale: forSale(),
  single_lots: 143,
  close_orders: 3,
  orders: 200,
  minutes: 10,
};

const preview = {
  for_sale: forSale({
    lots: 2310,
    examples: [{ name: "3001 Red", price: "0.1200", price_there: "0.1300" }],
  }),
  joining: 0,
  leaving: 214,
  repriced: 2310,
  single_lots: 0,
};

it("says in numbers what a change does before it is saved, and is undone by its toast", async () => {
  answer("GET /api/marketplace/saleRule", () => ok([rule]));
  answer("POST /api/marketplace/saleRule/preview", () => ok([preview]));
  answer("PUT /api/marketplace/saleRule", () => ok([rule]));
  const { user } = renderPage(<ForSaleButton at="bricklink" />);

  await user.click(screen.getByRole("button", { name: "What is for sale here" }));
  expect(await screen.findByText(/The last piece of 143 lots is for sale/)).toBeVisible();
  expect(screen.getByText(/Of your last 200 orders, 3 \(1.5 %\)/)).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Of each lot"), "keep_back");
  await user.click(screen.getByLabelText("Set"));

  expect(await screen.findByText("2,310")).toBeVisible();
  expect(screen.getByText(/214 lots leave, 0 lots join and 2,310 lots get another/)).toBeVisible();
  expect(screen.getByText(/3001 Red: €0.12 → €0.13/)).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  await waitFor(() => expect(sent("PUT /api/marketplace/saleRule")).toHaveLength(2));
  const [stored, undone] = sent("PUT /api/marketplace/saleRule").map(({ body }) => body);
  expect(stored).toMatchObject({ keep_back: 1, left_out_types: ["SET"], percent: "100" });
  expect(undone).toMatchObject({ keep_back: 0, left_out_types: [] });
});

it("asks for the currency that a rate leads to", async () => {
  answer("GET /api/marketplace/saleRule", () => ok([{ ...rule, currency: "USD", rate: "1.08" }]));
  answer("POST /api/marketplace/saleRule/preview", () => ok([preview]));
  const { user } = renderPage(<ForSaleButton at="bricklink" />);

  await user.click(screen.getByRole("button", { name: "What is for sale here" }));
  await user.clear(await screen.findByLabelText("Currency here"));
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Name its currency.")).toBeVisible();
  expect(sent("PUT /api/marketplace/saleRule")).toHaveLength(0);
});
