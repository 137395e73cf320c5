import { screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { SignInPage } from "./SignInPage";

const CONFIRM = "POST /api/users/confirm-address";
const atLink = () => renderPage(<SignInPage />, { at: "/signin?confirm=5.abc", path: "/signin" });

beforeEach(installServer);

describe("the link that confirms an address", () => {
  it("confirms by a press, not by being opened", async () => {
    answer(CONFIRM, () => ok([], { message: "Your address is confirmed." }));
    const { user } = atLink();
    const button = screen.getByRole("button", { name: "Confirm address" });
    expect(sent(CONFIRM)).toEqual([]);

    await user.click(button);

    expect(await screen.findByText("Your address is confirmed.")).toBeInTheDocument();
    expect(sent(CONFIRM).map(({ body }) => body)).toEqual([{ token: "5.abc" }]);
    expect(screen.getByRole("link", { name: "Go to sign in" })).toHaveAttribute("href", "/signin");
    expect(screen.queryByRole("button", { name: "Confirm address" })).toBeNull();
  });

  it("says why it cannot, and can be pressed again", async () => {
    answer(CONFIRM, () => refusal(400, "VALIDATION_ERROR", "This link is used or too old."));
    const { user } = atLink();

    await user.click(screen.getByRole("button", { name: "Confirm address" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("This link is used or too old.");
    expect(screen.getByRole("button", { name: "Confirm address" })).toBeEnabled();
  });
});
