import { gridStyle, pinnedWidths } from "./gridStyle";
import type { Placed } from "./useColumns";

type Row = { id: number };
const placed = (id: string, width: number, side: Placed<Row>["side"] = null): Placed<Row> => ({
  column: { id, header: id, cell: () => id },
  width,
  side,
  visible: true,
});
const shown = [
  placed("a", 100, "left"),
  placed("b", 80, "left"),
  placed("c", 200),
  placed("d", 60, "right"),
  placed("e", 70, "right"),
];

describe("the places of columns", () => {
  it("are exact where others are pinned beside them and stretch in proportion elsewhere", () => {
    const style = gridStyle(shown, { leading: true, trailing: true });

    expect(style["--columns"]).toBe(
      "40px 100px minmax(80px, 80fr) minmax(200px, 200fr) minmax(60px, 60fr) 70px 48px",
    );
    expect(style["--width"]).toBe("598px");
  });

  it("leave more of a wide screen to texts than to figures", () => {
    const figures = placed("b", 100);
    const columns = [placed("a", 100), { ...figures, column: { ...figures.column, align: "end" } }];

    const style = gridStyle(columns as typeof shown, { leading: false, trailing: false });

    expect(style["--columns"]).toBe("minmax(100px, 100fr) minmax(100px, 60fr)");
  });

  it("pin beside each other, the boxes and the menus at the outside", () => {
    const style = gridStyle(shown, { leading: true, trailing: true });

    expect(style).toMatchObject({
      "--pin-0": "40px",
      "--pin-1": "140px",
      "--pin-3": "118px",
      "--pin-4": "48px",
    });
    expect(style).not.toHaveProperty("--pin-2");
  });

  it("follow an edge that is dragged", () => {
    const style = gridStyle(shown, { leading: false, trailing: false }, { a: 150 });

    expect(style["--pin-1"]).toBe("150px");
    expect(style["--width"]).toBe("560px");
  });

  it("keep free of what covers them", () => {
    const frame = { leading: true, trailing: true };

    expect(pinnedWidths(shown, frame)).toEqual({ left: 220, right: 178 });
    expect(pinnedWidths([placed("c", 200)], frame)).toEqual({ left: 0, right: 48 });
  });
});
