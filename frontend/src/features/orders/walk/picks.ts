/** What was picked and is not stored yet. */

import type { BodyOf, RowOf } from "@/shared/api/wire";
import { counted } from "@/shared/lib/format";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { pathTo } from "@/shared/lib/paths";
import { outbox } from "@/shared/outbox/theOutbox";
import { type Unsent, wireOf } from "@/shared/outbox/unsent";
import { STALE_ORDERS } from "../mutations";

const PATH = "pickWalks/{id}/pick";

export type PickBody = BodyOf<"post", typeof PATH>;
export type Answered = RowOf<"post", typeof PATH>;

/** A row of stock that was picked; `stop` is the same for what one press picked in a bin. */
export type Pick = { stop: string; walk: number; item: number; name: string };

export const PICKS = "picks";
export const pickOf = ({ about }: Unsent) => about as Pick; // as put below

/** Sends what one press picked in a bin: a body for each of its rows. */
export async function putPicks(walk: number, bodies: readonly PickBody[], name: string) {
  const stop = newIdempotencyKey();
  await outbox.post(
    bodies.map((body) => ({
      ...wireOf("post", PATH, { path: { id: walk }, body }),
      kind: PICKS,
      rows: [`walk ${walk}`, `walk ${walk} item ${body.item_id}`],
      words: `Pick ${counted(
        body.lines.reduce((sum, { quantity }) => sum + quantity, 0),
        "piece",
      )} from ${name}`,
      to: pathTo("orders", { walk }),
      stale: STALE_ORDERS,
      about: { stop, walk, item: body.item_id, name } satisfies Pick,
    })),
  );
}
