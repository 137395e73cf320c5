import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { currentUser, login } from "@/features/auth/public";
import { api } from "@/shared/api/client";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { answer, installServer, offline, ok, refusal } from "@/shared/testing/server";
import { Toaster } from "@/shared/ui/Toaster";

function Batches() {
  const { error } = useQuery({ queryKey: ["batches"], queryFn: () => api.get("batches") });
  return <p>{error?.message}</p>;
}

beforeEach(installServer);

describe("a line that was down", () => {
  it("is back: what is on the page is fetched again", async () => {
    answer("GET /api/batches", (_, count) => (count === 0 ? ok([1]) : ok([1, 2])));
    function Count() {
      const { data } = useQuery({ queryKey: ["batches"], queryFn: () => api.get("batches") });
      return <p>{data?.data.length} batches</p>;
    }
    render(
      <QueryClientProvider client={newQueryClient()}>
        <Count />
      </QueryClientProvider>,
    );
    expect(await screen.findByText("1 batches")).toBeInTheDocument();

    act(() => void window.dispatchEvent(new Event("offline")));
    act(() => void window.dispatchEvent(new Event("online")));

    expect(await screen.findByText("2 batches")).toBeInTheDocument();
  });
});

describe("a session that the server no longer knows", () => {
  async function signedIn() {
    answer("POST /api/users/login", () => ok([{ id: 1, accessToken: "a", refreshToken: "r" }]));
    answer("GET /api/batches", () => refusal(401, "NOT_AUTHENTICATED", "Please sign in."));
    await act(() => login({ email_address: "ann@example.com", password: "x" }));
    jest.useFakeTimers();
    render(
      <QueryClientProvider client={newQueryClient()}>
        <Batches />
        <Toaster />
      </QueryClientProvider>,
    );
    await act(() => jest.advanceTimersByTimeAsync(3100));
  }
  afterEach(() => jest.useRealTimers());

  it("ends here with its first refused request, not with the next renewal", async () => {
    answer("POST /api/users/token-refresh", () =>
      refusal(401, "NOT_AUTHENTICATED", "This session has ended. Please sign in again."),
    );
    await signedIn();

    expect(currentUser()).toBeNull();
    expect(localStorage.refreshToken).toBeUndefined();
    expect(screen.queryByRole("button", { name: "Sign in again" })).toBeNull();
  });

  it("keeps the page and offers to sign in again while new tokens cannot be asked for", async () => {
    answer("POST /api/users/token-refresh", offline);
    await signedIn();
    jest.useRealTimers();

    expect(await screen.findByText("Please sign in.")).toBeInTheDocument();
    expect(currentUser()).not.toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Sign in again" }));

    expect(currentUser()).toBeNull();
  });
});
