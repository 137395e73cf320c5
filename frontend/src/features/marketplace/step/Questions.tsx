import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatDateTime } from "@/shared/lib/format";
import { invalidate, STOCK } from "@/shared/lib/tags";
import { undoStockAct } from "@/shared/outbox/serverActs";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { fieldNames } from "../sync/fields";
import { type Conflict, decisions } from "./model";
import { stepQueries, useSettle } from "./queries";

type Side = "mine" | "theirs";

/** What both sides changed: the questions, and what was decided, newest first. */
export function Questions() {
  const [page, setPage] = useState(1);
  const open = useSideQuery(stepQueries.conflicts("open", 1), "the open questions");
  const { data, error, refetch } = useQuery(stepQueries.conflicts(undefined, page));
  const settle = useSettle();
  const client = useQueryClient();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.data.length === 0) {
    return (
      <EmptyState title="Nothing was changed on both sides">
        Values changed both here and in the store are listed here, with the value that was kept.
      </EmptyState>
    );
  }
  const choose = (decision: Side, ids?: number[]) =>
    settle.mutate(
      { decision, ...(ids && { ids }) },
      {
        onSuccess: ({ settled, act_id: act }) =>
          void toast.success(
            `${settled === 1 ? "1 field" : `${settled} fields`} decided`,
            act === null
              ? {}
              : {
                  action: {
                    label: "Undo",
                    run: async () => {
                      await undoStockAct(act);
                      await invalidate(client, "marketplace", ...STOCK);
                    },
                  },
                },
          ),
      },
    );
  const waiting = open?.pagination?.total_items ?? 0;
  return (
    <>
      {waiting > 1 && (
        <div className="flex flex-wrap items-center gap-2 pb-2">
          <span className="text-muted text-sm">{waiting} to decide:</span>
          <Button size="sm" loading={settle.isPending} onClick={() => choose("mine")}>
            Keep all of mine
          </Button>
          <Button size="sm" loading={settle.isPending} onClick={() => choose("theirs")}>
            Take all of the store's
          </Button>
        </div>
      )}
      <SimpleTable
        caption="Changed on both sides"
        columns={columnsWith(choose, settle.isPending)}
        rows={data.data}
        getKey={(row) => row.id}
        maxHeight="none"
      />
      <Pager page={page} pages={data.pagination?.total_pages ?? 1} onPage={setPage} />
    </>
  );
}

const columnsWith = (
  choose: (decision: Side, ids: number[]) => void,
  busy: boolean,
): readonly SimpleColumn<Conflict>[] => [
  {
    header: "Lot",
    grow: true,
    cell: (row) => (
      <span className="block min-w-40">
        {row.name}
        <span className="block text-muted text-xs">{formatDateTime(row.createdAt)}</span>
      </span>
    ),
  },
  {
    header: "Field",
    cell: (row) => (
      <>
        {fieldNames[row.field]}
        <span className="block text-muted text-xs">was {row.before || "empty"}</span>
      </>
    ),
  },
  { header: "Here", cell: (row) => row.here || "empty" },
  { header: "In the store", cell: (row) => row.there || "empty" },
  {
    header: "Decided",
    cell: (row) =>
      row.decision === "open" ? (
        <span className="flex gap-1.5">
          <Button
            size="sm"
            disabledReason={busy && "One moment"}
            aria-label={`Keep mine: ${fieldNames[row.field]} of ${row.name}`}
            onClick={() => choose("mine", [row.id])}
          >
            Keep mine
          </Button>
          <Button
            size="sm"
            disabledReason={busy && "One moment"}
            aria-label={`Take theirs: ${fieldNames[row.field]} of ${row.name}`}
            onClick={() => choose("theirs", [row.id])}
          >
            Take theirs
          </Button>
        </span>
      ) : (
        <Badge>
          {decisions[row.decision]}
          {row.by_rule ? ", by your rule" : ""}
        </Badge>
      ),
  },
];
