import type { ReactNode } from "react";
import type { ItemType } from "@/shared/lib/itemTypes";

/**
 * Drawn where there is no picture: the outline of the item's kind, in its colour. In both
 * catalogues names begin with the category ("Plate, Modified 1 x 2"), from which the kind follows.
 * An unknown kind is a plain block, never another part's picture.
 */

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^sticker/, "sticker"],
  [/\b(minidoll|mini doll|minifig(ure)?)\b.*\b(head(?!gear)|face)\b|^head\b/, "head"],
  [/\btorso\b|\bbody\b/, "torso"],
  [/\b(hips|legs?)\b/, "legs"],
  [/\b(hair|headgear|helmet|hat|cap|crown|visor|hood)\b/, "hair"],
  [/\b(sword|weapon|gun|axe|bow|shield|utensil|tool|wand|spear|knife)\b/, "tool"],
  [/^minifig/, "figure"],
  [/\b(tire|tyre|tread)\b/, "tyre"],
  [/^wheel|\bwheel\b/, "wheel"],
  [/\b(gear|sprocket|worm|differential)\b/, "gear"],
  [/\b(baseplate|road)\b/, "baseplate"],
  [/\b(liftarm|beam)\b/, "beam"],
  [/\b(axle)\b/, "axle"],
  [/\b(pin)\b/, "pin"],
  [/\b(connector|joint|steering|bionicle|bush|shock)\b/, "connector"],
  [/^technic,? brick|brick.*\bhole/, "holes"],
  [/\b(electric|motor|battery|light|train motor)\b/, "motor"],
  [/\b(string|hose|chain|rope|cable|tube|flexible)\b/, "hose"],
  [/\b(slope|roof).*\bcurved\b/, "curve"],
  [/\b(slope|roof).*\binverted\b/, "inverted"],
  [/^(slope|roof)/, "slope"],
  [/^wedge|\bwing\b/, "wedge"],
  [/^cone/, "cone"],
  [/\bdish\b|\bradar\b/, "dish"],
  [/^arch|\barch\b/, "arch"],
  [/^plate.*\bround\b|^plate round/, "roundPlate"],
  [/^tile.*\bround\b|^tile round/, "roundTile"],
  [/^brick.*\bround\b|^cylinder/, "cylinder"],
  [/^plate/, "plate"],
  [/^tile|\bgrille\b/, "tile"],
  [/^panel|^wall/, "panel"],
  [/^window|\bglass\b|^windscreen|^windshield/, "window"],
  [/^door|\bgate\b/, "door"],
  [/\b(fence|ladder|stairs?)\b/, "fence"],
  [/^hinge|^bracket|\bturntable\b/, "bracket"],
  [/^bar|\bantenna\b|\blever\b|\bhandle\b/, "bar"],
  [/\b(plant|flower|tree|leaves|bush|vine)\b/, "plant"],
  [/\b(animal|creature|horse|dog|cat|bird|dinosaur|fish)\b/, "animal"],
  [/\b(flag|cloth|cape|sail|banner)\b/, "flag"],
  [/\b(vehicle|boat|hull|car|train|aircraft|propeller)\b/, "vehicle"],
  [/\b(container|box|barrel|chest|crate|cupboard)\b/, "container"],
  [/^brick/, "brick"],
];

const BY_TYPE: Record<Exclude<ItemType, "PART">, string> = {
  GEAR: "tag",
  MINIFIG: "figure",
  SET: "box",
  BOOK: "paper",
  INSTRUCTION: "paper",
  ORIGINAL_BOX: "container",
  CATALOG: "paper",
  UNSORTED_LOT: "heap",
};

/** The silhouette of an item. */
export function silhouetteOf(type: ItemType, name: string): string {
  if (type !== "PART") return BY_TYPE[type];
  const text = name.toLowerCase();
  return BY_NAME.find(([pattern]) => pattern.test(text))?.[1] ?? "block";
}

const line = { fill: "none" } as const;

