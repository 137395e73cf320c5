import { render, screen, waitFor } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
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

  it("is drawn when its code arrives just after the first drawing", async () => {
    let arrive: (part: () => string) => void = () => undefined;
    const Part = lazyPart(() => new Promise<() => string>((resolve) => (arrive = resolve)));
    Part.preload();
    function Arriving() {
      useLayoutEffect(() => arrive(() => "History"), []);
      return null;
    }
    const place = document.createElement("div");
    // Without `act`, which runs the effects before anything can arrive.
    const globals = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    globals.IS_REACT_ACT_ENVIRONMENT = false;
    try {
      const root = createRoot(place);
      root.render(
        <>
          <Part />
          <Arriving />
        </>,
      );
      await waitFor(() => expect(place).toHaveTextContent("History"));
      root.unmount();
    } finally {
      globals.IS_REACT_ACT_ENVIRONMENT = true;
    }
  });
});
