import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, type ReactNode, useState } from "react";
import { BareDialog } from "./BareDialog";
import { Button } from "./Button";
import { Combobox } from "./Combobox";
import { DestructiveButton } from "./Destructive";
import { Dialog } from "./Dialog";
import { Field } from "./Field";
import { Menu } from "./Menu";
import { MenuList } from "./MenuList";
import { PopoverPanel } from "./PopoverPanel";
import { Toaster } from "./Toaster";
import { toast } from "./toast";

function WithDialog({ locked = false }: { locked?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="New source"
        description="Where you buy."
        locked={locked}
      >
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

describe("a dialog", () => {
  it("has its title and description, keeps the focus and gives it back on Escape", async () => {
    render(<WithDialog />);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));

    const dialog = await screen.findByRole("dialog", { name: "New source" });
    expect(dialog).toHaveAccessibleDescription("Where you buy.");
    expect(dialog).toContainElement(document.activeElement as HTMLElement);

    await userEvent.keyboard("{Escape}");

    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(screen.getByRole("button", { name: "Open" })).toHaveFocus());
  });

  it("takes the focus itself, unless something in it asks for it", async () => {
    const { unmount } = render(<WithDialog />);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(await screen.findByRole("dialog")).toHaveFocus();
    unmount();

    render(
      <Dialog onClose={() => undefined} title="New source">
        <input aria-label="Name" autoFocus />
      </Dialog>,
    );

    expect(await screen.findByLabelText("Name")).toHaveFocus();
  });

  it("leaves the focus to one that follows it, which gives it back to where both came from", async () => {
    function Steps() {
      const [step, setStep] = useState(0);
      return (
        <>
          <Button onClick={() => setStep(1)}>Delete</Button>
          <Dialog key="first" open={step === 1} onClose={() => setStep(0)} title="Sure?">
            <Button onClick={() => setStep(2)}>Yes</Button>
          </Dialog>
          <Dialog key="second" open={step === 2} onClose={() => setStep(0)} title="Where to?">
            <input aria-label="Place" autoFocus />
          </Dialog>
        </>
      );
    }
    render(<Steps />);
    await userEvent.click(screen.getByRole("button", { name: "Delete" }));
    await userEvent.click(await screen.findByRole("button", { name: "Yes" }));
    await screen.findByRole("dialog", { name: "Where to?" });
    await act(() => new Promise((resolve) => setTimeout(resolve))); // then the first one returns the focus

    expect(screen.getByRole("textbox", { name: "Place" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("button", { name: "Delete" })).toHaveFocus());
  });

  describe("with typed input", () => {
    const typed = async () => {
      render(<WithDialog />);
      await userEvent.click(screen.getByRole("button", { name: "Open" }));
      await userEvent.type(await screen.findByLabelText("Name"), "Flea market");
    };
    const question = () => screen.findByRole("dialog", { name: "Discard what you typed?" });

    it.each([
      ["Escape", () => userEvent.keyboard("{Escape}")],
      ["Close", () => userEvent.click(screen.getByRole("button", { name: "Close" }))],
    ])("asks once on %s, and keeps it", async (_, leave) => {
      await typed();

      await leave();
      await question();
      await userEvent.click(screen.getByRole("button", { name: "Keep editing" }));

      expect(await screen.findByLabelText("Name")).toHaveValue("Flea market");
      const dialog = screen.getByRole("dialog");
      await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));

      await userEvent.keyboard("{Escape}");
      await question();
      await userEvent.click(screen.getByRole("button", { name: "Discard" }));
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    it("that was taken back closes at once", async () => {
      await typed();
      await userEvent.clear(screen.getByLabelText("Name"));

      await userEvent.keyboard("{Escape}");

      expect(screen.queryByRole("dialog")).toBeNull();
    });
  });

  const name = <input aria-label="Name" />;
  type Layer = (title: string, close: () => void, children: ReactNode) => ReactElement;
  const dialog: Layer = (title, onClose, children) => <Dialog {...{ title, onClose, children }} />;
  const bare: Layer = (title, onClose, children) => (
    <BareDialog {...{ title, onClose, children }} />
  );
  const panel: Layer = (label, onClose, children) => (
    <PopoverPanel anchor={{ current: null }} align="end" {...{ label, onClose, children }} />
  );
  const menu: Layer = (label, onClose) => (
    <MenuList
      anchor={{ current: null }}
      align="end"
      entries={[{ id: "name", label, run: jest.fn() }]}
      onClose={onClose}
    />
  );
  it.each([
    ["dialog", "dialog", dialog, dialog],
    ["dialog", "dialog without a head", dialog, bare],
    ["dialog", "menu", dialog, menu],
    ["dialog", "panel", dialog, panel],
    ["panel", "dialog", panel, dialog],
    ["dialog without a head", "dialog", bare, dialog],
  ])(
    "%s stays below a %s that Escape closes the moment it is shown",
    async (_, __, lower, upper) => {
      function Both() {
        const [open, setOpen] = useState(true);
        const [over, setOver] = useState(false);
        const children = (
          <>
            {/* As after a request: React draws the new layer before Radix moves its handler there. */}
            <Button onClick={() => setTimeout(() => setOver(true), 20)}>Open</Button>
            {over && upper("Upper", () => setOver(false), name)}
          </>
        );
        return open ? lower("Lower", () => setOpen(false), children) : null;
      }
      const shown = () => document.querySelectorAll("[role=dialog], [role=menu]").length;
      render(<Both />);
      const open = await screen.findByRole("button", { name: "Open" });
      const pressed = jest.fn();
      new MutationObserver((_changes, observer) => {
        if (shown() < 2) return;
        observer.disconnect();
        const press = { key: "Escape", bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", press));
        pressed();
      }).observe(document.body, { childList: true });

      await userEvent.click(open);
      await waitFor(() => expect(pressed).toHaveBeenCalled());

      await waitFor(() => expect(shown()).toBe(1));
      expect(screen.getByRole("dialog", { name: "Lower" })).toBeVisible();
      await userEvent.keyboard("{Escape}");
      expect(shown()).toBe(0);
    },
  );

  it("that is locked is closed by nothing", async () => {
    render(<WithDialog locked />);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    await screen.findByRole("dialog");

    await userEvent.keyboard("{Escape}");

    expect(screen.getByRole("dialog")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  });
});

describe("a toast over a dialog", () => {
  it("stays in reach of screen readers, with its action", async () => {
    render(
      <>
        <Toaster />
        <WithDialog />
      </>,
    );
    act(() => void toast.success("Deleted", { action: { label: "Undo", run: jest.fn() } }));
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    await screen.findByRole("dialog");

    expect(screen.queryByRole("button", { name: "Open" })).toBeNull();
    expect(screen.getByRole("button", { name: "Undo" })).toBeVisible();
  });
});

describe("a menu", () => {
  const entries = (run: () => void) =>
    [
      { id: "edit", label: "Edit", run },
      "separator",
      { id: "delete", label: "Delete", disabledReason: "A batch comes from it.", run },
    ] as const;

  it("runs what is chosen and gives the focus back", async () => {
    const run = jest.fn();
    render(<Menu trigger={<Button>Actions</Button>} entries={entries(run)} />);
    const button = screen.getByRole("button", { name: "Actions" });
    expect(button).toHaveAttribute("aria-expanded", "false");

    await userEvent.click(button);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));

    expect(run).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(button).toHaveFocus();
  });

  it("leaves the focus to what its choice opened", async () => {
    function Asking() {
      const [asked, setAsked] = useState(false);
      const rename = { id: "rename", label: "Rename", run: () => setAsked(true) };
      return (
        <>
          <Menu trigger={<Button>Actions</Button>} entries={[rename]} />
          {/* biome-ignore lint/a11y/noAutofocus: as a dialog's first field */}
          {asked && <input aria-label="Name" autoFocus />}
        </>
      );
    }
    render(<Asking />);
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    await act(() => new Promise((resolve) => setTimeout(resolve))); // then the menu returns the focus

    expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus();
  });

  it("gives the focus back on Escape", async () => {
    render(<Menu trigger={<Button>Actions</Button>} entries={entries(jest.fn())} />);
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));
    await screen.findByRole("menuitem", { name: "Edit" });

    await userEvent.keyboard("{Escape}");

    await waitFor(() => expect(screen.getByRole("button", { name: "Actions" })).toHaveFocus());
  });

  it("says what an entry does below its name, and not in it", async () => {
    const copy = { id: "copy", label: "Copy", description: "With all items.", run: jest.fn() };
    render(<Menu trigger={<Button>Actions</Button>} entries={[copy]} />);
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));

    const entry = await screen.findByRole("menuitem", { name: "Copy" });
    expect(entry).toHaveAccessibleDescription("With all items.");
    expect(screen.getByText("With all items.")).toBeVisible();
    expect(entry).toHaveTextContent(/^Copy$/); // a name must hold all text of what it names
  });

  it("does not run what cannot be done, and says why", async () => {
    const run = jest.fn();
    render(<Menu trigger={<Button>Actions</Button>} entries={entries(run)} />);
    await userEvent.click(screen.getByRole("button", { name: "Actions" }));

    const entry = await screen.findByRole("menuitem", { name: /Delete/ });
    expect(entry).toHaveTextContent("A batch comes from it.");
    await userEvent.click(entry);

    expect(run).not.toHaveBeenCalled();
  });
});

