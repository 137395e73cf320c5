import { MoveRight } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "@/shared/lib/format";
import { CheckField } from "@/shared/ui/Checkbox";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { comesInto, type SeveralChoice, type SeveralQuestion, severalTitle } from "./several";

const means: Record<SeveralChoice["several_locations"], string> = {
  ignore: "Ignore them: new lots get no bin, others keep theirs.",
  first: "All pieces are in the bin that is named first.",
  whole: "The whole text is the name of one bin.",
};

/** Asks what to do with lots whose Remarks name several locations, with examples. */
export function SeveralLocations(props: {
  question: SeveralQuestion;
  choice: SeveralChoice;
  onChoice: (choice: SeveralChoice) => void;
  /** What is below the question: a button that takes the answer. */
  children?: ReactNode;
}) {
  const { question, choice, onChoice } = props;
  const { divisible } = question;
  return (
    <Notice tone="warning" title={severalTitle(question)}>
      <div className="mt-2 flex flex-col items-start gap-3 text-ink">
        <SegmentedControl
          label="What happens to them"
          value={choice.several_locations}
          onChange={(several_locations) => onChoice({ ...choice, several_locations })}
          options={{ ignore: "Ignore them", first: "Take the first", whole: "One name" }}
        />
        <p className="text-muted text-sm">
          {means[choice.several_locations]} Their Remarks stay as they are.
        </p>
        {divisible > 0 && (
          <CheckField
            label={
              divisible === 1
                ? "Split the 1 lot that says how many are where"
                : `Split the ${formatCount(divisible)} lots that say how many are where`
            }
            hint="Their numbers add up: each bin gets its own row, whose Remarks name only it."
            value={choice.split_quantities}
            onChange={(checked) => onChoice({ ...choice, split_quantities: checked })}
          />
        )}
        <ul aria-label="For example" className="flex max-w-full flex-col gap-1 text-sm">
          {question.examples.map((example) => (
            <li
              key={example.remarks}
              className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 break-words"
            >
              <span className="font-mono text-xs">{example.remarks}</span>
              <MoveRight aria-hidden="true" className="size-3 shrink-0 self-center text-muted" />
              <span className="sr-only">becomes</span>
              <Place>{comesInto(example, choice)}</Place>
            </li>
          ))}
        </ul>
        {props.children}
      </div>
    </Notice>
  );
}

const Place = ({ children }: { children: string }) =>
  children ? (
    <span className="font-medium font-mono text-xs">{children}</span>
  ) : (
    <span className="text-muted text-xs">no bin</span>
  );
