import { screen, waitFor, within } from "@testing-library/react";
import { aJob } from "@/features/jobs/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, sent } from "@/shared/testing/server";
import { CatalogFiles } from "./CatalogFiles";

const file = (name: string) => new File(["x"], name);

beforeEach(() => {
  installServer();
  answer("GET /api/catalogImports", () => ok([{ may_import: true }]));
  answer("POST /api/catalogImports/check", () =>
    ok([
      { name: "Parts.txt", table: "BrickLink items", reason: "" },
      { name: "poem.txt", table: "", reason: "none of the known tables" },
    ]),
  );
});

it("tells what each file is before it imports those that it reads", async () => {
  const job = aJob({ kind: "catalog.import_files", state: "succeeded", result: { written: 1200 } });
  answer("POST /api/catalogImports", () => ok([job]));
  answer(`GET /api/jobs/${job.id}`, () => ok([job]));
  const { user } = renderPage(<CatalogFiles />);

  const drop = await screen.findByLabelText(/Add files of a catalogue/);
  await user.upload(drop, [file("Parts.txt"), file("poem.txt")]);
  const list = within(await screen.findByRole("list", { name: "Files" }));
  expect(list.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
    "Parts.txt: BrickLink items",
    "poem.txt: none of the known tables",
  ]);
  expect(sent("POST /api/catalogImports")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Import 1 file" }));

  expect(await screen.findByText(/1,200 rows of the catalogue written/)).toBeVisible();
});

it("forgets the files again, and imports nothing", async () => {
  const { user } = renderPage(<CatalogFiles />);
  const drop = await screen.findByLabelText(/Add files of a catalogue/);
  await user.upload(drop, file("Parts.txt"));
  await user.click(await screen.findByRole("button", { name: "Discard" }));

  expect(screen.queryByRole("list", { name: "Files" })).toBeNull();
  expect(screen.queryByRole("button", { name: /Import/ })).toBeNull();
  expect(sent("POST /api/catalogImports")).toHaveLength(0);
});

it("shows nothing to others", async () => {
  answer("GET /api/catalogImports", () => ok([{ may_import: false }]));
  renderPage(<CatalogFiles />);

  await waitFor(() => expect(sent("GET /api/catalogImports")).toHaveLength(1));
  expect(screen.queryByText("Enlarge the catalogue")).toBeNull();
});
