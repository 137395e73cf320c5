import { act, fireEvent, render, screen } from "@testing-library/react";
import { InputField } from "./Field";
import { useControl } from "./useControl";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function Pieces() {
  const pieces = useControl("");
  const isWrong = pieces.value !== "" && !/^\d+$/.test(pieces.value);
  return (
    <form>
      <InputField label="Pieces" error={isWrong && `Not a number: ${pieces.value}`} {...pieces} />
      <button type="submit" disabled={isWrong}>
        Add
      </button>
    </form>
  );
}

it("marks the control where an error has no text", () => {
  render(<InputField label="From %" hideLabel error value="x" onChange={() => undefined} />);

  expect(screen.getByLabelText("From %")).toBeInvalid();
  expect(screen.getByLabelText("From %")).not.toHaveAttribute("aria-describedby");
});

function show() {
  render(<Pieces />);
  const field = screen.getByLabelText("Pieces");
  return { field, type: (value: string) => fireEvent.input(field, { target: { value } }) };
}
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));
const error = () => screen.queryByText(/Not a number/)?.textContent ?? null;

describe("the error of what is typed", () => {
  it("is shown 300 ms after the last key, while the button knows it at once", () => {
    const { field, type } = show();

    type("a");
    expect(screen.getByRole("button", { name: "Add" })).toBeDisabled();
    pass(200);
    type("ab");
    pass(299);
    expect([error(), field.getAttribute("aria-invalid")]).toEqual([null, null]);
    pass(1);

    expect([error(), field.getAttribute("aria-invalid")]).toEqual(["Not a number: ab", "true"]);
  });

  it.each([
    ["the field is left", (field: HTMLElement) => fireEvent.blur(field)],
    ["Enter sends it", (field: HTMLElement) => fireEvent.keyDown(field, { key: "Enter" })],
    ["the form is sent", (field: HTMLElement) => fireEvent.submit(field)],
  ])("is shown at once where %s", (_, end) => {
    const { field, type } = show();

    type("a");
    end(field);

    expect(error()).toBe("Not a number: a");
  });

  it("stays as it was while more is typed, and goes as soon as it is mended", () => {
    const { type } = show();
    type("a");
    pass(300);

    type("ab");
    expect(error()).toBe("Not a number: a");
    type("4");

    expect(error()).toBeNull();
  });
});
