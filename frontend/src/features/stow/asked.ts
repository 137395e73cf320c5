/** What is asked of `resolve`, and how it reads queries. */
import type { QueryKey, UseQueryOptions, UseQueryResult } from "@tanstack/react-query";
import type { LotViewOptions, SeenOf } from "@/features/catalog/public";
import type { ItemType } from "@/shared/lib/itemTypes";
import type { Card } from "./find/card";
import type { Condition } from "./model";
import type { Session } from "./session/session";

/** What is on the card, and the person's choices that apply to it. */
export type Asked = {
  card: Card;
  /** The type of the item where it was named, not only its number. */
  type: ItemType | null;
  /** The colour and category seen on the picture, whose candidates were all wrong. */
  seen: SeenOf | null;
  condition: Condition;
  /** The colour that is locked. */
  locked: number | null;
  batchId: number | null;
};

/** What else its meaning depends on. */
export type Around = {
  /** The text that is searched: the typed one, once the typing rests. */
  text: string;
  session: Session;
  options: LotViewOptions;
  steady: Steady;
};

export type Reading<Data> = Pick<
  UseQueryResult<Data>,
  | "data"
  | "error"
  | "isPending"
  | "isLoading"
  | "isFetching"
  | "isSuccess"
  | "isError"
  | "isPlaceholderData"
> & { refetch: () => void };

/** Reads a query; `what` it is for people, where the part can be added without it. */
export type Read = <Fetched, Data, Key extends QueryKey>(
  query: UseQueryOptions<Fetched, Error, Data, Key>,
  what?: string,
) => Reading<Data>;

/** What stays for as long as an item is on the card. */
export type Steady = {
  id: number;
  /** What is added meanwhile must not change the order under Enter. */
  recent: readonly number[];
  /** The list must not disappear while the person types in it: the batch may load later. */
  isReady: boolean;
};
