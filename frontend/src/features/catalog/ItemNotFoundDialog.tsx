import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { keysOf } from "@/shared/lib/records";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { ItemImage } from "@/shared/ui/ItemImage";
import { LoadProblem } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import type { CatalogItem } from "./model";
import { catalogQueries } from "./queries";

/** How it was looked for when nothing was found. */
export type NotFoundSearch = "image" | "number" | "name" | "webcam";
export type SearchWay = "image" | "number" | "name";

/** What each way of searching says when it found nothing, and how it is called as a next step. */
const texts: Record<NotFoundSearch, { advice: string; way: string }> = {
  image: {
    advice: "No match in this picture. Turn the part, use a plain background, or search by number.",
    way: "Search by picture",
  },
  number: {
    advice:
      "No item has this number. Look for the number moulded into the part, without its version letter, or search by name.",
    way: "Search by number",
  },
  name: {
    advice:
      "No item has this name. Use fewer or shorter words, such as “plate 1 x 2”, or search by number.",
    way: "Search by name",
  },
  webcam: {
    advice:
      "The camera sees no match. Hold it still and closer, on a plain background, or search by number.",
    way: "Use the camera",
  },
};
const ways = keysOf(texts);

/** Said when a search found nothing: what to change, and the other three ways to search. */
export function ItemNotFoundDialog(props: {
  search: NotFoundSearch;
  /** What was typed, if anything was. */
  text: string;
  onClose: () => void;
  /** Another way; pictures of both kinds are searched in one place, so both are `image`. */
  onSearchBy: (search: SearchWay) => void;
  onPick: (item: CatalogItem) => void;
  /** Types something else instead: what was missed before, once it may be there. */
  onRetype: (text: string) => void;
  /** Puts it off and keeps its photo, where there is one. */
  onSkip?: (() => void) | undefined;
  /** Counts it among the pieces that are worth no lot. */
  onBulk?: (() => void) | undefined;
  /** Names it oneself. */
  onCustom: () => void;
}) {
  const { search, text, onClose, onSearchBy, onPick, onRetype, onSkip, onBulk, onCustom } = props;
  const [missed] = useState(() => recentMisses().filter((each) => each !== text.trim()));
  useEffect(() => rememberMiss(text), [text]);
  const shorter = shorterText(text);
  const near = useQuery({
    ...catalogQueries.search({ text: shorter, limit: 5 }),
    enabled: shorter !== "",
  });
  const items = near.data?.data ?? [];
  return (
    <Dialog
      onClose={onClose}
      title={text ? `Item not found: “${text}”` : "Item not found"}
      description={adviceFor(search, text)}
      footer={
        <>
          {ways
            .filter((way) => way !== search)
            .map((way) => (
              <Button key={way} onClick={() => onSearchBy(way === "webcam" ? "image" : way)}>
                {texts[way].way}
              </Button>
            ))}
          <Button onClick={onCustom}>Add as custom item…</Button>
          {onSkip && <Button onClick={onSkip}>Skip, keep photo</Button>}
          {onBulk && <Button onClick={onBulk}>Into the bulk</Button>}
          <Button variant="primary" autoFocus onClick={onClose}>
            {search === "image" || search === "webcam"
              ? "Try another picture"
              : "Change what I typed"}
          </Button>
        </>
      }
    >
      {(near.error || items.length > 0 || missed.length > 0) && (
        <div className="flex flex-col gap-4">
          <LoadProblem query={near} what="Similar items" />
          {items.length > 0 && (
            <section className="flex flex-col gap-1">
              <h3 className="font-medium text-muted text-xs">Found for “{shorter}”</h3>
              <ul className="-mx-2 flex flex-col">
                {items.map((item) => (
                  <li key={item.id}>
                    <button
                      type="button"
                      onClick={() => onPick(item)}
                      className="flex w-full items-center gap-3 rounded-control px-2 py-2 text-left hover:bg-hover"
                    >
                      <ItemImage src={item.image_url} type={item.item_type} name={item.item_name} />
                      <span className="w-24 shrink-0 truncate font-semibold tabular-nums">
                        {item.item_number}
                      </span>
                      <span className="min-w-0 flex-1 truncate">{item.item_name}</span>
                      <TypeTag type={item.item_type} short />
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {missed.length > 0 && (
            <section className="flex flex-col gap-1.5">
              <h3 className="font-medium text-muted text-xs">Not found before</h3>
              <ul className="flex flex-wrap gap-1.5">
                {missed.map((each) => (
                  <li key={each}>
                    <Button size="sm" title="Search for it again" onClick={() => onRetype(each)}>
                      <span className="max-w-48 truncate">{each}</span>
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** A picture that was recognised as something that the catalogue lacks needs no other picture. */
function adviceFor(search: NotFoundSearch, text: string): string {
  const isPicture = search === "image" || search === "webcam";
  return isPicture && text !== ""
    ? `The picture was recognised as ${text}, which this catalogue does not have. Search by number or name if it is something else, or add it as a custom item.`
    : texts[search].advice;
}

/** Numbers lose their last characters, names their last word: where a slip usually is. */
function shorterText(text: string): string {
  const words = text.trim().split(/\s+/);
  if (words.length > 1) return words.slice(0, -1).join(" ");
  const [word = ""] = words;
  return word.length > 3 ? word.slice(0, Math.max(3, word.length - 2)) : "";
}

/** What was typed and found nothing, newest first: a person's, in this browser. */
const SETTING = `${PERSONAL}recentMisses`;
const KEPT = 6;
const missesSchema = z.catch(z.array(z.string()), []);

const recentMisses = (): string[] => missesSchema.parse(getSetting(SETTING) ?? []);

/** Puts a text on top of the list, once. */
function rememberMiss(text: string): void {
  const missed = text.trim();
  if (missed === "") return;
  const others = recentMisses().filter((each) => each.toLowerCase() !== missed.toLowerCase());
  setSetting(SETTING, [missed, ...others].slice(0, KEPT));
}
