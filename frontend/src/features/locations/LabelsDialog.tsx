import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useState } from "react";
import { wholeOf } from "@/shared/lib/amounts";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { useTellMissing } from "@/shared/ui/sideQuery";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { LabelSheet } from "./LabelSheet";
import { keepLabelSettings, type LabelSettings, readLabelSettings } from "./labelSettings";
import {
  firstLayout,
  type LabelChoice,
  type LabelLayout,
  labelled,
  whyNotShift,
  whyNotStart,
} from "./labels";
import { locationQueries } from "./queries";
import { ShiftFields } from "./ShiftFields";
import { downloadLabels, type LabelPaper, labelsSaved } from "./saveLabels";

/** Prints labels: which paper, from which position of it, with a picture of the sheet. */
export function LabelsDialog(props: { choice: LabelChoice; onClose: () => void }) {
  const { choice } = props;
  const layouts = useQuery(locationQueries.labelLayouts());
  const title = `Labels for ${labelled(choice)}`;
  const [lastUsed] = useState(() => readLabelSettings().layout);
  // What its container types name does not depend on the paper that it is asked for.
  const sizes = useQuery({
    ...locationQueries.labelPlan({
      choice,
      body: {
        ids: choice.ids,
        layout: firstLayout(layouts.data ?? [], lastUsed).layout?.id ?? "a4_plain",
        start: 1,
      },
    }),
    enabled: layouts.data !== undefined,
  });
  useTellMissing(sizes, "the label sizes of your container types");
  if (!layouts.data || !sizes.isFetched) {
    return (
      <Dialog onClose={props.onClose} title={title} size="lg">
        {layouts.error ? (
          <ErrorState error={layouts.error} onRetry={() => void layouts.refetch()} />
        ) : (
          <Loading />
        )}
      </Dialog>
    );
  }
  const { layout, from } = firstLayout(layouts.data, lastUsed, sizes.data?.label_sizes);
  if (!layout) return null;
  return <Chooser {...props} title={title} layouts={layouts.data} first={layout} from={from} />;
}

/** Why the dialog began with its paper, where it was not simply the one used last. */
const begunWith = {
  type: "The label size of their container type.",
  mixed: "Not all of them have one label size, so this is the paper used last.",
  last: undefined,
};

/** What is printed, as it was chosen then. */
type Print = { paper: LabelPaper; kept: LabelSettings; count: number; kind: "labels" | "test" };

type ChooserProps = {
  choice: LabelChoice;
  title: string;
  layouts: readonly LabelLayout[];
  first: LabelLayout;
  from: keyof typeof begunWith;
  onClose: () => void;
};

function Chooser(props: ChooserProps) {
  const { title, layouts, first, from, onClose } = props;
  const { kept, keep, layout, startText, setStartText, ...sheet } = useSheet(props);
  const { startProblem, shiftProblem, start, plan } = sheet;
  const { printing, printNow } = usePrint(props, { layout, start }, kept, plan.data?.count);

  return (
    <Dialog
      onClose={onClose}
      title={title}
      description="A PDF with the name in large letters and a code that any scanner reads."
      size="lg"
      footer={
        <>
          <Button
            loading={printing === "test"}
            disabledReason={shiftProblem}
            onClick={() => printNow("test")}
          >
            Test page
          </Button>
          <Button
            variant="primary"
            icon={Printer}
            loading={printing === "labels"}
            disabledReason={startProblem ?? shiftProblem ?? (plan.error && problemText(plan.error))}
            onClick={() => printNow("labels")}
          >
            Save as PDF
          </Button>
        </>
      }
    >
      <div className="grid gap-5 sm:grid-cols-[1fr_15rem]">
        <div className="flex flex-col gap-4">
          <ChoiceField
            label="Paper"
            hint={layout === first ? begunWith[from] : undefined}
            value={layout.id}
            onChange={sheet.choose}
            options={layouts.map(({ id, name }) => ({ value: id, label: name }))}
          />
          {!layout.is_roll && (
            <InputField
              label="Begin at position"
              hint="On a sheet that is used in part. Or choose it in the picture."
              error={startProblem}
              numeric
              value={startText}
              onChange={setStartText}
            />
          )}
          <fieldset className="grid grid-cols-2 gap-3">
            <legend className="mb-1.5 font-medium text-sm">The printer is off by, in mm</legend>
            <ShiftFields shift={kept} onChange={keep} />
          </fieldset>
          <p className="text-muted text-xs">
            The test page shows the edge of every label: hold it against the paper before you print.
          </p>
          {plan.data && plan.data.unknown_characters.length > 0 && (
            <Notice tone="warning" title="Some characters cannot be printed">
              The letters of the labels have no {plan.data.unknown_characters.join(" ")}. The codes
              are right all the same.
            </Notice>
          )}
          {plan.error && <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />}
        </div>
        <LabelSheet
          layout={layout}
          start={start}
          plan={plan.data ?? null}
          onStart={(position) => setStartText(String(position))}
        />
      </div>
    </Dialog>
  );
}

/** The paper, from which position of it, and how far the printer is off: kept for the next time. */
function useSheet({ choice, layouts, first }: ChooserProps) {
  const [kept, setKept] = useState(readLabelSettings);
  const [layout, setLayout] = useState(first);
  const [startText, setStartText] = useState(() => String(kept.starts[first.id] ?? 1));
  const keep = (changes: Partial<LabelSettings>) => {
    const next = { ...kept, ...changes };
    setKept(next);
    keepLabelSettings(next);
  };
  const choose = (id: string) => {
    const chosen = layouts.find((one) => one.id === id);
    if (!chosen) return;
    setLayout(chosen);
    keep({ layout: chosen.id });
    setStartText(String(kept.starts[chosen.id] ?? 1));
  };
  const startProblem = whyNotStart(startText, layout);
  const shiftProblem = whyNotShift(kept.right) ?? whyNotShift(kept.down);
  const start = startProblem ? 1 : wholeOf(startText);
  const body = { ids: choice.ids, layout: layout.id, start: useDebounced(start) };
  const plan = useQuery(locationQueries.labelPlan({ choice, body }));
  return {
    ...{ kept, keep, layout, choose, startText, setStartText, startProblem, shiftProblem, start },
    plan,
  };
}

function usePrint(
  { choice, onClose }: ChooserProps,
  paper: LabelPaper,
  kept: LabelSettings,
  count = choice.count,
) {
  const client = useQueryClient();
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: ({ paper, kept, kind }: Print) => downloadLabels(choice, paper, kept, kind),
    // The person may have chosen another paper since.
    onSuccess: (_answer, { paper, kept, count, kind }) => {
      if (kind === "test") return;
      labelsSaved(client, { ...choice, count }, paper, kept);
      onClose();
      toast.success("Labels saved as PDF", {
        detail: "Print them at actual size, without fitting to the page.",
      });
    },
  });
  return {
    printing: print.isPending ? print.variables.kind : null,
    printNow: (kind: Print["kind"]) => print.mutate({ paper, kept, count, kind }),
  };
}
