/**
 * A double click writes once: a button that writes is one of ours (`Button`, `IconButton`,
 * `PlainButton`). A bare <button> only opens, chooses or folds.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "src");

/** Files with a bare <button>, and what a press on it does instead of writing. */
const BARE: Record<string, string> = {
  "app/palette/Palette.tsx": "opens a page",
  "app/shell/Dropdown.tsx": "opens a menu, or a page",
  "features/auctions/ListingCard.tsx": "opens the listing",
  "features/catalog/ColorTiles.tsx": "opens the prices, unfolds the colours",
  "features/catalog/ItemNotFoundDialog.tsx": "shows an item",
  "features/catalog/MinifigFinder.tsx": "chooses a part",
  "features/inventory/Views.tsx": "chooses a view",
  "features/inventory/walk/MoveStop.tsx": "chooses a lot",
  "features/locations/LocationCode.tsx": "shows the code large",
  "features/marketplace/ListWithStow.tsx": "turns an option of this browser on or off",
  "features/recognition/Candidates.tsx": "chooses a piece",
  "features/recognition/ImageSearch.tsx": "chooses an item",
  "features/recognition/SamplePictures.tsx": "looks at a picture",
  "features/sources/Returns.tsx": "opens a source",
  "features/stow/BinTree.tsx": "unfolds a shelf",
  "features/stow/FigureList.tsx": "opens a minifig",
  "shared/table/BodyRow.tsx": "opens a row",
  "shared/table/TileGrid.tsx": "opens a row",
  "shared/ui/Button.tsx": "is what ours are made of",
  "shared/ui/Checkbox.tsx": "turns on and off: the second click takes the first one back",
  "shared/ui/Toaster.tsx": "counts a double click as one press itself",
};

const hasBare = (text: string) => /<button\b/.test(text);

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx$/.test(name) && !/\.test\.tsx$/.test(name));

describe("a bare <button>", () => {
  it("stands where it does not write", () => {
    const found = files.filter((name) => hasBare(readFileSync(join(SOURCES, name), "utf8")));

    expect(files.length).toBeGreaterThan(300);
    expect(found.sort()).toEqual(Object.keys(BARE).sort());
  });

  it("is told from ours", () => {
    expect(hasBare("<button type='button' onClick={save}>")).toBe(true);
    expect(hasBare("<Button onClick={save}>")).toBe(false);
  });
});
