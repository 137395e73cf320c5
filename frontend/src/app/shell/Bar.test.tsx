import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { setTokens } from "@/shared/api/tokens";
import { watchInput } from "@/shared/lib/heldInput";
import { renderPage } from "@/shared/testing/app";
import { PREFERS_DARK, setMedia } from "@/shared/testing/media";
import { answer, installServer, ok } from "@/shared/testing/server";
import { exportBatchItemsMark } from "@/shared/ui/dropdownRules";
import { Bar } from "./Bar";
import { userEntries } from "./navigation";

const page = (
  <>
    <Bar />
    <main>
      <button type="button" {...exportBatchItemsMark}>
        Export items
      </button>
      <p>Elsewhere</p>
    </main>
  </>
);
const aUser = { id: 1, email_address: "ann@example.com", name: "Ann" };
const inventory = () => screen.getByRole("button", { name: "My Inventory" });
const user = () => screen.getByRole("button", { name: "User menu" });
const isOpen = (button: HTMLElement) => button.getAttribute("aria-expanded") === "true";

describe("the bar", () => {
  it("leads to the six areas, in this order and by these names", () => {
    renderPage(page);

    const nav = screen.getByRole("navigation", { name: "Main" });
    const links = within(nav).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Home", "/app/home"],
      ["Catalog", "/app/catalog"],
      ["Stow Inventory", "/app/stow-inventory"],
      ["Batches", "/app/batches"],
      ["Buy LEGO", "/app/buy-lego"],
      ["My Sets", "/app/userSets"],
    ]);
    expect(screen.getByRole("link", { name: "Brickstow" })).toHaveAttribute("href", "/app/home");
  });

  it("leads to the orders of who has a store or an order", async () => {
    installServer();
    setTokens({ accessToken: "a", refreshToken: "r" });
    answer("GET /api/orders/waiting", () => ok([{ is_shown: true }]));
    renderPage(page);

    expect(await screen.findByRole("link", { name: "Orders" })).toHaveAttribute(
      "href",
      "/app/orders",
    );
  });

  it.each<[string, () => HTMLElement, string[]]>([
    ["My Inventory", inventory, ["Inventory", "Inventory Locations", "Sources"]],
    ["User menu", user, ["Profile", "Settings", "Log Out"]],
  ])("has under %s exactly its three entries", async (name, button, entries) => {
    const { user: person } = renderPage(page);

    await person.click(button());

    const menu = screen.getByRole("menu", { name });
    expect(
      within(menu)
        .getAllByRole("menuitem")
        .map((entry) => entry.textContent),
    ).toEqual(entries);
    expect(menu).toHaveClass("w-48");
  });

  it("asks once before it logs out with unsaved input, and not without", async () => {
    localStorage.setItem("user", JSON.stringify(aUser));
    const isHeld = jest.fn(() => true);
    const stop = watchInput({ isHeld });
    const { user: person } = renderPage(page);
    const logOut = async () => {
      await person.click(user());
      await person.click(screen.getByRole("menuitem", { name: "Log Out" }));
    };

    await logOut();
    const question = await screen.findByRole("dialog", { name: "Log out without saving?" });
    expect(localStorage.getItem("user")).not.toBeNull();
    await person.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(localStorage.getItem("user")).not.toBeNull();

    isHeld.mockReturnValue(false);
    await logOut();
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(localStorage.getItem("user")).toBeNull());
    stop();
  });

  it("holds an admin entry that is disabled and so not rendered", async () => {
    const { user: person } = renderPage(page);

    await person.click(user());

    expect(userEntries).toContainEqual({ label: "Admin", to: "/admin/", disabled: true });
    expect(screen.queryByText("Admin")).toBeNull();
  });
});

