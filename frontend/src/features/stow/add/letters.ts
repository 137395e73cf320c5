/** The letter keys on this device: the settings set them, the station reads them. */
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { type LetterName, type Letters, letterCommands, letterOf } from "./keys";

export function useLetters(): Letters {
  return {
    own: useClientState("options.stationLetters"),
    on: useClientState("options.stationLettersOn"),
  };
}

/** The key of a command for people: "B", or "Alt+B" if letters need Alt. */
export function useLetter(name: LetterName): string {
  const letters = useLetters();
  const letter = letterOf(name, letters).toUpperCase();
  return letters.on ? letter : `Alt+${letter}`;
}

/** Sets the letter of a command; the default letter is not stored. */
export function setLetter(name: LetterName, letter: string): void {
  const others = clientStore.get("options.stationLetters").filter((each) => each.name !== name);
  const isDefault = letterCommands.find((each) => each.name === name)?.letter === letter;
  clientStore.set("options.stationLetters", isDefault ? others : [...others, { name, letter }]);
}
