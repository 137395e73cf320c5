import { act, screen, within } from "@testing-library/react";
import { handing } from "@/shared/lib/useHandedFile";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, never, ok, refusal, sent } from "@/shared/testing/server";
import { BackupSettings } from "./BackupSettings";
import type { Backup } from "./queries";

beforeEach(installServer);

const written: Backup = {
  id: 3,
  job_id: "6e8a1c1e-0000-4000-8000-000000000003",
  state: "succeeded",
  done: 1,
  total: 1,
  counts: {},
  message: "",
  size: 20_480,
  file_name: "Brickstow 2026-11-21.zip",
  file_url: "/api/backups/3/file",
  createdAt: "2026-11-21T12:00:00Z",
  updatedAt: "2026-11-21T12:00:00Z",
  writtenAt: "2026-11-21T12:00:00Z",
};
const aJob = (given: object) => ({
  id: written.job_id,
  kind: "backups.write_backup",
  state: "running",
  done: 5,
  total: 20,
  message: "Writing the rows",
  failed: [],
  failed_count: 0,
  result: {},
  cancel_requested: false,
  createdAt: "2026-11-21T12:00:00Z",
  updatedAt: "2026-11-21T12:00:01Z",
  ...given,
});
const zip = () => new File(["PK"], "backup.zip", { type: "application/zip" });

describe("the backups of an account", () => {
  it("lists the latest, each with its download", async () => {
    answer("GET /api/backups", () => ok([written]));
    renderPage(<BackupSettings />);

    const list = await screen.findByRole("list", { name: "Latest backups" });
    expect(within(list).getByText(/20 KiB/)).toBeVisible();
    expect(
      within(list).getByRole("button", { name: "Download Brickstow 2026-11-21.zip" }),
    ).toBeVisible();
  });

  it("takes the place of nothing while it is not there, and stands below all else", async () => {
    answer("GET /api/backups", never);
    const { queryClient } = renderPage(<BackupSettings />);
    const drop = await screen.findByLabelText(/Restore a backup/);

    expect(screen.queryByText(/Loading/)).not.toBeInTheDocument();
    queryClient.setQueryData(["backups", "latest"], [written]);

    const list = await screen.findByRole("list", { name: "Latest backups" });
    expect(drop.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it("starts one and shows how far it is", async () => {
    let made = false;
    answer("GET /api/backups", () =>
      ok(made ? [{ ...written, state: "running", file_url: null }] : []),
    );
    answer("POST /api/backups", () => {
      made = true;
      return ok([{ ...written, state: "queued", file_url: null }]);
    });
    answer(`GET /api/jobs/${written.job_id}`, () => ok([aJob({})]));
    const { user } = renderPage(<BackupSettings />);

    await user.click(await screen.findByRole("button", { name: "Back up now" }));

    expect(await screen.findByRole("progressbar")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Back up now" })).not.toBeInTheDocument();
  });

  it("says why a backup failed", async () => {
    const failed = { state: "failed" as const, file_url: null, message: "The disk is full." };
    answer("GET /api/backups", () => ok([{ ...written, ...failed }]));
    renderPage(<BackupSettings />);

    expect(await screen.findByText(/failed: The disk is full\./)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Download/ })).not.toBeInTheDocument();
  });
});

describe("restoring a backup", () => {
  beforeEach(() => answer("GET /api/backups", () => ok([])));

  it("sends the zip and says when everything is back", async () => {
    answer("POST /api/backups/restore", () => ok([{ id: written.job_id }]));
    answer(`GET /api/jobs/${written.job_id}`, () =>
      ok([aJob({ kind: "backups.restore_backup", state: "succeeded", result: { rows: 1_234 } })]),
    );
    const { user } = renderPage(<BackupSettings />);

    await user.upload(await screen.findByLabelText(/Restore a backup/), zip());

    expect(await screen.findByText(/^Restored: 1,234 rows\.$/)).toBeVisible();
    expect(sent().some(({ path }) => path.endsWith("backups/restore"))).toBe(true);
  });

  it("lists what was left out, each with its reason", async () => {
    const failed = [
      {
        id: null,
        name: "rows/inventory_items.jsonl, line 5 (3001 Brick 2 x 4 Red)",
        reason: "sale: Ensure this value is less than or equal to 100. The row was left out.",
      },
    ];
    const job = { kind: "backups.restore_backup", state: "succeeded", result: { rows: 9 } };
    answer("POST /api/backups/restore", () => ok([{ id: written.job_id }]));
    answer(`GET /api/jobs/${written.job_id}`, () =>
      ok([aJob({ ...job, failed, failed_count: 1 })]),
    );
    const { user } = renderPage(<BackupSettings />);

    await user.upload(await screen.findByLabelText(/Restore a backup/), zip());

    expect(await screen.findByText(/1 row or value could not be restored/)).toBeVisible();
    const list = screen.getByRole("table", { name: "Left out" });
    expect(within(list).getByText(/line 5 \(3001/)).toBeVisible();
    expect(within(list).getByText(/^sale: Ensure/)).toBeVisible();
    expect(within(list).queryByRole("columnheader", { name: "Id" })).not.toBeInTheDocument();
  });

  it("sends a zip that was dropped on another page", async () => {
    answer("POST /api/backups/restore", () => refusal(409, "CONFLICT", "This account has stock."));
    const { router } = renderPage(<BackupSettings />);
    await screen.findByLabelText(/Restore a backup/);

    await act(() => router.navigate("/", handing(zip())));

    expect(await screen.findByText("This account has stock.")).toBeVisible();
    expect(router.state.location.state).toBeNull();
  });

  it("says why it was refused", async () => {
    answer("POST /api/backups/restore", () =>
      refusal(409, "CONFLICT", "A backup goes into an account that holds nothing yet."),
    );
    const { user } = renderPage(<BackupSettings />);

    await user.upload(await screen.findByLabelText(/Restore a backup/), zip());

    expect(await screen.findByRole("alert")).toHaveTextContent("holds nothing yet");
  });
});
