import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { paths, pathTo } from "@/shared/lib/paths";
import { listenToKeys } from "@/shared/scanner/keyLine";
import { useUnclaimedCards, useUnclaimedScans } from "@/shared/scanner/scans";
import { toast } from "@/shared/ui/toast";
import type { Location } from "./model";
import { useBinOf } from "./useBinOf";

/** Hears hand scanners on every page. A scan that no page wants opens its location. */
export function ScannerFrame() {
  const binOf = useBinOf();
  const navigate = useNavigate();
  useEffect(() => listenToKeys(), []);

  const show = (found: Location) => void navigate(pathTo("locations", { location: found.id }));
  const open = async (code: string) => {
    const location = await binOf(code);
    if (!location) return;
    if (document.querySelector("[role=dialog]")) {
      // What is being typed there is worth more than the way.
      const action = { label: "Open it", run: () => show(location) };
      toast.info(`${location.name} scanned`, { id: "scan", action });
    } else {
      show(location);
    }
  };
  useUnclaimedScans((code) => void open(code));
  useUnclaimedCards(({ kind, code }) => {
    if (kind === "BAT" && /^\d+$/.test(code) && !document.querySelector("[role=dialog]")) {
      return void navigate(pathTo("batches", { batch: code }));
    }
    toast.info("That card is for the station", {
      id: "scan",
      action: { label: "Open it", run: () => navigate(paths.stow) },
    });
  });
  return null;
}
