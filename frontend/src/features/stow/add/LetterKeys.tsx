import { useState } from "react";
import { Field, Input } from "@/shared/ui/Field";
import { type LetterName, letterCommands, letterOf, whyNotLetter } from "./keys";
import { setLetter, useLetters } from "./letters";

/** One letter for each command of the station. A letter in use names its command. */
export function LetterKeys() {
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      {letterCommands.map(({ name, does }) => (
        <LetterField key={name} name={name} does={does} />
      ))}
    </div>
  );
}

function LetterField({ name, does }: { name: LetterName; does: string }) {
  const letters = useLetters();
  const [refused, setRefused] = useState<string | null>(null);
  const problem = refused === null ? null : whyNotLetter(name, refused, letters);
  const change = (typed: string) => {
    const letter = typed.trim().slice(-1).toLowerCase();
    const isRefused = whyNotLetter(name, letter, letters) !== null;
    setRefused(isRefused ? letter : null);
    if (!isRefused) setLetter(name, letter);
  };
  return (
    <Field label={does.charAt(0).toUpperCase() + does.slice(1)} error={problem}>
      <Input
        value={(refused ?? letterOf(name, letters)).toUpperCase()}
        autoCapitalize="none"
        autoComplete="off"
        className="w-16! text-center font-semibold"
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => change(target.value)}
        onBlur={() => setRefused(null)}
      />
    </Field>
  );
}
