import { Camera } from "lucide-react";
import { useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, Field, Textarea } from "@/shared/ui/Field";
import { type Condition, conditionOptions } from "@/shared/ui/Lot";
import { lazyPart } from "@/shared/ui/lazyPart";
import { isSecondEnter } from "@/shared/ui/secondPress";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { type AddedMany, type SetState, stateOptions } from "./model";
import { useAddSets, useDeleteSet } from "./mutations";
import { numbersIn } from "./rules";

const ImageSearch = lazyPart(() =>
  import("@/features/recognition/public").then((m) => m.ImageSearch),
);

/** Adds sets by typed, pasted or seen numbers. Those that cannot be added stay, each with why. */
export function AddSetsDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const state = useControl<SetState>("in_progress");
  const condition = useControl<Condition>("U");
  const again = useControl(false);
  const [camera, setCamera] = useState(false);
  const [seen, setSeen] = useState<string | null>(null);
  const [refused, setRefused] = useState<AddedMany["refused"]>([]);
  const add = useAddSets();
  const remove = useDeleteSet();
  const count = numbersIn(text).length;

  const tellAdded = async (ids: readonly number[]) => {
    const { tellMade } = await import("@/shared/table/editing/tellMade");
    await tellMade({
      table: "userSets",
      words: `${counted(ids.length, "set")} added`,
      remove: async () => {
        for (const id of ids) await remove.mutateAsync(id);
      },
    });
  };
  const go = () =>
    add.mutate(
      { numbers: text, state: state.value, condition: condition.value, again: again.value },
      {
        onSuccess: (done) => {
          if (done.added.length > 0) void tellAdded(done.added);
          if (done.refused.length === 0) onClose();
          setRefused(done.refused);
          setText(done.refused.map(({ number }) => number).join("\n"));
        },
      },
    );

  return (
    <ActDialog
      onClose={onClose}
      title="Add sets"
      description="One number or many: 10255 means 10255-1."
      size="md"
      act={count > 1 ? `Add ${formatCount(count)} sets` : "Add"}
      pending={add.isPending}
      why={count === 0 && "Type a set number"}
      onAct={go}
      closeLabel="Close"
    >
      <div className="flex flex-col gap-4">
        <Field label="Set numbers" hint="Between blanks, commas or on lines of their own." required>
          <Textarea
            rows={3}
            autoFocus
            value={text}
            placeholder="10255 31017-1"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              const adds = event.key === "Enter" && (event.ctrlKey || event.metaKey) && count > 0;
              if (adds && !add.isPending && !isSecondEnter(event)) go();
            }}
          />
        </Field>
        {add.error && <Notice tone="danger">{problemText(add.error)}</Notice>}
        {refused.length > 0 && (
          <Notice tone="warning" title="Not added">
            <ul className="list-disc pl-4">
              {refused.map(({ number, reason }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a number may stand there twice
                <li key={`${number} ${place}`}>{reason}</li>
              ))}
            </ul>
          </Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceField label="State" options={stateOptions} {...state} />
          <ChoiceField label="Condition" options={conditionOptions} {...condition} />
        </div>
        <CheckField label="Add sets again that are in My Sets already" {...again} />
        {camera ? (
          <div className="flex flex-col gap-2">
            <ImageSearch
              lookup="SET"
              onPick={({ type, number }) => {
                if (type === "SET") {
                  setText((now) => `${now}${now.trim() ? "\n" : ""}${number}`);
                  setSeen(null);
                } else setSeen(`${number} is no set.`);
              }}
              onMissed={() => setSeen("No set was recognised. Type its number.")}
              onSearchBy={() => setCamera(false)}
            />
            {seen && <Notice tone="warning">{seen}</Notice>}
          </div>
        ) : (
          <div>
            <Button size="sm" icon={Camera} onClick={() => setCamera(true)}>
              By picture
            </Button>
          </div>
        )}
      </div>
    </ActDialog>
  );
}
