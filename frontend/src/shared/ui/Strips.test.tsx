import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { askLineBy, canReach, noteReached, noteShownAsOf } from "@/shared/lib/line";
import { offerNewVersion } from "@/shared/lib/newVersion";
import { Strips } from "./Strips";
import { ErrorState } from "./states";

const NO_CONNECTION = "No connection to the server.";

async function lose() {
  askLineBy(async () => false);
  await act(canReach);
}

afterEach(() => {
  act(noteReached);
  askLineBy(async () => true);
  jest.useRealTimers();
});

describe("the strip of a lost line", () => {
  it("comes after two seconds, says of when the page is, and goes with the first answer", async () => {
    jest.useFakeTimers({ now: new Date(2026, 10, 29, 12, 41) });
    render(<Strips />);
    await lose();
    act(() => noteShownAsOf(new Date(2026, 10, 29, 12, 40).getTime()));
    await act(() => jest.advanceTimersByTimeAsync(1_900));
    expect(screen.queryByText(NO_CONNECTION)).toBeNull();

    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.getByRole("status")).toHaveTextContent(NO_CONNECTION);
    expect(screen.getByRole("status")).toHaveTextContent("You see this page as of 12:40.");
    act(noteReached);

    expect(screen.getByRole("status")).toBeEmptyDOMElement();
  });

  it("speaks for all places that have nothing to show", async () => {
    const error = Object.assign(new Error("Unable to connect."), { failure: "connection" });
    await lose();

    render(<ErrorState error={error} onRetry={() => undefined} />);

    expect(screen.queryByText("Unable to connect.")).toBeNull();
    expect(screen.getByText("This loads when the server can be reached.")).toBeVisible();
  });
});

it("a new version is offered, and comes when the person asks for it", async () => {
  const reload = jest.fn();
  render(<Strips />);

  act(() => offerNewVersion(reload));
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));

  expect(reload).toHaveBeenCalledTimes(1);
});
