import { queryOptions } from "@tanstack/react-query";
import type { CatalogItem } from "@/features/catalog/public";
import { api } from "@/shared/api/client";

export type Containing = CatalogItem & { quantity: number };

/** A part of a hundred figures needs another part to tell which. */
const FIGURES = 100;

/** The figures that a part belongs to, in one colour or in any. */
export const figuresWith = (part: number, colorId: number | null) =>
  queryOptions({
    queryKey: ["catalog", "figuresWith", part, colorId],
    queryFn: async ({ signal }) => {
      const params = {
        item_type: "MINIFIG",
        page_size: FIGURES,
        ...(colorId !== null && { color_id: colorId }),
      };
      const { data } = await api.get<Containing>(`catalogItems/${part}/appearsIn`, params, {
        signal,
      });
      return data;
    },
    staleTime: 5 * 60_000,
  });
