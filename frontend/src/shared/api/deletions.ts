/**
 * A mutation that deletes a row names the queries about that row. These queries end with the row:
 * requests under way are cancelled and none is sent again while the row's page is still open.
 * Without this rule the page shows 404 errors for a moment.
 */
import type { Mutation, QueryCache, QueryKey } from "@tanstack/react-query";
import type { TellsFailure } from "./failures";
import type { MakesStale } from "./stale";

/** The first parts of their query keys; the row's id follows. */
export type AboutOneRow = readonly (readonly [string, string])[];

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: TellsFailure &
      MakesStale & {
        deletes?: {
          about: AboutOneRow;
          /** Returns the row's id. Default: the variables are the id, or have it as `id`. */
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

/** The queries of deleted rows that are still on a page. */
const gone = new WeakSet<object>();

/** Whether a query may be asked: all may, but those of a deleted row. */
export const isThere = (query: object): boolean => !gone.has(query);

export class Deletions {
  constructor(private readonly queries: QueryCache) {
    queries.subscribe(({ type, query }) => {
      if (type !== "observerRemoved" || isThere(query)) return;
      if (query.getObserversCount() === 0) this.queries.remove(query);
    });
  }

  /** No request under way may answer after the deletion. */
  readonly begin = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) void query.cancel({ revert: true });
  };

  /** The deletion failed: the row still exists. */
  readonly fail = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) {
      if (query.isActive()) query.fetch().catch(() => undefined); // the page shows the error
    }
  };

  readonly end = (variables: unknown, mutation: AnyMutation): void => {
    for (const query of this.queriesOf(variables, mutation)) {
      void query.cancel({ revert: true });
      if (query.getObserversCount() > 0) gone.add(query);
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
