export { type CameraControls, CameraPane } from "./CameraPane";
export { ImageSearch } from "./ImageSearch";
export {
  type Candidate,
  type CandidateColor,
  isCertain,
  isKnown,
  type KnownCandidate,
  type LookupType,
  likelyColor,
  lookupTypes,
  type Source,
} from "./model";
export type { Recognition } from "./recognizer";
export { usePictureUrl, useRecognizer } from "./useRecognizer";
export { reportWrongMatch } from "./wrongMatch";
