import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connectionError } from "@/shared/api/errors";
import { outbox } from "@/shared/outbox/theOutbox";

/** On every page, adds that were typed ahead at the station become rows. */
export function StowPlans() {
  const client = useQueryClient();
  useEffect(() => {
    outbox.planBy("lookups", async (request) => {
      const { addTypedAhead, lookUpWith } = await import("../add/lookups").catch((error) => {
        throw connectionError(error);
      });
      lookUpWith(client);
      await addTypedAhead(request);
    });
  }, [client]);
  return null;
}
