import { queryOptions } from "@tanstack/react-query";
import type { ContainingItem } from "@/features/catalog/public";
import { api } from "@/shared/api/client";

export type Containing = ContainingItem;

/** A part of more figures than this does not identify one. */
const FIGURES = 100;

/** The figures that contain a part, in one colour or in any. */
export const figuresWith = (part: number, colorId: number | null) =>
  queryOptions({
    queryKey: ["catalog", "figuresWith", part, colorId],
    queryFn: async ({ signal }) => {
      const { data } = await api.get("catalogItems/{id}/appearsIn", {
        path: { id: part },
        query: { item_type: "MINIFIG", page_size: FIGURES, color_id: colorId },
        signal,
      });
      return data;
    },
    staleTime: 5 * 60_000,
  });
