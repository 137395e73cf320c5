import { InputField } from "@/shared/ui/Field";
import type { LabelSettings } from "./labelSettings";
import { whyNotShift } from "./labels";

/** How far the printer is off, in millimetres. */
export function ShiftFields(props: {
  shift: Pick<LabelSettings, "right" | "down">;
  onChange: (some: Partial<LabelSettings>) => void;
  className?: string;
}) {
  const { shift, onChange, className } = props;
  return (
    <>
      <InputField
        label="To the right"
        error={whyNotShift(shift.right)}
        className={className}
        numeric
        value={shift.right}
        onChange={(right) => onChange({ right })}
      />
      <InputField
        label="Down"
        error={whyNotShift(shift.down)}
        className={className}
        numeric
        value={shift.down}
        onChange={(down) => onChange({ down })}
      />
    </>
  );
}
