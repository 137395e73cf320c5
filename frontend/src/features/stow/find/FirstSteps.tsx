import { clsx } from "clsx";
import { Kbd } from "@/shared/ui/Badge";

const steps = [
  { keys: ["3001"], does: "Type a number, or a name such as “brick 2 x 4”, and Enter." },
  { keys: ["red"], does: "Which colour? Type its name; a number behind it is the quantity." },
  { keys: ["3001 red 5"], does: "Or all at once. Enter adds it." },
  { keys: ["Enter"], does: "Adds it to the batch. The large letters are its bin." },
  { keys: ["Space"], does: "Captures the part under the camera.", isKey: true },
  { keys: ["+"], does: "The same part again. Ctrl+Z undoes it.", isKey: true },
];

/** A touch screen has none of these keys. */
const withKeysOnly = "pointer-coarse:hidden";

/** Shown until the first add: how to use the station, in a few lines. */
export function FirstSteps() {
  return (
    <section
      aria-label="How it works"
      className="flex flex-1 flex-col justify-center gap-5 rounded-card border border-line border-dashed p-6"
    >
      <h2 className="font-semibold text-lg">How it works</h2>
      <ol aria-label="Steps" className="flex flex-col gap-3">
        {steps.map(({ keys, does, isKey }) => (
          <li key={does} className={clsx("flex items-baseline gap-3", isKey && withKeysOnly)}>
            <span className="w-20 shrink-0 text-right">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </span>
            <span className="max-w-prose">{does}</span>
          </li>
        ))}
      </ol>
      <p className="text-muted text-sm">
        A part that lies still under the camera needs no key.
        <span className={`ml-1 ${withKeysOnly}`}>
          <Kbd>?</Kbd> shows every key.
        </span>
      </p>
    </section>
  );
}
