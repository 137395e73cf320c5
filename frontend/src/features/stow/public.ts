export { LetterKeys } from "./add/LetterKeys";
export { StowUnsent } from "./parts";
