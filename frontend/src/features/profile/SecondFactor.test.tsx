import { screen, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { proof } from "@/shared/lib/proof";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { SecondFactor } from "./SecondFactor";

const at = "2026-01-02T00:00:00Z";
const none = { has_app: false, passkeys: [], recovery_codes_left: 0, devices: [] };
const some = {
  has_app: true,
  passkeys: [{ id: 4, name: "Laptop", createdAt: at, lastUsedAt: null }],
  recovery_codes_left: 7,
  devices: [{ id: 5, device: "Firefox on Linux", createdAt: at, expiresAt: at }],
};
const codes = Array.from({ length: 10 }, (_, n) => `aaaaa-bbbb${n}`);

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
  delete proof["X-Proof"];
});

describe("the second factor in the profile", () => {
  it("says that there is none", async () => {
    answer("GET /api/users/second-factor", () => ok([none]));

    renderPage(<SecondFactor />);

    expect(await screen.findByText(/your password alone opens this account/)).toBeInTheDocument();
  });

  it("lists what there is, and how many codes are left", async () => {
    answer("GET /api/users/second-factor", () => ok([some]));

    renderPage(<SecondFactor />);

    const list = await screen.findByRole("list", { name: "Second factors" });
    expect(within(list).getByText("Authenticator app")).toBeInTheDocument();
    expect(within(list).getByText("Passkey Laptop")).toBeInTheDocument();
    expect(within(list).getByText("7 of 10 left")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Ask Firefox on Linux again" })).toBeInTheDocument();
  });

  it("asks for the password, then adds an app and shows its codes once", async () => {
    answer("GET /api/users/second-factor", () => ok([none]));
    answer("POST /api/users/second-factor/app", () =>
      proof["X-Proof"]
        ? ok([{ secret: "SECRET", uri: "otpauth://x", picture: "data:image/svg+xml," }])
        : refusal(403, "PROOF_REQUIRED", "Please show once more that it is you."),
    );
    answer("POST /api/users/proof/ask", () =>
      ok([{ ticket: "t", methods: ["password"], passkey_options: null }]),
    );
    answer("POST /api/users/proof", () => ok([{ proof: "p" }]));
    answer("POST /api/users/second-factor/app/confirm", () =>
      ok([{ recovery_codes: codes, proof: "q" }]),
    );
    const { user } = renderPage(<SecondFactor />);

    await user.click(await screen.findByRole("button", { name: "Add an authenticator app" }));
    await user.type(await screen.findByLabelText("Your password"), "secret{Enter}");
    await user.type(await screen.findByLabelText(/^Code/), "123456{Enter}");

    const shown = await screen.findByRole("list", { name: "Recovery codes" });
    expect(within(shown).getAllByRole("listitem")).toHaveLength(10);
    expect(sent("POST /api/users/proof")[0]?.body).toEqual({ ticket: "t", password: "secret" });
    await user.click(screen.getByRole("button", { name: "I have saved them" }));
    expect(screen.queryByRole("list", { name: "Recovery codes" })).toBeNull();
  });

  it("leaves all as it is where the question is closed", async () => {
    answer("GET /api/users/second-factor", () => ok([none]));
    answer("POST /api/users/second-factor/app", () =>
      refusal(403, "PROOF_REQUIRED", "Please show once more that it is you."),
    );
    answer("POST /api/users/proof/ask", () =>
      ok([{ ticket: "t", methods: ["password"], passkey_options: null }]),
    );
    const { user } = renderPage(<SecondFactor />);

    await user.click(await screen.findByRole("button", { name: "Add an authenticator app" }));
    await user.click(await screen.findByRole("button", { name: "Cancel" }));

    expect(sent("POST /api/users/second-factor/app")).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