export const silhouettes: Record<string, ReactNode> = {
  block: <path d="M8 15l10-5 10 5v11l-10 5-10-5zM8 15l10 5 10-5M18 20v11" />,
  brick: (
    <path d="M5 16l13-6 13 6v9l-13 6-13-6zM5 16l13 6 13-6M18 22v9M9 13v-2.500a3 1.300 0 0 1 6 0V12M21 12v-1.500a3 1.300 0 0 1 6 0V13" />
  ),
  plate: (
    <path d="M4 18l14-7 14 7v3l-14 7-14-7zM4 18l14 7 14-7M18 25v3M10 15v-1.500a2.500 1.200 0 0 1 5 0V15M21 15v-1.500a2.500 1.200 0 0 1 5 0V15" />
  ),
  tile: <path d="M4 17l14-7 14 7v3l-14 7-14-7zM4 17l14 7 14-7M18 24v3" />,
  baseplate: <path d="M2 18l16-9 16 9-16 9zM10 18h1M18 14h1M26 18h1M18 22h1" />,
  roundPlate: (
    <path d="M6 17a12 5 0 0 1 24 0v4a12 5 0 0 1-24 0zM6 17a12 5 0 0 0 24 0M13 15v-3a5 2 0 0 1 10 0v3" />
  ),
  roundTile: <path d="M5 17a13 6 0 0 1 26 0v4a13 6 0 0 1-26 0zM5 17a13 6 0 0 0 26 0" />,
  cylinder: (
    <path d="M9 13a9 4 0 0 1 18 0v14a9 4 0 0 1-18 0zM9 13a9 4 0 0 0 18 0M14 11.500V8.500a4 1.600 0 0 1 8 0v3" />
  ),
  cone: <path d="M14 9a4 1.800 0 0 1 8 0l5 17a9 4 0 0 1-18 0zM14 9a4 1.800 0 0 0 8 0" />,
  dish: <path d="M4 15a14 5 0 0 1 28 0c0 7-6 12-14 12S4 22 4 15zM4 15a14 5 0 0 0 28 0" />,
  slope: <path d="M6 27L6 12l6-3h4l14 13v6l-12 4zM6 12l6 3 6 17M12 15l4-6" />,
  inverted: <path d="M5 12l14-5 12 5v5L19 30l-6-3L5 16zM5 12l13 5 13-5M18 17v13" />,
  curve: <path d="M5 28V16c2-5 7-7 11-7 8 0 14 7 15 14v5l-13 4zM5 28l13 4V27c0-6-5-11-13-11" />,
  wedge: <path d="M4 24l8-13 20 4-3 12-12 4zM4 24l14-2 14-7M18 22l-1 9" />,
  arch: <path d="M4 12h28v16h-6c0-6-3-9-8-9s-8 3-8 9H4z" />,
  panel: <path d="M6 30V8l4-2v18l20-4v8l-20 5zM6 30l4-6" />,
  window: <path d="M8 6h20v24H8zM11 9h14v18H11zM18 9v18M11 18h14" fillRule="evenodd" />,
  door: <path d="M10 5h16v26H10zM22 18h1.500M13 9h10v6H13z" />,
  fence: <path d="M5 9h26v3H5zM5 25h26v3H5zM8 12v13M14 12v13M20 12v13M26 12v13" />,
  bar: <path d="M7 26L26 7l3 3-19 19z" />,
  bracket: <path d="M6 8h5v15h19v5H6zM16 23v-3h4v3M24 23v-3h4v3" />,
  holes: (
    <>
      <path d="M4 14h28v12H4zM7 14v-3h5v3M15 14v-3h5v3M24 14v-3h5v3" />
      <circle cx="13" cy="20" r="3" fill="var(--ground)" />
      <circle cx="23" cy="20" r="3" fill="var(--ground)" />
    </>
  ),
  beam: (
    <>
      <path d="M9 13h18a5 5 0 0 1 0 10H9a5 5 0 0 1 0-10z" />
      <circle cx="9" cy="18" r="2.200" fill="var(--ground)" />
      <circle cx="18" cy="18" r="2.200" fill="var(--ground)" />
      <circle cx="27" cy="18" r="2.200" fill="var(--ground)" />
    </>
  ),
  pin: <path d="M4 15h11v-2h6v2h11v6H21v2h-6v-2H4zM8 15v6M28 15v6" />,
  axle: <path d="M4 22L24 8l7 5-20 15zM4 22l7 6M7 24L28 11" />,
  connector: (
    <>
      <path d="M5 13h12v10H5zM17 10h8a8 8 0 0 1 0 16h-8z" />
      <circle cx="24" cy="18" r="3.500" fill="var(--ground)" />
    </>
  ),
  gear: (
    <>
      <path d="M16 4h4l1 4 4 1.500 3.500-2 2.500 3-2 3.500 1.500 4 3 .500v3l-3.500 1-1.500 3.500 2 3.500-3 2.500-3.500-2-3.500 1.500-1 3h-4l-1-3.500-3.500-1.500-3.500 2-2.500-3 2-3.500L6 21.500 3 21v-4l3.500-1L8 12.500 6 9l3-2.500 3.500 2L15 7z" />
      <circle cx="18" cy="18" r="4" fill="var(--ground)" />
    </>
  ),
  wheel: (
    <>
      <circle cx="18" cy="18" r="13" />
      <circle cx="18" cy="18" r="9" {...line} />
      <circle cx="18" cy="18" r="3" fill="var(--ground)" />
    </>
  ),
  tyre: (
    <>
      <circle cx="18" cy="18" r="14" />
      <circle cx="18" cy="18" r="8" fill="var(--ground)" />
      <path d="M18 4v4M18 28v4M4 18h4M28 18h4M8 8l3 3M25 25l3 3M28 8l-3 3M8 28l3-3" />
    </>
  ),
  plant: <path d="M17 32V18C10 18 7 13 8 7c6 0 10 4 10 9 0-7 4-11 11-11 0 8-4 13-10 13v14z" />,
  animal: <path d="M6 29v-9l-2-4 5-1 4 3h9l3-8 3-3 4 6-4 2-2 6v8h-3v-6H12v6z" />,
  head: (
    <>
      <path d="M14 6h8v3h-8z" />
      <rect x="8" y="9" width="20" height="18" rx="6" />
      <path d="M13 27h10v3H13zM14 16v1M22 16v1M14 21q4 3 8 0" />
    </>
  ),
  torso: <path d="M15 6h6v4h3l5 20H7l5-20h3zM15 10h6" />,
  legs: <path d="M8 7h20v4h-1v20h-8V18h-2v13H9V11H8zM8 11h20" />,
  hair: <path d="M6 27c-2-12 3-20 12-20s14 8 12 20h-4c1-5-1-8-3-9-4 2-9 2-12 0-2 2-2 5-1 9z" />,
  tool: <path d="M30 5l1 4-15 16 2 2-2 2-3-3-5 5-2-2 5-5-3-3 2-2 2 2L27 6z" />,
  figure: (
    <>
      <path d="M15 4h6v2h-6z" />
      <rect x="13" y="6" width="10" height="8" rx="2.500" />
      <path d="M12 15h12l4 9-3 1-2-4 1 4v7h-5v-4h-2v4h-5v-7l1-4-2 4-3-1z" />
    </>
  ),
  sticker: <path d="M6 6h18l6 6v18H6zM24 6v6h6M11 14h7M11 19h13M11 24h13" />,
  hose: <path d="M5 27C5 10 16 10 18 18s13 8 13-9" fill="none" strokeWidth="4" />,
  motor: <path d="M5 12h18v14H5zM23 15h4v8h-4zM27 18h4v2h-4zM9 12V9h4v3M15 12V9h4v3" />,
  flag: <path d="M8 5h2v27H8zM10 7c7-3 11 3 18 0v13c-7 3-11-3-18 0z" />,
  vehicle: (
    <>
      <path d="M3 20l4-2 4-7h12l5 7 5 2v6H3zM12 13l-3 5h17l-4-5z" fillRule="evenodd" />
      <circle cx="10" cy="27" r="3" />
      <circle cx="26" cy="27" r="3" />
    </>
  ),
  container: <path d="M7 13l11-5 11 5v12l-11 5-11-5zM7 13l11 5 11-5M18 18v12M12 10l11 5v4" />,
  box: <path d="M6 10h24v18H6zM6 10l3-4h24l-3 4M30 10v18l3-4V6M11 15h8v8h-8z" />,
  paper: <path d="M9 5h12l6 6v20H9zM21 5v6h6M13 17h10M13 21h10M13 25h6" />,
  tag: (
    <>
      <path d="M7 8h12l11 11-11 11L7 18z" />
      <circle cx="13" cy="14" r="2" fill="var(--ground)" />
    </>
  ),
  heap: <path d="M4 22h10v8H4zM18 23h14v7H18zM11 13h13v9H11zM14 13v-2h3v2M19 13v-2h3v2" />,
};
