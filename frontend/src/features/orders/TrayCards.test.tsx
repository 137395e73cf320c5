import { act, screen, waitFor } from "@testing-library/react";
import { deliverCard } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page, sent } from "@/shared/testing/server";
import { TrayCards } from "./TrayCards";

beforeEach(installServer);

const scan = (code: string) => act(() => deliverCard({ kind: "TRAY", code }));

test("the card of a tray opens the order that lies in it", async () => {
  answer("GET /api/orders", () =>
    page([
      { id: 11, number: "11", walk_id: null },
      { id: 12, number: "12", walk_id: 3 },
    ]),
  );
  const { router } = renderPage(<TrayCards />);

  scan("B");

  await waitFor(() => expect(router.state.location.search).toBe("?order=12"));
  expect(router.state.location.pathname).toBe("/app/orders");
});

test("an empty tray is told", async () => {
  answer("GET /api/orders", () => page([]));
  renderPage(<TrayCards />);

  scan("B");

  expect(await screen.findByText("Tray B has no order")).toBeVisible();
});

test("the station's trays, which have numbers, are left to it", () => {
  renderPage(<TrayCards />);

  scan("3");

  expect(sent("GET /api/orders")).toHaveLength(0);
});
