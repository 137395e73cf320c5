import { act, screen, waitFor, within } from "@testing-library/react";
import { deliverScan } from "@/shared/scanner/scans";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page, refusal, sent } from "@/shared/testing/server";
import { BinDialog } from "./BinDialog";
import { aLocation } from "./testing/builders";

const many = Array.from({ length: 24 }, (_, at) => {
  const [row, place] = [at < 12 ? "A" : "B", String((at % 12) + 1).padStart(2, "0")];
  const taken = { max_item_count: 10, item_count: at };
  return aLocation({ id: at + 1, name: `${row}-${place}`, code: `${row}-${place}`, ...taken });
});
let bins = many;

beforeEach(() => {
  installServer();
  bins = many;
  answer("GET /api/inventoryLocations", ({ query }) => {
    const code = query.get("code");
    const found = code ? bins.filter((each) => each.code === code) : bins.slice(0, 20);
    return page(found);
  });
  answer("GET /api/inventoryLocations/map", () => page(bins));
});

const open = async () => {
  const chosen: string[] = [];
  const view = renderPage(
    <BinDialog
      title="Another bin"
      pieces={{ quantity: 4, grams: null }}
      alternatives={[]}
      onClose={() => undefined}
      onChoose={({ name }) => chosen.push(name)}
      onNewBin={() => undefined}
    />,
  );
  await screen.findByRole("combobox", { name: "All bins" });
  return { ...view, chosen };
};

describe("the bin chooser", () => {
  it("takes a label that is scanned for the choice", async () => {
    const { chosen } = await open();

    act(() => deliverScan("B-03"));

    await waitFor(() => expect(chosen).toEqual(["B-03"]));
  });

  it("says that a label belongs to no bin", async () => {
    await open();

    act(() => deliverScan("Z-99"));

    expect(await screen.findByText(/No bin of yours has the code Z-99/)).toBeVisible();
  });

  it("shows many bins by their shelves, with how many take it", async () => {
    const { user, chosen } = await open();
    const shelf = await screen.findByRole("button", { name: /^A 7 of 12 take it/ });

    await user.click(shelf);
    const list = screen.getByRole("list", { name: "Bins by shelf" });
    expect(within(list).getByRole("button", { name: "A-08 room for 3, not 4" })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: "A-03 room for 8" }));

    expect(chosen).toEqual(["A-03"]);
  });

  it("lets nobody choose a bin that is marked full among the shelves", async () => {
    bins = many.map((each) => (each.id === 1 ? { ...each, is_full: true } : each));
    const { user, chosen } = await open();
    await user.click(await screen.findByRole("button", { name: /^A / }));

    await user.click(screen.getByRole("button", { name: "A-01 marked full" }));

    expect(chosen).toEqual([]);
  });

  it("lists a few bins at once, each with what is free", async () => {
    bins = many.slice(0, 3);
    await open();

    expect(await screen.findByRole("option", { name: "A-02 room for 9" })).toBeVisible();
    expect(screen.queryByRole("list", { name: "Bins by shelf" })).toBeNull();
  });

  it("offers no new bin while it cannot know whether there is one of that name", async () => {
    answer("GET /api/inventoryLocations", () => refusal(400, "VALIDATION_ERROR", "Not now."));
    const { user } = await open();

    await user.type(screen.getByRole("combobox", { name: "All bins" }), "A-02");

    await waitFor(() =>
      expect(sent("GET /api/inventoryLocations").at(-1)?.query.get("search")).toBe("A-02"),
    );
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(screen.queryByRole("option", { name: /New bin/ })).toBeNull();
    expect(screen.queryByText(/No bins yet/)).toBeNull();
  });
});
