import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { clickAt } from "@/shared/testing/clicks";
import { Button, IconButton } from "./Button";
import { DOUBLE_CLICK_MS } from "./secondPress";

describe("a button", () => {
  it("that cannot be used stays in reach, does nothing, and tells why", async () => {
    const onClick = jest.fn();
    render(
      <Button onClick={onClick} disabledReason="Select a row first">
        Export
      </Button>,
    );

    await userEvent.tab();
    await userEvent.keyboard("{Enter}");

    const button = screen.getByRole("button", { name: "Export" });
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(onClick).not.toHaveBeenCalled();
  });

  it("shows its reason when it is hovered", async () => {
    render(<Button disabledReason="Select a row first">Export</Button>);

    await userEvent.hover(screen.getByRole("button"));

    expect(await screen.findByRole("tooltip")).toHaveTextContent("Select a row first");
    expect(screen.getByRole("button")).toHaveAccessibleDescription("Select a row first");
  });

  it("takes no second click while it is loading, and keeps the focus", async () => {
    const onClick = jest.fn();
    const { rerender } = render(<Button onClick={onClick}>Save</Button>);
    await userEvent.click(screen.getByRole("button"));

    rerender(
      <Button onClick={onClick} loading>
        Save
      </Button>,
    );
    await userEvent.click(screen.getByRole("button"));

    expect(onClick).toHaveBeenCalledTimes(1);
    expect(screen.getByRole("button", { name: "Save" })).toHaveFocus();
  });
});

describe("a button that writes", () => {
  it("takes a double click once, also where the server answered within it", () => {
    const onClick = jest.fn();
    const view = (loading: boolean) => (
      <Button onClick={onClick} loading={loading}>
        Save
      </Button>
    );
    const { rerender } = render(view(false));
    const button = screen.getByRole("button");
    clickAt(button, 10_000);
    rerender(view(true));
    rerender(view(false));

    clickAt(button, 10_000 + DOUBLE_CLICK_MS - 1);
    clickAt(button, 20_000, { detail: 2 });

    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it("takes two presses that are further apart than a double click", () => {
    const onClick = jest.fn();
    render(
      <Button onClick={onClick} once>
        Save
      </Button>,
    );
    const button = screen.getByRole("button");

    clickAt(button, 30_000);
    clickAt(button, 30_000 + DOUBLE_CLICK_MS);

    expect(onClick).toHaveBeenCalledTimes(2);
  });

  it("is pressed anew once something else was typed or pressed", async () => {
    const onClick = jest.fn();
    render(
      <>
        <input aria-label="Quantity" />
        <Button onClick={onClick} once>
          Save
        </Button>
      </>,
    );
    await userEvent.click(screen.getByRole("button"));

    await userEvent.type(screen.getByRole("textbox"), "2");
    await userEvent.click(screen.getByRole("button"));

    expect(onClick).toHaveBeenCalledTimes(2);
  });

  it("sends its form once when it is pressed twice at once", async () => {
    const onSubmit = jest.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit">Send</Button>
      </form>,
    );

    await userEvent.dblClick(screen.getByRole("button"));

    expect(onSubmit).toHaveBeenCalledTimes(1);
  });

  it("takes Enter once while it is held", () => {
    const onClick = jest.fn();
    render(
      <Button onClick={onClick} once>
        Save
      </Button>,
    );
    const button = screen.getByRole("button");
    const press = (repeat: boolean) => {
      fireEvent.keyDown(button, { key: "Enter", repeat });
      fireEvent.click(button);
    };
    press(false);
    press(true);
    press(true);
    fireEvent.keyUp(button, { key: "Enter" });

    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it("is not pressed by the second click of a double click on what was in its place", () => {
    const onFirst = jest.fn();
    const onNext = jest.fn();
    render(
      <>
        <Button onClick={onFirst} once>
          First
        </Button>
        <Button onClick={onNext} once>
          Next
        </Button>
      </>,
    );
    const at = { clientX: 40, clientY: 30 };
    const click = (name: string, time: number) => {
      const button = screen.getByRole("button", { name });
      fireEvent.pointerDown(button, at);
      clickAt(button, time, at);
    };
    click("First", 40_000);
    click("Next", 40_100);

    expect(onFirst).toHaveBeenCalledTimes(1);
    expect(onNext).not.toHaveBeenCalled();
  });

  it("leaves the steps of one that only steps", async () => {
    const onClick = jest.fn();
    render(<Button onClick={onClick}>One more</Button>);

    await userEvent.dblClick(screen.getByRole("button"));

    expect(onClick).toHaveBeenCalledTimes(2);
  });
});

describe("an icon button", () => {
  it("has its label as name and as tooltip, which Escape hides", async () => {
    render(<IconButton label="Close" icon={<svg aria-hidden="true" />} />);

    await userEvent.hover(screen.getByRole("button", { name: "Close" }));
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Close");
    await userEvent.keyboard("{Escape}");

    expect(screen.queryByRole("tooltip")).toBeNull();
  });
});
