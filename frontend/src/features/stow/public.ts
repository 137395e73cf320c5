export { LetterKeys } from "./add/LetterKeys";
export { StowPlans } from "./session/StowPlans";
