import { act, screen, waitFor, within } from "@testing-library/react";
import { followJob, JobToasts } from "@/features/jobs/public";
import { aJob } from "@/features/jobs/testing/builders";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { aConnection, aPriceRule } from "../testing/builders";
import { FiguresMissing } from "./FiguresMissing";
import { GetPricesDialog } from "./GetPricesDialog";
import { type PriceRun, type WantedPrices, wantedText } from "./model";
import { PriceRunNotice } from "./PriceRunNotice";
import { useFreshFigures } from "./useFreshFigures";

const aRun = (given: Partial<WantedPrices> = {}): WantedPrices => ({
  job_id: null,
  state: "none",
  message: "",
  lots_done: 0,
  lots_left: 0,
  lots_failed: 0,
  waitsUntil: null,
  expectedAt: null,
  share: 80,
  calls_a_day: 4000,
  calls_left_today: 3200,
  lots_wanted: 0,
  lots_known: 0,
  lots_unknown: 0,
  ...given,
});
const RUN = "/api/marketplace/priceRun";
const told = (run: Partial<PriceRun>) => answer(`GET ${RUN}`, () => ok([aRun(run)]));

beforeEach(() => {
  installServer();
  told({});
  answer("GET /api/marketplaceConnection", () => ok([aConnection()]));
  answer("GET /api/priceRule", () => ok([aPriceRule()]));
});

describe("PriceRunNotice", () => {
  it("says how many lots are done and left, and when it goes on and ends", async () => {
    told({
      state: "queued",
      job_id: "7",
      message: "Today's calls for prices are used. 4,000 of 10,000 lots are done.",
      lots_done: 4000,
      lots_left: 6000,
      waitsUntil: "2026-11-23T00:00:00Z",
      expectedAt: "2026-11-24T12:00:00Z",
    });
    renderPage(<PriceRunNotice />);

    expect(await screen.findByText("4,000 of 10,000")).toBeVisible();
    expect(screen.getByText(/continues by itself on 23 Nov 2026/)).toHaveTextContent(
      /Done about 24 Nov 2026/,
    );
  });

  it("stops it", async () => {
    const job = aJob({ kind: "marketplace.get_prices", state: "running" });
    let state = job.state;
    answer(`GET ${RUN}`, () => ok([aRun({ state, lots_left: state === "running" ? 2 : 0 })]));
    answer(`GET /api/jobs/${job.id}`, () => ok([{ ...job, state }]));
    answer("GET /api/jobs", () => page([]));
    answer(`DELETE ${RUN}`, () => {
      state = "cancelled";
      return ok([aRun({ state })]);
    });
    const { user } = renderPage(
      <>
        <PriceRunNotice />
        <JobToasts />
      </>,
    );
    act(() => followJob(job.id));

    await user.click(await screen.findByRole("button", { name: "Stop" }));

    expect(await screen.findByText("Getting prices: stopped.")).toBeVisible();
    expect(document.querySelectorAll("[data-toast]")).toHaveLength(1);
    expect(sent(`DELETE ${RUN}`)).toHaveLength(1);
    expect(screen.queryByText("Getting prices")).not.toBeInTheDocument();
  });

  it("says that it is left after a failure", async () => {
    told({ state: "failed", message: "The marketplace refused.", lots_left: 3 });
    answer(`DELETE ${RUN}`, () => ok([aRun({ state: "cancelled" })]));
    const { user } = renderPage(<PriceRunNotice />);

    await user.click(await screen.findByRole("button", { name: "Leave it" }));

    expect(await screen.findByText("No more prices are fetched")).toBeVisible();
  });

  it("offers to go on after a failure", async () => {
    told({ state: "failed", message: "The marketplace refused.", lots_left: 3 });
    answer(`POST ${RUN}`, () => ok([aRun({ state: "queued", lots_left: 3 })]));
    const { user } = renderPage(<PriceRunNotice />);

    await user.click(await screen.findByRole("button", { name: "Go on" }));

    await waitFor(() => expect(sent(`POST ${RUN}`)[0]?.body).toEqual({}));
    expect(await screen.findByText("Getting prices")).toBeVisible();
  });
});

