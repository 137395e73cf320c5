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
    column("b", 120, { pin: "left" }),
    column("c", 200),
    column("d", 90, { pin: "right" }),
    column("e", 100, { pin: "right" }),
  ]);

describe("the places of columns", () => {
  it("are exact where others are pinned beside them and stretch in proportion elsewhere", () => {
    const style = gridStyle(pinned(), { leading: true, trailing: true });

    expect(style["--columns"]).toBe(
      "40px 100px minmax(120px, 120fr) minmax(200px, 200fr) minmax(90px, 90fr) 100px 48px",
    );
    expect(style["--width"]).toBe("698px");
  });

  it("leave more of a wide screen to texts than to figures", () => {
    const columns = shownOf([column("a", 100), column("b", 100, { align: "end" })]);

    const style = gridStyle(columns, { leading: false, trailing: false });

    expect(style["--columns"]).toBe("minmax(100px, 100fr) minmax(100px, 60fr)");
  });

  it("keep the width of a tick or a letter on any screen", () => {
    const columns = shownOf([column("tick", 76), column("name", 200)]);

    const style = gridStyle(columns, { leading: false, trailing: false });

    expect(style["--columns"]).toBe("76px minmax(200px, 200fr)");
  });

  it("pin beside each other, the boxes and the menus at the outside", () => {
    const style = gridStyle(pinned(), { leading: true, trailing: true });

    expect(style).toMatchObject({
      "--pin-0": "40px",
      "--pin-1": "140px",
      "--pin-3": "148px",
      "--pin-4": "48px",
    });
    expect(style).not.toHaveProperty("--pin-2");
  });

  it("follow an edge that is dragged", () => {
    const style = gridStyle(pinned(), { leading: false, trailing: false }, { a: 150 });

    expect(style["--pin-1"]).toBe("150px");
    expect(style["--width"]).toBe("660px");
  });

  it("keep free of what covers them", () => {
    const frame = { leading: true, trailing: true };

    expect(pinnedWidths(pinned(), frame)).toEqual({ left: 260, right: 238 });
    expect(pinnedWidths(shownOf([column("c", 200)]), frame)).toEqual({ left: 0, right: 48 });
  });
});
