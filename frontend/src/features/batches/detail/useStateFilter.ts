import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { StateFilter } from "../model";

/**
 * Which items of a batch are shown. It is kept for the batch that it was chosen in: in another
 * one it would hide items that nobody asked to hide.
 */
export function useStateFilter(batchId: number): [StateFilter, (next: StateFilter) => void] {
  const filter = useClientState("options.batchFilter");
  const chosenIn = useClientState("options.batchFilterOf");
  const choose = (next: StateFilter) => {
    clientStore.set("options.batchFilterOf", batchId);
    clientStore.set("options.batchFilter", next);
  };
  return [chosenIn === batchId ? filter : "all", choose];
}
