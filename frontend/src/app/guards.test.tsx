import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { endSession, login, logout } from "@/features/auth/public";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { AtItsPath, Elsewhere, SignedInOnly, VisitorsOnly } from "./guards";

const enter = () => login({ email_address: "ann@example.com", password: "x" });

function open(...addresses: string[]) {
  const router = createMemoryRouter(
    [
      {
        element: <VisitorsOnly />,
        children: ["/", "/signin"].map((path) => ({
          path,
          element: (
            <AtItsPath path={path}>
              <p>public {path}</p>
            </AtItsPath>
          ),
        })),
      },
      {
        element: <SignedInOnly />,
        children: ["/app/home", "/app/batches", "/app/buy-lego"].map((path) => ({
          path,
          element: <p>page {path}</p>,
        })),
      },
      { path: "*", element: <Elsewhere /> },
    ],
    { initialEntries: addresses },
  );
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}
const where = (router: ReturnType<typeof open>) =>
  router.state.location.pathname + router.state.location.search;

beforeEach(() => {
  installServer();
  answer("POST /api/users/logout", () => ok());
  answer("GET /api/jobs", () => page([]));
  answer("POST /api/users/login", () => ok([{ id: 1, accessToken: "a", refreshToken: "r" }]));
  logout();
  endSession();
});

afterEach(() => void Reflect.deleteProperty(window, "Notification"));

describe("visitors", () => {
  it.each(["/app/home", "/app/batches", "/no-such-page", "/app/no-such-page"])(
    "who open %s end on /signin",
    (address) => {
      expect(where(open(address))).toBe("/signin");
    },
  );

  it.each(["/signin/?a=1", "/sign%69n?a=1"])("who open %s end at its one spelling", (address) => {
    expect(where(open(address))).toBe("/signin?a=1");
    expect(screen.getByText("public /signin")).toBeInTheDocument();
  });

  it("see the public pages", () => {
    expect(where(open("/"))).toBe("/");
    expect(screen.getByText("public /")).toBeInTheDocument();
  });

  it("land after signing in where they wanted to go", async () => {
    const router = open("/app/batches?batch=12");
    expect(where(router)).toBe("/signin");

    await act(enter);

    await waitFor(() => expect(where(router)).toBe("/app/batches?batch=12"));
  });
});

describe("signed-in people", () => {
  it.each(["/", "/signin", "/no-such-page", "/app/no-such-page"])(
    "who open %s end on /app/home",
    async (address) => {
      await enter();

      await waitFor(() => expect(where(open(address))).toBe("/app/home"));
    },
  );

  it("who sign out end on /, and Back shows the plain sign-in form", async () => {
    await enter();
    const router = open("/app/home", "/app/batches");

    act(logout);
    await waitFor(() => expect(where(router)).toBe("/"));
    await act(() => router.navigate(-1));

    expect(where(router)).toBe("/signin");
    await act(enter);
    await waitFor(() => expect(where(router)).toBe("/app/home"));
  });

  it.each([
    ["granted", "/app/batches", 1],
    ["granted", "/app/buy-lego", 0], // that page announces ends itself
    ["default", "/app/batches", 0],
  ])("who %s alerts are told of ends on %s: %i", async (permission, address, times) => {
    Object.defineProperty(window, "Notification", { value: { permission }, configurable: true });
    answer("GET /api/auctionListings", () => page([]));
    await enter();
    open(address);
    await screen.findByText(`page ${address}`);
    await act(() => import("@/features/auctions/public"));

    await waitFor(() => expect(sent("GET /api/auctionListings")).toHaveLength(times));
  });

  it("whose session ends by itself come back to where they were", async () => {
    await enter();
    const router = open("/app/batches?batch=12");

    act(endSession);
    await waitFor(() => expect(where(router)).toBe("/signin"));
    await act(enter);

    await waitFor(() => expect(where(router)).toBe("/app/batches?batch=12"));
  });
});
