export { LetterKeys } from "./add/LetterKeys";