describe("a dropdown", () => {
  it("closes the other one, and is closed by its own button", async () => {
    const { user: person } = renderPage(page);

    await person.click(inventory());
    expect(isOpen(inventory())).toBe(true);
    await person.click(user());
    expect([isOpen(inventory()), isOpen(user())]).toEqual([false, true]);
    await person.click(user());

    expect(isOpen(user())).toBe(false);
  });

  it("closes when an entry is chosen", async () => {
    const { user: person, router } = renderPage(page);
    await person.click(inventory());

    await person.click(screen.getByRole("menuitem", { name: "Sources" }));

    expect(isOpen(inventory())).toBe(false);
    expect(router.state.location.pathname).toBe("/app/sources");
  });

  it("closes on a click outside and on Escape, which gives the focus back", async () => {
    const { user: person } = renderPage(page);

    await person.click(user());
    await person.click(screen.getByText("Elsewhere"));
    expect(isOpen(user())).toBe(false);
    await person.click(user());
    await person.keyboard("{ArrowDown}{Escape}");

    expect(isOpen(user())).toBe(false);
    expect(user()).toHaveFocus();
  });

  it("stays open on a click on the export-batch-items button", async () => {
    const { user: person } = renderPage(page);
    await person.click(user());

    fireEvent.pointerDown(screen.getByRole("button", { name: "Export items" }));
    fireEvent.click(screen.getByRole("button", { name: "Export items" }));

    expect(isOpen(user())).toBe(true);
  });

  it("animates for 200 ms when it opens and when it closes", () => {
    jest.useFakeTimers();
    renderPage(page);
    const state = () => screen.queryByRole("menu", { hidden: true })?.dataset.state;

    fireEvent.click(inventory());
    expect(state()).toBe("opening");
    act(() => jest.advanceTimersByTime(199));
    expect(state()).toBe("opening");
    act(() => jest.advanceTimersByTime(1));
    expect(state()).toBe("open");
    fireEvent.click(inventory());
    expect(state()).toBe("closing");
    act(() => jest.advanceTimersByTime(200));

    expect(state()).toBeUndefined();
    jest.useRealTimers();
  });

  it("is walked with the arrow keys", async () => {
    const { user: person } = renderPage(page);
    act(() => inventory().focus());

    await person.keyboard("{ArrowDown}");
    expect(screen.getByRole("menuitem", { name: "Inventory" })).toHaveFocus();
    await person.keyboard("{ArrowUp}");
    expect(screen.getByRole("menuitem", { name: "Sources" })).toHaveFocus();
    await person.keyboard("{Home}");

    expect(screen.getByRole("menuitem", { name: "Inventory" })).toHaveFocus();
  });

  it("takes keys that come within one frame", () => {
    renderPage(page);

    fireEvent.keyDown(inventory(), { key: "ArrowDown" });
    fireEvent.keyDown(document.activeElement as Element, { key: "ArrowDown" });

    expect(screen.getByRole("menuitem", { name: "Inventory Locations" })).toHaveFocus();
  });

  it("puts the focus on its first entry when it is opened by Enter", async () => {
    const { user: person } = renderPage(page);
    act(() => user().focus());

    await person.keyboard("{Enter}");

    expect(screen.getByRole("menuitem", { name: "Profile" })).toHaveFocus();
  });
});

describe("the theme toggle", () => {
  it("stores the other theme and stops following the system", async () => {
    const { user: person } = renderPage(page);

    await person.click(screen.getByRole("button", { name: "Switch to dark theme" }));
    expect(localStorage.theme).toBe("dark");
    await person.click(screen.getByRole("button", { name: "Switch to light theme" }));
    expect(localStorage.theme).toBe("light");
    act(() => setMedia(PREFERS_DARK, true));

    expect(screen.getByRole("button", { name: "Switch to dark theme" })).toBeInTheDocument();
  });

  it("follows the system until then", () => {
    renderPage(page);

    act(() => setMedia(PREFERS_DARK, true));

    expect(screen.getByRole("button", { name: "Switch to light theme" })).toBeInTheDocument();
  });
});
