/** The letters as this device has them: the settings choose, the station reads. */
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { type LetterName, type Letters, letterCommands, letterOf } from "./keys";

export function useLetters(): Letters {
  return {
    own: useClientState("options.stationLetters"),
    on: useClientState("options.stationLettersOn"),
  };
}

/** The key of a command as a person reads it: "B", or "Alt+B" where bare letters are off. */
export function useLetter(name: LetterName): string {
  const letters = useLetters();
  const letter = letterOf(name, letters).toUpperCase();
  return letters.on ? letter : `Alt+${letter}`;
}

/** Gives a command another letter; its default one is not kept. */
export function setLetter(name: LetterName, letter: string): void {
  const others = clientStore.get("options.stationLetters").filter((each) => each.name !== name);
  const isDefault = letterCommands.find((each) => each.name === name)?.letter === letter;
  clientStore.set("options.stationLetters", isDefault ? others : [...others, { name, letter }]);
}
