import { cardOf } from "@/shared/scanner/codes";
import { actOfCard } from "./cards";

const read = (text: string) => {
  const card = cardOf(text);
  return card && actOfCard(card);
};

describe("actOfCard", () => {
  it.each([
    ["CMD:ADD", { act: "command", command: { do: "accept" } }],
    ["CMD:UNDO", { act: "command", command: { do: "undo" } }],
    ["cmd:next", { act: "command", command: { do: "moveCandidate", step: 1 } }],
    ["CMD:COND-N", { act: "condition", condition: "N" }],
    ["CMD:QTY-10", { act: "quantity", quantity: 10 }],
    ["CMD:CLEAR", { act: "clear" }],
    ["CMD:LOCK", { act: "command", command: { do: "lockColor" } }],
    ["CMD:BULK", { act: "command", command: { do: "bulk" } }],
    ["BAT:12", { act: "batch", id: 12 }],
    ["TRAY:3", { act: "tray", tray: 3 }],
  ])("knows %s", (text, act) => {
    expect(read(text)).toEqual(act);
  });

  it.each(["CMD:QTY-0", "CMD:QTY-999999", "CMD:SELL", "BAT:x", "BAT:0", "TRAY:-1", "LOC:A-1"])(
    "knows no %s",
    (text) => {
      expect(read(text)).toBeNull();
    },
  );
});
