import type { Column } from "./column";
import { gridStyle, pinnedWidths } from "./gridStyle";
import { aGridTable } from "./testing/gridTable";

type Row = { id: number };
const column = (id: string, width: number, given: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  header: id,
  width,
  cell: () => id,
  ...given,
});
const shownOf = (columns: readonly Column<Row>[]) => aGridTable(columns).layout().shown;
const pinned = () =>
  shownOf([
    column("a", 100, { pin: "left" }),
    column("b", 80, { pin: "left" }),
    column("c", 200),
    column("d", 60, { pin: "right" }),
    column("e", 70, { pin: "right" }),
  ]);

describe("the places of columns", () => {
  it("are exact where others are pinned beside them and stretch in proportion elsewhere", () => {
    const style = gridStyle(pinned(), { leading: true, trailing: true });

    expect(style["--columns"]).toBe(
      "40px 100px minmax(80px, 80fr) minmax(200px, 200fr) minmax(60px, 60fr) 70px 48px",
    );
    expect(style["--width"]).toBe("598px");
  });

  it("leave more of a wide screen to texts than to figures", () => {
    const columns = shownOf([column("a", 100), column("b", 100, { align: "end" })]);

    const style = gridStyle(columns, { leading: false, trailing: false });

    expect(style["--columns"]).toBe("minmax(100px, 100fr) minmax(100px, 60fr)");
  });

  it("pin beside each other, the boxes and the menus at the outside", () => {
    const style = gridStyle(pinned(), { leading: true, trailing: true });

    expect(style).toMatchObject({
      "--pin-0": "40px",
      "--pin-1": "140px",
      "--pin-3": "118px",
      "--pin-4": "48px",
    });
    expect(style).not.toHaveProperty("--pin-2");
  });

  it("follow an edge that is dragged", () => {
    const style = gridStyle(pinned(), { leading: false, trailing: false }, { a: 150 });

    expect(style["--pin-1"]).toBe("150px");
    expect(style["--width"]).toBe("560px");
  });

  it("keep free of what covers them", () => {
    const frame = { leading: true, trailing: true };

    expect(pinnedWidths(pinned(), frame)).toEqual({ left: 220, right: 178 });
    expect(pinnedWidths(shownOf([column("c", 200)]), frame)).toEqual({ left: 0, right: 48 });
  });
});
