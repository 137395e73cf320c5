import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { aConnection } from "../marketplace/testing/builders";
import { HookSettings } from "./HookSettings";

const ADDRESS = "https://bricks.example.org/api/hooks/orders/s3cr3t";
const heard = (address: string | null) => ok([{ address, heardAt: null }]);

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection({ is_demo: false })]));
  answer("GET /api/orderHook", () => heard(ADDRESS));
});

const field = () => screen.findByLabelText("Address for hints");

test("the secret is shown when it is asked for", async () => {
  const { user } = renderPage(<HookSettings />);

  expect(await field()).not.toHaveValue(ADDRESS);
  expect((await field()).getAttribute("value")).not.toContain("s3cr3t");
  await user.click(screen.getByRole("button", { name: "Show" }));

  expect(await field()).toHaveValue(ADDRESS);
});

test("it is copied without being shown", async () => {
  const { user } = renderPage(<HookSettings />);
  const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();

  await user.click(await screen.findByRole("button", { name: "Copy" }));

  expect(write).toHaveBeenCalledWith(ADDRESS);
  expect(await screen.findByRole("button", { name: "Copied" })).toBeVisible();
});

test("a new one is made after a question, for the old one is heard no more", async () => {
  answer("POST /api/orderHook", () => heard(`${ADDRESS}2`));
  const { user } = renderPage(<HookSettings />);

  await user.click(await screen.findByRole("button", { name: "Make a new one" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("enter the new one at BrickLink");
  expect(sent("POST /api/orderHook")).toHaveLength(0);
  await user.click(within(dialog).getByRole("button", { name: "Make a new address" }));

  await waitFor(async () => expect(await field()).toHaveValue(`${ADDRESS}2`));
});

describe("without an address", () => {
  beforeEach(() => void answer("GET /api/orderHook", () => heard(null)));

  test("the first is made with one press", async () => {
    answer("POST /api/orderHook", () => heard(ADDRESS));
    const { user } = renderPage(<HookSettings />);

    await user.click(await screen.findByRole("button", { name: "Make an address" }));

    expect(await field()).toHaveValue(ADDRESS);
  });

  test("a refusal is told", async () => {
    answer("POST /api/orderHook", () => refusal(409, "CONFLICT", "Not now."));
    const { user } = renderPage(<HookSettings />);

    await user.click(await screen.findByRole("button", { name: "Make an address" }));

    expect(await screen.findByText("Not now.")).toBeVisible();
  });
});

test("without a store there is nobody to listen to", async () => {
  answer("GET /api/marketplaceConnection", () => ok([aConnection({ state: "none" })]));
  renderPage(<HookSettings />);

  await waitFor(() => expect(sent("GET /api/marketplaceConnection")).toHaveLength(1));
  expect(screen.queryByText("Get new orders at once")).toBeNull();
});
