import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { StateFilter } from "../model";

/**
 * The filter of a batch's items by state. It belongs to the batch for which it was chosen, so that
 * it does not hide items of another one.
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
