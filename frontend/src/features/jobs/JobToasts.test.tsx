import { act, screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { claimJobView, followedJobs, followJob, followQuietly, forgetJobs } from "./followed";
import { JobToasts } from "./JobToasts";
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
  job = aJob();
});

describe("JobToasts", () => {
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

  it("says why a job failed and tries it again", async () => {
    job = aJob({ state: "failed", message: "The disk is full." });
    serve();
    answer(`POST /api/jobs/${job.id}/retry`, () => {
      job = aJob({ state: "queued" });
      return ok([job]);
    });
    const { user } = renderPage(<JobToasts />);
    act(() => followJob(job.id));

    expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full.");
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByText("Waiting for its turn")).toBeInTheDocument();
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
    await waitFor(() => expect(sent(`GET /api/jobs/${job.id}`).length).toBeGreaterThan(asked + 1), {
      timeout: 4000,
    });

    expect(screen.queryByText("Writing the file")).toBeNull();
  });
});
