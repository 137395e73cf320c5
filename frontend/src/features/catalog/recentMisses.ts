/** What was typed and found nothing, newest first: a person's, in this browser. */
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";

const SETTING = `${PERSONAL}recentMisses`;
const KEPT = 6;
const texts = z.catch(z.array(z.string()), []);

export const recentMisses = (): string[] => texts.parse(getSetting(SETTING) ?? []);

/** Puts a text on top of the list, once. */
export function rememberMiss(text: string): void {
  const missed = text.trim();
  if (missed === "") return;
  const others = recentMisses().filter((each) => each.toLowerCase() !== missed.toLowerCase());
  setSetting(SETTING, [missed, ...others].slice(0, KEPT));
}
