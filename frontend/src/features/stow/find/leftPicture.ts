/** A picture whose candidates are all wrong: what was seen narrows the search by number and name. */
import type { ColorOption } from "@/features/catalog/public";
import type { Candidate as SeenItem } from "@/features/recognition/public";

/** What is left of a picture whose candidates are all wrong. */
export type LeftPicture = {
  colorId: number | null;
  colorName: string;
  colorHtml: string | null;
  category: string | null;
  candidates: readonly SeenItem[];
};

/** The colour that was seen, and the category where the surest agree on one. */
export function leftOf(candidates: readonly SeenItem[], color: ColorOption | null): LeftPicture {
  const categories = new Set(candidates.slice(0, AGREEING).map((each) => each.category));
  const [category = ""] = categories;
  return {
    colorId: color?.colorId || null,
    colorName: color?.name ?? "",
    colorHtml: color?.html ?? null,
    category: categories.size === 1 && category ? category : null,
    candidates,
  };
}

const AGREEING = 3;
