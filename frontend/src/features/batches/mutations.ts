import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { followJob } from "@/features/jobs/public";
import { bulkRows, type RowEdit, sentOfEdit } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { isJob } from "@/shared/api/startedJobs";
import type { BodyOf, CallOf, Schema } from "@/shared/api/wire";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { sendUpload } from "@/shared/outbox/theOutbox";
import { savesRow } from "@/shared/outbox/unsent";
import { clientStore } from "@/shared/store/clientStore";
import type { ListAnswer } from "@/shared/table/column";
import type { SaveRows } from "@/shared/table/editing/model";
import type { ActVerb, Batch, BatchItem } from "./model";
import { type ItemChoice, type OperationResult, readRefusal } from "./operations";
import { ABOUT_ONE_BATCH, batchItemQueries } from "./queries";
import { TOLD_FOR_MS, WORK } from "./work";

export type BatchValues = Required<
  Pick<
    Schema<"BatchWriteRequest">,
    "name" | "description" | "source_id" | "cost_total" | "gross_weight" | "foreign_count"
  >
>;

/** What changes of a batch make stale. */
export const STALE = {
  batches: ["batches"],
  items: ["batches", "batchItems"],
  /** After stock has moved: the contents of locations have changed too. */
  stock: ["batches", "batchItems", "inventory", "locations"],
} as const;

export function useRefresh() {
  const client = useQueryClient();
  return {
    batches: () => void invalidate(client, ...STALE.batches),
    items: () => void invalidate(client, ...STALE.items),
    stock: () => void invalidate(client, ...STALE.stock),
  };
}

export function useCreateBatch(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE.batches, ...meta },
    mutationFn: async (values: BatchValues) => one(await api.post("batches", { body: values })),
  });
}

/** What the table of batches sends of one row. */
export const saveBatchOf = savesRow("batches/{id}", STALE.batches);

/** Changes some fields. A batch that changed elsewhere meanwhile is refused with CONFLICT. */
export function useEditBatch() {
  return useMutation({
    meta: { stale: STALE.batches },
    mutationKey: [WORK],
    mutationFn: async (edit: RowEdit<Batch, Partial<BatchValues>>) =>
      one(await api.patch("batches/{id}", sentOfEdit(edit))),
  });
}

/** Archives a batch, or brings it back. */
export function useArchiveBatch() {
  return useMutation({
    meta: { stale: STALE.items, tellsFailure: true },
    mutationFn: ({ id, archived }: { id: number; archived: boolean }) =>
      api.post(`batches/{id}/${archived ? "archive" : "restore"}`, { path: { id } }),
  });
}

export function useDeleteBatch(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE.batches, deletes: { about: ABOUT_ONE_BATCH }, ...meta },
    mutationFn: ({ id, typedName }: { id: number; typedName: string }) =>
      api.delete("batches/{id}", { path: { id }, query: { name: typedName } }),
  });
}

/** What the table sends of one item's changed fields. Figures and stock follow. */
export const saveItemOf = (row: BatchItem, changes: Partial<BatchItem>) =>
  savesRow("batchItems/{id}", row.is_stowed ? STALE.stock : STALE.batches)(row, sentOf(changes));

/** Saves one item's changed fields, and resolves with the item as stored. */
export function useEditItem() {
  const refresh = useRefresh();
  return useMutation({
    mutationKey: [WORK],
    mutationFn: async (edit: RowEdit<BatchItem>) =>
      one(await api.patch("batchItems/{id}", sentOfEdit(onlySent(edit)))),
    onSuccess: (saved) => (saved.is_stowed ? refresh.stock() : refresh.batches()),
  });
}

/** Ten thousand items take longer than one. */
const ACT_TIMEOUT_MS = 120_000;

export type AlikeChanges = Schema<"AlikeWriteRequest">["set"];

/**
 * The same change to many items, as one act. Resolves with the result of each item; with none where
 * a job does it.
 */
export function useEditItems(batchId: number) {
  const refresh = useRefresh();
  return useMutation({
    meta: { tellsFailure: true },
    mutationKey: [WORK, batchId],
    mutationFn: async ({ ids, changes }: { ids: readonly number[]; changes: AlikeChanges }) => {
      const body = { ids, set: changes, atomic: false };
      const { data } = await api.post("batchItems/bulk", { body, timeoutMs: ACT_TIMEOUT_MS });
      return data.flatMap((row) => (isJob(row) ? [] : [row]));
    },
    onSettled: refresh.stock,
  });
}

const onlySent = ({ row, changes }: { row: BatchItem; changes: Partial<BatchItem> }) => ({
  row,
  changes: sentOf(changes),
});

