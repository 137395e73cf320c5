import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useEffect, useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { Button } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Toaster } from "@/shared/ui/Toaster";
import { toast } from "@/shared/ui/toast";
import { followFocus } from "./followingFocus";

function Page({ children }: { children: ReactNode }) {
  useEffect(followFocus, []);
  return <main tabIndex={-1}>{children}</main>;
}

function Batch() {
  const [step, setStep] = useState("Put away 3 lots");
  return (
    <Page>
      <PageHeader
        title="Shoe box"
        actions={
          <>
            <Button onClick={() => setStep("Export items")}>Record</Button>
            <Button onClick={() => setStep("Put away 2 lots")}>Put one away</Button>
            <Button key={step} variant="primary" onClick={() => setStep("Close the batch")}>
              {step}
            </Button>
          </>
        }
      />
    </Page>
  );
}

/** Keys that are withdrawn one by one: at once, or once a dialog has asked. */
function Keys({ asks = false, scrolls = false }: { asks?: boolean; scrolls?: boolean }) {
  const [keys, setKeys] = useState(["phone", "laptop", "desk"]);
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (name: string) => {
    setKeys(keys.filter((key) => key !== name));
    setAsked(null);
  };
  return (
    <Page>
      <PageHeader title="Keys" actions={<Button variant="primary">New key</Button>} />
      {keys.length > 0 && (
        <ul>
          {keys.map((name) => (
            <li key={name} data-index={scrolls ? keys.indexOf(name) : undefined}>
              <Button
                onClick={() => (asks ? setAsked(name) : remove(name))}
              >{`Remove ${name}`}</Button>
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <ConfirmDialog
          title="Remove the key?"
          confirmLabel="Remove key"
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  );
}

const button = (name: string) => screen.findByRole("button", { name });
const press = async (name: string) => userEvent.click(await button(name));
const show = (page: ReactNode) => render(page, { wrapper: MemoryRouter });

describe("the focus after an act", () => {
  it("goes to the new primary act in the place of the one that is gone", async () => {
    show(<Batch />);
    await press("Put away 3 lots");

    expect(await button("Close the batch")).toHaveFocus();
  });

  it("goes to the new primary act from another one in the head", async () => {
    show(<Batch />);
    await press("Record");

    expect(await button("Export items")).toHaveFocus();
  });

  it("stays while the act is the same with another figure", async () => {
    show(<Batch />);
    await press("Put one away");

    expect(await button("Put one away")).toHaveFocus();
  });

  it("goes to the row that took the place of a removed one, then to the primary act", async () => {
    show(<Keys />);

    await press("Remove laptop");
    expect(await button("Remove desk")).toHaveFocus();
    await press("Remove desk");
    expect(await button("Remove phone")).toHaveFocus();
    await press("Remove phone");
    expect(await button("New key")).toHaveFocus();
  });

  it("goes to no other row of a list that scrolls its rows away", async () => {
    show(<Keys scrolls />);

    await press("Remove laptop");

    expect(await button("New key")).toHaveFocus();
  });

  it("does so, too, after a dialog whose row is gone", async () => {
    show(<Keys asks />);
    await press("Remove laptop");
    await press("Remove key");

    expect(await button("Remove desk")).toHaveFocus();
  });

  it("goes back to what opened a dialog that is closed without an act", async () => {
    show(<Keys asks />);
    await press("Remove laptop");
    await button("Remove key");
    await userEvent.keyboard("{Escape}");

    expect(await button("Remove laptop")).toHaveFocus();
  });

  it("goes to the page where nothing else is left", async () => {
    function Note() {
      const [shown, setShown] = useState(true);
      return <Page>{shown && <Button onClick={() => setShown(false)}>Hide</Button>}</Page>;
    }
    show(<Note />);
    await press("Hide");

    expect(screen.getByRole("main")).toHaveFocus();
  });

  it("goes to the primary act of what opens in the page, when that is there", async () => {
    function List() {
      const [step, setStep] = useState(0);
      return (
        <Page>
          {step === 0 && <Button onClick={() => setStep(1)}>Open</Button>}
          {step === 2 && <Button variant="primary">Put away</Button>}
          {step > 0 && <p onMouseEnter={() => setStep(2)}>Loading</p>}
        </Page>
      );
    }
    show(<List />);
    await press("Open");
    expect(screen.getByRole("main")).toHaveFocus();

    await userEvent.hover(screen.getByText("Loading"));

    expect(await button("Put away")).toHaveFocus();
  });

  it("goes back from a toast to where it was before", async () => {
    show(
      <>
        <Keys />
        <Toaster />
      </>,
    );
    (await button("Remove desk")).focus();
    act(() => void toast.success("Removed", { action: { label: "Undo", run: () => undefined } }));
    (await button("Undo")).focus();
    await userEvent.keyboard("{Enter}");

    const before = await button("Remove desk");
    await waitFor(() => expect(before).toHaveFocus());
  });
});
