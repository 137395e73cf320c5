import { queryRows } from "@/shared/api/queries";

/** A part of more figures than this does not identify one. */
const FIGURES = 100;

/** The figures that contain a part, in one colour or in any. */
export const figuresWith = (part: number, colorId: number | null) => ({
  ...queryRows(["catalog", "figuresWith", part, colorId], "catalogItems/{id}/appearsIn", {
    path: { id: part },
    query: { item_type: "MINIFIG", page_size: FIGURES, color_id: colorId },
  }),
  staleTime: 5 * 60_000,
});