describe("GetPricesDialog", () => {
  it("says what it costs and starts it", async () => {
    answer(`POST ${RUN}`, () =>
      ok([aRun({ state: "queued", job_id: "7", lots_left: 9000, lots_wanted: 9000 })]),
    );
    const onClose = jest.fn();
    const { user } = renderPage(
      <GetPricesDialog of={{ of: "lots", body: { ids: [1, 2] } }} count={9000} onClose={onClose} />,
    );
    const dialog = within(
      await screen.findByRole("dialog", { name: "Get the prices of 9,000 lots" }),
    );

    expect(await dialog.findByText(/3,200 of 4,000 calls/)).toHaveTextContent(/about 3 days/);
    await user.click(dialog.getByRole("button", { name: "Get prices" }));

    await waitFor(() => expect(sent(`POST ${RUN}`)[0]?.body).toEqual({ ids: [1, 2] }));
    expect(await screen.findByText("Getting the prices of 9,000 lots")).toBeVisible();
    expect(onClose).toHaveBeenCalled();
  });
});

describe("FiguresMissing", () => {
  it("says why rows keep their price, and gets what is missing once", async () => {
    answer(`POST ${RUN}`, () => ok([aRun({ state: "queued", lots_wanted: 2, lots_left: 2 })]));
    const { user } = renderPage(
      <FiguresMissing count={2} of={{ of: "lots", body: { ids: [1] } }} />,
    );

    expect(screen.getByText("The market figures of 2 rows are missing")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Get prices" }));
    await waitFor(() => expect(sent(`POST ${RUN}`)).toHaveLength(1));
  });

  it("is not there where nothing is missing", () => {
    renderPage(<FiguresMissing count={0} of={{ of: "lots", body: {} }} />);

    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });
});

describe("wantedText", () => {
  it.each([
    [{ lots_wanted: 1 }, "Getting the prices of 1 lot", undefined],
    [{ lots_known: 2 }, "No price is missing", "2 lots known already"],
    [
      { lots_wanted: 3, lots_known: 1, lots_unknown: 1 },
      "Getting the prices of 3 lots",
      "1 lot known already, 1 lot unknown to the marketplace",
    ],
  ])("tells of %j", (given, words, detail) => {
    expect(wantedText(aRun(given))).toEqual({ words, detail });
  });
});

describe("useFreshFigures", () => {
  const hours = (count: number) => new Date(Date.now() - count * 3600_000).toISOString();
  function Recommended(props: { id: number; at: string | null; isOld?: boolean }) {
    const { id, at, isOld = false } = props;
    useFreshFigures({ id, bricklinkSyncedAt: at, figures_are_old: isOld }, "U");
    return null;
  }

  it("fetches figures that the server calls old once", async () => {
    answer(`POST ${RUN}`, () => ok([aRun({ lots_wanted: 1 })]));
    const at = hours(7);
    renderPage(
      <>
        <Recommended id={901} at={at} isOld />
        <Recommended id={901} at={at} isOld />
        <Recommended id={902} at={hours(5)} />
        <Recommended id={903} at={null} />
      </>,
    );

    await waitFor(() => expect(sent(`POST ${RUN}`)).toHaveLength(1));
    expect(sent(`POST ${RUN}`)[0]?.body).toEqual({
      lots: [{ lot_id: 901, condition: "U", quantity: 1 }],
    });
  });

  it("asks nothing without a store", async () => {
    answer("GET /api/marketplaceConnection", () => ok([aConnection({ state: "none" })]));
    renderPage(<Recommended id={904} at={hours(7)} isOld />);

    await waitFor(() => expect(sent("GET /api/marketplaceConnection")).not.toHaveLength(0));
    expect(sent(`POST ${RUN}`)).toHaveLength(0);
  });
});
