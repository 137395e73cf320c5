export { type CameraControls, CameraPane } from "./CameraPane";
export {
  type Candidate,
  type CandidateColor,
  isCertain,
  isKnown,
  type KnownCandidate,
  likelyColor,
  type LookupType,
  lookupTypes,
  type Source,
} from "./model";
export type { Recognition } from "./recognizer";
export { usePictureUrl, useRecognizer } from "./useRecognizer";
