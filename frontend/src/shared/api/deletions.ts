/**
 * A mutation that deletes a row names the queries about that row alone, and they end with it: what
 * is on its way is cancelled, and nothing of it is asked for again while its page is still in
 * sight. Without that a page of 404s shows for a moment.
 */
import type { Mutation, QueryCache, QueryKey } from "@tanstack/react-query";

/** The beginnings of their keys: the row's id follows. */
export type AboutOneRow = readonly (readonly [string, string])[];

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      deletes?: {
        about: AboutOneRow;
        /** The row's id; left out: the variables are it, or carry it as `id`. */
        idOf?: (variables: never) => number | null;
      };
    };
  }
}

function idIn(variables: unknown): number | null {
  const id = typeof variables === "object" && variables && "id" in variables && variables.id;
  return typeof variables === "number" ? variables : typeof id === "number" ? id : null;
}

type AnyMutation = Pick<Mutation, "meta">;

export class Deletions {
  private readonly gone = new Set<string>();

  constructor(private readonly queries: QueryCache) {
    queries.subscribe(({ type, query }) => {
      if (type !== "observerRemoved" || !this.gone.has(query.queryHash)) return;
      if (query.getObserversCount() > 0) return;
      this.gone.delete(query.queryHash);
      this.queries.remove(query);
    });
  }

  /** Whether a query may be asked: by default all of them do. */
  readonly isThere = ({ queryHash }: { queryHash: string }): boolean => !this.gone.has(queryHash);

  /** Nothing on its way may answer after the deletion. */
  readonly begin = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) void query.cancel({ revert: true });
  };

  /** It is still there. */
  readonly fail = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) {
      if (query.isActive()) query.fetch().catch(() => undefined); // drawn where it is shown
    }
  };

  readonly end = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) {
      void query.cancel({ revert: true });
      if (query.getObserversCount() > 0) this.gone.add(query.queryHash);
      else this.queries.remove(query);
    }
  };

  private queriesOf(variables: unknown, { meta }: AnyMutation) {
    if (!meta?.deletes) return [];
    const { about, idOf = idIn } = meta.deletes;
    const id = idOf(variables as never); // its own mutation's
    if (id === null) return [];
    const isAbout = (key: QueryKey) =>
      key[2] === id && about.some(([first, second]) => key[0] === first && key[1] === second);
    return this.queries.findAll({ predicate: ({ queryKey }) => isAbout(queryKey) });
  }
}
