import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { download, downloadMade } from "@/shared/api/download";
import { totalOf } from "@/shared/api/envelope";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import { counted, formatNumber } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";

/** How many confirmed pictures are shown. */
const SHOWN = 48;

const eyesQueries = {
  all: () => ["eyes"] as const,
  state: () => queryOne(["eyes", "state"], "recognition/state"),
  moulds: () => queryRows(["eyes", "moulds"], "recognition/moulds"),
  captures: () =>
    queryPage(["eyes", "captures"], "recognition/captures", { query: { page_size: SHOWN } }),
};

/** What the recogniser of our own knows, how often it was right, and the card that helps it. */
export function EyesSettings() {
  const [open, setOpen] = useState(false);
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => downloadMade("markerCard", {}, "marker-card.pdf"),
  });
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <p className="text-sm">
        Parts are recognised on this server; no picture leaves it. Lay the part on the marker card:
        with its millimetres and its white, size and colour are recognised better.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={Printer} loading={print.isPending} onClick={() => print.mutate()}>
          Print the marker card
        </Button>
        <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide its confirmations" : "Show its confirmations"}
        </Button>
      </div>
      {open && <Known />}
    </div>
  );
}

function Known() {
  const state = useQuery(eyesQueries.state());
  const moulds = useQuery(eyesQueries.moulds());
  const error = state.error ?? moulds.error;
  if (error) {
    const retry = () => Promise.all([state.refetch(), moulds.refetch()]);
    return <ErrorState error={error} onRetry={() => void retry()} />;
  }
  if (!state.data || !moulds.data) return <Loading />;
  const { own } = state.data;
  return (
    <>
      {own.problem ? (
        <Notice tone="warning">{own.problem} You can still search by number and name.</Notice>
      ) : (
        <p className="text-muted text-sm">
          Knows {counted(own.moulds, "mould")}, {formatNumber(own.share_of_pieces * 100, 0)} % of
          all pieces in sets. {own.licence}
        </p>
      )}
      {moulds.data.length === 0 ? (
        <p className="text-muted text-sm">
          Nothing confirmed yet. Each recognised part that you add counts here, and helps to
          recognise the next one like it.
        </p>
      ) : (
        <table className="w-full text-left text-sm">
          <caption className="sr-only">How often each part was recognised</caption>
          <thead className="text-muted text-xs">
            <tr>
              <th scope="col">Part</th>
              <th scope="col" className="text-right">
                Right
              </th>
              <th scope="col" className="text-right">
                Wrong
              </th>
              <th scope="col" className="pl-4">
                Taken for
              </th>
            </tr>
          </thead>
          <tbody>
            {moulds.data.map((row) => (
              <tr key={row.item_number} className="border-line border-t">
                <td className="py-1">
                  {row.item_number} {row.item_name}
                </td>
                <td className="text-right tabular-nums">{row.right}</td>
                <td className="text-right tabular-nums">{row.wrong}</td>
                <td className="pl-4 tabular-nums">{row.taken_for.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Captures />
    </>
  );
}

/** The pictures that were confirmed, each with a button that forgets it. */
function Captures() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(eyesQueries.captures());
  const forget = useMutation({
    mutationFn: (id: number) => api.delete("recognition/captures/{id}", { path: { id } }),
    onSettled: () => invalidate(client, "eyes"),
  });
  const save = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => download("recognition/captures/file", "captures.zip"),
  });
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />;
  if (!data || data.data.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold text-sm">{counted(totalOf(data), "confirmed picture")}</h3>
        <Button
          size="sm"
          icon={Download}
          title="A zip of the pictures and a table of part and colour: others can train with it"
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          Export
        </Button>
      </div>
      <ul className="flex flex-wrap gap-2">
        {data.data.map((capture) => (
          <li key={capture.id} className="flex w-20 flex-col items-center gap-1 text-xs">
            <img
              src={`data:image/jpeg;base64,${capture.crop}`}
              alt={capture.item_name}
              width={80}
              height={80}
              className="rounded-control border border-line"
            />
            <span className="tabular-nums">{capture.item_number}</span>
            <DestructiveButton
              size="sm"
              variant="ghost"
              aria-label={`Forget this picture of ${capture.item_number}`}
              action={{
                label: "Forget",
                done: `Picture of ${capture.item_number} forgotten`,
                confirm: `The picture of ${capture.item_number} is deleted for good. The recogniser no longer compares with it.`,
                run: () => forget.mutateAsync(capture.id),
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
