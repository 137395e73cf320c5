import { InputField } from "@/shared/ui/Field";

/** BrickLink's number of a wanted list. However it is typed or pasted, its digits count. */
export function WantedListField(props: { value: string; onChange: (digits: string) => void }) {
  return (
    <InputField
      label="Wanted list number"
      hint="The number in its address on BrickLink. Empty: your default list."
      numeric
      value={props.value}
      onChange={(text) => props.onChange(text.replace(/\D/g, "").slice(0, 12))}
    />
  );
}
