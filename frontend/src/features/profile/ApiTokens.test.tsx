import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, created, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { ApiTokens } from "./ApiTokens";

const TOKEN = "bst_abc_s3cr3t";
const aToken = {
  id: 7,
  name: "Nightly",
  public: "abc",
  scopes: ["stock:read"],
  addresses: [],
  createdAt: "2026-11-01T10:00:00Z",
  expiresAt: "2027-02-01T10:00:00Z",
  lastUsedAt: null,
};

beforeEach(() => {
  installServer();
  answer("GET /api/tokens", () => ok([aToken]));
});

async function fillIn() {
  const { user } = renderPage(<ApiTokens />);
  await user.click(screen.getByRole("button", { name: "New token" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByLabelText(/Name/), "Nightly");
  await user.click(within(dialog).getByLabelText("read stock"));
  return { user, dialog };
}

test("a token is listed with its scopes, its expiry and its last use", async () => {
  renderPage(<ApiTokens />);

  const row = await within(screen.getByRole("list", { name: "Tokens" })).findByRole("listitem");
  expect(row).toHaveTextContent("stock:read");
  expect(row).toHaveTextContent("never used");
});

test("a new one is shown once, with Copy", async () => {
  answer("POST /api/tokens", () => created({ ...aToken, token: TOKEN }));
  const { user, dialog } = await fillIn();

  await user.type(within(dialog).getByLabelText("Allowed addresses"), "10.0.0.1, 10.1.0.0/16");
  await user.click(within(dialog).getByRole("button", { name: "Make token" }));

  expect(await screen.findByText(TOKEN)).toBeVisible();
  expect(screen.getByRole("button", { name: "Copy" })).toBeVisible();
  expect(sent("POST /api/tokens")[0]?.body).toEqual({
    name: "Nightly",
    scopes: ["stock:read"],
    days: 90,
    addresses: ["10.0.0.1", "10.1.0.0/16"],
  });
});

test("a refusal is told in the form", async () => {
  answer("POST /api/tokens", () => refusal(409, "CONFLICT", "You have 50 tokens."));
  const { user, dialog } = await fillIn();

  await user.click(within(dialog).getByRole("button", { name: "Make token" }));

  expect(await within(dialog).findByText("You have 50 tokens.")).toBeVisible();
});

test("revoking asks first", async () => {
  answer("DELETE /api/tokens/7", () => ok());
  const { user } = renderPage(<ApiTokens />);

  await user.click(await screen.findByRole("button", { name: "Revoke Nightly" }));
  const dialog = await screen.findByRole("dialog");
  expect(sent("DELETE /api/tokens/7")).toHaveLength(0);
  await user.click(within(dialog).getByRole("button", { name: "Revoke token" }));

  await waitFor(() => expect(sent("DELETE /api/tokens/7")).toHaveLength(1));
});
