import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { endSession, login, logout } from "@/features/auth/public";
import { OrdersPage } from "@/features/orders/OrdersPage";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, created, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { followPerson } from "./followPerson";
import { SignedInOnly } from "./guards";

const credentials = { email_address: "ann@example.com", password: "x" };
const row = {
  id: 40,
  item_number: "3001",
  item_type: "PART",
  part_name: "Brick 2 x 4",
  color_name: "Red",
  color_html: "#C91A09",
  condition: "U",
  image_url: "",
  available: 9,
  price: "0.2500",
  is_known: true,
  location_name: "A-1",
};
const ended = () =>
  refusal(401, "NOT_AUTHENTICATED", "This session has ended. Please sign in again.");
const person = (id: number) => ok([{ id, accessToken: `a${id}`, refreshToken: `r${id}` }]);

/** A sale by hand with a lot and an address, of a person who is signed in. */
async function typedSale() {
  await login(credentials);
  const client = newQueryClient();
  followPerson(client);
  const router = createMemoryRouter(
    [
      { element: <SignedInOnly />, children: [{ path: "/app/orders", element: <OrdersPage /> }] },
      { path: "*", element: <p>elsewhere</p> },
    ],
    { initialEntries: ["/app/orders"] },
  );
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Record a sale" }));
  await user.type(await screen.findByRole("combobox", { name: "Lot" }), "3001");
  await user.click(await screen.findByRole("option", { name: /Brick 2 x 4 Red/ }));
  await user.click(screen.getByRole("button", { name: /^Add a buyer/ }));
  await user.type(screen.getByLabelText("Address (optional)"), "5 Lane");
  return { user, router };
}

const signIn = async (user: ReturnType<typeof userEvent.setup>) => {
  const form = within(await screen.findByRole("dialog", { name: "Sign in again" }));
  await user.type(form.getByLabelText(/^E-mail address/), credentials.email_address);
  await user.type(form.getByLabelText(/^Password/), credentials.password);
  await user.click(form.getByRole("button", { name: "Sign in" }));
};

beforeEach(() => {
  giveElementsASize();
  installServer();
  answer("POST /api/users/logout", () => ok());
  logout();
  answer("POST /api/users/login", () => person(1));
  answer("GET /api/jobs", () => page([]));
  answer("GET /api/orders", () => page([]));
  answer("GET /api/orders/summary", () =>
    ok([
      {
        open: 0,
        total: 0,
        pieces_to_pick: 0,
        pickable: 0,
        next_to_pack: null,
        next_to_ship: null,
        is_shown: true,
      },
    ]),
  );
  answer("GET /api/pickWalks", () => page([]));
  answer("GET /api/marketplaceConnection", () => ok([{ state: "none", choices: [] }]));
  answer("GET /api/preferences", () => ok([{ currency: "USD" }]));
  answer("GET /api/inventoryItems", () => page([row]));
});

describe("a dialog whose session has ended", () => {
  it("has what was typed when the same person has signed in again", async () => {
    const { user, router } = await typedSale();

    await act(async () => endSession());
    await signIn(user);

    await waitFor(() => expect(screen.queryByText("Your session has ended.")).toBeNull());
    expect(screen.getByLabelText("Address (optional)")).toHaveValue("5 Lane");
    expect(screen.getByRole("list", { name: "Lots sold" })).toHaveTextContent("Red");
    expect(router.state.location.pathname).toBe("/app/orders");
  });

  it("sends what was pressed once the person has signed in again", async () => {
    const { user } = await typedSale();
    answer("POST /api/orders", (_, count) =>
      count === 0 ? ended() : created({ id: 13, number: "H-13" }),
    );
    answer("POST /api/users/token-refresh", ended);
    localStorage.removeItem("refreshToken"); // ended elsewhere: it cannot be renewed
    await user.click(screen.getByRole("button", { name: "Enter the sale" }));
    expect(await screen.findByText("Your session has ended.")).toBeVisible();

    await signIn(user);

    await waitFor(() => expect(sent("POST /api/orders")).toHaveLength(2));
    const [first, second] = sent("POST /api/orders");
    expect(second?.headers.Authorization).toBe("Bearer a1");
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers["Idempotency-Key"]).toBe(first?.headers["Idempotency-Key"]);
  });

  it("shows another person nothing of it, and sends nothing", async () => {
    const { user } = await typedSale();
    answer("POST /api/orders", ended);
    localStorage.removeItem("refreshToken");
    await user.click(screen.getByRole("button", { name: "Enter the sale" }));
    await screen.findByText("Your session has ended.");
    answer("POST /api/users/login", () => person(2));

    await signIn(user);

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByDisplayValue("5 Lane")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Record a sale" }));
    await screen.findByRole("combobox", { name: "Lot" });
    expect(screen.queryByRole("list", { name: "Lots sold" })).toBeNull();
    expect(sent("POST /api/orders")).toHaveLength(1);
  });
});
