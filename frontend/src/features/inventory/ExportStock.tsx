import { ExportButton } from "@/features/exports/public";
import { OpenedRow } from "./OpenedRow";

/** Opens a row of which only the id is known, as dialogs of what failed do. */
export const openRow = (id: number, onClose: () => void) => <OpenedRow id={id} onClose={onClose} />;

/** The export of the whole stock. Refused rows can be opened and corrected. */
export function ExportStock() {
  return <ExportButton scope={{ scope: "inventory" }} openRow={openRow} />;
}
