import { LabelsDialog } from "@/features/locations/public";
import type { Batch } from "./model";

/** The label of a batch's bag or box: its name, and a code that opens it and chooses it at the station. */
export function LabelDialog(props: { batch: Pick<Batch, "id">; onClose: () => void }) {
  const { batch, onClose } = props;
  return <LabelsDialog choice={{ of: "batches", ids: [batch.id], count: 1 }} onClose={onClose} />;
}
