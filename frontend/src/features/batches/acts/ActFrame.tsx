import type { ReactNode } from "react";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { counted, formatCount } from "@/shared/lib/format";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Acted, ActedItem, ActVerb } from "../model";
import { type ActCall, doAct, useAct } from "../mutations";
import type { ItemChoice } from "../operations";
import { useTellDone } from "../useTellDone";

export type ActProps = {
  batchId: number;
  items: ItemChoice;
  count: number;
  onClose: () => void;
  onDone: () => void;
};

/**
 * An act on many items: its options, a preview, and the button that does it. The toast undoes it.
 */
export function ActFrame<Verb extends ActVerb>(props: {
  act: ActProps;
  verb: Verb;
  title: string;
  description: string;
  /** What is sent beside the items; null while something is missing, which `missing` names. */
  options: Omit<BodyOf<"post", `batches/{id}/${Verb}`>, "items" | "dry_run"> | null;
  missing?: string;
  doLabel: string;
  /** The preview in one line. */
  summary: (acted: Acted) => ReactNode;
  /** Its rows: in a plain table with these columns, or as `rows` shows them. */
  columns?: readonly SimpleColumn<ActedItem>[];
  rows?: (acted: Acted) => ReactNode;
  /** Why there is nothing to do with these figures; false where there is. */
  idle: (acted: Acted) => string | boolean;
  /** What is said below the rows. */
  note?: (acted: Acted, lookAgain: () => void) => ReactNode;
  children: ReactNode;
}) {
  const { act, verb, options } = props;
  const body =
    options === null
      ? null
      : ((verb === "merge"
          ? options
          : { items: act.items, ...options }) as unknown as ActCall["body"]);
  const preview = usePreview(["batchAct", act.batchId, verb], body, async (asked, signal) =>
    one(
      await api.ask(`batches/{id}/${verb as ActVerb}`, {
        path: { id: act.batchId },
        body: { ...asked, dry_run: true },
        signal,
      }),
    ),
  );
  const run = useAct(act.batchId, { tellsFailure: true });
  const tellDone = useTellDone(act.batchId);

  const go = () => {
    if (body === null) return;
    const call = { verb, body };
    const again = async () => {
      const { act_id } = await doAct(act.batchId, call);
      return act_id === null ? [] : [act_id];
    };
    run.mutate(call, {
      onSuccess: (acted) => {
        act.onDone();
        const { act_id, note: words, item_count: count, failed_count: left } = acted;
        const detail = left > 0 ? `${formatCount(left)} left as they are` : undefined;
        if (act_id === null) toast.info(words, { detail });
        else void tellDone({ kind: "act", words, detail, count, actIds: [act_id], again });
      },
    });
  };

  return (
    <PreviewedActDialog
      onClose={act.onClose}
      title={props.title}
      description={props.description}
      size="lg"
      act={props.doLabel}
      pending={run.isPending}
      onAct={go}
      preview={preview}
      missing={body === null && (props.missing ?? "Something is missing")}
      idle={props.idle}
      show={(acted) => (
        <>
          <Preview {...props} acted={acted} />
          {!preview.isStale && props.note?.(acted, preview.retry)}
        </>
      )}
    >
      {props.children}
    </PreviewedActDialog>
  );
}

function Preview(props: {
  acted: Acted;
  summary: (acted: Acted) => ReactNode;
  columns?: readonly SimpleColumn<ActedItem>[];
  rows?: (acted: Acted) => ReactNode;
}) {
  const { acted, columns, rows } = props;
  return (
    <>
      <p role="status" className="font-medium">
        {props.summary(acted)}
      </p>
      {acted.warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      {rows?.(acted)}
      {columns && acted.rows.length > 0 && (
        <SimpleTable
          caption="What would happen to them"
          columns={columns}
          rows={acted.rows}
          getKey={(row) => row.id}
        />
      )}
      {columns && acted.rows.length < acted.item_count && acted.rows.length >= SHOWN && (
        <p className="text-muted text-xs">The first {formatCount(SHOWN)} are shown.</p>
      )}
      {acted.failed_count > 0 && (
        <details>
          <summary className="text-accent-ink text-sm">
            {formatCount(acted.failed_count)} would stay as they are
          </summary>
          <div className="mt-2">
            <RefusedRows caption="Refused items" rows={acted.failed} total={acted.failed_count} />
          </div>
        </details>
      )}
    </>
  );
}

/** Rows that the server shows of an act. */
const SHOWN = 200;

export const nameColumn: SimpleColumn<ActedItem> = {
  header: "Item",
  grow: true,
  cell: (row) => row.name,
};

export const textOf = (value: ActedItem["before"] | ActedItem["after"]): string =>
  typeof value === "string" ? value : "";

/** "3 lots", "1 lot". */
export const lots = (count: number): string => counted(count, "lot");

export const figure = (acted: Acted, name: string): number => Number(acted.figures[name] ?? 0);
