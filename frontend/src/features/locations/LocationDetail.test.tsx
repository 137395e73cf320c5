import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { LocationDetail } from "./LocationDetail";
import { aLocation } from "./testing/builders";

beforeEach(() => {
  giveElementsASize(1600);
  installServer();
  answer("GET /api/inventoryLocations/7", () => ok([aLocation({ lot_count: 2 })]));
  answer("GET /api/inventoryLocations/7/lookAlikes", () => ok([]));
  answer("GET /api/inventoryItems", () => page([]));
});

const show = () => renderPage(<LocationDetail id={7} onGone={() => undefined} />);

const movement = {
  id: 2,
  delta: -2,
  reason: "move",
  by_name: "Ann",
  program: "",
  from_location_name: "A-01",
  to_location_name: "B-07",
  note: "",
  item_id: 40,
  item_number: "3001",
  part_name: "Brick 2 x 4",
  color_name: "Red",
  createdAt: "2026-01-02T03:04:05Z",
};

describe("LocationDetail", () => {
  it("warns of an item that lies there in several colours", async () => {
    answer("GET /api/inventoryLocations/7/lookAlikes", () =>
      ok([
        {
          item_number: "3001",
          part_name: "Brick 2 x 4",
          colors: [
            { color_name: "Red", color_html: "#B30006", quantity: 12 },
            { color_name: "Dark Red", color_html: "#6A0E15", quantity: 3 },
          ],
        },
      ]),
    );
    show();

    const warning = await screen.findByText("One item is here in several colours");
    const list = within(warning.closest("[role]") as HTMLElement).getByRole("listitem");
    expect(list).toHaveTextContent("3001 Brick 2 x 4Red12Dark Red3");
  });

  it("shows the code of its label, large where it is scanned from the screen", async () => {
    const { user } = show();

    await user.click(await screen.findByRole("button", { name: "Show the code of A-01 large" }));

    const dialog = within(await screen.findByRole("dialog", { name: "A-01" }));
    expect(dialog.getByRole("img", { name: "QR code LOC:A-01" })).toBeInTheDocument();
    expect(dialog.getByText("LOC:A-01")).toBeInTheDocument();
  });

  it("says how many pieces its weight leaves out", async () => {
    const location = aLocation({ stored_weight: "1200.0000", unknown_weight_count: 14 });
    answer("GET /api/inventoryLocations/7", () => ok([location]));
    show();

    const weight = (await screen.findByText("Weight")).nextElementSibling;
    expect(weight).toHaveTextContent("1.2 kg, 14 pieces without a weight");
  });

  it("says when it has no code yet", async () => {
    answer("GET /api/inventoryLocations/7", () => ok([aLocation({ code: "" })]));
    show();

    expect(await screen.findByText("is given with its first label")).toBeInTheDocument();
  });

  it("tells what came in and went out", async () => {
    answer("GET /api/inventoryLocations/7/movements", () =>
      page([
        movement,
        { ...movement, id: 1, delta: 5, reason: "move", from_location_name: null },
        { ...movement, id: 0, delta: 1, reason: "count", to_location_name: "A-01" },
      ]),
    );
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "History" }));

    const drawer = within(await screen.findByRole("dialog", { name: "History of A-01" }));
    const lines = (await drawer.findAllByRole("listitem")).map((line) => line.textContent);
    expect(lines[0]).toContain("−23001 Brick 2 x 4Moved to B-07 · Red");
    expect(lines[1]).toContain("Moved from no bin");
    expect(lines[2]).toContain("Counted in a stocktake · Red");
    expect(drawer.getAllByRole("link")[0]).toHaveAttribute("href", "/app/inventory?item=40");
  });

  it("fetches what is older once that is asked for", async () => {
    answer("GET /api/inventoryLocations/7/movements", ({ query }) => {
      const at = Number(query.get("page"));
      const pagination = { page: at, page_size: 50, total_items: 51, total_pages: 2 };
      return ok([{ ...movement, id: 3 - at, note: `page ${at}` }], { pagination });
    });
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "History" }));
    const drawer = within(await screen.findByRole("dialog", { name: "History of A-01" }));

    await user.click(await drawer.findByRole("button", { name: "Older ones" }));

    expect(await drawer.findByText("“page 2”")).toBeInTheDocument();
    expect(drawer.getByText("“page 1”")).toBeInTheDocument();
    expect(drawer.queryByRole("button", { name: "Older ones" })).toBeNull();
  });

  it("asks for nothing of a location that was merged into another", async () => {
    answer("GET /api/inventoryLocations", () => page([aLocation({ id: 8, name: "B-07" })]));
    answer("POST /api/inventoryLocations/7/merge", () => ok([]));
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Merge into…" }));
    await user.type(await screen.findByRole("combobox", { name: /Merge into/ }), "B");
    await user.click(await screen.findByRole("option", { name: /B-07/ }));
    const before = sent("GET /api/inventoryLocations/7/lookAlikes").length;
    const stock = sent("GET /api/inventoryItems").length;

    await user.click(screen.getByRole("button", { name: "Merge and delete" }));

    await waitFor(() => expect(sent("GET /api/inventoryItems").length).toBeGreaterThan(stock));
    expect(sent("GET /api/inventoryLocations/7")).toHaveLength(1);
    expect(sent("GET /api/inventoryLocations/7/lookAlikes")).toHaveLength(before);
  });

  it("leads to the count of it", async () => {
    show();
    expect(await screen.findByRole("link", { name: "Count" })).toHaveAttribute(
      "href",
      "/app/inventory?count=7",
    );
  });
});
