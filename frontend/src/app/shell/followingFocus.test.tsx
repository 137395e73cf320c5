import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { MemoryRouter } from "react-router-dom";
import { Button } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { followFocus } from "./followingFocus";

function Batch() {
  useEffect(followFocus, []);
  const [step, setStep] = useState("Put away 3 lots");
  return (
    <main>
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
    </main>
  );
}

const press = async (name: string) => {
  render(<Batch />, { wrapper: MemoryRouter });
  await userEvent.click(screen.getByRole("button", { name }));
};

describe("the focus after an act", () => {
  it("goes to the new primary act in the place of the one that is gone", async () => {
    await press("Put away 3 lots");

    expect(screen.getByRole("button", { name: "Close the batch" })).toHaveFocus();
  });

  it("goes to the new primary act from another one in the head", async () => {
    await press("Record");

    expect(screen.getByRole("button", { name: "Export items" })).toHaveFocus();
  });

  it("stays while the act is the same with another figure", async () => {
    await press("Put one away");

    expect(screen.getByRole("button", { name: "Put one away" })).toHaveFocus();
  });
});
