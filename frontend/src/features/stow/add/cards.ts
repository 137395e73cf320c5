/** The effects of the printed cards at the station; the server prints them (rules/cards.py). */
import type { ScannedCard } from "@/shared/scanner/codes";
import { MAX_QUANTITY } from "../find/card";
import type { Condition } from "../model";
import type { Command } from "./keys";

export type CardAct =
  | { act: "command"; command: Command }
  | { act: "condition"; condition: Condition }
  | { act: "quantity"; quantity: number }
  | { act: "clear" }
  | { act: "batch"; id: number }
  | { act: "tray"; tray: number };

const COMMANDS: Record<string, Command> = {
  ADD: { do: "accept" },
  PLUS: { do: "change", by: 1 },
  MINUS: { do: "change", by: -1 },
  UNDO: { do: "undo" },
  REDO: { do: "redo" },
  NEXT: { do: "moveCandidate", step: 1 },
  COLOR: { do: "moveColor", step: 1 },
  CAPTURE: { do: "capture" },
  ASIDE: { do: "putAside" },
  LOCK: { do: "lockColor" },
  BULK: { do: "bulk" },
};

/** The command of a card, or null for an unknown one. */
export function actOfCard({ kind, code }: ScannedCard): CardAct | null {
  const number = /^\d{1,9}$/.test(code) ? Number(code) : 0;
  if (kind === "BAT") return number > 0 ? { act: "batch", id: number } : null;
  if (kind === "TRAY") return number > 0 ? { act: "tray", tray: number } : null;
  const command = COMMANDS[code];
  if (command) return { act: "command", command };
  if (code === "CLEAR") return { act: "clear" };
  if (code === "COND-N" || code === "COND-U") {
    return { act: "condition", condition: code === "COND-N" ? "N" : "U" };
  }
  const quantity = Number(/^QTY-(\d{1,5})$/.exec(code)?.[1] ?? 0);
  return quantity > 0 && quantity <= MAX_QUANTITY ? { act: "quantity", quantity } : null;
}
