import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router-dom";
import { locationQueries, useBinOf } from "@/features/locations/public";
import { pathTo } from "@/shared/lib/paths";
import { useScanner } from "@/shared/scanner/scans";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { InView, WalkHead, WalkScreen } from "@/shared/walk/WalkFrame";
import { CountStop } from "./CountStop";
import { FindStop } from "./FindStop";
import type { WalkKind } from "./kinds";
import { MoveStop } from "./MoveStop";
import type { StopProps } from "./model";

const stops: Record<WalkKind, { title: string; Stop: (props: StopProps) => ReactNode }> = {
  count: { title: "Count", Stop: CountStop },
  move: { title: "Move", Stop: MoveStop },
  find: { title: "Find", Stop: FindStop },
};

/**
 * Counts, moves or finds at the shelf, bin by bin. The scan of a label goes to that bin, unless the
 * stop makes something else of it.
 */
export function BinWalk({ kind, id }: { kind: WalkKind; id: number }) {
  const navigate = useNavigate();
  const bin = useQuery(locationQueries.detail(id));
  const [unknown, setUnknown] = useState<string | null>(null);
  const { title, Stop } = stops[kind];
  const goTo = (to: number) =>
    void navigate(pathTo("inventory", { walk: kind, bin: to }), { replace: true });
  const binOf = useBinOf(setUnknown);
  const read = (text: string) => {
    setUnknown(null);
    return binOf(text);
  };

  return (
    <WalkScreen>
      <WalkHead
        to={pathTo("locations", { location: id })}
        back={bin.data?.name ?? "Bin"}
        title={title}
      />
      {unknown !== null && (
        <InView of={unknown}>
          <Notice tone="danger" title={`No bin has the code ${unknown}`}>
            Scan the label again, or type the bin's name.
          </Notice>
        </InView>
      )}
      {bin.data ? (
        <Stop key={id} bin={bin.data} read={read} goTo={goTo} />
      ) : bin.error ? (
        <>
          <ErrorState error={bin.error} onRetry={() => void bin.refetch()} />
          <NextBin read={read} goTo={goTo} />
        </>
      ) : (
        <Loading />
      )}
    </WalkScreen>
  );
}

/** Where a bin is gone, the next label still leads on. */
function NextBin({ read, goTo }: Omit<StopProps, "bin">) {
  useScanner((code) => void read(code).then((found) => found && goTo(found.id)));
  return null;
}
