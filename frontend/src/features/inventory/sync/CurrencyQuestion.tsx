import { numberOf } from "@/shared/lib/amounts";
import { Button } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
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
  const action = useControl<Action>("relabel");
  const rate = useControl("");
  const number = numberOf(rate.value);
  const isRate = Number(number) > 0;
  const { file, store } = question;

  const go = () => {
    if (action.value === "relabel") onRelabel();
    else if (action.value === "stop") onStop();
    else if (isRate) onConvert(number);
  };
  return (
    <Notice tone="warning" title={`The file is in ${file}, your store in ${store}`}>
      <div className="mt-2 flex flex-col items-start gap-3 text-ink">
        <SegmentedControl
          label="What to do with its amounts"
          {...action}
          options={{ relabel: `Take as ${store}`, convert: "Convert", stop: "Stop" }}
        />
        <p className="text-muted text-sm">
          {action.value === "relabel" &&
            `0.10 ${file} becomes 0.10 ${store}: the file only says it wrong.`}
          {action.value === "convert" && `Every price and cost is multiplied by your rate.`}
          {action.value === "stop" && "Nothing is imported."}
        </p>
        {action.value === "convert" && (
          <InputField
            label={`One ${file} is how many ${store}?`}
            className="w-52"
            error={rate.value !== "" && !isRate && "A number above 0, such as 0.92."}
            numeric
            {...rate}
            placeholder="0.92"
          />
        )}
        <Button
          size="sm"
          loading={busy}
          disabledReason={action.value === "convert" && !isRate && "Type the rate"}
          onClick={go}
        >
          {action.value === "stop" ? "Stop the import" : "Preview with that"}
        </Button>
      </div>
    </Notice>
  );
}
