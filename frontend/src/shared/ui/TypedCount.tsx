import { Field, Input } from "./Field";

/** Asks for a number to be typed before so many rows are changed. */
export function TypedCount(props: {
  count: number;
  typed: string;
  onTyped: (text: string) => void;
}) {
  const { count, typed, onTyped } = props;
  return (
    <Field label={`Type ${count} to go on`} className="mt-2 max-w-60">
      <Input
        numeric
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
        autoComplete="off"
      />
    </Field>
  );
}
