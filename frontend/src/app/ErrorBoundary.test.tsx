import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { installServer } from "@/shared/testing/server";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorBoundary } from "./ErrorBoundary";
import { RouterErrorScreen } from "./RouterErrorScreen";

// React logs every caught error to the console; here errors are expected.
beforeEach(() => jest.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => jest.restoreAllMocks());

let thrown: unknown = null;
function Fragile() {
  if (thrown) throw thrown;
  return <p>All is well</p>;
}
function showWith(error: unknown, onReload?: () => void) {
  thrown = error;
  render(
    <ErrorBoundary onReload={onReload}>
      <Fragile />
    </ErrorBoundary>,
  );
}

describe("the error boundary", () => {
  it("shows Application Error and the message", () => {
    showWith(new Error("boom"));

    expect(screen.getByRole("heading", { name: "Application Error" })).toBeInTheDocument();
    expect(screen.getByText("boom")).toBeInTheDocument();
  });

  it("has a message where the error has none", () => {
    showWith(new Error());

    expect(screen.getByText("An unexpected error happened in the component.")).toBeInTheDocument();
  });

  it.each([
    new Error("Module build failed (from ./loader.js)"),
    new Error("Failed to compile.\n\n./src/app/main.tsx"),
    new Error("Module not found: Error: Can't resolve './x'"),
    new SyntaxError("Unexpected token '<'"),
  ])("shows Build Error for %s", (error) => {
    showWith(error);

    expect(screen.getByRole("heading", { name: "Build Error" })).toBeInTheDocument();
    expect(screen.queryByText("Application Error")).toBeNull();
  });

  it("opens the component stack as details", async () => {
    showWith(new Error("boom"));

    await userEvent.click(screen.getByText("Details"));

    expect(screen.getByRole("group")).toHaveAttribute("open");
    expect(screen.getByText(/at ErrorBoundary/)).toBeInTheDocument();
  });

  it("reloads the page when asked to", async () => {
    const reload = jest.fn();
    showWith(new Error("boom"), reload);

    await userEvent.click(screen.getByRole("button", { name: "Reload Page" }));

    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("renders its content again when the error is dismissed", async () => {
    showWith(new Error("boom"));
    thrown = null;

    await userEvent.click(screen.getByRole("button", { name: "Dismiss Error" }));

    expect(screen.getByText("All is well")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("names a ChunkLoadError, and fetches the chunk again when it is dismissed", async () => {
    installServer(); // the server can be reached: the chunk has failed
    const failure = Object.assign(new Error("Loading chunk batches failed."), {
      name: "ChunkLoadError",
    });
    let tries = 0;
    const Page = lazyPart(async () => {
      tries += 1;
      if (tries === 1) throw failure;
      return () => <p>The page</p>;
    });
    render(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
    );

    expect(await screen.findByText("ChunkLoadError")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Dismiss Error" }));

    expect(await screen.findByText("The page")).toBeInTheDocument();
  });
});

describe("the router's own screen", () => {
  it("reads Unexpected Application Error!", async () => {
    const fail = () => Promise.reject(new Error("loader broke"));
    const router = createMemoryRouter([
      {
        path: "/",
        loader: fail,
        element: <p>Page</p>,
        HydrateFallback: () => null,
        errorElement: <RouterErrorScreen />,
      },
    ]);
    render(<RouterProvider router={router} />);

    expect(await screen.findByText("Unexpected Application Error!")).toBeInTheDocument();
    expect(screen.getByRole("alert")).toHaveTextContent("loader broke");
  });
});
