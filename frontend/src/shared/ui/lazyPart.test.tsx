import { render, screen } from "@testing-library/react";
import { lazyPart } from "./lazyPart";
import { Toaster } from "./Toaster";

const online = (is: boolean) =>
  jest.spyOn(Navigator.prototype, "onLine", "get").mockReturnValue(is);

describe("a part that is fetched when it is opened", () => {
  afterEach(() => jest.restoreAllMocks());

  it("waits for a line that is down, the page staying as it is", async () => {
    online(false);
    const load = jest
      .fn<Promise<() => string>, []>()
      .mockRejectedValueOnce(new Error("Loading chunk 7 failed."))
      .mockResolvedValue(() => "History");
    const Part = lazyPart(load);
    render(
      <>
        <p>Edits</p>
        <Part />
        <Toaster />
      </>,
    );

    expect(await screen.findByText(/^No connection/)).toBeInTheDocument();
    expect(screen.getByText("Edits")).toBeInTheDocument();
    online(true);
    window.dispatchEvent(new Event("online"));

    expect(await screen.findByText("History")).toBeInTheDocument();
    expect(load).toHaveBeenCalledTimes(2);
  });
});
