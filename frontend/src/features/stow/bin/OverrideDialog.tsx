import { Split } from "lucide-react";
import { type FormEvent, useId } from "react";
import { stockQueries } from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { Row, Session } from "../session/session";
import { useSitting } from "../session/sitting";
import { plansFor, withPlans } from "./plan";

/**
 * Asks what to do with pieces beyond a bin's limits: split them, choose another bin, or stow all of
 * them here with a reason, which the ledger keeps.
 */
export function OverrideDialog(props: {
  row: Row;
  onClose: () => void;
  onOverride: (reason: string) => void;
  onOtherBin: () => void;
  onSplit: (here: number, bin: Bin) => void;
}) {
  const { row, onClose, onOverride, onOtherBin, onSplit } = props;
  const id = useId();
  const reason = useControl("");
  const here = row.problem?.fits ?? 0;
  const rest = row.quantity - here;
  const other = useOtherBin(row, rest);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.value.trim() !== "") onOverride(reason.value.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`More than ${row.bin?.name ?? "the bin"} takes`}
      size="sm"
      footer={
        <>
          <Button onClick={onOtherBin}>Other bin</Button>
          <Button
            type="submit"
            form={id}
            variant={other && here > 0 ? "secondary" : "primary"}
            disabledReason={reason.value.trim() === "" && "Give a reason; the history keeps it"}
          >
            Stow anyway
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-4">
        <Notice tone="warning">{row.problem?.text}</Notice>
        {other && here > 0 && (
          <div className="flex flex-col items-start gap-2">
            <p>
              {counted(here, "piece")} fit into {row.bin?.name}, {counted(rest, "piece")} into{" "}
              {other.name}.
            </p>
            <Button
              variant="primary"
              icon={Split}
              onClick={() => onSplit(here, { id: other.id, name: other.name })}
            >
              Split over both
            </Button>
          </div>
        )}
        <InputField
          label="Reason to add it anyway"
          required
          hint="The history keeps your reason."
          autoFocus
          maxLength={500}
          placeholder="Pressed down, they fit"
          {...reason}
        />
      </form>
    </Dialog>
  );
}

const whole = (session: Session) => session;

/** The best bin for the pieces that do not fit the row's own bin. */
function useOtherBin(row: Row, rest: number): Bin | null {
  const { lotId, condition } = row.draft;
  const session = useSitting(whole);
  const plans = plansFor(session, lotId, condition);
  const data =
    useSideQuery(
      {
        ...stockQueries.destinations(lotId ?? 0, condition, rest, row.bin?.name),
        enabled: lotId !== null && rest > 0,
      },
      "other bins for it",
    ) ?? [];
  const others = data.filter((each) => each.id !== row.bin?.id);
  return withPlans(others, plans, rest).find((each) => each.recommended) ?? null;
}
