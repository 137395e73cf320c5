import { formatDateTime, formatWhen } from "@/shared/lib/format";

/** An instant in a table: by how long ago it was within a week, else its day. */
export function When({ at, none = "–" }: { at: string | null | undefined; none?: string }) {
  return (
    <span title={at ? formatDateTime(at) : undefined} className="text-muted">
      {at ? formatWhen(at, Date.now()) : none}
    </span>
  );
}
