/** What is done bin by bin, as the address says it. */
export const WALKS = ["count", "move", "find"] as const;
export type WalkKind = (typeof WALKS)[number];
