/** The direction in which Enter moves after editing: a person's choice, stored in this browser. */
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import type { Move } from "../keyboard";

const SETTING = "table_enter";
export const ENTER_MOVES = ["down", "right", "stay"] as const;
export type EnterMove = (typeof ENTER_MOVES)[number];

export function chosenEnterMove(): EnterMove {
  const kept = getSetting<string>(SETTING);
  return ENTER_MOVES.find((move) => move === kept) ?? "down";
}

export function chooseEnterMove(move: EnterMove): void {
  setSetting(SETTING, move);
}

const opposite: Record<EnterMove, Move> = { down: "up", right: "left", stay: "stay" };

/** The move of Enter; with Shift the opposite one. */
export function enterMove(shift: boolean): Move {
  const chosen = chosenEnterMove();
  return shift ? opposite[chosen] : chosen;
}
