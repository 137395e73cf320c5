import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Button, IconButton } from "./Button";

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

describe("an icon button", () => {
  it("has its label as name and as tooltip, which Escape hides", async () => {
    render(<IconButton label="Close" icon={<svg aria-hidden="true" />} />);

    await userEvent.hover(screen.getByRole("button", { name: "Close" }));
    expect(await screen.findByRole("tooltip")).toHaveTextContent("Close");
    await userEvent.keyboard("{Escape}");

    expect(screen.queryByRole("tooltip")).toBeNull();
  });
});
