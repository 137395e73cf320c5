/**
 * What was typed or seen becomes a part, its colour and its bin: by `resolve`, for the card and for
 * what is added before the server has answered. How a query is read is the caller's: the card draws
 * what is there so far (`useResolved`), an add waits for all of it (`resolveAll`).
 */
import {
  CancelledError,
  type FetchQueryOptions,
  hashKey,
  type QueryClient,
  type QueryKey,
  useQuery,
} from "@tanstack/react-query";
import { useState } from "react";
import { type BatchHead, rememberColor } from "@/features/catalog/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { useTellMissing } from "@/shared/ui/sideQuery";
import type { Around, Asked, Read, Reading } from "./asked";
import { binsOf } from "./bin/bins";
import { type Card, isBlank, searchText } from "./find/card";
import { matchesOf } from "./find/matches";
import type { Condition } from "./model";
import { isSaid } from "./part/choices";
import { colorsOf, nothingSteady } from "./part/colors";
import { draftOf } from "./session/session";
import { sitting } from "./session/sitting";

export type Resolved = ReturnType<typeof resolve>;

/** Calls `read` for the same queries in the same order, whatever is known: it may be a hook. */
function resolve(asked: Asked, around: Around, read: Read) {
  const { card } = asked;
  const matches = matchesOf(asked, around.text, read);
  const settled = matches.state === "settled";
  // There may be fewer matches than the marked one.
  const at = settled && card.candidate >= matches.items.length ? 0 : card.candidate;
  const item = (!isBlank(card) && matches.items[at]) || null;
  const colors = colorsOf(item, asked, around, read);
  const color = colors.chosen;
  const bins = binsOf(item, color, asked, around.session, read);
  return {
    matches,
    at,
    settled,
    item,
    colors,
    color,
    bins,
    price: card.price ?? color?.price ?? null,
    ready: settled && item !== null && colors.state === "ready" && bins.settled,
  };
}

/**
 * What the person has to choose or to correct before it can be added, in words. `unseen`: the match
 * was not on the screen, so what the text leaves open is asked, too.
 */
function questionOf(card: Card, { matches, item, colors }: Resolved, unseen: boolean) {
  const text = searchText(card);
  if (!item) return `Nothing matches “${text}”.`;
  const number = item.item_number;
  if (colors.asks) return `“${colors.asks}” may mean several colours of ${number}: choose one.`;
  if (colors.asks === "") return `Which colour of ${number}? There are several: choose one.`;
  if (unseen && !isSaid(card, matches.items)) return `“${text}” may mean several: choose one.`;
  return colors.chosen ? null : `No colour is known for ${number}: choose one.`;
}

/** Adds what was resolved: one row, or one for each bin that the pieces are split into. */
export function addResolved(
  { item, color, bins, price }: Resolved,
  add: {
    key: string;
    batch: BatchHead;
    condition: Condition;
    quantity: number;
    stow: boolean;
    /** The skipped piece that it identifies. */
    settles?: number;
    /** The request in the outbox whose place it takes. */
    instead?: string;
  },
  now: number,
): Promise<unknown> {
  if (!item || !color) throw new Error("There is no item to add.");
  const { batch, condition, quantity, stow, settles } = add;
  const draft = {
    ...draftOf({ batch, item, color, condition, price }),
    ...(settles !== undefined && { settles }),
  };
  // Two bins were found for another number of pieces if it was changed meanwhile.
  const split = bins.split?.reduce((sum, { pieces }) => sum + pieces, 0) === quantity && bins.split;
  const shares = split || [{ bin: bins.bin, pieces: quantity }];
  rememberColor(color.colorId);
  const added = shares.map(({ bin, pieces }, index) => ({
    key: index === 0 ? add.key : newIdempotencyKey(),
    draft,
    quantity: pieces,
    bin: bin && { id: bin.id, name: bin.name },
    stow,
  }));
  return sitting.add(added, now, add.instead);
}

/** What is on the card, as far as it is known. */
export function useResolved(asked: Asked, given: Pick<Around, "text" | "session">): Resolved {
  const options = {
    highlight: useClientState("options.highlight"),
    showLowValueLots: useClientState("options.showLowValueLots"),
    hideExistingBatchItemLots: useClientState("options.hideExistingBatchItemLots"),
  };
  const [steady, setSteady] = useState(nothingSteady);
  const resolved = resolve(asked, { ...given, options, steady }, useReading);
  const { id, isReady } = resolved.colors.steady;
  if (id !== steady.id || isReady !== steady.isReady) setSteady(resolved.colors.steady);
  return resolved;
}

export const useReading: Read = (query, what) => {
  const reading = useQuery(query);
  useTellMissing(what === undefined ? NOTHING_MISSING : reading, what ?? "");
  return reading;
};

const NOTHING_MISSING = { data: null, error: null, refetch: () => undefined };

export const OPEN_QUESTION = "OPEN_QUESTION";

/** What the person has to choose or to correct. */
class OpenQuestion extends Error {
  override readonly name = "OpenQuestion";
  readonly code = OPEN_QUESTION;
}

/** What the card would have shown; fails with what is to be chosen, or as the server did. */
export async function resolveAll(asked: Asked, unseen: boolean, client: QueryClient) {
  const known = new Map<string, Reading<unknown>>();
  for (;;) {
    const missing: Promise<unknown>[] = [];
    const read: Read = (query) => {
      const name = hashKey(query.queryKey);
      const reading = known.get(name);
      if (reading) return reading as Reading<never>;
      if (query.enabled === false) return unread(false);
      const { queryKey, queryFn, staleTime, gcTime } = query;
      missing.push(
        fetchSurely(client, { queryKey, queryFn, staleTime, gcTime }).then(
          (data) => known.set(name, { ...unread(false), data, isPending: false, isSuccess: true }),
          (error) => known.set(name, { ...unread(false), error, isPending: false, isError: true }),
        ),
      );
      return unread(true);
    };
    const text = searchText(asked.card);
    const now = { session: sitting.store.getState(), options: clientStore.get("options") };
    const resolved = resolve(asked, { text, ...now, steady: nothingSteady }, read);
    const { matches, colors } = resolved;
    if (matches.state === "failed") throw matches.error;
    if (colors.state === "failed") throw colors.error;
    if (missing.length === 0) {
      const question = questionOf(asked.card, resolved, unseen);
      if (question) throw new OpenQuestion(question);
      return resolved;
    }
    await Promise.all(missing);
  }
}

const unread = (isLoading: boolean) => ({
  data: undefined,
  error: null,
  isPending: true,
  isLoading,
  isFetching: isLoading,
  isSuccess: false,
  isError: false,
  isPlaceholderData: false,
  refetch: () => undefined,
});

/** If the card unmounts, it may cancel this shared query. */
async function fetchSurely<Fetched, Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Fetched, Error, Data, Key>,
): Promise<Data> {
  for (;;) {
    try {
      return await client.fetchQuery(query);
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
    }
  }
}
