import { useQuery } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { profileQueries } from "@/features/profile/public";
import { request } from "@/shared/api/client";
import { renderPage } from "@/shared/testing/app";
import {
  answer,
  installServer,
  json,
  offline,
  ok,
  page,
  refusal,
  sent,
} from "@/shared/testing/server";
import { toast } from "@/shared/ui/toast";
import { claimJobView, followedJobs, followJob, followQuietly, forgetJobs } from "./followed";
import { JobToasts } from "./JobToasts";
import { awaitFile, noteUpload } from "./kept";
import type { Job } from "./model";
import { aJob } from "./testing/builders";

let job: Job;

/** Answers the list of unfinished jobs with `found`, and the job's own address with `job`. */
function serve(found: Job[] = []) {
  answer("GET /api/jobs", ({ query }) =>
    page(found.filter(({ state }) => state === query.get("state"))),
  );
  answer(`GET /api/jobs/${job.id}`, () => ok([job]));
}

const toasts = () => within(screen.getByRole("region", { name: "Notifications" }));

beforeEach(() => {
  installServer();
  forgetJobs();
  sessionStorage.clear();
  job = aJob();
});

/** The head of a column names the account's currency. */
function Head() {
  const { data } = useQuery(profileQueries.preferences());
  return <p>Price, {data?.currency}</p>;
}

it.each(["batches.import_bsx", "inventory.sync_bsx"])(
  "an import (%s) renews the currency that the heads of columns name",
  async (kind) => {
    let currency = "EUR";
    answer("GET /api/preferences", () => ok([{ currency }]));
    job = aJob({ kind, state: "succeeded", result: {} });
    serve();
    renderPage(
      <>
        <Head />
        <JobToasts />
      </>,
    );
    await screen.findByText("Price, EUR");

    currency = "USD";
    act(() => followJob(job.id));

    expect(await screen.findByText("Price, USD")).toBeInTheDocument();
  },
);

describe("after a reload, JobToasts", () => {
  const done = { state: "succeeded", result: { export_id: 3, row_count: 12 } } as const;

  it("shows the end of a job that ended meanwhile, and saves the file that was waited for", async () => {
    HTMLAnchorElement.prototype.click = () => undefined;
    answer("GET /api/exports/3/file", () => new Response("<BrickStoreXML/>"));
    followJob(job.id);
    awaitFile(job.id);
    forgetJobs(); // the page is gone
    job = aJob(done);
    serve();

    const { unmount } = renderPage(<JobToasts />);

    expect(await screen.findByText("The file is ready: 12 lots.")).toBeInTheDocument();
    await waitFor(() => expect(sent("GET /api/exports/3/file")).toHaveLength(1));
    unmount();
    toast.removeAll();
    renderPage(<JobToasts />);
    await waitFor(() => expect(followedJobs()).toEqual([]));
    expect(sent("GET /api/exports/3/file")).toHaveLength(1);
  });

  it("saves a file again whose download the reload cut off, until it has come whole", async () => {
    HTMLAnchorElement.prototype.click = () => undefined;
    let cutOff: (reason: Error) => void = () => undefined;
    answer("GET /api/exports/3/file", (_, count) =>
      count === 0
        ? new Promise((_resolve, reject) => {
            cutOff = reject;
          })
        : new Response("<BrickStoreXML/>"),
    );
    followJob(job.id);
    awaitFile(job.id);
    job = aJob(done);
    serve();
    const { unmount } = renderPage(<JobToasts />);
    await waitFor(() => expect(sent("GET /api/exports/3/file")).toHaveLength(1));
    unmount();
    await act(async () => cutOff(new Error("the page is gone")));

    const after = renderPage(<JobToasts />);
    await waitFor(() => expect(sent("GET /api/exports/3/file")).toHaveLength(2));
    await waitFor(() => expect(followedJobs()).toEqual([]));
    after.unmount();

    renderPage(<JobToasts />);
    await waitFor(() => expect(sent("GET /api/jobs").length).toBeGreaterThan(4));
    expect(sent("GET /api/exports/3/file")).toHaveLength(2);
  });

  it("gives up a file that the server no longer has", async () => {
    answer("GET /api/exports/3/file", () => refusal(404, "NOT_FOUND", "This file was deleted."));
    awaitFile(job.id);
    job = aJob(done);
    serve();
    const { unmount } = renderPage(<JobToasts />);
    expect(await screen.findByText("This file was deleted.")).toBeVisible();
    unmount();

    renderPage(<JobToasts />);
    await waitFor(() => expect(sent("GET /api/jobs").length).toBeGreaterThan(2));
    expect(sent("GET /api/exports/3/file")).toHaveLength(1);
  });

  it("finds the job of an upload whose answer was lost", async () => {
    noteUpload(Date.parse("2026-01-02T03:04:00Z"));
    job = aJob({ ...done, createdAt: "2026-01-02T03:04:05Z" });
    const old = aJob({ id: "another", createdAt: "2026-01-01T00:00:00Z" });
    answer("GET /api/jobs", ({ query }) => page(query.has("state") ? [] : [job, old]));
    answer(`GET /api/jobs/${job.id}`, () => ok([job]));

    renderPage(<JobToasts />);

    expect(await screen.findByText("The file is ready: 12 lots.")).toBeInTheDocument();
    expect(sent("GET /api/jobs/another")).toEqual([]);
  });
});

