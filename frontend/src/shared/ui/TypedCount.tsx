import { InputField } from "./Field";

/** Asks for a number to be typed before so many rows are changed. */
export function TypedCount(props: {
  count: number;
  typed: string;
  onTyped: (text: string) => void;
}) {
  const { count, typed, onTyped } = props;
  return (
    <InputField
      label={`Type ${count} to go on`}
      className="mt-2 max-w-60"
      numeric
      value={typed}
      onChange={onTyped}
      autoComplete="off"
    />
  );
}