describe("a destructive button", () => {
  it("with confirm asks first", async () => {
    const run = jest.fn(async () => undefined);
    render(
      <>
        <DestructiveButton
          action={{ label: "Delete batch", done: "Batch deleted", confirm: "It is gone.", run }}
        />
        <Toaster />
      </>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Delete batch" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete batch?" });
    expect(dialog).toHaveTextContent("It is gone.");
    expect(run).not.toHaveBeenCalled();

    await userEvent.click(
      screen.getAllByRole("button", { name: "Delete batch" }).at(-1) as Element,
    );

    expect(run).toHaveBeenCalledTimes(1);
    expect(await screen.findByText("Batch deleted")).toBeInTheDocument();
  });

  it("with undo acts at once and offers Undo", async () => {
    const undo = jest.fn(async () => undefined);
    const run = jest.fn(async () => undefined);
    render(
      <>
        <DestructiveButton action={{ label: "Archive", done: "Archived", undo, run }} />
        <Toaster />
      </>,
    );

    await userEvent.click(screen.getByRole("button", { name: "Archive" }));
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));

    expect(run).toHaveBeenCalledTimes(1);
    expect(undo).toHaveBeenCalledTimes(1);
  });
});

describe("a combobox", () => {
  const names = ["Brick 2 x 4", "Brick 2 x 2", "Plate 1 x 1"];

  function Names({ onPick }: { onPick: (name: string) => void }) {
    const [text, setText] = useState("");
    return (
      <Field label="Item">
        <Combobox
          text={text}
          onText={setText}
          options={names.filter((name) => name.toLowerCase().includes(text.toLowerCase()))}
          getKey={(name) => name}
          renderOption={(name) => name}
          onPick={onPick}
          empty="No such item"
        />
        <button type="button" onClick={() => setText("Plate 1 x 1")}>
          Scan
        </button>
      </Field>
    );
  }

  it("is chosen from with the arrow keys and Enter", async () => {
    const onPick = jest.fn();
    render(<Names onPick={onPick} />);

    await userEvent.type(screen.getByRole("combobox", { name: "Item" }), "brick");
    expect(await screen.findAllByRole("option")).toHaveLength(2);
    await userEvent.keyboard("{ArrowDown}{Enter}");

    expect(onPick).toHaveBeenCalledWith("Brick 2 x 2");
  });

  it("says when nothing matches", async () => {
    render(<Names onPick={jest.fn()} />);

    await userEvent.type(screen.getByRole("combobox"), "zzz");

    expect(await screen.findByText("No such item")).toBeInTheDocument();
  });
  it("closes when another text comes from elsewhere", async () => {
    render(<Names onPick={jest.fn()} />);
    await userEvent.type(screen.getByRole("combobox", { name: "Item" }), "brick");
    expect(await screen.findAllByRole("option")).toHaveLength(2);

    fireEvent.click(screen.getByRole("button", { name: "Scan" }));

    expect(screen.queryByRole("option")).not.toBeInTheDocument();
  });
});
