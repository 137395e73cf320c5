import { screen, within } from "@testing-library/react";
import { usePageKey } from "@/shared/lib/usePageKey";
import { renderPage } from "@/shared/testing/app";
import { KeysLayer } from "./KeysLayer";

const ran = jest.fn();

function SomePage() {
  usePageKey("b", "Count the bins", ran);
  return (
    <main>
      <input type="search" aria-label="Search bins" defaultValue="A-1" />
      <KeysLayer />
    </main>
  );
}

describe("the keys of every page", () => {
  it("focus the page's search at /, and leave a letter that is typed there alone", async () => {
    const { user, router } = renderPage(<SomePage />, { at: "/app/sources" });

    await user.keyboard("/");
    expect(screen.getByRole("searchbox")).toHaveFocus();
    await user.keyboard("gi?");

    expect(screen.getByRole("searchbox")).toHaveValue("gi?");
    expect(router.state.location.pathname).toBe("/app/sources");
  });

  it("show at ? what works on this page", async () => {
    const { user } = renderPage(<SomePage />, { at: "/app/sources" });

    await user.keyboard("?");

    const sheet = within(await screen.findByRole("dialog", { name: "Keys" }));
    expect(sheet.getByText("Count the bins")).toBeInTheDocument();
    expect(sheet.getByText("Inventory Locations")).toBeInTheDocument();
    expect(sheet.queryByText("In the table")).toBeNull();
  });

  it("go to a page at g and its letter, and run no key of the page meanwhile", async () => {
    const { user, router } = renderPage(<SomePage />, { at: "/app/sources" });

    await user.keyboard("b");
    expect(ran).toHaveBeenCalledTimes(1);
    await user.keyboard("gb");

    expect(router.state.location.pathname).toBe("/app/batches");
    expect(ran).toHaveBeenCalledTimes(1);
  });
});
