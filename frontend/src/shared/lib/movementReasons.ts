/** Why a quantity changed: the ledger's name and the text for people. */
export const movementReasons = {
  stow: "Stowed from a batch",
  remove: "Taken out, back into its batch",
  move: "Moved",
  edit: "Corrected",
  import: "Set by a BSX import",
  undo: "An earlier change undone",
  sale: "Sold",
  consolidate: "Consolidated",
  split: "Split",
  count: "Counted in a stocktake",
  set: "Taken for a set",
  return: "Came back from a buyer",
} as const;
