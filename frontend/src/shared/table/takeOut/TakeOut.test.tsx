import { act, screen, within } from "@testing-library/react";
import { request } from "@/shared/api/client";
import { setTokens } from "@/shared/api/tokens";
import { renderPage } from "@/shared/testing/app";
import { giveElementsASize } from "@/shared/testing/layout";
import { answer, installServer, page, refusal, type Sent, sent } from "@/shared/testing/server";
import type { Column, ListParams } from "../column";
import { DataTable } from "../DataTable";
import { useTableState } from "../tableState";

type Part = { id: number; name: string; secret: string };
const columns: readonly Column<Part>[] = [
  { id: "name", header: "Name", cell: (row) => row.name, filter: { kind: "text", param: "name" } },
  { id: "secret", header: "Secret", hidden: true, cell: (row) => row.secret },
];
const source = {
  key: ["catalog", "parts"] as const,
  fetch: (params: ListParams, signal: AbortSignal) =>
    request<Part>("parts", "GET", null, { params, signal }),
};
const ROUTE = "GET /api/parts";
const TOTAL = 1200;

function PartsTable() {
  const table = useTableState("parts", { columns });
  return <DataTable label="Parts, all" table={table} columns={columns} source={source} empty="–" />;
}

let saved: { name: string; blob: Blob } | null;

beforeEach(() => {
  installServer();
  giveElementsASize();
  setTokens({ accessToken: "a", refreshToken: "r" });
  answer(ROUTE, ({ query }: Sent) => {
    const size = Number(query.get("page_size"));
    const first = (Number(query.get("page")) - 1) * size;
    const count = Math.min(size, TOTAL - first);
    const rows = Array.from({ length: count }, (_, index) => ({
      id: first + index + 1,
      name: `Part ${first + index + 1}`,
      secret: "no",
    }));
    return page(rows, TOTAL, size);
  });
  saved = null;
  let blob: Blob;
  URL.createObjectURL = (made) => {
    blob = made as Blob;
    return "blob:made";
  };
  jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved = { name: this.download, blob };
  });
});
afterEach(() => jest.restoreAllMocks());

const text = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

async function open(at = "/") {
  const { user } = renderPage(<PartsTable />, { at });
  await screen.findByText("Part 1");
  await user.click(screen.getByRole("button", { name: "More for this list" }));
  await user.click(await screen.findByRole("menuitem", { name: "CSV and print…" }));
  const panel = within(await screen.findByRole("dialog", { name: "CSV and print" }));
  await panel.findByRole("button", { name: "Save as CSV" });
  return { user, panel };
}

describe("a view", () => {
  it("is saved with all its rows, the columns that are shown, and as it is narrowed", async () => {
    const { user, panel } = await open("/?name=Part&ordering=-name&search=art");

    await user.click(panel.getByRole("button", { name: "Save as CSV" }));

    expect(await panel.findByRole("button", { name: "Save as CSV" })).toBeEnabled();
    const asked = sent(ROUTE).filter(({ query }) => query.get("page_size") === "500");
    expect(asked.map(({ query }) => query.get("page"))).toEqual(["1", "2", "3"]);
    expect(asked[0]?.query.get("name")).toBe("Part");
    expect(asked[0]?.query.get("search")).toBe("art");
    expect(asked[0]?.query.get("ordering")).toBe("-name");
    expect(saved?.name).toBe("parts-all.csv");
    const lines = (await text(saved?.blob as Blob)).trimEnd().split("\r\n");
    expect(lines).toHaveLength(TOTAL + 1);
    expect([lines[0]?.replace("\uFEFF", ""), lines[1], lines.at(-1)]).toEqual([
      "Name",
      "Part 1",
      "Part 1200",
    ]);
  });

  it("is printed as a table of its own, with what narrows it, and gone afterwards", async () => {
    const printed: string[] = [];
    window.print = () => {
      const sheet = document.querySelector("[data-printed]") as HTMLElement;
      printed.push(sheet.textContent ?? "", String(sheet.querySelectorAll("tbody tr").length));
    };
    const { user, panel } = await open("/?name=Part");

    await user.click(panel.getByRole("button", { name: "Print" }));

    await panel.findByRole("button", { name: "Print" });
    expect(printed[0]).toContain("Parts, all1,200 rows");
    expect(printed[0]).toContain("Name has “Part”");
    expect(printed[0]).not.toContain("Secret");
    expect(printed[1]).toBe("1200");
    act(() => void window.dispatchEvent(new Event("afterprint")));
    expect(document.querySelector("[data-printed]")).toBeNull();
  });

  it("says why it could not be fetched, and saves nothing", async () => {
    const { user, panel } = await open();
    answer(ROUTE, () => refusal(400, "VALIDATION_ERROR", "That page cannot be read"));

    await user.click(panel.getByRole("button", { name: "Save as CSV" }));

    expect(await panel.findByRole("alert")).toHaveTextContent("That page cannot be read");
    expect(saved).toBeNull();
  });
});
