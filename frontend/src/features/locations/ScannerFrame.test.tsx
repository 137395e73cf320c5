import { act, screen, waitFor } from "@testing-library/react";
import { deliverScan } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page, sent } from "@/shared/testing/server";
import { toast } from "@/shared/ui/toast";
import { ScannerFrame } from "./ScannerFrame";
import { aLocation } from "./testing/builders";

beforeEach(installServer);
afterEach(() => act(() => toast.removeAll()));

describe("ScannerFrame", () => {
  it("opens the location whose label was scanned", async () => {
    answer("GET /api/inventoryLocations", () => page([aLocation({ id: 7, code: "A-01" })], 1));
    const { router } = renderPage(<ScannerFrame />, { at: "/app/batches?batch=3" });
    act(() => deliverScan("A-01"));
    await waitFor(() => expect(router.state.location.search).toBe("?location=7"));
    expect(router.state.location.pathname).toBe("/app/inventory-locations");
    expect(sent("GET /api/inventoryLocations")[0]?.query.get("code")).toBe("A-01");
  });

  it("takes the label in the very case before one that differs in case", async () => {
    answer("GET /api/inventoryLocations", () =>
      page([aLocation({ id: 6, code: "a-01" }), aLocation({ id: 7, code: "A-01" })], 2),
    );
    const { router } = renderPage(<ScannerFrame />, { at: "/app/home" });
    act(() => deliverScan("A-01"));
    await waitFor(() => expect(router.state.location.search).toBe("?location=7"));
  });

  it("says that a code is unknown, and stays", async () => {
    answer("GET /api/inventoryLocations", () => page([], 0));
    const { router } = renderPage(<ScannerFrame />, { at: "/app/home" });
    act(() => deliverScan("X-99"));
    const said = "No bin of yours has the code X-99";
    await waitFor(() => expect(screen.getByText(said)).toBeInTheDocument());
    expect(router.state.location.pathname).toBe("/app/home");
  });

  it("only offers the way while a dialog is open", async () => {
    answer("GET /api/inventoryLocations", () => page([aLocation({ id: 7, name: "A-01" })], 1));
    const { router, user } = renderPage(
      <>
        <div role="dialog" aria-label="A form" />
        <ScannerFrame />
      </>,
      { at: "/app/sources" },
    );
    act(() => deliverScan("A-01"));
    const open = await screen.findByRole("button", { name: "Open it" });
    expect(router.state.location.pathname).toBe("/app/sources");
    await user.click(open);
    expect(router.state.location.search).toBe("?location=7");
  });
});
