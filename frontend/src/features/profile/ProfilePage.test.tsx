import { screen, waitFor } from "@testing-library/react";
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
};
const preferences = { currency: "EUR", last_sold_recent_days: 30, last_sold_moderate_days: 180 };

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer("GET /api/users/me", () => ok([ann]));
  answer("GET /api/preferences", () => ok([preferences]));
  answer("GET /api/config", () => ok([{ currencies: ["EUR", "USD"] }]));
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
      updatedAt: ann.updatedAt,
    });
    expect(JSON.parse(localStorage.user)).toMatchObject({ name: "Anna" });
  });

  it("puts a refusal beside its field", async () => {
    const fields = { name: ["too long"] };
    answer("PATCH /api/users/me", () => refusal(400, "VALIDATION_ERROR", "Not valid.", { fields }));
    const { user } = renderPage(<ProfilePage />);
    const name = await screen.findByLabelText(/^Name/);

    await user.type(name, "x{Enter}");

    await waitFor(() => expect(name).toHaveAccessibleDescription("too long"));
  });

  it("changes the currency of the store", async () => {
    answer("PATCH /api/preferences", () => ok([{ ...preferences, currency: "USD" }]));
    const { user } = renderPage(<ProfilePage />);

    await screen.findByRole("option", { name: /USD/ });
    await user.selectOptions(screen.getByLabelText("Currency"), "USD");

    expect(await screen.findByText("Prices are in USD now")).toBeInTheDocument();
    expect(sent("PATCH /api/preferences")[0]?.body).toEqual({ currency: "USD" });
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
});
