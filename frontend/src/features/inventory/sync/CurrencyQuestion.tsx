import { useState } from "react";
import { numberOf } from "@/shared/lib/amounts";
import { Button } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import type { CurrencyQuestion as Question } from "./rules";

type Action = "relabel" | "convert" | "stop";

/** Amounts in a foreign currency: taken as they are, converted, or not at all. */
export function CurrencyQuestion(props: {
  question: Question;
  busy: boolean;
  onRelabel: () => void;
  onConvert: (rate: string) => void;
  onStop: () => void;
}) {
  const { question, busy, onRelabel, onConvert, onStop } = props;
  const [action, setAction] = useState<Action>("relabel");
  const [rate, setRate] = useState("");
  const number = numberOf(rate);
  const isRate = Number(number) > 0;
  const { file, store } = question;

  const go = () => {
    if (action === "relabel") onRelabel();
    else if (action === "stop") onStop();
    else if (isRate) onConvert(number);
  };
  return (
    <Notice tone="warning" title={`The file is in ${file}, your store in ${store}`}>
      <div className="mt-2 flex flex-col items-start gap-3 text-ink">
        <SegmentedControl
          label="What to do with its amounts"
          value={action}
          onChange={setAction}
          options={[
            { value: "relabel", label: `Take as ${store}` },
            { value: "convert", label: "Convert" },
            { value: "stop", label: "Stop" },
          ]}
        />
        <p className="text-muted text-sm">
          {action === "relabel" &&
            `0.10 ${file} becomes 0.10 ${store}: the file only says it wrong.`}
          {action === "convert" && `Every price and cost is multiplied by your rate.`}
          {action === "stop" && "Nothing is imported."}
        </p>
        {action === "convert" && (
          <Field
            label={`One ${file} is how many ${store}?`}
            className="w-52"
            error={rate !== "" && !isRate && "A number above 0, such as 0.92."}
          >
            <Input
              numeric
              value={rate}
              onChange={(event) => setRate(event.target.value)}
              placeholder="0.92"
            />
          </Field>
        )}
        <Button
          size="sm"
          loading={busy}
          disabledReason={action === "convert" && !isRate && "Type the rate"}
          onClick={go}
        >
          {action === "stop" ? "Stop the import" : "Preview with that"}
        </Button>
      </div>
    </Notice>
  );
}
