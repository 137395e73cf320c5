import { screen, waitFor, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { ProfilePage } from "./ProfilePage";

const ann = {
  id: 1,
  email_address: "ann@example.com",
  name: "Ann",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-02T00:00:00Z",
  bidder_name: "",
  zip_code: "",
  units: "g",
  time_zone: "",
};
const here = { id: "1", device: "Firefox on Linux", lastUsedAt: ann.updatedAt, current: true };
const phone = { id: "2", device: "Safari on iPhone", lastUsedAt: ann.createdAt, current: false };

beforeEach(() => {
  // All 400 of them take jsdom seconds to draw.
  jest.spyOn(Intl, "supportedValuesOf").mockReturnValue(["America/New_York", "Europe/Berlin"]);
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer("GET /api/users/me", () => ok([ann]));
  answer("GET /api/users/sessions", () => ok([here, phone]));
  answer("GET /api/config", () => ok([{ currencies: ["EUR", "USD"] }]));
  answer("GET /api/backups", () => ok([]));
  answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
});

describe("the profile page", () => {
  it("saves a new name against what was seen, and the stored user follows", async () => {
    answer("PATCH /api/users/me", () => ok([{ ...ann, name: "Anna" }]));
    const { user } = renderPage(<ProfilePage />);
    const name = await screen.findByLabelText(/^Name/);
    expect(screen.getByLabelText("E-mail address")).toHaveAttribute("readonly");

    await user.clear(name);
    await user.type(name, "Anna{Enter}");

    expect(await screen.findByText("Profile saved")).toBeInTheDocument();
    expect(sent("PATCH /api/users/me")[0]?.body).toEqual({
      name: "Anna",
      bidder_name: "",
      zip_code: "",
      units: "g",
      time_zone: "",
      seller_address: "",
      vat_id: "",
      buyer_data_months: 24,
      updatedAt: ann.updatedAt,
    });
    expect(JSON.parse(localStorage.user)).toMatchObject({ name: "Anna" });
  });

  it("shows the currency, and where it is changed", async () => {
    renderPage(<ProfilePage />);

    expect(await screen.findByDisplayValue("EUR – Euro")).toHaveAccessibleName("Currency");
    expect(screen.getByRole("link", { name: "Change it in Settings" })).toHaveAttribute(
      "href",
      "/app/settings#integrations",
    );
  });

  it("makes a zip of everything that is one's own", async () => {
    answer("POST /api/backups", () => ok([]));
    const { user } = renderPage(<ProfilePage />);

    await user.click(await screen.findByRole("button", { name: "Export data" }));

    await waitFor(() => expect(sent("POST /api/backups")).toHaveLength(1));
  });

  it("saves what auctions and formats need", async () => {
    answer("PATCH /api/users/me", ({ body }) => ok([{ ...ann, ...(body as object) }]));
    const { user } = renderPage(<ProfilePage />);

    await user.type(await screen.findByLabelText("Bidder name"), "bricks4me");
    await user.type(screen.getByLabelText("ZIP code"), "10115");
    await user.selectOptions(screen.getByLabelText("Units"), "oz");
    await user.selectOptions(screen.getByLabelText("Time zone"), "Europe/Berlin");
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText("Profile saved")).toBeInTheDocument();
    const chosen = {
      bidder_name: "bricks4me",
      zip_code: "10115",
      units: "oz",
      time_zone: "Europe/Berlin",
    };
    expect(sent("PATCH /api/users/me")[0]?.body).toMatchObject(chosen);
    expect(JSON.parse(localStorage.user)).toMatchObject(chosen);
    expect(screen.getByLabelText("ZIP code")).toHaveValue("10115");
  });

  it("refuses a ZIP code that is none beside its field", async () => {
    const { user } = renderPage(<ProfilePage />);

    await user.type(await screen.findByLabelText("ZIP code"), "<b>{Enter}");

    await waitFor(() =>
      expect(screen.getByLabelText("ZIP code")).toHaveAccessibleDescription(
        /Letters, digits, spaces and hyphens only/,
      ),
    );
    expect(sent("PATCH /api/users/me")).toEqual([]);
  });

  it("tells where one is signed in, and ends the others on request", async () => {
    answer("POST /api/users/sessions/end-others", () => ok([]));
    const { user } = renderPage(<ProfilePage />);
    const list = await screen.findByRole("list", { name: "Sessions" });
    expect(list).toHaveTextContent(/Firefox on LinuxThis one.*Safari on iPhone/);

    await user.click(screen.getByRole("button", { name: "Sign out others" }));
    const dialog = await screen.findByRole("dialog");
    expect(sent("POST /api/users/sessions/end-others")).toEqual([]);
    answer("GET /api/users/sessions", () => ok([here]));
    await user.click(within(dialog).getByRole("button", { name: "Sign out others" }));

    expect(await screen.findByText("The other sessions have ended")).toBeInTheDocument();
    await waitFor(() => expect(list).not.toHaveTextContent("Safari on iPhone"));
  });

  it("ends one other session on request, and never this one", async () => {
    answer("DELETE /api/users/sessions/2", () => ok([]));
    const { user } = renderPage(<ProfilePage />);
    const list = await screen.findByRole("list", { name: "Sessions" });
    const [end, ...more] = within(list).getAllByRole("button", { name: /^End session/ });
    expect(more).toEqual([]);

    await user.click(end as HTMLElement);
    const dialog = await screen.findByRole("dialog");
    expect(dialog).toHaveTextContent("Safari on iPhone is signed out at once.");
    answer("GET /api/users/sessions", () => ok([here]));
    await user.click(within(dialog).getByRole("button", { name: "End session" }));

    await waitFor(() => expect(list).not.toHaveTextContent("Safari on iPhone"));
    expect(sent("DELETE /api/users/sessions/2")).toHaveLength(1);
  });

  it("puts a refusal beside its field", async () => {
    const fields = { name: ["too long"] };
    answer("PATCH /api/users/me", () => refusal(400, "VALIDATION_ERROR", "Not valid.", { fields }));
    const { user } = renderPage(<ProfilePage />);
    const name = await screen.findByLabelText(/^Name/);

    await user.type(name, "x{Enter}");

    await waitFor(() => expect(name).toHaveAccessibleDescription("too long"));
  });

  it("changes the password and goes on with the new tokens", async () => {
    answer("POST /api/users/change-password", () =>
      ok([{ accessToken: "a2", refreshToken: "r2" }]),
    );
    const { user } = renderPage(<ProfilePage />);

    await user.type(await screen.findByLabelText(/Present password/), "old-Password-1");
    await user.type(screen.getByLabelText(/New password/), "Brick-by-brick-9{Enter}");

    expect(await screen.findByText(/Password changed/)).toBeInTheDocument();
    expect([localStorage.accessToken, localStorage.refreshToken]).toEqual(["a2", "r2"]);
    expect(screen.getByLabelText(/Present password/)).toHaveValue("");
  });

  it("tells a wrong present password beside its field", async () => {
    const fields = { current_password: ["This is not your password."] };
    answer("POST /api/users/change-password", () =>
      refusal(400, "VALIDATION_ERROR", "Not valid.", { fields }),
    );
    const { user } = renderPage(<ProfilePage />);

    await user.type(await screen.findByLabelText(/Present password/), "wrong");
    await user.type(screen.getByLabelText(/New password/), "Brick-by-brick-9{Enter}");

    await waitFor(() =>
      expect(screen.getByLabelText(/Present password/)).toHaveAccessibleDescription(
        "This is not your password.",
      ),
    );
    expect(localStorage.accessToken).toBe("a");
  });

  it("asks to confirm the address where it is not, and sends the link again", async () => {
    answer("GET /api/users/me", () => ok([{ ...ann, is_address_confirmed: false }]));
    answer("POST /api/users/send-confirmation", () => ok([], { message: "A link is on its way." }));
    const { user } = renderPage(<ProfilePage />);

    await user.click(await screen.findByRole("button", { name: "Send again" }));

    expect(await screen.findByText("A link is on its way.")).toBeInTheDocument();
  });

  it("does not ask where the address is confirmed", async () => {
    answer("GET /api/users/me", () => ok([{ ...ann, is_address_confirmed: true }]));
    renderPage(<ProfilePage />);
    await screen.findByLabelText(/^Name/);

    expect(screen.queryByRole("button", { name: "Send again" })).not.toBeInTheDocument();
  });

  it("tells a wrong password beside its field and keeps the account", async () => {
    const fields = { password: ["is not your password"] };
    answer("POST /api/users/delete-account", () =>
      refusal(400, "VALIDATION_ERROR", "Not valid.", { fields }),
    );
    const { user } = renderPage(<ProfilePage />);
    await user.click(await screen.findByRole("button", { name: "Delete account" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText("Type your e-mail address"), "ann@example.com");

    await user.type(within(dialog).getByLabelText("Your password"), "wrong{Enter}");

    expect(await within(dialog).findByText("is not your password")).toBeInTheDocument();
    expect(localStorage.accessToken).toBe("a");
  });

  it("deletes the account once its address and password are typed, and signs out", async () => {
    answer("POST /api/users/delete-account", () => ok([]));
    answer("POST /api/users/logout", () => ok([]));
    const { user } = renderPage(<ProfilePage />);
    await user.click(await screen.findByRole("button", { name: "Delete account" }));
    const dialog = await screen.findByRole("dialog");
    const confirm = within(dialog).getByRole("button", { name: "Delete account" });

    await user.click(confirm);
    expect(sent("POST /api/users/delete-account")).toEqual([]);

    await user.type(within(dialog).getByLabelText("Type your e-mail address"), "Ann@example.com");
    await user.click(confirm);
    expect(sent("POST /api/users/delete-account")).toEqual([]);
    await user.type(within(dialog).getByLabelText("Your password"), "Brick-by-brick-9");
    await user.click(confirm);

    await waitFor(() => expect(localStorage.accessToken).toBeUndefined());
    expect(sent("POST /api/users/delete-account")[0]?.body).toEqual({
      email_address: "Ann@example.com",
      password: "Brick-by-brick-9",
    });
  });
});
