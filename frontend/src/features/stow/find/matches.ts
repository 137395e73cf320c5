import { type CatalogItem, catalogQueries } from "@/features/catalog/public";
import type { Asked, Read } from "../asked";
import { searchText } from "./card";

/** As many as there are keys. */
const MATCHES = 5;

export type Matches = {
  /** `settled`: the list belongs to the typed text. */
  state: "idle" | "searching" | "settled" | "failed";
  items: readonly CatalogItem[];
  isFetching: boolean;
  error: unknown;
  tryAgain: () => void;
};

const NONE: readonly CatalogItem[] = [];

/** What `text` finds; earlier matches stay visible while a longer text is searched. */
export function matchesOf({ card, type, seen }: Asked, text: string, read: Read): Matches {
  const typed = searchText(card);
  const query = read({
    ...catalogQueries.search({ text, type, limit: MATCHES, seen }),
    // What was found for "300" is worth seeing while "3001" is searched; for "3023" it is not.
    placeholderData: (previous, before) => {
      const asked = before?.queryKey[2];
      const isNear = typeof asked === "object" && areNear(asked.text, typed);
      return isNear ? previous : undefined;
    },
  });
  const { error, isFetching, refetch: tryAgain } = query;
  // Recognised items need no search.
  if (card.seen) {
    return { state: "settled", items: card.seen, isFetching: false, error: null, tryAgain };
  }
  const isCurrent = typed === text;
  const settled = isCurrent && query.isSuccess && !query.isPlaceholderData;
  const state =
    typed === ""
      ? "idle"
      : settled
        ? "settled"
        : isCurrent && query.isError
          ? "failed"
          : "searching";
  const items = areNear(text, typed) ? (query.data?.data ?? NONE) : NONE;
  return { state, items, isFetching, error, tryAgain };
}

/** Whether one text continues the other. An empty text continues nothing. */
function areNear(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
}
