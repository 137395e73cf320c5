/** What this browser is doing to batches and has no answer to yet: the server's flags, sooner. */
import { type Mutation, useMutationState } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { RowEdit } from "@/shared/api/bulk";
import type { Batch, BatchItem, OperationKind, ProgressFlag } from "./model";

/** The key of mutations that change a batch, followed by the batch's id where there is only one. */
export const WORK = "batchWork";
/** The key of exports as the exports' feature spells it. */
const EXPORTS = "exports";
/** The key of comparisons with the store as the marketplace's feature spells it. */
const STORE_SYNC = "storeSync";
/** How long the log of operations shows a request that failed. */
export const TOLD_FOR_MS = 60 * 60_000;

const flagOfKind: Partial<Record<OperationKind, ProgressFlag>> = {
  stow: "isStowing",
  remove: "isRemoving",
  markListed: "isListing",
  list: "isListing",
};

type Variables = Partial<RowEdit<Batch | BatchItem>> & {
  kind?: OperationKind;
  batch_id?: number;
};

const batchOf = (row: Batch | BatchItem): number => ("batch_id" in row ? row.batch_id : row.id);

/** What the hooks with these keys are called with. */
const given = (variables: unknown) => (variables ?? {}) as Variables;

/** Which operation on which batch a mutation asks for, or null. */
export function operationOf(mutation: Pick<Mutation, "options" | "state">) {
  const [name, id] = mutation.options.mutationKey ?? [];
  const { variables } = mutation.state;
  if (name === STORE_SYNC) {
    return { kind: "sync" as const, batchId: typeof variables === "number" ? variables : null };
  }
  const { kind } = given(variables);
  return name === WORK && kind ? { kind, batchId: Number(id) } : null;
}

/** "12:isStowing" of a mutation that works on batch 12, or null. */
export function workOf(mutation: Pick<Mutation, "options" | "state">): string | null {
  const [name, id] = mutation.options.mutationKey ?? [];
  const variables = given(mutation.state.variables);
  if (name === EXPORTS) {
    return variables.batch_id === undefined ? null : `${variables.batch_id}:isExporting`;
  }
  if (name !== WORK) return null;
  const batch = id ?? (variables.row && batchOf(variables.row));
  const flag = (variables.kind && flagOfKind[variables.kind]) ?? "isUpdating";
  return batch === undefined ? null : `${batch}:${flag}`;
}

/** Every "12:isStowing" that is on its way. */
export function useWork(): ReadonlySet<string> {
  const found = useMutationState({
    filters: { status: "pending", predicate: (mutation) => workOf(mutation) !== null },
    select: (mutation) => workOf(mutation) ?? "",
  });
  const key = [...new Set(found)].sort().join();
  return useMemo(() => new Set(key.split(",")), [key]);
}

/** `useWork()` of the page, for the cells of its table. */
export const Work = createContext<ReadonlySet<string>>(new Set());

/** The batch with its flags as the server and this browser know them. */
export function useWithWork(batch: Batch): Batch {
  const work = useContext(Work);
  const up = [...work].flatMap((entry) => {
    const [id, flag] = entry.split(":");
    return Number(id) === batch.id ? [[flag, true]] : [];
  });
  return up.length === 0 ? batch : { ...batch, ...Object.fromEntries(up) };
}
