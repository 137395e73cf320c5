import { screen, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, offline, ok, refusal, sent } from "@/shared/testing/server";
import { ApiTestingPage } from "./ApiTestingPage";

beforeEach(() => {
  installServer();
  setTokens({ accessToken: "a", refreshToken: "r" });
});

const attempts = () =>
  within(screen.getByRole("list", { name: "Attempts" })).getAllByRole("listitem");

describe("the testing page", () => {
  it("shows the raw envelope, the time and the attempts", async () => {
    answer("GET /api/batches", () => ok([{ id: 7 }]));
    const { user } = renderPage(<ApiTestingPage />);

    await user.click(screen.getByRole("button", { name: "Send" }));

    expect(await screen.findByText("answered")).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Raw envelope" })).toHaveTextContent('"id": 7');
    expect(screen.getByText("1 attempt")).toBeInTheDocument();
    expect(attempts()).toHaveLength(1);
    expect(attempts()[0]).toHaveTextContent(/^Attempt 1HTTP 200\d+ ms$/);
  });

  it("shows a refusal with its code", async () => {
    answer("GET /api/batches", () => refusal(403, "PERMISSION_DENIED", "Not yours."));
    const { user } = renderPage(<ApiTestingPage />);

    await user.click(screen.getByRole("button", { name: "Send" }));

    expect(await screen.findByText("PERMISSION_DENIED: Not yours.")).toBeInTheDocument();
    expect(screen.getByText("HTTP 403", { selector: "span.inline-flex" })).toBeInTheDocument();
  });

  it("sends once with retries off", async () => {
    answer("GET /api/batches", offline);
    const { user } = renderPage(<ApiTestingPage />);

    await user.click(screen.getByRole("switch", { name: "Retry" }));
    await user.click(screen.getByRole("button", { name: "Send" }));

    expect(await screen.findByText(/CONNECTION_ERROR: Unable to connect/)).toBeInTheDocument();
    expect(sent()).toHaveLength(1);
  });

  it("shows the check that fails as it is typed, and sends nothing", async () => {
    const { user } = renderPage(<ApiTestingPage />);

    await user.clear(screen.getByLabelText("Endpoint"));
    expect(screen.getByText("Endpoint must be a non-empty string")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Send" }));

    expect(sent()).toHaveLength(0);
  });

  it("copies the request as curl, without the token", async () => {
    const { user } = renderPage(<ApiTestingPage />);

    await user.click(screen.getByRole("button", { name: "Copy as curl" }));

    expect(await screen.findByText("Copied as curl, without the token")).toBeInTheDocument();
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain("/api/batches");
    expect(copied).toContain("Bearer $ACCESS_TOKEN");
  });

  it("shows that nothing was copied where the browser refuses", async () => {
    const { user } = renderPage(<ApiTestingPage />);
    jest.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("closed"));

    await user.click(screen.getByRole("button", { name: "Copy as curl" }));

    expect(
      await screen.findByText("The browser did not let the text be copied."),
    ).toBeInTheDocument();
  });
});
