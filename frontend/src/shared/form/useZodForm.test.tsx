import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as z from "zod/mini";
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

  it("tells what is wrong 300 ms after the last key, not at each", async () => {
    jest.useFakeTimers();
    const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    render(<TheForm onSubmit={jest.fn()} />);
    await user.click(screen.getByLabelText("Name"));
    await user.tab();
    await act(() => jest.advanceTimersByTimeAsync(400));

    await user.type(screen.getByLabelText("Name"), "Brick");
    await act(() => jest.advanceTimersByTimeAsync(400));
    expect(screen.queryByText("Too short.")).toBeNull();
    await user.clear(screen.getByLabelText("Name"));
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.queryByText("Too short.")).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(150));

    expect(screen.getByText("Too short.")).toBeInTheDocument();
    jest.useRealTimers();
  });
});
