/**
 * Edits that a version before ec683df3 (25 November 2026) left unsent: texts by row, of all tables
 * in one setting.
 */
import { createKeeper } from "@/shared/lib/keeper";
import { onPersonForgotten } from "@/shared/lib/person";
import type { Kept } from "@/shared/outbox/tabCalls";
import type { EditorCore } from "./core";
import type { GridCall } from "./requests";
import type { Unsaved } from "./saves";

type OlderRow = { row: object; texts: readonly (readonly [column: string, text: string])[] };

const keeper = createKeeper<Record<string, readonly OlderRow[]>>("edits");
/** Those whose tables have not been opened yet. */
let left: Record<string, readonly OlderRow[]> = {};
let taking: Promise<void> | undefined;

onPersonForgotten(() => {
  left = {};
});

/** Takes those of one table once, in the form of today. */
export async function takeOlderEdits<Row extends object>(
  table: string,
  editor: Pick<EditorCore<Row>, "desk" | "columnOf">,
): Promise<Kept<GridCall<Row>, Unsaved<Row>>[]> {
  taking ??= takeAll();
  await taking;
  const { [table]: found, ...others } = left;
  if (!found) return [];
  left = others;
  keepOthers();
  const edits = found as readonly (OlderRow & { row: Row })[];
  const cells = edits.flatMap(({ row, texts }) =>
    texts.flatMap(([column, after]) => {
      const before = editor.columnOf(column)?.edit?.value(row);
      return before === undefined ? [] : { row: editor.desk.idOf(row), column, before, after };
    }),
  );
  return [{ calls: [], beside: { rows: edits.map(({ row }) => row), cells } }];
}

async function takeAll(): Promise<void> {
  for (const [table, rows] of (await keeper.takeLeft()).flatMap((one) => Object.entries(one))) {
    left = { ...left, [table]: [...(left[table] ?? []), ...rows] };
  }
  keepOthers();
}

const keepOthers = () => keeper.keep(Object.keys(left).length > 0 ? left : null);
