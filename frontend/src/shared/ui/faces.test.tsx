import { fireEvent, render, screen } from "@testing-library/react";
import { act } from "react";
import { askLineBy, canReach } from "@/shared/lib/line";
import { mayLoad, sourcesFor } from "./faces";
import { ItemImage } from "./ItemImage";
import { LargeFace } from "./LargeFace";
import { silhouetteOf, silhouettes } from "./silhouettes";

const RED = "/pictures/1/0123456789ab/B30006-5/128.webp";

describe("the address of a picture", () => {
  it("comes in the size of its place, and twice that for fine screens", () => {
    expect(sourcesFor(RED, 40)).toEqual({
      src: RED.replace("128", "64"),
      srcSet: `${RED.replace("128", "64")} 1x, ${RED} 2x`,
    });
    expect(sourcesFor(RED, 256)).toEqual({ src: RED.replace("128", "256") });
  });

  it("is left alone when it is not ours", () => {
    expect(sourcesFor("https://example.org/128.webp", 40)).toEqual({
      src: "https://example.org/128.webp",
    });
  });

  it("does not carry its mark of a plain mould", () => {
    expect(sourcesFor(`${RED}#plain`, 128).src).toBe(RED);
  });

  it("loads from our own origin, never from another that the page does not allow", () => {
    expect(mayLoad(RED)).toBe(true);
    expect(mayLoad("https://img.example.org/a.png")).toBe(false);
    expect(mayLoad("javascript:alert(1)")).toBe(false);
  });
});

describe("the face of an item", () => {
  it("is a lazy picture of a fixed size, named with its colour", () => {
    render(<ItemImage src={RED} type="PART" name="Brick 2 x 4" colorName="Red" />);
    const picture = screen.getByRole("img", { name: "Brick 2 x 4, Red" });
    expect(picture).toHaveAttribute("loading", "lazy");
    expect(picture).toHaveAttribute("width", "40");
    expect(picture).toHaveAttribute("height", "40");
  });

  it("says when the print is not shown", () => {
    render(<ItemImage src={`${RED}#plain`} type="PART" name="Tile with Fish" />);
    expect(screen.getByRole("img")).toHaveAccessibleName("Tile with Fish (print not shown)");
  });

  it("says that it shows some parts of a set", () => {
    render(<ItemImage src={`${RED}#parts`} type="SET" name="Batwing" />);
    expect(screen.getByRole("img")).toHaveAccessibleName("Batwing (some of its parts)");
  });

  it("falls back to the silhouette of its kind, never to another part", () => {
    const { container } = render(
      <ItemImage src={RED} type="PART" name="Plate 1 x 2" colorName="Red" colorHtml="#B30006" />,
    );
    fireEvent.error(screen.getByRole("img"));
    expect(screen.getByRole("img", { name: "Plate 1 x 2, Red" })).toBeInTheDocument();
    expect(container.querySelector("[data-shape]")).toHaveAttribute("data-shape", "plate");
    expect(container.querySelector("[data-face]")).toBeNull();
  });

  it("that was missed without the server is asked for when it is back", async () => {
    let isThere = false;
    askLineBy(async () => isThere);
    const { container } = render(<ItemImage src={RED} type="PART" name="Brick 2 x 4" />);
    await act(async () => fireEvent.error(screen.getByRole("img")));
    expect(container.querySelector("[data-face]")).toBeNull();
    isThere = true;
    await act(canReach);
    expect(container.querySelector("[data-face]")).toHaveAttribute("data-face", RED);
  });
});

describe("the silhouettes", () => {
  it("are thirty and more", () => {
    expect(Object.keys(silhouettes).length).toBeGreaterThanOrEqual(30);
  });

  it.each([
    ["Brick 2 x 4", "brick"],
    ["Brick, Round 2 x 2", "cylinder"],
    ["Plate, Round 1 x 1", "roundPlate"],
    ["Plate, Modified 1 x 2", "plate"],
    ["Tile, Round 2 x 2", "roundTile"],
    ["Slope, Curved 2 x 1", "curve"],
    ["Slope, Inverted 45 2 x 1", "inverted"],
    ["Technic, Liftarm 1 x 7", "beam"],
    ["Technic, Brick 1 x 4 with Holes", "holes"],
    ["Technic, Gear 24 Tooth", "gear"],
    ["Technic, Pin", "pin"],
    ["Tire 24 x 14", "tyre"],
    ["Wheel 18mm D.", "wheel"],
    ["Minifigure, Head Grin", "head"],
    ["Torso Plain", "torso"],
    ["Minifigure, Hair Long", "hair"],
    ["Minifigure, Headgear Cap", "hair"],
    ["Plant Leaves 6 x 5", "plant"],
    ["Sticker Sheet for Set 1", "sticker"],
    ["", "block"],
    ["Qxz", "block"],
  ])("%s is a %s", (name, shape) => {
    expect(silhouetteOf("PART", name)).toBe(shape);
  });

  it("of other types do not ask the name", () => {
    expect(silhouetteOf("SET", "Brick")).toBe("box");
    expect(silhouetteOf("MINIFIG", "Brick")).toBe("figure");
  });

  it("are all drawn", () => {
    for (const type of ["PART", "GEAR", "UNSORTED_LOT", "ORIGINAL_BOX", "BOOK"] as const) {
      expect(silhouettes[silhouetteOf(type, "")]).toBeDefined();
    }
  });
});

describe("the large face", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function page() {
    jest.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue({
      left: 10, right: 50, top: 10, bottom: 50, width: 40, height: 40, x: 10, y: 10,
    } as DOMRect); // biome-ignore format: one rectangle
    render(
      <>
        <LargeFace />
        <a href="/x">
          <ItemImage src={RED} type="PART" name="Brick" colorName="Red" />
          Brick
        </a>
      </>,
    );
    return screen.getByRole("link");
  }
  const large = () => document.querySelector("[data-large-face] img");

  it("opens under the pointer after a moment, and goes with it", () => {
    const link = page();
    fireEvent.pointerOver(screen.getByRole("img"), { pointerType: "mouse" });
    act(() => void jest.advanceTimersByTime(500));
    expect(large()).toHaveAttribute("src", RED.replace("128", "256"));
    expect(document.body).toHaveTextContent("The LDraw Parts Library");
    fireEvent.pointerOver(link.parentElement ?? link, { pointerType: "mouse" });
    expect(large()).toBeNull();
  });

  it("stays closed when the picture appears under a pointer at rest", () => {
    page();
    const at = { pointerType: "mouse", clientX: 30, clientY: 30 };
    fireEvent(document, new MouseEvent("pointermove", at));
    const over = new MouseEvent("pointerover", { ...at, bubbles: true });
    Object.defineProperty(over, "pointerType", { value: "mouse" });
    fireEvent(screen.getByRole("img"), over);
    act(() => void jest.advanceTimersByTime(500));
    expect(large()).toBeNull();
  });

  it("opens with the keyboard's focus, and closes with a key", () => {
    const link = page();
    jest.spyOn(link, "matches").mockReturnValue(true);
    act(() => link.focus());
    act(() => void jest.advanceTimersByTime(500));
    expect(large()).not.toBeNull();
    fireEvent.keyDown(link, { key: "Escape" });
    expect(large()).toBeNull();
  });
});
