import { numberOf } from "@/shared/lib/amounts";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import type { useControl } from "@/shared/ui/useControl";
import type { CurrencyQuestion as Question } from "./rules";

export type CurrencyAction = "relabel" | "convert";

/** The rate as it is sent; empty while it cannot be read. */
export const rateOf = (text: string): string => {
  const number = numberOf(text);
  return Number(number) > 0 ? number : "";
};

/** Amounts in a foreign currency: imported as they are, or converted. */
export function CurrencyQuestion(props: {
  question: Question;
  action: ReturnType<typeof useControl<CurrencyAction>>;
  rate: ReturnType<typeof useControl<string>>;
}) {
  const { question, action, rate } = props;
  const { file, store } = question;
  return (
    <Notice tone="warning" title={`The file is in ${file}, your store in ${store}`}>
      <div className="mt-2 flex flex-col items-start gap-3 text-ink">
        <SegmentedControl
          label="What happens to its amounts"
          {...action}
          options={{ relabel: `Keep the numbers, as ${store}`, convert: "Convert" }}
        />
        <p className="text-muted text-sm">
          {action.value === "relabel"
            ? `0.10 ${file} becomes 0.10 ${store}: the file only names the wrong currency.`
            : "Every price and cost is multiplied by your rate."}
        </p>
        {action.value === "convert" && (
          <InputField
            label={`One ${file} is how many ${store}?`}
            className="w-52"
            error={rate.value !== "" && !rateOf(rate.value) && "A number above 0, such as 0.92."}
            numeric
            {...rate}
            placeholder="0.92"
          />
        )}
      </div>
    </Notice>
  );
}
