import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as z from "zod/mini";
import { isInputHeld } from "@/shared/lib/heldInput";
import { TextField } from "./fields";
import { useZodForm } from "./useZodForm";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(2, "Too short.")),
  note: z.string(),
});

function TheForm({ onSubmit }: { onSubmit: (values: unknown) => Promise<unknown> }) {
  const form = useZodForm({ schema, defaultValues: { name: "", note: "" }, onSubmit });
  return (
    <form onSubmit={form.submit} noValidate>
      {form.problem && <p role="alert">{form.problem}</p>}
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="note" label="Note" />
      <button type="submit">Save</button>
    </form>
  );
}
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

describe("a form", () => {
  it("sends the parsed values once they fit", async () => {
    const onSubmit = jest.fn(async () => undefined);
    render(<TheForm onSubmit={onSubmit} />);

    await userEvent.type(screen.getByLabelText("Name"), " B ");
    await save();
    expect(await screen.findByText("Too short.")).toBeInTheDocument();
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText("Name"), "rick");
    await save();

    expect(onSubmit).toHaveBeenCalledWith({ name: "B rick", note: "" });
  });

  it("puts refusals of known fields beside them, others above", async () => {
    const refusal = Object.assign(new Error("Please check."), {
      fields: { name: ["Taken."], other: ["?"] },
    });
    render(<TheForm onSubmit={() => Promise.reject(refusal)} />);

    await userEvent.type(screen.getByLabelText("Name"), "Brick");
    await save();

    expect(await screen.findByText("Taken.")).toBeInTheDocument();
    expect(screen.getByLabelText("Name")).toHaveAttribute("aria-invalid", "true");
    expect(screen.getByRole("alert")).toHaveTextContent("Please check.");
  });

  describe("that is typed into", () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());
    const typing = () => userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

    it("says what is wrong 300 ms after the last key, from the first typing on", async () => {
      const user = typing();
      render(<TheForm onSubmit={jest.fn()} />);

      await user.type(screen.getByLabelText("Name"), "B");
      await wait(200);
      expect(screen.queryByText("Too short.")).toBeNull();
      await wait(150);
      expect(screen.getByText("Too short.")).toBeInTheDocument();

      await user.type(screen.getByLabelText("Name"), "r");
      await wait(350);
      expect(screen.queryByText("Too short.")).toBeNull();
    });

    it("says it though the next field is typed into at once", async () => {
      const user = typing();
      render(<TheForm onSubmit={jest.fn()} />);

      await user.type(screen.getByLabelText("Name"), "B");
      await user.type(screen.getByLabelText("Note"), "fine");
      await wait(350);

      expect(screen.getByText("Too short.")).toBeInTheDocument();
    });
  });
});

describe("what is typed", () => {
  it("is no longer unsaved once it was sent", async () => {
    const onSubmit = jest.fn(async () => undefined);
    render(<TheForm onSubmit={onSubmit} />);
    await userEvent.type(screen.getByLabelText("Name"), "Brick");
    expect(isInputHeld()).toBe(true);

    await save();

    await waitFor(() => expect(onSubmit).toHaveBeenCalled());
    expect(isInputHeld()).toBe(false);
  });
});
