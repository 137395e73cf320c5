import { type Bin, useBinScans } from "@/features/locations/public";
import { useCards } from "@/shared/scanner/scans";
import { toast } from "@/shared/ui/toast";
import { lastRow } from "../session/session";
import { sitting } from "../session/sitting";
import { actOfCard, type CardAct } from "./cards";
import { sound } from "./sounds";

/**
 * A bin's label scanned at the station means "here". For the item on the card, it adds and stows
 * the item if it is the bin on the screen; another bin is proposed instead, and a second scan
 * confirms it. Without an item, it confirms the bin of the last row.
 */
export function useStowScans(station: {
  taken: boolean;
  bin: Bin | null;
  choose: (bin: Bin) => void;
  accept: () => void;
  /** A dialog is open over the station. */
  covered: boolean;
  onCard: (act: CardAct) => void;
}): void {
  useCards((card) => {
    const act = actOfCard(card);
    if (act && !station.covered) return station.onCard(act);
    // Trays with a letter hold orders; the page's frame opens them.
    if (!act && card.kind === "TRAY" && /^[A-Z]{1,2}$/.test(card.code)) return false;
    sound("wrongBin");
    toast.error(act ? "Close what is open first" : `The station has no card ${card.code}`);
  });
  const onBin = (scanned: Bin) => {
    if (station.taken) {
      if (station.bin?.id === scanned.id) return station.accept();
      station.choose(scanned);
      return another(station.bin, scanned);
    }
    const last = lastRow(sitting.store.getState());
    if (!last || last.known?.isStowed) return toast.info(`${scanned.name}: nothing to stow here`);
    if (last.bin?.id !== scanned.id) another(last.bin, scanned);
    if (last.bin?.id === scanned.id) sitting.stow(last.key);
    else sitting.setBin(last.key, scanned);
  };
  useBinScans(
    ({ id, name }) => onBin({ id, name }),
    (code) => {
      sound("wrongBin");
      toast.error(`No bin of yours has the code ${code}`);
    },
  );
}

function another(expected: Bin | null, scanned: Bin): void {
  if (!expected) return;
  sound("wrongBin");
  toast.info(`${expected.name} expected, ${scanned.name} scanned`, {
    detail: `It is ${scanned.name} now. Scan it again to stow there.`,
  });
}
