import { act, screen, waitFor, within } from "@testing-library/react";
import { JobToasts } from "@/features/jobs/public";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { ExportButton } from "./ExportButton";
import { ExportSelected } from "./ExportSelected";

const job = {
  id: "7f0c9d7e-0000-4000-8000-000000000001",
  kind: "exports.export_items",
  state: "succeeded",
  done: 2,
  total: 2,
  message: "",
  failed: [],
  failed_count: 0,
  result: { export_id: 5, row_count: 2 },
  cancel_requested: false,
};
const made = {
  id: 5,
  scope: "batch",
  batch_id: 12,
  job_id: job.id,
  state: "queued",
  message: "",
  failed: [],
  failed_count: 0,
  notices: [],
  row_count: 0,
  listed_count: 0,
  uploadedAt: null,
  kind: "bsx",
  file_name: "Flea market.bsx",
  file_url: null,
  createdAt: "2026-01-02T03:04:05Z",
};
const written = { ...made, state: "succeeded", row_count: 2, file_url: "/api/exports/5/file" };

/** Beside the toasts of jobs, as on every page: they forget the jobs of a test with its page. */
const show = () =>
  renderPage(
    <>
      <JobToasts />
      <ExportButton label="Export items" scope={{ scope: "batch", batch_id: 12 }} />
    </>,
  );

/** Waits for its file, too: one that comes later would be counted in the test behind. */
const saved = (files: number) =>
  waitFor(() => expect(sent("GET /api/exports/5/file")).toHaveLength(files));

beforeEach(() => {
  installServer();
  answer("GET /api/jobs", () => page([]));
  HTMLAnchorElement.prototype.click = () => undefined;
  answer("POST /api/exports", () => ok([made]));
  answer(`GET /api/jobs/${made.job_id}`, () => ok([job]));
  answer("GET /api/exports/5", () => ok([written]));
  answer("GET /api/exports/5/file", () => new Response("<BrickStoreXML/>"));
});

