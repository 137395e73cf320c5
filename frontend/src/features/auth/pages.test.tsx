import { act, screen, waitFor } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, never, ok, refusal, sent } from "@/shared/testing/server";
import { login } from "./entry";
import { SignInPage } from "./SignInPage";
import { SignUpPage } from "./SignUpPage";
import { currentUser, logout } from "./session";

const CHECK = "POST /api/users/check-password";

beforeEach(() => {
  installServer();
  answer("POST /api/users/logout", () => ok());
  logout();
});

describe("the sign-in page", () => {
  it("has fields that password managers know", () => {
    renderPage(<SignInPage />);

    expect(screen.getByLabelText("E-mail address")).toHaveAttribute("autocomplete", "username");
    expect(screen.getByLabelText("Password")).toHaveAttribute("autocomplete", "current-password");
  });

  it("shows a refusal in an alert that has the focus, until the next try", async () => {
    answer("POST /api/users/login", () => refusal(401, "NOT_AUTHENTICATED", "Wrong password."));
    const { user } = renderPage(<SignInPage />);

    await user.type(screen.getByLabelText("E-mail address"), "ann@example.com");
    await user.type(screen.getByLabelText("Password"), "wrong{Enter}");

    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Wrong password.");
    expect(alert).toHaveFocus();
  });

  it("says that a session has ended", async () => {
    const { router } = renderPage(<SignInPage />);
    expect(screen.queryByText("Your session has ended.")).toBeNull();

    await act(() => router.navigate("/signin", { state: { ended: true } }));

    expect(screen.getByText("Your session has ended.")).toBeInTheDocument();
  });

  it("shows no error of the other form, before or after", async () => {
    answer("POST /api/users/login", () => refusal(401, "NOT_AUTHENTICATED", "Wrong password."));
    await login({ email_address: "ann@example.com", password: "x" }).catch(() => undefined);

    const signUp = renderPage(<SignUpPage />);
    expect(screen.queryByText("Wrong password.")).toBeNull();
    signUp.unmount();
    renderPage(<SignInPage />);
    expect(screen.getByText("Wrong password.")).toBeInTheDocument();
  });

  it("sends nothing that is not filled in", async () => {
    const { user } = renderPage(<SignInPage />);

    await user.click(screen.getByRole("button", { name: "Sign in" }));

    expect(await screen.findByText("Enter your e-mail address.")).toBeInTheDocument();
    expect(sent()).toHaveLength(0);
  });

  it("asks for the mail with ?reset, and sets a new password with its token", async () => {
    answer("POST /api/users/forgot-password", () => ok([], { message: "A mail is on its way." }));
    answer("POST /api/users/reset-password", () => ok([], { message: "Changed." }));
    const first = renderPage(<SignInPage />, { at: "/signin?reset" });
    await first.user.type(screen.getByLabelText("E-mail address"), "ann@example.com{Enter}");
    expect(await screen.findByText("A mail is on its way.")).toBeInTheDocument();
    first.unmount();

    const { user, router } = renderPage(<SignInPage />, { at: "/signin?reset=tok.en" });
    await user.type(screen.getByLabelText(/New password/), "Brick-by-brick-9{Enter}");

    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(sent("POST /api/users/reset-password")[0]?.body).toEqual({
      token: "tok.en",
      new_password: "Brick-by-brick-9",
    });
  });
});

describe("the sign-up page", () => {
  async function fill(email: string, password: string) {
    const view = renderPage(<SignUpPage />);
    await view.user.type(screen.getByLabelText(/^Name/), "Ann");
    await view.user.type(screen.getByLabelText(/E-mail address/), email);
    await view.user.type(screen.getByLabelText(/^Password/), password);
    return view;
  }
  const send = () => screen.getByRole("button", { name: "Create account" });

  it("registers once the privacy policy is accepted", async () => {
    const row = { user: { id: 1, name: "Ann" }, accessToken: "a", refreshToken: "r" };
    answer("POST /api/users/register", () => ok([row]));
    const { user } = await fill("ann@example.com", "Brick-by-brick-9");
    expect(screen.getByText("Strength: strong")).toBeInTheDocument();

    await user.click(send());
    expect(await screen.findByText("Please accept the privacy policy.")).toBeInTheDocument();
    expect(sent("POST /api/users/register")).toHaveLength(0);
    await user.click(screen.getByRole("checkbox"));
    await user.click(send());

    await waitFor(() => expect(currentUser()).toEqual({ id: 1, name: "Ann" }));
    expect(sent("POST /api/users/register")[0]?.body).toEqual({
      name: "Ann",
      email_address: "ann@example.com",
      password: "Brick-by-brick-9",
    });
  });

  it("refuses a wrong address and a weak password beside their fields", async () => {
    answer(CHECK, () => ok([{ message: "This password is too common." }]));
    const { user } = await fill("ann@", "password");
    await user.click(screen.getByRole("checkbox"));

    await user.click(send());

    await waitFor(() =>
      expect(screen.getByLabelText(/E-mail/)).toHaveAccessibleDescription(
        "This is not an e-mail address.",
      ),
    );
    expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription(
      "This password is too common.",
    );
    expect(screen.getByText("Strength: too weak")).toBeInTheDocument();
    expect(sent("POST /api/users/register")).toHaveLength(0);
  });

  it("asks the server about a password 300 ms after typing, with name and address", async () => {
    answer(CHECK, () => ok([{ message: "The password is too similar to the name." }]));
    await fill("ann@example.com", "ann-ann-ann");

    expect(await screen.findByText("The password is too similar to the name.")).toBeInTheDocument();
    expect(sent(CHECK).at(-1)?.body).toEqual({
      password: "ann-ann-ann",
      email_address: "ann@example.com",
      name: "Ann",
    });
    expect(sent(CHECK).length).toBeLessThan("ann-ann-ann".length);
  });

  it.each([
    ["fails", () => refusal(429, "RATE_LIMITED", "Too many.")],
    ["never comes", never],
  ])("sends although the answer about the password %s", async (_, reply) => {
    answer(CHECK, reply);
    answer("POST /api/users/register", () =>
      refusal(400, "VALIDATION_ERROR", "Please check what you entered.", {
        fields: { password: ["This password is too common."] },
      }),
    );
    const { user } = await fill("ann@example.com", "password");
    await user.click(screen.getByRole("checkbox"));

    await user.click(send());

    expect(await screen.findByText("This password is too common.")).toBeInTheDocument();
    expect(sent("POST /api/users/register")).toHaveLength(1);
  });

  it("puts the server's refusal of a field beside it", async () => {
    const fields = { email_address: ["there is already an account with this address"] };
    answer("POST /api/users/register", () =>
      refusal(400, "VALIDATION_ERROR", "Please check what you entered.", { fields }),
    );
    const { user } = await fill("ann@example.com", "Brick-by-brick-9");
    await user.click(screen.getByRole("checkbox"));

    await user.click(send());

    await waitFor(() =>
      expect(screen.getByLabelText(/E-mail/)).toHaveAccessibleDescription(
        "there is already an account with this address",
      ),
    );
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
