/**
 * Versions of rows: a change is sent with the `updatedAt` that its person saw, and is refused where
 * the row has another one. A change that was made before the answer to the one before it goes on
 * from that answer.
 */
import type { Versioned } from "@/shared/api/bulk";
import { isRecord, memberOf, rowsWith } from "@/shared/lib/records";
import type { Unsent } from "./unsent";

/** How often a change is sent on the row's newest state. */
const REBASES = 3;

type Written = Partial<Pick<Versioned, "updatedAt">> & { update?: readonly Versioned[] };

const resourceOf = ({ path }: Unsent) => path.split("/")[0] ?? "";

/** The rows of an answer as they are stored now. */
const versionsIn = (data: readonly unknown[]): Versioned[] =>
  rowsWith<Versioned>(
    data.map((row) => memberOf(row, "row") ?? row),
    "id",
    "updatedAt",
  );

/** The same request on the state that this answer to an earlier one has left; itself where it is. */
export function renewed(request: Unsent, answered: Unsent, data: readonly unknown[]): Unsent {
  const resource = resourceOf(answered);
  const { body, path } = request;
  if (!body || resourceOf(request) !== resource) return request;
  const versions = new Map(versionsIn(data).map(({ id, updatedAt }) => [id, updatedAt]));
  const { updatedAt, update }: Written = body;
  const own = versions.get(Number(path.slice(resource.length + 1)));
  if (updatedAt && own) return { ...request, body: { ...body, updatedAt: own } };
  if (!update?.some(({ id }) => versions.has(id))) return request;
  const on = (row: Versioned) => ({ ...row, updatedAt: versions.get(row.id) ?? row.updatedAt });
  return { ...request, body: { ...body, update: update.map(on) } };
}

/**
 * What becomes of a change that was refused because its row is gone, or has another version: the stored row,
 * where it holds the change already; the change on that version, where what the person saw of it is
 * as it was. Null: the refusal stands.
 */
export function rebased(
  { body, seen, rebases = 0, ...request }: Unsent,
  error: unknown,
): { data: unknown[] } | { again: Unsent } | null {
  if (request.isDoneIfGone && memberOf(error, "code") === "NOT_FOUND") return { data: [] };
  if (!seen || !body || memberOf(error, "code") !== "CONFLICT" || rebases >= REBASES) return null;
  const [now] = rowsWith<Versioned>(memberOf(error, "data"), "id", "updatedAt");
  if (!now) return null;
  const names = Object.keys(seen);
  const isSame = (wanted: unknown) =>
    names.every((name) => isEqual(memberOf(now, name), memberOf(wanted, name)));
  if (isSame(body)) return { data: [now] };
  const isFree = names.every((name) =>
    [memberOf(seen, name), memberOf(body, name)].some((one) => isEqual(memberOf(now, name), one)),
  );
  if (!isFree) return null;
  const again = { ...body, updatedAt: now.updatedAt };
  return { again: { ...request, body: again, seen, rebases: rebases + 1 } };
}

const isEqual = (one: unknown, other: unknown): boolean =>
  isRecord(one) && isRecord(other) ? JSON.stringify(one) === JSON.stringify(other) : one === other;
