import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { paths, pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { listenToKeys } from "@/shared/scanner/keyLine";
import { useUnclaimedCards, useUnclaimedScans } from "@/shared/scanner/scans";
import { toast } from "@/shared/ui/toast";
import type { Location } from "./model";
import { locationQueries } from "./queries";

/** Hears hand scanners on every page. A scan that no page wants opens its location. */
export function ScannerFrame() {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => listenToKeys(), []);

  const show = (found: Location) => void navigate(pathTo("locations", { location: found.id }));
  const open = async (code: string) => {
    const location = await client.fetchQuery(locationQueries.scanned(code));
    if (!location) {
      toast.error(`No bin of yours has the code ${code}`, { id: "scan" });
    } else if (document.querySelector("[role=dialog]")) {
      // What is being typed there is worth more than the way.
      const action = { label: "Open it", run: () => show(location) };
      toast.info(`${location.name} scanned`, { id: "scan", action });
    } else {
      show(location);
    }
  };
  useUnclaimedScans((code) => {
    open(code).catch((error: unknown) => toast.error(problemText(error), { id: "scan" }));
  });
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
