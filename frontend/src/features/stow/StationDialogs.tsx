import { useMutation } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import {
  BatchDialog,
  type BatchHead,
  CustomItemDialog,
  ItemNotFoundDialog,
} from "@/features/catalog/public";
import { BinDialog, LocationForm } from "@/features/locations/public";
import { downloadMade } from "@/shared/api/download";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { KeyGroup } from "@/shared/ui/KeyGroup";
import { toast } from "@/shared/ui/toast";
import { keySheet } from "./add/keys";
import { useLetters } from "./add/letters";
import { OverrideDialog } from "./bin/OverrideDialog";
import { MinifigDialog, SkippedDialog, StopwatchDialog, SummaryDialog, WeighDialog } from "./parts";
import { SessionSheet } from "./session/SessionSheet";
import { sitting, useUnsentCount } from "./session/sitting";
import type { Station } from "./useStation";

/** The dialog that is open over the station, at most one. */
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
    case "session":
      return <SessionSheet station={station} onClose={close} />;
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
          pieces={{
            quantity: station.card.quantity,
            grams: item?.weight ? Number(item.weight) : null,
          }}
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
    case "skipped":
      return (
        batches.batch && (
          <SkippedDialog batch={batches.batch} onClose={close} onSettle={station.settleSkipped} />
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
          onCustom={() => setOpened({ what: "custom", text: opened.text })}
          onSkip={
            opened.search === "image" || opened.search === "webcam"
              ? () => {
                  close();
                  station.run({ do: "skip" });
                }
              : undefined
          }
          onBulk={() => {
            close();
            station.run({ do: "bulk" });
          }}
          onRetype={(text) => {
            close();
            station.dispatch({ type: "typed", text });
          }}
          onSearchBy={(type) => {
            close();
            // A typed text would stop the camera from capturing.
            if (type === "image") station.dispatch({ type: "cleared" });
            station.searchBy(type);
          }}
          onPick={(picked) => {
            station.takeItem(picked);
            close();
          }}
        />
      );
    case "custom":
      return (
        <CustomItemDialog
          text={opened.text}
          submitLabel={batches.batch ? `Add to ${batches.batch.name}` : "Add"}
          blocked={batches.batch ? null : "Choose a batch first"}
          onClose={close}
          onAdd={station.addCustom}
        />
      );
    case "override":
    case "otherBin": {
      const row = rowOf(opened.key);
      if (!row) return null;
      const put = (bin: typeof row.bin, reason?: string) => {
        sitting.setBin(row.key, bin, reason);
        close();
      };
      return opened.what === "override" ? (
        <OverrideDialog
          row={row}
          onClose={close}
          onOverride={(reason) => put(row.bin, reason)}
          onSplit={(here, bin) => {
            sitting.split(row.key, { here, newKey: newIdempotencyKey(), bin }, Date.now());
            close();
          }}
          onOtherBin={() => setOpened({ what: "otherBin", key: row.key })}
        />
      ) : (
        <BinDialog
          title={`Another bin for ${row.quantity} × ${row.draft.itemNumber}`}
          pieces={{ quantity: row.quantity, grams: null }}
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
            sitting.setBin(opened.key, { id, name });
            close();
          }}
        />
      );
  }
}

/** All keys of the station, grouped by the step of the work. */
function KeySheet({ batch, onClose }: { batch: BatchHead | null; onClose: () => void }) {
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => {
      const named = batch && { batch_code: String(batch.id), batch_name: batch.name };
      return downloadMade("stationCards", { body: { ...named } }, "station-cards.pdf");
    },
    onSuccess: () =>
      toast.success("Cards saved as PDF", {
        detail: "Print them at actual size and cut them: a scanner reads them at the station.",
      }),
  });

  const lines = keySheet(useLetters());
  const groups = [...new Set(lines.map((line) => line.group))];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keys of the station"
      description="While you type, letters and digits are text; once an item is taken they are commands. Alt and a letter works from anywhere. The settings give letters other commands, or switch them off."
      size="lg"
      footer={
        <>
          <Button loading={print.isPending} icon={Printer} onClick={() => print.mutate()}>
            Command and tray cards
          </Button>
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="columns-1 gap-8 sm:columns-2">
        {groups.map((group) => (
          <KeyGroup
            key={group}
            title={group}
            lines={lines.filter((line) => line.group === group)}
          />
        ))}
      </div>
    </Dialog>
  );
}
