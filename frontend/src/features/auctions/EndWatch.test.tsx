import { act, screen } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, offline, page, sent } from "@/shared/testing/server";
import { EndWatch } from "./EndWatch";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const watched = {
  id: 1,
  title: "12 lbs of LEGO",
  watch: "watching",
  my_bid: null,
  end_time: new Date(NOON + 61 * 60_000).toISOString(),
};
const pass = (minutes: number) => act(() => jest.advanceTimersByTimeAsync(minutes * 60_000));
const asked = () => sent("GET /api/auctionListings");

beforeEach(() => {
  jest.useFakeTimers({ now: NOON });
  installServer();
});
afterEach(() => jest.useRealTimers());

describe("EndWatch", () => {
  it("tells before what is watched ends, and asks but twice an hour", async () => {
    answer("GET /api/auctionListings", () => page([watched]));
    renderPage(<EndWatch />);

    await pass(2);
    expect(screen.getByText("Ends in 60 minutes: 12 lbs of LEGO")).toBeInTheDocument();
    await pass(50);
    expect(screen.getByText("Ends in 10 minutes: 12 lbs of LEGO")).toBeInTheDocument();

    expect(asked()).toHaveLength(2);
    expect(asked()[0]?.query.get("watch")).toBe("watching");
  });

  it("asks once where nothing is watched", async () => {
    answer("GET /api/auctionListings", () => page([]));
    renderPage(<EndWatch />);

    await pass(300);

    expect(asked()).toHaveLength(1);
  });

  it("asks again after a time without a line", async () => {
    let isDown = true;
    answer("GET /api/auctionListings", () => (isDown ? offline() : page([watched])));
    renderPage(<EndWatch />);
    await pass(29);
    isDown = false;

    await pass(25);

    expect(screen.getByText("Ends in 10 minutes: 12 lbs of LEGO")).toBeInTheDocument();
  });
});
