export { CameraPane } from "./CameraPane";
export {
  AmongParts,
  CandidateNote,
  MoreHelp,
  NoneOfThese,
  OtherAnswer,
  SeenPiece,
} from "./Candidates";
export { keepCapture } from "./captures";
export { EyesSettings } from "./EyesSettings";
export { ImageSearch } from "./ImageSearch";
export {
  type Candidate,
  isKnown,
  type KnownCandidate,
  likelyColor,
  lookupTypes,
  type Presence,
  presenceOf,
  type Source,
} from "./model";
export { type Among, type Beside, type Recognition, seenOf } from "./recognizer";
export { usePictureUrl, useRecognizer } from "./useRecognizer";
export type { CameraControls } from "./useWatchedCamera";
export { reportWrongMatch } from "./wrongMatch";