describe("ExportButton", () => {
  it("starts at once and saves the file when it is there", async () => {
    const { user } = show();

    await user.click(screen.getByRole("button", { name: "Export items" }));

    await saved(1);
    expect(sent("POST /api/exports")[0]?.body).toEqual({
      kind: "bsx",
      scope: "batch",
      batch_id: 12,
      options: {
        state: "all",
        include_zero_quantity: true,
        include_incomplete: true,
        include_unknown: false,
        include_listed: false,
        carry_location: true,
        compatible: false,
        remarks_template: "",
        columns: [],
        update_fields: [],
        wanted_list_id: "",
      },
    });
  });

  it.each([
    ["a store here", "connected", 1, /Your store is connected: list these lots from this page/],
    ["BrickStore", "none", 2, /open the file in BrickStore.*mark the batch/],
    ["neither", "none", 1, /upload it with BrickStore \(free\), or connect your store/],
  ])("says what comes next to a person with %s", async (_, state, files, next) => {
    // As where the installation offers a demo store.
    answer("GET /api/marketplaceConnection", () => ok([{ has_store: true, is_demo: true, state }]));
    answer("GET /api/exports", () => page(Array(files).fill(written)));
    const { user } = show();

    await user.click(screen.getByRole("button", { name: "Export items" }));

    expect(await screen.findByText(next)).toBeVisible();
  });

  it("says the file is ready and what comes next in one toast", async () => {
    answer("GET /api/marketplaceConnection", () => ok([{ has_store: true, state: "ok" }]));
    const { user } = show();

    await user.click(screen.getByRole("button", { name: "Export items" }));

    const next = await screen.findByText(/Your store is connected/);
    const toasts = screen.getByRole("region", { name: "Notifications" });
    expect(toasts.querySelectorAll("[data-toast]")).toHaveLength(1);
    expect(toasts).toContainElement(next);
    expect(toasts).toHaveTextContent("The file is ready: 2 lots.");
  });

  it("leaves a file that a reload cuts off to the page after it", async () => {
    let cutOff: (reason: Error) => void = () => undefined;
    answer("GET /api/exports/5/file", (_, count) =>
      count === 0
        ? new Promise((_resolve, reject) => {
            cutOff = reject;
          })
        : new Response("<BrickStoreXML/>"),
    );
    const { user, unmount } = show();
    await user.click(screen.getByRole("button", { name: "Export items" }));
    await saved(1);
    unmount();
    await act(async () => cutOff(new Error("the page is gone")));

    renderPage(<JobToasts />);

    await saved(2);
  });

  it("uses the options of last time", async () => {
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.selectOptions(
      await screen.findByRole("combobox", { name: "Which items" }),
      "stowed",
    );
    await user.click(screen.getByRole("checkbox", { name: /quantity 0/ }));

    await user.click(screen.getByRole("button", { name: "Export items" }));

    await waitFor(() => expect(sent("POST /api/exports")).toHaveLength(1));
    expect(sent("POST /api/exports")[0]?.body).toMatchObject({
      options: { state: "stowed", include_zero_quantity: false },
    });
    await saved(1);
    expect(JSON.parse(localStorage.getItem("bb_setting_exportOptions") ?? "")).toMatchObject({
      state: "stowed",
    });
  });

  it("lists id and reason of what could not be written, and tries these again", async () => {
    const failed = [{ id: 103, name: "Custom print", reason: "It has no BrickLink number." }];
    answer("GET /api/exports/5", () => ok([{ ...written, failed, failed_count: 1 }]));
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export items" }));

    const dialog = within(
      await screen.findByRole("dialog", { name: "1 item could not be exported" }),
    );
    expect(dialog.getByRole("cell", { name: "103" })).toBeInTheDocument();
    expect(dialog.getByRole("cell", { name: "It has no BrickLink number." })).toBeInTheDocument();
    expect(dialog.getByText(/other 2 are in Flea market.bsx/)).toBeInTheDocument();
    answer("GET /api/exports/5", () => ok([written]));
    await user.click(dialog.getByRole("button", { name: "Retry these" }));

    await waitFor(() => expect(sent("POST /api/exports")).toHaveLength(2));
    expect(sent("POST /api/exports")[1]?.body).toMatchObject({ options: { item_ids: [103] } });
    await saved(2);
  });

  it("writes the chosen kind with what goes with it", async () => {
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.selectOptions(await screen.findByRole("combobox", { name: "Format" }), "csv");
    await user.click(screen.getByRole("checkbox", { name: "Bin" }));
    await user.click(screen.getByRole("checkbox", { name: "Quantity" }));
    expect(screen.queryByRole("checkbox", { name: /BrickSync/ })).not.toBeInTheDocument();

    await user.click(screen.getByRole("button", { name: "Export items" }));

    await waitFor(() => expect(sent("POST /api/exports")).toHaveLength(1));
    expect(sent("POST /api/exports")[0]?.body).toMatchObject({
      kind: "csv",
      options: { columns: ["location_name", "quantity"] },
    });
    await saved(1);
  });

  it("saves no file where there was nothing to write", async () => {
    const result = { ...job.result, row_count: 0 };
    answer(`GET /api/jobs/${made.job_id}`, () => ok([{ ...job, result }]));
    answer("GET /api/exports/5", () => ok([{ ...written, row_count: 0, file_url: null }]));
    const { user } = show();

    await user.click(screen.getByRole("button", { name: "Export items" }));

    await waitFor(() => expect(sent("GET /api/exports/5")).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Export items" })).not.toHaveAttribute(
        "aria-busy",
        "true",
      ),
    );
    expect(sent("GET /api/exports/5/file")).toHaveLength(0);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("says that no file was written where every item was left out, and opens each", async () => {
    const failed = [{ id: 103, name: "Custom print", reason: "It has no item number." }];
    const nothing = { ...written, failed, failed_count: 1, row_count: 0, file_url: null };
    answer("GET /api/exports/5", () => ok([nothing]));
    const { user } = renderPage(
      <ExportButton
        label="Export items"
        scope={{ scope: "batch", batch_id: 12 }}
        openRow={(id, onClose) => (
          <button type="button" onClick={onClose}>
            The form of {id}
          </button>
        )}
      />,
    );
    await user.click(screen.getByRole("button", { name: "Export items" }));

    const dialog = within(
      await screen.findByRole("dialog", { name: "1 item could not be exported" }),
    );
    expect(dialog.getByText(/No file was written/)).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Open Custom print" }));
    await user.click(screen.getByText("The form of 103"));

    expect(screen.queryByText("The form of 103")).not.toBeInTheDocument();
    expect(sent("GET /api/exports/5/file")).toHaveLength(0);
    // The page after a reload waits for none, either.
    expect(JSON.parse(sessionStorage.getItem("brickstow_jobs") ?? "")).toMatchObject({
      downloads: [],
    });
  });

  it("shows what a file would hold before it is written", async () => {
    answer("POST /api/exports/preview", () =>
      ok([
        {
          row_count: 2,
          failed: [{ id: 103, name: "Rest", reason: "It has no item number." }],
          failed_count: 1,
          notices: [{ id: 104, field: "Price", message: "Price 0.1234 was rounded to 0.123." }],
          notice_count: 1,
          listed_count: 0,
          file_name: "Flea market.bsx",
          sample: "<BrickStoreXML>",
        },
      ]),
    );
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.click(await screen.findByRole("button", { name: "Preview" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Preview of the file" }));
    expect(await dialog.findByText("Flea market.bsx: 2 lots, 1 left out.")).toBeInTheDocument();
    expect(dialog.getByRole("cell", { name: "It has no item number." })).toBeInTheDocument();
    expect(dialog.getByText("<BrickStoreXML>")).toBeInTheDocument();
    expect(dialog.getByText("Price 0.1234 was rounded to 0.123.")).toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Write the file" }));

    await saved(1);
    expect(sent("POST /api/exports")).toHaveLength(1);
  });

  it("tells which values the file holds in another form, after what it leaves out", async () => {
    const failed = [{ id: 103, name: "Rest", reason: "It has no item number." }];
    const notices = [{ id: 104, field: "Price", message: "Price 0.0999 was rounded to 0.100." }];
    answer("GET /api/exports/5", () => ok([{ ...written, failed, failed_count: 1, notices }]));
    const { user } = show();

    await user.click(screen.getByRole("button", { name: "Export items" }));
    const left = await screen.findByRole("dialog", { name: "1 item could not be exported" });
    expect(screen.queryByText("Price 0.0999 was rounded to 0.100.")).toBeNull();
    await user.click(within(left).getAllByRole("button", { name: "Close" })[0] as HTMLElement);

    const noted = await screen.findByRole("dialog", { name: "Written in another form" });
    expect(within(noted).getByText("Price 0.0999 was rounded to 0.100.")).toBeInTheDocument();
    expect(sent("GET /api/exports/5/file")).toHaveLength(1);
  });

  it("tells of earlier files what was left out of them", async () => {
    const failed = [{ id: 103, name: "Rest", reason: "It has no item number." }];
    answer("GET /api/exports", () => page([{ ...written, failed, failed_count: 1 }], 1));
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.click(await screen.findByRole("button", { name: "Earlier exports" }));

    await user.click(await screen.findByRole("button", { name: "1 left out of Flea market.bsx" }));

    const dialog = within(
      await screen.findByRole("dialog", { name: "1 item could not be exported" }),
    );
    expect(dialog.getByRole("cell", { name: "It has no item number." })).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Retry these" })).not.toBeInTheDocument();
  });

  it("tells of earlier files what is in them in another form", async () => {
    const notices = [{ id: 104, field: "Price", message: "Price 0.1234 was rounded to 0.123." }];
    answer("GET /api/exports", () => page([{ ...written, notices }], 1));
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.click(await screen.findByRole("button", { name: "Earlier exports" }));

    await user.click(await screen.findByRole("button", { name: "1 note on Flea market.bsx" }));

    const dialog = within(await screen.findByRole("dialog", { name: "Written in another form" }));
    expect(dialog.getByText("Price 0.1234 was rounded to 0.123.")).toBeInTheDocument();
  });

  it("keeps earlier files, to download again or to delete", async () => {
    answer("GET /api/exports", () => page([{ ...written, kind: "csv" }], 1));
    answer("DELETE /api/exports/5", () => ok([]));
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));
    await user.click(await screen.findByRole("button", { name: "Earlier exports" }));
    await user.click(await screen.findByRole("button", { name: "Download Flea market.bsx" }));
    await saved(1);

    await user.click(screen.getByRole("button", { name: "Delete" }));
    const question = within(await screen.findByRole("dialog", { name: "Delete?" }));
    await user.click(question.getByRole("button", { name: "Delete" }));

    await waitFor(() => expect(sent("DELETE /api/exports/5")).toHaveLength(1));
  });
});

describe("ExportSelected", () => {
  it("writes the chosen rows only, whatever state the options of last time name", async () => {
    localStorage.setItem("bb_setting_exportOptions", JSON.stringify({ kind: "csv", state: "new" }));
    const { user } = renderPage(
      <ExportSelected scope={{ scope: "batch", batch_id: 12 }} ids={async () => [7, 9]} />,
    );

    await user.click(screen.getByRole("button", { name: "Export CSV" }));

    await saved(1);
    expect(sent("POST /api/exports")[0]?.body).toMatchObject({
      kind: "csv",
      scope: "batch",
      batch_id: 12,
      options: { state: "all", item_ids: [7, 9] },
    });
  });

  it("says why the rows could not be named, and writes nothing", async () => {
    const { user } = renderPage(
      <ExportSelected
        scope={{ scope: "inventory" }}
        ids={() => Promise.reject(new Error("At most 10,000 items at once."))}
      />,
    );

    await user.click(screen.getByRole("button", { name: "Export BSX" }));

    expect(await screen.findByText("At most 10,000 items at once.")).toBeInTheDocument();
    expect(sent("POST /api/exports")).toHaveLength(0);
  });
});

describe("A mass update", () => {
  it("asks whether it was uploaded, and keeps that it was", async () => {
    answer("GET /api/exports/5", () => ok([{ ...written, kind: "mass_update" }]));
    answer("POST /api/exports/5/uploaded", () =>
      ok([{ ...written, kind: "mass_update", uploadedAt: "2026-01-02T03:05:00Z" }]),
    );
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export items" }));

    const dialog = within(
      await screen.findByRole("dialog", { name: "Have you uploaded this file?" }),
    );
    expect(dialog.getByText("Flea market.bsx: changes of 2 lots.")).toBeInTheDocument();
    expect(sent("POST /api/exports/5/uploaded")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "I have uploaded this file" }));

    await waitFor(() => expect(sent("POST /api/exports/5/uploaded")).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  });
});

describe("The options", () => {
  it("show what becomes of the bin, and send what was chosen", async () => {
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "Export options" }));

    const bin = await screen.findByRole("checkbox", { name: /Remarks name the bin/ });
    expect(bin).toBeChecked();
    expect(screen.getByText(/goes out as “B-07 light wear”/)).toBeInTheDocument();
    await user.click(bin);
    expect(screen.getByText(/the bin is left out/)).toBeInTheDocument();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Export items" }));

    await waitFor(() => expect(sent("POST /api/exports")).toHaveLength(1));
    expect(sent("POST /api/exports")[0]?.body).toMatchObject({
      options: { carry_location: false, include_listed: false, include_unknown: false },
    });
  });
});
