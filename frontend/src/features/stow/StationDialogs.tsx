import { ItemNotFoundDialog } from "@/features/catalog/public";
import { LocationForm } from "@/features/locations/public";
import { BatchDialog } from "./BatchDialog";
import { BinDialog } from "./BinDialog";
import { KeySheet } from "./KeySheet";
import { OverrideDialog } from "./OverrideDialog";
import { MinifigDialog, StopwatchDialog, SummaryDialog, WeighDialog } from "./parts";
import { withBin } from "./session";
import { sitting, useUnsentCount } from "./sitting";
import type { Station } from "./useStation";

/** What lies over the station, one thing at a time. */
export function StationDialogs(props: { station: Station; currency?: string }) {
  const { station } = props;
  const unsent = useUnsentCount();
  const { opened, setOpened, batches, bins, session, item } = station;
  const close = () => setOpened(null);
  if (!opened) return null;
  const rowOf = (key: string) => session.rows.find((each) => each.key === key);
  switch (opened.what) {
    case "keys":
      return <KeySheet batch={batches.batch} onClose={close} />;
    case "batch":
      return (
        <BatchDialog
          current={batches.batch?.id ?? null}
          onClose={close}
          onChoose={(id) => {
            batches.choose(id);
            close();
          }}
        />
      );
    case "bins":
      return (
        <BinDialog
          title="Another bin"
          alternatives={bins.alternatives}
          onClose={close}
          onChoose={({ id, name }) => station.chooseBin({ id, name })}
          onNewBin={(name) => setOpened({ what: "newBin", name })}
        />
      );
    case "weigh":
      return item && <WeighDialog item={item} onClose={close} onCount={station.setCount} />;
    case "minifigs":
      return (
        item && (
          <MinifigDialog
            part={item}
            figure={opened.figure}
            colorId={station.colors.chosen?.colorId ?? null}
            onClose={close}
            onAdd={station.addFigure}
          />
        )
      );
    case "stopwatch":
      return <StopwatchDialog onClose={close} />;
    case "summary":
      return (
        <SummaryDialog
          session={station.wholeSession}
          batch={batches.batch}
          currency={props.currency}
          unsent={unsent}
          onStay={close}
          onLeave={station.goAway}
        />
      );
    case "newBin":
      return (
        <LocationForm
          name={opened.name}
          onClose={close}
          onSaved={({ id, name }) => station.chooseBin({ id, name })}
        />
      );
    case "notFound":
      return (
        <ItemNotFoundDialog
          search={opened.search}
          text={opened.text}
          onClose={close}
          onSearchBy={(type) => {
            close();
            // What was typed would keep the camera from looking.
            if (type === "image") station.dispatch({ type: "cleared" });
            station.searchBy(type);
          }}
          onPick={(picked) => {
            station.takeItem(picked);
            close();
          }}
        />
      );
    case "override":
    case "otherBin": {
      const row = rowOf(opened.key);
      if (!row) return null;
      const put = (bin: typeof row.bin, reason?: string) => {
        sitting.wish((now) => withBin(now, row.key, bin, reason));
        close();
      };
      return opened.what === "override" ? (
        <OverrideDialog
          row={row}
          onClose={close}
          onOverride={(reason) => put(row.bin, reason)}
          onOtherBin={() => setOpened({ what: "otherBin", key: row.key })}
        />
      ) : (
        <BinDialog
          title={`Another bin for ${row.quantity} × ${row.draft.itemNumber}`}
          alternatives={[]}
          onClose={close}
          onChoose={({ id, name }) => put({ id, name })}
          onNewBin={(name) => setOpened({ what: "newBinFor", key: row.key, name })}
        />
      );
    }
    case "newBinFor":
      return (
        <LocationForm
          name={opened.name}
          onClose={close}
          onSaved={({ id, name }) => {
            sitting.wish((now) => withBin(now, opened.key, { id, name }));
            close();
          }}
        />
      );
  }
}