describe("JobToasts", () => {
  it("shows a job that any answer has started, and what came of it", async () => {
    job = aJob({ id: "a-repricing", kind: "inventory.reprice_items" });
    serve();
    answer("POST /api/inventoryItems/reprice", () => json(202, { success: true, data: [job] }));
    renderPage(<JobToasts />);

    await act(() => request("inventoryItems/reprice", "POST", { filter: {}, price: "0.10" }));
    expect(await screen.findByText("Re-pricing")).toBeInTheDocument();
    job = { ...job, state: "succeeded", result: { act_id: 6, item_count: 1500 } };

    expect(await toasts().findByText("Re-priced: 1,500 rows.")).toBeInTheDocument();
    expect(toasts().getByRole("button", { name: "Undo" })).toBeVisible();
  });

  it("takes an act on many rows of stock back from the toast of its end", async () => {
    answer("POST /api/inventoryActs/6/undo", () => ok([{ act_id: 7, moved: 1500, refused: [] }]));
    job = aJob({
      id: "a-move",
      kind: "inventory.move_items",
      state: "succeeded",
      result: { act_id: 6, item_count: 1500, failed_count: 0 },
    });
    serve();
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText("Moved: 1,500 rows.")).toBeInTheDocument();
    await user.click(toasts().getByRole("button", { name: "Undo" }));

    expect(await screen.findByText("Undone: Moved: 1,500 rows.")).toBeInTheDocument();
    expect(sent("POST /api/inventoryActs/6/undo")).toHaveLength(1);
  });

  const aBatchJob = (values: Partial<Job>) =>
    aJob({
      id: "a-stow",
      kind: "batches.stow_items",
      state: "succeeded",
      result: { batch_id: 12, item_count: 1500, failed_count: 0, act_ids: [8, 9] },
      ...values,
    });

  it("takes an act on many rows of a batch back, its last part first", async () => {
    answer("POST /api/batches/12/undo", () => ok([{}]));
    job = aBatchJob({});
    serve();
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText("Stowed: 1,500 lots.")).toBeInTheDocument();
    await user.click(toasts().getByRole("button", { name: "Undo" }));

    expect(await screen.findByText("Undone: Stowed: 1,500 lots.")).toBeInTheDocument();
    expect(sent("POST /api/batches/12/undo").map(({ body }) => body)).toEqual([
      { act_id: 9 },
      { act_id: 8 },
    ]);
  });

  it("tells an end once, although an answer that comes later names the job again", async () => {
    job = aBatchJob({});
    serve();
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));
    await screen.findByText("Stowed: 1,500 lots.");
    await user.click(toasts().getByRole("button", { name: "Dismiss" }));

    followJob(job.id);

    expect(followedJobs()).toEqual([]);
  });

  it("takes edits of many rows of batches back, each in its batch", async () => {
    answer("POST /api/batches/12/undo", () => ok([{}]));
    answer("POST /api/batches/13/undo", () => ok([{}]));
    const acts = [
      { batch_id: 12, act_id: 8 },
      { batch_id: 13, act_id: 9 },
    ];
    job = aBatchJob({ kind: "batches.edit_items", result: { batch_ids: [12, 13], acts } });
    serve();
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    await user.click(await toasts().findByRole("button", { name: "Undo" }));

    await screen.findByText("Undone: Edited.");
    expect(sent("POST /api/batches/12/undo")[0]?.body).toEqual({ act_id: 8 });
    expect(sent("POST /api/batches/13/undo")[0]?.body).toEqual({ act_id: 9 });
  });

  it("leads to what was refused beside the undo of the rest", async () => {
    job = aBatchJob({ failed_count: 2 });
    serve();
    const { user, router } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await toasts().findByRole("button", { name: "Undo" })).toBeVisible();
    await user.click(toasts().getByRole("button", { name: "Show" }));

    expect(router.state.location.search).toBe("?batch=12&work=a-stow");
  });

  it.each([
    ["cancelled", "Stowing: stopped. Stowed: 1,500 lots."],
    ["failed", "Stowed: 1,500 lots."],
  ] as const)("takes back what a %s job had done by then", async (state, words) => {
    job = aBatchJob({ state });
    serve();
    renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(toasts().getByRole("button", { name: "Undo" })).toBeVisible();
  });

  it("lets Home be asked again after an import, whose first page is another then", async () => {
    job = aJob({ id: "an-import", kind: "inventory.sync_bsx", state: "succeeded" });
    serve();
    const { queryClient } = renderPage(<JobToasts />);
    queryClient.setQueryData(["home", "page"], { is_new: true });
    act(() => followJob(job.id));

    await screen.findByText("The import is applied.");

    expect(queryClient.getQueryState(["home", "page"])?.isInvalidated).toBe(true);
  });

  it("keeps the toast of a job while the line is down, and goes on with it", async () => {
    jest.useFakeTimers();
    serve();
    let isDown = false;
    answer(`GET /api/jobs/${job.id}`, () => (isDown ? offline() : ok([job])));
    renderPage(<JobToasts />);
    act(() => followJob(job.id));
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(screen.getByText("Writing the file")).toBeInTheDocument();

    isDown = true;
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(screen.getByText("Writing the file")).toBeInTheDocument();
    isDown = false;
    job = aJob({ state: "succeeded", result: { export_id: 3, row_count: 12 } });
    await act(() => jest.advanceTimersByTimeAsync(20_000));

    expect(screen.getByText("The file is ready: 12 lots.")).toBeInTheDocument();
    jest.useRealTimers();
  });

  it("finds an unfinished job again after a reload and shows how far it is", async () => {
    serve([job]);
    renderPage(<JobToasts />);

    expect(await screen.findByText("Writing the file")).toBeInTheDocument();
    const bar = toasts().getByRole("progressbar", { name: "Writing the lots" });
    expect(bar).toHaveAttribute("aria-valuenow", "40");
  });

  it("updates its one toast and ends it with what was done", async () => {
    serve();
    renderPage(<JobToasts />);
    act(() => followJob(job.id));
    await screen.findByText("Writing the file");

    job = aJob({ state: "succeeded", result: { export_id: 3, row_count: 12 } });

    expect(await screen.findByText("The file is ready: 12 lots.")).toBeInTheDocument();
    expect(screen.queryByText("Writing the file")).toBeNull();
    expect(toasts().getAllByRole("button", { name: "Dismiss" })).toHaveLength(1);
    expect(toasts().getByRole("button", { name: "Download" })).toBeInTheDocument();
  });

  it("says in the server's words that nothing was written", async () => {
    const message = "Nothing to write: no lot is chosen by these options.";
    job = aJob({ state: "succeeded", message, result: { export_id: 3, row_count: 0 } });
    serve();
    renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(toasts().queryByRole("button", { name: "Download" })).toBeNull();
  });

  it("asks the server to stop", async () => {
    serve();
    answer(`POST /api/jobs/${job.id}/cancel`, () => {
      job = aJob({ cancel_requested: true });
      return ok([job]);
    });
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    await user.click(await screen.findByRole("button", { name: "Stop" }));

    expect(await screen.findByRole("button", { name: "Stopping" })).toBeInTheDocument();
    expect(sent(`POST /api/jobs/${job.id}/cancel`)).toHaveLength(1);
  });

  it("says which one could not be done and why, where the rest was", async () => {
    const reason = "subtotal is “a lot”: expected an amount.";
    job = aJob({
      kind: "orders.pull_orders",
      state: "succeeded",
      result: { order_count: 2 },
      failed: [{ id: 7, name: "Order 7", reason }],
      failed_count: 1,
    });
    serve();
    renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText("2 orders read.")).toBeInTheDocument();
    expect(screen.getByText(`1 failed. Order 7: ${reason}`)).toBeInTheDocument();
  });

  it("says why a job failed and tries it again", async () => {
    job = aJob({ state: "failed", message: "The disk is full." });
    serve();
    answer(`POST /api/jobs/${job.id}/retry`, () => {
      job = aJob({ state: "queued", message: "" });
      return ok([job]);
    });
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full.");
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("Waiting for its turn")).toBeInTheDocument();
  });

  it("says what a job waits for", async () => {
    job = aJob({ state: "queued", message: "The store does not answer. Trying again." });
    serve();
    renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText(/The store does not answer/)).toBeInTheDocument();
  });

  it("stays away while a dialog shows the job, and comes when that closes", async () => {
    serve();
    renderPage(<JobToasts />);
    const release = claimJobView(job.id);
    act(() => followJob(job.id));
    await waitFor(() => expect(sent(`GET /api/jobs/${job.id}`).length).toBeGreaterThan(0));

    expect(screen.queryByText("Writing the file")).toBeNull();
    act(release);

    expect(await screen.findByText("Writing the file")).toBeInTheDocument();
  });

  it("tells of a job among many only where something went wrong", async () => {
    serve();
    job = aJob({ state: "succeeded" });
    renderPage(<JobToasts />);
    act(() => followQuietly(job.id));
    await waitFor(() => expect(followedJobs()).toEqual([]));
    expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();

    job = aJob({ id: "other", state: "failed", message: "The secrets were refused" });
    serve();
    act(() => followQuietly(job.id));

    expect(await screen.findByText(/The secrets were refused/)).toBeInTheDocument();
  });

  it("goes on to the job that the end of another has started", async () => {
    serve();
    job = aJob({ state: "succeeded", result: { listing_job_id: "next" } });
    answer("GET /api/jobs/next", () =>
      ok([aJob({ id: "next", kind: "batches.list_items", message: "4 listed" })]),
    );
    renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByText("Listing")).toBeInTheDocument();
  });

  it("keeps closed what the person closed, until the job ends", async () => {
    serve();
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));
    await user.click(await screen.findByRole("button", { name: "Dismiss" }));

    job = aJob({ done: 80 });
    const asked = sent(`GET /api/jobs/${job.id}`).length;
    await waitFor(() => expect(sent(`GET /api/jobs/${job.id}`).length).toBeGreaterThan(asked + 1));

    expect(screen.queryByText("Writing the file")).toBeNull();
  });
});
