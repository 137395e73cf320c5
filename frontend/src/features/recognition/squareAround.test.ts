import { squareAround } from "./squareAround";

describe("a square around a piece", () => {
  it("shows the piece and a little around it", () => {
    const placed = squareAround([0.4, 0.4, 0.1, 0.2], 1000, 500);

    // The piece is 100 x 100 pixels in the middle of 450, 250; the box shows 130 of them.
    expect(placed.width).toBe(`${(1000 / 130) * 100}%`);
    expect(placed.left).toBe(`${(-385 / 130) * 100}%`);
    expect(placed.top).toBe(`${(-185 / 130) * 100}%`);
  });

  it("ends at the edge of the picture", () => {
    const placed = squareAround([0, 0.9, 0.1, 0.1], 1000, 1000);

    expect(placed.left).toBe("0%");
    expect(placed.top).toBe(`${(-870 / 130) * 100}%`);
  });

  it("shows no more than the picture has", () => {
    expect(squareAround([0, 0.1, 1, 0.8], 1000, 500).width).toBe("200%");
  });

  it("shows the middle of a picture without an outline", () => {
    expect(squareAround(null, 1000, 500)).toEqual({ width: "200%", left: "-50%", top: "0%" });
  });
});
