import { clsx } from "clsx";
import { type ItemType, itemTypeNames } from "@/shared/lib/itemTypes";

const look: Record<ItemType, [letter: string, style: string]> = {
  PART: ["P", "bg-(--type-part-tint) text-(--type-part)"],
  GEAR: ["G", "bg-(--type-gear-tint) text-(--type-gear)"],
  MINIFIG: ["M", "bg-(--type-minifig-tint) text-(--type-minifig)"],
  SET: ["S", "bg-(--type-set-tint) text-(--type-set)"],
  BOOK: ["B", "bg-(--type-book-tint) text-(--type-book)"],
  INSTRUCTION: ["I", "bg-(--type-instruction-tint) text-(--type-instruction)"],
  ORIGINAL_BOX: ["O", "bg-(--type-original-box-tint) text-(--type-original-box)"],
  CATALOG: ["C", "bg-(--type-catalog-tint) text-(--type-catalog)"],
  UNSORTED_LOT: ["U", "bg-(--type-unsorted-tint) text-(--type-unsorted)"],
};

/**
 * The item type as a coloured tag with a letter and a name, since colour alone is not accessible.
 */
export function TypeTag({ type, short = false }: { type: ItemType; short?: boolean }) {
  const [letter, style] = look[type];
  const name = itemTypeNames[type];
  return (
    <span
      title={short ? name : undefined}
      className={clsx(
        "inline-flex h-5 items-center gap-1 whitespace-nowrap rounded px-1.5 font-medium text-xs",
        style,
      )}
    >
      <span aria-hidden="true" className="font-bold">
        {letter}
      </span>
      <span className={short ? "sr-only" : undefined}>{name}</span>
    </span>
  );
}
