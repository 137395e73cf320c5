import { act, render, screen } from "@testing-library/react";
import { Toaster } from "@/shared/ui/Toaster";
import type { Listing } from "./model";
import { useEndAlerts } from "./useEndAlerts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const listing = (also: Partial<Listing>) =>
  ({
    id: 1,
    title: "12 lbs of LEGO",
    watch: "watching",
    my_bid: null,
    end_time: new Date(NOON + 61 * 60_000).toISOString(),
    ...also,
  }) as Listing;

function Alerts({ listings }: { listings: readonly Listing[] }) {
  useEndAlerts(listings);
  return <Toaster />;
}

const pass = (minutes: number) => act(() => jest.advanceTimersByTimeAsync(minutes * 60_000));

beforeEach(() => jest.useFakeTimers({ now: NOON }));
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(window, "Notification");
});

describe("useEndAlerts", () => {
  it("tells an hour before the end and ten minutes before, once each", async () => {
    render(<Alerts listings={[listing({})]} />);
    expect(screen.queryByText(/Ends in/)).not.toBeInTheDocument();

    await pass(2);
    expect(screen.getByText("Ends in 60 minutes: 12 lbs of LEGO")).toBeInTheDocument();
    await pass(50);
    expect(screen.getByText("Ends in 10 minutes: 12 lbs of LEGO")).toBeInTheDocument();
  });

  it("tells while the page is hidden, in the system where that is allowed", async () => {
    const told = jest.fn();
    const system = Object.assign(told, { permission: "granted" });
    Object.defineProperty(window, "Notification", { value: system, configurable: true });
    const hidden = jest.spyOn(document, "hidden", "get").mockReturnValue(true);
    render(<Alerts listings={[listing({})]} />);

    await pass(2);

    expect(told).toHaveBeenCalledTimes(1);
    expect(told).toHaveBeenCalledWith("Ends in 60 minutes: 12 lbs of LEGO", { tag: "auction-1" });
    hidden.mockRestore();
  });

  it("tells what fell due just before, while one page gave way to another", async () => {
    const end_time = new Date(NOON + 60 * 60_000 - 5000).toISOString();
    render(<Alerts listings={[listing({ end_time })]} />);

    expect(await screen.findByText("Ends in 60 minutes: 12 lbs of LEGO")).toBeInTheDocument();
  });

  it("goes on where the system refuses to show anything", async () => {
    const refuses = () => {
      throw new TypeError("Illegal constructor");
    };
    const system = Object.assign(refuses, { permission: "granted" });
    Object.defineProperty(window, "Notification", { value: system, configurable: true });
    const also = { id: 2, title: "Second" };
    render(<Alerts listings={[listing({}), listing(also)]} />);

    await pass(2);

    expect(screen.getByText("Ends in 60 minutes: Second")).toBeInTheDocument();
  });

  it("tells nothing of what is neither watched nor bid on", async () => {
    render(<Alerts listings={[listing({ watch: "" })]} />);

    await pass(52);

    expect(screen.queryByText(/Ends in/)).not.toBeInTheDocument();
  });
});