/** Changes as they are sent: a colour by its id alone, and no type that is unknown. */
function sentOf(changes: Partial<BatchItem>) {
  const {
    color_name: _name,
    color_html: _html,
    lot_id: _lot,
    color_id,
    item_type,
    ...sent
  } = changes;
  return {
    ...sent,
    ...(typeof color_id === "number" && { color_id }),
    ...(item_type && { item_type }),
  };
}

const saveItems = bulkRows("batchItems/bulk");

/** What the table sends of many rows in one request. */
export const saveItemsOf: SaveRows<BatchItem> = (request) =>
  saveItems({ ...request, update: request.update?.map(onlySent) });

/** After the table has saved a change: refreshes figures and contents of locations. */
export function useFollowEdits() {
  const client = useQueryClient();
  const sums = ["batchItems", "sums"] as const;
  return () => void invalidate(client, "batches", "inventory", "locations", sums);
}

export type OperationRequest = {
  kind: "stow" | "remove" | "markListed";
  items: ItemChoice;
  /** Only those that this job of stowing has refused. */
  refused_by?: string;
  /** Only those in this state: an answer that is late undoes nothing else. */
  state?: "new" | "stowed";
  /** False takes the mark off again. */
  listed?: boolean;
  /** Removing deletes stowed ones too: their pieces leave the stock, or stay there. */
  stock?: "out" | "keep";
  location_id?: number;
  /** All or nothing: by default where one location is named. */
  atomic?: boolean;
  override_reason?: string;
};

/**
 * Stows, removes or marks as listed. Resolves with what was done and what was refused, also where
 * everything was refused; a great many items become a job, which is followed.
 */
export function useOperation(batchId: number, meta?: MutationMeta) {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    meta,
    mutationKey: [WORK, batchId],
    gcTime: TOLD_FOR_MS,
    onMutate: (request: OperationRequest) => {
      const pending = pendingBy(request);
      const queryKey = batchItemQueries.lists(batchId);
      // What is on its way does not know of this; the end of the mutation asks again.
      void client.cancelQueries({ queryKey });
      client.setQueriesData<ListAnswer<BatchItem>>(
        { queryKey },
        (answer) => answer && { ...answer, data: answer.data.map(pending) },
      );
    },
    onError: refresh.items,
    mutationFn: async ({ kind, ...body }: OperationRequest): Promise<OperationResult> => {
      try {
        const list = kind === "stow" && clientStore.get("options.listWithStow");
        const wanted = { ...body, ...(list && { list }) };
        return one(await api.post(`batches/{id}/${kind}`, { path: { id: batchId }, body: wanted }));
      } catch (error) {
        const refusal = readRefusal(error);
        if (!refusal) throw error;
        return refusal;
      }
    },
    onSuccess: (result) => {
      if (result.job_id) followJob(result.job_id);
      if (result.listing_job_id) followJob(result.listing_job_id);
      refresh.stock();
    },
  });
}

/** The row as it is shown while the request about it is on its way. */
function pendingBy({
  kind,
  items,
  refused_by,
  listed = true,
}: OperationRequest): (row: BatchItem) => BatchItem {
  const meant = (row: BatchItem) =>
    items === "all" ? !refused_by || row.failure !== "" : items.includes(row.id);
  if (kind === "stow") {
    return (row) => (meant(row) && !row.is_stowed ? { ...row, is_stowed_pending: true } : row);
  }
  if (kind === "markListed") {
    return (row) =>
      meant(row) && row.is_stowed && row.is_listed !== listed
        ? { ...row, is_listed_pending: true }
        : row;
  }
  return (row) => row;
}

export type ImportRequest = CallOf<"post", "batches/importBsx">["form"];

/** Uploads a BSX file that becomes a batch; resolves with the id of the job that reads it. Null: it is sent later. */
export function useImportBatch(onUploadProgress: (sent: number, total: number) => void) {
  return useMutation({
    meta: { stale: STALE.batches },
    mutationFn: async ({ name, ...request }: ImportRequest): Promise<string | null> => {
      const job = await sendUpload(
        "batches/importBsx",
        { ...request, ...(name && { name }) },
        {
          page: pathTo("batches", { batch: request.into || null, import: "" }),
          timeoutMs: 300_000,
          onUploadProgress,
        },
      );
      if (job) followJob(job.id);
      return job?.id ?? null;
    },
  });
}

/** One act on many items, with what it needs. */
export type ActCall = { verb: ActVerb; body: BodyOf<"post", `batches/{id}/${ActVerb}`> };

/**
 * Plans and does acts on many items (re-price, spread cost, consolidate, …): `preview` only tells
 * what would become of them.
 */
export function useAct(batchId: number, meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE.stock, ...meta },
    mutationFn: (call: ActCall) => doAct(batchId, call),
  });
}

export async function doAct(batchId: number, { verb, body }: ActCall) {
  const call = { path: { id: batchId }, body, timeoutMs: ACT_TIMEOUT_MS };
  return one(await api.post(`batches/{id}/${verb}`, call));
}
