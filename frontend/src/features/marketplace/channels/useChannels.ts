import { useMemo } from "react";
import { may } from "@/shared/lib/role";
import { useSideQuery } from "@/shared/ui/sideQuery";
import type { Connection } from "../model";
import { marketplaceQueries } from "../queries";

export type Channel = Connection["choices"][number] & { channel_id: number };

const NONE: readonly Channel[] = [];

/** The person's connected stores, in the order of their marketplaces. */
export function useChannels(): readonly Channel[] {
  const isAllowed = may("read marketplaceConnection");
  const connection = useSideQuery(
    { ...marketplaceQueries.connection(), enabled: isAllowed },
    "your stores",
  );
  return useMemo(
    () =>
      connection?.choices.flatMap((each) =>
        each.state === "none" || each.channel_id === null
          ? []
          : [{ ...each, channel_id: each.channel_id }],
      ) ?? NONE,
    [connection],
  );
}
