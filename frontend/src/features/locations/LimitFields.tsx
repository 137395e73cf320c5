import type { FieldValues, Path } from "react-hook-form";
import * as z from "zod/mini";
import { TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import type { ZodForm } from "@/shared/form/useZodForm";
import { counted } from "@/shared/lib/format";
import { WEIGHT_HINT } from "@/shared/lib/weight";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { type LocationsAsked, locationQueries } from "./queries";
import { type LimitTexts, whyNotCount, whyNotWeight } from "./rules";

const weight = z.string().check(fits(whyNotWeight));

/** The fields of `LimitFields`, to spread into a form's schema. */
export const limitShape = {
  max_item_count: z.string().check(fits(whyNotCount)),
  max_total_weight: weight,
  min_item_weight: weight,
  max_item_weight: weight,
};

const FIELDS = [
  ["max_item_count", "Most pieces", "no limit"],
  ["max_total_weight", "Most weight", "no limit"],
  ["min_item_weight", "Lightest piece", "any"],
  ["max_item_weight", "Heaviest piece", "any"],
] as const;

/**
 * What a place may hold: counts and weights. A blank one is no limit, or where many are changed
 * (`blank`) stays as it is.
 */
export function LimitFields<Values extends FieldValues & LimitTexts>({
  form,
  blank,
  of,
}: {
  form: ZodForm<Values>;
  blank?: string;
  /** The locations, where there are some to learn from. */
  of?: LocationsAsked;
}) {
  // Every form here has these four names: LimitTexts says so, Path cannot see it of a generic.
  const named = (name: keyof LimitTexts) => name as Path<Values>;
  return (
    <fieldset className="rounded-control border border-line p-3">
      <legend className="px-1 font-medium text-xs">Limits</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {FIELDS.map(([name, label, none]) => (
          <TextField
            key={name}
            form={form}
            name={named(name)}
            label={label}
            placeholder={blank ?? none}
          />
        ))}
      </div>
      {of && (
        <SuggestedLimit
          of={of}
          onAccept={(pieces) =>
            form.setValue(named("max_item_count"), String(pieces) as never, {
              shouldDirty: true,
              shouldValidate: true,
            })
          }
        />
      )}
      <p className="mt-2 text-muted text-xs">
        Weights as {WEIGHT_HINT}. {blank ? "“none” takes a limit away." : "Blank is no limit."}
      </p>
    </fieldset>
  );
}

/** The most pieces that bins like these hold, to be taken over; nothing where too few hold any. */
function SuggestedLimit(props: { of: LocationsAsked; onAccept: (pieces: number) => void }) {
  const data = useSideQuery(locationQueries.suggestedLimit(props.of), "the suggested limit");
  const pieces = data?.max_item_count ?? null;
  if (pieces === null) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span>
        Nine of ten of {counted(data?.learnt_from ?? 0, "filled bin")} like these hold at most{" "}
        {counted(pieces, "piece")}.
      </span>
      <Button size="sm" onClick={() => props.onAccept(pieces)}>
        Accept suggested limit
      </Button>
    </p>
  );
}
